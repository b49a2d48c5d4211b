"""The process of a session: it works, reports its progress, and answers in between; and the kinds
of sessions."""

from __future__ import annotations

import os
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zermelo.compiler.compile_stats import listener
from zermelo.errors import BadOption, ZermeloError, one_line, quoted
from zermelo.explorer.certificates import own_rules
from zermelo.explorer.position_ref import Games, Json, texts_of
from zermelo.explorer.session_request import annotating_of, path_of, progress_of, session_of
from zermelo.explorer.sessions import read_limits
from zermelo.game_records.progress import GameStep, progress
from zermelo.jobs.work import SPARE_BYTES
from zermelo.proof.check import Report
from zermelo.proof.run import verify
from zermelo.solving.certify import write_proof
from zermelo.solving.result import Limits, Progress
from zermelo.solving.session import SLICE_SECONDS
from zermelo.solving.trees import branch
from zermelo.solving.values import Values
from zermelo.workers.fork_server import Channel, Message
from zermelo.workers.memory_limit import data_of_process, limit_memory
from zermelo.workers.messages import plain

NICE = 5  # boards and pages come first
SHORT_SLICE_SECONDS, QUIET_SECONDS = 0.01, 5.0


def be_a_session(channel: Channel, games: Games, order: Json) -> None:
    """Work, and answer until the process ends."""
    os.nice(NICE)
    talk = Talk(channel)
    channel.at_once = talk.receive
    talk.work(lambda: _start(talk, games, order["order"], data_of_process()))
    while True:
        talk.reply(channel.next())


def _start(talk: Talk, games: Games, order: Json, data: int) -> None:
    """Begin with an order, in a process that had this much ``data``."""
    def go(limits: Limits) -> None:
        limit_memory(limits.memory_bytes + SPARE_BYTES, data)
        talk.stopping = False
        talk.event("state", state="running")
        work.run(limits)

    limits = read_limits(order["limits"])
    limit_memory(limits.memory_bytes + SPARE_BYTES, data)
    work = KINDS[order["kind"]](talk, games, order)
    talk.answers.update(work.answers)
    talk.go = go
    go(limits)


class Talk:
    """The messages between the server and the work."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.stopping = False
        self.working = False
        self.waiting: list[Message] = []  # to be answered when the work rests
        self.answers: dict[str, Callable[[Json], Any]] = {}
        self.go: Callable[[Limits], None] | None = None
        self.spoke = time.monotonic()
        listener.tell = self._compiling

    def _compiling(self, begins: bool) -> None:
        if self.working:
            self.event("state", state="compiling" if begins else "running")

    def event(self, kind: str, **fields: Any) -> None:
        """Send the server an event."""
        self.spoke = time.monotonic()
        self.channel.send({"event": kind, **plain(fields)})

    def receive(self, message: Message) -> None:
        """Note a stop, which can't wait for the end of a slice; called in another thread."""
        if message.get("ask") == "stop":
            self.stopping = True

    def between(self) -> None:
        """Answer the questions that have come. KeyboardInterrupt if the work is to stop."""
        for message in self.channel.pending():
            self.reply(message)
        if time.monotonic() - self.spoke > 10:
            self.event("alive")
        if self.stopping:
            raise KeyboardInterrupt

    def reply(self, message: Message) -> None:
        """Answer one message."""
        ask, go = message.get("ask"), self.go
        if self.working and ask in ("stop", "go"):
            self.waiting.append(message)
        elif ask == "stop":
            self.stopping = False
            self.answer(message, True)
        elif ask == "go" and go is not None:
            self.answer(message, True)
            self.work(lambda: go(read_limits(message.get("limits"))))
        else:
            self._answer_question(message)

    def _answer_question(self, message: Message) -> None:
        try:
            known = self.answers.get(message["ask"])
            if known is None:
                raise BadOption(f"this session has no answer to {quoted(message['ask'])}.")
            self.answer(message, known(message))
        except (ZermeloError, RuntimeError) as error:
            self.channel.send({"id": message["id"], "refused": str(error)})
        except Exception as error:
            traceback.print_exc()
            reason = one_line(f"this failed: {type(error).__name__}: {error}")
            self.channel.send({"id": message["id"], "refused": f"{reason}."})

    def answer(self, message: Message, value: Any) -> None:
        """Answer one message with ``value``."""
        self.channel.send({"id": message["id"], "answer": plain(value)})

    def work(self, something: Callable[[], None]) -> None:
        """Do something that can be stopped; report how it ends."""
        self.working = True
        try:
            something()
        except KeyboardInterrupt:
            self.event("state", state="stopped", stopped="interrupted")
        except MemoryError:
            self.event("state", state="failed", error="The process ran out of memory.")
        except ZermeloError as error:
            self.event("state", state="failed", error=str(error))
        except Exception as error:
            traceback.print_exc()
            reason = one_line(f"The work failed: {type(error).__name__}: {error}")
            self.event("state", state="failed", error=f"{reason}.")
        finally:
            self.working = False
        waiting, self.waiting = self.waiting, []
        for message in waiting:
            self.reply(message)


