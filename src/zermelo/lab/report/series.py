"""The points of figures."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from itertools import product
from typing import Any

from zermelo.lab import columns
from zermelo.lab.columns import Entry, interval
from zermelo.lab.experiment import Arm, Figure, Positions
from zermelo.lab.results import Results
from zermelo.lab.statistics import Interval, share

Points = list[tuple[float, float]]
MOST_POINTS = 400
PER_DECADE = 20  # points of an error rate over a logarithmic axis
LEAST = 1e-4  # what takes no time at all has no logarithm


def chosen(results: Results, figure: Figure, arm: str | None = None) -> list[Entry]:
    """The results that the figure is about, of one arm or of all."""
    return [entry for entry in results.entries
            if entry.row is not None and arm in (None, entry.cell.arm)
            and (not figure.arms or entry.cell.arm in figure.arms)
            and (not figure.sets or entry.cell.set in figure.sets)]


def labels_of(arm: Arm, one: Positions) -> dict[str, Any]:
    """Properties that series are told apart by: arm, set, their labels and options."""
    return {**arm.search.all_options, **arm.labels, **one.labels,
            "arm": arm.name, "set": one.name, "search": arm.search.id}


def over_label(results: Results, figure: Figure) -> dict[str, Points]:
    """Column ``y``, or each of several, for each value of the label ``x``, by series."""
    found = {}
    for name, column, by_x in _grouped(results, figure):
        points = [(x, columns.value(column, results, by_x[x], _one_set(figure),
                                    among=figure.arms)) for x in sorted(by_x)]
        found[name] = [(x, y) for x, y in points if y is not None]
    return {name: points for name, points in found.items() if points}


def spread_over_label(results: Results, figure: Figure) -> dict[str, dict[float, Interval]]:
    """The intervals of the same points, of those that have one."""
    found: dict[str, dict[float, Interval]] = {}
    for name, column, by_x in _grouped(results, figure):
        spreads = ((x, interval(column, results, by_x[x], _one_set(figure), among=figure.arms))
                   for x in by_x)
        found[name] = {x: one for x, one in spreads if one is not None}
    return found


def _one_set(figure: Figure) -> str | None:
    """The set on which another arm is looked up: the figure's own, if it has one."""
    return figure.sets[0] if len(figure.sets) == 1 else None


def _grouped(results: Results, figure: Figure) -> list[tuple[str, str, dict[float, list[Entry]]]]:
    """(series, column, entries by ``x``)."""
    wanted = figure.ys or {"": figure.y}
    groups: dict[str, dict[float, list[Entry]]] = defaultdict(lambda: defaultdict(list))
    sets = {one.name: one for one in results.plan.experiment.sets}
    for entry in chosen(results, figure):
        labels = labels_of(entry.arm, sets[entry.cell.set])
        x = labels.get(figure.x)
        if isinstance(x, int | float):
            groups[name_of(figure.series, labels)][x].append(entry)
    return [(joined(name, called, len(groups)), column, by_x)
            for (name, by_x), (called, column) in product(groups.items(), wanted.items())]


def joined(name: str, called: str, groups: int) -> str:
    """Name of a series: its group, where there are several, and its column."""
    return ", ".join(filter(None, [name if groups > 1 or not called else "", called]))


def plain(value: float) -> str:
    """A number as people write it, 0.00001 rather than 1e-05."""
    short = f"{value:,.6g}"
    return f"{value:.10f}".rstrip("0") if "e-" in short and abs(value) >= 1e-6 else short


def name_of(wanted: str, labels: dict[str, Any]) -> str:
    """The series: ``arm``, ``set``, or an option with its value; several with commas between."""
    if ", " in wanted:
        return ", ".join(name_of(one, labels) for one in wanted.split(", "))
    value = labels.get(wanted, "all")
    if wanted in ("arm", "set", "search", "game") or value == "all":
        return str(value)
    shown = "none" if value is None else plain(value) if isinstance(value, float) else value
    return f"{wanted} = {shown}"


def cactus(results: Results, figure: Figure, x: str) -> dict[str, Points]:
    """By arm: how many were concluded within each number of ``x``, in steps."""
    entries, found = chosen(results, figure), {}
    for arm in results.plan.arms:
        mine = [(max(number, LEAST), bool(entry.row and entry.row["concluded"]))
                for entry in entries if entry.cell.arm == arm.name
                and (number := columns.number_of(entry, x)) is not None]
        costs = sorted(number for number, concluded in mine if concluded)
        if costs:
            # From nothing, and on to where the search was stopped.
            steps = [(number, float(count)) for count, number in enumerate(costs, 1)]
            found[arm.name] = [(costs[0], 0.0), *steps, (max(mine)[0], float(len(costs)))]
    return found


