"""A store as one file to publish: Parquet with a digest beside it, and back again.

An archive has every row of the store and every run, or those of some experiments, so that all
tables, figures and verdicts can be made from it without running a search.

An archive may come from anybody. Its content is not trusted here, only checked: known columns of
the right types, runs and rows that a store could have written, and sizes within the limits below.
PyArrow reads it, with a limit on the memory of the process, since a page of a few bytes can state
that it unpacks to 2 GB; on Linux, where a limit on data covers all allocations.

An archive of some experiments has, of each, the rows that its reports are made of:

- those of its arms, with whatever settings it was run, one for each task: by the code of today
  where there is one, else the newest;
- those of the judge, also where another experiment's judge has answered;
- other proofs of its positions, whoever made them, where they add something: a value that is known
  from nothing else, that there is a certificate, or a contradiction.

Without positions, results on other people's positions can be published. A report does not need
them: the rows of a plan are found by digests, and the plan has the positions from their own files.
What is kept is listed here, and all else is left out: a column, a field or a text that is not
listed stays at home. A digest shows whether a given position is the one that was searched; where
there are few enough to try all, such as boards of Connect Four with twelve stones, it hides
nothing.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import zlib
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.errors import BadOption, ZermeloError, counted, file_name, listed, one_line, quoted
from zermelo.jobs.job import PROVE
from zermelo.jobs.store import COLUMNS, FROM_JOB, Row, Store
from zermelo.jobs.work import CRASH, DONE, ERROR, MEMORY, TIMEOUT
from zermelo.lab.experiment import Experiment, experiment
from zermelo.lab.plan import ExperimentPlan, Settings, plan_of, settings_of_runs, settings_to_report
from zermelo.lab.results import Results
from zermelo.storage.whole_files import Folder, replacing
from zermelo.workers.memory_limit import limited_memory


@dataclass
class Part:
    """Rows by digest and runs by number; a note for each thing that was left out."""

    experiments: list[str] = field(default_factory=list)
    rows: set[str] = field(default_factory=set)
    runs: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)


def part_of(store: Store, names: Sequence[str]) -> Part:
    """The rows and runs of the experiments ``names``, by name or by file."""
    part = Part()
    for name in dict.fromkeys(names):
        found = experiment(name)
        rows = {row["digest"]: row for plan in _plans(store, found, part.notes)
                for row in _rows(plan, store)}
        if not rows:
            raise BadOption(f"the store {file_name(store.path)} has no results of {found.name}.")
        part.notes += _left_out(store, found, {row["task"] for row in rows.values()})
        part.experiments.append(found.name)
        part.rows |= set(rows)
        part.runs |= {row["run"] for row in rows.values()}
    part.runs |= {run["run"] for run in store.runs() if run["experiment"] in part.experiments}
    return part


def _plans(store: Store, found: Experiment, notes: list[str]) -> Iterator[ExperimentPlan]:
    """The plans of all settings that the experiment was run with."""
    changed = [one for one in settings_of_runs(store, found.name) if one.changes]
    empty: dict[str, None] = {}
    for one in (*settings_to_report(store, found), *changed):
        try:
            plan = plan_of(found, full=one.full, changes=one.changes, only=one.only, seed=one.seed)
        except ZermeloError as error:
            if not one.changes:
                raise
            notes.append(f"{found.name} {one}: {error}")  # it fitted an earlier state of the file
            continue
        empty.update(dict.fromkeys(plan.empty_sets))
        yield plan
    notes += [f"{found.name}: the set {quoted(name)} is empty here, and results on it are left out"
              for name in empty]


def _left_out(store: Store, found: Experiment, taken: set[str]) -> list[str]:
    """A note where runs of the experiment have made results that none of its plans asks for: it was
    larger then, or has other positions now."""
    own = {run["run"] for run in store.runs() if run["experiment"] == found.name
           and not Settings.from_dict(run["settings"]).changes}
    left = len({task for task, run in store.tasks_by_run() if run in own and task not in taken})
    if not left:
        return []
    return [f"{found.name}: {counted(left, 'result')} of its runs {'is' if left == 1 else 'are'} "
            "on nothing that it asks for with the settings that are known, and left out"]


def _rows(plan: ExperimentPlan, store: Store) -> Iterator[Row]:
    results = Results(plan, store, older=True)
    own = [*results.rows.values(), *results.judge_rows.values()]
    yield from own
    proofs = defaultdict(list)
    for row in store.proofs({cell.job.question for cell in plan.cells}):
        proofs[row["question"]].append(row)
    known = {row["digest"] for row in own}
    for found in proofs.values():
        yield from _telling(found, known)


def _telling(proofs: Iterable[Row], own: set[str]) -> Iterator[Row]:
    """Of all proofs about one position those to take along with the experiment's ``own``."""
    proofs = sorted(proofs, key=lambda row: (not row["certified"], -row["finished"]))
    if len({row["value"] for row in proofs}) > 1:
        yield from proofs
        return
    mine = [row for row in proofs if row["digest"] in own]
    tasks = {row["task"] for row in mine}
    certified = any(row["certified"] for row in mine)
    for row in proofs:
        judges = row["job_kind"] == PROVE and row["task"] not in tasks
        if judges or not tasks or (row["certified"] and not certified):
            tasks.add(row["task"])
            certified = certified or row["certified"]
            yield row


