"""Columns of parameters chosen in hindsight, on another half or by climbing, done by hand."""

from types import SimpleNamespace

import pytest

from zermelo.lab.hindsight import (
    Family,
    better_unseen,
    climbed,
    each_position,
    hindsight,
    measured,
    unseen,
)
from zermelo_papers.connect6_deep_df_pn import DEEP, EPSILON

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
