"""VCDT: victory by continuous double threats.

The way to win at Connect6: every turn makes threats that take all stones of the opponent's turn to
stop, until one makes more. With one stone a turn the same search is Gomoku's victory by continuous
fours. See ``driver`` for the search and ``docs/searches/vcdt.md`` for the reasons.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from zermelo.errors import BadOption
from zermelo.search.base import Search, Task, option
from zermelo.search.threats.run import Run
from zermelo.search.threats.turns import MOST_STONES

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.winning_lines import Lines


@dataclass(frozen=True)
class VCDT(Search):
    """Wins by threats that leave no choice, the shortest first. It proves wins only."""

    id: ClassVar[str] = "vcdt"
    title: ClassVar[str] = "victory by continuous double threats"
    paper: ClassVar[str] = "Wu & Huang 2005; Song 2019, 3.3"
    exhausted: ClassVar[str] = "no win found by threats (not a proof of a loss)"
    numbers_stones: ClassVar[bool] = True

    depth: int = option(30, "the most turns of the attacker", low=1, high=200)
    free: str = option("lines", "where a stone goes that the threats do not need: squares of own "
                       "lines that two turns complete, or anywhere", choices=("lines", "anywhere"))

    def check_game(self, game: Game) -> None:
        """Only games that are won by completing lines have such threats."""
        self.lines_of(game)

    def lines_of(self, game: Game) -> Lines:
        """The lines of a game; BadOption if it has none, or turns that are too long."""
        lines = game.rules.lines
        if lines is None:
            raise BadOption(f"{self.id} follows threats to complete a line, and {game.name} has no "
                            "lines; use another search, such as weak-df-pn.")
        if lines.stones > MOST_STONES:
            raise BadOption(f"{self.id}: {game.name} has {lines.stones} stones per turn; at most "
                            f"{MOST_STONES} are valid. Use another search.")
        return lines

    def start(self, task: Task) -> Run:
        """A new run."""
        return Run(self, task)
