"""The parts that a minimax search plugs into the driver, its arrays, scores and claims.

A *score* is a whole number for the player to move. Evaluations lie within MOST_POINTS; a win that
takes n plies from the root is MATE - n, a loss n - MATE. In the table the plies count from the
position itself.

A *claim* is a proved bound of the value, LOSS, DRAW or WIN: ``lo`` from below, ``hi`` from above.
Claims begin at finished games and follow from the claims of children alone, so no score, no depth
and no window can make one. Nothing known is (LOSS, WIN).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo.core.rules import DRAW as DRAWN
from zermelo.core.rules import FIRST_WINS, MOST_POINTS

Function = Callable[..., Any]
Array = np.ndarray[Any, Any]

UNIT = 64  # a ply: depths are whole numbers of this fraction
MATE = 2_000_000
SURE = MATE - 100_000  # from here on a score is a win
INF = MATE + 1
LOSS, DRAW, WIN = -1, 0, 1
EXACT, LOWER, UPPER = 1, 2, 3
BOUND_WORDS = {EXACT: "exact", LOWER: "at least", UPPER: "at most"}

# How a move is being searched: with a null window, with one again and deeper, with the whole
# window; or it is done.
PROBE, HALFWAY, FULL, DONE = range(4)
# What the loop does next: enter the node at `ply`, go on with it, go back to its parent.
DOWN, ON, UP = range(3)

CONTROL = np.dtype(
    [("ply", "i8"), ("phase", "i8"), ("depth", "i8"), ("strict", "i8"), ("nodes", "i8"),
     ("expansions", "i8"), ("evaluated", "i8"), ("evicted", "i8"), ("lost", "i8"),
     ("patience", "i8"), ("limit", "i8"), ("pause", "i8"), ("deepest", "i8"), ("age", "i8"),
     ("first", "i8"), ("within", "i8"),
     ("score", "i8"), ("lo", "i8"), ("hi", "i8"), ("anchor_lo", "i8"), ("anchor_hi", "i8"),
     ("closed", "i8"), ("plain", "i8")]
)

FRAME = np.dtype(
    [("mover", "i8"), ("depth", "i8"), ("alpha", "i8"), ("beta", "i8"), ("floor", "i8"),
     ("best", "i8"), ("best_at", "i8"), ("count", "i8"), ("tried", "i8"), ("at", "i8"),
     ("step", "i8"), ("dec", "i8"), ("hash", "u8"), ("check", "u8"),
     ("lo", "i8"), ("hi", "i8"), ("anchor_lo", "i8"), ("anchor_hi", "i8"), ("closed", "i8"),
     ("known_lo", "i8"), ("known_hi", "i8"),
     ("move_lo", "i8"), ("move_hi", "i8"), ("move_anchor_lo", "i8"), ("move_anchor_hi", "i8")]
)

ROOT_MOVE = np.dtype(
    [("move", "i4"), ("bound", "i4"), ("score", "i8"), ("depth", "i8"), ("lo", "i8"), ("hi", "i8"),
     ("here_lo", "i8"), ("here_hi", "i8")]
)


class Stack(NamedTuple):
    """A search in progress.

    frames   the nodes from the root to the current one, at ``control.ply``. ``floor``: alpha as the
             node was entered; ``alpha`` rises with ``best``. ``at``: the move being searched, by
             its place in the game's order, ``step`` and ``dec`` how; ``tried`` of ``count`` moves
             have been begun. ``lo`` and ``hi`` are the claims so far, ``known_`` those of the
             table, ``move_`` those about the move being searched; ``anchor``: the uppermost ply of
             the path that a claim depends on, by a repetition; ``closed``: no evaluation below
    states   the states of the path, ``keys`` their keys, ``words`` the states as words
    lists    the moves of each node of the path, ``kinds`` their categories, ``orders`` when
             to try them, -1 once tried
    killers  two moves a ply that refuted another line; ``history`` how often a move did
    root     the moves of the root: the report of the last search of each. ``lo`` and ``hi`` hold
             everywhere, ``here_lo`` and ``here_hi`` may rest on a repetition of the root
    stop     one element: not 0 makes the loop come back
    control  one record. ``score`` .. ``closed``: the report of the node just left to its parent;
             ``first``: the root's move to try first; ``strict``: no cut by estimates; ``within``:
             the plies within which a win or loss in the table must come, or NEVER; ``plain``:
             not 0 if nothing but the rules counts
    """

    frames: Array
    states: Array
    keys: Array
    words: Array
    lists: Array
    kinds: Array
    orders: Array
    killers: Array
    history: Array
    root: Array
    stop: Array
    control: Array


@dataclass(frozen=True)
class Plan:
    """The parts of a search, as functions for compiled code. ``o`` holds its options.

    begin   ``begin(o, counter, kind, alpha) -> (step, dec)``: how to search the move number
            ``counter`` (from 1), of category ``kind``, first: the step, and by how much the depth
            decreases
    again   ``again(o, step, dec, value, alpha, beta) -> (step, dec)``: how to search it again after
            a search that gave ``value``; DONE if it need not be
    """

    begin: Function
    again: Function


def worth(end, mover):
    """Return an outcome as LOSS, DRAW or WIN for ``mover``."""
    if end == DRAWN:
        return DRAW
    return WIN if end == FIRST_WINS + mover else LOSS


def score_of(value, plies):
    """Return the score of a finished game ``plies`` below the root."""
    if value == DRAW:
        return 0
    return MATE - plies if value == WIN else plies - MATE


def clamped(points):
    """Return an evaluation kept apart from wins and losses."""
    return min(max(points, -MOST_POINTS), MOST_POINTS)


def from_here(score, ply):
    """Return a score counted from the root as one counted from the position ``ply`` below it."""
    if score >= SURE:
        return score + ply
    return score - ply if score <= -SURE else score


def from_root(score, ply):
    """Return a score counted from the position at ``ply`` as one counted from the root."""
    if score >= SURE:
        return score - ply
    return score + ply if score <= -SURE else score


def bound_of(score, alpha, beta):
    """Return the bound that a score found with the window (alpha, beta) is of the true one."""
    if score <= alpha:
        return UPPER
    return LOWER if score >= beta else EXACT


def proves(score, bound):
    """Return True if a score with this bound stands for a win or a loss."""
    return (score >= SURE and bound != UPPER) or (score <= -SURE and bound != LOWER)


def plies_to_end(score: int) -> int | None:
    """Return the plies that a win or a loss takes, or None for an estimate."""
    return MATE - abs(score) if abs(score) >= SURE else None


def shown(score: int) -> int | str:
    """Return a score for people and JSON: points, or the plies to the end of the game."""
    plies = plies_to_end(score)
    if plies is None:
        return score
    return f"{'win' if score > 0 else 'loss'} in {plies}"
