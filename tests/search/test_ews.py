"""EWS: the equations of its paper hold in every node, and the order is the best one."""

from itertools import permutations
from math import inf, prod

import numpy as np
import pytest

import zermelo
from zermelo.search.base import Task
from zermelo.search.reasons import UNKNOWN, WON

GAME = zermelo.game("tic-tac-toe")


def grown(search, nodes=3_000, text="start"):
    """A run whose tree has about ``nodes`` nodes, and the tree."""
    position = GAME.parse(text)
    run = search.start(Task(position, position.mover, 1 << 26, seed=5, plain=True))
    run.advance(1 << 30, nodes)
    assert run.status == UNKNOWN
    return run, run.tree.nodes[: run.size]


def children(tree, n):
    first = int(tree[n]["first"])
    return range(first, first + int(tree[n]["count"]))


def from_the_mover(tree, c, attacker_moves):
    """(WR, EW_win, EW_loss) of a child, for the player who moves there in the paper: the other."""
    rate = float(tree[c]["wins"] / tree[c]["visits"])
    win, loss = float(tree[c]["ew_win"]), float(tree[c]["ew_loss"])
    return (1 - rate, loss, win) if attacker_moves else (rate, win, loss)


def ew_win(order):
    """Equation (2) for children (WR, EW_win, EW_loss) in this order."""
    return sum(loss * prod(rate for rate, _, _ in order[:i])
               for i, (_, _, loss) in enumerate(order))


@pytest.mark.parametrize("search", [zermelo.EWS(), zermelo.EWS(playouts=3)], ids=str)
def test_equations_1_to_3_hold_in_every_node(search):
    run, tree = grown(search)
    checked = least = 0
    for n in range(run.size):
        if tree[n]["status"] != UNKNOWN or not tree[n]["count"]:
            continue
        mine = int(tree[n]["mover"]) == run.attacker
        open_ones = [c for c in children(tree, n) if tree[c]["status"] == UNKNOWN]
        known = {c: from_the_mover(tree, c, mine) for c in open_ones}
        order = sorted(open_ones, key=lambda c: known[c][2] / (1 - known[c][0]))
        won, lost = ("ew_win", "ew_loss") if mine else ("ew_loss", "ew_win")
        assert float(tree[n][lost]) == pytest.approx(sum(known[c][1] for c in open_ones))
        assert float(tree[n][won]) == pytest.approx(ew_win([known[c] for c in order]))
        assert known[run.parts.select(run.options, run.tree.nodes, n, mine)] == known[order[0]]
        checked += 1
        if 2 <= len(order) <= 5:  # appendix A: no other order promises less
            best = min(ew_win(other) for other in permutations(known.values()))
            assert float(tree[n][won]) == pytest.approx(best)
            least += 1
    assert checked > 200
    assert least > 50


def test_the_games_of_a_node_are_its_own_and_those_below():
    run, tree = grown(zermelo.EWS(playouts=3))
    for n in range(run.size):
        below, games, wins = [n], 0, 0
        while below:
            at = below.pop()
            below += children(tree, at)
            finished = tree[at]["status"] != UNKNOWN and not tree[at]["count"]
            games += 0 if finished else 3
            wins += 0 if finished else int(tree[at]["own"])
        assert (int(tree[n]["wins"]), int(tree[n]["visits"])) == (1 + wins, 2 + games)


def test_the_work_of_a_leaf_is_what_a_random_game_has_to_choose_from():
    """With k empty squares at most k + (k - 1) + ... + 1, and at least the k of the leaf itself."""
    _, tree = grown(zermelo.EWS(), nodes=1)
    assert 9 <= float(tree[0]["ew_win"]) <= 45
    assert float(tree[0]["ew_win"]) == float(tree[0]["ew_loss"])
    _, tree = grown(zermelo.EWS(), nodes=2, text="a1 b1 c1 a2 b2")
    for c in children(tree, 0):
        assert 3 <= float(tree[c]["ew_win"]) <= 6 or tree[c]["status"] == WON


def test_without_rates_the_least_work_is_followed():
    """The paper's EWS-WR: EW_win is the minimum, as pn is at OR nodes."""
    run, tree = grown(zermelo.EWS(rates=False))
    for n in range(run.size):
        if tree[n]["status"] == UNKNOWN and tree[n]["count"]:
            mine = int(tree[n]["mover"]) == run.attacker
            name = "ew_win" if mine else "ew_loss"
            works = [float(tree[c][name]) for c in children(tree, n)]
            assert float(tree[n][name]) == min(works)
            followed = run.parts.select(run.options, run.tree.nodes, n, mine)
            assert float(tree[followed][name]) == min(works)


def test_solved_nodes_have_no_work_left():
    run, tree = grown(zermelo.EWS())
    for n in np.flatnonzero(tree["status"] != UNKNOWN):
        won = tree[n]["status"] == WON
        assert (tree[n]["ew_win"], tree[n]["ew_loss"]) == ((0, inf) if won else (inf, 0))
        assert run.numbers(n) == {"wr": 1.0 if won else 0.0, "ew_win": 0.0 if won else "inf",
                                  "ew_loss": "inf" if won else 0.0}
