"""Claims about published numbers: each rule holds, is refuted and stays undecided as its words say,
on rows made by hand."""

from functools import partial
from random import Random
from types import SimpleNamespace

import pytest

from zermelo.lab.statistics import UNDECIDED, Interval, agrees, share
from zermelo_papers import connect_four_precision as precision
from zermelo_papers import connect_four_traces as traced
from zermelo_papers import deep_pn_othello as deep
from zermelo_papers import othello_boards as boards
from zermelo_papers import seesaw
from zermelo_papers.connect6_deep_df_pn import DEEP, GRID, SEESAW, fewer, noisier


class ByHand:
    """Rows by arm, or by (arm, set): what a test of a claim asks of results."""

    def __init__(self, rows, finished=True):
        self.rows, self.all, self.complete = rows, finished, finished

    def select(self, arm=None, set=None):
        found = {key: rows for key, rows in self.rows.items()
                 if arm in (None, key, key[0]) and (set is None or set == key[1])}
        return [SimpleNamespace(row=row, cell=SimpleNamespace(
            id=str(at), arm=key if isinstance(key, str) else key[0], set="", seed=0,
            job=SimpleNamespace(nodes=200_000)))
            for key, rows in found.items() for at, row in enumerate(rows)]

    def finished(self, *arms):
        return self.all

    def number(self, column, arm, set=None):
        rows = [entry.row for entry in self.select(arm, set)]
        ends = {"wins": "win", "not wins": "not-win"}
        if column in ends:
            return sum(row["value"] == ends[column] for row in rows)
        return {"jobs": len(rows), "concluded": sum(row["concluded"] for row in rows),
                "proved": sum(row.get("proved", False) for row in rows),
                "out": sum(not row["concluded"] for row in rows)}[column]


def rows(*nodes, concluded=True):
    return [{"nodes": n, "iterations": n // 5, "concluded": concluded, "proved": concluded,
             "value": "win", "counters": {}} for n in nodes]


def of(some, whole):
    return [*rows(*[9] * some), *rows(*[9] * (whole - some), concluded=False)]


def test_a_published_share_agrees_or_not():
    own = share(100, 200)
    assert agrees(own, share(104, 200)) is True
    assert agrees(own, share(120, 200)) == UNDECIDED  # outside, but the intervals meet
    assert agrees(own, share(160, 200)) is False
    assert agrees(Interval(50, 20, 80, 19), share(104, 200)) == UNDECIDED  # too few positions


@pytest.mark.parametrize(("count", "as_published"), [
    (135, True), (139, True), (118, UNDECIDED), (100, False)])
def test_the_best_setting_concludes_135(count, as_published):
    results = ByHand({precision.BEST: of(count, 200)})
    assert precision.concludes_135(results)[0] == as_published
    assert precision.concludes_135(ByHand({}, finished=False)) == (None, "")


def by_theta_and_pr(nodes_of):
    return ByHand({precision.arm(theta, pr): rows(*(nodes_of(theta, pr) * (n + 1)
                                                    for n in range(30)))
                   for theta in precision.THETAS for pr in (1e-05, 0.0001, 0.001)})


@pytest.mark.parametrize(("nodes_of", "same", "rising"), [
    (lambda theta, pr: {1e-05: 300, 0.0001: 200, 0.001: 100}[pr], True, True),
    (lambda theta, pr: {1e-05: 100, 0.0001: 200, 0.001: 300}[pr], True, False),
    (lambda theta, pr: {1e-05: 300, 0.0001: 200, 0.001: 100}[pr] * (1 + (theta == 0.01)), False,
     True)])
def test_nodes_by_theta_and_pr(nodes_of, same, rising):
    results = by_theta_and_pr(nodes_of)
    assert precision.same_nodes_by_theta(results)[0] is same
    assert precision.finer_takes_more(results)[0] is rising
    for test in (precision.same_nodes_by_theta, precision.finer_takes_more):
        assert test(ByHand({}, finished=False)) == (None, "")


