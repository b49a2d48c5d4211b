"""Which series a figure can have, and how each looks, whatever of the experiment has been run."""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.lab.experiment import Arm, Experiment, Figure
from zermelo.lab.plan import at_size
from zermelo.lab.report import series
from zermelo.lab.report.style import Look, looks
from zermelo.lab.results import Results

BY_SEARCH = ("arm", "search")


def looks_in(results: Results, figure: Figure, names: Iterable[str] = ()) -> dict[str, Look]:
    """The looks of the figure's series, and of these ``names``, which may be others."""
    known = series_of(results.plan.experiment, figure, full=results.plan.full)
    return looks({**known, **{name: None for name in names if name not in known}})


def series_of(experiment: Experiment, figure: Figure, *, full: bool) -> dict[str, str | None]:
    """By what a series is called, the id of its search; None where it is no search."""
    arms = [at_size(arm, full) for arm in experiment.arms
            if not figure.arms or arm.name in figure.arms]
    if figure.kind == "lines":
        return _lines(experiment, figure, arms)
    if figure.kind == "histogram" or (figure.kind == "trace" and figure.ys):
        return dict.fromkeys(figure.ys)
    if figure.kind == "calibration":
        return dict.fromkeys(str(one.labels.get(figure.series)) for one in experiment.sets
                             if not figure.sets or one.name in figure.sets)
    return {arm.name: arm.search.id for arm in arms}


def _lines(experiment: Experiment, figure: Figure, arms: Iterable[Arm]) -> dict[str, str | None]:
    groups: dict[str, str | None] = {}
    by_search = any(word in BY_SEARCH for word in figure.series.split(", "))
    for arm in arms:
        for one in experiment.sets:
            if (arm.on and one.name not in arm.on) or (figure.sets and one.name not in figure.sets):
                continue
            labels = series.labels_of(arm, one)
            if isinstance(labels.get(figure.x), int | float):
                groups.setdefault(series.name_of(figure.series, labels),
                                  arm.search.id if by_search else None)
    return {series.joined(name, called, len(groups)): id for name, id in groups.items()
            for called in figure.ys or ("",)}
