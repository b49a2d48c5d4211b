"""One game between two searches, each asked for its moves under the same budget."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from zermelo.core.position import Position
from zermelo.playing.choice import choose
from zermelo.playing.referee import Referee
from zermelo.search.base import Search
from zermelo.solving.result import Limits

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


def names_of(position: Position) -> list[str]:
    """The moves that led to ``position``, by name."""
    names, at = [], position.origin
    for code in position.played:
        names.append(at.game.move_name(at, code))
        at = at.play_code(code)
    return names


def play_game(start: Position, searches: tuple[Search, Search], limits: Limits, *, seed: int = 0,
              longest: int | None = None, plain: bool = False) -> Played:
    """The game from ``start`` on, the first of ``searches`` for the first player."""
    referee = Referee(start, longest)
    game = Played(len(start.played), names_of(start))
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
