"""Certificates of zones for Hex: zones of wins, put together from smaller ones.

A *zone* of the winner is a set of cells, some of them with the winner's stones. It holds in a
position if the winner has these stones and the other side has none in the zone, and says that the
winner wins there, with the other side to move or with its own move first. A line of the body makes
one zone from others before it; the last is about the position of the certificate.

    {"stones": [a, ...], "pairs": [[b, c], ...]}   the stones hold together, the other side moves
    {"move": a, "then": n}                         the winner plays a, then zone n holds
    {"replies": [n, ...]}                          the other side moves, and the winner answers by
                                                   one of these zones

Why this is right. An extra stone never harms its owner, and no stone outside the zone undoes a
chain inside it. (1) Pairs have no cell in common: the winner answers in the same pair, and ends up
with a cell of each; whichever it is, it links the same stones and edges (``HexRules.linked``). (2)
If the winner has a stone on a already, any move will do. (3) The other side's stone stands in no
more than some of the zones, if every cell that they all have in common holds a stone of the winner;
one in which it does not stand still holds, and in it the winner moves. Stones fill the board, so
that play ends, and a board that is full of a zone has its chain.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zermelo.errors import counted, quoted
from zermelo.proof.budget import CheckBudget
from zermelo.proof.check import POSITION_BYTES, state_bytes
from zermelo.proof.header import Refused
from zermelo.proof.rules.base import State
from zermelo.proof.rules.hex import HexRules
from zermelo.proof.zones.threats import PARSED, each, named


@dataclass(frozen=True)
class Carrier:
    """A zone, made by a line of the body. ``stones``: the winner's in the zone; ``begins``: the
    winner moves first; ``move`` and ``then``, ``pairs``, ``answers``: how it goes on."""

    cells: int
    stones: int
    begins: bool
    move: int = -1
    then: int = -1
    pairs: tuple[int, ...] = ()
    answers: tuple[int, ...] = ()

    def holds(self, mine: int, theirs: int) -> bool:
        """Return True if it holds where the winner has the stones ``mine``."""
        return not self.stones & ~mine and not self.cells & theirs


def zone_from(row: Any, rules: HexRules, winner: int, before: list[Carrier],
              budget: CheckBudget | None = None) -> Carrier:
    """Return the zone that a line makes; raise Refused where it makes none."""
    names = set(row) if isinstance(row, dict) else set()
    if names == {"stones", "pairs"}:
        stones = _cells(row["stones"], rules)
        pairs = tuple(_cells(pair, rules, 2) for pair in _listed(row["pairs"]))
        if not rules.linked(winner, stones, pairs, budget):
            raise Refused("the stones do not hold together by pairs of their own")
        return Carrier(stones | sum(pairs), stones, False, pairs=pairs)
    if names == {"move", "then"}:
        cell, then = _number(row["move"], rules.cells), _number(row["then"], len(before))
        if before[then].begins:
            raise Refused(f"zone {then} has the winner move, who has just moved")
        return Carrier(before[then].cells | 1 << cell, before[then].stones & ~(1 << cell), True,
                    move=cell, then=then)
    if names != {"replies"} or not _listed(row["replies"]):
        raise Refused(f"{quoted(row)} makes no sense there")
    answers = tuple(_number(number, len(before)) for number in row["replies"])
    cells = stones = 0
    common = -1
    for number in answers:
        if not before[number].begins:
            raise Refused(f"zone {number} has the other side move, who has just moved")
        cells, stones = cells | before[number].cells, stones | before[number].stones
        common &= before[number].cells
    if common & ~stones:
        raise Refused(f"a stone on {named(common & ~stones)} is in all of the zones")
    return Carrier(cells, stones, False, answers=answers)


def _listed(given: Any) -> list[Any]:
    if not isinstance(given, list):
        raise Refused(f"{quoted(given)} is not a list")
    return given


def _number(given: Any, below: int) -> int:
    if type(given) is not int or not 0 <= given < below:
        raise Refused(f"{quoted(given)} is not a number from 0 to {below - 1}")
    return given


def _cells(given: Any, rules: HexRules, count: int | None = None) -> int:
    """Return different cells as a set."""
    cells = [_number(cell, rules.cells) for cell in _listed(given)]
    if len(set(cells)) < len(cells) or (count is not None and len(cells) != count):
        raise Refused(f"{quoted(given)} is not a set of {'' if count is None else f'{count} '}"
                      "cells")
    return sum(1 << cell for cell in cells)


class CarrierChecker:
    """Checks that ``winner`` wins ``root``; Refused where the certificate does not show it."""

    def __init__(self, rules: HexRules, root: State, winner: int, text: bytes, nodes: int,
                 budget: CheckBudget, exhaustive: bool = False) -> None:
        budget.hold(PARSED * len(text))
        self.rules, self.root, self.winner, self.budget = rules, root, winner, budget
        self.exhaustive, self.positions, self.zones = exhaustive, 0, list[Carrier]()
        self.lines = text.split(b"\n")
        if self.lines.pop() or len(self.lines) != nodes:
            raise Refused(f"its body does not have {counted(nodes, 'line')}")
        if rules.end(root) is not None:
            raise Refused("the game is over, and there is nothing to prove")

    @property
    def wins(self) -> int:
        """Zones whose stones hold together."""
        return sum(zone.then < 0 and not zone.answers for zone in self.zones)

    def run(self, progress: Callable[[int], None] | None = None) -> None:
        """Check all lines, and that the last is about the root."""
        for number, line in enumerate(self.lines):
            self.budget.step()
            self.positions += 1
            try:
                self.zones.append(zone_from(json.loads(line), self.rules, self.winner, self.zones,
                                            self.budget))
            except (ValueError, RecursionError):
                raise Refused(f"zone {number} is not JSON") from None
            except Refused as error:
                raise Refused(f"zone {number}: {error}") from None
            if progress is not None:
                progress(number + 1)
        stones = self.rules.stones(self.root)
        last = self.zones[-1]
        if not last.holds(stones[self.winner], stones[1 - self.winner]):
            raise Refused("the last zone does not hold in the position")
        if last.begins and self.rules.mover(self.root) != self.winner:
            raise Refused("the last zone has the winner move, but the other side moves")
        if self.exhaustive:
            self._play_out()

    def _play_out(self) -> None:
        """Play every legal reply, answered by the zones, to the end of the game."""
        seen, todo = set[tuple[State, int]](), [(self.root, len(self.zones) - 1)]
        size = POSITION_BYTES + state_bytes(self.root)
        while todo:
            state, number = todo.pop()
            if (state, number) in seen:
                self.budget.release(size)
                continue
            seen.add((state, number))
            self.budget.step()
            self.positions += 1
            end = self.rules.end(state)
            if end is not None:
                if end != self.winner:
                    raise Refused(f"the other side wins in {self.rules.text(state)}")
                continue
            if self.rules.mover(state) == self.winner:
                move, then = answer(self.rules, state, self.winner, self.zones, number)
                after = [(self.rules.play(state, move), then)]
            else:
                after = [(self.rules.play(state, move),
                          after_reply(self.zones, number, move)) for move in
                         self.rules.moves(state)]
            self.budget.hold(size * len(after))
            todo += after


def after_reply(zones: list[Carrier], number: int, reply: int) -> int:
    """Return the zone by which the winner goes on after a reply."""
    return next((n for n in zones[number].answers if not zones[n].cells >> reply & 1), number)


def answer(rules: HexRules, state: State, winner: int, zones: list[Carrier], number: int
           ) -> tuple[int, int]:
    """Return the winner's move by zone ``number``, and the zone after it."""
    stones, free = rules.stones(state), rules.moves(state)
    zone = zones[number]
    if zone.then >= 0:
        return (zone.move if zone.move in free else free[0]), zone.then
    for pair in zone.pairs:  # one that was entered, else one that is still to be filled
        if pair & stones[1 - winner] and not pair & stones[winner]:
            return next(each(pair & ~stones[1 - winner])), number
    for pair in zone.pairs:
        if not pair & stones[winner]:
            return next(each(pair)), number
    return free[0], number
