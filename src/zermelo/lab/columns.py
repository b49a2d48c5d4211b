"""Columns: the words that tables, figures and claims use for numbers over many results.

    jobs, proved, concluded, wins, not wins, out, failed, known, false, not judged
    proved %, concluded %         of the jobs; false %: of the known
    mean nodes                    also median, sum, least, most, par2; of any number of a result:
                                  nodes, iterations, seconds, search_seconds (processor time of
                                  the search alone), cpu_seconds (of its process), peak_rss,
                                  peak_bytes, visits, expansions, seesaw, rounds (iterations by
                                  the arm's unit)
    mean nodes of concluded       over those only; also proved, wins, common (positions that all
                                  arms concluded)
    mean nodes of common vs pn    in per cent of the same number of the arm pn
    mean nodes of both vs pn      the same over the positions that this arm and pn concluded
    ratio nodes to pn             the mean over those positions of the per cent of each
    fewer nodes than pn           on how many positions; also more
    games, points, Elo, ...       of matches (see ``MATCH``)

Times of different processors are kept apart: no mean, sum or ratio is of several of them (see
``told_apart``). Everything else, such as nodes, is the same wherever it was counted.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import mean, median
from string import ascii_uppercase
from typing import Any

from zermelo.errors import BadOption, counted, listed, quoted
from zermelo.jobs.store import Row
from zermelo.jobs.work import DONE
from zermelo.lab.experiment import Arm
from zermelo.lab.plan import Cell
from zermelo.lab.statistics import (
    LEAST,
    UNDECIDED,
    Interval,
    Verdict,
    mean_of,
    mean_of_ratios,
    median_of,
    ratio_of_means,
    ratio_of_samples,
    share,
)
from zermelo.matches import Score, score_of

TRUE, FALSE, NOT_JUDGED = "true", "false", "not judged"


@dataclass(frozen=True)
class Entry:
    """A cell, its row (None if it has not been run) and what is known about its position.

    ``known``: the proved value, None where there is not a proof. ``good_moves``: the winning moves,
    where they were asked for and are all proved.
    """

    cell: Cell
    arm: Arm
    row: Row | None
    known: str | None
    good_moves: list[str] | None = None

    @property
    def unit(self) -> int:
        """Iterations of the search that count as one on this set."""
        unit = self.arm.unit
        return unit if isinstance(unit, int) else unit.get(self.cell.set, 1)

    @property
    def verdict(self) -> str | None:
        """True, false or not judged; None if nothing was concluded."""
        if self.row is None or not self.row["concluded"]:
            return None
        if self.known is None:
            return NOT_JUDGED
        return TRUE if self.row["value"] == self.known else FALSE


class Entries:
    """All entries of an experiment."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = list(entries)

    @property
    def done(self) -> int:
        """Number of cells that have a row."""
        return sum(entry.row is not None for entry in self.entries)

    def select(self, arm: str | None = None, set: str | None = None) -> list[Entry]:
        """The entries of one arm, of one set, or both."""
        return [entry for entry in self.entries
                if arm in (None, entry.cell.arm) and set in (None, entry.cell.set)]

    def finished(self, *arms: str) -> bool:
        """Return True if these arms have been run on everything."""
        return all(entry.row is not None for entry in self.entries
                   if not arms or entry.cell.arm in arms)

    def common(self, arms: Sequence[str] = ()) -> set[tuple[str, str]]:
        """The positions on which all of these arms concluded, under every seed."""
        wanted = [e for e in self.entries if not arms or e.cell.arm in arms]
        failed = {(e.cell.set, e.cell.id) for e in wanted
                  if e.row is None or not e.row["concluded"]}
        return {(e.cell.set, e.cell.id) for e in wanted} - failed


TIMES = ("seconds", "search_seconds", "compile_seconds", "cpu_seconds", "wall_seconds")
UNKNOWN = "unknown"


def processor_of(row: Row) -> str:
    """Name of the processor that a row was measured on."""
    return str((row.get("machine") or {}).get("cpu", UNKNOWN))


def processors(entries: Iterable[Entry]) -> list[str]:
    """Processors that the rows were measured on, the most frequent first."""
    found = Counter(processor_of(entry.row) for entry in entries if entry.row is not None)
    return sorted(found, key=lambda name: (-found[name], name))


def mixed_times(name: str, entries: Iterable[Entry]) -> bool:
    """Return True if a number of these results mixes times of several processors."""
    return name in TIMES and len(processors(entries)) > 1


def letter(number: int) -> str:
    """Short name of a processor in tables: A to Z, then by number."""
    return ascii_uppercase[number] if number < len(ascii_uppercase) else f"processor {number + 1}"


