"""What the kinds of figures draw: dots and bars by search, lines over a label, steps, traces, error
rates. Each gets the series to draw in colour; the others of the figure are pale behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from zermelo.lab import columns
from zermelo.lab.columns import interval
from zermelo.lab.experiment import Figure
from zermelo.lab.report import series
from zermelo.lab.report.looks import looks_in
from zermelo.lab.report.sizes import caveat
from zermelo.lab.report.style import BESIDE, MOST_SERIES, PUBLISHED, Look
from zermelo.lab.results import Results
from zermelo.lab.statistics import Interval

FEW_POINTS = 12  # up to so many points have bars for their intervals, more a band
QUANTILES = (0.1, 0.5, 0.9)
WIDE, WIDE_BESIDE, CHARACTER = 330.0, 260.0, 5.2  # points: axes, beside a legend, a letter
APART = 0.14  # of the room of an arm: what was published stands so far to the left
MARK_EVERY = 0.13  # of a figure's diagonal


def line_style(look: Look, place: int = 0, marks: bool = True) -> dict[str, Any]:
    """What Matplotlib calls a look; lines of many points have a mark here and there, each line
    elsewhere."""
    style: dict[str, Any] = {**look.marks, "linestyle": look.dash}
    return style if not marks else {**style, "markersize": 4.0, "markeredgewidth": 0.9,
                                    "markevery": (0.03 + 0.021 * (place % 6), MARK_EVERY)}


def published_word(results: Results) -> str:
    """What a legend calls published numbers."""
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
    """A dot with its interval, and its number ``at`` so many points from it; without a step to the
    side above or below it."""
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
    """Which of the places have a tick: none closer to the one before than ``room``."""
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
    """How many jobs were concluded within a given cost."""
    x = figure.x or "nodes"
    found = series.cactus(results, figure, x)
    look = looks_in(results, figure)
    for place, (name, points) in enumerate(found.items()):
        steps(axes, points, look[name] if name in only else None, name, place)
    axes.set_xscale("log")
    what = columns.heading(f"mean {x}").removeprefix("mean ")  # with its unit
    label(axes, figure.x_label or f"{what} at most",
          figure.y_label or ("jobs" if series.several_seeds(results) else "positions")
          + " concluded")
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
