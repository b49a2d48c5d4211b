"""``zermelo solve --workers``: one position by several workers."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.cli import FAILED, INTERRUPTED, show
from zermelo.cli.answering import Output, Solver
from zermelo.errors import BadOption, ProofFailure, counted, one_line

if TYPE_CHECKING:
    from zermelo.cluster.journal import JournalFailure
    from zermelo.cluster.session import ClusterProgress
    from zermelo.core.position import Position
    from zermelo.proof.certify import Written
    from zermelo.search.base import Search
    from zermelo.solving.result import Limits, Result
    from zermelo.solving.session import Session

REFUSED = 1  # by the check of what workers reported
LIMITS = {"nodes": "--nodes", "time": "--time"}  # by the word for a search that met it


@dataclass(frozen=True)
class CrewOptions:
    """Who works, where, and what is kept; ``command`` is what was typed."""

    workers: int
    threads: int
    journal: str | None
    cluster: str | None
    deterministic: bool
    command: list[str]

    def again(self, stopped: str) -> str:
        """How to go on: the same command, without the limit that it was stopped by."""
        words, limit = list[str](), LIMITS.get(stopped)
        left = iter(self.command[1:])
        for word in left:
            if word == limit:
                next(left, None)
            elif limit is None or not word.startswith(f"{limit}="):
                words.append(word)
        return shlex.join(["zermelo", *words])

    @property
    def advice(self) -> str | None:
        """What would usually be faster, if something would: threads share a table."""
        if self.workers == 1 or self.threads > 1 or self.cluster is not None or self.deterministic:
            return None
        alone = f"--threads {self.workers} or " if self.journal is None else ""
        return (f"on one machine, {alone}--workers 1 --threads {self.workers} is usually faster "
                f"than --workers {self.workers}: threads share a table, workers do much twice")


def check_crew(workers: str | None, needs: Mapping[str, Any], alone: Mapping[str, Any]) -> None:
    """Refuse options that need workers without them, and those that do not go with them."""
    if workers is None:
        for name, given in needs.items():
            if given not in (None, False):
                raise BadOption(f"{name} needs --workers, such as --workers 2.")
        return
    for name, given in alone.items():
        if given:
            raise BadOption(f"{name} does not go with --workers.")


class Together(Solver):
    """The search of several workers."""

    broken: JournalFailure | None = None  # why the journal can't be written
    stopped = ""
    known = False  # whether there is something to prove

    def __init__(self, start: Position, search: Search, limits: Limits, crew: CrewOptions,
                 out: Output, **asked: Any) -> None:
        self.crew_live = CrewLive(out.quiet or out.json, f"{search.id} for {start.game.name}")
        super().__init__(start, out, self.crew_live)
        self.chosen, self.limits, self.crew, self.asked = search, limits, crew, asked

    def opened(self) -> AbstractContextManager[Any]:
        """The workers."""
        from zermelo.cluster.session import Distributed

        crew = self.crew
        self.solver = Distributed(
            self.position, self.chosen, workers=crew.workers, threads=crew.threads,
            memory=self.limits.memory, journal=crew.journal,
            backend="local" if crew.cluster is None else "ray", cluster=crew.cluster,
            rounds=crew.deterministic, **self.asked)
        return self.solver

    def search(self, limits: Limits) -> Result:
        """Search, and report trouble with the journal later."""
        from zermelo.cluster.journal import JournalFailure
        from zermelo.cluster.outcome import result_of

        if self.crew.advice is not None and not self.live.quiet:
            print(f"zermelo: {self.crew.advice}", file=sys.stderr)
        try:
            result = self.solver.run(limits, self.crew_live.workers)
        except JournalFailure as failure:
            self.broken, result = failure, result_of(self.solver)
        self.stopped, self.known = result.stopped, result.by is not None
        return result

    def session(self) -> Session:
        """One that knows what the workers do."""
        from zermelo.cluster.outcome import session_of

        return session_of(self.solver, self.asked["plain"])

    def certify(self, proof: str, result: Result) -> tuple[Written | None, Result]:
        """Write the certificate of what is proved, within the time that is left."""
        from zermelo.cluster.certificate import OutOfTime
        from zermelo.cluster.outcome import result_of

        if self.broken is not None:
            return None, result
        if self.solver.interrupted or not self.known:
            self.unproved = "interrupted" if self.known else "nothing is proved"
            return None, result
        try:
            written = self.solver.write_proof(proof, time=self.limits.time,
                                              progress=self.live.certificate)
        except OutOfTime as error:
            self.unproved, self.stopped = one_line(error), "time"
        except KeyboardInterrupt:
            self.unproved = "interrupted"
        else:
            return written, result_of(self.solver)
        return None, result

    def disproved(self, failure: ProofFailure) -> int:
        """A worker has reported what is wrong."""
        show.warn(str(failure))
        return REFUSED

    def conclude(self, result: Result) -> int:
        """Say how to go on, and why there is no certificate."""
        if self.broken is not None:
            show.warn(str(self.broken))
            return FAILED
        unfinished = self.solver.interrupted or result.exit_status == 10 or (
            self.unproved is not None and self.known)
        if unfinished and self.crew.journal is not None:
            print(f"zermelo: what was found is kept; to go on: {self.crew.again(self.stopped)}",
                  file=sys.stderr)
        status = super().conclude(result)
        return INTERRUPTED if self.unproved == "interrupted" else status


class CrewLive(show.Live):
    """Shows how far several workers are."""

    trouble = ""

    def workers(self, progress: ClusterProgress) -> None:
        """Report trouble with a worker at once, and the rest if it is time."""
        if progress.trouble != self.trouble:
            self.trouble = progress.trouble
            self.note(f"{self.trouble}; another one takes its place")
        if self.is_time():
            self.parts(how_far(progress))


def how_far(progress: ClusterProgress) -> list[str]:
    """Most telling numbers first."""
    settled, moves = progress.settled
    return [
        f"{progress.question} {progress.seconds:.0f} s",
        f"{progress.flying} of {counted(progress.workers, 'worker')} busy",
        *([f"{settled} of {counted(moves, 'move')} settled"] if moves else []),
        f"{show.roughly(progress.visits, 'visit')} in {counted(progress.jobs, 'job')}",
        f"efficiency {progress.efficiency:.0%}", f"pn {progress.pn:,}, dn {progress.dn:,}",
        *([f"{progress.lost} lost"] if progress.lost else []),
    ]
