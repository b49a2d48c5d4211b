"""Compare two sets of results: do the same tasks have the same answers, and in what time?"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.lab.study.result_files import LEAST_SECONDS, read_rows, seconds

SAME = ("status", "value", "proved", "concluded", "nodes", "iterations")


@dataclass
class Comparison:
    """What two files have in common and where they differ.

    ``differences``: (task, search, position, what, in A, in B). ``speed``: the geometric mean of
    A's seconds over B's, for jobs that took both at least 10 ms; None if there is none.
    """

    both: int = 0
    only_a: int = 0
    only_b: int = 0
    same: int = 0
    speed: float | None = None
    timed: int = 0
    differences: list[tuple[str, ...]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        names = ("task", "search", "position", "what", "a", "b")
        return {"both": self.both, "only_a": self.only_a, "only_b": self.only_b,
                "same": self.same, "speed": self.speed, "timed": self.timed,
                "differences": [dict(zip(names, one, strict=True)) for one in self.differences]}

    @property
    def exit_status(self) -> int:
        """0 where they agree, 1 where they differ, 10 where there was nothing to compare."""
        return 1 if self.differences else 0 if self.both else 10


def compare(a: Path, b: Path) -> Comparison:
    """Two stores, or exported CSV files, task by task; versions may differ."""
    first, second = ({row["task"]: row for row in read_rows(path)} for path in (a, b))
    shared = [task for task in first if task in second]
    found = Comparison(len(shared), len(first) - len(shared), len(second) - len(shared))
    ratios = []
    for task in shared:
        one, other = first[task], second[task]
        # What a clock or a killer stopped has no counts that could be compared.
        stopped = {one["stopped"], other["stopped"], one["status"], other["status"]}
        names = SAME if not stopped & {"time", "timeout"} else ()
        what = [name for name in names if one[name] != other[name]]
        found.same += not what
        found.differences += [(task, one["search"], one["position"], name, one[name], other[name])
                              for name in what]
        taken = seconds(one), seconds(other)
        if min(taken) >= LEAST_SECONDS and names:
            ratios.append(math.log(taken[0] / taken[1]))
    if ratios:
        found.speed, found.timed = math.exp(sum(ratios) / len(ratios)), len(ratios)
    return found
