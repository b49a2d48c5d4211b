"""The best-first loop: select, expand, evaluate, back up. It knows neither game nor search.

The loop keeps its whole state in arrays, so it can stop before any expansion and go on later as if
nothing had happened. The path from the root to the current node stays in place between iterations:
where the backup found a node unchanged, the next descent starts there, which leads to the same leaf
as a descent from the root.

Proof status is the driver's own business: it starts at finished games (see ``expand``) and follows
the AND/OR rules; no number of a search can set it.
"""

from collections.abc import Callable
from typing import Any

from zermelo.core.rules import Rules
from zermelo.kernel.bits import bare
from zermelo.search.best_first.expand import expand_of
from zermelo.search.best_first.plan import Plan
from zermelo.search.best_first.pool import NOBODY, contiguous_verdict, linked_verdict
from zermelo.search.reasons import (
    DEEPER,
    GO,
    MEMORY,
    NEVER,
    NODES,
    PRECISION,
    SLICE,
    SOLVED,
    TOO_MANY,
    UNKNOWN,
)

Function = Callable[..., Any]


def run_of(rules: Rules, plan: Plan) -> Function:
    """``run(g, o, tree, inner, budget) -> reason``: at most ``budget`` further expansions.

    ``inner`` is the tree of nested searches, or () where the plan has none. A tree of size 0 has
    not begun: its root, whose state is ``tree.states[control.root_at]``, is made first.
    """
    play, key, cyclic, most_moves = rules.play, rules.key, rules.cyclic, rules.max_moves
    select, backup, arrived, linked = plan.select, plan.backup, plan.arrived, plan.linked
    verdict = linked_verdict if linked else contiguous_verdict
    nested = plan.nested is not None
    expand = expand_of(rules, plan)
    expand_nested = nested_expand_of(rules, plan) if nested else expand

    def descend(g, o, tree):
        """Follow the selected children from the current node to a leaf; False if too deep."""
        nodes, path, states, control = tree.nodes, tree.path, tree.states, tree.control[0]
        attacker, at = control.attacker, control.root_at + control.depth
        n = path[at]
        room = len(path) - 2
        while nodes[n].count != 0 and at < room:
            if linked and nodes[n].made < nodes[n].count:
                break
            n = select(o, nodes, n, nodes[n].mover == attacker)
            play(g, states[at], nodes[n].move, states[at + 1])
            at += 1
            path[at] = n
            if cyclic:
                tree.keys[at] = key(g, states[at])
        control.depth = at - control.root_at
        return at < room

    def back_up(o, tree, leaf):
        """Carry what changed at the current node up to the first unchanged one, or the root."""
        nodes, path, control = tree.nodes, tree.path, tree.control[0]
        attacker, base, depth = control.attacker, control.root_at, control.depth
        solved = control.settled != 0
        while True:
            n = path[base + depth]
            attacker_moves = nodes[n].mover == attacker
            if solved:
                status = verdict(nodes, n, attacker_moves)
                nodes[n].status = status
                solved = status != UNKNOWN
            changed = backup(o, nodes, n, leaf, attacker_moves)
            if depth == 0 or not (changed or solved):
                break
            depth -= 1
        control.depth = depth

    def stop(o, tree, end):
        """Why not to go on, or GO."""
        nodes, control = tree.nodes, tree.control[0]
        if nodes[0].status != UNKNOWN:
            return SOLVED
        if arrived(o, nodes):
            return PRECISION
        if control.under_way != 0:
            return GO
        if control.nodes >= control.limit:
            return NODES
        if control.used + most_moves > len(nodes):
            return MEMORY
        if control.work >= end or control.iterations >= control.pause:
            return SLICE
        return GO

    def loop(g, o, tree, inner, budget):
        control = tree.control[0]
        begun = control.used > 0
        end = control.work + budget if begun else budget
        while True:
            if begun:
                reason = stop(o, tree, end)
                if reason != GO:
                    return reason
                if control.under_way == 0 and not descend(g, o, tree):
                    return DEEPER
            if nested and begun:
                reason = expand_nested(g, o, tree, inner, end - control.work)
                if reason != SOLVED:
                    return reason
                leaf = 0
            else:
                leaf = expand(g, o, tree)
                if leaf < 0:
                    return TOO_MANY
            if begun:
                control.iterations += 1
                control.work += 1
                back_up(o, tree, leaf)
            begun = True

    def run(g, o, tree, inner, budget):
        return loop(bare(g), bare(o), bare(tree), bare(inner), budget)

    return run


def nested_expand_of(rules: Rules, plan: Plan) -> Function:
    """``expand(g, o, tree, inner, budget) -> reason``: children by a search from the leaf (PN2).

    Only the second root's children stay. SOLVED means that they are there; any other reason that
    the second search has to go on.
    """
    assert plan.nested is not None
    run = run_of(rules, plan.nested)
    cyclic, nested_limit = rules.cyclic, plan.nested_limit

    def start(g, o, tree, inner):
        control, second = tree.control[0], inner.control[0]
        at = control.root_at + control.depth
        second.root_at = 0
        if cyclic:  # the second search must see the whole path
            second.root_at = at
            for i in range(at):
                inner.states[i] = tree.states[i]
                inner.keys[i] = tree.keys[i]
        inner.states[second.root_at] = tree.states[at]
        second.attacker, second.plain = control.attacker, control.plain
        second.seed = control.seed
        second.limit = max(nested_limit(o, control.used), 2)
        second.pause = NEVER
        second.used = 0

    def adopt(tree, inner):
        nodes, control = tree.nodes, tree.control[0]
        leaf, first = tree.path[control.root_at + control.depth], control.used
        n = inner.nodes[0].count
        for i in range(n):
            nodes[first + i] = inner.nodes[inner.nodes[0].first + i]
            nodes[first + i].first = NOBODY
            nodes[first + i].count = 0
        nodes[leaf].first = first
        nodes[leaf].count = n
        control.settled = 1
        control.used += n
        control.nodes += n + inner.control[0].nodes

    def expand(g, o, tree, inner, budget):
        control, second = tree.control[0], inner.control[0]
        if control.under_way == 0:
            start(g, o, tree, inner)
            control.under_way = 1
        before = second.work if second.used > 0 else 0
        reason = run(g, o, inner, (), budget)
        control.work += second.work - before
        if reason != SOLVED and reason != NODES:
            return reason
        adopt(tree, inner)
        control.under_way = 0
        return SOLVED

    return expand
