"""The n-th ``open``, ``write``, ``rename``, ``fsync`` and ``mmap`` of each command fails.

Every run must end with a sentence and the status of a failure, or with its whole answer; every
file that it writes must be the old one or a whole new one; what was in a store stays there.
"""

import errno
import hashlib
import json
import os
import re
import shutil
import sqlite3
import sys
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from command import names_of
from faults import FOREVER, Call, Fault, Forking, Outcome, compiled
from typer.main import get_command

import zermelo
from zermelo.cli.app import app
from zermelo.solving.session import Session

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("gcc") is None, reason="needs Linux and gcc")
WON = "X../O../... X"
ZONES = "......../......../......../....XX../...X..../...X..../......../........ X"
ONE_WORKER = ["--workers", "1", "--memory", "64MB"]
FOUR = ["connect-four", "-g", "columns=4", "-g", "rows=4"]
EXPERIMENT = '''
from zermelo.lab import *
import zermelo

experiment = Experiment(
    title="Two searches",
    positions=each("p-game", "seed", range(3), branching=2, depth=4),
    arms=[Arm("PN", zermelo.PN(), nodes=60, memory="20MB"),
          Arm("df-pn", zermelo.DFPN(), nodes=60, memory="20MB")],
    tables=[Table("Two", ["wins", "mean nodes"], "set, arm")],
    figures=[Figure("bars", "bars", "Concluded", y="concluded")],
)
'''
PROBLEM = "import zermelo\nit = zermelo.problem(0, lambda node: 'solved')\n"
OWN_GAME = Path(__file__).parents[2] / "examples" / "connect_four_copy.py"
# Errors that a call of a kind may give, and whether all later calls fail, too.
ERRORS = {
    "open": [(errno.EMFILE, False), (errno.EIO, False), (errno.EACCES, False)],
    "write": [(errno.ENOSPC, True), (errno.EIO, False), (errno.ENOSPC, False)],
    "rename": [(errno.EIO, False), (errno.ENOSPC, False)],
    "fsync": [(errno.EIO, False), (errno.ENOSPC, True)],
    "mmap": [(errno.ENOMEM, False)],
    "read": [(errno.EIO, False)],
    "mkdir": [(errno.ENOSPC, False)],
    "out": [(errno.ENOSPC, True), (errno.EIO, False)],
    "err": [(errno.ENOSPC, True)],
}
# SQLite opens for reading what it can't open for writing, for whatever reason.
SQLITE_READS = re.compile("attempt to write a readonly database")
TIMES = re.compile(r"[0-9][0-9.,:]* ?(s\b|seconds|ms\b|MB|GB|kB|%|a second)|\([0-9,.]+ a second\)")


