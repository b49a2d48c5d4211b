"""Programs run in processes of their own that need not load the compiler first.

A process that has loaded Numba, with all that it knows to compile, and compiled nothing waits for
programs and runs each in a copy of itself (a fork). Loading takes a second or two, and tests of the
kernel cache want many processes.
What a program may know of a process that was begun for it (its modules, its environment before the
start) is not there: tests of that begin one.
"""

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import IO, Any, NamedTuple

SERVER = "import fresh; fresh.serve()"
READY = {"ready": True}


class Done(NamedTuple):
    """What a program left behind."""

    status: int
    out: str
    err: str


def run(code: str, cwd: str | None = None, **environment: str) -> Done:
    """Run ``code`` as ``python -c`` would, in a process that has compiled nothing."""
    server = _server()
    with tempfile.TemporaryDirectory() as folder:
        out, err = (str(Path(folder) / name) for name in ("out", "err"))
        order = {"code": code, "cwd": cwd or os.getcwd(), "out": out, "err": err,
                 "environment": {**os.environ, **environment}}
        _say(server.stdin, order)
        status = _hear(server.stdout)["status"]
        return Done(status, Path(out).read_text(), Path(err).read_text())


@cache
def _server() -> subprocess.Popen[str]:
    """The process that waits; it ends when this one does, for then its input does."""
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True,
                              env={**os.environ, "PYTHONPATH": path})
    assert _hear(server.stdout) == READY
    return server


def _say(stream: IO[str] | None, what: Any) -> None:
    assert stream is not None
    stream.write(f"{json.dumps(what)}\n")
    stream.flush()


def _hear(stream: IO[str] | None) -> Any:
    assert stream is not None
    return json.loads(stream.readline())


def serve() -> None:
    """Run what is asked for, one after the other."""
    from zermelo.compiler.pipeline import load_numba

    load_numba()
    from numba.core.registry import cpu_target

    for context in (cpu_target.typing_context, cpu_target.target_context):
        context.refresh()  # as the first kernel would
    _say(sys.stdout, READY)
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            _become(order)
        _, status = os.waitpid(child, 0)
        _say(sys.stdout, {"status": os.waitstatus_to_exitcode(status)})


def _become(order: dict[str, Any]) -> None:
    """Run a program and end."""
    status = 1
    try:
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(order[name], os.O_WRONLY | os.O_CREAT, 0o600), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.environ.clear()
        os.environ.update(order["environment"])
        os.chdir(order["cwd"])
        exec(compile(order["code"], "<string>", "exec"), sys.modules["__main__"].__dict__)
        status = 0
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
