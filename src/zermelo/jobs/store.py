"""The store: one row per job in SQLite, and who is working on what.

A row is written in one transaction when its job has ended, so a run that is killed loses no more
than the jobs in flight. A claim on a job is a lease: it ends when it is not renewed, or at once
when the process that made it is gone from this machine. So two runs share the work, and none waits
for the dead.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import time
import uuid
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from zermelo.errors import BadOption, file_name, one_line
from zermelo.jobs.job import Job
from zermelo.storage.whole_files import place_of

BUSY_SECONDS = 60
LEASE_SECONDS = 60.0
MARK = "zermelo lab 1"
FROM_JOB = ("kind", "game", "parameters", "position", "search", "options", "seed", "goal", "plain",
            "nodes", "time", "memory", "wall", "version", "code")
COLUMNS = ("status", "message", "value", "proved", "concluded", "stopped", "move", "made_nodes",
           "iterations", "seconds", "compile_seconds", "cpu_seconds", "wall_seconds", "peak_bytes",
           "peak_rss", "certified")
PACKED = ("root", "counters", "trace", "good_moves", "played", "search_seconds")
SCHEMA = f"""
create table if not exists jobs (
  digest text primary key, task text not null, question text not null,
  {", ".join(f"job_{name}" for name in FROM_JOB)}, {", ".join(COLUMNS)},
  details blob, run text, finished real, machine text);
create index if not exists by_task on jobs (task);
create index if not exists by_question on jobs (question);
create table if not exists claims (
  digest text primary key, run text, machine text, process text, until real);
create table if not exists runs (
  run text primary key, experiment text, command text, environment text, started real,
  finished real, settings text);
