"""HTP, the Hex Text Protocol of HexGui and Benzene: GTP with the commands of Hex.

A command is a line, perhaps with a number before it; an answer begins with ``=``, or with ``?`` and
what is wrong, and ends with an empty line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from zermelo.core.position import Position
from zermelo.engine.clock import Budget, share_of_clock, whole
from zermelo.engine.htp_solver import Solver
from zermelo.engine.loop import Engine
from zermelo.engine.thinking import Thinking
from zermelo.errors import BadMove, BadOption, quoted
from zermelo.version import __version__

INTERRUPT = "# interrupt"
NUMBERED = re.compile(r"([0-9]{1,18})(?:\s+|$)")
COLOURS = ("black", "white")
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class Htp(Engine):
    """HTP: Black is X and joins top and bottom."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.at = self.game.start()
        self.before: list[Position] = []
        self.clocks: dict[int, tuple[float, int]] = {}  # seconds left, and for how many stones
        self.number = ""
        self.solver = Solver(self)
        self.commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda words: "2", "name": lambda words: "Zermelo",
            "version": lambda words: __version__, "known_command": self.known,
            "list_commands": lambda words: "\n".join(sorted(self.commands)), "quit": self.quit,
            "boardsize": self.resize, "clear_board": self.clear, "play": self.play,
            "genmove": self.generate, "reg_genmove": self.suggest, "undo": self.undo,
            "showboard": self.show, "all_legal_moves": self.legal, "final_score": self.final,
            "time_settings": self.settle_time, "time_left": self.note_time,
            "gogui-interrupt": lambda words: "", **self.solver.commands,
        }

    def handle(self, line: str) -> None:
        """One command; what follows # is a comment."""
        text = UNPRINTABLE.sub("", line.replace("\t", " ")).partition("#")[0].strip()
        numbered = NUMBERED.match(text)
        self.number = numbered[1] if numbered else ""
        words = text[numbered.end() if numbered else 0 :].split()
        if not words:
            return
        found = self.commands.get(words[0])
        if found is None:
            raise BadOption(f"unknown command {quoted(words[0])}; list_commands tells them all.")
        answer = found(words[1:])
        self.output.say(f"={self.number} {answer}", "")

    def refuse(self, sentence: str) -> None:
        """A failure, as GTP has it."""
        self.output.say(f"?{self.number} {sentence}", "")

    def at_once(self, line: str) -> bool:
        """``# interrupt`` stops a search; all else waits."""
        if line.strip().lower() != INTERRUPT or self.at_work is None:
            return False
        self.at_work.stop()
        return True

    def known(self, words: list[str]) -> str:
        """Whether there is such a command."""
        return str(len(words) == 1 and words[0] in self.commands).lower()

    def quit(self, words: list[str]) -> str:
        """Good-bye."""
        self.over = True
        return ""

    def resize(self, words: list[str]) -> str:
        """An empty board of another size, which is given once or twice."""
        if len(words) not in (1, 2) or len(set(words)) != 1:
            raise BadOption(f"boardsize {quoted(' '.join(words))} is not the size of a square "
                            "board, such as 11 or 11 11.")
        self.game = type(self.game)(**{**self.game.values, "size": words[0]})
        return self.clear([])

    def clear(self, words: list[str]) -> str:
        """An empty board."""
        self.at, self.before = self.game.start(), []
        self.solver.forget()
        return ""

    def player(self, words: list[str], at: int = 0) -> int:
        """Who is meant by a word: b, w, black, white, or another name; by none, who moves."""
        if len(words) <= at:
            return self.at.mover
        name = words[at].lower()
        short = next((i for i, colour in enumerate(COLOURS) if name == colour[0]), None)
        player = self.game.player_called(name) if short is None else short
        if player is None:
            raise BadOption(f"{quoted(words[at])} is not a colour; write black or white.")
        return player

    def with_player(self, player: int) -> Position:
        """The position with this player to move, whoever moved last."""
        if self.at.mover == player or self.at.outcome is not None:
            return self.at
        return self.game.parse(self.game.cells_text(self.game.cells(self.at), player))

    def play(self, words: list[str]) -> str:
        """``play COLOUR MOVE``; Hex players need not move in turn."""
        if len(words) != 2:
            raise BadOption("play is written 'play COLOUR MOVE', such as play black a1.")
        begin = self.with_player(self.player(words))
        try:
            self._make(begin.play(words[1]))
        except BadMove as error:
            raise BadMove(f"play {words[0]} {quoted(words[1])}: {error}") from None
        return ""

    def _make(self, after: Position) -> None:
        self.before.append(self.at)
        self.at = after

    def undo(self, words: list[str]) -> str:
        """Take the last move back."""
        if not self.before:
            raise BadOption("there is no move to take back.")
        self.at = self.before.pop()
        return ""

    def show(self, words: list[str]) -> str:
        """The board."""
        return f"\n{self.at.diagram}"

    def legal(self, words: list[str]) -> str:
        """All moves of the player to move."""
        return " ".join(map(_htp_name, self.at.moves()))

    def final(self, words: list[str]) -> str:
        """Who has won."""
        if self.at.outcome is None:
            raise BadOption("the game is not over: there is no score.")
        return "B+" if self.at.outcome == "first" else "W+"

    def generate(self, words: list[str]) -> str:
        """A move, which is played."""
        begin, move = self._move(words)
        self._make(begin.play(move))
        return _htp_name(move)

    def suggest(self, words: list[str]) -> str:
        """A move, which is not played."""
        return _htp_name(self._move(words)[1])

    def _move(self, words: list[str]) -> tuple[Position, str]:
        player = self.player(words)
        begin = self.with_player(player)
        if begin.outcome is not None:
            raise BadOption("the game is over: there is no move.")
        answer = self.think(Thinking(begin, self.settings, self._budget(player)),
                            lambda answer: None)
        assert answer.move is not None
        return begin, answer.move

    def _budget(self, player: int) -> Budget:
        if player not in self.clocks:
            return self.usual
        seconds, stones = self.clocks[player]
        return Budget(share_of_clock(max(seconds, 0.001), 0.0, stones or None))

    def settle_time(self, words: list[str]) -> str:
        """``time_settings MAIN BYO_TIME BYO_STONES``: both clocks have so many seconds."""
        if len(words) != 3:
            raise BadOption("time_settings is written 'time_settings MAIN BYO_TIME BYO_STONES'.")
        main, extra, stones = (whole("time_settings", word) for word in words)
        if extra and not stones:  # no limit, says GTP
            self.clocks = {}
        else:
            self.clocks = dict.fromkeys((0, 1), (float(main or extra), 0 if main else stones))
        return ""

    def note_time(self, words: list[str]) -> str:
        """``time_left COLOUR SECONDS STONES``."""
        if len(words) not in (2, 3):
            raise BadOption("time_left is written 'time_left COLOUR SECONDS STONES'.")
        stones = whole("time_left", words[2]) if len(words) == 3 else 0
        self.clocks[self.player(words)] = (float(whole("time_left", words[1])), stones)
        return ""


def _htp_name(move: str) -> str:
    return "swap-pieces" if move == "swap" else move
