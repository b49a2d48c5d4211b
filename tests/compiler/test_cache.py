"""The disk cache of kernels: nothing foreign or damaged is run, and what is sound is used."""

import errno
import json
import os
import pickle
import shutil
import stat
import sys
import tempfile
import time
import warnings
from pathlib import Path
from types import SimpleNamespace

import fresh as fresh_process
import pytest
from fifos import SECONDS, pipe

from zermelo.compiler import cache as kernel_cache
from zermelo.compiler import compile_stats
from zermelo.compiler.cache import (
    DIRECTORY,
    MARKER,
    SUFFIX,
    CacheWarning,
    KernelDirectory,
)
from zermelo.compiler.jit import jit_enabled

pytestmark = pytest.mark.skipif(not jit_enabled(), reason="about compiled code")
NOBODY = 65534
as_root = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0,
                             reason="only root can give files away")

TINY = """
import json, os, sys
from zermelo.compiler import cache, factory
from zermelo.compiler.jit import kernel
from zermelo.compiler.compile_stats import stats

def double(x):
    return 2 * x

def triple(x):
    return 3 * x

def done(*answers):
    print(json.dumps([*answers, stats.compiled, stats.loaded]))
"""
BOTH = TINY + "done(kernel(double)(21), kernel(triple)(14))"


def run(code, directory, **options):
    """What a new process prints whose kernels are in ``directory``."""
    directory = Path(directory)
    directory = directory.parent if directory.name == DIRECTORY else directory
    done = fresh_process.run(code, ZERMELO_CACHE=str(directory), **options)
    assert done.status == 0, done.err[-2000:]
    return json.loads(done.out.splitlines()[-1]), done.err


def kernels(directory):
    return sorted(Path(directory).glob(f"*{SUFFIX}"))


@pytest.fixture(scope="module")
def made():
    """A cache with two kernels; copied by those who change it."""
    directory = Path(tempfile.mkdtemp())
    answers, said = run(BOTH, directory)
    assert (answers, said) == ([42, 42, 2, 0], "")
    yield directory / DIRECTORY
    shutil.rmtree(directory)


@pytest.fixture
def warm(made, tmp_path):
    shutil.copytree(made, tmp_path / DIRECTORY)
    return tmp_path / DIRECTORY


@pytest.fixture
def fresh(monkeypatch):
    """Nothing has been said, and no directory looked at."""
    monkeypatch.setattr(kernel_cache, "_told", set())
    monkeypatch.setattr(compile_stats.listener, "say", None)  # a command may have changed it
    kernel_cache._place.cache_clear()
    yield
    kernel_cache._place.cache_clear()


def test_a_private_directory_with_a_digest_in_every_file(made):
    assert stat.S_IMODE(made.stat().st_mode) == 0o700
    assert len(kernels(made)) == 2
    for file in kernels(made):
        assert stat.S_IMODE(file.stat().st_mode) & 0o022 == 0
        assert file.read_bytes().startswith(kernel_cache.MAGIC)
    assert run(BOTH, made) == ([42, 42, 0, 2], "")


class Trap:
    """A pickle that makes a directory when it is read."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return os.mkdir, (self.path,)


def test_kernels_in_a_directory_open_to_others_are_not_read(warm):
    warm.chmod(0o777)
    answers, said = run(BOTH, warm)
    assert answers == [42, 42, 2, 0]
    assert said.count("CacheWarning") == 1
    assert "is not used, so kernels are compiled anew in every run: other users can write" in said
    warm.chmod(0o700)
    assert run(BOTH, warm) == ([42, 42, 0, 2], "")


@pytest.mark.parametrize("signed", [False, True])
def test_no_pickle_is_read(warm, tmp_path, signed):
    trap = tmp_path / "trapped"
    for file in kernels(warm):
        payload = pickle.dumps(Trap(trap))
        file.write_bytes((kernel_cache._head(file.name, payload) if signed else b"") + payload)
    assert run(BOTH, warm) == ([42, 42, 2, 0], "")
    assert not trap.exists()
    assert run(BOTH, warm) == ([42, 42, 0, 2], "")


def test_flipped_bits_never_crash_and_the_file_is_replaced(warm):
    code = TINY + """
import random
from zermelo.compiler.cache import place
chance = random.Random(5)
path = next(place().directory / name for name in os.listdir(place().directory) if "double" in name)
sound = path.read_bytes()
for flip in range(40):
    damaged = bytearray(sound)
    damaged[chance.randrange(len(sound))] ^= 1 << chance.randrange(8)
    path.write_bytes(damaged)
    assert place().read(path.name) is None
    if flip % 10 == 0:
        factory._compiled.clear()
        assert kernel(double)(21) == 42
        assert place().read(path.name) is not None
