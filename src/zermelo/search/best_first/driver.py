"""The best-first loop: select, expand, evaluate, back up. It knows neither game nor search.

The loop keeps its whole state in arrays, so it can stop before any expansion and go on later as if
nothing had happened. The path from the root to the current node stays in place between iterations:
where the backup found a node unchanged, the next descent starts there, which leads to the same leaf
as a descent from the root.

Proof status is the driver's own business: a finished game becomes a status where a node is made,
and nowhere else, and the others follow by the AND/OR rules; no number of a search can set it. In a
cyclic game a state that already stands on the path ends the game as the rules say (a draw, unless
they say otherwise).
"""

from collections.abc import Callable
from typing import Any

from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, Rules
from zermelo.kernel.bits import bare, word
from zermelo.kernel.rng import below, start_counter
from zermelo.search.best_first.plan import NO_NODE, Plan, status_of, verdict_of
from zermelo.search.common.rules import ahead_of, repetition_of
from zermelo.search.common.rules import legal_of as tried_of
from zermelo.search.reasons import (
    DEEPER,
    GO,
    LOST,
    MEMORY,
    NEVER,
    NODES,
    PRECISION,
    SLICE,
    SOLVED,
    TOO_MANY,
    UNKNOWN,
    WON,
)

Function = Callable[..., Any]
NO_MOVE = -1  # the move that led to the root
OVERFULL = -1


def create_of(rules: Rules, plan: Plan) -> Function:
    """``create(g, o, tree, n, move, depth)``: make node ``n`` for the state in ``tree.child``."""
    mover, outcome, key = rules.mover, rules.outcome, rules.key
    cyclic, linked = rules.cyclic, plan.linked
    evaluate, settle, repetition = plan.evaluate, plan.settle, repetition_of(rules)
    own_draws = plan.drawn is not None
    drawn = plan.drawn or plan.settle

    def create(g, o, tree, n, move, depth):
        nodes, control, s = tree.nodes, tree.control[0], tree.child[0]
        nodes[n].first = NO_NODE
        nodes[n].move = move
        nodes[n].count = 0
        nodes[n].mover = mover(g, s)
        if linked:
            nodes[n].next = NO_NODE
            nodes[n].made = 0
        end = outcome(g, s)
        if cyclic and depth > 0 and end == ONGOING:
            # as a word: a negative key would equal no stored one
            end, _ = repetition(g, tree, tree.raw, control.root_at + depth - 1, word(key(g, s)),
                                tree.child, tree.child_raw, 0)
        if end == ONGOING:
            nodes[n].status = UNKNOWN
            evaluate(g, o, tree, n, s, depth)
        else:
            nodes[n].status = WON if end == FIRST_WINS + control.attacker else LOST
            if own_draws and end == DRAW:
                drawn(o, nodes, n)
            else:
                settle(o, nodes, n)

    return create


def legal_of(rules: Rules, plan: Plan) -> Function:
    """``legal(g, tree, s) -> n``: the moves to try, in the order to try them, into
    ``tree.moves``."""
    tried, stream = tried_of(rules), rules.stream or rules.key
    shuffle, one_order = plan.shuffle and not plan.one_order, plan.shuffle and plan.one_order

    def legal(g, tree, s):
        out, control = tree.moves, tree.control[0]
        n = tried(g, control, s, out)
        if shuffle:
            rng = tree.scratch.rng
            rng[0] = start_counter(~control.seed, stream(g, s))
            for i in range(n - 1, 0, -1):
                j = below(rng, i + 1)
                out[i], out[j] = out[j], out[i]
        if one_order:
            for i in range(1, n):
                move, at = out[i], i
                rank = start_counter(~control.seed, move)
                while at > 0 and start_counter(~control.seed, out[at - 1]) > rank:
                    out[at] = out[at - 1]
                    at -= 1
                out[at] = move
        return n

    return legal


def expand_of(rules: Rules, plan: Plan) -> Function:
    """``expand(g, o, tree)``: children for the current node, or, in an empty tree, the root.

    Returns the last node made, or, without a move, the current node itself: its position is lost
    for its mover, as the driver's verdict over no children finds. A game with more moves than
    max_moves gets OVERFULL, and no node.
    """
    play, key, most_moves, linked = rules.play, rules.key, rules.max_moves, plan.linked
    legal, create, ahead = legal_of(rules, plan), create_of(rules, plan), ahead_of(rules)

    def start(g, tree):
        """Put the root's state where ``create`` expects it."""
        control = tree.control[0]
        tree.child[0] = tree.states[control.root_at]
        tree.path[control.root_at] = 0
        tree.keys[control.root_at] = key(g, tree.child[0])
        tree.moves[0] = NO_MOVE
        control.depth, control.nodes, control.iterations = 0, 0, 0
        control.work, control.under_way = 0, 0

    def append(nodes, leaf, c, made):
        """Make ``c`` the rightmost child of ``leaf``."""
        if made == 0:
            nodes[leaf].first = c
        else:
            last = nodes[leaf].first
            while nodes[last].next != NO_NODE:
                last = nodes[last].next
            nodes[last].next = c
        nodes[leaf].made = made + 1

    def expand(g, o, tree):
        nodes, control = tree.nodes, tree.control[0]
        begun, at = control.used > 0, control.root_at + control.depth
        leaf, n, made, depth = 0, 1, 0, 0
        if begun:
            leaf, depth = tree.path[at], control.depth + 1
            if linked:
                made = nodes[leaf].made
            else:
                ahead(g, tree.states[at], 0, False)
            n = legal(g, tree, tree.states[at])
            if n > most_moves:
                return OVERFULL
        else:
            start(g, tree)
        first, settled = control.used, n == 0
        new = min(n, 1) if linked else n
        for i in range(new):
            if begun:
                play(g, tree.states[at], tree.moves[made + i], tree.child[0])
            create(g, o, tree, first + i, tree.moves[made + i], depth)
            settled |= nodes[first + i].status != UNKNOWN
        control.settled = settled
        control.used += new
        control.nodes += new
        if begun:
            if not linked:
                nodes[leaf].first = first
            elif new > 0:
                append(nodes, leaf, first, made)
            nodes[leaf].count = n
        return first + new - 1 if new > 0 else leaf

    return expand


def run_of(rules: Rules, plan: Plan) -> Function:
    """``run(g, o, tree, inner, budget) -> reason``: at most ``budget`` further expansions.

    ``inner`` is the tree of nested searches, or () where the plan has none. A tree of size 0 has
    not begun: its root, whose state is ``tree.states[control.root_at]``, is made first.
    """
    play, key, cyclic, most_moves = rules.play, rules.key, rules.cyclic, rules.max_moves
    select, backup, arrived, linked = plan.select, plan.backup, plan.arrived, plan.linked
    verdict = verdict_of(status_of, linked)
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
        """Return the reason not to go on, or GO."""
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
            nodes[first + i].first = NO_NODE
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
