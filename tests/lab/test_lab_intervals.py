"""Statistics of the lab: intervals, verdicts, hindsight, separation, against counts by hand."""

import random
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from zermelo.lab import claims
from zermelo.lab.claims import all_hold, concludes_more, judged, none_false
from zermelo.lab.experiment import PaperClaim
from zermelo.lab.figures import bins
from zermelo.lab.hindsight import (
    Family,
    better_unseen,
    climbed,
    each_position,
    hindsight,
    measured,
    unseen,
)
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
from zermelo.lab.watching import (
    best_cut,
    difference_of_areas,
    error_of_three,
    matched_area,
    overlap,
    roc_area,
)
from zermelo_papers.connect6_deep_df_pn import DEEP, EPSILON


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


BASE = "df-pn"
GRID = Family("grid", "grid ", BASE)
OTHER = Family("other", "other ", BASE, holds_base=False)


def entry(id, arm, nodes, seesaw=0, proved=True, **labels):
    """What the lab has of one result."""
    return SimpleNamespace(
        row={"nodes": nodes, "proved": proved, "counters": {"seesaw": seesaw}},
        cell=SimpleNamespace(id=id, arm=arm, job=SimpleNamespace(nodes=1_000)),
        arm=SimpleNamespace(labels=labels))


def rows(**numbers):
    """Entries of positions a, b, ...: for each arm, a list of nodes."""
    return [entry(id, arm.replace("_", " ").replace("dfpn", BASE), nodes, seesaw=nodes // 10)
            for arm, values in numbers.items()
            for id, nodes in zip("abcdefgh", values, strict=False)]


def test_the_best_for_each_position():
    found = rows(dfpn=[100, 200], grid_1=[50, 400], grid_2=[80, 300])
    assert hindsight(GRID, "nodes")(found) == 125  # 50, and df-pn itself
    assert hindsight(GRID, "nodes", percent=True)(found) == pytest.approx(100 - 250 / 3)
    assert hindsight(GRID, "seesaw", percent=True)(found) == pytest.approx(100 - 2500 / 30)
    assert hindsight(GRID, "nodes")([]) is None


def test_a_family_need_not_hold_the_base():
    found = rows(dfpn=[100, 200], other_1=[50, 400], other_2=[80, 300])
    assert hindsight(OTHER, "nodes")(found) == 175  # 50 and 300: worse than df-pn on b
    assert hindsight(OTHER, "nodes", percent=True)(found) == pytest.approx(100 - 350 / 3)
    assert DEEP.holds_base  # E = 1 is df-pn, and is on the published grid
    assert not EPSILON.holds_base  # from 0.05 on; position 7 of table 3.2 is worse than df-pn


def test_unsolved_and_missing_results():
    found = [entry("a", BASE, 900), entry("a", "grid 1", 1_000, proved=False), entry("b", BASE, 5)]
    assert measured(found, "nodes", [BASE, "grid 1"]) == {"a": {BASE: 900.0, "grid 1": 2_000.0}}


def test_halves_are_drawn_and_each_is_counted_with_the_choice_of_the_other():
    # Positions go through two grades by turns; each grade has an arm that is bad on the other.
    easy, hard = [10, 1000], [1000, 10]
    found = rows(dfpn=[100] * 8, grid_1=easy * 4, grid_2=hard * 4)
    assert unseen(GRID, "nodes")(found) < 900  # every other one: 1000, always the wrong arm
    one_arm = rows(dfpn=[100] * 4, grid_1=[50] * 4)
    assert unseen(GRID, "nodes")(one_arm) == 50
    assert unseen(GRID, "nodes", percent=True)(one_arm) == 50.0
    assert unseen(GRID, "nodes", interval=True)(one_arm) == "50 to 50"
    assert unseen(GRID, "nodes")(one_arm[:1]) is None
    both = one_arm + rows(other_1=[25] * 4)
    assert better_unseen(both, GRID, OTHER) == (200.0, 200.0, 200.0)
    assert better_unseen([], GRID, OTHER) is None


def test_a_row_for_each_position():
    found = [entry("a", BASE, 100, 7), entry("a", "grid E=2 D=2", 50, 3, E=2, D=2),
             entry("a", "other 1", 1_000, 9, proved=False)]
    results = SimpleNamespace(select=lambda: found)
    made = each_position("x", [GRID, OTHER], note="y")(results)
    assert made.header == ["position", BASE, "grid", "other", "climbed"]
    assert made.rows == [["a", "100 / 7", "50 / 3 (E=2 D=2)", "(no) / 9 (1)", "50 (1 point)"]]


def climbing(values):
    """Entries of one position on a grid of E and D."""
    return [entry("a", f"grid E={e} D={d}", nodes, E=e, D=d) for (e, d), nodes in values.items()]


def test_climbing_counts_what_it_costs():
    found = climbing({(2, 2): 100, (4, 2): 60, (2, 4): 80, (4, 4): 70, (8, 2): 90, (8, 4): 20,
                      (2, 8): 10, (4, 8): 10, (8, 8): 15})
    # From 100 to (4, 2). Both steps from there are given up at 60, but behind the first is a 20;
    # (8, 8) is next and the end. That (2, 8) is best of all is not found.
    assert climbed(GRID, "nodes")(found) == 15
    assert climbed(GRID, "above")(found) == pytest.approx(50)
    assert climbed(GRID, "tried")(found) == 7
    assert climbed(GRID, "spent")(found) == 100 + 60 + 80 + 60 + 60 + 20 + 15
    assert climbed(GRID, "nodes")([]) is None


def by_pairs(worse, better):
    """The area by its definition."""
    pairs = [1.0 if b > a else 0.5 if b == a else 0.0 for a, b in product(worse, better)]
    return sum(pairs) / len(pairs)


def drawn(chance, most):
    return [chance.randrange(most) for _ in range(chance.randrange(1, 12))]


@pytest.mark.parametrize("seed", range(60))
def test_the_area_counts_pairs(seed):
    chance = random.Random(seed)
    worse, better = drawn(chance, 9), drawn(chance, 9)
    assert roc_area(worse, better) == pytest.approx(by_pairs(worse, better))
    assert roc_area(better, worse) == pytest.approx(1 - by_pairs(worse, better))


@pytest.mark.parametrize("seed", range(30))
def test_matched_pairs_are_those_with_near_companions(seed):
    chance = random.Random(seed)
    worse, better = ([(x, chance.randrange(6)) for x in drawn(chance, 9)] for _ in range(2))
    near = [(a, b) for (a, m), (b, n) in product(worse, better) if abs(m - n) <= 1]
    area, pairs = matched_area(worse, better, 1)
    assert pairs == len(near)
    if near:
        right = sum(1.0 if b > a else 0.5 if b == a else 0.0 for a, b in near)
        assert area == pytest.approx(right / len(near))
    everything, all_pairs = matched_area(worse, better, 100)
    numbers = [x for x, _ in worse], [x for x, _ in better]
    assert all_pairs == len(worse) * len(better)
    assert everything == pytest.approx(roc_area(*numbers))


def test_overlap_is_where_both_kinds_lie():
    assert overlap([1, 2, 3], [4, 5]) == 0
    assert overlap([1, 2, 4], [3, 5, 6]) == pytest.approx(2 / 6)
    assert overlap([1, 9], [1, 9]) == 1


def test_nothing_to_compare_has_no_number():
    assert matched_area([(1.0, 0.0)], [(2.0, 9.0)], 2) == (None, 0)
    assert roc_area([], [1.0]) is None
    assert overlap([1.0], []) is None
    assert error_of_three([1.0], [2.0, 3.0], [4.0, 5.0]) is None


@pytest.mark.parametrize("seed", range(30))
def test_no_other_threshold_has_fewer_errors(seed):
    chance = random.Random(seed)
    worse, better = drawn(chance, 9), drawn(chance, 9)

    def error(cut):
        return (sum(x >= cut for x in worse) / len(worse)
                + sum(x < cut for x in better) / len(better))

    least = min(error(cut / 2) for cut in range(-2, 22))
    # Above all numbers nothing is called better: half wrong, as below all of them.
    assert error(best_cut(worse, better)) == pytest.approx(least)


def test_thresholds_are_tested_on_the_other_half():
    """Every second number is where the chosen thresholds do not put it."""
    assert error_of_three([0, 0, 1, 1], [5, 5, 6, 6], [9, 9, 8, 8]) == 0
    assert error_of_three([0, 9, 0, 9], [5, 5, 5, 5], [9, 0, 9, 0]) == pytest.approx(2 / 3)
    assert error_of_three([0, 5], [5, 0], [9, 9]) == pytest.approx(2 / 3)


def test_a_gap_moves_no_position_to_the_other_half():
    """Without the gap's place the 9 of the lost would choose the thresholds, not be tested."""
    lost, drawn, won = [0, 9, None, 9, 0, 9], [5, 5, 5, 5], [9, 9, 9, 9]
    assert error_of_three(lost, drawn, won) == pytest.approx(1 / 3)
    assert error_of_three([0, None, 0], drawn, won) is None
    assert error_of_three([None, 0, None, 1], drawn, won) is None


def test_bounds_of_a_difference_are_about_the_same_positions():
    """Two numbers that differ in a pair of positions: drawn anew, the difference is never below 0,
    and it is 0 where one of the two is not drawn."""
    worse, better = [0.0] * 10, [1.0] * 10
    low, high = difference_of_areas((worse, better), ([2.0, *worse[1:]], better))
    assert low == 0 < 0.1 < high <= 0.4
    assert difference_of_areas((worse, better), ([2.0, *worse[1:]], better)) == (low, high)
    assert difference_of_areas((worse, better), ([2.0] * 10, better))[0] == 1


def test_bounds_hold_in_nineteen_of_twenty_samples():
    """The true difference of two areas, known by a large sample, is mostly within the bounds."""
    chance, inside = random.Random(5), 0

    def sample(n):
        hidden = [[chance.gauss(mean, 1) for _ in range(n)] for mean in (0, 1)]
        return [tuple([x + chance.gauss(0, noise) for x in kind] for kind in hidden)
                for noise in (0.5, 2)]

    one, other = sample(4_000)
    true = roc_area(*one) - roc_area(*other)
    for _ in range(20):
        low, high = difference_of_areas(*sample(30))
        inside += low <= true <= high
    assert inside >= 17
