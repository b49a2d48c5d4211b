"""Playing: a move under a budget, a guess where nothing is proved, and games between two searches.

``Referee`` says when a game that is played is over, by the rules and by what came before.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.core.position import Position
from zermelo.core.rules import OUTCOMES
from zermelo.errors import BadOption, quoted
from zermelo.search.base import Search
from zermelo.solving.result import Limits, Result, Value
from zermelo.solving.session import Session


@dataclass(frozen=True)
class Choice:
    """The move that a search would play, and what it knows about the position.

    ``proved``: the value is proved, and the move keeps it. ``root``: the search's numbers.
    """

    move: str
    proved: bool
    root: dict[str, Any]
    result: Result


def choose(position: Position, search: Search | str = "pvs", *, nodes: float | str | None = None,
           time: float | str | None = None, memory: float | str | None = None, seed: int = 0,
           plain: bool = False) -> Choice:
    """The move that ``search`` would play within this budget.

    A search that has not looked at anything yet plays the first legal move.
    """
    limits = Limits(nodes=nodes, time=time, memory=memory)
    session = Session(position, search, seed=seed, plain=plain)
    codes = position.codes()
    if not codes:
        raise BadOption(f"choose: the game is over at {position.text!r}; there is no move.")
    if limits.nodes is None and limits.time is None:
        raise BadOption("choose needs a budget: nodes=100_000, or time=1.0, or both.")
    result = session.run(limits)
    move = result.move
    if move is None:
        chosen = session.runs[-1].chosen()
        move = position.game.move_name(position, codes[0] if chosen is None else chosen)
    return Choice(move, result.proved, result.root, result)


BY_EVALUATION = "pvs"
SHARE, MOST_SECONDS, MOST_NODES = 10, 1.0, 100_000  # a tenth of the limits, and never more
LEAST_SECONDS, LEAST_NODES = 0.01, 100  # less is not worth the loading
MEMORY = 1 << 26


@dataclass(frozen=True)
class Guess:
    """A move that is not proved to be best. ``by``: the search that would play it.

    ``depth``: how many plies a search with the game's evaluation has looked ahead; None where the
    move is the one that the proof search finds most promising, or the ``only`` one that is not
    proved to lose.
    """

    move: str
    by: str
    depth: int | None = None
    only: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the object as in the JSON output."""
        return {"move": self.move, "by": self.by, "depth": self.depth, "only": self.only}

    def __str__(self) -> str:
        if self.only:
            return f"{self.move} (every other move loses)"
        how = f"{self.by} to depth {self.depth}" if self.depth else f"most promising to {self.by}"
        return f"{self.move} (not proved; {how})"


def guess(session: Session, limits: Limits | None = None, *,
          losing: Collection[str] = ()) -> Guess | None:
    """Return a move for a session that has not proved which is best; None if it has no idea.

    PVS looks ahead with the game's evaluation, for a tenth of the ``limits`` of the session and at
    most 100,000 nodes where there is one on nodes, else one second. Where the game has no
    evaluation, or the session is plain or was interrupted, it is the move that its own search finds
    most promising. ``losing``: moves that are known to lose, beside those that the session knows.
    """
    if not isinstance(session, Session):
        raise BadOption(f"guess needs a Session, such as zermelo.start(position), not "
                        f"{quoted(session)}.")
    position, own = session.position, session.search.id
    if position.outcome is not None:
        return None
    known = [row.move for row in session.answer.moves()
             if session.player == position.mover and row.value == Value.LOSS]
    lost = {*losing, *known}
    left = [move for move in position.moves() if move not in lost]
    if len(left) == 1:
        return Guess(left[0], own, only=True)
    found = [_by_evaluation(session, limits or Limits()), _own(session)]
    return next((each for each in found if each is not None and each.move in left), None)


def _by_evaluation(session: Session, limits: Limits) -> Guess | None:
    position = session.position
    if position.game.rules.evaluate is None or session.by_rules or (
            session.runs and session.stopped == "interrupted"):
        return None
    nodes, seconds = _budget(limits)
    if (nodes is not None and nodes < LEAST_NODES) or (
            seconds is not None and seconds < LEAST_SECONDS):
        return None
    ahead = Session(position, BY_EVALUATION, seed=session.seed)
    ahead.prepare(Limits(memory=MEMORY))  # compiling takes nothing of the budget
    ahead.advance(Limits(nodes=nodes, time=seconds, memory=MEMORY))
    run = ahead.runs[-1]
    chosen, depth = run.chosen(), run.numbers().get("depth")
    if chosen is None or not depth:
        return None
    return Guess(ahead.answer.move_name(chosen), BY_EVALUATION, depth)


