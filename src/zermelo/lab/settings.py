"""Settings: with which words an experiment was run, and which others have results in a store."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from zermelo.jobs.store import Store


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


def arms_of_runs(store: Store, experiment: str, settings: Settings) -> tuple[str, ...]:
    """The arms that were run with these settings, as ``only`` has them: none where all were."""
    made = store.runs_with_rows()
    given = [found.only for run in store.runs()
             if run["experiment"] == experiment and run["run"] in made
             and (found := Settings.from_dict(run["settings"])).all_arms() == settings]
    return tuple(dict.fromkeys(arm for only in given for arm in only)) if all(given) else ()


def settings_of_runs(store: Store, experiment: str) -> list[Settings]:
    """With which settings ``experiment`` has made results, each once, the oldest first."""
    made = store.runs_with_rows()
    return list(dict.fromkeys(
        Settings.from_dict(run["settings"]).all_arms() for run in store.runs()
        if run["experiment"] == experiment and run["run"] in made))
