"""The work of a job: search, and return the result as a row; and the process that does jobs.

``python -m zermelo.jobs.work`` reads jobs and writes a row for each, both as JSON.
"""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from typing import IO, Any

from zermelo.compiler.compile_stats import by_processor
from zermelo.conspiracy.rscn import prepare, row_of, watched
from zermelo.core.position import Position
from zermelo.errors import ZermeloError, one_line
from zermelo.jobs.job import PLAY, PROVE, WATCH, Job
from zermelo.playing import as_row, play_game
from zermelo.solving.certify import write_proof
from zermelo.solving.result import Limits, Result, goal_named
from zermelo.solving.session import Session
from zermelo.storage.whole_files import Folder
from zermelo.workers.fork_server import ForkedChild, ForkServer
from zermelo.workers.memory_limit import limit_memory, limited_memory
from zermelo.workers.messages import LARGEST, READY, answers_only, parsed, read_frame, send
from zermelo.workers.processes import OUT_OF_MEMORY

# How a job ended. All of them are results; only the first has an answer.
DONE, TIMEOUT, MEMORY, CRASH, ERROR = "done", "timeout", "memory", "crash", "error"
WARM_BYTES = 1 << 24
SHOWN_OUTPUT = 2_000
SPARE_BYTES = 384 << 20  # beyond the limit of the search: Python, kernels, lines, certificates


def warm(job: Job) -> None:
    """Compile or load what the job needs, so that a copy of this process has it ready."""
    if job.kind == WATCH:
        prepare(job.start, job.watch())
        return
    position, search = job.make()
    session = Session(position, search, goal=goal_named(job.goal), plain=job.plain,
                      candidates=job.zones)
    session.prepare(Limits(memory=WARM_BYTES))
    if job.kind == PLAY:
        start = _opening(job, position)
        Session(start, job.opponent(), plain=job.plain).prepare(Limits(memory=WARM_BYTES))
        for code in start.codes()[:1]:
            start.play_code(code)


def perform(job: Job) -> dict[str, Any]:
    """Run the job and return its row. Whatever goes wrong in Python is a row too."""
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
    return Session(position, search, goal=goal_named(job.goal), seed=job.seed, plain=job.plain,
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
    """Return the value by a proof; with its certificate checked, and that of each move, where
    asked."""
    session = _session(job)
    with by_processor():
        row = _row(session.run(_limits(job)))
        if job.moves:
            row["good_moves"] = _good_moves(job, session)
    row["certified"] = (row["proved"] and job.certificate and session.position.outcome is None
                        and _certified(session))
    return row


def _play(job: Job) -> dict[str, Any]:
    """Play a game between two searches; the value is that for the job's own."""
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
    """Follow a game by conspiracy numbers."""
    how = job.watch()
    return row_of(watched(job.start, job.line or [], how), how)


def _opening(job: Job, position: Position) -> Position:
    """Return the position from which the searches play."""
    return position.play(*job.against["opening"]) if job.against else position


def _certified(session: Session) -> bool:
    """Write a certificate of the answer and check it; a bad one raises ``ProofFailure``."""
    with Folder("zermelo-job") as folder:
        written = write_proof(session, folder / "value.proof")
        return written.positions is not None


def _good_moves(job: Job, whole: Session) -> list[str] | None:
    """Return the moves that win for the side to move; None if that is not settled for all."""
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


def _in_memory() -> IO[bytes]:
    """Return a file without a name, which no disk holds where the system has such files."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("zermelo"), "w+b")
    return tempfile.TemporaryFile()


class JobHost:
    """Runs jobs, one after the other, each in a child that has what this process has loaded.

    A child has a limit on its memory and an alarm clock. No more orders, or one that cancels, end
    this process and its child.
    """

    def __init__(self) -> None:
        self.answers = answers_only()
        self.orders = os.fdopen(0, "rb", buffering=0)  # what is not read yet can be waited for
        self.server = ForkServer(self.orders.fileno())
        send(self.answers, READY)
        self.server.serve(self.begin, self.end)

    def begin(self) -> bool:
        """Begin with the next job; False if there is none."""
        order = read_frame(self.orders)
        if not order:
            return False
        self.job = job = Job.from_json(order.decode())
        # What does not compile here will not compile in the child either, and is reported there.
        with suppress(Exception), limited_memory(job.memory + SPARE_BYTES):
            warm(job)
        self.row = _in_memory()
        self.output = tempfile.TemporaryFile()  # noqa: SIM115
        self.server.fork(self._work, self.output.fileno(), job.wall)
        return True

    def _work(self) -> None:
        limit_memory(self.job.memory + SPARE_BYTES)
        self.row.write(json.dumps(perform(self.job)).encode())
        self.row.flush()

    def end(self, child: ForkedChild) -> None:
        """Send the row of a job, or why there is none."""
        with self.row, self.output:
            row = self._judge(child)
        send(self.answers, json.dumps({
            **row, "wall_seconds": child.wall_seconds, "cpu_seconds": child.cpu_seconds,
            "peak_rss": child.peak_rss}).encode())

    def _judge(self, child: ForkedChild) -> dict[str, Any]:
        if child.late:
            return {"status": TIMEOUT, "message": f"killed after {self.job.wall:g} s"}
        if child.status == OUT_OF_MEMORY:
            return {"status": MEMORY, "message": "out of memory"}
        self.row.seek(0)
        sent = self.row.read(LARGEST + 1)
        try:
            return parsed(sent if len(sent) <= LARGEST else b"")
        except ValueError:
            self.output.seek(max(0, self.output.seek(0, os.SEEK_END) - SHOWN_OUTPUT))
            printed = one_line(self.output.read().decode("utf-8", "replace"))
            how = (f"signal {-child.status}" if child.status < 0
                   else f"exit status {child.status}")
            return {"status": CRASH, "message": f"{how}{': ' if printed else ''}{printed}"}


if __name__ == "__main__":
    JobHost()
