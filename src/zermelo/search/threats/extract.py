"""Extraction: the records of a certificate from a win by threats.

A certificate answers every legal reply. After each of the attacker's turns the replies are all
turns that the defender can make: those that stop all threats lead on, and after any other a line is
completed. The latter are many, some 50,000 after each turn on 19x19, so they are written by a
kernel, and their number is looked at beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.compiler.jit import kernel
from zermelo.core.board import states_array
from zermelo.core.rules import EMPTY, ONGOING, Array, Rules
from zermelo.errors import BadOption
from zermelo.search.reasons import UNKNOWN
from zermelo.search.threats.threat_search import Guide, live_lines

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.search.threats.vcdt import Run


MOST_RECORDS = 10_000_000
Batch = tuple[Array, Array, Array]


class WinTree:
    """All positions of the winner that a win leads to while threats are stopped, and its turns."""

    def __init__(self, run: Run) -> None:
        self.guide, self.rules = Guide(run), run.rules
        self.lines, self.attacker = run.threat_search.lines, run.attacker
        self.answers: list[tuple[Position, list[int]]] = []
        self.replies: list[Position] = []
        turns, seen = int(run.threat_search.control["turns"]), set[bytes]()
        todo = [(run.position, turns)]
        while todo:
            position, most = todo.pop()
            if position.state.tobytes() in seen:
                continue
            seen.add(position.state.tobytes())
            owners, left = self.lines.read(position.state[0])
            if position.mover == self.attacker:
                todo += self._answer(position, owners, left, most)
            else:
                self.replies.append(position)
                for stones in self.guide.threat_search.stops(owners, left):
                    todo.append((after(position, stones), most))

    def _answer(self, position: Position, owners: Array, left: int,
                most: int) -> list[tuple[Position, int]]:
        turns, stones = self.guide.win(owners, left, most)
        self.answers.append((position, stones))
        then = after(position, stones)
        return [] if then.outcome is not None else [(then, turns - 1)]

    @property
    def records(self) -> int:
        """About how many records there are, at most."""
        per_turn = self.lines.stones
        return sum(per_turn * comb(len(position.codes()), per_turn) for position in self.replies)

    def threats(self, owners: Array) -> tuple[Array, Array]:
        """The empty squares of the winner's live lines, and how many each has."""
        live = live_lines(self.lines, owners, self.attacker)
        squares = np.zeros((len(live), self.lines.stones), np.int64)
        sizes = np.zeros(len(live), np.int64)
        for row, line in enumerate(live):
            empty = [square for square in line if owners[square] == EMPTY]
            squares[row, : len(empty)], sizes[row] = empty, len(empty)
        return squares, sizes


def after(position: Position, stones: list[int]) -> Position:
    """The position after a turn; a line ends the game at once."""
    for stone in stones:
        if position.outcome is None:
            position = position.play_code(stone)
    return position


def records(run: Run, search: int,
            progress: Callable[[int], None] | None = None) -> Iterator[Batch]:
    """Batches (states, moves, ranks) that prove the win that ``run`` found (see ``base.Proof``).

    Nothing is left to the checker, and the size of a batch is that of a turn's replies.
    """
    if run.finished != UNKNOWN:
        return
    tree, written = WinTree(run), 0
    if tree.records > MOST_RECORDS:
        raise BadOption(
            f"the certificate would have up to {tree.records:,} records, since it answers every "
            f"reply after each of {len(tree.replies):,} turns; at most {MOST_RECORDS:,} are "
            "written. A later position of the line has fewer."
        )
    for found in _batches(tree):
        yield found
        written += len(found[1])
        if progress is not None:
            progress(written)


def _batches(tree: WinTree) -> Iterator[Batch]:
    for position, stones in tree.answers:
        states, now = [], position
        for stone in stones:
            if now.outcome is None:
                states.append(now.state)
                now = now.play_code(stone)
        moves = np.array(stones[: len(states)], np.int32)
        yield np.concatenate(states), moves, np.zeros(len(moves), np.int64)
    cover = kernel(cover_of(tree.rules))
    for position in tree.replies:
        owners, left = tree.lines.read(position.state[0])
        yield from _all_replies(tree, cover, position, owners, left)


def _all_replies(tree: WinTree, cover: Any, position: Position, owners: Array,
                 left: int) -> Iterator[Batch]:
    """Records after the replies that leave a threat, for each beginning of the turn."""
    rules, (lines, sizes) = tree.rules, tree.threats(owners)
    squares = np.flatnonzero(owners == EMPTY)
    out = states_array(rules, len(squares) * tree.lines.stones)
    moves, states = np.zeros(len(out), np.int32), states_array(rules, 3)
    for first in combinations(range(len(squares)), left - 1):
        before = squares[list(first)] if first else np.zeros(1, np.int64)
        states[0] = after(position, [int(square) for square in before[: len(first)]]).state[0]
        begin = first[-1] + 1 if first else 0
        n = int(cover(rules.data, states, squares, begin, before, len(first), lines, sizes,
                    len(sizes), out, moves))
        if n:
            plain = np.zeros(n, rules.dtype)
            plain[:] = out[:n]
            yield plain, moves[:n].copy(), np.zeros(n, np.int64)


def cover_of(rules: Rules) -> Any:
    """Return ``cover``: answer all last stones of a defender's turn that leave a threat."""
    play, outcome = rules.play, rules.outcome

    def cover(g, states, squares, begin, before, taken, lines,  # type: ignore[no-untyped-def]
              sizes, count, out, moves):
        """``states[0]``: the defender has one stone left; ``before``: those of the turn so far."""
        written = 0
        for i in range(begin, len(squares)):
            found = -1
            for line in range(count):
                met = False
                for j in range(sizes[line]):
                    met |= lines[line, j] == squares[i]
                    for q in range(taken):
                        met |= lines[line, j] == before[q]
                if not met:
                    found = line
                    break
            if found < 0:
                continue
            play(g, states[0], squares[i], states[1])
            now = 1
            for j in range(sizes[found]):
                out[written] = states[now]
                moves[written] = lines[found, j]
                written += 1
                play(g, states[now], lines[found, j], states[3 - now])
                now = 3 - now
                if outcome(g, states[now]) != ONGOING:
                    break
        return written

    return cover
