"""The sessions of the explorer: each kind with its request, read from the API's JSON, the command
that does the same, and its work in a process of its own; and what a query worker answers about
searches."""

from __future__ import annotations

import os
import shlex
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar

from zermelo.compiler.compile_stats import listener
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import BadOption, ZermeloError, check_whole, one_line, quoted
from zermelo.explorer.certificates import own_rules
from zermelo.explorer.position_ref import Games, Json, fields_of, text_of, texts_of
from zermelo.explorer.sessions import LIMITS, read_limits
from zermelo.game_records.annotate import Annotating
from zermelo.game_records.progress import GameStep, progress
from zermelo.game_records.record import read_record
from zermelo.jobs.work import SPARE_BYTES
from zermelo.proof.check import Report
from zermelo.proof.run import verify
from zermelo.search.base import Search, Zones
from zermelo.search.registry import DEFAULT_SEARCH, SEARCHES, default_search, search_class
from zermelo.solving.certify import write_proof
from zermelo.solving.replay import replay
from zermelo.solving.result import Limits, Progress, goal_named
from zermelo.solving.session import SLICE_SECONDS, Session
from zermelo.solving.trees import branch
from zermelo.solving.values import Values
from zermelo.workers.fork_server import Channel, Message
from zermelo.workers.memory_limit import data_of_process, limit_memory
from zermelo.workers.messages import plain

NICE = 5  # boards and pages come first
SHORT_SLICE_SECONDS, QUIET_SECONDS = 0.01, 5.0
DEPTH = 5


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
        work.run(talk, limits)

    limits = read_limits(order["limits"])
    limit_memory(limits.memory_bytes + SPARE_BYTES, data)
    work = session_kind(games, order)
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

    def progress(self, now: Progress) -> None:
        """Report the progress of a search."""
        self.event("progress", **now.to_dict())

    def end(self, result: Json, done: bool, stopped: str) -> None:
        """Report the result, and why the work has ended."""
        self.event("result", result=result)
        self.event("state", state="done" if done else "stopped", stopped=stopped)


class SessionKind(ABC):
    """A session, made from its request: ``takes`` are the fields that it has. ``answers``: the
    questions that it answers while it works."""

    command: ClassVar[str]
    takes: ClassVar[tuple[str, ...]]

    def __init__(self, games: Games, order: Json) -> None:
        self.games = games
        self.order = {name: value for name, value in order.items() if value is not None}
        self.goal = goal_named(self.order.get("goal", "value"))
        self.seed = self.order.get("seed", 0)
        self.plain = bool(self.order.get("plain"))
        self.answers: dict[str, Callable[[Json], Any]] = {}
        self.reported: dict[int, Json] = {}

    @abstractmethod
    def facts(self) -> Json:
        """Return what the server needs to know of the session."""

    @abstractmethod
    def run(self, talk: Talk, limits: Limits) -> None:
        """Work until it is done, a limit is met, or KeyboardInterrupt is raised."""

    def command_of(self, words: list[str], more: list[str] | None = None,
                   limits: tuple[str, ...] = LIMITS) -> Json:
        """Return the command that does the same, with those of the ``limits`` that are set."""
        given = fields_of(self.order.get("limits"), "limits")
        set_ones = [word for name in limits if given.get(name) is not None
                    for word in (f"--{name}", f"{given[name]}")]
        return {"command": shlex.join(["zermelo", self.command, *words, *set_ones,
                                       *(more or [])])}

    def search_facts(self, search: Search) -> Json:
        """Return the search and what it is asked."""
        return {"search": search.id, "options": search.all_options, "goal": self.goal,
                "seed": self.seed, "plain": self.plain}

    def search_words(self, search: Search, game: Game) -> list[str]:
        """Return the search and what it is asked as options, where it is not what is usual."""
        named = search.id != default_search(game) or search.options
        return [*(["-s", search.id] if named else []), *_pairs("-p", search.options),
                *(["--goal", self.goal] if self.goal != "value" else []),
                *(["--seed", str(self.seed)] if self.seed else []), *["--plain"] * self.plain]

    def record(self) -> tuple[Game, str, str | None]:
        """Return the game, its record, and the position that it began with."""
        start = self.order.get("from")
        game = self.games.get(self.order.get("game"), self.order.get("parameters"))
        return (game, text_of(self.order.get("record"), "record"),
                None if start is None else text_of(start, "from"))

    def record_facts(self, first: Position, moves: list[str]) -> Json:
        """Return the start of the record, and its moves."""
        return {"place": self.games.place(first),
                "record": {"moves": moves, "length": len(moves)}}

    def record_words(self) -> list[str]:
        """Return the record with its game as arguments."""
        game, record, start = self.record()
        return [self.games.name_of(game), record, *_pairs("-g", game.changed),
                *([] if start is None else ["--from", start])]

    def step(self, talk: Talk, ply: int, row: Json) -> None:
        """Report what is new about a position of a record."""
        if self.reported.get(ply) != row:
            self.reported[ply] = row
            talk.event("step", **row)


