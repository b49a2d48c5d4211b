"""Minimax: what all searches of this wing have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import BadOption
from zermelo.game import Rules
from zermelo.search.base import Search, Task, option
from zermelo.search.minimax.order import LIKELY

if TYPE_CHECKING:
    from zermelo.search.minimax.plan import Plan
    from zermelo.search.minimax.question import Question


def likely(rules: Rules) -> np.ndarray[Any, Any]:
    """How early the moves of each category are tried where their history does not tell."""
    return np.array([int(p * (LIKELY - 1)) for p in rules.probabilities or (0.0,)], np.int64)


@dataclass(frozen=True)
class Minimax(Search):
    """A search to a depth, then to a greater one; unfinished games are evaluated."""

    deeper: bool = option(True, "let the table answer for shallower searches too; false: a value "
                          "is that of a search to just this depth", kw_only=True)

    def plan(self) -> Plan:
        """The parts of this search."""
        raise NotImplementedError

    def data(self, rules: Rules) -> tuple[Any, ...]:
        """The options that the compiled parts read, as a NamedTuple with deeper and likely."""
        raise NotImplementedError

    def ask(self, task: Task) -> Question:
        """A new question."""
        from zermelo.search.minimax.question import Question

        if task.threads > 1 or task.threshold != 1 or task.horizon is not None:
            raise BadOption(f"{self.id} asks who wins, in one thread; more threads and the goals "
                            "score and shortest need a depth-first search, such as df-pn.")
        return Question(self, task)
