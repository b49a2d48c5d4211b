"""Parameters chosen position by position in hindsight, on another half, or by climbing.

A search with parameters is a family of arms. Published comparisons often take the best of them for
each position, after the fact; these columns put beside it what one setting does that was chosen on
other positions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

from zermelo.lab.strategies import climb
from zermelo.lab.vary import Axis

RESAMPLINGS, SEED, WORST = 2_000, 2019, 2.0
Numbers = dict[str, dict[str, float]]  # by position, then by arm


@dataclass(frozen=True)
class Family:
    """The arms whose names begin with ``prefix``; they are compared with the arm ``base``, which
    is one of the settings to choose from where ``holds_base``."""

    name: str
    prefix: str
    base: str
    holds_base: bool = True

    def grid(self, entries: Sequence[Any]) -> list[str]:
        """The names that begin with ``prefix``, in the order of the experiment."""
        names = dict.fromkeys(entry.cell.arm for entry in entries)
        return [name for name in names if name.startswith(self.prefix)]

    def arms(self, entries: Sequence[Any]) -> list[str]:
        """The arms to choose from; the base is the first of them."""
        return [self.base] * self.holds_base + self.grid(entries)


def measured(entries: Sequence[Any], what: str, arms: Collection[str]) -> Numbers:
    """``what`` (nodes or seesaw) of each position under each arm, where all of them were run."""
    found: Numbers = {}
    for entry in entries:
        if entry.row is not None and entry.cell.arm in arms:
            value = entry.row["nodes"] if what == "nodes" else entry.row["counters"].get(what, 0)
            if what == "nodes" and not entry.row["proved"]:
                value = WORST * (entry.cell.job.nodes or value)
            found.setdefault(entry.cell.id, {})[entry.cell.arm] = float(value)
    return {id: row for id, row in found.items() if len(row) == len(arms)}


def percent_fewer(values: Sequence[float], base: Sequence[float]) -> float | None:
    """How much less, in per cent of ``base``, as a ratio of means."""
    return 100.0 * (1 - sum(values) / sum(base)) if sum(base) else None


def hindsight(family: Family, what: str, percent: bool = False) -> Callable[[Any], Any]:
    """The mean with the arm that has the fewest nodes on each position."""
    def column(entries: Sequence[Any]) -> float | None:
        arms = family.arms(entries)
        every = {family.base, *arms}
        nodes, rows = measured(entries, "nodes", every), measured(entries, what, every)
        if not nodes:
            return None
        best = [rows[id][min(arms, key=row.__getitem__)] for id, row in nodes.items()]
        base = [rows[id][family.base] for id in nodes]
        return percent_fewer(best, base) if percent else mean(best)

    return column


def _chosen_unseen(nodes: Numbers, arms: Sequence[str]) -> dict[str, str]:
    """For each position the arm that has the fewest nodes on the half it is not in.

    Halves are drawn: every other position of a set that goes by turns through its grades would be
    a half of one grade.
    """
    ids = sorted(nodes)
    random.Random(SEED).shuffle(ids)
    halves = ids[::2], ids[1::2]
    found: dict[str, str] = {}
    for mine, other in (halves, halves[::-1]):
        if other:
            best = min(arms, key=lambda arm: sum(nodes[id][arm] for id in other))
            found |= dict.fromkeys(mine, best)
    return found


def unseen(family: Family, what: str, percent: bool = False,
           interval: bool = False) -> Callable[[Any], Any]:
    """The same with one arm for each half, chosen on the other."""
    def column(entries: Sequence[Any]) -> Any:
        arms = family.arms(entries)
        every = {family.base, *arms}
        nodes, rows = measured(entries, "nodes", every), measured(entries, what, every)
        if len(nodes) < 2:
            return None
        chosen = _chosen_unseen(nodes, arms)
        pairs = [(rows[id][chosen[id]], rows[id][family.base]) for id in nodes]
        if interval:
            low, high = _interval(pairs)
            return f"{100 - high:.0f} to {100 - low:.0f}"
        values, base = zip(*pairs, strict=True)
        return percent_fewer(values, base) if percent else mean(values)

    return column


def _interval(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The middle 95 % of the ratio of means, in per cent, over resampled positions."""
    rng, ratios = random.Random(SEED), list[float]()
    for _ in range(RESAMPLINGS):
        drawn = rng.choices(pairs, k=len(pairs))
        whole = sum(base for _, base in drawn)
        ratios.append(100.0 * sum(value for value, _ in drawn) / whole if whole else 100.0)
    ratios.sort()
    return ratios[RESAMPLINGS // 40], ratios[-1 - RESAMPLINGS // 40]


def better_unseen(entries: Sequence[Any], one: Family,
                  other: Family) -> tuple[float, float, float] | None:
    """Nodes of ``one`` in per cent of those of ``other``, both unseen, with the interval."""
    arms = [family.arms(entries) for family in (one, other)]
    nodes = measured(entries, "nodes", [*dict.fromkeys(arms[0] + arms[1])])
    if len(nodes) < 2:
        return None
    chosen = [_chosen_unseen(nodes, mine) for mine in arms]
    pairs = [(row[chosen[0][id]], row[chosen[1][id]]) for id, row in nodes.items()]
    values, base = zip(*pairs, strict=True)
    return 100.0 * sum(values) / sum(base), *_interval(pairs)


def climbed(family: Family, what: str) -> Callable[[Any], Any]:
    """Hill climbing over the family's grid, position by position: ``nodes`` of the best point that
    it tried, how far ``above`` hindsight, how many it ``tried`` and the nodes it ``spent``."""
    def column(entries: Sequence[Any]) -> float | None:
        arms = family.grid(entries)
        nodes = measured(entries, "nodes", arms)
        points = {tuple(e.arm.labels.values()): e.cell.arm for e in entries if e.cell.arm in arms}
        if not nodes or not points:
            return None
        names = list(next(e.arm.labels for e in entries if e.cell.arm in arms))
        axes = [Axis(name, tuple(sorted({point[at] for point in points})))
                for at, name in enumerate(names)]
        ends = [_climb(axes, {point: row[arm] for point, arm in points.items()})
                for row in nodes.values()]
        best = mean(min(row.values()) for row in nodes.values())
        reached, tried, spent = (mean(column) for column in zip(*ends, strict=True))
        numbers: dict[str, float] = {"nodes": reached, "above": 100.0 * (reached / best - 1),
                                     "tried": tried, "spent": spent}
        return numbers[what]

    return column


def _climb(axes: Sequence[Axis], nodes: dict[Any, float]) -> tuple[float, int, float]:
    """The least nodes found on the way, the points tried, and the nodes that took."""
    tried: dict[Any, float] = {}
    spent = 0.0

    def evaluate(points: Sequence[Any], limit: float) -> list[float]:
        nonlocal spent
        found = []
        for point in points:
            value = nodes[tuple(point)]
            if tuple(point) not in tried:  # limits only fall: later there is nothing more to pay
                spent += min(value, limit)
            tried[tuple(point)] = value
            found.append(value if value <= limit else float("inf"))
        return found

    climb(axes, tuple(axis.values[0] for axis in axes), evaluate, up=True)
    return min(tried.values()), len(tried), spent
