"""Figures for a paper: SVG and PNG by Matplotlib, labelled, and clear without colours too.

Everything that has an interval of 95 % is drawn with it. A search has one colour and one mark in
all figures (see ``style``). More than eight series are spread over panels, in each of which the
others stand pale behind.
"""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from zermelo.lab import columns, series
from zermelo.lab.columns import TIMES, interval
from zermelo.lab.contest import SECONDS, contest_of, duel_of, profile
from zermelo.lab.experiment import Figure
from zermelo.lab.results import Made, Results, caveat, titled
from zermelo.lab.series import (
    BESIDE,
    HATCHES,
    MOST_SERIES,
    PALE,
    PUBLISHED,
    STYLE,
    Look,
    compact,
    looks_in,
)
from zermelo.lab.statistics import Interval, share

FEW_POINTS = 12  # up to so many points have bars for their intervals, more a band
QUANTILES = (0.1, 0.5, 0.9)
WIDE, WIDE_BESIDE, CHARACTER = 330.0, 260.0, 5.2  # points: axes, beside a legend, a letter
APART = 0.14  # of the room of an arm: what was published stands so far to the left
MARK_EVERY = 0.13  # of a figure's diagonal


def line_style(look: Look, place: int = 0, marks: bool = True) -> dict[str, Any]:
    """Matplotlib's arguments for a look; a line of many points has a mark now and then, each line
    elsewhere."""
    style: dict[str, Any] = {**look.marks, "linestyle": look.dash}
    return style if not marks else {**style, "markersize": 4.0, "markeredgewidth": 0.9,
                                    "markevery": (0.03 + 0.021 * (place % 6), MARK_EVERY)}


def published_word(results: Results) -> str:
    """Word for published numbers in a legend."""
    return "published, for other sizes" if caveat(results) else "published"


def by_arm(results: Results, figure: Figure, axes: Any) -> bool:
    """A dot for each arm with its interval, what was published beside it."""
    names = [arm.name for arm in results.plan.arms if not figure.arms or arm.name in figure.arms]
    found = {name: columns.value(figure.y, results, series.chosen(results, figure, name),
                                 among=figure.arms) for name in names}
    names = [name for name in names if found[name] is not None]
    if not names:
        return False
    look = looks_in(results, figure)
    for place, name in enumerate(names):
        spread = interval(figure.y, results, series.chosen(results, figure, name),
                          among=figure.arms)
        dot(axes, place, found[name], spread, look[name], columns.text(found[name]))
    told = [(i, figure.published[n]) for i, n in enumerate(names) if n in figure.published]
    if told:
        axes.plot([i - APART for i, _ in told], [number for _, number in told], linestyle="",
                  marker="x", markersize=7, color=PUBLISHED, label=published_word(results))
        axes.figure.legend(loc="outside lower right")  # where it can't be taken for a point
    room = WIDE / CHARACTER / len(names)  # for a name, in letters
    long = any((len(a) + len(b)) / 2 + 1 > room for a, b in pairwise(names))
    axes.set_xticks(range(len(names)), names, rotation=25 if long else 0,
                    ha="right" if long else "center")
    axes.set_xlim(-0.5, len(names) - 0.3)
    axes.grid(visible=False, axis="x")
    label(axes, figure.x_label or "search", figure.y_label or columns.heading(figure.y))
    return True


def dot(axes: Any, x: float, y: float, spread: Interval | None, look: Look, words: str,
        at: tuple[int, int] = (6, 3)) -> None:
    """Draw a dot with its interval, and its number ``at`` points to the right and up; above or
    below it where the first of them is 0."""
    bars = None if spread is None else [[max(y - spread.low, 0)], [max(spread.high - y, 0)]]
    axes.errorbar([x], [y], yerr=bars, **look.marks, linestyle="", capsize=3, elinewidth=1.0,
                  markersize=6)
    axes.annotate(words, (x, y), xytext=at, textcoords="offset points", fontsize=7,
                  ha="left" if at[0] else "center",
                  va="baseline" if at[0] else "bottom" if at[1] > 0 else "top")


