"""From a tree to a table: the facts of a best-first search, for a depth-first one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.compiler.jit import kernel
from zermelo.core.rules import Rules
from zermelo.kernel.bits import bare
from zermelo.search.base import ProvedTree
from zermelo.search.common.table import bucket_of
from zermelo.search.depth_first.address import address_of
from zermelo.search.depth_first.plan import Plan
from zermelo.search.depth_first.table import KEEPS, log_work
from zermelo.search.reasons import WON

if TYPE_CHECKING:
    from zermelo.search.depth_first.run import Run

NOBODY = 0  # no node (see ``ProvedTree``)
LONGEST = (1 << 26) - 1


def copy_proof_of(rules: Rules, plan: Plan, linked: bool) -> Any:
    """``copy(g, nodes, lengths, waiting, stack, table)``: all proved nodes into the table.

    ``waiting`` has room for one node per ply: the tree is walked through depth first.
    """
    play, address, keep = rules.play, address_of(rules, plan), KEEPS[plan.kind]

    def next_sibling(nodes, parent, n):
        if linked:
            return nodes[n].next
        last = nodes[parent].first + nodes[parent].count - 1
        return n + 1 if n < last else NOBODY

    def loop(g, nodes, lengths, waiting, stack, table):
        control, depth = stack.control[0], 0
        waiting[0] = 0
        entering = True
        while depth >= 0:
            n = waiting[depth]
            child = NOBODY
            if entering:
                hash, check, _ = address(g, stack, stack.words, depth, stack.states[depth], depth)
                keep(table, bucket_of(len(table), hash), check, nodes[n].status,
                     min(lengths[n], LONGEST), 0, log_work(lengths[n] + 1), control.generation)
                child = nodes[n].first if nodes[n].count > 0 else NOBODY
                parent = n
            else:
                parent = waiting[depth - 1] if depth > 0 else n
                child = next_sibling(nodes, parent, n) if depth > 0 else NOBODY
                depth -= 1
            while child != NOBODY and nodes[child].status != nodes[0].status:
                child = next_sibling(nodes, parent, child)
            if child != NOBODY and depth + 2 < len(waiting):
                play(g, stack.states[depth], nodes[child].move, stack.states[depth + 1])
                depth += 1
                waiting[depth] = child
                entering = True
            elif entering:
                entering = False
            elif depth == 0:
                return

    def copy(g, nodes, lengths, waiting, stack, table):
        loop(bare(g), bare(nodes), bare(lengths), bare(waiting), bare(stack), bare(table))

    return copy


def copy_proof(tree: ProvedTree, run: Run) -> None:
    """Copy the proved nodes of ``tree`` into the table of ``run``, but for those that hold on their
    path only."""
    rules = run.rules
    if rules.cyclic and (rules.repeat is not None or tree.status != WON):
        return
    stack = run.spare
    run.aim(stack, run.position.state[0])
    waiting = np.zeros(len(stack.states), np.int64)
    copy = kernel(copy_proof_of(rules, run.plan, tree.linked))
    copy(rules.data, tree.nodes, tree.lengths, waiting, stack, run.table.words)
