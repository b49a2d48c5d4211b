"""Export: the rows of an experiment as CSV (or Parquet), with environment and digests."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from zermelo.lab.report.report import commands
from zermelo.lab.results import Results


def write_export(results: Results, folder: Path, parquet: bool = False) -> list[Path]:
    """Write the rows, the environment and the digests of both into ``folder``."""
    frame = results.frame()
    folder.mkdir(parents=True, exist_ok=True)
    written = [folder / "jobs.csv", folder / "environment.json"]
    frame.to_csv(written[0], index=False, lineterminator="\n")
    written[1].write_text(_environment(results), encoding="utf-8")
    if parquet:
        written.append(folder / "jobs.parquet")
        frame.to_parquet(written[-1], index=False)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in written]
    (folder / "SHA256SUMS").write_text("\n".join(lines) + "\n")
    return [*written, folder / "SHA256SUMS"]


def _environment(results: Results) -> str:
    plan = results.plan
    runs = [{"started": run["started"], "command": run["command"], **run["environment"]}
            for run in results.runs]
    facts = {"experiment": plan.experiment.name, "full": plan.full, "changes": list(plan.changes),
             "jobs": len(plan.cells), "done": results.done, "runs": runs,
             "commands": commands(results)}
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"
