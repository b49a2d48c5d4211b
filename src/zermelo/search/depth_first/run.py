"""DepthFirst: what depth-first searches have in common; and Run, one of them in progress."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from zermelo.compiler.entry import Bound, KernelEntry
from zermelo.compiler.jit import kernel, rules_that_compile
from zermelo.core.rules import Rules
from zermelo.search import base
from zermelo.search.base import Proof, Search, Task
from zermelo.search.common.rules import PATH_FREE, first_path, kept, may_lengthen
from zermelo.search.common.saved import Saved, Saving
from zermelo.search.depth_first.driver import BEGIN, expand_once_of, quick_plies, run_of, weigh_of
from zermelo.search.depth_first.inspector import (
    AGAIN,
    AGAIN_SLICE,
    AGAIN_SLICES,
    PathRecorder,
    Walk,
    nearing,
    open_node,
    sooner,
)
from zermelo.search.depth_first.plan import (
    FIRST_CHILDREN,
    FIRST_PATH,
    Plan,
    Stack,
    Stacks,
    control_for,
)
from zermelo.search.depth_first.proofs import (
    copy_proof,
    extract_of,
    load_extraction,
    proved_move,
    records,
)
from zermelo.search.depth_first.table import GENERATIONS, ProofTable
from zermelo.search.depth_first.zones import zone_rule
from zermelo.search.reasons import (
    DEEPER,
    GROW,
    LOST,
    NEVER,
    NODES,
    SLICE,
    SOLVED,
    TOO_MANY,
    UNKNOWN,
    WON,
    too_long,
    too_many_moves,
)

SMALL_TABLE = 1 << 20
# In a checkpoint: the fields of its control that a run is told when it begins, and arrays.
ASKED = ("attacker", "threshold", "horizon", "origin", "threads", "plain", "quick", "fold", "seed")
WHOLE = ("readings", "root", "space", "notes", "patterns", "learned")


def may_have_zones(task: Task) -> bool:
    """Return True if zones can answer the question: who wins, not when or by how much."""
    return (task.rules.dependence is not None and not task.plain and not task.candidates
            and task.horizon is None and task.threshold == 1)


class Parts:
    """The plan, kernels and stacks that the runs of a search on a game share."""

    def __init__(self, search: DepthFirst, task: Task) -> None:
        self.rules = task.rules
        plan = search.plan(self.rules)
        if plan.zones and may_have_zones(task):
            zone = (("zone", "u8"),)
            self.plan = replace(plan, frame_fields=plan.frame_fields + zone,
                                child_fields=plan.child_fields + zone)
        else:
            self.plan = replace(plan, zones=False)
        self.stacks = Stacks(self.rules, self.plan)

    @cached_property
    def run(self) -> Any:
        """The kernel of the search loop."""
        return kernel(run_of(self.rules, self.plan))

    @cached_property
    def extract(self) -> Any:
        """The kernel that writes a certificate's records."""
        return kernel(extract_of(self.rules, self.plan))

    @cached_property
    def expand_once(self) -> Any:
        """The kernel that expands a position beside the search."""
        return kernel(expand_once_of(self.rules, self.plan))

    @cached_property
    def weigh(self) -> Any:
        """The kernel that puts the numbers of a node's children together."""
        return kernel(weigh_of(self.plan))


