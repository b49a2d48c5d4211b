"""View: the results of a plan as they stand, each conclusion judged by proofs in the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.jobs.store import Row, Store
from zermelo.lab.form import Arm
from zermelo.lab.plan import Cell, Plan
from zermelo.lab.report import columns
from zermelo.lab.run import judging_jobs

TRUE, FALSE, NOT_JUDGED = "true", "false", "not judged"


@dataclass(frozen=True)
class Entry:
    """A cell, its row (None if it has not been run) and what is known about its position.

    ``known``: the proved value, None where there is no proof. ``good_moves``: the winning moves,
    where they were asked for and are all proved.
    """

    cell: Cell
    arm: Arm
    row: Row | None
    known: str | None
    good_moves: list[str] | None = None

    @property
    def unit(self) -> int:
        """How many of the search's iterations count as one on this set."""
        unit = self.arm.unit
        return unit if isinstance(unit, int) else unit.get(self.cell.set, 1)

    @property
    def verdict(self) -> str | None:
        """Whether what was concluded is true; None if nothing was."""
        if self.row is None or not self.row["concluded"]:
            return None
        if self.known is None:
            return NOT_JUDGED
        return TRUE if self.row["value"] == self.known else FALSE


class View:
    """What the store holds for a plan. ``older``: also rows that other versions made."""

    def __init__(self, plan: Plan, store: Store, older: bool = False) -> None:
        self.plan = plan
        self.rows = store.rows(plan.jobs)
        tasks = {cell.job.task: cell.job.digest for cell in plan.cells}
        earlier = store.by_task(task for task, digest in tasks.items() if digest not in self.rows)
        self.other_versions = len(earlier)
        if older:
            self.rows.update({tasks[task]: row for task, row in earlier.items()})
        self.judged = [] if plan.judge is None else list(judging_jobs(plan, store).values())
        self.judge_rows = store.rows(job.digest for job in self.judged)
        self.known: dict[str, str] = {}
        self.certified: set[str] = set()
        self.contradictions: list[str] = []
        self._learn(store)
        good = {row["question"]: row.get("good_moves") for row in self.judge_rows.values()}
        arms = {arm.name: arm for arm in plan.arms}
        self.entries = [
            Entry(cell, arms[cell.arm], self.rows.get(cell.job.digest),
                  self.known.get(cell.job.question), good.get(cell.job.question))
            for cell in plan.cells
        ]
        runs = {row["run"] for row in (*self.rows.values(), *self.judge_rows.values())}
        self.runs = store.runs(runs)

    def _learn(self, store: Store) -> None:
        """The proved values; two proofs that disagree would be a bug, and are never hidden."""
        for row in store.proofs({cell.job.question for cell in self.plan.cells}):
            question, value = row["question"], row["value"]
            if self.known.setdefault(question, value) != value:
                self.contradictions.append(f"{row['job_game']} {row['job_position']}: "
                                           f"{self.known[question]} and {value}")
            if row["certified"]:
                self.certified.add(question)

    @property
    def done(self) -> int:
        """How many cells have a row."""
        return sum(entry.row is not None for entry in self.entries)

    @property
    def complete(self) -> bool:
        """Whether everything has been run, the judging included."""
        return self.done == len(self.entries) and len(self.judge_rows) == len(self.judged)

    def select(self, arm: str | None = None, set: str | None = None) -> list[Entry]:
        """The entries of one arm, of one set, or both."""
        return [entry for entry in self.entries
                if arm in (None, entry.cell.arm) and set in (None, entry.cell.set)]

    def number(self, column: str, arm: str | None = None, set: str | None = None) -> Any:
        """A column for an arm on a set (all of them by default); None where nothing was run."""
        return columns.value(column, self, self.select(arm, set), set)

    def finished(self, *arms: str) -> bool:
        """Whether these arms have been run on everything."""
        return all(entry.row is not None for entry in self.entries
                   if not arms or entry.cell.arm in arms)

    def common(self, arms: Sequence[str] = ()) -> set[tuple[str, str]]:
        """The positions on which all of these arms concluded, under every seed."""
        wanted = [e for e in self.entries if not arms or e.cell.arm in arms]
        failed = {(e.cell.set, e.cell.id) for e in wanted
                  if e.row is None or not e.row["concluded"]}
        return {(e.cell.set, e.cell.id) for e in wanted} - failed
