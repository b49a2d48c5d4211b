"""RSCN and Vl: from the curves of a game's positions to one number a position and one a side.

Song 2019, 4.2 and 4.3.2. A curve, SCN or value over search depth, is fitted by a straight line and
read at depth 10. RSCN is one's own reading minus the other side's on the neighbouring position;
the smaller, the nearer is one's own side to the threshold than the other. Vl is the reading of the
value. Both are averaged over the positions in which a side is to move.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from zermelo.conspiracy.scn import Curve, Scan, Thresholds
from zermelo.core.position import Position

READ_AT = 10  # the depth at which a fitted line is read
FEWEST = 4  # depths that a line is fitted to
MOST_ODDS = 300.0  # as many decimal digits of odds count as certain
Points = Iterable[tuple[float, float]]


def straight_line(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """(slope, height at 0) of the line with the least squares; two different x at least."""
    mean_x = math.fsum(x for x, _ in points) / len(points)
    mean_y = math.fsum(y for _, y in points) / len(points)
    spread = math.fsum((x - mean_x) ** 2 for x, _ in points)
    slope = math.fsum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    return slope, mean_y - slope * mean_x


def reading(points: Points, at: float = READ_AT, fewest: int = FEWEST) -> float | None:
    """The fitted line at depth ``at``; points at infinity are dropped, and None if few are left."""
    kept = [(x, y) for x, y in points if math.isfinite(y)]
    if len(kept) < fewest:
        return None
    slope, height = straight_line(kept)
    return slope * at + height


def scn_reading(curve: Curve, which: int = 0, at: float = READ_AT) -> float | None:
    """SCN at depth ``at``, for the threshold number ``which``."""
    return reading(((row.depth, row.scn[which]) for row in curve.rows), at)


def vl(curve: Curve, at: float = READ_AT) -> float | None:
    """Vl: the value at depth ``at``, for the player to move."""
    return reading(((row.depth, row.value) for row in curve.rows), at)


def odds_reading(curve: Curve, which: int = 0, at: float = READ_AT) -> float | None:
    """The same for the logarithm of the odds of the probability-based number.

    Infinite odds say that T is reached, or never will be: no reason to drop the point, as it is for
    SCN, but all beyond ``MOST_ODDS`` count as that.
    """
    return reading(((row.depth, max(-MOST_ODDS, min(MOST_ODDS, row.odds[which])))
                    for row in curve.rows), at)


def neighbour(movers: Sequence[int], at: int) -> int | None:
    """The position that the one at ``at`` is compared with; None if there is none.

    The first player's is the next one where the other is to move, the second player's the last
    one before.
    """
    step = 1 if movers[at] == 0 else -1
    other = at + step
    while 0 <= other < len(movers) and movers[other] == movers[at]:
        other += step
    return other if 0 <= other < len(movers) else None


def relative(readings: Sequence[float | None], movers: Sequence[int]) -> list[float | None]:
    """RSCN of every position: its own reading minus that of its neighbour.

    Infinite for the first player in the last position, which has no next one: nobody moves there.
    None where a reading is missing.
    """
    found: list[float | None] = []
    for at, own in enumerate(readings):
        other = neighbour(movers, at)
        if other is None:
            found.append(math.inf if movers[at] == 0 else None)
            continue
        theirs = readings[other]
        found.append(None if own is None or theirs is None else own - theirs)
    return found


def average(numbers: Iterable[float | None]) -> float | None:
    """The mean of those that are there and finite; None if there are none."""
    kept = [number for number in numbers if number is not None and math.isfinite(number)]
    return math.fsum(kept) / len(kept) if kept else None


def self_play(start: Position, T: Thresholds | None = None, depth: int = 5, longest: int = 200,
              **options: Any) -> list[Curve]:
    """The curves of a game from ``start`` in which each side plays the best move of its search.

    It ends with the game, where a position repeats, or after ``longest`` moves; the last curve
    is that of the position in which it ended.
    """
    curves: list[Curve] = []
    position, seen = start, {start}
    while True:
        curves.append(Scan(position, T, depth, **options).run())
        if not curves[-1].rows or len(curves) > longest:
            return curves
        position = position.play(curves[-1].rows[-1].move)
        if position in seen:
            return curves
        seen.add(position)


def of_game(curves: Sequence[Curve], which: int = 0, at: float = READ_AT) -> dict[str, Any]:
    """RSCN and Vl of both sides, averaged over the positions of a game: a pair for each."""
    movers = [curve.position.mover for curve in curves]
    rscn = relative([scn_reading(curve, which, at) for curve in curves], movers)
    values = [vl(curve, at) for curve in curves]
    return {name: tuple(of_side(numbers, movers, side) for side in (0, 1))
            for name, numbers in (("rscn", rscn), ("vl", values))}


def of_side(numbers: Sequence[float | None], movers: Sequence[int], side: int) -> float | None:
    """The average over the positions where ``side`` is to move: RSCN_red, Vl_black and so on."""
    return average(number for number, mover in zip(numbers, movers, strict=True) if mover == side)
