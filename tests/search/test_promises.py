"""What every search promises: a run, and a walk through its proof, as ``zermelo.search.base`` says.

The type checker sees that each wing's classes fit; here they are looked at as they are, most of
them in plain Python: what is promised has little to do with the compiler.
"""

import pytest

import zermelo
from zermelo.search.base import Search, Task, Zones
from zermelo.search.reasons import SLICE
from zermelo.search.registry import SEARCHES, start_by_zones


def won():
    """A position that the player to move, the first, wins."""
    return zermelo.game("k-in-a-row", columns=4, rows=3, line=3).parse("X.../..../.O.. X")


def runs():
    for id, kind in SEARCHES.items():
        yield pytest.param(lambda task, kind=kind: kind().start(task), id=id)
    yield pytest.param(lambda task: start_by_zones(zermelo.PN(), task, Zones()), id="zones")


@pytest.mark.usefixtures("without_jit")
@pytest.mark.parametrize("start", list(runs()))
def test_a_run_and_its_walk(start):
    position = won()
    run = start(Task(position, 0, 1 << 26))
    assert (run.position, run.attacker) == (position, 0)
    for _ in range(1000):
        if run.advance(1 << 16) != SLICE:
            break
    walk = run.walk()
    move = walk.best()
    assert walk.follow(move, position.play_code(move))


@pytest.mark.usefixtures("without_jit")
def test_a_search_without_a_run_says_so():
    with pytest.raises(NotImplementedError):
        Search().start(Task(won(), 0, 1 << 26))


@pytest.mark.parametrize("make", [
    lambda: zermelo.PPN(thetta=5),
    lambda: zermelo.search("ppn", thetta=5),
])
def test_an_unknown_option_is_refused_by_name(make):
    with pytest.raises(zermelo.BadOption) as caught:
        make()
    assert str(caught.value) == ("ppn has no option 'thetta' (did you mean theta?); it has: "
                                 "shuffle, theta, pr, playouts.")


def test_searches_are_found_under_their_own_ids():
    for id, kind in zermelo.SEARCHES.items():
        assert kind.id == id
        assert getattr(zermelo, kind.__name__) is kind


def test_a_second_search_of_a_game_looks_for_no_kernel(monkeypatch):
    """Finding a kernel by its digest takes longer than an easy search: it is done once a game."""
    game = zermelo.game("connect-four", columns=5, rows=4, line=3)
    for search in (zermelo.PN(), zermelo.WeakDFPN()):
        first = zermelo.solve(game.parse("1122"), search)
        with monkeypatch.context() as patch:
            patch.setattr("zermelo.compiler.factory._key",
                          lambda function: pytest.fail("looked for"))
            again = zermelo.start(game.parse("1122"), search)
            again.advance(zermelo.Limits(memory="16MB"))
        assert again.value() == (first.value, first.proved)
        other = zermelo.game("connect-four", columns=5, rows=4, line=3)
        assert zermelo.solve(other.parse("1122"), search).nodes == first.nodes


def test_a_search_whose_options_have_no_hash_runs_all_the_same():
    search = zermelo.PN()
    unhashable = type("Unhashable", (zermelo.PN,), {"__hash__": None})()
    position = zermelo.game("tic-tac-toe").parse("a1 b2 c3")
    assert zermelo.solve(position, unhashable).nodes == zermelo.solve(position, search).nodes
