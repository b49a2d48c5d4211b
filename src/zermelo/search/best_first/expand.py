"""Growing the tree: how a node is made, and how a leaf gets its children.

Here a finished game becomes a proof status, and nowhere else. In a cyclic game a state that already
stands on the path ends the game as the rules say (a draw, unless they say otherwise).
"""

from collections.abc import Callable
from typing import Any

from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, Rules
from zermelo.kernel.bits import word
from zermelo.kernel.rng import below, start_counter
from zermelo.search.best_first.plan import Plan
from zermelo.search.best_first.pool import NOBODY
from zermelo.search.common.rules import ahead_of, repetition_of
from zermelo.search.reasons import LOST, UNKNOWN, WON

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
        nodes[n].first = NOBODY
        nodes[n].move = move
        nodes[n].count = 0
        nodes[n].mover = mover(g, s)
        if linked:
            nodes[n].next = NOBODY
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


def no_candidates(g, s, side, out):
    """``candidates`` of a question without them; never called."""
    return 0


def legal_of(rules: Rules, plan: Plan) -> Function:
    """``legal(g, tree, s) -> n``: the moves to try, into ``tree.moves``; with candidates the
    attacker may have none, which is LOST as any node without children."""
    moves, mover, shuffle = rules.moves, rules.mover, plan.shuffle
    stream = rules.stream or rules.key
    chosen = rules.candidates is not None
    candidates = rules.candidates or no_candidates
    narrowed = rules.forced is not None
    forced = rules.forced if narrowed else rules.moves

    def legal(g, tree, s):
        out, n, attacker = tree.moves, 0, tree.control[0].attacker
        if chosen and mover(g, s) == attacker:
            n = candidates(g, s, attacker, out)
        else:
            if narrowed and tree.control[0].plain == 0:
                n = forced(g, s, out)
            if n == 0:
                n = moves(g, s, out)
        if shuffle:
            rng = tree.scratch.rng
            rng[0] = start_counter(~tree.control[0].seed, stream(g, s))
            for i in range(n - 1, 0, -1):
                j = below(rng, i + 1)
                out[i], out[j] = out[j], out[i]
        return n

    return legal


def expand_of(rules: Rules, plan: Plan) -> Function:
    """``expand(g, o, tree)``: children for the current node, or, in an empty tree, the root.

    Returns the last node made, or the current node itself where there is no move: such a position
    is lost for its mover, as the driver's verdict over no children finds. A game that has more
    moves than it said gets OVERFULL, and no node.
    """
    play, key, most_moves = rules.play, rules.key, rules.max_moves
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

    def expand_all(g, o, tree):
        nodes, control = tree.nodes, tree.control[0]
        begun, at = control.used > 0, control.root_at + control.depth
        n, depth = 1, 0
        if begun:
            ahead(g, tree.states[at], 0, False)
            n, depth = legal(g, tree, tree.states[at]), control.depth + 1
            if n > most_moves:
                return OVERFULL
        else:
            start(g, tree)
        first, settled = control.used, n == 0
        for i in range(n):
            if begun:
                play(g, tree.states[at], tree.moves[i], tree.child[0])
            create(g, o, tree, first + i, tree.moves[i], depth)
            settled |= nodes[first + i].status != UNKNOWN
        control.settled = settled
        control.used += n
        control.nodes += n
        leaf = tree.path[at]
        if begun:
            nodes[leaf].first = first
            nodes[leaf].count = n
        return first + n - 1 if n > 0 else leaf

    def expand_one(g, o, tree):
        nodes, control = tree.nodes, tree.control[0]
        begun, at = control.used > 0, control.root_at + control.depth
        leaf, c, n, made = 0, control.used, 1, 0
        if begun:
            leaf = tree.path[at]
            n, made = legal(g, tree, tree.states[at]), nodes[leaf].made
            if n > most_moves:
                return OVERFULL
        else:
            start(g, tree)
        control.settled = n == 0
        if n == 0:
            return leaf
        if begun:
            play(g, tree.states[at], tree.moves[made], tree.child[0])
        create(g, o, tree, c, tree.moves[made], control.depth + 1 if begun else 0)
        control.settled = nodes[c].status != UNKNOWN
        control.used += 1
        control.nodes += 1
        if begun:
            append(nodes, leaf, c, made)
            nodes[leaf].count = n
        return c

    def append(nodes, leaf, c, made):
        """Make ``c`` the rightmost child of ``leaf``."""
        if made == 0:
            nodes[leaf].first = c
        else:
            last = nodes[leaf].first
            while nodes[last].next != NOBODY:
                last = nodes[last].next
            nodes[last].next = c
        nodes[leaf].made = made + 1

    return expand_one if plan.linked else expand_all