# Digests, what was asked of which search under which limits, and what came of it.
KEPT = (
    "digest", "task", "question", "job_kind", "job_game", "job_search", "job_options", "job_seed",
    "job_goal", "job_plain", "job_nodes", "job_time", "job_memory", "job_wall", "job_version",
    "job_code", "status", "value", "proved", "concluded", "stopped", "move", "made_nodes",
    "iterations", "seconds", "compile_seconds", "cpu_seconds", "wall_seconds", "peak_bytes",
    "peak_rss", "certified", "run", "finished", "machine",
)
# Of a game that was played: how it went, without its moves.
KEPT_OF_GAME = ("opening", "outcome", "how", "player", "nodes", "seconds", "against")
WORDS = re.compile(r"-?inf|(win|draw|loss)( in [0-9]+)?")  # in place of a number
OWN_MESSAGES = (TIMEOUT, MEMORY)  # all others may quote a position, or what a process printed
LEFT_OUT = "left out with the positions"


def without_position(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with all columns of the store, empty where they could reveal the position."""
    found = {name: value if name in KEPT else None for name, value in row.items()}
    if row["message"] is not None:
        found["message"] = row["message"] if row["status"] in OWN_MESSAGES else LEFT_OUT
    details = json.loads(zlib.decompress(row["details"]))
    kept = {name: tell(details[name]) for name, tell in KEPT_DETAILS.items() if name in details}
    found["details"] = zlib.compress(json.dumps(kept).encode())
    return found


def _numbers(found: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are numbers, truth values, None or known words."""
    return {name: value for name, value in found.items()
            if value is None or isinstance(value, int | float)
            or (isinstance(value, str) and WORDS.fullmatch(value))}


def _sample(sample: Mapping[str, Any]) -> dict[str, Any]:
    """The root's numbers at some moment of a search, and the preferred move."""
    move = {"move": sample["move"]} if "move" in sample else {}
    return {**_numbers(sample), "root": _numbers(sample["root"]), **move}


# By part of the details: what of it is kept. The moves in them are those of one position, the one
# that was searched: which it has, not what stands on its board; a trace may have all of them.
KEPT_DETAILS: dict[str, Any] = {
    "root": _numbers, "counters": _numbers,
    "trace": lambda samples: [_sample(sample) for sample in samples],
    "good_moves": lambda moves: moves,
    "played": lambda game: {name: game[name] for name in KEPT_OF_GAME if name in game},
    "search_seconds": lambda seconds: seconds,
}


# The keys of the runs, and of the experiments that were asked for, in the file's metadata.
RUNS, EXPERIMENTS = b"zermelo runs", b"zermelo experiments"
ENDING = ".sha256"
MAGIC = b"PAR1"  # with which a file of Parquet begins
LONGEST_DIGEST = 1_000
# The types of columns; all others are texts.
WHOLE = ("job_seed", "job_plain", "job_nodes", "job_memory", "proved", "concluded", "made_nodes",
         "iterations", "peak_bytes", "peak_rss", "certified")
REAL = ("job_time", "job_wall", "seconds", "compile_seconds", "cpu_seconds", "wall_seconds",
        "finished")
LATER = ("machine",)  # archives of before have none
NAMES = ("digest", "task", "question", *(f"job_{name}" for name in FROM_JOB), *COLUMNS, "details",
         "run", "finished", *LATER)
FILLED = ("digest", "task", "question", "job_game", "job_search", "job_options", "status", "run",
          "finished")
ENDS = (DONE, TIMEOUT, MEMORY, CRASH, ERROR)

MOST_ROWS = 1_000_000
MOST_BYTES = 1 << 30  # of all cells, and of what is packed in them
MOST_MEMORY = 1 << 31  # while it is read; PyArrow reserves half of that at once
AT_ONCE = 1_000


@dataclass(frozen=True)
class Packed:
    """A text of JSON, and the shape of what it holds."""

    shape: Any


# The shapes of data: types, a list of one shape, or an object, some of whose fields may be missing
# (?); "..." lets it have others.
NOTHING, NUMBER = type(None), (int, float)
OBJECT: dict[str, Any] = {"...": None}
MACHINE = {"cpu": (str,), "cores": (int,), "memory_bytes": (int,), "system": (str,),
           "python": (str,), "zermelo": (str,), "numpy": (str,), "numba": (str,), "...": None}
SETTINGS = {"full?": (bool,), "changes?": [(str,)], "only?": [(str,)], "seed?": (int,)}
RUN = {"run": (str,), "experiment": (str,), "command": (str,), "started": NUMBER,
       "finished": (*NUMBER, NOTHING), "environment": Packed({**MACHINE, "workers": (int,)}),
       "settings?": Packed(SETTINGS)}
DETAILS = {"root?": OBJECT, "counters?": OBJECT, "played?": OBJECT,
           "trace?": [{"iterations": NUMBER, "root": OBJECT, "...": None}],
           "good_moves?": (list, NOTHING), "search_seconds?": (*NUMBER, NOTHING)}


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
    told = {RUNS: json.dumps(runs)}
    if part is not None:
        told[EXPERIMENTS] = json.dumps(part.experiments)
    schema = pyarrow.schema([(name, pyarrow.type_for_alias(type_name(name))) for name in names],
                            metadata=told)
    made, beside = pyarrow.BufferOutputStream(), Path(f"{path}{ENDING}")
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema), made, compression="zstd")
    content = made.getvalue().to_pybytes()
    digest = f"{hashlib.sha256(content).hexdigest()}  {path.name}\n"
    try:
        _check_place(path)
        with replacing(beside) as mark, replacing(path) as file:
            mark.write(digest.encode())
            mark.flush()
            os.fsync(mark.fileno())  # both are on the disk before either takes its place
            file.write(content)
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

    _check_digest(path, Path(f"{path}{ENDING}"))
    store = Store(into)
    why = ""
    try:
        with limited_memory(MOST_MEMORY):
            _fill(store, path)
    except MemoryError:
        why = f"reading it takes more than {MOST_MEMORY:,} bytes of memory"
    except (NoArchive, pyarrow.ArrowException, OSError, UnicodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # and not what it holds
            store.close()
            raise BadOption(f"can't read the file {file_name(path)}: "
                            f"{os.strerror(error.errno)}.") from None
        why = one_line(error).rstrip(". ")
    if why:
        store.close()
        raise BadOption(f"the file {file_name(path)} is not an archive of the lab: {why}.")
    return store


def _fill(store: Store, path: Path) -> None:
    """Put the runs and rows of an archive into a store, once they are checked."""
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        names, types = file.schema_arrow.names, file.schema_arrow.types
        given = [f"{name} of type {kind}" for name, kind in zip(names, types, strict=True)]
        wanted = [f"{name} of type {type_name(name)}" for name in NAMES]
        other = [quoted(one) for one in given if one not in wanted]
        require(not other, f"it has columns that no store has: {listed(other)}")
        require(len(set(names)) == len(names), "it has two columns of one name")
        missing = [name for name in NAMES if name not in (*names, *LATER)]
        require(not missing, f"it lacks the columns {listed(missing)}")
        told = file.schema_arrow.metadata or {}
        require(RUNS in told, "it does not say by which runs it was made")
        runs = unpacked_as([RUN], told[RUNS], "the list of runs")
        checked_names(told.get(EXPERIMENTS))
        store.fill("jobs", names, checked_rows(file))
    for run in runs:
        store.fill("runs", list(run), [tuple(run.values())])


def experiments_in(path: Path) -> list[str]:
    """The experiments that an archive was written for, which ``read_archive`` has checked; none
    where it is that of a whole store."""
    from pyarrow import parquet

    return checked_names((parquet.read_schema(path).metadata or {}).get(EXPERIMENTS))


def restore(path: Path, store_file: Path) -> tuple[int, int]:
    """Add the rows of an archive to a store, and its runs; how many rows were added, and how many
    there are in the archive. What the store has by the same digest stays as it is."""
    with Folder("zermelo-archive") as folder:
        with closing(read_archive(path, folder / "lab.sqlite")) as archive:
            runs, rows = archive.raw("runs"), archive.raw("jobs")
        with closing(Store(store_file)) as store:
            store.fill("runs", *runs)  # first: a row never lacks its run
            return store.fill("jobs", *rows), len(rows[1])


def _check_digest(path: Path, beside: Path) -> None:
    try:
        for file in (path, beside):
            if file.exists() and not file.is_file():
                raise OSError(errno.EINVAL, "it is not a file", str(file))
        with path.open("rb") as opened:
            digest = hashlib.file_digest(opened, "sha256").hexdigest()
        with beside.open("rb") as opened:
            told = opened.read(LONGEST_DIGEST).split()[:1]
    except OSError as error:
        raise BadOption(f"can't read the file {file_name(error.filename)}: {error.strerror}; an "
                        f"archive is a file and its digest, FILE{ENDING}.") from None
    if [digest.encode()] != told:
        raise BadOption(f"the archive {file_name(path)} is not the one that {file_name(beside)} "
                        f"was written for: its digest is {digest}.")


class NoArchive(ValueError):
    """An error in a file, as the end of a sentence."""


def require(holds: Any, why: str) -> None:
    """Refuse the file unless something holds."""
    if not holds:
        raise NoArchive(why)


def type_name(name: str) -> str:
    """The type that a column has, as PyArrow calls it."""
    return ("int64" if name in WHOLE else "double" if name in REAL else
            "binary" if name == "details" else "string")


def checked_names(text: bytes | None) -> list[str]:
    """The experiments that an archive was written for, an empty list where it names none."""
    return list(unpacked_as([(str,)], text or b"[]", "the list of experiments"))


def checked_rows(file: Any) -> Iterator[tuple[Any, ...]]:
    """The rows of an archive."""
    left, at = MOST_BYTES, 0
    for batch in file.iter_batches(AT_ONCE):
        for row in batch.to_pylist():
            at += 1
            require(at <= MOST_ROWS, f"it has more than {MOST_ROWS:,} rows")
            left -= sum(len(cell) for cell in row.values() if isinstance(cell, str | bytes))
            require(left >= 0, f"its cells take more than {MOST_BYTES:,} bytes")
            left -= _check_row(row, f"row {at}", left)
            yield tuple(row.values())


def _check_row(row: dict[str, Any], place: str, most: int) -> int:
    """Refuse a row that no store has written; the size of what is packed in it."""
    for name in FILLED:
        require(row[name] is not None and row[name] == row[name],  # no NaN
                f"the cell {name} of {place} is empty")
    require(row["status"] in ENDS, f"{place} has {quoted(row['status'])} as status")
    for name in ("job_parameters", "job_options"):
        unpacked_as(OBJECT, row[name] or "{}", f"{name} of {place}")
    if row.get("machine") is not None:
        unpacked_as(MACHINE, row["machine"], f"the machine of {place}")
    text = _unpacked(row["details"], place, most)
    unpacked_as(DETAILS, text, f"what is packed in {place}")
    return len(text)


def _unpacked(data: bytes | None, place: str, most: int) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(data or b"", max(1, most))
    except zlib.error:
        text = b""
    require(unpacking.eof, f"the details of {place} can't be unpacked, or take more than "
                           f"{MOST_BYTES:,} bytes with all before")
    return text


def unpacked_as(shape: Any, text: str | bytes, place: str) -> Any:
    """What a text of JSON holds; refused where it has another shape."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise NoArchive(f"{place} is not JSON") from None
    check_shape(shape, found, place)
    return found


def check_shape(shape: Any, found: Any, place: str) -> None:
    """Refuse data of another shape."""
    if isinstance(shape, list):
        require(isinstance(found, list), f"{place} is not a list")
        for at, one in enumerate(found, 1):
            check_shape(shape[0], one, f"item {at} of {place}")
    elif isinstance(shape, dict):
        require(isinstance(found, dict), f"{place} is not an object")
        fields = {name.removesuffix("?"): inside for name, inside in shape.items()}
        unknown = [quoted(name) for name in found if name not in fields]
        require(not unknown or "..." in shape, f"{place} has unknown fields: {listed(unknown)}")
        for name, inside in fields.items():
            if name in found or (name in shape and name != "..."):
                check_shape(inside, found.get(name), f"{name} of {place}")
    elif isinstance(shape, Packed):
        require(isinstance(found, str | None), f"{place} is not a text")
        unpacked_as(shape.shape, found or "{}", place)
    else:
        known = type(found) in shape and (type(found) is not str or found.isprintable())
        require(known, f"{place} is {quoted(found)}")
