"""PDS-PN (Winands, Uiterwijk, van den Herik 2002): PDS over a second level of PN search.

PDS (Nagai 1998) is depth first with two thresholds: a node is left when it is solved, or when pn
and dn have *both* reached theirs. The child c to be searched is the one with the least pn at an OR
node, of equal ones that with the least dn; with pn, dn, th_pn and th_dn of the node,

    th_pn(c) = pn(c) + 1,  th_dn(c) = dn(c)    if pn < th_pn and (pn(c) <= dn(c) or dn >= th_dn)
    th_pn(c) = pn(c),  th_dn(c) = dn(c) + 1    else:

a child that looks like a proof is given more room to be proved, any other to be disproved, as far
as the node itself has room. The root begins with th_pn = th_dn = 1; whenever both are reached the
smaller of its numbers gets one more.

A node that is entered for the first time is looked at by a PN search of its own, of at most

    y = min(x f(x), N - x) nodes,    f(x) = 1 / (1 + exp((a - x) / b)),

where the first level has x nodes. Its tree lies in ``stack.children``, behind the children of the
node, and is dropped afterwards; the node's own children keep the numbers that they have by then.
The way down to a leaf is written into ``stack.frames`` and ``stack.states``, as if the first level
went there, so that children are made by the same ``expand``: with its rules, repetitions of the
whole path, and the table. Status follows the AND/OR rules, and what rests on a repetition further
up is marked by its anchor, as in ``driver``. What is solved for good on the way is kept in the
table: these are facts, and a certificate needs them.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from zermelo.compiler.jit import outlined
from zermelo.core.rules import Function, Rules
from zermelo.kernel.bits import mix, word
from zermelo.kernel.rng import exp
from zermelo.search.base import option
from zermelo.search.common.rules import PATH_FREE
from zermelo.search.common.table import bucket_of
from zermelo.search.depth_first.df_pn import ProofNumbers, backup_of, df_pn_plan, sum_total
from zermelo.search.depth_first.driver import verdict
from zermelo.search.depth_first.plan import Plan
from zermelo.search.depth_first.table import INF, keep_narrow, log_work
from zermelo.search.reasons import UNKNOWN

FIELDS = (("below", "i8"), ("width", "i8"))  # of a child: where its own children are, how many
MOST_LEVELS = 3  # of the path that the first level may still need


def more(o, number):
    """number + 1, or number (1 + epsilon) if that is more."""
    return min(max(number + 1, np.int64(np.ceil(number * (1.0 + o.epsilon)))), INF)


def thresholds(o, frame, child, backup, attacker_moves):
    """Give room for a proof or for a disproof, never for both."""
    if backup.pn < frame.th_pn and (child.pn <= child.dn or backup.dn >= frame.th_dn):
        return more(o, child.pn), child.dn
    return child.pn, more(o, child.dn)


def reached(o, frame, pn, dn):
    """pn >= th_pn and dn >= th_dn."""
    return pn >= frame.th_pn and dn >= frame.th_dn


def adjust(o, frame, control, depth, pn, dn):
    """Give the root more room instead of leaving it."""
    if depth == 0 and pn >= frame.th_pn and dn >= frame.th_dn:
        frame.th_pn, frame.th_dn = pn, dn
        if pn <= dn:
            frame.th_pn = more(o, pn)
        else:
            frame.th_dn = more(o, dn)


def second_limit(o, control):
    """y, for x first-level nodes; a second search makes one expansion at least."""
    x = control.expansions - control.settled
    f = 1.0 / (1.0 + exp((o.a - x) / o.b))
    return max(np.int64(min(x * f, np.float64(o.N - x))), 1)


def entered_of(rules: Rules, plan: Plan, expand: Function) -> Function:
    """Return ``entered``, which runs the second level."""
    return second_level_of(rules, plan, expand, verdict, second_limit)


def room_of(rules: Rules) -> Function:
    """Return ``room`` for the second level's tree, whose last expansion may exceed the limit."""
    most_moves = rules.max_moves

    def room(o, control):
        return second_limit(o, control) + 2 * most_moves

    return room


@dataclass(frozen=True)
class PDSPN(ProofNumbers):
    """Two levels: proof-number and disproof-number search, and proof-number search."""

    id: ClassVar[str] = "pds-pn"
    title: ClassVar[str] = "depth-first PDS over a second level of PN"
    paper: ClassVar[str] = "Winands, Uiterwijk and van den Herik 2002"
    follows: ClassVar[str] = ("the least pn where {me} moves and the least dn where {you} does, "
                              "and stays below a node until both thresholds are reached")

    a: float = option(450_000.0, "first-level size at which f = 1/2", low=1, high=1e12)
    b: float = option(300_000.0, "how gradually f rises", low=1, high=1e12)
    N: int = option(1_000_000, "nodes of both levels together", low=2, high=100_000_000)
    epsilon: float = option(0.0, "thresholds grow by this part, and by 1 at least; 0 is PDS", low=0)

    def plan(self, rules: Rules) -> Plan:
        """PDS, and PN below each new node."""
        return df_pn_plan(backup=backup_of(sum_total, by_delta=True), thresholds=thresholds,
                          reached=reached, top=(1, 1), stubborn=True, late=not rules.cyclic,
                          entered=entered_of, adjust=adjust, room=room_of(rules),
                          child_fields=FIELDS)


def second_level_of(rules: Rules, plan: Plan, expand: Function, verdict: Function,
                    limit: Function) -> Function:
    """Return ``entered(g, o, stack, table, depth, new)``: search below a new node, except the root,
    until it is solved or the tree has ``limit(o, control)`` nodes."""
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
        """Mark these children as leaves of the second level."""
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
