"""What the minimax wing refuses, in one sentence."""

from dataclasses import replace

import pytest

import zermelo
from zermelo.search.base import Task
from zermelo.search.minimax.search import Minimax
from zermelo.search.reasons import UNKNOWN

GAME = zermelo.game("connect-four", columns=4, rows=4)


@pytest.mark.parametrize("options", [{"threads": 2}, {"threshold": 2}, {"horizon": 3}])
def test_they_ask_who_wins_in_one_thread(options):
    with pytest.raises(zermelo.BadOption, match="pvs asks who wins, in one thread"):
        zermelo.PVS().start(Task(GAME.start(), 0, 1 << 20, **options))


@pytest.mark.parametrize(("options", "message"), [
    ({"C": 0}, "C=0 is not valid; it is a number above 0 and below 1"),
    ({"C": 1.0}, "C=1 is not valid"), ({"minFP": 0}, "minFP='0' is not valid"),
    ({"minFP": 17}, "from 0.0625 to 16")])
def test_options_out_of_range(options, message):
    for kind in (zermelo.RPS, zermelo.ERPS):
        with pytest.raises(zermelo.BadOption, match=message):
            kind(**options)


def test_options_that_are_none():
    with pytest.raises(zermelo.BadOption, match="pvs: first='closed' is not valid; it is one of"):
        zermelo.PVS(first="closed")
    with pytest.raises(zermelo.BadOption, match="alpha-beta has no option 'first'"):
        zermelo.search("alpha-beta", first="null")


@pytest.mark.parametrize(("bounds", "message"), [
    ({"max_moves": 2}, "more moves than max_moves=2"),
    ({"max_length": 1}, "a game lasts longer than max_length=1"),
])
def test_rules_that_break_their_bounds(monkeypatch, bounds, message):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")

    class Broken(type(GAME)):
        def define(self):
            return replace(super().define(), **bounds)

    start = Broken(columns=4, rows=4).start()
    start.__dict__["_seen"] = (0, 0, [0, 1, 2, 3])  # the position itself would complain first
    question = zermelo.AlphaBeta().start(Task(start, 0, 1 << 20, plain=True))
    assert question.finished == UNKNOWN
    with pytest.raises(zermelo.BadGame, match=message):
        question.advance(1_000)


def no_kinds(g, s, moves, n, out):
    """Never called."""


@pytest.mark.parametrize(("parts", "message"), [
    ({"categories": None}, "categories and category_names belong together"),
    ({"category_names": ()}, "categories and category_names belong together"),
    ({"categories": no_kinds, "category_names": ("a", "b"), "probabilities": (0.5,)},
     "must be a number from 0 to 1 for each of the 2 category_names"),
    ({"categories": no_kinds, "category_names": ("a",), "probabilities": (1.5,)},
     "must be a number from 0 to 1"),
    ({"evaluate": 3}, "evaluate must be a function, not '3'"),
])
def test_categories_that_do_not_fit(parts, message):
    class Broken(type(GAME)):
        def define(self):
            return replace(super().define(), **parts)

    with pytest.raises(zermelo.BadGame, match=message):
        Broken(columns=4, rows=4)


def test_no_move_to_choose():
    with pytest.raises(zermelo.BadOption, match="the game is over at"):
        zermelo.choose(GAME.parse("1212121"), nodes=10)
    with pytest.raises(zermelo.BadOption, match="choose needs a budget"):
        zermelo.choose(GAME.start())


def test_a_search_must_say_what_it_does():
    with pytest.raises(NotImplementedError):
        Minimax().plan()
