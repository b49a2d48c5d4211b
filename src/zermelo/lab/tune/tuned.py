"""Tuned: what a tuning found, and what it took."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from zermelo.lab.tune.axes import named
from zermelo.lab.tune.score import TuningScore
from zermelo.lab.tune.tuning import Tuning


@dataclass
class Tuned:
    """The best on the training half and the default, on both halves.

    Scores are None where the tuning was interrupted before. ``points``: all that was tried.
    ``cost``: the nodes of all jobs that the choice took; ``jobs``: how many they are. ``ran``: how
    many jobs were run now, those for the held-out half included.
    """

    tuning: Tuning
    points: list[dict[str, Any]] = field(default_factory=list)
    best: dict[str, Any] | None = None
    training: TuningScore | None = None
    held_out: TuningScore | None = None
    default_training: TuningScore | None = None
    default_held_out: TuningScore | None = None
    cost: int = 0
    jobs: int = 0
    ran: int = 0
    seconds: float = 0.0
    statuses: dict[str, int] = field(default_factory=dict)
    interrupted: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def default(self) -> dict[str, Any]:
        """The options that vary, as published."""
        return named(self.tuning.axes, self.tuning.default)

    @property
    def nothing_solved(self) -> bool:
        """Whether no point solved anything, so that the choice means nothing."""
        return not any(point.get("solved") for point in self.points)

    @property
    def ratio(self) -> float | None:
        """The best's held-out score as a part of the default's."""
        if self.held_out is None or self.default_held_out is None:
            return None
        return self.held_out.total / self.default_held_out.total

    @property
    def against_default(self) -> dict[str, int] | None:
        """On how many held-out jobs the best takes fewer nodes, as many, and more."""
        if self.held_out is None or self.default_held_out is None:
            return None
        both = list(zip(self.held_out.costs, self.default_held_out.costs, strict=True))
        return {"fewer": sum(a < b for a, b in both), "equal": sum(a == b for a, b in both),
                "more": sum(a > b for a, b in both)}

    @property
    def exit_status(self) -> int:
        """0, or 10 where there is no answer: interrupted, or nothing was solved."""
        return 10 if self.interrupted or self.nothing_solved else 0

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        tuning = self.tuning
        training, held_out = (tuning.names(half) for half in tuning.halves)
        return {
            "search": tuning.search.id, "options": tuning.search.options,
            "vary": list(tuning.vary), "strategy": tuning.strategy,
            "nodes": tuning.halves[0][0].job.nodes, "goal": tuning.goal, "plain": tuning.plain,
            "concluded": tuning.concluded, "seeds": tuning.seeds, "seed": tuning.seed,
            "split": {"training": training, "held_out": held_out},
            "best": {"options": self.best, "training": _score(self.training),
                     "held_out": _score(self.held_out)},
            "default": {"options": self.default, "training": _score(self.default_training),
                        "held_out": _score(self.default_held_out)},
            "held_out_ratio": self.ratio, "against_default": self.against_default,
            "cost": {"nodes": self.cost, "jobs": self.jobs, "points": len(self.points)},
            "points": self.points, "ran": self.ran, "seconds": self.seconds,
            "statuses": self.statuses, "interrupted": self.interrupted, "notes": self.notes,
        }


def _score(score: TuningScore | None) -> dict[str, Any] | None:
    return None if score is None else score.to_dict()