@dataclass(frozen=True)
class Case:
    """A command, what it writes, and what it needs."""

    name: str
    words: list[str]
    makes: dict[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    stdin: str = ""
    stop_at: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    same_answer: bool = True
    limits: str = ""
    beside: bool = False  # whether its database was tried by another case


CASES = [
    Case("solve", ["solve", "tic-tac-toe", WON]),
    Case("solve json", ["solve", "tic-tac-toe", WON, "--json"]),
    Case("solve proof", ["solve", "tic-tac-toe", WON, "--proof", "a.proof"],
         {"a.proof": "proof"}, ("old.proof",)),
    Case("solve long proof", ["solve", *FOUR, "--proof", "a.proof"], {"a.proof": "proof"},
         ("old.proof",), limits="zermelo.proof.write.BLOCK_BYTES = 4000"),
    Case("solve pictures", ["solve", "k-in-a-row", "a1 a2 b1 b2", "-g", "columns=3", "-g",
                            "rows=3", "-g", "line=3", "--svg", "a.svg", "--sgf", "a.sgf"],
         {"a.svg": "svg", "a.sgf": "sgf"}),
    Case("solve checkpoint", ["solve", "tic-tac-toe", "--checkpoint", "a.ckpt", "--every", "0.01s"],
         {"a.ckpt": "checkpoint"}),
    Case("solve file", ["solve", "tic-tac-toe", "--file", "positions.txt", "--jsonl"],
         needs=("positions.txt",)),
    Case("resume", ["resume", "a.ckpt", "--proof", "a.proof"],
         {"a.ckpt": "checkpoint", "a.proof": "proof"}, ("old.ckpt", "old.proof")),
    Case("annotate", ["annotate", "tic-tac-toe", "--file", "record.txt"], needs=("record.txt",)),
    Case("compare workers", ["compare", "tic-tac-toe", "--file", "positions.txt", "-s", "pn",
                             "--workers", "2"], needs=("positions.txt",)),
    Case("verify", ["verify", "good.proof"], needs=("good.proof",)),
    Case("verify compiled", ["verify", "four.proof", "--rules", "compiled", "--json"],
         needs=("four.proof",)),
    Case("verify workers", ["verify", "four.proof", "--workers", "2"], needs=("four.proof",),
         limits="zermelo.proof.workers.BATCH = 200"),
    Case("verify sample", ["verify", "four.proof", "--sample", "20"], needs=("four.proof",)),
    Case("verify refused", ["verify", "bad.proof"], needs=("bad.proof",)),
    Case("show", ["show", "good.proof"], needs=("good.proof",)),
    Case("show export", ["show", "good.proof", "--export", "a.json"], {"a.json": "json"},
         ("good.proof",)),
    Case("lab run alone", ["lab", "run", "two.py", "--store", "a.sqlite", "--backend",
                           "in-process"],
         {"a.sqlite": "store"}, ("two.py", "half.sqlite"), same_answer=False),
    Case("lab status", ["lab", "status", "--store", "a.sqlite"], {"a.sqlite": "store"},
         ("two.py", "done.sqlite"), same_answer=False),
    Case("lab report", ["lab", "report", "two.py", "--store", "a.sqlite", "--out", "report"],
         {"a.sqlite": "store", "report/report.md": "text", "report/report.html": "text"},
         ("two.py", "done.sqlite"), same_answer=False, beside=True),
    Case("lab export", ["lab", "export", "two.py", "--store", "a.sqlite", "--out", "out.d",
                        "--parquet"],
         {"a.sqlite": "store", "out.d/jobs.csv": "text", "out.d/SHA256SUMS": "text"},
         ("two.py", "done.sqlite"), same_answer=False, beside=True),
    Case("lab archive", ["lab", "archive", "a.parquet", "--store", "a.sqlite"],
         {"a.sqlite": "store", "a.parquet": "archive"}, ("done.sqlite", "old.parquet"),
         beside=True),
    Case("lab restore", ["lab", "restore", "old.parquet", "--store", "a.sqlite"],
         {"a.sqlite": "store"}, ("old.parquet", "half.sqlite")),
    Case("lab compare", ["lab", "compare", "done.sqlite", "half.sqlite"], {},
         ("done.sqlite", "half.sqlite"), same_answer=False, beside=True),
    Case("lab estimate", ["lab", "estimate", "lines-of-action", "loa.txt", "--out", "a.json"],
         {"a.json": "json"}, ("loa.txt",)),
    Case("games", ["games"]),
    Case("scn", ["scn", *FOUR, "--depth", "2", "--csv"]),
    Case("problem", ["problem", "one.py", "--proof", "a.proof"], {"a.proof": "problem"},
         ("one.py",)),
    Case("problem check", ["problem", "one.py", "--check", "problem.cert"],
         needs=("one.py", "problem.cert")),
    Case("solve journal", ["solve", "tic-tac-toe", "-q", *ONE_WORKER, "--journal", "a.journal"],
         {"a.journal": "journal"}, same_answer=False),
    Case("resume journal", ["resume", "a.journal", "-q", "--workers", "1"],
         {"a.journal": "journal"}, ("old.journal",), same_answer=False),
    Case("analyze", ["analyze", "tic-tac-toe", WON]),
    Case("progress", ["progress", "connect-four", "4 4 3 3", "--depth", "2"]),
    Case("replay", ["replay", "tic-tac-toe", WON, "-s", "pn", "--steps", "2"]),
    Case("play", ["play", "tic-tac-toe", "--nodes", "50"], stdin="a1\nquit\n", same_answer=False),
    Case("match", ["match", "tic-tac-toe", "--a", "pn", "--b", "uct", "-n", "2", "--nodes", "30",
                   "--workers", "1", "--store", "a.sqlite"], {"a.sqlite": "store"},
         same_answer=False, beside=True),
    Case("check-game", ["check-game", "own.py:ConnectFour"], needs=("own.py",)),
    Case("warmup", ["warmup", "tic-tac-toe", "pn"]),
    Case("searches", ["searches"]),
    Case("explore", ["explore", "--no-browser", "--port", "0"], stop_at="token=",
         same_answer=False),
    Case("lab list", ["lab", "list"]),
    Case("lab rebuild", ["lab", "rebuild", "old.parquet", "plain.py", "--out", "again"],
         {"again/plain/report.md": "text"}, ("plain.py", "old.parquet"), same_answer=False),
    Case("lab tune", ["lab", "tune", "deep-df-pn", "--vary", "E=1..2", "--game", "p-game", "-g",
                      "branching=2", "-g", "depth=4", "--each", "seed=0..1", "--nodes", "60",
                      "--memory", "20MB", "--store", "a.sqlite", "--backend", "in-process"],
         {"a.sqlite": "store"}, same_answer=False, beside=True),
    Case("engine ugi", ["engine", "tic-tac-toe", "--protocol", "ugi", "--nodes", "50"],
         stdin="ugi\nposition startpos\ngo nodes 50\nquit\n", same_answer=False),
]
# Files that commands read: their text, or the command that makes them and its status.
TEXTS = {"own.py": OWN_GAME.read_text(), "two.py": EXPERIMENT, "one.py": PROBLEM,
         "plain.py": EXPERIMENT.replace("    figures=", "    #"),
         "positions.txt": f"{WON}\n" * 3, "record.txt": "b2 a1 c3\n",
         "loa.txt": "b1-h1 a2-c4 c1xa3 h2-g2 d1-d3 g2-g5\n"}
MADE: dict[str, Any] = {
    "old.proof": ("solve", "tic-tac-toe", "XO./.../... X", 0),
    "good.proof": ("solve", "tic-tac-toe", WON, 0),
    "four.proof": ("solve", *FOUR, 0),
    "problem.cert": ("problem", "one.py", 0),
    "old.ckpt": ("solve", "tic-tac-toe", "--nodes", "3", 10),
    "old.journal": ("solve", "tic-tac-toe", "--workers", "1", "--nodes", "1", 10),
    "half.sqlite": ("lab", "run", "two.py", "--only", "PN", "--backend", "in-process", 0),
    "done.sqlite": ("lab", "run", "two.py", "--backend", "in-process", 0),
    "old.parquet": ("lab", "archive", "--store", "half.sqlite", 0),
    "old.sqlite": ("lab", "restore", "old.parquet", 0),
}
WRITES = {".ckpt": ("--checkpoint",), ".journal": ("--journal",), ".sqlite": ("--store",),
          ".parquet": ()}
# What takes long to load; every process that a command starts loads what it needs.
MODULES = ["*", "asyncio", "concurrent.futures.process", "matplotlib.figure",
           "matplotlib.backends.backend_agg", "multiprocessing.pool", "pandas", "pyarrow.parquet",
           "scipy.stats", "typer.main", "uvicorn"]


class Ground:
    """A directory for commands, and files for them, made by commands in which nothing fails."""

    def __init__(self, folder: Path, modules: list[str]) -> None:
        self.folder, self.work = folder, folder / "run"
        cache = os.environ.get("ZERMELO_CACHE", str(folder / "cache"))
        self.forking = Forking(compiled(folder), folder, cache, modules)
        self.made = folder / "made"
        self.made.mkdir()

    def close(self) -> None:
        """End the process that runs commands."""
        self.forking.close()

    def need(self, name: str) -> Path:
        """A file that commands read."""
        path = self.made / name
        if name in TEXTS:
            path.write_text(TEXTS[name])
        elif name == "bad.proof":
            bad = bytearray(self.need("good.proof").read_bytes())
            bad[-40] ^= 1
            path.write_bytes(bad[:-32] + hashlib.sha256(bad[:-32]).digest())
        elif not path.exists():
            *words, status = MADE[name]
            for word in words:
                if word in MADE or word in TEXTS:
                    self.need(word)
            done = self.forking.run([*words, *WRITES.get(path.suffix, ("--proof",)), name],
                                    self.made)
            assert done.status == status, (words, done)
        return path

    def begin(self, case: Case) -> Path:
        """An empty directory with the files that a command needs. What it writes is there."""
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir()
        for name in case.needs:
            shutil.copy(self.need(name), self.work / name)
            if name.endswith(".parquet"):
                shutil.copy(self.made / f"{name}.sha256", self.work / f"{name}.sha256")
        for name, kind in case.makes.items():
            path = self.work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            olds = [old for old in case.needs if Path(old).suffix == path.suffix
                    and Path(old).stem in ("old", "half", "done")]
            if olds and not path.exists():
                (self.work / olds[0]).rename(path)
            elif kind not in ("store", "journal", "checkpoint") and not path.exists():
                path.write_text("before\n")
            if kind == "archive":
                (self.work / "old.parquet.sha256").unlink()
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                Path(f"{path}.sha256").write_text(f"{digest}  {path.name}\n")
        return self.work

    def run(self, case: Case, fault: Fault | None = None) -> Outcome:
        return self.forking.run(case.words, self.work, case.stdin, fault, case.stop_at,
                                case.environment, case.limits)


def rows_of(path: Path) -> set[tuple[object, ...]]:
    """The jobs of a store, or the results of a journal."""
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("pragma integrity_check").fetchone() == ("ok",), "a damaged database"
        tables = [name for name, in db.execute(
            "select name from sqlite_master where type = 'table'")]
        return {(table, row[0]) for table in tables if table in ("jobs", "results", "reports")
                for row in db.execute(f"select * from {table}")}


def check_whole(path: Path, kind: str) -> None:
    """A new file is complete."""
    content = path.read_bytes()
    if kind == "proof":
        assert zermelo.verify(path).verdict == "verified"
    elif kind == "problem":
        assert content[-32:] == hashlib.sha256(content[:-32]).digest()
    elif kind == "checkpoint":
        Session.load(path)
    elif kind == "svg":
        assert ElementTree.fromstring(content).tag.endswith("svg")
    elif kind == "sgf":
        assert content.endswith(b")\n")
        assert content.startswith(b"(;")
    elif kind == "json":
        json.loads(content)
    elif kind == "archive":
        digest = Path(f"{path}.sha256").read_text().split()[0]
        assert digest == hashlib.sha256(content).hexdigest(), "a digest of another archive"
    else:
        assert content.endswith(b"\n")


def normalised(text: str) -> str:
    """An answer without what differs from run to run."""
    text = re.sub(r'"(seconds|compile_seconds|nps|[a-z_]*seconds|rate)": [0-9.e+-]+', "TIME", text)
    return TIMES.sub("TIME", text)


def _difference(one: str, other: str) -> list[tuple[str, str]]:
    pairs = zip_longest(normalised(one).splitlines(), normalised(other).splitlines(), fillvalue="")
    return [(a, b) for a, b in pairs if a != b][:3]


def wrongs(ground: Ground, case: Case, whole: Outcome, before: dict[str, bytes | None],
           rows: dict[str, set[tuple[object, ...]]], fault: Fault) -> list[str]:
    """What is wrong after a command in which a call failed."""
    work = ground.begin(case)
    done = ground.run(case, fault)
    failed = [call for call in done.calls if call.failed]
    if not failed:
        return []
    found = []
    if done.status not in (whole.status, 3) and not (
            done.status == 2 and (fault.error == errno.EACCES or SQLITE_READS.search(done.err))):
        found.append(f"status {done.status}")
    if "Traceback" in done.err:
        found.append("a traceback")
    if fault.kind != "err" and done.status == 3 and "zermelo: " not in done.err:
        found.append("no sentence")
    if (done.status == whole.status and case.same_answer and fault.kind != "out"
            and normalised(done.out) != normalised(whole.out)):
        found.append(f"another answer: {_difference(done.out, whole.out)}")
    if done.status == whole.status and fault.kind == "out":
        found.append("its answer is lost, and its status says it is not")
    for name, kind in case.makes.items():
        path = work / name
        try:
            if kind in ("store", "journal"):
                if path.exists() and path.stat().st_size:
                    lost = rows[name] - rows_of(path)
                    assert not lost, f"{len(lost)} rows lost"
            else:
                content = path.read_bytes() if path.exists() else None
                last = fault.kind in ("fsync", "rename") and f"{name}.sha256" in failed[0].name
                if content != before[name] and not last:  # two files can't be renamed at once
                    check_whole(path, kind)
                elif done.status == whole.status and before[name] == b"before\n":
                    found.append(f"{name} was not written")
                if kind == "archive" and content == before[name]:
                    check_whole(path, kind)
        except (AssertionError, OSError, ValueError, sqlite3.Error) as error:
            found.append(f"{name}: {type(error).__name__} {error}")
    left = {str(path.relative_to(work)) for path in work.rglob("*")
            if path.name.endswith(".part")}
    left |= {f"tmp/{path.name}" for path in (work / "tmp").iterdir()}
    if left - {call.name for call in failed if call.kind == "open"}:  # removed by the next run
        found.append(f"left behind: {sorted(left)}")
    if not found:
        return []
    where = ", ".join(f"{call.kind} {call.number} {call.how} of {call.name}" for call in failed[:1])
    return [f"{case.name}: {os.strerror(fault.error)}{' from' if fault.last == FOREVER else ''} at "
            f"{where}: {'; '.join(found)}; status {done.status}; {done.err[-1500:]!r}"]


def chosen(case: Case, calls: list[Call], most: int) -> list[Call]:
    """The first calls of each class, and the last."""
    classes = defaultdict(list)
    for call in calls:
        classes[call.about].append(call)
    for about in list(classes):  # SQLite takes what it can't read for a damaged file
        if re.search("sqlite|journal", about[2]) and (case.beside or about[0] == "read"):
            del classes[about]
    picked = {call for members in classes.values() for call in (*members[:most], members[-1])}
    return sorted(picked, key=lambda call: (call.kind, call.number))


def attack(ground: Ground, case: Case, most: int, errors: int) -> list[str]:
    """All that is wrong where a call of a command fails."""
    ground.begin(case)
    whole = ground.run(case)
    assert "Traceback" not in whole.err, whole
    assert whole.status in (0, 1, 10, 12, 130), whole
    for name, kind in case.makes.items():
        if kind not in ("store", "journal"):
            check_whole(ground.work / name, kind)
    work = ground.begin(case)
    before = {name: (work / name).read_bytes() if (work / name).exists() else None
              for name, kind in case.makes.items() if kind not in ("store", "journal")}
    rows = {name: rows_of(work / name) if (work / name).exists() else set()
            for name, kind in case.makes.items() if kind in ("store", "journal")}
    found = []
    for at, call in enumerate(chosen(case, whole.calls, most)):
        options = ERRORS[call.kind]
        for turn in range(min(errors, len(options))):
            error, lasting = options[(at + turn) % len(options)]
            last = FOREVER if lasting else call.number
            found += wrongs(ground, case, whole, before, rows,
                            Fault(call.kind, call.number, last, error))
    return found


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    with closing(Ground(tmp_path_factory.mktemp("faults"), ["typer.main"])) as found:
        yield found


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    with closing(Ground(tmp_path_factory.mktemp("faults"), MODULES)) as found:
        yield found


def test_no_command_is_forgotten():
    """Words up to the first that is no part of a command's name."""
    tried = {" ".join(case.words[: 2 if case.words[0] == "lab" else 1]) for case in CASES}
    assert tried == set(names_of(get_command(app)))


def test_a_call_fails_where_it_is_said(ground):
    """What fails is what was counted, and nothing fails without being asked to."""
    case = next(case for case in CASES if case.name == "solve proof")
    ground.begin(case)
    whole = ground.run(case)
    assert {call.kind for call in whole.calls} >= {"open", "write", "rename", "fsync", "out"}
    assert not any(call.failed for call in whole.calls)
    ground.begin(case)
    done = ground.run(case, Fault("rename", 1, 1, errno.EIO))
    assert [(call.kind, call.number) for call in done.calls if call.failed] == [("rename", 1)]
    assert done.status == 3
    assert done.err == "zermelo: can't write the certificate 'a.proof': Input/output error.\n"


@pytest.mark.parametrize("name", ["show export", "verify"])
def test_short_commands(ground, name):
    found = attack(ground, next(case for case in CASES if case.name == name), most=1, errors=1)
    assert not found, "\n".join(found)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))
def test_every_command(loaded, case):
    """The first and the last call of each class, that is of a kind on one file; once each, with the
    errors in turn. ``ZERMELO_FAULTS=all`` tries every call with every error."""
    everything = os.environ.get("ZERMELO_FAULTS") == "all"
    found = attack(loaded, case, *(1 << 30, 3) if everything else (1, 1))
    assert not found, "\n".join(found)
