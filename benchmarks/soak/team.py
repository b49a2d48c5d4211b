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
from zermelo.compiler.compile_stats import stats

REPORT_SECONDS = 1.0
LAST_CASE = 150.0  # seconds that a case may still take after the end
MOST_MEMORY = 2_500_000  # KB: kernels are never unloaded, so another worker takes over then
LONGEST_CASE = 1_200.0  # seconds by the clock, compilation on a busy machine included


@dataclass(frozen=True)
class Found:
    """A difference and the case that shows it."""

    kind: str
    seed: int
    index: int
    text: str


@dataclass
class State:
    """How far a worker is, by kind: its next block, and the seconds that it has spent."""

    blocks: dict[str, int]
    clock: dict[str, float]
    processor: dict[str, float]
    compiling: dict[str, float]


def processor_seconds() -> float:
    """Of this process and of those that it has started and seen end."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def work(state: State, workers: int, seed: int, keep_going: bool, blocks_times: float, stop: Any,
         place: Any, reports: Connection) -> None:
    """Run blocks of cases, always of the kind that is furthest behind its share.

    A block is left after the ``SECONDS`` of its kind, times ``blocks_times``, by the processor and
    without its first case, in which most is compiled: a case is known by its number, so that it
    does not matter which of them are run. There are ``workers`` workers, who take blocks in turn.
    ``place`` tells the other side which case is being run: it may end this process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to all; the first one acts
    kinds, blocks, spent = list(state.blocks), state.blocks, state.processor
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
    reported = time.monotonic()

    def memory() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def report(found: Found | None = None) -> None:
        reports.send((counts, state, memory(), found))
        for counter in counts.values():
            counter.clear()

    while True:  # a case at least
        kind = min(kinds, key=lambda kind: spent[kind] / SHARES[kind])
        size, began, compiled = KINDS[kind].BLOCK, time.monotonic(), stats.seconds
        longest = blocks_times * KINDS[kind].SECONDS
        used = warm = processor_seconds()
        for index in range(blocks[kind] * size, (blocks[kind] + 1) * size):
            place[0], place[1] = kinds.index(kind), index
            try:
                counts[kind].update(run_case(kind, seed, index))
            except Difference as difference:
                counts[kind].update(differences=1)
                report(Found(kind, seed, index, str(difference)))
                if not keep_going:
                    return
            if index == blocks[kind] * size:
                warm = processor_seconds()
            if stop.value or processor_seconds() - warm > longest:
                break
            if time.monotonic() - reported > REPORT_SECONDS:
                reported = time.monotonic()
                report()
        blocks[kind] += workers
        state.clock[kind] += time.monotonic() - began
        spent[kind] += processor_seconds() - used
        state.compiling[kind] += stats.seconds - compiled
        if stop.value or memory() > MOST_MEMORY:
            report()
            return


class Team:
    """The workers, and the sums of their reports."""

    def __init__(self, kinds: list[str], seed: int, workers: int, begin: int = 0,
                 keep_going: bool = False, blocks_times: float = 1.0) -> None:
        self.kinds, self.seed, self.keep_going, self.workers = kinds, seed, keep_going, workers
        self.blocks_times = blocks_times
        self.counts: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
        self.found: list[Found] = []
        self.context = multiprocessing.get_context("spawn")
        self.stop = self.context.Value("b", 0)
        self.began = self.ended = time.monotonic()
        self.states = [State(dict.fromkeys(kinds, number + begin * workers),
                             *(dict.fromkeys(kinds, 0.0) for _ in range(3)))
                       for number in range(workers)]
        self.peaks = [0] * workers
        self.seen = [((-1, -1), self.began)] * workers  # the case of each, and since when
        self.places = [self.context.Array("q", 2) for _ in range(workers)]
        self.pipes: list[Any] = [None] * workers
        self.processes: list[Any] = [None] * workers
        for number in range(workers):
            self._start(number)

    def _start(self, number: int) -> None:
        """A worker that goes on where the last report of its number ends."""
        self.pipes[number], theirs = self.context.Pipe(duplex=False)
        process = self.processes[number] = self.context.Process(target=work, args=(
            self.states[number], self.workers, self.seed, self.keep_going, self.blocks_times,
            self.stop, self.places[number], theirs))
        process.start()
        theirs.close()
        self.seen[number] = (tuple(self.places[number]), time.monotonic())  # its time begins now

    @property
    def spent(self) -> dict[str, tuple[float, float, float]]:
        """Seconds by kind, of all workers together: by the clock, of the processor, compiling."""
        return {kind: (sum(state.clock[kind] for state in self.states),
                       sum(state.processor[kind] for state in self.states),
                       sum(state.compiling[kind] for state in self.states))
                for kind in self.kinds}

    def run(self, seconds: float, progress: Callable[["Team"], None],
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
                counts, self.states[number], peak, found = pipe.recv()
            except EOFError:
                self.pipes[number] = None
                self.processes[number].join()
                found = self._death(number)
                if not self.stop.value and (self.keep_going or not (found or self.found)):
                    self._start(number)
            else:
                self.peaks[number] = max(peak, self.peaks[number])
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
        which, index = self.places[number]
        kind = self.kinds[which]
        self.states[number].blocks[kind] = index // KINDS[kind].BLOCK + self.workers
        return Found(kind, self.seed, index,
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
