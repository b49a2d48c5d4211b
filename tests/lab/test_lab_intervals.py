"""Intervals and verdicts: against numbers reckoned by hand or published elsewhere."""

import random
from types import SimpleNamespace

import numpy as np
import pytest

from zermelo.lab import claims
from zermelo.lab.claims import all_hold, concludes_more, judged, none_false
from zermelo.lab.experiment import PaperClaim
from zermelo.lab.report.figures import bins
from zermelo.lab.statistics import (
    UNDECIDED,
    Interval,
    above,
    ahead,
    all_of,
    below,
    inside,
    mean_of,
    mean_of_ratios,
    median_of,
    ratio_of_means,
    ratio_of_samples,
    share,
    sign_test,
)


def test_a_share_has_wilsons_interval():
    """Newcombe 1998, table I: 81 of 263 and 15 of 148, by Wilson's score without correction."""
    found = share(81, 263)
    assert (round(found.low, 2), round(found.high, 2)) == (25.53, 36.62)
    found = share(15, 148)
    assert (round(found.low, 2), round(found.high, 2)) == (6.24, 16.05)
    assert share(0, 20)[1] == 0
    assert round(share(0, 20).high, 2) == 16.11
    assert share(29, 29).high == 100
    assert share(0, 0) is None


def test_bootstraps_hold_what_they_are_of_and_narrow_down():
    chance = random.Random(3)
    few, many = ([chance.gauss(50, 10) for _ in range(n)] for n in (20, 2_000))
    for found in (mean_of(few), mean_of(many), median_of(many)):
        assert found.low < found.value < found.high
        assert found.low < 50 < found.high
    assert mean_of(many).high - mean_of(many).low == pytest.approx(2 * 1.96 * 10 / 2000**0.5,
                                                                  rel=0.15)
    assert mean_of(few) == mean_of(few), "a report made again says the same"
    assert mean_of([]) is None
    assert mean_of([7.0] * 30)[:3] == (7, 7, 7)


def test_the_two_ways_to_compare_are_not_the_same():
    pairs = [(10.0, 100.0)] * 29 + [(900.0, 1.0)]
    assert ratio_of_means(pairs).value == pytest.approx(100 * (290 + 900) / 2901)
    assert mean_of_ratios(pairs).value == pytest.approx((29 * 10 + 90_000) / 30)
    assert ratio_of_means([]) is ratio_of_means([(1.0, 0.0)]) is None
    samples = [1.0] * 50, [2.0] * 50
    assert ratio_of_samples(*samples)[:3] == ratio_of_samples(*samples, median=True)[:3] == (
        50, 50, 50)
    assert ratio_of_samples([], [1.0]) is None


def test_a_bound_is_met_missed_or_within_the_interval():
    found = Interval(50, 45, 55, 30)
    assert (inside(found, 40, 60), inside(found, 56, 60), inside(found, 50, 60)) == (
        True, False, UNDECIDED)
    assert (below(found, 60), below(found, 40), below(found, 50)) == (True, False, UNDECIDED)
    assert (above(found, 40), above(found, 60), above(found, 50)) == (True, False, UNDECIDED)
    assert inside(found._replace(many=19), 40, 60) == UNDECIDED, "fewer than 20 bear no verdict"
    assert inside(None, 0, 1) is None
    assert found.text() == "50 % (45 to 55)"
    assert Interval(0.5, 0.25, 0.75, 30).text("") == "0.500 (0.250 to 0.750)"
    assert Interval(0, 0, 1.885, 30).text() == "0.0 % (0.0 to 1.9)"


def test_the_sign_test_decides_who_is_ahead():
    assert sign_test(6, 10) == pytest.approx(0.4545, abs=1e-4)
    assert (ahead(6, 10), ahead(2, 15), ahead(15, 2)) == (UNDECIDED, False, True)


def test_one_refutation_is_enough():
    assert all_of([True, True]) is True
    assert all_of([True, UNDECIDED]) == UNDECIDED
    assert all_of([True, UNDECIDED, None]) is None
    assert all_of([True, None, UNDECIDED, False]) is False


