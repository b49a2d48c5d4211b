"""What becomes of workers that are lost, fail, or say what does not stand."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field

from zermelo.cluster.journal import Journal
from zermelo.cluster.samples import Samples
from zermelo.crews.crew import Crew, Finished
from zermelo.errors import BadOption

GIVE_UP = 20  # workers lost one after the other, without an answer between
EACH = 3  # the same for each worker: a node takes all of its own with it


@dataclass
class Work:
    """What was done in this run, for those who watch."""

    jobs: int = 0
    lost: int = 0
    expelled: int = 0
    seconds: float = 0.0  # of processors
    since: float = field(default_factory=time.monotonic)


class Conduct:
    """Sends workers away, withdraws what they said, and gives up where nothing helps.

    ``name`` tells its workers from those of other runs in the journal. ``gone``: those that were
    sent away. ``unlucky``: how often something went wrong since the last good answer.
    """

    def __init__(self, crew: Crew, journal: Journal, name: str, samples: Samples | None,
                 workers: int) -> None:
        self.crew, self.journal, self.name, self.samples = crew, journal, name, samples
        self.work = Work()
        self.unlucky = 0
        self.patience = max(GIVE_UP, EACH * workers)
        self.gone = set[int]()
        self.stood: deque[int] = deque(maxlen=self.patience)  # results, after each expulsion

    def name_of(self, worker: int) -> str:
        """How the journal calls a worker."""
        return f"{self.name}{worker}"

    def lost(self, each: Finished) -> None:
        """A worker has ended, or hangs."""
        self.work.lost += 1
        if self.samples is not None:
            self.samples.forget(each.worker)
        self._bad_luck(f"workers are lost again and again; the last one because {each.why}")

    def failed(self, worker: int, error: object) -> None:
        """A worker can't do what it was asked for."""
        self._bad_luck(f"workers can't go on: {error}")
        self._send_away(worker)

    def _bad_luck(self, sentence: str) -> None:
        self.unlucky += 1
        if self.unlucky >= self.patience:
            raise BadOption(f"{sentence}.")

    def _send_away(self, worker: int) -> None:
        self.gone.add(worker)
        if self.samples is not None:
            self.samples.forget(worker)
        self.crew.expel(worker)

    def expel(self, worker: int) -> None:
        """Send a worker away, and withdraw what it said."""
        self.work.expelled += 1
        self._send_away(worker)
        self.journal.withdraw(self.name_of(worker))
        self._bad_luck("workers send nonsense again and again")
        self._check_progress()

    def _check_progress(self) -> None:
        """Give up where worker after worker is expelled, and no more results stand than at some
        time before: with one good worker there are more and more of them."""
        stand = self.journal.standing()
        if len(self.stood) == self.patience and stand <= min(self.stood):
            raise BadOption(
                f"workers are expelled again and again, {self.work.expelled} by now, since they "
                "send nonsense or claim what is not so; what stands of the rest is kept.")
        self.stood.append(stand)

    def withdraw(self, row: int) -> None:
        """The result with this number does not stand: nor does what else its worker said."""
        name = self.journal.worker(row)
        for worker in self.crew.capacity():
            if self.name_of(worker) == name:
                self.expel(worker)
        self.journal.withdraw(name)
