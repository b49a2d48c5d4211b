"""Compiled kernels do what Python does."""

import json
import re
import shutil
from pathlib import Path

import fresh
import llvmlite
import numba
import numpy as np
import pytest
from heap_game import HEAP

from zermelo.compiler import factory
from zermelo.compiler.fingerprint import Reading
from zermelo.compiler.jit import kernel
from zermelo.kernel.bits import ZERO, popcount, word

RECORD = np.dtype([("big", "i8"), ("small", "i2"), ("bits", "u8"), ("flag", "u1")])
WEIGHTS = (3, -1, 4, 1, -5)
STEP = 3


def test_items_of_arrays():
    def read_and_write(numbers, table, records, small, at, unsigned):
        numbers[at] += 7
        numbers[-1] = numbers[-2] * 2
        numbers[unsigned] -= table[at, 1]
        table[-1, at] = numbers[at]
        table[unsigned, -2] = 5
        row = table[at]
        row[0] = 11
        records[at].big = numbers[0]
        records[-1].small = -3
        records[0] = records[at]
        small[at] = small[at] + 1
        item = records[at]
        item.flag = 1
        item.bits |= word(12)
        return len(table), table.shape[1], item.big, popcount(item.bits)

    def top(numbers, table, records, small, at, unsigned):
        return read_and_write(numbers, table, records, small, at, unsigned)

    run = kernel(top)
    for at in (0, 1, 2, -1, -3):
        for make in (lambda x: x, np.asfortranarray, lambda x: x[::-1, ::-1]):
            made = [(np.arange(5) * 10, make(np.arange(20).reshape(4, 5).copy()),
                     np.zeros(3, RECORD).view(np.recarray), np.arange(4, dtype=np.int8), at,
                     np.uint64(2)) for _ in range(2)]
            plain = list(made[0])
            compiled = [*made[1][:2], made[1][2].view(np.ndarray), *made[1][3:]]
            assert tuple(run(*compiled)) == tuple(int(x) for x in read_and_write(*plain))
            for one, other in zip(plain[:4], compiled[:4], strict=True):
                assert np.array_equal(np.asarray(one), np.asarray(other)), at


def test_loops():
    def sums(n, low, high, by, out):
        k = 0
        for i in range(n):
            out[k] = i
            k += 1
        for i in range(low, high):
            out[k] = i
            k += 1
        for i in range(low, high, STEP):
            out[k] = i
            k += 1
        for i in range(low, high, by):
            if i == 4:
                continue
            out[k] = i
            k += 1
        for i in range(high, low, -2):
            out[k] = i
            k += 1
        for weight in WEIGHTS:
            if weight < -2:
                break
            for other in (weight, 2 * weight):
                out[k] = other
                k += 1
        else:
            out[k] = 99
        return k

    run = kernel(sums)
    for n in (-1, 0, 1, 5):
        for low, high in ((0, 0), (2, 9), (2, 8), (9, 2), (-4, 3), (5, 6)):
            for by in (1, 2, 5, -1, -3):
                plain, compiled = np.zeros(99, np.int64), np.zeros(99, np.int64)
                assert run(n, low, high, by, compiled) == sums(n, low, high, by, plain)
                assert np.array_equal(plain, compiled)


def test_variables_with_several_values():
    def collatz(start, most):
        n, steps, largest, last = start, 0, start, 0
        while n != 1:
            if steps == most:
                return -1, largest, last
            last = n
            if n % 2:
                n = 3 * n + 1
            else:
                n //= 2
            if n > largest:
                largest = n
            steps += 1
        n, steps = steps, n
        return n, largest, last + steps

    def nested(a, b):
        found = -1
        for i in range(a):
            x = i * b
            for j in range(b):
                y = x + j
                if y % 7 == 3:
                    found = y
                    break
            else:
                found -= 1
            x = found
        return found

    for start in (1, 6, 7, 27):
        assert kernel(collatz)(start, 50) == collatz(start, 50)
    for a, b in ((0, 3), (4, 5), (7, 2), (9, 9)):
        assert kernel(nested)(a, b) == nested(a, b)


def test_what_an_inner_function_raises_comes_through():
    def deep(x):
        if x == 3:
            raise ValueError("three")
        return x + 1

    def middle(x, out):
        out[0] = deep(x)
        nothing(out)

    def nothing(out):
        out[1] += 1

    def outer(x, out):
        middle(x, out)
        return out[0] > 2

    run, out = kernel(outer), np.zeros(2, np.int64)
    assert run(1, out) == False  # noqa: E712 (a truth value, not a number)
    assert run(2, out) == True  # noqa: E712
    with pytest.raises(ValueError, match="three"):
        run(3, out)
    with pytest.raises(IndexError):
        kernel(lambda i: WEIGHTS[i])(7)
    with pytest.raises(ValueError, match="must not be zero"):
        kernel(lambda by: len([0]) if by else sum_of(by))(0)
    assert out.tolist() == [3, 2]