WORDS = re.compile(r"(mean|median|sum|least|most|par2) (\w+)(?: of (\w+))?(?: vs (.+))?")
PAIRED = re.compile(r"(ratio|fewer|more) (\w+) (?:to|than) (.+)")
STATISTICS: dict[str, Callable[[Sequence[float]], float]] = {
    "mean": mean, "median": median, "sum": sum, "least": min, "most": max, "par2": mean,
}
UNITS = {"seconds": "s", "search_seconds": "s", "cpu_seconds": "s", "wall_seconds": "s",
         "peak_rss": "bytes", "peak_bytes": "bytes"}


def _concluded(entry: Entry) -> bool:
    return bool(entry.row and entry.row["concluded"])


def _proved(entry: Entry) -> bool:
    return bool(entry.row and entry.row["proved"])


def _value(entry: Entry) -> Any:
    return entry.row["value"] if entry.row and entry.row["concluded"] else None


COUNTS: dict[str, Callable[[Entry], bool]] = {
    "jobs": lambda e: e.row is not None,
    "proved": _proved,
    "concluded": _concluded,
    "wins": lambda e: _value(e) == "win",
    "not wins": lambda e: _value(e) not in (None, "win"),
    "out": lambda e: e.row is not None and not e.row["concluded"],
    "failed": lambda e: e.row is not None and e.row["status"] != DONE,
    "known": lambda e: e.verdict in ("true", "false"),
    "false": lambda e: e.verdict == "false",
    "not judged": lambda e: e.verdict == "not judged",
}
SHARES = {"proved %": ("proved", "jobs"), "concluded %": ("concluded", "jobs"),
          "false %": ("false", "known")}
OVER: dict[str, Callable[[Entry], bool]] = {
    "all": lambda e: True, "concluded": _concluded, "proved": _proved,
    "wins": lambda e: _value(e) == "win",
}


def concluded_within(limit: int) -> Callable[[Sequence[Entry]], int]:
    """A column: how many were concluded within a number of nodes."""
    return lambda entries: sum(_concluded(entry) and (entry.row or {})["nodes"] <= limit
                               for entry in entries)


def value(column: str, results: Entries, entries: Sequence[Entry], set: str | None = None,
          among: Sequence[str] = ()) -> Any:
    """The number in ``column`` over ``entries``; None where there is nothing to count.

    ``set``: where another arm is looked up. ``among``: the arms that *common* is about, all by
    default.
    """
    done = [entry for entry in entries if entry.row is not None]
    if column == "false / known":
        wrong, known = (value(word, results, done) for word in ("false", "known"))
        return f"{wrong} / {known}" if done else None
    if column in MATCH:  # all entries: an opening counts when all its games are there
        return MATCH[column](entries)
    if column in COUNTS:
        return sum(map(COUNTS[column], done)) if done else None
    if column in SHARES:
        some, whole = (value(word, results, done) for word in SHARES[column])
        return 100.0 * some / whole if whole else None
    if told_apart(column, results, done, set):
        return None
    if (pair := PAIRED.fullmatch(column)) is not None:
        return _paired(pair, done, results.select(pair[3], set))
    words = WORDS.fullmatch(column)
    if words is None or words[3] not in (None, "common", *OVER, *(("both",) if words[4] else ())):
        raise BadOption(f"there is no column {quoted(column)}; columns: {listed(COUNTS)}, false / "
                        "known, or such as 'mean nodes', 'median seconds of common', 'mean nodes "
                        "vs pn', 'ratio nodes to pn', 'fewer nodes than pn'.")
    if words[3] == "both":
        pairs = concluded_by_both(words[2], done, results.select(words[4], set))
        one, other = (STATISTICS[words[1]](some) for some in zip(*pairs, strict=True)) \
            if pairs else (None, None)
        return 100.0 * one / other if one is not None and other else None
    if words[4] is not None:
        measure = column.partition(" vs ")[0]
        own = value(measure, results, entries, set, among)
        other = value(measure, results, results.select(words[4], set), set, among)
        return 100.0 * own / other if own is not None and other else None
    numbers = numbers_of(words, results, done, among)
    return STATISTICS[words[1]](numbers) if numbers else None


def measures_time(column: str) -> bool:
    """Return True if a number in ``column`` depends on the processor."""
    words = PAIRED.fullmatch(column) or WORDS.fullmatch(column)
    return words is not None and words[2] in TIMES


def told_apart(column: str, results: Entries, entries: Sequence[Entry],
               set: str | None = None) -> list[str]:
    """The processors that the times in ``column`` were measured on, where there are several: one
    number for all of them would mean nothing."""
    if not measures_time(column):
        return []
    pair, words = PAIRED.fullmatch(column), WORDS.fullmatch(column)
    other = pair[3] if pair is not None else words[4] if words is not None else None
    found = processors([*entries, *(results.select(other, set) if other else ())])
    return found if len(found) > 1 else []


