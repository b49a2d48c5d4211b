"""No command runs Python files that lie where the user works, nor does a process that it starts."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import lab_files
import pytest
from command import begin, names_of
from typer.main import get_command

from zermelo.cli.app import app
from zermelo.engine import NAMES
from zermelo.workers.processes import PACKAGE, safe_environment, starting_safely

ROOT = Path(__file__).parents[2]
SCRIPT = [str(Path(sys.executable).with_name("zermelo"))]
# Modules of Python, of ours and of those that we need.
STRANGERS = """
__future__ _strptime abc argparse array ast asyncio base64 collections concurrent contextlib copy
csv ctypes dataclasses datetime difflib email encodings enum fractions functools gzip hashlib heapq
hmac html http importlib inspect io ipaddress itertools json llvmlite locale logging lzma math
matplotlib multiprocessing numba numbers numpy operator os pandas pathlib pickle pkgutil platform
pwd pyarrow pyspiel queue random ray re resource runpy scipy secrets select selectors shutil signal
site sitecustomize socket sqlite3 stat starlette statistics string struct subprocess sysconfig
tempfile textwrap threading time token traceback typer types typing usercustomize uuid uvicorn
warnings weakref webbrowser zermelo zipfile zlib
"""
MARK = "import sys\nopen({mark!r}, 'a').write(f'{{__file__}}: {{sys.orig_argv}}\\n')\n"
OWN = '''from neighbour import NAME
from zermelo.games.k_in_a_row.game import TicTacToe

class Own(TicTacToe):
    name = NAME
'''
LEAST = '''import zermelo

def expand(node):
    return ("any", ["b", "c"]) if node == "a" else ("solved", 1)
'''
HARD = ["tic-tac-toe", "a1 b1 a2 b2"]
DROPS = ["connect-four", "4 4 3"]
RECORD = "a1 b1 a2 b2 a3"
SMALL, STORE = "{data}/small.py", ["--store", "{data}/lab.sqlite"]
WORKERS = ["-q", "--memory", "64MB", "--workers"]
ASKED = json.dumps({"place": {"game": "tic-tac-toe"}, "progress": False})
TUNED = ["deep-df-pn", "--vary", "E=1..2", "--game", "p-game", "-g", "branching=2", "-g", "depth=4",
         "--each", "seed=0..3", "--nodes", "90", "--memory", "20MB", *STORE, "--workers", "2"]

# Calls of every command in an order in which each has its files: words, input and status.
Call = tuple[list[str], str, int]
CALLS: dict[str, list[Call]] = {
    "solve": [
        (["tic-tac-toe", *WORKERS, "2", "--proof", "workers.proof"], "", 0),
        (["hex", "-g", "size=3", *WORKERS, "1", "--journal", "kept.journal"], "", 12),
        (["own.py:Own", *WORKERS, "1"], "", 12),  # beside the strangers, and imports its neighbour
        ([*HARD, "-q", "--proof", "line.proof", "--svg", "line.svg"], "", 0),
        (["tic-tac-toe", "--file", "-", "--jsonl", "-q"], "a1 b1 a2 b2\n", 0),
        (["tic-tac-toe", "-s", "pn", "--nodes", "99", "-q", "--checkpoint", "check.point"], "", 10),
    ],
    "verify": [(["workers.proof", "--workers", "2"], "", 0)],
    "match": [(["tic-tac-toe", "--a", "pn", "--b", "uct", "-n", "2", "--nodes", "30", "--workers",
                "2", "--memory", "20MB", *STORE], "", 0)],
    "engine": [([], ASKED, 0)],
    "lab run": [([SMALL, *STORE, "--workers", "2", "-q"], "", 0)],
}
ALONE: dict[str, list[Call]] = {
    "resume": [(["check.point", "-q"], "", 0), (["kept.journal", "-q", "--workers", "1"], "", 12)],
    "analyze": [([*HARD, "-q"], "", 0)],
    "compare": [([*HARD, "-q"], "", 0)],
    "annotate": [(["tic-tac-toe", RECORD, "-q"], "", 0)],
    "progress": [(["connect-four", "4 4 3 3", "--depth", "2", "-q"], "", 0)],
    "scn": [([*DROPS, "--depth", "2"], "", 0)],
    "replay": [([*HARD, "-s", "pn", "--steps", "2"], "", 0)],
    "play": [(["tic-tac-toe", "--nodes", "99"], "a1\nquit\n", 0)],
    "show": [(["line.proof"], "", 0)],
    "problem": [(["{data}/least.py:least"], "", 0)],
    "engine": [(["--protocol", name, *given], "quit\n", 0) for name in NAMES
               for given in [["connect-four"] if name == "ugi" else []]],
    "games": [([], "", 0)],
    "searches": [([], "", 0)],
    "check-game": [(["own.py:Own"], "", 0)],
    "warmup": [(["tic-tac-toe", "pn"], "", 0)],
    "lab list": [([], "", 0)],
    "lab status": [([SMALL, *STORE], "", 0)],
    "lab report": [([SMALL, *STORE, "--out", "report"], "", 0)],
    "lab export": [([SMALL, *STORE, "--out", "csv"], "", 0)],
    "lab compare": [(["{data}/lab.sqlite", "{data}/lab.sqlite"], "", 0)],
    "lab archive": [(["results.parquet", SMALL, *STORE], "", 0)],
    "lab rebuild": [(["results.parquet", SMALL, "--out", "again"], "", 0)],
    "lab restore": [(["results.parquet", "--store", "{data}/other.sqlite"], "", 0)],
    "lab tune": [(TUNED, "", 0)],
    "lab estimate": [(["lines-of-action", "own.py"], "", 2)],
}


@pytest.fixture
def there(tmp_path):
    """A directory full of modules that leave a mark when they are executed."""
    here, data = tmp_path / "here", tmp_path / "data"
    here.mkdir()
    data.mkdir()
    for name in STRANGERS.split():
        (here / f"{name}.py").write_text(MARK.format(mark=str(tmp_path / "mark")))
    (here / "own.py").write_text(OWN)
    (here / "neighbour.py").write_text("NAME = 'own'\n")
    (data / "small.py").write_text(lab_files.SMALL)
    (data / "least.py").write_text(f"{LEAST}\nleast = zermelo.problem('a', expand)\n")
    return here


def marks(there):
    mark = there.parent / "mark"
    return mark.read_text() if mark.exists() else ""


def run(there, *command, given="", status=0, **environment):
    """Run a command in the directory; nothing may leave a mark."""
    done = subprocess.run(command, input=given, cwd=there, env={**os.environ, **environment},
                          capture_output=True, text=True, timeout=300)
    assert (marks(there), done.returncode) == ("", status), (command, done.stderr)
    return done


def run_all(there, calls):
    data = there.parent / "data"
    for command, one, given, status in (
            (command, *call) for command, calls in calls.items() for call in calls):
        run(there, *SCRIPT, *command.split(), *(word.format(data=data) for word in one),
            given=given, status=status, PYTHONPATH="", ZERMELO_LAB="")


def test_no_command_is_forgotten():
    assert {*CALLS, *ALONE, "explore"} == set(names_of(get_command(app)))


def test_commands_that_start_processes(there):
    run_all(there, CALLS)


@pytest.mark.long
def test_every_other_command(there):
    run_all(there, CALLS | ALONE)


def test_the_explorer(there):
    with begin([*SCRIPT, "explore", "--no-browser", "--port", "0"], cwd=there, text=True,
               stdout=subprocess.PIPE) as process:
        try:
            base, token = re.search(r"(http:\S+)/\?token=(\S+)", process.stdout.readline()).groups()
            client = httpx.Client(base_url=f"{base}/api/v1", timeout=60,
                                  headers={"Authorization": f"Bearer {token}"})
            order = {"place": {"game": "tic-tac-toe"}, "search": "pn"}
            id = client.post("/sessions", json=order).json()["id"]
            while client.get(f"/sessions/{id}").json()["state"] in ("starting", "running"):
                pass
            assert client.post("/board", json={"place": order["place"]}).status_code == 200
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(20)
    assert marks(there) == ""


def test_as_a_module(there):
    """With -P nothing is taken from there; without it Python itself looks there first, until the
    program has begun."""
    module = ["-m", "zermelo", "solve", *HARD, "-q"]
    run(there, sys.executable, "-P", *module)
    later = ("json", "numba", "numpy", "random", "sitecustomize", "socket", "typer", "typing")
    for file in there.iterdir():
        if file.stem not in later:
            file.unlink()
    run(there, sys.executable, *module)


def test_the_demo(there):
    line = next(line for line in (ROOT / "Makefile").read_text().splitlines() if "demo" in line
                and "python" in line)
    assert line.strip() == "@$(BIN)/python -P tools/demo.py"
    run(there, sys.executable, "-P", ROOT / "tools" / "demo.py")


SPAWNED = """
from zermelo.cli import main
from zermelo.proof import workers

