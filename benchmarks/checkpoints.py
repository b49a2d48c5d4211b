"""Checkpoints: kills at random moments, what writing costs, and how long a large table takes.

    python -m benchmarks.checkpoints                 # 100 kills in each wing
    python -m benchmarks.checkpoints --kills 5       # fewer; --wings zones: in one of them
    python -m benchmarks.checkpoints --only table    # kills, cost or table

Each solve is a process of its own that is killed (SIGKILL) at a random moment, every other time of
the writing of a checkpoint, and resumed, until its kills are done; then it runs to its end. Its
answer, nodes and certificate have to be those of a run that was never disturbed, nothing half
written may be left, and after a kill no more may be missing than was searched in an interval. What
is missing is processor time since the last checkpoint, so that other work on the machine does not
count.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

import zermelo
from zermelo import Limits
from zermelo.cli import main as run_command
from zermelo.search.common.table import aligned_words
from zermelo.solving.checkpoint import Keeper
from zermelo.storage.checkpoint_file import CheckpointFile, Stored, write

EVERY = 0.2  # seconds between checkpoints of a solve that is killed
WRITING = 1.0  # and the processor time that a slice and writing may take besides
HIT = 0.05  # seconds within which a checkpoint that is being written is hit
MISSES = 5  # for each kill, so many may come when the solve has ended
CROWDED = ("l9 k8j9 i7g14 g8n13 j8k13 i13n14 f9f13 j13l12 i10m7 j11l10 n12i11 m8m6 "
           "k10k11")
# Solves of some seconds, which end with a proof or at a number of nodes.
WINGS = {
    "best first": ("connect-four 444 -s ppn --nodes 1M", False),
    "nested": ("connect-four 444 -s pn2 --nodes 40M", False),
    "depth first": ("connect-four 4444 --nodes 3M", False),
    "certified": ("connect-four start -g columns=6 -g rows=4 -s df-pn --plain", True),
    "minimax": ("connect-four 444 -s pvs --nodes 8M", False),
    "threats": (f"connect6 '{CROWDED}' -s vcdt", False),
    "zones": ("connect6 'j10 g14 h13 k11 i9 i12 e16 f15 l12 n14 h8' -s df-pn --candidates", False),
    "score": ("othello start -g size=6 --goal score -s df-pn --nodes 3M", False),
}
CHANGING = ("seconds", "compile_seconds", "peak_bytes", "guess", "proof")


class Command:
    """``zermelo`` in a process of its own. It is forked, with everything loaded, so that kills come
    in seconds; what it prints goes to ``out``."""

    def __init__(self, words: list[str], out: str = os.devnull) -> None:
        self.pid, self.ended = os.fork(), False
        if self.pid == 0:
            try:
                os.dup2(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
                os.dup2(os.open(f"{out}.errors" if out != os.devnull else out,
                                os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
                call(words)
                sys.stdout.flush()
            finally:
                os._exit(0)

    def poll(self) -> bool:
        """Whether it has ended."""
        self.ended = self.ended or os.waitpid(self.pid, os.WNOHANG)[0] != 0
        return self.ended

    def wait(self) -> None:
        """Until it has ended."""
        if not self.ended:
            os.waitpid(self.pid, 0)
            self.ended = True

    def kill(self) -> None:
        """At once."""
        os.kill(self.pid, signal.SIGKILL)
        self.wait()


def call(words: list[str]) -> None:
    """The command in this process."""
    sys.argv = ["zermelo", *words, "--memory", "64MB", "--json"]
    with suppress(SystemExit):
        run_command()


def answer_of(words: list[str], directory: Path) -> tuple[dict[str, Any], float]:
    """What a command that is not disturbed says, without what differs from run to run, and how
    long it has searched."""
    out = directory / "said"
    Command(words, str(out)).wait()
    if not out.stat().st_size:
        raise SystemExit(f"{' '.join(words)}: {Path(f'{out}.errors').read_text()}")
    said = json.loads(out.read_text())
    return {k: v for k, v in said.items() if k not in CHANGING}, said["seconds"]


@dataclass
class Found:
    """What came of the kills of a wing. ``late``: those that came when the solve had ended;
    ``lost``: the most processor time since the last checkpoint."""

    kills: int = 0
    late: int = 0
    writing: int = 0
    runs: int = 0
    wrong: int = 0
    lost: float = 0.0

    def add(self, kill: tuple[float, bool] | None) -> None:
        """Count what ``kill_once`` says."""
        if kill is None:
            self.late += 1
            return
        lost, writing = kill
        self.kills += 1
        self.writing += writing
        self.lost = max(self.lost, lost)
        self.wrong += lost > EVERY + WRITING

    def line(self) -> str:
        """All of it in words."""
        return (f"{self.kills} kills, {self.writing} of them while a checkpoint was written "
                f"({self.late} more came too late), {self.runs} runs, {self.wrong} wrong; at most "
                f"{self.lost:.2f} s of searching and writing were lost (written every {EVERY} s)")


def kill_often(words: list[str], kills: int, rng: random.Random, directory: Path,
               proof: bool) -> Found:
    """Kill a solve so often, over as many solves as that takes; what was lost and wrong.

    A kill counts if it hit a process at work, after a checkpoint of this solve was written. Of a
    solve that was killed before, less is left, so that the next one comes sooner."""
    whole = directory / "whole.proof"
    more = ["--proof", str(whole)] if proof else []
    expected, length = answer_of([*words, *more], directory)
    limits = [word for at, word in enumerate(words) if "--nodes" in words[max(at - 1, 0) : at + 1]]
    found = Found()
    while found.kills < kills and found.late < MISSES * kills:
        place = directory / str(found.runs)  # its own: whatever else is in it is being written
        place.mkdir()
        file, again = place / "checkpoint", directory / "again.proof"
        begun = ["solve", *words[1:], "--checkpoint", str(file)]
        left = length - EVERY
        for _ in range(rng.randint(1, min(4, kills - found.kills))):
            words_now = ["resume", str(file), *limits] if file.exists() else begun
            seconds = rng.uniform(0.0, max(left, 0.0))
            found.add(kill_once(words_now, file, seconds, rng))
            left -= seconds + EVERY
        last = ["resume", str(file), *limits] if file.exists() else begun
        said, _ = answer_of([*last, *(["--proof", str(again)] if proof else [])], directory)
        same = said == expected and (not proof or again.read_bytes() == whole.read_bytes())
        found.wrong += not same or [each.name for each in place.iterdir()] != [file.name]
        found.runs += 1
        print(f"  {found.line()}", file=sys.stderr, flush=True)
        shutil.rmtree(place)
        again.unlink(missing_ok=True)
    return found


class Victim:
    """A process that writes checkpoints to ``file``, and how far it had come at the last one."""

    def __init__(self, words: list[str], file: Path) -> None:
        self.file, self.used, self.written = file, 0.0, False
        self.before = self._stamp()
        self.process = Command([*words, "--every", str(EVERY)])

    def _stamp(self) -> int:
        return self.file.stat().st_mtime_ns if self.file.exists() else 0

    def clock(self) -> float:
        """The processor time that it has used."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return self.used
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def parts(self) -> list[Path]:
        """What is being written, or was when it was killed."""
        return [each for each in self.file.parent.iterdir() if each != self.file]

    def watch(self, until: Callable[[], bool]) -> bool:
        """Look at its file until something happens; False if the process ends before."""
        while not until():
            if self.process.poll():
                return False
            if self._stamp() != self.before:
                self.before, self.used, self.written = self._stamp(), self.clock(), True
            time.sleep(0.001)
        return True

    def watch_for(self, seconds: float) -> bool:
        """The same for so long."""
        end = time.monotonic() + seconds
        return self.watch(lambda: time.monotonic() >= end)


