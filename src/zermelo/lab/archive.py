"""A store as one file to publish: Parquet with a digest beside it, and back again.

The archive has every row of the store and every run, so that all tables, figures and verdicts can
be made from it without running a search.
"""

from __future__ import annotations

import errno
import hashlib
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from zermelo.core.whole_files import write_whole
from zermelo.errors import BadOption, file_name, one_line
from zermelo.jobs.store import Store
from zermelo.lab.archive_check import (
    REAL,
    NoArchive,
    check_table,
    checked_rows,
    checked_runs,
    type_name,
)
from zermelo.lab.parquet_pages import check_pages

RUNS = b"zermelo runs"  # the key of the runs in the file's metadata
ENDING = ".sha256"
LONGEST_DIGEST = 1_000


def write_archive(store: Store, path: Path) -> list[Path]:
    """Write all rows and runs of ``store`` to ``path``, and the digest beside it."""
    pyarrow, parquet = _pyarrow()
    names, rows = store.raw("jobs")
    types = {name: pyarrow.type_for_alias(type_name(name)) for name in names}
    columns = {name: [_typed(name, row[at]) for row in rows] for at, name in enumerate(names)}
    run_names, runs = store.raw("runs")
    told = json.dumps([dict(zip(run_names, run, strict=True)) for run in runs]).encode()
    schema = pyarrow.schema(list(types.items()), metadata={RUNS: told})
    made, beside = pyarrow.BufferOutputStream(), Path(f"{path}{ENDING}")
    parquet.write_table(pyarrow.table(columns, schema), made, compression="zstd")
    content = made.getvalue().to_pybytes()
    digest = f"{hashlib.sha256(content).hexdigest()}  {path.name}\n"
    try:
        write_whole(path, content)
        write_whole(beside, digest.encode())
    except OSError as error:
        raise BadOption(f"can't write the file {file_name(error.filename or path)}: "
                        f"{error.strerror}.") from None
    return [path, beside]


def read_archive(path: Path, into: Path) -> Store:
    """The store that was written to ``path``, as a new store in the file ``into``; its digest is
    checked first, then that it is what a store writes."""
    pyarrow, parquet = _pyarrow()
    _check_digest(path, Path(f"{path}{ENDING}"))
    store = Store(into)
    try:
        check_pages(path)
        with parquet.ParquetFile(path) as file:
            check_table(file)
            names = file.schema_arrow.names
            runs = checked_runs((file.schema_arrow.metadata or {}).get(RUNS))
        texts = [name for name in names if type_name(name) in ("string", "binary")]
        with parquet.ParquetFile(path, read_dictionary=texts) as file:
            store.fill("jobs", names, checked_rows(file))
        for run in runs:
            store.fill("runs", list(run), [tuple(run.values())])
    except (NoArchive, pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        store.close()
        raise BadOption(f"the file {file_name(path)} is not an archive of the lab: "
                        f"{one_line(error)}.") from None
    return store


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


def _pyarrow() -> tuple[Any, Any]:
    if find_spec("pyarrow") is None:
        raise BadOption("an archive needs PyArrow: pip install zermelo[parquet].")
    import pyarrow
    from pyarrow import parquet

    return pyarrow, parquet
