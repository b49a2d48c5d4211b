"""Figures of a contest: performance profiles, and who is ahead of whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.lab.contest import SECONDS, contest_of, duel_of, profile
from zermelo.lab.experiment import Figure
from zermelo.lab.report.drawing import label, steps
from zermelo.lab.report.looks import looks_in
from zermelo.lab.results import Results

MOST_TIMES = 1000.0
WORDS = {SECONDS: "processor time", "nodes": "nodes"}
AHEAD, BEHIND, ALIKE = "#0072B2", "#D55E00", "#F4F4F4"
CORNERS = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))


def profiles(results: Results, figure: Figure) -> dict[str, list[tuple[float, float]]]:
    """By arm: (times the best, share concluded), in steps."""
    contest = contest_of(results, figure.x or SECONDS, figure.arms, figure.sets)
    found = {arm: profile(contest, arm) for arm in contest.arms}
    return {arm: points for arm, points in found.items() if points}


def draw_profile(results: Results, figure: Figure, axes: Any, only: Sequence[str]) -> bool:
    """The share of positions concluded within so many times what the best search takes."""
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
    """A square for each pair: blue where the row is ahead of the column more often than behind,
    orange where it is behind; strong colours where the sign test says so, pale ones where not."""
    contest = contest_of(results, figure.x or SECONDS, figure.arms, figure.sets)
    if not contest.places:
        return False
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgba

    many = len(contest.arms)
    squares, colours = [], []
    for row, one in enumerate(contest.arms):
        for column, other in enumerate(contest.arms):
            if one == other:
                continue
            found = duel_of(contest, one, other)
            sure = found.chance < 0.05 / (many * (many - 1) / 2)
            colour = AHEAD if found.ahead > found.behind else \
                BEHIND if found.ahead < found.behind else ALIKE
            squares.append([(column + across, row + down) for across, down in CORNERS])
            colours.append(to_rgba(colour, 0.75 if sure else 0.22))
            axes.text(column, row, str(found.ahead), ha="center", va="center", fontsize=4.2,
                      color="white" if sure else "black")
    axes.add_collection(PolyCollection(squares, facecolors=colours, linewidths=0))
    axes.set_xticks(range(many), contest.arms, rotation=90, fontsize=6)
    axes.set_yticks(range(many), contest.arms, fontsize=6)
    axes.set_xlim(-0.5, many - 0.5)
    axes.set_ylim(many - 0.5, -0.5)
    axes.grid(visible=False)
    label(axes, figure.x_label, figure.y_label)
    return True
