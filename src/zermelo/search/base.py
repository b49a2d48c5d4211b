"""Search: a frozen record of options under the papers' names, with checked values."""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar

from zermelo.errors import BadOption, quoted

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.position import Position
    from zermelo.core.rules import Rules

TRUE = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def option(default: Any, help: str, low: float | None = None, high: float | None = None,
           choices: tuple[str, ...] = (), kw_only: bool = False) -> Any:
    """A field of a search with its default and what is valid; None as default allows None."""
    facts = {"help": help, "low": low, "high": high, "choices": choices}
    return field(default=default, metadata=facts, kw_only=kw_only)


@dataclass(frozen=True)
class Task:
    """What a question asks, and what it may use.

    Does ``attacker`` get at least ``threshold`` from ``position``? A win is a score of at least 1.
    ``horizon``: within so many plies. ``after``: an earlier question about the same position whose
    proved facts may be used. ``plain``: nothing but the rules. ``candidates``: the attacker plays
    the game's candidates only, so that LOST means no more than not won by them.
    """

    position: Position
    attacker: int
    memory: int
    seed: int = 0
    plain: bool = False
    threshold: int = 1
    horizon: int | None = None
    threads: int = 1
    after: Any = None
    candidates: bool = False

    @property
    def rules(self) -> Rules:
        """The rules for the kernels: they have candidates only where these are asked for."""
        rules = self.position.game.rules
        if self.candidates or rules.candidates is None:
            return rules
        return replace(rules, candidates=None)


@dataclass(frozen=True)
class Search:
    """The options of a search. ``id`` is its name on the command line.

    ``goals``: what it can be asked for; ``threaded``: whether it can use several threads.
    ``narrows``: whether it can keep the attacker to the game's candidates.
    ``exhausted``: what it means, in words, that all it looks at is done without an answer.
    ``numbers_stones``: pictures show the stones of its lines with numbers.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    goals: ClassVar[tuple[str, ...]] = ("win", "value")
    threaded: ClassVar[bool] = False
    narrows: ClassVar[bool] = False
    exhausted: ClassVar[str] = ""
    numbers_stones: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for item in fields(self):
            object.__setattr__(self, item.name, self._checked(item, getattr(self, item.name)))
        self.check()

    def check_game(self, game: Game) -> None:
        """Raise BadOption where the search can't be asked about ``game``."""

    def check(self) -> None:
        """Raise BadOption where options that are valid one by one do not fit together."""

    @property
    def options(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        return {
            item.name: getattr(self, item.name)
            for item in fields(self)
            if getattr(self, item.name) != item.default
        }

    def start(self, task: Task) -> Any:
        """A new run: does the attacker win?"""
        raise NotImplementedError

    @classmethod
    def from_options(cls, given: dict[str, Any]) -> Search:
        """The search with options given by name, as text or as values."""
        known = {item.name: item for item in fields(cls)}
        for name in given:
            if name not in known:
                valid = ", ".join(known) or "none"
                raise BadOption(f"{cls.id} has no option {quoted(name)}; it has: {valid}.")
        return cls(**given)

    def _checked(self, item: Field[Any], value: Any) -> Any:
        """``value`` of an option, converted from text where needed."""
        kind = type(item.default) if item.default is not None else float
        valid = _valid(item, kind)
        if item.default is None and (value is None or str(value).lower() == "none"):
            return None
        converted = _convert(value, kind)
        low, high = item.metadata.get("low"), item.metadata.get("high")
        choices = item.metadata.get("choices")
        if (
            converted is None
            or (choices and converted not in choices)
            or (low is not None and not converted >= low)
            or (high is not None and not converted <= high)
        ):
            raise BadOption(f"{self.id}: {item.name}={quoted(value)} is not valid; it is {valid}.")
        return converted


def _convert(value: Any, kind: type) -> Any:
    """``value`` as a ``kind``, or None."""
    if kind is bool:
        return value if isinstance(value, bool) else TRUE.get(str(value).lower())
    if kind is str:
        return value if isinstance(value, str) else None
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if kind is int:
        return int(number) if number == number and number.is_integer() else None
    return number if number == number else None


def _valid(item: Field[Any], kind: type) -> str:
    """What an option may be, in words."""
    if item.metadata.get("choices"):
        return "one of " + ", ".join(item.metadata["choices"])
    words = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}[kind]
    low, high = item.metadata.get("low"), item.metadata.get("high")
    if low is not None:
        words += f" from {low:g}"
    if high is not None:
        words += f" to {high:g}"
    if item.default is None:
        words += ", or none"
    return words