workers.BATCH, workers.start_method = 5, lambda: "spawn"
if __name__ == "__main__":
    main()
"""


def test_processes_of_the_check_that_are_spawned(there):
    """As where there is no fork: Python would begin each with the working directory first."""
    run(there, *SCRIPT, "solve", "tic-tac-toe", "-q", "--proof", "all.proof")
    (there.parent / "data" / "spawned.py").write_text(SPAWNED)
    done = run(there, sys.executable, there.parent / "data" / "spawned.py", "verify", "all.proof",
               "--workers", "2")
    assert "verified" in done.stdout


def test_the_environment_of_processes(there, monkeypatch):
    """A path that depends on the working directory is not passed on, and no code is."""
    monkeypatch.chdir(there)
    elsewhere = str(there.parent / "data")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", ".", "../here", elsewhere]))
    monkeypatch.setenv("PYTHONSTARTUP", "json.py")
    monkeypatch.setenv("PYTHONINSPECT", "1")
    safe = safe_environment()
    assert safe["PYTHONPATH"] == elsewhere
    assert not {"PYTHONSTARTUP", "PYTHONINSPECT"} & set(safe)
    done = subprocess.run([sys.executable, "-m", "zermelo.jobs.work"], env=safe, input=b"",
                          capture_output=True, timeout=60)
    assert (done.returncode, marks(there)) == (0, "")
    before = dict(os.environ)
    with starting_safely():
        assert dict(os.environ) == safe
    assert dict(os.environ) == before
    # Zermelo itself may be imported by such a path.
    monkeypatch.chdir(PACKAGE)
    assert safe_environment()["PYTHONPATH"] == os.pathsep.join([str(PACKAGE)] * 2 + [elsewhere])
    (there / "gone").mkdir()
    monkeypatch.chdir(there / "gone")
    (there / "gone").rmdir()
    assert safe_environment()["PYTHONPATH"] == elsewhere


@pytest.mark.full
def test_workers_on_a_cluster(there):
    """Ray puts the directory in which it is begun first on the path of its workers."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'zermelo[cluster]'")
    script = [sys.executable, "-P", "-m", "zermelo"]  # as the script, wherever that is
    data = there.parent / "data"
    run(there, *script, "solve", "own.py:Own", *WORKERS, "1", "--cluster", "local", status=12)
    run(there, *script, "lab", "run", data / "small.py", "--store", data / "lab.sqlite", "-q",
        "--workers", "1", "--cluster", "local")
