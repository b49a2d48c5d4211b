"""Writing a certificate of zones in Hex: zones put together from smaller ones.

The proof is gone through from its root. What is written down for a position is a zone, which may
hold in many others; where it does, nothing new is written. Zones are worked out on the way by the
checker's own rules, and the game's knowledge is a hint about where to look.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.compiler.jit import kernel
from zermelo.core.board import states_array
from zermelo.core.rules import MOST_THREATS
from zermelo.errors import ProofFailure
from zermelo.proof.rules.hex import HexRules
from zermelo.proof.zones.carriers import Zone, zone_from
from zermelo.proof.zones.lines import each

if TYPE_CHECKING:
    from zermelo.core.position import Position

Row = dict[str, Any]
BEGINS, WAITS = True, False
WEIGHT = 4  # a reply that needs no answer is worth so many cells of a zone
MOST_HOLDING = 100


def sight_of(position: Position) -> Any:
    """``look(g, states, zones)``: what the game sees in the first state."""
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

    def add(self, number: int, zone: Zone) -> None:
        """One more."""
        if self.count == len(self.rows):
            self.rows = np.concatenate([self.rows, np.zeros_like(self.rows)])
            self.numbers = np.concatenate([self.numbers, np.zeros_like(self.numbers)])
        self.rows[self.count] = zone.stones, zone.cells
        self.numbers[self.count] = number
        self.count += 1

    def holding(self, mine: int, theirs: int) -> list[int]:
        """The numbers of those that hold, the smallest of them."""
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
        self.zones, self.made = list[Zone](), list[Row]()
        self.known = {BEGINS: Known(), WAITS: Known()}
        self.sight, self.threats = sight_of(position), np.zeros(MOST_THREATS, np.uint64)
        self.states = states_array(position.game.rules, 1)
        self.number = self._zone(*self._stones(position.state[0]), position.mover == winner)

    def rows(self) -> list[Row]:
        """The lines, each after those that it is made from; the last is the root's."""
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
        """A line; its number."""
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
        """What the game sees: verdict for the mover, zone, and zones of threats."""
        x, o = (mine, theirs) if self.winner == 0 else (theirs, mine)
        turn = self.winner if begins else 1 - self.winner
        self.states["x"], self.states["o"], self.states["turn"] = x, o, turn
        verdict, zone, n = self.sight(self.data, self.states, self.threats)
        return int(verdict), int(zone), [int(zone) for zone in self.threats[:n]]

    def _zone(self, mine: int, theirs: int, begins: bool) -> int:
        """The number of a zone that holds where the winner has the stones ``mine``."""
        known = self._smallest(begins, mine, theirs)
        if known is not None:
            return known
        return (self._attack if begins else self._defence)(mine, theirs)

    def _attack(self, mine: int, theirs: int) -> int:
        """The winner moves: by what is seen, else by the search."""
        verdict, zone, _ = self._look(mine, theirs, BEGINS)
        if verdict > 0:
            return self._begun(mine, zone)
        move = self.move(self.states[0].copy(), 0)  # the state that was looked at last
        return self._add({"move": move, "then": self._zone(mine | 1 << move, theirs, WAITS)})

    def _defence(self, mine: int, theirs: int) -> int:
        """The other side moves: answers until each of its moves is outside a zone of one."""
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
        """The reply to answer next."""
        return next(each(left))

    def _cover(self, answers: list[int], free: int) -> list[int]:
        """Few and small ones of ``answers`` that leave as few replies as all of them."""
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
        """A move in ``zone`` after which its stones hold together."""
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
        """The stones with ``rest`` cut into pairs of neighbours that hold them together."""
        if not rest:
            if not self.rules.held(self.winner, stones, pairs):
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
    """The lines that a line is made from."""
    return [row["then"]] if "then" in row else list(row.get("replies", []))


def _renumbered(row: Row, place: dict[int, int]) -> Row:
    if "then" in row:
        return {"move": row["move"], "then": place[row["then"]]}
    if "replies" in row:
        return {"replies": [place[number] for number in row["replies"]]}
    return row
