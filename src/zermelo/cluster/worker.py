"""A worker: runs depth-first searches below one position and keeps its table from job to job.

It knows nothing of processes or of a cluster: it is given orders and answers them.
``python -m zermelo.cluster.worker`` is the process of one, whose first message is the setup.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.cluster.tree import ChildReport, LeafReport, Message
from zermelo.core.object_game import ObjectGame
from zermelo.core.position import Position
from zermelo.errors import BadGame, BadOption, ZermeloError, file_name, one_line
from zermelo.games.registry import game as game_by_name
from zermelo.jobs.job import Files, copied, game_name, package_digest, same, with_neighbours
from zermelo.proof.header import Claim
from zermelo.search.base import Run, Search, Task
from zermelo.search.code import code_digest
from zermelo.search.reasons import SOLVED, UNKNOWN, WON
from zermelo.search.registry import search as search_by_id
from zermelo.solving.answer import proof_line
from zermelo.solving.certify import load_proofs, proof_of
from zermelo.solving.result import Limits
from zermelo.solving.session import Session
from zermelo.version import __version__
from zermelo.workers.messages import Cancelled, never, serve

FACTS: dict[str, type] = {  # what a journal says that it is about, and of what kind each is
    "game": str, "parameters": dict, "position": str, "search": str, "options": dict,
    "plain": bool, "seed": int, "version": str, "code": str, "goal": str}
WHICH_CODE = ("version", "code")


@dataclass(frozen=True)
class Setup:
    """A game of the user's own is named FILE.py:Class; ``files`` are that file and those beside it
    that it imports, for machines that don't have the same. ``code`` is the digest of everything
    that the answer depends on, for a journal; empty where there is none. ``package``: of all
    sources of Zermelo, which every worker has to have. ``memory`` and ``threads``, of each worker,
    may be others whenever a search goes on."""

    game: str
    parameters: dict[str, Any]
    position: str
    search: str
    options: dict[str, Any]
    plain: bool
    seed: int
    memory: int
    version: str
    code: str
    files: Files = field(default_factory=dict)
    threads: int = 1
    package: str = ""

    def to_bytes(self) -> bytes:
        """Return the setup as it is sent."""
        return json.dumps(asdict(self)).encode()

    @property
    def facts(self) -> dict[str, Any]:
        """Return what the search is about, whichever workers do it."""
        return {name: value for name, value in asdict(self).items() if name in FACTS}

    @classmethod
    def of(cls, position: Position, search: Search, *, plain: bool, seed: int,
           memory: int, threads: int = 1, kept: bool = False) -> Setup:
        """Return the setup of workers that search below ``position``; ``kept``: in a journal."""
        check_game(position)
        name = game_name(position.game)
        files = with_neighbours(name.rpartition(":")[0]) if ".py:" in name else {}
        code = code_digest(position.game, search) if kept else ""
        return cls(name, position.game.changed, position.text, search.id, search.all_options,
                   plain, seed, memory, __version__, code, files, threads, package_digest())

    def make(self) -> tuple[Position, Search]:
        """Return the position and the search, for a worker; BadGame if this machine has another
        version of Zermelo. A game of the user's own has the files that came with it."""
        if package_digest() != self.package:
            raise BadGame(f"a worker has other code than the master: Zermelo {package_digest()} "
                          f"there, {self.package} here; install the same version everywhere.")
        return self.made()

    def made(self) -> tuple[Position, Search]:
        """Return the position and the search, whatever code this machine has."""
        position = game_by_name(self._name(), **self.parameters).parse(self.position)
        return position, search_by_id(self.search, **self.options)

    def _name(self) -> str:
        """Return the game's own file where all of them are the same here, else a copy of it."""
        if all(same(path, text) for path, text in self.files.items()):
            return self.game
        path, _, kind = self.game.rpartition(":")
        return f"{copied(self.files)[str(Path(path))]}:{kind}"


