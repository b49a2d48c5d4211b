"""The rules of games whose positions are Python objects, for the compiled searches.

A state is the number of an object in a store (see ``objects``), with what is asked most: who moves,
and how the game has ended. All else is asked by calls to the store. Nothing here depends on a game:
all of them run through the same machine code.
"""

from typing import Any, NamedTuple

import numpy as np

from zermelo.core.rules import DRAW, ONGOING
from zermelo.kernel.bits import mix, word
from zermelo.kernel.callback import call_back
from zermelo.kernel.rng import next_counter

Array = np.ndarray[Any, Any]
STATE = [("number", "i8"), ("mover", "i4"), ("outcome", "i4")]
MOVES, PLAY, PLAYOUTS, EVALUATE, SCORE, STREAM = range(6)
KIND_BITS, WON_BITS = 3, 2
LARGEST_MOVE_BITS = 16
EDGE_BITS = 17
EDGES = 1 << EDGE_BITS
EMPTY = np.uint64(1 << 63)  # no number of an edge
FAILED = np.uint64((1 << 64) - 1)
COUNT = np.uint64(0xFFFF)  # in the place of a move: how many there are
THREE = np.uint64(3)
ONE = np.uint64(1)


class Calls(NamedTuple):
    """``address`` of the store's function. ``edges``: what was asked last, each as two words: what
    ``play`` answered, or ``moves``, and before it the same xor number and move of the state, so
    that what two threads wrote at the same time is not believed."""

    address: int
    edges: Array


def new_edges() -> Array:
    """Nothing was played yet."""
    edges = np.zeros(2 * EDGES, np.uint64)
    edges[::2] = EMPTY
    return edges


def moves(g, s, out):
    """A move is its place in the list of the state's moves."""
    edge = (word(s.number) << LARGEST_MOVE_BITS) | COUNT
    at = np.int64(mix(edge) >> word(64 - EDGE_BITS)) * 2
    answer = g.edges[at + 1]
    if g.edges[at] ^ answer != edge:
        answer = word(call_back(g.address, MOVES, s.number, 0))
        if answer == FAILED:  # more than there can be, which makes every kernel come back
            return len(out)
        g.edges[at], g.edges[at + 1] = edge ^ answer, answer
    n = np.int64(answer)
    for i in range(n):
        out[i] = i
    return n


def play(g, s, move, t):
    """Go to the object that the move leads to; a number below 0 means that this failed."""
    edge = (word(s.number) << LARGEST_MOVE_BITS) | word(move)
    at = np.int64(mix(edge) >> word(64 - EDGE_BITS)) * 2
    answer = g.edges[at + 1]
    if g.edges[at] ^ answer != edge:
        answer = word(call_back(g.address, PLAY, s.number, move))
        if answer == FAILED:
            t.number, t.mover, t.outcome = -1, 0, ONGOING
            return
        g.edges[at], g.edges[at + 1] = edge ^ answer, answer
    t.number = np.int64(answer >> word(3))
    t.mover = np.int64(answer & ONE)
    t.outcome = np.int64((answer >> ONE) & THREE)


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


def evaluate(g, s):
    """How good the position looks for its mover."""
    return call_back(g.address, EVALUATE, s.number, 0)


def score(g, s):
    """The final score, from the first player's side."""
    return call_back(g.address, SCORE, s.number, 0)
