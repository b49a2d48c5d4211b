"""The lab, as its query worker answers: experiments, progress, tables, figures, claims, jobs."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import closing
from functools import lru_cache
from typing import Any

from zermelo.errors import BadOption, ZermeloError, listed, quoted
from zermelo.explorer.position_ref import Games, Json
from zermelo.jobs.job import PLAY, PROVE, SOLVE, WATCH, Job
from zermelo.jobs.store import Store
from zermelo.jobs.work import DONE
from zermelo.lab.claims import judged
from zermelo.lab.columns import Entry
from zermelo.lab.experiment import (
    Experiment,
    check_packages,
    experiment,
    experiment_names,
    store_path,
)
from zermelo.lab.figures import draw
from zermelo.lab.plan import ExperimentPlan, Settings, plan_of, settings_of_runs
from zermelo.lab.report import commands
from zermelo.lab.results import Results, all_tables

WAITING, RUNNING, AS_WRITTEN = "waiting", "running", "as it is written"
COLUMNS = ("set", "arm", "id", "seed", "status", "value", "proved", "concluded", "verdict",
           "stopped", "move", "nodes", "iterations", "seconds", "message")


def experiments(games: Games, message: Json) -> list[Json]:
    """Return all experiments, those with results first; without a store none has any."""
    every = [experiment(name) for name in experiment_names()]
    if not store_path(message.get("store")).exists():
        return [_about(one) for one in every]
    with closing(_open(message)) as store:
        begun = dict.fromkeys(run["experiment"] for run in store.runs())
        rows = [_overview(one, store) for one in every]
    known = {row["name"] for row in rows}
    rows.sort(key=lambda row: not row["reports"])
    return rows + [{"name": name, "title": "from a file of its own", "own_file": True,
                    "reports": []} for name in begun if name not in known]


def _about(one: Experiment) -> Json:
    return {"name": one.name, "title": one.title, "paper": one.source,
            "arms": [arm.name for arm in one.arms], "sets": [each.name for each in one.sets],
            "reports": [], **dict.fromkeys(("jobs", "done", "solved", "failed", "running"))}


def _overview(one: Experiment, store: Store) -> Json:
    every = settings_of_runs(store, one.name)
    row = {**_about(one), "reports": [str(each) or AS_WRITTEN for each in every]}
    if not every:
        return row
    try:
        plan = _plan(one.name, every[0])
    except ZermeloError as error:  # it fitted an earlier state of the file, or data is missing
        return {**row, "note": str(error)}
    return {**row, **_counts(plan, store)}


def _counts(plan: ExperimentPlan, store: Store) -> Json:
    rows = store.rows(plan.jobs).values()
    return {"jobs": len(plan.jobs), "done": len(rows),
            "solved": sum(row["proved"] for row in rows),
            "failed": sum(row["status"] != DONE for row in rows),
            "running": len(store.claimed() & set(plan.jobs))}


@lru_cache(32)
def _plan(name: str, settings: Settings) -> ExperimentPlan:
    return plan_of(experiment(name), full=settings.full, changes=settings.changes,
                   only=settings.only, seed=settings.seed)


def _open(message: Json) -> Store:
    return Store(store_path(message.get("store")), create=False)


def _chosen(store: Store, message: Json) -> tuple[ExperimentPlan, list[Settings]]:
    """Return the plan that is meant, among those that have results; as it is written if none
    has."""
    check_packages()
    name, number = message["name"], message["settings"]
    if name not in experiment_names():
        raise BadOption(f"there is no experiment {quoted(name)}; experiments: "
                        f"{listed(experiment_names())}.")
    every = settings_of_runs(store, name) or [Settings()]
    if number >= len(every):
        raise BadOption(f"settings={number}: {name} was run with {len(every)} settings, from 0 to "
                        f"{len(every) - 1}.")
    return _plan(name, every[number]), every


def one_experiment(games: Games, message: Json) -> Json:
    """Return the plan of an experiment and its results."""
    with closing(_open(message)) as store:
        plan, every = _chosen(store, message)
        results = Results(plan, store)
        counts = _counts(plan, store)
    one = plan.experiment
    return {
        "name": one.name, "title": one.title, "paper": one.source, "source": one.source,
        "about": one.about,
        "differs": one.differs, "settings": [str(each) or AS_WRITTEN for each in every],
        "chosen": message["settings"], "complete": results.complete, **counts,
        "arms": [_arm(results, arm.name) for arm in plan.arms],
        "sets": [{"name": each.name, "note": each.note,
                  "positions": sum(name == each.name for name, _ in plan.positions)}
                 for each in one.sets],
        "tables": [table.to_dict() for table in all_tables(results)],
        "figures": [{"name": figure.name, "title": figure.title, "file": f"{figure.name}.svg"}
                    for figure in one.figures],
        "claims": [vars(judged(results, claim)) for claim in one.claims],
        "contradictions": results.contradictions, "commands": commands(results),
    }


def _arm(results: Results, name: str) -> Json:
    entries = results.select(name)
    return {"name": name, "jobs": len(entries),
            "done": sum(entry.row is not None for entry in entries),
            "solved": results.number("proved", name) or 0,
            "failed": results.number("failed", name) or 0}


def jobs(games: Games, message: Json) -> Json:
    """Return some of the jobs: sorted by a column (``-`` in front: the largest first), and only
    those that hold all words of the filter."""
    with closing(_open(message)) as store:
        plan, _ = _chosen(store, message)
        results, claimed = Results(plan, store), store.claimed()
    rows = [_job_row(entry, claimed) for entry in results.entries]
    words = str(message.get("filter") or "").lower().split()
    rows = [row for row in rows if all(word in row["text"] for word in words)]
    wanted = str(message.get("sort") or "")
    column = wanted.removeprefix("-")
    if column:
        if column not in COLUMNS:
            raise BadOption(f"sort={quoted(wanted)}: there is no such column; columns: "
                            f"{', '.join(COLUMNS)}.")
        known = [row for row in rows if row[column] is not None]
        known.sort(key=lambda row: (isinstance(row[column], str), row[column]),
                   reverse=wanted.startswith("-"))
        rows = known + [row for row in rows if row[column] is None]
    shown = rows[message["offset"] :][: message["count"]]
    return {"total": len(rows), "offset": message["offset"], "columns": list(COLUMNS),
            "rows": [{name: value for name, value in row.items() if name != "text"}
                     for row in shown]}


def _job_row(entry: Entry, claimed: set[str]) -> Json:
    cell, row = entry.cell, entry.row
    found: Json = {"set": cell.set, "arm": cell.arm, "id": cell.id, "seed": cell.seed,
                   "verdict": entry.verdict, "game": cell.job.game,
                   "parameters": cell.job.parameters, "position": cell.job.position}
    for name in COLUMNS:
        found.setdefault(name, None if row is None else row.get(name))
    if row is None:
        found["status"] = RUNNING if cell.job.digest in claimed else WAITING
    found["command"] = command_of_job(cell.job)
    words = (cell.set, cell.arm, cell.id, found["status"], found["value"], found["verdict"],
             found["stopped"], "proved" if found["proved"] else "")
    found["text"] = " ".join(str(word) for word in words if word is not None).lower()
    return found


def command_of_job(job: Job) -> str | None:
    """Return the command line that does what a job does; games between searches have none."""
    if job.kind == PLAY:
        return None
    words = ["zermelo", "scn" if job.kind == WATCH else "solve", job.game, job.position]
    words += [word for name, value in job.parameters.items() for word in ("-g", f"{name}={value}")]
    if job.kind in (SOLVE, PROVE):
        words += ["-s", job.search]
        words += [word for name, value in job.options.items() if value is not None
                  for word in ("-p", f"{name}={value}")]
        words += ["--goal", job.goal, "--seed", str(job.seed), "--memory", str(job.memory)]
        words += [] if job.nodes is None else ["--nodes", str(job.nodes)]
        words += [] if job.time is None else ["--time", f"{job.time:g}"]
        words += ["--plain"] * job.plain + ["--candidates"] * bool(job.candidates)
    return shlex.join(words)


def figure(games: Games, message: Json) -> str:
    """Return one figure as SVG."""
    with closing(_open(message)) as store:
        plan, _ = _chosen(store, message)
        results = Results(plan, store)
    wanted = str(message["file"])
    for one in plan.experiment.figures:
        if wanted == f"{one.name}.svg":
            drawn = draw(results, one)
            if drawn is not None:
                return drawn.svg
    raise BadOption(f"there is no figure {quoted(wanted)}, or nothing to show in it yet.")


QUESTIONS: dict[str, Callable[[Games, Json], Any]] = {
    "lab experiments": experiments, "lab experiment": one_experiment, "lab jobs": jobs,
    "lab figure": figure,
}
