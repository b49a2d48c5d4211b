"""The first positions of a process, by the rules as plain Python.

A text is read with a few calls of the rules, and one that is refused needs nothing else: to load
the linker for them, let alone to compile them, would take longer than all the rest. So the
library's own games are asked uncompiled at first, for about as long as loading the linker takes.
States watch what is done to them (see ``watched``), and where plain numbers won't do, the compiled
rules are asked. A test holds the answers of both against each other.
"""

from __future__ import annotations

import time
import types
from collections.abc import Callable
from typing import Any, TypeVar

from zermelo.core.rules import DRAW, ONGOING, SECOND_WINS, Rules
from zermelo.core.watched import State, Watched, Wrong, counted, in_range

SECONDS = 0.04  # of processor time, for all games of a process together
OWN_GAMES = "zermelo.games."
ASKED = ("moves", "play", "mover", "outcome")

Answer = TypeVar("Answer")


class Spent:
    """The processor time that plain Python has had."""

    seconds = 0.0


spent = Spent()


def of_an_own_game(rules: Rules) -> bool:
    """Whether the rules are those of one of the library's own games."""
    functions = [getattr(rules, part) for part in ASKED]
    return all(isinstance(function, types.FunctionType)
               and function.__module__.startswith(OWN_GAMES) for function in functions)


class FirstMoves:
    """What reading a text asks of the rules; None where the compiled ones are to be asked."""

    def __init__(self, rules: Rules) -> None:
        self._rule = Watched(rules, limited=False)  # they are known to end

    def describe(self, state: State) -> tuple[int, int, list[int]] | None:
        """Outcome, mover and legal moves of ``state``."""
        return _in_time(lambda: self._describe(state))

    def step(self, state: State, move: int) -> State | None:
        """The state after ``move``."""
        return _in_time(lambda: self._rule.step(state, move, 0))

    def ask(self, function: Callable[[Any, Any], Any], state: State) -> Any:
        """What another function of the game says of ``state``."""
        return _in_time(lambda: self._rule.ask(function, state))

    def _describe(self, state: State) -> tuple[int, int, list[int]]:
        rule = self._rule
        outcome = in_range("outcome", rule.outcome(state), "", DRAW, "0 to 3")
        mover = in_range("mover", rule.mover(state), "", 1, "0 or 1")
        if outcome != ONGOING:
            return outcome, mover, []
        codes = counted(rule.rules, "moves", *rule.moves(state), "")
        return (outcome if codes else SECOND_WINS - mover), mover, codes


def _in_time(ask: Callable[[], Answer]) -> Answer | None:
    if spent.seconds >= SECONDS:
        return None
    began = time.thread_time()
    try:
        return ask()
    except Wrong:
        return None
    finally:
        spent.seconds += time.thread_time() - began
