"""check-game finds the mistake of every broken game here, and none in games that are right."""

import itertools
import random
import re
import sys
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, BadGame, Game, Rules
from zermelo.checks import playouts
from zermelo.checks.agree import check_allocation
from zermelo.checks.check_game import LONGEST_GAME, Report, check_game, sample_game
from zermelo.checks.machine import Machine, core_of
from zermelo.checks.playouts import alike
from zermelo.core import watched
from zermelo.core.watched import Cells, Misuse, Watched, Wrong, fit
from zermelo.errors import BadPosition
from zermelo.kernel.bits import mix, word
from zermelo.kernel.jit import jit_enabled
from zermelo.kernel.rng import below

compiled_only = pytest.mark.skipif(not jit_enabled(), reason="about compiled code")


# A game without mistakes: from a heap of 9 take 1, 2 or 3; who takes the last one wins.
def moves(g, s, out):
    n = min(3, s.heap)
    for i in range(n):
        out[i] = i + 1
    return n


def play(g, s, move, t):
    t.heap = s.heap - move
    t.turn = 1 - s.turn


def mover(g, s):
    return s.turn


def outcome(g, s):
    if s.heap > 0:
        return ONGOING
    return SECOND_WINS if s.turn == 0 else FIRST_WINS


def key(g, s):
    return np.uint64(2 * s.heap + s.turn)


def playout(g, s, rng, scratch):
    heap, turn = s.heap, s.turn
    while heap > 0:
        heap -= 1 + below(rng, min(3, heap))
        turn = 1 - turn
    return SECOND_WINS if turn == 0 else FIRST_WINS


GOOD = {
    "state": [("heap", "i8"), ("turn", "i8")], "max_moves": 3, "max_length": 9, "moves": moves,
    "play": play, "mover": mover, "outcome": outcome, "key": key,
}


class Take(Game):
    """The game above, with some parts exchanged."""

    changes: dict = {}  # noqa: RUF012

    def define(self):
        return Rules(**{**GOOD, **self.changes})

    def start(self):
        return self.position(heap=9)


def take(methods=None, **changes) -> Game:
    return type("Take", (Take,), {"changes": changes, **(methods or {})})()


def problems(game, **options) -> str:
    report = check_game(game, games=20, **options)
    assert report.ok == (not report.problems)
    for sentence in report.problems:
        assert sentence.endswith("."), sentence
        assert "\n" not in sentence
        assert "{" not in sentence
    return "\n".join(report.problems)


def test_the_good_game_is_good():
    report = check_game(take(playout=playout, exact_key=True))
    assert report.problems == []
    assert len(report.checks) >= 6


# Each mistake is a function of the rules, named after the part that it replaces.
def moves_too_many(g, s, out):
    for i in range(5):
        out[i] = i + 1
    return 5


def moves_far_too_many(g, s, out):
    for i in range(1000):
        out[i] = i
    return 3


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


def moves_with_a_generator(g, s, out):
    out[0] = sum(1 for _ in range(1))
    return 1


def moves_one_by_one(g, s, out):
    out[0] = 1
    return 1


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


def play_into_s(g, s, move, t):
    t.heap = s.heap - move
    t.turn = s.turn = 1 - s.turn


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


def mover_wrong(g, s):
    return 1 + s.turn


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


