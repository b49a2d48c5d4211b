"""Changed archives of the lab: refused, or reports are made of them.

What an archive says about results is believed; it is only seen to be of the kind that tables and
figures can be made of.
"""

import hashlib
import json
import os
import random
import shutil
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow
from command import call
from lab_files import SMALL
from pyarrow import parquet

import zermelo
from benchmarks.soak.case import (
    Difference,
    Stuck,
    chance,
    keeping,
    patience,
    place,
    without_compilation,
)
from benchmarks.soak.changes import FIELDS, change_field, changed_bytes
from zermelo.lab.archive import RUNS, read_archive
from zermelo.lab.report import rebuild

BLOCK = 200
SECONDS = 60.0
LONGEST = 60.0  # seconds of the processor for one archive
REPORTS = 0.1  # of those that are read: how many are made into reports


@cache
def base() -> bytes:
    """The archive of a small experiment."""
    (place() / "small_trees.py").write_text(SMALL)
    before, os.environ["ZERMELO_LAB"] = os.environ.get("ZERMELO_LAB"), str(place() / "lab.sqlite")
    try:
        for words in (["run", str(place() / "small_trees.py"), "--backend", "in-process"],
                      ["archive", str(place() / "base.parquet")]):
            done = call("lab", *words)
            if done.status not in (0, 10):
                raise Difference(f"lab {' '.join(words)}: {done.err}")
    finally:
        del os.environ["ZERMELO_LAB"]
        if before is not None:
            os.environ["ZERMELO_LAB"] = before
    return (place() / "base.parquet").read_bytes()


def of_bytes(path: Path, rng: random.Random) -> None:
    """Any bytes of the file."""
    path.write_bytes(changed_bytes(path.read_bytes(), rng))


def of_the_end(path: Path, rng: random.Random) -> None:
    """Bytes of the footer, which says where everything is, and how large."""
    content = bytearray(path.read_bytes())
    footer = int.from_bytes(content[-8:-4], "little")
    for _ in range(rng.choice([1, 1, 2, 8])):
        content[-1 - rng.randrange(footer + 8)] = rng.choice([0, 1, 127, 255, rng.randrange(256)])
    path.write_bytes(content)


def of_cells(path: Path, rng: random.Random) -> None:
    """Cells of a column, or a column as a whole."""
    table = parquet.read_table(path)
    at = rng.randrange(table.num_columns)
    field, cells = table.schema.field(at), table.column(at).to_pylist()
    if rng.random() < 0.1:
        table = rng.choice([table.remove_column(at), table.append_column(field, table.column(at)),
                            table.set_column(at, f"{field.name}x", table.column(at))])
    else:
        for _ in range(rng.choice([1, 1, 3])):
            cells[rng.randrange(len(cells))] = rng.choice([
                *FIELDS, *cells, b"", b"\x78\x9c", 1.5, "[]", "{}", '{"a": []}', "\ud800"])
        try:
            table = table.set_column(at, field, pyarrow.array(cells, field.type))
        except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
            return  # what such a column can't hold
    parquet.write_table(table, path)


def of_runs(path: Path, rng: random.Random) -> None:
    """A field of the runs, or of the JSON within one."""
    table = parquet.read_table(path)
    runs: list[dict[str, Any]] = json.loads(table.schema.metadata[RUNS])
    name = rng.choice(["", "environment", "settings"])
    if name:
        inside = json.loads(runs[0][name])
        change_field(inside, rng)
        runs[0][name] = json.dumps(inside)
    else:
        change_field(runs, rng)
    parquet.write_table(table.replace_schema_metadata({RUNS: json.dumps(runs)}), path)


CHANGES = [of_bytes, of_bytes, of_the_end, of_the_end, of_cells, of_cells, of_runs]


def sign(path: Path, content: bytes) -> None:
    """Put the digest of ``content`` beside it."""
    Path(f"{path}.sha256").write_text(hashlib.sha256(content).hexdigest())


def check(path: Path, fits: bool, report: bool) -> Counter[str]:
    """A mutant is refused, or read."""
    folder = place() / "read"
    shutil.rmtree(folder, ignore_errors=True)
    try:
        with patience(LONGEST):
            store = read_archive(path, folder / "lab.sqlite")
            try:
                if not fits:
                    raise Difference("the digest does not fit, but the archive is read")
                if report:
                    rebuild(store, folder / "reports", [str(place() / "small_trees.py")])
            finally:
                store.close()
    except zermelo.ZermeloError:
        return Counter(mutants=1, refused=1)
    except Stuck:
        raise Difference(f"no end within {LONGEST:.0f} s") from None
    return Counter(mutants=1, read=1, reports=report)


def run(seed: int, index: int) -> Counter[str]:
    """One mutant."""
    with without_compilation():
        rng, path = chance("archives", seed, index), place() / "mutant.parquet"
        path.write_bytes(base())
        change, fits = rng.choice(CHANGES), rng.random() < 0.95
        change(path, rng)
        content = path.read_bytes()
        sign(path, content if fits else base())
        about = change.__name__
        with keeping(f"soak-archives-{seed}-{index}.parquet", content, about):
            return check(path, fits or content == base(), rng.random() < REPORTS)
