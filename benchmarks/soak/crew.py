"""Processes that run cases side by side, and the one that counts what they report."""

import multiprocessing
import os
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from benchmarks.soak.case import Difference
from benchmarks.soak.kinds import KINDS, SHARES, run_case

REPORT_SECONDS = 1.0
LAST_CASE = 150.0  # seconds that a case may still take after the end
LONGEST_CASE = 1_200.0  # seconds by the clock, compilation on a busy machine included


@dataclass(frozen=True)
class Found:
    """A difference and the case that shows it."""

    kind: str
    seed: int
    index: int
    text: str


def processor_seconds() -> float:
    """Of this process and of those that it has started and seen end."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def work(worker: int, workers: int, kinds: list[str], seed: int, begin: int, keep_going: bool,
         stop: Any, place: Any, reports: Connection) -> None:
    """Run blocks of cases, always of the kind that is furthest behind its share.

    Block b is run by worker b modulo ``workers``. ``place`` holds the case that is being run, for
    the case that it ends this process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to all; the first one acts
    spent, processor = dict.fromkeys(kinds, 0.0), dict.fromkeys(kinds, 0.0)
    blocks = dict.fromkeys(kinds, worker + begin * workers)
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
    reported = time.monotonic()

    def report(found: Found | None = None) -> None:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        reports.send((counts, (spent, processor), peak, found))
        for counter in counts.values():
            counter.clear()

    while True:  # a case at least
        kind = min(kinds, key=lambda kind: spent[kind] / SHARES[kind])
        size, began, used = KINDS[kind].BLOCK, time.monotonic(), processor_seconds()
        for index in range(blocks[kind] * size, (blocks[kind] + 1) * size):
            place[0], place[1] = kinds.index(kind), index
            try:
                counts[kind].update(run_case(kind, seed, index))
            except Difference as difference:
                counts[kind].update(differences=1)
                report(Found(kind, seed, index, str(difference)))
                if not keep_going:
                    return
            if stop.value:
                break
        blocks[kind] += workers
        spent[kind] += time.monotonic() - began
        processor[kind] += processor_seconds() - used
        if time.monotonic() - reported > REPORT_SECONDS:
            reported = time.monotonic()
            report()
        if stop.value:
            report()
            return


class Crew:
    """The workers, and the sums of their reports."""

    def __init__(self, kinds: list[str], seed: int, workers: int, begin: int = 0,
                 keep_going: bool = False) -> None:
        self.kinds, self.seed, self.keep_going = kinds, seed, keep_going
        self.counts: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
        self.found: list[Found] = []
        context = multiprocessing.get_context("spawn")
        self.stop = context.Value("b", 0)
        self.began = self.ended = time.monotonic()
        self.times: list[tuple[dict[str, float], dict[str, float]]] = [({}, {})] * workers
        self.peaks = [0] * workers
        self.seen = [((-1, -1), self.began)] * workers  # the case of each, and since when
        self.places, self.pipes, self.processes = [], [], []  # type: Any, Any, Any
        for number in range(workers):
            ours, theirs = context.Pipe(duplex=False)
            place = context.Array("q", 2)
            process = context.Process(target=work, args=(
                number, workers, kinds, seed, begin, keep_going, self.stop, place, theirs))
            process.start()
            theirs.close()
            self.places.append(place)
            self.pipes.append(ours)
            self.processes.append(process)

    @property
    def spent(self) -> dict[str, tuple[float, float]]:
        """Seconds by kind, of all workers together: by the clock, and of the processor."""
        return {kind: (sum(clock.get(kind, 0.0) for clock, _ in self.times),
                       sum(processor.get(kind, 0.0) for _, processor in self.times))
                for kind in self.kinds}

    def run(self, seconds: float, progress: Callable[["Crew"], None],
            tell: Callable[[Found], None]) -> None:
        """Until the time is up, or something is found."""
        end = self.began + seconds
        while time.monotonic() < end and self._alive():
            self._listen(min(1.0, max(0.01, end - time.monotonic())), tell)
            progress(self)
            for number in range(len(self.processes)):
                self._end_if_stuck(number)
            if self.found and not self.keep_going:
                return

    def _alive(self) -> bool:
        return any(pipe is not None for pipe in self.pipes)

    def _listen(self, seconds: float, tell: Callable[[Found], None] | None) -> None:
        for pipe in wait([pipe for pipe in self.pipes if pipe is not None], seconds):
            number = self.pipes.index(pipe)
            try:
                counts, spent, peak, found = pipe.recv()
            except EOFError:
                self.pipes[number] = None
                self.processes[number].join()
                found = self._death(number)
            else:
                self.times[number], self.peaks[number] = spent, peak
                for kind, counter in counts.items():
                    self.counts[kind].update(counter)
            if found is not None and (self.keep_going or not self.found):
                self.found.append(found)
                if tell is not None:
                    tell(found)

    def _end_if_stuck(self, number: int) -> None:
        """No signal reaches a worker that does not come back from compiled code."""
        place, now = tuple(self.places[number]), time.monotonic()
        if self.seen[number][0] != place:
            self.seen[number] = (place, now)
        elif self.pipes[number] is not None and now - self.seen[number][1] > LONGEST_CASE:
            self.processes[number].kill()  # its death is heard of

    def _death(self, number: int) -> Found | None:
        """A worker that ended without having been asked to."""
        status = self.processes[number].exitcode
        if status == 0:
            return None
        kind, index = self.places[number]
        return Found(self.kinds[kind], self.seed, index,
                     f"the process ended with status {status} during this case"
                     + (", which took too long" if status == -signal.SIGKILL else ""))

    def close(self) -> None:
        """Let the workers finish what they are at."""
        self.stop.value = 1
        end = time.monotonic() + LAST_CASE
        while self._alive() and time.monotonic() < end:
            self._listen(1.0, None)
        for process in self.processes:
            if process.is_alive():
                process.kill()
            process.join()
        self.ended = time.monotonic()

    def summary(self) -> str:
        """A line for the end."""
        peak = max(self.peaks) / 1024
        seconds = self.ended - self.began
        return (f"seed {self.seed}, {seconds:,.0f} s, {len(self.processes)} workers of at most "
                f"{peak:,.0f} MB, {len(self.found)} differences")
