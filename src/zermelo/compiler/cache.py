"""The disk cache of compiled kernels: which files are trusted, how they are written and read.

A kernel file holds machine code, so loading one is running it. Two things are checked
first, on the open file, and a file that fails either is compiled anew and replaced:

* It was written by this user or by root, and nobody else can write to it or to its directory.
* It holds what was written under its name: a line with the format, the SHA-256 of the name and the
  content, then the content. Damaged, truncated and exchanged files differ.

The digest has no secret key. Whoever could forge a file here acts as this user or as root, and
could read a key that lies beside it, so a key would add nothing to the first check. On systems
without user ids (Windows) the cache relies on the user's profile being private.

The files are in a directory of their own, ``zermelo-kernels``, below the user's cache directory or
the one that ``ZERMELO_CACHE`` names; with ``ZERMELO_CACHE=off`` there is none. A marker says that
it is ours: one that has other files and no marker is not used. What is removed there is only what
has a name of ours. A directory that can't be written is still read. One that can't be trusted or
made is not used, and that is said once in a process.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.compiler import compile_stats
from zermelo.storage.whole_files import REST, replacing

KEEP_DAYS = 60
KEEP_BYTES = 1 << 30
SUFFIX, CHECKED_SUFFIX = ".kernel", ".checked"
USUAL_SUFFIX = ".usual"  # a note: this kernel does not stand alone, Numba has to call it
MAGIC = b"zermelo kernel 5\n"
DIRECTORY = "zermelo-kernels"
# The marker of https://bford.info/cachedir/, for which backup programs look, too.
MARKER = "CACHEDIR.TAG"
MARK = b"Signature: 8a477f597d28d172789f06886806bc55\n# Kernels compiled by zermelo.\n"
OUR_NAME = re.compile(r"(?:.+-[0-9a-f]{32}-)?[0-9a-f]{32}\.(?:kernel|lock|checked|usual|part)"
                      rf"|\..+\.{REST.pattern}")
KERNEL_MODE = 0o644
OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
# A link is not followed, and a pipe without another end is not waited for.
CAREFULLY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class CacheWarning(UserWarning):
    """The cache of compiled kernels can't be used, or not in full."""


def _warn(sentence: str) -> None:
    warnings.warn(sentence, CacheWarning, stacklevel=2)


_told: set[str] = set()


def _say_once(about: str, sentence: str) -> None:
    if about not in _told:
        _told.add(about)
        (compile_stats.listener.say or _warn)(sentence)


def say_not_kept(why: Exception) -> None:
    """Say once in a process that a kernel is compiled in every run, if there is a cache."""
    if cache_directory() is not None:
        _say_once("not kept", f"some kernels are compiled in every run and not kept: {why}.")


def cache_directory() -> Path | None:
    """Return where compiled kernels are to be kept, or None if the cache is off."""
    chosen = os.environ.get("ZERMELO_CACHE", "")
    if chosen.lower() == "off":
        return None
    if not chosen and sys.platform == "win32":
        chosen = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif not chosen and sys.platform == "darwin":
        chosen = "~/Library/Caches"
    elif not chosen:
        chosen = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(chosen).expanduser() / DIRECTORY


class KernelDirectory(NamedTuple):
    """A cache directory that can be trusted, and whether new kernels can be kept there."""

    directory: Path
    writable: bool

    def read(self, name: str) -> bytes | None:
        """Return what was written under ``name``; None if it is not there or can't be trusted."""
        path = self.directory / name
        try:
            with open(path, "rb", opener=_reading) as file:
                problem = _distrust(os.fstat(file.fileno()), stat.S_ISREG)
                content = b"" if problem else file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            problem, content = error.strerror or type(error).__name__, b""
        if problem:
            _say_once("file", f"the compiled kernel {str(path)!r} is not used: {problem}.")
            return None
        head, payload = content[: len(MAGIC) + 65], content[len(MAGIC) + 65:]
        if head != _head(name, payload):
            return None
        with suppress(OSError):
            os.utime(path)  # kernels in use are kept longest
        return payload

    def write(self, name: str, payload: bytes) -> None:
        """Keep ``payload`` under ``name``, in one step; or say why that can't be."""
        try:
            # The digest finds what a power cut has damaged.
            with replacing(self.directory / name, KERNEL_MODE) as file:
                file.write(_head(name, payload) + payload)
            _prune_once(self.directory)
        except OSError as error:
            _say_once("write", f"compiled kernels can't be kept in {str(self.directory)!r}: "
                               f"{error.strerror or type(error).__name__}.")

