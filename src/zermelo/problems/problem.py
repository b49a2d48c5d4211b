"""problem(): a root, a function that expands nodes, and the session that solves it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Hashable
from typing import Any, Literal, get_args

from zermelo.errors import BadOption, check_whole, quoted
from zermelo.problems.graph import (
    Estimate,
    Expand,
    ExpandMany,
    Expansion,
    ProblemGraph,
    ProblemNode,
    check_hashable,
    read_estimate,
    read_expansion,
    read_expansions,
)
from zermelo.problems.result import ProblemProgress, ProblemResult, numbers_shown, part_of
from zermelo.problems.searches import (
    Cheapest,
    Everything,
    Frontier,
    MostProving,
    Thresholds,
    rule_of,
)
from zermelo.search.base import Search
from zermelo.search.best_first.pn import PN, DeepPN
from zermelo.search.depth_first.deep_df_pn import DeepDFPN
from zermelo.search.depth_first.df_pn import DFPN
from zermelo.search.depth_first.weak_df_pn import K_KNOWING, K_PLAIN, WeakDFPN
from zermelo.search.registry import search_class
from zermelo.solving.result import Limits
from zermelo.workers.signals import Interrupts

KINDS: tuple[type[Search], ...] = (PN, DeepPN, DFPN, WeakDFPN, DeepDFPN)
BATCHES = (PN, DeepPN)
# Options that are about games, by search.
NO_USE: dict[type[Search], tuple[str, ...]] = {
    PN: ("tie",), DeepPN: ("one_order",), WeakDFPN: ("leaf", "playouts", "quick", "fold"),
}


def chosen_search(given: Any, batch: int) -> Search:
    """The search for a problem, or BadOption."""
    search = search_class(given)() if isinstance(given, str) else given
    if not isinstance(search, KINDS):
        ids = ", ".join(kind.id for kind in KINDS)
        raise BadOption(f"{quoted(getattr(search, 'id', search))} does not solve problems; "
                        f"searches that do: {ids}.")
    for name in NO_USE.get(type(search), ()):
        if name in search.options:
            raise BadOption(f"{search.id}: {name}={quoted(search.options[name])} is about games; "
                            "in a problem leaves have the numbers of its estimate.")
    if batch > 1 and not isinstance(search, BATCHES):
        raise BadOption(f"{search.id} expands one node at a time; batch={batch} needs pn or "
                        "deep-pn.")
    return search


def frontier_of(search: Search, goal: str, graph: ProblemGraph, estimated: bool) -> Frontier:
    """Return the frontier of ``search`` for a graph that has a root only."""
    if goal == "cheapest":
        return Cheapest(graph, estimated)
    if goal == "all":
        return Everything(graph)
    match search:
        case DeepPN():
            return MostProving(graph, float(search.R))
        case DFPN():
            rule = rule_of(search.epsilon)
        case WeakDFPN():
            k = search.k or (K_KNOWING if estimated else K_PLAIN)
            rule = rule_of(search.epsilon, search.backup, k)
        case DeepDFPN():
            rule = rule_of(search.epsilon, E=search.E, D=search.D)
        case _:
            return MostProving(graph)
    return Thresholds(graph, rule)


Goal = Literal["solve", "cheapest", "all"]
GOALS = get_args(Goal)
PROGRESS_SECONDS = 0.2
MOST_IN_A_BATCH = 1 << 20

ProgressCallback = Callable[[ProblemProgress], None]


def problem(root: Hashable, expand: Expand | None = None, *, expand_many: ExpandMany | None = None,
            estimate: Estimate | None = None) -> Problem:
    """An AND/OR problem: can ``root`` be solved?

    ``expand(node)`` returns what a node is: ``"solved"``, ``"dead"``, or ``("any", children)`` if
    one solved child is enough, ``("all", children)`` if all are needed; ``("any", children,
    costs)`` gives the edges costs, ``("solved", cost)`` an end. ``expand_many(nodes)`` answers for
    a whole list instead. Nodes are hashable; equal ones are the same node, however they are
    reached.
    ``estimate(node)`` gives a new node's (pn, dn), about what it will cost to solve and to refute.
    """
    return Problem(root, expand, expand_many=expand_many, estimate=estimate)


class Problem:
    """A problem to be solved; see ``problem``."""

    def __init__(self, root: Hashable, expand: Expand | None = None, *,
                 expand_many: ExpandMany | None = None, estimate: Estimate | None = None) -> None:
        check_hashable(root)
        given = {"expand": expand, "expand_many": expand_many, "estimate": estimate}
        for name, function in given.items():
            if function is not None and not callable(function):
                raise BadOption(f"{name}={quoted(function)} is not a function.")
        if expand is None and expand_many is None:
            raise BadOption("a problem needs expand, a function that says what a node is, or "
                            "expand_many, the same for a list of nodes.")
        self.root, self.estimate = root, estimate
        self.expand, self.expand_many = expand, expand_many

    def start(self, search: Search | str = "pn", *, goal: Goal = "solve", batch: int = 1,
              seed: int = 0) -> ProblemSession:
        """A session that has expanded nothing yet; see ``solve`` for the options."""
        return ProblemSession(self, search, goal=goal, batch=batch, seed=seed)

    def solve(self, search: Search | str = "pn", *, goal: Goal = "solve", batch: int = 1,
              seed: int = 0, nodes: float | str | None = None, time: float | str | None = None,
              memory: float | str | None = None,
              progress: ProgressCallback | None = None) -> ProblemResult:
        """Search until the root is solved or dead, or a limit is met.

        ``goal="cheapest"`` goes on until no solution can cost less than the one found, if no
        estimate is above what a node really costs; leaves without an estimate count 0 there.
        ``goal="all"`` expands all there is, so that every route is found.
        ``batch``: how many nodes ``expand_many`` is given at a time.
        """
        limits = Limits(nodes=nodes, time=time, memory=memory)
        return self.start(search, goal=goal, batch=batch, seed=seed).run(limits, progress)


class ProblemSession:
    """A search that can be continued: ``run`` with larger limits goes on where the last one
    ended."""

    def __init__(self, problem: Problem, search: Search | str, *, goal: Goal, batch: int,
                 seed: int) -> None:
        check_whole("batch", batch, 1, MOST_IN_A_BATCH)
        check_whole("seed", seed, 0, 2**64 - 1)
        if goal not in GOALS:
            raise BadOption(f"goal={quoted(goal)} is not one of {', '.join(GOALS)}.")
        self.problem, self.goal, self.batch, self.seed = problem, goal, batch, seed
        self.search = chosen_search(search, batch)
        if goal != "solve" and self.search.id != "pn":
            raise BadOption(f"goal={goal} has an order of its own; search={self.search.id} can be "
                            "asked for goal=solve.")
        self.graph = ProblemGraph(problem.root)
        self.interrupts = Interrupts()
        self.seconds, self.stopped = 0.0, "interrupted"
        self.graph.root.pn, self.graph.root.dn = self._estimate(problem.root)
        self.frontier = frontier_of(self.search, goal, self.graph, problem.estimate is not None)

    def cancel(self) -> None:
        """Make ``run``, in another thread, come back after the expansion it is waiting for."""
        self.interrupts.noted = True

    def run(self, limits: Limits | None = None,
            progress: ProgressCallback | None = None) -> ProblemResult:
        """Search until the question is answered or a limit (a total over all runs) is met."""
        limits = Limits() if limits is None else limits
        if not isinstance(limits, Limits):
            raise BadOption(f"run needs Limits, such as Limits(nodes=1000), not {quoted(limits)}.")
        began, before = time.perf_counter(), self.seconds

        def settle_clock() -> None:
            self.seconds = before + time.perf_counter() - began

        with self.interrupts.held():
            try:
                self._run(limits, progress, settle_clock)
            except KeyboardInterrupt:
                self.stopped = "interrupted"
            finally:
                settle_clock()
        return self.result()

    def _run(self, limits: Limits, progress: ProgressCallback | None,
             settle_clock: Callable[[], None]) -> None:
        memory, reported = limits.memory_bytes, 0.0
        while True:
            stopped = self._stopped(limits, memory)
            if stopped is not None:
                self.stopped = stopped
                return
            self._expand(self.frontier.leaves(self.batch))
            settle_clock()
            if progress is not None and self.seconds - reported >= PROGRESS_SECONDS:
                reported = self.seconds
                self.interrupts.call(progress, self.progress())

    def _stopped(self, limits: Limits, memory: int) -> str | None:
        if self.frontier.done:
            return "solved"
        if self.interrupts.noted:
            self.interrupts.noted = False
            return "interrupted"
        if limits.nodes is not None and len(self.graph.nodes) >= limits.nodes:
            return "nodes"
        if limits.time is not None and self.seconds >= limits.time:
            return "time"
        return "memory" if self.graph.bytes >= memory else None

    def _expand(self, leaves: list[ProblemNode]) -> None:
        """Ask about ``leaves``, and take the answers in once all of them are there."""
        try:
            expansions = self._answers(leaves)
            estimates = self._estimates(expansions)
        except BaseException:
            self.frontier.update(leaves)  # they are not handed out any more
            raise
        changed: list[ProblemNode] = []
        for leaf, expansion in zip(leaves, expansions, strict=True):
            new, settled = self.graph.expand(leaf, expansion)
            for node in new:
                node.pn, node.dn = estimates.get(node.thing, (1, 1))
            if self.search.all_options.get("shuffle"):
                leaf.order = list(range(len(leaf.children)))
                random.Random(f"{self.seed} {leaf.number}").shuffle(leaf.order)
            changed += [leaf, *new, *settled]
        self.frontier.update(changed)

    def _answers(self, leaves: list[ProblemNode]) -> list[Expansion]:
        problem, things = self.problem, [leaf.thing for leaf in leaves]
        if problem.expand_many is not None:
            return read_expansions(things, self._call("expand_many", problem.expand_many, things))
        assert problem.expand is not None
        return [read_expansion(thing, self._call("expand", problem.expand, thing))
                for thing in things]

    def _estimates(self, expansions: list[Expansion]) -> dict[Hashable, tuple[float, float]]:
        """The estimates of the children that are new."""
        if self.problem.estimate is None:
            return {}
        children = dict.fromkeys(child for one in expansions for child in one.children)
        return {child: self._estimate(child) for child in children
                if child not in self.graph.numbers}

    def _estimate(self, thing: Hashable) -> tuple[float, float]:
        if self.problem.estimate is None:
            return 1, 1
        return read_estimate(thing, self._call("estimate", self.problem.estimate, thing))

    def _call(self, name: str, function: Callable[..., Any], argument: Any) -> Any:
        """Call a function of the user; what it raises is the user's, with a note where it was."""
        try:
            return self.interrupts.call(function, argument)
        except Exception as error:
            error.add_note(f"zermelo: this happened in {name}({quoted(argument)}).")
            raise

    def progress(self) -> ProblemProgress:
        """Return the present state of the search."""
        graph = self.graph
        return ProblemProgress(
            nodes=len(graph.nodes), iterations=graph.expansions, seconds=self.seconds,
            bytes=graph.bytes, root=numbers_shown(self.frontier.numbers(graph.root)))

    def result(self) -> ProblemResult:
        """Return what is known now."""
        graph = self.graph
        status = graph.root.status.name.lower()
        return ProblemResult(
            problem=self.problem, search=self.search, goal=self.goal, seed=self.seed,
            status=status, complete=self.frontier.done, stopped=self.stopped,
            nodes=len(graph.nodes), iterations=graph.expansions, edges=graph.edges,
            joins=graph.joins, seconds=self.seconds, peak_bytes=graph.bytes,
            root=numbers_shown(self.frontier.numbers(graph.root)), part=part_of(graph))
