"""Columns for matches: what the games of an arm against another search come to.

    games, won, drawn, lost, points, score %, score 95 %, Elo, Elo 95 %, by repetition, mean plies
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from statistics import mean
from typing import Any

from zermelo.errors import counted
from zermelo.lab.entries import Entry
from zermelo.lab.study.intervals import LEAST, UNDECIDED, Verdict
from zermelo.matches.score import Score, score_of

BEATS = (f"the bounds of the score lie above one half, {LEAST} openings at least; refuted if "
         "below")


def score(entries: Sequence[Entry]) -> Score | None:
    """The score over the openings of which all games have been played."""
    units: dict[Any, list[Any]] = defaultdict(list)
    for entry in entries:
        played = entry.row is not None and "played" in entry.row
        units[entry.cell.set, entry.cell.id].append(
            entry.row["value"] if entry.row is not None and played else None)
    return score_of([unit for unit in units.values() if None not in unit])


def beats(name: str) -> Callable[[Any], tuple[Verdict, str]]:
    """The test of a claim: the 95 % bounds of the arm's score lie above one half (see BEATS)."""
    def test(results: Any) -> tuple[Verdict, str]:
        found = score(results.select(name))
        if found is None or not results.finished(name):
            return None, ""
        told = (f"{found.points:g}-{found.games - found.points:g}, "
                f"{100 * found.low:.1f} to {100 * found.high:.1f} %")
        verdict: Verdict = (UNDECIDED if found.units < LEAST or found.low <= 0.5 <= found.high
                            else found.low > 0.5)
        return verdict, f"{told}, {counted(found.units, 'opening')}"

    return test


def _of_score(tell: Callable[[Score], Any]) -> Callable[[Sequence[Entry]], Any]:
    def column(entries: Sequence[Entry]) -> Any:
        found = score(entries)
        return None if found is None else tell(found)

    return column


def _rows(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    return [entry.row for entry in entries if entry.row is not None and "played" in entry.row]


def bounds(low: float, high: float, form: str) -> str:
    """Two numbers."""
    return f"{low:{form}} to {high:{form}}"


MATCH: dict[str, Callable[[Sequence[Entry]], Any]] = {
    "games": _of_score(lambda s: s.games),
    "won": _of_score(lambda s: s.won),
    "drawn": _of_score(lambda s: s.drawn),
    "lost": _of_score(lambda s: s.lost),
    "points": _of_score(lambda s: f"{s.points:g}-{s.games - s.points:g}"),
    "score %": _of_score(lambda s: 100 * s.share),
    "score 95 %": _of_score(lambda s: bounds(100 * s.low, 100 * s.high, ".1f")),
    "Elo": _of_score(lambda s: f"{s.elo[0]:+.0f}"),
    "Elo 95 %": _of_score(lambda s: bounds(*s.elo[1:], "+.0f")),
    "by repetition": lambda entries: sum(row["stopped"] == "repetition" for row in _rows(entries)),
    "mean plies": lambda entries: mean(row["played"]["opening"] + row["iterations"]
                                       for row in _rows(entries)) if _rows(entries) else None,
}
