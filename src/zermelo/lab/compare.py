"""Compare results: two files task by task, or two arms position by position.

A file is a store, or the jobs.csv of an export. Times of different processors are kept apart.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadOption, counted, file_name, listed, one_line, quoted
from zermelo.jobs.job import SOLVE
from zermelo.jobs.store import Store
from zermelo.lab.columns import UNKNOWN, processor_of
from zermelo.lab.experiment import label_of
from zermelo.search.registry import SEARCHES

if TYPE_CHECKING:
    import pandas

NEEDED = ("task", "status", "value", "proved", "concluded", "nodes", "iterations")
SAME = NEEDED[1:]
# What two arms have in common: by name, and as stores have it, where a position may be left out.
POSITION = ("game", "parameters", "position", "goal", "seed")
QUESTION = ("question", "seed")
YES = ("True", "1")
LEAST_SECONDS = 0.01  # less can't be compared


def read_rows(path: Path) -> pandas.DataFrame:
    """The rows of a file, all values as texts."""
    import pandas

    if path.suffix != ".csv":
        return pandas.DataFrame(_stored(path)).fillna("")
    try:
        rows = pandas.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
    except pandas.errors.EmptyDataError:
        rows = pandas.DataFrame()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or one_line(error)
        raise BadOption(f"can't read the file {file_name(path)}: {reason}.") from None
    missing = [name for name in NEEDED if rows.empty or name not in rows]
    if missing:
        raise BadOption(f"the file {file_name(path)} is not an export of the lab: it has no column "
                        f"{missing[0]!r} with values.")
    if "processor" not in rows:  # an export of an earlier version
        rows["processor"] = ""
    return rows


def _stored(path: Path) -> list[dict[str, str]]:
    """The rows of a store under the names of an export: the job without its limits, and its
    result."""
    store = Store(path, create=False)
    made_on = {run["run"]: run["environment"] for run in store.runs()}
    rows = []
    for row in store.every():
        job = {name: row[f"job_{name}"] for name in ("kind", "game", "parameters", "position",
                                                     "search", "options", "seed", "goal")}
        row["machine"] = row["machine"] or made_on.get(row["run"])
        rows.append({name: _text(value) for name, value in
                     {**job, **row, "processor": processor_of(row)}.items()})
    store.close()
    return rows


def _text(value: Any) -> str:
    if isinstance(value, dict | list):
        return json.dumps(value, sort_keys=True)
    return "" if value is None else str(value)


def _paired(first: pandas.DataFrame, second: pandas.DataFrame,
            names: Sequence[str]) -> pandas.DataFrame:
    """The rows that agree in these columns, side by side, in the order of the first."""
    return first.add_suffix(" a").merge(
        second.add_suffix(" b"), left_on=[f"{name} a" for name in names],
        right_on=[f"{name} b" for name in names])


@dataclass(frozen=True)
class Speed:
    """The geometric mean of A's seconds over B's, of ``timed`` jobs that took both at least 10 ms,
    A on one processor and B on the same or another."""

    ratio: float
    timed: int
    a: str
    b: str

    def text(self, alone: bool) -> str:
        """For people; ``alone``: all jobs are of this pair of processors."""
        if self.a != self.b:
            return (f"A on {self.a} takes {self.ratio:.2f} x the time of B on {self.b} (geometric "
                    f"mean of {counted(self.timed, 'job')})")
        where = "" if alone else f" on {self.a}"
        return (f"A takes {self.ratio:.2f} x the time of B{where} (geometric mean of "
                f"{counted(self.timed, 'job')})")


def _speeds(pairs: pandas.DataFrame) -> list[Speed]:
    """One for each pair of processors, the one with most jobs first."""
    from scipy.stats import gmean

    mine, other = (pairs[f"seconds {end}"].replace("", "0").astype(float) for end in "ab")
    timed = pairs.assign(ratio=mine / other)[(mine >= LEAST_SECONDS) & (other >= LEAST_SECONDS)]
    both = [timed[f"processor {end}"].replace("", UNKNOWN) for end in "ab"]
    found = [Speed(float(gmean(some)), len(some), *names)
             for names, some in timed["ratio"].groupby(both)]
    return sorted(found, key=lambda one: (-one.timed, one.a, one.b))


def _speeds_as_json(speeds: Sequence[Speed]) -> dict[str, Any]:
    """All of them; and the one number, where there is one pair of processors."""
    one = speeds[0] if len(speeds) == 1 else None
    return {"speed": one and one.ratio, "timed": one.timed if one else 0,
            "speeds": [asdict(one) for one in speeds]}


@dataclass
class Comparison:
    """Common rows of two files, and their differences.

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
        """Fields of the JSON output."""
        names = ("task", "search", "position", "what", "a", "b")
        return {"both": self.both, "only_a": self.only_a, "only_b": self.only_b,
                "same": self.same, **_speeds_as_json(self.speeds),
                "differences": [dict(zip(names, one, strict=True)) for one in self.differences]}

    @property
    def exit_status(self) -> int:
        """0 where they agree, 1 where they differ, 10 where there was nothing to compare."""
        return 1 if self.differences else 0 if self.both else 10


