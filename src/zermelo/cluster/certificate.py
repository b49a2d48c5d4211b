"""One certificate from the proofs of many workers.

The master walks through its tree: where the prover moves it has the move, where the other side
moves it goes on to every reply. At a solved leaf it asks a worker for the leaf's own proof, from
its table or by another search. Records may come in any order and more than once; the independent
checker reads the whole.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from zermelo.cluster.master import WAIT_SECONDS, Late, Master, never, nonsense
from zermelo.cluster.tree import NOBODY, MasterTree, Message, TreeNode
from zermelo.cluster.worker import MORE, PROVE
from zermelo.core.position import Position
from zermelo.errors import BadCertificate, ProofFailure, ZermeloError, file_name
from zermelo.proof import CertificateWriter, Claim
from zermelo.proof.write import CHECKER_SEARCH, Written, write_records
from zermelo.search.common.rules import PATH_FREE
from zermelo.search.reasons import LOST, WON

PART = 1 << 24  # visits, in the time of which a worker should have a part of a proof
MOST_DOUBLINGS = 20

Tell = Callable[[str, int], None]


class OutOfTime(ZermeloError):
    """The time limit was met while proofs were collected."""


@dataclass
class Leaf:
    """A solved leaf. ``claimed``: by a worker, else the rules don't try the move that leads there;
    ``home``: the worker that has it in its table; ``lost``: the workers that failed with it."""

    path: tuple[int, ...]
    claim: int
    claimed: bool = False
    home: int = NOBODY
    lost: int = 0


class ProofOrder(NamedTuple):
    """An order for a part of a leaf's proof, by its number."""

    leaf: Leaf
    order: int


class Assembly:
    """Writes the certificate of ``claims``, each of which is proved by a tree."""

    def __init__(self, master: Master, root: Position, claims: list[tuple[Claim, MasterTree]],
                 tell: Tell | None = None, search: int = CHECKER_SEARCH,
                 late: Late = never) -> None:
        self.master, self.root, self.claims = master, root, claims
        self.tell, self.search, self.late = tell, search, late
        self.written = 0

    def write(self, path: str | Path) -> Written:
        """Write it and have it checked; OutOfTime, and no file, when it is ``late`` before all
        proofs are there."""
        return write_records(path, self.root, [claim for claim, _ in self.claims], self._fill,
                             search=self.search, progress=self.tell)

    def _fill(self, writer: CertificateWriter) -> None:
        leaves = [leaf for number in range(len(self.claims))
                  for leaf in self._walk(writer, number)]
        if not self._prove(writer, leaves):
            raise OutOfTime("the time limit came before all proofs for the certificate "
                            f"{file_name(writer.path)} were there.")

    def _walk(self, writer: CertificateWriter, number: int) -> list[Leaf]:
        """Write the records of the tree, and list the leaves that it ends in."""
        claim, tree = self.claims[number]
        wanted = WON if claim.wins else LOST
        if writer.ranked[number]:  # ranks must fall along every line: one search gives them all
            return [Leaf((), number, claimed=True)]
        leaves, seen, waiting = [], set[int](), [(tree.root, self.root)]
        while waiting:
            node, position = waiting.pop()
            if position.outcome is not None or (node.anchor != PATH_FREE and node.children is None):
                continue  # a repetition has its records where the position was before
            if node.children is None:
                proof = tree.proved.get(node.key)
                if proof is None:
                    leaves.append(Leaf(node.path, number, True, node.home))
                    continue
                node, position = proof, self._position(proof.path)
            if id(node) in seen:
                continue
            seen.add(id(node))
            if position.mover == claim.prover:
                child = min((child for child in node.children or () if child.status == wanted),
                            key=lambda child: child.length)  # the move of the line
                writer.add_move(number, position, child.move)
                waiting.append((child, position.play_code(child.move)))
            else:
                leaves += self._replies(node, position, number, waiting)
        return leaves

    def _replies(self, node: TreeNode, position: Position, number: int,
                 waiting: list[tuple[TreeNode, Position]]) -> list[Leaf]:
        """Add all replies; those that the rules don't try, as pointless, are leaves."""
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

    def _prove(self, writer: CertificateWriter, leaves: list[Leaf]) -> bool:
        """Have workers send the proofs of ``leaves``, part by part, so that no more than a part for
        each worker is in memory; False when it is late before all are there."""
        crew, waiting = self.master.crew, defaultdict[int, deque[Leaf]](deque)  # by their home
        for leaf in leaves:
            waiting[leaf.home].append(leaf)
        busy: dict[int, ProofOrder] = {}
        more: dict[int, Leaf] = {}  # the proofs of which a worker has sent a part
        while any(waiting.values()) or busy or more:
            if self.late():
                return False
            for worker in crew.capacity():
                if worker in more:
                    busy[worker] = self._ask(worker, more.pop(worker), {"kind": MORE})
                elif worker not in busy and any(waiting.values()):  # one of its own, if there is
                    home = next(home for home in (worker, *waiting) if waiting[home])
                    leaf = waiting[home].popleft()
                    busy[worker] = self._ask(worker, leaf, self._order(leaf))
            for each in crew.finished(WAIT_SECONDS):
                if each.worker not in busy:  # an answer to an earlier order
                    continue
                leaf, order = busy.pop(each.worker)
                answer = self.master.answered(each, order)
                if answer is None:
                    leaf.lost += 1
                    waiting[leaf.home].appendleft(leaf)
                elif self._take(writer, each.worker, leaf, answer):
                    more[each.worker] = leaf
        return True

    def _ask(self, worker: int, leaf: Leaf, order: Message) -> ProofOrder:
        return ProofOrder(leaf, self.master.give(worker, order, self._patience(leaf)))

    def _patience(self, leaf: Leaf) -> float:
        """The seconds for a part. What a table has forgotten is searched again, all of it from the
        root: so it is longer there, and twice as long after each worker that was lost with it."""
        visits = PART if leaf.path else max(PART, self.master.journal.visits)
        return self.master.budgets.seconds(visits) * 2.0 ** min(leaf.lost, MOST_DOUBLINGS)

    def _order(self, leaf: Leaf) -> Message:
        claim = self.claims[leaf.claim][0]
        return {"kind": PROVE, "path": leaf.path, "attacker": claim.player,
                "status": WON if claim.wins else LOST, "search": self.search}

    def _take(self, writer: CertificateWriter, worker: int, leaf: Leaf, message: Message) -> bool:
        """Write a part of a proof; return True if there is more of it."""
        if not message.get("agrees"):
            if not leaf.claimed:
                raise ProofFailure(f"{self.root.game.name}: a reply that its rules call pointless "
                                   "is not. This is a bug of the game.")
            raise ProofFailure(f"worker {worker} finds that {self._position(leaf.path).text!r} is "
                               "not what a worker reported: the answer does not stand, and nor "
                               "does its journal.")
        self.master.unlucky = 0
        try:
            for states, moves, ranks in message["records"]:
                writer.add(leaf.claim, states, moves, ranks if writer.ranked[leaf.claim] else None)
                self.written += len(moves)
        except (BadCertificate, AttributeError, LookupError, TypeError, ValueError):
            raise nonsense(worker, "records that can't be a proof's") from None
        if self.tell is not None:
            self.tell("writing", self.written)
        return bool(message.get("more"))
