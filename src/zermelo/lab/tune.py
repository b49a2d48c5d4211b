"""Tuning: choose options of a search on one half of the positions, report them on the other.

    from zermelo.lab.tune import Tuning, tune

All evaluations are jobs in the store. Strategies decide by results alone, so a tuning that was
killed repeats its decisions, finds what it had, and goes on. An axis is an option of a search and
its values, from words such as ``E=1..20``:

    E=1..20               whole numbers; every fifth of them: E=0..20:5
    epsilon=0..1:0.25     real numbers in steps; without a step, ten of them
    theta=0.0001..0.1:x10 each ten times the one before
    E=1,2,5,10            these values, in this order

A strategy knows no search and no job. It gets axes and ``evaluate(points, limit)``, which returns
the cost of each point, smaller is better: infinity where it is above ``limit`` (and was given up
there) or no valid combination.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal, InvalidOperation
from functools import cached_property
from itertools import product
from typing import Any

from zermelo.errors import BadOption, check_whole, counted, listed, quoted
from zermelo.jobs.job import Job, with_options
from zermelo.jobs.store import Row, Store
from zermelo.jobs.work import DONE
from zermelo.jobs.workers import JobProgress, ProgressCallback, Workers, at_work
from zermelo.lab.experiment import MEMORY, Arm, Experiment, Positions
from zermelo.lab.plan import Cell, ExperimentPlan, largest_memory, plan_of
from zermelo.search.base import Search
from zermelo.solving.result import goal_named
from zermelo.solving.session import Session

__all__ = ["Tuned", "Tuning", "tune"]

PARTS = 10
MOST_VALUES = 10_000

Point = tuple[Any, ...]


@dataclass(frozen=True)
class Axis:
    """An option with its values in order. ``real``: any number from the first to the last will do,
    for a strategy that needs no steps."""

    name: str
    values: tuple[Any, ...]
    real: bool = False

    @property
    def is_numeric(self) -> bool:
        """Return True if a step along the values is a larger or a smaller number."""
        return all(isinstance(value, int | float) and not isinstance(value, bool)
                   for value in self.values)

    def nearest(self, value: Any) -> int:
        """Index of ``value`` among the values, or of the closest; 0 where nothing is close."""
        if value in self.values:
            return self.values.index(value)
        if value is None or not self.is_numeric:
            return 0
        return min(range(len(self.values)), key=lambda i: abs(self.values[i] - value))


def axes_of(search: Search, words: Sequence[str]) -> list[Axis]:
    """The axes that ``words`` name, each once."""
    if not words:
        raise BadOption(f"a tuning needs at least one option to vary, such as --vary NAME=1..20; "
                        f"{search.id} has: {listed(item.name for item in fields(search))}.")
    found: dict[str, Axis] = {}
    for word in words:
        axis = axis_of(search, word)
        if axis.name in found:
            raise BadOption(f"--vary {quoted(word)} gives {quoted(axis.name)} a second time.")
        found[axis.name] = axis
    return list(found.values())


def axis_of(search: Search, word: str) -> Axis:
    """One option of ``search`` with its values."""
    name, sign, text = (part.strip() for part in word.partition("="))
    if not sign or not name or not text:
        raise BadOption(f"--vary {quoted(word)} is not of the form NAME=LOW..HIGH, "
                        "NAME=LOW..HIGH:STEP, NAME=LOW..HIGH:xFACTOR or NAME=VALUE,VALUE,...")
    real = False
    if ".." in text:
        texts, stepped = _range(word, text, any(
            item.name == name and type(item.default) is int for item in fields(search)))
        real = not stepped
    else:
        texts = [part.strip() for part in text.split(",")]
    values = tuple(_valid(search, name, one) for one in texts)
    if len(values) < 2 or len(set(values)) < len(values):
        raise BadOption(f"--vary {quoted(word)} needs two or more values, all different.")
    return Axis(name, values, real)


def _valid(search: Search, name: str, text: str) -> Any:
    """The value as the search takes it, alone: it may not fit the other options as they are.

    The search refuses invalid values.
    """
    for item in fields(search):
        if item.name == name:
            return search._checked(item, text)
    return with_options(search, {name: text})


def _range(word: str, text: str, whole: bool) -> tuple[list[str], bool]:
    """The numbers of ``LOW..HIGH:STEP`` as texts, and whether there is a step."""
    ends, _, step = (part.strip() for part in text.partition(":"))
    low, _, high = ends.partition("..")
    factor = step[:1] in ("x", "X")
    first, last = _number(word, low), _number(word, high)
    by = _number(word, step[factor:]) if step else Decimal(1) if whole else (last - first) / PARTS
    if not first < last or by <= factor or (factor and first <= 0):
        raise BadOption(f"--vary {quoted(word)} is not a range: LOW is below HIGH, a step above 0; "
                        "where steps are factors, LOW is above 0 and the factor above 1.")
    numbers = [first]
    while len(numbers) <= MOST_VALUES:
        number = numbers[-1] * by if factor else numbers[-1] + by
        if number > last:
            return [str(one) for one in numbers], bool(step) or whole
        numbers.append(number)
    raise BadOption(f"--vary {quoted(word)} makes more than {MOST_VALUES:,} values; take larger "
                    "steps.")


def _number(word: str, text: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite():
        raise BadOption(f"--vary {quoted(word)}: {quoted(text)} is not a number.")
    return number


def named(axes: Sequence[Axis], point: Point) -> dict[str, Any]:
    """The values of ``point`` by option."""
    return {axis.name: value for axis, value in zip(axes, point, strict=True)}


def text_of(options: dict[str, Any]) -> str:
    """``E=3 D=2``."""
    return " ".join(f"{name}={_short(value)}" for name, value in options.items())


def _short(value: Any) -> str:
    """A value as it can be typed again: all digits of a float that has many."""
    if isinstance(value, float) and float(f"{value:g}") == value:
        return f"{value:g}"
    return "none" if value is None else str(value)


STRATEGIES = ("climb", "sweep", "optuna")
MOST_POINTS = 100_000
NO_LIMIT = math.inf

Evaluate = Callable[[Sequence[Point], float], list[float]]
Place = tuple[int, ...]  # a point by where its values stand on the axes


def check_strategy(strategy: str, axes: Sequence[Axis]) -> None:
    """Refuse what a strategy can't do, before anything runs."""
    if strategy not in STRATEGIES:
        raise BadOption(f"there is no strategy {quoted(strategy)}; strategies: "
                        f"{', '.join(STRATEGIES)}.")
    count = math.prod(len(axis.values) for axis in axes)
    if strategy == "sweep" and count > MOST_POINTS:
        raise BadOption(f"the sweep has {count:,} combinations, more than {MOST_POINTS:,}; vary "
                        "fewer options, or take larger steps.")
    for axis in axes:
        if strategy == "climb" and not axis.is_numeric:
            raise BadOption(f"the option {axis.name} can't be climbed: its values are not all "
                            "numbers; use --strategy sweep or optuna.")


