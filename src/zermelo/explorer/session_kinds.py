"""The process of a session: it works, reports its progress, and answers in between; and the kinds
of sessions."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from zermelo.compiler.start import listener
from zermelo.errors import BadOption, ZermeloError, one_line, quoted
from zermelo.explorer.certificates import own_rules
from zermelo.explorer.position_ref import Games, Json, texts_of
from zermelo.explorer.session_request import annotating_of, path_of, progress_of, session_of
from zermelo.explorer.sessions import read_limits
from zermelo.game_records.annotate import Note
from zermelo.game_records.progress import Step, progress
from zermelo.jobs.work import SPARE_BYTES
from zermelo.proof.run import verify
from zermelo.solving.certify import write_proof
from zermelo.solving.result import Limits, Progress
from zermelo.solving.session import SLICE_SECONDS
from zermelo.solving.trees import branch
from zermelo.solving.values import MoveWorth, Values
from zermelo.workers.fork_server import Channel, Message, data_of_process, limit_memory
from zermelo.workers.messages import plain

NICE = 5  # boards and pages come first


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
    """What the server and the work say to each other."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.stopping = False
        self.working = False
        self.held: list[Message] = []  # what is answered when the work rests
        self.answers: dict[str, Callable[[Json], Any]] = {}
        self.go: Callable[[Limits], None] | None = None
        self.spoke = time.monotonic()
        listener.tell = self._compiling

    def _compiling(self, begins: bool) -> None:
        if self.working:
            self.event("state", state="compiling" if begins else "running")

    def event(self, kind: str, **fields: Any) -> None:
        """Tell the server that something has happened."""
        self.spoke = time.monotonic()
        self.channel.send({"event": kind, **plain(fields)})

    def receive(self, message: Message) -> None:
        """What can't wait for the end of a slice; called in another thread."""
        if message.get("ask") == "stop":
            self.stopping = True

    def between(self) -> None:
        """Answer what was asked meanwhile. Raises KeyboardInterrupt where the work is to stop."""
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
            self.held.append(message)
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
            said = one_line(f"this failed: {type(error).__name__}: {error}")
            self.channel.send({"id": message["id"], "refused": f"{said}."})

    def answer(self, message: Message, value: Any) -> None:
        """Answer one message with ``value``."""
        self.channel.send({"id": message["id"], "answer": plain(value)})

    def work(self, something: Callable[[], None]) -> None:
        """Do something that can be stopped; however it ends, the server is told."""
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
            said = one_line(f"The work failed: {type(error).__name__}: {error}")
            self.event("state", state="failed", error=f"{said}.")
        finally:
            self.working = False
        held, self.held = self.held, []
        for message in held:
            self.reply(message)


Answers = dict[str, Callable[[Json], Any]]
SHORT_SLICE_SECONDS, QUIET_SECONDS = 0.01, 5.0


class Work(Protocol):
    """A session in its process."""

    answers: Answers

    def run(self, limits: Limits) -> None:
        """Work until it is done, a limit is met, or KeyboardInterrupt is raised."""


class Solving:
    """Kind solve: one search, with its tree and its proof."""

    def __init__(self, talk: Talk, games: Games, order: Json) -> None:
        self.talk, self.games, self.order = talk, games, order
        self.session = session_of(games, order)
        self.answers: Answers = {"tree": self.tree, "proof": self.proof}
        self.asked = 0.0

    def run(self, limits: Limits) -> None:
        """Search on."""
        result = self.session.run(limits, self.tell, self.talk.between)
        self.talk.event("progress", **self.session.progress().to_dict())
        self.talk.event("result", result=result.to_dict())
        self.talk.event("state", state="done" if result.concluded else "stopped",
                        stopped=result.stopped)

    def tell(self, now: Progress) -> None:
        """How far it is."""
        if time.monotonic() - self.asked > QUIET_SECONDS:
            self.session.slice_seconds = SLICE_SECONDS
        self.talk.event("progress", **now.to_dict())

    def tree(self, message: Json) -> Json:
        """A node of the tree or table, with its children. Who opens one is likely to open another:
        the search is asked between two slices, so these are shorter for a while."""
        self.asked, self.session.slice_seconds = time.monotonic(), SHORT_SLICE_SECONDS
        given = {name: message[name] for name in ("offset", "count", "question")
                 if message.get(name) is not None}
        return branch(self.session, texts_of(message.get("path"), "path"), **given)

    def proof(self, message: Json) -> Json:
        """Write a certificate of the answer to the file that the server names, and check it."""
        path = Path(message["path"])

        def tell(phase: str, count: int) -> None:
            self.talk.event("proof", phase=phase, count=count)

        written = write_proof(self.session, path, progress=tell)
        report = written.report
        lengths = [] if report is None else [claim.longest for claim in report.claims]
        known = [length for length in lengths if length is not None]
        return {**written.to_dict(), "longest": max(known, default=None)}


