"""Files of results to compare: a store, or the jobs.csv of an export; all values as texts."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from zermelo.errors import BadOption, file_name, one_line
from zermelo.jobs.store import Store
from zermelo.lab.entries import UNKNOWN, processor_of

TextRow = dict[str, str]
NEEDED = ("task", "status", "value", "proved", "concluded", "nodes", "iterations")
LEAST_SECONDS = 0.01  # less can't be compared


def read_rows(path: Path) -> list[TextRow]:
    """The rows of a file."""
    return _exported(path) if path.suffix == ".csv" else _stored(path)


def _exported(path: Path) -> list[TextRow]:
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or one_line(error)
        raise BadOption(f"can't read the file {file_name(path)}: {reason}.") from None
    missing = [name for name in NEEDED if not rows or name not in rows[0]]
    if missing:
        raise BadOption(f"the file {file_name(path)} is not an export of the lab: it has no column "
                        f"{missing[0]!r} with values.")
    return rows


def _stored(path: Path) -> list[TextRow]:
    store = Store(path, create=False)
    made_on = {run["run"]: run["environment"] for run in store.runs()}
    rows = [{name: _text(value) for name, value in _named(row, made_on).items()}
            for row in store.every()]
    store.close()
    return rows


def _named(row: dict[str, Any], made_on: dict[str, Any]) -> dict[str, Any]:
    """The names of an export: what the job was, without limits, and what came of it."""
    job = {name: row[f"job_{name}"] for name in ("kind", "game", "parameters", "position", "search",
                                                 "options", "seed", "goal")}
    row["machine"] = row["machine"] or made_on.get(row["run"])
    return {**job, **row, "processor": processor_of(row)}


def _text(value: Any) -> str:
    if isinstance(value, dict | list):
        return json.dumps(value, sort_keys=True)
    return "" if value is None else str(value)


def processor(row: TextRow) -> str:
    """What it was measured on; exports of earlier versions do not say."""
    return row.get("processor") or UNKNOWN


def seconds(row: TextRow) -> float:
    """How long the search took."""
    return float(row["seconds"] or 0)