def sweep(axes: Sequence[Axis], evaluate: Evaluate) -> None:
    """Every combination."""
    evaluate(list(product(*(axis.values for axis in axes))), NO_LIMIT)


def climb(axes: Sequence[Axis], start: Point, evaluate: Evaluate, *, flat: int = 5,
          up: bool = False) -> None:
    """Hill climbing, after Algorithm 1 of Song 2019, 3.3.6, whose line numbers are given.

    ``flat``: it ends after this many steps without change. ``up``: steps go up only, as printed.
    """
    def node(places: Sequence[Place], limit: float) -> list[float]:
        points = [tuple(axis.values[i] for axis, i in zip(axes, place, strict=True))
                  for place in places]
        return evaluate(points, limit) if points else []

    here = tuple(axis.nearest(value) for axis, value in zip(axes, start, strict=True))  # line 1
    limit, unchanged, path = NO_LIMIT, 0, {here}
    value = last = node([here], limit)[0]
    while unchanged < flat:  # line 2
        steps = _steps(axes, here, path, up)
        if not steps:
            return
        values = node(steps, limit)
        new = min(values)
        there = steps[values.index(new)]  # lines 3 to 7: of equals the first
        path.add(there)
        if new > value:  # line 8: worse, and so is all that lies behind
            behind = node(_steps(axes, there, path, up), limit)
            if not any(further <= new < NO_LIMIT or further < new for further in behind):
                return
        if new < NO_LIMIT:  # line 11
            unchanged = unchanged + 1 if new == last else 0
            limit = last = new
        here, value = there, new


