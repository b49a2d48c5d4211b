"""The solver's commands of HTP, named as in Benzene, and its numbers as gogui-gfx.

Numbers of a move are ``phi:delta``, as of the position after it: phi is what the opponent has still
to prove to win there, delta what has to be disproved. ``W``: the move wins, ``L``: it loses.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zermelo.core.position import Position
from zermelo.engine.clock import Budget
from zermelo.errors import BadOption, ZermeloError, quoted
from zermelo.solving.result import Limits, Progress, Value
from zermelo.solving.session import Session
from zermelo.solving.values import Values

if TYPE_CHECKING:
    from zermelo.engine.htp import Htp

GFX_SECONDS = 0.5
MENU = ("string/DFPN Solve State/dfpn-solve-state %c",
        "plist/DFPN Find Winning/dfpn-solver-find-winning %c",
        "pspairs/DFPN Bounds/dfpn-get-bounds", "var/DFPN PV/dfpn-get-pv",
        "none/DFPN Clear TT/dfpn-clear-tt", "param/DFPN Param/param_dfpn")


class Solving:
    """A session, or the values of all moves, while they are at work."""

    def __init__(self, work: Session | Values, budget: Budget) -> None:
        self.work, self.budget = work, budget
        self.stopping = False

    def stop(self) -> None:
        """Come back soon."""
        self.stopping = True
        self.work.cancel()


class Solver:
    """Proves who wins; remembers the last search for those who ask about it."""

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

    def forget(self) -> None:
        """What was searched is of no use any more."""
        self.session = None

    def clear(self, words: list[str]) -> str:
        """Forget the table."""
        self.forget()
        return ""

    def menu(self, words: list[str]) -> str:
        """What a client may show in a menu."""
        return "\n".join(MENU)

    def parameters(self, words: list[str]) -> str:
        """All parameters, or ``NAME VALUE`` to set one."""
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
        """Who wins if this colour moves: black, white, or empty where it is not found out."""
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
        """The moves that win."""
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
        """Search, and listen meanwhile."""
        solving = Solving(work, Budget(self.seconds, self.nodes))
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
        """What a client draws on the board: the path, the numbers of all moves, and a line."""
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
