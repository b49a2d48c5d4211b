"""Making all reports of a store again, without running a search."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zermelo.errors import ZermeloError, shown
from zermelo.jobs.store import Store
from zermelo.lab.catalogue import experiment, experiment_names
from zermelo.lab.plan import plan_of
from zermelo.lab.report.report import write_report
from zermelo.lab.results import Results
from zermelo.lab.settings import Settings, arms_of_runs, settings_of_runs


def rebuild(store: Store, folder: Path, names: Sequence[str] = ()) -> tuple[list[Path], list[str]]:
    """Write the report of each experiment, those named or all that are built in and have results;
    the files, and a sentence for each that could not be made."""
    begun = {run["experiment"] for run in store.runs()}
    wanted = list(names) or [name for name in experiment_names() if name in begun]
    written: list[Path] = []
    notes = [] if names else [f"{shown(name)} is in a file of its own: name the file to rebuild it"
                              for name in sorted(begun - set(wanted))
                              if not name.startswith("tune ")]
    for name in wanted:
        try:
            written += _reports(store, folder, name)
        except ZermeloError as error:  # such as positions of others that are not here
            notes.append(f"{name}: {error}")
    return written, notes


def _reports(store: Store, folder: Path, name: str) -> list[Path]:
    """One report for each size that was run, on the arms that were; a run that was changed is part
    of one of them, or of none."""
    found = experiment(name)
    sizes = [one for one in settings_of_runs(store, found.name) if not one.changes] or [Settings()]
    written: list[Path] = []
    for one in sizes:
        plan = plan_of(found, full=one.full, seed=one.seed,
                       only=arms_of_runs(store, found.name, one))
        words = "".join(word.replace("--", "-") for word in one.words())
        written += write_report(Results(plan, store, older=True), folder / f"{found.name}{words}")
    return written
