"""Texts of ``zermelo lab``: progress, ends of runs, states, comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo.cli import show
from zermelo.cli.terminal import LiveLine, shortened
from zermelo.errors import counted, one_line

if TYPE_CHECKING:
    from zermelo.jobs.store import Store
    from zermelo.jobs.workers import JobProgress
    from zermelo.lab.compare import ArmComparison, Comparison
    from zermelo.lab.plan import Plan
    from zermelo.lab.run import Outcome
    from zermelo.lab.tune.score import TuningScore
    from zermelo.lab.tune.tuning import Tuned

SHOWN_DIFFERENCES = 20
SHOWN_REASON = 100  # characters
# What became of jobs without an answer: of one, and of several.
FAILED = {
    "crash": ("crashed", "crashed"),
    "error": ("ended with an error", "ended with an error"),
    "memory": ("ran out of memory", "ran out of memory"),
    "timeout": ("was killed after its time", "were killed after their time"),
}
SHOWN_IDS = 60
NOTHING = "nothing was compared: no task is in both"


class JobLive(LiveLine):
    """Progress of the jobs of a run."""

    def __init__(self, quiet: bool, words: Callable[[JobProgress], str] | None = None) -> None:
        super().__init__(quiet)
        self.words = words or progress_text

    def __call__(self, progress: JobProgress) -> None:
        """Show the progress, if it is time."""
        if self.is_time():
            self.line(self.words(progress))


def progress_text(progress: JobProgress) -> str:
    """Return ``jobs 12 of 600, 9 proved, 0:31, about 24:10 left``."""
    solved = so_far(progress) if progress.values else f"{progress.solved:,} proved"
    return ", ".join([f"{progress.what} {progress.done:,} of {progress.total:,}", solved,
                      *rest_of(progress)])


def rest_of(progress: JobProgress) -> list[str]:
    """Return how many jobs failed, the time spent, and the time that is left."""
    parts = [f"{progress.failed:,} failed"] if progress.failed else []
    parts.append(clock(progress.seconds))
    if progress.eta is not None:
        parts.append(f"about {clock(progress.eta)} left")
    if progress.waiting:
        parts.append("waiting for another run")
    return parts


def so_far(progress: JobProgress) -> str:
    """Return games won, drawn and lost as ``+6 =1 -5``."""
    won, drawn, lost = (progress.values[value] for value in ("win", "draw", "loss"))
    return f"+{won} ={drawn} -{lost}"


def clock(seconds: float) -> str:
    """Return seconds as ``1:02:03``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def outcome_text(outcome: Outcome) -> str:
    """Return the end of a run in a sentence or two."""
    lines = [f"note: {note}" for note in outcome.notes]
    failed = ", ".join(f"{count:,} {FAILED[status][count > 1]}"
                       for status, count in sorted(outcome.statuses.items()) if status != "done")
    lines.append(f"{outcome.done:,} of {counted(outcome.total, 'job')} done, {outcome.ran:,} of "
                 f"them now, in {clock(outcome.seconds)}" + (f"; {failed}" if failed else ""))
    if failed:
        lines.append(f"the first that failed: {shortened(one_line(outcome.failure), SHOWN_REASON)}"
                     "; --retry runs those again")
    if outcome.interrupted:
        lines.append("interrupted: run the same command again to continue")
    return "\n".join(lines)


def statuses(plan: Plan, store: Store) -> list[list[Any]]:
    """Return a line for each arm of a plan."""
    from zermelo.lab.results import Results

    results, found = Results(plan, store), []
    which = [plan.experiment.name, str(plan.settings) or "-"]
    for arm in plan.arms:
        entries = results.select(arm.name)
        counts = [results.number(word, arm.name) or 0
                  for word in ("jobs", "proved", "concluded", "failed")]
        found.append([*which, arm.name, counts[0], len(entries), *counts[1:]])
    if results.judged:
        rows = results.judge_rows.values()
        proved = sum(row["proved"] for row in rows)
        failed = sum(row["status"] != "done" for row in rows)
        found.append([*which, "judge", len(rows), len(results.judged), proved, proved, failed])
    return found


