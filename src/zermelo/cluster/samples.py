"""Checks by sampling: of some claims of every worker the proof is asked for, and checked.

A claim is a status: of a leaf, or of a child of a leaf that is expanded. The first claim of a
worker is checked, then one in ``EVERY``, and in the end some of those that decide. The worker that
made the claim sends its proof; the independent checker, which knows nothing of workers, says
whether it stands. Proofs that are long are not checked, and nobody is blamed for them.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Self

from zermelo.cluster.messages import LeafReport, Nonsense, decode, encode
from zermelo.cluster.node import Node
from zermelo.cluster.records import add_records
from zermelo.cluster.tree import Question
from zermelo.cluster.worker import PROVE, key_of
from zermelo.core.position import Position
from zermelo.core.rules import OUTCOMES
from zermelo.crews.crew import Finished
from zermelo.errors import BadMove
from zermelo.proof import CertificateWriter, Claim, verify
from zermelo.proof.header import LEAST_SEARCH
from zermelo.proof.workplace import CannotWrite
from zermelo.search.common.status import UNKNOWN, WON
from zermelo.whole_files import Folder

EVERY = 32
MOST_VISITS = 1 << 17  # for a proof that the table has lost: who needs more stops there
MOST_RECORDS = 1 << 12  # of a proof that is checked: who finds that it has more stops there
MOST_BYTES = 1 << 17  # of a proof that is checked, packed


@dataclass
class Sample:
    """A claim whose proof is asked for. ``row``: the result that is checked with it; none for a
    child, whose result has other claims too. ``order``: the number of the order, once it is asked.
    """

    question: Question
    path: tuple[int, ...]
    status: int
    key: str
    row: int | None = None
    order: int | None = None


class Samples:
    """The claims that are being checked, by worker. ``every``: one claim in so many."""

    def __init__(self, root: Position, every: int = EVERY) -> None:
        self.root, self.every = root, every
        self.claims: dict[int, int] = {}
        self.waiting: dict[int, deque[Sample]] = {}
        self.chosen = set[tuple[int, Question, tuple[int, ...]]]()

    def note(self, worker: int, question: Question, path: tuple[int, ...], report: LeafReport,
             row: int) -> None:
        """A report came; perhaps some of its claims are to be checked."""
        if report.status != UNKNOWN:
            self._claim(worker, Sample(question, path, report.status, report.key, row))
        elif report.spent:
            for child in report.children:
                if child.status != UNKNOWN:
                    self._claim(worker, Sample(question, (*path, child.move), child.status,
                                               child.key))

    def _claim(self, worker: int, sample: Sample) -> None:
        before = self.claims.get(worker, 0)
        self.claims[worker] = before + 1
        if before % self.every == 0:
            self.choose(worker, sample)

    def choose(self, worker: int, sample: Sample) -> None:
        """Have a claim checked, if that can be done and was not done before."""
        known = (worker, sample.question, sample.path)
        if sample.question[1] == 1 and known not in self.chosen:
            self.chosen.add(known)
            self.waiting.setdefault(worker, deque()).append(sample)

    @property
    def open(self) -> bool:
        """Whether any proof is still to come."""
        return any(self.waiting.values())

    @property
    def asked(self) -> int:
        """How many workers are at it."""
        return sum(self.is_for(worker) for worker in self.waiting)

    def forget(self, worker: int) -> None:
        """A worker is gone, and its proofs with it."""
        self.waiting.pop(worker, None)
        self.claims.pop(worker, None)

    def due(self, worker: int) -> bool:
        """Whether a worker has a proof to send."""
        return bool(self.waiting.get(worker))

    def is_for(self, worker: int) -> bool:
        """Whether what a worker sends is a proof."""
        return self.due(worker) and self.waiting[worker][0].order is not None

    def order(self, worker: int, number: int) -> bytes:
        """What it is asked, with the number of the order."""
        sample = self.waiting[worker][0]
        sample.order = number
        return encode({"kind": PROVE, "path": sample.path, "attacker": sample.question[0],
                       "status": sample.status, "search": 0, "most": MOST_RECORDS,
                       "visits": MOST_VISITS, "order": number})

    def take(self, each: Finished) -> int | None:
        """Take in a proof and check it. The number of its result; None if there is none, or if the
        proof is too long or finds no place on the disk; Nonsense if it does not stand."""
        assert each.answer is not None
        sample = self.waiting[each.worker].popleft()
        message, blobs = decode(each.answer)
        if message.get("agrees") is not True:
            raise Nonsense("a claim without a proof")
        if message.get("order") != sample.order:
            raise Nonsense("an answer to another order")
        position = self._position(sample.path, sample.key)
        if message.get("more") or sum(map(len, blobs)) > MOST_BYTES:
            return None
        claim = Claim(sample.question[0], wins=sample.status == WON)
        try:
            stands = proof_stands(position, claim, blobs, 0)
        except (OSError, CannotWrite):
            return None
        if not stands:
            raise Nonsense("a proof that does not stand")
        return sample.row

    def source(self, node: Node) -> int:
        """The number of the result that a solved node rests on: the one that says so of its key,
        or, if that is the key of another position, the one that the node came with."""
        try:
            self._position(node.path, node.key)
        except Nonsense:
            return node.row if node.parent is None else node.parent.row
        return node.row

    def _position(self, path: tuple[int, ...], key: str) -> Position:
        """Where a path leads to; Nonsense if it does not, or if the key is another position's."""
        position = self.root
        try:
            for move in path:
                position = position.play_code(move)
        except BadMove as error:
            raise Nonsense(f"a move that there is not: {error}") from None
        if key_of(position) != key:
            raise Nonsense("the key of another position")
        return position


def proof_stands(position: Position, claim: Claim, blobs: list[bytes], search: int) -> bool:
    """Whether the records of ``blobs`` prove ``claim`` about ``position``, to the checker."""
    if position.outcome is not None:
        return claim.holds(OUTCOMES.index(position.outcome) - 1)
    with Trial(position, claim, search) as trial:
        trial.add(blobs)
        return trial.stands()


class Trial:
    """The proof of one leaf, which may come in many parts, in a certificate of its own."""

    def __init__(self, position: Position, claim: Claim, search: int) -> None:
        self.position, self.claim = position, claim
        self.folder = Folder("zermelo-samples")
        self.path = self.folder.path / "leaf.proof"
        self.writer = CertificateWriter(self.path, position, [claim],
                                        search=max(search, LEAST_SEARCH))
        self.writer.__enter__()

    def add(self, blobs: list[bytes]) -> None:
        """Take a part; Nonsense if it can't be read."""
        add_records(self.writer, 0, blobs)

    def stands(self) -> bool:
        """When all is there: what the checker says."""
        self.writer.__exit__(None, None, None)
        game = None if self.writer.packer.built_in else self.position.game
        return verify(self.path, game=game).verified

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.folder.close()
