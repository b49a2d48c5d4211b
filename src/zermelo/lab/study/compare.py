"""Compare two sets of results: do the same tasks have the same answers, and in what time?"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.errors import BadOption, file_name, one_line
from zermelo.jobs.store import Store

SAME = ("status", "value", "proved", "concluded", "nodes", "iterations")
LEAST_SECONDS = 0.01


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


def compare(a: Path, b: Path) -> Comparison:
    """Two stores, or exported CSV files, task by task; versions may differ."""
    first, second = _read(a), _read(b)
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
        seconds = [_seconds(row) for row in (one, other)]
        if min(seconds) >= LEAST_SECONDS and names:
            ratios.append(math.log(seconds[0] / seconds[1]))
    if ratios:
        found.speed, found.timed = math.exp(sum(ratios) / len(ratios)), len(ratios)
    return found


def _seconds(row: dict[str, str]) -> float:
    return float(row["seconds"] or 0)


def _read(path: Path) -> dict[str, dict[str, str]]:
    """The rows of a file by task, all values as texts."""
    if path.suffix == ".csv":
        try:
            with open(path, newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or one_line(error)
            raise BadOption(f"can't read the file {file_name(path)}: {reason}.") from None
        missing = [name for name in ("task", *SAME) if not rows or name not in rows[0]]
        if missing:
            raise BadOption(f"the file {file_name(path)} is no export of the lab: it has no "
                            f"column {missing[0]!r} with values.")
        return {row["task"]: row for row in rows}
    store = Store(path, create=False)
    found = {}
    for row in store.every():
        plain = {**row, "search": row["job_search"], "position": row["job_position"]}
        found[row["task"]] = {name: "" if value is None else str(value)
                              for name, value in plain.items()}
    store.close()
    return found
