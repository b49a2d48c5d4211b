"""Results of a plan as they stand, each conclusion judged by proofs in the store; and tables of
them, measured numbers beside the published ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Self

from zermelo.errors import BadOption, counted, quoted
from zermelo.jobs.store import Store
from zermelo.lab import columns
from zermelo.lab.columns import Entries, Entry, interval, letter, processor_of, processors
from zermelo.lab.experiment import Size, Table, sized
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


POSITIONS = "{positions}"  # in a title: how many positions this run has, such as "200 positions"


def titled(results: Results, title: str, arms: Sequence[str] = ()) -> str:
    """``title`` with the number of positions that these arms, or all, have in this run."""
    if POSITIONS not in title:
        return title
    found = {(entry.cell.set, entry.cell.id) for entry in results.entries
             if not arms or entry.cell.arm in arms}
    return title.replace(POSITIONS, counted(len(found), "position"))


def caveat(results: Results) -> str:
    """Reason why published numbers are not for a run of this size; empty where they are."""
    plan = results.plan
    if plan.changes:
        takes = [sized(one.take, plan.full) for one in plan.experiment.sets]
        here, usual = len(plan.positions), (
            sum(takes) if all(isinstance(take, int) for take in takes) else None)
        sizes = f" and has {counted(here, 'position')} instead of {usual:,}" \
            if usual is not None and usual != here else ""
        return (f"Published numbers are not for this run: it was changed with --set "
                f"{', '.join(plan.changes)}{sizes}.")
    if not plan.full and _has_sizes(results):
        return "Published numbers are for the published sizes (--full), not for the default ones."
    return ""


def _has_sizes(results: Results) -> bool:
    experiment = results.plan.experiment
    records: list[Any] = [*experiment.arms, *experiment.sets]
    return any(isinstance(getattr(record, item.name), Size)
               for record in records for item in fields(record))


ALWAYS = ("jobs", "proved", "concluded", "false / known", "not judged")
ROWS = ("arm", "set", "set, arm")
Key = tuple[str | None, str | None]


@dataclass(frozen=True)
class Made:
    """A table as texts."""

    title: str
    header: list[str]
    rows: list[list[str]]
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Fields of the JSON output."""
        return {"title": self.title, "columns": self.header, "rows": self.rows, "note": self.note}


def all_tables(results: Results) -> list[Made]:
    """The tables that the experiment asks for, some as functions, or one with everything."""
    wanted = results.plan.experiment.tables or (
        Table("Results", ["mean nodes", "mean seconds"], "set, arm"),)
    return [make_table(results, table) if isinstance(table, Table) else table(results)
            for table in wanted]


def make_table(results: Results, table: Table) -> Made:
    """The rows of ``table`` with what the store holds."""
    if table.rows not in ROWS:
        raise BadOption(f"table {quoted(table.title)}: rows={quoted(table.rows)} is not one of "
                        f"{', '.join(ROWS)}.")
    proves = any(arm.proves for arm in results.plan.arms
                 if not table.arms or arm.name in table.arms)
    always = ALWAYS if proves else ("jobs",)
    wanted = [*always, *(c for c in table.columns if c not in always)]
    header = ["set", "arm"] if table.rows == "set, arm" else [table.rows]
    for column in wanted:
        name = columns.heading(column) if isinstance(column, str) else str(column[0])
        header.append(name)
        if name in table.published or column in table.published:
            header.append(f"{name}, published")
    rows = [_row(results, table, wanted, key) for key in _keys(results, table)]
    notes = [table.note, caveat(results) if table.published else "", told_apart(results, wanted)]
    return Made(titled(results, table.title, table.arms), header, rows,
                " ".join(filter(None, notes)))


def _keys(results: Results, table: Table) -> list[Key]:
    """(set, arm) of each row of the table, in the order of the experiment."""
    arms = [arm.name for arm in results.plan.arms if not table.arms or arm.name in table.arms]
    sets = [one.name for one in results.plan.experiment.sets]
    if table.rows == "arm":
        return [(None, arm) for arm in arms]
    if table.rows == "set":
        return [(one, None) for one in sets]
    return [(one, arm) for one in sets for arm in arms if results.select(arm, one)]


def _row(results: Results, table: Table, wanted: Sequence[Any], key: Key) -> list[str]:
    one, arm = key
    cells = [name for name in (one, arm) if name is not None]
    for column in wanted:
        cells.append(_cell(results, table, column, key))
        published = table.published.get(column if isinstance(column, str) else column[0])
        if published is not None:
            name = arm if one is None else one if arm is None else (one, arm)
            cells.append(columns.text(published.get(name)))
    return cells


def _cell(results: Results, table: Table, column: Any, key: Key) -> str:
    """A number with its bounds; times of several processors, one after the other."""
    one, arm = key
    entries = [entry for entry in results.select(arm, one)
               if not table.arms or entry.cell.arm in table.arms]
    if not isinstance(column, str):
        done = [entry for entry in entries if entry.row is not None]
        return columns.text(column[1](done) if done else None)
    apart = columns.told_apart(column, results, entries, one)
    if apart:
        return ", ".join(f"{letter(results.processors.index(name))} "
                         f"{_cell(results.on(name), table, column, key)}" for name in apart)
    found = columns.text(columns.value(column, results, entries, one, table.arms))
    spread = interval(column, results, entries, one, table.arms) if table.intervals else None
    return found if spread is None else \
        f"{found} ({columns.text(spread.low)} to {columns.text(spread.high)})"


def told_apart(results: Results, wanted: Sequence[Any]) -> str:
    """Legend of the letters before times; empty where there are none."""
    if len(results.processors) < 2 or not any(
            isinstance(column, str) and columns.measures_time(column) for column in wanted):
        return ""
    named = (f"{letter(number)} is {name}" for number, name in enumerate(results.processors))
    return f"Times are told apart by processor: {'; '.join(named)}."
