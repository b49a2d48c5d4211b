"""The command line as a process of its own: streams, statuses, Ctrl-C and broken pipes."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import begin

import zermelo

ONE_MOVE = "a1 b1 a2 b2"
PLAIN = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
MODULE = [sys.executable, "-m", "zermelo"]
SCRIPT = shutil.which("zermelo", path=str(Path(sys.executable).parent)) or shutil.which("zermelo")
PATIENCE = 120  # a cold cache on a busy machine


def run(*words, command=MODULE, **options):
    return subprocess.run([*command, *words], capture_output=True, text=True, env=PLAIN, **options)


@pytest.mark.parametrize("command", [MODULE, [SCRIPT]], ids=["module", "script"])
def test_the_module_and_the_script_are_the_same(command):
    if command == [None]:
        pytest.skip("the package is not installed")
    done = run("--version", command=command)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"zermelo {zermelo.__version__}\n"
    done = run("solve", "--help", command=command)
    assert done.stdout.startswith("Usage: zermelo solve ")
    done = run("solve", "chess", command=command)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("zermelo: there is no game 'chess'")


def test_statuses_and_streams():
    done = run("solve", "tic-tac-toe", "-", "--json", input=f"{ONE_MOVE}\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["move"] == "a3"
    assert run("solve", "tic-tac-toe", "-s", "pn", "--plain", "--nodes", "9").returncode == 10
    assert run("solve", "tic-tac-toe", "-s", "ppn:pr=0.5,playouts=1").returncode == 11
    assert run("solve", "tic-tac-toe", "--frobnicate").returncode == 2
    done = run("analyze", "tic-tac-toe", ONE_MOVE, "--unique", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")


def test_bytes_that_are_no_text():
    done = subprocess.run([*MODULE, "solve", "tic-tac-toe", b"\xff\xfe"], capture_output=True,
                          env={**PLAIN, "LC_ALL": "C.UTF-8"})
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"zermelo: tic-tac-toe: character '\\udcff'")
    done = subprocess.run([*MODULE, "solve", "tic-tac-toe", "-"], capture_output=True, env=PLAIN,
                          input=b"4" * 10_000_000)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1


def test_a_reader_that_goes_away():
    with subprocess.Popen([*MODULE, "games"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=PLAIN) as process:
        process.stdout.close()
        assert process.wait(PATIENCE) == 3
        assert process.stderr.read() == b""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("certificate") / "a.proof")
    assert run("solve", "tic-tac-toe", ONE_MOVE, "--proof", path, "-q").returncode == 0
    return path


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a shell and /dev/full")
@pytest.mark.parametrize(("streams", "status", "out", "err"), [
    (">/dev/full", 3, "", "zermelo: can't write to standard output: No space left on device.\n"),
    (">&-", 3, "", "zermelo: can't write to standard output: it is closed.\n"),
    (">/dev/full 2>&1", 3, "", ""), ("<&- >&- 2>&-", 3, "", ""),
    ("2>&-", 0, "verified", ""), ("2>/dev/full", 0, "verified", ""), ("<&-", 0, "verified", ""),
])
def test_standard_streams_that_fail_or_are_missing(certificate, streams, status, out, err):
    """Whether the certificate is good is not known by the status 1, which would say that it is
    not."""
    done = run("-c", f'exec "$@" {streams}', "sh", *MODULE, "verify", certificate, command=["sh"])
    assert (done.returncode, done.stderr) == (status, err)
    assert out in done.stdout
    assert (done.stdout == "") == (out == "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_files_are_written_though_the_answer_can_not_be_told(tmp_path):
    words = ["solve", "tic-tac-toe", ONE_MOVE, "--svg", str(tmp_path / "a.svg"), "--proof",
             str(tmp_path / "a.proof"), "-q"]
    with open("/dev/full", "w") as full:
        done = subprocess.run([*MODULE, *words], stdout=full, stderr=subprocess.PIPE, env=PLAIN)
    assert done.returncode == 3
    assert (tmp_path / "a.svg").read_text().endswith("</svg>\n")
    assert zermelo.verify(tmp_path / "a.proof").verdict == "verified"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_batch_ends_where_its_answers_can_not_be_told(tmp_path):
    (tmp_path / "positions").write_text(f"{ONE_MOVE}\n" * 3)
    words = ["solve", "tic-tac-toe", "--file", str(tmp_path / "positions"),
             "--jsonl"]
    with open("/dev/full", "w") as full:
        done = subprocess.run([*MODULE, *words], stdout=full, stderr=subprocess.PIPE, env=PLAIN,
                              text=True)
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)


FAULTY = """
import sys
import zermelo.cli.app
from zermelo.cli import main
def fail(*words, **options):
    raise {error}
