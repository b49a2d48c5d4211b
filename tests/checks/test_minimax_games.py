"""``evaluate`` and ``categories`` of a game: what check-game says about them."""

import pytest
from heap_game import Take

import zermelo
from zermelo import ONGOING
from zermelo.checks.check_game import check_game


def outcome(g, s):
    return ONGOING


def evaluate(g, s):
    return 10 if s.heap % 4 else -10


def categories(g, s, moves, n, out):
    for i in range(n):
        out[i] = moves[i] % 2


EVALUATED = {"outcome": outcome, "max_length": 40, "exact_key": True, "evaluate": evaluate,
             "categories": categories, "category_names": ("even", "odd")}


class EvaluatedTake(Take):
    """Who can't take has lost; positions have evaluations, and moves have categories."""

    changes = EVALUATED

    def start(self):
        return self.position(heap=13)


def test_a_good_game():
    report = check_game(EvaluatedTake(), games=5)
    assert report.ok, report.problems
    assert any(check.startswith("evaluate, categories compiled") for check in report.checks)
    board, start = EvaluatedTake().board, EvaluatedTake().start()
    assert board.evaluate(start.state) == 10
    assert board.categories(start.state) == [1, 0, 1]


def too_much(g, s):
    return 2_000_000


def half(g, s):
    return 0.5


def third(g, s, moves, n, out):
    for i in range(n):
        out[i] = moves[i] - 1


def one_only(g, s, moves, n, out):
    out[0] = 1


def changes_moves(g, s, moves, n, out):
    moves[0] = 1


@pytest.mark.parametrize(("parts", "message"), [
    ({"evaluate": too_much}, "evaluate returns 2000000; it must be a whole number from -1,000,000"),
    ({"evaluate": half}, "evaluate returns 0.5; it must be a whole number"),
    ({"evaluate": third}, "evaluate takes (g, s, moves, n, out), but is called as evaluate(g, s)"),
    ({"categories": third}, "categories gives a move the category 2; there are 2, from 0"),
    ({"categories": one_only}, "categories gives a move the category -1"),
    ({"categories": changes_moves}, "categories writes into the list of moves"),
])
def test_bad_ones(parts, message):
    class Bad(EvaluatedTake):
        changes = EVALUATED | parts

    report = check_game(Bad(), games=2)
    assert any(message in problem for problem in report.problems), report.problems


def test_searches_use_them(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    # 13 is no multiple of 4, so it is won by taking 1.
    result = zermelo.solve(EvaluatedTake().start(), "erps", nodes=100_000)
    assert (result.value, result.move) == ("win", "1")