def over_label(results: Results, figure: Figure, axes: Any, only: Sequence[str]) -> bool:
    """A column over a label, a line for each series, with intervals."""
    found = series.over_label(results, figure)
    spreads = series.spread_over_label(results, figure)
    look = looks_in(results, figure, found)
    for place, (name, points) in enumerate(found.items()):
        if name in only:
            shift = place - (len(found) - 1) / 2
            _line(axes, name, points, spreads[name], look[name], shift, figure.log_x)
        else:
            axes.plot(*zip(*points, strict=True), color=BESIDE, linewidth=0.9, zorder=1)
    told = {name: some for name, some in figure.published.items() if isinstance(some, dict)}
    for name, printed in told.items():  # in the colour of what it is compared with
        if name in found and name not in only:
            continue
        xs = sorted(printed)
        axes.plot(xs, [printed[x] for x in xs], color=look[name].colour if name in look else
                  PUBLISHED, marker="x", linestyle=":", linewidth=1.0, alpha=0.8,
                  label=f"{name}, {published_word(results)}" if name in found else name)
    if figure.y.endswith("%"):
        axes.set_ylim(bottom=0, top=max(1, axes.get_ylim()[1]))
    printed_at = {x for printed in told.values() for x in printed}
    _ticks_at(axes, sorted({x for points in found.values() for x, _ in points} | printed_at),
              figure.log_x)
    label(axes, figure.x_label or figure.x, figure.y_label or columns.heading(figure.y))
    return bool(found)


def _line(axes: Any, name: str, points: series.Points, spreads: Mapping[float, Interval],
          look: Look, shift: float, log: bool) -> None:
    """Few points have bars, moved apart a little so that equal lines can be seen; many a band."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    style = {**line_style(look, marks=False), "label": name}
    if not spreads or len(points) > FEW_POINTS:
        axes.plot(xs, ys, markersize=3.5, **style)
        if spreads:
            known = [x for x in xs if x in spreads]
            axes.fill_between(known, [spreads[x].low for x in known],
                              [spreads[x].high for x in known], color=look.colour, alpha=0.16,
                              linewidth=0)
        return
    width = (max(xs) - min(xs)) or 1.0
    moved = [x * 1.05**shift if log else x + 0.008 * shift * width for x in xs]
    bars = [[max(y - spreads[x].low, 0) if x in spreads else 0 for x, y in points],
            [max(spreads[x].high - y, 0) if x in spreads else 0 for x, y in points]]
    axes.errorbar(moved, ys, yerr=bars, capsize=2, elinewidth=0.8, **style)


def _spaced(places: Any, room: float) -> list[int]:
    """Select the places that get a tick: none closer to its predecessor than ``room``."""
    kept = [0]
    for at in range(1, len(places)):
        if places[at] - places[kept[-1]] >= 0.99 * room:
            kept.append(at)
    return kept


def _ticks_at(axes: Any, xs: Sequence[float], log: bool) -> None:
    """Ticks at the data, as many as there is room for."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    if not xs or len(xs) > 3 * FEW_POINTS:
        return
    if log:
        axes.set_xscale("log")
    places = np.log(xs) if log else np.asarray(xs, float)
    longest = max(len(series.plain(x)) for x in xs)
    room = max(1 / FEW_POINTS, (longest + 1) * CHARACTER / WIDE_BESIDE)
    kept = _spaced(places, (places[-1] - places[0]) * room)
    axes.xaxis.set_major_locator(FixedLocator([xs[at] for at in kept]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: series.plain(value)))


def cactus(results: Results, figure: Figure, axes: Any, only: Sequence[str]) -> bool:
    """Draw the number of jobs concluded within a given cost."""
    x = figure.x or "nodes"
    found = series.cactus(results, figure, x)
    look = looks_in(results, figure)
    for place, (name, points) in enumerate(found.items()):
        steps(axes, points, look[name] if name in only else None, name, place)
    axes.set_xscale("log")
    what = columns.heading(f"mean {x}").removeprefix("mean ")  # with its unit
    several_seeds = len({entry.cell.seed for entry in results.entries}) > 1
    label(axes, figure.x_label or f"{what} at most",
          figure.y_label or f"{'jobs' if several_seeds else 'positions'} concluded")
    return bool(found)


def steps(axes: Any, points: series.Points, look: Look | None, name: str, place: int) -> None:
    """A line of steps, pale behind the others where it has no look."""
    style = {"color": BESIDE, "linewidth": 0.9, "zorder": 1} if look is None else {
        **line_style(look, place), "label": name}
    axes.step([x for x, _ in points], [y for _, y in points], where="post", **style)