def other_code(journal: str | Path | None, version: object, position: Position) -> BadOption:
    """Return the error for a journal that was written by other code."""
    return BadOption(f"the journal {file_name(journal)} was written by other code: Zermelo "
                     f"{one_line(version)} there, {__version__} here, or other rules of "
                     f"{position.game.name}; go on with what wrote it.")


def check_game(position: Position) -> None:
    """Refuse games that can't be searched in several processes."""
    game = position.game
    if isinstance(game, ObjectGame):
        raise BadOption(f"workers search compiled games only, and {game.name} is one in plain "
                        "Python; leave out workers.")
    if game.rules.repeat is not None:
        raise BadOption(f"{game.name} has its own rule for repetitions, by which the value of a "
                        "position depends on the moves before it; leave out workers.")


SEARCH, PROVE, MORE, LINE = "search", "prove", "more", "line"  # the kinds of orders
FIRST_SLICE, SLICE = 1 << 10, 1 << 15  # visits between two looks at the thresholds
KEPT_RUNS = 8
MOST_BYTES = 16 << 20  # of records in one answer, as far as one batch does not go beyond
KEY_BYTES = 12
SMALL_TABLE = 1 << 20


def key_of(position: Position) -> str:
    """Return the key of a position in every process, which its mirror images share."""
    state = position.canonical().state
    return hashlib.blake2b(state.tobytes(), digest_size=KEY_BYTES).hexdigest()


