"""Writing a certificate of zones: the file, and the rows of a win by threats."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import ProofFailure
from zermelo.proof.budget import UNLIMITED, Budget
from zermelo.proof.claim import Claim
from zermelo.proof.header import ZONES, Header, Part
from zermelo.proof.rules.k_in_a_row import InARowRules
from zermelo.proof.write import cannot_write
from zermelo.proof.zones.body import Win
from zermelo.proof.zones.lines import Lines, each, hitting
from zermelo.proof.zones.threats import Follower, Zone
from zermelo.storage.whole_files import write_whole

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.core.rules import Array
    from zermelo.search.base import ThreatPlan

LEVEL = 9
Turn = tuple[int, ...]
Found = tuple[int, Turn]  # turns to a win by threats, and the first of them
Row = dict[str, Any]


def zones_header(position: Position, winner: int, nodes: int, wins: int, note: str = "") -> Header:
    """The header of a certificate that ``winner`` wins; the size of its body is not known yet."""
    game = position.game
    part = Part(Claim(winner), game.players[winner], False, nodes)
    return Header(kind=ZONES, game=game.name, built_in=True, parameters=dict(game.values),
                  players=game.players, position=position.text, parts=(part,), wins=wins, note=note)


def encoded(header: Header, rows: Sequence[Any]) -> bytes:
    """The whole file: ``rows`` are the nodes, then the wins, as ``zones.body`` describes them."""
    body = "".join(f"{json.dumps(row, separators=(',', ':'))}\n" for row in rows).encode()
    content = replace(header, size=len(body)).encoded() + zlib.compress(body, LEVEL)
    return content + hashlib.sha256(content).digest()


def write_zones(path: str | Path, header: Header, rows: Sequence[Any]) -> str:
    """Write the file, which appears when it is complete; the digest."""
    path, content = Path(path), encoded(header, rows)
    try:
        write_whole(path, content)
    except OSError as error:
        raise cannot_write(path, error) from None
    return content[-32:].hex()


def after(owners: Array, stones: Sequence[int], side: int) -> Array:
    """The squares with further stones of ``side``."""
    found = owners.copy()
    found[list(stones)] = side
    return found


class ThreatWriter:
    """Makes the rows of a certificate that ``winner`` wins by threats.

    The plan says which turns might win. The certificate gets a plan for every way to stop them, so
    that its check needs no search; which replies need an answer is worked out by the checker's own
    rules.
    """

    def __init__(self, position: Position, winner: int, plan: ThreatPlan,
                 progress: Callable[[int], None] | None = None) -> None:
        self.winner, self.plan, self.progress = winner, plan, progress
        lines = position.game.rules.lines
        assert lines is not None
        self.per_turn = lines.stones
        owners, left = lines.read(position.state[0])
        self.wins, self.numbers = list[Win](), dict[tuple[Any, ...], int]()
        self.board = Lines(InARowRules(dict(position.game.values), False))
        self.follower = Follower(self.board, winner, self.wins, Budget(*UNLIMITED))
        self.places = {0: 0}
        self.todo = [(0, owners.astype(np.int8), position.mover, left)]

    def rows(self) -> list[Any]:
        """The nodes, each after one that leads to it."""
        found = list[Any]()
        for number, owners, mover, left in self.todo:  # grows on the way
            self._set_up(owners)
            mine = mover == self.winner
            found.append((self._attack if mine else self._defence)(number, owners, left))
            if self.progress is not None:
                self.progress(len(found))
        return found

    def win_rows(self) -> list[Any]:
        """The wins by threats that the nodes refer to."""
        return [[list(win.turn), *([*each(stop), then] for stop, then in sorted(win.stops.items()))]
                for win in self.wins]

    def _set_up(self, owners: Array) -> None:
        self._move([sum(1 << s for s in np.flatnonzero(owners == side).tolist())
                    for side in (0, 1)])

    def _move(self, stones: list[int]) -> None:
        """Put and lift stones until they are these."""
        for side in (0, 1):
            self.board.lift(self.board.stones[side] & ~stones[side], side)
        for side in (0, 1):
            self.board.put(stones[side] & ~self.board.stones[side], side)

    def _place(self, number: int, owners: Array, mover: int) -> int:
        """The number that a node of the plan gets in the certificate."""
        if number not in self.places:
            self.places[number] = len(self.places)
            self.todo.append((number, owners, mover, self.per_turn))
        return self.places[number]

    def _attack(self, number: int, owners: Array, left: int) -> Row:
        row = self.plan.nodes[number]
        if row["then"] is None:
            return {"win": self._found(owners, left)}
        turn = tuple(row["turn"])
        then = self._place(row["then"], after(owners, turn, self.winner), 1 - self.winner)
        return {"turn": list(turn), "then": then}

    def _defence(self, number: int, owners: Array, left: int) -> Row:
        """Wins against a pass and half a pass, then what is left."""
        empty, other = self.board.empty, 1 - self.winner
        left = min(left, empty.bit_count())
        null = self._found(owners, self.per_turn)
        zone = self.follower.zone(null, self.per_turn)
        seconds, wins, nodes = dict[int, int](), list[list[int]](), list[list[int]]()
        listed = {tuple(sorted(turn)): then for *turn, then in self.plan.nodes[number]["replies"]}
        for turn in self._needed(owners, left, zone, seconds):
            now = after(owners, turn, other)
            if turn in listed:
                nodes.append([*turn, self._place(listed[turn], now, self.winner)])
            else:
                wins.append([*turn, self._found(now, self.per_turn)])
        return {"null": null, "seconds": {str(s): win for s, win in seconds.items()},
                "wins": wins, "nodes": nodes}

    def _needed(self, owners: Array, left: int, zone: Zone, seconds: dict[int, int]
                ) -> list[Turn]:
        """The turns that need an answer; ``seconds`` gets the wins after one stone and a pass."""
        empty = self.board.empty
        if left == 1:
            return [(square,) for square in each(zone.near & empty)]
        turns, second = set[Turn](), dict[int, int]()
        for line in zone.far:
            turns.update(combinations(each(line & ~zone.near & empty), 2))
        for s in each(zone.near & empty):
            self.board.put(1 << s, 1 - self.winner)
            win, found = self._zone(after(owners, (s,), 1 - self.winner))
            self.board.lift(1 << s, 1 - self.winner)
            second[s] = empty if win is None else found.near & empty
            if win is not None:
                seconds[s] = win
        for s, near in second.items():
            turns.update((min(s, t), max(s, t)) for t in each(near)
                         if t != s and second.get(t, empty) >> s & 1)
        return sorted(turns)

    def _zone(self, owners: Array) -> tuple[int | None, Zone]:
        """A win by threats where the winner moves, and its zone; the board holds the stones."""
        win = self.plan.win(owners, self.per_turn)
        if win is None:
            return None, Zone(0, set())
        number = self._unfold(owners, win)
        return number, self.follower.zone(number, self.per_turn)

    def _found(self, owners: Array, left: int) -> int:
        """A win by threats that has to be there."""
        win = self.plan.win(owners, left)
        return self._unfold(owners, win)

    def _unfold(self, owners: Array, win: Found | None) -> int:
        """A win by threats as a plan, with an answer to every way to stop it; its number."""
        kept = list(self.board.stones)
        self._set_up(owners)
        number = self._plan(owners, win)
        self._move(kept)
        return number

    def _plan(self, owners: Array, win: Found | None) -> int:
        if win is None:
            raise ProofFailure("a win by threats was not found again. This is a bug.")
        turns, squares = win
        turn, stops, board = sum(1 << s for s in squares), dict[int, int](), self.board
        completes = any(not board.lacking(line, self.winner) & ~turn
                        for line in board.open(self.winner, len(squares)))
        if not completes:
            board.put(turn, self.winner)
            now = after(owners, squares, self.winner)
            threats = [board.lacking(line, self.winner)
                       for line in board.open(self.winner, self.per_turn)]
            for stop in sorted(hitting(threats, self.per_turn)):
                answered = after(now, tuple(each(stop)), 1 - self.winner)
                then = self.plan.hint(answered, turns - 1)
                board.put(stop, 1 - self.winner)
                stops[stop] = self._plan(answered, then)
                board.lift(stop, 1 - self.winner)
            board.lift(turn, self.winner)
        return self._number(tuple(sorted(squares)), stops)

    def _number(self, turn: Turn, stops: dict[int, int]) -> int:
        """The number of a plan; the same plan is written once."""
        name = (turn, *sorted(stops.items()))
        if name not in self.numbers:
            self.numbers[name] = len(self.wins)
            self.wins.append(Win(turn, stops))
        return self.numbers[name]
