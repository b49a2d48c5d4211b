"""Games that were watched: which numbers tell won, drawn and lost positions apart?

Won: the first player's numbers in positions that are won for it. Lost: the second player's in the
same positions. Drawn: the first player's in drawn ones; by RSCN the second player's are the mirror.
Numbers are compared on the positions that have all of them; larger ones are those of the better.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from zermelo.conspiracy.rscn import NUMBERS, SIDES
from zermelo.lab import columns
from zermelo.lab.claims import Test
from zermelo.lab.columns import Entry
from zermelo.lab.results import Made, Results
from zermelo.lab.statistics import UNDECIDED, Verdict

__all__ = ["apart", "at_depths", "readings", "separates_better", "separation", "within"]

Numbers = Sequence[float]
Gapped = Sequence[float | None]  # None where a position has no number
RESAMPLINGS, LEFT_OUT = 2_000, 0.025  # of a bootstrap, and the share beyond each bound


def roc_area(worse: Numbers, better: Numbers) -> float | None:
    """Share of pairs in which the better one has the larger number, ties as halves: 1 always, 0.5
    by chance."""
    if not worse or not better:
        return None
    from scipy.stats import mannwhitneyu

    wins = mannwhitneyu(better, worse, method="asymptotic").statistic
    return float(wins) / (len(worse) * len(better))


def matched_area(worse: Sequence[tuple[float, float]], better: Sequence[tuple[float, float]],
                 within: float) -> tuple[float | None, int]:
    """``roc_area`` over the pairs whose companions, second in each tuple, differ by at most
    ``within``; and the number of these pairs."""
    pairs = [(x > y) + 0.5 * (x == y) for x, a in better for y, b in worse if abs(a - b) <= within]
    return (sum(pairs) / len(pairs) if pairs else None), len(pairs)


def difference_of_areas(one: tuple[Numbers, Numbers], other: tuple[Numbers, Numbers],
                        seed: int = 0) -> tuple[float, float]:
    """Bounds, 95 %, of the area by one number less that by another on the same positions.

    Both are given for the worse and for the better positions, in the same order. A paired
    bootstrap: positions of each kind are drawn with replacement, again and again.
    """
    difference, chance = _pairs(*one) - _pairs(*other), np.random.default_rng(seed)
    rows, columns = (chance.multinomial(count, np.full(count, 1 / count), RESAMPLINGS)
                     for count in difference.shape)
    found = ((rows @ difference) * columns).sum(axis=1) / difference.size
    low, high = np.quantile(found, (LEFT_OUT, 1 - LEFT_OUT))
    return float(low), float(high)


def _pairs(worse: Numbers, better: Numbers) -> Any:
    """1 where a number of the better, in its row, is larger than one of the worse; 0.5 if equal."""
    rows, columns = np.array(better)[:, None], np.array(worse)[None, :]
    return (rows > columns) + 0.5 * (rows == columns)


def overlap(worse: Numbers, better: Numbers) -> float | None:
    """The share of all numbers that lie where both kinds have some: between the least of the better
    and the largest of the worse."""
    if not worse or not better:
        return None
    low, high = min(better), max(worse)
    both = [*worse, *better]
    return sum(low <= x <= high for x in both) / len(both)


def best_cut(worse: Numbers, better: Numbers) -> float:
    """The threshold with the smallest error, the mean of both kinds'; of several, the middle one.

    From it on, a number is taken for one of the better.
    """
    values = sorted({*worse, *better})
    cuts = [values[0], *((a + b) / 2 for a, b in pairwise(values))]
    errors = [sum(x >= cut for x in worse) / len(worse) + sum(x < cut for x in better) / len(better)
              for cut in cuts]
    best = [cut for cut, error in zip(cuts, errors, strict=True) if error == min(errors)]
    return best[len(best) // 2]


def error_of_three(lost: Gapped, drawn: Gapped, won: Gapped) -> float | None:
    """The share taken for another kind, the mean of the three kinds, on every second position; the
    two thresholds are those of the other half.

    Positions without a number count as positions, so that the halves are the same for all numbers.
    """
    chosen, tested = ([[x for x in kind[first::2] if x is not None]
                       for kind in (lost, drawn, won)] for first in (0, 1))
    if not all((*chosen, *tested)):
        return None
    cuts = sorted((best_cut(chosen[0], chosen[1]), best_cut(chosen[1], chosen[2])))
    wrong = [sum(bisect_right(cuts, x) != which for x in kind) / len(kind)
             for which, kind in enumerate(tested)]
    return sum(wrong) / len(wrong)


CALLED = {"rscn": "RSCN", "scn": "SCN, one's own alone", "vl": "Vl", "static":
          "evaluation without search", "pcn": "PCN, log odds less the other's",
          "moves": "number of moves less the other's"}
WITHIN = 2  # moves by which the mobility of a matched pair may differ
Named = Callable[[Results], Made]
Some = Sequence[Entry | None]  # the positions of a set; None where a number is missing


def readings(results: Results, arm: str, set: str, name: str) -> list[float]:
    """A number such as ``rscn_first`` on all positions of a set that have it."""
    return [number for entry in results.select(arm, set)
            if (number := columns.number_of(entry, name)) is not None]


def better(results: Results, arm: str, set: str, name: str, side: str = "first") -> list[float]:
    """``readings`` of a side, turned round where less is better."""
    sign = 1 if NUMBERS[name] else -1
    return [sign * number for number in readings(results, arm, set, f"{name}_{side}")]


def having(results: Results, arm: str, set: str, names: Iterable[str],
           sides: Sequence[str] = SIDES) -> Some:
    """The positions of a set, with None in place of those that lack one of the numbers."""
    wanted = [f"{name}_{side}" for name in names for side in sides]
    return [None if any(columns.number_of(entry, one) is None for one in wanted) else entry
            for entry in results.select(arm, set)]


def turned(some: Some, name: str, side: str = "first") -> list[float | None]:
    """A number in these positions, turned round where less is better."""
    sign = 1 if NUMBERS[name] else -1
    return [None if entry is None or (number := columns.number_of(entry, f"{name}_{side}")) is None
            else sign * number for entry in some]


def kept(numbers: Iterable[float | None]) -> list[float]:
    """The items that are not None."""
    return [number for number in numbers if number is not None]


def beside_moves(some: Some, name: str) -> list[tuple[float, float]]:
    """The first player's number, larger being better, beside the difference in moves."""
    both = zip(turned(some, name), turned(some, "moves"), strict=True)
    return [(x, y) for x, y in both if x is not None and y is not None]