def key_by_stones(g, s):
    return np.uint64(s.heap // 2)


def key_signed(g, s):
    return 2 * s.heap + s.turn


def key_text(g, s):
    return "key"


counter = itertools.count()


def key_counting(g, s):
    return np.uint64(next(counter))


def key_wraps(g, s):
    number = s.turn + 3
    for _ in range(5):
        number = number * 1_000_003 * 1_000_003 + s.heap
    return np.uint64(number)


MISTAKES = [
    (moves_too_many, "moves gives 5 moves, but max_moves is 3, at 'heap=9;turn=0'."),
    (moves_far_too_many, "moves writes beyond the list of moves: index 70 is out of bounds"),
    (moves_beyond_32_bits, "moves gives the move 1099511627776, which is beyond 32 bits"),
    (moves_twice, "moves gives the move 1 twice, at 'heap=9;turn=0'."),
    (moves_unwritten, "moves returns 2, but writes only 1 moves"),
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
    monkeypatch.setattr(playouts, "SECONDS", 0.5)
    for broken in (moves_for_ever, playout_for_ever):
        part, line = broken.__name__.partition("_")[0], broken.__code__.co_firstlineno
        found = problems(take(**{part: broken}))
        assert re.match(rf"{part} does not come back within 0.5 seconds as plain Python \(line "
                        rf"({line + 1}|{line + 2}) of test_check_game.py\); is there an endless "
                        r"loop\? (At|From) 'heap=", found), found


def test_a_sample_game_shows_who_wins():
    sample = check_game(take(), games=20).sample
    first, diagram, verdict = sample.splitlines()
    moves = first.removeprefix("a random game, for you to judge: ").split()
    assert len(moves) == 5
    end = take().start().play(*moves)
    assert diagram == end.text
    assert (end.outcome, verdict) == ("first", "by the rules: first has won")
    assert check_game(take(mover=mover_wrong), games=2).sample == ""
    long = sample_game(take(), take().position(heap=90).state, [1] * 90,
                       SimpleNamespace(outcome=DRAW))
    assert long.splitlines()[0].count(" 1") == LONGEST_GAME
    assert " ... " in long
    assert long.endswith("by the rules: a draw")


def test_what_is_seen_before_the_checks_is_told_without_a_hint_at_them(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    report = check_game(take(moves=moves_far_too_many), start="1")
    assert len(report.problems) == 1
    assert "moves writes beyond the list of moves" in report.problems[0]
    assert report.problems[0].endswith("'heap=9;turn=0'.")


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


@compiled_only
def test_a_hash_that_wraps_around_is_fine_but_must_be_unsigned():
    assert problems(take(key=key_wraps)) == ""
    assert "key returns int64 in compiled code, not uint64" in problems(take(key=key_signed))


def test_numbers_that_do_not_fit_their_field():
    small = [("heap", "i8"), ("turn", "u1")]
    found = problems(take(state=small, play=play_wide))
    assert "play puts 300 into the field turn, whose type u1 ends at 255 (line " in found


def test_fields():
    with pytest.raises(BadGame, match="must have named fields"):
        take(state="i8")
    with pytest.raises(BadGame, match="is no dtype"):
        take(state=[("heap", "whole number")])
    with pytest.raises(BadGame, match="of plain numbers"):
        take(state=[("heap", "O"), ("turn", "i8")])
    assert "the field size has the name of something" in problems(
        take(state=[("heap", "i8"), ("turn", "i8"), ("size", "i8")]))
    assert "the field word has the type <U4" in problems(
        take(state=[("heap", "i8"), ("turn", "i8"), ("word", "U4")]))


def test_games_that_last_longer_than_they_say():
    found = problems(take(max_length=2))
    assert "a game is not over after max_length=2 moves, at 'heap=" in found


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
    found = problems(take(mover=mover_by_table))
    assert "mover refers to table, a ndarray, which can't be a constant of compiled code" in found
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


def test_a_cyclic_game():
    def there_and_back(g, s, move, t):
        t.heap = 10 - s.heap
        t.turn = 1 - s.turn

    def stay(g, s, move, t):
        t.heap, t.turn = s.heap, s.turn

    def repeat(g, path, i, n):
        return DRAW if path[i].heap == path[n].heap else ONGOING

    def repeat_wrong(g, path, i, n):
        return 9

    assert problems(take(play=there_and_back, cyclic=True, repeat=repeat)) == ""
    assert "repeat returns 9; it must be 0 to 3" in problems(
        take(play=there_and_back, cyclic=True, repeat=repeat_wrong))
    assert "a function repeat, but cyclic=True is missing." in problems(take(repeat=repeat))
    assert "no move of any position does" in problems(take(play=stay, cyclic=True))


def test_symmetries():
    # Two heaps: the order of the heaps does not matter.
    two = [("a", "i8"), ("b", "i8"), ("turn", "i8")]

    def moves_two(g, s, out):
        n = 0
        for i in range(s.a):
            out[n] = i + 1
            n += 1
        for i in range(s.b):
            out[n] = 11 + i
            n += 1
        return n

    def play_two(g, s, move, t):
        t.a = s.a - move if move < 10 else s.a
        t.b = s.b - (move - 10) if move > 10 else s.b
        t.turn = 1 - s.turn

    def outcome_two(g, s):
        return ONGOING if s.a + s.b > 0 else SECOND_WINS - s.turn

    def key_two(g, s):
        return np.uint64(s.a * 100 + s.b * 10 + s.turn)

    def canonical(g, s, t):
        t.turn = s.turn
        t.a, t.b = (s.a, s.b) if s.a <= s.b else (s.b, s.a)
        return 0 if s.a <= s.b else 1

    def move_image(g, k, move):
        return move if k == 0 else (move + 10 if move < 10 else move - 10)

    def same_move(g, k, move):
        return move

    def turns_round(g, s, t):
        t.a, t.b, t.turn = s.b, s.a, s.turn
        return 1

    def other_mover(g, s, t):
        t.a, t.b, t.turn = s.a, s.b, 0
        return 0

    def forgets_the_turn(g, s, t):
        t.a, t.b = s.a, s.b
        return 0

    def no_number(g, s, t):
        t.a, t.b, t.turn = s.a, s.b, s.turn

    def told(**changes):
        rules = {"state": two, "max_moves": 9, "moves": moves_two, "play": play_two,
                 "outcome": outcome_two, "key": key_two, "canonical": canonical,
                 "move_image": move_image, **changes}
        return problems(take({"start": lambda self: self.position(a=5, b=4)}, **rules))

    assert told() == ""
    assert re.search(r"move_image\(1, \d+\) gives \d+, which is not a legal move|the move \d+ and "
                     "its image lead to", told(move_image=same_move))
    assert "canonical gives a state that is not its own representative, of 'a=5;b=4" in told(
        canonical=turns_round)
    assert "canonical changes the outcome or the mover of " in told(canonical=other_mover)
    assert "canonical does not write all of t: turn is left" in told(canonical=forgets_the_turn)
    assert "canonical returns None, not the number of a symmetry" in told(canonical=no_number)


def test_forced():
    def forced(g, s, out):
        if 0 < s.heap < 4:
            out[0] = s.heap
            return 1
        return 0

    def forced_illegal(g, s, out):
        out[0] = 4
        return 1

    def forced_too_many(g, s, out):
        return 4

    def forced_wrong(g, s, out):
        out[0] = 1
        return 1

    assert problems(take(forced=forced)) == ""
    assert re.search("forced leaves out what matters: with all moves the player to move wins, with "
                     "those of forced that player loses, at 'heap=[2-7];turn=[01]'.",
                     problems(take(forced=forced_wrong)))
    assert "forced gives the move 4, which is not legal" in problems(take(forced=forced_illegal))
    assert "forced gives 4 moves, but max_moves is 3" in problems(take(forced=forced_too_many))


def test_candidates():
    def candidates(g, s, side, out):
        out[0] = 2
        return 1 if s.heap > 1 and side == s.turn else 0

    def candidates_illegal(g, s, side, out):
        out[0] = 4
        return 1

    assert problems(take(candidates=candidates)) == ""
    assert "candidates gives the move 4, which is not legal" in problems(
        take(candidates=candidates_illegal))


def test_knowledge():
    def estimate(g, s):
        return 1, min(3, s.heap)

    def estimate_zero(g, s):
        return 1, s.heap // 4

    def estimate_one(g, s):
        return s.heap

    def estimate_half(g, s):
        return 1, s.heap / 2

    def cannot_win(g, s, side):
        return s.heap % 4 == 0 and s.turn == side

    def cannot_win_wrong(g, s, side):
        return s.heap % 4 == 0

    def cannot_win_maybe(g, s, side):
        return 2

    def remaining(g, s):
        return s.heap

    def remaining_wrong(g, s):
        return s.heap - 5

    def cannot_win_field(g, s, side):
        return s.heep == side

    good = {"estimate": estimate, "cannot_win": cannot_win, "remaining": remaining}
    report = check_game(take(**good), games=20)
    assert report.problems == []
    assert any(line.startswith("cannot_win against exhaustive search") for line in report.checks)
    assert any(line.startswith("estimate, cannot_win, remaining: ") for line in report.checks)
    for wrong, sentence in [
        (estimate_zero, "estimate returns (1, 0); it must be two whole numbers of at least 1, at"),
        (estimate_one, "estimate returns 9; it must be two whole numbers"),
        (estimate_half, "estimate returns (1, 4.5); it must be two whole numbers"),
        (cannot_win_wrong, "player does not win, but that player does, at 'heap="),
        (cannot_win_maybe, "cannot_win returns 2; it must be True or False, at 'heap=9;turn=0'."),
        (cannot_win_field, "cannot_win uses s.heep, but the state has only heap, turn (line "),
        (remaining_wrong, "remaining returns -"),
    ]:
        part = wrong.__name__.rpartition("_")[0]
        found = problems(take(**{**good, part: wrong}))
        assert sentence in found, found


def test_score():
    # Take's winner scores by what the heap was left at: here by one or two.
    def score(g, s):
        return -2 if s.turn == 0 else 2

    def other_sign(g, s):
        return 2 if s.turn == 0 else -2

    def half(g, s):
        return score(g, s) / 4

    def draw(g, s):
        return DRAW if s.heap <= 0 else ONGOING

    assert problems(take(score=score, max_score=4, score_step=2)) == ""
    assert re.search("score returns -?2; it must be (above|below) 0, for the (first|second) player "
                     "has won, at 'heap=0", problems(take(score=other_sign, max_score=4)))
    assert re.search("score returns -?2, but max_score is 1", problems(take(score=score)))
    assert re.search("score returns -?2, which does not differ from max_score=3 by a multiple of "
                     "score_step=2", problems(take(score=score, max_score=3, score_step=2)))
    assert re.search(r"score returns -?0\.5, not a whole number", problems(take(score=half)))
    assert "it must be 0, for it is a draw" in problems(
        take(score=score, max_score=4, outcome=draw))


@compiled_only
def test_knowledge_that_differs_in_compiled_code():
    def remaining_shifted(g, s):
        return (s.heap << 60) >> 60

    def remaining_cut_off(g, s):
        return abs((s.heap << 61) >> 61)

    def estimate_with_a_generator(g, s):
        return 1, sum(1 for _ in range(3))

    def forced_in_a_list(g, s, out):
        found = np.ones(1, np.int64)
        out[0] = found[0]
        return min(0, s.heap)

    found = problems(take(remaining=remaining_shifted))
    assert "remaining returns -7 in compiled code; it must be a whole number from 0, at" in found
    found = problems(take(remaining=remaining_cut_off))
    assert "remaining gives 9 as plain Python but 1 compiled, at 'heap=9;turn=0'; in comp" in found
    assert "estimate does not compile: " in problems(take(estimate=estimate_with_a_generator))
    assert "the rules allocate memory whenever they are called" in problems(
        take(forced=forced_in_a_list))


def test_playouts():
    def takes_one(g, s, rng, scratch):
        heap, turn = s.heap, s.turn
        while heap > 0:
            heap -= 1 if below(rng, 4) > 0 else min(3, heap)
            turn = 1 - turn
        return SECOND_WINS if turn == 0 else FIRST_WINS

    def keeps_its_counter(g, s, rng, scratch):
        return FIRST_WINS if mix(rng[0]) & word(1) else SECOND_WINS

    def never_ends(g, s, rng, scratch):
        below(rng, 2)
        return ONGOING

    def ends_beyond(g, s, rng, scratch):
        below(rng, 2)
        return 1000

    def writes_far(g, s, rng, scratch):
        scratch.moves[1000] = below(rng, 2)
        return FIRST_WINS

    def changes_s(g, s, rng, scratch):
        end = playout(g, s, rng, scratch)
        s.heap = 0
        return end

    assert "playout does not store its counter in rng[0]" in problems(
        take(playout=keeps_its_counter))
    assert "playout returns ONGOING, not how the game ended" in problems(take(playout=never_ends))
    assert "playout returns a number beyond 3" in problems(take(playout=ends_beyond))
    assert "playout raises IndexError as plain Python" in problems(take(playout=writes_far))
    assert "playout changes s, which must stay as it is" in problems(take(playout=changes_s))
    if jit_enabled():
        assert "playout is not uniform over the legal moves: of 20000 games" in problems(
            take(playout=takes_one))


def test_playouts_side_by_side():
    def playouts(g, s, rng, n, won, scratch):
        wins = 0
        for _ in range(n):
            wins += playout(g, s, rng, scratch) == won
        return wins

    def counts_the_others(g, s, rng, n, won, scratch):
        return n - playouts(g, s, rng, n, won, scratch)

    def writes_far(g, s, rng, n, won, scratch):
        scratch.lanes[0, n * 1000] = 1
        return 0

    assert problems(take(playout=playout, playouts=playouts)) == ""
    assert "playouts raises IndexError as plain Python" in problems(take(playouts=writes_far))
    assert re.search(r"playouts counts \d+, \d+ and \d+ of \d+ games as won by .*: together",
                     problems(take(playouts=counts_the_others)))


def test_text():
    def told(**methods):
        return problems(take(methods))

    assert "parse does not give back what format writes" in told(
        format=lambda self, position: "heap=3;turn=0")
    assert "parse does not read what format writes: 'nine' raises BadPosition" in told(
        format=lambda self, position: "nine")
    assert "format returns 9, not a text" in told(format=lambda self, position: 9)
    assert "format raises ZeroDivisionError" in told(format=lambda self, position: 1 // 0)
    assert "the moves 1 and 2 have one name, 'take'" in told(
        move_name=lambda self, position, move: "take")
    assert "move_name returns 1, not a text" in told(move_name=lambda self, position, move: move)
    assert "parse_move of '1', the name of move 1, gives 2" in told(
        parse_move=lambda self, position, text: int(text) + 1)
    assert "parse_move of 'rubbish' raises ValueError" in told(
        parse_move=lambda self, position, text: int(text))
    assert "parse of 'rubbish' raises KeyError: 'rubbish'; bad text must raise Bad" in told(
        read=lambda self, text: {}[text] if "=" not in text else Game.read(self, text))
    assert "diagram raises KeyError: 'x'" in told(diagram=lambda self, position: {}["x"])
    assert "players=('a', 'a') must be two different names." in told(players=("a", "a"))


def test_start():
    class Over(Take):
        def start(self):
            return self.position()

    class NoStart(Take):
        def start(self):
            return 3

    assert "the game is over at its start 'heap=0;turn=0'" in problems(Over())
    assert "start() returns 3, not a Position" in problems(NoStart())
    assert check_game(Take(), "heap=5;turn=1", games=5).ok
    assert check_game(Take(), Take().position(heap=6), games=5).ok
    assert "no field 'heep'" in problems(Take(), start="heep=5")


def test_define():
    class NoRules(Game):
        def define(self):
            return {"moves": moves}

    class Fails(Game):
        def define(self):
            return Rules(state=unknown_name)  # noqa: F821

    assert check_game(NoRules).problems == [
        "norules: define() must return zermelo.Rules, not dict."]
    assert "a game must have a method define" in problems(Game)
    assert "making the game or its start raises NameError: name 'unknown_name'" in problems(Fails)
    assert check_game(lambda: 3).problems == ["3 is not a zermelo.Game."]
    assert "max_moves=70000 is beyond the 65535 moves" in problems(take(max_moves=70_000))


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


GAMES = [("connect-four", {}), ("p-game", {}), ("p-game", {"depth": 2}), ("othello", {"size": 4}),
         ("hex", {"size": 3}), ("tic-tac-toe", {}), ("lines-of-action", {"size": 5})]


@pytest.mark.parametrize(("name", "parameters"), GAMES, ids=str)
def test_built_in_games_pass(name, parameters):
    assert check_game(zermelo.game(name, **parameters), games=20).problems == []


def test_graphs_pass():
    ladder = zermelo.graph({"a": ("or", ["b", "c"]), "b": ("and", ["a", "c", "b"]), "c": "win"})
    assert check_game(ladder, games=20).problems == []


def test_report():
    assert Report().ok
    assert not Report(["wrong."]).ok
    assert alike([10, 0, 0], [9, 1, 0])


def test_core_of_a_message():
    long = ValueError("Failed in nopython mode pipeline (step: x)\nNo implementation of function "
                      "Function(<built-in function add>) found for signature:\n\n >>> add(a, b)\n")
    assert core_of(long) == "there is no compiled version of add(a, b)"
    assert core_of(KeyError("heep")) == "there is no field 'heep'"
    assert core_of(ValueError()) == "ValueError"
    assert core_of(ValueError('Bad.\nFile "x.py", line 7:\nnothing')) == "Bad (line 7)"


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


def test_fields_by_name_and_as_arrays():
    def play_by_name(g, s, move, t):
        t["heap"] = s["heap"] - move
        t.turn = 1 - s.turn
        t.past[:] = s.past
        t.past[move] += 1

    state = [("past", "i2", (4,)), ("heap", "i8"), ("turn", "i8")]
    past = {"state": state, "play": play_by_name,
            "key": lambda g, s: np.uint64(s.heap * 2000 + s.turn * 1000 + s.past[1] * 100
                                          + s.past[2] * 10 + s.past[3])}
    assert problems(take(**past)) == ""


def test_allocation_is_not_measured_without_its_counter(monkeypatch):
    monkeypatch.setattr("zermelo.checks.agree.import_module", _missing)
    assert not check_allocation(take().rules, None, None)


def _missing(name):
    raise ImportError(name)
