"""Sessions in checkpoints: the questions, the state of the search, and digests of both.

A checkpoint is about one position, one search and one state of the program: it names the version,
and has digests of the code and of the rules. It names the file of a user's game too, but only the
user chooses the file that is run.

A ``Keeper`` writes them: at once, every so often, and at the end. Unless the user gives an
interval, the next one is due after a minute, or later where the last one took more than 2 % of it.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.core.game import Game
from zermelo.core.object_game import ObjectGame
from zermelo.core.position import Position
from zermelo.core.rules import rules_digest
from zermelo.errors import BadCheckpoint, BadOption, file_name, quoted
from zermelo.games.registry import BUILT_IN, game_class
from zermelo.games.registry import game as game_by_name
from zermelo.search.base import Zones
from zermelo.search.code import code_digest
from zermelo.search.common.saved import WRONG, Saved, Saving, refusing
from zermelo.search.registry import SEARCHES
from zermelo.solving.answer import Subgoal
from zermelo.solving.auto import whole_game
from zermelo.solving.result import Limits, free_memory
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

EVERY = 60.0  # seconds
SHARE = 0.02  # of the time, the most that writing may take
GOES_ON = "The last checkpoint is kept, and the search goes on."
LOST = "The checkpoint before it is kept, and what was searched since then is lost."
MOST, MOST_SECONDS = 1 << 62, 1e15
ASKED = ("goal", "seed", "plain", "trace", "player", "threads", "batch")  # of a session


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
        "batch": session.batch, "valued": session.evaluate_many is not None,
        "candidates": session.candidates if session.zones is None else session.zones.to_dict(),
        "stages": 0 if session.whole is None else len(session.whole.stages),
        "seconds": session.seconds, "compile_seconds": session.compile_seconds,
        "stopped": session.stopped, "memory": session.memory, "given": session.limits.memory,
        "first": asdict(session.first), "subgoals": [asdict(each) for each in session.subgoals],
    }
    if session.trace:
        saving.json("trace", session.trace)
    for at, run in enumerate(session.runs):
        run.save(saving.part(str(at)))
    return write(Path(path), header, saving.arrays)


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


def load_session(kind: type[Session], path: str | Path, game: Game | type[Game] | str | None,
                 memory: float | str | None, evaluate_many: Any) -> Session:
    """Return the session of a checkpoint; raise BadCheckpoint where it can't be used."""
    with closing(CheckpointFile(Path(path))) as file, refusing(file):
        version = file.header.get("version")
        file.require(version == __version__,
                     f"it was written by Zermelo {quoted(version)}, and this is {__version__}")
        session = _session(kind, file, game, memory, evaluate_many)
        _restore(session, file)
        return session


def _session(kind: type[Session], file: CheckpointFile, game: Game | type[Game] | str | None,
             memory: float | str | None, evaluate_many: Any) -> Session:
    """Return the session as it was before it asked anything."""
    header = file.header
    position = _position(file, _game(file, game))
    search = SEARCHES[header["search"]](**header["options"])
    file.require(header["valued"] == (evaluate_many is not None),
                 "its leaves are valued by a function, which has to be given as evaluate_many"
                 if evaluate_many is None else "its leaves are not valued by a function")
    candidates = header["candidates"]
    session = kind(
        position, search, evaluate_many=evaluate_many,
        candidates=candidates if isinstance(candidates, bool) else Zones(**candidates),
        **{name: header[name] for name in ASKED})
    code = code_digest(position.game, search, narrow=session.candidates)
    file.require(code == header["code"], "the program, or the file of the game, has changed since "
                                         "it was written")
    session.memory = _memory(file, memory)
    session.limits = Limits(memory=header["given"] if memory is None else memory)
    session.first = _subgoal(header["first"])
    session.seconds = _number(header["seconds"], MOST_SECONDS)
    session.compile_seconds = _number(header["compile_seconds"], MOST_SECONDS)
    session.stopped = str(header["stopped"])
    stages = int(_number(header["stages"], MOST))
    if stages > 0:
        session.whole = whole_game(position, None, session.player)
        if session.whole is not None:
            session.whole.stages = session.whole.stages[-stages:]
    return session


