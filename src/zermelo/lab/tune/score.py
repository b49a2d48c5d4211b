"""What a point of a tuning costs: its jobs on some positions, run or taken from the store."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from zermelo.errors import BadOption, counted
from zermelo.jobs.job import Job, with_options
from zermelo.jobs.store import Row, Store
from zermelo.jobs.work import DONE
from zermelo.jobs.workers import Workers
from zermelo.lab.plan import Cell
from zermelo.lab.tune.strategies import NO_LIMIT, Axis, Point, named, text_of
from zermelo.search.base import Search

FIRST_BATCH = 2


@dataclass(frozen=True)
class TuningScore:
    """A point on some positions: the PAR-2 of each job, and how many were solved."""

    costs: tuple[int, ...]
    solved: int

    @property
    def total(self) -> int:
        """The number that strategies compare."""
        return sum(self.costs)

    @property
    def par2(self) -> float:
        """The mean, which people read."""
        return self.total / len(self.costs)

    def to_dict(self) -> dict[str, Any]:
        """Fields of the JSON output."""
        return {"par2": self.par2, "solved": self.solved, "jobs": len(self.costs)}


@dataclass
class Trial:
    """A point and its score; without one it was given up above ``limit``, or was not valid."""

    options: dict[str, Any]
    score: TuningScore | None = None
    limit: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Fields of the JSON output."""
        score = {"par2": None} if self.score is None else self.score.to_dict()
        return {"options": self.options, **score, "above": self.limit}


@dataclass
class Scorer:
    """Evaluates points on ``cells``, whose jobs it gives the options of each point.

    ``solved``: whether a row counts; others cost twice the node limit. ``trials``: what was tried,
    in order. ``spent``: the nodes of each job that was looked at.
    """

    search: Search
    axes: Sequence[Axis]
    cells: Sequence[Cell]
    solved: Callable[[Row], bool]
    store: Store
    pool: Workers
    retry: bool = False
    trials: dict[Point, Trial] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def __call__(self, points: Sequence[Point], limit: float = NO_LIMIT) -> list[float]:
        """The sum of PAR-2 of each point; infinity above ``limit``, and where it is not valid."""
        if limit == NO_LIMIT:
            self._run_whole(points)
        else:
            for point in points:
                self._run_up_to(point, limit)
        scores = [self.trials[point].score for point in points]
        return [score.total if score is not None and score.total <= limit else NO_LIMIT
                for score in scores]

    def best(self, default: Point) -> Point | None:
        """The cheapest point, of equals the default or else the first tried; None for none yet."""
        whole = {point: trial.score.total for point, trial in self.trials.items()
                 if trial.score is not None}
        return min(whole, key=lambda point: (whole[point], point != default), default=None)

    def score(self, point: Point) -> TuningScore | None:
        """The score of a point that may not have been evaluated before."""
        self([point])
        return self.trials[point].score

    def _trial(self, point: Point) -> Trial:
        return self.trials.setdefault(point, Trial(named(self.axes, point)))

    def _jobs(self, point: Point, nodes: int | None = None) -> list[Job]:
        """The jobs of a point, with another node limit where one is given; none if not valid."""
        try:
            search = with_options(self.search, named(self.axes, point))
        except BadOption:  # options that do not fit together
            return []
        return [replace(cell.job, options=search.all_options, nodes=nodes or cell.job.nodes)
                for cell in self.cells]

    def _run_whole(self, points: Sequence[Point]) -> None:
        """All jobs of these points, side by side; points that are complete count at once."""
        wanted = {point: jobs for point in dict.fromkeys(points)
                  if self._trial(point).score is None and (jobs := self._jobs(point))}
        every = [job for jobs in wanted.values() for job in jobs]
        single = next(iter(wanted)) if len(wanted) == 1 else None
        try:
            what = f"{counted(len(wanted), 'point')}: jobs"
            self._run(what if single is None else self._what(single), every)
        finally:  # also when interrupted
            rows = self.store.rows(job.digest for job in every)
            for point, jobs in wanted.items():
                if all(job.digest in rows for job in jobs):
                    self._settle(point, [rows[job.digest] for job in jobs])

    def _run_up_to(self, point: Point, limit: float) -> None:
        """The jobs of a point, in batches, until it costs more than ``limit``.

        No job gets more nodes than the limit. The batches are the same whatever the number of
        workers, so the jobs are too.
        """
        trial = self._trial(point)
        if trial.score is not None or (trial.limit is not None and limit <= trial.limit):
            return
        whole = self.cells[0].job.nodes or 1
        jobs = self._jobs(point, max(1, min(whole, int(limit))))
        kept: list[Row] = []
        cost = 0.0 if jobs else NO_LIMIT
        for batch in _batches(jobs):
            self._run(self._what(point), batch)
            rows = self.store.rows(job.digest for job in batch)
            kept += [rows[job.digest] for job in batch]
            cost = sum(self._cost(row, whole) for row in kept)
            if cost > limit:
                break
        if cost > limit:
            trial.limit = limit
        else:
            self._settle(point, kept)

    def _what(self, point: Point) -> str:
        return f"{text_of(named(self.axes, point))}: jobs"

    def _run(self, what: str, jobs: Sequence[Job]) -> None:
        if self.retry:
            rows = self.store.rows(job.digest for job in jobs if job.digest not in self.spent)
            self.store.forget(digest for digest, row in rows.items() if row["status"] != DONE)
        try:
            self.pool.run(what, {job.digest: job for job in jobs})
        finally:
            for digest, row in self.store.rows(job.digest for job in jobs).items():
                if digest not in self.spent:
                    self.spent[digest] = row["nodes"] or 0
                    self.statuses[row["status"]] += 1

    def _cost(self, row: Row, whole: int) -> float:
        """PAR-2; infinity where a job was stopped below the limit that all are measured by."""
        if self.solved(row):
            return int(row["nodes"])
        return 2 * whole if row["job_nodes"] == whole else math.inf

    def _settle(self, point: Point, rows: Sequence[Row]) -> None:
        whole = self.cells[0].job.nodes or 1
        trial = self._trial(point)
        trial.limit = None
        trial.score = TuningScore(tuple(int(self._cost(row, whole)) for row in rows),
                            sum(map(self.solved, rows)))


def _batches(jobs: Sequence[Job]) -> Iterator[Sequence[Job]]:
    """Two jobs, then four, eight and so on: a bad point is given up after few of them."""
    size = FIRST_BATCH
    while jobs:
        yield jobs[:size]
        jobs, size = jobs[size:], 2 * size
