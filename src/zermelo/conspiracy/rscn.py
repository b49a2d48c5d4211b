"""RSCN and Vl: from the curves of a game's positions to one number a position and one a side.

Song 2019, 4.2 and 4.3.2. A curve, SCN or value over search depth, is fitted by a straight line and
read at depth 10. RSCN is one's own reading minus the other side's on the neighbouring position;
the smaller, the nearer is one's own side to the threshold than the other. Vl is the reading of the
value. Both are averaged over the positions in which a side is to move.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from zermelo.conspiracy.driver import STATIC
from zermelo.conspiracy.scn import MOST_DEPTH, Curve, Scan, Thresholds, finite
from zermelo.core.position import Position
from zermelo.core.rules import MOST_POINTS
from zermelo.search.base import OptionSet, option
from zermelo.search.minimax.plan import MATE

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
    """The logarithm of the odds of the probability-based number at depth ``at``.

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

    Infinite for the first player in the last position, which has no next one: it is over.
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
    """The mean of the finite numbers; None without any."""
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


def of_side(numbers: Sequence[float | None], movers: Sequence[int], side: int) -> float | None:
    """The average over the positions where ``side`` is to move: RSCN_red, Vl_black and so on."""
    return average(number for number, mover in zip(numbers, movers, strict=True) if mover == side)


SIDES = ("first", "second")
# What is read, and whether more of it is better.
NUMBERS = {"rscn": False, "scn": False, "vl": True, "static": True, "pcn": True, "moves": True}


@dataclass(frozen=True)
class Watch(OptionSet):
    """Options for watching a game: a job, as a search with its options is."""

    id: ClassVar[str] = "watch"
    title: ClassVar[str] = "a game watched by conspiracy numbers"
    paper: ClassVar[str] = "Song 2019, 4.3"
    sources: ClassVar[tuple[str, ...]] = ("conspiracy/*.py", "search/minimax/*.py")
    T: int = option(600, "threshold in points", low=-MATE, high=MOST_POINTS)
    depth: int = option(5, "of every search", low=FEWEST, high=MOST_DEPTH)
    longest: int = option(16, "moves that are played on", low=0, high=1000)
    whole: bool = option(False, "watch the moves that led to the position too")
    quiescence: bool = option(False, "search captures beyond the depth")
    static: bool = option(False, "moves left untried count what a leaf counts, by the evaluation",
                          implied=True)

    @property
    def scan(self) -> dict[str, Any]:
        """The options of the search of a position."""
        return {"quiescence": self.quiescence, "pruned": STATIC if self.static else 1}


def prepare(position: Position, how: Watch) -> None:
    """Compile or load what a game from ``position`` needs."""
    Scan(position, how.T, 1, **how.scan).run()
    if position.game.rules.evaluate is not None:
        position.game.board.evaluate(position.state)
    for code in position.codes()[:1]:
        position.play_code(code)


def watched(start: Position, line: Sequence[str], how: Watch) -> list[Curve]:
    """The curves of a game: the moves of ``line`` from ``start``, then those of the search."""
    curves, position = [], start
    for move in line:
        curves.append(Scan(position, how.T, how.depth, **how.scan).run())
        position = position.play(move)
    return curves + self_play(position, how.T, how.depth, how.longest, **how.scan)


def numbers_of(curves: Sequence[Curve]) -> dict[str, float | None]:
    """The averages of a game for each side, each over the positions where a number can be read.

    rscn    SCN minus the other side's, read at depth 10
    scn     the same of one's own SCN alone
    vl      the value, read at depth 10
    static  the evaluation without a search
    pcn     log odds of the probability-based number, minus the other side's
    moves   how many moves one has more than the other side

    SCN and the value are infinite, and the curve too short, where the game is nearly decided; the
    last three are there wherever the game goes on.
    """
    movers = [curve.position.mover for curve in curves]
    scn = [scn_reading(curve) for curve in curves]
    going = [curve if curve.rows else None for curve in curves]
    moves = [None if one is None else float(len(one.position.codes())) for one in going]
    series = {
        "rscn": relative(scn, movers), "scn": scn, "vl": [vl(curve) for curve in curves],
        "static": [None if one is None else float(one.position.game.board.evaluate(
            one.position.state)) for one in going],
        "pcn": relative([odds_reading(curve) for curve in curves], movers),
        "moves": relative(moves, movers),
    }
    found = {f"{name}_{side}": of_side(series[name], movers, which)
             for name in NUMBERS for which, side in enumerate(SIDES)}
    return {**found, "curves": sum(one is not None for one in scn), "plies": len(curves) - 1,
            "mobility": average(moves)}


def row_of(curves: Sequence[Curve], how: Watch) -> dict[str, Any]:
    """The game as a row of the lab; the trace is that of its first two positions, over depth."""
    moves = [one.position.game.move_name(one.position, other.position.played[-1])
             for one, other in pairwise(curves)]
    stopped = "over" if not curves[-1].rows else "depth"
    return {
        "status": "done", "value": "unknown", "proved": False, "concluded": False,
        "stopped": stopped, "move": moves[0] if moves else None,
        "nodes": sum(curve.nodes for curve in curves), "iterations": len(curves),
        "seconds": sum(curve.seconds for curve in curves),
        "compile_seconds": sum(curve.compile_seconds for curve in curves), "peak_bytes": 0,
        "root": {"T": how.T, "moves": moves}, "counters": numbers_of(curves),
        "trace": _trace(curves),
    }


def _trace(curves: Sequence[Curve]) -> list[dict[str, Any]]:
    """Value and SCN of the first two positions at every depth."""
    samples: dict[int, dict[str, Any]] = {}
    for side, curve in zip(SIDES, curves, strict=False):
        for row in curve.rows:
            sample = samples.setdefault(row.depth, {"iterations": row.depth, "nodes": row.nodes,
                                                    "move": row.move, "root": {}})
            sample["root"].update({f"scn_{side}": finite(row.scn[0]),
                                   f"value_{side}": finite(row.value)})
    return list(samples.values())
