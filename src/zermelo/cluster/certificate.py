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

from zermelo.cluster.master import Master
from zermelo.cluster.messages import Nonsense, decode, encode
from zermelo.cluster.node import NOBODY, Node
from zermelo.cluster.records import add_move, add_records
from zermelo.cluster.samples import proof_stands
from zermelo.cluster.tree import Tree
from zermelo.cluster.worker import MORE, PROVE
from zermelo.core.position import Position
from zermelo.errors import ProofFailure
from zermelo.proof import CertificateWriter, Claim
from zermelo.proof.header import LEAST_SEARCH
from zermelo.search.common.repetition import PATH_FREE
from zermelo.search.common.status import LOST, WON
from zermelo.solving.certify import CHECKER_SEARCH, Written, checked

WAIT_SECONDS = 0.2
TRIES = 3
ENDLESS = 1e9  # seconds

Tell = Callable[[str, int], None]


class Withdrawn(Exception):
    """A claim did not stand: results are withdrawn, and the search must go on."""


@dataclass
class Leaf:
    """A solved leaf; ``row``: the result that says so; ``home``: who has it in its table."""

    path: tuple[int, ...]
    claim: int
    row: int = 0
    home: int = NOBODY
    blobs: list[bytes] = field(default_factory=list)
    denied: set[int] = field(default_factory=set)  # workers that found the opposite


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

    def _add(self, writer: CertificateWriter, leaf: Leaf, worker: int) -> None:
        self.written += add_records(writer, leaf.claim, leaf.blobs)
        leaf.blobs = []
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

    def _prove(self, leaves: list[Leaf], receive: Callable[[Leaf, int], None]) -> None:
        """Have workers send the proofs of ``leaves``; ``receive`` gets each, part by part."""
        crew, waiting = self.master.crew, deque(leaves)
        busy: dict[int, Leaf] = {}
        more: list[int] = []
        while waiting or busy or more:
            for worker in crew.capacity():
                if worker in more:
                    more.remove(worker)
                    crew.submit(worker, encode({"kind": MORE}), ENDLESS)
                elif worker not in busy and (picked := self._pick(waiting, worker)) is not None:
                    busy[worker] = picked
                    crew.submit(worker, self._order(picked), ENDLESS)
            for each in crew.finished(WAIT_SECONDS):
                leaf = busy[each.worker]
                try:
                    goes_on = each.answer is not None and self._take(each.worker, leaf,
                                                                     each.answer, receive)
                except Nonsense:
                    self.master.expel(each.worker)
                    goes_on = False
                    waiting.append(leaf)
                else:
                    if each.answer is None:
                        waiting.append(leaf)
                    elif not goes_on and leaf.denied and each.worker in leaf.denied:
                        self._denied(leaf, waiting)
                if goes_on:
                    more.append(each.worker)
                else:
                    del busy[each.worker]

    def _pick(self, waiting: deque[Leaf], worker: int) -> Leaf | None:
        """A leaf for a worker that has not denied it: one in its own table if there is one."""
        left = [leaf for leaf in waiting if worker not in leaf.denied]
        if not left:
            return None
        found = next((leaf for leaf in left if leaf.home == worker), left[0])
        waiting.remove(found)
        return found

    def _order(self, leaf: Leaf) -> bytes:
        claim = self.claims[leaf.claim][0]
        return encode({"kind": PROVE, "path": leaf.path, "attacker": claim.player,
                       "status": WON if claim.wins else LOST, "search": self.search})

    def _take(self, worker: int, leaf: Leaf, answer: bytes,
              receive: Callable[[Leaf, int], None]) -> bool:
        """Take in a part of a proof; whether there is more of it."""
        message, blobs = decode(answer)
        if message.get("agrees") is False:
            leaf.denied.add(worker)
            return False
        if message.get("agrees") is not True:
            raise Nonsense("no proof")
        leaf.blobs += blobs
        more = bool(message.get("more"))
        receive(leaf, worker)
        return more

    def _denied(self, leaf: Leaf, waiting: deque[Leaf]) -> None:
        """A worker found the opposite. Another one is asked, if there is one; two are enough."""
        if len(leaf.denied) == 1 and len(self.master.crew.capacity()) > 1:
            waiting.append(leaf)
            return
        if leaf.row:
            self.master.withdraw(leaf.row)
            raise Withdrawn
        raise ProofFailure(f"{self.root.game.name}: a reply that its rules call pointless is not. "
                           "This is a bug of the game.")

    def _sift(self, leaves: list[Leaf]) -> bool:
        """Check the proof of every leaf by itself; True if a worker was found that sends wrong
        ones, and expelled."""
        bad = set[int]()
        whole: dict[int, list[bytes]] = {}

        def collect(leaf: Leaf, worker: int) -> None:
            whole.setdefault(id(leaf), []).extend(leaf.blobs)
            leaf.blobs, leaf.home = [], worker

        self._prove(leaves, collect)
        for leaf in leaves:
            position, claim = self._position(leaf.path), self.claims[leaf.claim][0]
            if not proof_stands(position, claim, whole.get(id(leaf), []), self.search):
                bad.add(leaf.home)
        for worker in bad:
            self.master.expel(worker)
        return bool(bad)
