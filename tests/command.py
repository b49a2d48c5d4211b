"""The command line called in this process, which is fast, or begun as one of its own."""

import errno
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import zermelo
from zermelo.cli import main


class Done(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


def names_of(group: Any, above: str = "") -> Iterator[str]:
    """The names of all commands of a Typer group and of the groups in it."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from names_of(command, f"{above}{name} ")
        else:
            yield f"{above}{name}"


def call(*words: str, stdin: bytes = b"") -> Done:
    """``zermelo WORDS``."""
    out, err = io.StringIO(), io.StringIO()
    given = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    with (
        patch.object(sys, "argv", ["zermelo", *words]), patch.object(sys, "stdin", given),
        redirect_stdout(out), redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as left:
            return Done(left.code, out.getvalue(), err.getvalue())
    raise AssertionError("main() must leave with a status")


def call_mixed(*words: str) -> tuple[int, str]:
    """The status of ``zermelo WORDS``, and what it prints on either stream, as it comes."""
    both = io.StringIO()
    with (patch.object(sys, "argv", ["zermelo", *words]), redirect_stdout(both),
          redirect_stderr(both)):
        try:
            main()
        except SystemExit as left:
            return int(left.code or 0), both.getvalue()
    raise AssertionError("main() must leave with a status")


def begin(words: list[str], **options: Any) -> subprocess.Popen[Any]:
    """A process that Ctrl-C ends even if this one ignores it, as background jobs do."""
    return subprocess.Popen(
        words, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **options)


def no_room(monkeypatch: Any) -> None:
    """From now on the disk is full."""

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)


def loads(text: str) -> Any:
    """JSON, and nothing that only Python takes for it; every answer names the version."""
    answer = json.loads(text, parse_constant=_no_constant)
    assert answer.pop("version") == zermelo.__version__
    return answer


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def until(condition: Callable[[], Any], seconds: float = 60) -> Any:
    """What ``condition`` says as soon as it is true."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
    return found


def alive(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def descendants(pid: int) -> set[int]:
    """All processes that come from this one."""
    parents: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                words = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(words[1]), []).append(int(entry))
    found, left = set[int](), [pid]
    while left:
        children = parents.get(left.pop(), [])
        found.update(children)
        left += children
    return found
