"""Zones: how wide and how deep a search by relevance zones looks."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadOption, quoted

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.lines import Lines
    from zermelo.search.base import Search, Task
    from zermelo.search.zones.question import Question

MOST_STONES = 2  # Z and Z': the defender's turn is one stone in each
LIMITS = {"width": (1, 100), "depth": (1, 100), "effort": (10, 1 << 30)}


@dataclass(frozen=True)
class Zones:
    """Candidates of a game with lines: the attacker's best turns against the defender's zones.

    width   the attacker's turns in a position
    depth   the most turns of a win by threats
    effort  visits after which a search for threats gives up
    eager   look for wins by threats after all of the defender's replies at once, and make nodes of
            the others only; otherwise when the search comes to a reply
    """

    width: int = 5
    depth: int = 13
    effort: int = 1_000
    eager: bool = True

    def __post_init__(self) -> None:
        if type(self.eager) is not bool:
            raise BadOption(f"zones: eager={quoted(self.eager)} is not true or false.")
        for item in fields(self)[:-1]:
            value, (low, high) = getattr(self, item.name), LIMITS[item.name]
            if type(value) is not int or not low <= value <= high:
                raise BadOption(f"zones: {item.name}={quoted(value)} is not a whole number from "
                                f"{low} to {high}.")

    def to_dict(self) -> dict[str, Any]:
        """All options, by name."""
        return asdict(self)

    def lines_of(self, game: Game) -> Lines:
        """The lines of a game; BadOption if zones are not for it."""
        lines = game.rules.lines
        if lines is None or lines.stones > MOST_STONES:
            raise BadOption(f"zones: {game.name} must be won by completing lines, with one or two "
                            "stones a turn.")
        return lines


def ask_by_zones(search: Search, task: Task, zones: Zones) -> Question:
    """A new question, about the game by turns."""
    from zermelo.search.zones.question import Question

    return Question(search, task, zones)
