"""Making certificates of zones: the rows of wins by threats, and of zones of Hex.

A proof is gone through from its root. Which replies need an answer is worked out on the way by the
checker's own rules. In Hex what is written down for a position is a zone, which may hold in many
others; where it does, nothing new is written, and the game's knowledge is a hint about where to
look.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.compiler.jit import kernel
from zermelo.core.board import states_array
from zermelo.core.rules import MOST_THREATS
from zermelo.errors import ProofFailure
from zermelo.proof.budget import UNLIMITED, CheckBudget
from zermelo.proof.rules.hex import HexRules
from zermelo.proof.rules.k_in_a_row import InARowRules
from zermelo.proof.zones.carriers import Carrier, zone_from
from zermelo.proof.zones.threats import (
    BoardLines,
    Follower,
    ThreatWin,
    ThreatZone,
    each,
    hitting,
)

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.core.rules import Array
    from zermelo.search.base import ThreatPlan

Turn = tuple[int, ...]
Found = tuple[int, Turn]  # turns to a win by threats, and the first of them
Row = dict[str, Any]
BEGINS, WAITS = True, False
WEIGHT = 4  # a reply that needs no answer counts as this many cells of a zone
MOST_HOLDING = 100


def after(owners: Array, stones: Sequence[int], side: int) -> Array:
    """Return the squares with further stones of ``side``."""
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
        self.wins, self.numbers = list[ThreatWin](), dict[tuple[Any, ...], int]()
        self.board = BoardLines(InARowRules(dict(position.game.values), False))
        self.follower = Follower(self.board, winner, self.wins, CheckBudget(*UNLIMITED))
        self.places = {0: 0}
        self.todo = [(0, owners.astype(np.int8), position.mover, left)]

    def rows(self) -> list[Any]:
        """Return the nodes, each after one that leads to it."""
        found = list[Any]()
        for number, owners, mover, left in self.todo:  # grows on the way
            self._set_up(owners)
            mine = mover == self.winner
            found.append((self._attack if mine else self._defence)(number, owners, left))
            if self.progress is not None:
                self.progress(len(found))
        return found

    def win_rows(self) -> list[Any]:
        """Return the wins by threats that the nodes refer to."""
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
        """Return the number of a node of the plan in the certificate."""
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
        """Return wins against a pass and half a pass, then all other answers."""
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

    def _needed(self, owners: Array, left: int, zone: ThreatZone, seconds: dict[int, int]
                ) -> list[Turn]:
        """Return the turns that need an answer; ``seconds`` gets wins after a stone and a pass."""
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

    def _zone(self, owners: Array) -> tuple[int | None, ThreatZone]:
        """Return a win by threats where the winner moves, and its zone. The board is set up."""
        win = self.plan.win(owners, self.per_turn)
        if win is None:
            return None, ThreatZone(0, set())
        number = self._unfold(owners, win)
        return number, self.follower.zone(number, self.per_turn)

    def _found(self, owners: Array, left: int) -> int:
        """Return a win by threats that has to be there."""
        win = self.plan.win(owners, left)
        return self._unfold(owners, win)

    def _unfold(self, owners: Array, win: Found | None) -> int:
        """Add a win by threats as a plan, with an answer to all stops; return its number."""
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
        """Return the number of a plan; equal plans are written once."""
        name = (turn, *sorted(stops.items()))
        if name not in self.numbers:
            self.numbers[name] = len(self.wins)
            self.wins.append(ThreatWin(turn, stops))
        return self.numbers[name]


def sight_of(position: Position) -> Any:
    """Return ``look(g, states, zones)``: the game's view of the first state."""
    dependence = position.game.rules.dependence
    assert dependence is not None
    assert dependence.sight is not None
    sight = dependence.sight

    def look(g, states, zones):  # type: ignore[no-untyped-def]
        return sight(g, states[0], zones)

    return kernel(look)


class Known:
    """Zones so far, to be found by the stones of a position."""

    def __init__(self) -> None:
        self.rows = np.zeros((1 << 10, 2), np.uint64)
        self.numbers = np.zeros(1 << 10, np.int64)
        self.count = 0

    def add(self, number: int, zone: Carrier) -> None:
        """Add a zone with its number."""
        if self.count == len(self.rows):
            self.rows = np.concatenate([self.rows, np.zeros_like(self.rows)])
            self.numbers = np.concatenate([self.numbers, np.zeros_like(self.numbers)])
        self.rows[self.count] = zone.stones, zone.cells
        self.numbers[self.count] = number
        self.count += 1

    def holding(self, mine: int, theirs: int) -> list[int]:
        """Return the numbers of the smallest zones that hold."""
        rows = self.rows[: self.count]
        holds = ((rows[:, 0] & ~np.uint64(mine)) | (rows[:, 1] & np.uint64(theirs))) == 0
        sizes = np.bitwise_count(rows[holds, 1])
        return [int(number) for number in
                self.numbers[: self.count][holds][np.argsort(sizes, kind="stable")[:MOST_HOLDING]]]


