"""Entries: the cells of an experiment, each with its row, and how to choose among them.

Times of different processors are kept apart: no mean, sum or ratio is of several of them.
Everything else, such as nodes, is the same wherever it was counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from zermelo.jobs.store import Row
from zermelo.lab.experiment import Arm
from zermelo.lab.plan import Cell

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
        """How many of the search's iterations count as one on this set."""
        unit = self.arm.unit
        return unit if isinstance(unit, int) else unit.get(self.cell.set, 1)

    @property
    def verdict(self) -> str | None:
        """Whether what was concluded is true; None if nothing was."""
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
        """How many cells have a row."""
        return sum(entry.row is not None for entry in self.entries)

    def select(self, arm: str | None = None, set: str | None = None) -> list[Entry]:
        """The entries of one arm, of one set, or both."""
        return [entry for entry in self.entries
                if arm in (None, entry.cell.arm) and set in (None, entry.cell.set)]

    def finished(self, *arms: str) -> bool:
        """Whether these arms have been run on everything."""
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
    """What a row was measured on."""
    return str((row.get("machine") or {}).get("cpu", UNKNOWN))


def processors(entries: Iterable[Entry]) -> list[str]:
    """Those that the rows were measured on, the most frequent first."""
    found = Counter(processor_of(entry.row) for entry in entries if entry.row is not None)
    return sorted(found, key=lambda name: (-found[name], name))


def mixed_times(name: str, entries: Iterable[Entry]) -> bool:
    """Whether a number of these results can't be put together: times of several processors."""
    return name in TIMES and len(processors(entries)) > 1


def letter(number: int) -> str:
    """What a processor is called in tables: A to Z, then by number."""
    return ascii_uppercase[number] if number < len(ascii_uppercase) else f"processor {number + 1}"
