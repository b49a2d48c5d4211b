"""OpenSpiel's rules for the checker: who moves, which moves are legal, what they lead to and how
the game ends is asked of OpenSpiel. Bytes of records and notation stay the checker's own.

OpenSpiel can set up a position of Connect Four. In Hex and in m,n,k games stones never move, so
that a position is reached by putting its stones one after the other. Othello, Lines of Action and
Xiangqi allow neither: OpenSpiel knows their positions only at the end of the moves that led there,
and a record has a position without them.
"""

from __future__ import annotations

import json
from typing import Any

from zermelo.errors import BadOption
from zermelo.proof.header import DRAWN, FIRST, SECOND, Header, Refused
from zermelo.proof.rules.base import BoardRules, RulesOf, State
from zermelo.proof.rules.connect_four import ConnectFourRules
from zermelo.proof.rules.hex import HexRules
from zermelo.proof.rules.k_in_a_row import IN_A_ROW, InARowRules

MOST_KNOWN = 10_000
CAN_NOT = "OpenSpiel can't set up the position"


def open_spiel_rules(header: Header) -> RulesOf:
    """Return the rules of OpenSpiel for the game of a certificate."""
    try:
        import pyspiel
    except ImportError:
        raise BadOption("the rules of OpenSpiel need the package open_spiel, which is not "
                        "installed: pip install 'zermelo[oracles]'.") from None
    kind = GAMES.get(header.game)
    if kind is None:
        raise refusal(ABSENT[header.game])
    rules: Any = kind(header.parameters, header.folded)
    rules.load(pyspiel)
    return rules  # type: ignore[no-any-return]


def refusal(reason: str) -> BadOption:
    """Return the error for a game that these rules do not have."""
    return BadOption(f"{reason}; use the naive rules.")


