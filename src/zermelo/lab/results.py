"""Results of a plan as they stand, each conclusion judged by proofs in the store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from zermelo.jobs.store import Store
from zermelo.lab import columns
from zermelo.lab.columns import Entries, Entry, processor_of, processors
from zermelo.lab.plan import ExperimentPlan, judging_jobs, settings_of_runs

if TYPE_CHECKING:
    import pandas

# The columns of a frame and their types; those that are not named here are texts.
FIELDS = (
    "digest", "task", "set", "arm", "id", "game", "parameters", "position", "search", "options",
    "seed", "goal", "plain", "limit_nodes", "limit_time", "limit_memory", "limit_wall", "version",
    "code", "status", "message", "value", "proved", "concluded", "known", "verdict", "stopped",
    "move", "nodes", "iterations", "seconds", "compile_seconds", "cpu_seconds", "wall_seconds",
    "peak_bytes", "peak_rss", "counters", "root", "played", "processor",
)
LIMITS = ("nodes", "time", "memory", "wall")
YES_OR_NO = ("plain", "proved", "concluded")
TYPES = {
    **dict.fromkeys(("seed", "limit_nodes", "limit_memory", "nodes", "iterations", "peak_bytes",
                     "peak_rss"), "int64"),
    **dict.fromkeys(("limit_time", "limit_wall", "seconds", "compile_seconds", "cpu_seconds",
                     "wall_seconds"), "float64"),
    **dict.fromkeys(YES_OR_NO, "bool"),
}


class Results(Entries):
    """Rows of the store for a plan. ``older``: also rows of other versions."""

    def __init__(self, plan: ExperimentPlan, store: Store, older: bool = False) -> None:
        self.plan = plan
        self._labels = {one.name: one.labels for one in plan.experiment.sets}
        with store.unchanging():
            self._read(store, older)

    def _read(self, store: Store, older: bool) -> None:
        plan = self.plan
        self.rows = store.rows(plan.jobs)
        tasks = {cell.job.task: cell.job.digest for cell in plan.cells}
        earlier = store.by_task(task for task, digest in tasks.items() if digest not in self.rows)
        self.other_versions = len(earlier)
        if older:
            self.rows.update({tasks[task]: row for task, row in earlier.items()})
        self.judged = [] if plan.judge is None else list(
            judging_jobs(plan, store, self.rows).values())
        self.judge_rows = store.rows(job.digest for job in self.judged)
        if older:
            proofs = {job.task: job.digest for job in self.judged
                      if job.digest not in self.judge_rows}
            self.judge_rows.update({proofs[task]: row for task, row in
                                    store.by_task(proofs).items()})
        rows = (*self.rows.values(), *self.judge_rows.values())
        self.runs = store.runs({row["run"] for row in rows})
        made_on = {run["run"]: run["environment"] for run in self.runs}
        for row in rows:  # those of before rows had a machine were made where their run was
            row["machine"] = row["machine"] or made_on.get(row["run"])
            if row.get("search_seconds") is not None and row["seconds"] is not None:
                # Those made when it had the finding of the answer's line in it, and the other was
                # by the clock: the search took no more of the processor than either.
                row["search_seconds"] = min(row["search_seconds"], row["seconds"])
        self.known: dict[str, str] = {}
        self.certified: set[str] = set()
        self.contradictions: list[str] = []
        self._learn(store)
        good = {row["question"]: row.get("good_moves") for row in self.judge_rows.values()}
        arms = {arm.name: arm for arm in plan.arms}
        super().__init__([
            Entry(cell, arms[cell.arm], self.rows.get(cell.job.digest),
                  self.known.get(cell.job.question), good.get(cell.job.question))
            for cell in plan.cells
        ])
        self.processors = processors(self.entries)
        self.run_with = [one for one in settings_of_runs(store, plan.experiment.name)
                         if one != plan.settings.all_arms()]

    def _learn(self, store: Store) -> None:
        """The proved values, by a certificate where there is one; two proofs that disagree would be
        a bug, and are never hidden."""
        jobs = {cell.job.question: cell.job for cell in self.plan.cells}
        found = store.proofs(jobs)
        for row in sorted(found, key=lambda row: not row["certified"]):
            question, value = row["question"], row["value"]
            if self.known.setdefault(question, value) != value:
                job = jobs[question]  # a row from an archive may lack its position
                self.contradictions.append(f"{job.game} {job.position}: {self.known[question]} "
                                           f"and {value}")
            if row["certified"]:
                self.certified.add(question)

    def on(self, processor: str) -> Self:
        """These results with the rows of one processor only."""
        found = copy(self)
        found.entries = [entry if entry.row is None or processor_of(entry.row) == processor
                         else replace(entry, row=None) for entry in self.entries]
        return found

    @property
    def complete(self) -> bool:
        """Return True if everything has been run, the judging included."""
        return self.done == len(self.entries) and len(self.judge_rows) == len(self.judged)

    @property
    def elsewhere(self) -> str | None:
        """A sentence about other settings that have results, where those of this plan are not
        complete."""
        if self.complete or not self.run_with:
            return None
        words = " and ".join(f"'{one}'" if str(one) else "no changes" for one in self.run_with)
        return (f"the store also has results of {self.plan.experiment.name} run with {words}; give "
                "the same words to see them")

    def labels(self, entry: Entry) -> Mapping[str, Any]:
        """The labels of the set that an entry is from."""
        return self._labels[entry.cell.set]

    def number(self, column: str, arm: str | None = None, set: str | None = None) -> Any:
        """A column for an arm on a set (all of them by default); None where nothing was run."""
        return columns.value(column, self, self.select(arm, set), set)

    def frame(self) -> pandas.DataFrame:
        """A row for each cell that has been run: the job, its limits, and what came of it."""
        import pandas
        import pyarrow

        schema = pyarrow.schema([(name, pyarrow.type_for_alias(TYPES.get(name, "string")))
                                 for name in FIELDS])
        rows = [_record(entry) for entry in self.entries if entry.row is not None]
        table = pyarrow.Table.from_pylist(rows, schema)
        return table.to_pandas(types_mapper=pandas.ArrowDtype)


def _record(entry: Entry) -> dict[str, Any]:
    """The columns of a frame for a cell that has been run."""
    cell, row = entry.cell, entry.row or {}
    facts = {name.removeprefix("job_"): value for name, value in row.items()
             if name.startswith("job_")}
    facts.update({f"limit_{name}": row[f"job_{name}"] for name in LIMITS})
    facts.update({name: value for name, value in row.items() if not name.startswith("job_")})
    facts.update(set=cell.set, arm=cell.arm, id=cell.id, known=entry.known,
                 verdict=entry.verdict, processor=processor_of(row),
                 # A row from an archive may lack these two.
                 parameters=cell.job.parameters, position=cell.job.position)
    facts.update({name: bool(facts[name]) for name in YES_OR_NO if facts.get(name) is not None})
    return {name: json.dumps(value, sort_keys=True) if isinstance(value, dict | list) else value
            for name, value in facts.items() if name in FIELDS}
