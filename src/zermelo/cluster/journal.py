"""The journal: every result that was paid for, in SQLite, written before the tree takes it in.

After a crash, a kill or Ctrl-C the tree is made again from it; nothing is lost but the jobs that
were in flight, and in a power cut what was not on the disk yet.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Any

from zermelo.cluster.tree import LeafReport
from zermelo.errors import BadOption, file_name, one_line, quoted
from zermelo.storage.whole_files import place_of

NO_FILES = ("", ":memory:")  # names by which SQLite keeps nothing
MARK = "zermelo journal 3"
BUSY_SECONDS = 1.0
WINDOW_BITS, MEMORY_LEVEL = 12, 4  # of zlib: a few kilobytes, as long as the longest reports
SCHEMA = (
    "create table if not exists about (mark text primary key, facts text not null)",
    """create table if not exists results (
      row integer primary key, subgoal integer not null, path text not null,
      worker integer not null, status integer not null, visits integer not null,
      seconds real not null, report blob not null)""",
    "create table if not exists notes (name text primary key, value text not null)",
)


def _packed(report: bytes) -> bytes:
    """Compress a report for ``zlib.decompress``. A small window, which is set up for each report,
    is much faster."""
    pack = zlib.compressobj(1, zlib.DEFLATED, WINDOW_BITS, MEMORY_LEVEL)
    return pack.compress(report) + pack.flush()


def _check_place(path: str | Path) -> None:
    """Refuse a path in which SQLite would keep nothing, or which it can't open for no stated
    reason."""
    why = "it has to have the name of a file" if str(path) in NO_FILES or "\0" in str(path) else ""
    try:
        place_of(path)
    except OSError as error:
        why = why or error.strerror or one_line(error)
    if why:
        raise BadOption(f"the journal {file_name(path)} can't be used: {why}.")


class JournalFailure(BadOption):
    """A journal that can't be written any more: a full disk, say."""


