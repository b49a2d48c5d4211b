"""Zones: how wide and how deep a search by relevance zones looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadOption, check_whole, listed, quoted
from zermelo.search.base import TRUE

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.winning_lines import Lines

MOST_STONES = 2  # Z and Z': the defender's turn is one stone in each
LIMITS = {"width": (1, 100), "depth": (1, 100), "effort": (10, 1 << 30), "threats": (0, 2),
          "order": (0, 1 << 30)}


@dataclass(frozen=True)
class Zones:
    """Candidates of a game with lines: the attacker's best turns against the defender's zones.

    width   the attacker's turns in a position
    depth   the most turns of a win by threats
    effort  visits after which a search for threats gives up
    threats how many each of the attacker's turns has to make; 1 mixes single and double ones
    eager   look for wins by threats after all of the defender's replies at once, and make nodes of
            the others only; otherwise when the search comes to a reply
    order   not 0: the turns of each position are tried in a random order drawn from this number
            instead of the generator's, to see how much luck there is in the order
    """

    width: int = 5
    depth: int = 13
    effort: int = 1_000
    eager: bool = True
    threats: int = 0
    order: int = 0

    def __post_init__(self) -> None:
        if type(self.eager) is not bool:
            raise BadOption(f"zones: eager={quoted(self.eager)} is not true or false.")
        for name, (low, high) in LIMITS.items():
            check_whole(f"zones: {name}", getattr(self, name), low, high)

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Zones:
        """From words such as ``width=8``."""
        values: dict[str, Any] = {}
        for name, text in given.items():
            if name not in (valid := [item.name for item in fields(cls)]):
                raise BadOption(f"zones: there is no option {quoted(name)}; options: "
                                f"{listed(valid)}.")
            whole = int(text) if text.isascii() and text.isdecimal() else text
            values[name] = TRUE.get(text.lower(), text) if name == "eager" else whole
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """All options, by name; an order only where there is one, so that jobs without keep their
        digests."""
        return {name: value for name, value in asdict(self).items() if name != "order" or value}

    def lines_of(self, game: Game) -> Lines:
        """The lines of a game; BadOption if zones are not for it."""
        lines = game.rules.lines
        if lines is None:
            raise BadOption(f"zones: {game.name} has no lines; valid are games that are won by "
                            "completing lines, with one or two stones per turn.")
        if lines.stones > MOST_STONES:
            raise BadOption(f"zones: {game.name} has {lines.stones} stones per turn; one or two "
                            "are valid.")
        return lines
