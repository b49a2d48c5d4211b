"""Figures for a paper: SVG and PNG by Matplotlib, labelled, and clear without colours too."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from zermelo.lab import columns
from zermelo.lab.experiment import Figure
from zermelo.lab.report import series
from zermelo.lab.report.distributions import by_set, histogram
from zermelo.lab.report.sizes import caveat, titled
from zermelo.lab.report.style import COLOURS, DASHES, MARKS, PUBLISHED, STYLE
from zermelo.lab.results import Results

INCHES, DOTS = (5.6, 3.4), 200
LONGEST_BESIDE = 26


@dataclass(frozen=True)
class Drawn:
    """A figure as files."""

    name: str
    title: str
    svg: str
    png: bytes


def available() -> bool:
    """Whether figures can be drawn."""
    return find_spec("matplotlib") is not None


def all_figures(results: Results) -> list[Drawn]:
    """The figures that the experiment asks for, those for which there is something to show."""
    if not available():
        return []
    drawn = (draw(results, figure) for figure in results.plan.experiment.figures)
    return [figure for figure in drawn if figure is not None]


def draw(results: Results, figure: Figure) -> Drawn | None:
    """One figure; None while there is nothing to show."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    with rc_context(STYLE):
        canvas = Canvas(figsize=INCHES)
        FigureCanvasAgg(canvas)
        axes = canvas.add_subplot()
        if not KINDS[figure.kind](results, figure, axes):
            return None
        if figure.log_x:
            axes.set_xscale("log")
        if figure.log_y:
            axes.set_yscale("log")
        _ticks(axes)
        title = titled(results, figure.title, figure.arms)
        axes.set_title(title, loc="left")
        vector, pixels = io.StringIO(), io.BytesIO()
        canvas.savefig(vector, format="svg", metadata={"Date": None})
        canvas.savefig(pixels, format="png", dpi=DOTS, metadata={"Software": None})
    return Drawn(figure.name, title, vector.getvalue(), pixels.getvalue())


def _bars(results: Results, figure: Figure, axes: Any) -> bool:
    """Measured beside published, the numbers above the bars."""
    names = [arm.name for arm in results.plan.arms if not figure.arms or arm.name in figure.arms]
    measured = {name: columns.value(figure.y, results, series.chosen(results, figure, name),
                                     among=figure.arms)
                for name in names}
    if all(number is None for number in measured.values()):
        return False
    width = 0.38 if figure.published else 0.6
    shift = width / 2 if figure.published else 0.0
    bars = axes.bar([i - shift for i in range(len(names))], [measured[n] or 0 for n in names],
                    width, color=COLOURS[0], label="measured")
    axes.bar_label(bars, [columns.text(measured[name]) for name in names], padding=2, fontsize=8)
    if figure.published:
        told = [(i, figure.published[n]) for i, n in enumerate(names) if n in figure.published]
        bars = axes.bar([i + shift for i, _ in told], [number for _, number in told], width,
                        color=PUBLISHED, hatch="///", edgecolor="white", label=_published(results))
        axes.bar_label(bars, [columns.text(number) for _, number in told], padding=2, fontsize=8)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    long = sum(map(len, names)) > 60  # more does not fit side by side
    axes.set_xticks(range(len(names)), names, rotation=25 if long else 0,
                    ha="right" if long else "center")
    axes.grid(visible=False, axis="x")
    axes.margins(y=0.12)
    _label(axes, figure.x_label or "search", figure.y_label or columns.heading(figure.y))
    return True


def _published(results: Results) -> str:
    """What a legend calls published numbers."""
    return "published, for other sizes" if caveat(results) else "published"


def _lines(results: Results, figure: Figure, axes: Any) -> bool:
    """A column over a label, a line for each series."""
    found = series.over_label(results, figure)
    _draw_lines(axes, found.items(), marks=True)
    told = {name: points for name, points in figure.published.items() if isinstance(points, dict)}
    names = list(found)
    for name, points in told.items():  # pale, in the colour of what it is compared with
        colour = COLOURS[names.index(name) % 8] if name in names else PUBLISHED
        xs = sorted(points)
        axes.plot(xs, [points[x] for x in xs], color=colour, marker="x", linestyle=":",
                  linewidth=1.0, alpha=0.6, label=f"{name}, {_published(results)}")
    if figure.y.endswith("%"):
        axes.set_ylim(bottom=0, top=max(1, axes.get_ylim()[1]))
    _legend(axes, len(found) + len(told))
    _label(axes, figure.x_label or figure.x, figure.y_label or columns.heading(figure.y))
    return bool(found)


