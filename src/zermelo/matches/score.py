"""What a match says: points, Elo and how sure that is.

Games from one opening are not independent: an opening that favours one side gives a point to each
search, so that two such games say less, and a mirrored pair more, than two games of their own. So
the unit is the opening: its games have a mean, and the interval is that of the mean of these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
