"""``zermelo solve --workers``: one position by several workers."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.cli import FAILED, INTERRUPTED, show
from zermelo.cli.pictures import check_pictures, write_pictures
from zermelo.cli.signals import terminable
from zermelo.cli.unproved import best_guess
from zermelo.errors import BadOption, ProofFailure, ZermeloError, counted

if TYPE_CHECKING:
    from zermelo.cluster.journal import JournalFailure
    from zermelo.cluster.progress import ClusterProgress
    from zermelo.cluster.session import Distributed
    from zermelo.core.position import Position
    from zermelo.search.base import Search
    from zermelo.solving.result import Limits, Result

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


def solve_with_workers(start: Position, search: Search, limits: Limits, crew: CrewOptions, *,
                       goal: str, seed: int, plain: bool, proof: str | None, svg: str | None,
                       sgf: str | None, json: bool, quiet: bool) -> int:
    """Solve, print the answer, and say how to go on; the exit status."""
    from zermelo.cluster.outcome import session_of
    from zermelo.cluster.session import Distributed
    from zermelo.proof.certify import check_place

    if proof is not None:
        check_place(start, proof)
    check_pictures(start, svg, sgf)
    live = CrewLive(quiet or json, f"{search.id} for {start.game.name}")
    with terminable(), Distributed(
            start, search, workers=crew.workers, threads=crew.threads, goal=goal,
            memory=limits.memory, seed=seed, plain=plain, journal=crew.journal,
            backend="local" if crew.cluster is None else "ray", cluster=crew.cluster,
            rounds=crew.deterministic) as solver:
        if crew.advice is not None and not (quiet or json):
            print(f"zermelo: {crew.advice}", file=sys.stderr)
        result, broken = _searched(solver, limits, live)
        guessed = None
        if not result.concluded:
            guessed = best_guess(session_of(solver, plain), limits, live)
        answer, text = result.to_dict(), show.solved(result, "", guessed)
        answer["guess"] = None if guessed is None else guessed.to_dict()
        known = result.proved or result.partial
        if proof is not None:
            answer["proof"] = None
        interrupted = solver.interrupted
        if proof is not None and known and broken is None and not interrupted:
            try:
                written = solver.write_proof(proof, progress=live.certificate)
            except ProofFailure:  # then the answer is in doubt
                raise
            except ZermeloError:  # keep what there is
                live.close()
                print(show.as_json(answer) if json else text, flush=True)
                raise
            except KeyboardInterrupt:
                interrupted = True
            else:
                answer["proof"], text = written.to_dict(), f"{text}\n{show.certificate(written)}"
    live.close()
    try:
        print(show.as_json(answer) if json else text, flush=True)
    finally:
        write_pictures(result, svg, sgf)
    if broken is not None:
        show.warn(str(broken))
        return FAILED
    if (interrupted or result.exit_status == 10) and crew.journal is not None:
        print(f"zermelo: what was found is kept; to go on: {crew.again(result.stopped)}",
              file=sys.stderr)
    if proof is None or (known and not interrupted):
        return result.exit_status
    print(f"no certificate: {'interrupted' if known else 'nothing is proved'}", file=sys.stderr)
    return INTERRUPTED if result.exit_status == 0 else result.exit_status


def _searched(solver: Distributed, limits: Limits, live: CrewLive
              ) -> tuple[Result, JournalFailure | None]:
    """What was found, and why there can't be more, where the journal can't be written."""
    from zermelo.cluster.journal import JournalFailure
    from zermelo.cluster.outcome import result_of

    try:
        return solver.run(limits, live.workers), None
    except JournalFailure as failure:
        return result_of(solver), failure


class CrewLive(show.Live):
    """How far several workers are."""

    def workers(self, progress: ClusterProgress) -> None:
        """Show it, if it is time."""
        if self.is_time():
            self.parts(how_far(progress))


def how_far(progress: ClusterProgress) -> list[str]:
    """Most telling numbers first."""
    settled, moves = progress.settled
    trouble = [f"{count} {what}" for count, what in
               ((progress.lost, "lost"), (progress.expelled, "expelled")) if count]
    return [
        f"{progress.question} {progress.seconds:.0f} s",
        f"{progress.flying} of {counted(progress.workers, 'worker')} busy",
        *([f"{settled} of {counted(moves, 'move')} settled"] if moves else []),
        f"{show.roughly(progress.visits, 'visit')} in {counted(progress.jobs, 'job')}",
        f"efficiency {progress.efficiency:.0%}", f"pn {progress.pn:,}, dn {progress.dn:,}",
        *trouble,
    ]