def trace(results: Results, figure: Figure, axes: Any) -> bool:
    """A number of the root over iterations; of many positions their quantiles."""
    found = series.traces(results, figure)
    arms = list(dict.fromkeys(arm for arm, _ in found))
    if len(found) <= MOST_SERIES:
        names = [", ".join(filter(None, which)) for which in found]
        look = looks_in(results, figure, names)
        for place, (name, points) in enumerate(zip(names, found.values(), strict=True)):
            axes.plot(*zip(*points, strict=True), label=name, **line_style(look[name], place))
    else:
        look = looks_in(results, figure, arms)
        for arm in arms:
            _band(axes, arm, [points for (name, _), points in found.items() if name == arm],
                  look[arm])
    label(axes, figure.x_label or "iterations", figure.y_label or f"{figure.y} of the root")
    return bool(found)


def _band(axes: Any, name: str, several: Sequence[series.Points], look: Look) -> None:
    """The median over positions and where the middle eight tenths lie."""
    by_x: dict[float, list[float]] = {}
    for points in several:
        for x, y in points:
            by_x.setdefault(x, []).append(y)
    xs = sorted(x for x, ys in by_x.items() if len(ys) >= 3)
    if not xs:
        return
    low, middle, high = (np.array([np.quantile(by_x[x], q) for x in xs]) for q in QUANTILES)
    axes.plot(xs, middle, label=f"{name}: median", **line_style(look, marks=False))
    axes.fill_between(xs, low, high, color=look.colour, alpha=0.18, linewidth=0,
                      label=f"{name}: 10 to 90 % of positions")


def error(results: Results, figure: Figure, axes: Any, only: Sequence[str]) -> bool:
    """The share of positions where the move that would be chosen is wrong, with intervals."""
    found = series.error_rates(results, figure)
    look = looks_in(results, figure)
    for place, (name, points) in enumerate(found.items()):
        xs, ys = [x for x, _ in points], [y for _, y in points]
        if name not in only:
            axes.plot(xs, ys, color=BESIDE, linewidth=0.9, zorder=1)
            continue
        axes.plot(xs, ys, label=name, **line_style(look[name], place))
        spread = series.error_spread(results, figure, name, points)
        axes.fill_between(xs, [low for low, _ in spread], [high for _, high in spread],
                          color=look[name].colour, alpha=0.12, linewidth=0)
    label(axes, figure.x_label or "iterations", figure.y_label or "error rate")
    axes.set_ylim(bottom=0)
    return bool(found)


def label(axes: Any, x: str, y: str) -> None:
    """Name both axes."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)


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
    """The numbers of each series by its name; ``ys`` names number and set."""
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
    """Draw how many positions have which number, the kinds side by side."""
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
    """Edges of bins of equal width; the last bin holds the largest number, whatever rounding makes
    of the width."""
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
    """Draw the share of won positions over p, with intervals; on the diagonal p is calibrated.

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


MOST_TIMES = 1000.0
WORDS = {SECONDS: "processor time", "nodes": "nodes"}
AHEAD, BEHIND, ALIKE = "#0072B2", "#D55E00", "#F4F4F4"
CORNERS = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))


def profiles(results: Results, figure: Figure) -> dict[str, list[tuple[float, float]]]:
    """By arm: (times the best, share concluded), in steps."""
    costs = contest_of(results, figure.x or SECONDS, figure.arms, figure.sets)
    found = {arm: profile(costs, arm) for arm in costs}
    return {arm: points for arm, points in found.items() if points}


def draw_profile(results: Results, figure: Figure, axes: Any, only: Sequence[str]) -> bool:
    """Draw the share of positions concluded within a multiple of what the best search takes."""
    found = profiles(results, figure)
    look = looks_in(results, figure)
    for place, (name, points) in enumerate(found.items()):
        kept = [(x, y) for x, y in points if x <= MOST_TIMES]
        xs, ys = [1.0, *(x for x, _ in kept), MOST_TIMES], [0.0, *(y for _, y in kept)]
        steps(axes, list(zip(xs, [*ys, ys[-1]], strict=True)),
              look[name] if name in only else None, name, place)
    axes.set_xscale("log")
    axes.set_xlim(1.0, MOST_TIMES)
    axes.set_ylim(0, 100)
    what = WORDS.get(figure.x or SECONDS, figure.x)
    label(axes, figure.x_label or f"{what}, times that of the best",
          figure.y_label or "% of positions concluded")
    return bool(found)


