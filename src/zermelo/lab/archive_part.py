"""Parts of a store to publish: the results of some experiments, with or without their positions.

An experiment has the rows that its reports are made of:

- those of its arms, with whatever settings it was run, one for each task: by the code of today
  where there is one, else the newest;
- those of the judge, also where another experiment's judge has answered;
- other proofs of its positions, whoever made them, where they add something: a value that is known
  from nothing else, that there is a certificate, or a contradiction.

Without positions, results on other people's positions can be published. A report does not need
them: the rows of a plan are found by digests, and the plan has the positions from their own files.
What is kept is listed here, and all else is left out: a column, a field or a text that is not
listed stays at home. A digest shows whether a given position is the one that was searched; where
there are few enough to try all, such as boards of Connect Four with twelve stones, it hides
nothing.
"""

from __future__ import annotations

import json
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import BadOption, ZermeloError, counted, file_name, quoted
from zermelo.jobs.job import PROVE
from zermelo.jobs.store import Row, Store
from zermelo.jobs.work import MEMORY, TIMEOUT
from zermelo.lab.catalogue import experiment
from zermelo.lab.experiment import Experiment
from zermelo.lab.plan import Plan, plan_of
from zermelo.lab.results import Results
from zermelo.lab.settings import Settings, settings_of_runs, settings_to_report


@dataclass
class Part:
    """Rows by digest and runs by number; a note for each thing that was left out."""

    experiments: list[str] = field(default_factory=list)
    rows: set[str] = field(default_factory=set)
    runs: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)


def part_of(store: Store, names: Sequence[str]) -> Part:
    """What the store has of the experiments called, or in the files, ``names``."""
    part = Part()
    for name in dict.fromkeys(names):
        found = experiment(name)
        rows = {row["digest"]: row for plan in _plans(store, found, part.notes)
                for row in _rows(plan, store)}
        if not rows:
            raise BadOption(f"the store {file_name(store.path)} has no results of {found.name}.")
        part.notes += _left_out(store, found, {row["task"] for row in rows.values()})
        part.experiments.append(found.name)
        part.rows |= set(rows)
        part.runs |= {row["run"] for row in rows.values()}
    part.runs |= {run["run"] for run in store.runs() if run["experiment"] in part.experiments}
    return part


def _plans(store: Store, found: Experiment, notes: list[str]) -> Iterator[Plan]:
    """The plans of all settings that the experiment was run with."""
    changed = [one for one in settings_of_runs(store, found.name) if one.changes]
    empty: dict[str, None] = {}
    for one in (*settings_to_report(store, found), *changed):
        try:
            plan = plan_of(found, full=one.full, changes=one.changes, only=one.only, seed=one.seed)
        except ZermeloError as error:
            if not one.changes:
                raise
            notes.append(f"{found.name} {one}: {error}")  # it fitted an earlier state of the file
            continue
        empty.update(dict.fromkeys(plan.empty_sets))
        yield plan
    notes += [f"{found.name}: the set {quoted(name)} is empty here, and results on it are left out"
              for name in empty]


def _left_out(store: Store, found: Experiment, taken: set[str]) -> list[str]:
    """A note where runs of the experiment have made results that none of its plans asks for: it was
    larger then, or has other positions now."""
    own = {run["run"] for run in store.runs() if run["experiment"] == found.name
           and not Settings.from_dict(run["settings"]).changes}
    left = len({task for task, run in store.tasks_by_run() if run in own and task not in taken})
    if not left:
        return []
    return [f"{found.name}: {counted(left, 'result')} of its runs {'is' if left == 1 else 'are'} "
            "on nothing that it asks for with the settings that are known, and left out"]


def _rows(plan: Plan, store: Store) -> Iterator[Row]:
    results = Results(plan, store, older=True)
    own = [*results.rows.values(), *results.judge_rows.values()]
    yield from own
    proofs = defaultdict(list)
    for row in store.proofs({cell.job.question for cell in plan.cells}):
        proofs[row["question"]].append(row)
    known = {row["digest"] for row in own}
    for found in proofs.values():
        yield from _telling(found, known)


def _telling(proofs: Iterable[Row], own: set[str]) -> Iterator[Row]:
    """Of all proofs about one position those to take along with the experiment's ``own``."""
    proofs = sorted(proofs, key=lambda row: (not row["certified"], -row["finished"]))
    if len({row["value"] for row in proofs}) > 1:
        yield from proofs
        return
    mine = [row for row in proofs if row["digest"] in own]
    tasks = {row["task"] for row in mine}
    certified = any(row["certified"] for row in mine)
    for row in proofs:
        judges = row["job_kind"] == PROVE and row["task"] not in tasks
        if judges or not tasks or (row["certified"] and not certified):
            tasks.add(row["task"])
            certified = certified or row["certified"]
            yield row


# Digests, what was asked of which search under which limits, and what came of it.
KEPT = (
    "digest", "task", "question", "job_kind", "job_game", "job_search", "job_options", "job_seed",
    "job_goal", "job_plain", "job_nodes", "job_time", "job_memory", "job_wall", "job_version",
    "job_code", "status", "value", "proved", "concluded", "stopped", "move", "made_nodes",
    "iterations", "seconds", "compile_seconds", "cpu_seconds", "wall_seconds", "peak_bytes",
    "peak_rss", "certified", "run", "finished", "machine",
)
# Of a game that was played: how it went, without its moves.
KEPT_OF_GAME = ("opening", "outcome", "how", "player", "nodes", "seconds", "against")
WORDS = re.compile(r"-?inf|(win|draw|loss)( in [0-9]+)?")  # in place of a number
OWN_MESSAGES = (TIMEOUT, MEMORY)  # all others may quote a position, or what a process printed
LEFT_OUT = "left out with the positions"


def without_position(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as the store keeps it, all columns there, those that may tell the position empty."""
    found = {name: value if name in KEPT else None for name, value in row.items()}
    if row["message"] is not None:
        found["message"] = row["message"] if row["status"] in OWN_MESSAGES else LEFT_OUT
    details = json.loads(zlib.decompress(row["details"]))
    kept = {name: tell(details[name]) for name, tell in DETAILS.items() if name in details}
    found["details"] = zlib.compress(json.dumps(kept).encode())
    return found


def _numbers(found: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the fields that are numbers, true or false, or empty."""
    return {name: value for name, value in found.items()
            if value is None or isinstance(value, int | float)
            or (isinstance(value, str) and WORDS.fullmatch(value))}


def _sample(sample: Mapping[str, Any]) -> dict[str, Any]:
    """What a search said about the root at some time, and the one move that it preferred then."""
    move = {"move": sample["move"]} if "move" in sample else {}
    return {**_numbers(sample), "root": _numbers(sample["root"]), **move}


# By part of the details: what of it is kept. The moves in them are those of one position, the one
# that was searched: which it has, not what stands on its board; a trace may have all of them.
DETAILS: dict[str, Any] = {
    "root": _numbers, "counters": _numbers,
    "trace": lambda samples: [_sample(sample) for sample in samples],
    "good_moves": lambda moves: moves,
    "played": lambda game: {name: game[name] for name in KEPT_OF_GAME if name in game},
    "search_seconds": lambda seconds: seconds,
}
