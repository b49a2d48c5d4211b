"""What all engines share: answer lines, and listen while thinking.

Options are announced as in UCI.
"""

from __future__ import annotations

import sys
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.engine import InputLines, Line, OutputLines, TooLong
from zermelo.engine.thinking import EngineAnswer, EngineSettings, MoveBudget, Thinking, whole
from zermelo.errors import BadOption, ZermeloError, one_line, quoted


@dataclass(frozen=True)
class ClientOption:
    """An option: ``facts`` as it is announced, ``take`` is given the client's text."""

    name: str
    facts: str
    take: Callable[[str], None]

    @staticmethod
    def number(name: str, default: int, low: int, high: int,
               use: Callable[[int], None]) -> ClientOption:
        """Return an option that is a whole number."""
        def take(text: str) -> None:
            number = whole(name, text, low)
            if number > high:
                raise BadOption(f"{name} {quoted(text)} is more than {high:,}.")
            use(number)

        return ClientOption(name, f"type spin default {default} min {low} max {high}", take)

    @staticmethod
    def flag(name: str, default: bool, use: Callable[[bool], None]) -> ClientOption:
        """Return an option that is on or off."""
        def take(text: str) -> None:
            if text.lower() not in ("true", "false"):
                raise BadOption(f"{name} {quoted(text)} is neither true nor false.")
            use(text.lower() == "true")

        return ClientOption(name, f"type check default {str(default).lower()}", take)

    @staticmethod
    def choice(name: str, default: Any, choices: tuple[str, ...],
               use: Callable[[str], None]) -> ClientOption:
        """Return an option that is one of several names."""
        def take(text: str) -> None:
            if text not in choices:
                raise BadOption(f"{name} {quoted(text)} is not one of {', '.join(choices)}.")
            use(text)

        listed = "".join(f" var {choice}" for choice in choices)
        return ClientOption(name, f"type combo default {default}{listed}", take)


class AtWork(Protocol):
    """A search that can be stopped."""

    budget: MoveBudget

    def stop(self) -> None:
        """Make ``run`` come back with what there is."""


class ProtocolEngine(ABC):
    """One game, the position that the client has set up, and a search at work on it.

    ``handle`` of a protocol does what a line means. While a search runs, lines wait, unless
    ``at_once`` deals with them. The end of input lets a search come to its end, unless it has none;
    without a reader it is over at once.
    """

    def __init__(self, game: Game, settings: EngineSettings, usual: MoveBudget,
                 output: OutputLines) -> None:
        self.game, self.settings, self.usual, self.output = game, settings, usual, output
        self.position: Position | None = game.start()  # None after a bad one
        self.at_work: AtWork | None = None
        self.over = False
        self.lines: InputLines | None = None

    def serve(self, lines: InputLines) -> None:
        """Answer lines until there are no more, or the client ends it."""
        self.lines = lines
        with suppress(BrokenPipeError):  # nobody reads on
            while not self.over:
                line = lines.next()
                if line is None:
                    break
                self.take(line)
            self.leave()
        self.output.check()

    def leave(self) -> None:
        """Send the last word, if there is one."""
        return

    def take(self, line: Line) -> None:
        """Answer one line, whatever is in it."""
        try:
            if isinstance(line, TooLong):
                self.refuse(line.sentence)
            elif line is not None:
                self.handle(line)
        except ZermeloError as error:
            self.refuse(one_line(error) + ".")
        except BrokenPipeError:
            raise
        except MemoryError:
            self.refuse("there is not enough memory for that.")
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            self.refuse(f"this failed: {one_line(f'{type(error).__name__}: {error}')}.")

    @abstractmethod
    def handle(self, line: str) -> None:
        """Do what a line asks; raise ZermeloError where it can't be done."""

    @abstractmethod
    def refuse(self, sentence: str) -> None:
        """Send the client what is wrong, by its protocol."""

    def at_once(self, line: str) -> bool:
        """Deal with a line while a search runs; return False if it is to wait for the end."""
        return False

    def begins(self, line: str) -> bool:
        """Return True if a line begins a search: those after it are about that one."""
        return False

    def think(self, thinking: Thinking, tell: Callable[[EngineAnswer], None]) -> EngineAnswer:
        """Let ``thinking`` run, and listen to the client."""
        with self.listening(thinking):
            return thinking.run(self.between, tell)

    @contextmanager
    def listening(self, search: AtWork) -> Iterator[None]:
        """Let ``between`` be about ``search`` while it is at work."""
        self.at_work = search
        try:
            yield
        finally:
            self.at_work = None

    def between(self) -> None:
        """Read what the client sends while a search is at work."""
        lines, search = self.lines, self.at_work
        if lines is None or search is None:
            return
        waited_for = lines.ended
        for line in lines.look():
            if isinstance(line, str):
                if self.begins(line):
                    waited_for = True
                    break
                if self.at_once(line):
                    lines.drop(line)
                if self.over:
                    break
        if lines.ended and self.output.broken:
            self.over = True
        if self.over or (waited_for and search.budget.forever):
            search.stop()
