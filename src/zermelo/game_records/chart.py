"""The chart of a game's progress: evaluation above, RSCN below, in words for people who play.

Matplotlib draws it (the extra ``plot``). Both curves are from the first player's side: up is
good for that player and down for the other, whoever is to move.
"""

from __future__ import annotations

import io
import math
import textwrap
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from zermelo.errors import BadOption, file_name
from zermelo.game_records.progress import GameProgress, GameStep, Moment
from zermelo.storage.whole_files import try_out, write_whole

# Two colours that colour-blind readers tell apart, and that differ in grey too.
SIDES = ("#D55E00", "#2F4B6E")
GREY, PALE = "#6B6B6B", "#E3E3E3"
STYLE: Any = {
    "font.size": 9, "axes.titlesize": 10, "axes.labelsize": 9, "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid": True, "grid.color": PALE, "grid.linewidth": 0.6,
    "axes.axisbelow": True, "lines.linewidth": 1.2, "svg.hashsalt": "zermelo",
    "svg.fonttype": "path",
}
INCHES, DOTS, WIDTH = (8.4, 5.9), 160, 132
LINE = 0.165  # inches
APART = 0.035  # of the width: numbers closer than that are put above each other
LINEAR = 20  # conspirators: below, the lower axis is linear, beyond logarithmic
SUFFIXES = (".svg", ".png", ".csv")


def check_out(name: str) -> None:
    """Refuse, before anything is searched, a file that could not be written in the end."""
    suffix = Path(name).suffix.lower()
    if suffix not in SUFFIXES:
        raise BadOption(f"--out {file_name(name)}: the name must end in {', '.join(SUFFIXES)}.")
    if suffix != ".csv" and find_spec("matplotlib") is None:
        raise BadOption(f"--out {file_name(name)}: charts are drawn by matplotlib, which is not "
                        "installed (pip install 'zermelo[lab]'); .csv needs nothing.")
    try:
        try_out(name)
    except OSError as error:
        raise BadOption(f"--out {file_name(name)}: {error.strerror}.") from None


def write(game: GameProgress, name: str) -> None:
    """Write the chart or the table, by the end of the file's name."""
    check_out(name)
    suffix = Path(name).suffix.lower()
    content = game.csv().encode() if suffix == ".csv" else draw(game, suffix[1:])
    try:
        write_whole(name, content)
    except OSError as error:
        raise BadOption(f"can't write the file {file_name(name)}: {error.strerror}.") from None


