"""The desks: processes that answer questions about positions. A second one helps a busy one out."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from zermelo.explorer.processes import (
    COMPILE_SECONDS,
    Child,
    ChildEnded,
    Host,
    Message,
    TooSlow,
    answer_of,
)
from zermelo.explorer.refusals import NoProcess, Refused

BUSY_SECONDS = 0.5
MOST_DESKS = 2
MOST_WAITING = 200
ANSWER_SECONDS = 20.0


class Desk:
    """One desk: a process and what it is doing."""

    def __init__(self, child: Child) -> None:
        self.child, self.busy, self.compiling = child, False, False
        self.leaves = False  # another one has come in its place
        child.on_event = self._hear

    def _hear(self, message: Message) -> None:
        self.compiling = bool(message.get("compiling"))

    async def ask(self, message: Message, seconds: float) -> Any:
        """The answer."""
        return await answer_of(self.child, message, seconds, lambda: self.compiling)


class Desks:
    """All desks of one sort: a question goes to one that is free."""

    def __init__(self, host: Host, most: int = MOST_DESKS) -> None:
        self.host, self.most = host, most
        self.desks: list[Desk] = []
        self.waiting = 0
        self.free = asyncio.Condition()
        self.kept: dict[str, asyncio.Future[Any]] = {}

    async def ask(self, ask: str, seconds: float = ANSWER_SECONDS, **fields: Any) -> Any:
        """The answer to a question; a refusal is raised."""
        if self.waiting >= MOST_WAITING:
            raise Refused("too many questions are waiting; try again in a moment.", 429)
        self.waiting += 1
        try:
            desk = await self._free_desk()
            try:
                return await desk.ask({"ask": ask, **fields}, seconds)
            except (ChildEnded, TooSlow) as error:
                self._dismiss(desk)
                raise NoProcess(f"the question could not be answered: {error.sentence}") from None
            except asyncio.CancelledError:  # who asked is gone: the answer must not go to others
                self._dismiss(desk)
                raise
            finally:
                desk.busy = False
                if desk.leaves:
                    self._dismiss(desk)
                async with self.free:
                    self.free.notify_all()
        finally:
            self.waiting -= 1

    async def once(self, ask: str) -> Any:
        """The answer to a question whose answer never changes."""
        question = self.kept.get(ask)
        if question is None or (question.done() and _failed(question)):
            question = self.kept[ask] = asyncio.ensure_future(self.ask(ask, COMPILE_SECONDS))
        return await asyncio.shield(question)  # whoever else asks waits for the same answer

    async def renew(self) -> None:
        """Have a new desk in the place of those that there are: the first child of a host has
        loaded less than those after it. One that is at work leaves when it is done."""
        before = list(self.desks)
        self.desks.append(Desk(await self.host.child({"be": "desk"})))
        for desk in before:
            desk.leaves = True
            if not desk.busy:
                self._dismiss(desk)

    def _dismiss(self, desk: Desk) -> None:
        desk.child.close()
        if desk in self.desks:
            self.desks.remove(desk)

    async def _free_desk(self) -> Desk:
        patience = BUSY_SECONDS
        async with self.free:
            while True:
                for desk in list(self.desks):
                    if desk.child.over:
                        self._dismiss(desk)
                    elif not desk.busy:
                        desk.busy = True
                        return desk
                if not self.desks or (patience <= 0 and len(self.desks) < self.most):
                    desk = Desk(await self.host.child({"be": "desk"}))
                    desk.busy = True
                    self.desks.append(desk)
                    return desk
                began = asyncio.get_running_loop().time()
                limit = patience if len(self.desks) < self.most else None
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self.free.wait(), limit)
                patience -= asyncio.get_running_loop().time() - began


def _failed(question: asyncio.Future[Any]) -> bool:
    return question.cancelled() or question.exception() is not None