def _cactus(results: Results, figure: Figure, axes: Any) -> bool:
    """How many jobs were concluded within a given cost."""
    x = figure.x or "nodes"
    found = series.cactus(results, figure, x)
    for number, (name, points) in enumerate(found.items()):
        axes.step([at for at, _ in points], [count for _, count in points], where="post",
                  color=COLOURS[number % 8], linestyle=DASHES[number % 8], label=name)
    axes.set_xscale("log")
    _legend(axes, len(found))
    what = columns.heading(f"mean {x}").removeprefix("mean ")  # with its unit
    _label(axes, figure.x_label or f"{what} at most",
           figure.y_label or ("jobs" if series.several_seeds(results) else "positions")
           + " concluded")
    return bool(found)


def _trace(results: Results, figure: Figure, axes: Any) -> bool:
    """A number of the root over iterations; of many lines, those of an arm look the same."""
    found = series.traces(results, figure)
    if len(found) <= len(COLOURS):
        _draw_lines(axes, ((", ".join(filter(None, which)), points)
                           for which, points in found.items()), marks=False)
        _legend(axes, len(found))
    else:
        arms = list(dict.fromkeys(arm for arm, _ in found))
        for (arm, _), points in found.items():
            number = arms.index(arm) % 8
            axes.plot([x for x, _ in points], [y for _, y in points], color=COLOURS[number],
                      linestyle=DASHES[number], linewidth=0.7, alpha=0.8,
                      label=arm)
        handles, names = axes.get_legend_handles_labels()
        once = dict(zip(names, handles, strict=True))
        axes.legend(once.values(), once.keys(), loc="upper left", bbox_to_anchor=(1.0, 1.0))
    _label(axes, figure.x_label or "iterations", figure.y_label or f"{figure.y} of the root")
    return bool(found)


def _error(results: Results, figure: Figure, axes: Any) -> bool:
    """The share of positions where the move that would be chosen is wrong."""
    found = series.error_rates(results, figure)
    _draw_lines(axes, found.items(), marks=False)
    _legend(axes, len(found))
    _label(axes, figure.x_label or "iterations", figure.y_label or "error rate")
    axes.set_ylim(bottom=0)
    return bool(found)


KINDS = {"bars": _bars, "lines": _lines, "cactus": _cactus, "trace": _trace, "error": _error,
         "histogram": histogram, "sets": by_set}


def _draw_lines(axes: Any, found: Iterable[tuple[str, list[tuple[float, float]]]],
                marks: bool) -> None:
    for number, (name, points) in enumerate(found):
        axes.plot([x for x, _ in points], [y for _, y in points], label=name,
                  color=COLOURS[number % 8], linestyle=DASHES[number % 8],
                  marker=MARKS[number % 8] if marks else None)


def _ticks(axes: Any) -> None:
    """Numbers that can be read: no powers within two decades, no halves of whole things."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    commas = FuncFormatter(lambda value, _: f"{value:,.10g}")
    for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        if axis.get_scale() == "log" and high < 100 * low:
            axis.set_major_formatter(commas)
            axis.set_minor_locator(LogLocator(subs=(2, 5)))
            axis.set_minor_formatter(commas if high < 20 * low else NullFormatter())
    points = [float(x) for line in axes.lines for x in line.get_xdata()]
    if axes.get_xscale() == "linear" and points and all(x.is_integer() for x in points):
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.xaxis.set_major_formatter(commas)
    heights = [float(y) for line in axes.lines for y in line.get_ydata()]
    if axes.get_yscale() == "linear" and heights and all(y.is_integer() for y in heights):
        axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    if axes.get_yscale() == "linear" and axes.get_ylim()[1] >= 1000:
        axes.yaxis.set_major_formatter(commas)


def _legend(axes: Any, lines: int) -> None:
    """Beside the figure, or below it where long names would leave no room for the lines."""
    longest = max((len(text) for text in axes.get_legend_handles_labels()[1]), default=0)
    if lines > 1 and longest > LONGEST_BESIDE:
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=2)
    elif lines > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _label(axes: Any, x: str, y: str) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
