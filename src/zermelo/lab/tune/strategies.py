"""Strategies of tuning: which values of the options to try next. They know no search and no job.

A strategy gets axes and ``evaluate(points, limit)``, which returns what each point costs, smaller
is better: infinity where it is above ``limit`` (and was given up there) or no valid combination.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from zermelo.errors import BadOption, quoted
from zermelo.lab.tune.axes import Axis, Point

STRATEGIES = ("climb", "sweep", "optuna")
MOST_POINTS = 100_000
NO_LIMIT = math.inf

Evaluate = Callable[[Sequence[Point], float], list[float]]
Place = tuple[int, ...]  # a point by where its values stand on the axes


def check(strategy: str, axes: Sequence[Axis]) -> None:
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
        return evaluate([_point(axes, place) for place in places], limit) if places else []

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


def _point(axes: Sequence[Axis], place: Place) -> Point:
    return tuple(axis.values[i] for axis, i in zip(axes, place, strict=True))


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
