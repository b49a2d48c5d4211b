"""Trees in checkpoints: the nodes, the path, and where the search stands."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.core.position import Position
from zermelo.search.best_first.plan import Tree
from zermelo.search.best_first.pool import NOBODY, node_pool
from zermelo.search.common.saved import Saved, Saving, in_range
from zermelo.search.reasons import LOST, UNKNOWN

if TYPE_CHECKING:
    from zermelo.search.best_first.run import Run

ASKED = ("attacker", "seed", "plain")  # what a run is told when it begins


def save(run: Run, saving: Saving) -> None:
    """The tree, and that of a nested search that is under way."""
    _save_tree(run.tree, saving)
    if run.tree.control[0]["under_way"]:
        _save_tree(run.inner, saving.part("inner"))


def _save_tree(tree: Tree, saving: Saving) -> None:
    control = tree.control[0]
    root = int(control["root_at"])
    saving.array("nodes", tree.nodes[: int(control["used"])])
    saving.array("path", tree.path[root : root + int(control["depth"]) + 1])
    saving.array("control", tree.control)


def restore(run: Run, saved: Saved) -> None:
    """Let a run that has just begun go on from there."""
    path = _restore_tree(run, "tree", saved, [run.position])
    if run.tree.control[0]["under_way"]:
        saved.require(run.inner)
        _restore_tree(run, "inner", saved.part("inner"), path)


def _restore_tree(run: Run, which: str, saved: Saved, before: list[Position]) -> list[Position]:
    """A tree whose root is the last position of a path; the path with its own."""
    tree: Tree = getattr(run, which)
    nodes = saved.array("nodes", run.dtype)
    control = saved.array("control", tree.control.dtype)
    saved.require(len(control) == 1 and control["used"][0] == len(nodes) > 0)
    _check_nodes(run, nodes, saved)
    path = _path(run, nodes, saved)
    root, at = len(before) - 1 if run.rules.cyclic else 0, control[0]
    saved.require(at["root_at"] == root and at["depth"] == len(path) - 1
                  and at["under_way"] in (0, 1) and at["settled"] in (0, 1)
                  and all(at[name] >= 0 for name in ("nodes", "iterations", "work")))
    if which == "tree":
        saved.require(all(at[name] == tree.control[0][name] for name in ASKED))
    positions = saved.play(before[-1], [int(nodes[n]["move"]) for n in path[1:]])
    while root + len(path) + 2 > run.path_length:
        run.deepen()
    tree = getattr(run, which)
    if len(tree.nodes) < len(nodes):
        tree = tree._replace(nodes=node_pool(run.dtype, len(nodes)))
        saved.require(len(tree.nodes) == len(nodes))
        setattr(run, which, tree)
    tree.nodes[: len(nodes)] = nodes
    tree.control[:] = control
    tree.path[root : root + len(path)] = path
    for ply, position in enumerate(before[:root] + positions):
        tree.states[ply] = position.state[0]
        if run.rules.cyclic or ply == root:
            tree.keys[ply] = np.uint64(position.key() & (2**64 - 1))
    return before[:-1] + positions


def _path(run: Run, nodes: Any, saved: Saved) -> list[int]:
    """The nodes from the root to the current one, each a child of the one before."""
    path = [int(n) for n in saved.array("path", np.int32)]
    saved.require(path[:1] == [0] and in_range(np.array(path), 0, len(nodes) - 1))
    for parent, child in pairwise(path):
        first, count = int(nodes[parent]["first"]), int(nodes[parent]["count"])
        if run.plan.linked:
            while first not in (child, NOBODY):
                first = int(nodes[first]["next"])
            saved.require(first == child)
        else:
            saved.require(first <= child < first + count)
    return path


def _check_nodes(run: Run, nodes: Any, saved: Saved) -> None:
    """Children come after their parents and are all there; so no walk leaves the tree or goes in
    circles."""
    size, own = len(nodes), np.arange(len(nodes))
    count, first = nodes["count"].astype(np.int64), nodes["first"].astype(np.int64)
    saved.require(in_range(nodes["status"], 0, LOST) and in_range(nodes["mover"], 0, 1))
    if run.plan.linked:
        made, follows = nodes["made"].astype(np.int64), nodes["next"].astype(np.int64)
        saved.require(np.all(made <= count) and np.all((made > 0) == (first > 0)))
        saved.require(np.all((follows == 0) | ((follows > own) & (follows < size))))
        saved.require(np.all((first == 0) | ((first > own) & (first < size))))
    else:
        has = count > 0
        saved.require(np.all((first > own)[has]) and np.all((first + count <= size)[has]))
    names = nodes.dtype.names or ()
    if "other" in names:  # the other player's question
        saved.require(in_range(nodes["other"], 0, LOST))
    if "best" in names:  # the child to follow
        has = (count > 0) & (nodes["status"] == UNKNOWN)
        best = nodes["best"].astype(np.int64)
        saved.require(np.all(((best >= first) & (best < first + count))[has]))
    if "after" in names:  # the order of unsolved children: nobody comes twice, the first never
        unsolved = nodes["status"] == UNKNOWN
        after = nodes["after"].astype(np.int64)[unsolved]
        after = after[after != NOBODY]
        firsts = nodes["best"][unsolved & (count > 0)]
        saved.require(in_range(after, 1, size - 1) and len(np.unique(after)) == len(after)
                      and not np.any(np.isin(firsts, after)))
    if "cn" in names:  # which conspiracy number is that of the value
        saved.require(in_range(nodes["at"], 0, nodes.dtype["cn"].shape[0] - 1))
