"""Random games of games in plain Python: how they end, and that their positions are not kept."""

import pytest
from plain_games import FIVE, Nim

import zermelo
from zermelo.core.objects import COUNTED_GAME, END_BITS, ENDS
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS
from zermelo.errors import BadRule

NODES, PLAYOUTS = 300, 8
QUICK = ["ews", "ppn"]  # the first plays games of its own kind
WITH_PLAYOUTS = sorted(name for name, kind in zermelo.SEARCHES.items()
                       if "playouts" in kind.__dataclass_fields__)


def connect_four():
    return zermelo.game(FIVE["connect four 5x4"][1])


def check_store(search):
    """No more positions than there are children of the nodes, where random games meet thousands."""
    options = {"leaf": "playouts"} if search == "weak-df-pn" else {}
    game = connect_four()
    result = zermelo.solve(game.start(), zermelo.SEARCHES[search](playouts=PLAYOUTS, **options),
                           nodes=NODES, plain=True)
    assert result.nodes >= NODES
    assert len(game.store) <= 1 + 5 * result.nodes
    children = {state for parent in game.store.objects if parent is not None
                and game.plain.outcome(parent) is None
                for state in (game.plain.play(parent, move) for move in game.plain.moves(parent))}
    met = {state for state in game.store.objects if state is not None}
    assert len(met) == len(game.store)
    assert met <= children | {game.state(game.start())}
    asked = len(game.store.lists)
    assert asked <= result.nodes + 1
    return len(met)


@pytest.mark.long_cases("ppn")
@pytest.mark.parametrize("search", QUICK)
def test_positions_of_random_games_are_not_kept(search):
    assert check_store(search) <= NODES + 5


@pytest.mark.full
@pytest.mark.parametrize("search", WITH_PLAYOUTS)
def test_positions_of_random_games_are_not_kept_in_any_search(search):
    check_store(search)


def test_the_choices_of_random_games_are_counted():
    """As many as there are moves, in Nim with heaps of 1: three, two, one."""
    store = zermelo.game(Nim, heap=3).store
    ones = store.add(((1, 1, 1), 0))
    for counter in range(5):
        answer = store.answer(COUNTED_GAME, ones, counter)
        assert (answer & ENDS, answer >> END_BITS) == (FIRST_WINS, 3 + 2 + 1)
    heap = store.add(((0, 0, 2), 1))
    found = {store.answer(COUNTED_GAME, heap, counter) for counter in range(20)}
    assert found == {2 << END_BITS | SECOND_WINS, 2 + 1 << END_BITS | FIRST_WINS}
    assert len(store) == 2


@pytest.mark.parametrize("longest", [3, 9])
def test_a_game_may_be_as_long_as_the_longest(longest):
    """The last move counts; one more would be too long."""
    kind = type("Long", (Nim,), {"max_length": longest, "outcome": lambda self, state:
                                 None if any(state[0]) else ("second", "first")[state[1]]})
    store = zermelo.game(kind).store
    three, four = (store.add(((1,) * n, 0)) for n in (longest, longest + 1))
    assert [store.random_game(store.objects[n], 5)[0] for n in (three, four)] == [FIRST_WINS, DRAW]
    assert store.random_games(store.objects[three], 5, 10, FIRST_WINS) == 10
    assert store.random_games(store.objects[three], 5, 1, ONGOING) == FIRST_WINS


def broken_moves(self, state):
    if sum(state[0]) < 3:
        raise RuntimeError("no moves today")
    return Nim.moves(self, state)


def test_what_a_random_game_raises_comes_out():
    game = zermelo.game(type("Broken", (Nim,), {"moves": broken_moves}))
    with pytest.raises(BadRule, match=r"moves raised RuntimeError at (.|\n)*no moves today"):
        zermelo.solve(game.start(), "ews")
