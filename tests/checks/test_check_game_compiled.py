"""check-game on what compiled code needs: types, references, fields, memory."""

import re
from typing import NamedTuple

import numpy as np
import pytest
from heap_game import (
    compiled_only,
    moves,
    moves_one_by_one,
    play_into_s,
    problems,
    take,
)

from zermelo import FIRST_WINS, BadGame
from zermelo.checks.check_game import check_allocation
from zermelo.checks.walk import Machine
from zermelo.core.watched import Cells, Misuse, Watched, Wrong, fit
from zermelo.errors import BadPosition
from zermelo.kernel.rng import below


def moves_with_a_generator(g, s, out):
    out[0] = sum(1 for _ in range(1))
    return 1


def key_signed(g, s):
    return 2 * s.heap + s.turn


def key_wraps(g, s):
    number = s.turn + 3
    for _ in range(5):
        number = number * 1_000_003 * 1_000_003 + s.heap
    return np.uint64(number)


@compiled_only
def test_a_hash_that_wraps_around_is_fine_but_must_be_unsigned():
    assert problems(take(key=key_wraps)) == ""
    assert "key returns int64 in compiled code, not uint64" in problems(take(key=key_signed))


def test_fields():
    with pytest.raises(BadGame, match="must have named fields"):
        take(state="i8")
    with pytest.raises(BadGame, match="is not a dtype"):
        take(state=[("heap", "whole number")])
    with pytest.raises(BadGame, match="of plain numbers"):
        take(state=[("heap", "O"), ("turn", "i8")])
    assert "the field size has the name of something" in problems(
        take(state=[("heap", "i8"), ("turn", "i8"), ("size", "i8")]))
    assert "the field word has the type <U4" in problems(
        take(state=[("heap", "i8"), ("turn", "i8"), ("word", "U4")]))


@compiled_only
def test_functions_that_do_not_compile():
    def play_with_a_generator(g, s, move, t):
        t.heap = s.heap - sum(1 for _ in range(move))
        t.turn = 1 - s.turn

    def playout_with_a_generator(g, s, rng, scratch):
        return FIRST_WINS + sum(below(rng, 1) for _ in range(1))

    assert "play does not compile: " in problems(take(play=play_with_a_generator))
    assert "playout does not compile: " in problems(take(playout=playout_with_a_generator))
    found = problems(take(moves=moves_with_a_generator))
    assert re.search(r"moves does not compile: .*yield.*\(line \d+: out\[0\] = sum", found), found


def test_arguments_and_references():
    def mover_of_one(s):
        return s.turn

    table, own_game = np.arange(10), take()

    def mover_by_table(g, s):
        return table[s.turn]

    def mover_by_game(g, s):
        return s.turn + 0 * len(own_game.name)

    assert "mover takes (s), but is called as mover(g, s)." in problems(take(mover=mover_of_one))
    assert problems(take(mover=mover_by_table)) == ""
    found = problems(take(mover=mover_by_game))
    assert "mover refers to own_game, a Take, which" in found
    assert "columns = self['columns']" in found
    assert "mover is a builtin_function_or_method; give the plain function" in problems(
        take(mover=max))


class Local(NamedTuple):
    most: int
    table: np.ndarray


def test_data():
    class Hidden(NamedTuple):
        most: int

    def moves_from_data(g, s, out):
        for i in range(min(g.most, s.heap)):
            out[i] = g.table[i]
        return min(g.most, s.heap)

    def moves_beyond_data(g, s, out):
        out[0] = g.table[s.heap]
        return 1

    def moves_into_data(g, s, out):
        g.table[0] = 2
        return moves(g, s, out)

    data = Local(3, np.array([1, 2, 3]))
    assert problems(take(moves=moves_from_data, data=data)) == ""
    assert "moves reads beyond g.table: index 9 is out of bounds" in problems(
        take(moves=moves_beyond_data, data=data))
    assert "moves writes into g.table, which it may only read" in problems(
        take(moves=moves_into_data, data=data))
    assert "data is a bare tuple" in problems(take(data=(1, 2)))
    assert "the class Hidden of data must stand at the top level" in problems(take(data=Hidden(3)))


