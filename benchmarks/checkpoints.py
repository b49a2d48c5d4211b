"""Checkpoints: kills at random moments, what writing costs, and how long a large table takes.

    python -m benchmarks.checkpoints                 # 100 kills in each wing
    python -m benchmarks.checkpoints --kills 5       # fewer
    python -m benchmarks.checkpoints --only table    # kills, cost or table

Each solve is a process of its own that is killed (SIGKILL) at a random moment and resumed, until
its kills are done; then it runs to its end. Its answer, nodes and certificate have to be those of a
run that was never disturbed, and after a kill no more may be missing than was searched in an
interval.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import zermelo
from zermelo import Limits
from zermelo.core.checkpoint_file import CheckpointFile, Stored, write
from zermelo.search.common.table import aligned_words
from zermelo.solving.keeper import Keeper

EVERY = 0.2  # seconds between checkpoints of a solve that is killed
WRITING = 1.0  # and what a slice and writing may take besides
MISSES = 5  # for each kill, so many may come when the solve has ended
SEVEN_TURNS = "j10 j9j8 k8l9 j7k7 i9l7 j6i8 j5l8"
# Solves of some seconds, which end with a proof or at a number of nodes.
WINGS = {
    "best first": ("connect-four 444 -s pn --nodes 4M", False),
    "nested": ("connect-four 444 -s pn2 --nodes 4M", False),
    "depth first": ("connect-four 4444 --nodes 3M", False),
    "certified": ("hex start -g size=4 -s df-pn", True),
    "minimax": ("connect-four 444 -s pvs --nodes 20M", False),
    "threats": (f"connect6 '{SEVEN_TURNS}' --plain", True),
    "zones": ("gomoku 'h8 h9 j9 j8' -s df-pn --candidates --nodes 60k", False),
    "score": ("othello start -g size=4 --goal score --plain -s df-pn", False),
}
CHANGING = ("seconds", "compile_seconds", "peak_bytes", "guess", "proof")


def command(words: list[str]) -> list[str]:
    return [sys.executable, "-m", "zermelo", *words, "--memory", "64MB", "--json"]


def answer_of(words: list[str]) -> dict[str, Any]:
    """What a command that is not disturbed says, without what differs from run to run."""
    done = subprocess.run(command(words), capture_output=True, text=True)
    if not done.stdout:
        raise SystemExit(f"{' '.join(words)}: {done.stderr}")
    return {k: v for k, v in json.loads(done.stdout).items() if k not in CHANGING}


def kill_often(words: list[str], kills: int, rng: random.Random, directory: Path,
               proof: bool) -> dict[str, Any]:
    """Kill a solve so often, over as many solves as that takes; what was lost and wrong.

    A kill counts if it hit a process at work, after a checkpoint of this solve was written."""
    whole = directory / "whole.proof"
    more = ["--proof", str(whole)] if proof else []
    began = time.monotonic()
    expected = answer_of([*words, *more])
    length = max(time.monotonic() - began, 0.5)
    limits = [word for at, word in enumerate(words) if "--nodes" in words[max(at - 1, 0) : at + 1]]
    found = {"kills": 0, "missed": 0, "runs": 0, "wrong": 0, "oldest": 0.0}
    while found["kills"] < kills and found["missed"] < MISSES * kills:
        file, again = directory / f"{found['runs']}.checkpoint", directory / "again.proof"
        begun = ["solve", *words[1:], "--checkpoint", str(file)]
        for _ in range(rng.randint(1, min(4, kills - found["kills"]))):
            words_now = ["resume", str(file), *limits] if file.exists() else begun
            age = kill_once(words_now, file, rng.uniform(0.0, length))
            found["kills" if age is not None else "missed"] += 1
            found["oldest"] = max(found["oldest"], age or 0.0)
            found["wrong"] += age is not None and age > EVERY + WRITING
        last = ["resume", str(file), *limits] if file.exists() else begun
        said = answer_of([*last, *(["--proof", str(again)] if proof else [])])
        same = said == expected and (not proof or again.read_bytes() == whole.read_bytes())
        found["wrong"] += not same
        found["runs"] += 1
        file.unlink(missing_ok=True)
        again.unlink(missing_ok=True)
    print(f"  {shlex.join(words[1:4]):34} {found['kills']} kills ({found['missed']} more came too "
          f"late), {found['runs']} runs, {found['wrong']} wrong; at the kill the checkpoint was at "
          f"most {found['oldest']:.2f} s old (written every {EVERY} s)", flush=True)
    return found


def kill_once(words: list[str], file: Path, seconds: float) -> float | None:
    """Kill a process so long after it has written its first checkpoint; how old the last one was.
    None if it had ended before."""
    before = file.stat().st_mtime_ns if file.exists() else None
    process = subprocess.Popen([*command(words), "--every", str(EVERY)],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and (
            not file.exists() or file.stat().st_mtime_ns == before):
        time.sleep(0.005)
    try:
        process.wait(seconds)
        return None
    except subprocess.TimeoutExpired:
        process.kill()
    killed = time.time()
    process.wait()
    return max(0.0, killed - file.stat().st_mtime)


def kills(count: int, seed: int) -> int:
    """Kill solves in each wing; how many were wrong."""
    wrong = 0
    with tempfile.TemporaryDirectory() as place:
        for name, (line, proof) in WINGS.items():
            print(f"{name}: ", end="")
            words = ["solve", *shlex.split(line)]
            wrong += kill_often(words, count, random.Random(f"{seed} {name}"), Path(place),
                                proof)["wrong"]
    return wrong


def cost(seconds: float) -> None:
    """The share of the time that writing takes, at the default interval and searching so long.

    On a board that none of them solves meanwhile; PPN instead of PN, which fills the memory in
    seconds."""
    position = zermelo.game("connect-four", columns=8, rows=7).start()
    with tempfile.TemporaryDirectory() as place:
        for search in ("weak-df-pn", "ppn", "pvs"):
            session = zermelo.start(position, search)
            keeper = Keeper(session, Path(place) / search)
            began = time.monotonic()
            session.advance(Limits(time=seconds, memory="2GB"), between=keeper)
            took = time.monotonic() - began
            size = (Path(place) / search).stat().st_size
            print(f"{search:12} {took:6.0f} s, {keeper.written} checkpoints, the last {size:,} "
                  f"bytes, {keeper.seconds:.2f} s to write them: "
                  f"{100 * keeper.seconds / took:.2f} % (bar: 2 %)", flush=True)


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
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=180.0, help="for each search of cost")
    parser.add_argument("--bytes", type=float, default=1 << 30, help="of the table")
    parser.add_argument("--only", choices=("kills", "cost", "table"))
    given = parser.parse_args()
    if given.only in (None, "table"):
        table(int(given.bytes))
    if given.only in (None, "cost"):
        cost(given.seconds)
    if given.only in (None, "kills"):
        wrong = kills(given.kills, given.seed)
        raise SystemExit(f"{wrong} wrong" if wrong else 0)


if __name__ == "__main__":
    main()