def several_seeds(results: Results) -> bool:
    """Return True if an arm searched positions more than once."""
    return len({entry.cell.seed for entry in results.entries}) > 1


def traces(results: Results, figure: Figure) -> dict[tuple[str, str], Points]:
    """By arm, or by what each of several numbers is called, and by position and seed where there
    are several: a number over iterations."""
    found = {}
    entries = chosen(results, figure)
    several = len({(entry.cell.set, entry.cell.id) for entry in entries}) > 1
    seeds = len({entry.cell.seed for entry in entries}) > 1
    arms = len({entry.cell.arm for entry in entries}) > 1
    for (called, name), entry in product((figure.ys or {"": figure.y}).items(), entries):
        points = [(float(sample["iterations"]), sample["root"].get(name))
                  for sample in (entry.row or {}).get("trace", ())]
        kept = [(x, float(y)) for x, y in points
                if isinstance(y, int | float) and (figure.most is None or x <= figure.most)]
        if kept:
            which = [f"id {entry.cell.id}"] * several + [f"seed {entry.cell.seed}"] * seeds
            words = ([entry.cell.arm] if arms or not called else []) + ([called] if called else [])
            found[", ".join(words), ", ".join(which)] = _thinned(kept)
    return found


def _thinned(points: Points) -> Points:
    """Enough points for a figure, the last one included."""
    step = max(1, len(points) // MOST_POINTS)
    return points[::step] + ([points[-1]] if (len(points) - 1) % step else [])


def error_rates(results: Results, figure: Figure) -> dict[str, Points]:
    """By arm: the share of positions whose chosen move does not win although one does.

    A position that is not won counts as no error; a solved one keeps its move. An iteration is
    ``unit`` of the search's own.
    """
    by_arm: dict[str, list[Entry]] = defaultdict(list)
    for entry in chosen(results, figure):
        if entry.known is not None and (entry.known != "win" or entry.good_moves is not None):
            by_arm[entry.cell.arm].append(entry)
    return {arm: points for arm, entries in by_arm.items()
            if (points := _error_rate(entries, figure))}


def _error_rate(entries: list[Entry], figure: Figure) -> Points:
    samples = [[(sample["iterations"] / e.unit, sample["move"]) for sample in e.row["trace"]]
               for e in entries if e.row is not None]
    if not any(samples):
        return []
    last = max(some[-1][0] for some in samples if some)
    last = last if figure.most is None else min(last, figure.most)
    step = min(some[0][0] for some in samples if some)
    grid = [step * i for i in range(1, int(last / step) + 1)]
    thinned = [x for x, _ in _thinned([(x, 0.0) for x in grid])]
    if figure.log_x:  # as many in each decade
        wanted = [10 ** (place / PER_DECADE) for place in range(PER_DECADE * 7)]
        thinned = sorted({grid[min(round(x / step), len(grid)) - 1] for x in wanted
                          if step <= x <= last} | {grid[-1]}) if grid else []
    return [(x, sum(wrong_at(e, some, x) for e, some in zip(entries, samples, strict=True))
             / len(entries)) for x in thinned]


def error_spread(results: Results, figure: Figure, arm: str,
                 points: Points) -> list[tuple[float, float]]:
    """The bounds of error rates, by Wilson."""
    many = sum(entry.known is not None and (entry.known != "win" or entry.good_moves is not None)
               for entry in chosen(results, figure, arm))
    spreads = (share(round(rate * many), many) for _, rate in points)
    return [(one.low / 100, one.high / 100) for one in spreads if one is not None]


def wrong_at(entry: Entry, samples: list[tuple[float, str | None]], x: float) -> bool:
    """Return True if the move chosen after ``x`` iterations loses a win."""
    if entry.known != "win" or entry.row is None:
        return False
    at = bisect_right(samples, x, key=lambda sample: sample[0]) - 1
    over = entry.row["iterations"] / entry.unit <= x
    move = entry.row["move"] if over and entry.row["concluded"] else \
        samples[at][1] if at >= 0 else None
    return move not in (entry.good_moves or ())
