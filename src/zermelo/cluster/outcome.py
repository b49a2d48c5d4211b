"""From trees to a result: a tree as a run that has an answer, and a walk through its proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from zermelo.cluster.tree import Node, Tree
from zermelo.core.position import Position
from zermelo.search.base import Numbers, Proof, Run
from zermelo.search.reasons import UNKNOWN, WON
from zermelo.solving.answer import Answer
from zermelo.solving.result import Result
from zermelo.solving.session import Session

if TYPE_CHECKING:
    from zermelo.cluster.session import Distributed

AskLine = Callable[[tuple[int, ...], int], list[int]]


class NoLine(Exception):
    """No worker has the line of a leaf's proof."""


def to_the_leaf(path: tuple[int, ...], attacker: int) -> list[int]:
    """No line: it ends where the tree does."""
    return []


class TreeRun:
    """A tree as a run that has an answer; a master advances it."""

    arrived = leans_to_win = False
    bytes = 0

    def __init__(self, position: Position, tree: Tree, ask_line: AskLine) -> None:
        self.position, self.tree, self.ask_line = position, tree, ask_line
        self.attacker = tree.question[0]
        self.counters = {"visits": tree.visits, "expansions": tree.expansions,
                         "seesaw": tree.visits - tree.expansions,
                         "exact": False}  # several tables know nothing of each other

    @property
    def status(self) -> int:
        """Of the root."""
        return self.tree.status

    @property
    def nodes(self) -> int:
        """Visits of all workers."""
        return self.tree.visits

    @property
    def iterations(self) -> int:
        """Expansions of all workers."""
        return self.tree.expansions

    @property
    def proof_length(self) -> int:
        """How many plies the proof lasts."""
        return self.tree.root.length

    def numbers(self) -> Numbers:
        """The root's."""
        return shown(self.tree.root)

    def moves(self) -> list[tuple[int, int, Numbers]]:
        """The root's children."""
        return [(child.move, child.status, shown(child)) for child in self.tree.root.children or ()]

    def chosen(self) -> int | None:
        """The root's move that would be played now."""
        root = self.tree.root
        open_ones = [child for child in root.children or () if child.status == root.status]
        if not open_ones:
            return None
        best = min(open_ones, key=lambda child: child.pn if root.attacker_moves else child.dn)
        return best.move

    def walk(self) -> TreeWalk:
        """A walk through the proof."""
        return TreeWalk(self)

    def proof(self) -> Proof:
        """None of its own: the master puts one together from those of the workers."""
        return Proof()


def shown(node: Node) -> Numbers:
    """A node's numbers."""
    if node.status == UNKNOWN:
        return {"pn": node.pn, "dn": node.dn}
    return {"pn": 0, "dn": "inf"} if node.status == WON else {"pn": "inf", "dn": 0}


class TreeWalk:
    """A place in the proof of a tree; below its leaves, in the line that a worker knows."""

    def __init__(self, run: TreeRun) -> None:
        self.run, self.status = run, run.status
        self.node: Node | None = run.tree.root
        self.at: tuple[int, ...] = ()
        self.line: list[int] | None = None
        self.attacker = run.attacker

    @property
    def prover(self) -> int:
        """Who has something to show."""
        return self.attacker if self.status == WON else 1 - self.attacker

    def best(self) -> int | None:
        """The move to play: a shortest way for the prover, the longest for the other."""
        if self.node is not None and self.node.children is not None:
            mine = self.node.attacker_moves == (self.status == WON)
            fitting = [child for child in self.node.children if child.status == self.status]
            pick = min if mine else max
            return pick(fitting, key=lambda child: child.length).move if fitting else None
        if self.line is None:
            self.line = self.run.ask_line(self.at, self.attacker)
        return self.line[0] if self.line else None

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``."""
        before, self.at = self.best(), (*self.at, move)
        if self.node is not None and self.node.children is not None:
            self.node = next((c for c in self.node.children if c.move == move), None)
            return self.node is not None
        if before != move or not self.line:
            return False
        del self.line[0]
        return bool(self.line)


def answer_of(solver: Distributed, ask_line: AskLine = to_the_leaf) -> Answer:
    """The answer of the trees."""
    position = solver.position
    # To be asked, not to be saved: the journal has all of it.
    runs = cast(list[Run], [TreeRun(position, tree, ask_line) for tree in solver.trees])
    return Answer(position, position.mover, solver.goal, False, list(solver.subgoals), runs)


def line_of(solver: Distributed, ask_line: AskLine = to_the_leaf) -> list[str]:
    """A line of the proof; NoLine if no worker has it."""
    answer = answer_of(solver, ask_line)
    return answer.move_and_line(answer.asked())[1]


def result_of(solver: Distributed) -> Result:
    """The result so far; nothing is searched for it. What workers say is not proved: ``value`` is
    once a certificate of it was checked, the score never is."""
    answer = answer_of(solver)
    asked = answer.asked()
    value, known = answer.value(asked)
    complete, settled = answer.complete(value), answer.settled(asked, value)
    line = [] if solver.stopped != "solved" else (
        line_of(solver) if solver.line is None else solver.line)
    counters: dict[str, Any] = {**answer.counters(), "workers": solver.workers,
                                "jobs": solver.journal.rows}
    checked = complete and (solver.certified or solver.position.outcome is not None)
    return Result(
        position=solver.position, search=solver.search, goal=solver.goal, seed=solver.seed,
        value=value, proved=checked, concluded=complete, partial=known and not settled,
        by="workers" if known and not (checked and solver.goal != "score") else None,
        stopped=solver.stopped, move=line[0] if line else None, line=line, nodes=answer.nodes,
        iterations=answer.iterations, seconds=solver.seconds,
        compile_seconds=solver.start_seconds, peak_bytes=0, root=answer.runs[-1].numbers(),
        moves=[replace(move, proved=False) for move in answer.moves()], counters=counters,
        score=answer.score(asked))


def session_of(solver: Distributed, plain: bool) -> Session:
    """What is known now, as a session that can be asked for a guess; ``plain`` as it was given."""
    position = solver.position
    session = Session(position, solver.search, goal=solver.goal, seed=solver.seed, plain=plain)
    session.answer = answer_of(solver)
    session.stopped = solver.stopped
    return session
