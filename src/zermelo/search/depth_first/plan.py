"""Plan: the functions that a depth-first search plugs into the driver; Stack: the driver's arrays.

Stacks keeps some of the arrays for the next run: on an easy position, making them takes longer than
the search.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from zermelo.compiler.entry import hold
from zermelo.core.board import Scratch, longer, moves_array, records, scratch_for, states_array
from zermelo.core.rules import MOST_THREATS, Function, Rules
from zermelo.search.common.rules import first_path
from zermelo.search.common.table import Array, words_of
from zermelo.search.depth_first.table import NARROW, WIDE, ZONED
from zermelo.search.reasons import NEVER

CONTROL = np.dtype(
    [("depth", "i8"), ("attacker", "i8"), ("threshold", "i8"), ("generation", "i8"),
     ("horizon", "i8"), ("origin", "i8"), ("visits", "i8"), ("expansions", "i8"), ("evicted", "i8"),
     ("settled", "i8"), ("limit", "i8"), ("pause", "i8"), ("deepest", "i8"), ("threads", "i8"),
     ("status", "i8"),
     ("patience", "i8"), ("lost", "i8"), ("plain", "i8"), ("quick", "i8"),
     ("fold", "i8"), ("seed", "u8")]
)


Fields = tuple[tuple[str, str], ...]
FIRST_PATH, FIRST_CHILDREN = 256, 4_096
FEWEST_LEVELS = 16
MOST_PATTERNS = 2_048
MOST_KEPT = 4
MOST_KEPT_BYTES = 1 << 22


@cache
def frame_dtype(number: str, more: Fields = ()) -> np.dtype[Any]:
    """A node on the current path; ``more`` is what a search adds to it, in front, since Numba
    takes a record that begins like another for one of its kind, and warns."""
    return np.dtype([
        *more,
        ("first", "i8"), ("count", "i4"), ("chosen", "i4"), ("entered", "i8"), ("hash", "u8"),
        ("check", "u8"), ("path_hash", "u8"), ("th_pn", number), ("th_dn", number), ("mover", "i4"),
        ("least_visits", "i8"),
    ])


@cache
def child_dtype(number: str, more: Fields = ()) -> np.dtype[Any]:
    """A child of a node on the current path; ``more`` is what a search adds to it."""
    return np.dtype([
        *more,
        ("pn", number), ("dn", number), ("hash", "u8"), ("check", "u8"), ("move", "i4"),
        ("anchor", "i4"), ("length", "i4"), ("status", "u1"), ("known", "u1"), ("tries", "u2"),
    ])


class Stack(NamedTuple):
    """A search in progress.

    frames   the nodes from the root to the current one, at ``control.depth``: where their children
             begin in ``children``, how many there are, which is being searched; the visits counter
             at entry; hash and check of the position; ``path_hash``, of the whole path (cyclic
             games); the thresholds ``th_pn`` and ``th_dn``; ``least_visits``: to make before the
             node may be left; with zones, ``zone``: what it depends on that moves were left out
    children the children of all these nodes, one node's after the other's, with their numbers
             ``pn`` and ``dn`` as this visit knows them. ``anchor``: the depth of the uppermost node
             of the path that a status depends on, by a repetition; PATH_FREE for none. ``zone``:
             of a solved one
    states   the states of the path, ``keys`` their keys, ``words`` the states as words
    child_states  the states of the children being made, ``child_words`` the same as words
    folded   one state, the representative of another; ``folded_words`` the same as words
    moves    a list of moves
    quick_states  the states of a quick search, ``quick_moves`` their moves, ``quick_places`` where
             it stands
    space    the working space of the game's own quick search
    notes    what the search itself remembers, see ``notes``
    scratch  the working space of playouts
    patterns zones of proofs that hold in other positions too, ``learned`` how many (see ``zones``)
    threats  zones that a game sees; ``forced``: those of a line of single moves
    readings how a status of each generation of the table reads in this run's question
    root     the root's numbers
    stop     one element: not 0 makes the loop come back
    control  one record. ``visits``: entries into nodes; ``expansions``: first entries;
             ``settled``: positions seen by quick searches; ``evicted``: live entries lost from the
             table; ``horizon``: the plies from the root within which a win must come, or NEVER;
             ``origin``: how far below the run's root this search begins; ``plain``: not 0 if
             nothing but the rules counts; ``quick`` and ``fold``: those of the plan, as far as the
             run allows them
    """

    frames: Array
    children: Array
    states: Array
    keys: Array
    words: Array
    child_states: Array
    child_words: Array
    folded: Array
    folded_words: Array
    moves: Array
    quick_states: Array
    quick_moves: Array
    quick_places: Array
    space: Array
    notes: Array
    scratch: Scratch
    patterns: Array
    learned: Array
    threats: Array
    forced: Array
    readings: Array
    root: Array
    stop: Array
    control: Array


class Backup(NamedTuple):
    """The numbers that a node gets from its unsolved children.

    pn, dn    the numbers of the node
    best      the child to search
    second    the number of the second best child by which children are compared: pn_2 at an OR
              node, dn_2 at an AND node
    others    the other number of all children but the best, put together
    unsolved  how many unsolved children there are
    """

    pn: Any
    dn: Any
    best: int
    second: Any
    others: Any
    unsolved: int


def losing(pn, dn, attacker_moves):  # type: ignore[no-untyped-def]
    """Return True if the mover's failure is nearer to a proof than its success (``losing``)."""
    return dn < pn if attacker_moves else pn < dn


