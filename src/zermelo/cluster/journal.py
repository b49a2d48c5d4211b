"""The journal: every result that was paid for, in SQLite, written before the tree takes it in.

After a crash, a kill or Ctrl-C the tree is made again from it; nothing is lost but the jobs that
were in flight, and in a power cut what was not on the disk yet.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
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

    def count(self) -> None:
        """Count the results, when the journal is opened and after an interrupt."""
        found = self._found("its list of results",
                            "select max(row), sum(visits), sum(seconds) from results")
        self.rows, self.visits, self.seconds = (each or 0 for each in found or (0, 0, 0))

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
        try:
            found = self.db.execute("select mark, facts from about").fetchone()
            facts = {} if found is None else json.loads(found[1])
        except (sqlite3.Error, ValueError, TypeError, RecursionError):
            found, facts = (MARK, ""), None
        if found is None:
            return None
        if found[0] != MARK:
            version = facts.get("version") if isinstance(facts, dict) else None
            raise BadOption(f"the journal {file_name(self.path)} was written by Zermelo "
                            f"{quoted(version)}, whose journals this version can't read; go on "
                            "with that version.")
        if not isinstance(facts, dict):
            raise self._damaged("what it is about")
        return facts

    def _damaged(self, where: str) -> BadOption:
        return BadOption(f"the journal {file_name(self.path)} is damaged: {where} can't be read.")

    def _found(self, what: str, question: str, *values: Any) -> tuple[Any, ...] | None:
        """The first row of an answer, if there is one; ``what`` is damaged where it can't be
        read."""
        try:
            found: tuple[Any, ...] | None = self.db.execute(question, values).fetchone()
        except sqlite3.Error:
            raise self._damaged(what) from None
        return found

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
        what = "how long it was searched"
        found = self._found(what, "select value from notes where name = 'searched'")
        try:
            self.searched = 0.0 if found is None else float(found[0])
        except (ValueError, TypeError):
            self.searched = -1.0
        if not 0 <= self.searched < inf:
            raise self._damaged(what)

    def keep_line(self, line: list[str]) -> None:
        """Keep the line of the answer, which no worker has to find again."""
        self._do([("insert or replace into notes values ('line', ?)", (json.dumps(line),))])

    def line(self) -> list[str] | None:
        """The line of the answer, if it is kept."""
        what = "the line of its answer"
        found = self._found(what, "select value from notes where name = 'line'")
        if found is None:
            return None
        try:
            line = json.loads(found[0])
        except (ValueError, TypeError, RecursionError):
            line = None
        if not isinstance(line, list) or not all(isinstance(move, str) for move in line):
            raise self._damaged(what)
        return line

    def read(self, subgoal: int) -> Iterator[tuple[tuple[int, ...], LeafReport]]:
        """The results about a subgoal in their order: path and report of each leaf."""
        try:
            rows = self.db.execute("select row, path, report from results where subgoal = ? "
                                   "order by row", (subgoal,))
            for row, path, packed in rows:
                try:
                    moves = json.loads(path)
                    if not isinstance(moves, list) or {type(move) for move in moves} - {int}:
                        raise ValueError("a path of something else")
                    report = LeafReport.of(json.loads(zlib.decompress(packed)))
                except (zlib.error, ValueError, TypeError, RecursionError):
                    raise self._damaged(f"result {row}") from None
                yield tuple(moves), report
        except sqlite3.Error:
            raise self._damaged("its list of results") from None

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
