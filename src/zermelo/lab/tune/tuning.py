"""Tuning: choose options of a search on one half of the positions, report them on the other.

All evaluations are jobs in the store. Strategies decide by results alone, so a tuning that was
killed repeats its decisions, finds what it had, and goes on.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from zermelo.errors import BadOption, check_whole, counted, listed
from zermelo.jobs.hire import environment, hire
from zermelo.jobs.store import Row, Store
from zermelo.jobs.work import DONE
from zermelo.jobs.workers import JobProgress, ProgressCallback, Workers
from zermelo.lab.experiment import MEMORY, Arm, Experiment, Positions
from zermelo.lab.plan import Cell, ExperimentPlan, plan_of
from zermelo.lab.run import largest_memory
from zermelo.lab.tune import strategies
from zermelo.lab.tune.score import Scorer, TuningScore
from zermelo.lab.tune.strategies import Axis, Point, axes_of, named
from zermelo.search.base import Search
from zermelo.solving.result import goal_named
from zermelo.solving.session import Session

NODES = 1_000_000
CLIMB, SWEEP, _ = strategies.STRATEGIES


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
        strategies.check(self.strategy, self.axes)
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
        """On how many held-out jobs the best takes fewer nodes, as many, and more."""
        if self.held_out is None or self.default_held_out is None:
            return None
        both = list(zip(self.held_out.costs, self.default_held_out.costs, strict=True))
        return {"fewer": sum(a < b for a, b in both), "equal": sum(a == b for a, b in both),
                "more": sum(a > b for a, b in both)}

    @property
    def exit_status(self) -> int:
        """0, or 10 where there is no answer: interrupted, or nothing was solved."""
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
    began = time.monotonic()
    tuning.check()
    hired = hire(largest_memory(tuning.plan), workers, backend, cluster)
    store.begin(tuning.plan.experiment.title, command,
                {**environment(), "workers": hired.count, "backend": hired.name})
    pool = Workers(store, hired, _told(tuning, progress), began)
    training, held_out = (Scorer(tuning.search, tuning.axes, half, tuning.solved, store, pool,
                                 retry) for half in tuning.halves)
    tuned = Tuned(tuning)
    try:
        _follow(tuning, training)
        _choose(tuned, training)
        if tuned.best is None:
            raise BadOption(f"no combination of the options that vary is valid for "
                            f"{tuning.search.id}.")
        _report(tuned, tuple(tuned.best.values()), training, held_out)
    except KeyboardInterrupt:
        tuned.interrupted = True
        _choose(tuned, training)
    finally:
        hired.crew.close()
        store.end()
    tuned.ran, tuned.seconds = pool.ran, time.monotonic() - began
    tuned.notes += hired.notes
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
        strategies.sweep(tuning.axes, training)
    elif tuning.strategy == CLIMB:
        strategies.climb(tuning.axes, tuning.start, training, flat=tuning.flat, up=tuning.up)
    else:
        strategies.optuna(tuning.axes, tuning.start, training, trials=tuning.trials,
                          seed=tuning.seed)


def _choose(tuned: Tuned, training: Scorer) -> None:
    """The best on the training half, and what it took to find it; once."""
    point = training.best(tuned.tuning.default)
    if tuned.best is not None or point is None:
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
