"""The parts that a best-first search plugs into the driver, and its tree in flat arrays.

Every search extends one node record, which has two layouts. *Contiguous*: the children of a node
are created together, at ``first`` .. ``first + count - 1``. *Linked*: children are created one at a
time; ``first`` is the leftmost, ``next`` leads on, ``made`` of ``count`` exist. In both, a child
has a larger index than its parent, and index 0 is the root.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo.core.board import Scratch, records
from zermelo.search.reasons import LOST, UNKNOWN, WON

Function = Callable[..., Any]
Array = np.ndarray[Any, Any]

NO_NODE = 0  # as `first` or `next` (the root is no node's child)
MOST_CHILDREN = 65_535
MOST_NODES = 2_147_483_647

HEADER = [("first", "i4"), ("move", "i4"), ("count", "u2"), ("status", "u1"), ("mover", "u1")]
LINKS = [("next", "i4"), ("made", "u2"), ("pad", "u2")]

CONTROL = np.dtype(
    [("depth", "i8"), ("root_at", "i8"), ("used", "i8"), ("nodes", "i8"), ("iterations", "i8"),
     ("work", "i8"), ("limit", "i8"), ("pause", "i8"), ("attacker", "i8"), ("under_way", "i8"),
     ("settled", "i8"), ("plain", "i8"), ("seed", "u8")]
)


class Tree(NamedTuple):
    """A search in progress.

    nodes    the pool; ``control.used`` of them are in use
    path     indices of the nodes from the root to the current node; ``states`` their states,
             ``keys`` their keys and ``raw`` the states' bytes (the last two for cyclic games).
             The root stands at ``control.root_at``, the current node ``control.depth`` below it
    child    the state of the child being created, ``child_raw`` its bytes
    moves    a list of moves; ``scratch`` is the working space of playouts
    control  one record: where the search stands and what it is asked. ``nodes`` counts what was
             created (the papers' count) and ``work`` the expansions, both on all levels; the loop
             pauses at iteration ``pause``; ``under_way``: a nested search is not finished;
             ``settled``: the last expansion made a finished game; ``plain``: not 0 if
             nothing but the rules counts
    """

    nodes: Array
    path: Array
    states: Array
    raw: Array
    keys: Array
    child: Array
    child_raw: Array
    moves: Array
    scratch: Scratch
    control: Array


def never_arrived(o, nodes):
    """Return False, as ``arrived`` of searches that stop at a proof only."""
    return False


@dataclass(frozen=True)
class Plan:
    """The parts of a search, as functions for compiled code.

    ``o`` holds the search's options, ``nodes`` the pool, ``n`` a node's index; ``attacker_moves``
    is True at OR nodes. The driver keeps ``status`` (UNKNOWN, WON, LOST) itself, apart from the
    numbers, and calls:

    select    ``select(o, nodes, n, attacker_moves) -> child``: the unsolved child to follow
    evaluate  ``evaluate(g, o, tree, n, s, depth)``: the numbers of the new, unsolved node ``n``,
              whose state is ``s``; it must leave ``tree.moves`` alone
    settle    ``settle(o, nodes, n)``: the numbers of a finished game, by its status
    drawn     ``drawn(o, nodes, n)``: those of a draw, where they differ from those of a loss
    backup    ``backup(o, nodes, n, leaf, attacker_moves) -> changed``: the numbers of ``n`` after
              ``leaf`` below it was expanded or made; False ends the backup there
    arrived   ``arrived(o, nodes) -> bool``: the root is within the precision asked for
    choose    ``choose(o, nodes, n, attacker_moves) -> child``: the root's move that would be played
              now (without it: the selected one)
    linked    children are created one at a time (MCTS), not all at once
    shuffle   moves are tried in an order drawn from (seed, position) instead of the game's own;
              ``one_order``: drawn from the seed alone, so that two moves come in the same order
              everywhere
    nested    a leaf is expanded by a search of its own (PN2): the plan of that search
    nested_limit  ``nested_limit(o, size) -> nodes`` of the nested search, ``size`` the first
              level's number of nodes
    """

    select: Function
    evaluate: Function
    settle: Function
    backup: Function
    arrived: Function = never_arrived
    choose: Function | None = None
    drawn: Function | None = None
    linked: bool = False
    shuffle: bool = False
    one_order: bool = False
    nested: Plan | None = None
    nested_limit: Function | None = None


def node_dtype(numbers: list[Any], linked: bool) -> np.dtype[Any]:
    """Return the record of a node: the common header, the links if any, then the search's
    numbers."""
    return np.dtype(HEADER + (LINKS if linked else []) + numbers)


def node_pool(dtype: np.dtype[Any], wanted: int) -> Array:
    """Return space for ``wanted`` nodes, or for as many as the system grants; touched only when
    used.

    All zero, for a search leaves some bytes of a record alone, and two runs are compared, and
    checkpoints written, with all bytes of it.
    """
    while True:
        try:
            return records(dtype, wanted)
        except MemoryError:
            wanted //= 2


def status_of(nodes, n):
    """Return what is proved of a node."""
    return nodes[n].status


def verdict_of(proved: Function, linked: bool) -> Function:
    """``verdict(nodes, n, attacker_moves)``: WON, LOST or UNKNOWN, what the children of ``n`` say
    about it; ``proved(nodes, c)`` is what is proved of a child, and missing ones are unknown."""

    def verdict(nodes, n, attacker_moves):
        decisive = WON if attacker_moves else LOST
        verdict = WON + LOST - decisive
        c, end = nodes[n].first, nodes[n].first + nodes[n].count
        if linked and nodes[n].made < nodes[n].count:
            verdict = UNKNOWN
        while c != (NO_NODE if linked else end):
            status = proved(nodes, c)
            if status == decisive:
                return decisive
            if status == UNKNOWN:
                verdict = UNKNOWN
            c = nodes[c].next if linked else c + 1
        return verdict

    return verdict


def lengths_of(linked: bool) -> Function:
    """``measure(nodes, size, attacker, lengths)``: the plies that each proved node lasts: the
    prover shortens the proof, the other lengthens it.

    ``lengths`` is int32 and of length ``size``; unproved nodes get 0.
    """

    def measure(nodes, size, attacker, lengths):
        for n in range(size - 1, -1, -1):
            lengths[n] = 0
            if nodes[n].status != UNKNOWN and nodes[n].count > 0:
                shorten = (nodes[n].mover == attacker) == (nodes[n].status == WON)
                c, end, best = nodes[n].first, nodes[n].first + nodes[n].count, -1
                while c != (NO_NODE if linked else end):
                    if nodes[c].status == nodes[n].status:
                        longer = lengths[c] > best
                        if best < 0 or longer != shorten:
                            best = lengths[c]
                    c = nodes[c].next if linked else c + 1
                lengths[n] = best + 1

    return measure
