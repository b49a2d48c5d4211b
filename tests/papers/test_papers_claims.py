"""What the claims of single experiments count, on rows made by hand."""

from functools import partial
from types import SimpleNamespace

import pytest

from zermelo.lab.statistics import UNDECIDED, sign_test
from zermelo_papers import cns_moves, xiangqi_openings
from zermelo_papers.cns_moves import (
    FOUR,
    GROUPS,
    NODES,
    OTHELLO,
    chosen_at,
    count_decided,
    decided,
    more_often,
    only_right,
    right_at,
)
from zermelo_papers.xiangqi_openings import OPENINGS, about, numbers, only_two_rooks

pytestmark = pytest.mark.usefixtures("without_jit")

OPEN, ONE_FROM_WINNING = "4444", "414243"  # nobody wins at once; X wins by 4


def entry(moves, good=("4",), known="win", position=OPEN, id=0, solved=None):
    """A position, and the move that would be played after so many nodes."""
    job = SimpleNamespace(game="connect-four", parameters={}, position=position)
    row = {"concluded": solved is not None, "nodes": solved or 10_000, "move": "6",
           "trace": [{"nodes": nodes, "move": move} for nodes, move in moves]}
    return SimpleNamespace(cell=SimpleNamespace(job=job, id=id), row=row, known=known,
                           good_moves=None if good is None else list(good))


class ByHand:
    """A results of entries by (arm, set)."""

    def __init__(self, entries, finished=True):
        self.entries, self.all = entries, finished

    def select(self, arm, set):
        return self.entries.get((arm, set), [])

    def finished(self, *arms):
        return self.all


def test_the_sign_test_counts_the_ways_a_coin_falls():
    assert sign_test(0, 6) == sign_test(6, 0) == 2 / 64
    assert sign_test(3, 3) == sign_test(0, 0) == sign_test(0, 1) == 1
    assert sign_test(1, 7) == pytest.approx(2 * (1 + 8) / 256)


def test_a_position_is_decided_if_some_moves_win_and_none_at_once():
    assert decided(entry([]))
    assert not decided(entry([], known="not-win"))
    assert not decided(entry([], good=None))
    assert not decided(entry([], good=tuple("1234567")))
    assert not decided(entry([], position=ONE_FROM_WINNING))
    assert not decided(SimpleNamespace(row=None))
    assert count_decided([entry([]), entry([], good=None), entry([])]) == 2


def test_the_move_after_so_many_nodes_is_that_of_the_last_look():
    looks = [(100, "1"), (300, "2"), (900, "3")]
    assert [chosen_at(entry(looks), nodes) for nodes in (99, 100, 299, 300, 5_000)] == [
        None, "1", "1", "2", "3"]
    solved = entry(looks, solved=800)
    assert [chosen_at(solved, nodes) for nodes in (799, 800)] == ["2", "6"]


def test_shares_are_of_the_decided_positions():
    entries = [entry([(10, "4")]), entry([(10, "1")]), entry([(400, "4")]),
               entry([(10, "4")], known="not-win")]
    assert right_at(300, entries) == pytest.approx(100 / 3)
    assert right_at(1_000, entries) == pytest.approx(200 / 3)
    assert right_at(300, entries[3:]) is None


def test_a_position_counts_for_the_search_that_is_right_alone():
    mine = [entry([(10, move)], id=id) for id, move in enumerate("4441")]
    theirs = [entry([(10, move)], id=id) for id, move in enumerate("4114")]
    results = ByHand({("CNS", FOUR): mine, ("PN", FOUR): theirs})
    assert only_right(results, FOUR, 300, ("CNS", "PN")) == [2, 1]
    assert only_right(results, FOUR, 9, ("CNS", "PN")) == [0, 0]
    assert only_right(results, OTHELLO, 300, ("CNS", "PN")) == [0, 0]


def results_of(*counts):
    """For each group: so many positions on which CNS is right alone, and PN alone."""
    entries = {}
    for group, (alone, others) in zip(GROUPS, counts, strict=True):
        for name, move in (("CNS", "41"), ("PN", "14")):
            entries[name, group] = [entry([(10, move[id >= alone])], id=id)
                                    for id in range(alone + others)]
    return ByHand(entries)


def test_a_verdict_needs_a_difference_that_eight_comparisons_bear():
    assert len(GROUPS) * len(NODES) == 8
    assert cns_moves.CHANCE == 0.05 / 8
    assert sign_test(0, 8) > cns_moves.CHANCE > sign_test(0, 9)
    test = partial(more_often, "CNS", "PN")
    assert test(results_of((8, 0), (0, 8)))[0] == UNDECIDED
    assert test(results_of((9, 0), (0, 0)))[0] is True
    assert test(results_of((0, 9), (4, 4)))[0] is False
    assert test(results_of((9, 0), (0, 9)))[0] == UNDECIDED  # one better here, the other there
    assert test(ByHand({}, finished=False)) == (None, "")
    words = test(results_of((9, 0), (1, 2)))[1]
    assert f"{FOUR}, 300 nodes: 9 to 0 (p = 0.0039)" in words
    assert f"{OTHELLO}, 10,000 nodes: 1 to 2 (p = 1)" in words


def openings(*by_depth):
    """A results in which RSCN of Red at T = 200 is such by opening, at depths 5, 6 and 7."""
    return ByHand({(arm, name): [SimpleNamespace(row={"counters": {"rscn_first": number}})]
                   for arm, found in zip((f"T = 200, depth {depth}" for depth in (5, 6, 7)),
                                      by_depth, strict=True)
                   for name, number in found.items()})


def test_only_two_rooks_are_in_the_low_range():
    found = dict.fromkeys(OPENINGS, 0.0)
    assert not only_two_rooks(found)
    assert only_two_rooks({**found, "two rooks": 53.7})
    assert not only_two_rooks({**found, "two rooks": 53.6})
    assert not only_two_rooks({**found, "two rooks": 60.0, "two cannons": 60.0})


def test_a_claim_about_openings_has_to_hold_at_all_depths():
    plain = dict.fromkeys(OPENINGS, 0.0)
    rooks = {**plain, "two rooks": 90.0}
    test = partial(about, "T = 200", "", only_two_rooks)
    assert test(openings(rooks, rooks, rooks))[0] is True
    assert test(openings(plain, plain, plain))[0] is False
    verdict, words = test(openings(plain, rooks, rooks))
    assert verdict == UNDECIDED
    assert words.startswith("depth 5, not so: none 0.0, one knight 0.0")
    assert "; depth 6, so: none 0.0" in words
    of_ranges = partial(about, "T = 200", "", only_two_rooks, ranges=True)
    assert of_ranges(openings(rooks, rooks, rooks))[0] is True
    assert of_ranges(openings(plain, plain, plain))[0] == UNDECIDED, "of another evaluation"
    missing = dict.fromkeys(OPENINGS)
    assert numbers(openings(missing, rooks, rooks), "T = 200, depth 5") is None
    assert test(openings(missing, rooks, rooks)) == (None, "")
    assert xiangqi_openings.inside(-36.2, (-36.2, 36.2))
