"""HTP, the Hex Text Protocol of HexGui and Benzene: GTP with the commands of Hex.

A command is a line, perhaps with a number before it; an answer begins with ``=``, or with ``?`` and
what is wrong, and ends with an empty line. The solver's commands are named as in Benzene, and its
numbers shown as gogui-gfx: those of a move are ``phi:delta``, as of the position after it. Phi is
what the opponent has still to prove to win there, delta what has to be disproved. ``W``: the move
wins, ``L``: it loses.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from zermelo.core.position import Position
from zermelo.engine.loop import ProtocolEngine
from zermelo.engine.thinking import MoveBudget, Thinking, share_of_clock, whole
from zermelo.errors import BadMove, BadOption, ZermeloError, quoted
from zermelo.solving.result import Limits, Progress, Value
from zermelo.solving.session import Session
from zermelo.solving.values import Values
from zermelo.version import __version__

GFX_SECONDS = 0.5
MENU = ("string/DFPN Solve State/dfpn-solve-state %c",
        "plist/DFPN Find Winning/dfpn-solver-find-winning %c",
        "pspairs/DFPN Bounds/dfpn-get-bounds", "var/DFPN PV/dfpn-get-pv",
        "none/DFPN Clear TT/dfpn-clear-tt", "param/DFPN Param/param_dfpn")


class HtpWork:
    """A session, or the values of all moves, while they are at work."""

    def __init__(self, work: Session | Values, budget: MoveBudget) -> None:
        self.work, self.budget = work, budget
        self.stopping = False

    def stop(self) -> None:
        """Make the search come back."""
        self.stopping = True
        self.work.cancel()


class HtpSolver:
    """The solver: proves who wins, and keeps the last search for questions about it."""

    def __init__(self, engine: Htp) -> None:
        self.engine = engine
        self.session: Session | None = None
        self.pictures, self.drawn = False, 0.0
        self.seconds, self.nodes = engine.usual.seconds, engine.usual.nodes
        self.commands: dict[str, Callable[[list[str]], str]] = {
            "dfpn-solve-state": self.solve, "dfpn-solver-find-winning": self.find_winning,
            "dfpn-get-bounds": self.bounds, "dfpn-get-pv": self.line, "dfpn-clear-tt": self.clear,
            "param_dfpn": self.parameters, "hexgui-analyze_commands": self.menu,
            "gogui-analyze_commands": self.menu,
        }

    def clear(self, words: list[str]) -> str:
        """Forget the table."""
        self.session = None
        return ""

    def menu(self, words: list[str]) -> str:
        """Return what a client may show in a menu."""
        return "\n".join(MENU)

    def parameters(self, words: list[str]) -> str:
        """Return all parameters, or set one by ``NAME VALUE``."""
        if not words:
            seconds = 0 if self.seconds is None else self.seconds
            return (f"\n[bool] use_guifx {int(self.pictures)}\n[string] timelimit "
                    f"{seconds:g}\n[string] threads {self.engine.settings.threads}")
        if len(words) != 2:
            raise BadOption("param_dfpn takes nothing, or a name and a value.")
        name, value = words
        if name == "use_guifx" and value in ("0", "1"):
            self.pictures = value == "1"
        elif name == "timelimit":
            self.seconds = None if value == "0" else Limits(time=value).time
        elif name == "threads":
            settings = replace(self.engine.settings, threads=int(value) if value.isdigit() else 0)
            self._session(self.engine.at, threads=settings.threads)
            self.engine.settings = settings
        else:
            raise BadOption(f"param_dfpn {quoted(' '.join(words))} is not valid; parameters are "
                            "use_guifx (0 or 1), timelimit (seconds, 0 for none) and threads.")
        return ""

    def _session(self, position: Position, threads: int | None = None) -> Session:
        settings = self.engine.settings
        return Session(position, settings.search, goal="win", seed=settings.seed,
                       plain=settings.plain,
                       threads=settings.threads if threads is None else threads)

    @property
    def _limits(self) -> Limits:
        return Limits(self.nodes, self.seconds, self.engine.settings.memory)

    def solve(self, words: list[str]) -> str:
        """Return the winner if this colour moves: black, white, or empty where it is unknown."""
        position = self._position(words)
        if position.outcome is not None:
            return _colour(0 if position.outcome == "first" else 1)
        session = self._session(position)
        self._work(session, lambda between: session.advance(self._limits, self._draw, between))
        self.session = session
        value, proved = session.value()
        if self.pictures:
            self._picture(session.progress())
        if not proved:
            return "empty"
        return _colour(position.mover if value == Value.WIN else 1 - position.mover)

    def find_winning(self, words: list[str]) -> str:
        """Return the moves that win."""
        position = self._position(words)
        settings = self.engine.settings
        values = Values(position, settings.search, seed=settings.seed, plain=settings.plain)
        self._work(values, lambda between: values.run(self._limits, between=between))
        settled, of = values.settled
        winning = " ".join(row.move for row in values.moves if row.value == Value.WIN)
        if settled < of:
            raise ZermeloError(f"only {settled} of {of} moves are settled; winning so far: "
                               f"{winning or 'none'}.")
        return winning

    def _work(self, work: Session | Values, run: Callable[[Callable[[], None]], Any]) -> None:
        """Search, and listen to the client."""
        solving = HtpWork(work, MoveBudget(self.seconds, self.nodes))
        self.drawn = time.monotonic()
        with self.engine.listening(solving):
            run(self.engine.between)
        if work.stopped == "interrupted" and not solving.stopping:
            raise KeyboardInterrupt  # the session has kept it for itself

    def _position(self, words: list[str]) -> Position:
        if len(words) > 1:
            raise BadOption(f"{quoted(' '.join(words))} is not one colour, black or white.")
        return self.engine.with_player(self.engine.player(words))

    def _last(self) -> Session:
        session = self.session
        if session is None or session.position != self.engine.with_player(session.position.mover):
            raise BadOption("this position has not been searched; dfpn-solve-state does that.")
        return session

    def bounds(self, words: list[str]) -> str:
        """The numbers of each move in the last search."""
        return _labels(self._last().progress())

    def line(self, words: list[str]) -> str:
        """The main line, where the player to move wins."""
        return " ".join(self._last().result(moves=False).line)

    def _draw(self, progress: Progress) -> None:
        if self.pictures and time.monotonic() - self.drawn >= GFX_SECONDS:
            self._picture(progress)

    def _picture(self, progress: Progress) -> None:
        """Send what a client draws on the board: the path, the numbers of all moves, and a line."""
        self.drawn = time.monotonic()
        mover = self.session.position.mover if self.session else self.engine.at.mover
        path = "".join(f" {'BW'[(mover + ply) % 2]} {move}"
                       for ply, (move, _) in enumerate(progress.path[:1]))
        losing = sum(status == "lost" for status in progress.statuses.values())
        self.engine.output.say(
            "gogui-gfx:", "dfpn", f"VAR{path}", f"LABEL {_labels(progress)}",
            f"TEXT {losing}/{len(progress.moves)} proven losses, {progress.nodes} nodes", "")


def _labels(progress: Progress) -> str:
    said = {"won": "W", "lost": "L"}
    return " ".join(f"{move} {said.get(progress.statuses[move]) or _numbers(numbers)}"
                    for move, numbers in progress.moves.items())


def _numbers(numbers: dict[str, Any]) -> str:
    values = list(numbers.values())
    return f"{numbers.get('dn', values[-1] if values else '?')}:{numbers.get('pn', '?')}"


def _colour(player: int) -> str:
    return ("black", "white")[player]


INTERRUPT = "# interrupt"
NUMBERED = re.compile(r"([0-9]{1,18})(?:\s+|$)")
COLOURS = ("black", "white")
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class Htp(ProtocolEngine):
    """HTP: Black is X and joins top and bottom."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.at = self.game.start()
        self.before: list[Position] = []
        self.clocks: dict[int, tuple[float, int]] = {}  # seconds left, and for how many stones
        self.number = ""
        self.solver = HtpSolver(self)
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
        """Answer one command; what follows # is a comment."""
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
        """Send a failure, as GTP has it."""
        self.output.say(f"?{self.number} {sentence}", "")

    def at_once(self, line: str) -> bool:
        """Let ``# interrupt`` stop a search; all else waits."""
        if line.strip().lower() != INTERRUPT or self.at_work is None:
            return False
        self.at_work.stop()
        return True

    def known(self, words: list[str]) -> str:
        """Return ``true`` if the command exists."""
        return str(len(words) == 1 and words[0] in self.commands).lower()

    def quit(self, words: list[str]) -> str:
        """End."""
        self.over = True
        return ""

    def resize(self, words: list[str]) -> str:
        """Set up an empty board of another size, which is given once or twice."""
        if len(words) not in (1, 2) or len(set(words)) != 1:
            raise BadOption(f"boardsize {quoted(' '.join(words))} is not the size of a square "
                            "board, such as 11 or 11 11.")
        self.game = type(self.game)(**{**self.game.values, "size": words[0]})
        return self.clear([])

    def clear(self, words: list[str]) -> str:
        """Set up an empty board."""
        self.at, self.before = self.game.start(), []
        self.solver.session = None
        return ""

    def player(self, words: list[str], at: int = 0) -> int:
        """Return the player called b, w, black, white, or otherwise; by default the one to move."""
        if len(words) <= at:
            return self.at.mover
        name = words[at].lower()
        short = next((i for i, colour in enumerate(COLOURS) if name == colour[0]), None)
        player = self.game.player_called(name) if short is None else short
        if player is None:
            raise BadOption(f"{quoted(words[at])} is not a colour; write black or white.")
        return player

    def with_player(self, player: int) -> Position:
        """Return the position with this player to move, even out of turn."""
        if self.at.mover == player or self.at.outcome is not None:
            return self.at
        return self.game.parse(self.game.cells_text(self.game.cells(self.at), player))

    def play(self, words: list[str]) -> str:
        """Play ``COLOUR MOVE``; Hex players need not move in turn."""
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
        """Return the board."""
        return f"\n{self.at.diagram}"

    def legal(self, words: list[str]) -> str:
        """Return all moves of the player to move."""
        return " ".join(map(_htp_name, self.at.moves()))

    def final(self, words: list[str]) -> str:
        """Return the winner."""
        if self.at.outcome is None:
            raise BadOption("the game is not over: there is no score.")
        return "B+" if self.at.outcome == "first" else "W+"

    def generate(self, words: list[str]) -> str:
        """Return a move, and play it."""
        begin, move = self._move(words)
        self._make(begin.play(move))
        return _htp_name(move)

    def suggest(self, words: list[str]) -> str:
        """Return a move, and do not play it."""
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

    def _budget(self, player: int) -> MoveBudget:
        if player not in self.clocks:
            return self.usual
        seconds, stones = self.clocks[player]
        return MoveBudget(share_of_clock(max(seconds, 0.001), 0.0, stones or None))

    def settle_time(self, words: list[str]) -> str:
        """Set both clocks by ``time_settings MAIN BYO_TIME BYO_STONES``."""
        if len(words) != 3:
            raise BadOption("time_settings is written 'time_settings MAIN BYO_TIME BYO_STONES'.")
        main, extra, stones = (whole("time_settings", word) for word in words)
        if extra and not stones:  # no limit, says GTP
            self.clocks = {}
        else:
            self.clocks = dict.fromkeys((0, 1), (float(main or extra), 0 if main else stones))
        return ""

    def note_time(self, words: list[str]) -> str:
        """Set one clock by ``time_left COLOUR SECONDS STONES``."""
        if len(words) not in (2, 3):
            raise BadOption("time_left is written 'time_left COLOUR SECONDS STONES'.")
        stones = whole("time_left", words[2]) if len(words) == 3 else 0
        self.clocks[self.player(words)] = (float(whole("time_left", words[1])), stones)
        return ""


def _htp_name(move: str) -> str:
    return "swap-pieces" if move == "swap" else move
