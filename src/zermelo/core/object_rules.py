"""The rules of games whose positions are Python objects, for the compiled searches.

A state is the number of an object in a store (see ``objects``), with what is asked most: who moves,
and how the game has ended. What the store knows of moves stands on pages, to be read here; all else
is asked by calls to the store. Nothing here depends on a game: all of them run through the same
machine code.
"""

from typing import Any, NamedTuple

import numpy as np

from zermelo.compiler.callback import call_back
from zermelo.compiler.guard import FAILED
from zermelo.compiler.pages import PAGE_BITS, PLACE, number_at
from zermelo.core.rules import DRAW, ONGOING
from zermelo.kernel.bits import mix, word
from zermelo.kernel.rng import next_counter

Array = np.ndarray[Any, Any]
STATE = [("number", "i8"), ("mover", "i4"), ("outcome", "i4")]
MOVES, PLAY, AHEAD, PLAYOUTS, EVALUATE, SCORE, STREAM, COUNTED_GAME = range(8)
KIND_BITS, WON_BITS = 3, 2
# On the pages of rows, for each object: where the answers about its moves begin and how many they
# are.
COUNT_BITS = 16
COUNT = (1 << COUNT_BITS) - 1
# An answer is the number of an object, from 1, its outcome, and who moves there.
MOVER_BITS, END_BITS = 1, 2
FACT_BITS = MOVER_BITS + END_BITS
ENDS = (1 << END_BITS) - 1
COUNTED = 1 << ENDS + 1  # beside the bits of outcomes


class Calls(NamedTuple):
    """``address`` of the store's function, and the pages of ``rows`` and of ``answers``: what
    ``play`` answers to each move of a row. All is 0 that was not asked yet."""

    address: int
    rows: Array
    answers: Array


def row_of(g, number):
    """Where the answers about the moves of an object begin, and how many there are; or 0."""
    page = g.rows[number >> PAGE_BITS]
    return number_at(page, number & PLACE) if page != 0 else np.int64(0)


def answer_of(g, row, move):
    """What ``play`` answers to a move of a row; or 0."""
    place = (row >> COUNT_BITS) + move
    page = g.answers[place >> PAGE_BITS]
    return number_at(page, place & PLACE) if page != 0 else np.int64(0)


def moves(g, s, out):
    """A move is its place in the list of the state's moves."""
    row = row_of(g, s.number)
    n = row & COUNT
    if row == 0:
        n = call_back(g.address, MOVES, s.number, 0)
        if n == FAILED:  # more than there can be, which makes every kernel come back
            return len(out)
    for i in range(n):
        out[i] = i
    return n


def ahead(g, s, stop, counted):
    """Ask for all of that at once, unless it is known; what fails, fails again when it is used."""
    row = row_of(g, s.number)
    played, asked = row != 0, True
    for i in range(row & COUNT):
        answer = answer_of(g, row, i)
        end = answer >> MOVER_BITS & ENDS
        if stop >> end & 1 != 0:
            asked = True
            break
        played &= answer != 0
        if counted and end == ONGOING and played:
            asked &= row_of(g, (answer >> FACT_BITS) - 1) != 0
    if not (played and asked):
        call_back(g.address, AHEAD, s.number, stop | COUNTED if counted else stop)


def play(g, s, move, t):
    """Go to the object that the move leads to; a number below 0 means that this failed."""
    row = row_of(g, s.number)
    answer = answer_of(g, row, move) if row != 0 else np.int64(0)
    if answer == 0:
        answer = call_back(g.address, PLAY, s.number, move)
        if answer == FAILED:
            t.number, t.mover, t.outcome = -1, 0, ONGOING
            return
    t.number = (answer >> FACT_BITS) - 1
    t.mover = answer & 1
    t.outcome = answer >> MOVER_BITS & ENDS


def mover(g, s):
    """Who moves."""
    return np.int64(s.mover)


def outcome(g, s):
    """How the game has ended, if it has."""
    return np.int64(s.outcome)


def key(g, s):
    """The number: there is one for each object."""
    return mix(word(s.number))


def stream(g, s):
    """A hash of the object, the same in every process."""
    return word(call_back(g.address, STREAM, s.number, 0))


def playouts(g, s, rng, n, won, scratch):
    """Games of random moves, played in Python."""
    counter = rng[0]
    rng[0] = next_counter(counter)
    how = PLAYOUTS | won << KIND_BITS | n << (KIND_BITS + WON_BITS)
    return max(call_back(g.address, how, s.number, np.int64(counter)), 0)


def playout(g, s, rng, scratch):
    """One of them."""
    counter = rng[0]
    rng[0] = next_counter(counter)
    how = PLAYOUTS | 1 << (KIND_BITS + WON_BITS)  # won by nobody: which outcome is asked
    end = call_back(g.address, how, s.number, np.int64(counter))
    return end if end > ONGOING else np.int64(DRAW)


def counted_playout(g, s, rng, scratch):
    """One of them, and how many moves there were to choose from."""
    counter = rng[0]
    rng[0] = next_counter(counter)
    answer = call_back(g.address, COUNTED_GAME, s.number, np.int64(counter))
    if answer == FAILED:
        return np.int64(DRAW), np.int64(0)
    return answer & ENDS, answer >> END_BITS


def evaluate(g, s):
    """How good the position looks for its mover."""
    return call_back(g.address, EVALUATE, s.number, 0)


def score(g, s):
    """The final score, from the first player's side."""
    return call_back(g.address, SCORE, s.number, 0)
