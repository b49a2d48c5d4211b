"""The games, in the sizes that every one of the conformance checks is run on."""

from conformance import Subject
from naive.connect_four import NaiveConnectFour
from naive.p_game import NaivePGame

from zermelo.games.connect_four import ConnectFour
from zermelo.games.p_game import PGame


def subject(game: type, twin: type, perft: int, walks: int = 12, **parameters: int) -> Subject:
    """One game and its twin with the same parameters."""
    return Subject(game(**parameters), twin(**parameters), perft, walks)


SUBJECTS = [
    subject(ConnectFour, NaiveConnectFour, perft=4),
    subject(ConnectFour, NaiveConnectFour, perft=6, walks=40, columns=4, rows=4),
    subject(ConnectFour, NaiveConnectFour, perft=5, walks=40, columns=5, rows=4, line=3),
    subject(ConnectFour, NaiveConnectFour, perft=4, columns=8, rows=7),
    subject(PGame, NaivePGame, perft=9, seed=42),
    subject(PGame, NaivePGame, perft=4, walks=40, branching=8, depth=8, seed=7),
    subject(PGame, NaivePGame, perft=5, walks=60, branching=3, depth=7, range=1, seed=2**64 - 1),
]
