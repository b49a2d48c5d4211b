"""One certificate from the proofs of many workers.

The master walks through its tree: where the prover moves it has the move, where the other side
moves it goes on to every reply. At a solved leaf it asks a worker for the leaf's own proof, from
its table or by another search. Records may come in any order and more than once; the independent
checker reads the whole.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from zermelo.cluster.master import Master, Withdrawn
from zermelo.cluster.messages import Message, Nonsense
from zermelo.cluster.node import NOBODY, Node
from zermelo.cluster.records import add_move, add_records
from zermelo.cluster.samples import Trial
from zermelo.cluster.tree import Tree
from zermelo.cluster.worker import MORE, PROVE
from zermelo.core.position import Position
from zermelo.errors import ProofFailure
from zermelo.proof import CertificateWriter, Claim
from zermelo.proof.certify import CHECKER_SEARCH, Written, checked
from zermelo.proof.header import LEAST_SEARCH
from zermelo.search.common.repetition import PATH_FREE
from zermelo.search.common.status import LOST, WON

WAIT_SECONDS = 0.2
TRIES = 3
PART = 1 << 24  # visits, in the time of which a worker should have a part of a proof
MOST_DOUBLINGS = 20

Tell = Callable[[str, int], None]


class Part(NamedTuple):
    """A part of a leaf's proof, as a worker sent it; ``first`` and ``last`` of that proof?"""

    leaf: Leaf
    worker: int
    blobs: list[bytes]
    first: bool
    last: bool


Receive = Callable[[Part], None]


@dataclass
class Leaf:
    """A solved leaf; ``row``: the result that says so; ``home``: who has it in its table."""

    path: tuple[int, ...]
    claim: int
    row: int = 0
    home: int = NOBODY
    denied: set[int] = field(default_factory=set)  # workers that found the opposite
    lost: int = 0  # how many workers ended, or took too long, with it


class Asked(NamedTuple):
    """What a worker is asked for: a part of a leaf's proof, by the order with this number."""

    leaf: Leaf
    order: int
    first: bool


