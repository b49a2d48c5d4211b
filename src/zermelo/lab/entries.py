"""Entries: the cells of an experiment, each with its row, and how to choose among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
