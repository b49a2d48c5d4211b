"""The loop of depth-limited searches: into a node, on to its next move, back up to its parent.

It knows neither what a node is worth nor which moves are worth trying: a search gives it the steps.
Between nodes the whole state is in the arrays: the loop can stop there and go on later.
"""

from collections.abc import Callable
from typing import Any

from zermelo.kernel.bits import bare
from zermelo.search.minimax.plan import DOWN, ON, UP
from zermelo.search.reasons import GO, SOLVED, TOO_MANY

Function = Callable[..., Any]
SETTLED, EXPANDED, OVERFULL = range(3)


def loop_of(enter: Function, more: Function, receive: Function, leave: Function,
            pause: Function) -> Function:
    """``run(g, o, stack, table, budget) -> reason``: at most ``budget`` further nodes.

    enter    ``enter(g, o, stack, table, ply)``: SETTLED with a report to the parent, EXPANDED with
             moves to try, or OVERFULL, more moves than the game said
    more     ``more(g, o, stack, ply)``: begin with the next move of the node at ``ply``; False if
             there is no need to
    receive  ``receive(o, stack, ply)``: take the report of the child of the node at ``ply``; True
             if the child is searched again
    leave    ``leave(o, stack, table, ply)``: all moves that matter are done; report to the parent
    pause    ``pause(stack, end)``: why to come back now, before the next node; GO if there is no
             reason to

    SOLVED means here that the root has been searched to its depth.
    """

    def loop(g, o, stack, table, budget):
        control, end = stack.control[0], stack.control[0].nodes + budget
        while True:
            ply = control.ply
            if control.phase == DOWN:
                reason = pause(stack, end)
                if reason != GO:
                    return reason
                how = enter(g, o, stack, table, ply)
                if how == OVERFULL:
                    return TOO_MANY
                control.phase = ON if how == EXPANDED else UP
            elif control.phase == ON:
                if more(g, o, stack, ply):
                    control.ply, control.phase = ply + 1, DOWN
                else:
                    leave(o, stack, table, ply)
                    control.phase = UP
            elif ply == 0:
                return SOLVED
            elif receive(o, stack, ply - 1):
                control.phase = DOWN
            else:
                control.ply, control.phase = ply - 1, ON

    def run(g, o, stack, table, budget):
        return loop(bare(g), bare(o), bare(stack), bare(table), budget)

    return run