def sum_of(by):
    total = 0
    for i in range(0, 4, by):
        total += i
    return total


def test_extremes_have_the_types_of_numba():
    def extremes(a, b, x, out):
        out[0] = max(a, b, 3)
        out[1] = min(a, b)
        out[2] = max(x, 1)
        out[3] = min(x, 2.5, a)
        return max(word(a), word(b)) > ZERO, min(1, 2), max((a, b))

    for a, b, x in ((1, 2, 0.5), (5, 4, 7.0), (3, 3, -1.5)):
        plain, compiled = np.zeros(4), np.zeros(4)
        found = kernel(extremes)(a, b, x, compiled)
        assert found == extremes(a, b, x, plain)
        assert np.array_equal(plain, compiled)

    def larger(a, b):
        return max(a, b)

    for one, other, kind in (("i4", "i8", "int64"), ("u8", "i8", "float64"), ("u1", "i1", "int16"),
                             ("f4", "i8", "float64"), ("u2", "u1", "uint16")):
        entry = kernel(larger)
        assert entry(np.dtype(one).type(3), np.dtype(other).type(5)) == 5
        assert entry.nopython_signatures[-1].return_type == kind


def test_kernels_that_another_compiler_made_are_not_loaded(tmp_path, monkeypatch):
    home, copy = Path(factory.__file__).parent, tmp_path / "compiler"
    shutil.copytree(home, copy)
    digests = {factory.makers_digest()}
    for name in factory.MAKERS:
        with (copy / f"{name}.py").open("a") as file:
            file.write("CHANGED = True\n")
        digests.add(factory.makers_digest.__wrapped__(copy))
    assert len(digests) == 1 + len(factory.MAKERS)
    before = factory._key(Reading(sum_of))
    monkeypatch.setattr(factory, "makers_digest", lambda: "another")
    assert factory._key(Reading(sum_of)) != before


def test_all_that_makes_code_is_known():
    """What the compiler is put together from, but for what keeps kernels and counts them."""
    home, found, waiting = Path(factory.__file__).parent, set(), {"factory"}
    others = {"cache", "callback", "compile_stats", "fingerprint"}
    while waiting:
        name = waiting.pop()
        found.add(name)
        source = (home / f"{name}.py").read_text()
        named = re.findall(r"from zermelo\.compiler import (.+)", source)
        parts = {part.strip() for line in named for part in line.split(",")}
        parts |= set(re.findall(r"from zermelo\.compiler\.(\w+) import", source))
        waiting |= parts - found - others
    assert found == set(factory.MAKERS)


def run(code, cache):
    """What a program prints last, in a process that has compiled nothing."""
    done = fresh.run(code, ZERMELO_CACHE=str(cache))
    assert done.status == 0, done.err
    return json.loads(done.out.splitlines()[-1])


SOLVED = HEAP + """
import json
from zermelo.compiler.compile_stats import stats
found = zermelo.solve(Heap().position(heap=7, who=0), "weak-df-pn")
print(json.dumps([str(found.value), found.nodes, stats.compiled]))
"""
GONE = """
import numba.core.codegen
del numba.core.codegen.JITCodeLibrary  # a name of a Numba that was
"""
FAILING = """
from zermelo.compiler import pipeline
pipeline.EntryCode.build = None
"""


@pytest.mark.long
def test_the_usual_way_finds_the_same(tmp_path):
    cold = run(SOLVED, tmp_path / "kept")
    assert cold[2] > 0
    for number, change in enumerate((GONE, FAILING)):
        assert run(change + SOLVED, tmp_path / str(number))[:2] == cold[:2]


BROKEN = HEAP + """
from llvmlite import binding
def fail(*arguments): raise RuntimeError("a fault in LLVM")
binding.parse_assembly = fail
"""


def test_a_fault_of_the_compiler_names_the_versions_and_blames_no_rules(tmp_path):
    code = BROKEN + """
import json
said = []
for position in (zermelo.game("hex", size=3).start(), Heap().position(heap=7, who=0)):
    try:
        zermelo.solve(position, "pn")
    except zermelo.CompilerFault as error:
        said.append(str(error))
print(json.dumps(said))
"""
    said = run(code, tmp_path)
    assert [text.partition(":")[0] for text in said] == ["hex", "heap"]
    for text in said:
        assert ": the compiler failed: RuntimeError: a fault in LLVM (" in text
        assert f"numba {numba.__version__}, llvmlite {llvmlite.__version__}, numpy" in text


def test_the_command_line_ends_with_status_4_after_a_fault_of_the_compiler(tmp_path):
    code = BROKEN + """
import sys
from zermelo.cli import main
sys.argv = ["zermelo", "solve", "tic-tac-toe"]
main()
"""
    done = fresh.run(code, ZERMELO_CACHE=str(tmp_path))
    assert (done.status, done.out) == (4, "")
    assert "zermelo.errors.CompilerFault: tic-tac-toe: the compiler failed" in done.err
