"""Settings: with which words an experiment was run, and which others have results in a store."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from zermelo.jobs.store import Store

if TYPE_CHECKING:
    from zermelo.lab.experiment import Experiment


@dataclass(frozen=True)
class Settings:
    """What a run changes about its experiment; ``only``: these arms, all of them by default."""

    full: bool = False
    changes: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    seed: int = 0

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Settings:
        """What ``to_dict`` gave."""
        return cls(bool(given.get("full")), tuple(given.get("changes", ())),
                   tuple(given.get("only", ())), int(given.get("seed", 0)))

    def to_dict(self) -> dict[str, Any]:
        """As the store keeps them."""
        return asdict(self)

    def words(self) -> list[str]:
        """As they are typed after the name of the experiment."""
        return [*["--full"] * self.full,
                *(word for change in self.changes for word in ("--set", change)),
                *(word for arm in self.only for word in ("--only", arm)),
                *([] if self.seed == 0 else ["--seed", str(self.seed)])]

    def __str__(self) -> str:
        return shlex.join(self.words())

    def all_arms(self) -> Settings:
        """The same with every arm: runs of some arms are parts of one whole."""
        return replace(self, only=())


def settings_to_report(store: Store, experiment: Experiment) -> list[Settings]:
    """One for each size that was run, on the arms that were. A run that was changed is part of one
    of them, or of none."""
    given = _given(store, experiment.name)
    if not given:  # another experiment has made all its results
        given = _given(store, experiment.name, with_rows=False)
    sizes = dict.fromkeys(one.all_arms() for one in given if not one.changes) or [Settings()]
    return [replace(size, only=_arms(experiment, [one.only for one in given
                                                  if one.all_arms() == size])) for size in sizes]


def _arms(experiment: Experiment, given: list[tuple[str, ...]]) -> tuple[str, ...]:
    """The arms of several runs, as ``only`` has them: none where all were run."""
    arms = tuple(dict.fromkeys(arm for only in given for arm in only)) if all(given) else ()
    return () if {arm.name for arm in experiment.arms} <= set(arms) else arms


def settings_of_runs(store: Store, experiment: str) -> list[Settings]:
    """With which settings ``experiment`` has made results, each once, the oldest first."""
    return list(dict.fromkeys(one.all_arms() for one in _given(store, experiment)))


def _given(store: Store, experiment: str, with_rows: bool = True) -> list[Settings]:
    """The settings of its runs, the oldest first; of those that have made a row, or of all."""
    made = store.runs_with_rows() if with_rows else ()
    return [Settings.from_dict(run["settings"]) for run in store.runs()
            if run["experiment"] == experiment and (not with_rows or run["run"] in made)]
