"""Sessions in checkpoints: the questions, the state of the search, and digests of both.

A checkpoint is about one position, one search and one state of the program: it names the version,
and has digests of the code and of the rules. It names the file of a user's game too, but only the
user chooses the file that is run.

A ``Keeper`` writes them: at once, every so often, and at the end. Unless the user gives an
interval, the next one is due when a minute has passed and writing it keeps all writing below 2 % of
the time. How long it takes is estimated by the last one and by the memory in use.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from zermelo.core.game import Game
from zermelo.core.object_game import ObjectGame
from zermelo.core.position import Position
from zermelo.core.rules import rules_digest
from zermelo.errors import BadCheckpoint, BadOption, file_name, quoted
from zermelo.games.registry import BUILT_IN, game_class
from zermelo.games.registry import game as game_by_name
from zermelo.search.base import Search, Zones
from zermelo.search.code import code_digest
from zermelo.search.common.saved import WRONG, Saved, Saving, refusing
from zermelo.search.registry import SEARCHES
from zermelo.solving.answer import Subgoal
from zermelo.solving.result import GOALS, Limits, free_memory, goal_named
from zermelo.storage.checkpoint_file import (
    HEAD,
    CheckpointFile,
    CheckpointLock,
    is_checkpoint,
    try_out,
    write,
)
from zermelo.version import __version__

if TYPE_CHECKING:
    from zermelo.solving.session import Session

Kind = TypeVar("Kind")

EVERY = 60.0  # seconds
SHARE = 0.02  # of the time, the most that writing may take
GUESS, PACE = 8e-9, 2.5e-9  # seconds for a byte: before any was measured, and then at least
MARGIN = 1.5  # times what it took last, on a machine that may be busier then
LARGE = 1 << 26  # bytes from which on the pace can be measured
GOES_ON = "The last checkpoint is kept, and the search goes on."
LOST = "The checkpoint before it is kept, and what was searched since then is lost."
MOST, MOST_SECONDS = 1 << 62, 1e15
MOST_SUBGOALS = 1 << 10


def check_can_be_saved(session: Session) -> None:
    """Raise BadOption for a session of which there can't be a checkpoint."""
    game, search = session.position.game, session.search
    if isinstance(game, ObjectGame):
        raise BadOption(f"no checkpoint can be about {game.name}: its positions are Python "
                        "objects, which a checkpoint can't hold; a game with compiled rules can "
                        "be saved.")
    if SEARCHES.get(search.id) is not type(search):
        raise BadOption(f"no checkpoint can be about {search.id}: it is not one of Zermelo's own "
                        "searches, by which alone a checkpoint can go on.")
    rules_digest(game.name, game.rules)


def save_session(session: Session, path: str | Path) -> int:
    """Write a checkpoint; return its size in bytes."""
    check_can_be_saved(session)
    saving = Saving()
    header: dict[str, Any] = {
        "version": __version__, **about(session),
        "goal": session.goal, "seed": session.seed, "plain": session.by_rules,
        "trace": session.trace_step, "player": session.player, "threads": session.threads,
        "candidates": _candidates(session), "batch": session.batch,
        "valued": session.evaluate_many is not None,
        "seconds": session.seconds, "compile_seconds": session.compile_seconds,
        "stopped": session.stopped, "memory": session.memory, "given": session.limits.memory,
        "first": asdict(session.first), "subgoals": [asdict(each) for each in session.subgoals],
    }
    if session.trace:
        saving.json("trace", session.trace)
    for at, run in enumerate(session.runs):
        run.save(saving.part(str(at)))
    return write(Path(path), header, saving.arrays)


def _candidates(session: Session) -> bool | dict[str, Any]:
    return session.candidates if session.zones is None else session.zones.to_dict()


def about(session: Session) -> dict[str, Any]:
    """Return the game, the position and the search, and the code that they are run by."""
    game, position = session.position.game, session.position
    file = None if _built_in(game) else _file_of(game)
    return {
        "game": game.name, "parameters": game.changed if file is None else game.values,
        "file": None if file is None else str(file),
        "file_digest": None if file is None else hashlib.sha256(file.read_bytes()).hexdigest(),
        "position": position.origin.text, "moves": position.played_names(),
        "state": position.state.tobytes().hex(),
        "search": session.search.id, "options": session.search.all_options,
        "code": code_digest(game, session.search, narrow=session.candidates),
        "rules": rules_digest(game.name, game.rules),
    }


def _built_in(game: Game) -> bool:
    return game.name in BUILT_IN and type(game).__module__.startswith("zermelo.games.")


