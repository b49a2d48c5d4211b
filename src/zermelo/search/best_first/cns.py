"""Conspiracy number search (McAllester 1988; Schaeffer 1990; Song 2019, section 2.1.2).

The conspiracy number CN(v) of a node is the least number of leaves that must change their value for
the node to take the value v. Values lie in bins; beyond them are a bin for a loss and one for a
win, where no estimate lies. With m the bin of the node's minimax value, CN(m) = 0, and

    MAX:  CN(v) = sum of down-needed(v), v < m      CN(v) = min of up-needed(v),  v > m
    MIN:  CN(v) = min of down-needed(v), v < m      CN(v) = sum of up-needed(v),  v > m

over the children, where up-needed(v) is a child's CN(v) if v is above the child's own bin, else 0,
and down-needed(v) the same below it. A leaf has CN(v) = 1 for all v but its own; a finished game
infinity. The next leaf is one of the smallest conspiracy against the root's value.

MAX is the attacker. Infinity comes from finished games alone: a sum of finite numbers stays below.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from zermelo.compiler.jit import kernel
from zermelo.core.board import moves_array, states_array
from zermelo.core.rules import MOST_POINTS, ONGOING, Rules
from zermelo.errors import BadOption, quoted
from zermelo.kernel.bits import bare
from zermelo.kernel.rng import below, start_counter
from zermelo.search.base import Task, option
from zermelo.search.best_first.plan import Plan
from zermelo.search.best_first.search import BestFirst, Run
from zermelo.search.reasons import UNKNOWN, WON

WIN_POINTS = 2 * MOST_POINTS  # a win, as a value; no estimate comes near
ZERO, ONE, INF = np.float32(0), np.float32(1), np.float32(np.inf)
WALKS, PLIES = 64, 8
MOST_BINS = 64
AIMS, TIES = ("far", "near"), ("value", "left")
FAR = BY_VALUE = 0  # their places


def no_points(g, s):
    """Return 0, as ``evaluate`` of a game that has none."""
    return 0


def bin_of(thresholds, points):
    """Return the bin of a value that is neither a win nor a loss: 1 to len(thresholds) + 1."""
    at = 1
    for i in range(len(thresholds)):
        at += points >= thresholds[i]
    return at


def put(nodes, n, points, at, others):
    """Write the numbers of a node without children: 0 for its own bin, ``others`` for all
    others."""
    node = nodes[n]
    node.points = points
    node.at = at
    numbers = node.cn
    for v in range(len(numbers)):
        numbers[v] = others
    numbers[at] = ZERO


def settle(o, nodes, n):
    """Write the numbers of a finished game that one side has won."""
    if nodes[n].status == WON:
        put(nodes, n, WIN_POINTS, len(o.thresholds) + 2, INF)
    else:
        put(nodes, n, -WIN_POINTS, 0, INF)


def drawn(o, nodes, n):
    """Write the numbers of a finished game without a winner: 0 points, for good."""
    put(nodes, n, 0, bin_of(o.thresholds, 0), INF)


def best_child(nodes, n, attacker_moves):
    """Return the leftmost child with the minimax value of ``n``."""
    first = nodes[n].first
    best = first
    for c in range(first + 1, first + nodes[n].count):
        more = nodes[c].points > nodes[best].points
        less = nodes[c].points < nodes[best].points
        if more if attacker_moves else less:
            best = c
    return best


def gather(work, nodes, n, m, attacker_moves):
    """Write minima and sums over the children of ``n``, whose value is in bin ``m``, into ``work``.

    A child of MAX lies at m or below, of MIN at m or above.
    """
    first = nodes[n].first
    bins = len(nodes[n].cn)
    for v in range(bins):
        work[v] = INF if v != m and (v > m) == attacker_moves else ZERO
    for c in range(first, first + nodes[n].count):
        numbers, at = nodes[c].cn, nodes[c].at
        if attacker_moves:
            for v in range(bins):
                x, so_far = numbers[v], work[v]
                least = x if x < so_far else so_far
                total = so_far + (x if v < at else ZERO)
                work[v] = least if v > m else total
        else:
            for v in range(bins):
                x, so_far = numbers[v], work[v]
                least = x if x < so_far else so_far
                total = so_far + (x if v > at else ZERO)
                work[v] = least if v < m else total


def backup(o, nodes, n, leaf, attacker_moves):
    """Write the minimax value and the conspiracy numbers; unchanged ones end the backup."""
    if nodes[n].count == 0:  # no move: lost for its mover, as the driver has found
        settle(o, nodes, n)
        return True
    best = best_child(nodes, n, attacker_moves)
    points, m = nodes[best].points, np.int64(nodes[best].at)
    gather(o.work, nodes, n, m, attacker_moves)
    node = nodes[n]
    changed = node.points != points
    node.points = points
    node.at = m
    numbers, work = node.cn, o.work
    for v in range(len(numbers)):
        changed |= numbers[v] != work[v]
        numbers[v] = work[v]
    return changed


def aim(o, nodes):
    """Return a bin that the fewest conspirators can bring the root to, the farthest or the nearest
    one.

    The numbers grow with the distance from the root's own bin: the fewest are those of a neighbour.
    Of two bins that are equally far it is the higher one.
    """
    numbers, m = nodes[0].cn, np.int64(nodes[0].at)
    bins = len(numbers)
    up = numbers[m + 1] if m + 1 < bins else INF
    down = numbers[m - 1] if m > 0 else INF
    least = min(up, down)
    high = m
    while high + 1 < bins and numbers[high + 1] == least and (o.aim == FAR or high == m):
        high += 1
    low = m
    while low > 0 and numbers[low - 1] == least and (o.aim == FAR or low == m):
        low -= 1
    return high if high - m >= m - low else low


def select(o, nodes, n, attacker_moves):
    """Return a child in the smallest conspiracy: the one that needs fewest, or any that has to
    change.

    Of equal ones the one that looks best to its mover, or the leftmost.
    """
    v = aim(o, nodes)
    up = v > nodes[0].at
    one_is_enough = up == attacker_moves
    first = nodes[n].first
    best, least = -1, INF
    for c in range(first, first + nodes[n].count):
        number = nodes[c].cn[v]
        if not one_is_enough:
            number = ZERO if (nodes[c].at < v if up else nodes[c].at > v) else INF
        if number < least:
            best, least = c, number
        elif o.tie == BY_VALUE and best >= 0 and number == least:
            more = nodes[c].points > nodes[best].points
            less = nodes[c].points < nodes[best].points
            if more if attacker_moves else less:
                best = c
    return best


def choose(o, nodes, n, attacker_moves):
    """Return the child with the best value; of equals the one hardest to bring down, then the
    leftmost."""
    best, hardest = best_child(nodes, n, attacker_moves), -ONE
    points, chosen = nodes[best].points, best
    for c in range(nodes[n].first, nodes[n].first + nodes[n].count):
        if nodes[c].points == points:
            worse = np.int64(nodes[c].at) + (-1 if attacker_moves else 1)
            inside = 0 <= worse < len(nodes[c].cn)
            number = nodes[c].cn[worse] if inside else INF
            if number > hardest:
                chosen, hardest = c, number
    return chosen


def arrived(o, nodes):
    """Return True if every other value of the root needs as many conspirators as asked for."""
    if o.conspirators == 0:
        return False
    return nodes[0].cn[aim(o, nodes)] >= o.conspirators



def read_thresholds(text: str) -> list[int] | None:
    """Return the whole numbers of an option; None if there are none, or they do not rise."""
    try:
        found = [int(word) for word in text.split("/")]
    except ValueError:
        return None
    rising = all(a < b for a, b in pairwise(found))
    inside = all(abs(number) <= MOST_POINTS for number in found)
    return found if rising and inside and len(found) < MOST_BINS else None


def survey_of(rules: Rules) -> Any:
    """``survey(g, states, moves, rng, samples) -> n``: evaluations for the mover of ``states[0]``.

    They are of the positions along WALKS random walks of up to PLIES moves, drawn from the key of
    the state alone. ``states`` has three places.
    """
    moves, play, mover, outcome = rules.moves, rules.play, rules.mover, rules.outcome
    stream, evaluate = rules.stream or rules.key, rules.evaluate

    def loop(g, states, out, rng, samples):
        side, found = mover(g, states[0]), 0
        rng[0] = start_counter(0, stream(g, states[0]))
        for _ in range(WALKS):
            states[1] = states[0]
            now = 1
            for _ in range(PLIES):
                n = moves(g, states[now], out)
                if n < 1:
                    break
                play(g, states[now], out[below(rng, n)], states[3 - now])
                now = 3 - now
                if outcome(g, states[now]) != ONGOING:
                    break
                points = np.int64(evaluate(g, states[now]))
                samples[found] = points if mover(g, states[now]) == side else -points
                found += 1
        return found

    def survey(g, states, out, rng, samples):
        return loop(bare(g), bare(states), bare(out), bare(rng), bare(samples))

    return survey


def whole(number: float) -> int | str:
    """Return a conspiracy number for people and JSON."""
    return "inf" if number == INF else int(number)


def spread(samples: Any, bins: int) -> list[int]:
    """Return the points that part ``samples`` into ``bins`` of about the same size; all
    different."""
    found: list[int] = []
    ordered = sorted(int(x) for x in samples) or [0]
    for i in range(1, bins):
        at = ordered[i * len(ordered) // bins]
        found.append(max(at, found[-1] + 1) if found else at)
    return found


class ConspiracyRun(Run):
    """Numbers and points are those of the player to move at the root, either player may be the
    attacker."""

    def __init__(self, search: CNS, task: Task) -> None:
        super().__init__(search, task)
        earlier = task.after
        self.earlier = earlier if isinstance(earlier, ConspiracyRun) else None

    def _node_numbers(self) -> list[Any]:
        """Return the fields: the minimax value, its bin, and a conspiracy number for every bin."""
        return [("points", "i4"), ("at", "i4"), ("cn", "f4", (len(self.options.work),))]

    @property
    def _sign(self) -> int:
        return 1 if self.position.mover == self.attacker else -1

    def thresholds(self) -> list[int]:
        """Return the points at which bins of estimates begin, for the attacker; the first has
        none."""
        return [int(points) for points in self.options.thresholds]

    def conspirators(self, n: int = 0) -> list[int | str]:
        """Return the conspiracy numbers of a node for the attacker: a loss, each bin, a win."""
        return [whole(number) for number in self.tree.nodes[n]["cn"]]

    def numbers(self, n: int = 0) -> dict[str, Any]:
        """Return the value, how many conspirators take it a bin up or down, and to a win or a loss.

        A ``value`` is a fact; an ``estimate`` is in points.
        """
        node, sign = self.tree.nodes[n], self._sign
        at, numbers = int(node["at"]), node["cn"].tolist()
        up = numbers[at + 1 :][:1] or [INF]
        down = numbers[:at][-1:] or [INF]
        ends = [up[0], down[0], numbers[-1], numbers[0]]
        if sign < 0:
            ends = [ends[1], ends[0], ends[3], ends[2]]
        points = sign * int(node["points"])
        exact = up == down == [INF]
        said: dict[str, Any] = {"estimate": points}
        if exact:
            said = {"value": {WIN_POINTS: "win", -WIN_POINTS: "loss"}.get(points, "draw")}
        named = zip(("up", "down", "win", "loss"), map(whole, ends), strict=True)
        return said | dict(named)

    def chosen(self) -> int | None:
        """Return the root's move that would be played now, by the larger tree of two runs."""
        if self.status == UNKNOWN and self.earlier is not None and self.earlier.size > self.size:
            return self.earlier.chosen()
        return super().chosen()

    def _chosen_child(self) -> int | None:
        """Return the best one by value, also where all are proved alike: some draws are not
        losses."""
        statuses = {int(self.tree.nodes[c]["status"]) for c in self.children()}
        if not statuses or (self.status != UNKNOWN and statuses != {self.status}):
            return super()._chosen_child()
        mine = int(self.tree.nodes[0]["mover"]) == self.attacker
        assert self.plan.choose is not None
        return int(kernel(self.plan.choose)(self.options, self.tree.nodes, 0, mine))


