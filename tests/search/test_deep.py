"""Deep searches: DeepPN's formulas, the order of leaves, and visits in a user's copy of a game."""


import numpy as np
import pytest

import zermelo
from zermelo import DFPPN, PPN, DeepDFPN, DeepPN
from zermelo.search.base import Task
from zermelo.search.best_first import pn
from zermelo.search.depth_first import deep_df_pn
from zermelo.search.depth_first.deep_df_pn import BOUNDLESS, CAP, LARGEST, SMALL, next_above
from zermelo.search.depth_first.df_pn import backup_of, sum_total
from zermelo.search.depth_first.plan import child_dtype, frame_dtype
from zermelo.search.reasons import SLICE, SOLVED, UNKNOWN, WON

BOARD = {"columns": 4, "rows": 3, "line": 3, "stones": 2, "first": 1}  # compiled by others too


class Large(DeepDFPN):
    """Float64 whatever E and D are."""

    large = True


def visits(search):
    start = zermelo.game("k-in-a-row", **BOARD).start()
    result = zermelo.solve(start, search, goal="win", plain=True)
    return result.value, result.counters["visits"], result.counters["seesaw"]


def test_the_formulas_are_those_of_the_thesis_and_of_the_paper():
    nodes = np.zeros(4, [("first", "i4"), ("count", "i4"), ("status", "u1"), ("pn", "i8"),
                         ("dn", "i8"), ("deep", "f8")]).view(np.recarray)
    nodes[0].first, nodes[0].count = 1, 3
    for child, numbers in enumerate(((1, 0.5), (4, 0.1), (9, 0.05)), 1):
        nodes[child].pn, nodes[child].deep = numbers
    nodes[3].status = WON
    # R = 0.5: 1/2 + 1/2 and 4/5 + 1/10, against 0 + 1/2 and 3/4 + 1/10, all halved
    for formula, chosen in (("2019", 2), ("2015", 1)):
        options = DeepPN(R=0.5, formula=formula).data()
        assert pn.select_deep(options, nodes, 0, True) == chosen
    assert UNKNOWN == 0


def test_both_formulas_find_the_value_each_in_its_own_way():
    start = zermelo.game("p-game", branching=3, depth=7, seed=5).start()
    found = [zermelo.solve(start, DeepPN(R=0.5, formula=formula), goal="win", plain=True)
             for formula in ("2019", "2015")]
    assert found[0].value == found[1].value
    assert found[0].nodes != found[1].nodes


@pytest.mark.long
def test_large_numbers_are_the_whole_ones_where_those_suffice():
    assert not DeepDFPN(4, 6).large
    assert visits(Large(4, 6)) == visits(DeepDFPN(4, 6)) == ("win", 1239, 298)


def test_leaves_of_more_than_26_bits_are_told_apart():
    """Whole numbers of 26 bits, of which many are then the largest, took 2,003 visits."""
    assert DeepDFPN(4, 15).large
    assert visits(DeepDFPN(4, 15)) == ("win", 1726, 301)


def test_the_whole_published_grid_is_within_float64():
    for E in range(1, 21):
        for D in range(1, 16):
            search = DeepDFPN(E, D)
            assert search.large == (E ** (D - 1) > SMALL)
            leaf = deep_df_pn.leaf_of(1.0)(None, search.data(None, True), None, None, True, 1)[0]
            assert leaf == pytest.approx(E ** (D - 1), rel=1e-15)
            assert leaf < LARGEST
            assert next_above(leaf) > leaf


def test_children_compare_and_add_up_beyond_whole_numbers():
    children = np.zeros(3, child_dtype("f8")).view(np.recarray)
    numbers = [20.0**14, 20.0**14 - 20.0**9, 20.0**14 + 20.0**9]
    for child, number in enumerate(numbers):
        children[child].pn = children[child].dn = number
    found = backup_of(sum_total, BOUNDLESS, CAP)(None, children, 0, 3, True)
    assert (found.best, found.second) == (1, numbers[0])
    assert found.dn == sum(numbers)
    frame = np.zeros(1, frame_dtype("f8")).view(np.recarray)[0]
    frame.th_pn = frame.th_dn = BOUNDLESS
    options, plan = DeepDFPN(20, 15).data(None, True), DeepDFPN(20, 15).plan(None)
    th_pn, th_dn = plan.thresholds(options, frame, children[1], found, True)
    assert numbers[0] < th_pn == np.nextafter(numbers[0], np.inf)
    assert th_dn == BOUNDLESS
    assert plan.thresholds(options, frame, children[1], found, False) == (BOUNDLESS, th_pn)
    frame.th_pn = frame.th_dn = numbers[1]  # met already: a visit has to do something all the same
    found = backup_of(sum_total, BOUNDLESS, CAP)(None, children, 1, 1, True)
    assert found.second == BOUNDLESS
    th_pn, th_dn = plan.thresholds(options, frame, children[1], found, True)
    assert (th_pn, th_dn) == (numbers[1], next_above(numbers[1]))
    assert plan.virtual(children[1], th_pn, BOUNDLESS, True) == (th_pn, numbers[1])
    assert plan.virtual(children[1], th_pn, BOUNDLESS, False) == (numbers[1], CAP)


