"""Whether a file is an archive of the lab: known columns of the right types, runs, and rows that a
store could have written. ``NoArchive`` says what is wrong, as the end of a sentence.

An archive may come from anybody. What it says is not believed here, only seen to be of the kind
that tables and figures can be made of, and of a bounded size.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from typing import Any

from zermelo.errors import listed, quoted
from zermelo.jobs.store import COLUMNS, FROM_JOB
from zermelo.jobs.store import PACKED as IN_DETAILS
from zermelo.jobs.work import CRASH, DONE, ERROR, MEMORY, TIMEOUT

# The types of columns; all others are texts.
WHOLE = ("job_seed", "job_plain", "job_nodes", "job_memory", "proved", "concluded", "made_nodes",
         "iterations", "peak_bytes", "peak_rss", "certified")
REAL = ("job_time", "job_wall", "seconds", "compile_seconds", "cpu_seconds", "wall_seconds",
        "finished")
PACKED = ("details",)
LATER = ("machine",)  # archives of before have none
NAMES = ("digest", "task", "question", *(f"job_{name}" for name in FROM_JOB), *COLUMNS, *PACKED,
         "run", "finished", *LATER)
FILLED = ("digest", "task", "question", "job_game", "job_search", "job_options", "status", "run",
          "finished")
ENDS = (DONE, TIMEOUT, MEMORY, CRASH, ERROR)

NUMBER = (int, float)
RUN = {"run": str, "experiment": str, "command": str, "environment": str, "started": NUMBER,
       "finished": (*NUMBER, type(None))}
MACHINE = {"cpu": str, "cores": int, "memory_bytes": int, "system": str, "python": str,
           "zermelo": str, "numpy": str, "numba": str}
SETTINGS = {"full": bool, "changes": list, "only": list, "seed": int}
DETAILS = {"root": dict, "counters": dict, "trace": list, "good_moves": (list, type(None)),
           "played": dict, "search_seconds": (*NUMBER, type(None))}
SAMPLE = {"iterations": NUMBER, "root": dict}

MOST_ROWS = 1_000_000
MOST_BYTES = 1 << 30  # of all cells, and of what is packed in them
AT_ONCE = 1_000
LONGEST_NAME = 500
LATEST = 1e11  # seconds since 1970: a time thousands of years from now


class NoArchive(ValueError):
    """What is wrong with a file."""


def require(holds: Any, why: str) -> None:
    """Refuse the file unless something holds."""
    if not holds:
        raise NoArchive(why)


def type_name(name: str) -> str:
    """The type that a column has, as PyArrow calls it."""
    return ("int64" if name in WHOLE else "double" if name in REAL else
            "binary" if name in PACKED else "string")


def check_table(file: Any) -> None:
    """Refuse a file of Parquet with other columns than a store has, or with too many rows."""
    schema, metadata = file.schema_arrow, file.metadata
    rows = max(metadata.num_rows, sum(metadata.row_group(at).num_rows
                                      for at in range(metadata.num_row_groups)))
    require(rows <= MOST_ROWS, f"it has {rows:,} rows, and at most {MOST_ROWS:,} are read")
    unknown = [quoted(name) for name in schema.names if name not in NAMES]
    require(not unknown, f"it has columns that no store has: {listed(unknown)}")
    require(len(set(schema.names)) == len(schema.names), "it has two columns of one name")
    missing = [name for name in NAMES if name not in (*schema.names, *LATER)]
    require(not missing, f"it lacks the columns {listed(missing)}")
    for name, kind in zip(schema.names, schema.types, strict=True):
        require(str(kind) == type_name(name),
                f"its column {name} is of type {quoted(kind)}, not {type_name(name)}")


def checked_runs(text: bytes | None) -> list[dict[str, Any]]:
    """The runs of an archive, as the file's metadata has them."""
    require(text is not None, "it does not say by which runs it was made")
    runs = _json(text or b"", list, "the list of runs")
    for at, run in enumerate(runs):
        place = f"run {at + 1}"
        _typed({"settings": None, **run} if isinstance(run, dict) else run,
               {**RUN, "settings": (str, type(None))}, place)
        require(set(run) <= {*RUN, "settings"}, f"{place} has fields that no run has")
        require(len(run["experiment"]) <= LONGEST_NAME and run["experiment"].isprintable(),
                f"the experiment of {place} has no valid name")
        require(all(when is None or 0 <= when < LATEST
                    for when in (run["started"], run["finished"])),
                f"the times of {place} are none")
        environment = _json(run["environment"], dict, f"the environment of {place}")
        _typed(environment, {**MACHINE, "workers": int}, f"the environment of {place}")
        place_of = f"the record of settings of {place}"
        settings = _json(run.get("settings") or "{}", dict, place_of)
        _typed(settings, {name: SETTINGS[name] for name in SETTINGS if name in settings}, place_of)
        require(all(isinstance(word, str) and word.isprintable() for name in ("changes", "only")
                    for word in settings.get(name, ())), f"the settings of {place} are no words")
    return list(runs)


