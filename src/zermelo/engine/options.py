"""Options that a client can set, as UCI announces them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zermelo.engine.clock import whole
from zermelo.errors import BadOption, quoted


@dataclass(frozen=True)
class Option:
    """An option: ``facts`` as it is announced, ``take`` is given the client's text."""

    name: str
    facts: str
    take: Callable[[str], None]

    @staticmethod
    def number(name: str, default: int, low: int, high: int, use: Callable[[int], None]) -> Option:
        """A whole number."""
        def take(text: str) -> None:
            number = whole(name, text, low)
            if number > high:
                raise BadOption(f"{name} {quoted(text)} is more than {high:,}.")
            use(number)

        return Option(name, f"type spin default {default} min {low} max {high}", take)

    @staticmethod
    def flag(name: str, default: bool, use: Callable[[bool], None]) -> Option:
        """Something that is on or off."""
        def take(text: str) -> None:
            if text.lower() not in ("true", "false"):
                raise BadOption(f"{name} {quoted(text)} is neither true nor false.")
            use(text.lower() == "true")

        return Option(name, f"type check default {str(default).lower()}", take)

    @staticmethod
    def choice(name: str, default: Any, choices: tuple[str, ...],
               use: Callable[[str], None]) -> Option:
        """One of several names."""
        def take(text: str) -> None:
            if text not in choices:
                raise BadOption(f"{name} {quoted(text)} is not one of {', '.join(choices)}.")
            use(text)

        listed = "".join(f" var {choice}" for choice in choices)
        return Option(name, f"type combo default {default}{listed}", take)