def compare(a: Path, b: Path) -> Comparison:
    """Two stores, or exported CSV files, task by task; versions may differ."""
    first, second = (read_rows(path) for path in (a, b))
    if first.empty or second.empty:
        return Comparison(0, len(first), len(second))
    first, second = (rows.drop_duplicates("task", keep="last") for rows in (first, second))
    pairs = _paired(first, second, ["task"])
    # What a clock or a killer stopped has no counts that could be compared.
    stopped = pairs[["stopped a", "stopped b", "status a", "status b"]].isin(["time", "timeout"])
    pairs["counts"] = ~stopped.any(axis=1)
    differences: list[tuple[str, ...]] = [
        (row["task a"], row["search a"], row["position a"], name, *both)
        for row in pairs.to_dict("records") if row["counts"]
        for name in SAME for both in [(row[f"{name} a"], row[f"{name} b"])] if both[0] != both[1]]
    same = len(pairs) - len({one[0] for one in differences})
    return Comparison(len(pairs), len(first) - len(pairs), len(second) - len(pairs), same,
                      _speeds(pairs[pairs["counts"]]), differences)


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
    both: int
    only_a: int
    only_b: int
    concluded: dict[str, int]
    fewer: int
    equal: int
    more: int
    nodes: float | None
    speeds: list[Speed]
    contradictions: list[tuple[str, str, str]]

    def to_dict(self) -> dict[str, Any]:
        """Fields of the JSON output."""
        contradictions = [dict(zip(("position", "a", "b"), one, strict=True))
                          for one in self.contradictions]
        return {**asdict(self), "contradictions": contradictions, **_speeds_as_json(self.speeds)}

    @property
    def exit_status(self) -> int:
        """0; 1 where proofs contradict each other; 10 where there was nothing to compare."""
        return 1 if self.contradictions else 0 if self.both else 10


def compare_arms(a: Path, arm_a: str, b: Path, arm_b: str) -> ArmComparison:
    """The arm ``arm_a`` of the file ``a`` beside the arm ``arm_b`` of the file ``b``.

    An arm is a name in an exported file, or a search with the options that differ from their
    defaults, such as ``ppn pr=0.01``.
    """
    from scipy.stats import gmean

    names = POSITION if ".csv" in (a.suffix, b.suffix) else QUESTION
    first, second = _rows_of(a, arm_a, names), _rows_of(b, arm_b, names)
    pairs = _paired(first, second, names)
    mine, other = (pairs[f"concluded {end}"].isin(YES) for end in "ab")
    done = pairs[mine & other]
    nodes_a, nodes_b = (done[f"nodes {end}"].replace("", "0").astype(int) for end in "ab")
    ratios = (nodes_a / nodes_b)[(nodes_a > 0) & (nodes_b > 0)]
    against = pairs[pairs["proved a"].isin(YES) & pairs["proved b"].isin(YES)
                    & (pairs["value a"] != pairs["value b"])]
    return ArmComparison(
        arm_a, arm_b, len(pairs), len(first) - len(pairs), len(second) - len(pairs),
        concluded={"both": len(done), "only_a": int((mine & ~other).sum()),
                   "only_b": int((other & ~mine).sum()), "neither": int((~mine & ~other).sum())},
        fewer=int((nodes_a < nodes_b).sum()), equal=int((nodes_a == nodes_b).sum()),
        more=int((nodes_a > nodes_b).sum()), nodes=float(gmean(ratios)) if len(ratios) else None,
        speeds=_speeds(done),
        contradictions=[(row["position a"] or row["position b"] or "-", row["value a"],
                         row["value b"]) for row in against.to_dict("records")])


def _rows_of(path: Path, arm: str, names: Sequence[str]) -> pandas.DataFrame:
    """The rows of an arm, each with other values of the columns ``names``."""
    rows = read_rows(path)
    if "kind" in rows:
        rows = rows[rows["kind"] == SOLVE]
    labels = rows.apply(_label, axis=1) if len(rows) else []
    named = rows.get("arm", labels)
    chosen = rows[[arm in pair for pair in zip(named, labels, strict=True)]]
    if chosen.empty:
        arms = dict.fromkeys(name or label for name, label in zip(named, labels, strict=True))
        raise BadOption(f"the file {file_name(path)} has no arm {quoted(arm)}; arms: "
                        f"{listed(arms)}.")
    if names == POSITION and not chosen["position"].all():
        raise BadOption(f"the file {file_name(path)} has results without their positions, by which "
                        "those of a CSV file are found; compare two stores.")
    again = chosen[chosen.duplicated(list(names))]
    if len(again):
        raise BadOption(f"the arm {quoted(arm)} of {file_name(path)} has several results on "
                        f"{quoted(again['position'].iloc[0] or '-')}, with other limits or "
                        "versions; export one run with 'zermelo lab export', and compare its "
                        "jobs.csv.")
    return chosen


def _label(row: Any) -> str:
    """A search with those of its options that differ from their defaults."""
    kind = SEARCHES.get(row["search"])
    return row["search"] if kind is None else label_of(kind(**json.loads(row["options"])))
