"""Tables and claims about games that were watched: which numbers tell won, drawn and lost apart?

Won: the first player's numbers in positions that are won for it. Lost: the second player's in the
same positions. Drawn: the first player's in drawn ones; by RSCN the second player's are the mirror.
Numbers are compared on the positions that have all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from zermelo.conspiracy.watch import NUMBERS, SIDES
from zermelo.lab import columns
from zermelo.lab.entries import Entry
from zermelo.lab.report.claims import Test
from zermelo.lab.report.tables import Made
from zermelo.lab.results import Results
from zermelo.lab.study.intervals import UNDECIDED, Verdict
from zermelo.lab.study.separation import (
    RESAMPLINGS,
    difference_of_areas,
    error_of_three,
    matched_area,
    overlap,
    roc_area,
)

CALLED = {"rscn": "RSCN", "scn": "SCN, one's own alone", "vl": "Vl", "static":
          "evaluation without search", "pcn": "PCN, log odds less the other's",
          "moves": "number of moves less the other's"}
WITHIN = 2  # moves by which the mobility of a matched pair may differ
Named = Callable[[Results], Made]
Some = Sequence[Entry | None]  # the positions of a set; None where a number is missing


def read(results: Results, arm: str, set: str, name: str) -> list[float]:
    """A number such as ``rscn_first`` on all positions of a set that have it."""
    return [number for entry in results.select(arm, set)
            if (number := columns.of_row(entry, name)) is not None]


def better(results: Results, arm: str, set: str, name: str, side: str = "first") -> list[float]:
    """The same for a side, turned round where less is better."""
    sign = 1 if NUMBERS[name] else -1
    return [sign * number for number in read(results, arm, set, f"{name}_{side}")]


def having(results: Results, arm: str, set: str, names: Iterable[str],
           sides: Sequence[str] = SIDES) -> Some:
    """The positions of a set, with None in place of those that lack one of the numbers."""
    wanted = [f"{name}_{side}" for name in names for side in sides]
    return [None if any(columns.of_row(entry, one) is None for one in wanted) else entry
            for entry in results.select(arm, set)]


def turned(some: Some, name: str, side: str = "first") -> list[float | None]:
    """A number in these positions, turned round where less is better."""
    sign = 1 if NUMBERS[name] else -1
    return [None if entry is None or (number := columns.of_row(entry, f"{name}_{side}")) is None
            else sign * number for entry in some]


def kept(numbers: Iterable[float | None]) -> list[float]:
    """Those that are there."""
    return [number for number in numbers if number is not None]


def beside_moves(some: Some, name: str) -> list[tuple[float, float]]:
    """The first player's number, larger being better, beside the difference in moves."""
    both = zip(turned(some, name), turned(some, "moves"), strict=True)
    return [(x, y) for x, y in both if x is not None and y is not None]


def separation(title: str, arm: str, won: str, drawn: str, note: str = "") -> Named:
    """A table: a row for each number, and how well it tells the kinds apart."""
    header = ["number", "won", "drawn", "area won / drawn", "area won / lost",
              "overlap won / drawn %", "error of three %",
              f"area, moves within {WITHIN}", "pairs"]

    def make(results: Results) -> Made:
        wins = having(results, arm, won, NUMBERS)
        draws = having(results, arm, drawn, NUMBERS, SIDES[:1])
        rows = [[CALLED[name], *separation_row(wins, draws, name)] for name in NUMBERS]
        which = (f"On the {how_many(wins)} {won} and {how_many(draws)} {drawn} positions that "
                 "have all of these numbers.")
        return Made(title, header, rows, f"{which} {note}".strip())

    return make


def how_many(some: Some) -> str:
    """How many have the numbers, of how many."""
    return f"{len(some) - some.count(None)} of {len(some)}"