def kill_once(words: list[str], file: Path, seconds: float,
              rng: random.Random) -> tuple[float, bool] | None:
    """Kill a process so long after it has written its first checkpoint; every other time at a
    random moment of the next writing. How much processor time it had used since the last one, and
    whether another was being written. None if it had ended before."""
    victim = Victim(words, file)
    alive = victim.watch(lambda: victim.written) and victim.watch_for(seconds)
    if alive and rng.random() < 0.5:
        end = time.monotonic() + 2 * EVERY + WRITING
        alive = victim.watch(lambda: bool(victim.parts()) or time.monotonic() > end)
        alive = alive and victim.watch_for(rng.uniform(0.0, HIT))
    if not alive:
        return None
    lost = victim.clock() - victim.used
    victim.process.kill()
    return lost, bool(victim.parts())


def amount(text: str) -> float:
    """A number of nodes, as the command line takes it."""
    return float(text.rstrip("kM")) * {"k": 1e3, "M": 1e6}.get(text[-1], 1.0)


def kills(count: int, seed: int, wings: list[str], scale: float) -> int:
    """Kill solves in each of these wings, ``scale`` times as long; how many were wrong."""
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        for name in wings:
            line, proof = WINGS[name]
            words = ["solve", *shlex.split(line)]
            if scale != 1 and "--nodes" in words:
                words[-1] = str(int(scale * amount(words[-1])))
            directory = Path(place) / name
            directory.mkdir()
            with redirect_stdout(StringIO()):  # what is compiled and loaded is there for all
                call([*words, "--nodes", "1000"])
            found = kill_often(words, count, random.Random(f"{seed} {name}"), directory, proof)
            wrong += found.wrong
            print(f"{name} ({shlex.join(words[1:4])}): {found.line()}", flush=True)
    return wrong