def concluded_by_both(name: str, own: Sequence[Entry],
                      others: Sequence[Entry]) -> list[tuple[float, float]]:
    """A number of one arm and of another, on the positions that both concluded; nothing where these
    are times of several processors."""
    if mixed_times(name, [*own, *others]):
        return []
    by_cell = {(e.cell.set, e.cell.id, e.cell.seed): e for e in others if _concluded(e)}
    pairs = ((number_of(entry, name), number_of(other, name)) for entry in own if _concluded(entry)
             and (other := by_cell.get((entry.cell.set, entry.cell.id, entry.cell.seed))))
    return [(one, two) for one, two in pairs if one is not None and two]


def _paired(words: re.Match[str], own: Sequence[Entry], others: Sequence[Entry]) -> Any:
    """Position by position against another arm; what was not concluded counts as more."""
    if words[1] == "ratio":
        pairs = concluded_by_both(words[2], own, others)
        return mean(100.0 * one / other for one, other in pairs) if pairs else None
    by_cell = {(e.cell.set, e.cell.id, e.cell.seed): e for e in others if _concluded(e)}
    counts = {"fewer": 0, "more": 0}
    for entry in own:
        other = by_cell.get((entry.cell.set, entry.cell.id, entry.cell.seed))
        both = [None if one is None else number_of(one, words[2]) for one in (entry, other)]
        less = _concluded(entry) and (other is None or (both[0] or 0) < (both[1] or 0))
        greater = other is not None and (
            not _concluded(entry) or (both[0] or 0) > (both[1] or 0))
        counts["fewer"] += less
        counts["more"] += greater
    return counts[words[1]] if own else None


def numbers_of(words: re.Match[str], results: Entries, done: Sequence[Entry],
               among: Sequence[str]) -> list[float]:
    """The numbers that a statistic such as the mean is of."""
    chosen = done
    if words[3] == "common":
        common = results.common(among)
        chosen = [e for e in done if (e.cell.set, e.cell.id) in common]
    elif words[3] not in (None, "both"):
        chosen = [e for e in done if OVER[words[3]](e)]
    return [number for entry in chosen
            if (number := number_of(entry, words[2], words[1] == "par2")) is not None]


def number_of(entry: Entry, name: str, par2: bool = False) -> float | None:
    """A number of one result; by PAR-2 twice the limit where nothing was concluded."""
    row = entry.row or {}
    if name == "rounds" and row.get("iterations") is not None:
        return float(row["iterations"] / entry.unit)
    number: float | None = row.get(name, row.get("counters", {}).get(name))
    if not par2 or row.get("concluded"):
        return number
    limit = row.get({"nodes": "job_nodes", "seconds": "job_time",
                     "search_seconds": "job_time"}.get(name, ""))
    return 2 * limit if limit is not None else None


def heading(column: str) -> str:
    """The column with its unit, for people."""
    words = WORDS.fullmatch(column)
    if words is None:
        return f"mean {column}, %" if column.startswith("ratio ") else column
    name, unit = words[2].replace("_", " "), UNITS.get(words[2])
    if name.endswith("seconds"):
        name = f"{name.removesuffix('seconds')}time".strip()
    over = f" of {words[3]}" if words[3] else ""
    if words[4] is not None:
        return f"{words[1]} {name}{over}, % of {words[4]}"
    return f"{words[1]} {name}{over}{f' ({unit})' if unit else ''}"


def text(number: Any) -> str:
    """A number as a table prints it."""
    if number is None:
        return "-"
    if isinstance(number, bool | str):
        return str(number)
    if isinstance(number, int) or abs(number) >= 1000:
        return f"{number:,.0f}"
    return f"{number:.3g}" if abs(number) < 10 else f"{number:.1f}"


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


OF_NUMBERS = {"mean": mean_of, "par2": mean_of, "median": median_of}


def interval(column: str, results: Entries, entries: Sequence[Entry], set: str | None = None,
             among: Sequence[str] = ()) -> Interval | None:
    """The number in ``column`` with its bounds; None where it has none."""
    done = [entry for entry in entries if entry.row is not None]
    if told_apart(column, results, done, set):
        return None
    if column in SHARES:
        some, whole = (value(word, results, done) for word in SHARES[column])
        return share(some or 0, whole or 0)
    if (pair := PAIRED.fullmatch(column)) is not None:
        if pair[1] != "ratio":
            return None
        return mean_of_ratios(concluded_by_both(pair[2], done,
                                                        results.select(pair[3], set)))
    words = WORDS.fullmatch(column)
    if words is None or words[1] not in OF_NUMBERS:
        return None
    numbers = numbers_of(words, results, done, among)
    if words[4] is None:
        return OF_NUMBERS[words[1]](numbers)
    others = results.select(words[4], set)
    if words[3] == "both" and words[1] != "median":
        return ratio_of_means(concluded_by_both(words[2], done, others))
    base = numbers_of(words, results, [e for e in others if e.row is not None], among)
    if not base or not (median(base) if words[1] == "median" else sum(base)):
        return None
    return ratio_of_samples(numbers, base, median=words[1] == "median")
