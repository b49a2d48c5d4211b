"""The keys of kernels: all values that code depends on are in them, also those changed later."""

import builtins
import functools
import types
from enum import Enum, IntEnum
from typing import NamedTuple

import edits
import fresh
import numba
import numpy as np
import pytest

import zermelo
from zermelo.compiler.cache import CacheWarning
from zermelo.compiler.factory import entry_of
from zermelo.compiler.fingerprint import Unhashable, fingerprint
from zermelo.compiler.jit import jit_enabled, kernel

NAN = np.array([0x7FF8000000000000, 0x7FF8000000000001], np.uint64).view(np.float64)
LONG = [np.arange(5_000), np.arange(5_000)]
LONG[1][2_500] += 1  # which its repr does not show

# In each row no two values are the same to compiled code, though some are equal, look alike or have
# equal reprs.
ROWS = [
    (0, False, 0.0, -0.0, np.int64(0), np.uint64(0), np.float32(0), np.False_, 0j, -0j, None, "0"),
    (1, True, 1.0, np.int8(1), np.uint8(1), np.True_, "1", b"1", "int 1", (1,), ((1,),)),
    (float(NAN[0]), float(NAN[1]), -float(NAN[0]), "nan"),
    ((1, 23), (12, 3), (1, 2, 3), ((1, 2), 3), (1, (2, 3)), "1, 2, 3"),
    (("a\0", "b"), ("a", "\0b"), ("a\0b",), "a\0b", ("a", "b")),
    (10**5000, 10**5000 + 1),
    (*LONG, LONG[0].astype(float), LONG[0][::2], LONG[0].reshape(50, 100)),
    (np.zeros(3), np.zeros(4), -np.zeros(3), np.zeros((3, 1)), np.zeros(3, np.int64), (0.0, 0.0)),
    (np.zeros((3, 2)), np.asfortranarray(np.zeros((3, 2)))),
    (np.dtype("i4"), np.dtype("u4"), np.dtype([("a", "i4")]), np.dtype([("b", "i4")]),
     np.dtype([("a", "i4"), ("b", "i8")]), np.dtype([("a", "i4"), ("b", "i8")], align=True)),
    (np.zeros(1, [("a", "i4")])[0], np.ones(1, [("a", "i4")])[0], np.zeros(1, [("b", "i4")])[0]),
    (np.int64, np.uint64, np.float64, int, float, bool, min, max, abs, np.sum, np.prod, np.add),
    (slice(1, 2), slice(1, 3), slice(1, 2, 1), (1, 2)),
    (numba.int64, numba.uint64, numba.prange),
    (IntEnum("Colour", "RED BLUE").RED, IntEnum("Colour", "RED BLUE").BLUE,
     IntEnum("Colour", {"RED": 2}).RED, Enum("Colour", "RED BLUE").RED,
     Enum("Colour", {"RED": (1,)}).RED),
    (IntEnum("Colour", "RED"), Enum("Colour", "RED"), IntEnum("Colour", {"RED": 2})),
    (NamedTuple("Pair", [("a", int)])(1), NamedTuple("Pair", [("b", int)])(1), (1,)),
    (NamedTuple("Pair", [("a", int)]), NamedTuple("Pair", [("a", int), ("b", int)])),
    (lambda x: x, lambda x: -x, lambda y: y, lambda x, *y: x, lambda x, y: x, lambda x, y=1: x,
     lambda x, y=True: x, lambda x, *, y=1: x, lambda x, *, y=2: x, lambda x, *, y: x,
     lambda x, /, y=1: x, lambda x, y=min: x, lambda x, y=max: x, lambda x, y=(lambda: 1): x,
     lambda x, y=(lambda: 2): x, lambda x: 1, lambda x: True, lambda x: 1.0, lambda x: x in {1, 2},
     lambda x: x in {1, 3}, lambda x: x in (1, 2), lambda x: "1", lambda x: (1, -0.0),
     lambda x: (1, 0.0), lambda x: [y + 2 for y in x], lambda x: [y + 1 for y in x]),
    (numba.njit(lambda x: x), numba.njit(lambda x: -x), numba.njit(lambda x: x, fastmath=True),
     numba.njit("i8(i8)")(lambda x: x), numba.njit("f8(f8)")(lambda x: x), lambda x: x),
]


