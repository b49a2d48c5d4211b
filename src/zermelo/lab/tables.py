"""Tables of a report: measured numbers, the published ones beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from zermelo.errors import BadOption, counted, quoted
from zermelo.lab import columns
from zermelo.lab.columns import Entry, interval, letter
from zermelo.lab.experiment import Size, Table, sized
from zermelo.lab.results import Results

POSITIONS = "{positions}"  # in a title: how many positions this run has, such as "200 positions"


def titled(results: Results, title: str, arms: Sequence[str] = ()) -> str:
    """``title`` with the number of positions that these arms, or all, have in this run."""
    if POSITIONS not in title:
        return title
    found = {(entry.cell.set, entry.cell.id) for entry in results.entries
             if not arms or entry.cell.arm in arms}
    return title.replace(POSITIONS, counted(len(found), "position"))


def caveat(results: Results) -> str:
    """Reason why published numbers are not for a run of this size; empty where they are."""
    plan = results.plan
    if plan.changes:
        here, usual = len(plan.positions), usual_positions(results)
        sizes = f" and has {counted(here, 'position')} instead of {usual:,}" \
            if usual is not None and usual != here else ""
        return (f"Published numbers are not for this run: it was changed with --set "
                f"{', '.join(plan.changes)}{sizes}.")
    if not plan.full and _has_sizes(results):
        return "Published numbers are for the published sizes (--full), not for the default ones."
    return ""


def usual_positions(results: Results) -> int | None:
    """Number of positions of the experiment as written; None where its sets do not say."""
    takes = [sized(one.take, results.plan.full) for one in results.plan.experiment.sets]
    return sum(takes) if all(isinstance(take, int) for take in takes) else None


def _has_sizes(results: Results) -> bool:
    experiment = results.plan.experiment
    records: list[Any] = [*experiment.arms, *experiment.sets]
    return any(isinstance(getattr(record, item.name), Size)
               for record in records for item in fields(record))


ALWAYS = ("jobs", "proved", "concluded", "false / known", "not judged")
ROWS = ("arm", "set", "set, arm")
Key = tuple[str | None, str | None]


@dataclass(frozen=True)
class Made:
    """A table as texts."""

    title: str
    header: list[str]
    rows: list[list[str]]
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Fields of the JSON output."""
        return {"title": self.title, "columns": self.header, "rows": self.rows, "note": self.note}


def all_tables(results: Results) -> list[Made]:
    """The tables that the experiment asks for, some as functions, or one with everything."""
    wanted = results.plan.experiment.tables or (
        Table("Results", ["mean nodes", "mean seconds"], "set, arm"),)
    return [make_table(results, table) if isinstance(table, Table) else table(results)
            for table in wanted]


def make_table(results: Results, table: Table) -> Made:
    """The rows of ``table`` with what the store holds."""
    if table.rows not in ROWS:
        raise BadOption(f"table {quoted(table.title)}: rows={quoted(table.rows)} is not one of "
                        f"{', '.join(ROWS)}.")
    always = ALWAYS if _proves(results, table) else ("jobs",)
    wanted = [*always, *(c for c in table.columns if c not in always)]
    header = ["set", "arm"] if table.rows == "set, arm" else [table.rows]
    for column in wanted:
        name = _heading(column)
        header.append(name)
        if name in table.published or column in table.published:
            header.append(f"{name}, published")
    rows = [_row(results, table, wanted, key) for key in _keys(results, table)]
    notes = [table.note, caveat(results) if table.published else "", told_apart(results, wanted)]
    return Made(titled(results, table.title, table.arms), header, rows,
                " ".join(filter(None, notes)))


def _proves(results: Results, table: Table) -> bool:
    """Return True if the arms in the table solve anything."""
    return any(arm.proves for arm in results.plan.arms
               if not table.arms or arm.name in table.arms)


def _heading(column: Any) -> str:
    return columns.heading(column) if isinstance(column, str) else str(column[0])


def _keys(results: Results, table: Table) -> list[Key]:
    """(set, arm) of each row of the table, in the order of the experiment."""
    arms = [arm.name for arm in results.plan.arms if not table.arms or arm.name in table.arms]
    sets = [one.name for one in results.plan.experiment.sets]
    if table.rows == "arm":
        return [(None, arm) for arm in arms]
    if table.rows == "set":
        return [(one, None) for one in sets]
    return [(one, arm) for one in sets for arm in arms if results.select(arm, one)]


def _row(results: Results, table: Table, wanted: Sequence[Any], key: Key) -> list[str]:
    one, arm = key
    cells = [name for name in (one, arm) if name is not None]
    for column in wanted:
        cells.append(_cell(results, table, column, key))
        published = table.published.get(column if isinstance(column, str) else column[0])
        if published is not None:
            name = arm if one is None else one if arm is None else (one, arm)
            cells.append(columns.text(published.get(name)))
    return cells


def _cell(results: Results, table: Table, column: Any, key: Key) -> str:
    """A number with its bounds; times of several processors, one after the other."""
    one, arm = key
    entries = [entry for entry in results.select(arm, one)
               if not table.arms or entry.cell.arm in table.arms]
    apart = columns.told_apart(column, results, entries, one) if isinstance(column, str) else []
    if apart:
        return ", ".join(f"{letter(results.processors.index(name))} "
                         f"{_cell(results.on(name), table, column, key)}" for name in apart)
    return columns.text(_measured(results, table, column, entries, one)) \
        + _bounds(results, table, column, entries, one)


def told_apart(results: Results, wanted: Sequence[Any]) -> str:
    """Meaning of the letters before times, where there are any."""
    if len(results.processors) < 2 or not any(
            isinstance(column, str) and columns.measures_time(column) for column in wanted):
        return ""
    named = (f"{letter(number)} is {name}" for number, name in enumerate(results.processors))
    return f"Times are told apart by processor: {'; '.join(named)}."


def _bounds(results: Results, table: Table, column: Any, entries: Sequence[Entry],
            one: str | None) -> str:
    """The interval of a number, in brackets; empty where it has none or none is asked for."""
    if not table.intervals or not isinstance(column, str):
        return ""
    found = interval(column, results, entries, one, table.arms)
    return "" if found is None else f" ({columns.text(found.low)} to {columns.text(found.high)})"


def _measured(results: Results, table: Table, column: str | tuple[str, Callable[[Any], Any]],
              entries: Sequence[Entry], one: str | None) -> Any:
    if isinstance(column, str):
        return columns.value(column, results, entries, one, table.arms)
    done = [entry for entry in entries if entry.row is not None]
    return column[1](done) if done else None
