"""Match: what came of two searches playing each other, as plain records."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.matches.score import Score, score_of
from zermelo.search.base import Search
from zermelo.solving.result import Limits

Turn = tuple[int, int, int]  # the opening's number, the round, the player that A is


@dataclass(frozen=True)
class MatchGame:
    """A game of a match: from which opening, as which player A played, and how it went.

    ``moves`` are all since the ``start`` that was set up, the first ``opening`` of them given.
    ``value`` is that for A; ``nodes`` and ``seconds`` are for the first and the second player.
    """

    turn: Turn
    start: Position
    moves: list[str]
    opening: int
    outcome: str
    how: str
    value: str
    nodes: list[int]
    seconds: list[float]

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        facts = {item.name: getattr(self, item.name) for item in fields(self)}
        number, round, player = facts.pop("turn")
        return {"number": number, "round": round, "player": player, **facts,
                "start": self.start.text}


@dataclass(frozen=True)
class Match:
    """What came of a match; ``b`` is None where A played itself, once from each opening.

    ``turns`` are the games that there were to be, ``failed`` why some could not be played.
    """

    game: Game
    a: Search
    b: Search | None
    limits: Limits
    seed: int
    turns: list[Turn]
    games: list[MatchGame]
    failed: list[str]
    ran: int
    seconds: float
    interrupted: bool
    notes: list[str]

    @property
    def score(self) -> Score | None:
        """The score of A, over the openings whose games have all been played."""
        due: dict[int, int] = {}
        for number, _, _ in self.turns:
            due[number] = due.get(number, 0) + 1
        units: dict[int, list[str]] = {}
        for game in self.games:
            units.setdefault(game.turn[0], []).append(game.value)
        return score_of([unit for number, unit in units.items() if len(unit) == due[number]])

    @property
    def complete(self) -> bool:
        """Whether all games were played."""
        return len(self.games) == len(self.turns)

    def outcomes(self) -> dict[str, int]:
        """How many games the first player won, the second won, and were drawn."""
        return {end: sum(game.outcome == end for game in self.games)
                for end in ("first", "second", "draw")}

    def ended(self, how: str) -> int:
        """How many games ended by ``repetition`` or ``length``."""
        return sum(game.how == how for game in self.games)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that ``zermelo match --json`` prints."""
        score = self.score
        return {
            "game": self.game.name, "parameters": self.game.changed,
            "a": {"search": self.a.id, "options": self.a.options},
            "b": None if self.b is None else {"search": self.b.id, "options": self.b.options},
            "nodes": self.limits.nodes, "time": self.limits.time, "seed": self.seed,
            "total": len(self.turns), "done": len(self.games), "failed": self.failed,
            "interrupted": self.interrupted, "outcomes": self.outcomes(),
            "by_repetition": self.ended("repetition"), "by_length": self.ended("length"),
            "score": None if score is None or self.b is None else score.to_dict(),
        }
