"""Tables and claims about games that were watched: which numbers tell won, drawn and lost apart?

Won: the first player's numbers in positions that are won for it. Lost: the second player's in the
same positions. Drawn: the first player's in drawn ones; by RSCN the second player's are the mirror.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from zermelo.lab import columns
from zermelo.lab.claims import Test
from zermelo.lab.separation import error_of_three, matched_area, overlap, roc_area
from zermelo.lab.tables import Made
from zermelo.lab.watch import NUMBERS

if TYPE_CHECKING:
    from zermelo.lab.view import View

CALLED = {"rscn": "RSCN", "scn": "SCN, one's own alone", "vl": "Vl", "static":
          "evaluation without search", "pcn": "PCN, log odds less the other's",
          "moves": "number of moves less the other's"}
WITHIN = 2  # moves by which the mobility of a matched pair may differ
Named = Callable[["View"], Made]


def read(view: View, arm: str, set: str, name: str) -> list[float]:
    """A number such as ``rscn_first`` on all positions of a set that have it."""
    return [number for entry in view.select(arm, set)
            if (number := columns.of_row(entry, name)) is not None]


def better(view: View, arm: str, set: str, name: str, side: str = "first") -> list[float]:
    """The same for a side, turned round where less is better."""
    sign = 1 if NUMBERS[name] else -1
    return [sign * number for number in read(view, arm, set, f"{name}_{side}")]


def beside_moves(view: View, arm: str, set: str, name: str) -> list[tuple[float, float]]:
    """The first player's number, larger being better, beside the difference in moves."""
    sign = 1 if NUMBERS[name] else -1
    both = [(columns.of_row(entry, f"{name}_first"), columns.of_row(entry, "moves_first"))
            for entry in view.select(arm, set)]
    return [(sign * x, y) for x, y in both if x is not None and y is not None]


def separation(title: str, arm: str, won: str, drawn: str, note: str = "") -> Named:
    """A table: a row for each number, and how well it tells the kinds apart."""
    header = ["number", "won", "drawn", "area won / drawn", "area won / lost",
              "overlap won / drawn %", "error of three %",
              f"area, moves within {WITHIN}", "pairs"]

    def make(view: View) -> Made:
        rows = [[CALLED[name], *_row(view, arm, won, drawn, name)] for name in NUMBERS]
        return Made(title, header, rows, note)

    return make


def _row(view: View, arm: str, won: str, drawn: str, name: str) -> list[str]:
    wins, draws = (better(view, arm, group, name) for group in (won, drawn))
    losses = better(view, arm, won, name, "second")
    area, pairs = matched_area(beside_moves(view, arm, drawn, name),
                               beside_moves(view, arm, won, name), WITHIN)
    error, common = error_of_three(losses, draws, wins), overlap(draws, wins)
    raw = [told(read(view, arm, group, f"{name}_first")) for group in (won, drawn)]
    shares = [None if share is None else 100 * share for share in (common, error)]
    return [*raw, _area(roc_area(draws, wins)), _area(roc_area(losses, wins)),
            *map(columns.text, shares), _area(area), f"{pairs:,}"]


def _area(area: float | None) -> str:
    return "-" if area is None else f"{area:.3f}"


def told(numbers: Sequence[float]) -> str:
    """How many numbers there are, and in which range."""
    if not numbers:
        return "-"
    return f"{len(numbers)} in {min(numbers):.1f} to {max(numbers):.1f}"


def apart(arm: str, name: str, kinds: Sequence[tuple[str, str]], yes: bool = True) -> Test:
    """Nothing of a kind lies within the range of the next; or, with ``yes`` false, something does.

    ``kinds``: (set, side), the better first.
    """
    def test(view: View) -> tuple[bool | None, str]:
        several = [better(view, arm, group, name, side) for group, side in kinds]
        if not view.finished(arm) or not all(several):
            return None, ""
        clear = all(min(one) > max(other) for one, other in pairwise(several))
        ranges = [f"{group}, {side} player: "
                  f"{told(read(view, arm, group, f'{name}_{side}'))}" for group, side in kinds]
        return clear is yes, f"{CALLED[name]}: " + "; ".join(ranges)

    return test


def within(arm: str, set: str, low: float, high: float) -> Test:
    """All RSCN of the first player on a set lie in this range."""
    def test(view: View) -> tuple[bool | None, str]:
        numbers = read(view, arm, set, "rscn_first")
        if not view.finished(arm) or not numbers:
            return None, ""
        inside = sum(low <= number <= high for number in numbers)
        return inside == len(numbers), f"{inside} of {len(numbers)} inside; {told(numbers)}"

    return test


def separates_better(arm: str, won: str, drawn: str, name: str, other: str) -> Test:
    """The first number has the larger area between won and drawn than the other."""
    def test(view: View) -> tuple[bool | None, str]:
        areas = [roc_area(better(view, arm, drawn, one), better(view, arm, won, one))
                 for one in (name, other)]
        if not view.finished(arm) or areas[0] is None or areas[1] is None:
            return None, ""
        return areas[0] > areas[1], (f"area {areas[0]:.3f} by {CALLED[name]}, {areas[1]:.3f} by "
                                     f"{CALLED[other]}")

    return test