def draw_pairs(results: Results, figure: Figure, axes: Any) -> bool:
    """Draw a square for each pair: blue where the row is ahead of the column more often than
    behind, orange where it is behind; strong colours where the sign test is significant."""
    costs = contest_of(results, figure.x or SECONDS, figure.arms, figure.sets)
    if costs.empty:
        return False
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgba

    many = len(costs.columns)
    squares, colours = [], []
    for row, one in enumerate(costs):
        for column, other in enumerate(costs):
            if one == other:
                continue
            found = duel_of(costs, one, other)
            sure = found.chance < 0.05 / (many * (many - 1) / 2)
            colour = AHEAD if found.ahead > found.behind else \
                BEHIND if found.ahead < found.behind else ALIKE
            squares.append([(column + across, row + down) for across, down in CORNERS])
            colours.append(to_rgba(colour, 0.75 if sure else 0.22))
            axes.text(column, row, str(found.ahead), ha="center", va="center", fontsize=4.2,
                      color="white" if sure else "black")
    axes.add_collection(PolyCollection(squares, facecolors=colours, linewidths=0))
    axes.set_xticks(range(many), list(costs), rotation=90, fontsize=6)
    axes.set_yticks(range(many), list(costs), fontsize=6)
    axes.set_xlim(-0.5, many - 0.5)
    axes.set_ylim(many - 0.5, -0.5)
    axes.grid(visible=False)
    label(axes, figure.x_label, figure.y_label)
    return True


INCHES, SQUARE, DOTS = (5.6, 3.4), (7.4, 7.0), 200
LONGEST_BESIDE, MOST_ABREAST = 26, 3


@dataclass(frozen=True)
class Drawn:
    """A figure as files."""

    name: str
    title: str
    svg: str
    png: bytes


def all_figures(results: Results) -> list[Drawn]:
    """The figures that the experiment asks for, those for which there is something to show."""
    drawn = (draw(*one) for figure in results.plan.experiment.figures
             for one in by_processor(results, figure))
    return [figure for figure in drawn if figure is not None]


def by_processor(results: Results, figure: Figure) -> list[tuple[Results, Figure]]:
    """The figure with its results; one for each processor, where it shows times of several."""
    shown = (figure.x, *(figure.ys.values() if figure.ys else (figure.y,)))
    if len(results.processors) < 2 or not any(
            word in TIMES or columns.measures_time(word) for word in shown):
        return [(results, figure)]
    return [(results.on(name), replace(figure, name=f"{figure.name}-{number + 1}",
                                       title=f"{figure.title}, on {name}"))
            for number, name in enumerate(results.processors)]