def closure(value):
    return lambda: value


def scoped(source, **values):
    """The function f of a module with these values."""
    space = {"__name__": "some_game", **values}
    exec(source, space)
    return space["f"]


def module(name="config", **values):
    made = types.ModuleType(name)
    vars(made).update(values)
    return made


def klass(**values):
    return type("Config", (), values)


WAYS = {
    "closure": closure,
    "global": lambda value: scoped("def f(): return X", X=value),
    "shadowed": lambda value: scoped("def f(): return range", range=value),
    "default": lambda value: scoped("def f(x=X): return x", X=value),
    "keyword": lambda value: scoped("def f(*, x=X): return x", X=value),
    "module": lambda value: scoped("def f(): return config.X", config=module(X=value)),
    "package": lambda value: scoped("def f(): return a.b.X", a=module(b=module(X=value))),
    "numpy": lambda value: scoped("def f(): return np.X", np=module(X=value)),
    "class": lambda value: scoped("def f(): return Config.X", Config=klass(X=value)),
    "base": lambda value: scoped("def f(): return Config.X",
                                 Config=type("Config", (klass(X=value),), {})),
    "in a module": lambda value: scoped("def f(): return config.Config.X",
                                        config=module(Config=klass(X=value))),
    "inner": lambda value: scoped("def f():\n def g(): return config.X\n return g()",
                                  config=module(X=value)),
    "called": lambda value: closure(scoped("def f(): return config.X", config=module(X=value))),
    "wrapped": lambda value: functools.wraps(np.sum)(closure(value)),
    "tuple": lambda value: closure((1, (value, 2))),
}


def differ(functions):
    prints = [fingerprint(function) for function in functions]
    return len(set(prints)) == len(prints)


@pytest.mark.parametrize("way", WAYS)
def test_values_that_differ_have_other_digests(way):
    for row in ROWS:
        if way in ("class", "base", "in a module"):  # where a function is a method
            row = [value for value in row if not hasattr(type(value), "__get__")]
        assert differ(map(WAYS[way], row))
        for value in row:
            assert fingerprint(WAYS[way](value)) == fingerprint(WAYS[way](value))


def test_digests_do_not_depend_on_where_a_value_is_from():
    assert fingerprint(WAYS["module"](3)) == fingerprint(scoped(
        "import math\ndef f(): return config.X", config=module("other", X=int("3"), Y=4)))


def test_docstrings_and_constants_are_told_apart():
    texts = ['"ab"; return len("ab")', '"abc"; return len("abc")', '"abc"; return len("ab")',
             '"abc"; return len("abc") + 0', '"ab"; return len("")']
    assert differ(scoped(f"def f(): {text}") for text in texts)
    prose = [scoped(f'def f():\n    """{doc}"""\n    return len("ab")') for doc in ("abc", "abd")]
    assert not differ(prose)
    inner = [f'def f():\n def g():\n  "{text}"\n  return {value}\n return g()'
             for text, value in (("ab", "'ab'"), ("abc", "'abc'"))]
    assert differ(map(scoped, inner))


def test_names_that_python_finds_elsewhere_count():
    functions = [scoped("def f(): return some_name")]
    builtins.some_name = 1
    try:
        functions.append(scoped("def f(): return some_name"))
        prints = [fingerprint(functions[1])]
        builtins.some_name = 2
        prints.append(fingerprint(functions[1]))
    finally:
        del builtins.some_name
    assert len({*prints, fingerprint(functions[0])}) == 3


class Odd:
    X = 1


