"""Kernels that are linked and called without Numba: the same answers, and nothing is guessed."""

import ctypes
import os
import subprocess
import sys
from collections import namedtuple
from typing import NamedTuple

import numpy as np
import pytest

from zermelo.compiler import entry, factory, pipeline
from zermelo.compiler.cache import DIRECTORY, SUFFIX, USUAL_SUFFIX
from zermelo.compiler.entry import (
    UNTOLD,
    MachineCode,
    Unknown,
    described,
    linked,
    take,
    unpacked,
)
from zermelo.compiler.fingerprint import Reading
from zermelo.compiler.jit import jit_enabled, kernel

pytestmark = pytest.mark.skipif(not jit_enabled(), reason="about compiled code")
RECORD = np.dtype([("count", "i4"), ("cells", "u1", (3,)), ("key", "u8")], align=True)


class Arrays(NamedTuple):
    numbers: np.ndarray
    records: np.ndarray


class Other(NamedTuple):
    numbers: int
    records: int


class Nested(NamedTuple):
    arrays: Arrays
    factor: float


def kinds_of(*values):
    kinds, words = [], []
    take(values, kinds, words)
    return kinds


def alone(entry):
    """Was the kernel called without Numba, and nothing else?"""
    return entry._compiled.usual is None and all(run is not None for run in entry._runs.values())


@pytest.mark.long
def test_arrays_of_every_layout_are_read_as_numba_reads_them():
    def total(a, weights):
        sum = 0.0
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                sum += a[i, j] * weights[j] + a.size
        return sum, a.shape[0], a.strides[0], len(weights)

    entry, random = kernel(total), np.random.default_rng(3)
    base = random.integers(-99, 99, (6, 8))
    for kind in (np.int8, np.uint16, np.int64, np.float32, np.float64, np.bool_):
        for a in (base.astype(kind), base.astype(kind).T, base.astype(kind)[::2, 1:5],
                  np.asfortranarray(base.astype(kind)), base.astype(kind)[::-1]):
            weights = random.random(8)[::1 if a.shape[1] > 4 else 2][: a.shape[1]]
            weights = np.resize(weights, a.shape[1])
            assert entry(a, weights) == entry.usual(a, weights)
    assert all(run is not None for run in entry._runs.values())


def test_records_tuples_and_numbers_are_handed_over():
    def change(nested, plain, flag, small, big, real):
        arrays = nested.arrays
        for i in range(len(arrays.numbers)):
            arrays.numbers[i] += small + (1 if flag else 0)
        record = arrays.records[1]
        record.count -= plain[0]
        record.cells[2] = 7
        record.key = big
        return big, record.count, nested.factor * real, not flag

    def given():
        arrays = Arrays(np.arange(5), np.zeros(2, RECORD))
        numbers = True, np.int16(-5), np.uint64(2**63 + 1), 3.0
        return Nested(arrays, 0.25), (3, arrays.numbers), *numbers

    entry = kernel(change)
    ours, numbas = given(), given()
    answer = entry(*ours)
    assert alone(entry)
    assert answer == entry.usual(*numbas) == (2**63 + 1, -3, 0.75, False)
    assert [type(value) for value in answer] == [int, int, float, bool]
    assert ours[0].arrays.numbers.tolist() == [-4, -3, -2, -1, 0]
    assert ours[0].arrays.records.tobytes() == numbas[0].arrays.records.tobytes()


def test_what_comes_back_has_the_types_that_numba_gives():
    same = lambda x: x  # noqa: E731
    for function, argument in ((lambda x: None, 1), (same, -7), (lambda x: x > 2, 3),
                               (lambda x: x / 2, 7), (lambda x: (x,), 9),
                               (same, np.uint64(2**64 - 1)), (same, np.float32(0.1)),
                               (same, np.int8(-3))):
        entry = kernel(function)
        answer, usual = entry(argument), entry.usual(argument)
        assert (answer, type(answer)) == (usual, type(usual))
        assert None not in entry._runs.values()


def test_what_is_not_known_goes_numbas_way():
    class Own(tuple):
        __slots__ = ()

    class Shifted(namedtuple("Shifted", "a")):
        def __iter__(self):
            return iter((1, 2))

    titled = np.dtype([(("a title", "a"), "i8")])
    told = np.dtype("i8", metadata={"unit": "m"})
    for value in (2**63, -(2**63), "text", None, 1j, Own((1,)), Shifted(1), np.zeros(2, "S3"),
                  np.zeros(2, ">i8"), np.zeros(2, complex), np.zeros(1, titled), np.zeros(2, told),
                  np.zeros(1, RECORD)[0], np.longdouble(1), np.zeros(2).view(np.recarray)):
        with pytest.raises(Unknown):
            kinds_of(value)
    entry = kernel(lambda x: x * 3)
    assert entry(1j) == 3j
    assert entry._runs == {}
    with_default = kernel(_with_default)
    assert (with_default(4), with_default(4, 5)) == (7, 9)


def test_what_is_returned_by_numbas_way(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))  # a note in the cache would do otherwise
    pair = Other
    for function, answer in ((lambda x: pair(x, 2), Other(5, 2)), (lambda x: (), ()),
                             (lambda x: x * 1j, 5j)):
        entry = kernel(function)
        assert entry(5) == answer
        assert set(entry._runs.values()) == {None}


def _with_default(x, y=3):
    return x + y