for end in (0, 1, 20, 90, len(sound) // 2, len(sound) - 1):
    path.write_bytes(sound[:end])
    assert place().read(path.name) is None
done()
"""
    assert run(code, warm) == ([4, 0], "")


def test_exchanged_files_are_noticed(warm):
    one, other = kernels(warm)
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)
    assert run(BOTH, warm) == ([42, 42, 2, 0], "")
    assert run(BOTH, warm) == ([42, 42, 0, 2], "")


def test_a_link_is_not_followed(warm, tmp_path):
    for file in kernels(warm):
        file.rename(tmp_path / file.name)
        file.symlink_to(tmp_path / file.name)
    answers, said = run(BOTH, warm)
    assert answers == [42, 42, 2, 0]
    assert said.count("CacheWarning") == 1
    assert not any(file.is_symlink() for file in kernels(warm))


def test_a_file_that_others_can_write_is_replaced(warm):
    for file in kernels(warm):
        file.chmod(0o666)
    answers, said = run(BOTH, warm)
    assert answers == [42, 42, 2, 0]
    assert "is not used: other users can write to it." in said
    assert run(BOTH, warm) == ([42, 42, 0, 2], "")


@as_root
def test_a_file_or_directory_of_another_user_is_not_used(warm):
    for file in kernels(warm):
        os.chown(file, NOBODY, NOBODY)
    answers, said = run(BOTH, warm)
    assert answers == [42, 42, 2, 0]
    assert "is not used: it belongs to another user." in said
    assert run(BOTH, warm) == ([42, 42, 0, 2], "")
    os.chown(warm, NOBODY, NOBODY)
    answers, said = run(BOTH, warm)
    assert answers == [42, 42, 2, 0]
    assert "is not used, so kernels are compiled anew in every run: it belongs to" in said


@as_root
def test_another_user_reads_what_root_has_compiled(warm):
    """The kernels are loaded after the process has become somebody who can't write here."""
    common = Path(tempfile.mkdtemp())
    try:
        common.chmod(0o755)
        shutil.copytree(warm, common / DIRECTORY)
        (common / DIRECTORY).chmod(0o755)
        code = TINY + f"""
import numba
numba.njit(lambda x: x)(1)  # loads all of the compiler, while its files can be read
first = kernel(double)(21)
os.setuid({NOBODY})
second = kernel(triple)(14)
def half(x):
    return x / 2
third = kernel(half)(84)
done(first, second, third)
"""
        answers, said = run(code, common, cwd="/")
        assert answers == [42, 42, 42, 1, 2]
        assert said.count("CacheWarning") == 1
        assert "compiled kernels can't be kept in " in said
    finally:
        shutil.rmtree(common)


def refuse(*_, **__):
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


def test_a_read_only_directory_is_used(tmp_path, monkeypatch, fresh):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    cache = kernel_cache.place()
    cache.write("a.kernel", b"code")
    monkeypatch.setattr(os, "utime", refuse)
    assert cache.read("a.kernel") == b"code"
    monkeypatch.setattr(os, "access", lambda *_: False)
    kernel_cache._place.cache_clear()
    assert kernel_cache.place() == KernelDirectory(tmp_path / DIRECTORY, False)


def test_a_write_that_fails_is_told_once(tmp_path, monkeypatch, fresh):
    cache = KernelDirectory(tmp_path, True)
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.warns(CacheWarning, match="can't be kept in .*: Read-only file system."):
        cache.write("a.kernel", b"code")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cache.write("a.kernel", b"code")
    assert list(tmp_path.iterdir()) == []


def test_who_is_trusted(monkeypatch):
    def trusted(owner, mode=stat.S_IFREG | 0o644, kind=stat.S_ISREG):
        return kernel_cache._distrust(SimpleNamespace(st_uid=owner, st_mode=mode), kind)

    monkeypatch.setattr(os, "getuid", lambda: 1000)
    assert trusted(1000) == trusted(0) == ""
    assert trusted(1001) == "it belongs to another user"
    assert trusted(1000, stat.S_IFREG | 0o620) == "other users can write to it"
    assert trusted(0, stat.S_IFREG | 0o602) == "other users can write to it"
    assert trusted(1000, stat.S_IFIFO | 0o600) == "it is not an ordinary file"
    assert trusted(1000, kind=stat.S_ISDIR) == "it is not a directory"
    monkeypatch.delattr(os, "getuid")
    assert trusted(1001) == ""


def test_a_place_that_can_not_be_used_is_one_sentence(tmp_path, monkeypatch, fresh):
    (tmp_path / "file").write_text("no directory")
    for name in ("file", "file/below"):
        monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / name))
        with pytest.warns(CacheWarning, match=r"directory '.*' is not used, .*: .*[Nn]ot a dir"):
            assert kernel_cache.place() is None
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert kernel_cache.place() is None


