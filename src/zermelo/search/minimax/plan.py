"""What a minimax search plugs into the driver, and the arrays that the driver works on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from zermelo.core.rules import Rules

Function = Callable[..., Any]
Array = np.ndarray[Any, Any]

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
    lists    the moves of each node of the path, ``kinds`` their categories, ``orders`` how soon
             to try them, -1 once tried
    killers  two moves a ply that refuted another line; ``history`` how often a move did
    root     the moves of the root: what the last search of each said. ``lo`` and ``hi`` hold
             everywhere, ``here_lo`` and ``here_hi`` may rest on a repetition of the root
    stop     one element: not 0 makes the loop come back
    control  one record. ``score`` .. ``closed``: what the node just left says to its parent;
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


class Planned(Protocol):
    """A search as its runs know it."""

    def plan(self) -> Plan:
        """The parts of the search."""

    def data(self, rules: Rules, seed: int) -> tuple[Any, ...]:
        """The options that the compiled parts read, as a NamedTuple with ``common`` in it."""