def test_nodes_that_differ_by_chance_are_undecided():
    rng = Random(3)
    results = ByHand({precision.arm(theta, pr): rows(*(rng.randint(1, 10_000) for _ in range(30)))
                      for theta in precision.THETAS for pr in (1e-05, 0.0001, 0.001)})
    assert precision.same_nodes_by_theta(results)[0] == UNDECIDED
    assert precision.finer_takes_more(results)[0] == UNDECIDED


def by_r(**nodes):
    """DeepPN on 30 positions: nodes by R, given as ``r80=50`` for 0.8, and iterations a fifth."""
    return ByHand({(deep.arm(int(name[1:]) / 100), deep.PASS): rows(*(n * 10 * (i + 1)
                                                                      for i in range(30)))
                   for name, n in nodes.items()})


def compared(*what):
    return partial(deep.compared, *what, "2019", deep.PASS)


def test_between_two_values_of_r():
    slows = compared(0.6, 0.8, deep.BOTH, deep.slows)
    assert slows(by_r(r80=50, r60=45))[0] == UNDECIDED  # iterations fall with the nodes, by 10 %
    assert slows(by_r(r80=50, r60=60))[0] is False
    assert slows(by_r(r80=50, r60=25))[0] is False
    assert slows(by_r(r80=50))[0] is None
    good = compared(0.65, 1.0, deep.BOTH, deep.compromise)
    assert good(by_r(r100=100, r65=50))[0] is True
    assert good(by_r(r100=100, r65=70))[0] is False
    falls = compared(0.2, 0.35, deep.BOTH, deep.falling)
    assert falls(by_r(r35=60, r20=50))[0] is True
    assert falls(by_r(r35=50, r20=60))[0] is False
    rises = partial(deep.rises_at, 0.35, "2019", deep.PASS)
    assert rises(by_r(r40=50, r35=60))[0] is True
    assert rises(by_r(r40=50, r35=50))[0] is False
    assert rises(by_r(r40=50)) == (None, "")
    for test, before, after in ((falls, "r35", "r20"), (rises, "r40", "r35")):
        results = by_r(**{before: 60, after: 66 if test is falls else 80})
        for row in results.rows[deep.arm(int(after[1:]) / 100), deep.PASS]:
            row["nodes" if test is falls else "iterations"] //= 2  # one of the two numbers falls
        assert test(results)[0] is not True


def test_a_run_of_some_arms_alone_judges_the_others_not():
    some = by_r(r35=60, r20=50)
    for claim in deep.claims("pass", deep.PASS):
        verdict, _ = claim.test(some)
        assert (verdict is None) == ("0.35 to 0.2" not in claim.text or "2015" in claim.text)


def test_at_the_least_r_iterations_count_not_nodes():
    """The thesis: "In R=0.05, the number of iterations increased to over 100%"."""
    dearer = partial(deep.dearer, 0.05, "2019", deep.PASS)
    assert dearer(by_r(r100=100, r5=130))[0] is True
    assert dearer(by_r(r100=100, r5=90))[0] is False
    assert dearer(by_r(r100=100)) == (None, "")
    results = by_r(r100=100, r5=50)
    for row in results.rows[deep.arm(0.05), deep.PASS]:
        row["iterations"] *= 4
    verdict, told = dearer(results)
    assert verdict is True, "half of the nodes, twice the iterations"
    assert told == "mean of ratios 200 % (200 to 200), ratio of means 200 % (200 to 200)"


def test_iterations_may_stop_decreasing_while_nodes_fall():
    results = by_r(r80=50, r60=40)
    for row in results.rows[deep.arm(0.6), deep.PASS]:
        row["iterations"] = row["iterations"] * 50 // 40 + 1
    slows = compared(0.6, 0.8, deep.BOTH, deep.slows)
    found = results.rows[deep.arm(0.6), deep.PASS]
    assert slows(results)[0] is True
    for at, row in enumerate(found):  # far apart: nobody knows
        row["iterations"] = row["iterations"] * (1 + 9 * (at % 5 == 0)) // 3 + 1
    assert slows(results)[0] == UNDECIDED
    few = by_r(r80=50, r60=25)
    few.rows = {key: some[:19] for key, some in few.rows.items()}
    assert slows(few)[0] == UNDECIDED


