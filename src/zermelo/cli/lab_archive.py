"""``zermelo lab archive``, ``rebuild`` and ``restore``: results as a file to publish, reports from
it, and a store that goes on with it."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli import show
from zermelo.cli.lab import StoreFile
from zermelo.cli.options import Json, NoSeed, Quiet
from zermelo.cli.read import read_whole
from zermelo.errors import BadOption, counted, file_name, quoted
from zermelo.whole_files import Folder

Archive = Annotated[str, typer.Argument(
    metavar="FILE", help="An archive, such as results.parquet; its digest, results.parquet.sha256, "
    "lies beside it.")]
Names = Annotated[list[str] | None, typer.Argument(
    metavar="EXPERIMENT", help="These only, or FILE.py; by default all that are built in.")]
Archived = Annotated[list[str] | None, typer.Argument(
    metavar="EXPERIMENT", help="Only what the reports of these, or of FILE.py, are made of: of "
    "results by several versions of the code, those of this one or the newest; by default the "
    "whole store.")]
WithoutPositions = Annotated[bool, typer.Option(
    "--without-positions", help="Leave out positions and the moves of games. Digests stay: who "
    "tries a position can see by them whether it was searched.")]
Into = Annotated[str, typer.Option("--out", metavar="DIRECTORY", help="Where to write reports.")]


def archive(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Such as results.parquet.")],
    experiments: Archived = None, without_positions: WithoutPositions = False,
    store: StoreFile = None, seed: NoSeed = "0", json: Json = False, quiet: Quiet = False,
) -> None:
    """Write the results of a store to one file, with its digest."""
    from zermelo.jobs.store import Store
    from zermelo.lab.archive import part_of, write_archive
    from zermelo.lab.data import store_path
    from zermelo.lab.experiment import experiment_names

    read_whole("--seed", seed)  # checked, as everywhere
    if file.endswith(".py") or file in experiment_names():
        raise BadOption(f"{quoted(file)} is an experiment; before it comes the file to write, such "
                        "as results.parquet.")
    with closing(Store(store_path(store), create=False)) as opened:
        part = part_of(opened, experiments) if experiments else None
        written = write_archive(opened, Path(file), part, positions=not without_positions)
    _told(written, [] if part is None else part.notes, json)


def rebuild(
    file: Archive, experiments: Names = None, out: Into = "results", seed: NoSeed = "0",
    json: Json = False, quiet: Quiet = False,
) -> None:
    """Make every report again from an archive, without running a search."""
    from zermelo.lab.archive import experiments_in, read_archive
    from zermelo.lab.report.report import rebuild as make

    read_whole("--seed", seed)
    with Folder("zermelo-archive") as folder, \
            closing(read_archive(Path(file), folder / "lab.sqlite")) as store:
        written, notes = make(store, Path(out), experiments or (), experiments_in(Path(file)))
    _told(written, notes, json)


def restore(
    file: Archive, store: StoreFile = None, seed: NoSeed = "0", json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add the results of an archive to a store, so that 'lab run' goes on from there."""
    from zermelo.lab.archive import restore as add
    from zermelo.lab.data import store_path

    read_whole("--seed", seed)
    path = store_path(store)
    added, among = add(Path(file), path)
    if json:
        print(show.as_json({"store": str(path), "added": added, "there": among - added}))
        return
    print(f"added {counted(added, 'result')} to the store {file_name(path)}; "
          f"{among - added:,} of {among:,} were there already")


def _told(files: list[Path], notes: list[str], json: bool) -> None:
    """Name what was written, and what was left out: then the exit status is 10."""
    if json:
        print(show.as_json({"files": [str(path) for path in files], "notes": notes}))
    else:
        for path in files:
            print(f"wrote {file_name(path)}")
        for note in notes:
            print(f"note: {note}", file=sys.stderr)
    raise typer.Exit(10 if notes else 0)
