"""In which order leaves are expanded: df-PPN as PPN does, Deep df-pn with E = 1 as df-pn does."""

import numpy as np
import pytest

import zermelo
from zermelo import DFPN, DFPPN, PPN, DeepDFPN
from zermelo.search.base import Task
from zermelo.search.reasons import SLICE, SOLVED, UNKNOWN

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


@pytest.mark.long
def test_deep_df_pn_that_is_flat_visits_what_df_pn_visits():
    game = zermelo.game("connect-four", columns=5, rows=4, line=3)
    differs = set()
    for text in ("start", "3", "31", "2345"):
        for epsilon in (0, 0.25):
            counts = {
                (result.nodes, result.iterations, result.value, tuple(result.line))
                for search in (DFPN(epsilon), DeepDFPN(1, 12, epsilon=epsilon),
                               DeepDFPN(7, 1, epsilon=epsilon), DeepDFPN(0, 0, epsilon=epsilon))
                for result in [zermelo.solve(game.parse(text), search, plain=True)]
            }
            assert len(counts) == 1
            deep = zermelo.solve(game.parse(text), DeepDFPN(3, 5, epsilon=epsilon), plain=True)
            assert deep.value in {value for _, _, value, _ in counts}
            differs.add(deep.nodes != min(counts)[0])
    assert True in differs
