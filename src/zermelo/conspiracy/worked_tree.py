"""A small tree with the conspiracy numbers of its nodes, worked out by the rules and drawn.

For lessons: what the searches compute while they run, on a tree that fits a page. A tree is nested
lists; a number is a leaf with its value, ``"win"``, ``"draw"`` or ``"loss"`` a finished game. MAX
is to move at the root, then MIN, and so on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from zermelo.core import svg

ENDS = {"win": math.inf, "draw": 0.0, "loss": -math.inf}
STEP, LEVEL, EDGE = 104, 118, 66  # pixels from leaf to leaf, from level to level, to the border
HALF, HEIGHT = 44, 46  # half the width of a node, and its height
FILLS = {"max": "#f2c9a8", "min": "#c3cddb", "leaf": "#ffffff", "there": "#d6ecd2"}


class Numbers(NamedTuple):
    """The value of a node, the conspirators it needs to reach T, and the chance that it does."""

    value: float
    scn: float
    chance: float


def numbers(tree: Any, T: float, scale: float, is_max: bool = True) -> Numbers:
    """Return the numbers of a node, from those of its children."""
    if not isinstance(tree, Sequence) or isinstance(tree, str):
        over = isinstance(tree, str)
        value = ENDS[tree] if over else float(tree)
        if value >= T:
            return Numbers(value, 0, 1.0)
        return Numbers(value, math.inf, 0.0) if over else Numbers(
            value, 1, 2.0 ** ((value - T) / scale))
    below = [numbers(child, T, scale, not is_max) for child in tree]
    if is_max:
        return Numbers(max(each.value for each in below), min(each.scn for each in below),
                       1.0 - math.prod(1.0 - each.chance for each in below))
    return Numbers(min(each.value for each in below), sum(each.scn for each in below),
                   math.prod(each.chance for each in below))


def picture(tree: Any, T: float, scale: float) -> str:
    """The tree as an SVG picture: in each node its value, below it SCN and the chance."""
    parts: list[str] = []
    leaves = _draw(tree, T, scale, True, 0, 0, parts)[1]
    width = 2 * EDGE + 2 * HALF + (leaves - 1) * STEP
    heading = svg.label(width / 2, 20, f"value, conspirators needed to reach T = {T:g}, and the "
                        "chance that it is reached; green: there already", 13)
    return svg.page(width, _depth(tree) * LEVEL + 62 + HEIGHT, [heading, *parts])


def _depth(tree: Any) -> int:
    inner = isinstance(tree, Sequence) and not isinstance(tree, str)
    return 1 + max(map(_depth, tree)) if inner else 0


def _draw(tree: Any, T: float, scale: float, is_max: bool, left: float, level: int,
          parts: list[str]) -> tuple[float, float]:
    """Draw a subtree from column ``left`` on; its own column, and the next free one."""
    y, found = 62 + level * LEVEL, numbers(tree, T, scale, is_max)
    inner = isinstance(tree, Sequence) and not isinstance(tree, str)
    columns, after = [], left
    for child in tree if inner else ():
        at, after = _draw(child, T, scale, not is_max, after, level + 1, parts)
        columns.append(at)
    column = (columns[0] + columns[-1]) / 2 if inner else left
    x = EDGE + HALF + column * STEP
    for at in columns:
        parts.insert(0, svg.line(x, y + HEIGHT / 2, EDGE + HALF + at * STEP,
                                 y + LEVEL - HEIGHT / 2, "#8c8c8c"))
    kind = ("max" if is_max else "min") if inner else "leaf"
    fill = FILLS["there" if found.scn == 0 else kind]
    named = f"{kind.upper()} {_short(found.value)}" if inner else (
        tree if isinstance(tree, str) else _short(found.value))
    parts.append(svg.rectangle(x - HALF, y - HEIGHT / 2, 2 * HALF, HEIGHT, fill, "#20242c"))
    parts.append(svg.label(x, y - 9, named, 14))
    parts.append(svg.label(x, y + 10, f"SCN {_short(found.scn)}, {100 * found.chance:.0f} %", 11))
    return column, after if inner else left + 1


def _short(number: float) -> str:
    return f"{number:g}" if math.isfinite(number) else "\u221e" if number > 0 else "-\u221e"