class Journal:
    """An open journal; without a path it is kept in memory, for this run alone. ``rows``,
    ``visits`` and ``seconds`` (of processors) are totals over all results. ``searched``: seconds by
    the clock in all runs, which are kept with the results."""

    def __init__(self, path: str | Path | None = None) -> None:
        self.path, self.searched = path, 0.0
        if path is not None:
            _check_place(path)
        try:
            self.db = sqlite3.connect(":memory:" if path is None else path, timeout=BUSY_SECONDS,
                                      isolation_level=None)
        except sqlite3.Error as error:
            raise self._unusable(one_line(error)) from None
        try:
            self._open()
        except BaseException as error:  # else it would be locked as long as this process lives
            self.close()
            if not isinstance(error, (sqlite3.Error, UnicodeDecodeError)):
                raise
            why = ("another master is working with it" if "locked" in str(error) else
                   one_line(error) if isinstance(error, sqlite3.Error) else "it is damaged")
            raise self._unusable(why) from None

    def _open(self) -> None:
        # One master at a time: the lock goes with the process, however that ends.
        self.db.execute("pragma locking_mode = exclusive")
        self._check_kind()
        self.db.execute("pragma journal_mode = wal")
        self.db.execute("pragma synchronous = normal")
        self.db.execute("begin immediate")
        for statement in SCHEMA:
            self.db.execute(statement)
        self.db.execute("commit")
        self.count()

    def _unusable(self, why: str) -> BadOption:
        return BadOption(f"the journal {file_name(self.path)} can't be used: {why}.")

    @contextmanager
    def _reading(self, what: str) -> Iterator[None]:
        """Refuse the journal as damaged where ``what`` can't be read."""
        try:
            yield
        except BadOption:
            raise
        except (sqlite3.Error, zlib.error, ValueError, TypeError, RecursionError):
            raise BadOption(f"the journal {file_name(self.path)} is damaged: {what} can't be "
                            "read.") from None

    def count(self) -> None:
        """Count the results, when the journal is opened and after an interrupt."""
        with self._reading("its list of results"):
            found = self.db.execute("select max(row), sum(visits), sum(seconds) from results")
            self.rows, self.visits, self.seconds = (each or 0 for each in found.fetchone())

    def _check_kind(self) -> None:
        """Refuse a database of something else, before anything is written to it."""
        found = {name for name, in self.db.execute("select name from sqlite_master")}
        if found and not {"about", "results"} <= found:
            raise self._unusable("it is a file of something else")

    def close(self) -> None:
        """Close the file."""
        self.db.close()

    def facts(self) -> dict[str, Any] | None:
        """Return what the journal is about; None if it is new."""
        with self._reading("what it is about"):
            found = self.db.execute("select mark, facts from about").fetchone()
            facts = {} if found is None else dict(json.loads(found[1]))
        if found is not None and found[0] != MARK:
            raise BadOption(f"the journal {file_name(self.path)} was written by Zermelo "
                            f"{quoted(facts.get('version'))}, whose journals this version can't "
                            "read; go on with that version.")
        return None if found is None else facts

    def _note(self, name: str) -> Any:
        """Return what is kept under a name; None if nothing is."""
        found = self.db.execute("select value from notes where name = ?", (name,)).fetchone()
        return None if found is None else found[0]

    def begin(self, facts: dict[str, Any]) -> None:
        """Write what a new journal is about."""
        self._do([("insert into about values (?, ?)", (MARK, json.dumps(facts)))])

    def write(self, subgoal: int, results: list[tuple[tuple[int, ...], int, LeafReport]]) -> None:
        """Keep results about a subgoal, all at once: path, worker and report of each."""
        orders = []
        for path, worker, report in results:
            self.rows += 1
            packed = _packed(json.dumps(report).encode())
            orders.append((
                "insert into results values (?, ?, ?, ?, ?, ?, ?, ?)",
                (self.rows, subgoal, json.dumps(path), worker, report.status, report.visits,
                 report.seconds, packed)))
        self._do([*orders, self._time()])
        self.visits += sum(report.visits for *_, report in results)
        self.seconds += sum(report.seconds for *_, report in results)

    def _time(self) -> tuple[str, tuple[Any, ...]]:
        return "insert or replace into notes values ('searched', ?)", (repr(self.searched),)

    def keep_time(self) -> None:
        """Keep ``searched`` at the end of a run."""
        self._do([self._time()])

    def read_time(self) -> None:
        """Set ``searched`` to what is kept."""
        with self._reading("how long it was searched"):
            self.searched = float(self._note("searched") or 0.0)
            if not 0 <= self.searched < inf:
                raise ValueError

    def keep_line(self, line: list[str]) -> None:
        """Keep the line of the answer, which no worker has to find again."""
        self._do([("insert or replace into notes values ('line', ?)", (json.dumps(line),))])

    def line(self) -> list[str] | None:
        """The line of the answer, if it is kept."""
        with self._reading("the line of its answer"):
            line = json.loads(self._note("line") or "null")
            if line is not None and [list, *[str] * len(line)] != [type(line), *map(type, line)]:
                raise ValueError
            return line  # type: ignore[no-any-return]

    def read(self, subgoal: int) -> Iterator[tuple[tuple[int, ...], LeafReport]]:
        """The results about a subgoal in their order: path and report of each leaf."""
        with self._reading("its list of results"):
            rows = self.db.execute("select row, path, report from results where subgoal = ? "
                                   "order by row", (subgoal,))
            for row, path, packed in rows:
                with self._reading(f"result {row}"):
                    moves = tuple(json.loads(path))
                    if {type(move) for move in moves} - {int}:
                        raise ValueError
                    report = LeafReport.of(json.loads(zlib.decompress(packed)))
                yield moves, report

    def _do(self, orders: list[tuple[str, tuple[Any, ...]]]) -> None:
        """Do all of ``orders`` or none; a failure, such as a full disk, loses no earlier result."""
        try:
            self.db.execute("begin immediate")
            for statement, values in orders:
                self.db.execute(statement, values)
            self.db.execute("commit")
        except BaseException as error:  # Ctrl-C, too, leaves no transaction open
            if self.db.in_transaction:
                self.db.execute("rollback")
            if not isinstance(error, sqlite3.Error):
                raise
            raise JournalFailure(
                f"the journal {file_name(self.path)} can't be written any more: {one_line(error)}; "
                "what is in it is kept, and the same command goes on from there.") from None