class Spiel(BoardRules):
    """All rules of a game, asked of OpenSpiel."""

    source = "OpenSpiel"
    name = ""  # of the game in OpenSpiel, with its parameters

    def load(self, pyspiel: Any) -> None:
        """Load the game."""
        self.spiel, self.error = pyspiel.load_game(self.name), pyspiel.SpielError
        self.known: dict[State, Any] = {}

    def ask(self, state: State) -> Any:
        """Return OpenSpiel's state for ours."""
        found = self.known.get(state)
        if found is None:
            own, taken, turn = state[:3]
            if 2 * own.bit_count() + turn != taken.bit_count():
                raise Refused(f"{CAN_NOT}: X must have as many stones as O, or one more")
            found = self.keep(state, self.set_up(state))
        return found

    def keep(self, state: State, spiel: Any) -> Any:
        """Remember OpenSpiel's state for the next question; return it."""
        if len(self.known) >= MOST_KNOWN:
            self.known.clear()
        self.known[state] = spiel
        return spiel

    def set_up(self, state: State) -> Any:
        """Put the stones one after the other, in any order, as long as neither side has won."""
        spiel = self.spiel.new_initial_state()
        x, o = ([i for i in range(self.bits) if stones >> i & 1] for stones in self.stones(state))
        for number in range(len(x) + len(o)):
            if spiel.is_terminal():
                raise Refused(f"{CAN_NOT}: the game would be over before its last stone")
            spiel.apply_action((x, o)[number % 2][number // 2])
        return spiel

    def mover(self, state: State) -> int:
        """Return the player to move; where the game is over, the one whose turn it would be."""
        spiel = self.ask(state)
        return int(state[2]) if spiel.is_terminal() else int(spiel.current_player())

    def end(self, state: State) -> int | None:
        """Return the side that OpenSpiel rewards."""
        spiel = self.ask(state)
        if not spiel.is_terminal():
            return None
        first = spiel.returns()[0]
        return DRAWN if first == 0 else FIRST if first > 0 else SECOND

    def moves(self, state: State) -> list[int]:
        """Return the legal actions, which are numbers of squares."""
        return [int(action) for action in self.ask(state).legal_actions()]

    def play(self, state: State, move: int) -> State:
        """Return the child's board as a state of ours."""
        child = self.ask(state).child(self.action(move))
        after = self.read_back(str(child), 1 - state[2])
        self.keep(after, child)
        return after

    def action(self, move: int) -> int:
        """Return OpenSpiel's action for a move."""
        return move

    def read_back(self, board: str, turn: int) -> State:
        """Return the state of OpenSpiel's picture of a board, row by row from the top."""
        marks = "".join(board.split())
        stones = [sum(1 << i for i, mark in enumerate(marks) if mark == side) for side in "xo"]
        return (stones[turn], stones[0] | stones[1], turn)


class SpielConnectFour(Spiel, ConnectFourRules):
    """``connect_four``: an action is a column."""

    @property
    def name(self) -> str:  # type: ignore[override]
        """The game's name in OpenSpiel, with all sizes."""
        return f"connect_four(columns={self.columns},rows={self.rows},x_in_row={self.line})"

    def set_up(self, state: State) -> Any:
        """Set up a board; OpenSpiel needs the state of the game too, and checks it."""
        end = ConnectFourRules.end(self, state)
        rows = [list(row.lower()) for row in self.rows_of(state)]
        winner = "x" if end == FIRST else "o" if end == SECOND else ""
        told = {"board": rows[::-1], "is_terminal": end is not None, "winner": winner,
                "current_player": "xo"[state[2]] if end is None else "Terminal"}
        try:
            return self.spiel.new_initial_state(json.dumps(told))
        except self.error as error:
            raise Refused(f"{CAN_NOT}: {error}") from None

    def moves(self, state: State) -> list[int]:
        """Return the legal columns as the squares on top of them."""
        heights = [(state[1] >> c * self.pitch & (1 << self.rows) - 1).bit_count()
                   for c in range(self.columns)]
        return [c * self.pitch + heights[c] for c in self.ask(state).legal_actions()]

    legal = RulesOf.legal  # by OpenSpiel's list

    def action(self, move: int) -> int:
        """Return the column."""
        return move // self.pitch

    def read_back(self, board: str, turn: int) -> State:
        """Return the state of OpenSpiel's rows from the top."""
        stones = [0, 0]
        for square, mark in zip(self.order, "".join(board.split()), strict=True):
            if mark in "xo":
                stones["xo".index(mark)] |= 1 << square
        return (stones[turn], stones[0] | stones[1], turn)


class SpielHex(Spiel, HexRules):
    """``hex`` without swap."""

    @property
    def name(self) -> str:  # type: ignore[override]
        """The game's name in OpenSpiel, with its size."""
        return f"hex(board_size={self.side})"


class SpielInARow(Spiel, InARowRules):
    """``tic_tac_toe`` and ``mnk``: one stone a turn, and longer lines win."""

    @property
    def name(self) -> str:  # type: ignore[override]
        """The game's name in OpenSpiel, with all sizes."""
        if (self.per_turn, self.first) != (1, 1):
            raise refusal("OpenSpiel has no such game with more than one stone in a turn")
        if not self.longer_wins:
            raise refusal("in OpenSpiel a longer line wins too, and here overline is no-win")
        sizes = (self.columns, self.rows, self.line)
        return "tic_tac_toe" if sizes == (3, 3, 3) else "mnk(m={},n={},k={})".format(*sizes)

    def read_back(self, board: str, turn: int) -> State:
        """Return the state of a board, with one stone left in the turn."""
        return (*super().read_back(board, turn), 1)


GAMES: dict[str, Any] = {
    "connect-four": SpielConnectFour, "hex": SpielHex,
    **dict.fromkeys(IN_A_ROW, SpielInARow),
}
ABSENT = {
    "p-game": "OpenSpiel has no P-game",
    **{name: f"OpenSpiel can't set up a position of {title}, only play on from the start of a game"
       for name, title in (("othello", "Othello"), ("lines-of-action", "Lines of Action"),
                           ("xiangqi", "Xiangqi"))},
}