class Assembly:
    """Writes the certificate of ``claims``, each of which is proved by a tree."""

    def __init__(self, master: Master, root: Position, claims: list[tuple[Claim, Tree]],
                 tell: Tell | None = None, search: int = CHECKER_SEARCH) -> None:
        self.master, self.root, self.claims = master, root, claims
        self.tell, self.search = tell, search
        self.written = 0

    def write(self, path: str | Path) -> Written:
        """Write it and have it checked; Withdrawn if a worker has told lies."""
        for _ in range(TRIES):
            writer = CertificateWriter(path, self.root, [claim for claim, _ in self.claims],
                                       search=max(self.search, LEAST_SEARCH))
            with writer:
                leaves = [leaf for number in range(len(self.claims))
                          for leaf in self._walk(writer, number)]
                self._prove(leaves, partial(self._add, writer))
            own_rules = None if writer.packer.built_in else self.root.game
            try:
                report = checked(path, own_rules, 1, self.tell)
            except ProofFailure:
                if not self._sift(leaves):
                    raise
                continue
            return Written(Path(path), writer.records, Path(path).stat().st_size, writer.digest,
                           report)
        raise ProofFailure(f"the certificate {str(path)!r} failed verification again and again: "
                           "workers send proofs that do not stand.")

    def _add(self, writer: CertificateWriter, part: Part) -> None:
        self.written += add_records(writer, part.leaf.claim, part.blobs)
        if self.tell is not None:
            self.tell("writing", self.written)

    def _walk(self, writer: CertificateWriter, number: int) -> list[Leaf]:
        """Write the records of the tree, and list the leaves that it ends in."""
        claim, tree = self.claims[number]
        wanted = WON if claim.wins else LOST
        if writer.ranked[number]:  # ranks must fall along every line: one search gives them all
            return [Leaf((), number)]
        leaves, seen, waiting = [], set[int](), [(tree.root, self.root)]
        while waiting:
            node, position = waiting.pop()
            if position.outcome is not None or (node.anchor != PATH_FREE and node.children is None):
                continue  # a repetition has its records where the position was before
            if node.children is None:
                proof = tree.proved.get(node.key)
                if proof is None:
                    leaves.append(Leaf(node.path, number, node.row, node.home))
                    continue
                node, position = proof, self._position(proof.path)
            if id(node) in seen:
                continue
            seen.add(id(node))
            if position.mover == claim.prover:
                child = next(child for child in node.children or () if child.status == wanted)
                add_move(writer, number, position, child.move)
                waiting.append((child, position.play_code(child.move)))
            else:
                leaves += self._replies(node, position, number, waiting)
        return leaves

    def _replies(self, node: Node, position: Position, number: int,
                 waiting: list[tuple[Node, Position]]) -> list[Leaf]:
        """All replies; those that the search does not try, for what the game knows, are leaves."""
        tried = {child.move: child for child in node.children or ()}
        left = []
        for move in position.codes():
            following = position.play_code(move)
            if move in tried:
                waiting.append((tried[move], following))
            elif following.outcome is None:
                left.append(Leaf((*node.path, move), number))
        return left

    def _position(self, path: tuple[int, ...]) -> Position:
        position = self.root
        for move in path:
            position = position.play_code(move)
        return position

    def _prove(self, leaves: list[Leaf], receive: Receive) -> None:
        """Have workers send the proofs of ``leaves``; ``receive`` gets each, part by part, so that
        no more than a part for each worker is in memory."""
        crew, waiting = self.master.crew, Waiting(leaves)
        busy: dict[int, Asked] = {}
        more: dict[int, Leaf] = {}  # the proofs of which a worker has sent a part
        while waiting.left or busy or more:
            for worker in crew.capacity():
                if worker in more:
                    busy[worker] = self._ask(worker, more.pop(worker), first=False)
                elif worker not in busy and (picked := waiting.pick(worker)) is not None:
                    busy[worker] = self._ask(worker, picked, first=True)
            for each in crew.finished(WAIT_SECONDS):
                if each.worker not in busy:  # what it was asked for before
                    continue
                asked = busy.pop(each.worker)
                leaf = asked.leaf
                if each.answer is None:
                    leaf.lost += 1
                    waiting.add(leaf)
                    continue
                try:
                    goes_on = self._take(each.worker, asked, each.answer, receive)
                except Nonsense:
                    self.master.conduct.expel(each.worker)
                    waiting.add(leaf)
                    continue
                if goes_on:
                    more[each.worker] = leaf
                elif each.worker in leaf.denied:
                    self._denied(leaf, waiting)

    def _ask(self, worker: int, leaf: Leaf, first: bool) -> Asked:
        """Ask a worker for the first part of a leaf's proof, or for the next."""
        order = self._order(leaf) if first else {"kind": MORE}
        return Asked(leaf, self.master.give(worker, order, self._patience(leaf)), first)

    def _patience(self, leaf: Leaf) -> float:
        """The seconds for a part. What a table has forgotten is searched again, all of it from the
        root: so it is longer there, and twice as long after each worker that was lost with it."""
        visits = PART if leaf.path else max(PART, self.master.journal.visits)
        return self.master.budgets.seconds(visits) * 2.0 ** min(leaf.lost, MOST_DOUBLINGS)

    def _order(self, leaf: Leaf) -> Message:
        claim = self.claims[leaf.claim][0]
        return {"kind": PROVE, "path": leaf.path, "attacker": claim.player,
                "status": WON if claim.wins else LOST, "search": self.search, "most": None}

    def _take(self, worker: int, asked: Asked, answer: bytes, receive: Receive) -> bool:
        """Take in a part of a proof; whether there is more of it."""
        message, blobs = self.master.answered(answer, asked.order)
        if message.get("agrees") is False:
            asked.leaf.denied.add(worker)
            return False
        if message.get("agrees") is not True:
            raise Nonsense("no proof")
        more = bool(message.get("more"))
        receive(Part(asked.leaf, worker, blobs, asked.first, last=not more))
        return more

    def _denied(self, leaf: Leaf, waiting: Waiting) -> None:
        """A worker found the opposite. Another one is asked, if there is one; two are enough."""
        if len(leaf.denied) == 1 and len(self.master.crew.capacity()) > 1:
            waiting.add(leaf)
            return
        if leaf.row:
            self.master.conduct.withdraw(leaf.row)
            raise Withdrawn
        raise ProofFailure(f"{self.root.game.name}: a reply that its rules call pointless is not. "
                           "This is a bug of the game.")

    def _sift(self, leaves: list[Leaf]) -> bool:
        """Check the proof of every leaf by itself, as soon as it is there; True if a worker was
        found that sends wrong ones, and expelled."""
        bad = set[int]()
        trials: dict[int, Trial] = {}  # by worker

        def collect(part: Part) -> None:
            if part.first:
                self._drop(trials, part.worker)
                trials[part.worker] = Trial(self._position(part.leaf.path),
                                            self.claims[part.leaf.claim][0], self.search)
            trials[part.worker].add(part.blobs)
            if part.last:
                if not trials[part.worker].stands():
                    bad.add(part.worker)
                self._drop(trials, part.worker)

        try:
            self._prove(leaves, collect)
        finally:
            for worker in list(trials):
                self._drop(trials, worker)
        for worker in bad:
            self.master.conduct.expel(worker)
        return bool(bad)

    @staticmethod
    def _drop(trials: dict[int, Trial], worker: int) -> None:
        if (trial := trials.pop(worker, None)) is not None:
            trial.folder.close()


class Waiting:
    """The leaves whose proofs are still to come: those in a worker's own table are found at once,
    however many there are."""

    def __init__(self, leaves: list[Leaf]) -> None:
        self.left = set[int]()  # those that nobody has been asked for; a queue may have others too
        self.at_home: dict[int, deque[Leaf]] = {}
        self.all: deque[Leaf] = deque()
        for leaf in leaves:
            self.add(leaf)

    def add(self, leaf: Leaf) -> None:
        """One more, or one again."""
        self.left.add(id(leaf))
        self.all.append(leaf)
        self.at_home.setdefault(leaf.home, deque()).append(leaf)

    def pick(self, worker: int) -> Leaf | None:
        """A leaf for a worker that has not denied it: one in its own table if there is one."""
        for some in (self.at_home.get(worker, deque()), self.all):
            for _ in range(len(some)):
                leaf = some.popleft()
                if id(leaf) not in self.left:
                    continue
                if worker not in leaf.denied:
                    self.left.discard(id(leaf))
                    return leaf
                some.append(leaf)
        return None
