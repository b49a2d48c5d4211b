"""A game watched by conspiracy numbers: how near did each side come to a threshold?

A job of its own kind. From a position, or from the end of a given line, the search plays on; every
position of the game is searched to all depths, and the row has what Song 2019, 4.3, averages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from zermelo.conspiracy.rscn import (
    FEWEST,
    average,
    odds_reading,
    of_side,
    relative,
    scn_reading,
    self_play,
    vl,
)
from zermelo.conspiracy.scn import MOST_DEPTH, Curve, Scan, finite
from zermelo.core.position import Position
from zermelo.core.rules import MOST_POINTS
from zermelo.search.base import OptionSet, option
from zermelo.search.minimax.score import MATE

SIDES = ("first", "second")
# What is read, and whether more of it is better.
NUMBERS = {"rscn": False, "scn": False, "vl": True, "static": True, "pcn": True, "moves": True}


@dataclass(frozen=True)
class Watch(OptionSet):
    """How to watch a game. It has options as a search has, but it is a job of another kind."""

    id: ClassVar[str] = "watch"
    title: ClassVar[str] = "a game watched by conspiracy numbers"
    paper: ClassVar[str] = "Song 2019, 4.3"
    sources: ClassVar[tuple[str, ...]] = ("conspiracy/*.py", "search/minimax/*.py")
    T: int = option(600, "threshold in points", low=-MATE, high=MOST_POINTS)
    depth: int = option(5, "of every search", low=FEWEST, high=MOST_DEPTH)
    longest: int = option(16, "moves that are played on", low=0, high=1000)
    whole: bool = option(False, "watch the moves that led to the position too")
    quiescence: bool = option(False, "search captures beyond the depth")


def prepare(position: Position, how: Watch) -> None:
    """Compile or load what a game from ``position`` needs."""
    Scan(position, how.T, 1, quiescence=how.quiescence).run()
    if position.game.rules.evaluate is not None:
        position.game.board.evaluate(position.state)
    for code in position.codes()[:1]:
        position.play_code(code)


def watched(start: Position, line: Sequence[str], how: Watch) -> list[Curve]:
    """The curves of a game: the moves of ``line`` from ``start``, then those of the search."""
    curves, position = [], start
    for move in line:
        curves.append(Scan(position, how.T, how.depth, quiescence=how.quiescence).run())
        position = position.play(move)
    return curves + self_play(position, how.T, how.depth, how.longest,
                              quiescence=how.quiescence)


def numbers_of(curves: Sequence[Curve]) -> dict[str, float | None]:
    """What a game comes to for each side, each number over the positions where it can be read.

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
        "static": [None if one is None else float(_static(one.position)) for one in going],
        "pcn": relative([odds_reading(curve) for curve in curves], movers),
        "moves": relative(moves, movers),
    }
    found = {f"{name}_{side}": of_side(series[name], movers, which)
             for name in NUMBERS for which, side in enumerate(SIDES)}
    return {**found, "curves": sum(one is not None for one in scn), "plies": len(curves) - 1,
            "mobility": average(moves)}


def _static(position: Position) -> int:
    return position.game.board.evaluate(position.state)


def row_of(curves: Sequence[Curve], how: Watch) -> dict[str, Any]:
    """The game as a row of the lab; the trace is that of its first two positions, over depth."""
    moves = [_move(one, other) for one, other in pairwise(curves)]
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


def _move(one: Curve, other: Curve) -> str:
    """The move between two positions of a game."""
    return one.position.game.move_name(one.position, other.position.played[-1])


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
