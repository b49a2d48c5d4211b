"""Looking into a table: what it still has about the children of a position.

A stack beside the run's own stands at the position and expands it as a visit would, with the same
functions: the rules, the path (for repetitions), the entries of the table for the children. An
entry is read only where its check agrees, which is exact for exact keys; for others two positions
are taken for each other with a chance of 2**-64 or so, as they would be in the search. Nothing is
written but to that stack. Where the run is just searching below the position, its own copy of the
numbers is shown, with the thresholds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.search.base import Numbers, Opened, Seen
from zermelo.search.common.status import UNKNOWN, WON
from zermelo.search.depth_first.plan import Stack

if TYPE_CHECKING:
    from zermelo.search.depth_first.run import Run

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Rows:
    """The children of a position, the move to follow, and what they say about the position.

    ``frame``: that of the position, where the run is just searching it or below it.
    """

    children: Array
    best: int | None
    status: int
    numbers: Numbers
    frame: Any = None

    def of(self, move: int) -> Any:
        """The child that ``move`` leads to, or None."""
        found = np.flatnonzero(self.children["move"] == move)
        return self.children[int(found[0])] if len(found) else None


def open_node(run: Run, path: Sequence[int], offset: int, count: int) -> Opened:
    """The position that ``path`` leads to, and what is known about its children."""
    asked = (run.attacker, run.task.threshold) in run.table.asked
    if run.finished != UNKNOWN or not asked:  # a table that was cleared has nothing about it
        move = path[-1] if path else None
        return Opened(Seen(move, run.finished, run.numbers() if not path else {}, 0, not path,
                           not path), [], 0)
    rows = rows_at(run, path)
    children = [seen(run, child, rows.best)
                for child in rows.children[offset : offset + count]]
    return Opened(_node(run, path, rows), children, len(rows.children))


def _node(run: Run, path: Sequence[int], rows: Rows) -> Seen:
    """The position itself: by what its parent has, or, while it is being searched, by its own."""
    total = len(rows.children)
    if not path:
        return Seen(None, run.status, run.numbers(), total, best=True)
    before = rows_at(run, path[:-1])
    child = before.of(path[-1])
    known = (Seen(path[-1], UNKNOWN, {}, held=False) if child is None  # a move it does not try
             else seen(run, child, before.best))
    status, numbers, thresholds = known.status, known.numbers, None
    if status == UNKNOWN and total > 0 and rows.status != UNKNOWN:
        status, numbers = rows.status, run.search.show_solved(rows.status == WON)
    if rows.frame is not None:
        thresholds = run.search.show_thresholds(rows.frame["th_pn"], rows.frame["th_dn"])
        numbers = rows.numbers if status == UNKNOWN else numbers
    return Seen(path[-1], status, numbers, total, known.held or status != UNKNOWN, known.best,
                thresholds)


def seen(run: Run, child: Any, best: int | None) -> Seen:
    """A child as it stands."""
    status, move = int(child["status"]), int(child["move"])
    numbers = (run.search.show(child["pn"], child["dn"]) if status == UNKNOWN
               else run.search.show_solved(status == WON))
    return Seen(move, status, numbers, held=bool(child["known"]) or status != UNKNOWN,
                best=move == best)


def rows_at(run: Run, path: Sequence[int]) -> Rows:
    """The children of the position that ``path`` leads to."""
    stack = _with_room(run, len(path))
    run.aim(stack, run.state)
    moves = np.array(path, np.int32)
    count = max(0, int(run.parts.peek(run.rules.data, run.options, stack, run.table.words, moves)))
    mine = int(stack.frames[len(path)]["mover"]) == run.attacker
    live = _live(run, path)
    if live is None or count == 0:
        return _weighed(run, stack.children, 0, count, mine)
    frame = live.frames[len(path)]
    first, own = int(frame["first"]), int(frame["count"])
    rows = _weighed(run, live.children, first, own, mine)
    all = stack.children[:count].copy()
    places = {int(move): at for at, move in enumerate(all["move"])}
    for child in live.children[first : first + own]:
        if int(child["move"]) in places:
            all[places[int(child["move"])]] = child
    below = len(path) < int(live.control[0]["depth"])
    best = int(live.children[frame["chosen"]]["move"]) if below else rows.best
    return Rows(all, best, rows.status, rows.numbers, frame)


def _weighed(run: Run, children: Array, first: int, count: int, mine: bool) -> Rows:
    """``count`` children from ``first`` on, and what they come to."""
    rows = children[first : first + count].copy()
    if count == 0:
        return Rows(rows, None, UNKNOWN, {})
    status, pn, dn, best = run.parts.weigh(run.options, children, first, count, mine)
    if status != UNKNOWN:
        return Rows(rows, _proving(rows, int(status), mine), int(status),
                    run.search.show_solved(status == WON))
    move = int(children[best]["move"]) if best >= 0 else None
    return Rows(rows, move, UNKNOWN, run.search.show(pn, dn))


def _proving(rows: Array, status: int, mine: bool) -> int:
    """The move that a proof goes on with: the shortest way for the prover, else the longest."""
    same = [row for row in rows if int(row["status"]) == status]
    pick = min if mine == (status == WON) else max
    return int(pick(same, key=lambda row: int(row["length"]))["move"])


def _live(run: Run, path: Sequence[int]) -> Stack | None:
    """A stack of the run that stands at the end of ``path`` or below."""
    for stack in run.stacks:
        if int(stack.control[0]["depth"]) < len(path):
            continue
        chosen = stack.frames["chosen"][: len(path)]
        if list(stack.children["move"][chosen]) == list(path):
            return stack
    return None


def _with_room(run: Run, plies: int) -> Stack:
    """The stack to look with, long enough."""
    own = run.path_length
    while len(run.glass.frames) < plies + 4:
        run.glass.control[0]["depth"] = len(run.glass.frames)
        run.glass = run.longer(run.glass)
    run.path_length = own  # the memory that the run itself takes is what it was
    return run.glass
