"""Parameters chosen position by position in hindsight, on another half, or by climbing.

A search with parameters is a family of arms. Published comparisons often take the best of them for
each position, after the fact; these columns put beside it what one setting does that was chosen on
other positions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from statistics import mean
from typing import Any

from zermelo.errors import counted
from zermelo.lab.results import Made, Results
from zermelo.lab.statistics import ratio_of_means
from zermelo.lab.tune import Axis, climb

__all__ = ["Family", "against", "best_of", "better_unseen", "climbed", "each_position", "hindsight",
           "measured", "roughness", "unseen"]

SPLITS, SEED, WORST = 100, 2019, 2.0
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
    """``what`` of each position under each arm, where all of them were run: nodes, where unsolved
    is twice the limit; spent, the nodes as they are; or a counter such as seesaw."""
    found: Numbers = {}
    for entry in entries:
        if entry.row is not None and entry.cell.arm in arms:
            counted = {**entry.row["counters"], "nodes": entry.row["nodes"],
                       "spent": entry.row["nodes"]}
            value = counted.get(what, 0)
            if what == "nodes" and not entry.row["proved"]:
                value = WORST * (entry.cell.job.nodes or value)
            found.setdefault(entry.cell.id, {})[entry.cell.arm] = float(value)
    return {id: row for id, row in found.items() if len(row) == len(arms)}


def percent_fewer(values: Sequence[float], base: Sequence[float]) -> float | None:
    """Saving in per cent of ``base``, as a ratio of means."""
    return 100.0 * (1 - sum(values) / sum(base)) if sum(base) else None


def best_of(family: Family, what: str, entries: Sequence[Any]) -> dict[str, tuple[float, float]]:
    """By position: what it has under the arm with the fewest nodes there, and under the base."""
    arms = family.arms(entries)
    every = {family.base, *arms}
    nodes, rows = measured(entries, "nodes", every), measured(entries, what, every)
    return {id: (rows[id][min(arms, key=row.__getitem__)], rows[id][family.base])
            for id, row in nodes.items()}


def hindsight(family: Family, what: str, percent: bool = False) -> Callable[[Any], Any]:
    """The mean with the arm that has the fewest nodes on each position."""
    def column(entries: Sequence[Any]) -> float | None:
        found = best_of(family, what, entries)
        if not found:
            return None
        best, base = (list(some) for some in zip(*found.values(), strict=True))
        return percent_fewer(best, base) if percent else mean(best)

    return column


def against(one: Family, other: Family, what: str, entries: Sequence[Any],
            ids: Collection[str] | None = None) -> list[tuple[float, float]]:
    """By position, both families at their best in hindsight."""
    first, second = (best_of(family, what, entries) for family in (one, other))
    return [(first[id][0], second[id][0]) for id in first
            if id in second and (ids is None or id in ids)]


def roughness(family: Family, what: str, entries: Sequence[Any]) -> dict[str, float]:
    """By position: how much the logarithm of a number changes from one parameter to the next, the
    mean over neighbours, which differ in the last parameter by one step."""
    arms = family.grid(entries)
    labels = {e.cell.arm: tuple(e.arm.labels.values()) for e in entries if e.cell.arm in arms}
    ordered = sorted(labels, key=labels.__getitem__)
    steps = [(one, two) for one, two in pairwise(ordered) if labels[one][:-1] == labels[two][:-1]]
    return {id: mean(abs(log(row[two] / row[one])) for one, two in steps)
            for id, row in measured(entries, what, arms).items()} if steps else {}


def _unseen(rows: Numbers, nodes: Numbers, arms: Sequence[str]) -> dict[str, float]:
    """Of each position what it has under the arm with the fewest nodes on a half of the others,
    the mean over SPLITS random halves."""
    ids, rng = sorted(nodes), random.Random(SEED)
    found = dict.fromkeys(ids, 0.0)
    for _ in range(SPLITS):
        rng.shuffle(ids)
        halves = ids[::2], ids[1::2]
        for mine, other in (halves, halves[::-1]):
            best = min(arms, key=lambda arm: sum(nodes[id][arm] for id in other))
            for id in mine:
                found[id] += rows[id][best] / SPLITS
    return found


def unseen(family: Family, what: str, percent: bool = False,
           interval: bool = False) -> Callable[[Any], Any]:
    """The mean with one arm for each half of the positions, chosen on the other half."""
    def column(entries: Sequence[Any]) -> Any:
        arms = family.arms(entries)
        every = {family.base, *arms}
        nodes, rows = measured(entries, "nodes", every), measured(entries, what, every)
        if len(nodes) < 2:
            return None
        values, base = _unseen(rows, nodes, arms), [rows[id][family.base] for id in nodes]
        pairs = list(zip((values[id] for id in nodes), base, strict=True))
        if interval:
            found = ratio_of_means(pairs)
            return found and f"{100 - found.high:.0f} to {100 - found.low:.0f}"
        mine = [value for value, _ in pairs]
        return percent_fewer(mine, base) if percent else mean(mine)

    return column


def better_unseen(entries: Sequence[Any], one: Family,
                  other: Family) -> tuple[float, float, float] | None:
    """Nodes of ``one`` in per cent of those of ``other``, both unseen, with the interval."""
    arms = [family.arms(entries) for family in (one, other)]
    nodes = measured(entries, "nodes", [*dict.fromkeys(arms[0] + arms[1])])
    if len(nodes) < 2:
        return None
    values, base = (_unseen(nodes, nodes, mine) for mine in arms)
    found = ratio_of_means([(values[id], base[id]) for id in nodes])
    return None if found is None else found[:3]


def climbed(family: Family, what: str) -> Callable[[Any], Any]:
    """Hill climbing over the family's grid, position by position: ``nodes`` of the best point that
    it tried, how far ``above`` hindsight, how many it ``tried`` and the nodes it ``spent``."""
    def column(entries: Sequence[Any]) -> float | None:
        nodes, ends = measured(entries, "nodes", family.grid(entries)), _ends(family, entries)
        if not ends:
            return None
        best = mean(min(row.values()) for row in nodes.values())
        reached, tried, spent = (mean(column) for column in zip(*ends.values(), strict=True))
        numbers: dict[str, float] = {"nodes": reached, "above": 100.0 * (reached / best - 1),
                                     "tried": tried, "spent": spent}
        return numbers[what]

    return column


def _ends(family: Family, entries: Sequence[Any]) -> dict[str, tuple[float, int, float]]:
    """By position: the best point of hill climbing, the points tried, and the nodes spent."""
    arms = family.grid(entries)
    nodes, spent = (measured(entries, what, arms) for what in ("nodes", "spent"))
    labels = {e.cell.arm: e.arm.labels for e in entries if e.cell.arm in arms}
    if not nodes or not labels:
        return {}
    points = {tuple(label.values()): arm for arm, label in labels.items()}
    axes = [Axis(name, tuple(sorted({point[at] for point in points})))
            for at, name in enumerate(next(iter(labels.values())))]
    return {id: _climb(axes, {point: (row[arm], spent[id][arm]) for point, arm in points.items()})
            for id, row in nodes.items()}


def each_position(title: str, families: Sequence[Family],
                  note: str = "") -> Callable[[Results], Made]:
    """A table: a row for each position, the base beside the best of each family; the first family
    is climbed too."""
    header = ["position", families[0].base, *(family.name for family in families), "climbed"]

    def make(results: Results) -> Made:
        entries = results.select()
        arms = [family.arms(entries) for family in families]
        every = {families[0].base, *(arm for some in arms for arm in some)}
        nodes, seesaw = (measured(entries, what, every) for what in ("nodes", "seesaw"))
        solved = {(e.cell.id, e.cell.arm) for e in entries if e.row and e.row["proved"]}
        ends = _ends(families[0], entries)

        def told(id: str, arm: str, parameters: str) -> str:
            """Nodes / seesaw, and the parameters."""
            known = f"{nodes[id][arm]:,.0f}" if (id, arm) in solved else "(no)"
            return f"{known} / {seesaw[id][arm]:,.0f}{parameters and f' ({parameters})'}"

        rows = []
        for id, row in nodes.items():
            best = [min(some, key=row.__getitem__) for some in arms]
            cells = [told(id, arm, arm.removeprefix(family.prefix))
                     for arm, family in zip(best, families, strict=True)]
            reached, tried, _ = ends[id]
            rows.append([id, told(id, families[0].base, ""), *cells,
                         f"{reached:,.0f} ({counted(tried, 'point')})"])
        return Made(title, header, rows, note)

    return make


def _climb(axes: Sequence[Axis],
           grid: dict[Any, tuple[float, float]]) -> tuple[float, int, float]:
    """The least nodes found on the way, the points tried, and the nodes that took; ``grid`` has
    for each point its nodes, and what finding that out takes."""
    tried: dict[Any, float] = {}
    spent = 0.0

    def evaluate(points: Sequence[Any], limit: float) -> list[float]:
        nonlocal spent
        found = []
        for point in points:
            value, price = grid[tuple(point)]
            if tuple(point) not in tried:  # limits only fall: later there is nothing more to pay
                spent += min(price, limit)
            tried[tuple(point)] = value
            found.append(value if value <= limit else float("inf"))
        return found

    climb(axes, tuple(axis.values[0] for axis in axes), evaluate, up=True)
    return min(tried.values()), len(tried), spent
