"""What the process of a session does: it works, tells how far it is, and answers in between."""

from __future__ import annotations

import os
import resource
import time
import traceback
from collections.abc import Callable
from typing import Any

from zermelo.compiler.start import listener
from zermelo.errors import BadOption, ZermeloError, one_line, quoted
from zermelo.explorer.kinds import KINDS, Work
from zermelo.explorer.limits import read_limits
from zermelo.explorer.places import Games, Json
from zermelo.jobs.host import data_of_process
from zermelo.jobs.live import Channel, Message, plain
from zermelo.jobs.work import SPARE_BYTES
from zermelo.solving.result import Limits

NICE = 5  # boards and pages come first


def be_a_session(channel: Channel, games: Games, order: Json) -> None:
    """Work, and answer until the process ends."""
    os.nice(NICE)
    talk = Talk(channel)
    room = Room()
    channel.at_once = talk.receive
    talk.work(lambda: _start(talk, games, order["order"], room))
    while True:
        talk.reply(channel.next())


def _start(talk: Talk, games: Games, order: Json, room: Room) -> None:
    limits = read_limits(order["limits"])
    room.allow(limits.memory_bytes)
    work = KINDS[order["kind"]](talk, games, order)
    talk.answers.update(work.answers)
    talk.go = lambda limits: _go(talk, room, work, limits)
    _go(talk, room, work, limits)


def _go(talk: Talk, room: Room, work: Work, limits: Limits) -> None:
    room.allow(limits.memory_bytes)
    talk.stopping = False
    talk.event("state", state="running")
    work.run(limits)


class Room:
    """How much memory this process may have: what it began with, and what a session may use."""

    def __init__(self) -> None:
        self.began = data_of_process()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def allow(self, bytes: int) -> None:
        """From now on so much, and what Python, kernels and certificates need besides."""
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = self.began + bytes + SPARE_BYTES
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))


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
