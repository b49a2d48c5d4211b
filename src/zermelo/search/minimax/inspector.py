"""The inspector of minimax runs: the table of scores, and the proof that was found.

The root's own moves are shown as the search has noted them. Below, an entry counts where its check
agrees; its claims are facts, its points are those of the last search that came by, to some depth.
On a walk through the proof every position is searched again, with the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.core.board import records
from zermelo.core.rules import FIRST_WINS, ONGOING, Rules
from zermelo.kernel.bits import ZERO, bare
from zermelo.search.base import Opened, Seen
from zermelo.search.common.rules import moves_of
from zermelo.search.common.table import bucket_of
from zermelo.search.minimax.driver import address_of
from zermelo.search.minimax.plan import (
    BOUND_WORDS,
    DRAW,
    LOSS,
    LOWER,
    UNIT,
    UPPER,
    WIN,
    bound_in,
    depth_in,
    from_root,
    hi_in,
    lo_in,
    look,
    place_in,
    plies_to_end,
    score_in,
    shown,
)
from zermelo.search.reasons import LOST, UNKNOWN, WON

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.search.minimax.run import Run

Function = Callable[..., Any]
# The move that led there, its maker, the player to move, the outcome, and the table's word.
ROW = np.dtype([("move", "i4"), ("before", "i4"), ("mover", "i4"), ("end", "i4"), ("data", "u8")])
OTHER_SIDE = {LOWER: UPPER, UPPER: LOWER}


def peek_of(rules: Rules) -> Function:
    """``peek(g, stack, table, path, rows) -> count``: the position that ``path`` leads to into the
    first row, its children into those after it."""
    play, mover, outcome = rules.play, rules.mover, rules.outcome
    legal, address = moves_of(rules), address_of(rules)

    def read(g, stack, table, ply, row):
        row.mover, row.end = mover(g, stack.states[ply]), outcome(g, stack.states[ply])
        hash, check = address(g, stack, ply)
        row.data = look(table, bucket_of(len(table), hash), check)

    def around(g, stack, table, path, rows):
        n = len(path)
        for ply in range(n):
            play(g, stack.states[ply], path[ply], stack.states[ply + 1])
        rows[0].move = path[n - 1] if n > 0 else 0
        rows[0].before = mover(g, stack.states[n - 1 if n > 0 else 0])
        read(g, stack, table, n, rows[0])
        if rows[0].end != ONGOING:
            return 0
        count = min(legal(g, stack.control[0], stack.states[n], stack.lists[n]), len(rows) - 1)
        for i in range(count):
            play(g, stack.states[n], stack.lists[n, i], stack.states[n + 1])
            rows[i + 1].move, rows[i + 1].before = stack.lists[n, i], rows[0].mover
            read(g, stack, table, n + 1, rows[i + 1])
        return count

    def peek(g, stack, table, path, rows):
        return around(bare(g), bare(stack), bare(table), bare(path), bare(rows))

    return peek


def open_node(run: Run, path: Sequence[int], offset: int, count: int) -> Opened:
    """Return the position that ``path`` leads to, with what is known about its children."""
    if not path:
        chosen = run.chosen()
        moves = [Seen(move, status, numbers, best=move == chosen)
                 for move, status, numbers in run.moves()]
        node = Seen(None, run.status, run.numbers(), len(moves), best=True)
        return Opened(node, moves[offset : offset + count], len(moves))
    rows = rows_at(run, path)
    before = rows_at(run, path[:-1])
    best = path[-1] == (run.chosen() if len(path) == 1 else _best(before))
    node, next_best = seen(run, rows[0], best, len(rows) - 1), _best(rows)
    if len(path) == 1:  # known from the root
        known = {move: (status, numbers) for move, status, numbers in run.moves()}
        if path[0] in known:
            node = Seen(path[0], *known[path[0]], len(rows) - 1, best=best)
    children = [seen(run, row, int(row["move"]) == next_best)
                for row in rows[1 + offset : 1 + offset + count]]
    return Opened(node, children, len(rows) - 1)


def rows_at(run: Run, path: Sequence[int]) -> np.ndarray[Any, Any]:
    """Return the rows of the position that ``path`` leads to and of its children."""
    engine = run.glass
    while len(engine.stack.frames) < len(path) + 3:
        engine.lengthen()
    engine.stack.states[0] = run.position.state[0]
    rows = records(ROW, 1 + engine.rules.max_moves)
    count = run.peek(engine.rules.data, engine.stack, run.engine.table.words,
                 np.array(path, np.int32), rows)
    return rows[: 1 + int(count)]


def _best(rows: np.ndarray[Any, Any]) -> int | None:
    """Return the move that the position's own entry has."""
    at = int(place_in(rows[0]["data"])) if rows[0]["data"] != ZERO else -1
    return int(rows[at + 1]["move"]) if 0 <= at < len(rows) - 1 else None


def seen(run: Run, row: Any, best: bool, children: int | None = None) -> Seen:
    """Return a position by its entry: points for its parent's mover, claims for the attacker."""
    move, end, data = int(row["move"]), int(row["end"]), row["data"]
    if end != ONGOING:
        status = WON if end == FIRST_WINS + run.attacker else LOST
        return Seen(move, status, {}, 0, best=best)
    if data == ZERO:
        return Seen(move, UNKNOWN, {}, children, held=False, best=best)
    score, bound = int(from_root(score_in(data), 1)), int(bound_in(data))
    if row["mover"] != row["before"]:
        score, bound = -score, OTHER_SIDE.get(bound, bound)
    lo, hi = int(lo_in(data)), int(hi_in(data))
    if row["mover"] != run.attacker:
        lo, hi = -hi, -lo
    status = WON if lo == WIN else LOST if hi <= DRAW else UNKNOWN
    return Seen(move, status, {
        "points": shown(score), "depth": int(depth_in(data)) // UNIT,
        "bound": BOUND_WORDS[bound]}, children, best=best)


WORTH, LEAST = 4, 1 << 16  # nodes for a move of the line: a multiple of those for the proof


class Walk:
    """A place in the proof of one run. Each step of a win leads nearer to its end."""

    def __init__(self, run: Run) -> None:
        self.run, self.position = run, run.position
        cyclic = run.engine.rules.cyclic  # else every way through a won game has an end
        self.within = plies_to_end(run.engine.value) if cyclic else None
        self.nodes = WORTH * run.engine.nodes + LEAST
        self.engine = run.beside()

    def best(self) -> int | None:
        """Return the move to play: shortest for the winner, else longest; None at the end."""
        if self.run.status == UNKNOWN or self.position.outcome is not None:
            return None
        mover, won = self.position.mover, self.run.status == WON
        mine = mover == self.run.attacker
        # Until the claim is proved that the run's answer makes about this position.
        lo, hi = WIN + 1, LOSS - 1
        if won:
            lo, hi = (WIN, hi) if mine else (lo, LOSS)
        else:
            lo, hi = (lo, DRAW) if mine else (DRAW, hi)
        found = self.engine.look(self.position.state[0], mover, lo, hi, self.within, self.nodes)
        return None if found is None else found[1]

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``."""
        self.position = position
        if self.within is not None:
            self.within -= 1
        return True
