"""Scores and claims: what a search says about a position, as an estimate and as a fact.

A *score* is a whole number for the player to move. Evaluations lie within MOST_POINTS; a win that
takes n plies from the root is MATE - n, a loss n - MATE. In the table the plies count from the
position itself.

A *claim* is a proved bound of the value, LOSS, DRAW or WIN: ``lo`` from below, ``hi`` from above.
Claims begin at finished games and follow from the claims of children alone, so no score, no depth
and no window can make one. Nothing known is (LOSS, WIN).
"""

from zermelo.core.rules import DRAW as DRAWN
from zermelo.core.rules import FIRST_WINS, MOST_POINTS

UNIT = 64  # a ply: depths are whole numbers of this fraction
MATE = 2_000_000
SURE = MATE - 100_000  # from here on a score is a win
INF = MATE + 1
LOSS, DRAW, WIN = -1, 0, 1
EXACT, LOWER, UPPER = 1, 2, 3
BOUND_WORDS = {EXACT: "exact", LOWER: "at least", UPPER: "at most"}


def worth(end, mover):
    """LOSS, DRAW or WIN: an outcome for ``mover``."""
    if end == DRAWN:
        return DRAW
    return WIN if end == FIRST_WINS + mover else LOSS


def score_of(value, plies):
    """The score of a finished game ``plies`` below the root."""
    if value == DRAW:
        return 0
    return MATE - plies if value == WIN else plies - MATE


def clamped(points):
    """An evaluation, kept apart from wins and losses."""
    return min(max(points, -MOST_POINTS), MOST_POINTS)


def from_here(score, ply):
    """A score counted from the root as one counted from the position ``ply`` below it."""
    if score >= SURE:
        return score + ply
    return score - ply if score <= -SURE else score


def from_root(score, ply):
    """The reverse of ``from_here``."""
    if score >= SURE:
        return score - ply
    return score + ply if score <= -SURE else score


def bound_of(score, alpha, beta):
    """What a score found with the window (alpha, beta) says about the true one."""
    if score <= alpha:
        return UPPER
    return LOWER if score >= beta else EXACT


def proves(score, bound):
    """Whether a score with this bound stands for a win or a loss."""
    return (score >= SURE and bound != UPPER) or (score <= -SURE and bound != LOWER)


def plies_to_end(score: int) -> int | None:
    """How many plies a win or a loss takes, or None for an estimate."""
    return MATE - abs(score) if abs(score) >= SURE else None


def shown(score: int) -> int | str:
    """A score for people and JSON: points, or how soon the game is over."""
    plies = plies_to_end(score)
    if plies is None:
        return score
    return f"{'win' if score > 0 else 'loss'} in {plies}"
