"""Is a search as sure as it says? p of the root against the share of positions that are won."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.lab.report.tables import Made
from zermelo.lab.study.intervals import Interval, share

if TYPE_CHECKING:
    from zermelo.lab.results import Results

# Bins of p: close together near 0 and 1, where conclusions are drawn.
EDGES = (0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999)


class Bin(NamedTuple):
    """The positions whose p lies in a range: the mean of p, and how many are won."""

    low: float
    high: float
    p: float
    won: Interval


def points(results: Results, arm: str, game: str | None = None) -> list[tuple[float, bool]]:
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
                for game in games for one in bins(points(results, arm, game))]
        return Made(f"Calibration: {arm}",
                    ["game", "p", "mean p", "positions", "won %", "95 %"], rows,
                    "Positions that the search had not proved by then; the truth by proof.")

    return make