zermelo.cli.app.app = fail
sys.argv[1:] = ["verify", "a.proof"]
main()
"""


@pytest.mark.parametrize(("error", "status", "last"), [
    ("MemoryError", 3, "zermelo: there is not enough memory."),
    ("OSError(5, 'Input/output error', 'x.proof')", 3,
     "zermelo: a file can't be used: 'x.proof': Input/output error."),
    ("OSError('100 requested and 7 written')", 3,
     "zermelo: a file can't be used: 100 requested and 7 written."),
    ("RuntimeError('a mistake')", 4, "RuntimeError: a mistake"),
])
def test_what_nobody_foresaw_is_not_a_refusal(error, status, last):
    done = run("-c", FAULTY.format(error=error), command=[sys.executable])
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.splitlines()[-1] == last


def search(*words, stderr):
    """A real search with the JIT, to be interrupted."""
    return begin([*MODULE, *words, "--memory", "4GB"], stdout=subprocess.PIPE, stderr=stderr,
                 text=True)


@pytest.mark.quick_cases("2")
@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_keeps_the_partial_result(number):
    import pty

    terminal, its_end = pty.openpty()
    with search("solve", "connect-four", "start", stderr=its_end) as process:
        os.close(its_end)
        assert b"does X win? " in read_until(terminal, b" nodes, ")
        process.send_signal(number)
        out, _ = process.communicate(timeout=PATIENCE)
    os.close(terminal)
    assert process.returncode == 10
    assert "unknown: stopped by an interrupt" in out
    assert "does X win?" not in out
    assert ". . . . . . .\n1 2 3 4 5 6 7" in out


def read_until(terminal, wanted):
    seen, end = b"", time.monotonic() + PATIENCE
    while wanted not in seen and time.monotonic() < end:
        seen += os.read(terminal, 1_000)
    return seen


# Ctrl-C is pressed when the n-th module is looked for; what was looked for is named at the end.
PRESSED = """
import runpy, signal, sys
class Press:
    names = []
    def find_spec(self, name, path=None, target=None):
        self.names.append(name)
        if len(self.names) == which:
            signal.raise_signal(signal.SIGINT)
which, sys.argv[1:] = int(sys.argv[1]), ["--version"]
import zermelo
sys.meta_path.insert(0, Press())
try:
    runpy.run_module("zermelo", run_name="__main__")
finally:
    print(*Press.names)
"""


def pressed(which):
    with begin([sys.executable, "-c", PRESSED, str(which)], stdout=subprocess.PIPE,
               stderr=subprocess.PIPE, text=True, env=PLAIN) as process:
        out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out.splitlines(), err


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_ctrl_c_while_the_first_modules_are_loaded():
    status, [version, names], err = pressed(0)
    assert (status, version, err) == (0, f"zermelo {zermelo.__version__}", "")
    modules = names.split()
    begun = modules.index("zermelo.cli") + 1  # what comes before is Python's own
    assert modules[:begun] == ["zermelo.__main__", "zermelo.cli"]
    for which in (begun + 1, begun + 2, begun + 10, (begun + len(modules)) // 2, len(modules)):
        status, out, err = pressed(which)
        assert status in (130, -signal.SIGINT), modules[which - 1]  # Python's choice, by where
        assert (len(out), err) == (1, "zermelo: interrupted.\n"), modules[which - 1]


def test_importing_the_library_loads_nothing_and_leaves_signals_alone():
    code = ("import signal, sys; before, usual = signal.getsignal(signal.SIGINT), {*sys.modules}; "
            "import zermelo; assert signal.getsignal(signal.SIGINT) is before; "
            "print(*sorted({*sys.modules} - usual))")
    done = run("-c", code, command=[sys.executable])
    assert {"zermelo"} <= {*done.stdout.split()} <= {
        "__future__", "zermelo", "zermelo.public_names", "zermelo.version"}
    assert done.stderr == ""


@pytest.mark.long_cases("1")
@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_keeps_the_finished_rows(tmp_path, workers):
    (tmp_path / "positions").write_text("1212121\nstart\nstart\nstart\n")
    with search("compare", "connect-four", "--file", str(tmp_path / "positions"), "-s", "pn",
                "--json", "--workers", workers, stderr=subprocess.PIPE) as process:
        first = process.stdout.readline()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 10
    rows = [json.loads(line) for line in [first, *out.splitlines()]]
    assert (rows[0]["value"], rows[0]["proved"]) == ("not-win", True)
    assert len(rows) < 4
    assert all(row["stopped"] == "interrupted" for row in rows[1:])
    assert err == f"zermelo: interrupted after {len(rows)} of 4 runs.\n"


def test_what_threads_of_ray_print_is_no_answer():
    code = ("import threading; from zermelo.cli.terminal import prepare_streams\n"
            "prepare_streams()\n"
            "for name in ('ray_listen_error_messages', 'another'):\n"
            "    one = threading.Thread(target=print, args=[f'from {name}'], name=name)\n"
            "    one.start(); one.join()\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "from another\n")
