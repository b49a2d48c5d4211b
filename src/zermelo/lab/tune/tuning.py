"""What a tuning is about: a search, the options to vary, and positions in two halves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from zermelo.errors import BadOption, check_whole
from zermelo.jobs.store import Row
from zermelo.lab.experiment import MEMORY, Arm, Experiment, Positions
from zermelo.lab.plan import Cell, Plan, plan_of
from zermelo.lab.tune import strategies
from zermelo.lab.tune.axes import Axis, Point, axes_of
from zermelo.search.base import Search
from zermelo.solving.session import Session

NODES = 1_000_000
CLIMB, SWEEP, _ = strategies.STRATEGIES


@dataclass(frozen=True)
class Tuning:
    """What to tune. ``vary``: words such as ``E=1..20``. ``search`` gives all other options, and
    where climbing starts.

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
    def plan(self) -> Plan:
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
        """Whether a row counts as solved: with a goal such as score, not by its value alone."""
        if row["proved"]:
            return bool(row["stopped"] == "solved")
        return bool(self.concluded and row["concluded"])

    def check(self) -> None:
        """Refuse what no job could run, before there is a store."""
        cell = self.halves[0][0]
        Session(self.plan.positions[cell.set, cell.id], self.search, goal=self.goal,
                plain=self.plain)