class CarrierWriter:
    """Makes the lines of a certificate that ``winner`` wins; ``move(state, plies)`` gives the
    moves of a proof."""

    def __init__(self, position: Position, winner: int, move: Callable[[Any, int], int],
                 progress: Callable[[int], None] | None = None) -> None:
        self.winner, self.move, self.progress = winner, move, progress
        self.data = position.game.rules.data
        self.rules = HexRules(dict(position.game.values), False)
        self.zones, self.made = list[Carrier](), list[Row]()
        self.known = {BEGINS: Known(), WAITS: Known()}
        self.sight, self.threats = sight_of(position), np.zeros(MOST_THREATS, np.uint64)
        self.states = states_array(position.game.rules, 1)
        self.number = self._zone(*self._stones(position.state[0]), position.mover == winner)

    def rows(self) -> list[Row]:
        """Return the lines, each after those that it is made from; the last is the root's."""
        used, todo = set[int](), [self.number]
        while todo:
            number = todo.pop()
            if number not in used:
                used.add(number)
                todo += _parts(self.made[number])
        place = {number: at for at, number in enumerate(sorted(used))}
        return [_renumbered(self.made[number], place) for number in sorted(used)]

    def _stones(self, state: Any) -> tuple[int, int]:
        both = int(state["x"]), int(state["o"])
        return both[self.winner], both[1 - self.winner]

    def _add(self, row: Row) -> int:
        """Add a line; return its number."""
        zone = zone_from(row, self.rules, self.winner, self.zones)
        self.zones.append(zone)
        self.made.append(row)
        self.known[zone.begins].add(len(self.zones) - 1, zone)
        if self.progress is not None and len(self.zones) % 100 == 0:
            self.progress(len(self.zones))
        return len(self.zones) - 1

    def _smallest(self, begins: bool, mine: int, theirs: int) -> int | None:
        return next(iter(self.known[begins].holding(mine, theirs)), None)

    def _look(self, mine: int, theirs: int, begins: bool) -> tuple[int, int, list[int]]:
        """Return the game's verdict for the mover, its zone, and zones of threats."""
        x, o = (mine, theirs) if self.winner == 0 else (theirs, mine)
        turn = self.winner if begins else 1 - self.winner
        self.states["x"], self.states["o"], self.states["turn"] = x, o, turn
        verdict, zone, n = self.sight(self.data, self.states, self.threats)
        return int(verdict), int(zone), [int(zone) for zone in self.threats[:n]]

    def _zone(self, mine: int, theirs: int, begins: bool) -> int:
        """Return the number of a zone that holds where the winner has the stones ``mine``."""
        known = self._smallest(begins, mine, theirs)
        if known is not None:
            return known
        return (self._attack if begins else self._defence)(mine, theirs)

    def _attack(self, mine: int, theirs: int) -> int:
        """Return a zone where the winner moves: by the game's view, else by the search."""
        verdict, zone, _ = self._look(mine, theirs, BEGINS)
        if verdict > 0:
            return self._begun(mine, zone)
        move = self.move(self.states[0].copy(), 0)  # the state that was looked at last
        return self._add({"move": move, "then": self._zone(mine | 1 << move, theirs, WAITS)})

    def _defence(self, mine: int, theirs: int) -> int:
        """Return a zone where the other side moves: each move is outside a zone of an answer."""
        verdict, zone, threats = self._look(mine, theirs, WAITS)
        if verdict < 0:
            return self._held(mine, zone)
        free = ((1 << self.rules.cells) - 1) & ~(mine | theirs)
        answers = self.known[BEGINS].holding(mine, theirs)
        for zone in threats:
            if all(self.zones[number].cells & ~zone for number in answers):
                answers.append(self._begun(mine, zone))
        chosen = self._cover(answers, free)
        left = free
        for number in chosen:
            left &= self.zones[number].cells
        while left:
            reply = self._first(left)
            chosen.append(self._zone(mine, theirs | 1 << reply, BEGINS))
            left &= self.zones[chosen[-1]].cells
        return self._add({"replies": sorted(set(self._cover(chosen, free)))})

    def _first(self, left: int) -> int:
        """Return the reply to answer next."""
        return next(each(left))

    def _cover(self, answers: list[int], free: int) -> list[int]:
        """Return few and small ones of ``answers`` that leave as few replies as all of them."""
        chosen, cells = list[int](), 0
        while True:
            worth = {number: WEIGHT * (free & ~self.zones[number].cells).bit_count()
                     - (self.zones[number].cells & ~cells).bit_count()
                     for number in answers if free & ~self.zones[number].cells}
            if not worth:
                return chosen
            best = max(worth, key=worth.__getitem__)
            chosen.append(best)
            cells |= self.zones[best].cells
            free &= self.zones[best].cells

    def _begun(self, mine: int, zone: int) -> int:
        """Return a move in ``zone`` after which its stones hold together."""
        for cell in each(zone & ~mine):
            row = self._pairs(mine & zone | 1 << cell, zone & ~mine & ~(1 << cell))
            if row is not None:
                return self._add({"move": cell, "then": self._add(row)})
        raise ProofFailure("a chain that was seen does not hold. This is a bug.")

    def _held(self, mine: int, zone: int) -> int:
        row = self._pairs(mine & zone, zone & ~mine)
        if row is None:
            raise ProofFailure("a chain that was seen does not hold. This is a bug.")
        return self._add(row)

    def _pairs(self, stones: int, rest: int, pairs: tuple[int, ...] = ()) -> Row | None:
        """Return the stones with ``rest`` cut into pairs of neighbours that hold them together."""
        if not rest:
            if not self.rules.linked(self.winner, stones, pairs):
                return None
            return {"stones": [*each(stones)], "pairs": [[*each(pair)] for pair in pairs]}
        first = rest & -rest
        for other in each(self.rules.near[first.bit_length() - 1] & rest):
            pair = first | 1 << other
            found = self._pairs(stones, rest & ~pair, (*pairs, pair))
            if found is not None:
                return found
        return None


def _parts(row: Row) -> list[int]:
    """Return the lines that a line is made from."""
    return [row["then"]] if "then" in row else list(row.get("replies", []))


def _renumbered(row: Row, place: dict[int, int]) -> Row:
    if "then" in row:
        return {"move": row["move"], "then": place[row["then"]]}
    if "replies" in row:
        return {"replies": [place[number] for number in row["replies"]]}
    return row
