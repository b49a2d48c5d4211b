"""What the depth-first wing refuses, in one sentence."""

from dataclasses import replace

import pytest

import zermelo
from zermelo.core.explicit_graph import Graph
from zermelo.search.base import Task
from zermelo.search.depth_first.run import DepthFirst
from zermelo.search.reasons import UNKNOWN

GAME = zermelo.game("connect-four", columns=4, rows=4)


def test_options_that_do_not_fit():
    with pytest.raises(zermelo.BadOption, match="threads='0' is not a whole number from 1"):
        zermelo.solve(GAME.start(), threads=0)
    with pytest.raises(zermelo.BadOption, match="connect-four has no final score"):
        zermelo.solve(GAME.start(), goal="score")


def test_no_scores_where_positions_come_again():
    class Scored(Graph):
        def define(self):
            return replace(super().define(), score=lambda g, s: -3, max_score=3)

    nodes = {"n0": ("or", ["n1", "l"]), "n1": ("and", ["n0"]), "l": "loss"}
    with pytest.raises(zermelo.BadOption, match="positions of graph can repeat"):
        zermelo.start(Scored(nodes, "n0").start(), goal="score")


@pytest.mark.parametrize("options", [{"threads": 2}, {"threshold": 2}, {"horizon": 3}])
def test_best_first_searches_ask_who_wins_in_one_thread(options):
    with pytest.raises(zermelo.BadOption, match="depth-first search, such as df-pn"):
        zermelo.PN().start(Task(GAME.start(), 0, 1 << 20, **options))


@pytest.mark.parametrize(("bounds", "message"), [
    ({"max_moves": 2}, "more moves than max_moves=2"),
    ({"max_length": 1}, "a game lasts longer than max_length=1"),
])
def test_rules_that_break_their_bounds(bounds, message):
    class Broken(type(GAME)):
        def define(self):
            return replace(super().define(), **bounds)

    question = zermelo.DFPN().start(Task(Broken(columns=4, rows=4).start(), 0, 1 << 20, plain=True))
    question.__dict__["finished"] = UNKNOWN  # the position itself would complain first
    with pytest.raises(zermelo.BadGame, match=message):
        question.advance(1_000)


def test_a_search_must_say_what_it_does():
    bare = DepthFirst()
    for call in (lambda: bare.plan(GAME.rules), lambda: bare.show(1, 1),
                 lambda: bare.show_solved(True)):
        with pytest.raises(NotImplementedError):
            call()
