"""Which values of the options a tuning tries: the axes, and strategies that choose points on them.

An axis is an option of a search and its values, from words such as ``E=1..20``:

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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal, InvalidOperation
from itertools import product
from typing import Any

from zermelo.errors import BadOption, listed, quoted
from zermelo.jobs.job import with_options
from zermelo.search.base import Search

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
        texts, stepped = _range(word, text, _is_whole(search, name))
        real = not stepped
    else:
        texts = [part.strip() for part in text.split(",")]
    values = tuple(_valid(search, name, one) for one in texts)
    if len(values) < 2 or len(set(values)) < len(values):
        raise BadOption(f"--vary {quoted(word)} needs two or more values, all different.")
    return Axis(name, values, real)


def _valid(search: Search, name: str, text: str) -> Any:
    """The value as the search takes it, by itself: it may not fit the other options as they are.

    The search says what is not valid.
    """
    for item in fields(search):
        if item.name == name:
            return search._checked(item, text)
    return with_options(search, {name: text})


def _is_whole(search: Search, name: str) -> bool:
    return any(item.name == name and type(item.default) is int for item in fields(search))


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
