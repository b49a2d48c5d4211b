"""check-game on what a game may add to its rules: symmetries, knowledge, score, playouts."""

import re

import numpy as np
from heap_game import compiled_only, playout, problems, take

from zermelo import DRAW, FIRST_WINS, NO_MOVE, ONGOING, SECOND_WINS
from zermelo.checks.check_game import check_game
from zermelo.compiler.jit import jit_enabled
from zermelo.kernel.bits import mix, word
from zermelo.kernel.rng import below


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


def test_captures_and_checks():
    def captures(g, s, out):
        out[0] = 2
        return 1 if s.heap > 1 else 0

    def captures_illegal(g, s, out):
        out[0] = 4
        return 1

    def captures_too_many(g, s, out):
        for i in range(4):
            out[i] = 1
        return 4

    def in_check(g, s):
        return s.heap == 3

    def in_check_maybe(g, s):
        return 2

    report = check_game(take(captures=captures, in_check=in_check), games=20)
    assert report.problems == []
    assert [line.partition(":")[0] for line in report.checks if line.startswith("captures")]
    assert [line for line in report.checks if line.startswith("in_check: ")]
    assert "captures gives the move 4, which is not legal" in problems(
        take(captures=captures_illegal))
    assert "captures gives 4 moves, but max_moves is 3" in problems(
        take(captures=captures_too_many))
    assert "in_check returns 2; it must be True or False, at 'heap=9;turn=0'." in problems(
        take(in_check=in_check_maybe))


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

    def foreseen(g, s, side):
        return 1 if (s.heap % 4 == 0) == (s.turn != side) else -1

    def foreseen_wrong(g, s, side):
        return 1 if s.turn == side else 0

    def foreseen_wrongly(g, s, side):
        return -1 if s.turn == side else 0

    def foreseen_much(g, s, side):
        return 3

    def remaining(g, s):
        return s.heap

    def remaining_wrong(g, s):
        return s.heap - 5

    def finish(g, s):
        return s.heap % 4 if s.heap % 4 else NO_MOVE

    def finish_wrong(g, s):
        return 1

    def finish_never(g, s):
        return 7

    def cannot_win_field(g, s, side):
        return s.heep == side

    good = {"estimate": estimate, "cannot_win": cannot_win, "foreseen": foreseen,
            "remaining": remaining, "finish": finish}
    report = check_game(take(**good), games=20)
    assert report.problems == []
    assert any(line.startswith("cannot_win and foreseen and finish against exhaustive search")
               for line in report.checks)
    assert any(line.startswith("estimate, cannot_win, foreseen, remaining, finish: ")
               for line in report.checks)
    for wrong, sentence in [
        (estimate_zero, "estimate returns (1, 0); it must be two whole numbers of at least 1, at"),
        (estimate_one, "estimate returns 9; it must be two whole numbers"),
        (estimate_half, "estimate returns (1, 4.5); it must be two whole numbers"),
        (cannot_win_wrong, "player does not win, but that player does, at 'heap="),
        (cannot_win_maybe, "cannot_win returns 2; it must be True or False, at 'heap=9;turn=0'."),
        (cannot_win_field, "cannot_win uses s.heep, but the state has only heap, turn (line "),
        (foreseen_wrong, "player wins, but that player does not, at 'heap="),
        (foreseen_wrongly, "player does not win, but that player does, at 'heap="),
        (foreseen_much, "foreseen returns 3; it must be 1, 0 or -1, at 'heap=9;turn=0'."),
        (remaining_wrong, "remaining returns -"),
        (finish_wrong, "finish says that the move with the code 1 wins, but it does not, at"),
        (finish_never, "finish returns 7; it must be a legal move or NO_MOVE, at"),
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
