"""Checks by sampling: of some claims of every worker the proof is asked for, and checked.

The first claim of a worker is checked, then one in ``EVERY``. The worker that made the claim sends
its proof; the independent checker, which knows nothing of workers, says whether it stands.
"""

from __future__ import annotations

import tempfile
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from zermelo.cluster.crew import Finished
from zermelo.cluster.messages import Nonsense, Report, decode, encode
from zermelo.cluster.records import add_records
from zermelo.cluster.tree import Question
from zermelo.cluster.worker import PROVE
from zermelo.core.position import Position
from zermelo.core.rules import OUTCOMES
from zermelo.proof import CertificateWriter, Claim, verify
from zermelo.proof.header import LEAST_SEARCH
from zermelo.search.common.status import UNKNOWN, WON

EVERY = 32
MOST_VISITS = 1 << 17  # of a claim that is checked: its proof is not long then
MOST_RECORDS = 1 << 12  # of a proof that is checked: who finds that it has more stops there
MOST_BYTES = 1 << 17  # of a proof that is checked, packed


@dataclass
class Sample:
    """A claim whose proof was asked for."""

    question: Question
    path: tuple[int, ...]
    status: int
    row: int
    asked: bool = False


class Samples:
    """The claims that are being checked, by worker. ``every``: one claim in so many."""

    def __init__(self, root: Position, every: int = EVERY) -> None:
        self.root, self.every = root, every
        self.claims: dict[int, int] = {}
        self.waiting: dict[int, deque[Sample]] = {}

    def note(self, worker: int, question: Question, path: tuple[int, ...], report: Report,
             row: int) -> None:
        """A report came; perhaps it is to be checked."""
        if report.status == UNKNOWN or report.visits > MOST_VISITS or question[1] != 1:
            return
        before = self.claims.get(worker, 0)
        self.claims[worker] = before + 1
        if before % self.every == 0:
            self.waiting.setdefault(worker, deque()).append(
                Sample(question, path, report.status, row))

    @property
    def open(self) -> bool:
        """Whether any proof is still to come."""
        return any(self.waiting.values())

    @property
    def asked(self) -> int:
        """How many workers are at it."""
        return sum(bool(samples) and samples[0].asked for samples in self.waiting.values())

    def forget(self, worker: int) -> None:
        """A worker is gone, and its proofs with it."""
        self.waiting.pop(worker, None)

    def due(self, worker: int) -> bool:
        """Whether a worker has a proof to send."""
        return bool(self.waiting.get(worker))

    def is_for(self, worker: int) -> bool:
        """Whether what a worker sends is a proof."""
        return self.due(worker) and self.waiting[worker][0].asked

    def order(self, worker: int) -> bytes:
        """What it is asked."""
        sample = self.waiting[worker][0]
        sample.asked = True
        return encode({"kind": PROVE, "path": sample.path, "attacker": sample.question[0],
                       "status": sample.status, "search": 0, "most": MOST_RECORDS})

    def take(self, each: Finished) -> int | None:
        """Take in a proof and check it. The number of its result; None if it is too long, or lost
        with its worker; Nonsense if it does not stand."""
        sample = self.waiting[each.worker].popleft()
        if each.answer is None:
            self.forget(each.worker)
            return None
        message, blobs = decode(each.answer)
        if message.get("agrees") is not True:
            raise Nonsense("a claim without a proof")
        if message.get("more") or sum(map(len, blobs)) > MOST_BYTES:
            return None
        position = self.root
        for move in sample.path:
            position = position.play_code(move)
        claim = Claim(sample.question[0], wins=sample.status == WON)
        if not proof_stands(position, claim, blobs, 0):
            raise Nonsense("a proof that does not stand")
        return sample.row


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
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "leaf.proof"
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
        self.folder.cleanup()
