"""The rules of the game by turns, for compiled code: everything is asked of the graph.

A position takes milliseconds to work out, so a call costs nothing, and the threat search is
compiled once instead of into every search.
"""

from typing import NamedTuple

import numpy as np

from zermelo.compiler.callback import call_back
from zermelo.core.rules import DRAW, ONGOING
from zermelo.core.winning_lines import Array
from zermelo.kernel.rng import next_counter
from zermelo.search.zones.graph import VICTORY

MOVES, KEY, PLAYOUTS = range(3)


class Calls(NamedTuple):
    """How the rules ask: ``address`` of the function; ``numbers`` and ``key`` to and from it;
    ``list`` for moves. ``keys``: of the first nodes; ``ends``: the outcomes of the two last ones,
    and who attacks."""

    address: int
    numbers: Array
    key: Array
    list: Array
    keys: Array
    ends: Array


def moves(g, s, out):
    """The turns to try, as the nodes they lead to."""
    n = call_back(g.address, MOVES, s.node, 0)
    for i in range(n):
        out[i] = g.list[i]
    return n


def play(g, s, move, t):
    """Go to the node ``move``."""
    t.node, t.result, t.turn = move, ONGOING, 1 - s.turn
    if move <= VICTORY:
        t.result, t.turn = g.ends[move], g.ends[VICTORY + 1]
    if move < len(g.keys):
        t.key = g.keys[move]
    else:
        call_back(g.address, KEY, move, 0)
        t.key = g.key[0]


def mover(g, s):
    """Who moves."""
    return np.int64(s.turn)


def outcome(g, s):
    """Only the two ends of the graph are finished games."""
    return np.int64(s.result)


def key(g, s):
    """A hash of the stones."""
    return s.key


def playouts(g, s, rng, n, won, scratch):
    """Games of random stones, from the position of the node."""
    g.numbers[0], g.numbers[1], g.key[0] = n, won, rng[0]
    rng[0] = next_counter(rng[0])
    return call_back(g.address, PLAYOUTS, s.node, 0)


def playout(g, s, rng, scratch):
    """One of them."""
    for won in range(1, DRAW):
        counter = rng[0]
        if playouts(g, s, rng, 1, won, scratch) > 0:
            return won
        rng[0] = counter
    rng[0] = next_counter(rng[0])
    return DRAW
