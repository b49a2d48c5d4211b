"""The games, in the sizes that every one of the conformance checks is run on."""

from typing import Any

from conformance import Subject
from naive.connect_four import NaiveConnectFour
from naive.hex import NaiveHex
from naive.k_in_a_row import NaiveKInARow
from naive.lines_of_action import NaiveLinesOfAction
from naive.othello import NaiveOthello
from naive.p_game import NaivePGame
from naive.xiangqi import NaiveXiangqi

from zermelo.games.connect_four.game import ConnectFour
from zermelo.games.hex.game import Hex
from zermelo.games.k_in_a_row.game import KInARow
from zermelo.games.lines_of_action.game import LinesOfAction
from zermelo.games.othello.game import Othello
from zermelo.games.p_game.game import PGame
from zermelo.games.xiangqi.game import Xiangqi


def subject(game: type, twin: type, perft: int, walks: int = 12, plies: int | None = None,
            **parameters: Any) -> Subject:
    """One game and its twin with the same parameters."""
    return Subject(game(**parameters), twin(**parameters), perft, walks, plies)


SUBJECTS = [
    subject(ConnectFour, NaiveConnectFour, perft=4),
    subject(ConnectFour, NaiveConnectFour, perft=6, walks=40, columns=4, rows=4),
    subject(ConnectFour, NaiveConnectFour, perft=5, walks=40, columns=5, rows=4, line=3),
    subject(ConnectFour, NaiveConnectFour, perft=4, columns=8, rows=7),
    subject(PGame, NaivePGame, perft=9, seed=42),
    subject(PGame, NaivePGame, perft=4, walks=40, branching=8, depth=8, seed=7),
    subject(PGame, NaivePGame, perft=5, walks=60, branching=3, depth=7, range=1, seed=2**64 - 1),
    subject(Othello, NaiveOthello, perft=4, walks=6),
    subject(Othello, NaiveOthello, perft=5, walks=40, size=4),
    subject(Othello, NaiveOthello, perft=4, walks=12, size=6, no_move="loses"),
    subject(Hex, NaiveHex, perft=3, walks=30, size=4),
    subject(Hex, NaiveHex, perft=2, walks=3, size=9),
    subject(Hex, NaiveHex, perft=2, walks=3),
    subject(KInARow, NaiveKInARow, perft=5, walks=60),
    subject(KInARow, NaiveKInARow, perft=3, walks=12, columns=6, rows=5, line=4, stones=2),
    subject(KInARow, NaiveKInARow, perft=2, walks=4, columns=9, rows=9, line=5, overline="no-win"),
    subject(KInARow, NaiveKInARow, perft=1, walks=2, columns=9, rows=8, line=4, stones=3, first=2,
            overline="no-win"),
    subject(LinesOfAction, NaiveLinesOfAction, perft=2, walks=2),
    subject(LinesOfAction, NaiveLinesOfAction, perft=3, walks=16, size=5),
    subject(LinesOfAction, NaiveLinesOfAction, perft=2, walks=4, size=6, simultaneous="mover",
            no_move="loses"),
    subject(Xiangqi, NaiveXiangqi, perft=1, walks=2, plies=50),
]
