"""Making all reports of a store again, without running a search."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zermelo.errors import BadOption, ZermeloError, quoted, shown
from zermelo.jobs.store import Store
from zermelo.lab.catalogue import experiment, experiment_names
from zermelo.lab.plan import plan_of
from zermelo.lab.report.report import write_report
from zermelo.lab.results import Results
from zermelo.lab.settings import settings_to_report


def rebuild(store: Store, folder: Path, names: Sequence[str] = (),
            archived: Sequence[str] = ()) -> tuple[list[Path], list[str]]:
    """Write the report of each experiment, those named or all that are built in and have results;
    the files, and a sentence for each that could not be made as it was. ``archived``: the
    experiments that the store was kept for, where it has some rows of others as well."""
    begun = set(archived) or {run["experiment"] for run in store.runs()}
    wanted = list(names) or [name for name in experiment_names() if name in begun]
    written: list[Path] = []
    notes = [] if names else [f"{shown(name)} is in a file of its own: name the file to rebuild it"
                              for name in sorted(begun - set(wanted))
                              if not name.startswith("tune ")]
    for name in wanted:
        try:
            made, missing = _reports(store, folder, name)
        except ZermeloError as error:  # such as positions of others that are not here
            notes.append(f"{name}: {error}")
            continue
        written += made
        notes += [f"{name}: the set {quoted(one)} is empty here, and the report is without it"
                  for one in missing]
    return written, notes


def _reports(store: Store, folder: Path, name: str) -> tuple[list[Path], list[str]]:
    """The files of the reports, one for each size; and the sets that are empty."""
    found = experiment(name)
    written: list[Path] = []
    empty: dict[str, None] = {}
    for one in settings_to_report(store, found):
        plan = plan_of(found, full=one.full, seed=one.seed, only=one.only)
        results = Results(plan, store, older=True)
        if not results.rows:  # a report of nothing might take the place of one of something
            continue
        words = "".join(word.replace("--", "-") for word in one.all_arms().words())
        written += write_report(results, folder / f"{found.name}{words}")
        empty.update(dict.fromkeys(plan.empty_sets))
    if not written:
        raise BadOption("there are no results of it.")
    return written, list(empty)