def _game(file: CheckpointFile, given: Game | type[Game] | str | None) -> Game:
    """Return the game, built in or as given; its rules are those of the checkpoint."""
    header = file.header
    name, source = header["game"], header["file"]
    if given is None:
        file.require(name in BUILT_IN and source is None,
                     f"it is about the game {quoted(name)}"
                     f"{f' of the file {file_name(source)}' if source else ''}, which has to be "
                     "given, as FILE.py:Class")
        given = str(name)
    kind = game_class(given) if isinstance(given, str) else given
    known = getattr(kind, "name", "") or getattr(kind, "__name__", str(kind)).lower()
    file.require(known == name, f"it is about {quoted(name)}, not about {quoted(known)}")
    game = given if isinstance(given, Game) else game_by_name(given, **header["parameters"])
    file.require(rules_digest(game.name, game.rules) == header["rules"],
                 f"it was made with other rules of {game.name}, or by another Python")
    return game


def _position(file: CheckpointFile, game: Game) -> Position:
    """Return the position, by its text and the moves after it."""
    position = game.parse(file.header["position"]).play(*file.header["moves"])
    file.require(position.state.tobytes().hex() == file.header["state"], WRONG)
    return position


def _number(found: Any, most: float, least: float = 0) -> Any:
    """Return a number; raise ValueError unless it is one from ``least`` to ``most``."""
    if type(found) not in (int, float) or not least <= found <= most:
        raise ValueError
    return found


def _subgoal(facts: dict[str, Any]) -> Subgoal:
    horizon = None if facts["horizon"] is None else int(_number(facts["horizon"], MOST))
    threshold = int(_number(facts["threshold"], MOST, -MOST))
    return Subgoal((0, 1).index(facts["player"]), threshold, horizon)


def _memory(file: CheckpointFile, given: float | str | None) -> int:
    """Return the memory that the session may use: as given, as it had, or half of the free."""
    had, free = _number(file.header["memory"], MOST), free_memory()
    limits = Limits(memory=had if given is None and 0 < had <= free else given)
    allowed = free if given is None else limits.memory_bytes
    file.require(file.bytes <= allowed,
                 f"it needs {file.bytes:,} bytes of memory, and there are {allowed:,}")
    return limits.memory_bytes


def _restore(session: Session, file: CheckpointFile) -> None:
    """Begin all runs again, and let them go on from where they were."""
    saved = Saved(file)
    if saved.has("trace"):
        session.trace = saved.json("trace")
    for at, facts in enumerate(file.header["subgoals"]):
        session.ask(_subgoal(facts), session.memory, alone=True)
        session.runs[-1].restore(saved.part(str(at)))
    legal = {None, *session.position.codes()}
    for run in session.runs:  # what they say can be said
        saved.require({run.chosen(), *(move for move, *_ in run.moves())} <= legal)
    for put_back in saved.later:
        put_back()


class Keeper:
    """Writes checkpoints of ``session`` to ``path``: give it to ``run`` as ``between``.

    ``every``: seconds from one to the next; by default 60, or more where the last took long. A
    failure to write the first one is an error; later ``tell`` is called with it, and the search
    goes on. ``there``: the session comes from this file, which need not be written at once. No
    other keeper may have the file at the same time.
    """

    def __init__(self, session: Session, path: str | Path, every: float | None = None,
                 tell: Callable[[str], None] | None = None, there: bool = False) -> None:
        self.session, self.path, self.every = session, Path(path), every
        self.tell = tell
        self.written = int(there)  # checkpoints
        self.due = 0.0
        check_can_be_saved(session)
        self.lock = CheckpointLock(self.path)
        if there:
            try_out(self.path)
            self.lock.take()
            self._rest(0.0)

    def __call__(self) -> None:
        """Write a checkpoint, if it is time."""
        if time.monotonic() >= self.due:
            self.write()

    def write(self, last: bool = False) -> bool:
        """Write a checkpoint now; return True if it was written. ``last``: the search has ended."""
        before, began = self.written, time.monotonic()
        try:
            self.session.save(self.path)
        except BadCheckpoint as error:
            if not self.written or self.tell is None:
                raise
            self.tell(f"{error} {LOST if last else GOES_ON}")
        else:
            self.written += 1
            self.lock.follow()
        self._rest(time.monotonic() - began)
        return self.written > before

    def _rest(self, took: float) -> None:
        """Set when the next one is due, after one that ``took`` some seconds."""
        rest = max(EVERY, took / SHARE) if self.every is None else self.every
        self.due = time.monotonic() + rest


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