def _budget(limits: Limits) -> tuple[int | None, float | None]:
    """Nodes and seconds: no seconds where nodes alone are limited, so that it is the same move."""
    nodes = None if limits.nodes is None else min(limits.nodes // SHARE, MOST_NODES)
    if limits.time is None:
        return nodes, (MOST_SECONDS if nodes is None else None)
    return nodes, min(limits.time / SHARE, MOST_SECONDS)


def _own(session: Session) -> Guess | None:
    """Return the move that the search itself would play, as far as it has come."""
    chosen = next((code for run in reversed(session.runs)
                   if (code := run.chosen()) is not None), None)
    if chosen is None:
        return None
    return Guess(session.answer.move_name(chosen), session.search.id)


END, REPETITION, LENGTH = "end", "repetition", "length"


class Referee:
    """Watches one game. ``longest``: a draw after this many moves, the opening included."""

    def __init__(self, start: Position, longest: int | None = None) -> None:
        self.rules = start.game.rules
        self.longest = self.rules.max_length if longest is None else longest
        self.way = start.way
        self.met = Counter(self.way if self.rules.cyclic else ())

    def see(self, position: Position) -> None:
        """Note that ``position`` has come up."""
        self.way.append(position)
        if self.rules.cyclic:
            self.met[position] += 1

    def verdict(self) -> tuple[str, str] | None:
        """The outcome and why, or None while the game goes on."""
        now = self.way[-1]
        if now.outcome is not None:
            return now.outcome, END
        if self.rules.cyclic and self.met[now] > 1:
            repeated = self._repetition(now)
            if repeated is not None:
                return repeated, REPETITION
        if len(self.way) > self.longest:
            return "draw", LENGTH
        return None

    def _repetition(self, now: Position) -> str | None:
        """A draw when it has come up often enough; a game's own rule is asked every time."""
        if self.rules.repeat is None:
            return "draw" if self.met[now] >= now.game.draw_at else None
        last = len(self.way) - 1
        before = max(i for i in range(last) if self.way[i] == now)
        path = np.concatenate([position.state for position in self.way])
        return OUTCOMES[now.game.board.repeat(path, before, last)]


LONGEST_GAME = 24 * 3600.0  # seconds

@dataclass
class Played:
    """A finished game: its moves since the position that was set up, and what they took.

    ``nodes`` and ``seconds`` are for the first player and the second; ``opening``: how many of the
    moves were given.
    """

    opening: int
    moves: list[str] = field(default_factory=list)
    outcome: str = ""
    how: str = ""
    nodes: list[int] = field(default_factory=lambda: [0, 0])
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    compile_seconds: float = 0.0
    peak_bytes: int = 0


def play_game(start: Position, searches: tuple[Search, Search], limits: Limits, *, seed: int = 0,
              longest: int | None = None, plain: bool = False) -> Played:
    """The game from ``start`` on, the first of ``searches`` for the first player."""
    referee = Referee(start, longest)
    game = Played(len(start.played), start.played_names())
    position = start
    while (verdict := referee.verdict()) is None:
        move = _move(position, searches[position.mover], limits, game, seed, plain)
        game.moves.append(move)
        position = position.play(move)
        referee.see(position)
    game.outcome, game.how = verdict
    return game


def _move(position: Position, search: Search, limits: Limits, game: Played, seed: int,
          plain: bool) -> str:
    """The move that is played; an only move needs no search."""
    moves, player = position.moves(), position.mover
    if len(moves) == 1:
        return moves[0]
    choice = choose(position, search, nodes=limits.nodes, time=limits.time, memory=limits.memory,
                    seed=seed_of(seed, position), plain=plain)
    if choice.result.stopped == "interrupted":
        raise KeyboardInterrupt
    game.nodes[player] += choice.result.nodes
    game.seconds[player] += choice.result.seconds
    game.compile_seconds += choice.result.compile_seconds
    game.peak_bytes = max(game.peak_bytes, choice.result.peak_bytes)
    return choice.move


def seed_of(seed: int, position: Position) -> int:
    """A seed for one move: other moves of a game have others. The noise and the playouts that
    follow from it depend on the position searched as well."""
    facts = f"{seed} {len(position.played)} {position.origin.text}"
    return int.from_bytes(hashlib.sha256(facts.encode()).digest()[:8], "big")


def as_row(game: Played, player: int) -> dict[str, Any]:
    """The game as a row of the lab, its value for ``player``."""
    mine = ("first", "second")[player]
    value = "draw" if game.outcome == "draw" else "win" if game.outcome == mine else "loss"
    return {
        "status": "done", "value": value, "proved": False, "concluded": False,
        "stopped": game.how, "move": None, "nodes": sum(game.nodes),
        "iterations": len(game.moves) - game.opening, "seconds": sum(game.seconds),
        "compile_seconds": game.compile_seconds, "peak_bytes": game.peak_bytes,
        "played": {"moves": game.moves, "opening": game.opening, "outcome": game.outcome,
                   "how": game.how, "player": player, "nodes": game.nodes,
                   "seconds": game.seconds},
    }
