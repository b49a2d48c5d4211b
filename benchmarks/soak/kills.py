"""``zermelo solve --proof`` ended at chance moments: no certificate is ever half there.

Under the name of the certificate there is nothing, the file that was there before, or a whole one
that is verified. A process that is asked to end removes what it was working on; one that is killed
outright can't, and leaves at most a hidden directory that ends in ``.part``.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import cache
from pathlib import Path

import zermelo
from benchmarks.soak.case import Difference, chance

BLOCK, SECONDS = 1, 600.0
PATIENCE = 120.0  # seconds until a process that was asked to end must be gone
# What is solved takes longest to write, so that many ends come while that goes on.
COMMANDS = [
    ["connect-four", "1212121", "-g", "columns=5", "-g", "rows=4"],
    ["tic-tac-toe", "start"],
    ["othello", "start", "-g", "size=4"],
    ["hex", "3x3: a1"],
    ["lines-of-action", "X..O/.OX./..../X..O X", "-g", "size=4"],
]
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]
OLD = b"what was there before"


def listening() -> None:
    """In the new process: Ctrl-C is heard, even if this one was told not to."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def begin(words: list[str], path: Path) -> subprocess.Popen[bytes]:
    """``zermelo solve`` in a process and a session of its own."""
    command = [sys.executable, "-m", "zermelo", "solve", *words, "--memory", "64MB", "--quiet",
               "--proof", str(path)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            start_new_session=True, preexec_fn=listening)


@cache
def prepare(number: int) -> None:
    """Let a command come to its end once: what it compiles is kept, and others find it."""
    with tempfile.TemporaryDirectory(prefix="zermelo-soak-kill-") as directory:
        process = begin(COMMANDS[number], Path(directory) / "a.proof")
        _, errors = process.communicate()
        if process.returncode != 0 or not zermelo.verify(Path(directory) / "a.proof").verified:
            raise Difference(f"solve {' '.join(COMMANDS[number])} --proof: status "
                             f"{process.returncode}, {errors.decode(errors='replace')}")


def parts_of(directory: Path) -> list[str]:
    """What lies beside the certificate."""
    return sorted(name for name in os.listdir(directory) if name != "a.proof")


def wait(process: subprocess.Popen[bytes], rng: random.Random, directory: Path) -> None:
    """Until a chance moment: any, or one soon after the writing has begun."""
    if rng.random() < 0.5:
        pause = rng.uniform(0, 3.0)
        end = time.monotonic() + pause
        while process.poll() is None and time.monotonic() < end:
            time.sleep(0.001)
        return
    seen, pause = 0, rng.choice([0, 0.001, 0.005, 0.02, 0.1])
    while process.poll() is None and seen < 2:  # the first is to see whether writing is possible
        before = bool(parts_of(directory))
        time.sleep(0.0005)
        seen += not before and bool(parts_of(directory))
    time.sleep(pause)


def check(path: Path, process: subprocess.Popen[bytes], sent: signal.Signals | None,
          had_one: bool, errors: bytes) -> Counter[str]:
    """What is left after the end."""
    counts = Counter(kills=1)
    content = path.read_bytes() if path.exists() else None
    if content is None and had_one:
        raise Difference("the file that was there before is gone")
    if content is not None and not (had_one and content == OLD):
        report = zermelo.verify(path)
        if not report.verified:
            raise Difference(f"a certificate that is refused: {report.reason}")
        counts.update(whole=1)
    left = parts_of(path.parent)
    allowed = sent == signal.SIGKILL and all(
        name.startswith(".") and name.endswith(".part") for name in left)
    if left and not allowed:
        raise Difference(f"{left} is left behind")
    counts.update({"left .part": len(left)})
    if b"Traceback" in errors:
        raise Difference(f"a traceback: {errors.decode(errors='replace')[-600:]}")
    if process.returncode == 0 and content in (None, OLD):
        raise Difference("status 0, but there is not a certificate")
    return counts


def run(seed: int, index: int) -> Counter[str]:
    """One process that is ended."""
    rng = chance("kills", seed, index)
    which, sent = rng.randrange(len(COMMANDS)), rng.choice(SIGNALS)
    prepare(which)
    words = COMMANDS[which]
    directory = Path(tempfile.mkdtemp(prefix="zermelo-soak-kill-"))
    path, had_one = directory / "a.proof", rng.random() < 0.5
    if had_one:
        path.write_bytes(OLD)
    process = begin(words, path)
    try:
        wait(process, rng, directory)
        ended_itself = process.poll() is not None
        if not ended_itself:
            process.send_signal(sent)
        try:
            _, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise Difference(f"{sent.name} was sent, but it goes on") from None
        return check(path, process, None if ended_itself else sent, had_one, errors)
    except Difference as error:
        raise Difference(f"solve {' '.join(words)} --proof, {sent.name}: {error}") from error
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        if process.stderr is not None:
            process.stderr.close()
        shutil.rmtree(directory, ignore_errors=True)
