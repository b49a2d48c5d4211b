"""Inspecting a depth-first run: its table, each visit, and the proof that was found.

To look at a position, a stack beside the run's own stands there and expands it as a visit would,
with the same functions: the rules, the path (for repetitions), the entries of the table for the
children. An entry is read only where its check agrees, which is exact for exact keys; for others
two positions are taken for each other with a chance of 2**-64 or so, as they would be in the
search. Nothing is written but to that stack. Where the run is just searching below the position,
its own copy of the numbers is shown, with the thresholds.

To record a run, a visit is read off its stack: frames and children of a node that was left stay
there until the next visit. A node on the path has the numbers that its children come to; one that
was left those that its parent got.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.search.base import Numbers, Opened, Path, Seen
from zermelo.search.common.recorder import Recorder
from zermelo.search.depth_first.plan import Stack
from zermelo.search.reasons import SLICE, UNKNOWN, WON

if TYPE_CHECKING:
    from zermelo.core.position import Position
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
        status, numbers = rows.status, run.search.shown(rows.status, 0, 0)
    if rows.frame is not None:
        thresholds = run.search.show_thresholds(rows.frame["th_pn"], rows.frame["th_dn"])
        numbers = rows.numbers if status == UNKNOWN else numbers
    return Seen(path[-1], status, numbers, total, known.held or status != UNKNOWN, known.best,
                thresholds)


def seen(run: Run, child: Any, best: int | None) -> Seen:
    """A child as it stands."""
    status, move = int(child["status"]), int(child["move"])
    numbers = run.search.shown(status, child["pn"], child["dn"])
    return Seen(move, status, numbers, held=bool(child["known"]) or status != UNKNOWN,
                best=move == best)


def rows_at(run: Run, path: Sequence[int]) -> Rows:
    """The children of the position that ``path`` leads to."""
    stack = _with_room(run, len(path))
    run.aim(stack, run.state)
    moves = np.array(path, np.int32)
    count = max(0, int(run.parts.expand_once(run.rules.data, run.options, stack, run.table.words,
                                             moves)))
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
    move = int(children[best]["move"]) if best >= 0 else None
    if status != UNKNOWN:
        move = _proving(rows, int(status), mine)
    return Rows(rows, move, int(status), run.search.shown(status, pn, dn))


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


class PathRecorder(Recorder):
    """A recorder of each visit."""

    run: Run

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.visits, self.expansions, self.again = 0, 0, False
        self.depth = self._depth

    def advance(self, search: Callable[..., int]) -> int:
        """One visit."""
        return search(1)

    def _path(self) -> Path | None:
        run = self.run
        if run.nodes == self.visits:
            return None
        entered, self.depth = self.depth + 1, self._depth
        self.again = run.iterations == self.expansions
        self.visits, self.expansions = run.nodes, run.iterations
        stack = self._stack
        return tuple(int(stack.children[stack.frames[at]["chosen"]]["move"])
                     for at in range(entered))

    def _more(self, path: Path) -> dict[str, Any]:
        frames = self._stack.frames
        thresholds = {path[:depth]: self.run.search.show_thresholds(
            frames[depth]["th_pn"], frames[depth]["th_dn"]) for depth in range(len(path) + 1)}
        return {"thresholds": thresholds, "again": self.again, "back_to": self.depth}

    @property
    def _stack(self) -> Stack:
        return self.run.stacks[0]

    @property
    def _depth(self) -> int:
        return int(self._stack.control[0]["depth"])

    def _node(self, depth: int) -> tuple[int, Numbers]:
        """The node at ``depth`` of the path, as it stands."""
        run, stack = self.run, self._stack
        if depth == 0 and run.status != UNKNOWN:
            return run.status, run.numbers()
        if depth > self.depth:
            left = seen(run, stack.children[stack.frames[depth - 1]["chosen"]], None)
            return left.status, left.numbers
        frame = stack.frames[depth]
        mine = int(frame["mover"]) == run.attacker
        status, pn, dn, _ = run.parts.weigh(
            run.options, stack.children, int(frame["first"]), int(frame["count"]), mine)
        return int(status), run.search.shown(status, pn, dn)

    def _children(self, depth: int) -> list[Seen]:
        frame = self._stack.frames[depth]
        rows = self._stack.children[frame["first"] : frame["first"] + frame["count"]]
        return [seen(self.run, row, None) for row in rows]

    def _beside(self, depth: int) -> list[Seen]:
        """On the way back the table may have told about other children."""
        if depth <= self.depth or depth == 0:
            return []
        frame = self._stack.frames[depth - 1]
        siblings = self._children(depth - 1)
        del siblings[frame["chosen"] - frame["first"]]
        return siblings


AGAIN_SLICE, AGAIN_SLICES = 1 << 16, 1 << 12
AGAIN = AGAIN_SLICES * AGAIN_SLICE
WORTH = 4  # visits for a line, as a multiple of those for the proof
LITTLE = 1 << 10  # visits for a shorter line, beside a quarter of those for the proof
MOST = 1 << 18  # and at most this many: nobody waits for a line as long as for the proof


def nearing(run: Run, most: int = MOST) -> Run:
    """A run that proves the same win, in whose proof every step leads nearer to the end.

    In a cyclic game a winning move may lead back to where the winner was before. There the win is
    searched for again, within as many plies as the proof takes and then within fewer, down to the
    shortest: with plies to spare the winner could still go round in a circle. That may take
    WORTH times the work of the proof, and at most ``most`` visits; if it takes more, the shortest
    found so far has to do.
    """
    if not run.rules.cyclic or run.status != WON or run.task.horizon is not None:
        return run
    best, visits = run, min(WORTH * run.nodes + AGAIN_SLICE, most)
    shorter, longer = 0, run.proof_length
    horizon = longer
    while horizon > shorter and visits > 0:
        again = _within(run, horizon, visits)
        visits -= again.nodes
        if again.status == UNKNOWN:
            break
        if again.status == WON:
            best, longer = again, horizon
        else:
            shorter = horizon
        horizon = (shorter + longer) // 2
    return best


def sooner(run: Run, plies: int) -> Run | None:
    """A run that proves the same win within fewer than ``plies``, if little work finds one.

    Where a game foresees who wins, a proof says nothing about how soon. Two plies more each time,
    since the winner makes the last move.
    """
    if not run.rules.keeps_length or run.status != WON or run.task.horizon is not None:
        return None
    visits = spare_visits(run)
    for horizon in range(2 - (run.position.mover == run.attacker), plies, 2):
        again = _within(run, horizon, visits)
        visits -= again.nodes
        if again.status == WON:
            return again
        if again.status == UNKNOWN:
            break
    return None


def spare_visits(run: Run) -> int:
    """Return the most visits for a better line, where the proof has one already."""
    return min(run.nodes // 4, MOST) + LITTLE


def _within(run: Run, horizon: int, visits: int) -> Run:
    """A win in ``horizon`` plies, searched for with some visits."""
    again = run.within(horizon)
    while again.status == UNKNOWN and again.nodes < visits:
        if again.advance(min(AGAIN_SLICE, visits)) != SLICE:  # short ones, so that Ctrl-C is heard
            break
    return again


class Walk:
    """A place in the proof of one run.

    Lengths are those of the proof, as far as the table knows them: what a quick search or a game's
    own knowledge has settled counts as the end.
    """

    def __init__(self, run: Run) -> None:
        self.run, self.position, self.plies = nearing(run), run.position, 0
        self.won, self.spare_visits = run.status == WON, spare_visits(run)

    @property
    def prover(self) -> int:
        """The player whose claim is proved: the attacker if it wins, else the other."""
        return self.run.attacker if self.won else 1 - self.run.attacker

    def best(self) -> int | None:
        """The move to play: shortest for the prover, longest for the other; None at the end."""
        status, children = self.run.look_again(self.position.state[0], self.plies)
        if status == UNKNOWN or not children:
            return None
        same = [(length, index) for index, (_, child, length) in enumerate(children)
                if child == status]
        if not same:
            return None
        if self.position.mover == self.prover:
            return children[min(same)[1]][0]
        same.sort(key=lambda pair: (-pair[0], pair[1]))
        replies = [children[index][0] for _, index in same]
        return self._lasting(replies) if self.run.task.horizon is not None else replies[0]

    def _lasting(self, replies: list[int]) -> int:
        """Of replies to a win within a horizon, one after which it takes all plies left, as far
        as little work shows that: a win with a ply to spare can be much harder to rule out."""
        left = (self.run.task.horizon or 0) - self.plies - 1
        for move in replies:
            child = self.position.play_code(move)
            if child.outcome is None and (left <= 1 or not self._sooner(child)):
                return move
        return replies[0]

    def _sooner(self, child: Position) -> bool:
        """Return True if the game after a reply is seen to be won with a ply to spare."""
        if self.spare_visits <= 0:
            return False
        before = self.run.looked
        status, _ = self.run.look_again(child.state[0], self.plies + 2, self.spare_visits)
        self.spare_visits -= self.run.looked - before
        return status == WON

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``."""
        self.position = position
        self.plies += 1
        return True
