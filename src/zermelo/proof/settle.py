"""`search k`: positions that a certificate leaves to the checker, settled by trying everything."""

from __future__ import annotations

from dataclasses import dataclass, field
from sys import getsizeof

from zermelo.errors import counted
from zermelo.proof.budget import Budget
from zermelo.proof.claim import Claim
from zermelo.proof.header import Refused
from zermelo.proof.rules.base import RulesOf, State

POSITION_BYTES = 300  # of a position that is kept, beside the state itself


def state_bytes(state: State) -> int:
    """The memory that a state takes, about."""
    parts = state if isinstance(state, tuple) else ()
    return getsizeof(state) + sum(map(getsizeof, parts))


def settle(rules: RulesOf, state: State, claim: Claim, limit: int, budget: Budget
           ) -> tuple[int, int]:
    """The most moves that the game can still last, and how many positions were looked at.

    Refused if the claim does not hold at ``state``, or if more than ``limit`` different positions
    have to be looked at to see that it does; Exceeded if these are more than ``budget`` allows.
    """
    kind = _Graph if rules.cyclic else _Tree
    search = kind(rules, claim, limit, budget, state_bytes(state))
    try:
        length = search.run(state)
    finally:
        budget.release(search.held)
    if length is None:
        raise Refused(f"a search of {counted(search.seen, 'position')} shows that the claim is "
                      "false there")
    return length, search.seen


@dataclass
class _Search:
    rules: RulesOf
    claim: Claim
    limit: int
    budget: Budget
    size: int  # of a state
    seen: int = 0
    held: int = 0

    def keep(self, states: int) -> None:
        """Note the memory of that many states."""
        self.budget.hold(states * self.size + POSITION_BYTES)
        self.held += states * self.size + POSITION_BYTES

    def look(self, state: State) -> tuple[bool, bool, list[int]]:
        """Whether the prover moves; whether the game is over as claimed; the moves if it is not."""
        if self.seen >= self.limit:
            raise Refused(f"a search of {counted(self.limit, 'position')} does not settle it")
        self.seen += 1
        self.budget.step()
        self.keep(1)
        mover = self.rules.mover(state)
        end = self.rules.end(state)
        moves = self.rules.moves(state) if end is None else []
        if end is None and not moves:
            end = 1 - mover
        return mover == self.claim.prover, end is not None and self.claim.holds(end), moves


@dataclass
class _Frame:
    """A position on the current line, its moves from last to first, the longest line so far."""

    state: State
    mine: bool
    moves: list[int]
    length: int | None = None


@dataclass
class _Tree(_Search):
    """Games without cycles: each position once, moves in the order of the rules, and no more of
    them than it takes. ``known``: the longest line from here, or None if the claim is false."""

    known: dict[State, int | None] = field(default_factory=dict)

    def run(self, root: State) -> int | None:
        """The longest line from ``root`` if the prover keeps to the first move that works."""
        frames: list[_Frame] = []
        self._enter(root, frames)
        while frames:
            top = frames[-1]
            if not top.moves:
                self.known[top.state] = top.length
                frames.pop()
                continue
            child = self.rules.play(top.state, top.moves[-1])
            if child not in self.known:
                self._enter(child, frames)
                continue
            found = self.known[child]
            top.moves.pop()
            if found is None:
                if not top.mine:  # a reply that refutes the claim
                    top.moves, top.length = [], None
            elif top.mine:  # a move that works
                top.moves, top.length = [], found + 1
            else:
                top.length = max(top.length or 0, found + 1)
        return self.known[root]

    def _enter(self, state: State, frames: list[_Frame]) -> None:
        mine, good, moves = self.look(state)
        if moves:
            frames.append(_Frame(state, mine, moves[::-1]))
        else:
            self.known[state] = 0 if good else None


class _Graph(_Search):
    """Games with cycles: all positions first, then from the ends backwards, so that no argument
    goes round in a circle. Endless play is not a win."""

    def run(self, root: State) -> int | None:
        """How many moves until P has won; 0 where P does not win and needn't."""
        nodes: dict[State, tuple[bool, bool, list[State]]] = {}
        todo = [root]
        while todo:
            state = todo.pop()
            if state not in nodes:
                mine, good, moves = self.look(state)
                self.keep(len(moves))
                nodes[state] = mine, good, [self.rules.play(state, move) for move in moves]
                todo += nodes[state][2]
        won = self._won(nodes)
        if self.claim.wins:
            return won.get(root)
        return None if root in won else 0

    def _won(self, nodes: dict[State, tuple[bool, bool, list[State]]]) -> dict[State, int]:
        """The positions that P wins, with their distance: layer by layer until no more come."""
        wins = self.claim.wins
        won = {state: 0 for state, (_, good, after) in nodes.items() if not after and good == wins}
        before = -1
        while len(won) > before:
            before, distance = len(won), max(won.values(), default=0) + 1
            for state, (mine, _, after) in list(nodes.items()):
                enough = any if mine == wins else all  # the prover is P if the claim is a win
                if after and state not in won and enough(
                        won.get(child, distance) < distance for child in after):
                    won[state] = distance
        return won