class Run(base.Run):
    """A path and a table; ``status`` is UNKNOWN, WON or LOST for the attacker."""

    open = open_node

    def __init__(self, search: DepthFirst, task: Task) -> None:
        super().__init__(task)
        self.search, self.earlier = search, task.after if isinstance(task.after, Run) else None
        self.parts = kept(task.position.game,
                          (Parts, search, task.candidates, may_have_zones(task)),
                          partial(Parts, search, task))
        self.rules, self.plan = self.parts.rules, self.parts.plan
        rules = self.rules
        self.options = search.data(rules, task.plain)
        self.path_length = first_path(rules, FIRST_PATH)
        self.table = self._table()
        self.stacks = [self._stack() for _ in range(task.threads)]
        self.stop = self.stacks[0].stop
        self._bound: Bound | None = None
        if task.threads > 1:
            self.stacks = [stack._replace(stop=self.stop) for stack in self.stacks]
        self.state = task.position.state[0]
        for stack in self.stacks:
            self.aim(stack, self.state)
        self._take_over_tree()

    def _take_over_tree(self) -> None:
        """Put the facts of an earlier run that has a proved tree into the table."""
        earlier = self.task.after
        if earlier is None or self.earlier is not None or earlier.attacker != self.attacker:
            return
        tree = earlier.proof().tree
        if tree is not None and earlier.status != UNKNOWN:
            copy_proof(tree(), self)

    def _table(self) -> ProofTable:
        for earlier in (self.task.after, self.task.shares):
            if isinstance(earlier, Run) and earlier.table.kind == self.plan.kind:
                return earlier.table
        return ProofTable(self._share(self.task.memory), self.plan.kind, self.rules.exact_key,
                          drawless=self.plan.zones and zone_rule(self.rules))

    def _stack(self) -> Stack:
        stack, earlier, task = self.parts.stacks.take(), self.earlier, self.task
        quick = 0 if task.plain else quick_plies(self.rules, self.plan.quick or 0)
        stack.control[0] = control_for(task.attacker, task.threshold, task.horizon, task.threads,
                                       task.plain, self._fold, quick, task.seed)
        if earlier is not None and earlier.table is self.table:
            stack.patterns[:], stack.learned[:] = earlier._solver.patterns, earlier._solver.learned
        return stack

    def __del__(self, at_exit: Callable[[], bool] = sys.is_finalizing) -> None:
        if at_exit():  # functions of modules may be gone
            return
        if len(getattr(self, "stacks", ())) == 1:  # several have been at work together
            for stack in (*self.stacks, *(vars(self)[name] for name in ("spare", "glass")
                                          if name in vars(self))):
                self.parts.stacks.give_back(stack)

    def aim(self, stack: Stack, state: Any, origin: int = 0) -> None:
        """Let ``stack`` begin at ``state``, ``origin`` plies below the root."""
        control = stack.control[0]
        generation, readings = self.table.begin(self.task.attacker, self.task.threshold)
        stack.readings[:], stack.states[0] = readings, state
        control["depth"], control["status"], control["origin"] = BEGIN, UNKNOWN, origin
        control["generation"] = generation

    @property
    def _fold(self) -> int:
        """The depth down to which states are folded, or -1: one image may be a repetition."""
        other_way = self.rules.repeat is not None or self.plan.zones  # a zone is not turned round
        return -1 if other_way or self.plan.fold is None else self.plan.fold

    def advance(self, budget: int, node_limit: int = NEVER, pause: int = NEVER) -> int:
        """Make at most ``budget`` visits; return why the loop came back (see ``reasons``)."""
        if self.finished != UNKNOWN:
            return SOLVED
        threads = len(self.stacks)
        share = -(-(node_limit - self.nodes) // threads)
        for stack in self.stacks:
            control = stack.control[0]
            control["limit"] = min(int(control["visits"]) + share, NEVER)
            control["pause"] = pause
        while True:
            patience = self.table.patience
            for stack in self.stacks:
                stack.control[0]["patience"] = patience
            reason = self._run_once(budget)
            if reason == DEEPER:
                for at in range(threads):
                    self.stacks[at] = self.longer(self.stacks[at])
            elif reason == GROW:
                self.table.grow()
                for stack in self.stacks:
                    stack.control[0]["lost"] += stack.control[0]["evicted"]
                    stack.control[0]["evicted"] = 0
            else:
                break
        if reason == TOO_MANY:
            raise too_many_moves(self.position.game)
        if reason == NODES and self.nodes < node_limit:  # one thread has used up its share
            return SLICE
        return int(reason)

    def _run_once(self, budget: int) -> int:
        if len(self.stacks) == 1:
            return self._run_stack(self.stacks[0], budget)
        if self.nodes == 0:  # compile, and enter the root, before the threads start
            for stack in self.stacks:
                self._run_stack(stack, min(budget, 1))

        def work(stack: Stack) -> int:
            try:
                return self._run_stack(stack, budget)
            finally:
                self.stop[0] = 1  # one has finished its share: all come back

        running = [self._pool.submit(work, stack) for stack in self.stacks]
        try:
            reasons = [each.result() for each in running]
        finally:  # after Ctrl-C too none may go on behind our back
            self.stop[0] = 1
            wait(running)
            self.stop[0] = 0
        return next(r for r in (SOLVED, TOO_MANY, DEEPER, GROW, NODES, SLICE) if r in reasons)

    def _run_stack(self, stack: Stack, budget: int) -> int:
        run, words = self.parts.run, self.table.words
        with rules_that_compile(self.position.game.name, run):
            if not isinstance(run, KernelEntry) or len(self.stacks) > 1:
                return int(run(self.rules.data, self.options, stack, words, budget))
            if self._bound is None or not self._bound.holds(stack, words):
                self._bound = run.bound(self.rules.data, self.options, stack, words)
            return int(self._bound(budget))

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(len(self.stacks))

    def charge(self, nodes: int) -> None:
        """Take ``nodes`` off those that are left to it: work done for it elsewhere."""
        self.stacks[0].control[0]["limit"] -= nodes

    def grow(self, memory: int) -> None:
        """Use up to ``memory`` bytes from now on."""
        self.table.most = max(self.table.most, self._share(memory))

    @property
    def status(self) -> int:
        """UNKNOWN, WON or LOST."""
        if self.finished != UNKNOWN:
            return self.finished
        if len(self.stacks) == 1:
            return int(self.stacks[0].control["status"][0])
        return max(int(stack.control[0]["status"]) for stack in self.stacks)

    @property
    def nodes(self) -> int:
        """Visits: entries into nodes."""
        return self._count("visits")

    @property
    def iterations(self) -> int:
        """Expansions: first entries."""
        return self._count("expansions")

    @property
    def counters(self) -> dict[str, Any]:
        """Visits, expansions, seesaw; not ``exact`` if the table has lost entries, so that first
        entries were counted again: then there were at most as many expansions."""
        visits, expansions = self.nodes, self.iterations
        return {
            "visits": visits, "expansions": expansions, "seesaw": visits - expansions,
            "settled": self._count("settled"),
            "exact": self._count("evicted") + self._count("lost") == 0,
        }

    def _count(self, name: str) -> int:
        """A counter of all threads together."""
        if len(self.stacks) == 1:
            return int(self.stacks[0].control[name][0])
        return sum(int(stack.control[name][0]) for stack in self.stacks)

    @property
    def bytes(self) -> int:
        """The memory in use."""
        shared = self.earlier is not None and self.earlier.table is self.table
        grown = sum(stack.children.nbytes - self.parts.stacks.first_bytes for stack in self.stacks)
        return self._overhead() + grown + (0 if shared else self.table.bytes)

    def numbers(self) -> dict[str, Any]:
        """The root's numbers."""
        if self.status != UNKNOWN:
            return self.search.shown(self.status, 0, 0)
        stack = next((s for s in self.stacks if s.control[0]["depth"] >= 0), None)
        return {} if stack is None else self.search.show(*stack.root)

    def moves(self) -> list[tuple[int, int, dict[str, Any]]]:
        """The root's children: (move, status, numbers).

        A status that rests on a repetition of the root is worth what the root's own is.
        """
        stack = self._solver
        if self.finished != UNKNOWN or stack.control[0]["depth"] < 0:
            return []
        rows = []
        for child in stack.children[: stack.frames[0]["count"]]:
            status = int(child["status"])
            shown = self.search.shown(status, child["pn"], child["dn"])
            sure = child["anchor"] == PATH_FREE or status == self.status
            rows.append((int(child["move"]), status if sure else UNKNOWN, shown))
        return rows

    @property
    def proof_length(self) -> int:
        """The plies that the proof lasts, as far as the table knows it."""
        stack = self._solver
        frame, children = stack.frames[0], stack.children[: stack.frames[0]["count"]]
        lengths = [int(child["length"]) for child in children if child["status"] == self.status]
        shorten = (int(frame["mover"]) == self.attacker) == (self.status == WON)
        return 1 + (min if shorten else max)(lengths, default=-1)

    def chosen(self) -> int | None:
        """The root's move that would be played now; None while there is none."""
        stack = self._solver
        if self.finished != UNKNOWN or stack.control[0]["depth"] < 0:
            return None
        children = stack.children[: stack.frames[0]["count"]]
        same = [int(child["move"]) for child in children if child["status"] == self.status]
        if self.status != UNKNOWN or not same:
            return same[0] if same else None
        at = int(stack.frames[0]["chosen"])
        return int(stack.children[at]["move"]) if at >= 0 else same[0]

    @property
    def path(self) -> list[tuple[int, dict[str, Any]]]:
        """The moves of the path being searched, with the numbers of the nodes they lead to."""
        stack, found = self.stacks[0], []
        for depth in range(int(stack.control[0]["depth"])):
            child = stack.children[stack.frames[depth]["chosen"]]
            found.append((int(child["move"]), self.search.show(child["pn"], child["dn"])))
        return found

    def walk(self) -> Walk:
        """A walk through the proof found."""
        return Walk(self)

    def proof(self) -> Proof:
        """The table's proof; what the table has lost is searched again."""
        return Proof(
            records=partial(records, self), load=partial(load_extraction, self),
            move=partial(proved_move, self), by_zones=self.plan.zones,
            plies=lambda: nearing(self, NEVER).task.horizon, sooner=partial(sooner, self))

    @property
    def fill(self) -> float:
        """The share of the table, as large as it may become, that is in use."""
        return self.table.fill

    @cached_property
    def glass(self) -> Stack:
        """A stack to look at positions with."""
        return self._stack()

    def within(self, horizon: int) -> Run:
        """Return a run for a win in ``horizon`` plies, with what this one has proved."""
        return Run(self.search, replace(self.task, horizon=horizon, threads=1, after=self))

    def look_again(self, state: Any, origin: int,
                   visits: int = AGAIN) -> tuple[int, list[tuple[int, int, int]]]:
        """The status of a state ``origin`` plies below the root, and its children: (move, status,
        length).

        From the table, or, where that has lost it, by another search of at most ``visits``.
        """
        stack = self.spare
        self.aim(stack, state, origin)
        control = stack.control[0]
        control["pause"] = control["patience"] = NEVER
        control["limit"] = int(control["visits"]) + visits
        for _ in range(AGAIN_SLICES):  # short ones, so that Ctrl-C is heard
            reason = self._run_stack(stack, AGAIN_SLICE)
            if reason == DEEPER:
                stack = self.spare = self.longer(stack)
                control = stack.control[0]
            elif reason != SLICE:
                break
        count = int(stack.frames[0]["count"])
        rows = stack.children[:count]
        return int(control["status"]), list(zip(
            rows["move"].tolist(), rows["status"].tolist(), rows["length"].tolist(), strict=True))

    @property
    def lossless(self) -> bool:
        """Return True if the table can't have lost anything."""
        return self.table.lossless

    def status_of(self, state: Any, visits: int) -> int:
        """The status of any state of an ongoing game, if ``visits`` show it."""
        stack = self.stacks[0]
        self.aim(stack, state)
        control = stack.control[0]
        control["limit"] = control["pause"] = control["patience"] = NEVER
        self._run_stack(stack, visits)
        return int(control["status"])

    @cached_property
    def spare(self) -> Stack:
        """A stack for searches beside the run itself, which knows what that has learned."""
        stack, own = self._stack(), self._solver
        stack.patterns[:], stack.learned[:] = own.patterns, own.learned
        return stack

    @property
    def looked(self) -> int:
        """Visits of searches beside the run itself."""
        return int(self.spare.control[0]["visits"])

    @property
    def _solver(self) -> Stack:
        """The stack that has the answer, else the first."""
        return next((s for s in self.stacks if s.control[0]["status"] != UNKNOWN), self.stacks[0])

    def _overhead(self) -> int:
        path = self.path_length * (self.rules.dtype.itemsize + 100) + 8 * (
            self.rules.endgame_space + self.plan.notes)
        return self.task.threads * (path + 48 * max(FIRST_CHILDREN, 4 * self.rules.max_moves))

    def _share(self, memory: int) -> int:
        """Bytes for the table. The path has to fit in too, except beside a table that is small."""
        return max(memory - self._overhead(), min(memory, SMALL_TABLE))

    def longer(self, stack: Stack) -> Stack:
        """Make room for more children, and for a longer path where there can be one."""
        length = len(stack.frames)
        if int(stack.control[0]["depth"]) + 3 > length:
            if not may_lengthen(self.rules, length):
                raise too_long(self.position.game)
            length *= 2
            self.path_length = max(self.path_length, length)
        return self.parts.stacks.longer(stack, length)

    def save(self, saving: Saving) -> None:
        """Keep the path of every thread, and the table, unless an earlier run has it.

        The loop comes back between two visits, and then all that it knows is in arrays.
        """
        saving.json("asked", self.table.asked)
        for at, stack in enumerate(self.stacks):
            part, depth = saving.part(f"path-{at}"), int(stack.control[0]["depth"])
            top = stack.frames[depth]
            part.array("control", stack.control)
            part.array("frames", stack.frames[: depth + 1])
            part.array("children",
                       stack.children[: top["first"] + top["count"] if depth != BEGIN else 0])
            part.fields(stack, WHOLE)
        saving.table("table", self.table)

    def restore(self, saved: Saved) -> None:
        """Let a run that has just begun go on from a checkpoint."""
        for at in range(len(self.stacks)):
            self._restore_stack(at, saved.part(f"path-{at}"))
        asked = [(int(player), int(threshold)) for player, threshold in saved.json("asked")]
        saved.require(len(asked) <= GENERATIONS)
        saved.table("table", self.table)
        saved.later.append(partial(setattr, self.table, "asked", asked))

    def _restore_stack(self, number: int, saved: Saved) -> None:
        stack = self.stacks[number]
        at = saved.record("control", stack.control, ASKED)
        frames = saved.array("frames", stack.frames.dtype)
        children = saved.array("children", stack.children.dtype)
        first, end = frames["first"], frames["first"] + frames["count"]
        saved.require(at["depth"] == len(frames) - 1 and np.all(first <= end))
        saved.within(0, len(children), first, end)
        saved.within(0, len(children) - 1, frames["chosen"][:-1])
        saved.within(-1, len(children) - 1, frames["chosen"])
        saved.within(0, GENERATIONS - 1, at["generation"])
        saved.within(UNKNOWN, LOST, at["status"], children["status"])
        while len(frames) + 3 > len(stack.frames) or len(children) > len(stack.children):
            stack.control[0]["depth"] = len(frames) - 1
            stack = self.stacks[number] = self.longer(stack)
        stack.control[0], stack.children[: len(children)] = at, children
        path = saved.stand_on(stack, [self.position], children["move"][frames["chosen"][:-1]], [
            children["move"][begin:after] for begin, after in zip(first, end, strict=True)])
        frames["mover"] = [position.mover for position in path[: len(frames)]]
        stack.frames[: len(frames)] = frames
        saved.fields(stack, WHOLE)
        saved.within(UNKNOWN, LOST, stack.readings)


@dataclass(frozen=True)
class DepthFirst(Search):
    """A search that keeps one path and a table."""

    goals: ClassVar[tuple[str, ...]] = ("win", "value", "score", "shortest")
    threaded: ClassVar[bool] = True
    narrows: ClassVar[bool] = True
    shares: ClassVar[bool] = True
    keeps: ClassVar[str] = "table"
    replays: ClassVar[bool] = True
    follows: ClassVar[str] = ("the least pn where {me} moves and the least dn where {you} does, "
                              "and stays below a node until a threshold is reached")

    def plan(self, rules: Rules) -> Plan:
        """The parts of this search for a game."""
        raise NotImplementedError

    def data(self, rules: Rules, plain: bool) -> Any:
        """Return the options that the compiled parts read, as a NamedTuple."""
        return self.packed()

    def show(self, pn: Any, dn: Any) -> dict[str, Any]:
        """A node's numbers, for people and JSON."""
        raise NotImplementedError

    def show_solved(self, won: bool) -> dict[str, Any]:
        """The numbers of a solved node."""
        raise NotImplementedError

    def shown(self, status: int, pn: Any, dn: Any) -> dict[str, Any]:
        """The numbers of a node of any status."""
        return self.show(pn, dn) if status == UNKNOWN else self.show_solved(status == WON)

    def show_thresholds(self, th_pn: Any, th_dn: Any) -> dict[str, Any]:
        """The thresholds of a node, by name."""
        return self.show(th_pn, th_dn)

    def recorder(self, run: Run) -> PathRecorder:
        """One that follows the visits."""
        return PathRecorder(run)

    def start(self, task: Task) -> Run:
        """A new run."""
        return Run(self, task)
