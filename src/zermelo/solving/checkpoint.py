"""Sessions in checkpoints: what was asked, what the search has done, and that both are the same.

A checkpoint is about one position, one search and one state of the program: it names the version,
and has digests of the code and of the rules. It names the file of a user's game too, but only the
user says which file is run.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.core.game import Game
from zermelo.core.object_game import ObjectGame
from zermelo.core.position import Position
from zermelo.core.rules import rules_digest
from zermelo.errors import BadCheckpoint, BadOption, file_name, quoted
from zermelo.games.registry import BUILT_IN, game_class
from zermelo.games.registry import game as game_by_name
from zermelo.search.base import Search, Zones
from zermelo.search.code import code_digest
from zermelo.search.common.saved import WRONG, Saved, Saving
from zermelo.search.registry import SEARCHES
from zermelo.solving.goals import GOALS, Subgoal
from zermelo.solving.result import Limits, free_memory
from zermelo.storage.checkpoint_file import CheckpointFile, write
from zermelo.version import __version__

if TYPE_CHECKING:
    from zermelo.solving.session import Session

MOST = 1 << 62
MOST_SUBGOALS = 1 << 10
MOST_TRACE = 1 << 40


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
    """Write a checkpoint; its size in bytes."""
    check_can_be_saved(session)
    saving = Saving()
    header: dict[str, Any] = {
        "version": __version__, **about(session), "asked": saving.facts,
        "goal": session.goal, "seed": session.seed, "plain": session.by_rules,
        "trace": session.trace_step, "player": session.player, "threads": session.threads,
        "candidates": _candidates(session), "batch": session.batch,
        "valued": session.evaluate_many is not None,
        "seconds": session.seconds, "compile_seconds": session.compile_seconds,
        "stopped": session.stopped, "memory": session.memory, "given": session.limits.memory,
        "first": asdict(session.first), "subgoals": [asdict(each) for each in session.subgoals],
    }
    if session.trace:
        saving.array("trace", np.frombuffer(json.dumps(session.trace).encode(), np.uint8))
    for at, run in enumerate(session.runs):
        run.save(saving.part(str(at)))
    return write(Path(path), header, saving.arrays)


def weight_of(session: Session) -> int:
    """How many bytes a checkpoint would have to pack, by a sample of each table."""
    saving = Saving()
    for at, run in enumerate(session.runs):
        run.save(saving.part(str(at)))
    return sum(each.weight for each in saving.arrays)


def _candidates(session: Session) -> bool | dict[str, Any]:
    return session.candidates if session.zones is None else session.zones.to_dict()


def about(session: Session) -> dict[str, Any]:
    """The game, the position and the search, and the code that they are run by."""
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
    """The file in which a game of the user's is defined, if there is one."""
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
        self.top = Saved(self.file, self.header)

    def game(self, given: Game | type[Game] | str | None) -> Game:
        """The game, built in or as it was given; its rules are those of the checkpoint."""
        name, parameters = self.top.text("game"), self.header.get("parameters")
        self.top.require(isinstance(parameters, dict))
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
        game = given if isinstance(given, Game) else game_by_name(given, **(parameters or {}))
        self.file.require(rules_digest(game.name, game.rules) == self.header.get("rules"),
                          f"it was made with other rules of {game.name}, or by another Python")
        return game

    def position(self, game: Game) -> Position:
        """The position, by its text and the moves after it."""
        moves = self.header.get("moves")
        self.top.require(isinstance(moves, list))
        position = game.parse(self.top.text("position")).play(*(moves or []))
        self.top.require(position.state.tobytes().hex() == self.header.get("state"))
        return position

    def search(self) -> Search:
        """The search with all its options."""
        id, options = self.top.text("search"), self.header.get("options")
        self.top.require(id in SEARCHES and isinstance(options, dict))
        return SEARCHES[id](**(options or {}))

    def candidates(self) -> bool | Zones:
        """Whether the search was narrowed, and how."""
        found = self.header.get("candidates")
        if isinstance(found, bool):
            return found
        known = {one.name for one in fields(Zones)}
        self.top.require(isinstance(found, dict) and set(found) <= known)
        try:
            return Zones(**(found or {}))
        except BadOption:
            raise self.file.refused(WRONG) from None

    def subgoal(self, facts: Any) -> Subgoal:
        """One of the subgoals."""
        saved = Saved(self.file, facts)
        horizon = None if facts.get("horizon") is None else saved.number("horizon", 0, MOST)
        threshold = saved.number("threshold", -MOST, MOST)
        return Subgoal(saved.number("player", 0, 1), threshold, horizon)

    def memory(self, given: float | str | None) -> int:
        """How much memory the session may use: as given, as it had, or half of what is free."""
        had, free = self.top.number("memory", 0, MOST), free_memory()
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
    """The session of a checkpoint; BadCheckpoint where it can't be used."""
    loading = _Loading(path)
    try:
        return _session(kind, loading, game, memory, evaluate_many)
    finally:
        loading.file.close()


def _session(kind: type[Session], loading: _Loading, game: Game | type[Game] | str | None,
             memory: float | str | None, evaluate_many: Any) -> Session:
    top, header, file = loading.top, loading.header, loading.file
    position, search = loading.position(loading.game(game)), loading.search()
    goal, trace = top.text("goal"), header.get("trace")
    top.require(goal in GOALS and (trace is None or type(trace) is int))
    file.require(top.flag("valued") == (evaluate_many is not None),
                 "its leaves are valued by a function, which has to be given as evaluate_many"
                 if evaluate_many is None else "its leaves are not valued by a function")
    session = kind(
        position, search, goal=goal, seed=top.number("seed", 0, 2**64 - 1),
        plain=top.flag("plain"), trace=trace, player=top.number("player", 0, 1),
        threads=top.number("threads", 1, 1 << 10),
        candidates=loading.candidates(),
        evaluate_many=evaluate_many, batch=top.number("batch", 1, 1 << 20))
    code = code_digest(position.game, search, narrow=session.candidates)
    file.require(code == header.get("code"), "the program, or the file of the game, has changed "
                                             "since it was written")
    session.memory = loading.memory(memory)
    given = header.get("given")
    session.limits = Limits(memory=memory if memory is not None or given is None
                            else top.number("given", 1, MOST))
    session.first = loading.subgoal(header.get("first"))
    session.seconds, session.compile_seconds = top.amount("seconds"), top.amount("compile_seconds")
    session.stopped = top.text("stopped")
    _restore(session, loading)
    return session


def _restore(session: Session, loading: _Loading) -> None:
    """Begin all runs again, and let them go on from where they were."""
    header, file = loading.header, loading.file
    subgoals = header.get("subgoals")
    asked = Saved(file, header.get("asked"))
    asked.require(isinstance(subgoals, list) and len(subgoals) <= MOST_SUBGOALS)
    if "trace" in file.places:
        text = asked.array("trace", np.uint8).tobytes()
        try:
            session.trace = json.loads(text)
        except (ValueError, RecursionError):
            asked.require(False)
    for at, facts in enumerate(subgoals or []):
        session.ask(loading.subgoal(facts), session.memory, alone=True)
        session.runs[-1].restore(asked.part(str(at)))
    for put_back in asked.later:
        put_back()


__all__ = ["BadCheckpoint", "about", "check_can_be_saved", "load_session", "save_session"]
