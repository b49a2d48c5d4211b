"""df-pn with the threshold controlling algorithm, TCA (Kishimoto 2010).

Round a cycle, numbers feed each other: a node is left because of a child whose numbers come from
further up the path, and nothing new has been looked at. Such a child is *old*: it was visited
before, and nearer to the root than it is now. TCA holds the search below a node that has an old
child until a leaf has been expanded there. As long as it is held, its thresholds are

    th_pn = max(th_pn, pn + 1)        th_dn = max(th_dn, dn + 1),

so that it is not left, and its children are held likewise; from then on they are what they were.
Where no position can be reached at two depths there are no old children, and this is df-pn.

How near the root a position was visited is noted, see ``notes``. What was lost counts as old if the
game has cycles: that can only hold the search for longer.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from zermelo.core.rules import Function, Rules
from zermelo.kernel.bits import word
from zermelo.search.base import option
from zermelo.search.depth_first.df_pn import ProofNumbers, df_pn_plan
from zermelo.search.depth_first.plan import Plan
from zermelo.search.depth_first.table import note, noted
from zermelo.search.reasons import UNKNOWN

WIDTH = 2  # words of a note: check, 1 + the least depth
NOTES = WIDTH << 16
FREE = -1
FIELDS = (("own_pn", "i8"), ("own_dn", "i8"), ("held", "i8"))


def entered_of(rules: Rules, plan: Plan, expand: Function) -> Function:
    """Return ``entered``: hold the node if it has an old child, or if the one above it is held.

    A node is held while ``held`` is the number of expansions; the next one lets it go.
    """
    lost_is_old = rules.cyclic

    def is_old(notes, child, depth):
        if child.status != UNKNOWN or child.known == 0:
            return False
        at = noted(notes, WIDTH, child.check)
        return np.int64(notes[at + 1]) <= depth if at >= 0 else lost_is_old

    def remember(notes, check, depth):
        at = note(notes, WIDTH, check)
        if notes[at + 1] == word(0) or np.int64(notes[at + 1]) > depth + 1:
            notes[at + 1] = word(depth + 1)

    def has_old_child(stack, depth):
        children, first = stack.children, stack.frames[depth].first
        for k in range(first, first + stack.frames[depth].count):
            if is_old(stack.notes, children[k], depth + 1):
                return True
        return False

    def entered(g, o, stack, table, depth, new):
        frames, control = stack.frames, stack.control[0]
        frames[depth].own_pn, frames[depth].own_dn = frames[depth].th_pn, frames[depth].th_dn
        frames[depth].held = FREE
        remember(stack.notes, frames[depth].check, depth)
        if not new:  # else a leaf has just been expanded
            held = depth > 0 and frames[depth - 1].held == control.expansions
            if held or has_old_child(stack, depth):
                frames[depth].held = control.expansions

    return entered


def adjust(o, frame, control, depth, pn, dn):
    """The node's own thresholds, or larger ones while it is held."""
    frame.th_pn, frame.th_dn = frame.own_pn, frame.own_dn
    if frame.held == control.expansions:
        frame.th_pn = max(frame.own_pn, pn + 1)
        frame.th_dn = max(frame.own_dn, dn + 1)


@dataclass(frozen=True)
class TCADFPN(ProofNumbers):
    """Depth-first proof-number search with the threshold controlling algorithm."""

    id: ClassVar[str] = "tca-df-pn"
    title: ClassVar[str] = "df-pn that goes on to a new leaf where it meets an old position"
    paper: ClassVar[str] = "Kishimoto 2010"

    epsilon: float = option(0.25, "how far to search a child beyond the second best one", low=0)

    def plan(self, rules: Rules) -> Plan:
        """Return df-pn with thresholds that are raised where the search is held."""
        return df_pn_plan(entered=entered_of, adjust=adjust, late=True, frame_fields=FIELDS,
                          notes=NOTES)