def arms_text(found: ArmComparison) -> str:
    """Return a comparison of two arms for people."""
    done = found.concluded
    lines = [f"A: {found.a}; B: {found.b}",
             f"{counted(found.both, 'position')} in both, {found.only_a:,} only in A, "
             f"{found.only_b:,} only in B"]
    if not found.both:
        return "\n".join([*lines, NOTHING])
    lines.append(f"concluded by both {done['both']:,}, by A alone {done['only_a']:,}, by B alone "
                 f"{done['only_b']:,}, by neither {done['neither']:,}")
    if found.nodes is not None:
        lines.append(f"A takes {found.nodes:.2f} x the nodes of B (geometric mean): fewer on "
                     f"{found.fewer:,}, as many on {found.equal:,}, more on {found.more:,}")
    lines += [one.text(alone=len(found.speeds) == 1) for one in found.speeds]
    lines += [f"proofs contradict each other on {position}: {a} by A, {b} by B"
              for position, a, b in found.contradictions]
    return "\n".join(lines)


def comparison_text(found: Comparison) -> str:
    """Return a comparison for people."""
    lines = [f"{counted(found.both, 'task')} in both, {found.only_a:,} only in A, "
             f"{found.only_b:,} only in B; {found.same:,} with the same answer and the same counts"]
    if not found.both:
        lines.append(NOTHING)
    lines += [one.text(alone=len(found.speeds) == 1) for one in found.speeds]
    if found.differences:
        rows = [[search, shortened(position or "-", 50), what, a or "-", b or "-"]
                for _, search, position, what, a, b in found.differences[:SHOWN_DIFFERENCES]]
        lines += ["", show.table(["search", "position", "what", "A", "B"], rows)]
        if len(found.differences) > SHOWN_DIFFERENCES:
            lines.append(f"... and {len(found.differences) - SHOWN_DIFFERENCES:,} more")
    return "\n".join(lines)


def tuned_text(tuned: Tuned) -> str:
    """Return the results of a tuning: split, best and default on both halves, and the cost."""
    from zermelo.lab.tune.strategies import text_of

    tuning = tuned.tuning
    nodes = tuning.halves[0][0].job.nodes
    lines = [f"{tuning.search.id}: {', '.join(tuning.vary)} by {tuning.strategy}; {nodes:,} nodes "
             "per job, twice as many if unsolved (PAR-2)"]
    for what, half in zip(("training", "held out"), tuning.halves, strict=True):
        names = tuning.names(half)
        ids = shortened(" ".join(names), SHOWN_IDS)
        lines.append(f"{what}: {counted(len(names), 'position')}, by seed {tuning.seed}: {ids}")
    rows = [["best on training", "-" if tuned.best is None else text_of(tuned.best),
             *_halves(tuned.training, tuned.held_out)],
            ["default", text_of(tuned.default),
             *_halves(tuned.default_training, tuned.default_held_out)]]
    header = ["", "options", "training", "solved", "held out", "solved"]
    lines += ["", show.table(header, rows), "", *_verdict(tuned)]
    lines += [f"note: {note}" for note in tuned.notes]
    if tuned.interrupted:
        lines.append("interrupted: run the same command again to continue")
    return "\n".join(lines)


def _halves(*scores: TuningScore | None) -> list[str]:
    cells = []
    for score in scores:
        cells += ["-", "-"] if score is None else [
            f"{score.par2:,.0f}", f"{score.solved} of {len(score.costs)}"]
    return cells


def _verdict(tuned: Tuned) -> list[str]:
    lines = []
    if tuned.best is not None and tuned.nothing_solved:
        lines.append("nothing was solved: all points are equal, so the choice means nothing; "
                     "raise --nodes")
    elif tuned.ratio is not None and tuned.against_default is not None:
        count = tuned.against_default
        lines.append(f"held out, the best takes {100 * tuned.ratio:.1f} % of the default's nodes: "
                     f"fewer on {count['fewer']}, as many on {count['equal']}, more on "
                     f"{count['more']}")
    stopped = sum(point["above"] is not None for point in tuned.points)
    lines.append(f"the tuning itself took {tuned.cost:,} nodes: {counted(tuned.jobs, 'job')} at "
                 f"{counted(len(tuned.points), 'point')}" +
                 (f", {stopped:,} of them given up at a limit" if stopped else ""))
    lines.append(f"{counted(tuned.ran, 'job')} run now, in {clock(tuned.seconds)}")
    return lines