class SessionKind(ABC):
    """A session in its process. ``answers``: the questions that it answers while it works."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.answers: dict[str, Callable[[Json], Any]] = {}
        self.reported: dict[int, Json] = {}

    @abstractmethod
    def run(self, limits: Limits) -> None:
        """Work until it is done, a limit is met, or KeyboardInterrupt is raised."""

    def progress(self, now: Progress) -> None:
        """Report the progress of a search."""
        self.talk.event("progress", **now.to_dict())

    def step(self, ply: int, row: Json) -> None:
        """Report what is new about a position of a record."""
        if self.reported.get(ply) != row:
            self.reported[ply] = row
            self.talk.event("step", **row)

    def end(self, result: Json, done: bool, stopped: str) -> None:
        """Report the result, and why the work has ended."""
        self.talk.event("result", result=result)
        self.talk.event("state", state="done" if done else "stopped", stopped=stopped)


class SolveSession(SessionKind):
    """Kind solve: one search, with its tree and its proof."""

    def __init__(self, talk: Talk, games: Games, order: Json) -> None:
        super().__init__(talk)
        self.session = session_of(games, order)
        self.answers = {"tree": self.tree, "proof": self.proof}
        self.asked = 0.0

    def run(self, limits: Limits) -> None:
        """Search until the goal is reached or a limit is met."""
        result = self.session.run(limits, self.progress, self.talk.between)
        super().progress(self.session.progress())
        self.end(result.to_dict(), result.concluded, result.stopped)

    def progress(self, now: Progress) -> None:
        """Report the progress; when the tree was not asked for in a while, search in longer slices
        again."""
        if time.monotonic() - self.asked > QUIET_SECONDS:
            self.session.slice_seconds = SLICE_SECONDS
        super().progress(now)

    def tree(self, message: Json) -> Json:
        """Return a node of the tree or table, with its children. A client that opens one is likely
        to open another: the search is asked between two slices, so these are shorter for a while.
        """
        self.asked, self.session.slice_seconds = time.monotonic(), SHORT_SLICE_SECONDS
        given = {name: message[name] for name in ("offset", "count", "question")
                 if message.get(name) is not None}
        return branch(self.session, texts_of(message.get("path"), "path"), **given)

    def proof(self, message: Json) -> Json:
        """Write a certificate of the answer to the file that the server names, and check it."""
        written = write_proof(self.session, Path(message["path"]), progress=lambda phase, count:
                              self.talk.event("proof", phase=phase, count=count))
        return {**written.to_dict(), "longest": _longest(written.report)}


def _longest(report: Report | None) -> int | None:
    """Return the length of the longest line of a certificate, as far as it is known."""
    lengths = [] if report is None else [claim.longest for claim in report.claims]
    return max((length for length in lengths if length is not None), default=None)


class ValuesSession(SessionKind):
    """Kind values: what every move is worth."""

    def __init__(self, talk: Talk, games: Games, order: Json) -> None:
        super().__init__(talk)
        made = session_of(games, order)
        self.values = Values(made.position, made.search, goal=made.goal, seed=made.seed,
                             plain=made.by_rules)

    def run(self, limits: Limits) -> None:
        """Search the moves that are not settled."""
        values = self.values.run(limits, self.progress, lambda worth: self.talk.event(
            "move", **worth.to_dict()), self.talk.between)
        self.progress(values.progress(limits))
        self.end(values.to_dict(), values.over, values.stopped)


class AnnotateSession(SessionKind):
    """Kind annotate: the value of every position of a record."""

    def __init__(self, talk: Talk, games: Games, order: Json) -> None:
        super().__init__(talk)
        self.work = annotating_of(games, order)

    def run(self, limits: Limits) -> None:
        """Search the positions that are open."""
        self.notes()
        found = self.work.run(limits, self.progress, self.notes, self.talk.between)
        self.notes()
        open_ones = [note for note in found.positions if not note.concluded]
        self.end(found.to_dict(), not open_ones, open_ones[0].stopped if open_ones else "solved")

    def notes(self) -> None:
        """Report what is new, and answer questions."""
        for note in self.work.notes():
            self.step(note.ply, note.to_dict())
        self.talk.between()


class ProgressSession(SessionKind):
    """Kind progress: evaluation and conspiracy numbers of every position of a record."""

    def __init__(self, talk: Talk, games: Games, order: Json) -> None:
        super().__init__(talk)
        self.asked = progress_of(games, order)

    def run(self, limits: Limits) -> None:
        """Search all positions to the depth."""
        found = progress(**self.asked, time=limits.time, workers=max(1, (os.cpu_count() or 1) // 2),
                         watch=self.watch, told=self.steps)
        self.steps(found.steps)
        self.end(found.to_dict(), found.stopped == "depth", found.stopped)

    def watch(self, done: int, of: int, nodes: int) -> None:
        """Report the progress, and answer questions."""
        self.talk.event("progress", done=done, of=of, nodes=nodes)
        self.talk.between()

    def steps(self, steps: list[GameStep]) -> None:
        """Report what is new about positions that have a value."""
        for step in steps:
            if step.value is not None:
                self.step(step.ply, step.to_dict())


class VerifySession(SessionKind):
    """Kind verify: a certificate is checked."""

    def __init__(self, talk: Talk, games: Games, order: Json) -> None:
        super().__init__(talk)
        self.path, self.own = order["path"], own_rules(games.own, path_of(order))

    def run(self, limits: Limits) -> None:
        """Check the certificate from its beginning."""
        report = verify(self.path, game=self.own, memory=limits.memory_bytes,
                        time=limits.time or 3600.0, progress=self.watch)
        self.end({**report.to_dict(), "longest": _longest(report),
                  "error": report.reason or None, "file": None},
                 report.verdict != "undecided", report.stopped or "solved")

    def watch(self, done: int, of: int, positions: int) -> None:
        """Report the progress, and answer questions."""
        self.talk.event("progress", done=done, of=of, total=of, positions=positions)
        self.talk.between()


KINDS: dict[str, Callable[[Talk, Games, Json], SessionKind]] = {
    "solve": SolveSession, "values": ValuesSession, "annotate": AnnotateSession,
    "progress": ProgressSession, "verify": VerifySession,
}