def test_different_types_are_of_different_kinds():
    plain, aligned = np.dtype([("a", "i8")]), np.dtype([("a", "i8")], align=True)
    read_only = np.zeros(3)
    read_only.flags.writeable = False
    values = [1, 1.0, True, np.int64(1), np.int32(1), np.uint64(1), np.float32(1), (1,), (1, 1),
              (1, (1,)), np.zeros(3), read_only, np.zeros(3)[::2], np.zeros((1, 3)),
              np.zeros((2, 3)), np.zeros((2, 3)).T, np.zeros(3, "f4"), np.zeros(3, plain),
              np.zeros(3, aligned), Arrays(1, 1), Other(1, 1), np.zeros(3, [("b", "i8")]),
              np.zeros(3, [("a", "i8", (1,))])]
    texts = [described(kinds_of(value)) for value in values]
    assert len(set(texts)) == len(texts)
    assert described(kinds_of(np.zeros(4))) == described(kinds_of(np.ones(9)))


def test_what_a_kernel_raises_is_raised(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    some = (5, 7)

    def raising(x):
        if x > 3:
            raise ValueError("more than three", 4)
        if x < 0:
            raise KeyError
        return some[x]

    for _ in ("compiled", "loaded"):
        entry = kernel(raising)
        assert entry(1) == 7
        with pytest.raises(ValueError, match="more than three") as error:
            entry(4)
        assert error.value.args == ("more than three", 4)
        with pytest.raises(KeyError):
            entry(-1)
        with pytest.raises(IndexError, match="tuple index out of range"):
            entry(2)
        assert alone(entry)
        factory._compiled.clear()
    assert len(list((tmp_path / DIRECTORY).glob(f"*{SUFFIX}"))) == 1


def test_kernels_that_ask_python_do_not_stand_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))

    def printing(x):
        print(x)
        return x

    entry = kernel(printing)
    assert entry(3) == 3
    assert list(entry._runs.values()) == [None]
    assert len(list((tmp_path / DIRECTORY).glob(f"*{USUAL_SUFFIX}"))) == 1
    factory._compiled.clear()
    monkeypatch.setattr(factory, "compiled_alone", None)  # the note is read: nobody tries again
    assert kernel(printing)(3) == 3


def test_what_is_raised_with_a_value_has_its_class(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))

    def telling(x):
        if x > 3:
            raise ValueError("no", x, str(x) + " is too much")
        return x

    for _ in ("compiled", "loaded"):
        entry = kernel(telling)
        assert entry(3) == 3
        with pytest.raises(ValueError) as error:
            entry(4)
        assert error.value.args == ("no", UNTOLD, UNTOLD)
        assert alone(entry)
        factory._compiled.clear()


def test_machine_code_without_its_function_is_refused():
    entry = kernel(lambda x: x + 41)
    assert entry(1) == 42
    code = factory._alone(Reading(lambda x: x + 1), (1,))
    assert code is not None
    assert unpacked(code.pack()) == code
    with pytest.raises(ValueError, match="has no kernel_other"):
        linked(code._replace(symbol="kernel_other"))


def test_a_status_that_should_not_be_is_not_passed_over():
    shape = entry.ENTRY_TYPE(lambda words, results: -1)
    address = ctypes.cast(shape, ctypes.c_void_p).value
    with pytest.raises(SystemError, match="ended with status -1"):
        entry.Linked(MachineCode("", "q", False, "int64", False, b""), address)([])


def test_arrays_laid_out_otherwise_are_left_to_numba(monkeypatch):
    assert entry.arrays_are_known()
    monkeypatch.setattr(entry, "DATA", entry.STRIDES)
    assert not entry.arrays_are_known.__wrapped__()


def test_without_the_hooks_numba_calls_all_kernels(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))  # a note is written there
    monkeypatch.setattr(factory, "compilers", None)
    entry = kernel(lambda x: x + 1234)
    assert entry(1) == 1235
    assert list(entry._runs.values()) == [None]
    monkeypatch.setattr(factory, "can_stand_alone", lambda: False)
    entry = kernel(lambda x: x + 4321)
    assert entry(1) == 4322
    assert entry.name is None  # not kept


@pytest.mark.long
def test_numbas_settings_and_version_are_known_before_it_is_loaded(monkeypatch, tmp_path):
    code = """
import sys
from zermelo.compiler import pipeline as loading
stated, usual = loading.numba_version(), loading.usual_settings()
assert "numba" not in sys.modules
import numba
assert stated == numba.__version__, stated
print(usual)
"""

    def said(**environment):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        return subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, text=True,
                              capture_output=True, env={**kept, **environment}).stdout.strip()

    assert said() == said(NUMBA_NUM_THREADS="1") == "True"
    assert said(NUMBA_OPT="1") == said(NUMBA_BOUNDSCHECK="1") == "False"
    (tmp_path / ".numba_config.yaml").write_text("opt: 1\n")
    assert said() == "False"
    monkeypatch.delitem(sys.modules, "numba")
    monkeypatch.setattr(pipeline, "find_spec", lambda name: None)
    assert pipeline.numba_version.__wrapped__() == pipeline.load_numba().__version__


def test_a_solve_with_kernels_at_hand_does_not_load_numba():
    code = """
import sys
from zermelo.cli import run
status = run(["solve", "tic-tac-toe"])
print(status, sorted({name.partition(".")[0] for name in sys.modules} & {"numba", "llvmlite"}))
"""
    said = [subprocess.run([sys.executable, "-c", code], check=True, text=True, capture_output=True)
            .stdout.splitlines() for _ in range(2)]
    assert said[0][-1] in ("0 ['llvmlite', 'numba']", "0 ['llvmlite']")  # are kernels at hand?
    assert said[1][-1] == "0 ['llvmlite']"
    assert said[0][:-2] == said[1][:-2]
