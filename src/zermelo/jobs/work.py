"""What a job does, in the process it is called in: search, and tell what came of it as a row."""

from __future__ import annotations

import os
import time
from typing import Any

from zermelo.compiler.tally import by_processor
from zermelo.conspiracy.rscn import prepare, row_of, watched
from zermelo.core.position import Position
from zermelo.errors import ZermeloError, one_line
from zermelo.jobs.job import PLAY, PROVE, WATCH, Job
from zermelo.playing import as_row, play_game
from zermelo.solving.certify import write_proof
from zermelo.solving.result import Limits, Result
from zermelo.solving.session import Session
from zermelo.storage.whole_files import Folder

# How a job ended. All of them are results; only the first has an answer.
DONE, TIMEOUT, MEMORY, CRASH, ERROR = "done", "timeout", "memory", "crash", "error"
WARM_BYTES = 1 << 24
SPARE_BYTES = 384 << 20  # beyond the limit of the search: Python, kernels, lines, certificates


def warm(job: Job) -> None:
    """Compile or load what the job needs, so that a copy of this process has it ready."""
    if job.kind == WATCH:
        prepare(job.start, job.watch())
        return
    position, search = job.make()
    session = Session(position, search, goal=job.goal, plain=job.plain, candidates=job.zones)
    session.prepare(Limits(memory=WARM_BYTES))
    if job.kind == PLAY:
        start = _opening(job, position)
        Session(start, job.opponent(), plain=job.plain).prepare(Limits(memory=WARM_BYTES))
        for code in start.codes()[:1]:
            start.play_code(code)


def perform(job: Job) -> dict[str, Any]:
    """Run the job; its row. Whatever goes wrong in Python is a row too."""
    try:
        return {PROVE: _prove, PLAY: _play, WATCH: _watch}.get(job.kind, _solve)(job)
    except MemoryError:
        return {"status": MEMORY, "message": "out of memory"}
    except ZermeloError as error:
        return {"status": ERROR, "message": one_line(error)}
    except Exception as error:  # a bug in a game or a search: a result, not the end of the run
        return {"status": ERROR, "message": one_line(f"{type(error).__name__}: {error}")}


def _session(job: Job) -> Session:
    position, search = job.make()
    return Session(position, search, goal=job.goal, seed=job.seed, plain=job.plain,
                   trace=job.trace, candidates=job.zones)


def _solve(job: Job) -> dict[str, Any]:
    session = _session(job)
    with by_processor():  # the limit, too: a busy machine leaves no less time to a search
        result = session.run(_limits(job))
    return {**_row(result), "search_seconds": result.seconds}


def _limits(job: Job) -> Limits:
    return Limits(nodes=job.nodes, time=job.time, memory=job.memory)


def _row(result: Result) -> dict[str, Any]:
    return {
        "status": DONE, "value": str(result.value), "proved": result.proved,
        "concluded": result.concluded, "stopped": result.stopped, "move": result.move,
        "nodes": result.nodes, "iterations": result.iterations, "seconds": result.seconds,
        "compile_seconds": result.compile_seconds, "peak_bytes": result.peak_bytes,
        "root": result.root, "counters": result.counters, "trace": result.trace,
    }


def _prove(job: Job) -> dict[str, Any]:
    """The value by a proof; with its certificate checked, and that of each move, where asked."""
    session = _session(job)
    with by_processor():
        row = _row(session.run(_limits(job)))
        if job.moves:
            row["good_moves"] = _good_moves(job, session)
    row["certified"] = (row["proved"] and job.certificate and session.position.outcome is None
                        and _certified(session))
    return row


def _play(job: Job) -> dict[str, Any]:
    """A game between two searches; the value is that for the job's own."""
    assert job.against is not None
    position, search = job.make()
    player, other = int(job.against["player"]), job.opponent()
    searches = (search, other) if player == 0 else (other, search)
    game = play_game(_opening(job, position), searches, _limits(job), seed=job.seed,
                     longest=job.against["longest"], plain=job.plain)
    row = as_row(game, player)
    row["played"]["against"] = {"search": job.against["search"], "options": job.against["options"]}
    return row


def _watch(job: Job) -> dict[str, Any]:
    """A game followed by conspiracy numbers."""
    how = job.watch()
    return row_of(watched(job.start, job.line or [], how), how)


def _opening(job: Job, position: Position) -> Position:
    """Where the search begins to play."""
    return position.play(*job.against["opening"]) if job.against else position


def _certified(session: Session) -> bool:
    """Write a certificate of the answer and check it; a bad one raises ``ProofFailure``."""
    with Folder("zermelo-job") as folder:
        written = write_proof(session, folder / "value.proof")
        return written.positions is not None


def _good_moves(job: Job, whole: Session) -> list[str] | None:
    """The moves that win for the side to move; None if that is not settled for all."""
    position, search = job.make()
    good = []
    for code in position.codes():
        child = position.play_code(code)
        session = Session(child, search, goal="win", plain=job.plain, player=whole.player)
        result = session.run(_limits(job))
        if not result.proved:
            return None
        if result.value == "win":
            good.append(position.game.move_name(position, code))
    return good


class Clock:
    """CPU time and wall-clock time of what runs between its making and ``row``."""

    def __init__(self) -> None:
        self.began, self.cpu = time.perf_counter(), sum(os.times()[:2])

    def row(self) -> dict[str, Any]:
        """As columns."""
        return {"wall_seconds": time.perf_counter() - self.began,
                "cpu_seconds": sum(os.times()[:2]) - self.cpu}