def _head(name: str, payload: bytes) -> bytes:
    digest = hashlib.sha256(name.encode() + b"\0" + payload).hexdigest()
    return MAGIC + digest.encode() + b"\n"


def _reading(path: str, flags: int) -> int:
    return os.open(path, flags | CAREFULLY)


def _writing(path: str, flags: int) -> int:
    return os.open(path, flags | CAREFULLY, KERNEL_MODE)


def _distrust(facts: os.stat_result, kind: Callable[[int], bool]) -> str:
    """Return why a file or directory with these properties can't be trusted; empty if it can."""
    if not kind(facts.st_mode):
        return "it is not a directory" if kind is stat.S_ISDIR else "it is not an ordinary file"
    if not hasattr(os, "getuid"):
        return ""
    if facts.st_uid not in (os.getuid(), 0):
        return "it belongs to another user"
    if facts.st_mode & OTHERS_MAY_WRITE:
        return "other users can write to it"
    return ""


def place() -> KernelDirectory | None:
    """The cache as it can be used now; None if it is off or can't be used, which is said once."""
    directory = cache_directory()
    return None if directory is None else _place(directory)


@cache
def _place(directory: Path) -> KernelDirectory | None:
    try:
        with suppress(FileExistsError):
            directory.parent.mkdir(mode=0o700, parents=True)
        with suppress(FileExistsError):
            directory.mkdir(mode=0o700)
        problem = _distrust(os.lstat(directory), stat.S_ISDIR) or _unmarked(directory)
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error)
    if not problem:
        return KernelDirectory(directory, os.access(directory, os.W_OK | os.X_OK))
    hint = f"; 'chmod go-w {directory}' mends that" if "can write" in problem else ""
    _say_once(str(directory), f"the cache directory {str(directory)!r} is not used, so kernels are "
                              f"compiled anew in every run: {problem}{hint} (ZERMELO_CACHE names "
                              "another directory, or 'off').")
    return None


def _unmarked(directory: Path) -> str:
    """Mark a directory without other files as ours; why it can't be used if it has some."""
    if is_ours(directory):
        return ""
    names = (file.name for file in directory.iterdir())
    if not all(name == MARKER or OUR_NAME.fullmatch(name) for name in names):
        return f"it has other files and no {MARKER}"
    with suppress(FileExistsError, PermissionError), \
            open(directory / MARKER, "xb", opener=_writing) as file:
        file.write(MARK)
    return ""


def is_ours(directory: Path) -> bool:
    """Return True if a directory has the marker of the cache."""
    try:
        with open(directory / MARKER, "rb", opener=_reading) as file:
            return file.read(len(MARK) + 1) == MARK
    except OSError:
        return False


@cache
def _prune_once(directory: Path) -> None:
    prune(directory)


def prune(directory: Path, keep_bytes: int = KEEP_BYTES, keep_days: float = KEEP_DAYS) -> int:
    """Remove entries of a marked directory not used for ``keep_days`` and, oldest first, those
    beyond ``keep_bytes``; their number."""
    entries: list[tuple[float, int, Any]] = []
    for file in directory.iterdir() if is_ours(directory) else ():
        if OUR_NAME.fullmatch(file.name):
            with suppress(OSError):  # another process may remove it
                facts = file.lstat()
                entries.append((facts.st_mtime, facts.st_size, file))
    removed, total = 0, 0
    for used, size, file in sorted(entries, reverse=True):
        total += size
        if total > keep_bytes or used < time.time() - keep_days * 86_400:
            file.unlink(missing_ok=True)
            removed += 1
    return removed
