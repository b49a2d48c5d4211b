"""The newest best-first searches keep the promises of the others, on the smallest board.

They are compiled for tic-tac-toe anyway; ``test_driver`` has the same for those of the papers.
"""

import random

import pytest
from cases import NEWEST

import zermelo
from zermelo.proof import verify
from zermelo.search.base import Task
from zermelo.search.reasons import SLICE

GAME = zermelo.game("tic-tac-toe")
START = GAME.start()


def ask(search):
    return zermelo.search(search).start(Task(START, 0, 1 << 26, seed=7, plain=True, exact=True))


@pytest.mark.parametrize("search", NEWEST)
def test_any_cuts_give_the_same_tree_bit_for_bit(search):
    whole, cuts = ask(search), ask(search)
    rng = random.Random(1)
    whole.advance(1 << 40, 3_000)
    limits = [*sorted(rng.randint(1, 3_000) for _ in range(50)), 3_000]
    for limit in limits:
        while cuts.advance(rng.randint(1, 60), limit) == SLICE:
            pass
    assert whole.nodes == cuts.nodes >= 3_000
    assert whole.iterations == cuts.iterations
    assert whole.tree.nodes[: whole.size].tobytes() == cuts.tree.nodes[: cuts.size].tobytes()


@pytest.mark.parametrize("search", NEWEST)
@pytest.mark.parametrize("goal", ["win", "value"])
def test_sessions_continue_as_if_nothing_had_happened(search, goal):
    once = zermelo.solve(START, search, goal=goal, seed=3, plain=True)
    session = zermelo.start(START, search, goal=goal, seed=3, plain=True)
    for nodes in (100, 900, 2_500):
        part = session.run(zermelo.Limits(nodes=nodes))
        assert (part.value, part.stopped, part.proved) == ("unknown", "nodes", False)
        assert nodes <= part.nodes < nodes + 10
    stopped = 0

    def between():  # as Ctrl-C does
        nonlocal stopped
        stopped += 1
        if stopped < 4:
            raise KeyboardInterrupt

    for _ in range(3):
        assert session.run(between=between).stopped == "interrupted"
    found = session.run()
    assert (found.value, found.nodes, found.iterations, found.root, found.line) == (
        once.value, once.nodes, once.iterations, once.root, once.line)
    assert found.value == ("not-win" if goal == "win" else "draw")
    assert found.peak_bytes == once.peak_bytes


@pytest.mark.parametrize("search", NEWEST)
def test_memory_grows_by_asking(search):
    session = zermelo.start(START, search, plain=True)
    small = session.run(zermelo.Limits(memory="60KB"))
    assert (small.value, small.stopped) == ("unknown", "memory")
    assert small.peak_bytes <= 60_000
    assert session.run(zermelo.Limits(memory="64MB")).value == "draw"


@pytest.mark.long
@pytest.mark.parametrize("search", NEWEST)
def test_certificates_of_wins_draws_and_losses(search, tmp_path):
    for text, value in (("start", "draw"), ("a1 b1", "win"), ("a1 b1 c1 a2 b2", "loss")):
        session = zermelo.start(GAME.parse(text), search)
        assert session.run().value == value
        written = zermelo.write_proof(session, tmp_path / "proof")
        assert written.report.verified
        assert verify(tmp_path / "proof").verified


@pytest.mark.quick_cases("ews")
@pytest.mark.parametrize("search", NEWEST)
def test_the_seed_decides(search):
    """Random games, or the order of moves, differ from seed to seed and not from run to run."""
    kind = zermelo.search(search, shuffle=True)
    counts = [zermelo.solve(START, kind, goal="win", seed=seed).nodes for seed in (1, 1, 2, 3)]
    assert counts[0] == counts[1]
    assert len(set(counts)) == 3
