"""Several threads on one table: the same values."""

import pytest
from cases import cases, check_case

import zermelo
from zermelo import DFPN, DFPPN, PDSPN, TCADFPN, DeepDFPN, SharedDFPN, WeakDFPN, WideningDFPN

# What the tests of values compile: search, plain, set.
ROWS = [
    (DFPN(epsilon=0), True, "connect-four 5x4 line 3"), (WeakDFPN(), False, "othello 4x4"),
    (WeakDFPN(), False, "connect-four 5x4 line 3"), (DFPPN(playouts=5), True, "connect(4,3,3,2,1)"),
    (DeepDFPN(3, 4), True, "connect(4,3,3,2,1)"), (DFPN(), True, "p-game"),
    (WideningDFPN(), True, "connect(4,3,3,2,1)"),
    (TCADFPN(), True, "connect(4,3,3,2,1)"),
    (SharedDFPN(), True, "connect(4,3,3,2,1)"),
    (PDSPN(a=20, b=10, N=300), True, "connect(4,3,3,2,1)"),
]


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize(("search", "plain", "name"), [
    pytest.param(*row, id=f"{row[0].id}-{row[2]}",
                 marks=pytest.mark.xdist_group(f"depth-first {row[2]}")) for row in ROWS])
def test_the_same_values(search, plain, name, threads):
    for case in cases(name)[threads::8]:
        check_case(case, search, plain=plain, threads=threads)
        check_case(case, search, plain=plain, threads=threads, memory=1)


@pytest.mark.parametrize("threads", [2, 4])
def test_a_longer_search(threads):
    game = zermelo.game("connect-four", columns=5, rows=4, line=3)
    alone = zermelo.solve(game.start(), DFPN(epsilon=0), plain=True)
    together = zermelo.solve(game.start(), DFPN(epsilon=0), plain=True, threads=threads)
    assert (together.value, together.proved) == (alone.value, True)
    assert game.start().play(*together.line).outcome == "first"


@pytest.mark.parametrize("threads", [2, 3])
def test_node_limits_are_kept_but_for_a_visit_each(threads):
    position = zermelo.game("connect-four", columns=5, rows=4, line=3).start()
    session = zermelo.start(position, DFPN(epsilon=0), plain=True, threads=threads)
    for nodes in (5, 50, 501, 1_000):
        result = session.run(zermelo.Limits(nodes=nodes))
        if result.stopped != "solved":
            assert nodes <= result.nodes < nodes + threads
            assert result.stopped == "nodes"
    assert result.nodes > 50