def _steps(axes: Sequence[Axis], here: Place, path: set[Place], up: bool) -> list[Place]:
    """One step up on each axis in turn, then one step down; not back to where we were."""
    found = []
    for by in (1,) if up else (1, -1):
        for at, axis in enumerate(axes):
            if 0 <= here[at] + by < len(axis.values):
                found.append((*here[:at], here[at] + by, *here[at + 1:]))
    return [place for place in found if place not in path]


def optuna(axes: Sequence[Axis], start: Point, evaluate: Evaluate, *, trials: int = 50,
           seed: int = 0) -> None:
    """Optuna's sampler (TPE): ``trials`` points, the first of them ``start``.

    Its choices are a function of the seed and of what it was told, so a tuning that was killed
    makes the same choices again and finds their results in the store.
    """
    import optuna as package

    package.logging.set_verbosity(package.logging.WARNING)
    study = package.create_study(sampler=package.samplers.TPESampler(seed=seed % (1 << 32)))
    study.enqueue_trial({axis.name: axis.values[at] if axis.real else at
                         for axis, value in zip(axes, start, strict=True)
                         for at in [axis.nearest(value)]})
    for _ in range(trials):
        trial = study.ask()
        value = evaluate([tuple(_suggested(axis, trial) for axis in axes)], NO_LIMIT)[0]
        if value < NO_LIMIT:
            study.tell(trial, value)
        else:
            study.tell(trial, state=package.trial.TrialState.FAIL)


