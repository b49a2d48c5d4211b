"""Following a win by threats: every way to stop it has its answer, worked out from the lines alone.

A turn of the winner must complete a line, or leave threats (lines that the next turn completes)
which the other side can only stop with all the stones of its turn, if at all; and it must leave the
other side no line to complete. Then each way to stop all threats is played, and the win goes on. A
reply that leaves a threat open loses at once, so that nothing else has to be looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.proof.budget import Budget
from zermelo.proof.header import Refused
from zermelo.proof.zones.body import Win
from zermelo.proof.zones.lines import FAR, Lines, hitting, names

MOST_TURNS = 200  # of a win by threats


@dataclass
class Zone:
    """Where a further stone of the other side could disturb a win.

    near  squares: of the winner's turns, of threats, and of lines that the other side could
          complete at some point if it had one stone more
    far   lines, as sets of empty squares, that it could complete with two stones more
    """

    near: int
    far: set[int]


class Follower:
    """Follows wins of ``attacker`` on ``lines``; ``positions`` counts the turns looked at."""

    def __init__(self, lines: Lines, attacker: int, wins: list[Win], budget: Budget) -> None:
        self.lines, self.attacker, self.wins, self.budget = lines, attacker, wins, budget
        self.followed = self.positions = 0

    def zone(self, win: int, left: int) -> Zone:
        """The zone of a win where the attacker moves, with ``left`` stones to put; Refused where
        it is none."""
        found = Zone(0, set())
        self.followed += 1
        self._follow(win, left, found, 0)
        return found

    def _follow(self, number: int, left: int, zone: Zone, depth: int) -> None:
        self.budget.step()
        self.positions += 1
        lines, attacker, win = self.lines, self.attacker, self.wins[number]
        turn = sum(1 << square for square in win.turn)
        if turn & ~lines.empty or len(win.turn) > left:
            raise Refused(f"the turn {names(turn)} of win {number} is not legal")
        zone.near |= turn
        if any(not lines.lacking(line, attacker) & ~turn
               for line in lines.open(attacker, len(win.turn))):
            return  # the stones of that line first, and the game is over
        if len(win.turn) < left:
            raise Refused(f"the turn {names(turn)} of win {number} lacks a stone")
        if depth == MOST_TURNS:
            raise Refused(f"a win by threats takes more than {MOST_TURNS} turns")
        lines.put(turn, attacker)
        try:
            self._answer_all(number, zone, depth)
        finally:
            lines.lift(turn, attacker)

    def _answer_all(self, number: int, zone: Zone, depth: int) -> None:
        """The winner's turn has been played; what can the other side do?"""
        lines, attacker, win = self.lines, self.attacker, self.wins[number]
        per_turn = lines.per_turn
        for line in lines.open(1 - attacker, per_turn + FAR):
            lacking = lines.lacking(line, 1 - attacker)
            more = lacking.bit_count() - per_turn
            if more <= 0:
                raise Refused(f"win {number} leaves the other side a line to complete")
            if more == 1:
                zone.near |= lacking
            else:
                zone.far.add(lacking)
        threats = [lines.lacking(line, attacker) for line in lines.open(attacker, per_turn)]
        if not threats:
            raise Refused(f"the turn {names(sum(1 << s for s in win.turn))} of win {number} makes "
                          "no threat")
        for threat in threats:
            zone.near |= threat
        for reply in sorted(hitting(threats, per_turn)):
            if reply.bit_count() < per_turn:  # the other stones could go anywhere
                raise Refused(f"win {number}: {names(reply)} stops all threats, and leaves stones "
                              "to spare")
            if reply not in win.stops:
                raise Refused(f"win {number}: the reply {names(reply)} has no answer")
            lines.put(reply, 1 - attacker)
            try:
                self._follow(win.stops[reply], per_turn, zone, depth + 1)
            finally:
                lines.lift(reply, 1 - attacker)
