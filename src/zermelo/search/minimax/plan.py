"""The parts that a minimax search plugs into the driver, its arrays, scores, claims and entries.

A *score* is a whole number for the player to move. Evaluations lie within MOST_POINTS; a win that
takes n plies from the root is MATE - n, a loss n - MATE. In the table the plies count from the
position itself.

A *claim* is a proved bound of the value, LOSS, DRAW or WIN: ``lo`` from below, ``hi`` from above.
Claims begin at finished games and follow from the claims of children alone, so no score, no depth
and no window can make one. Nothing known is (LOSS, WIN).

An *entry* of the table is two words: the check of the position xor the data, and the data, from the
lowest bit

    score 23 | depth 14 | bound 2 | lo 2 | hi 2 | closed 1 | move 13 | age 4 | used 1

with the score counted from the position itself, the depth in units (the largest stands for all
above), the move by its place in the game's order plus 1, and the age that of the iteration. Where
a bucket is full the entry with the least depth goes, those of past iterations first. Buckets,
checks and growth are those of ``common.table``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo.core.rules import DRAW as DRAWN
from zermelo.core.rules import FIRST_WINS, MOST_POINTS
from zermelo.kernel.bits import ONE, ZERO, word
from zermelo.search.common.table import BUCKET_WORDS

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


ENTRY_WORDS = 2
SCORE_BIAS = 1 << 22
DEEPEST, MOST_PLACES = (1 << 14) - 1, (1 << 13) - 2
AGES = 16
AGED = 4 * UNIT  # an iteration ago counts as so much depth
SCORE_MASK, DEPTH_MASK, PLACE_MASK = word((1 << 23) - 1), word(DEEPEST), word((1 << 13) - 1)
THREE = word(3)
AT_DEPTH, AT_BOUND, AT_LO, AT_HI, AT_CLOSED, AT_PLACE, AT_AGE, AT_USED = (
    23, 37, 39, 41, 43, 44, 57, 61)


def packed(score, depth, bound, lo, hi, closed, place, age):
    """The data of an entry; ``place`` -1 for no move."""
    depth = max(0, min(depth, DEEPEST))
    place = place + 1 if place < MOST_PLACES else 0
    return (word(score + SCORE_BIAS) | (word(depth) << AT_DEPTH) | (word(bound) << AT_BOUND)
            | (word(lo + 1) << AT_LO) | (word(hi + 1) << AT_HI) | (word(closed) << AT_CLOSED)
            | (word(place) << AT_PLACE) | (word(age % AGES) << AT_AGE) | (ONE << AT_USED))


def score_in(data):
    """The score, counted from the position."""
    return np.int64(data & SCORE_MASK) - SCORE_BIAS


def depth_in(data):
    """The depth searched, in units."""
    return np.int64((data >> AT_DEPTH) & DEPTH_MASK)


def bound_in(data):
    """EXACT, LOWER or UPPER."""
    return np.int64((data >> AT_BOUND) & THREE)


def lo_in(data):
    """The claim from below."""
    return np.int64((data >> AT_LO) & THREE) - 1


def hi_in(data):
    """The claim from above."""
    return np.int64((data >> AT_HI) & THREE) - 1


def closed_in(data):
    """Return 1 if no evaluation went into the score, else 0."""
    return np.int64((data >> AT_CLOSED) & ONE)


def place_in(data):
    """The place of the best move, or -1."""
    return np.int64((data >> AT_PLACE) & PLACE_MASK) - 1


def age_in(data):
    """The iteration that wrote it, modulo AGES."""
    return np.int64((data >> AT_AGE) & word(AGES - 1))


def look(table, bucket, check):
    """The data of the entry with this check; 0 if there is none."""
    for slot in range(bucket, bucket + BUCKET_WORDS, ENTRY_WORDS):
        data = table[slot + 1]
        if table[slot] ^ data == check and data != ZERO:
            return data
    return ZERO


def keep(table, bucket, check, score, depth, bound, lo, hi, closed, place, age):
    """Write an entry; True if one of this iteration had to go.

    Of an older entry about the same position the claims stay, the move if there is no new one, and
    a proved win or loss if the new score is none.
    """
    target, least, live = bucket, 1 << 40, False
    for slot in range(bucket, bucket + BUCKET_WORDS, ENTRY_WORDS):
        data = table[slot + 1]
        if data == ZERO:
            target, live = slot, False
            break
        if table[slot] ^ data == check:
            target, live = slot, False
            lo, hi = max(lo, lo_in(data)), min(hi, hi_in(data))
            place = place_in(data) if place < 0 else place
            old = score_in(data)
            if proves(old, bound_in(data)) and not proves(score, bound):
                score, depth, bound, closed = old, depth_in(data), bound_in(data), closed_in(data)
            break
        years = (age - age_in(data)) % AGES
        rank = depth_in(data) - AGED * years
        if rank < least:
            target, least, live = slot, rank, years == 0
    data = packed(score, depth, bound, lo, hi, closed, place, age)
    table[target] = check ^ data
    table[target + 1] = data
    return live