@dataclass(frozen=True)
class CNS(BestFirst):
    """Conspiracy number search."""

    id: ClassVar[str] = "cns"
    title: ClassVar[str] = "conspiracy number search"
    paper: ClassVar[str] = "Song 2019, 2.1.2"
    follows: ClassVar[str] = "a smallest set of leaves that would change the root's value"
    narrows: ClassVar[bool] = False  # what candidates do not win is not lost, as values would say

    bins: int = option(16, "bins for estimates, about equally often needed near the position",
                       low=1, high=MOST_BINS)
    conspirators: int = option(0, "stop when every other value needs this many; 0: never", low=0,
                               high=1_000_000_000)
    thresholds: str = option("", "instead of bins: the points at which bins begin, such as "
                             "-200/0/200", kw_only=True)
    aim: str = option("far", "which of the values that need fewest conspirators to look into: the "
                      "farthest from the root's, or the nearest", choices=AIMS,
                      kw_only=True)
    tie: str = option("value", "which of equal children to follow: the one that looks best to its "
                      "mover, or the leftmost", choices=TIES, kw_only=True)

    def check(self) -> None:
        """Raise BadOption unless thresholds rise and conspirators are not 1."""
        if self.thresholds and read_thresholds(self.thresholds) is None:
            raise BadOption(f"cns: thresholds={quoted(self.thresholds)} is not valid; it is up to "
                            f"{MOST_BINS - 1} whole numbers that rise, such as -200/0/200, none "
                            f"further from 0 than {MOST_POINTS:,}.")
        if self.conspirators == 1:
            raise BadOption("cns: conspirators=1 is not valid: one is what every other value needs "
                            "from the start; it is 0, or a whole number from 2.")

    def plan(self, rules: Rules) -> Plan:
        """Return a plan with the game's own evaluation, or 0 where it has none."""
        points_of = rules.evaluate or no_points

        def evaluate(g, o, tree, n, s, depth):
            points = np.int64(points_of(g, s))
            points = min(max(points, -MOST_POINTS), MOST_POINTS)
            if tree.nodes[n].mover != tree.control[0].attacker:
                points = -points
            put(tree.nodes, n, points, bin_of(o.thresholds, points), ONE)

        return Plan(select, evaluate, settle, backup, arrived, choose=choose, drawn=drawn,
                    shuffle=self.shuffle)

    def task_data(self, task: Task) -> Any:
        """Return the options, the points at which bins begin, and a place for each bin to work in.

        The points are those of the options or come from a look at what is near.
        """
        points = read_thresholds(self.thresholds)
        if points is None:
            points = self._survey(task) if task.rules.evaluate is not None else []
        return self.packed(thresholds=np.array(points, np.int64),
                           work=np.zeros(len(points) + 3, np.float32))

    def _survey(self, task: Task) -> list[int]:
        """Return points that part evaluations near the position into bins, for the attacker."""
        position, rules = task.position, task.rules
        samples = np.zeros(WALKS * PLIES, np.int64)
        count = 0
        if position.outcome is None and self.bins > 1:
            states = states_array(rules, 3)
            states[0] = position.state[0]
            count = kernel(survey_of(rules))(rules.data, states, moves_array(rules),
                                             np.zeros(1, np.uint64), samples)
        sign = 1 if position.mover == task.attacker else -1
        return spread(sign * samples[:count], self.bins)

    def start(self, task: Task) -> ConspiracyRun:
        """Begin a run, one that knows its bins."""
        return ConspiracyRun(self, task)