class SolveSession(SessionKind):
    """Kind solve: one search, with its tree and its proof."""

    command = "solve"
    takes: ClassVar[tuple[str, ...]] = ("place", "search", "options", "goal", "seed", "plain",
                                        "candidates", "threads")

    def __init__(self, games: Games, order: Json) -> None:
        super().__init__(games, order)
        position = games.position(self.order.get("place"))
        candidates = self.order.get("candidates", False)
        if isinstance(candidates, dict):
            options: Json = {str(name): str(value) for name, value in candidates.items()}
            candidates = Zones(**options)
        search = read_search(self.order, position.game, narrow=bool(candidates))
        usual = DEFAULT_SEARCH if candidates else default_search(position.game)
        # The usual one is not a choice: a small game is solved whole beside it.
        self.chosen = None if search == search_class(usual)() else search
        self.session = Session(
            position, self.chosen,
            goal=self.goal, seed=self.seed, plain=self.plain,
            threads=self.order.get("threads", 1),
            candidates=candidates if isinstance(candidates, Zones) else bool(candidates))
        self.answers = {"tree": self.tree, "proof": self.proof}
        self.asked = 0.0

    def facts(self) -> Json:
        """Return the position, the search and the command."""
        made, position, zones = self.session, self.session.position, self.order.get("candidates")
        start = position == position.game.start()
        words = [self.games.name_of(position.game), "start" if start else position.text,
                 *_pairs("-g", position.game.changed),
                 *self.search_words(made.search, position.game)]
        more = ["--candidates"] if made.candidates else []
        if isinstance(zones, dict):
            more = ["--zones", ",".join(f"{name}={value}" for name, value in zones.items())]
        if made.threads > 1:
            more += ["--threads", str(made.threads)]
        return {"place": self.games.place(position), **self.search_facts(made.search),
                "plain": made.by_rules, "candidates": made.candidates, "threads": made.threads,
                **self.command_of(words, more)}

    def run(self, talk: Talk, limits: Limits) -> None:
        """Search until the goal is reached or a limit is met."""
        self.talk = talk
        result = self.session.run(limits, self.progress, talk.between)
        talk.progress(self.session.progress())
        talk.end(result.to_dict(), result.concluded, result.stopped)

    def progress(self, now: Progress) -> None:
        """Report the progress; when the tree was not asked for in a while, search in longer slices
        again."""
        if time.monotonic() - self.asked > QUIET_SECONDS:
            self.session.slice_seconds = SLICE_SECONDS
        self.talk.progress(now)

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


class ValuesSession(SolveSession):
    """Kind values: what every move is worth."""

    command = "analyze"
    takes = ("place", "search", "options", "goal", "seed", "plain")

    def __init__(self, games: Games, order: Json) -> None:
        super().__init__(games, order)
        made, self.answers = self.session, {}
        self.values = Values(made.position, self.chosen, goal=made.goal, seed=made.seed,
                             plain=made.by_rules)

    def run(self, talk: Talk, limits: Limits) -> None:
        """Search the moves that are not settled."""
        values = self.values.run(limits, talk.progress, lambda worth: talk.event(
            "move", **worth.to_dict()), talk.between)
        talk.progress(values.progress(limits))
        talk.end(values.to_dict(), values.over, values.stopped)


class AnnotateSession(SessionKind):
    """Kind annotate: the value of every position of a record."""

    command = "annotate"
    takes = ("record", "game", "parameters", "from", "search", "options", "goal", "seed", "plain")

    def __init__(self, games: Games, order: Json) -> None:
        super().__init__(games, order)
        game, record, start = self.record()
        self.work = Annotating(game, record, read_search(self.order, game), goal=self.goal,
                               start=start, seed=self.seed, plain=self.plain)

    def facts(self) -> Json:
        """Return the record, the search and the command."""
        first, search = self.work.places[0].position, self.work.search
        return {**self.record_facts(first, self.work.moves), **self.search_facts(search),
                **self.command_of([*self.record_words(),
                                   *self.search_words(search, first.game)])}

    def run(self, talk: Talk, limits: Limits) -> None:
        """Search the positions that are open."""
        def notes() -> None:
            for note in self.work.notes():
                self.step(talk, note.ply, note.to_dict())
            talk.between()

        notes()
        found = self.work.run(limits, talk.progress, notes, talk.between)
        notes()
        open_ones = [note for note in found.positions if not note.concluded]
        talk.end(found.to_dict(), not open_ones, open_ones[0].stopped if open_ones else "solved")