def _file_of(game: Game) -> Path | None:
    """Return the file in which a game of the user's is defined, if there is one."""
    source = getattr(sys.modules.get(type(game).__module__), "__file__", None)
    return None if source is None else Path(source)


class _Loading:
    """A checkpoint on its way to a session."""

    def __init__(self, path: str | Path) -> None:
        self.file = CheckpointFile(Path(path))
        self.header = self.file.header
        version = self.header.get("version")
        self.file.require(version == __version__,
                          f"it was written by Zermelo {quoted(version)}, and this is {__version__}")

    def require(self, holds: bool) -> None:
        """Refuse the checkpoint unless something holds."""
        self.file.require(holds, WRONG)

    def fact(self, name: str, kind: type[Kind], low: float | None = None, high: float = 0,
             facts: Any = None) -> Kind:
        """Return a fact of a kind, a number from ``low`` to ``high``, of those of the header or of
        others."""
        found: Any = (self.header if facts is None else facts).get(name)
        same = type(found) is kind
        self.require(same and (low is None or low <= found <= high))
        fact: Kind = found
        return fact

    def game(self, given: Game | type[Game] | str | None) -> Game:
        """Return the game, built in or as given; its rules are those of the checkpoint."""
        name, parameters = self.fact("game", str), self.fact("parameters", dict)
        file = self.header.get("file")
        if given is None:
            self.file.require(
                name in BUILT_IN and file is None,
                f"it is about the game {quoted(name)}"
                f"{f' of the file {file_name(file)}' if file else ''}, which has to be given, as "
                "FILE.py:Class")
            given = name
        kind = game_class(given) if isinstance(given, str) else given
        known = getattr(kind, "name", "") or getattr(kind, "__name__", str(kind)).lower()
        self.file.require(known == name, f"it is about {quoted(name)}, not about {quoted(known)}")
        game = given if isinstance(given, Game) else game_by_name(given, **parameters)
        self.file.require(rules_digest(game.name, game.rules) == self.header.get("rules"),
                          f"it was made with other rules of {game.name}, or by another Python")
        return game

    def position(self, game: Game) -> Position:
        """Return the position, by its text and the moves after it."""
        position = game.parse(self.fact("position", str)).play(*self.fact("moves", list))
        self.require(position.state.tobytes().hex() == self.header.get("state"))
        return position

    def search(self) -> Search:
        """Return the search with all its options."""
        id = self.fact("search", str)
        self.require(id in SEARCHES)
        return SEARCHES[id](**self.fact("options", dict))

    def candidates(self) -> bool | Zones:
        """Return the candidates of the search, or its zones."""
        found = self.header.get("candidates")
        if isinstance(found, bool):
            return found
        try:
            return Zones(**self.fact("candidates", dict))
        except BadOption:
            raise self.file.refused(WRONG) from None

    def subgoal(self, facts: Any) -> Subgoal:
        """Return a subgoal."""
        horizon = (None if facts.get("horizon") is None
                   else self.fact("horizon", int, 0, MOST, facts))
        threshold = self.fact("threshold", int, -MOST, MOST, facts)
        return Subgoal(self.fact("player", int, 0, 1, facts), threshold, horizon)

    def memory(self, given: float | str | None) -> int:
        """Return the memory that the session may use: as given, as it had, or half of the free."""
        had, free = self.fact("memory", int, 0, MOST), free_memory()
        limits = Limits(memory=given)
        if given is None and 0 < had <= free:
            limits = Limits(memory=had)
        allowed = free if given is None else limits.memory_bytes
        needed = self.file.bytes
        self.file.require(needed <= allowed,
                          f"it needs {needed:,} bytes of memory, and there are {allowed:,}")
        return limits.memory_bytes


def load_session(kind: type[Session], path: str | Path, game: Game | type[Game] | str | None,
                 memory: float | str | None, evaluate_many: Any) -> Session:
    """Return the session of a checkpoint; raise BadCheckpoint where it can't be used."""
    loading = _Loading(path)
    with closing(loading.file), refusing(loading.file):
        return _session(kind, loading, game, memory, evaluate_many)