class ByHand:
    """Which positions each arm concludes, with how many nodes."""

    plan = SimpleNamespace(full=False, changes=())

    def __init__(self, done=True, **arms):
        self.done = done
        self.arms = {arm: [SimpleNamespace(
            cell=SimpleNamespace(set="s", id=id, seed=0, arm=arm),
            row={"concluded": nodes is not None, "nodes": nodes}) for id, nodes in enumerate(some)]
            for arm, some in arms.items()}

    def select(self, arm, set=None):
        return self.arms.get(arm, [])

    def finished(self, *arms):
        return self.done

    def number(self, word, arm):
        return {"false": 3, "known": 40, "not judged": 0}[word]


def test_who_concludes_more_is_a_sign_test():
    results = ByHand(PN=[5] * 10 + [None] * 20, PPN=[None] * 9 + [9] * 21)
    test = concludes_more("PPN", "PN")
    verdict, told = test(results)
    assert verdict == UNDECIDED
    assert told == "PPN 21, PN 10; alone 20 to 9, p = 0.061"
    assert concludes_more("PN", "PPN", nodes=(9, 8))(results)[0] is True
    assert concludes_more("PN", "PPN", ["other"])(results)[1].startswith("PN 0, PPN 0")
    both = all_hold(test, concludes_more("PN", "PPN", nodes=(9, 8)))(results)
    assert both[0] == UNDECIDED
    assert "; PN 10, PPN 0" in both[1]
    assert test(ByHand(done=False, PN=[1], PPN=[1]))[0] is None


def test_undecided_is_a_verdict_of_its_own():
    results = ByHand(PN=[5], PPN=[5])
    claim = PaperClaim("it is so", concludes_more("PN", "PPN"), "here", rule="a sign test")
    found = judged(results, claim)
    assert (found.verdict, found.rule) == ("undecided", "a sign test")
    assert judged(results, PaperClaim("never", none_false("PPN"))).measured.endswith(
        "; 7.5 % (2.6 to 19.9) false")


def test_rises_are_those_of_the_mean_curve():
    assert claims.rises(np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 1.0]])) == 0.5
    assert claims.rises(np.array([[1.0, 0.5, 0.0]])) == 0


def traced(arm, moves):
    """Trees whose chosen move is as in ``moves``, every iteration; ``a`` is the one that wins."""
    row = {"concluded": False, "iterations": 9_999, "move": None}
    return [SimpleNamespace(cell=SimpleNamespace(id=id), known="win", good_moves=["a"], unit=1,
                            row={**row, "trace": [{"iterations": n + 1, "move": move}
                                                  for n, move in enumerate(some)]})
            for id, some in enumerate(moves)]


def test_error_rates_are_compared_tree_by_tree():
    results = ByHand()
    results.arms = {"good, traced": traced("good", ["a" * 100] * 30),
                    "bad, traced": traced("bad", ["b" * 50 + "a" * 50] * 30),
                    "wavy, traced": traced("wavy", ["ab" * 50] * 30)}
    found = claims.difference(results, "good, traced", "bad, traced", "s", 100)
    assert found[:3] == (-49.0, -49.0, -49.0) or found[:3] == (-50.0, -50.0, -50.0)
    order = [["good, traced"], ["bad, traced"]]
    assert claims.least_errors(order, "s", [100])(results)[0] is True
    verdict, told = claims.least_errors(order[::-1], "s", [50, 100])(results)
    assert verdict is False
    assert told.startswith("first 50: bad less good 99 % (99 to 99)")
    test = claims.waves_more("wavy, traced", "bad, traced", "s", 100)
    assert test(results)[0] is True
    assert claims.waves_more("bad, traced", "wavy, traced", "s", 100)(results)[0] is False
    results.done = False
    assert test(results) == claims.least_errors(order, "s", [100])(results) == (None, "")


def test_bins_of_a_calibration():
    some = [(0.0005, False)] * 10 + [(0.95, True)] * 3 + [(0.95, False)]
    found = bins(some)
    assert [(one.low, one.high) for one in found] == [(0.0, 0.001), (0.9, 0.99)]
    assert found[1].p == pytest.approx(0.95)
    assert (found[1].won.value, found[1].won.many) == (75, 4)
