"""Compare two arms position by position: of one run, or of two files of results."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.errors import BadOption, file_name, listed, quoted
from zermelo.jobs.job import SOLVE
from zermelo.lab.experiment import label_of
from zermelo.lab.study.result_files import TextRow, read_rows
from zermelo.lab.study.speeds import Speed, Speeds, of_one
from zermelo.search.registry import SEARCHES

Key = tuple[str, ...]
# What two arms have in common: by name, and as stores have it, where a position may be left out.
POSITION = ("game", "parameters", "position", "goal", "seed")
QUESTION = ("question", "seed")
CONCLUDED = ("True", "1")


@dataclass
class ArmComparison:
    """Two arms on the positions and seeds that both have.

    ``contradictions``: (position, value by A, value by B) where both are proved. ``fewer``,
    ``equal``, ``more``: on how many positions that both concluded A took fewer nodes than B, as
    many, or more. ``nodes``: the geometric mean of A's over B's there; ``speeds``: the same of the
    time, for each pair of processors.
    """

    a: str
    b: str
    both: int = 0
    only_a: int = 0
    only_b: int = 0
    concluded: dict[str, int] = field(
        default_factory=lambda: {"both": 0, "only_a": 0, "only_b": 0, "neither": 0})
    fewer: int = 0
    equal: int = 0
    more: int = 0
    nodes: float | None = None
    speeds: list[Speed] = field(default_factory=list)
    contradictions: list[tuple[str, str, str]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        facts = {name: getattr(self, name) for name in self.__dataclass_fields__}
        facts["contradictions"] = [dict(zip(("position", "a", "b"), one, strict=True))
                                   for one in self.contradictions]
        return {**facts, **of_one(self.speeds), "speeds": [one.to_dict() for one in self.speeds]}

    @property
    def exit_status(self) -> int:
        """0; 1 where proofs contradict each other; 10 where there was nothing to compare."""
        return 1 if self.contradictions else 0 if self.both else 10


def compare_arms(a: Path, arm_a: str, b: Path, arm_b: str) -> ArmComparison:
    """The arm ``arm_a`` of the file ``a`` beside the arm ``arm_b`` of the file ``b``.

    An arm is a name in an exported file, or a search with the options that differ from their
    defaults, such as ``ppn pr=0.01``.
    """
    names = POSITION if ".csv" in (a.suffix, b.suffix) else QUESTION
    first, second = _rows_of(a, arm_a, names), _rows_of(b, arm_b, names)
    shared = [key for key in first if key in second]
    found = ArmComparison(arm_a, arm_b, len(shared), len(first) - len(shared),
                          len(second) - len(shared))
    nodes, speeds = [], Speeds()
    for one, other in ((first[key], second[key]) for key in shared):
        done = one["concluded"] in CONCLUDED, other["concluded"] in CONCLUDED
        found.concluded[{(True, True): "both", (True, False): "only_a", (False, True): "only_b",
                         (False, False): "neither"}[done]] += 1
        if one["proved"] in CONCLUDED and other["proved"] in CONCLUDED \
                and one["value"] != other["value"]:
            position = one["position"] or other["position"] or "-"
            found.contradictions.append((position, one["value"], other["value"]))
        if not all(done):
            continue
        counts = [int(row["nodes"] or 0) for row in (one, other)]
        found.fewer += counts[0] < counts[1]
        found.equal += counts[0] == counts[1]
        found.more += counts[0] > counts[1]
        if min(counts) > 0:
            nodes.append(counts[0] / counts[1])
        speeds.add(one, other)
    found.nodes, found.speeds = _mean(nodes), speeds.found()
    return found


def _mean(ratios: Iterable[float]) -> float | None:
    """The geometric mean."""
    logarithms = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logarithms) / len(logarithms)) if logarithms else None


def _rows_of(path: Path, arm: str, names: Key) -> dict[Key, TextRow]:
    """The rows of an arm, by the columns ``names``."""
    rows = [row for row in read_rows(path) if row.get("kind", SOLVE) == SOLVE]
    chosen = [row for row in rows if arm in (row.get("arm"), _label(row))]
    if not chosen:
        arms = dict.fromkeys(row.get("arm") or _label(row) for row in rows)
        raise BadOption(f"the file {file_name(path)} has no arm {quoted(arm)}; arms: "
                        f"{listed(arms)}.")
    if names == POSITION and not all(row["position"] for row in chosen):
        raise BadOption(f"the file {file_name(path)} has results without their positions, by which "
                        "those of a CSV file are found; compare two stores.")
    found: dict[Key, TextRow] = {}
    for row in chosen:
        key = tuple(row[name] for name in names)
        if key in found:
            raise BadOption(f"the arm {quoted(arm)} of {file_name(path)} has several results on "
                            f"{quoted(row['position'] or '-')}, with other limits or versions; "
                            "export one run with 'zermelo lab export', and compare its jobs.csv.")
        found[key] = row
    return found


def _label(row: TextRow) -> str:
    """A search with those of its options that differ from their defaults."""
    kind = SEARCHES.get(row["search"])
    return row["search"] if kind is None else label_of(kind(**json.loads(row["options"])))