def nothing_more_of(rules: Rules, plan: Plan, expand: Function) -> Function:
    """Return ``entered`` of a search that has nothing more to do."""

    def nothing_more(g, o, stack, table, depth, new):  # type: ignore[no-untyped-def]
        pass

    return nothing_more


def as_they_are(o, frame, control, depth, pn, dn):  # type: ignore[no-untyped-def]
    """Leave thresholds as they are (``adjust``)."""


def no_room(o, control):  # type: ignore[no-untyped-def]
    """Ask for no room for further children (``room``)."""
    return 0


@dataclass(frozen=True)
class Plan:
    """The parts of a search, as functions for compiled code. ``o`` holds its options.

    Numbers come in pairs: (pn, dn), of the type ``number``. A search with another pair, such as
    df-PPN's (p, q), puts it in the same places. ``attacker_moves`` is True at OR nodes. The driver
    keeps the status itself, apart from the numbers, and calls:

    leaf         ``leaf(g, o, stack, s, attacker_moves, depth) -> (pn, dn)`` of a new position
    backup       ``backup(o, children, first, count, attacker_moves) -> Backup``: the numbers of a
                 node and its child to search
    thresholds   ``thresholds(o, frame, child, backup, attacker_moves) -> (th_pn, th_dn)``: of the
                 child, from those of the node, ``frame.th_pn`` and ``frame.th_dn``
    reached      ``reached(o, frame, pn, dn)``: the node's numbers have reached its thresholds
    virtual      ``virtual(child, th_pn, th_dn, attacker_moves) -> (pn, dn)``: what other threads
                 shall take the numbers for while this one searches the child
    losing       ``losing(pn, dn, attacker_moves)``: the node's mover rather fails than succeeds.
                 Then all children have to be searched, and threads share them out; else one may be
                 enough, and they go to the best one together
    top          the thresholds of the root
    by_depth     a leaf's numbers depend on its depth, so that the table must keep depths apart
    quick        positions with at most this many plies to go, or what ``quick_plies`` makes of it,
                 are settled by plain depth-first search; None: that takes no part in the search
    fold         symmetric positions share an entry down to this depth; None likewise
    zones        proofs have zones, and replies outside them are left out (see ``zones``)
    counts_moves a leaf's numbers are 1 and how many moves there are to try
    stubborn     a visit to a node seen before searches at least one of its children, and, once the
                 table has lost entries, twice as much each time it is chosen again. In games with
                 cycles all searches are
    late         they are stubborn only once the table has lost entries: the search itself sees to
                 it that it does not go round in circles before

    A search may have more to do than that, and remember more:

    entered      ``entered(rules, plan, expand)`` gives ``entered(g, o, stack, table, depth, new)``,
                 called when the node at ``depth`` has been entered; ``new``: for the first time
    adjust       ``adjust(o, frame, control, depth, pn, dn)``: may change the node's thresholds
                 before they are looked at
    room         ``room(o, control)``: how many children ``entered`` has to have room for, beyond
                 those of the node
    frame_fields, child_fields  what it adds to a node on the path, and to a child
    notes        how many words of notes it keeps
    """

    leaf: Function
    backup: Function
    thresholds: Function
    reached: Function
    virtual: Function
    top: tuple[Any, Any]
    losing: Function = losing
    number: str = "i8"
    by_depth: bool = False
    quick: int | None = None
    fold: int | None = None
    stubborn: bool = False
    late: bool = False
    entered: Function = nothing_more_of
    adjust: Function = as_they_are
    room: Function = no_room
    frame_fields: Fields = ()
    child_fields: Fields = ()
    notes: int = 1
    zones: bool = False
    counts_moves: bool = False

    @property
    def kind(self) -> str:
        """The layout of the table's entries."""
        return ZONED if self.zones else WIDE if self.number == "f8" else NARROW


