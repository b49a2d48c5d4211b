"""Conspiracy number search (McAllester 1988; Schaeffer 1990; Song 2019, section 2.1.2).

The conspiracy number CN(v) of a node is the least number of leaves that must change their value for
the node to take the value v. Values lie in bins; beyond them are a bin for a loss and one for a
win, where no estimate lies. With m the bin of the node's minimax value, CN(m) = 0, and

    MAX:  CN(v) = sum of down-needed(v), v < m      CN(v) = min of up-needed(v),  v > m
    MIN:  CN(v) = min of down-needed(v), v < m      CN(v) = sum of up-needed(v),  v > m

over the children, where up-needed(v) is a child's CN(v) if v is above the child's own bin, else 0,
and down-needed(v) the same below it. A leaf has CN(v) = 1 for all v but its own; a finished game
infinity. The next leaf is one of the smallest conspiracy against the root's value.

MAX is the attacker. Infinity comes from finished games alone: a sum of finite numbers stays below.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from zermelo.core.rules import MOST_POINTS, Rules
from zermelo.errors import BadOption, quoted
from zermelo.search.base import Task, option
from zermelo.search.best_first.cns_numbers import (
    ONE,
    arrived,
    backup,
    bin_of,
    choose,
    drawn,
    no_points,
    put,
    select,
    settle,
)
from zermelo.search.best_first.cns_run import MOST_BINS, ConspiracyRun, read_thresholds
from zermelo.search.best_first.plan import Plan
from zermelo.search.best_first.search import BestFirst


@dataclass(frozen=True)
class CNS(BestFirst):
    """Conspiracy number search."""

    id: ClassVar[str] = "cns"
    title: ClassVar[str] = "conspiracy number search"
    paper: ClassVar[str] = "Song 2019, 2.1.2"
    follows: ClassVar[str] = "a smallest set of leaves that would change the root's value"
    narrows: ClassVar[bool] = False  # what candidates do not win is not lost, as values would say

    bins: int = option(16, "bins for estimates, about equally often needed near the position",
                       low=1, high=MOST_BINS)
    conspirators: int = option(0, "stop when every other value needs this many; 0: never", low=0,
                               high=1_000_000_000)
    thresholds: str = option("", "instead of bins: the points at which bins begin, such as "
                             "-200/0/200", kw_only=True)
    aim: str = option("far", "which of the values that need fewest conspirators to look into: the "
                      "farthest from the root's, or the nearest", choices=("far", "near"),
                      kw_only=True)
    tie: str = option("value", "which of equal children to follow: the one that looks best to its "
                      "mover, or the leftmost", choices=("value", "left"), kw_only=True)

    def check(self) -> None:
        """Thresholds are rising numbers; one conspirator is needed from the start."""
        if self.thresholds and read_thresholds(self.thresholds) is None:
            raise BadOption(f"cns: thresholds={quoted(self.thresholds)} is not valid; it is up to "
                            f"{MOST_BINS - 1} whole numbers that rise, such as -200/0/200, none "
                            f"further from 0 than {MOST_POINTS:,}.")
        if self.conspirators == 1:
            raise BadOption("cns: conspirators=1 is not valid: one is what every other value needs "
                            "from the start; it is 0, or a whole number from 2.")

    def plan(self, rules: Rules) -> Plan:
        """Conspiracy numbers with the game's own evaluation, or 0 where it has none."""
        points_of = rules.evaluate or no_points

        def evaluate(g, o, tree, n, s, depth):
            points = np.int64(points_of(g, s))
            points = min(max(points, -MOST_POINTS), MOST_POINTS)
            if tree.nodes[n].mover != tree.control[0].attacker:
                points = -points
            put(tree.nodes, n, points, bin_of(o.thresholds, points), ONE)

        return Plan(select, evaluate, settle, backup, arrived, choose=choose, drawn=drawn,
                    shuffle=self.shuffle)

    def start(self, task: Task) -> ConspiracyRun:
        """A new run, one that knows its bins."""
        self.check_task(task)
        return ConspiracyRun(self, task)
