"""Compilation and its cache: right code for the right game, cold and warm, and few compilations."""

import dis
import json
import os
import subprocess
import sys

import fresh
import numpy as np
import pytest
from heap_game import HEAP_WITH_ARRAYS

import zermelo
from zermelo.compiler import pipeline
from zermelo.compiler.compile_stats import stats
from zermelo.compiler.fingerprint import Unhashable, fingerprint, reads, references
from zermelo.compiler.jit import kernel
from zermelo.core import watched
from zermelo.kernel import rng as real
from zermelo.kernel.bits import lowest, mix, popcount
from zermelo.kernel.rng import below, start_counter

pytestmark = pytest.mark.slow

TWO_GAMES = """
import json, zermelo
from zermelo.compiler.compile_stats import stats
rows = []
for game, text in ((zermelo.game("connect-four", columns=4, rows=4), "1234"),
                   (zermelo.game("hex", size=3), "start"),
                   (zermelo.game("connect-four", columns=4, rows=4, line=3), "1234")):
    result = zermelo.solve(game.parse(text), "pn")
    rows.append([str(result.value), result.nodes, result.line])
print(json.dumps([rows, stats.compiled, stats.loaded]))
"""


def run(code, cache):
    done = fresh.run(code, ZERMELO_CACHE=str(cache))
    assert done.status == 0, done.err[-2000:]
    return json.loads(done.out.splitlines()[-1])


def run_anew(code, cache, **environment):
    """The same in a process that has not even loaded the compiler."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={**os.environ, "ZERMELO_CACHE": str(cache), **environment})
    return json.loads(done.stdout.splitlines()[-1])


def test_two_games_cold_and_warm_in_fresh_processes(tmp_path):
    cold, compiled, loaded = run(TWO_GAMES, tmp_path / "cache")
    assert compiled > 0
    assert loaded == 0
    warm, compiled_again, loaded_again = run_anew(TWO_GAMES, tmp_path / "cache")
    assert warm == cold
    assert compiled_again == 0
    assert loaded_again == compiled
    assert [row[0] for row in cold] == ["draw", "win", "win"]
    here = zermelo.solve(zermelo.game("hex", size=3).start(), "pn")
    assert [str(here.value), here.nodes, here.line] == cold[1]


@pytest.mark.long
def test_200_p_games_compile_once(tmp_path):
    code = """
import json, zermelo
from zermelo.compiler.compile_stats import stats
counts = []
for seed in range(200):
    game = zermelo.game("p-game", branching=2, depth=6, seed=seed)
    zermelo.solve(game.start(), "ppn", goal="win")
    counts.append(stats.compiled)
print(json.dumps(counts))
"""
    counts = run(code, tmp_path)
    assert counts[-1] == counts[9]
    assert counts[-1] <= 6


def test_options_of_a_search_compile_once():
    position = zermelo.game("connect-four", columns=5, rows=4, line=3).parse("1234")
    zermelo.solve(position, zermelo.DeepPN(R=0.5))
    before = stats.compiled
    for R in (0.0, 0.1, 0.9, 1.0):
        zermelo.solve(position, zermelo.DeepPN(R=R), nodes=1000)
    assert stats.compiled == before


def test_counting_to_any_depth_compiles_once():
    position = zermelo.game("tic-tac-toe").start()
    assert position.perft(3) == 504
    before = stats.compiled + stats.loaded
    assert [position.perft(depth) for depth in (1, 2, 4)] == [9, 72, 3_024]
    assert stats.compiled + stats.loaded == before


@pytest.mark.quick_cases("amount.py")
@pytest.mark.parametrize("edited", ["take.py", "amount.py"])
def test_editing_a_users_rules_runs_the_new_rules(tmp_path, edited):
    """Also where size and time of the file stay as they are, which Python's byte code goes by."""
    file = tmp_path / "take.py"
    source = """
import zermelo
from zermelo import FIRST_WINS, ONGOING, Rules

class TakeAtMost(zermelo.Game):
    '''Take 1 to MOST from a heap; who takes the last one wins.'''
    def define(self):
        most = TAKE
        def moves(g, s, out):
            n = min(most, s.heap)
            for i in range(n):
                out[i] = i + 1
            return n
        def play(g, s, move, t):
            t.heap = s.heap - move
            t.turn = 1 - s.turn
        def mover(g, s):
            return s.turn
        def outcome(g, s):
            return ONGOING if s.heap else FIRST_WINS + 1 - s.turn
        def key(g, s):
            return s.heap * 2 + s.turn
        return Rules(state=[("heap", "i8"), ("turn", "i8")], max_moves=most, max_length=20,
                     moves=moves, play=play, mover=mover, outcome=outcome, key=key)
"""
    code = f"""
import json, zermelo
game = zermelo.game({str(file)!r} + ":TakeAtMost")
positions = [game.parse(f"heap={{n}};turn=0") for n in range(1, 7)]
print(json.dumps([str(zermelo.solve(position, "pn").value) for position in positions]))
"""
    file.write_text("from amount import TAKE\n" + source)
    texts = {"take.py": source.replace("= TAKE", "= {}"), "amount.py": "TAKE = {}"}
    for most in (2, 3):
        (tmp_path / edited).write_text(texts[edited].replace("{}", str(most)))
        os.utime(tmp_path / edited, (0, 0))
        for _ in ("cold", "warm"):
            expected = ["loss" if n % (most + 1) == 0 else "win" for n in range(1, 7)]
            assert run(code, tmp_path / "cache") == expected


heap = [1, 2, 3]  # a list has no digest


