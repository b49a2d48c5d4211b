"""UGI, the Universal Game Interface of cutegames: UCI for any game.

The client knows no rules: it asks whose turn it is, and whether the game is over.
"""

from __future__ import annotations

from typing import Any

from zermelo.core.position import Position
from zermelo.engine.uci_family import UciFamily
from zermelo.errors import BadMove, BadOption, quoted
from zermelo.playing.referee import Referee

RESULTS = {"first": "p1win", "second": "p2win", "draw": "draw", None: "none"}
QUERIES = ("p1turn", "gameover", "result", "fen", "moves", "islegal MOVE")


class Ugi(UciFamily):
    """UGI; ``query fen``, ``moves`` and ``islegal`` are additions that other engines have too."""

    hello = "ugi"
    new_game = "uginewgame"
    clocks = ("p1time", "p2time", "p1inc", "p2inc")
    plies_per_mate_move = 1

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.commands["query"] = self.query

    def query(self, words: list[str]) -> None:
        """What the client wants to know of the position."""
        position = self.position
        if position is None:
            raise BadOption(f"there is no position to ask about: {self.reason}")
        what, *more = words or [""]
        verdict = Referee(position).verdict()
        outcome = None if verdict is None else verdict[0]
        if what == "p1turn":
            answer = _truth(position.mover == 0)
        elif what == "gameover":
            answer = _truth(outcome is not None)
        elif what == "result":
            answer = RESULTS[outcome]
        elif what == "fen":
            answer = " ".join(position.text.split())
        elif what == "moves":
            answer = " ".join(position.moves())
        elif what == "islegal" and len(more) == 1:
            answer = _truth(_is_legal(position, more[0]))
        else:
            raise BadOption(f"query {quoted(' '.join(words))} is not understood; queries are "
                            f"{', '.join(QUERIES)}.")
        self.output.say(f"response {answer}".rstrip())


def _truth(yes: bool) -> str:
    return "true" if yes else "false"


def _is_legal(position: Position, move: str) -> bool:
    try:
        position.play(move)
    except BadMove:
        return False
    return True
