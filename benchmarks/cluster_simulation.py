"""``python -m benchmarks.cluster_simulation``: the real master against simulated workers.

The workers have a clock of their own and search a made-up tree: every position has a number of
moves and an amount of work, drawn from its path, and a value that follows from those below it. The
master, its tree, its budgets and its journal are the ones that solve real positions. So schedules
for 1 to 1,024 workers can be compared without machines: how much faster, how much more work, how
busy the master is (its processor time for each second of the workers' clock), where it breaks.
Times of jobs are drawn around those that were measured (``--speed`` visits a second, ``--spread``);
messages take ``--delay``; ``--failures`` of the jobs never come back.

Beside it: the published curve of PNS-PDFPN (Cizek, Balko and Schmid 2025).
"""

from __future__ import annotations

import argparse
import heapq
import pickle
import random
import time
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

from zermelo.cluster.journal import Journal
from zermelo.cluster.master import Budgets, Master
from zermelo.cluster.tree import ChildReport, LeafReport, MasterTree, SumRule
from zermelo.search.depth_first.df_pn import sum_share, sum_total
from zermelo.search.reasons import LOST, UNKNOWN, WON
from zermelo.workers.crew import Finished

PUBLISHED = {1: 1.0, 2: 2.36, 4: 4.34, 8: 8.06, 16: 16.2, 1024: 333.0}
INF_DEPTH = 40
KEPT = 0.8  # of the work on a position, what its children need not do again


def chance(seed: int, path: tuple[int, ...]) -> random.Random:
    """What is made up about a position, the same every time it is asked for."""
    digest = blake2b(repr((seed, path)).encode(), digest_size=8).digest()
    return random.Random(int.from_bytes(digest, "big"))


@dataclass
class World:
    """A made-up game tree; ``work``: the visits that the root takes.

    A position's work is shared out among its children unevenly; one with little work left is
    solved by a worker within it. Attacker and defender alternate, and the winner is drawn so that
    an OR node is won by one child and lost by all of them.
    """

    seed: int
    work: float
    moves: int = 8
    known: dict[tuple[int, ...], tuple[float, int]] = field(default_factory=dict)

    def facts(self, path: tuple[int, ...]) -> tuple[float, int]:
        """Work and value of a position."""
        if path not in self.known:
            if not path:
                self.known[path] = (self.work, WON)
            else:
                self._below(path[:-1])
        return self.known[path]

    def _below(self, path: tuple[int, ...]) -> None:
        work, value = self.facts(path)
        dice = chance(self.seed, path)
        count = dice.randint(2, self.moves)
        attacker = len(path) % 2 == 0
        decisive = WON if attacker else LOST
        parts = [dice.expovariate(1.0) + 0.05 for _ in range(count)]
        if value == decisive:  # one child decides; the others are tried for nothing
            right = dice.randrange(count)
            values = [decisive if i == right or dice.random() < 0.1 else WON + LOST - decisive
                      for i in range(count)]
            # Half of the work is the child's that decides.
            rest = sum(parts) - parts[right]
            shares = [0.5 if i == right else 0.5 * part / max(rest, 1e-9)
                      for i, part in enumerate(parts)]
        else:
            values = [value] * count
            shares = [part / sum(parts) for part in parts]
        for move in range(count):
            self.known[(*path, move)] = (work * shares[move], values[move])

    def children(self, path: tuple[int, ...]) -> tuple[ChildReport, ...]:
        """The children as a worker sees them that was not done with the position."""
        self._below(path)
        dice = chance(self.seed + 1, path)
        found = []
        while (move := len(found)) < self.moves and (*path, move) in self.known:
            value = self.known[(*path, move)][1]
            hint = 1 + int(10 * dice.lognormvariate(0, 0.7) * (1 if value == WON else 3))
            other = 1 + int(10 * dice.lognormvariate(0, 0.7) * (3 if value == WON else 1))
            found.append(ChildReport(move, UNKNOWN, hint, other, repr((*path, move))))
        return tuple(found)


class Job(NamedTuple):
    """What a worker is busy with; ``lost``: it will never come back."""

    begun: float
    report: LeafReport
    lost: bool
    order: int