def test_an_attribute_may_have_the_name_of_a_global():
    def rule(g, s):
        return s.heap

    def reader(g, s):
        return heap[0]

    assert references(rule) == {}
    assert len(fingerprint(rule)) == 32
    with pytest.raises(Unhashable):
        fingerprint(reader)


def test_globals_and_attributes_are_found_as_dis_finds_them():
    many = "\n".join(f"    x.name_{i} = other_{i}.some_{i}.more" for i in range(300))
    scope = {}
    exec(f"def wide(x):\n{many}\n    return [y + late for y in x]", scope)
    for function in (scope["wide"], run, fingerprint, references,
                     pipeline.compilers.__wrapped__):
        expected, waiting = {}, [function.__code__]
        while waiting:
            code = waiting.pop()
            waiting += [part for part in code.co_consts if hasattr(part, "co_code")]
            name = None
            for step in dis.get_instructions(code):
                if step.opname in ("EXTENDED_ARG", "NOP"):
                    continue
                if step.opname in ("LOAD_ATTR", "LOAD_METHOD") and name is not None:
                    chain += (step.argval,)  # noqa: F821 (it has a name)
                    continue
                if name is not None:
                    expected.setdefault(name, set()).add(chain)
                name, chain = None, ()
                if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                    name = step.argval
        assert reads(function.__code__).globals == expected
    assert len(reads(scope["wide"].__code__).globals) == 301
    assert reads(scope["wide"].__code__).globals["other_7"] == {("some_7", "more")}


def test_native_bit_operations_equal_their_plain_twins():
    def all_three(x):
        return popcount(x), lowest(x), mix(x)

    native = kernel(all_three)
    random = np.random.default_rng(5)
    values = [0, 1, 2**63, 2**64 - 1, *random.integers(0, 2**64, 500, dtype=np.uint64)]
    for value in values:
        count, low, mixed = native(np.uint64(value))
        plain = (popcount(value), lowest(value), mix(value))
        assert (count, low, np.uint64(mixed)) == plain


def test_random_numbers_are_a_function_of_seed_and_key():
    def draws(seed, key, n, out):
        counter = np.zeros(1, np.uint64)
        counter[0] = start_counter(seed, key)
        for i in range(len(out)):
            out[i] = below(counter, n)

    native = kernel(draws)
    first, again, other = (np.zeros(70_000, np.int64) for _ in range(3))
    native(np.uint64(3), np.uint64(9), 7, first)
    native(np.uint64(3), np.uint64(9), 7, again)
    native(np.uint64(4), np.uint64(9), 7, other)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    plain = np.zeros(50, np.int64)
    draws(np.uint64(3), np.uint64(9), 7, plain)
    assert np.array_equal(plain, first[:50])
    counts = np.bincount(first, minlength=7)
    assert len(counts) == 7
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 35  # chi-square, 6 degrees of freedom


def test_ln_and_exp_are_accurate():
    for n in [1, 2, 3, 10, 12_345, 10**6, 10**9]:
        assert real.ln(n) == pytest.approx(np.log(n), rel=1e-14, abs=1e-15)
    for x in [-690.0, -7.5, -1.0, -1e-3, 0.0, 0.5, 1.0, 20.0, 690.0]:
        assert real.exp(x) == pytest.approx(np.exp(x), rel=1e-13)
    assert real.exp(1e9) == real.exp(700.0)


def test_rules_that_do_not_compile_say_so():
    def moves(g, s, out):
        out[0] = len(str(s.heap))
        return 1

    def play(g, s, move, t):
        t.heap = unknown_name  # noqa: F821

    def zero(g, s):
        return 0

    class Odd(zermelo.Game):
        def define(self):
            return zermelo.Rules(state=[("heap", "i8")], max_moves=9, max_length=9, moves=moves,
                                 play=play, mover=zero, outcome=zero, key=zero)

    with pytest.raises(zermelo.BadGame, match=r"the rules do not compile: .*'unknown_name'"):
        Odd().start().play_code(1)
    with pytest.raises(zermelo.BadGame, match="the rules do not compile"):
        zermelo.solve(Odd().start(), "pn")


ARRAYS_IN_A_RULE = HEAP_WITH_ARRAYS + """
import json
from zermelo.compiler.compile_stats import stats
values = [str(zermelo.solve(Heap().position(heap=n, who=0), "pn").value) for n in range(1, 8)]
print(json.dumps([values, stats.compiled, stats.loaded]))
"""


@pytest.mark.long
def test_rules_that_make_arrays_are_kept_too(tmp_path):
    cold, compiled, loaded = run(ARRAYS_IN_A_RULE, tmp_path / "cache")
    assert cold == ["win", "win", "loss", "win", "win", "loss", "win"]
    assert (compiled > 0, loaded) == (True, 0)
    assert run(ARRAYS_IN_A_RULE, tmp_path / "cache") == [cold, 0, compiled]


def test_a_rule_that_forgets_to_return_says_so(monkeypatch):
    def moves(g, s, out):
        out[0] = 1
        return 1

    def play(g, s, move, t):
        t.heap = s.heap - 1

    def zero(g, s):
        return 0

    def outcome(g, s):
        if s.heap > 0:
            return 0

    class Forgetful(zermelo.Game):
        def define(self):
            return zermelo.Rules(state=[("heap", "i8")], max_moves=1, max_length=9, moves=moves,
                                 play=play, mover=zero, outcome=outcome, key=zero)

    with pytest.raises(zermelo.BadGame, match="outcome returns None; it must be 0 to 3, at"):
        zermelo.solve(Forgetful().position(heap=3))
    monkeypatch.setattr(watched, "POSITIONS", 0)  # where random games do not come by
    with pytest.raises(zermelo.BadGame, match="a rule does not return a number"):
        zermelo.solve(Forgetful().position(heap=3))
