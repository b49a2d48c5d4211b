"""Export: the rows of an experiment as CSV (or Parquet), with environment and digests."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from zermelo.errors import BadOption
from zermelo.lab.processors import processor_of
from zermelo.lab.report.report import commands
from zermelo.lab.results import Results

FIELDS = (
    "digest", "task", "set", "arm", "id", "game", "parameters", "position", "search", "options",
    "seed", "goal", "plain", "limit_nodes", "limit_time", "limit_memory", "limit_wall", "version",
    "code", "status", "message", "value", "proved", "concluded", "known", "verdict", "stopped",
    "move", "nodes", "iterations", "seconds", "compile_seconds", "cpu_seconds", "wall_seconds",
    "peak_bytes", "peak_rss", "counters", "root", "played", "processor",
)
LIMITS = ("nodes", "time", "memory", "wall")
# The types of columns; all others are texts. Given, since a column may be empty.
WHOLE = ("seed", "limit_nodes", "limit_memory", "nodes", "iterations", "peak_bytes", "peak_rss")
REAL = ("limit_time", "limit_wall", "seconds", "compile_seconds", "cpu_seconds", "wall_seconds")
YES_OR_NO = ("plain", "proved", "concluded")


def records(results: Results) -> list[dict[str, Any]]:
    """A flat record for each cell that has a row."""
    found = []
    for entry in results.entries:
        if entry.row is None:
            continue
        row, cell = entry.row, entry.cell
        facts = {name.removeprefix("job_"): value for name, value in row.items()
                 if name.startswith("job_")}
        facts.update({f"limit_{name}": row[f"job_{name}"] for name in LIMITS})
        facts.update({name: value for name, value in row.items() if not name.startswith("job_")})
        facts.update(set=cell.set, arm=cell.arm, id=cell.id, known=entry.known,
                     verdict=entry.verdict, processor=processor_of(row),
                     # A row from an archive may lack these two.
                     parameters=cell.job.parameters, position=cell.job.position)
        found.append({name: _flat(facts.get(name)) for name in FIELDS})
    return found


def _flat(value: Any) -> Any:
    return json.dumps(value, sort_keys=True) if isinstance(value, dict | list) else value


def write_export(results: Results, folder: Path, parquet: bool = False) -> list[Path]:
    """Write the rows, the environment and the digests of both into ``folder``."""
    rows = records(results)
    if parquet and find_spec("pyarrow") is None:
        raise BadOption("--parquet needs PyArrow: pip install zermelo[parquet].")
    folder.mkdir(parents=True, exist_ok=True)
    files = {"jobs.csv": _csv(rows).encode(), "environment.json": _environment(results).encode()}
    written = [folder / name for name in files]
    for name, content in files.items():
        (folder / name).write_bytes(content)
    if parquet:
        written.append(_parquet(rows, folder / "jobs.parquet"))
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in written]
    (folder / "SHA256SUMS").write_text("\n".join(lines) + "\n")
    return [*written, folder / "SHA256SUMS"]


def _csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _environment(results: Results) -> str:
    plan = results.plan
    runs = [{"started": run["started"], "command": run["command"], **run["environment"]}
            for run in results.runs]
    facts = {"experiment": plan.experiment.name, "full": plan.full, "changes": list(plan.changes),
             "jobs": len(plan.cells), "done": results.done, "runs": runs,
             "commands": commands(results)}
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"


def _parquet(rows: list[dict[str, Any]], path: Path) -> Path:
    import pyarrow
    from pyarrow import parquet

    types = {**dict.fromkeys(FIELDS, pyarrow.string()), **dict.fromkeys(WHOLE, pyarrow.int64()),
             **dict.fromkeys(REAL, pyarrow.float64()), **dict.fromkeys(YES_OR_NO, pyarrow.bool_())}
    columns = {name: [_typed(name, row[name]) for row in rows] for name in FIELDS}
    parquet.write_table(pyarrow.table(columns, pyarrow.schema(list(types.items()))), path)
    return path


def _typed(name: str, value: Any) -> Any:
    """SQLite has no yes and no, and gives back a whole number where a real one was kept."""
    if value is None:
        return None
    return bool(value) if name in YES_OR_NO else float(value) if name in REAL else value
