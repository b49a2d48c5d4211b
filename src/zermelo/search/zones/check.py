"""The check of a certificate of zones, in plain Python.

The threat search gives hints: which turn might win. Everything else is worked out here, from the
lines of the game and the stones: whether the turn stops what it must, which threats it makes, all
ways to stop them, and the zone. ``exhaustive`` trusts no zone: every legal reply is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.core.winning_lines import EMPTY, Array, Lines
from zermelo.search.threats.walk import after
from zermelo.search.zones.certificate import Certificate
from zermelo.search.zones.generator import Turn, Win, ZoneGenerator
from zermelo.search.zones.options import Zones

if TYPE_CHECKING:
    from zermelo.core.position import Position

UNLIMITED = 1 << 30


class Refused(Exception):
    """Something in a certificate is wrong; the text says what."""


@dataclass(frozen=True)
class Report:
    """What a check found: ``reason`` is empty if the certificate holds."""

    claim: str
    exhaustive: bool
    nodes: int
    wins: int
    reason: str = ""

    @property
    def verified(self) -> bool:
        """Whether the claim is proved."""
        return not self.reason

    @property
    def exit_status(self) -> int:
        """0 verified, 1 refused."""
        return 0 if self.verified else 1

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        return {"verdict": "verified" if self.verified else "refused", "claim": self.claim,
                "exhaustive": self.exhaustive, "nodes": self.nodes, "wins": self.wins,
                "reason": self.reason or None}


class Judge:
    """Wins by threats and their zones, from the definitions."""

    def __init__(self, lines: Lines, attacker: int, zones: Zones) -> None:
        self.lines, self.attacker, self.stones = lines, attacker, lines.stones
        self.sets = lines.sets.tolist()
        guards = lines.guards.tolist() if lines.guards is not None else [[] for _ in self.sets]
        self.guards = [frozenset(row) - {-1} for row in guards]
        self.generator = ZoneGenerator(lines, attacker, Zones(zones.width, zones.depth, UNLIMITED))
        self.wins = 0

    def open_lines(self, owners: Array, side: int, most: int) -> list[tuple[int, frozenset[int]]]:
        """The lines that ``side`` can still complete with ``most`` stones; the squares it lacks."""
        held = owners[self.lines.sets]
        few = (held != 1 - side).all(1) & ((held == EMPTY).sum(1) <= most)
        return [(at, frozenset(s for s in self.sets[at] if owners[s] == EMPTY))
                for at in np.flatnonzero(few).tolist()
                if not any(owners[s] == side for s in self.guards[at])]

    def zone(self, owners: Array, left: int, spare: int) -> tuple[set[int], list[set[int]]] | None:
        """The zone of a win by threats, near squares and far lines, with every step looked at;
        None if the attacker does not win so."""
        win = self.generator.win(owners, left)
        if win is None:
            return None
        self.wins += 1
        near: set[int] = set()
        far: dict[int, set[int]] = {}
        self._follow(owners, left, win, near, far, spare)
        return near, list(far.values())

    def _follow(self, owners: Array, left: int, win: Win, near: set[int],
                far: dict[int, set[int]], spare: int) -> None:
        turn = win.turn
        legal = 0 < len(turn) == len(set(turn)) <= left
        if not legal or any(owners[square] != EMPTY for square in turn):
            raise Refused(f"the turn {turn} of a win by threats is not legal")
        near.update(turn)
        if any(lacking <= set(turn) for _, lacking in
               self.open_lines(owners, self.attacker, len(turn))):
            return
        if len(turn) < left:
            raise Refused(f"the turn {turn} of a win by threats lacks a stone")
        now = after(owners, turn, self.attacker)
        for at, lacking in self.open_lines(now, 1 - self.attacker, self.stones + spare):
            if len(lacking) <= self.stones:
                raise Refused(f"the turn {turn} of a win by threats leaves a line to complete")
            if len(lacking) == self.stones + 1:
                near.update(lacking)
            else:
                far[at] = set(lacking)
        threats = [lacking for _, lacking in self.open_lines(now, self.attacker, self.stones)]
        for lacking in threats:
            near.update(lacking)
        if not threats:
            raise Refused(f"the turn {turn} of a win by threats makes no threat")
        for reply in _hitting(threats, self.stones):
            if len(reply) < self.stones:  # the rest of the defender's turn could go anywhere
                raise Refused(f"the turn {turn} of a win by threats leaves the reply a free stone")
            answered = after(now, reply, 1 - self.attacker)
            then = self.generator.hint(answered, win.turns - 1)
            if then is None:
                raise Refused(f"the reply {reply} to {turn} stops a win by threats")
            self._follow(answered, self.stones, then, near, far, spare)


def _hitting(sets: list[frozenset[int]], most: int, taken: Turn = ()) -> Iterator[Turn]:
    """All sets of ``most`` squares, or fewer, that meet all of ``sets``, perhaps several times."""
    rest = [each for each in sets if not each & set(taken)]
    if not rest:
        yield taken
    elif len(taken) < most:
        for square in sorted(rest[0]):
            yield from _hitting(rest, most, (*taken, square))


class Check:
    """One pass over a certificate."""

    def __init__(self, certificate: Certificate, position: Position, exhaustive: bool,
                 progress: Callable[[int, int], None] | None = None) -> None:
        self.nodes, self.exhaustive, self.progress = certificate.nodes, exhaustive, progress
        self.lines = certificate.zones.lines_of(position.game)
        self.judge = Judge(self.lines, certificate.winner, certificate.zones)
        self.attacker, self.seen = certificate.winner, dict[int, tuple[bytes, int, int]]()
        owners, left = self.lines.read(position.state[0])
        self.reach(0, owners.astype(np.int8), position.mover, left)

    def reach(self, number: Any, owners: Array, mover: int, left: int) -> None:
        """Note what position a node stands for; one node stands for one."""
        if type(number) is not int or not 0 <= number < len(self.nodes):
            raise Refused(f"there is no node {number!r}")
        if self.seen.setdefault(number, (owners.tobytes(), mover, left)) != (
                owners.tobytes(), mover, left):
            raise Refused(f"node {number} stands for two positions")

    def run(self) -> None:
        """Look at all nodes, parents first."""
        for number, row in enumerate(self.nodes):
            if number not in self.seen:
                raise Refused(f"node {number} is not reached from the nodes before it")
            state, mover, left = self.seen[number]
            owners = np.frombuffer(state, np.int8)
            if mover == self.attacker:
                self.attack(number, row, owners, left)
            else:
                self.defence(number, row, owners, left)
            if self.progress is not None:
                self.progress(number + 1, len(self.nodes))

    def attack(self, number: int, row: dict[str, Any], owners: Array, left: int) -> None:
        """The attacker's turn is legal, or it wins by threats."""
        if row.get("then") is None:
            if self.judge.zone(owners, left, 0) is None:
                raise Refused(f"node {number}: no win by threats is found")
            return
        turn = self.turn_of(number, row.get("turn"), owners, left)
        self.reach(row["then"], after(owners, turn, self.attacker), 1 - self.attacker,
                   self.lines.stones)

    def turn_of(self, number: int, squares: Any, owners: Array, left: int) -> Turn:
        """A turn of ``left`` stones on empty squares."""
        legal = isinstance(squares, list) and len(squares) == left == len({*map(str, squares)})
        if not legal or any(type(s) is not int or not 0 <= s < len(owners) or owners[s] != EMPTY
                            for s in squares):
            raise Refused(f"node {number}: {squares!r} is no turn of {left} stones")
        return tuple(squares)

    def defence(self, number: int, row: dict[str, Any], owners: Array, left: int) -> None:
        """Every reply has its answer: a node, or a win by threats."""
        left = min(left, int((owners == EMPTY).sum()))  # a full board ends the turn, and the game
        if self.judge.open_lines(owners, 1 - self.attacker, left):
            raise Refused(f"node {number}: the defender completes a line")
        listed = dict[Turn, int]()
        for *turn, then in row["replies"]:
            squares = self.turn_of(number, turn, owners, left)
            listed[tuple(sorted(squares))] = then
            self.reach(then, after(owners, squares, 1 - self.attacker), self.attacker,
                       self.lines.stones)
        for turn in self.replies(number, row, owners, left):
            if turn in listed:
                continue
            now, judge = after(owners, turn, 1 - self.attacker), self.judge
            if self.exhaustive:  # the search for threats is enough: it was compared with others
                judge.wins += 1
                won = judge.generator.win(now, self.lines.stones) is not None
            else:
                won = judge.zone(now, self.lines.stones, 0) is not None
            if not won:
                raise Refused(f"node {number}: the reply {turn} has no answer")

    def replies(self, number: int, row: dict[str, Any], owners: Array, left: int) -> list[Turn]:
        """The turns to answer: all legal ones, or those that the zones leave."""
        empty = np.flatnonzero(owners == EMPTY).tolist()
        if self.exhaustive:
            return list(combinations(empty, left))
        zone = self.zone_of(number, "the null move", row.get("zone"), owners, left)
        if left == 1:
            return [(s,) for s in zone[0]]
        turns, seconds = set[Turn](), dict[int, set[int]]()
        for lacking in zone[1]:
            turns.update(combinations(sorted(lacking - zone[0]), 2))
        for s in zone[0]:
            given = row.get("seconds", {}).get(str(s))
            now = after(owners, (s,), 1 - self.attacker)
            seconds[s] = set(empty) if given is None else self.zone_of(
                number, f"a stone on {s}", given, now, 1)[0]
        for s, second in seconds.items():
            turns.update((min(s, t), max(s, t)) for t in second
                         if t != s and s in seconds.get(t, {s}))
        return sorted(turns)

    def zone_of(self, number: int, what: str, given: Any, owners: Array,
                spare: int) -> tuple[set[int], list[set[int]]]:
        """The zone that is given, if it holds what it must; and the far lines."""
        if not isinstance(given, list) or any(type(s) is not int for s in given):
            raise Refused(f"node {number}: {what} has no zone")
        needed = self.judge.zone(owners, self.lines.stones, spare)
        if needed is None:
            raise Refused(f"node {number}: after {what} no win by threats is found")
        empty = set(np.flatnonzero(owners == EMPTY).tolist())
        missing = sorted((needed[0] & empty) - set(given))
        if missing:
            raise Refused(f"node {number}: the zone of {what} lacks {missing}")
        return set(given) & empty, needed[1]


def check_certificate(certificate: Certificate, position: Position, exhaustive: bool = False,
                      progress: Callable[[int, int], None] | None = None) -> Report:
    """Check a certificate about ``position``, which its text stands for."""
    claim = f"{position.game.players[certificate.winner]} wins"
    wins = 0
    try:
        if position.outcome is not None or not certificate.nodes:
            raise Refused("there is nothing to prove")
        check = Check(certificate, position, exhaustive, progress)
        try:
            check.run()
        finally:
            wins = check.judge.wins
    except Refused as refused:
        return Report(claim, exhaustive, len(certificate.nodes), wins, str(refused))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        reason = f"a node can't be read: {type(error).__name__}: {error}"
        return Report(claim, exhaustive, len(certificate.nodes), wins, reason)
    return Report(claim, exhaustive, len(certificate.nodes), wins)