def _session(kind: type[Session], loading: _Loading, game: Game | type[Game] | str | None,
             memory: float | str | None, evaluate_many: Any) -> Session:
    fact, header, file = loading.fact, loading.header, loading.file
    position, search = loading.position(loading.game(game)), loading.search()
    goal, trace = fact("goal", str), header.get("trace")
    loading.require(goal in GOALS and (trace is None or type(trace) is int))
    file.require(fact("valued", bool) == (evaluate_many is not None),
                 "its leaves are valued by a function, which has to be given as evaluate_many"
                 if evaluate_many is None else "its leaves are not valued by a function")
    session = kind(
        position, search, goal=goal_named(goal), seed=fact("seed", int, 0, 2**64 - 1),
        plain=fact("plain", bool), trace=trace, player=fact("player", int, 0, 1),
        threads=fact("threads", int, 1, 1 << 10),
        candidates=loading.candidates(),
        evaluate_many=evaluate_many, batch=fact("batch", int, 1, 1 << 20))
    code = code_digest(position.game, search, narrow=session.candidates)
    file.require(code == header.get("code"), "the program, or the file of the game, has changed "
                                             "since it was written")
    session.memory = loading.memory(memory)
    given = header.get("given")
    session.limits = Limits(memory=memory if memory is not None or given is None
                            else fact("given", int, 1, MOST))
    session.first = loading.subgoal(header.get("first"))
    session.seconds = fact("seconds", float, 0, MOST_SECONDS)
    session.compile_seconds = fact("compile_seconds", float, 0, MOST_SECONDS)
    session.stopped = fact("stopped", str)
    _restore(session, loading)
    return session


def _restore(session: Session, loading: _Loading) -> None:
    """Begin all runs again, and let them go on from where they were."""
    subgoals, saved = loading.fact("subgoals", list), Saved(loading.file)
    loading.require(len(subgoals) <= MOST_SUBGOALS)
    if saved.has("trace"):
        session.trace = saved.json("trace")
    for at, facts in enumerate(subgoals):
        session.ask(loading.subgoal(facts), session.memory, alone=True)
        session.runs[-1].restore(saved.part(str(at)))
    for put_back in saved.later:
        put_back()


class Keeper:
    """Writes checkpoints of ``session`` to ``path``: give it to ``run`` as ``between``.

    ``every``: seconds from one to the next; by default 60, or more where writing takes long. A
    failure to write the first one is an error; later ``tell`` is called with it, and the search
    goes on. ``there``: the session comes from this file, which need not be written at once. No
    other keeper may have the file at the same time.
    """

    def __init__(self, session: Session, path: str | Path, every: float | None = None,
                 tell: Callable[[str], None] | None = None, there: bool = False) -> None:
        self.session, self.path, self.every = session, Path(path), every
        self.tell = tell
        self.written = int(there)  # checkpoints
        self._due = 0.0
        check_can_be_saved(session)
        about(session)  # the digests of the code, which are found once: that is no writing
        self.begun, self.spent, self.last = time.monotonic(), 0.0, 0.0  # seconds; of writing
        self.pace = GUESS
        self.lock = CheckpointLock(self.path)
        if there:
            try_out(self.path)
            self.lock.take()
            self._rest()

    def __call__(self) -> None:
        """Write a checkpoint, if it is time."""
        now = time.monotonic()
        if now < self._due:
            return
        short = 0.0
        if self.every is None and self.written:  # until writing it keeps all within its share
            likely = max(MARGIN * self.last, self.pace * self.session.bytes)
            short = (self.spent + likely) / SHARE - likely - (now - self.begun)
        if short > 0:
            self._due = now + short
        else:
            self.write()

    def write(self, last: bool = False) -> bool:
        """Write a checkpoint now; return True if it was written. ``last``: the search has ended."""
        before, began, size = self.written, time.monotonic(), self.session.bytes
        try:
            self.session.save(self.path)
        except BadCheckpoint as error:
            if not self.written or self.tell is None:
                raise
            self.tell(f"{error} {LOST if last else GOES_ON}")
        else:
            self.written += 1
            self.lock.follow()
        self.last = time.monotonic() - began
        self.spent += self.last
        if size >= LARGE:
            self.pace = max(PACE, MARGIN * self.last / size)
        self._rest()
        return self.written > before

    def _rest(self) -> None:
        """Set when the next one may be due."""
        self._due = time.monotonic() + (EVERY if self.every is None else self.every)


def check_new(session: Session, path: str | Path) -> None:
    """Refuse before a long search what can't be saved, or where something is already."""
    check_can_be_saved(session)
    place = Path(path)
    try:
        with place.open("rb") as file:
            there = is_checkpoint(file.read(HEAD))
    except FileNotFoundError:
        try_out(place)
        return
    except (OSError, ValueError):
        there = False
    if there:
        raise BadCheckpoint(f"{file_name(path)} holds a checkpoint: 'zermelo resume {path}' goes "
                            "on from it; remove it to begin anew.")
    try_out(place)
    raise BadCheckpoint(f"can't write the checkpoint {file_name(path)}: there is something "
                        "else with this name.")