@compiled_only
def test_plain_and_compiled_numbers_differ():
    def key_shifted_out(g, s):
        return np.uint64(((2 * s.heap + s.turn) << 60) >> 60)

    def play_with_words(g, s, move, t):
        t.heap = s.heap - np.uint64(move)
        t.turn = 0 if s.heap - 20 < 0 else 1 - s.turn

    found = problems(take(key=key_shifted_out))
    assert "key gives 18 as plain Python but 2 compiled, at 'heap=9;turn=0'; in compiled" in found
    words = [("heap", "u8"), ("turn", "i8")]
    found = problems(take(state=words, play=play_with_words))
    assert "moves returns 3.0 in compiled code, not the number of moves" in found
    found = problems(take(state=words, play=play_with_words, moves=moves_one_by_one))
    assert "play gives turn=1 as plain Python but 0 compiled, at 'heap=9;turn=0', move" in found


@compiled_only
def test_allocation():
    def moves_in_a_list(g, s, out):
        found = np.zeros(3, np.int64)
        for i in range(min(3, s.heap)):
            found[i] = i + 1
            out[i] = found[i]
        return min(3, s.heap)

    assert "the rules allocate memory whenever they are called" in problems(
        take(moves=moves_in_a_list))


def test_watched_arrays():
    cells = Cells.of(np.zeros(3, np.int8), "the row", True)
    cells[:2] = [1, 2]
    assert type(cells[0]) is int
    assert cells.sum() == 3
    for value in (300, [1, -129], 1.5):
        with pytest.raises(Misuse):
            cells[0:2] = value
    with pytest.raises(Misuse, match="writes beyond the row"):
        cells[3] = 1
    fit(0.5, np.dtype("f8"), "a float")
    state = take().start().state
    assert Watched(take().rules).mover(state) == 0
    with pytest.raises(BadPosition):
        take().parse("rubbish=1")


def test_compiled_rules_that_raise():
    def play_refuses(g, s, move, t):
        if move > 2:
            raise ValueError("too much")

    machine = Machine(take(play=play_refuses).rules)
    machine.step(take().start().state, 1, 0)
    with pytest.raises(Wrong, match=r"play raises ValueError.*: too much, at "):
        machine.step(take().start().state, 3, 0)


def test_compiled_play_that_changes_its_state():
    with pytest.raises(Wrong, match="play changes s, which must stay as it is"):
        Machine(take(play=play_into_s).rules).step(take().start().state, 1, 0)


def play_by_name(g, s, move, t):
    t["heap"] = s["heap"] - move
    t.turn = 1 - s.turn
    t.past[:] = s.past
    t.past[move] += 1


PAST = {"state": [("past", "i2", (4,)), ("heap", "i8"), ("turn", "i8")], "play": play_by_name,
        "key": lambda g, s: np.uint64(s.heap * 2000 + s.turn * 1000 + s.past[1] * 100
                                      + s.past[2] * 10 + s.past[3])}


def test_a_step_with_fields_by_name_and_as_arrays():
    game = take(**PAST)
    before = game.start().state
    after = Machine(game.rules).step(before, 2, 0)[0]
    assert (after["heap"], after["turn"]) == (before[0]["heap"] - 2, 1)
    assert after["past"].tolist() == [0, 0, 1, 0]


@pytest.mark.long
def test_fields_by_name_and_as_arrays():
    assert problems(take(**PAST)) == ""


def test_allocation_is_not_measured_without_its_counter(monkeypatch):
    monkeypatch.setattr("zermelo.checks.check_game.import_module", _missing)
    assert not check_allocation(take().rules, None, None)


def _missing(name):
    raise ImportError(name)
