"""The size of a run in titles, and what it means for the published numbers beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from zermelo.errors import counted
from zermelo.lab.experiment import Size, sized
from zermelo.lab.results import Results

POSITIONS = "{positions}"  # in a title: how many positions this run has, such as "200 positions"


def titled(results: Results, title: str, arms: Sequence[str] = ()) -> str:
    """``title`` with the number of positions that these arms, or all, have in this run."""
    if POSITIONS not in title:
        return title
    found = {(entry.cell.set, entry.cell.id) for entry in results.entries
             if not arms or entry.cell.arm in arms}
    return title.replace(POSITIONS, counted(len(found), "position"))


def caveat(results: Results) -> str:
    """Why published numbers are not for a run of this size; empty where they are."""
    plan = results.plan
    if plan.changes:
        here, usual = len(plan.positions), usual_positions(results)
        sizes = f" and has {counted(here, 'position')} instead of {usual:,}" \
            if usual is not None and usual != here else ""
        return (f"Published numbers are not for this run: it was changed with --set "
                f"{', '.join(plan.changes)}{sizes}.")
    if not plan.full and _has_sizes(results):
        return "Published numbers are for the published sizes (--full), not for the default ones."
    return ""


def usual_positions(results: Results) -> int | None:
    """How many positions the experiment has as it was written; None where its sets do not say."""
    takes = [sized(one.take, results.plan.full) for one in results.plan.experiment.sets]
    return sum(takes) if all(isinstance(take, int) for take in takes) else None


def _has_sizes(results: Results) -> bool:
    experiment = results.plan.experiment
    records: list[Any] = [*experiment.arms, *experiment.sets]
    return any(isinstance(getattr(record, item.name), Size)
               for record in records for item in fields(record))
