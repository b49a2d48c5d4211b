"""check-game finds the mistake in every rule here: moves, play, mover, outcome, key."""

import itertools
import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from heap_game import (
    mover_wrong,
    moves_far_too_many,
    moves_one_by_one,
    outcome,
    play_into_s,
    problems,
    take,
)

from zermelo import DRAW, FIRST_WINS, ONGOING
from zermelo.checks import knowledge
from zermelo.checks.check_game import check_game
from zermelo.core import watched
from zermelo.kernel.rng import below


# Each mistake is a function of the rules, named after the part that it replaces.
def moves_too_many(g, s, out):
    for i in range(5):
        out[i] = i + 1
    return 5


def moves_beyond_32_bits(g, s, out):
    out[0] = 1 << 40
    return 1


def moves_twice(g, s, out):
    out[0] = out[1] = 1
    return 2


def moves_unwritten(g, s, out):
    out[0] = 1
    return 2


def moves_half(g, s, out):
    out[0] = s.heap / 2
    return 1


def moves_nothing(g, s, out):
    return 0


def moves_negative(g, s, out):
    return -1


def moves_no_return(g, s, out):
    out[0] = 1


def moves_into_s(g, s, out):
    s.heap = s.heap - 1
    out[0] = 1
    return 1


def play_nothing(g, s, move, t):
    t.heap = s.heap
    t.turn = s.turn


def play_half(g, s, move, t):
    t.heap = s.heap - move


def play_sometimes(g, s, move, t):
    t.heap = s.heap - move
    if move < 3:
        t.turn = 1 - s.turn


def play_misspelt(g, s, move, t):
    t.heap = s.heap - move
    t.turns = 1 - s.turn


def play_divides_by_zero(g, s, move, t):
    t.heap = s.heap - move
    t.turn = (1 - s.turn) // (move - 1)


def play_back_and_forth(g, s, move, t):
    t.heap = 13 - s.heap
    t.turn = s.turn


def play_wide(g, s, move, t):
    t.heap = s.heap - move
    t.turn = 300 if s.turn == 0 else 0


def mover_none(g, s):
    return None


def outcome_wrong(g, s):
    return ONGOING if s.heap > 0 else 7


def outcome_float(g, s):
    return 0.5 if s.heap > 0 else 1.0


def outcome_never(g, s):
    return ONGOING


def key_without_mover(g, s):
    return np.uint64(s.heap)


def key_without_heap(g, s):
    return np.uint64(s.turn)


def key_text(g, s):
    return "key"


counter = itertools.count()


def key_counting(g, s):
    return np.uint64(next(counter))


MISTAKES = [
    (moves_too_many, "moves gives 5 moves, but max_moves is 3, at 'heap=9;turn=0'."),
    (moves_far_too_many, "moves writes beyond the list of moves: index 70 is out of bounds"),
    (moves_beyond_32_bits, "moves gives the move 1099511627776, which is beyond 32 bits"),
    (moves_twice, "moves gives the move 1 twice, at 'heap=9;turn=0'."),
    (moves_unwritten, "moves returns 2, but writes only 1 move, "),
    (moves_half, "moves puts 4.5 into the list of moves, which holds whole numbers (line "),
    (moves_nothing, "the game is over at its start 'heap=9;turn=0'"),
    (moves_negative, "moves returns -1, not the number of moves"),
    (moves_no_return, "moves returns None, not the number of moves"),
    (moves_into_s, "moves writes into s.heap, but s must stay as it is"),
    (play_nothing, "play does not change the state, at 'heap=9;turn=0', move "),
    (play_half, "play does not write all of t: turn is left as it was, at 'heap=9;turn=0'"),
    (play_sometimes, "play does not write all of t: turn is left as it was"),
    (play_into_s, "play writes into s.turn, but s must stay as it is"),
    (play_misspelt, "play uses t.turns, but the state has only heap, turn (line "),
    (play_divides_by_zero, "play raises ZeroDivisionError as plain Python"),
    (play_back_and_forth, "a position repeats after 2 moves, at 'heap=9;turn=0', but the game"),
    (mover_wrong, "mover returns 2; it must be 0 or 1"),
    (mover_none, "mover returns None; it must be 0 or 1"),
    (outcome_wrong, "outcome returns 7; it must be 0 to 3"),
    (outcome_float, "outcome returns 0.5; it must be 0 to 3"),
    (key_without_mover, " the same key "),
    (key_without_heap, "although they differ in heap."),
    (key_text, "key returns 'key', not a uint64"),
    (key_counting, "key gives 0 and then 1 for one state"),
]


