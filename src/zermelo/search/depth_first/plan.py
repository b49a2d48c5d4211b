"""What a depth-first search plugs into the driver, and the arrays that the driver works on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo.core.board import Scratch

Function = Callable[..., Any]
Array = np.ndarray[Any, Any]

FREE = 1 << 30  # the `lean` of a status that holds on every path

CONTROL = np.dtype(
    [("depth", "i8"), ("attacker", "i8"), ("threshold", "i8"), ("generation", "i8"),
     ("horizon", "i8"), ("origin", "i8"), ("visits", "i8"), ("expansions", "i8"), ("evicted", "i8"),
     ("settled", "i8"), ("limit", "i8"), ("pause", "i8"), ("deepest", "i8"), ("threads", "i8"),
     ("status", "i8"),
     ("patience", "i8"), ("lost", "i8"), ("seed", "u8")]
)


def frame_dtype(number: str) -> np.dtype[Any]:
    """A node on the current path."""
    return np.dtype([
        ("first", "i8"), ("count", "i4"), ("chosen", "i4"), ("entered", "i8"), ("hash", "u8"),
        ("check", "u8"), ("trail", "u8"), ("t1", number), ("t2", number), ("mover", "i4"),
        ("least", "i8"),
    ])


def kid_dtype(number: str) -> np.dtype[Any]:
    """A child of a node on the current path."""
    return np.dtype([
        ("a", number), ("b", number), ("hash", "u8"), ("check", "u8"), ("move", "i4"),
        ("lean", "i4"), ("length", "i4"), ("status", "u1"), ("known", "u1"), ("tries", "u2"),
    ])


class Stack(NamedTuple):
    """A search in progress.

    frames   the nodes from the root to the current one, at ``control.depth``: where their children
             begin in ``kids``, how many there are, which is being searched; the visits counter at
             entry; hash and check of the position; ``trail``, a hash of the whole path (cyclic
             games); the thresholds ``t1`` and ``t2``; ``least``: visits to make
             before it may be left
    kids     the children of all these nodes, one family after the other, with their numbers ``a``
             and ``b`` as this visit knows them. ``lean``: the depth of the uppermost node of the
             path that a status depends on, by a repetition; FREE for none
    states   the states of the path, ``keys`` their keys, ``words`` the states as words
    nursery  the states of the children being made, ``nursery_words`` the same as words
    folded   one state, the representative of another; ``folded_words`` the same as words
    moves    a list of moves
    ladder   the states of a quick search, ``lists`` their moves, ``places`` where it stands
    scratch  the working space of playouts
    readings how a status of each generation of the table reads in this question
    root     the root's numbers
    stop     one element: not 0 makes the loop come back
    control  one record. ``visits``: entries into nodes; ``expansions``: first entries;
             ``settled``: positions seen by quick searches; ``evicted``: live entries lost from the
             table; ``horizon``: a win must come within so many plies of the root, or NEVER;
             ``origin``: how far below the question's root this search begins
    """

    frames: Array
    kids: Array
    states: Array
    keys: Array
    words: Array
    nursery: Array
    nursery_words: Array
    folded: Array
    folded_words: Array
    moves: Array
    ladder: Array
    lists: Array
    places: Array
    scratch: Scratch
    readings: Array
    root: Array
    stop: Array
    control: Array


@dataclass(frozen=True)
class Plan:
    """The parts of a search, as functions for compiled code. ``o`` holds its options.

    Numbers come in pairs (a, b): (pn, dn) or (p, q); ``number`` is their type. ``attacker_moves``
    is True at OR nodes. The driver keeps the status itself, apart from the numbers, and calls:

    leaf      ``leaf(g, o, stack, s, attacker_moves, depth) -> (a, b)`` of a new position
    combine   ``combine(o, kids, first, count, attacker_moves) -> (a, b, best, x, y, z)``: the
              numbers of a node, its child to search, and what ``bounds`` wants to know
    bounds    ``bounds(o, frame, kid, a, b, x, y, z, attacker_moves) -> (t1, t2)``: the child's
              thresholds
    outside   ``outside(o, frame, a, b)``: the numbers have left the node's thresholds
    virtual   ``virtual(kid, t1, t2, attacker_moves) -> (a, b)``: what other threads shall take the
              numbers for while this one searches the child
    top       the thresholds of the root
    by_depth  a leaf's numbers depend on its depth, so that the table must tell depths apart
    quick     positions with at most so many plies to go are settled by plain depth-first search
    fold      symmetric positions share an entry down to this depth
    stubborn  a visit to a node seen before searches at least one of its children, and, once the
              table has lost entries, twice as much each time it is chosen anew
    """

    leaf: Function
    combine: Function
    bounds: Function
    outside: Function
    virtual: Function
    top: tuple[Any, Any]
    number: str = "i8"
    by_depth: bool = False
    quick: int = 0
    fold: int = -1
    stubborn: bool = False

    @property
    def wide(self) -> bool:
        """Whether the numbers are floats."""
        return self.number == "f8"


def words_of(states: Array) -> Array:
    """The bytes of ``states`` as the widest words that fit."""
    size = states.dtype.itemsize
    width = next(w for w in (8, 4, 2, 1) if size % w == 0)
    plain = np.asarray(states).view(np.uint8)
    return plain.view(f"u{width}")
