"""Compare two sets of results: do the same tasks have the same answers, and in what time?"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.lab.study.result_files import read_rows
from zermelo.lab.study.speeds import Speed, Speeds, of_one

SAME = ("status", "value", "proved", "concluded", "nodes", "iterations")


@dataclass
class Comparison:
    """What two files have in common and where they differ.

    ``differences``: (task, search, position, what, in A, in B). ``speeds``: A's time in comparison
    with B's, for each pair of processors that they were measured on.
    """

    both: int = 0
    only_a: int = 0
    only_b: int = 0
    same: int = 0
    speeds: list[Speed] = field(default_factory=list)
    differences: list[tuple[str, ...]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        names = ("task", "search", "position", "what", "a", "b")
        return {"both": self.both, "only_a": self.only_a, "only_b": self.only_b,
                "same": self.same, **of_one(self.speeds),
                "speeds": [one.to_dict() for one in self.speeds],
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
    speeds = Speeds()
    for task in shared:
        one, other = first[task], second[task]
        # What a clock or a killer stopped has no counts that could be compared.
        stopped = {one["stopped"], other["stopped"], one["status"], other["status"]}
        names = SAME if not stopped & {"time", "timeout"} else ()
        what = [name for name in names if one[name] != other[name]]
        found.same += not what
        found.differences += [(task, one["search"], one["position"], name, one[name], other[name])
                              for name in what]
        if names:
            speeds.add(one, other)
    found.speeds = speeds.found()
    return found
