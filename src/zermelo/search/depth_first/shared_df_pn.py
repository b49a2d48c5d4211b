"""df-pn that counts what children share once: shared-source counting, after SNDA (Kishimoto 2010).

If two children of a node lead to one position, a sum counts it twice. Where the search finds out
that they do, the two *meet*, and of all children that meet others only the largest number counts:

    OR:  dn = sum of dn(c) over those that meet none + max of dn(c) over those that do

and at an AND node the same for pn. What is found out is what comes by, as in the mate solver
KomoringHeights: each position remembers the parent it was first entered from. Of a node that is
entered, the child c to be searched is followed back, parent by parent, up to the current path:

        source            on the path
        /    \\
       x      y           y leads on to the node, x does not
       .      .
        \\   node
         c

so x and y, children of the source, meet in c. On the way back no number may grow by more than
``slack`` from a position to its parent, dn if the source is an OR node, pn else: where it does,
most of x is about other things than c.

What was found out about a node is noted with it, see ``notes``, for its first 64 children.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from zermelo.core.rules import Function, Rules
from zermelo.kernel.bits import ONE, ZERO
from zermelo.search.base import option
from zermelo.search.common.table import bucket_of
from zermelo.search.depth_first.df_pn import ProofNumbers, backup_for, df_pn_plan, numbers_of
from zermelo.search.depth_first.plan import Plan
from zermelo.search.depth_first.table import INF, look_narrow, note, noted
from zermelo.search.reasons import UNKNOWN

PARENT, HASH, MEETING, WIDTH = 1, 2, 3, 4  # words of a note, after the check
NOTES = WIDTH << 15
MOST_NOTED = 64
FIELDS = (("meets", "i8"),)


def backup(o, children, first, count, attacker_moves):
    """The least phi; the sum of the deltas, of those that meet only the largest.

    ``others`` is what the rest leaves no room for: for a child that meets others, what the sum has.
    """
    best, phi_1, phi_2, delta_best = -1, INF, INF, 0
    delta_sum, delta_max, unsolved = 0, 0, 0
    for k in range(first, first + count):
        if children[k].status == UNKNOWN:
            phi, delta = numbers_of(children[k], attacker_moves)
            unsolved += 1
            if children[k].meets != 0:
                delta_max = max(delta_max, delta)
            else:
                delta_sum += delta
            if phi < phi_1:
                best, phi_2, phi_1, delta_best = k, phi_1, phi, delta
            elif phi < phi_2:
                phi_2 = phi
    delta_total = min(delta_sum + delta_max, INF - 1)
    others = delta_sum
    if best >= 0 and children[best].meets == 0:
        others = delta_sum - delta_best + delta_max
    return backup_for(attacker_moves, phi_1, delta_total, best, phi_2, others, unsolved)


def entered_of(rules: Rules, plan: Plan, expand: Function) -> Function:
    """Return ``entered``: recall which children meet, and follow the one to be searched back."""

    def recall(stack, depth, new):
        """The node's note, and its children's marks."""
        frames, children, notes = stack.frames, stack.children, stack.notes
        at = note(notes, WIDTH, frames[depth].check)
        if notes[at + HASH] == ZERO or new:
            notes[at + HASH] = frames[depth].hash
            notes[at + PARENT] = frames[depth - 1].check if depth > 0 else ZERO
        first, meeting = frames[depth].first, notes[at + MEETING]
        for i in range(frames[depth].count):
            marked = i < MOST_NOTED and (meeting >> i) & ONE != ZERO
            children[first + i].meets = 1 if marked else 0

    def mark(stack, level, k):
        """Child ``k`` of the node at ``level`` meets another one."""
        stack.children[k].meets = 1
        at = noted(stack.notes, WIDTH, stack.frames[level].check)
        i = k - stack.frames[level].first
        if at >= 0 and i < MOST_NOTED:
            stack.notes[at + MEETING] |= ONE << np.uint64(i)

    def meet(stack, level, one, check):
        """Child ``one`` of the node at ``level`` meets the child with this check."""
        first = stack.frames[level].first
        for k in range(first, first + stack.frames[level].count):
            if k != one and stack.children[k].check == check:
                mark(stack, level, one)
                mark(stack, level, k)

    def level_of(stack, depth, check):
        """The level of the path at which a position is, or -1."""
        for level in range(depth, -1, -1):
            if stack.frames[level].check == check:
                return level
        return -1

    def follow(o, stack, table, depth, k):
        """Go back from child ``k`` to the path, and let the two ways meet."""
        frames, notes, control = stack.frames, stack.notes, stack.control[0]
        check, last_pn, last_dn = stack.children[k].check, INF, INF
        by_pn = by_dn = True
        for step in range(depth + 1):
            at = noted(notes, WIDTH, check)
            if at < 0 or notes[at + PARENT] == ZERO:
                return
            parent = notes[at + PARENT]
            if step == 0 and parent == frames[depth].check:
                return
            found, status, pn, dn = look_narrow(
                table, bucket_of(len(table), notes[at + HASH]), check, control.generation,
                stack.readings)
            if not found:
                pn, dn = 1, 1
            if status != UNKNOWN:
                return
            by_pn, by_dn = by_pn and pn <= last_pn + o.slack, by_dn and dn <= last_dn + o.slack
            level = level_of(stack, depth, parent)
            if level >= 0:
                if by_dn if frames[level].mover == control.attacker else by_pn:
                    meet(stack, level, k if level == depth else frames[level].chosen, check)
                return
            check, last_pn, last_dn = parent, pn, dn

    def entered(g, o, stack, table, depth, new):
        frames, children = stack.frames, stack.children
        recall(stack, depth, new)
        attacker_moves = frames[depth].mover == stack.control[0].attacker
        first, count = frames[depth].first, frames[depth].count
        k = backup(o, children, first, count, attacker_moves).best
        if k >= 0 and children[k].known != 0:
            follow(o, stack, table, depth, k)

    return entered


@dataclass(frozen=True)
class SharedDFPN(ProofNumbers):
    """Depth-first proof-number search that counts what children share once."""

    id: ClassVar[str] = "shared-df-pn"
    title: ClassVar[str] = "df-pn that counts children that meet again by the largest"
    paper: ClassVar[str] = "Kishimoto 2010 (SNDA); KomoringHeights"

    slack: int = option(2, "by how much a number may grow from a position to its parent on the way "
                        "back to where two children part", low=0, high=1 << 20)
    epsilon: float = option(0.25, "how far to search a child beyond the second best one", low=0)

    def plan(self, rules: Rules) -> Plan:
        """Sums but for children that meet; unit leaves.

        A number falls where two are found to meet. What falls, and may be forgotten, could go round
        in circles, so visits are stubborn once the table has lost entries.
        """
        return df_pn_plan(backup=backup, stubborn=True, late=not rules.cyclic, entered=entered_of,
                          child_fields=FIELDS, notes=NOTES)
