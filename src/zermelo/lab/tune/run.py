"""Run a tuning: let its strategy try points, then report the best on the held-out half.

All evaluations are jobs in the store. Strategies decide by results alone, so a tuning that was
killed repeats its decisions, finds what it had, and goes on.
"""

from __future__ import annotations

import time

from zermelo.errors import BadOption, counted, listed
from zermelo.jobs.hire import hire
from zermelo.jobs.machine import environment
from zermelo.jobs.store import Store
from zermelo.jobs.work import DONE
from zermelo.jobs.workers import JobProgress, ProgressCallback, Workers
from zermelo.lab.run import largest_memory
from zermelo.lab.tune import strategies
from zermelo.lab.tune.axes import Point
from zermelo.lab.tune.score import Scorer
from zermelo.lab.tune.tuned import Tuned
from zermelo.lab.tune.tuning import CLIMB, SWEEP, Tuning


def tune(tuning: Tuning, store: Store, *, workers: int | None = None, backend: str = "processes",
         cluster: str | None = None, retry: bool = False, command: str = "",
         progress: ProgressCallback | None = None) -> Tuned:
    """Tune, or continue a tuning; ``cluster``: on the Ray cluster at this address. Ctrl-C ends it
    and keeps finished results."""
    began = time.monotonic()
    tuning.check()
    hired = hire(largest_memory(tuning.plan), workers, backend, cluster)
    store.begin(tuning.plan.experiment.title, command,
                {**environment(), "workers": hired.count, "backend": hired.name})
    pool = Workers(store, hired, _told(tuning, progress), began)
    training, held_out = (Scorer(tuning.search, tuning.axes, half, tuning.solved, store, pool,
                                 retry) for half in tuning.halves)
    tuned = Tuned(tuning)
    try:
        _follow(tuning, training)
        _choose(tuned, training)
        if tuned.best is None:
            raise BadOption(f"no combination of the options that vary is valid for "
                            f"{tuning.search.id}.")
        _report(tuned, tuple(tuned.best.values()), training, held_out)
    except KeyboardInterrupt:
        tuned.interrupted = True
        _choose(tuned, training)
    finally:
        hired.crew.close()
        store.end()
    tuned.ran, tuned.seconds = pool.ran, time.monotonic() - began
    tuned.notes += hired.notes
    for scorer in (training, held_out):
        for status, number in scorer.statuses.items():
            tuned.statuses[status] = tuned.statuses.get(status, 0) + number
    failed = sum(tuned.statuses.values()) - tuned.statuses.get(DONE, 0)
    if failed:
        tuned.notes.append(f"{counted(failed, 'job')} failed and count as unsolved: "
                           f"{listed(f'{n} {s}' for s, n in tuned.statuses.items() if s != DONE)}")
    return tuned


def _told(tuning: Tuning, progress: ProgressCallback | None) -> ProgressCallback | None:
    """What is left is known in a sweep only."""
    if progress is None or tuning.strategy == SWEEP:
        return progress

    def tell(state: JobProgress) -> None:
        state.eta = None
        progress(state)

    return tell


def _follow(tuning: Tuning, training: Scorer) -> None:
    """Let the strategy try what it wants; it sees nothing but the training half."""
    if tuning.strategy == SWEEP:
        strategies.sweep(tuning.axes, training)
    elif tuning.strategy == CLIMB:
        strategies.climb(tuning.axes, tuning.start, training, flat=tuning.flat, up=tuning.up)
    else:
        strategies.optuna(tuning.axes, tuning.start, training, trials=tuning.trials,
                          seed=tuning.seed)


def _choose(tuned: Tuned, training: Scorer) -> None:
    """The best on the training half, and what it took to find it; once."""
    point = training.best(tuned.tuning.default)
    if tuned.best is not None or point is None:
        return
    trial = training.trials[point]
    tuned.best, tuned.training = dict(trial.options), trial.score
    tuned.points = [one.to_dict() for one in training.trials.values()]
    tuned.cost, tuned.jobs = sum(training.spent.values()), len(training.spent)


def _report(tuned: Tuned, best: Point, training: Scorer, held_out: Scorer) -> None:
    """Both scores of the best and of the default; nothing is chosen any more."""
    tuned.held_out = held_out.score(best)
    tuned.default_held_out = held_out.score(tuned.tuning.default)
    tuned.default_training = training.score(tuned.tuning.default)
