"""Match: what came of two searches playing each other: points, Elo and how sure that is.

Games from one opening are not independent: an opening that favours one side gives a point to each
search, so that two such games say less, and a mirrored pair more, than two games of their own. So
the unit is the opening: its games have a mean, and the interval is that of the mean of these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.search.base import Search
from zermelo.solving.result import Limits

Z = 1.959964  # 97.5 % of a normal distribution
POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}


@dataclass(frozen=True)
class Score:
    """A score from A's side; ``low`` and ``high`` bound the expected share of points by 95 %."""

    won: int
    drawn: int
    lost: int
    units: int
    share: float
    low: float
    high: float

    @property
    def games(self) -> int:
        """Games that count."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """A game won is 1, a draw 1/2."""
        return self.won + self.drawn / 2

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference in Elo points, and its bounds."""
        return elo(self.share), elo(self.low), elo(self.high)

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        shown = [_number(x) for x in self.elo]
        return {"won": self.won, "drawn": self.drawn, "lost": self.lost, "games": self.games,
                "units": self.units, "points": self.points, "share": round(self.share, 6),
                "interval": [round(self.low, 6), round(self.high, 6)],
                "elo": shown[0], "elo_interval": shown[1:]}


def _number(x: float) -> float | str:
    return round(x, 1) if math.isfinite(x) else "inf" if x > 0 else "-inf"


def elo(share: float) -> float:
    """The Elo difference at which this share of the points is expected."""
    if share <= 0 or share >= 1:
        return math.inf if share >= 1 else -math.inf
    return 400 * math.log10(share / (1 - share))


def score_of(units: Sequence[Sequence[str]]) -> Score | None:
    """The score of games, given as values for A ("win", "draw", "loss"), a list for each opening.

    None where there are no games.
    """
    games = [value for unit in units for value in unit]
    if not games:
        return None
    won, drawn, lost = (games.count(value) for value in ("win", "draw", "loss"))
    counted = [(sum(POINTS[value] for value in unit), len(unit)) for unit in units if unit]
    low, high = interval(counted)
    return Score(won, drawn, lost, len(counted), (won + drawn / 2) / len(games), low, high)


def interval(units: Sequence[tuple[float, int]]) -> tuple[float, float]:
    """95 % bounds of the share of points, given points and games of each opening, by Student's t.

    The share is a ratio of sums; its variance is that of points - share * games, as usual for units
    of unequal size. Where that is 0, the spread says nothing: then Wilson's bounds for as many
    openings, as if all were won or lost, which varies most.
    """
    n, games = len(units), sum(size for _, size in units)
    mean = sum(points for points, _ in units) / games
    spread = sum((points - mean * size) ** 2 for points, size in units)
    variance = spread / (n - 1) / (games / n) ** 2 if n > 1 else 0.0
    if variance > 0:
        wide = student(n - 1) * math.sqrt(variance / n)
        return max(0.0, mean - wide), min(1.0, mean + wide)
    centre = (mean + Z * Z / (2 * n)) / (1 + Z * Z / n)
    wide = Z / (1 + Z * Z / n) * math.sqrt(mean * (1 - mean) / n + Z * Z / (4 * n * n))
    return max(0.0, centre - wide) if mean > 0 else 0.0, centre + wide if mean < 1 else 1.0


def student(freedom: int) -> float:
    """97.5 % of Student's t; from 6 degrees of freedom by Fisher and Cornish's series."""
    exact = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706}
    if freedom in exact:
        return exact[freedom]
    v, z = float(freedom), Z
    return (z + (z**3 + z) / (4 * v) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3))


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
