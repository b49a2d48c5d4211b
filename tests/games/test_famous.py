"""The positions worth a look are what is said of them, and can be solved while one waits."""

import json

import pytest

import zermelo
from zermelo.compiler.jit import jit_enabled
from zermelo.games.famous import famous
from zermelo.games.registry import game_names

QUICK = [each for each in famous() if not each.long]


@pytest.mark.long_cases("connect6-threats", "hex-5")
@pytest.mark.parametrize("each", QUICK, ids=lambda each: each.id)
def test_it_is_what_is_said_of_it(each):
    if not jit_enabled() and each.id not in ("tic-tac-toe", "id-8"):
        pytest.skip("too slow in plain Python")
    result = zermelo.solve(each.at, each.search, goal=each.goal, memory="300MB", time=60)
    assert (result.value, result.proved) == (each.value, True)
    assert result.seconds < 10
    if each.score is not None:
        assert result.score == (each.score, each.score)


def test_each_can_be_shown():
    assert len({each.id for each in famous()}) == len(famous()) == 9
    assert {each.game for each in famous()} <= set(game_names())
    for each in famous():
        found = json.loads(json.dumps(each.to_dict()))
        place = found["place"]
        game = zermelo.game(place["game"], **place["parameters"])
        assert game.parse(place["position"]).play(*place["moves"]) == each.at
        assert each.at.outcome is None
        assert found["picture"].startswith("<svg")
        assert found["title"]
        assert found["words"].endswith(".")
        assert found["source"]
        assert zermelo.search(found["search"]).id == found["search"]


def test_one_is_long():
    (empty,) = [each for each in famous() if each.long]
    assert empty.at == zermelo.game("connect-four").start()


@pytest.mark.long
def test_seven_turns_and_nine_plies():
    by_id = {each.id: each for each in famous()}
    if jit_enabled():
        threats = zermelo.solve(by_id["connect6-threats"].at)
        assert threats.root == {"turns": 7}
        mate = zermelo.solve(by_id["shi-qing-ya-qu-43"].at)
        assert len(mate.line) == 9
        tree = zermelo.solve(by_id["p-game-42"].at)
        assert 400 < tree.nodes < 600
    assert by_id["othello-84"].position.count("*") == 13
