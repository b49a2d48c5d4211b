"""UCCI, the Universal Chinese Chess Interface, version 3: Xiangqi with ranks 0 to 9.

It differs from UCI in words: options have no ``name`` and ``value``, the clock is that of the
player to move, scores are plain numbers, and moves may be forbidden because of repetitions.
"""

from __future__ import annotations

from typing import Any

from zermelo.engine.clock import share_of_clock
from zermelo.engine.options import Option
from zermelo.engine.thinking import Answer
from zermelo.engine.uci import Uci
from zermelo.engine.uci_family import FLAGS, MILLISECONDS
from zermelo.errors import BadOption
from zermelo.solving.result import Value

MATE = 30_000  # a win in n plies is n less
MINE = ("time", "movestogo", "increment")
THEIRS = ("opptime", "oppmovestogo", "oppincrement")


class Ucci(Uci):
    """UCCI."""

    hello = "ucci"
    new_game = "uccinewgame"
    clocks = (*MINE, *THEIRS)

    def __init__(self, *given: Any) -> None:
        self.unit = MILLISECONDS
        self.banned: list[str] = []
        super().__init__(*given)
        self.commands.update(banmoves=self.ban, probe=self.nothing)

    def all_options(self) -> list[Option]:
        """Hash and threads, and how times and repetitions are meant."""
        known = {"Hash": "hashsize", "Threads": "threads", "Ponder": "ponder",
                 "Repetition": "repetition"}
        found = [Option(known[option.name], option.facts, option.take)
                 for option in super().all_options() if option.name in known]
        return [Option.flag("usemillisec", True, self._set_unit), *found,
                Option("newgame", "type button", self._new_game)]

    def _set_unit(self, milliseconds: bool) -> None:
        self.unit = MILLISECONDS if milliseconds else 1.0

    def _new_game(self, text: str) -> None:
        self.begin_game([])

    def refuse(self, sentence: str) -> None:
        """Clients show messages."""
        self.output.say(f"info message error: {sentence}")

    def option_line(self, option: Option) -> str:
        """Without the word name."""
        return f"option {option.name} {option.facts}"

    def set_option(self, words: list[str]) -> None:
        """``NAME VALUE``."""
        if not words:
            raise BadOption("setoption is written 'setoption NAME VALUE'.")
        self.change_option(words[0], " ".join(words[1:]))

    def set_position(self, words: list[str]) -> None:
        """A new position: what was forbidden in the last one is allowed again."""
        self.banned = []
        super().set_position(words)

    def ban(self, words: list[str]) -> None:
        """Moves that may not be played here."""
        if self.position is None:
            raise BadOption(f"there is no position to forbid moves in: {self.reason}")
        self.banned = self._names(words)

    def read_go(self, words: list[str]) -> tuple[dict[str, int], list[str] | None]:
        """``draw`` offers one, which changes nothing; forbidden moves are left out."""
        words = [word for word in words if word != "draw"]
        if words[:2] == ["depth", "infinite"]:
            words = [FLAGS[0]]
        given, only = super().read_go(words)
        if self.banned and self.position is not None:
            only = [move for move in self.position.moves() if move not in self.banned]
        return given, only

    def seconds(self, given: dict[str, int]) -> float | None:
        """From the clock of the player to move."""
        if "movetime" in given:
            return given["movetime"] / self.unit
        if "time" not in given:
            return None
        return share_of_clock(max(given["time"], 1) / self.unit,
                              given.get("increment", 0) / self.unit, given.get("movestogo"))

    def tell(self, answer: Answer) -> None:
        """Time and nodes in a line of their own, as UCCI has them."""
        self.output.say(f"info time {round(answer.seconds * MILLISECONDS)} nodes {answer.nodes}")
        score = self.score(answer)
        if score is not None and answer.line:
            self.output.say(f"info depth {answer.depth or len(answer.line)} score {score} pv "
                            f"{' '.join(answer.line)}")

    def score(self, answer: Answer) -> str | None:
        """Points; near 30,000 where the win is proved."""
        if answer.value in (Value.WIN, Value.LOSS):
            sign = 1 if answer.value == Value.WIN else -1
            return str(sign * (MATE - (answer.length or 1)))
        if answer.value == Value.DRAW:
            return "0"
        return None if answer.points is None else str(answer.points)

    def tell_move(self, answer: Answer) -> None:
        """The move to play, and perhaps the reply that is expected."""
        if answer.move is None:
            self.no_move()
            return
        if answer.proved:
            self.output.say(f"info message {self.in_words(answer)}")
        reply = f" ponder {answer.line[1]}" if len(answer.line) > 1 else ""
        self.output.say(f"bestmove {answer.move}{reply}")

    def no_move(self) -> None:
        """There is nothing to play, or all of it is forbidden."""
        self.output.say("nobestmove")

    def leave(self) -> None:
        """The last word."""
        self.output.say("bye")