UNKNOWN = {
    "a list": closure([1]), "a dict": closure({1: 2}), "an instance": closure(Odd()),
    "a class": closure(Odd), "partial": closure(functools.partial(min, 1)),
    "a bound method": closure([].append), "objects": closure(np.array([None])),
    "a local name": scoped("def f():\n same = config\n return same.X", config=module(X=1)),
    "by name": scoped("def f(): return getattr(config, 'X')", config=module(X=1)),
    "one of two": scoped("def f(x): return (a if x else b).X", a=module(X=1), b=module(X=2)),
    "made when asked": scoped("def f(): return config.X", config=module(__getattr__=len)),
    "a property": scoped("def f(): return Config.X", Config=klass(X=property(len))),
    "imported in it": scoped("def f():\n import test_keys\n return test_keys.X"),
    "a subclass": closure(type("Number", (int,), {})(3)),
    "a ufunc of its own": closure(np.frompyfunc(len, 1, 1)),
    "in a tuple": closure((1, [2])), "as a default": scoped("def f(x=[]): return x"),
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_what_can_not_be_digested_is_not_kept(case):
    with pytest.raises(Unhashable, match="can't be part of a compiled function's key"):
        fingerprint(UNKNOWN[case])


def patched_code(f):
    f.__code__ = (lambda: 5).__code__


def patched_cell(f):
    f.__closure__[0].cell_contents = 5


def put(space, **values):
    vars(space).update(values)


def changes():
    """Functions that give 3, and a change after which they give 5."""
    config, array, here = module(X=3), np.array([3, 1]), scoped("def f(): return X", X=3)
    keyword, plain = scoped("def f(*, x=3): return x"), scoped("def f(x=3): return x")
    two = scoped("def f(): return config.X", config=config)
    code, builtin = scoped("def f(): return 3"), scoped("def f(): return min(3, 4) + max(0, 0)")
    helper = scoped("def g(): return config.X\ndef f(): return g()", config=module(X=3))
    jitted = scoped("def f(): return g()", g=numba.njit(closure_of(config_2 := module(X=3))))
    far = module(g=numba.njit(closure_of(config_3 := module(X=3))))
    yield "global", here, lambda: here.__globals__.update(X=5)
    yield "module", two, lambda: put(config, X=5)
    yield "cell", (cell := closure(3)), lambda: patched_cell(cell)
    yield "array", scoped("def f(): return A[0]", A=array), lambda: array.__setitem__(0, 5)
    yield "default", plain, lambda: setattr(plain, "__defaults__", (5,))
    yield "code", code, lambda: patched_code(code)
    yield "shadowed", builtin, lambda: builtin.__globals__.update(max=min_of_5)
    yield "helper", helper, lambda: put(helper.__globals__["config"], X=5)
    yield "another helper", (other := scoped("def g(): return 3\ndef f(): return g()")), \
        lambda: other.__globals__.update(g=scoped("def f(): return 5"))
    yield "jitted", jitted, lambda: put(config_2, X=5)
    yield "jitted in a module", scoped("def f(): return far.g()", far=far), \
        lambda: put(config_3, X=5)
    yield "keyword", keyword, lambda: keyword.__kwdefaults__.update(x=5)


def closure_of(config):
    return lambda: config.X


def min_of_5(a, b):
    return 2


CHANGES = {name: (function, change) for name, function, change in changes()}


@pytest.mark.skipif(not jit_enabled(), reason="plain Python sees every change")
@pytest.mark.parametrize("case", [name for name in CHANGES if name != "keyword"])
def test_a_value_that_changes_is_refused_or_seen(case):
    function, change = CHANGES[case]
    old = kernel(function)
    assert old() == 3
    change()
    with pytest.raises(zermelo.BadGame, match=r"changed .*since the rules or the search that use"):
        old()
    assert kernel(function)() == 5


def test_keyword_defaults_are_watched():
    function, change = CHANGES["keyword"]
    before = fingerprint(function)
    change()
    assert fingerprint(function) != before


NIM = """
import zermelo, config
from helpers import at_most
class Nim(zermelo.Game):
    def define(self):
        def moves(g, s, out):
            n = min(at_most(), s.n)
            for i in range(n):
                out[i] = i + 1
            return n
        def play(g, s, move, t):
            t.n = s.n - move
            t.m = 1 - s.m
        def mover(g, s):
            return s.m
        def outcome(g, s):
            if s.n > 0:
                return zermelo.ONGOING
            return zermelo.FIRST_WINS + (s.m if config.MISERE else 1 - s.m)
        def key(g, s):
            return s.n * 2 + s.m
        return zermelo.Rules(state=[("n", "i8"), ("m", "i8")], max_moves=9, max_length=50,
                             moves=moves, play=play, mover=mover, outcome=outcome, key=key)
"""
SOLVED = """
import zermelo
game = zermelo.game("nim.py:Nim")
print([str(zermelo.solve(game.position(n=n, m=0), "pn").value) for n in range(1, 9)])
"""


def nim(most, misere):
    """Who takes the last one wins, or loses."""
    wins = [misere]
    for n in range(1, 9):
        wins.append(not all(wins[max(0, n - most):n]))
    return str(["win" if value else "loss" for value in wins[1:]])


def test_constants_two_imports_away(tmp_path):
    (tmp_path / "nim.py").write_text(NIM)
    (tmp_path / "config.py").write_text("from values import MISERE, most\n")
    (tmp_path / "helpers.py").write_text("import config\ndef at_most(): return config.most\n")
    (tmp_path / "values.py").write_text("import json, os\nMISERE = bool(os.environ.get('MISERE'))\n"
                                        "most = json.load(open('values.json'))\n")
    for most, misere in ((3, ""), (2, "1")):
        (tmp_path / "values.json").write_text(str(most))
        done = fresh.run(SOLVED, cwd=str(tmp_path), ZERMELO_CACHE=str(tmp_path / "cache"),
                         MISERE=misere)
        assert done.out.strip() == nim(most, bool(misere)), done.err


def test_kernels_that_are_not_kept_are_named_once(tmp_path):
    (tmp_path / "nim.py").write_text(NIM.replace("if config.MISERE", "if same.MISERE").replace(
        "def outcome(g, s):", "def outcome(g, s):\n            same = config"))
    (tmp_path / "helpers.py").write_text("def at_most(): return 3\n")
    for misere in (False, True):
        (tmp_path / "config.py").write_text(f"MISERE = {misere}")
        done = fresh.run(SOLVED, cwd=str(tmp_path), ZERMELO_CACHE=str(tmp_path / "cache"))
        assert done.out.strip() == nim(3, misere)
        assert done.err.count(CacheWarning.__name__) == 1
        assert "not kept: config, a module of which more than an attribute is used" in done.err


def test_numba_keeps_what_it_read_by_name():
    config = module(X=3)
    function = scoped("def f(): return getattr(config, 'X')", config=config)
    assert kernel(function)() == 3
    config.X = 5
    if jit_enabled():
        with pytest.raises(zermelo.BadGame, match=r"a value of config, a module .* name the attri"):
            kernel(function)()


@pytest.mark.quick_cases("9")
@pytest.mark.parametrize("number", [9, 500])
def test_random_edits(number, tmp_path):
    """Each seen, in files and in a running program, whatever is in the cache."""
    assert edits.attack(number, number, tmp_path, solve_each=8) == []


def test_a_function_that_a_user_compiled_has_the_values_of_now(monkeypatch):
    """In kernels that Numba calls, too, whichever of them made Numba compile it before."""
    monkeypatch.setenv("NUMBA_OPT", "3")  # no kernel stands alone
    space = {"__name__": "users"}
    exec("def times(x): return x * X\ndef kernel(x): return times(x)", space)
    space["times"] = numba.njit(space["times"])
    for factor, number in ((1, 3), (2, 3), (2, 2.5), (1, 2.5)):
        space["X"] = factor
        assert entry_of(space["kernel"])(number) == factor * number