class SimulatedCrew:
    """Workers with a clock of their own; ``now`` is what it shows. ``own``, ``made_up``: the
    processor time that making them up takes, which is not the master's, since the last answers and
    before."""

    def __init__(self, world: World, workers: int, options: argparse.Namespace) -> None:
        self.world, self.options, self.now, self.made = world, options, 0.0, workers
        self.dice = random.Random(options.seed)
        self.idle = list(range(workers))
        self.events: list[tuple[float, int, Job]] = []
        self.spent: dict[tuple[int, ...], float] = {}  # of work on open positions
        self.busy = self.own = self.made_up = 0.0
        self.clock = time.process_time()

    def capacity(self) -> list[int]:
        """Those without an order."""
        return self.idle

    def submit(self, worker: int, order: bytes, seconds: float) -> None:
        """The answer will be there when its time has come."""
        began = time.process_time()
        message = pickle.loads(order)
        report = self._job(tuple(message["path"]), message["visits"])
        self.idle.remove(worker)
        lost = self.dice.random() < self.options.failures
        end = self.now + 2 * self.options.delay + report.seconds
        heapq.heappush(self.events, (end, worker, Job(self.now, report, lost, message["order"])))
        self.own += time.process_time() - began

    def _job(self, path: tuple[int, ...], visits: int) -> LeafReport:
        work, value = self.world.facts(path)
        before = self.spent.get(path, 0.0)
        done = min(visits, max(work - before, 1.0))
        self.spent[path] = before + done
        speed = self.options.speed * self.dice.lognormvariate(0, self.options.spread)
        solved = before + done >= work or len(path) > INF_DEPTH
        if not solved:  # what it has in its table serves the children
            self.world.children(path)
            part, move = KEPT * (before + done) / work, 0
            while (*path, move) in self.world.known:
                self.spent[(*path, move)] = part * self.world.known[(*path, move)][0]
                move += 1
        near = 1 + int(20 * (1 - (before + done) / (work + 1)))
        pn, dn = (near, 3 * near) if value == WON else (3 * near, near)
        return LeafReport(
            value if solved else UNKNOWN, pn, dn, int(done), int(done), 1, not solved,
            len(path) % 2 == 0, repr(path), done / speed,
            () if solved else self.world.children(path))

    def finished(self, seconds: float) -> list[Finished]:
        """The next answers; what the master has done meanwhile took its time, too."""
        done, began = [], time.process_time()
        self.now += began - self.clock - self.own
        self.made_up, self.own = self.made_up + self.own, 0.0
        if self.events:
            self.now = max(self.now, self.events[0][0])
        while self.events and self.events[0][0] <= self.now:
            _, worker, job = heapq.heappop(self.events)
            self.busy += job.report.seconds
            answer = None if job.lost else pickle.dumps({"report": job.report,
                                                         "order": job.order})
            if answer is None:  # a new one takes its place
                self.idle.append(self.made)
                self.made += 1
            else:
                self.idle.append(worker)
            done.append(Finished(worker, answer, "it was made to"))
        self.clock = time.process_time()
        self.made_up += self.clock - began
        return done

    def cancel(self, worker: int) -> None:
        """A job in vain comes to its end soon, with a part of its visits."""
        began = time.process_time()
        at = next(at for at, event in enumerate(self.events) if event[1] == worker)
        end, _, job = self.events[at]
        soon = min(self.now + self.options.delay, end)
        part = min(1.0, (soon - job.begun) / job.report.seconds)
        report = job.report._replace(visits=int(part * job.report.visits),
                                     seconds=part * job.report.seconds)
        self.events[at] = (soon, worker, job._replace(report=report))
        heapq.heapify(self.events)
        self.own += time.process_time() - began

    def expel(self, worker: int) -> None:
        """Nobody needs to."""
        raise AssertionError("no simulated worker sends nonsense")

    def close(self) -> None:
        """Nothing runs."""
        self.events.clear()


def simulate(workers: int, options: argparse.Namespace) -> dict[str, float]:
    """One search."""
    world = World(options.seed, options.work)
    crew = SimulatedCrew(world, workers, options)
    tree = MasterTree(SumRule(sum_total, sum_share), (0, 1))
    most = int(options.job * options.speed)
    budgets = Budgets(workers, most=most)
    journal = Journal()
    began = time.process_time()
    master = Master(crew, journal, budgets)
    master.solve(tree, 0, lambda: None, lambda: None)
    spent = time.process_time() - began - crew.made_up - crew.own
    assert tree.status == WON
    return {"seconds": crew.now, "visits": journal.visits, "jobs": journal.rows,
            "master": spent, "nodes": tree.nodes, "busy": crew.busy}


def draw(speed_ups: dict[int, float], path: str) -> None:
    """The curve beside the published one; the same file for the same numbers."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "zermelo"
    figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
    most = max([*speed_ups, *PUBLISHED])
    axes.plot([1, most], [1, most], color="0.7", linestyle="--", label="as many times as workers")
    axes.plot(*zip(*PUBLISHED.items(), strict=True), "s-", color="#d55e00",
              label="PNS-PDFPN, published")
    axes.plot(*zip(*speed_ups.items(), strict=True), "o-", color="#0072b2", label="simulated")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_xlabel("workers")
    axes.set_ylabel("times as fast as one")
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.legend()
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--workers", default="1,2,4,8,16,64,256,1024")
    parser.add_argument("--work", type=float, default=2e10, help="visits of the made-up search")
    parser.add_argument("--speed", type=float, default=1e6, help="visits a second of a worker")
    parser.add_argument("--spread", type=float, default=0.2, help="of the speed, lognormal")
    parser.add_argument("--job", type=float, default=1.0, help="seconds of the longest jobs")
    parser.add_argument("--delay", type=float, default=0.001, help="seconds of a message")
    parser.add_argument("--failures", type=float, default=0.0, help="part of the jobs that is lost")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--figure", metavar="FILE", help="draw the speed-ups, e.g. as an SVG")
    options = parser.parse_args()
    first: dict[str, float] | None = None
    speed_ups: dict[int, float] = {}
    print("workers  speed-up  published  work  busy     jobs  job s  master s  master load  nodes")
    for workers in map(int, options.workers.split(",")):
        row = simulate(workers, options)
        first = row if first is None else first
        published = PUBLISHED.get(workers)
        speed_ups[workers] = first["seconds"] / row["seconds"]
        print(f"{workers:7}  {speed_ups[workers]:8.2f}  "
              f"{'-' if published is None else published:>9}  "
              f"{row['visits'] / first['visits']:4.2f}  "
              f"{row['busy'] / row['seconds'] / workers:4.0%}  {row['jobs']:7,}  "
              f"{row['busy'] / row['jobs']:5.2f}  "
              f"{row['master']:8.1f}  {row['master'] / row['seconds']:11.1%}  "
              f"{row['nodes']:,}", flush=True)
    if options.figure is not None:
        draw(speed_ups, options.figure)


if __name__ == "__main__":
    main()
