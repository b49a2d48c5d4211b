"""A run of conspiracy number search, seen from Python: its bins, its numbers, its move."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from zermelo.core.board import moves_array, states_array
from zermelo.core.rules import MOST_POINTS, ONGOING, Rules
from zermelo.kernel.bits import bare
from zermelo.kernel.jit import kernel
from zermelo.kernel.rng import below, start_counter
from zermelo.search.base import Task
from zermelo.search.best_first.cns_numbers import INF, WIN_POINTS, Options
from zermelo.search.best_first.plan import Planned
from zermelo.search.best_first.run import Run
from zermelo.search.common.status import UNKNOWN

WALKS, PLIES = 64, 8
MOST_BINS = 64


class Binned(Planned, Protocol):
    """The options that say what the bins are and how they are used."""

    @property
    def bins(self) -> int:
        """Bins for estimates."""

    @property
    def thresholds(self) -> str:
        """Where they begin, if that is given."""

    @property
    def conspirators(self) -> int:
        """How many every other value needs for a conclusion; 0: none is enough."""

    @property
    def aim(self) -> str:
        """Which of the values that need fewest conspirators to look into."""

    @property
    def tie(self) -> str:
        """Which of equal children to follow."""


def read_thresholds(text: str) -> list[int] | None:
    """The whole numbers of an option; None if they are none, or do not rise."""
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
    """A conspiracy number for people and JSON."""
    return "inf" if number == INF else int(number)


def spread(samples: Any, bins: int) -> list[int]:
    """The points that part ``samples`` into ``bins`` of about the same size; all different."""
    found: list[int] = []
    ordered = sorted(int(x) for x in samples) or [0]
    for i in range(1, bins):
        at = ordered[i * len(ordered) // bins]
        found.append(max(at, found[-1] + 1) if found else at)
    return found


class ConspiracyRun(Run):
    """Numbers and points are those of the player to move at the root, whoever is the attacker."""

    search: Binned
    options: Options

    def __init__(self, search: Binned, task: Task) -> None:
        super().__init__(search, task)
        earlier = task.after
        self.earlier = earlier if isinstance(earlier, ConspiracyRun) else None

    def _options(self, task: Task) -> tuple[Any, ...]:
        """The bins, from the options or from a look at what is near."""
        search, rules = self.search, task.rules
        points = read_thresholds(search.thresholds)
        if points is None:
            points = self._survey(task) if rules.evaluate is not None else []
        return Options(np.array(points, np.int64), np.zeros(len(points) + 3, np.float32),
                       search.conspirators, search.tie == "value", search.aim == "far")

    def _survey(self, task: Task) -> list[int]:
        position, rules, bins = task.position, task.rules, self.search.bins
        samples = np.zeros(WALKS * PLIES, np.int64)
        found = 0
        if position.outcome is None and bins > 1:
            states = states_array(rules, 3)
            states[0] = position.state[0]
            found = kernel(survey_of(rules))(rules.data, states, moves_array(rules),
                                             np.zeros(1, np.uint64), samples)
        sign = 1 if position.mover == task.attacker else -1
        return spread(sign * samples[:found], bins)

    def _node_numbers(self) -> list[Any]:
        """The minimax value, its bin, and a conspiracy number for every bin."""
        return [("points", "i4"), ("at", "i4"), ("cn", "f4", (len(self.options.work),))]

    @property
    def _sign(self) -> int:
        return 1 if self.position.mover == self.attacker else -1

    def thresholds(self) -> list[int]:
        """Where the bins of estimates begin, for the attacker; the first has no beginning."""
        return [int(points) for points in self.options.thresholds]

    def conspirators(self, n: int = 0) -> list[int | str]:
        """The conspiracy numbers of a node for the attacker: a loss, each bin, a win."""
        return [whole(number) for number in self.tree.nodes[n]["cn"]]

    def numbers(self, n: int = 0) -> dict[str, Any]:
        """The value, how many conspirators take it a bin up or down, and to a win or a loss.

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
        """The root's move that would be played now, by the larger tree of two runs."""
        if self.status == UNKNOWN and self.earlier is not None and self.earlier.size > self.size:
            return self.earlier.chosen()
        return super().chosen()

    def _chosen_child(self) -> int | None:
        """The best one by value, also where all are proved alike: some draws are not losses."""
        statuses = {int(self.tree.nodes[c]["status"]) for c in self.children()}
        if not statuses or (self.status != UNKNOWN and statuses != {self.status}):
            return super()._chosen_child()
        mine = int(self.tree.nodes[0]["mover"]) == self.attacker
        assert self.plan.choose is not None
        return int(kernel(self.plan.choose)(self.options, self.tree.nodes, 0, mine))
