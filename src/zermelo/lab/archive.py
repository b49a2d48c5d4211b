"""A store as one file to publish: Parquet with a digest beside it, and back again.

An archive has every row of the store and every run, or those of some experiments, so that all
tables, figures and verdicts can be made from it without running a search.
"""

from __future__ import annotations

import errno
import hashlib
import json
import tempfile
from collections.abc import Container
from contextlib import closing
from pathlib import Path
from typing import Any

from zermelo.errors import BadOption, file_name, one_line
from zermelo.jobs.store import Store
from zermelo.lab.archive_check import (
    REAL,
    NoArchive,
    check_table,
    checked_names,
    checked_rows,
    checked_runs,
    type_name,
)
from zermelo.lab.archive_part import Part
from zermelo.lab.parquet_pages import check_pages
from zermelo.lab.without_positions import without_position
from zermelo.whole_files import write_whole

# The keys of the runs, and of the experiments that were asked for, in the file's metadata.
RUNS, EXPERIMENTS = b"zermelo runs", b"zermelo experiments"
ENDING = ".sha256"
MAGIC = b"PAR1"  # with which a file of Parquet begins
LONGEST_DIGEST = 1_000


def write_archive(store: Store, path: Path, part: Part | None = None,
                  positions: bool = True) -> list[Path]:
    """Write the rows and runs of ``store``, all of them or a part, to ``path``, and the digest
    beside it; with or without ``positions``."""
    import pyarrow
    from pyarrow import parquet

    names, rows = _chosen(store, "jobs", None if part is None else part.rows)
    _, runs = _chosen(store, "runs", None if part is None else part.runs)
    if not positions:
        rows = [without_position(row) for row in rows]
    types = {name: pyarrow.type_for_alias(type_name(name)) for name in names}
    columns = {name: [_typed(name, row[name]) for row in rows] for name in names}
    told = {RUNS: json.dumps(runs)}
    if part is not None:
        told[EXPERIMENTS] = json.dumps(part.experiments)
    schema = pyarrow.schema(list(types.items()), metadata=told)
    made, beside = pyarrow.BufferOutputStream(), Path(f"{path}{ENDING}")
    parquet.write_table(pyarrow.table(columns, schema), made, compression="zstd")
    content = made.getvalue().to_pybytes()
    digest = f"{hashlib.sha256(content).hexdigest()}  {path.name}\n"
    try:
        _check_place(path)
        write_whole(path, content)
        write_whole(beside, digest.encode())
    except OSError as error:
        raise BadOption(f"can't write the file {file_name(error.filename or path)}: "
                        f"{error.strerror}.") from None
    return [path, beside]


def _check_place(path: Path) -> None:
    """An archive takes the place of an archive or of an empty file only: not of the store, nor of
    the file of an experiment, whose name may have been given instead."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        begins = file.read(len(MAGIC))
    if begins not in (b"", MAGIC):
        raise BadOption(f"the file {file_name(path)} is there and is no archive, and stays as it "
                        "is; give the name of a new file, such as results.parquet.")


def _chosen(store: Store, table: str,
            keys: Container[str] | None) -> tuple[list[str], list[dict[str, Any]]]:
    """The columns of a table and its rows by column, all or those with one of these keys."""
    names, rows = store.raw(table)
    return names, [dict(zip(names, row, strict=True)) for row in rows
                   if keys is None or row[0] in keys]


def read_archive(path: Path, into: Path) -> Store:
    """The store that was written to ``path``, as a new store in the file ``into``; its digest is
    checked first, then that it is what a store writes."""
    import pyarrow
    from pyarrow import parquet

    _check_digest(path, Path(f"{path}{ENDING}"))
    store = Store(into)
    try:
        check_pages(path)
        with parquet.ParquetFile(path) as file:
            check_table(file)
            names = file.schema_arrow.names
            told = file.schema_arrow.metadata or {}
            runs = checked_runs(told.get(RUNS))
            checked_names(told.get(EXPERIMENTS))
        texts = [name for name in names if type_name(name) in ("string", "binary")]
        with parquet.ParquetFile(path, read_dictionary=texts) as file:
            store.fill("jobs", names, checked_rows(file))
        for run in runs:
            store.fill("runs", list(run), [tuple(run.values())])
    except (NoArchive, pyarrow.ArrowException, OSError, UnicodeError) as error:
        store.close()
        raise BadOption(f"the file {file_name(path)} is not an archive of the lab: "
                        f"{one_line(error)}.") from None
    return store


def experiments_in(path: Path) -> list[str]:
    """The experiments that an archive was written for, which ``read_archive`` has checked; none
    where it is that of a whole store."""
    from pyarrow import parquet

    return checked_names((parquet.read_schema(path).metadata or {}).get(EXPERIMENTS))


def restore(path: Path, store_file: Path) -> tuple[int, int]:
    """Add the rows of an archive to a store, and its runs; how many rows were added, and how many
    there are in the archive. What the store has by the same digest stays as it is."""
    with tempfile.TemporaryDirectory() as folder:
        with closing(read_archive(path, Path(folder) / "lab.sqlite")) as archive:
            runs, rows = archive.raw("runs"), archive.raw("jobs")
        with closing(Store(store_file)) as store:
            store.fill("runs", *runs)  # first: a row never lacks its run
            return store.fill("jobs", *rows), len(rows[1])


def _check_digest(path: Path, beside: Path) -> None:
    try:
        for file in (path, beside):
            if file.exists() and not file.is_file():
                raise OSError(errno.EINVAL, "it is not a file", str(file))
        digest = _digest(path)
        with beside.open("rb") as opened:
            told = opened.read(LONGEST_DIGEST).split()[:1]
    except OSError as error:
        raise BadOption(f"can't read the file {file_name(error.filename)}: {error.strerror}; an "
                        f"archive is a file and its digest, FILE{ENDING}.") from None
    if [digest.encode()] != told:
        raise BadOption(f"the archive {file_name(path)} is not the one that {file_name(beside)} "
                        f"was written for: its digest is {digest}.")


def _typed(name: str, value: Any) -> Any:
    """SQLite gives back a whole number where a real one was kept."""
    return float(value) if name in REAL and value is not None else value


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
