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
from zermelo.errors import BadOption, ProofFailure, ZermeloError, counted, one_line

if TYPE_CHECKING:
    from zermelo.cluster.journal import JournalFailure
    from zermelo.cluster.session import ClusterProgress, Distributed
    from zermelo.core.position import Position
    from zermelo.playing import Guess
    from zermelo.proof.certify import Written
    from zermelo.search.base import Search
    from zermelo.solving.result import Limits, Result

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


def solve_with_workers(start: Position, search: Search, limits: Limits, crew: CrewOptions, *,
                       goal: str, seed: int, plain: bool, proof: str | None, svg: str | None,
                       sgf: str | None, json: bool, quiet: bool) -> int:
    """Solve, print the answer, and say how to go on; the exit status."""
    from zermelo.cluster.certificate import OutOfTime
    from zermelo.cluster.outcome import result_of, session_of
    from zermelo.cluster.session import Distributed
    from zermelo.proof.certify import check_place

    if proof is not None:
        check_place(start, proof)
    check_pictures(start, svg, sgf)
    live = CrewLive(quiet or json, f"{search.id} for {start.game.name}")
    written = guessed = unproved = None
    with terminable(), Distributed(
            start, search, workers=crew.workers, threads=crew.threads, goal=goal,
            memory=limits.memory, seed=seed, plain=plain, journal=crew.journal,
            backend="local" if crew.cluster is None else "ray", cluster=crew.cluster,
            rounds=crew.deterministic) as solver:
        if crew.advice is not None and not (quiet or json):
            print(f"zermelo: {crew.advice}", file=sys.stderr)
        result, broken = _searched(solver, limits, live)
        stopped = result.stopped
        if not result.concluded:
            guessed = best_guess(session_of(solver, plain), limits, live)
        if proof is not None and broken is None:
            unproved = ("interrupted" if solver.interrupted and result.by is not None else
                        None if result.by is not None else "nothing is proved")
            try:
                if unproved is None:
                    written = solver.write_proof(proof, time=limits.time,
                                                 progress=live.certificate)
                    result = result_of(solver)
            except OutOfTime as error:
                unproved, stopped = one_line(error), "time"
            except KeyboardInterrupt:
                unproved = "interrupted"
            except ProofFailure as failure:  # then the answer is wrong
                live.close()
                show.warn(str(failure))
                return REFUSED
            except ZermeloError:  # keep what there is
                live.close()
                _print(result, guessed, None, proof, json)
                raise
    live.close()
    try:
        _print(result, guessed, written, proof, json)
    finally:
        write_pictures(result, svg, sgf)
    if broken is not None:
        show.warn(str(broken))
        return FAILED
    unfinished = solver.interrupted or result.exit_status == 10 or (
        unproved is not None and result.by is not None)
    if unfinished and crew.journal is not None:
        print(f"zermelo: what was found is kept; to go on: {crew.again(stopped)}",
              file=sys.stderr)
    if unproved is None:
        return result.exit_status
    print(f"no certificate: {unproved}", file=sys.stderr)
    return INTERRUPTED if unproved == "interrupted" else result.exit_status


def _print(result: Result, guessed: Guess | None, written: Written | None, proof: str | None,
           json: bool) -> None:
    """Print the answer, with its certificate where one was asked for."""
    if json:
        answer = {**result.to_dict(), "guess": None if guessed is None else guessed.to_dict()}
        if proof is not None:
            answer["proof"] = None if written is None else written.to_dict()
        print(show.as_json(answer), flush=True)
        return
    lines = [show.solved(result, "", guessed)]
    if written is not None:
        lines.append(show.certificate(written, result.goal))
    print("\n".join(lines), flush=True)


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