def _suggested(axis: Axis, trial: Any) -> Any:
    if axis.real:
        return trial.suggest_float(axis.name, axis.values[0], axis.values[-1])
    places = range(len(axis.values))
    if axis.is_numeric:
        return axis.values[trial.suggest_int(axis.name, 0, places[-1])]
    return axis.values[trial.suggest_categorical(axis.name, list(places))]


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
        return [replace(cell.job, options=search.stated, nodes=nodes or cell.job.nodes)
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
            self.pool.forget_failed(job.digest for job in jobs if job.digest not in self.spent)
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


NODES = 1_000_000
CLIMB, SWEEP, _ = STRATEGIES


@dataclass(frozen=True)
class Tuning:
    """A tuning task. ``vary``: words such as ``E=1..20``. ``search`` gives all other options, and
    the start of climbing.

    ``nodes``: the limit of a job; unsolved counts twice. ``concluded``: what is concluded at a
    precision counts as solved, not only what is proved. ``seed``: of the split, the searches and
    Optuna. ``flat``, ``up``: for climbing. ``trials``: for Optuna.
    """

    search: Search
    vary: Sequence[str]
    positions: Sequence[Positions] | Positions
    strategy: str = CLIMB
    nodes: Any = NODES
    memory: Any = MEMORY
    seeds: int = 1
    seed: int = 0
    goal: str = "win"
    plain: bool = True
    concluded: bool = False
    take: int | None = None
    flat: int = 5
    up: bool = False
    trials: int = 50

    def __post_init__(self) -> None:
        check_strategy(self.strategy, self.axes)
        for name in ("seeds", "flat", "trials"):
            check_whole(name, getattr(self, name), 1)
        if self.nodes is None:
            raise BadOption("a tuning needs a node limit, such as nodes=1e6: an unsolved "
                            "position counts as twice the limit.")

    @cached_property
    def axes(self) -> list[Axis]:
        """The options that vary."""
        return axes_of(self.search, self.vary)

    @cached_property
    def default(self) -> Point:
        """The options that vary, as published."""
        defaults = {item.name: item.default for item in fields(self.search)}
        return tuple(defaults[axis.name] for axis in self.axes)

    @cached_property
    def start(self) -> Point:
        """The options that vary, as ``search`` has them."""
        return tuple(getattr(self.search, axis.name) for axis in self.axes)

    @cached_property
    def plan(self) -> ExperimentPlan:
        """A job for each position and seed, each position once."""
        arm = Arm(self.search.id, self.search, nodes=self.nodes, memory=self.memory,
                  seeds=self.seeds, goal=self.goal, plain=self.plain)
        changes = [] if self.take is None else [f"take={self.take}"]
        plan = plan_of(Experiment(f"tune {self.search.id}", self.positions, [arm], judge=None),
                       changes=changes, seed=self.seed)
        once: dict[tuple[str, int], Cell] = {}
        for cell in plan.cells:  # a position in both halves would not be held out
            once.setdefault((cell.job.question, cell.seed), cell)
        return replace(plan, cells=tuple(once.values()))

    @cached_property
    def halves(self) -> tuple[list[Cell], list[Cell]]:
        """The cells to train on and those held out, split at random by position."""
        names = list(dict.fromkeys((cell.set, cell.id) for cell in self.plan.cells))
        if len(names) < 2:
            raise BadOption("a tuning needs at least two different positions: one half to train "
                            "on, one half held out.")
        chance = random.Random(f"{self.seed}/halves")
        training = set(chance.sample(names, (len(names) + 1) // 2))
        cells = self.plan.cells
        return ([cell for cell in cells if (cell.set, cell.id) in training],
                [cell for cell in cells if (cell.set, cell.id) not in training])

    def names(self, cells: Sequence[Cell]) -> list[str]:
        """The ids of positions, with their set where there are several."""
        several = len(self.plan.experiment.sets) > 1
        return list(dict.fromkeys(f"{c.set}/{c.id}" if several else c.id for c in cells))

    def solved(self, row: Row) -> bool:
        """Return True if a row counts as solved: with a goal such as score, not by its value
        alone."""
        if row["proved"]:
            return bool(row["stopped"] == "solved")
        return bool(self.concluded and row["concluded"])

    def check(self) -> None:
        """Refuse what no job could run, before there is a store."""
        cell = self.halves[0][0]
        Session(self.plan.positions[cell.set, cell.id], self.search, goal=goal_named(self.goal),
                plain=self.plain)


@dataclass
class Tuned:
    """The best on the training half and the default, on both halves.

    Scores are None where the tuning was interrupted before. ``points``: all that was tried.
    ``cost``: the nodes of all jobs that the choice took; ``jobs``: how many they are. ``ran``: how
    many jobs were run now, those for the held-out half included.
    """

    tuning: Tuning
    points: list[dict[str, Any]] = field(default_factory=list)
    best: dict[str, Any] | None = None
    training: TuningScore | None = None
    held_out: TuningScore | None = None
    default_training: TuningScore | None = None
    default_held_out: TuningScore | None = None
    cost: int = 0
    jobs: int = 0
    ran: int = 0
    seconds: float = 0.0
    statuses: dict[str, int] = field(default_factory=dict)
    interrupted: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def default(self) -> dict[str, Any]:
        """The options that vary, as published."""
        return named(self.tuning.axes, self.tuning.default)

    @property
    def nothing_solved(self) -> bool:
        """Return True if no point solved anything, so that the choice means nothing."""
        return not any(point.get("solved") for point in self.points)

    @property
    def ratio(self) -> float | None:
        """The best's held-out score as a part of the default's."""
        if self.held_out is None or self.default_held_out is None:
            return None
        return self.held_out.total / self.default_held_out.total

    @property
    def against_default(self) -> dict[str, int] | None:
        """Count the held-out jobs on which the best takes fewer nodes, as many, and more."""
        if self.held_out is None or self.default_held_out is None:
            return None
        both = list(zip(self.held_out.costs, self.default_held_out.costs, strict=True))
        return {"fewer": sum(a < b for a, b in both), "equal": sum(a == b for a, b in both),
                "more": sum(a > b for a, b in both)}

    @property
    def exit_status(self) -> int:
        """0, or 10 without an answer: interrupted, or nothing was solved."""
        return 10 if self.interrupted or self.nothing_solved else 0

    def to_dict(self) -> dict[str, Any]:
        """Fields of the JSON output."""
        tuning = self.tuning
        training, held_out = (tuning.names(half) for half in tuning.halves)
        return {
            "search": tuning.search.id, "options": tuning.search.options,
            "vary": list(tuning.vary), "strategy": tuning.strategy,
            "nodes": tuning.halves[0][0].job.nodes, "goal": tuning.goal, "plain": tuning.plain,
            "concluded": tuning.concluded, "seeds": tuning.seeds, "seed": tuning.seed,
            "split": {"training": training, "held_out": held_out},
            "best": {"options": self.best, "training": _score(self.training),
                     "held_out": _score(self.held_out)},
            "default": {"options": self.default, "training": _score(self.default_training),
                        "held_out": _score(self.default_held_out)},
            "held_out_ratio": self.ratio, "against_default": self.against_default,
            "cost": {"nodes": self.cost, "jobs": self.jobs, "points": len(self.points)},
            "points": self.points, "ran": self.ran, "seconds": self.seconds,
            "statuses": self.statuses, "interrupted": self.interrupted, "notes": self.notes,
        }


def _score(score: TuningScore | None) -> dict[str, Any] | None:
    return None if score is None else score.to_dict()


def tune(tuning: Tuning, store: Store, *, workers: int | None = None, backend: str = "processes",
         cluster: str | None = None, retry: bool = False, command: str = "",
         progress: ProgressCallback | None = None) -> Tuned:
    """Tune, or continue a tuning; ``cluster``: on the Ray cluster at this address. Ctrl-C ends it
    and keeps finished results."""
    tuning.check()
    tuned = Tuned(tuning)
    with at_work(store, tuning.plan.experiment.title, largest_memory(tuning.plan), workers=workers,
                 backend=backend, cluster=cluster, command=command,
                 progress=_told(tuning, progress)) as pool:
        training, held_out = (Scorer(tuning.search, tuning.axes, half, tuning.solved, store, pool,
                                     retry) for half in tuning.halves)
        try:
            _follow(tuning, training)
        finally:  # also when interrupted
            _choose(tuned, training)
        if tuned.best is None:
            raise BadOption(f"no combination of the options that vary is valid for "
                            f"{tuning.search.id}.")
        _report(tuned, tuple(tuned.best.values()), training, held_out)
    tuned.interrupted, tuned.ran, tuned.seconds = pool.interrupted, pool.ran, pool.seconds
    tuned.notes += pool.hired.notes
    for scorer in (training, held_out):
        for status, number in scorer.statuses.items():
            tuned.statuses[status] = tuned.statuses.get(status, 0) + number
    failed = sum(tuned.statuses.values()) - tuned.statuses.get(DONE, 0)
    if failed:
        tuned.notes.append(f"{counted(failed, 'job')} failed and count as unsolved: "
                           f"{listed(f'{n} {s}' for s, n in tuned.statuses.items() if s != DONE)}")
    return tuned


def _told(tuning: Tuning, progress: ProgressCallback | None) -> ProgressCallback | None:
    """The callback without the remaining time, which only a sweep knows."""
    if progress is None or tuning.strategy == SWEEP:
        return progress

    def tell(state: JobProgress) -> None:
        state.eta = None
        progress(state)

    return tell


def _follow(tuning: Tuning, training: Scorer) -> None:
    """Let the strategy try what it wants; it sees nothing but the training half."""
    if tuning.strategy == SWEEP:
        sweep(tuning.axes, training)
    elif tuning.strategy == CLIMB:
        climb(tuning.axes, tuning.start, training, flat=tuning.flat, up=tuning.up)
    else:
        optuna(tuning.axes, tuning.start, training, trials=tuning.trials,
                          seed=tuning.seed)


def _choose(tuned: Tuned, training: Scorer) -> None:
    """The best on the training half, and what it took to find it."""
    point = training.best(tuned.tuning.default)
    if point is None:
        return
    trial = training.trials[point]
    tuned.best, tuned.training = dict(trial.options), trial.score
    tuned.points = [one.to_dict() for one in training.trials.values()]
    tuned.cost, tuned.jobs = sum(training.spent.values()), len(training.spent)


def _report(tuned: Tuned, best: Point, training: Scorer, held_out: Scorer) -> None:
    """Both scores of the best and of the default; nothing is chosen any more."""
    tuned.held_out = held_out.score(best)
    tuned.default_held_out = held_out.score(tuned.tuning.default)
    tuned.default_training = training.score(tuned.tuning.default)