@pytest.mark.parametrize(("broken", "sentence"), MISTAKES, ids=lambda part: getattr(
    part, "__name__", ""))
def test_a_broken_function_is_found(broken, sentence):
    part = broken.__name__.partition("_")[0]
    assert sentence in problems(take(**{part: broken}))


def play_at_random(g, s, move, t):
    t.heap = s.heap - random.randint(1, min(3, s.heap))
    t.turn = 1 - s.turn


def play_random_turn(g, s, move, t):
    t.heap = s.heap - move
    t.turn = np.random.randint(0, 2)


def moves_at_random(g, s, out):
    n = min(3, s.heap)
    for i in range(n):
        out[i] = i + 1 if np.random.random() < 0.5 else n - i + 10
    return n


def outcome_at_random(g, s):
    return outcome(g, s) if np.random.random() < 0.5 or s.heap > 3 else DRAW


@pytest.mark.parametrize("broken", [play_at_random, play_random_turn, moves_at_random,
                                    outcome_at_random])
def test_chance_in_a_rule_is_told_as_such(broken):
    part, what = broken.__name__.partition("_")[0], "answers for one and the same state"
    what = "states for one and the same move" if part == "play" else what
    report = check_game(take(**{part: broken}), games=40)
    assert len(report.problems) == 1
    assert report.problems[0].startswith(
        f"{part} gives different {what}; a rule must depend on its arguments alone: on no random "
        "number, clock, counter or anything else that changes, at 'heap=")


def moves_for_ever(g, s, out):
    while s.heap > 0:
        out[0] = 1
    return 1


def playout_for_ever(g, s, rng, scratch):
    while s.heap > 0:
        below(rng, 2)
    return FIRST_WINS


@pytest.mark.skipif(sys.gettrace() is not None, reason="no limit while tracing")
def test_an_endless_loop_is_told(monkeypatch):
    monkeypatch.setattr(watched, "SECONDS", 0.5)
    monkeypatch.setattr(knowledge, "SECONDS", 0.5)
    for broken in (moves_for_ever, playout_for_ever):
        part, line = broken.__name__.partition("_")[0], broken.__code__.co_firstlineno
        found = problems(take(**{part: broken}))
        assert re.match(rf"{part} does not return within 0.5 seconds as plain Python \(line "
                        rf"({line + 1}|{line + 2}) of {Path(__file__).name}\); is there an endless "
                        r"loop\? (At|From) 'heap=", found), found


def test_key_that_misses_the_mover_is_told_as_such():
    # Here the other mover is never met: the number of stones tells who moves.
    found = problems(take(moves=moves_one_by_one, key=key_without_mover))
    assert "key misses the mover: 'heap=9;turn=0' has the same key with turn=1, when" in found
    assert " and in who moves." in problems(take(key=key_without_mover))


def test_a_position_without_moves_is_lost_for_its_mover():
    report = check_game(take(outcome=outcome_never), games=20)
    assert report.ok
    assert any("without a move" in check for check in report.checks)


def test_exact_key_is_held_to_its_word():
    assert "and exact_key=True is claimed." in problems(take(key=key_without_heap, exact_key=True))


def test_numbers_that_do_not_fit_their_field():
    small = [("heap", "i8"), ("turn", "u1")]
    found = problems(take(state=small, play=play_wide))
    assert "play puts 300 into the field turn, whose type u1 ends at 255 (line " in found


def test_games_that_last_longer_than_they_say():
    found = problems(take(max_length=2))
    assert "a game is not over after max_length=2 moves, at 'heap=" in found