def draw(game: GameProgress, kind: str = "svg") -> bytes:
    """The chart as an SVG or PNG file."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        told = [f"{i}  {_said(moment)}" for i, moment in enumerate(game.moments, 1)]
        explained = _explained(game)
        notes = [*told, *explained]
        figure = Figure(figsize=(INCHES[0], INCHES[1] + LINE * len(notes)))
        FigureCanvasAgg(figure)
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
        height = figure.get_figheight()
        figure.subplots_adjust(left=0.09, right=0.9, top=1 - 0.82 / height,
                               bottom=(0.75 + LINE * len(notes)) / height, hspace=0.28)
        _titles(game, figure, height)
        _evaluation(game, upper)
        _nearness(game, lower)
        _mark(game.moments, upper, lower)
        for i, note in enumerate(notes):
            figure.text(0.03, (0.12 + LINE * (len(notes) - 1 - i)) / height, note, fontsize=8,
                        color="black" if i < len(told) else GREY)
        file = io.BytesIO()
        extra: dict[str, Any] = {"Date": None} if kind == "svg" else {"Software": None}
        figure.savefig(file, format=kind, dpi=DOTS, metadata=extra)
    return file.getvalue()


def _titles(game: GameProgress, figure: Any, height: float) -> None:
    first, second = game.game.players
    moves = len(game.steps) - 1
    figure.text(0.03, 1 - 0.26 / height, f"How the game went: {first} against {second}",
                fontsize=13, fontweight="bold")
    figure.text(0.03, 1 - 0.46 / height, f"{game.game.name}, {moves} moves of both sides together; "
                f"every position looked at {game.depth} moves ahead", fontsize=9, color=GREY)


def _evaluation(game: GameProgress, axes: Any) -> None:
    """Points for the first player; a decided game at the edge."""
    values = [step.value for step in game.steps]
    finite = [abs(value) for value in values if value is not None and math.isfinite(value)]
    top = max([1.0, *finite, *(1.1 * t for t in _points(game)[-1:])]) * 1.08
    _area(axes, game.steps, [None if v is None else max(-top, min(top, v)) for v in values])
    for side, sign in ((0, 1), (1, -1)):
        won = [step.ply for step in game.steps if step.value == sign * math.inf]
        axes.plot(won, [sign * top] * len(won), linestyle="", marker="^" if sign > 0 else "v",
                  markersize=4, color=SIDES[side], clip_on=False)
    axes.set_ylim(-top, top)
    for t in _points(game):
        for sign in (1, -1) if t < top else ():
            axes.axhline(sign * t, color=GREY, linewidth=0.7, linestyle=":")
    axes.set_title("Who stands better (triangles: a forced win has been seen)"
                   if any(v is not None and math.isinf(v) for v in values)
                   else "Who stands better", loc="left")
    axes.set_ylabel("advantage, in points")
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):,.0f}")
    _name_sides(axes, game, "better")


def _nearness(game: GameProgress, axes: Any) -> None:
    """RSCN, turned so that up is good for the first player."""
    heights = [step.lead() for step in game.steps]
    _area(axes, game.steps, heights)
    most = max([1.0, *(abs(h) for h in heights if h is not None)]) * 1.1
    if most > 2 * LINEAR:
        axes.set_yscale("symlog", linthresh=LINEAR, linscale=0.7)
        axes.set_yticks([t for size in (10, 100, 1_000, 10_000, 100_000) if size <= most
                         for t in (-size, size)] + [0])
    axes.set_ylim(-most, most)
    axes.set_title(f"Who is nearer to {_goal(game)}", loc="left")
    axes.set_ylabel("conspirators fewer")
    axes.set_xlabel("moves played, both sides together")
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):,.0f}")
    _name_sides(axes, game, "nearer")


def _area(axes: Any, steps: list[GameStep], heights: list[float | None]) -> None:
    xs = [step.ply for step in steps]
    ys = [math.nan if height is None else height for height in heights]
    axes.plot(xs, ys, color="#333333", marker="." if len(xs) < 60 else None, markersize=3)
    for side, part in enumerate(([y > 0 for y in ys], [y < 0 for y in ys])):
        axes.fill_between(xs, ys, 0, where=part, color=SIDES[side], alpha=0.55, linewidth=0,
                          interpolate=True)
    axes.axhline(0, color="#333333", linewidth=0.8)
    axes.margins(x=0.01)


def _name_sides(axes: Any, game: GameProgress, what: str) -> None:
    for side, (y, at) in enumerate(((0.98, "top"), (0.02, "bottom"))):
        axes.text(1.01, y, f"{game.game.players[side]}\n{what}", transform=axes.transAxes,
                  va=at, color=SIDES[side], fontweight="bold")


def _mark(moments: list[Moment], upper: Any, lower: Any) -> None:
    """A line and a number where a move cost much."""
    low, high = upper.get_xlim()
    level, last = 0, -math.inf
    for number, moment in enumerate(moments, 1):
        for axes in (upper, lower):
            axes.axvline(moment.ply, color=SIDES[moment.mover], linewidth=0.9, linestyle="--")
        near = moment.ply - last < APART * (high - low)
        level, last = (1 - level if near else 0), moment.ply
        upper.annotate(str(number), (moment.ply, 0.97 - 0.085 * level),
                       xycoords=("data", "axes fraction"), ha="center", va="center", fontsize=8,
                       color="white", annotation_clip=False,
                       bbox={"boxstyle": "circle,pad=0.25", "fc": SIDES[moment.mover],
                             "ec": "white", "lw": 0.5})


def _points(game: GameProgress) -> list[float]:
    """The thresholds that are numbers."""
    return [float(abs(t)) for t in game.T if not isinstance(t, str)]


def _goal(game: GameProgress) -> str:
    t = game.T[0]
    return "a won game" if isinstance(t, str) else f"an advantage of {t} points"


def _said(moment: Moment) -> str:
    cost = ("a game that was won, or not yet lost" if math.isinf(moment.loss)
            else f"about {moment.loss:.0f} points")
    return f"move {moment.ply}, {moment.player} {moment.move}, cost {cost}"


def _explained(game: GameProgress) -> list[str]:
    """Return an explanation of the charts."""
    first, second = game.game.players
    text = (f"Above the middle is good for {first}, below for {second}. Lower chart: a conspirator "
            f"is a position some moves ahead that would have to be better than it looks for a side "
            f"to get {_goal(game)}. The fewer a side needs, the nearer it is; shown is how many "
            "fewer it needs than the other (RSCN). Gaps: too little to go by.")
    return textwrap.wrap(text, WIDTH)
