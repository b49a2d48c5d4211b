"""Leaves valued by a function of the user's: the same search as with playouts, in batches too."""

from functools import cache

import numpy as np
import pytest

import zermelo
from zermelo import MCPN, PPN, BadOption
from zermelo.kernel.rng import start_counter

PLAYOUTS = 64  # shares of which are exact numbers, as are their complements
SEARCHES = [PPN(playouts=PLAYOUTS), MCPN(playouts=PLAYOUTS), PPN(playouts=PLAYOUTS, pr=1e-6)]
START = zermelo.game("tic-tac-toe").parse("start")


@cache
def playouts(position, seed):
    """What a leaf's playouts in the compiled search say: (wins, losses) of the player to move."""
    counter = start_counter(np.uint64(seed), np.uint64(position.key() & (2**64 - 1)))
    counts = position.game.board.playout(position.state, int(counter), PLAYOUTS)
    return counts[1 + position.mover] / PLAYOUTS, counts[2 - position.mover] / PLAYOUTS


class Network:
    """Remembers how many positions it was given at a time."""

    def __init__(self, seed=0):
        self.seed, self.sizes = seed, []

    def __call__(self, positions):
        self.sizes.append(len(positions))
        assert all(position.outcome is None for position in positions)
        return [playouts(position, self.seed) for position in positions]


def answer(result):
    return (result.value, result.proved, result.stopped, result.nodes, result.iterations,
            result.root, [move.to_dict() for move in result.moves])


@pytest.mark.quick_cases("win-PPN(shuffle=False, theta=0.01, pr=1e-06, playouts=64)")
@pytest.mark.parametrize("search", SEARCHES, ids=str)
@pytest.mark.parametrize("goal", ["win", "value"])
def test_the_values_of_playouts_make_the_search_with_playouts(search, goal):
    for seed, nodes in ((0, 300), (7, 4_000)):
        by_playouts = zermelo.solve(START, search, goal=goal, seed=seed, nodes=nodes)
        network = Network(seed)
        valued = zermelo.solve(START, search, goal=goal, seed=seed, nodes=nodes,
                               evaluate_many=network)
        assert answer(valued) == answer(by_playouts)
        assert valued.nodes > 200
        assert max(network.sizes) <= 9


@pytest.mark.long
@pytest.mark.parametrize("search", SEARCHES[:2], ids=str)
def test_batches_are_filled_and_prove_what_is_true(search):
    network = Network()
    result = zermelo.solve(START, search, goal="win", evaluate_many=network, batch=8)
    assert (result.value, result.proved) == ("not-win", True)
    alone = zermelo.solve(START, search, goal="win", evaluate_many=Network())
    assert len(network.sizes) < alone.iterations / 4
    again = zermelo.solve(START, search, goal="win", evaluate_many=Network(), batch=8)
    assert answer(again) == answer(result)


@cache
def in_batches():
    """An undisturbed search."""
    return zermelo.solve(START, PPN(), goal="win", evaluate_many=Network(), batch=4)


def test_it_can_be_stopped_and_continued():
    whole = in_batches()
    session = zermelo.start(START, PPN(), goal="win", evaluate_many=Network(), batch=4)
    for nodes in range(200, whole.nodes + 400, 200):
        result = session.run(zermelo.Limits(nodes=nodes))
    assert answer(result) == answer(whole)


def test_ctrl_c_in_the_network_keeps_the_tree():
    network, calls = Network(), []

    def interrupted(positions):
        calls.append(len(positions))
        if len(calls) in (1, 5, 6):
            raise KeyboardInterrupt
        return network(positions)

    session = zermelo.start(START, PPN(), goal="win", evaluate_many=interrupted, batch=4)
    with pytest.raises(KeyboardInterrupt):
        session.run()  # the root has no value yet: there is nothing to keep
    assert [session.run().stopped for _ in range(2)] == ["interrupted", "interrupted"]
    assert calls[4] == calls[5]  # what waited is asked again
    whole = in_batches()
    assert answer(session.run()) == answer(whole)


def test_ctrl_c_elsewhere_waits_for_the_batch():
    def evaluate_many(positions):
        if session.runs and not noted:
            noted.append(len(positions))
            session.runs[-1].interrupts.noted = True  # as the handler does between the calls
        return network(positions)

    network, noted = Network(), []
    session = zermelo.start(START, PPN(), goal="win", evaluate_many=evaluate_many, batch=4)
    assert session.run().stopped == "interrupted"
    assert len(network.sizes) == 2
    whole = in_batches()
    assert answer(session.run()) == answer(whole)


@pytest.mark.long
def test_one_number_for_each_position_will_do():
    """The chance that the player to move wins; without draws the other side has the rest."""
    def alone(positions):
        return np.array([playouts(position, 0)[0] for position in positions])

    def with_the_rest(positions):
        return [(chance, 1 - chance) for chance in alone(positions)]

    for search in SEARCHES[:2]:
        one, two = (zermelo.solve(START, search, goal="win", evaluate_many=function)
                    for function in (alone, with_the_rest))
        assert answer(one) == answer(two)
        assert one.value == "not-win"


@pytest.mark.parametrize("said", [None, [2.0], [-0.1], [[0.7, 0.7]], [0.5, 0.5, 0.5], ["x"],
                                  [float("nan")]])
def test_chances_are_from_0_to_1(said):
    with pytest.raises(BadOption, match=r"evaluate_many returned .* for 1 position; it is a num"):
        zermelo.solve(START, PPN(), evaluate_many=lambda positions: said)


@pytest.mark.parametrize(("options", "words"), [
    ({"search": PPN(), "batch": 3}, "batch=3 needs evaluate_many"),
    ({"search": PPN(), "evaluate_many": 3}, "evaluate_many='3' is not a function"),
    ({"search": "pn", "evaluate_many": len}, "pn has no use for it; mcpn, ppn have"),
    ({"search": PPN(), "evaluate_many": len, "batch": 2, "trace": 5}, "a trace needs one leaf"),
    ({"search": PPN(), "evaluate_many": len, "batch": 0}, "batch='0' is not a whole number"),
])
def test_refusals(options, words):
    with pytest.raises(BadOption) as caught:
        zermelo.solve(START, **options)
    assert words in str(caught.value)