def cost(seconds: float, memory: str) -> None:
    """The share of the time that writing takes, at the default interval and searching so long.

    On a board that none of them solves meanwhile; PPN instead of PN, which fills the memory in
    seconds."""
    position = zermelo.game("connect-four", columns=8, rows=7).start()
    with tempfile.TemporaryDirectory() as place:
        for search in ("weak-df-pn", "ppn", "pvs"):
            session = zermelo.start(position, search)
            keeper, spent = Keeper(session, Path(place) / search), [0.0, 0.0]

            def kept(path: Path, save: Any = session.save, spent: list[float] = spent) -> int:
                before = time.monotonic(), time.process_time()
                size: int = save(path)
                spent[0] += time.monotonic() - before[0]
                spent[1] += time.process_time() - before[1]
                return size

            session.save = kept  # type: ignore[method-assign,assignment]
            began, used = time.monotonic(), time.process_time()
            session.advance(Limits(time=seconds, memory=memory), between=keeper)
            took, used = time.monotonic() - began, time.process_time() - used
            size = (Path(place) / search).stat().st_size
            wall, processor = spent
            print(f"{search:12} {took:6.0f} s, {keeper.written} checkpoints, the last {size:,} "
                  f"bytes, {wall:.2f} s to write them: {100 * wall / took:.2f} % (bar: 2 %); "
                  f"processor {used:.0f} s and {processor:.2f} s: {100 * processor / used:.2f} %",
                  flush=True)


def table(bytes: int) -> None:
    """How long a table of this size, filled by a search's kind of entries, takes to be written."""
    rng = np.random.default_rng(1)
    words = aligned_words(bytes // 8)
    step = 1 << 22
    for begin in range(0, len(words), step):
        n = len(words[begin : begin + step]) // 2
        data = (rng.integers(1, 3, n, np.uint64) | np.minimum(rng.geometric(0.02, n), 1 << 20)
                .astype(np.uint64) << 2 | rng.geometric(0.02, n).astype(np.uint64) << 28
                | rng.integers(0, 20, n, np.uint64) << 54)
        words[begin + 1 : begin + 2 * n : 2] = data
        words[begin : begin + 2 * n : 2] = rng.integers(0, 1 << 63, n, np.uint64) ^ data
    with tempfile.TemporaryDirectory(dir=os.environ.get("ZERMELO_PLACE")) as place:
        path = Path(place) / "file"
        for fill in (1.0, 0.5):
            if fill < 1:
                words.reshape(-1, 2)[rng.random(len(words) // 2) > fill] = 0
            began, used = time.perf_counter(), time.process_time()
            size = write(path, {}, [Stored("table", words, 2)])
            took, used = time.perf_counter() - began, time.process_time() - used
            began = time.perf_counter()
            read = CheckpointFile(path)
            again = aligned_words(len(words))
            read.read_into("table", again)
            back = time.perf_counter() - began
            assert np.array_equal(words, again)
            del again
            print(f"a table of {bytes / 1e9:.2f} GB, {100 * fill:.0f} % full: {took:.1f} s to "
                  f"write {size / 1e9:.2f} GB (processor {used:.1f} s; bar: 5 s), "
                  f"{back:.1f} s to read", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--wings", nargs="+", choices=WINGS, default=list(WINGS))
    parser.add_argument("--scale", type=float, default=1.0, help="of the solves that are killed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=180.0, help="for each search of cost")
    parser.add_argument("--memory", default="2GB", help="of each search of cost")
    parser.add_argument("--bytes", type=float, default=1 << 30, help="of the table")
    parser.add_argument("--only", choices=("kills", "cost", "table"))
    given = parser.parse_args()
    if given.only in (None, "table"):
        table(int(given.bytes))
    if given.only in (None, "cost"):
        cost(given.seconds, given.memory)
    if given.only in (None, "kills"):
        wrong = kills(given.kills, given.seed, given.wings, given.scale)
        raise SystemExit(f"{wrong} wrong" if wrong else 0)


if __name__ == "__main__":
    main()
