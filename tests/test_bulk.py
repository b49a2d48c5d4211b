"""Many positions: the values alone, as ``solve_many(values_only=True)`` finds them."""

import pytest
from brute import random_positions

import zermelo
from zermelo.errors import BadOption

CONNECT_FOUR = zermelo.game("connect-four")


def positions(count):
    return list(random_positions(CONNECT_FOUR, count, 24, 40, seed=7))


@pytest.mark.parametrize("options", [{}, {"goal": "win"}, {"plain": True}, {"player": 0},
                                     {"search": "df-pn", "workers": 1}])
def test_values_alone_are_those_of_solve(options):
    some = positions(40 if options.get("plain") else 400)
    assert any(position.outcome is not None for position in some)
    values = list(zermelo.solve_many(some, values_only=True, **options))
    options = {name: value for name, value in options.items() if name != "workers"}
    search = options.pop("search", None)
    alone = [zermelo.start(p, search, **options).run().value for p in some]
    assert values == alone
    assert len(set(values)) > 1


def test_hard_positions_among_easy_ones_keep_their_places():
    hard = CONNECT_FOUR.parse("444555542")  # takes more visits than an easy one may
    some = positions(6)
    given = [some[0], hard, *some[1:], hard, zermelo.game("tic-tac-toe").start()]
    values = list(zermelo.solve_many(given, values_only=True, memory="32MB"))
    assert values == [zermelo.solve(position, memory="32MB").value for position in given]


def test_what_is_not_proved_is_unknown():
    hard = CONNECT_FOUR.parse("444555542")
    assert list(zermelo.solve_many([hard], values_only=True, nodes=50)) == ["unknown"]


def test_what_is_not_valid_is_refused():
    with pytest.raises(BadOption, match="'a1' is not a Position"):
        list(zermelo.solve_many(["a1"], values_only=True))
    with pytest.raises(BadOption, match="goal='best' is not one of"):
        list(zermelo.solve_many([CONNECT_FOUR.start()], values_only=True, goal="best"))
