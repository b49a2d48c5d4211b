"""Export: the rows of an experiment as CSV (or Parquet), with environment and digests."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from zermelo.lab.report.report import commands
from zermelo.lab.results import Results
from zermelo.whole_files import write_whole


def write_export(results: Results, folder: Path, parquet: bool = False) -> list[Path]:
    """Write the rows, the environment and the digests of both into ``folder``."""
    frame = results.frame()
    folder.mkdir(parents=True, exist_ok=True)
    contents = {"jobs.csv": frame.to_csv(index=False, lineterminator="\n").encode(),
                "environment.json": _environment(results).encode()}
    if parquet:
        contents["jobs.parquet"] = frame.to_parquet(index=False)
    contents["SHA256SUMS"] = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n"
                                     for name, content in contents.items()).encode()
    for name, content in contents.items():
        write_whole(folder / name, content)
    return [folder / name for name in contents]


def _environment(results: Results) -> str:
    plan = results.plan
    runs = [{"started": run["started"], "command": run["command"], **run["environment"]}
            for run in results.runs]
    facts = {"experiment": plan.experiment.name, "full": plan.full, "changes": list(plan.changes),
             "jobs": len(plan.cells), "done": results.done, "runs": runs,
             "commands": commands(results)}
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"
