"""A user's game is watched before it runs compiled: what would crash or corrupt is a sentence."""

import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from heap_game import Take
from heap_game import take as take_with

import zermelo
from zermelo.compiler.jit import jit_enabled
from zermelo.core import watched
from zermelo.core.watched import RuleTimeout, look_first, within
from zermelo.errors import BadGame

EXAMPLES = Path(__file__).parents[2] / "examples"


class Table(NamedTuple):
    most: np.ndarray


def play(g, s, move, t):
    t.heap = s.heap - move
    t.turn = 1 - s.turn
    for i in range(2):
        t.pair[i] = 0


ARRAYS = {"state": [("heap", "i8"), ("turn", "i1"), ("pair", "i4", (2,))], "play": play,
          "data": Table(np.arange(4))}


@pytest.fixture(autouse=True)
def without_memory(monkeypatch):
    monkeypatch.setattr(watched, "_seen", set())
    monkeypatch.setattr(watched, "SECONDS", 0.3)
    monkeypatch.setattr(watched, "PAUSE", 0.02)


def take(**changes):
    """The game of the heap with an array in its state, and one in its data."""
    return take_with(**ARRAYS | changes)


def look(game):
    look_first(game, np.array(game.start().state))


def test_nothing_is_said_of_a_good_game():
    look(take())
    look(zermelo.game(f"{EXAMPLES / 'chomp.py'}:Chomp"))
    look(zermelo.game(f"{EXAMPLES / 'connect_four_copy.py'}:ConnectFour"))


def moves_far_too_many(g, s, out):
    for i in range(5_000):
        out[i] = i
    return 3


def moves_unwritten(g, s, out):
    out[0] = 1
    return 2


def moves_wide(g, s, out):
    out[0] = 1 << 40
    return 1


def moves_half(g, s, out):
    out[0] = s.heap / 2
    return 1


def moves_into_g(g, s, out):
    g.most[0] = 5
    return 1


def moves_beyond_g(g, s, out):
    out[0] = g.most[s.heap]
    return 1


def moves_for_ever(g, s, out):
    while s.heap > 0:
        out[0] = 1
    return 1


def moves_too_late(g, s, out):
    raise RuleTimeout


def play_beyond(g, s, move, t):
    play(g, s, move, t)
    for i in range(20):
        t.pair[i] = 1


def play_into_s(g, s, move, t):
    play(g, s, move, t)
    s.turn = 1


def play_half(g, s, move, t):
    t.heap = s.heap - move


def play_misspelt(g, s, move, t):
    play(g, s, move, t)
    t.turns = 0


def play_wide(g, s, move, t):
    play(g, s, move, t)
    t.turn = 300


def play_divides(g, s, move, t):
    play(g, s, move, t)
    t.turn = 1 // (s.heap - s.heap)


HARM = [
    (moves_far_too_many, "moves writes beyond the list of moves: index 70 is out of bounds for "),
    (lambda g, s, out: 4, "moves gives 4 moves, but max_moves is 3, at 'heap=9;turn=0;pair=0.0'"),
    (lambda g, s, out: -1, "moves returns -1, not the number of moves"),
    (lambda g, s, out: None, "moves returns None, not the number of moves"),
    (moves_unwritten, "moves returns 2, but writes only 1 move, "),
    (moves_wide, "moves gives the move 1099511627776, which is beyond 32 bits"),
    (moves_half, "moves puts 4.5 into the list of moves, which holds whole numbers"),
    (moves_into_g, "moves writes into g.most, which it may only read"),
    (moves_beyond_g, "moves reads beyond g.most: index 9 is out of bounds"),
    (moves_too_late, "moves does not return within 0.3 seconds as plain Python (line "),
    (play_beyond, "play writes beyond t.pair: index 2 is out of bounds"),
    (play_into_s, "play writes into s.turn, but s must stay as it is (line "),
    (play_half, "play does not write all of t: turn, pair is left as it was, at 'heap=9;"),
    (play_misspelt, "play uses t.turns, but the state has only heap, turn, pair"),
    (play_wide, "play puts 300 into the field turn, whose type i1 ends at 127"),
    (play_divides, "play raises ZeroDivisionError as plain Python"),
    (lambda g, s: 2, "mover returns 2; it must be 0 or 1"),
]


@pytest.mark.parametrize(("rule", "sentence"), HARM, ids=[sentence for _, sentence in HARM])
def test_what_does_harm_is_refused(rule, sentence):
    game = take(**{sentence.split()[0]: rule})
    for _ in range(2):  # it is refused again
        with pytest.raises(BadGame) as caught:
            look(game)
        message = str(caught.value)
        assert message.startswith(f"take: {sentence}")
        assert message.endswith("; run 'zermelo check-game' for details.")
        assert "\n" not in message
        assert "{" not in message
        assert len(message) < 400


def test_the_optional_functions_are_watched_too():
    def forced(g, s, out):
        out[100] = 1
        return 1

    def canonical(g, s, t):
        play(g, s, 0, t)
        t.pair[7] = 1
        return 0

    def score(g, s):
        return s.pair[5]

    for changes, sentence in (
            ({"forced": forced}, "forced writes beyond the list of moves"),
            ({"canonical": canonical, "move_image": max}, "canonical writes beyond t.pair"),
            ({"score": score}, "score reads beyond s.pair")):
        with pytest.raises(BadGame, match=sentence):
            look(take(**changes))


