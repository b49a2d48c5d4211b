"""From a win by zones, or by threats alone, to its certificate: every win by threats is written
down.

The threat search says which turn might win. The certificate gets a plan for every way to stop it,
and so its check needs no search. Which replies need an answer is worked out by the checker's own
rules.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from zermelo.core.winning_lines import Array
from zermelo.core.winning_lines import Lines as WinningLines
from zermelo.errors import ProofFailure
from zermelo.proof.budget import Budget
from zermelo.proof.rules.k_in_a_row import InARowRules
from zermelo.proof.zones.body import Win as Plan
from zermelo.proof.zones.lines import Lines, each, hitting
from zermelo.proof.zones.threats import Follower, Zone
from zermelo.search.threats.run import Run as Threats
from zermelo.search.threats.walk import Guide, after
from zermelo.search.zones.generator import Turn, Win, ZoneGenerator
from zermelo.search.zones.options import Zones

if TYPE_CHECKING:
    from zermelo.core.position import Position

UNLIMITED = 1 << 60
EFFORT = 1 << 30
ENDLESS = float("inf")
Row = dict[str, Any]


class Scout(Protocol):
    """Who finds wins by threats."""

    @property
    def lines(self) -> WinningLines:
        """The lines of the game."""

    def win(self, owners: Array, left: int) -> Win | None:
        """A win by threats where the winner is to move; None if there is none."""

    def hint(self, owners: Array, turns: int) -> Win | None:
        """One within ``turns`` turns, in a position below the last that was asked about."""


def scout_by_zones(position: Position, winner: int, zones: Zones) -> Scout:
    """With the threat search of a search by zones."""
    return ZoneGenerator(zones.lines_of(position.game), winner,
                         Zones(zones.width, zones.depth, EFFORT))


class ThreatScout:
    """With what a search for threats has in its table."""

    def __init__(self, run: Threats) -> None:
        self.lines, self.guide, self.depth = run.threat_search.lines, Guide(run), run.search.depth

    def win(self, owners: Array, left: int) -> Win | None:
        """A win by threats where the winner is to move; None if there is none."""
        return self._within(owners, left, self.depth)

    def hint(self, owners: Array, turns: int) -> Win | None:
        """One within ``turns`` turns."""
        return self._within(owners, self.lines.stones, turns)

    def _within(self, owners: Array, left: int, turns: int) -> Win | None:
        found, turn = self.guide.win(owners, left, turns)
        return Win(found, tuple(turn)) if found else None


def threat_nodes(run: Threats) -> list[Row]:
    """The only node of a win by threats: what is not in it, threats answer."""
    mine = run.position.mover == run.attacker
    return [{"turn": run.turn, "then": None} if mine else {"replies": []}]


class ZoneWriter:
    """Makes the rows of a certificate from ``nodes``, as ``search.zones.certificate`` has them."""

    def __init__(self, position: Position, winner: int, scout: Scout, nodes: list[Row],
                 progress: Callable[[int], None] | None = None) -> None:
        self.winner, self.plan, self.progress = winner, nodes, progress
        self.scout, lines = scout, scout.lines
        self.per_turn = lines.stones
        owners, left = lines.read(position.state[0])
        self.wins, self.numbers = list[Plan](), dict[tuple[Any, ...], int]()
        self.board = Lines(InARowRules(dict(position.game.values), False))
        self.follower = Follower(self.board, winner, self.wins, Budget(UNLIMITED, ENDLESS))
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
        row = self.plan[number]
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
        listed = {tuple(sorted(turn)): then for *turn, then in self.plan[number]["replies"]}
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
        win = self.scout.win(owners, self.per_turn)
        if win is None:
            return None, Zone(0, set())
        number = self._unfold(owners, win)
        return number, self.follower.zone(number, self.per_turn)

    def _found(self, owners: Array, left: int) -> int:
        """A win by threats that has to be there."""
        win = self.scout.win(owners, left)
        return self._unfold(owners, win)

    def _unfold(self, owners: Array, win: Win | None) -> int:
        """A win by threats as a plan, with an answer to every way to stop it; its number."""
        kept = list(self.board.stones)
        self._set_up(owners)
        number = self._plan(owners, win)
        self._move(kept)
        return number

    def _plan(self, owners: Array, win: Win | None) -> int:
        if win is None:
            raise ProofFailure("a win by threats was not found again. This is a bug.")
        turn, stops, board = sum(1 << s for s in win.turn), dict[int, int](), self.board
        completes = any(not board.lacking(line, self.winner) & ~turn
                        for line in board.open(self.winner, len(win.turn)))
        if not completes:
            board.put(turn, self.winner)
            now = after(owners, win.turn, self.winner)
            threats = [board.lacking(line, self.winner)
                       for line in board.open(self.winner, self.per_turn)]
            for stop in sorted(hitting(threats, self.per_turn)):
                answered = after(now, tuple(each(stop)), 1 - self.winner)
                then = self.scout.hint(answered, win.turns - 1)
                board.put(stop, 1 - self.winner)
                stops[stop] = self._plan(answered, then)
                board.lift(stop, 1 - self.winner)
            board.lift(turn, self.winner)
        return self._number(tuple(sorted(win.turn)), stops)

    def _number(self, turn: Turn, stops: dict[int, int]) -> int:
        """The number of a plan; the same plan is written once."""
        name = (turn, *sorted(stops.items()))
        if name not in self.numbers:
            self.numbers[name] = len(self.wins)
            self.wins.append(Plan(turn, stops))
        return self.numbers[name]
