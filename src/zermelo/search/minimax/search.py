"""Minimax: what all searches of this wing have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from zermelo.core.probabilities import read
from zermelo.core.rules import MOST_POINTS, Rules
from zermelo.errors import BadOption
from zermelo.kernel.bits import mix, word
from zermelo.kernel.rng import GAMMA
from zermelo.search.base import Search, Task, option
from zermelo.search.minimax.order import LIKELY
from zermelo.search.minimax.plan import Plan
from zermelo.search.minimax.run import Run

if TYPE_CHECKING:
    from zermelo.core.game import Game

THE_GAMES, NO_PROBABILITIES = "game", "none"


class Common(NamedTuple):
    """What the driver reads of every search's options.

    ``likely``: how early the moves of each category are tried where their history does not tell;
    ``salt``: the seed, mixed, for the noise.
    """

    deeper: bool
    noise: int
    salt: np.uint64
    likely: np.ndarray[Any, Any]


def probabilities_of(rules: Rules, file: str) -> tuple[float, ...]:
    """The probability of each category: as in ``file``, or those that come with the game. Without
    any, all moves are alike."""
    if file == NO_PROBABILITIES:
        return ()
    return rules.probabilities if file == THE_GAMES else read(file, rules.category_names)


@dataclass(frozen=True)
class Minimax(Search):
    """A search to a depth, then to a greater one; unfinished games are evaluated."""

    keeps: ClassVar[str] = "table"

    deeper: bool = option(True, "let the table answer for shallower searches too; false: a value "
                          "is that of a search to just this depth", kw_only=True)
    noise: int = option(0, "change evaluations at random by up to this many points, the same for "
                        "each seed and position", low=0, high=MOST_POINTS, kw_only=True)

    probabilities: str = option(THE_GAMES, "a file with the probabilities of categories of moves; "
                                "game: those that come with the game; none: all moves are alike",
                                kw_only=True, file_unless=(THE_GAMES, NO_PROBABILITIES))

    def plan(self) -> Plan:
        """The parts of this search."""
        raise NotImplementedError

    def check_files(self, game: Game) -> None:
        """Read them."""
        self.data(game.rules, 0)

    def data(self, rules: Rules, seed: int) -> tuple[Any, ...]:
        """The options that the compiled parts read, as a NamedTuple with ``common`` in it."""
        raise NotImplementedError

    def common(self, rules: Rules, seed: int) -> Common:
        """The options that all searches have."""
        chances = probabilities_of(rules, self.probabilities)
        likely = [int(p * (LIKELY - 1)) for p in chances or (0.0,)]
        return Common(self.deeper, self.noise, mix(word(seed) ^ GAMMA), np.array(likely, np.int64))

    def start(self, task: Task) -> Run:
        """A new run."""
        if task.threads > 1 or task.threshold != 1 or task.horizon is not None:
            raise BadOption(f"{self.id} asks who wins, in one thread; more threads and the goals "
                            "score and shortest need a depth-first search, such as df-pn.")
        return Run(self, task)
