"""Commands in which the n-th call of ``open``, ``write``, ``rename``, ``fsync`` or ``mmap`` fails.

``faults.c`` stands between a process and its C library. A process that has loaded the program and
run nothing forks for each command, which saves the half second that loading takes.
"""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_name("faults.c")
KINDS = ("open", "write", "rename", "fsync", "mmap", "read", "mkdir", "out", "err")
FOREVER = 1 << 40
PATIENCE = 100.0

FORKING = """
import ctypes, json, os, sys
import pkgutil
import zermelo.cli.app, zermelo.proof.run, zermelo.solving.session
modules = json.loads(sys.argv[1])
if "*" in modules:
    modules.remove("*")
    modules += [found.name for found in pkgutil.walk_packages(zermelo.__path__, "zermelo.")
                if "__main__" not in found.name and not found.name.startswith("zermelo.compiler.")]
for name in modules:
    __import__(name)
shim = ctypes.CDLL(os.environ["LD_PRELOAD"])
tell = os.fdopen(os.dup(1), "w", buffering=1)
for line in sys.stdin.buffer:
    order = json.loads(line)
    child = os.fork()
    if child:
        tell.write(f"{child}\\n")
        tell.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\\n")
        continue
    os.setsid()
    root = order["root"]
    for number, name in enumerate(("in", "out", "err")):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY
        file = os.open(f"{root}/{name}", flags, 0o644)
        os.dup2(file, number)
        os.close(file)
    os.close(tell.fileno())
    os.chdir(root)
    os.environ.update(order["environment"])
    sys.argv[1:] = order["words"]
    exec(order["limits"])
    shim.faults_begin()
    break
else:
    os._exit(0)
zermelo.cli.main()
"""


class Call(NamedTuple):
    """A call that was counted: ``number`` of its kind, on the file ``name``."""

    failed: bool
    kind: str
    number: int
    how: str
    name: str

    @property
    def about(self) -> tuple[str, str, str]:
        """Its kind, and the file without random parts of the name."""
        return self.kind, self.how, re.sub(
            r"[0-9a-f]{16,}|[0-9]+|\w+(?=\.npy)|(?<=tmp/)\w{8}|(?<=zermelo-)\w{8}", "*",
            self.name)


class Outcome(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str
    calls: list[Call]


class Fault(NamedTuple):
    """Calls number ``first`` to ``last`` of a kind fail with the error number ``error``."""

    kind: str
    first: int
    last: int
    error: int


def compiled(folder: Path) -> Path:
    """The library made from ``faults.c``."""
    made = folder / "faults.so"
    subprocess.run(["gcc", "-O1", "-Wall", "-Werror", "-fPIC", "-shared", "-fno-builtin", "-o",
                    str(made), str(SOURCE), "-ldl"], check=True)
    return made


class Forking:
    """Runs commands, one at a time, in ``folder``."""

    def __init__(self, library: Path, folder: Path, cache: str, modules: list[str]) -> None:
        self.folder = folder
        self.environment = {**os.environ, "LD_PRELOAD": str(library), "ZERMELO_CACHE": cache,
                            "COLUMNS": "100",
                            "MPLCONFIGDIR": str(folder / "matplotlib")}
        self.environment.pop("ZERMELO_LAB", None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", FORKING, json.dumps(modules)], env=self.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.kill()
        self.process.wait()

    def run(self, words: list[str], root: Path, stdin: str = "", fault: Fault | None = None,
            stop_at: str = "", environment: dict[str, str] | None = None,
            limits: str = "") -> Outcome:
        """Run ``zermelo WORDS`` in the directory ``root``; SIGINT once it has printed
        ``stop_at``."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        state, log = self.folder / "state", self.folder / "log"
        state.write_bytes(bytes(8 * 16))
        log.write_text("")
        (root / "in").write_text(stdin)
        (root / "tmp").mkdir(exist_ok=True)
        given = {"FAULTS_STATE": str(state), "FAULTS_LOG": str(log), "FAULTS_ROOT": str(root),
                 "TMPDIR": str(root / "tmp"), "HOME": str(root),
                 "XDG_DATA_HOME": str(root), **(environment or {})}
        if fault is not None:
            given |= {"FAULTS_KIND": fault.kind, "FAULTS_FIRST": str(fault.first),
                      "FAULTS_LAST": str(fault.last), "FAULTS_ERROR": str(fault.error)}
        order = {"words": words, "root": str(root), "environment": given, "limits": limits}
        self.process.stdin.write(json.dumps(order) + "\n")
        child = int(self.process.stdout.readline())
        done = threading.Event()
        watching = threading.Thread(target=watch, args=(child, root / "out", stop_at, done))
        watching.start()
        status = int(self.process.stdout.readline())
        done.set()
        watching.join()
        calls = [Call(row[0] == "failed", row[1], int(row[2]), row[3], row[4])
                 for row in (line.split("\t") for line in log.read_text().splitlines())]
        return Outcome(status, *((root / name).read_text() for name in ("out", "err")), calls)


def watch(group: int, out: Path, stop_at: str, done: threading.Event) -> None:
    """Interrupt a command when it has printed ``stop_at``, and kill it if it takes too long."""
    began, asked = time.monotonic(), not stop_at
    while not done.wait(0.02 if not asked else 1.0):
        with suppress(ProcessLookupError):
            if not asked and stop_at in out.read_text():
                os.kill(group, signal.SIGINT)
                asked = True
            if time.monotonic() - began > PATIENCE:
                os.killpg(group, signal.SIGKILL)
