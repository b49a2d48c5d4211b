"""Figures for a paper: SVG and PNG by Matplotlib, labelled, and clear without colours too.

Everything that has an interval of 95 % is drawn with it. A search has one colour and one mark in
all figures (see ``style``). More than eight series are spread over panels, in each of which the
others stand pale behind.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, log10
from typing import Any

from zermelo.lab import columns
from zermelo.lab.entries import TIMES
from zermelo.lab.experiment import Figure
from zermelo.lab.report import drawing, series
from zermelo.lab.report.distributions import by_set, calibrated, groups_of, histogram
from zermelo.lab.report.profiles import draw_pairs, draw_profile, profiles
from zermelo.lab.report.sizes import titled
from zermelo.lab.report.style import MOST_SERIES, PUBLISHED, STYLE
from zermelo.lab.report.vector import compact
from zermelo.lab.results import Results

INCHES, SQUARE, DOTS = (5.6, 3.4), (7.4, 7.0), 200
LONGEST_BESIDE, MOST_ABREAST, ENOUGH_TICKS = 26, 3, 4


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
    """Which series each panel shows in colour: one for each in a calibration, where all lie close
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
    spread = {"lines": drawing.over_label, "cactus": drawing.cactus, "error": drawing.error,
              "calibration": calibrated, "profile": draw_profile}
    whole = {"bars": drawing.by_arm, "dots": drawing.by_arm, "trace": drawing.trace,
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
        MaxNLocator,
    )

    commas = FuncFormatter(lambda value, _: f"{value:,.10g}")
    for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        if isinstance(axis.get_major_locator(), FixedLocator):
            continue
        if axis.get_scale() == "log" and high < 100 * low:
            axis.set_major_formatter(commas)
            axis.set_minor_locator(FixedLocator(_between(low, high)))
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


def _between(low: float, high: float) -> list[float]:
    """Where an axis of less than two decades has ticks beside the powers of ten: at 2 and 5, or at
    more places, so that four at least can be read."""
    powers = [10.0**power for power in range(floor(log10(low)), ceil(log10(high)) + 1)]
    places: list[float] = []
    for steps in ((2, 5), (1.5, 2, 3, 5, 7), (1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9)):
        places = [step * power for power in powers for step in steps if low <= step * power <= high]
        if len(places) + sum(low <= power <= high for power in powers) >= ENOUGH_TICKS:
            break
    return places


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