def separation(title: str, arm: str, won: str, drawn: str, note: str = "") -> Named:
    """A table: a row for each number, and how well it separates the kinds."""
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
    """Number of known items of all, as a text."""
    return f"{len(some) - some.count(None)} of {len(some)}"


def separation_row(won: Some, drawn: Some, name: str) -> list[str]:
    """Cells of a table about what a number separates."""
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
    """Count and range of the numbers, as a text."""
    if not numbers:
        return "-"
    return f"{len(numbers)} in {min(numbers):.1f} to {max(numbers):.1f}"


def apart(arm: str, name: str, kinds: Sequence[tuple[str, str]], yes: bool = True) -> Test:
    """Test that no number of a kind lies within the range of the next; with ``yes`` false, that one
    does.

    ``kinds``: (set, side), the better first.
    """
    def test(results: Results) -> tuple[Verdict, str]:
        several = [better(results, arm, group, name, side) for group, side in kinds]
        if not results.finished(arm) or not all(several):
            return None, ""
        clear = all(min(one) > max(other) for one, other in pairwise(several))
        ranges = [f"{group}, {side} player: "
                  + told(readings(results, arm, group, f"{name}_{side}")) for group, side in kinds]
        return clear is yes, f"{CALLED[name]}: " + "; ".join(ranges)

    return test


def at_depths(test_of: Callable[[str], Test], arms: Mapping[int, str]) -> Test:
    """Combine a test at several depths: it holds, or does not, where all that were run agree; else
    undecided."""
    def test(results: Results) -> tuple[Verdict, str]:
        found = {depth: test_of(arm)(results) for depth, arm in arms.items()}
        ran = {depth: one for depth, one in found.items() if one[0] is not None}
        said = {True: "so", False: "not so", UNDECIDED: UNDECIDED}
        told = "; ".join(f"depth {depth}, {said[verdict]}: {words}"
                         for depth, (verdict, words) in ran.items())
        if len(ran) < 2:
            return None, told
        verdicts = [verdict for verdict, _ in ran.values()]
        return (verdicts[0] if len({*verdicts}) == 1 else UNDECIDED), told

    return test


def within(arm: str, set: str, low: float, high: float) -> Test:
    """All RSCN of the first player on a set lie in this range; undecided where some do not: the
    range is of another evaluation."""
    def test(results: Results) -> tuple[Verdict, str]:
        numbers = readings(results, arm, set, "rscn_first")
        if not results.finished(arm) or not numbers:
            return None, ""
        inside = sum(low <= number <= high for number in numbers)
        verdict = True if inside == len(numbers) else UNDECIDED
        return verdict, f"{inside} of {len(numbers)} inside; {told(numbers)}"

    return test


def separates_better(arm: str, won: str, drawn: str, name: str, other: str) -> Test:
    """The first number has the larger area between won and drawn than the other, on the positions
    that have both; undecided where a paired bootstrap does not decide it."""
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