def key_that_wraps(g, s):
    return np.uint64((s.heap + 3) * 1_000_003 ** 5)


def play_that_wraps(g, s, move, t):
    play(g, s, move, t)
    t.heap = (s.heap + 12_345) * 6_364_136_223_846_793_005


def mover_of_compiled_numbers(g, s):
    return s.turn + unknown  # noqa: F821


@pytest.mark.parametrize("changes", [
    {"key": key_that_wraps}, {"play": play_that_wraps}, {"mover": mover_of_compiled_numbers},
    {"key": max}])
def test_what_the_compiler_decides_is_left_to_it(changes):
    look(take(**changes))


def test_a_file_is_named_in_the_hint(tmp_path, monkeypatch):
    source = (EXAMPLES / "chomp.py").read_text().replace("out[n] =", "out[n + 5000] =")
    (tmp_path / "broken.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadGame, match=r"\(line 23 of broken.py\), at 'rows=4.4.4.0.0.0.0.0;turn=0'"
                                      "; run 'zermelo check-game broken.py:Chomp' for details.$"):
        look(zermelo.game("broken.py"))


def test_the_look_comes_before_anything_compiled(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    for _ in range(2):
        game = take(moves=moves_far_too_many)
        with pytest.raises(BadGame, match="moves writes beyond the list of moves"):
            game.start().moves()
        with pytest.raises(BadGame, match="moves writes beyond the list of moves"):
            zermelo.solve(game.start())


def test_the_start_is_looked_at_as_well():
    game = take(play=play_beyond)
    with pytest.raises(BadGame, match="play writes beyond"):
        look_first(game, np.array(game.position(heap=0).state))

    class Startless(Take):
        changes = ARRAYS

        def start(self):
            raise ValueError("no start")

    look_first(Startless(), np.array(Startless().position(heap=2).state))


def test_one_look_for_each_set_of_rules(monkeypatch):
    played = []
    monkeypatch.setattr(watched, "_play", lambda game, state: played.append(game))
    look(take())
    look(take())
    assert len(played) == 1
    look(take(mover=lambda g, s: 0))
    assert len(played) == 2
    look(zermelo.game("tic-tac-toe"))
    look(zermelo.graph({0: "win"}))
    assert len(played) == 2


@pytest.mark.skipif(not jit_enabled(), reason="about compiled code")
def test_the_command_line_says_it_and_leaves_with_2(tmp_path):
    source = (EXAMPLES / "chomp.py").read_text().replace("max_moves=SIDE * SIDE", "max_moves=4")
    (tmp_path / "broken.py").write_text(source.replace("    return n\n", (
        "    for i in range(5000):\n        out[i] = i\n    return n\n"), 1))
    done = subprocess.run([sys.executable, "-m", "zermelo", "solve", "broken.py", "2x2"],
                          capture_output=True, text=True, cwd=tmp_path, env=os.environ)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "zermelo: chomp: moves writes beyond the list of moves: index 72 is out of bounds for axis "
        "0 with size 72 (line 26 of broken.py), at 'rows=2.2.0.0.0.0.0.0;turn=0'; run 'zermelo "
        "check-game broken.py:Chomp' for details.\n")


def helper(x):
    print(x)
    return x


def mover_with_print(g, s):
    return helper(s.turn)


def test_a_rule_that_prints_is_refused(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    line = helper.__code__.co_firstlineno + 1
    with pytest.raises(BadGame) as caught:
        take(mover=mover_with_print)
    assert str(caught.value) == (
        f"take: mover calls print (line {line} of test_first_look.py), which compiled rules can't; "
        "remove it, or set NUMBA_DISABLE_JIT=1 to run them as plain Python.")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert take(mover=mover_with_print).start().mover == 0


def spin(seconds):
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        pass
    return seconds


@contextmanager
def traced_by(function):
    """There is no limit while something traces."""
    before = sys.gettrace()
    sys.settrace(function)
    try:
        yield
    finally:
        sys.settrace(before)


def test_an_endless_loop_is_ended():
    with traced_by(None), pytest.raises(BadGame, match="moves does not return within"):
        look(take(moves=moves_for_ever))


def test_there_is_no_limit_while_tracing():
    with traced_by(lambda *_: None):
        assert within(0.01, spin, 0.1) == 0.1


def test_a_time_limit_ends_what_takes_too_long_and_nothing_else():
    for _ in range(3):
        assert within(5.0, spin, 0.01) == 0.01
        with traced_by(None), pytest.raises(RuleTimeout):
            within(0.1, spin, 60)
        assert spin(0.2) == 0.2  # nothing comes late
    with pytest.raises(ZeroDivisionError):
        within(5.0, lambda: 1 // 0)


def test_calls_that_end_at_the_limit():
    """Whether a call is just in time or just late, nothing is left to interrupt what follows."""
    for _ in range(60):
        with traced_by(None), suppress(RuleTimeout):
            within(0.02, spin, 0.02)
        assert spin(0.005) == 0.005


def test_a_time_limit_in_several_threads():
    found = []

    def limited(seconds):
        try:
            found.append(within(0.3, spin, seconds))
        except RuleTimeout:
            found.append("late")

    threads = [threading.Thread(target=limited, args=(s,)) for s in (0.01, 0.02, 30, 40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, found)) == ["0.01", "0.02", "late", "late"]
    assert within(0.3, spin, 0.01) == 0.01