def draw(results: Results, figure: Figure) -> Drawn | None:
    """One figure; None while there is nothing to show."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    panels = panels_of(results, figure)
    if not panels:
        return None
    with rc_context(STYLE):
        rows = 1 if len(panels) <= MOST_ABREAST else 2
        across = -(-len(panels) // rows)
        canvas = Canvas(figsize=SQUARE if figure.kind == "pairs" else
                        (INCHES[0] * (1 + 0.55 * (across - 1)),
                         INCHES[1] * (1 + 0.7 * (rows - 1))))
        FigureCanvasAgg(canvas)
        grid = canvas.subplots(rows, across, sharex=True, sharey=True, squeeze=False)
        every = list(grid.flat)[: len(panels)]
        for empty in list(grid.flat)[len(panels):]:
            empty.set_visible(False)
        for axes, only in zip(every, panels, strict=True):
            if not _draw(results, figure, axes, only):
                return None
            _finish(results, figure, axes)
        title = titled(results, figure.title, figure.arms)
        if len(panels) > 1:
            canvas.suptitle(title, x=0.01, ha="left", fontsize=10)
        else:
            every[0].set_title(title, loc="left")
        for number, axes in enumerate(every):
            if number % across:
                axes.set_ylabel("")
            if number + across < len(every):
                axes.set_xlabel("")
        vector, pixels = io.StringIO(), io.BytesIO()
        canvas.savefig(vector, format="svg", metadata={"Date": None})
        canvas.savefig(pixels, format="png", dpi=DOTS, metadata={"Software": None})
    return Drawn(figure.name, title, compact(vector.getvalue()), pixels.getvalue())


def panels_of(results: Results, figure: Figure) -> list[list[str]]:
    """Series that each panel shows in colour: one for each in a calibration, where all lie close
    together; one panel without series for other kinds."""
    if figure.kind == "calibration":
        return [[group] for group in groups_of(results, figure)]
    if figure.kind not in SERIES:
        return [[]]
    found = SERIES[figure.kind](results, figure)
    if figure.kind == "lines" and len({x for points in found.values() for x, _ in points}) < 2:
        return []  # no line, where some arms only have been run
    names = list(found)
    count = -(-len(names) // MOST_SERIES)
    if figure.panels:
        return [list(group) for group in figure.panels if any(name in found for name in group)]
    return [names[place::count] for place in range(count)]


SERIES: dict[str, Any] = {
    "lines": series.over_label,
    "cactus": lambda results, figure: series.cactus(results, figure, figure.x or "nodes"),
    "error": series.error_rates,
    "profile": profiles,
}


def _draw(results: Results, figure: Figure, axes: Any, only: Sequence[str]) -> bool:
    spread = {"lines": over_label, "cactus": cactus, "error": error,
              "calibration": calibrated, "profile": draw_profile}
    whole = {"bars": by_arm, "dots": by_arm, "trace": trace,
             "histogram": histogram, "sets": by_set, "pairs": draw_pairs}
    if figure.kind in spread:
        return spread[figure.kind](results, figure, axes, only)
    return whole[figure.kind](results, figure, axes)


def _finish(results: Results, figure: Figure, axes: Any) -> None:
    if figure.log_x and axes.get_xscale() != "log":  # setting it again would move the ticks
        axes.set_xscale("log")
    if figure.log_y:
        axes.set_yscale("log")
    _baseline(results, figure, axes)
    _ticks(axes)
    if figure.kind in (*SERIES, "trace"):
        _legend(axes)


def _baseline(results: Results, figure: Figure, axes: Any) -> None:
    """A line at a number, or at an arm's own."""
    if figure.baseline is None:
        return
    base, name = figure.baseline, "100 %" if figure.baseline == 100 else str(figure.baseline)
    if isinstance(base, str):
        entries = [entry for entry in results.select(base) if entry.row is not None
                   and (not figure.sets or entry.cell.set in figure.sets)]
        base = columns.value(figure.y, results, entries)
    if base is not None:
        axes.axhline(base, color=PUBLISHED, linewidth=1.0, zorder=0, label=name)


def _ticks(axes: Any) -> None:
    """Numbers that can be read: no powers within two decades, no halves of whole things."""
    from matplotlib.ticker import (
        FixedLocator,
        FuncFormatter,
        LogLocator,
        MaxNLocator,
    )

    commas = FuncFormatter(lambda value, _: f"{value:,.10g}")
    for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        if isinstance(axis.get_major_locator(), FixedLocator):
            continue
        if axis.get_scale() == "log" and high < 100 * low:
            axis.set_major_formatter(commas)
            axis.set_minor_locator(LogLocator(
                subs=(2, 5) if high > 10 * low else (1.2, 1.5, 2, 3, 4, 5, 6, 7, 8)))
            axis.set_minor_formatter(commas)
            axis.set_tick_params(which="minor", length=3.5, pad=3.5)
    points = [float(x) for line in axes.lines for x in line.get_xdata()]
    if (axes.get_xscale() == "linear" and points and all(x.is_integer() for x in points)
            and not isinstance(axes.xaxis.get_major_locator(), FixedLocator)):
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.xaxis.set_major_formatter(commas)
    heights = [float(y) for line in axes.lines for y in line.get_ydata()]
    if axes.get_yscale() == "linear" and heights and all(y.is_integer() for y in heights):
        axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    if axes.get_yscale() == "linear" and axes.get_ylim()[1] >= 1000:
        axes.yaxis.set_major_formatter(commas)


def _legend(axes: Any) -> None:
    """Beside the figure, or below it where long names would leave no room for the lines; what was
    measured is named first."""
    from matplotlib.container import ErrorbarContainer

    found = sorted(zip(*axes.get_legend_handles_labels(), strict=True),
                   key=lambda one: not isinstance(one[0], ErrorbarContainer))
    handles, names = [handle for handle, _ in found], [name for _, name in found]
    if len(names) < 2:
        return
    below = max(map(len, names)) > LONGEST_BESIDE
    where: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.18), "ncols": 2} \
        if below else {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}
    axes.legend(handles, names, handlelength=2.8, **where)