create table if not exists about (mark text primary key);
"""

Row = dict[str, Any]


class Store:
    """An open file of results."""

    def __init__(self, path: Path | str, create: bool = True) -> None:
        self.path = Path(path)
        if not create and not self.path.exists():
            raise BadOption(f"there is no store {file_name(path)}; 'zermelo lab run' makes one.")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            place_of(self.path)
            self.db = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            self.db.row_factory = sqlite3.Row
            self._check_kind()
            self.db.execute("pragma journal_mode = wal")
            self.db.execute("pragma synchronous = normal")
            with self._all_at_once():
                for statement in SCHEMA.split(";"):
                    self.db.execute(statement)
                self.db.execute("insert or ignore into about values (?)", (MARK,))
                self._add_columns()
        except (sqlite3.Error, OSError) as error:
            raise BadOption(f"the store {file_name(path)} can't be used: {one_line(error)}.") \
                from None
        self.run = uuid.uuid4().hex
        self.machine, self.process = platform.node(), _process(os.getpid())

    def _check_kind(self) -> None:
        """Refuse a database of another program, before anything is written to it."""
        found = {name for name, in self.db.execute("select name from sqlite_master")}
        if found and not {"about", "jobs"} <= found:
            raise BadOption(f"the store {file_name(self.path)} can't be used: it is a database of "
                            "something else.")

    def _add_columns(self) -> None:
        """Add the columns that a store lacks which was made before runs had settings, or rows a
        machine."""
        for table, column in (("runs", "settings"), ("jobs", "machine")):
            known = {row["name"] for row in self.db.execute(f"pragma table_info({table})")}
            if column not in known:
                self.db.execute(f"alter table {table} add column {column} text")

    def close(self) -> None:
        """Close the file."""
        self.db.close()

    def _do(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Execute a statement."""
        with self._told():
            return self.db.execute(statement, values)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn a failure of the database, such as a full disk, into one sentence."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            if type(error) not in (sqlite3.OperationalError, sqlite3.DatabaseError):
                raise  # a fault of the statement
            raise BadOption(f"the store {file_name(self.path)} can't be used any more: "
                            f"{one_line(error)}; finished results are kept, and the same command "
                            "goes on from there.") from None

    @contextmanager
    def _all_at_once(self) -> Iterator[None]:
        self._do("begin immediate")
        try:
            yield
            self._do("commit")
        except BaseException:
            if self.db.in_transaction:  # SQLite itself rolls back when the disk is full
                self.db.execute("rollback")
            raise

    @contextmanager
    def unchanging(self) -> Iterator[None]:
        """Read all within a block as of one moment, whatever other runs write."""
        self._do("begin")
        try:
            yield
        finally:
            self.db.execute("rollback")

    def begin(self, experiment: str, command: str, environment: dict[str, Any],
              settings: dict[str, Any] | None = None) -> None:
        """Note a run, its command, its machine, and how its experiment was changed."""
        self._do("insert or replace into runs values (?, ?, ?, ?, ?, null, ?)",
                 (self.run, experiment, command, json.dumps(environment), time.time(),
                  json.dumps(settings or {})))

    def end(self) -> None:
        """Note that the run has come to its end, and give up its claims."""
        self._do("delete from claims where run = ?", (self.run,))
        self._do("update runs set finished = ? where run = ?", (time.time(), self.run))

    def claim(self, digest: str) -> bool:
        """Take a job, unless it is done or another live run has it."""
        now = time.time()
        with self._all_at_once():
            if self._do("select 1 from jobs where digest = ?", (digest,)).fetchone():
                return False
            held = self._do("select * from claims where digest = ?", (digest,)).fetchone()
            if held is not None and held["run"] != self.run and self._alive(held, now):
                return False
            self._do("insert or replace into claims values (?, ?, ?, ?, ?)",
                     (digest, self.run, self.machine, self.process, now + LEASE_SECONDS))
        return True

    def _alive(self, held: sqlite3.Row, now: float) -> bool:
        if held["until"] < now:
            return False
        if held["machine"] != self.machine:
            return True
        return bool(_process(int(held["process"].partition("/")[0])) == held["process"])

    def renew(self) -> None:
        """Keep the claims of this run for some more time."""
        self._do("update claims set until = ? where run = ?",
                 (time.time() + LEASE_SECONDS, self.run))

    def write(self, job: Job, row: Row) -> None:
        """Keep the row of a job; the first one, should there be two. ``machine`` in the row: the
        ``environment`` that it was measured in."""
        facts = {**row, "made_nodes": row.get("nodes")}
        details = {name: row[name] for name in PACKED if name in row}
        values = [
            job.digest, job.task, job.question, *(_cell(getattr(job, name)) for name in FROM_JOB),
            *(_cell(facts.get(name)) for name in COLUMNS),
            zlib.compress(json.dumps(details).encode()), self.run, time.time(),
            _cell(row.get("machine")),
        ]
        marks = ", ".join("?" * len(values))
        with self._all_at_once():
            self._do(f"insert or ignore into jobs values ({marks})", values)
            self._do("delete from claims where digest = ?", (job.digest,))

    def forget(self, digests: Iterable[str]) -> None:
        """Remove rows, so that their jobs run again."""
        with self._all_at_once():
            for digest in digests:
                self._do("delete from jobs where digest = ?", (digest,))

    def rows(self, digests: Iterable[str]) -> dict[str, Row]:
        """Return the rows of these jobs, as far as they are done."""
        found = self._among("select * from jobs where digest", digests)
        return {row["digest"]: _row(row) for row in found}

    def by_task(self, tasks: Iterable[str]) -> dict[str, Row]:
        """Return the newest row for each task, by whatever version."""
        found = [_row(row) for row in self._among("select * from jobs where task", tasks)]
        return {row["task"]: row for row in sorted(found, key=lambda row: row["finished"])}

    def _among(self, query: str, values: Iterable[str]) -> Iterator[sqlite3.Row]:
        """Yield the rows whose last named column is one of ``values``."""
        yield from self._do(f"{query} in (select value from json_each(?))",
                            (json.dumps(list(values)),))

    def every(self) -> Iterator[Row]:
        """Yield all rows."""
        for row in self._do("select * from jobs order by finished"):
            yield _row(row)

    def raw(self, table: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the names of the columns of ``jobs`` or ``runs``, and all rows as they are
        kept."""
        assert table in ("jobs", "runs")
        found = self._do(f"select * from {table} order by "
                         f"{'digest' if table == 'jobs' else 'started'}")
        return [column[0] for column in found.description], [tuple(row) for row in found]

    def fill(self, table: str, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
        """Put rows that ``raw`` gave into this store, except those that it has by their key; return
        their number. The names are those of columns."""
        assert table in ("jobs", "runs")
        assert all(name.isidentifier() for name in names)
        marks = ", ".join("?" * len(names))
        statement = f"insert or ignore into {table} ({', '.join(names)}) values ({marks})"
        with self._all_at_once(), self._told():
            return max(0, self.db.executemany(statement, rows).rowcount)

    def proofs(self, questions: Iterable[str]) -> Iterator[Row]:
        """Yield all rows that prove an answer to one of these questions."""
        found = self._among("select * from jobs where proved = 1 and question", questions)
        return (_row(row) for row in found)

    def runs(self, names: Iterable[str] | None = None) -> list[Row]:
        """Return the runs with these numbers, or all of them, the oldest first."""
        wanted = None if names is None else set(names)
        return [{**dict(row), "environment": json.loads(row["environment"]),
                 "settings": json.loads(row["settings"] or "{}")}
                for row in self._do("select * from runs order by started")
                if wanted is None or row["run"] in wanted]

    def tasks_by_run(self) -> list[tuple[str, str]]:
        """Return the task of every row, and the run that made it."""
        return [(row["task"], row["run"]) for row in self._do("select task, run from jobs")]

    def at_work(self) -> int:
        """Return how many jobs are being worked on by live runs."""
        return len(self.claimed())

    def claimed(self) -> set[str]:
        """Return the jobs that are being worked on by live runs, by digest."""
        now = time.time()
        return {held["digest"] for held in self._do("select * from claims")
                if self._alive(held, now)}


def _cell(value: Any) -> Any:
    return json.dumps(value, sort_keys=True) if isinstance(value, dict | list) else value


def _row(found: sqlite3.Row) -> Row:
    row = dict(found)
    row.update(json.loads(zlib.decompress(row.pop("details"))))
    row["nodes"] = row.pop("made_nodes")
    for name in ("job_parameters", "job_options", "machine"):
        row[name] = json.loads(row[name] or "null")
    for name in ("proved", "concluded", "certified"):
        row[name] = bool(row[name])
    return row


def _process(number: int) -> str:
    """Return the process with this number and when it began, which distinguishes it from a later
    one."""
    try:
        with open(f"/proc/{number}/stat", "rb") as file:
            return f"{number}/{file.read().rpartition(b')')[2].split()[19].decode()}"
    except (OSError, IndexError):
        pass
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return f"{number}/gone"
    except OSError:
        pass
    return f"{number}/"
