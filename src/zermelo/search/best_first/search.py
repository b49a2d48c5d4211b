"""The best-first searches: what all of them have in common, and their runs seen from Python.

In a checkpoint a run keeps its tree and where the search stands, and the tree of a nested search
that is under way. Looking at a tree writes nothing to it, so that this can be done between two
slices. On a walk through the proof, what a search threw away (PN2) is searched again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo.compiler.jit import kernel, rules_that_compile
from zermelo.core.board import longer, moves_array, records, scratch_for, states_array
from zermelo.core.position import Position
from zermelo.core.rules import Rules
from zermelo.errors import BadGame
from zermelo.search import base
from zermelo.search.base import Numbers, Opened, Path, Proof, ProvedTree, Search, Seen, Task, option
from zermelo.search.best_first.driver import run_of
from zermelo.search.best_first.plan import (
    CONTROL,
    MOST_CHILDREN,
    MOST_NODES,
    NO_NODE,
    Array,
    Plan,
    Tree,
    lengths_of,
    node_dtype,
    node_pool,
)
from zermelo.search.common.recorder import Recorder
from zermelo.search.common.rules import first_path, kept, may_lengthen
from zermelo.search.common.saved import Saved, Saving
from zermelo.search.reasons import (
    DEEPER,
    LOST,
    NEVER,
    SLICE,
    TOO_MANY,
    UNKNOWN,
    WON,
    too_long,
    too_many_moves,
)

if TYPE_CHECKING:
    from zermelo.core.position import Position

FIRST_PATH = 4_096
ASKED = ("attacker", "seed", "plain")  # given to a run when it begins


@dataclass(frozen=True)
class BestFirst(Search):
    """A search that keeps its whole tree and expands the most promising leaf."""

    narrows: ClassVar[bool] = True
    keeps: ClassVar[str] = "tree"
    replays: ClassVar[bool] = True
    numbers: ClassVar[list[tuple[str, str]]]

    shuffle: bool = option(False, "try moves in a random order drawn from the seed", kw_only=True)

    def plan(self, rules: Rules) -> Plan:
        """Return the parts of this search for a game."""
        raise NotImplementedError

    def data(self) -> Any:
        """Return the options that the compiled parts read, as a NamedTuple."""
        return self.packed()

    def task_data(self, task: Task) -> Any:
        """Return what the compiled parts read for a question."""
        return self.data()

    def node_numbers(self) -> list[tuple[str, str]]:
        """Return the fields that this search adds to a node."""
        return self.numbers

    def nested_nodes(self, size: int) -> int:
        """Return the most nodes of a nested search while the tree has up to ``size`` nodes
        (PN2)."""
        return 0

    def show(self, node: Any) -> dict[str, Any]:
        """Return a node's numbers for people and JSON."""
        raise NotImplementedError

    def leaning(self, root: Any) -> int:
        """Return WON or LOST if an unsolved root is within the precision asked for, else UNKNOWN;
        always that for a search without pr."""
        return UNKNOWN

    def recorder(self, run: Run) -> TreeRecorder:
        """Return a recorder that follows the tree as it grows."""
        return TreeRecorder(run)

    def again(self) -> BestFirst | None:
        """Return a search for the parts of a proof that this one threw away; None if it keeps
        all."""
        return None

    def start(self, task: Task) -> Run:
        """Begin a run."""
        return Run(self, task)