class Worker:
    """Answers orders about positions below the one of ``setup``."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.root, self.search = setup.make()
        self.table: Run | None = None  # a run that has the table which all share
        self.runs: OrderedDict[tuple[Any, ...], Run] = OrderedDict()
        self.records: Iterator[tuple[Any, Any, Any]] = iter(())
        self._compile()

    def _compile(self) -> None:
        """Load or compile before the first order what orders need: the search, the keys, and the
        records of proofs; in a small table of its own."""
        memory = min(self.setup.memory, SMALL_TABLE)
        with suppress(Exception):  # then the first order fails, and its answer says so
            run = self.search.start(Task(
                self.root, self.root.mover, memory, self.setup.seed, self.setup.plain,
                threads=self.setup.threads))
            run.advance(1)
            key_of(self.root.play_code(self.root.codes()[0]))
            load_proofs(self.root, run, memory)

    def answer(self, order: bytes, cancelled: Cancelled = never) -> bytes:
        """Return the answer to an order, with its number; an exception becomes an answer too."""
        message = pickle.loads(order)
        try:
            answer = self._do(message, cancelled)
        except MemoryError:
            answer = {"error": "out of memory"}
        except ZermeloError as error:
            answer = {"error": str(error)}
        except Exception as error:  # a bug in a game: a sentence, not the end of the worker
            answer = {"error": f"{type(error).__name__}: {error}"}
        return pickle.dumps({**answer, "order": message["order"]})

    def _do(self, message: Message, cancelled: Cancelled) -> Message:
        if message["kind"] == SEARCH:
            return {"report": self._search(message, cancelled)}
        if message["kind"] == LINE:
            return {"line": self._line(self._solved(message))}
        if message["kind"] == PROVE:
            session = self._solved(message)
            if session.runs[0].status != message["status"]:
                return {"agrees": False}
            self.records = self._proof(session, message)
        return self._batches()

    def at(self, path: list[int]) -> Position:
        """Return the position that ``path`` leads to."""
        position = self.root
        for move in path:
            position = position.play_code(move)
        return position

    def _search(self, order: Message, cancelled: Cancelled) -> LeafReport:
        began, run = time.process_time(), self._run(order)
        visits, expansions, slice = run.nodes, run.iterations, FIRST_SLICE
        budget, th_pn, th_dn = order["visits"], order["th_pn"], order["th_dn"]
        least = budget // 8  # before a threshold counts: jobs should be worth their way
        spent = False
        while run.status == UNKNOWN and not spent:
            done = run.nodes - visits
            # The limit holds for all threads together, a slice for each.
            if run.advance(min(slice, budget - done), visits + budget) == SOLVED:
                break
            slice = min(2 * slice, SLICE)
            done, numbers = run.nodes - visits, run.numbers()
            spent = done >= budget
            past = done >= least and (numbers["pn"] >= th_pn or numbers["dn"] >= th_dn)
            if past or cancelled():
                break
        if run.status != UNKNOWN:
            self.runs.pop(self._place(order), None)
        position = run.position
        numbers = run.numbers() if run.status == UNKNOWN else {"pn": 0, "dn": 0}
        return LeafReport(
            run.status, numbers["pn"], numbers["dn"], run.nodes - visits,
            run.iterations - expansions,
            run.proof_length if run.status != UNKNOWN and position.outcome is None else 0, spent,
            position.mover == run.attacker, key_of(position), time.process_time() - began,
            () if run.status != UNKNOWN else tuple(self._children(run)))

    def _children(self, run: Run) -> Iterator[ChildReport]:
        for move, status, numbers in run.moves():
            pn, dn = (numbers["pn"], numbers["dn"]) if status == UNKNOWN else (0, 0)
            yield ChildReport(move, status, pn, dn, key_of(run.position.play_code(move)))

    def _place(self, order: Message) -> tuple[Any, ...]:
        return (order["attacker"], order["threshold"], *order["path"])

    def _run(self, order: Message) -> Run:
        """Return a run that goes on where it was, or a new one with the same table."""
        place = self._place(order)
        run = self.runs.get(place)
        if run is None:
            run = self.search.start(Task(
                self.at(order["path"]), order["attacker"], self.setup.memory, self.setup.seed,
                self.setup.plain, order["threshold"], threads=self.setup.threads,
                shares=self.table))
        self.runs[place] = run
        self.runs.move_to_end(place)
        if len(self.runs) > KEPT_RUNS:
            self.runs.popitem(last=False)
        if self.table is None:
            self.table = run
        return run

    def _solved(self, order: Message) -> Session:
        """Return a session that has answered the question of a leaf, from the table if that has
        it."""
        position = self.at(order["path"])
        session = Session(position, self.search, goal="win", seed=self.setup.seed,
                          plain=self.setup.plain, player=order["attacker"])
        session.shares = self.table
        session.advance(Limits(memory=self.setup.memory))
        if self.table is None:
            self.table = session.runs[0]
        return session

    def _line(self, session: Session) -> list[int]:
        """Return the codes of a line of the proof."""
        position, codes = session.position, []
        won = session.runs[0].status == WON
        line = session.result(moves=False).line if won else proof_line(session.runs[:1])
        for name in line:
            codes.append(position.game.parse_move(position, name))
            position = position.play_code(codes[-1])
        return codes

    def _proof(self, session: Session, order: Message) -> Iterator[tuple[Any, Any, Any]]:
        claim = Claim(order["attacker"], wins=order["status"] == WON)
        if session.position.outcome is not None:
            return iter(())
        proof = proof_of(session, claim, memory=self.setup.memory)
        assert proof.records is not None
        return proof.records(order["search"])

    def _batches(self) -> Message:
        """Return the next records of the current proof, and if there are more."""
        batches, more, size = [], True, 0
        while more and size < MOST_BYTES:
            batch = next(self.records, None)
            more = batch is not None
            if batch is not None and len(batch[1]):
                arrays = [np.asarray(part).view(np.ndarray) for part in batch]
                batches.append(arrays)
                size += sum(each.nbytes for each in arrays)
        return {"agrees": True, "more": more, "records": batches}


def worker_of(setup: bytes) -> Worker:
    """Make the worker of a setup, as it is sent, in a process that does nothing else."""
    return Worker(Setup(**json.loads(setup)))


if __name__ == "__main__":
    serve(worker_of)
