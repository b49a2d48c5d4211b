"""Several threads on one table: the same values."""

from itertools import pairwise

import pytest
from cases import cases, check_case

import zermelo
from zermelo import DFPN, DFPPN, PDSPN, TCADFPN, DeepDFPN, SharedDFPN, WeakDFPN, WideningDFPN
from zermelo.search.base import Task
from zermelo.search.common.table import BUCKET_WORDS, bucket_of
from zermelo.search.depth_first import df_ppn
from zermelo.search.depth_first.plan import losing
from zermelo.search.depth_first.table import AT_DN, AT_PN, INF
from zermelo.search.reasons import NEVER, UNKNOWN

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


@pytest.mark.long_cases(
    "df-pn-connect-four 5x4 line 3-4", "weak-df-pn-othello 4x4-*", "*-connect(4,3,3,2,1)-4",
    "df-pn-p-game-4")
@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize(("search", "plain", "name"), [
    pytest.param(*row, id=f"{row[0].id}-{row[2]}") for row in ROWS])
def test_the_same_values(search, plain, name, threads):
    for case in cases(name)[threads::8]:
        check_case(case, search, plain=plain, threads=threads)
        check_case(case, search, plain=plain, threads=threads, memory=1)


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


def entry(run, child):
    """(pn, dn) that the table has for a child; None if it has none."""
    words = run.table.words
    at = int(bucket_of(len(words), child["hash"]))
    for slot in range(at, at + BUCKET_WORDS, 2):
        data = int(words[slot + 1])
        if data and int(words[slot]) ^ data == int(child["check"]):
            return data >> AT_PN & INF, data >> AT_DN & INF
    return None


def test_a_child_is_marked_only_where_all_children_have_to_be_searched():
    """Others would find a child that is searched at its threshold, and go elsewhere; where one
    child may be enough they shall not."""
    game = zermelo.game("connect-four", columns=5, rows=4, line=3)
    seen = {True: 0, False: 0}
    for visits in range(20, 1_000, 10):
        run = DFPN(epsilon=0).start(Task(game.start(), visits // 10 % 2, 1 << 20, plain=True,
                                         threads=2))
        stack = run.stacks[0]
        stack.control["limit"] = stack.control["pause"] = stack.control["patience"] = NEVER
        run._run_stack(stack, visits)
        for frame, below in pairwise(stack.frames[: int(stack.control["depth"][0]) + 1]):
            children = stack.children[frame["first"]: frame["first"] + frame["count"]]
            chosen = stack.children[frame["chosen"]]
            open_ones = children[children["status"] == UNKNOWN]
            phi, delta = ("pn", "dn") if frame["mover"] == run.attacker else ("dn", "pn")
            fails = bool(open_ones[delta].sum() < open_ones[phi].min())
            kept = entry(run, chosen)
            threshold = min(int(below[f"th_{phi}"]), INF - 1)
            marked = kept is not None and kept[phi == "dn"] == threshold
            assert marked == fails, (visits, frame, children)
            seen[fails] += 1
    assert min(seen.values()) > 50


def test_who_rather_fails():
    """Proof numbers say how far away success is, probabilities how likely."""
    for attacker_moves in (True, False):
        assert losing(9, 2, attacker_moves) == attacker_moves
        assert losing(2, 9, attacker_moves) != attacker_moves
        assert df_ppn.losing(0.2, 0.8, attacker_moves) == attacker_moves
        assert df_ppn.losing(0.8, 0.2, attacker_moves) != attacker_moves
        assert not losing(3, 3, attacker_moves)
        assert not df_ppn.losing(0.5, 0.5, attacker_moves)