def test_boards_of_another_kind_refute_nothing():
    own = {("PN", boards.named(moves)): of(2, 200) for moves in (18, 26, 32)}
    assert boards.about_as_many(26, ByHand(own))[0] is False
    assert boards.about_as_many(18, ByHand(own))[0] == UNDECIDED
    own["PN", boards.named(18)] = of(13, 200)
    assert boards.about_as_many(18, ByHand(own))[0] is True


def test_wins_and_others_are_shares():
    def found(wins, others):
        some = [{"concluded": True, "value": "win"}] * wins
        rest = [{"concluded": True, "value": "not-win"}] * others
        out = [{"concluded": False, "value": "unknown"}] * (200 - wins - others)
        return boards.counted(26, ByHand({("PN", boards.named(26)): [*some, *rest, *out]}))

    assert found(18, 17)[0] is True
    assert found(10, 26)[0] == UNDECIDED
    assert found(1, 60)[0] is False
    assert "10, 26 and 164; published 19, 16 and 165" in found(10, 26)[1]


def test_hindsight_on_the_positions_that_df_pn_solves():
    """One position that df-pn does not solve makes all of the saving."""
    solved = [100 + n for n in range(30)]
    arms = {DEEP.base: [*rows(*solved), *rows(200_000, concluded=False)]}
    arms |= {f"{DEEP.prefix}{n}": rows(*solved, 200) for n in range(3)}
    results = ByHand(arms)
    verdict, told = fewer(DEEP, "nodes", 43.5, True, results)
    assert verdict is None, "there is no seesaw to calm"
    assert told == "nodes: 100 % (100 to 100) of df-pn's; published: 56.5 %; df-pn's median " \
        "seesaw is 0"
    assert fewer(DEEP, "nodes", 43.5, False, results)[0] is None
    for row in results.rows[DEEP.base]:
        row["counters"] = {"seesaw": SEESAW}
    assert fewer(DEEP, "nodes", 43.5, True, results)[0] is None, "three settings refute nothing"
    results.rows |= {f"{DEEP.prefix}{n}": arms[f"{DEEP.prefix}0"] for n in range(GRID)}
    assert fewer(DEEP, "nodes", 43.5, True, results)[0] is False
    results.rows[f"{DEEP.prefix}0"] = rows(*[n // 2 for n in solved], 200)
    assert fewer(DEEP, "nodes", 43.5, True, results)[0] is True


def test_a_published_count_of_one_seed_among_ours():
    test = partial(traced.one_of_ours, "MCPN", "set")

    def found(*nodes):
        return ByHand({("MCPN", "set"): rows(*nodes)})

    ours = range(1_000, 1_200)
    assert test(1_100, found(*ours))[0] is True
    assert test(1_005, found(*ours))[0] is True
    assert test(1_002, found(*ours))[0] == UNDECIDED  # one of four such counts may be
    assert test(1_197, found(*ours))[0] == UNDECIDED
    assert test(1_000, found(*ours))[0] is False
    assert test(1_200, found(*ours))[0] is False
    assert test(1_100, found(*ours[:19]))[0] == UNDECIDED
    assert test(1_100, ByHand({}, finished=False)) == (None, "")
    assert test(1_002, found(*ours))[1] == "median 1,100, least 1,000, most 1,199; published " \
        "1,002, more than 2 of 200 seeds (p = 0.03)"


def test_each_game_has_a_verdict_about_the_seesaw_of_its_own():
    class Counts:
        def number(self, column, arm, set):
            pairs = {"Othello": (15, 5), "Hex 5 x 5": (0, 14), "Connect Four": (10, 10)}
            return pairs[set]["more" in column]

        def finished(self, *arms):
            return True

    found = {group: seesaw.suppresses("x", group, Counts())[0] for group in seesaw.SETS}
    assert found == {"Othello": True, "Hex 5 x 5": False, "Connect Four": UNDECIDED}
    found = {group: seesaw.dearer(group, Counts())[0] for group in seesaw.SETS}
    assert found == {"Othello": False, "Hex 5 x 5": True, "Connect Four": UNDECIDED}


def test_steps_of_different_sizes_are_no_test_of_noise():
    assert noisier(ByHand({}, finished=False))[0] is None
