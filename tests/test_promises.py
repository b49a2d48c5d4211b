"""What every search promises: a run, and a walk through its proof, as ``zermelo.search.base`` says.

The type checker sees that each wing's classes fit; here they are looked at as they are.
"""

import pytest

import zermelo
from zermelo.search.base import Run, Search, Task, Walk
from zermelo.search.reasons import SLICE
from zermelo.search.registry import SEARCHES
from zermelo.search.zones.options import Zones
from zermelo.search.zones.run import start_by_zones

ROW = zermelo.game("k-in-a-row", columns=4, rows=3, line=3)
WON = ROW.parse("X.../..../.O.. X")


def members(promise):
    return [name for name in vars(promise) if not name.startswith("_")]


def runs():
    for id, kind in SEARCHES.items():
        yield pytest.param(lambda kind=kind: kind().start(Task(WON, 0, 1 << 26)), id=id)
    yield pytest.param(lambda: start_by_zones(zermelo.PN(), Task(WON, 0, 1 << 26), Zones()),
                       id="zones")


@pytest.mark.parametrize("start", list(runs()))
def test_a_run_and_its_walk(start):
    run = start()
    assert not [name for name in members(Run) if not hasattr(run, name)]
    assert (run.position, run.attacker) == (WON, 0)
    for _ in range(1000):
        if run.advance(1 << 16) != SLICE:
            break
    walk = run.walk()
    assert not [name for name in members(Walk) if not hasattr(walk, name)]
    assert walk.prover == 0
    move = walk.best()
    assert walk.follow(move, WON.play_code(move))


def test_the_promises_have_members():
    assert {"advance", "grow", "status", "walk", "chosen", "moves"} <= set(members(Run))
    assert members(Walk) == ["prover", "best", "follow"]


def test_a_search_without_a_run_says_so():
    with pytest.raises(NotImplementedError):
        Search().start(Task(WON, 0, 1 << 26))


@pytest.mark.parametrize("make", [
    lambda: zermelo.PPN(thetta=5),
    lambda: zermelo.search("ppn", thetta=5),
])
def test_an_unknown_option_is_refused_by_name(make):
    with pytest.raises(zermelo.BadOption) as caught:
        make()
    assert str(caught.value) == ("ppn has no option 'thetta' (did you mean theta?); it has: "
                                 "shuffle, theta, pr, playouts.")