class ProgressSession(SessionKind):
    """Kind progress: evaluation and conspiracy numbers of every position of a record."""

    command = "progress"
    takes = ("record", "game", "parameters", "from", "T", "depth")

    def __init__(self, games: Games, order: Json) -> None:
        super().__init__(games, order)
        self.depth = check_whole("depth", self.order.get("depth", DEPTH), 1, 30)
        self.thresholds = self.order.get("T")

    def facts(self) -> Json:
        """Return the record, the depth and the command."""
        played, wanted = read_record(*self.record()), self.thresholds
        every = wanted if isinstance(wanted, list) else [] if wanted is None else [wanted]
        words = [word for threshold in every for word in ("-T", str(threshold))]
        return {**self.record_facts(played.positions[0], played.moves), "depth": self.depth,
                **self.command_of([*self.record_words(), "--depth", str(self.depth), *words],
                                  limits=("time",))}

    def run(self, talk: Talk, limits: Limits) -> None:
        """Search all positions to the depth."""
        def watch(done: int, of: int, nodes: int) -> None:
            talk.event("progress", done=done, of=of, nodes=nodes)
            talk.between()

        def steps(some: list[GameStep]) -> None:
            for step in some:
                if step.value is not None:
                    self.step(talk, step.ply, step.to_dict())

        game, record, start = self.record()
        found = progress(game, record, self.thresholds, self.depth, start=start, time=limits.time,
                         workers=max(1, (os.cpu_count() or 1) // 2), watch=watch, told=steps)
        steps(found.steps)
        talk.end(found.to_dict(), found.stopped == "depth", found.stopped)


class VerifySession(SessionKind):
    """Kind verify: a certificate is checked."""

    takes = ("certificate", "path")

    def __init__(self, games: Games, order: Json) -> None:
        super().__init__(games, order)
        self.path = text_of(self.order.get("path"), "path")

    def facts(self) -> Json:
        """Return the certificate and the command."""
        return {"certificate": self.order.get("certificate"), "command": "zermelo verify FILE"}

    def run(self, talk: Talk, limits: Limits) -> None:
        """Check the certificate from its beginning."""
        def watch(done: int, of: int, positions: int) -> None:
            talk.event("progress", done=done, of=of, total=of, positions=positions)
            talk.between()

        own = own_rules(self.games.own, self.path)
        report = verify(self.path, game=own, memory=limits.memory_bytes,
                        time=limits.time or 3600.0, progress=watch)
        talk.end({**report.to_dict(), "longest": _longest(report),
                  "error": report.reason or None, "file": None},
                 report.verdict != "undecided", report.stopped or "solved")


KINDS: dict[str, type[SessionKind]] = {
    "solve": SolveSession, "values": ValuesSession, "annotate": AnnotateSession,
    "progress": ProgressSession, "verify": VerifySession,
}


def session_kind(games: Games, order: Json) -> SessionKind:
    """Return the session that is asked for, once its request is checked."""
    kind = order.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadOption(f"kind={quoted(kind)} is not a kind of session; kinds: {', '.join(KINDS)}.")
    takes = KINDS[kind].takes
    for name in order:
        if name not in (*takes, "kind", "limits"):
            raise BadOption(f"{kind} takes no {quoted(name)}; it takes {', '.join(takes)} and "
                            "limits.")
    read_limits(order.get("limits"))
    return KINDS[kind](games, order)


def read_search(order: Json, game: Game, narrow: bool = False) -> Search:
    """Return the search with its options, none of which may name a file; the usual one for the game
    where none is named."""
    usual = DEFAULT_SEARCH if narrow else default_search(game)
    kind, options = search_class(order.get("search", usual)), fields_of(
        order.get("options"), "options")
    for item in fields(kind):
        words = item.metadata.get("file_unless")
        if words and options.get(item.name, item.default) not in words:
            raise BadOption(f"{kind.id}: {item.name}={quoted(options[item.name])}: no request "
                            f"names a file; it is {' or '.join(words)} here.")
    return kind(**options)


def _pairs(option: str, values: Json) -> list[str]:
    return [word for name, value in values.items() for word in (option, f"{name}={value}")]


def searches(known: Games, message: Json) -> list[Json]:
    """Return all searches with their options."""
    usual: dict[str, list[str]] = {}
    for name in known.names():
        usual.setdefault(default_search(known.get(name)), []).append(name)
    return [{"id": id, "title": kind.title, "paper": kind.paper, "goals": list(kind.goals),
             "threaded": kind.threaded, "narrows": kind.narrows,
             "options": [{"name": item.name, "default": item.default,
                          "help": item.metadata.get("help", ""), "low": item.metadata.get("low"),
                          "high": item.metadata.get("high"),
                          "choices": list(item.metadata.get("choices") or ())}
                         for item in fields(kind)],
             "replay": kind.replays, "tree": kind.keeps,
             "default_for": usual.get(id, [])} for id, kind in SEARCHES.items()]


def check(known: Games, message: Json) -> Json:
    """Check the order of a session; return its facts and the command that does the same."""
    return session_kind(known, message["order"]).facts()


def replayed(known: Games, message: Json) -> Json:
    """Return a search from its beginning, step by step."""
    asked = {name: value for name, value in message.items() if value is not None}
    position = known.position(asked.get("place"))
    given = {name: asked[name] for name in ("steps", "goal", "seed") if name in asked}
    search = read_search({"search": "pn", **asked}, position.game)
    film = replay(position, search, plain=bool(asked.get("plain")), **given)
    return {**film.to_dict(), "place": known.place(position)}


QUESTIONS = {"searches": searches, "check": check, "replay": replayed}
