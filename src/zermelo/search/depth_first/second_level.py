"""A proof-number search below a node that was just entered: the second level of PDS-PN.

Its tree lies in ``stack.children``, behind the children of the node, and is dropped afterwards; the
node's own children keep the numbers that they have got by then. The way down to a leaf is written
into ``stack.frames`` and ``stack.states``, as if the first level went there, so that children are
made by the same ``expand``: with its rules, repetitions of the whole path, and the table.

Status follows the AND/OR rules, and what rests on a repetition further up is marked by its anchor,
as in ``driver``. What was solved for good on the way is kept in the table: these are facts, and a
certificate needs them.
"""

from collections.abc import Callable
from typing import Any

from zermelo.compiler.jit import outlined
from zermelo.core.rules import Rules
from zermelo.kernel.bits import mix, word
from zermelo.search.common.rules import PATH_FREE
from zermelo.search.common.table import bucket_of
from zermelo.search.depth_first.plan import Plan
from zermelo.search.depth_first.table import keep_narrow, log_work
from zermelo.search.reasons import UNKNOWN

Function = Callable[..., Any]
FIELDS = (("below", "i8"), ("width", "i8"))  # of a child: where its own children are, how many
MOST_LEVELS = 3  # of the path that the first level may still need


def second_level_of(rules: Rules, plan: Plan, expand: Function, verdict: Function,
                    limit: Function) -> Function:
    """``entered(g, o, stack, table, depth, new)``: search below a new node, except the root, until
    it is solved or the tree has ``limit(o, control)`` nodes."""
    play, mover, cyclic, key_of = rules.play, rules.mover, rules.cyclic, rules.key
    anywhere, backup = 0 if rules.repeat is not None else PATH_FREE, plan.backup

    def go_down(g, stack, at, k):
        """Make the frame of child ``k`` of the node at level ``at``."""
        frames, children = stack.frames, stack.children
        frames[at].chosen = k
        play(g, stack.states[at], children[k].move, stack.states[at + 1])
        frames[at + 1].hash, frames[at + 1].check = children[k].hash, children[k].check
        frames[at + 1].first, frames[at + 1].count = children[k].below, children[k].width
        frames[at + 1].mover = mover(g, stack.states[at + 1])
        if cyclic:
            frames[at + 1].path_hash = mix(frames[at].path_hash ^ children[k].check)
            stack.keys[at + 1] = word(key_of(g, stack.states[at + 1]))

    def leaves(children, first, count):
        """None of these children has children yet."""
        for k in range(first, first + count):
            children[k].below = 0

    def settle(stack, table, level, k, status, anchor, length):
        """Child ``k``, at ``level``, is solved."""
        children, control = stack.children, stack.control[0]
        if anchor >= level and anywhere == PATH_FREE:
            anchor = PATH_FREE
        children[k].status, children[k].length = status, length
        children[k].anchor = min(anchor, anywhere)
        if anchor == PATH_FREE:
            at = bucket_of(len(table), children[k].hash)
            if keep_narrow(table, at, children[k].check, status, length, 0, log_work(1),
                           control.generation):
                control.evicted += 1

    def back_up(o, stack, table, depth, level):
        """Numbers and status from the children of the node at ``level`` up to the one at
        ``depth``."""
        frames, children, control = stack.frames, stack.children, stack.control[0]
        while level > depth:
            first, count = frames[level].first, frames[level].count
            attacker_moves = frames[level].mover == control.attacker
            k = frames[level - 1].chosen
            status, anchor, length = verdict(children, first, count, attacker_moves)
            if status != UNKNOWN:
                settle(stack, table, level, k, status, anchor, length)
            else:
                found = backup(o, children, first, count, attacker_moves)
                children[k].pn, children[k].dn = found.pn, found.dn
            level -= 1

    def grow(g, o, stack, table, depth, free):
        """Expand the most proving leaf below the node; how many children it got, or -1 if there is
        nothing more to do, or no room for it. Children are made from ``free`` on."""
        frames, children, control = stack.frames, stack.children, stack.control[0]
        at = depth
        while at + 1 + MOST_LEVELS < len(frames):
            first, count = frames[at].first, frames[at].count
            attacker_moves = frames[at].mover == control.attacker
            if at == depth and verdict(children, first, count, attacker_moves)[0] != UNKNOWN:
                return -1
            k = backup(o, children, first, count, attacker_moves).best
            leaf = children[k].below == 0
            go_down(g, stack, at, k)
            at += 1
            if leaf:
                frames[at].first = free
                n = expand(g, o, stack, table, at)
                if n < 0:
                    return -1
                leaves(children, free, n)
                frames[at].count = n
                children[k].below, children[k].width = free, n
                back_up(o, stack, table, depth, at)
                return n
        return -1

    def entered(g, o, stack, table, depth, new):
        if not new or depth == 0:
            return
        frames, control = stack.frames, stack.control[0]
        chosen, most = frames[depth].chosen, limit(o, control)
        free = start = frames[depth].first + frames[depth].count
        leaves(stack.children, frames[depth].first, frames[depth].count)
        while free - start < most:
            n = grow(g, o, stack, table, depth, free)
            if n < 0:
                break
            free += n
            control.visits += 1
            control.expansions += 1
            control.settled += 1
        frames[depth].chosen = chosen

    return outlined(entered)
