"""``zermelo lab archive`` and ``rebuild``: results as a file to publish, and reports from it."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli import show
from zermelo.cli.lab import StoreFile
from zermelo.cli.options import Json, NoSeed, Quiet
from zermelo.cli.read import read_whole
from zermelo.errors import file_name

Archive = Annotated[str, typer.Argument(
    metavar="FILE", help="An archive, such as results.parquet; its digest, results.parquet.sha256, "
    "lies beside it.")]
Names = Annotated[list[str] | None, typer.Argument(
    metavar="EXPERIMENT", help="These only, or FILE.py; by default all that are built in.")]
Into = Annotated[str, typer.Option("--out", metavar="DIRECTORY", help="Where to write reports.")]


def archive(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Such as results.parquet.")],
    store: StoreFile = None, seed: NoSeed = "0", json: Json = False, quiet: Quiet = False,
) -> None:
    """Write all results of a store to one file, with its digest; needs PyArrow."""
    from zermelo.jobs.store import Store
    from zermelo.lab.archive import write_archive
    from zermelo.lab.data import store_path

    read_whole("--seed", seed)  # checked, as everywhere
    opened = Store(store_path(store), create=False)
    _told(write_archive(opened, Path(file)), [], json)


def rebuild(
    file: Archive, experiments: Names = None, out: Into = "results", seed: NoSeed = "0",
    json: Json = False, quiet: Quiet = False,
) -> None:
    """Make every report again from an archive, without running a search."""
    from zermelo.lab.archive import read_archive
    from zermelo.lab.rebuild import rebuild as make

    read_whole("--seed", seed)
    with tempfile.TemporaryDirectory() as folder:
        store = read_archive(Path(file), Path(folder) / "lab.sqlite")
        written, notes = make(store, Path(out), experiments or ())
        store.close()
    _told(written, notes, json)
    raise typer.Exit(10 if notes else 0)


def _told(files: list[Path], notes: list[str], json: bool) -> None:
    if json:
        print(show.as_json({"files": [str(path) for path in files], "notes": notes}))
        return
    for path in files:
        print(f"wrote {file_name(path)}")
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