class Valuing:
    """Kind values: what every move is worth."""

    def __init__(self, talk: Talk, games: Games, order: Json) -> None:
        self.talk = talk
        made = session_of(games, order)
        self.values = Values(made.position, made.search, goal=made.goal, seed=made.seed,
                             plain=made.by_rules)
        self.answers: Answers = {}

    def run(self, limits: Limits) -> None:
        """Go on with the moves that are not settled."""
        values = self.values.run(limits, self.tell, self.tell_move, self.talk.between)
        self.talk.event("progress", **values.progress(limits).to_dict())
        self.talk.event("result", result=values.to_dict())
        self.talk.event("state", state="done" if values.over else "stopped",
                        stopped=values.stopped)

    def tell(self, now: Progress) -> None:
        """How far it is."""
        self.talk.event("progress", **now.to_dict())

    def tell_move(self, worth: MoveWorth) -> None:
        """What is new about a move."""
        self.talk.event("move", **worth.to_dict())


class Annotate:
    """Kind annotate: the value of every position of a record."""

    def __init__(self, talk: Talk, games: Games, order: Json) -> None:
        self.talk = talk
        self.work = annotating_of(games, order)
        self.told: dict[int, Json] = {}
        self.answers: Answers = {}

    def run(self, limits: Limits) -> None:
        """Go on with what is open."""
        self.tell_notes()
        found = self.work.run(limits, self.tell, self.tell_notes, self.talk.between)
        self.tell_notes()
        self.talk.event("result", result=found.to_dict())
        open_ones = [note for note in found.positions if not note.concluded]
        self.talk.event("state", state="stopped" if open_ones else "done",
                        stopped=open_ones[0].stopped if open_ones else "solved")

    def tell(self, now: Progress) -> None:
        """How far it is."""
        self.talk.event("progress", **now.to_dict())

    def tell_notes(self) -> None:
        """What is new about a position."""
        for note in self.work.notes():
            told = step_of_note(note)
            if self.told.get(note.ply) != told:
                self.told[note.ply] = told
                self.talk.event("step", **told)
        self.talk.between()


class Follow:
    """Kind progress: evaluation and conspiracy numbers of every position of a record."""

    def __init__(self, talk: Talk, games: Games, order: Json) -> None:
        self.talk, self.asked = talk, progress_of(games, order)
        self.told: dict[int, Json] = {}
        self.answers: Answers = {}

    def run(self, limits: Limits) -> None:
        """Search all positions to the depth."""
        found = progress(**self.asked, time=limits.time, workers=max(1, (os.cpu_count() or 1) // 2),
                         watch=self.tell, told=self.tell_steps)
        self.tell_steps(found.steps)
        self.talk.event("result", result=found.to_dict())
        self.talk.event("state", state="done" if found.stopped == "depth" else "stopped",
                        stopped=found.stopped)

    def tell(self, done: int, of: int, nodes: int) -> None:
        """How far it is."""
        self.talk.event("progress", done=done, of=of, nodes=nodes)
        self.talk.between()

    def tell_steps(self, steps: list[Step]) -> None:
        """What is new about a position."""
        for step in steps:
            told = step.to_dict()
            if step.value is not None and self.told.get(step.ply) != told:
                self.told[step.ply] = told
                self.talk.event("step", **told)


class Verify:
    """Kind verify: a certificate is checked."""

    def __init__(self, talk: Talk, games: Games, order: Json) -> None:
        self.talk, self.order = talk, order
        self.own = own_rules(games.own, path_of(order))
        self.answers: Answers = {}

    def run(self, limits: Limits) -> None:
        """Check it from the beginning."""
        report = verify(self.order["path"], game=self.own, memory=limits.memory_bytes,
                        time=limits.time or 3600.0, progress=self.tell)
        told = report.to_dict()
        lengths = [claim.longest for claim in report.claims if claim.longest is not None]
        told.update(longest=max(lengths, default=None), error=report.reason or None, file=None)
        self.talk.event("result", result=told)
        state = "stopped" if report.verdict == "undecided" else "done"
        self.talk.event("state", state=state, stopped=report.stopped or "solved")

    def tell(self, done: int, of: int, positions: int) -> None:
        """How far it is."""
        self.talk.event("progress", done=done, of=of, total=of, positions=positions)
        self.talk.between()


KINDS: dict[str, Callable[[Talk, Games, Json], Work]] = {
    "solve": Solving, "values": Valuing, "annotate": Annotate, "progress": Follow, "verify": Verify,
}


def step_of_note(note: Note) -> Json:
    """A position of a record that is being annotated."""
    return note.to_dict()