def test_thresholds_are_shown_as_numbers_or_infinite():
    search = DeepDFPN(20, 15)
    assert search.show_thresholds(20.0**14, BOUNDLESS) == {"pn": 20**14, "dn": "inf"}
    assert DeepDFPN().show_thresholds(3, 4) == {"pn": 3, "dn": 4}


def test_leaves_that_float64_could_not_add_up_are_refused():
    assert DeepDFPN(10, 151).large
    with pytest.raises(zermelo.BadOption, match=r"E=10 with D=152 makes leaves of 10\^151, a "
                       r"number of 152 digits; E\^\(D - 1\) may be at most 1e\+150"):
        DeepDFPN(10, 152)


MEMORY = 1 << 27


def expanded_by_ppn(question):
    """The states expanded, in order; the tree's children are made one family after the other."""
    nodes, states = question.tree.nodes, {0: question.position}
    inner = sorted((int(nodes[n]["first"]), n) for n in range(question.size) if nodes[n]["count"])
    found = []
    for first, n in inner:
        position = states.pop(n)
        found.append(position.text)
        for c in range(first, first + int(nodes[n]["count"])):
            if nodes[c]["count"]:
                states[c] = position.play_code(int(nodes[c]["move"]))
    return found


def expanded_by_df(question, most):
    """The same of a depth-first search: after each visit, the node that was entered."""
    (stack,), game, found = question.stacks, question.position.game, []
    reason = SLICE
    while reason == SLICE and len(found) < most:
        before = question.iterations
        reason = question.advance(1)
        if question.iterations > before:
            entered = question.nodes - 1
            (depth,) = np.nonzero(stack.frames["entered"][: len(stack.states)] == entered)[0][:1]
            state = np.asarray(stack.states[depth : depth + 1]).view(np.ndarray)
            found.append(zermelo.Position(game, state.copy()).text)
    return found, reason


# playouts, theta: few playouts and a tiny theta drive p towards 0 and 1
@pytest.mark.long
@pytest.mark.parametrize(("playouts", "theta"), [(60, 0.01), (5, 0.01), (1, 1e-12), (2, 0.4)])
def test_df_ppn_expands_what_ppn_expands_in_the_same_order(playouts, theta):
    total = 0
    for branching, depth, seeds in ((2, 12, 12), (3, 7, 12), (8, 4, 12), (5, 5, 8), (40, 2, 4)):
        for seed in range(seeds):
            game = zermelo.game("p-game", branching=branching, depth=depth, seed=seed)
            task = Task(game.start(), seed % 2, MEMORY, seed=seed, plain=True)
            best_first = PPN(theta=theta, playouts=playouts).start(task)
            best_first.advance(2_000)
            expected = expanded_by_ppn(best_first)
            depth_first = DFPPN(theta=theta, playouts=playouts).start(task)
            found, reason = expanded_by_df(depth_first, len(expected))
            assert found == expected
            solved = best_first.status != UNKNOWN
            assert solved == (reason == SOLVED)
            assert depth_first.status == best_first.status
            assert depth_first.counters["exact"]
            total += len(found)
    assert total > 3_000


@pytest.mark.long
def test_the_root_of_df_ppn_has_the_numbers_of_ppn():
    """Whenever the search is back at the root."""
    compared = 0
    for seed in range(20):
        game = zermelo.game("p-game", branching=3, depth=8, seed=seed)
        task = Task(game.start(), 0, MEMORY, seed=1, plain=True)
        best_first, depth_first = PPN(playouts=10).start(task), DFPPN(playouts=10).start(task)
        while depth_first.advance(1) == SLICE:
            if depth_first.stacks[0].control[0]["depth"] == 0:
                best_first.advance(depth_first.iterations - best_first.iterations)
                assert depth_first.numbers() == best_first.numbers()
                compared += 1
    assert compared > 300