def separation_row(won: Some, drawn: Some, name: str) -> list[str]:
    """What a number tells apart, as the cells of a table."""
    gapped = [turned(won, name, "second"), turned(drawn, name), turned(won, name)]
    losses, draws, wins = map(kept, gapped)
    area, pairs = matched_area(beside_moves(drawn, name), beside_moves(won, name), WITHIN)
    shares = [None if share is None else 100 * share
              for share in (overlap(draws, wins), error_of_three(*gapped))]
    sign = 1 if NUMBERS[name] else -1
    raw = [told([sign * number for number in numbers]) for numbers in (wins, draws)]
    return [*raw, _area(roc_area(draws, wins)), _area(roc_area(losses, wins)),
            *map(columns.text, shares), _area(area), f"{pairs:,}"]


def _area(area: float | None) -> str:
    return "-" if area is None else f"{area:.4f}"


def told(numbers: Sequence[float]) -> str:
    """How many numbers there are, and in which range."""
    if not numbers:
        return "-"
    return f"{len(numbers)} in {min(numbers):.1f} to {max(numbers):.1f}"


def apart(arm: str, name: str, kinds: Sequence[tuple[str, str]], yes: bool = True) -> Test:
    """Nothing of a kind lies within the range of the next; or, with ``yes`` false, something does.

    ``kinds``: (set, side), the better first.
    """
    def test(results: Results) -> tuple[Verdict, str]:
        several = [better(results, arm, group, name, side) for group, side in kinds]
        if not results.finished(arm) or not all(several):
            return None, ""
        clear = all(min(one) > max(other) for one, other in pairwise(several))
        ranges = [f"{group}, {side} player: "
                  f"{told(read(results, arm, group, f'{name}_{side}'))}" for group, side in kinds]
        return clear is yes, f"{CALLED[name]}: " + "; ".join(ranges)

    return test


def at_depths(test_of: Callable[[str], Test], arms: Mapping[int, str]) -> Test:
    """The same test at several depths: it holds, or does not, where all that were run agree, and is
    undecided where they do not."""
    def test(results: Results) -> tuple[Verdict, str]:
        found = {depth: test_of(arm)(results) for depth, arm in arms.items()}
        ran = {depth: one for depth, one in found.items() if one[0] is not None}
        told = "; ".join(f"depth {depth}, {_so(verdict)}: {words}"
                         for depth, (verdict, words) in ran.items())
        if len(ran) < 2:
            return None, told
        verdicts = [verdict for verdict, _ in ran.values()]
        return (verdicts[0] if len({*verdicts}) == 1 else UNDECIDED), told

    return test


def _so(verdict: Verdict) -> str:
    return verdict if isinstance(verdict, str) else "so" if verdict else "not so"


def within(arm: str, set: str, low: float, high: float) -> Test:
    """All RSCN of the first player on a set lie in this range."""
    def test(results: Results) -> tuple[Verdict, str]:
        numbers = read(results, arm, set, "rscn_first")
        if not results.finished(arm) or not numbers:
            return None, ""
        inside = sum(low <= number <= high for number in numbers)
        return inside == len(numbers), f"{inside} of {len(numbers)} inside; {told(numbers)}"

    return test


def separates_better(arm: str, won: str, drawn: str, name: str, other: str) -> Test:
    """The first number has the larger area between won and drawn than the other, on the positions
    that have both; undecided where a paired bootstrap does not tell which is larger."""
    def test(results: Results) -> tuple[Verdict, str]:
        wins, draws = (having(results, arm, group, (name, other), SIDES[:1])
                       for group in (won, drawn))
        by_name, by_other = ((kept(turned(draws, one)), kept(turned(wins, one)))
                             for one in (name, other))
        areas = roc_area(*by_name), roc_area(*by_other)
        if not results.finished(arm) or areas[0] is None or areas[1] is None:
            return None, ""
        low, high = difference_of_areas(by_name, by_other)
        return (True if low > 0 else False if high < 0 else UNDECIDED), (
            f"area {areas[0]:.4f} by {CALLED[name]}, {areas[1]:.4f} by {CALLED[other]}; difference "
            f"{areas[0] - areas[1]:+.4f}, 95 % by a bootstrap of {RESAMPLINGS:,}: {low:+.4f} to "
            f"{high:+.4f}; {how_many(wins)} {won}, {how_many(draws)} {drawn}")

    return test
