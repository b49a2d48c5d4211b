"""What people call the positions and moves of a walk through a certificate.

The checker shows a position without its coordinates, and of a user's game only the root in the
game's words, since the state of a record may be made up. A walk comes to its positions by legal
moves from the root, and may ask the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from zermelo.core.position import Position, Way
from zermelo.errors import one_line
from zermelo.proof.header import PASS, Header, Refused
from zermelo.proof.rules.base import RulesOf, State
from zermelo.proof.rules.connect_four import ConnectFourRules
from zermelo.proof.rules.hex import HexRules
from zermelo.proof.rules.k_in_a_row import InARowRules
from zermelo.proof.rules.lines_of_action import LinesOfActionRules
from zermelo.proof.rules.othello import OthelloRules
from zermelo.proof.rules.own import OwnRules
from zermelo.proof.rules.p_game import PGameRules
from zermelo.proof.rules.xiangqi import XiangqiRules

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Words:
    """Texts, diagrams and names of moves; ``path`` are the moves from the root to ``state``."""

    def __init__(self, rules: RulesOf, header: Header) -> None:
        self.rules, self.header = rules, header

    def text(self, state: State, path: Sequence[int]) -> str:
        """A text that the game reads."""
        return self.rules.text(state) if path else self.header.position

    def diagram(self, state: State, path: Sequence[int]) -> str:
        """A picture with coordinates."""
        if isinstance(self.rules, PGameRules):
            at = self.rules.text(state).removeprefix("path=") or "the root"
            return f"depth {state[2]} of {self.rules.depth}, sum {state[1]:+d}, at {at}"
        return with_coordinates(self.rules, self.rules.diagram(state))

    def move_name(self, state: State, path: Sequence[int], move: int) -> str:
        """The name of a legal move."""
        return "pass" if move == PASS else self.rules.move_name(state, move)


class OwnWords(Words):
    """The same for a user's game, by the game itself."""

    rules: OwnRules

    def text(self, state: State, path: Sequence[int]) -> str:
        """As the game writes it."""
        return self._ask(lambda position: position.text, state, path)

    def diagram(self, state: State, path: Sequence[int]) -> str:
        """As the game draws it."""
        return self._ask(lambda position: position.diagram, state, path)

    def move_name(self, state: State, path: Sequence[int], move: int) -> str:
        """As the game calls it."""
        return self._ask(lambda position: position.game.move_name(position, move), state, path)

    def _ask(self, question: Callable[[Position], str], state: State, path: Sequence[int]) -> str:
        rules = self.rules
        values = np.zeros(1, rules.rules.dtype)
        for name in rules.plain.names or ():
            values[name] = np.frombuffer(state, rules.plain)[name]
        way: Way = None
        for move in path:
            way = (way, move)
        position = Position(rules.game, values, origin=rules.position, way=way)
        try:
            return str(question(position if path else rules.position))
        except Exception as error:  # whatever the notation of others may raise
            raise Refused(f"the game {rules.game.name} can't show the position "
                          f"({type(error).__name__}: {one_line(error)})") from None


def words_for(rules: RulesOf, header: Header) -> Words:
    """How to speak about the game of a certificate."""
    return (OwnWords if isinstance(rules, OwnRules) else Words)(rules, header)


def with_coordinates(rules: RulesOf, diagram: str) -> str:
    """The diagram of a board with the names of its rows and columns."""
    rows = diagram.split("\n")
    count = len(rows)
    if isinstance(rules, ConnectFourRules):
        width = len(str(rules.columns))
        table = [*(row.split() for row in rows), [str(c + 1) for c in range(rules.columns)]]
        return "\n".join(" ".join(mark.rjust(width) for mark in row) for row in table)
    if isinstance(rules, OthelloRules):
        numbered = [f"{i + 1} {row}" for i, row in enumerate(rows)]
        return "\n".join([f"  {' '.join(LETTERS[:count])}", *numbered])
    if isinstance(rules, InARowRules | LinesOfActionRules):
        width = len(str(count))
        numbered = [f"{count - i:>{width}} {row}" for i, row in enumerate(rows)]
        return "\n".join([*numbered, f"{' ' * width} {' '.join(LETTERS[: rules.columns])}"])
    if isinstance(rules, XiangqiRules):
        numbered = [f"{count - 1 - i + rules.first} {row}" for i, row in enumerate(rows)]
        width = max(map(len, numbered)) - len(rows[0])
        return "\n".join([*(line.rjust(width + len(rows[0])) for line in numbered),
                          f"{' ' * width}{' '.join(LETTERS[:9])}"])
    if isinstance(rules, HexRules):
        numbered = [f"{' ' * i}{i + 1:>2} o {row.strip()} o" for i, row in enumerate(rows)]
        edge = " ".join("x" * count)
        return "\n".join([f"   {' '.join(LETTERS[:count])}", f"    {edge}", *numbered,
                          f"{' ' * count}     {edge}"])
    return diagram
