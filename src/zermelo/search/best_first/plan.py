"""What a best-first search plugs into the driver, and the arrays that the driver works on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from zermelo.core.board import Scratch
from zermelo.core.rules import Rules

Function = Callable[..., Any]
Array = np.ndarray[Any, Any]

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
    """For searches that stop at a proof only."""
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
    shuffle   moves are tried in an order drawn from (seed, position) instead of the game's own
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
    nested: Plan | None = None
    nested_limit: Function | None = None


class Planned(Protocol):
    """A search as its runs know it."""

    def nested_nodes(self, size: int) -> int:
        """The most nodes of a nested search while the tree has up to ``size`` nodes."""

    def plan(self, rules: Rules) -> Plan:
        """The parts of the search for a game."""

    def data(self) -> tuple[Any, ...]:
        """The options that the compiled parts read, as a NamedTuple."""

    def node_numbers(self) -> list[tuple[str, str]]:
        """The fields that the search adds to a node."""

    def show(self, node: Any) -> dict[str, Any]:
        """A node's numbers for people and JSON."""

    def within_precision(self, root: Any) -> bool:
        """Whether an unsolved root may be called concluded."""

    def leans_to_win(self, root: Any) -> bool:
        """What a root within the precision says."""

    def again(self) -> Planned | None:
        """A search for the parts of a proof that this one threw away; None if it keeps all."""
