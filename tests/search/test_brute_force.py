"""Every best-first search against exhaustive search, on thousands of random positions."""

import pytest
from cases import (
    NEWEST,
    NEWEST_ON,
    P_GAME_SEEDS,
    P_GAMES,
    SETS,
    cases,
    check_case,
    left_to_the_full_tests,
)

import zermelo
from zermelo.search.best_first.search import BestFirst

pytestmark = pytest.mark.slow

# With its defaults PN2 has no second searches to speak of on boards as small as these.
SEARCHES = [
    zermelo.PN2(a=20, b=10, N=300) if id == "pn2" else kind()
    for id, kind in zermelo.SEARCHES.items() if issubclass(kind, BestFirst)
] + [zermelo.PN(tie="deepest")]


# Sets whose game has another with the same code and other constants: PN always, others at length.
SECOND = ("connect-four 4x4", "othello 4x4 loses", "hex 4x4", "tic-tac-toe")


def at_length(name, search):
    """CNS has a set of its own in ``test_cns``; the newest searches are long on most sets."""
    if search.id in NEWEST:
        return name in SECOND and name != NEWEST_ON
    if name in SECOND:
        return search != zermelo.PN()
    return search.id == "cns" or left_to_the_full_tests(name, search.id)


ROWS = [
    pytest.param(name, search, id=f"{name}-{search.id} {search.options}",
                 marks=pytest.mark.full if at_length(name, search) else ())
    for name in [*SETS, "p-game"] for search in SEARCHES]


@pytest.mark.quick_cases(
    "othello 4x4-deep-pn {}", "hex 3x3-mcpn {}",
    "hex 3x3-uct {}", "tic-tac-toe-ews {}", "tic-tac-toe-mopns {}", "tic-tac-toe-pn-mcts {}",
    "tic-tac-toe-gpn-mcts {}", "connect(4,3,3,2,1)-pn {}",
    "connect(4,3,3,2,1)-pn2 {'a': 20.0, 'b': 10.0, 'N': 300}", "connect(4,3,3,2,1)-ppn {}",
    "connect(4,3,3,2,1)-pp {}", "connect(4,3,3,2,1)-mcts {}")
@pytest.mark.parametrize(("name", "search"), ROWS)
def test_agrees_with_brute_force(name, search):
    for case in cases(name)[::3]:
        check_case(case, search)


@pytest.mark.long
@pytest.mark.parametrize(("name", "search"), ROWS)
def test_agrees_on_the_other_positions(name, search):
    for case in cases(name)[1::3] + cases(name)[2::3]:
        check_case(case, search)


def test_the_sets_are_large_enough():
    sizes = {}
    for name in [*SETS, "p-game"]:
        game = SETS[name][0] if name in SETS else name
        count = SETS[name][3] if name in SETS else P_GAME_SEEDS * len(P_GAMES)
        sizes[game] = sizes.get(game, 0) + count
    assert min(sizes.values()) >= 500
    assert sum(sizes.values()) >= 3_000
    assert len(sizes) == 5