class Run(base.Run):
    """A tree that grows by ``advance``; ``status`` is UNKNOWN, WON or LOST for the attacker."""

    def __init__(self, search: BestFirst, task: Task) -> None:
        super().__init__(task)
        position, self.search = task.position, search
        self.rules, self.plan, self._run = kept(
            position.game, (type(self), search, task.candidates), lambda: self._parts(task.rules))
        rules = self.rules
        if rules.max_moves > MOST_CHILDREN:
            raise BadGame(f"{position.game.name}: max_moves={rules.max_moves} is beyond the "
                          f"{MOST_CHILDREN} that a node can hold.")
        self.options, self._lengths = self._options(task), np.zeros(0, np.int32)
        self.dtype = node_dtype(self._node_numbers(), self.plan.linked)
        self.path_length = first_path(rules, FIRST_PATH)
        self.asked = self._capacity(task.memory)  # the system may have granted less
        self.tree = self._tree(self.asked)
        nested = self.plan.nested is not None
        self.inner: Any = self._tree(self._nested_capacity(self.asked)) if nested else ()
        control = self.tree.control[0]
        control["attacker"], control["seed"] = task.attacker, np.uint64(task.seed & (2**64 - 1))
        control["plain"] = task.plain
        self.tree.states[0] = position.state[0]
        self.advance(0)
        if position.outcome is not None and self.status == UNKNOWN:  # over for want of moves
            self.advance(1)
            self.tree.control[0]["iterations"] = 0

    def _parts(self, rules: Rules) -> tuple[Rules, Plan, Any]:
        """Return what the runs of a search on a game share: rules, plan and kernel."""
        plan = self._plan(rules)
        return rules, plan, kernel(run_of(rules, plan))

    def _plan(self, rules: Rules) -> Plan:
        """Return the parts of the search."""
        return self.search.plan(rules)

    @cached_property
    def select(self) -> Any:
        """The plan's ``select``, to be called from Python."""
        return kernel(self.plan.select)

    def _options(self, task: Task) -> Any:
        """Return what the compiled parts read as ``o``."""
        return self.search.task_data(task)

    def _node_numbers(self) -> list[Any]:
        """Return the fields that the search adds to a node."""
        return self.search.node_numbers()

    def advance(self, budget: int, node_limit: int = NEVER, pause: int = NEVER) -> int:
        """Make at most ``budget`` expansions; return the reason to stop (see ``reasons``)."""
        control = self.tree.control[0]
        control["limit"], control["pause"] = node_limit, pause
        return self._expand(budget)

    def _expand(self, budget: int) -> int:
        """Run the loop, and lengthen the path where it needs that."""
        while True:
            with rules_that_compile(self.position.game.name, self._run):
                reason = self._run(self.rules.data, self.options, self.tree, self.inner, budget)
            if reason != DEEPER:
                break
            self.deepen()
        if reason == TOO_MANY:
            raise too_many_moves(self.position.game)
        return int(reason)

    def charge(self, nodes: int) -> None:
        """Take ``nodes`` off those that are left to it: work done for it elsewhere."""
        self.tree.control[0]["limit"] -= nodes

    def grow(self, memory: int) -> None:
        """Use up to ``memory`` bytes from now on; the tree so far stays as it is."""
        capacity = self._capacity(memory)
        if capacity <= self.asked:
            return
        self.asked = capacity
        if self.inner:
            self.inner = self._wider(self.inner, self._nested_capacity(capacity))
        self.tree = self._wider(self.tree, capacity)

    @property
    def status(self) -> int:
        """UNKNOWN, WON or LOST."""
        return int(self.tree.nodes[0]["status"])

    @property
    def size(self) -> int:
        """The number of nodes in the pool."""
        return int(self.tree.control[0]["used"])

    @property
    def nodes(self) -> int:
        """The number of nodes created, as the papers count."""
        return int(self.tree.control[0]["nodes"])

    @property
    def iterations(self) -> int:
        """The number of expansions made."""
        return int(self.tree.control[0]["iterations"])

    @property
    def bytes(self) -> int:
        """The memory in use."""
        return self.size * self.dtype.itemsize + self._overhead()

    def numbers(self, n: int = 0) -> dict[str, Any]:
        """The numbers of a node, by name."""
        return self.search.show(self.tree.nodes[n])

    @property
    def leaning(self) -> int:
        """The conclusion at the precision asked for, where the root is not solved."""
        return UNKNOWN if self.status != UNKNOWN else self.search.leaning(self.tree.nodes[0])

    def children(self, n: int = 0) -> Sequence[int]:
        """Return the children of a node that exist, from left to right."""
        node = self.tree.nodes[n]
        first = int(node["first"])
        if not self.plan.linked:
            return range(first, first + int(node["count"]))
        found = []
        while first != NO_NODE:
            found.append(first)
            first = int(self.tree.nodes[first]["next"])
        return found

    def moves(self) -> list[tuple[int, int, dict[str, Any]]]:
        """The root's children: (move, status, numbers)."""
        nodes = self.tree.nodes
        return [(int(nodes[c]["move"]), self._sure(int(nodes[c]["status"])), self.numbers(c))
                for c in self.children()]

    def _sure(self, status: int) -> int:
        """The status of a child of the root, unless it may rest on a repetition of the root."""
        by_path = self.rules.cyclic and (self.rules.repeat is not None or status == LOST)
        return UNKNOWN if by_path and status != self.status else status

    @property
    def path(self) -> list[tuple[int, dict[str, Any]]]:
        """The moves to the current node, with the numbers of the nodes they lead to."""
        control = self.tree.control[0]
        at = self.tree.path[: int(control["root_at"]) + int(control["depth"]) + 1]
        return [(int(self.tree.nodes[n]["move"]), self.numbers(n)) for n in at[1:]]

    def walk(self) -> Walk:
        """A walk through the proof found."""
        return Walk(self)

    def proof(self) -> Proof:
        """The tree."""
        return Proof(tree=lambda: ProvedTree(self.status, self.own_nodes, self.lengths,
                                             self.plan.linked))

    def open(self, path: Sequence[int], offset: int, count: int) -> Opened:
        """Return the node at the end of ``path``, some of its children, and other ways to its
        position."""
        trail = follow(self, [0], path)
        if trail is None:
            return Opened(Seen(path[-1], UNKNOWN, {}, held=False), [], 0)
        n = trail[-1]
        best = len(trail) == 1 or followed(self, trail[-2]) == n
        next_best = followed(self, n)
        children = [seen(self, c, c == next_best)
                    for c in self.children(n)[offset : offset + count]]
        return Opened(seen(self, n, best), children, size(self, n), doubles(self, path, trail))

    @property
    def fill(self) -> float:
        """The part of the pool that is in use."""
        return self.size / len(self.tree.nodes)

    def again(self, position: Position, memory: int) -> Run | None:
        """A run for a part of the proof that this one threw away; None where it keeps all."""
        search = self.search.again()
        if search is None:
            return None
        return Run(search, Task(position, self.attacker, max(memory, 2 * self.inner.nodes.nbytes),
                                plain=self.task.plain, candidates=self.task.candidates))

    def chosen(self) -> int | None:
        """The root's move that would be played now; None while there is none."""
        child = self._chosen_child()
        return None if child is None else int(self.tree.nodes[child]["move"])

    def _chosen_child(self) -> int | None:
        open_children = [c for c in self.children() if self.tree.nodes[c]["status"] == UNKNOWN]
        if not open_children and self.status == UNKNOWN:
            return None
        attacker_moves = int(self.tree.nodes[0]["mover"]) == self.attacker
        if self.status != UNKNOWN:
            same = [c for c in self.children() if self.tree.nodes[c]["status"] == self.status]
            return same[0] if same else None
        choose = self.plan.choose or self.plan.select
        return int(kernel(choose)(self.options, self.tree.nodes, 0, attacker_moves))

    @property
    def own_nodes(self) -> Array:
        """The nodes, laid out as the run's kernel has them."""
        return self.tree.nodes

    @property
    def lengths(self) -> Array:
        """The plies that each proved node lasts in the proof found, measured again if the tree has
        grown."""
        if len(self._lengths) != self.size:
            self._lengths = np.zeros(self.size, np.int32)
            kernel(lengths_of(self.plan.linked))(self.tree.nodes, self.size, self.attacker,
                                                 self._lengths)
        return self._lengths

    def _tree(self, capacity: int) -> Tree:
        rules = self.rules
        states = states_array(rules, self.path_length)
        child = states_array(rules, 1)
        return Tree(
            nodes=node_pool(self.dtype, capacity), path=np.zeros(len(states), np.int32),
            states=states, raw=states.view(np.uint8), keys=np.zeros(len(states), np.uint64),
            child=child, child_raw=child.view(np.uint8), moves=moves_array(rules),
            scratch=scratch_for(rules), control=records(CONTROL, 1),
        )

    def _overhead(self) -> int:
        """The bytes that are there whatever the number of nodes: paths, and PN2's second pool."""
        return self._paths() + (int(self.inner.nodes.nbytes) if self.inner else 0)

    def _paths(self) -> int:
        trees = 1 if self.plan.nested is None else 2
        return trees * self.path_length * (self.rules.dtype.itemsize + 12)

    def _capacity(self, memory: int) -> int:
        """Return the nodes of the tree that fit into ``memory``, beside those of a nested
        search."""
        room = min((memory - self._paths()) // self.dtype.itemsize, MOST_NODES)
        if self.plan.nested is not None and room > 0:
            least = max(0, room - self._nested_capacity(room))  # it needs no more for a smaller one
            room = least - 1 + bisect_right(
                range(least, room), room, key=lambda size: size + self._nested_capacity(size))
        return max(1, room)

    def _nested_capacity(self, size: int) -> int:
        """Return the nodes that a nested search may need while the tree has up to ``size``."""
        return self.search.nested_nodes(size) + self.rules.max_moves + 2

    def _wider(self, tree: Tree, capacity: int) -> Tree:
        """Return the tree with space for ``capacity`` nodes, or as it is if the system grants no
        more."""
        nodes, used = node_pool(self.dtype, capacity), int(tree.control[0]["used"])
        if len(nodes) <= len(tree.nodes):
            return tree
        nodes[:used] = tree.nodes[:used]
        return tree._replace(nodes=nodes)

    def deepen(self) -> None:
        """Make space for a longer path; games that are not cyclic must keep to max_length."""
        if not may_lengthen(self.rules, self.path_length):
            raise too_long(self.position.game)
        self.path_length *= 2
        inner = self._longer(self.inner) if self.inner else ()
        self.tree, self.inner = self._longer(self.tree), inner

    def _longer(self, tree: Tree) -> Tree:
        states = longer(tree.states, self.path_length)
        return tree._replace(states=states, raw=states.view(np.uint8),
                             path=longer(tree.path, self.path_length),
                             keys=longer(tree.keys, self.path_length))

    def save(self, saving: Saving) -> None:
        """Keep the tree, and that of a nested search that is under way."""
        _save_tree(self.tree, saving)
        if self.tree.control[0]["under_way"]:
            _save_tree(self.inner, saving.part("inner"))

    def restore(self, saved: Saved) -> None:
        """Let a run that has just begun go on from a checkpoint."""
        path = self._restore_tree("tree", saved, [self.position])
        if self.tree.control[0]["under_way"]:
            self._restore_tree("inner", saved.part("inner"), path)

    def _restore_tree(self, which: str, saved: Saved, before: list[Position]) -> list[Position]:
        """Restore a tree whose root is the last position of a path; return the path with its
        own."""
        before = before if self.rules.cyclic else before[-1:]
        nodes, path = saved.array("nodes", self.dtype), saved.array("path", np.int32)
        at = saved.record("control", getattr(self, which).control,
                          ASKED if which == "tree" else ())
        root, end = len(before) - 1, len(before) - 1 + len(path)
        saved.require(at["used"] == len(nodes) > 0 and at["root_at"] == root
                      and at["depth"] == len(path) - 1 and path[0] == 0)
        check_nodes(nodes, self.plan.linked, self.rules.max_moves, saved)
        saved.within(0, len(nodes) - 1, path)
        while end + 2 > self.path_length:
            self.deepen()
        tree: Tree = getattr(self, which)
        if len(tree.nodes) < len(nodes):
            tree = tree._replace(nodes=node_pool(self.dtype, len(nodes)))
            saved.require(len(tree.nodes) == len(nodes))
            setattr(self, which, tree)
        tree.nodes[: len(nodes)], tree.control[0], tree.path[root:end] = nodes, at, path
        return saved.stand_on(tree, before, nodes["move"][path[1:]])


def _save_tree(tree: Tree, saving: Saving) -> None:
    control = tree.control[0]
    root = int(control["root_at"])
    saving.array("nodes", tree.nodes[: int(control["used"])])
    saving.array("path", tree.path[root : root + int(control["depth"]) + 1])
    saving.array("control", tree.control)


def check_nodes(nodes: Any, linked: bool, most_moves: int, saved: Saved) -> None:
    """Check that children come after their parents and are all there, so that no walk leaves the
    tree."""
    size, own = len(nodes), np.arange(len(nodes))
    count, first = nodes["count"].astype(np.int64), nodes["first"].astype(np.int64)
    last = first if linked else first + count - 1
    saved.require(np.all((count == 0) | ((first > own) & (last < size))))
    followed = (count > 0) & (nodes["status"] == UNKNOWN)  # elsewhere it may be out of date
    bounds = {"count": most_moves, "status": LOST, "other": LOST, "mover": 1, "after": size - 1}
    names = nodes.dtype.names or ()
    for name in names:
        if name in bounds:
            saved.within(0, bounds[name], nodes[name])
    if "next" in names:
        saved.within(0, count, nodes["made"])
        saved.require(np.all((nodes["next"] == NO_NODE) | (nodes["next"] > own)))
        saved.within(0, size - 1, nodes["next"])
    if "best" in names:
        saved.within(0, size - 1, nodes["best"][followed])
    if "after" in names:  # the order of open children: none comes twice, and the first never
        waiting = nodes["after"][nodes["status"] == UNKNOWN]
        order = np.concatenate([waiting[waiting != NO_NODE], np.unique(nodes["best"][followed])])
        saved.require(len(np.unique(order)) == len(order))
    if "cn" in names:  # which conspiracy number is that of the value
        saved.within(0, nodes.dtype["cn"].shape[0] - 1, nodes["at"])


MOST_TRIES, MOST_DOUBLES = 40, 4


def seen(run: Run, n: int, best: bool) -> Seen:
    """Return node ``n`` as it stands."""
    record = run.tree.nodes[n]
    move = int(record["move"]) if n > 0 else None
    return Seen(move, int(record["status"]), run.numbers(n), size(run, n), best=best)


def size(run: Run, n: int) -> int:
    """Return the number of children of a node that exist."""
    return int(run.tree.nodes[n]["made" if run.plan.linked else "count"])


def child_by(run: Run, n: int, move: int) -> int | None:
    """Return the child that ``move`` leads to, if it exists."""
    nodes = run.tree.nodes
    return next((c for c in run.children(n) if int(nodes[c]["move"]) == move), None)


def follow(run: Run, trail: Sequence[int], path: Sequence[int]) -> list[int] | None:
    """Return the nodes of ``trail`` and those that ``path`` leads on to; None where the tree
    ends."""
    found = list(trail)
    for move in path:
        child = child_by(run, found[-1], move)
        if child is None:
            return None
        found.append(child)
    return found


def followed(run: Run, n: int) -> int | None:
    """Return the child that the search would follow; in a proof the move to play."""
    record = run.tree.nodes[n]
    mine = int(record["mover"]) == run.attacker
    if int(record["status"]) != UNKNOWN:
        return _proving(run, n, mine)
    if size(run, n) < int(record["count"]) or int(record["count"]) == 0:
        return None  # a child has to be made first
    child = int(run.select(run.options, run.tree.nodes, n, mine))
    return child if child > NO_NODE else None


def _proving(run: Run, n: int, mine: bool) -> int | None:
    """Return the child that a proof goes on with: shortest for the prover, else longest."""
    nodes, status = run.tree.nodes, int(run.tree.nodes[n]["status"])
    same = [c for c in run.children(n) if int(nodes[c]["status"]) == status]
    shorten = mine == (status == WON)
    if not same:
        return None
    if run.status == UNKNOWN:  # the tree still grows
        return same[0] if shorten else None
    return (min if shorten else max)(same, key=lambda c: int(run.lengths[c]))


def doubles(run: Run, path: Sequence[int], trail: Sequence[int]) -> tuple[Path, ...]:
    """Return other paths of the tree to the same position: the last move and an earlier one of the
    same player exchanged. That finds most, and takes no search."""
    here = _end_of(run, path)
    same = (other for at, other in islice(_exchanged(run, path, trail), MOST_TRIES)
            if follow(run, trail[: at + 1], other[at:]) is not None
            and _end_of(run, other) == here)
    return tuple(islice(same, MOST_DOUBLES))


def _end_of(run: Run, path: Sequence[int]) -> bytes:
    """Return the state that a path leads to, in bytes."""
    state = run.position.state
    for move in path:
        state = run.position.game.board.step(state, move)
    return state.tobytes()


def _exchanged(run: Run, path: Sequence[int], trail: Sequence[int],
               ) -> Iterator[tuple[int, Path]]:
    """Yield the place of an earlier move of the last mover, and the path with both exchanged."""
    movers = [int(run.tree.nodes[n]["mover"]) for n in trail]
    last = len(path) - 1
    for at in range(last - 1, -1, -1):
        if movers[at] == movers[last] and path[at] != path[last]:
            other = list(path)
            other[at], other[last] = other[last], other[at]
            yield at, tuple(other)


NESTED_SLICE = 1 << 20  # expansions of a nested search


class TreeRecorder(Recorder):
    """A recorder of each expansion."""

    run: Run

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.iterations, self.trail = run.iterations, [0]
        self._clear_path()

    def advance(self, search: Callable[..., int]) -> int:
        """Make one expansion; a nested search may need several calls."""
        return search(NESTED_SLICE, pause=self.run.iterations + 1)

    def standing(self) -> list[tuple[Path, Seen]]:
        """Return the tree of an earlier question, where the run goes on with it."""
        run, found = self.run, list[tuple[Path, Seen]]()
        todo: list[tuple[Path, int]] = [((), 0)]
        while todo:
            path, n = todo.pop(0)
            for c in run.children(n):
                below = (*path, int(run.tree.nodes[c]["move"]))
                found.append((below, seen(run, c, best=False)))
                todo.append((below, c))
        return found

    def _path(self) -> Path | None:
        run, path = self.run, self.run.tree.path
        if run.iterations == self.iterations:
            return None
        self.iterations = run.iterations
        self.trail = [int(n) for n in path[: int(np.flatnonzero(path[1:] == 0)[0]) + 1]]
        self._clear_path()
        return tuple(int(run.tree.nodes[n]["move"]) for n in self.trail[1:])

    def _clear_path(self) -> None:
        """Clear the nodes below the current one, which are left over from earlier paths."""
        tree = self.run.tree
        tree.path[int(tree.control[0]["depth"]) + 1 :] = 0

    def _node(self, depth: int) -> tuple[int, Numbers]:
        n = self.trail[depth]
        return int(self.run.tree.nodes[n]["status"]), self.run.numbers(n)

    def _children(self, depth: int) -> list[Seen]:
        return [seen(self.run, c, best=False) for c in self.run.children(self.trail[depth])]


AGAIN_BYTES = 1 << 26
AGAIN_SLICE, AGAIN_SLICES = 1 << 16, 1 << 8


class Walk:
    """A place in the proof of one run."""

    def __init__(self, run: Run) -> None:
        self.run, self.node = run, 0

    def best(self) -> int | None:
        """Return the move to play: shortest for the prover, else longest; None at the end."""
        mine = int(self.run.tree.nodes[self.node]["mover"]) == self.run.attacker
        child = _proving(self.run, self.node, mine)
        return None if child is None else int(self.run.tree.nodes[child]["move"])

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``; False if the proof ends there."""
        child = child_by(self.run, self.node, move)
        if child is None:
            return False
        self.node = child
        return self._children_or_again(position)

    def _children_or_again(self, position: Position) -> bool:
        """Return True if the current node has children, if need be after searching it again."""
        run = self.run
        if run.children(self.node) or position.outcome is not None:
            return True
        won = int(run.tree.nodes[self.node]["status"]) == WON
        by_path = run.rules.cyclic and (run.rules.repeat is not None or not won)
        fresh = None if by_path else run.again(position, AGAIN_BYTES)
        if fresh is None:
            return True  # a repetition, or a part that another path would not prove alike
        for _ in range(AGAIN_SLICES):  # short ones, so that Ctrl-C is noticed
            if fresh.advance(AGAIN_SLICE) != SLICE:
                break
        if fresh.status == UNKNOWN:
            return False
        self.run, self.node = fresh, 0
        return True
