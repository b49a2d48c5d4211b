"""The checker: does a certificate prove what it claims?

Each record is looked at by itself. It holds a position in which the prover moves, and a move. The
move must be legal, and the position after it *covered*: the game is over as claimed; or the prover
moves again and there is a record; or the other side moves and all positions after that are covered.
If the root is covered too, the prover has an answer to everything, and what is left to show is that
play comes to an end: the rules see to it, or the ranks, which must fall from record to record. For
the claim that a player does not win, play need not end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from zermelo.proof.budget import Budget
from zermelo.proof.claim import DRAWN, FIRST, SECOND, Claim
from zermelo.proof.header import SEARCH, Refused
from zermelo.proof.rules.base import RulesOf, State
from zermelo.proof.settle import POSITION_BYTES, settle, state_bytes
from zermelo.proof.tables import Table

MOST_BETWEEN = 1_000_000  # positions between a record and the prover's next moves
MOST_WANTED = 100_000  # records to be found at once


class Fails(Exception):
    """Where a claim is not proved: the record (None for the root), the moves from there, and why.

    ``state`` is the position of the record.
    """

    def __init__(self, record: int | None, state: State, path: Sequence[int], reason: str) -> None:
        super().__init__(record, state, path, reason)
        self.record, self.state, self.path, self.reason = record, state, path, reason


class Checker:
    """Checks the records of one claim, some at a time."""

    def __init__(self, rules: RulesOf, claim: Claim, table: Table, search: int,
                 budget: Budget | None = None) -> None:
        self.rules, self.claim, self.table, self.search = rules, claim, table, search
        self.budget = budget or Budget()
        self.prover = claim.prover
        self.good = [claim.holds(end) for end in (FIRST, SECOND, DRAWN)]
        self.positions = self.searched = 0
        self.lengths_known = len(table.lengths) > 0 or not len(table.keys)
        # What is to be found: keys, the place of their record in the batch, the moves between.
        self.wanted: list[bytes] = []
        self.owners: list[int] = []
        self.paths: list[tuple[int, ...]] = []

    def batch(self, numbers: Any) -> None:
        """Check the records with these numbers; Fails names the first that is wrong."""
        width = self.table.records.shape[1]
        data = self.table.records[numbers].tobytes()
        begin = 0
        states: list[State] = []
        lengths: list[int] = []
        for at, number in enumerate(numbers.tolist()):
            state = None
            self.budget.step()
            try:
                state, move = self.rules.record(data[at * width : (at + 1) * width], self.prover)
                lengths.append(self.follow(len(states), number, state, move))
            except Refused as error:
                raise Fails(number, state, (), str(error)) from None
            states.append(state)
            if len(self.wanted) > MOST_WANTED:
                self.look_up(numbers[begin : at + 1], states, lengths)
                begin, states, lengths = at + 1, [], []
        self.look_up(numbers[begin:], states, lengths)

    def look_up(self, numbers: Any, states: list[State], lengths: list[int]) -> None:
        """Find the records that must follow those with these numbers; note the longest lines."""
        found = self.find(numbers, states)
        if self.lengths_known:
            longest, at = np.array(lengths, np.int32), np.array(self.owners, np.int64)
            plies = np.array([len(path) for path in self.paths], np.int32)
            np.maximum.at(longest, at, self.table.lengths[found] + plies)
            self.table.lengths[numbers] = longest
        self.forget()

    def root(self, state: State) -> int | None:
        """Check that the position claimed about is covered; the longest line from it, if known."""
        length = self.cover(0, None, state, state, ())
        found = self.find(None, [state])
        paths = self.paths
        self.forget()
        if not self.lengths_known:
            return None
        after = [int(self.table.lengths[at]) + len(path)
                 for at, path in zip(found.tolist(), paths, strict=True)]
        return max([length, *after])

    def forget(self) -> None:
        """Begin a new batch."""
        self.wanted, self.owners, self.paths = [], [], []

    def follow(self, place: int, number: int, state: State, move: int) -> int:
        """Check one record, but for the records that must follow it; the longest line that ends."""
        rules = self.rules
        self.positions += 1
        if rules.mover(state) != self.prover:
            raise Fails(number, state, (), "the other side moves there")
        if rules.end(state) is not None:
            raise Fails(number, state, (), "the game is over there")
        if move == SEARCH:
            return self.settle(state)
        if not self.legal(state, move):
            raise Fails(number, state, (move,), "that move is not legal there")
        return self.cover(place, number, state, rules.play(state, move), (move,))

    def legal(self, state: State, move: int) -> bool:
        """Whether the prover may play ``move``."""
        return self.rules.legal(state, move)

    def replies(self, state: State) -> list[int]:
        """All that the other side may play."""
        return self.rules.moves(state)

    def settle(self, state: State) -> int:
        """Search a position that the certificate leaves to the checker."""
        length, seen = settle(self.rules, state, self.claim, self.search, self.budget)
        self.positions += seen - 1
        self.searched += 1
        return length

    def cover(self, place: int, number: int | None, state: State, after: State,
              path: tuple[int, ...]) -> int:
        """Check that the position ``after`` is covered, but for records, which are noted.

        The result is the longest line from ``state`` that ends before the prover moves again.
        """
        rules, prover, good = self.rules, self.prover, self.good
        self.positions += 1
        end = rules.end(after)
        if end is not None:
            return self.ended(number, state, path, end)
        if rules.mover(after) == prover:
            self.want(place, rules.key(after), path)
            return 0
        replies = self.replies(after)
        if not replies:
            return self.ended(number, state, path, 1 - rules.mover(after))
        play, end_of, mover, key = rules.play, rules.end, rules.mover, rules.key
        wanted, owners, paths = self.wanted, self.owners, self.paths
        self.positions += len(replies)
        longest = 0
        for reply in replies:
            then = play(after, reply)
            end = end_of(then)
            if end is not None:
                if not good[end]:
                    self.ended(number, state, (*path, reply), end)
                longest = len(path) + 1
            elif mover(then) == prover:
                wanted.append(key(then))
                owners.append(place)
                paths.append((*path, reply))
            else:
                length = self.between(place, number, state, then, (*path, reply))
                longest = max(longest, length)
        return longest

    def between(self, place: int, number: int | None, state: State, begin: State,
                path: tuple[int, ...]) -> int:
        """The same where the other side moves several times in a row.

        Each position on the way is looked at once. One that repeats on its own line means that
        the other side can go on for ever, which is not a win.
        """
        rules = self.rules
        depths: dict[State, int] = {}
        size = POSITION_BYTES + state_bytes(begin)
        line: set[State] = set()  # the positions on the way to the present one
        todo: list[tuple[State, tuple[int, ...], bool]] = [(begin, path, False)]
        longest = 0
        while todo:
            now, path, left = todo.pop()
            if left:
                line.discard(now)
                continue
            if now in line and self.claim.wins:
                raise Fails(number, state, path, "the other side can go round for ever")
            if now in depths:
                self.lengths_known &= depths[now] == len(path)
                continue
            depths[now] = len(path)
            self.budget.hold(size)
            self.budget.step()
            if len(depths) > MOST_BETWEEN:
                raise Fails(number, state, path, f"there are more than {MOST_BETWEEN:,} positions "
                            "before the prover moves again")
            end = rules.end(now)
            if end is None and rules.mover(now) == self.prover:
                self.want(place, rules.key(now), path)
                continue
            moves = self.replies(now) if end is None else []
            if not moves:
                end = 1 - rules.mover(now) if end is None else end
                longest = max(longest, self.ended(number, state, path, end))
                continue
            self.positions += len(moves)
            line.add(now)
            todo.append((now, path, True))
            todo += [(rules.play(now, move), (*path, move), False) for move in reversed(moves)]
        self.budget.release(size * len(depths))
        return longest

    def want(self, place: int, key: bytes, path: tuple[int, ...]) -> None:
        """Note a record that must be there."""
        self.wanted.append(key)
        self.owners.append(place)
        self.paths.append(path)

    def ended(self, number: int | None, state: State, path: tuple[int, ...], end: int) -> int:
        """The game is over: as claimed, or the claim is false."""
        if not self.good[end]:
            who = "in a draw" if end == DRAWN else f"with a win for {self.rules.players[end]}"
            raise Fails(number, state, path, f"the game ends {who}")
        return len(path)

    def find(self, numbers: Any, states: list[State]) -> Any:
        """The records that were noted; Fails if one is missing or its rank does not fall."""
        found = self.table.find(self.wanted)
        missing = np.flatnonzero(found < 0)
        if len(missing):
            self.fail(int(missing[0]), numbers, states, "there is no record for the position then")
        if len(self.table.ranks) and numbers is not None:
            ranks = self.table.ranks
            flat = np.flatnonzero(~self.falls(ranks[numbers][np.array(self.owners, np.int64)],
                                              ranks[found]))
            if len(flat):
                self.fail(int(flat[0]), numbers, states, "the rank of the next record is not lower")
        return found

    def falls(self, before: Any, after: Any) -> Any:
        """Whether ranks fall from record to record."""
        return after < before

    def fail(self, which: int, numbers: Any, states: list[State], reason: str) -> NoReturn:
        """What was noted as number ``which`` is wrong."""
        place = self.owners[which]
        record = None if numbers is None else int(numbers[place])
        raise Fails(record, states[place], self.paths[which], reason)
