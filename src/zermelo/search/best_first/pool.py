"""Trees in flat arrays: the node record that every best-first search extends, and its two layouts.

*Contiguous*: the children of a node are created together, at ``first`` .. ``first + count - 1``.
*Linked*: children are created one at a time; ``first`` is the leftmost, ``next`` leads on, ``made``
of ``count`` exist. In both, a child has a larger index than its parent, and index 0 is the root.
"""

from typing import Any

import numpy as np

from zermelo.compiler.jit import jit_enabled
from zermelo.search.reasons import LOST, UNKNOWN, WON

NOBODY = 0  # as `first` or `next`: no such node (the root is nobody's child)
MOST_CHILDREN = 65_535
MOST_NODES = 2_147_483_647

HEADER = [("first", "i4"), ("move", "i4"), ("count", "u2"), ("status", "u1"), ("mover", "u1")]
LINKS = [("next", "i4"), ("made", "u2"), ("pad", "u2")]


def node_dtype(numbers: list[tuple[str, str]], linked: bool) -> np.dtype[Any]:
    """The record of a node: the common header, the links if any, then the search's numbers."""
    return np.dtype(HEADER + (LINKS if linked else []) + numbers)


def node_pool(dtype: np.dtype[Any], wanted: int) -> np.ndarray[Any, Any]:
    """Room for ``wanted`` nodes, or for as many as the system grants; touched only when used.

    All zero, for a search leaves some bytes of a record alone, and two runs are compared, and
    checkpoints written, with all bytes of it.
    """
    while True:
        try:
            nodes = np.zeros(wanted, dtype)
            return nodes if jit_enabled() else nodes.view(np.recarray)
        except MemoryError:
            wanted //= 2


def status_of(nodes, n):
    """What is proved of a node."""
    return nodes[n].status


def contiguous_verdict_of(proved):
    """``verdict(nodes, n, attacker_moves)``: WON, LOST or UNKNOWN, what the children of ``n``, all
    created, say about it; ``proved(nodes, c)`` is what is proved of a child."""

    def verdict(nodes, n, attacker_moves):
        decisive = WON if attacker_moves else LOST
        verdict = WON + LOST - decisive
        first = nodes[n].first
        for c in range(first, first + nodes[n].count):
            found = proved(nodes, c)
            if found == decisive:
                return decisive
            if found == UNKNOWN:
                verdict = UNKNOWN
        return verdict

    return verdict


def linked_verdict_of(proved):
    """The same for linked children: missing ones are unknown."""

    def verdict(nodes, n, attacker_moves):
        decisive = WON if attacker_moves else LOST
        verdict = WON + LOST - decisive if nodes[n].made == nodes[n].count else UNKNOWN
        c = nodes[n].first
        while c != NOBODY:
            found = proved(nodes, c)
            if found == decisive:
                return decisive
            if found == UNKNOWN:
                verdict = UNKNOWN
            c = nodes[c].next
        return verdict

    return verdict


contiguous_verdict = contiguous_verdict_of(status_of)
linked_verdict = linked_verdict_of(status_of)


def contiguous_lengths(nodes, size, attacker, lengths):
    """How many plies each proved node lasts: the prover shortens the proof, the other lengthens it.

    ``lengths`` is int32 and of length ``size``; unproved nodes get 0.
    """
    for n in range(size - 1, -1, -1):
        lengths[n] = 0
        if nodes[n].status != UNKNOWN and nodes[n].count > 0:
            shorten = (nodes[n].mover == attacker) == (nodes[n].status == WON)
            first, best = nodes[n].first, -1
            for c in range(first, first + nodes[n].count):
                if nodes[c].status == nodes[n].status:
                    longer = lengths[c] > best
                    if best < 0 or longer != shorten:
                        best = lengths[c]
            lengths[n] = best + 1


def linked_lengths(nodes, size, attacker, lengths):
    """The same for linked children."""
    for n in range(size - 1, -1, -1):
        lengths[n] = 0
        if nodes[n].status != UNKNOWN and nodes[n].count > 0:
            shorten = (nodes[n].mover == attacker) == (nodes[n].status == WON)
            c, best = nodes[n].first, -1
            while c != NOBODY:
                if nodes[c].status == nodes[n].status:
                    longer = lengths[c] > best
                    if best < 0 or longer != shorten:
                        best = lengths[c]
                c = nodes[c].next
            lengths[n] = best + 1