@lru_cache(256)
def control_for(attacker: int, threshold: int, horizon: int | None, threads: int, plain: bool,
                fold: int, quick: int, seed: int) -> Any:
    """The ``control`` with which a stack begins, as the question is put."""
    control = np.zeros(1, CONTROL)
    control["attacker"], control["threshold"], control["threads"] = attacker, threshold, threads
    control["horizon"] = NEVER if horizon is None else horizon
    control["plain"], control["fold"], control["quick"] = plain, fold, quick
    control["seed"] = np.uint64(seed & (2**64 - 1))
    return control[0]


class Stacks:
    """The stacks of a search on a game; those that were given back lie ready."""

    def __init__(self, rules: Rules, plan: Plan) -> None:
        self.rules, self.plan = rules, plan
        self.free: list[Stack] = []

    def take(self) -> Stack:
        """Return a cleared stack of the first length, whose ``control`` is to be set."""
        if not self.free:
            return self.make(first_path(self.rules, FIRST_PATH))
        stack = self.free.pop()
        stack.root[:], stack.stop[0], stack.scratch.rng[0] = 0, 0, 0
        stack.notes[:], stack.learned[:] = 0, 0
        if self.plan.child_fields:
            stack.children[:] = 0
        return stack

    def give_back(self, stack: Stack) -> None:
        """Keep a stack that is not used any more, unless it has grown or remembers something."""
        whole = (len(stack.frames) == first_path(self.rules, FIRST_PATH)
                 and len(stack.children) == self._first_children
                 and not isinstance(stack.frames, np.recarray))  # made for plain Python
        size = stack.children.nbytes + stack.frames.nbytes + stack.states.nbytes
        if (whole and self.rules.endgame is None and size <= MOST_KEPT_BYTES
                and len(self.free) < MOST_KEPT):
            hold(stack)
            self.free.append(stack)

    @property
    def _first_children(self) -> int:
        return max(FIRST_CHILDREN, 4 * self.rules.max_moves)

    @property
    def first_bytes(self) -> int:
        """The memory that the children of a new stack take."""
        kind = child_dtype(self.plan.number, self.plan.child_fields)
        return self._first_children * kind.itemsize

    def make(self, path_length: int) -> Stack:
        """Return a new stack."""
        rules, number = self.rules, self.plan.number
        states = states_array(rules, path_length)
        child_states = states_array(rules, rules.max_moves)
        folded, levels = states_array(rules, 1), max(2 * (self.plan.quick or 0) + 4, FEWEST_LEVELS)
        moves = moves_array(rules)
        return Stack(
            frames=records(frame_dtype(number, self.plan.frame_fields), path_length),
            children=records(child_dtype(number, self.plan.child_fields), self._first_children),
            states=states, keys=np.zeros(len(states), np.uint64),
            words=words_of(states), child_states=child_states,
            child_words=words_of(child_states),
            folded=folded, folded_words=words_of(folded), moves=moves,
            quick_states=states_array(rules, levels),
            quick_moves=np.zeros((levels, len(moves)), np.int32),
            quick_places=np.zeros((levels, 3), np.int32),
            space=np.zeros(rules.endgame_space, np.uint64),
            notes=np.zeros(self.plan.notes, np.uint64), scratch=scratch_for(rules),
            patterns=np.zeros((2, 2, MOST_PATTERNS if self.plan.zones else 1, 2), np.uint64),
            learned=np.zeros((2, 2), np.int64),
            threats=np.zeros(MOST_THREATS, np.uint64),
            forced=np.zeros((FEWEST_LEVELS, 2), np.uint64),
            readings=np.zeros((16, 4), np.uint8), root=np.zeros(2, number),
            stop=np.zeros(1, np.uint8), control=records(CONTROL, 1),
        )

    def longer(self, stack: Stack, length: int) -> Stack:
        """Return a copy of ``stack`` with twice the room for children, and for a path of
        ``length``."""
        children = longer(stack.children, 2 * len(stack.children))
        if length == len(stack.frames):
            return stack._replace(children=children)
        states = longer(stack.states, length)
        return stack._replace(
            children=children, frames=longer(stack.frames, length), states=states,
            words=words_of(states), keys=longer(stack.keys, length))