def test_the_command_line_tells_it_on_one_line(tmp_path):
    (tmp_path / "file").write_text("no directory")
    code = TINY + """
import zermelo.cli
zermelo.cli.run = lambda words: done(kernel(double)(21), kernel(triple)(14))
zermelo.cli.main()
"""
    answers, said = run(code, tmp_path / "file")
    assert answers == [42, 42, 2, 0]
    assert len(said.splitlines()) == 1
    assert said.startswith("zermelo: the cache directory '")
    assert said.endswith("(ZERMELO_CACHE names another directory, or 'off').\n")


FOREIGN = ("uv.lock", "poetry.lock", "notes.checked", "ubuntu.iso.part", "a.kernel", "b.usual",
           f"{'0' * 32}.iso", f"lib-{'0' * 32}.lock")


def entry(number, suffix=SUFFIX):
    """The name of an entry of the cache."""
    return f"games.play-{number:032x}-{number:032x}{suffix}"


def test_files_of_others_are_left_alone(tmp_path):
    """In the directory that is named, and among the kernels, where the first one is written."""
    ours = tmp_path / DIRECTORY
    assert run(BOTH, tmp_path) == ([42, 42, 2, 0], "")
    for file in kernels(ours):
        file.unlink()
    for place in (tmp_path, ours):
        for name in FOREIGN:
            (place / name).write_text("kept")
            os.utime(place / name, (1e9, 1e9))
    assert run(BOTH, tmp_path) == ([42, 42, 2, 0], "")
    assert kernel_cache.prune(ours, keep_bytes=0) == 2
    assert sorted(os.listdir(tmp_path)) == sorted([*FOREIGN, DIRECTORY])
    assert sorted(os.listdir(ours)) == sorted([*FOREIGN, MARKER])


def test_a_directory_of_somebody_else_is_not_used(tmp_path, monkeypatch, fresh):
    directory = tmp_path / DIRECTORY
    directory.mkdir(mode=0o700)
    (directory / "thesis.tex").write_text("kept")
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    with pytest.warns(CacheWarning, match=f"is not used, .*: it has other files and no {MARKER}"):
        assert kernel_cache.place() is None
    old = directory / entry(1)
    old.touch()
    os.utime(old, (1e9, 1e9))
    assert kernel_cache.prune(directory) == 0
    (directory / "thesis.tex").rename(tmp_path / "thesis.tex")
    kernel_cache._place.cache_clear()
    assert kernel_cache.place() == KernelDirectory(directory, True)
    assert kernel_cache.prune(directory) == 1
    shutil.rmtree(directory)
    directory.symlink_to(tmp_path)
    kernel_cache._place.cache_clear()
    monkeypatch.setattr(kernel_cache, "_told", set())
    with pytest.warns(CacheWarning, match="it is not a directory"):
        assert kernel_cache.place() is None


def test_prune_removes_the_oldest_first(tmp_path, monkeypatch, fresh):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    directory = kernel_cache.place().directory
    for age in range(4):
        file = directory / entry(age)
        file.write_bytes(b"x" * 100)
        os.utime(file, (1e9 - age, 1e9 - age))
    assert kernel_cache.prune(directory, keep_bytes=250, keep_days=1e9) == 2
    assert sorted(os.listdir(directory)) == [MARKER, entry(0), entry(1)]
    for name in (entry(5, ".lock"), f"{'a' * 32}.part", f"{'b' * 32}.checked"):
        (directory / name).touch()
        os.utime(directory / name, (1e9, 1e9))
    assert kernel_cache.prune(directory, keep_days=1) == 5


def test_cache_directory(monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", "off")
    assert kernel_cache.cache_directory() is None
    assert kernel_cache.place() is None
    monkeypatch.setenv("ZERMELO_CACHE", "/somewhere")
    assert kernel_cache.cache_directory() == Path("/somewhere/zermelo-kernels")
    monkeypatch.delenv("ZERMELO_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/home/x/.cache")
    monkeypatch.setattr(sys, "platform", "linux")
    assert kernel_cache.cache_directory() == Path("/home/x/.cache/zermelo-kernels")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert kernel_cache.cache_directory().parts[-3:] == ("Library", "Caches", "zermelo-kernels")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert kernel_cache.cache_directory() == Path("/local/zermelo-kernels")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_not_waited_for(tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(kernel_cache, "_told", set())
    monkeypatch.setattr(compile_stats.listener, "say", said.append)
    place, began = KernelDirectory(tmp_path, True), time.monotonic()
    with pipe(tmp_path / f"a{SUFFIX}") as path:
        assert place.read(path.name) is None
        assert time.monotonic() - began < SECONDS
    assert said == [f"the compiled kernel {str(path)!r} is not used: it is not an ordinary file."]
