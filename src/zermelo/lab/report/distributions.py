"""Figures of what games came to: histograms of a number, and a number for each set; and
calibration, which compares p of the root with the share of positions that are won."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from zermelo.lab import columns
from zermelo.lab.columns import interval
from zermelo.lab.experiment import Figure
from zermelo.lab.report import series
from zermelo.lab.report.drawing import dot
from zermelo.lab.report.looks import looks_in
from zermelo.lab.report.style import BESIDE, HATCHES, PALE, PUBLISHED
from zermelo.lab.report.tables import Made
from zermelo.lab.results import Results
from zermelo.lab.statistics import Interval, share

# Bins of p: close together near 0 and 1, where conclusions are drawn.
EDGES = (0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999)


class Bin(NamedTuple):
    """The positions whose p lies in a range: the mean of p, and how many are won."""

    low: float
    high: float
    p: float
    won: Interval


def root_values(results: Results, arm: str, game: str | None = None) -> list[tuple[float, bool]]:
    """p of the root, and whether the position is won, where both are known and nothing is proved by
    the search itself."""
    found = []
    for entry in results.select(arm):
        p = None if entry.row is None else entry.row.get("root", {}).get("p")
        if (p is not None and entry.known is not None and not entry.row["proved"]  # type: ignore[index]
                and game in (None, results.labels(entry).get("game"))):
            found.append((float(p), entry.known == "win"))
    return found


def bins(some: Sequence[tuple[float, bool]]) -> list[Bin]:
    """The positions by their p, in bins that have any."""
    groups: list[list[tuple[float, bool]]] = [[] for _ in range(len(EDGES) + 1)]
    for p, won in some:
        groups[bisect_right(EDGES, p)].append((p, won))
    found = []
    for low, high, group in zip((0.0, *EDGES), (*EDGES, 1.0), groups, strict=True):
        if (part := share(sum(won for _, won in group), len(group))) is not None:
            found.append(Bin(low, high, sum(p for p, _ in group) / len(group), part))
    return found


def calibration(arm: str, games: Sequence[str]) -> Callable[[Any], Made]:
    """A table: a row for each game and bin."""
    def make(results: Results) -> Made:
        rows = [[game, f"{one.low:g} to {one.high:g}", f"{one.p:.4f}", f"{one.won.many}",
                 f"{one.won.value:.1f}", f"{one.won.low:.1f} to {one.won.high:.1f}"]
                for game in games for one in bins(root_values(results, arm, game))]
        return Made(f"Calibration: {arm}",
                    ["game", "p", "mean p", "positions", "won %", "95 %"], rows,
                    "Positions that the search had not proved by then; the truth by proof.")

    return make


BINS = 40
WIDEST = 0.8  # of the room of a set, for the dots of its arms
TOLD = 2  # arms whose numbers have room beside their dots


def samples(results: Results, figure: Figure) -> dict[str, list[float]]:
    """By what each series is called, its numbers: ``ys`` names number and set."""
    found = {}
    for called, what in figure.ys.items():
        name, _, group = what.partition(" of ")
        numbers = [number for entry in series.chosen(results, figure)
                   if entry.cell.set == group
                   and (number := columns.number_of(entry, name)) is not None]
        if numbers:
            found[called] = numbers
    return found


def histogram(results: Results, figure: Figure, axes: Any) -> bool:
    """How many positions have which number, the kinds beside each other."""
    found = samples(results, figure)
    if not found:
        return False
    edges = edges_of([number for numbers in found.values() for number in numbers])
    look = looks_in(results, figure)
    for number, (called, numbers) in enumerate(found.items()):
        colour = look[called].colour
        axes.hist(numbers, bins=edges, label=f"{called} ({len(numbers)})", histtype="stepfilled",
                  facecolor=(colour, 0.4), hatch=HATCHES[number % 8], edgecolor=colour,
                  hatch_linewidth=0.4, linewidth=1.0)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.legend(loc="upper right")
    axes.set_xlabel(figure.x_label or figure.title)
    axes.set_ylabel(figure.y_label or "positions")
    return True


def edges_of(numbers: list[float]) -> list[float]:
    """Where bins of the same width begin and the last ends; it holds the largest number, whatever
    rounding makes of the width."""
    low, high = min(numbers), max(numbers)
    width = (high - low) / BINS or 1.0
    return [*(low + width * i for i in range(BINS)), max(high, low + width * BINS)]


def by_set(results: Results, figure: Figure, axes: Any) -> bool:
    """A column for each set, a dot for each arm with its interval, where it has one; ranges that
    were published lie behind. The numbers of a few arms stand beside their dots."""
    arms = [arm.name for arm in results.plan.arms if not figure.arms or arm.name in figure.arms]
    sets = [one.name for one in results.plan.experiment.sets
            if not figure.sets or one.name in figure.sets]
    measured = [[columns.value(figure.y, results, results.select(arm, one), one) for one in sets]
                for arm in arms]
    if all(number is None for row in measured for number in row):
        return False
    for low, high in figure.published.values():
        axes.axhspan(low, high, color=PALE, zorder=0)
    width, look = WIDEST / max(len(arms), 2), looks_in(results, figure)
    most = [max((value for value in some if value is not None), default=None)
            for some in zip(*measured, strict=True)]
    for number, (arm, row) in enumerate(zip(arms, measured, strict=True)):
        for place, (one, value) in enumerate(zip(sets, row, strict=True)):
            if value is not None:
                at = place + (number - (len(arms) - 1) / 2) * width
                dot(axes, at, value, interval(figure.y, results, results.select(arm, one), one),
                    look[arm], columns.text(value) if len(arms) <= TOLD else "",
                    (0, 5 if value == most[place] else -5))
        axes.plot([], [], linestyle="", label=arm, **look[arm].marks)
    axes.hlines(0, -0.5, len(sets) - 0.5, color="#000000", linewidth=0.8)
    axes.set_xticks(range(len(sets)), sets, rotation=25, ha="right")
    axes.set_xlim(-0.8, len(sets) - 0.2)
    axes.grid(visible=False, axis="x")
    axes.margins(y=0.12)
    if len(arms) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    axes.set_ylabel(figure.y_label or columns.heading(figure.y))
    return True


def groups_of(results: Results, figure: Figure) -> list[str]:
    """The values of the label that a calibration is by."""
    return list(dict.fromkeys(str(results.labels(entry).get(figure.series))
                              for entry in series.chosen(results, figure)))


def calibrated(results: Results, figure: Figure, axes: Any, only: Sequence[str]) -> bool:
    """The share of won positions over p, with intervals; on the diagonal p is as sure as it says.

    Other groups are pale behind.
    """
    groups = groups_of(results, figure)
    look = looks_in(results, figure, groups)
    for group in groups:
        found = [one for arm in figure.arms for one in bins(root_values(results, arm, group))]
        xs, ys = [one.p for one in found], [one.won for one in found]
        if group not in only:
            axes.plot(xs, [y.value for y in ys], color=BESIDE, linewidth=0.9, zorder=1)
            continue
        axes.errorbar(xs, [y.value for y in ys], **look[group].marks, linestyle=look[group].dash,
                      yerr=[[y.value - y.low for y in ys], [y.high - y.value for y in ys]],
                      capsize=2, elinewidth=0.8)
        axes.set_title(group, loc="left", fontsize=9)
    axes.plot([0, 1], [0, 100], color=PUBLISHED, linewidth=1.0, zorder=0)
    axes.set_xlabel(figure.x_label)
    axes.set_ylabel(figure.y_label)
    return True
