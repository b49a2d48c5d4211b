"""A store as one file to publish: Parquet with a digest beside it, and back again.

The archive has every row of the store and every run, so that all tables, figures and verdicts can
be made from it without running a search.
"""

from __future__ import annotations

import hashlib
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from zermelo.errors import BadOption, file_name, one_line
from zermelo.jobs.store import Store

# The types of columns; all others are texts.
WHOLE = ("job_seed", "job_plain", "job_nodes", "job_memory", "proved", "concluded", "made_nodes",
         "iterations", "peak_bytes", "peak_rss", "certified")
REAL = ("job_time", "job_wall", "seconds", "compile_seconds", "cpu_seconds", "wall_seconds",
        "finished")
PACKED = ("details",)
RUNS = b"zermelo runs"  # the key of the runs in the file's metadata
ENDING = ".sha256"


def write_archive(store: Store, path: Path) -> list[Path]:
    """Write all rows and runs of ``store`` to ``path``, and the digest beside it."""
    pyarrow, parquet = _pyarrow()
    names, rows = store.raw("jobs")
    types = {name: pyarrow.int64() if name in WHOLE else pyarrow.float64() if name in REAL else
             pyarrow.binary() if name in PACKED else pyarrow.string() for name in names}
    columns = {name: [_typed(name, row[at]) for row in rows] for at, name in enumerate(names)}
    run_names, runs = store.raw("runs")
    told = json.dumps([dict(zip(run_names, run, strict=True)) for run in runs]).encode()
    schema = pyarrow.schema(list(types.items()), metadata={RUNS: told})
    try:
        parquet.write_table(pyarrow.table(columns, schema), path, compression="zstd")
    except OSError as error:
        raise BadOption(f"can't write the file {file_name(path)}: {one_line(error)}.") from None
    beside = Path(f"{path}{ENDING}")
    beside.write_text(f"{_digest(path)}  {path.name}\n", "utf-8")
    return [path, beside]


def read_archive(path: Path, into: Path) -> Store:
    """The store that was written to ``path``, as a new store in the file ``into``; its digest is
    checked first."""
    pyarrow, parquet = _pyarrow()
    beside = Path(f"{path}{ENDING}")
    try:
        digest, told = _digest(path), beside.read_text("utf-8").split()[:1]
    except OSError as error:
        raise BadOption(f"can't read the file {file_name(error.filename)}: {error.strerror}; an "
                        f"archive is a file and its digest, FILE{ENDING}.") from None
    if [digest] != told:
        raise BadOption(f"the archive {file_name(path)} is not the one that {file_name(beside)} "
                        f"was written for: its digest is {digest}.")
    try:
        table = parquet.read_table(path)
        runs = json.loads((table.schema.metadata or {})[RUNS])
    except (pyarrow.ArrowInvalid, KeyError) as error:
        raise BadOption(f"the file {file_name(path)} is not an archive of the lab: "
                        f"{one_line(error)}.") from None
    store = Store(into)
    store.fill("jobs", table.column_names, zip(*(column.to_pylist() for column in table.columns),
                                               strict=True))
    for run in runs:
        store.fill("runs", list(run), [tuple(run.values())])
    return store


def _typed(name: str, value: Any) -> Any:
    """SQLite gives back a whole number where a real one was kept."""
    return float(value) if name in REAL and value is not None else value


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _pyarrow() -> tuple[Any, Any]:
    if find_spec("pyarrow") is None:
        raise BadOption("an archive needs PyArrow: pip install zermelo[parquet].")
    import pyarrow
    from pyarrow import parquet

    return pyarrow, parquet
