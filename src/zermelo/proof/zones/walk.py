"""Where the winner's stones come from in a walk through a certificate of zones.

A walk goes stone by stone, the certificate turn by turn. The stones from the root say where in the
certificate a position is: at a node, or in a win by threats. After a reply that the certificate
leaves out, the winner plays as if the other side had passed, or put one stone and passed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zermelo.proof.budget import Budget
from zermelo.proof.header import Refused
from zermelo.proof.rules.base import State
from zermelo.proof.rules.k_in_a_row import InARowRules
from zermelo.proof.zones.body import Attack, Body, Defence
from zermelo.proof.zones.lines import Lines, each
from zermelo.proof.zones.threats import Follower


@dataclass(frozen=True)
class Stand:
    """A place before a turn: a node, a win by threats, or neither: then a line can be completed."""

    node: Attack | Defence | None = None
    win: int | None = None


class ZoneGuide:
    """Answers for positions of a walk, by the stones from ``root``."""

    def __init__(self, rules: InARowRules, root: State, winner: int, body: Body, budget: Budget
                 ) -> None:
        self.rules, self.root, self.winner, self.body = rules, root, winner, body
        self.lines = Lines(rules)
        self.follower = Follower(self.lines, winner, body.wins, budget)

    def answer(self, path: tuple[int, ...]) -> tuple[int, bool]:
        """The winner's next stone after the stones of ``path``, and whether it is a threat's."""
        stand, played, _ = self._stand(path)
        self._set_up(path[: len(path) - len(played)])
        turn = self._turn(stand)
        for square in turn:
            if square not in played:
                return square, not isinstance(stand.node, Attack) or stand.node.win is not None
        raise Refused("the certificate has no turn there")

    def considered(self, path: tuple[int, ...], moves: list[int]) -> list[int]:
        """Of the other side's stones those that the certificate has an answer of its own to."""
        stand, played, _ = self._stand(path)
        turns: Any = ()
        if isinstance(stand.node, Defence):
            turns = [*stand.node.wins, *stand.node.nodes]
        elif stand.win is not None:
            turns = self.body.wins[stand.win].stops
        so_far, found = sum(1 << square for square in played), 0
        for turn in turns:
            if not so_far & ~turn:
                found |= turn
        return [move for move in moves if (found & ~so_far) >> move & 1]

    def _set_up(self, path: tuple[int, ...]) -> None:
        """The position after whole turns, on the lines."""
        state = self.root
        for square in path:
            state = self.rules.play(state, square)
        for side, stones in enumerate(self.rules.stones(state)):
            self.lines.lift(self.lines.stones[side], side)
            self.lines.put(stones, side)

    def _stand(self, path: tuple[int, ...]) -> tuple[Stand, tuple[int, ...], int]:
        """The place before the present turn, the stones of that turn so far, and who moves."""
        stand, begin = Stand(node=self.body.nodes[0]), 0
        mover, left = self.root[2], self.root[3]
        while len(path) - begin >= left:
            turn = path[begin : begin + left]
            stand = (self._after_mine(stand) if mover == self.winner
                     else self._after_reply(stand, turn, path[: begin + left]))
            begin, mover, left = begin + left, 1 - mover, self.rules.per_turn
        return stand, path[begin:], mover

    def _after_mine(self, stand: Stand) -> Stand:
        """The winner has played its turn: before the other side's."""
        if isinstance(stand.node, Attack) and stand.node.then is not None:
            return Stand(node=self.body.nodes[stand.node.then])
        win = stand.node.win if isinstance(stand.node, Attack) else stand.win
        return Stand(win=win)

    def _after_reply(self, stand: Stand, turn: tuple[int, ...], path: tuple[int, ...]) -> Stand:
        """The other side has played ``turn``."""
        reply = sum(1 << square for square in turn)
        if stand.win is not None:
            return Stand(win=self.body.wins[stand.win].stops.get(reply))
        if not isinstance(stand.node, Defence):
            return Stand()
        if reply in stand.node.nodes:
            return Stand(node=self.body.nodes[stand.node.nodes[reply]])
        plans = [stand.node.wins[reply]] if reply in stand.node.wins else [
            *(stand.node.seconds[s] for s in each(reply) if s in stand.node.seconds),
            stand.node.null]
        self._set_up(path)
        for plan in plans:
            try:
                self.follower.zone(plan, self.rules.per_turn)
                return Stand(win=plan)
            except Refused:
                continue
        raise Refused(f"there is no answer to {turn}")

    def _turn(self, stand: Stand) -> list[int]:
        """The winner's turn: first the stones that complete a line, if some do."""
        node, turn = stand.node, ()  # type: Any, tuple[int, ...]
        if isinstance(node, Attack) and node.then is not None:
            turn = node.turn
        else:
            win = node.win if isinstance(node, Attack) else stand.win
            turn = self.body.wins[win].turn if win is not None else ()
        ready = [self.lines.lacking(line, self.winner)
                 for line in self.lines.open(self.winner, self.rules.per_turn)]
        squares = sum(1 << square for square in turn)
        for lacking in ready:
            if not turn or not lacking & ~squares:
                return [*each(lacking), *(s for s in turn if not lacking >> s & 1)]
        return list(turn)