def checked_names(text: bytes | None) -> list[str]:
    """The experiments that an archive was written for; none where it does not say."""
    names = _json(b"[]" if text is None else text, list, "the list of experiments")
    require(all(isinstance(name, str) and len(name) <= LONGEST_NAME and name.isprintable()
                for name in names), "the list of experiments has what is no name")
    return list(names)


def checked_rows(file: Any) -> Iterator[tuple[Any, ...]]:
    """The rows of an archive whose texts PyArrow keeps as dictionaries, so that a text that comes
    often is there once until its size is known."""
    left, at = MOST_BYTES, 0
    for batch in file.iter_batches(AT_ONCE):
        left -= sum(_bytes(column) for column in batch.columns)
        require(left >= 0, f"its cells take more than {MOST_BYTES:,} bytes")
        for row in batch.to_pylist():
            at += 1
            left -= _check_row(row, f"row {at}", left)
            yield tuple(row.values())


def _bytes(column: Any) -> int:
    from pyarrow import compute

    if not hasattr(column, "dictionary"):
        return int(column.nbytes)
    lengths = compute.binary_length(column.dictionary)
    return int(compute.sum(compute.take(lengths, column.indices)).as_py() or 0)


def _check_row(row: dict[str, Any], place: str, most: int) -> int:
    """Refuse a row that no store has written; the size of what is packed in it."""
    for name in FILLED:
        require(row[name] is not None and row[name] == row[name],  # no NaN
                f"the cell {name} of {place} is empty")
    require(row["status"] in ENDS, f"{place} has {quoted(row['status'])} as status")
    require(0 <= row["finished"] < LATEST, f"{place} was finished at no time")
    for name in ("job_parameters", "job_options"):
        _json(row[name] or "{}", dict, f"the cell {name} of {place}")
    if row.get("machine") is not None:
        place_of = f"the machine of {place}"
        _typed(_json(row["machine"], dict, place_of), MACHINE, place_of)
    text = _unpacked(row["details"], place, most)
    details = _json(text, dict, f"what is packed in {place}")
    require(set(details) <= set(IN_DETAILS), f"{place} has details that no row has")
    _typed(details, {name: DETAILS[name] for name in details}, f"what is packed in {place}")
    for sample in details.get("trace", ()):
        _typed(sample, SAMPLE, f"the trace of {place}")
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


def _json(text: str | bytes, kind: type, what: str) -> Any:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    require(isinstance(found, kind), f"{what} is not a JSON {'list' if kind is list else 'object'}")
    return found


def _typed(found: Any, types: dict[str, Any], what: str) -> None:
    """Refuse what is no object, or has a field of another type than ``types`` says."""
    require(isinstance(found, dict), f"{what} is not an object")
    for name, kind in types.items():
        value = found.get(name)
        known = kind if isinstance(kind, tuple) else (kind,)
        require(name in found and type(value) in known,
                f"{what} has {quoted(value) if name in found else 'nothing'} as {name}")
