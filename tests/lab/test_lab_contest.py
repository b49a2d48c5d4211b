"""Contests of many searches: who is ahead, profiles, features, and rules that pick a search."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import zermelo
from zermelo.errors import BadPosition
from zermelo.jobs.store import Store
from zermelo.lab import Arm, Experiment, Judge, Positions, each, statistics
from zermelo.lab.claims import judged
from zermelo.lab.columns import Entries
from zermelo.lab.contest import (
    Condition,
    Duel,
    Rule,
    certified_by_set,
    contest_of,
    duel,
    duel_of,
    fastest,
    field_of,
    learn,
    picked_costs,
    profile,
    rule_of,
    stopped_by,
    versus_default,
    within,
)
from zermelo.lab.experiment import data_file, experiment
from zermelo.lab.plan import plan_of, run
from zermelo.lab.report import write_report
from zermelo.lab.results import Results, all_tables
from zermelo.search.base import Zones
from zermelo.solving.auto import NAMES, features_of
from zermelo_papers.sets.chomp.chomp import Chomp

pytestmark = pytest.mark.usefixtures("without_jit")

ROWS = {  # by arm: what it took on the positions 0 to 4; None: not concluded
    "a": [1.0, 4.0, 9.0, None, None],
    "b": [2.0, 3.0, 3.0, 5.0, None],
    "c": [None, None, 30.0, None, None],
}


def entry(arm, id, taken, group="s"):
    row = {"concluded": taken is not None, "search_seconds": 9.0 if taken is None else taken}
    return SimpleNamespace(cell=SimpleNamespace(arm=arm, set=group, id=id), row=row, unit=1)


def by_hand(more=()):
    return contest_of(Entries([entry(arm, str(at), taken) for arm, some in ROWS.items()
                               for at, taken in enumerate(some)] + list(more)))


def test_a_contest_has_the_positions_that_all_have_been_run_on():
    waiting = entry("a", "5", 1.0)
    waiting.row = None
    costs = by_hand([waiting, entry("b", "5", 1.0), entry("a", "0", 1.0, "t")])
    assert list(costs.index) == [*(("s", str(at)) for at in range(5)), ("t", "0")]
    assert list(costs) == ["a", "b", "c"]
    assert costs.iloc[-1].notna().tolist() == [True, False, False]
    assert costs["a"].tolist() == [1, 4, 9, np.inf, np.inf, 1]


def test_times_of_other_processors_are_left_out():
    entries = [entry(arm, str(at), 1.0) for at in range(4) for arm in ("a", "b")]
    for number, one in enumerate(entries):
        one.row |= {"machine": {"cpu": "old" if number in (3, 4) else "new"}, "nodes": 5}
    assert list(contest_of(Entries(entries)).index) == [("s", "0"), ("s", "3")]
    assert len(contest_of(Entries(entries), "nodes")) == 4


def test_ahead_is_alone_or_by_much():
    contest = by_hand()
    assert duel_of(contest, "a", "b") == Duel(ahead=1, behind=2, alike=1, neither=1)
    assert duel_of(contest, "b", "a") == Duel(ahead=2, behind=1, alike=1, neither=1)
    assert duel_of(contest, "a", "a") == Duel(0, 0, 3, 2)
    assert duel([3.0], [2.0]).behind == 1
    assert duel([2.9], [2.0]).alike == 1
    found = Duel(9, 1, 0, 0)
    assert found.share.value == 90
    assert found.chance == pytest.approx(2 * 11 / 1024)
    assert Duel(0, 0, 5, 0).share is None


def test_profiles_are_shares_of_what_some_search_concludes():
    contest = by_hand()
    assert profile(contest, "a") == [(1.0, 25.0), (pytest.approx(4 / 3), 50.0), (3.0, 75.0)]
    assert profile(contest, "b") == [(1.0, 25.0), (1.0, 50.0), (1.0, 75.0), (2.0, 100.0)]
    assert within(contest, "b", 1).value == 75
    assert within(contest, "c", 10).value == 25
    nothing = contest[4:]
    assert profile(nothing, "a") == []
    assert within(nothing, "a", 2) is None


def test_features_of_trees_whose_shape_is_known():
    tree = features_of(zermelo.game("p-game", branching=3, depth=5, seed=1).start())
    assert tree[:3] == (3, 5, 0)
    assert tree.decisive + tree.drawn == 100
    stones = zermelo.game("tic-tac-toe")
    start = features_of(stones.start())
    assert 40 < start.transpositions < 100
    assert start == features_of(stones.start())
    assert start != features_of(stones.start(), seed=1)
    over = features_of(stones.parse("XXXOO.... O"))
    assert (over.branching, over.depth, over.decisive, over.wins) == (0, 0, 100, 0)
    drawn = features_of(stones.parse("XOXXOOOXX X"))
    assert (drawn.decisive, drawn.drawn, drawn.wins) == (0, 100, 50)


def test_a_rule_finds_the_condition_that_matters():
    chance = np.random.default_rng(7)
    x, noise = chance.uniform(0, 10, 200), chance.uniform(0, 10, 200)
    costs = np.where(x[:, None] < 3, [0.01, 1.0, 0.2], [1.0, 0.02, 0.2])
    features = {"noise": noise, "x": x}
    rule = learn(features, costs, ["a", "b", "c"])
    assert [(one.feature, one.below, one.arm) for one in rule.conditions] == [("x", True, "a")]
    assert rule.otherwise == "b"
    assert 2.5 < rule.conditions[0].bound < 3.5
    assert rule.pick({"x": 1.0, "noise": 0.0}) == "a"
    assert rule.pick({"x": 9.0, "noise": 0.0}) == "b"
    assert picked_costs(rule, features, costs, ["a", "b", "c"]).mean() < 0.06
    assert str(Rule((Condition("x", False, 2.0, "a"),), "b")) == "if x >= 2: a; else b"
    assert learn(features, costs, ["a", "b", "c"], most=0) == Rule((), "b")
    same = np.tile([0.1, 0.5, 0.5], (200, 1))
    assert learn(features, same, ["a", "b", "c"]) == Rule((), "a")
    assert picked_costs(rule, {"x": [], "noise": []}, np.zeros((0, 3)), ["a", "b", "c"]).size == 0


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The built-in experiment with a few searches on small trees and bars."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_DISABLE_JIT", "1")
        found = experiment("all-searches")
        bars = next(one for one in found.sets if one.name == "Chomp")
        chomp = zermelo.game(f"{data_file('chomp/chomp.py')}:Chomp")
        texts = ["3,2", "2,2", "3,1", "2,1,1", "3,3", "1,1", "4,1", "2,2,1"]
        arms = [replace(arm, nodes=2_000, time=None, memory="20MB") for arm in found.arms
                if arm.name in ("weak-df-pn", "df-pn", "pn", "mcts")]
        figures = [one for one in found.figures if one.name in ("profile-time", "pairs")]
        one = replace(found, name="all-searches", arms=arms, figures=figures, positions=[
            each("p-game", "seed", range(70, 82), name="trees", branching=2, depth=4),
            replace(bars, take=None, make=lambda: [
                (text, chomp.parse(f"{text} first")) for text in texts])],
            judge=Judge(proved=True, memory="20MB"))
        plan, store = plan_of(one), Store(tmp_path_factory.mktemp("contest") / "s")
        run(plan, store, workers=1, backend="in-process")
        yield Results(plan, store)


@pytest.mark.parametrize("text", ["4,x,2 first", "2,4 first", "9 first", "4,4", "1,,1 first",
                                  ",".join("1" * 9) + " first", "10 first"])
def test_what_is_no_bar_of_chomp(text):
    chomp = Chomp()
    with pytest.raises(zermelo.BadPosition, match="is not a bar, such as '4,4,2 first'"):
        chomp.parse(text)
    assert chomp.parse("4,4,2 second").to_move == "second"


def test_every_answer_is_judged_by_a_certificate(small):
    assert small.complete
    assert {entry.row["status"] for entry in small.entries} == {"done"}
    assert all(row["certified"] for row in small.judge_rows.values())
    assert len(small.judge_rows) == 20
    claim = small.plan.experiment.claims[0]
    assert judged(small, claim).verdict == "holds"
    certified, small.certified = small.certified, set()
    assert judged(small, claim).verdict == "undecided"
    small.certified = certified
    entry = next(entry for entry in small.entries if entry.row["proved"])
    right = entry.row["value"]
    entry.row["value"] = "win" if right != "win" else "not win"
    try:
        assert judged(small, claim).verdict == "does not hold"
    finally:
        entry.row["value"] = right


def test_picking_is_learned_on_one_half_and_tested_on_the_other(small):
    field = field_of(small)
    assert field.learned.tolist() == [True, False] * 10
    assert list(field.features) == list(NAMES)
    assert np.array_equal(field.usual, field.costs["weak-df-pn"])
    assert field.par2([1.0, np.inf]).tolist() == [1.0, 2 * field.limit]
    usual = Rule((), "weak-df-pn")
    found, ratio = versus_default(field, usual)
    assert (found.ahead, found.behind, found.neither) == (0, 0, 0)
    assert ratio.value == pytest.approx(100)
    one = rule_of(field.part(field.learned), 1, only="depth")
    assert {condition.feature for condition in one.conditions} <= {"depth"}


@pytest.mark.parametrize(("fast", "verdict"), [("df-pn", "holds"), ("weak-df-pn", "undecided")])
def test_a_rule_is_offered_only_where_it_beats_the_default(small, monkeypatch, fast, verdict):
    """Times made by hand: one search needs a tenth of what the others need."""
    claim = small.plan.experiment.claims[1]
    for entry in small.entries:
        taken = 0.01 if entry.cell.arm == fast else 0.1
        monkeypatch.setitem(entry.row, "search_seconds", taken)
    assert judged(small, claim).verdict == "undecided", "ten positions bear no verdict"
    monkeypatch.setattr(statistics, "LEAST", 10)
    found = judged(small, claim)
    assert found.verdict == verdict
    assert found.measured.startswith(f"{fast}. On 10 positions ahead on ")


def test_the_default_wins_where_the_rule_misleads(small, monkeypatch):
    """On the half that is learned from another search is fast, on the other half the default."""
    monkeypatch.setattr(statistics, "LEAST", 10)
    learned = {place for place, yes in field_of(small).learned.items() if yes}
    for entry in small.entries:
        first = "df-pn" if (entry.cell.set, entry.cell.id) in learned else "weak-df-pn"
        monkeypatch.setitem(entry.row, "search_seconds", 0.01 if entry.cell.arm == first else 0.1)
    assert judged(small, small.plan.experiment.claims[1]).verdict == "does not hold"


def test_the_tables_and_figures_of_a_contest(small, tmp_path):
    tables = {table.title: table for table in all_tables(small)}
    assert all(len(row) == len(table.header) for table in tables.values() for row in table.rows)
    concluded = tables["Positions concluded, by set"]
    assert concluded.header == ["search", "trees", "Chomp"]
    assert concluded.rows[-1] == ["positions", "12", "8"]
    assert concluded.rows[0] == ["weak-df-pn", "12", "8"]
    against = tables["Each search against weak-df-pn, by processor time"]
    assert [row[0] for row in against.rows] == ["weak-df-pn", "df-pn", "pn", "mcts"]
    assert [row[:2] for row in tables[
        "Each search against one that it descends from, by processor time"].rows] == [
            ["weak-df-pn", "df-pn"], ["df-pn", "pn"]]
    written = {path.name for path in write_report(small, tmp_path)}
    assert re.search(r"\| [0-9a-f]{12} \(\d+ digests\) \|", (tmp_path / "report.md").read_text())
    assert {"report.md", "profile-time.svg", "profile-time.png", "pairs.svg"} <= written


def test_what_stopped_a_search_and_what_has_a_certificate(small, monkeypatch):
    first = {entry.cell.arm: entry for entry in reversed(small.entries)}
    for arm, changed in {"pn": {"stopped": "time"}, "mcts": {"status": "timeout"}}.items():
        for name, word in {"concluded": False, "proved": False, **changed}.items():
            monkeypatch.setitem(first[arm].row, name, word)
    rows = {row[0]: row[1:] for row in stopped_by(small).rows}
    assert rows["weak-df-pn"] == ["20", "20", "0", "0", "0", "0", "0"]
    assert rows["pn"] == ["20", "19", "0", "1", "0", "0", "0"]
    assert rows["mcts"] == ["20", "19", "0", "0", "0", "0", "1"]
    question = first["pn"].cell.job.question
    monkeypatch.setattr(small, "certified", small.certified - {question})
    assert certified_by_set(small).rows == [["trees", "12", "12", "11", "46", "2"],
                                            ["Chomp", "8", "8", "8", "32", "0"]]


def test_who_is_fastest_where_a_clock_can_tell(small, monkeypatch):
    """On trees mcts is ahead of all, on bars all take less than a clock can tell; nodes are the
    same but for one of pn."""
    for number, entry in enumerate(small.entries):
        quick = entry.cell.set == "Chomp" or entry.cell.arm == "mcts"
        taken = 0.001 if entry.cell.set == "Chomp" else 0.02 if quick else 0.03
        monkeypatch.setitem(entry.row, "search_seconds", taken)
        monkeypatch.setitem(entry.row, "nodes", 5 if number == 2 else 30)
    table = fastest(small)
    assert table.header[1::2] == ["fastest, of 12", "fewest nodes, of 20"]
    assert table.rows == [["weak-df-pn", "0", "0", "19", "0"], ["df-pn", "0", "0", "19", "0"],
                          ["pn", "0", "0", "20", "1"], ["mcts", "12", "12", "19", "0"]]


def test_a_set_may_keep_the_side_to_move_to_candidates():
    start = zermelo.game("k-in-a-row", columns=4, rows=4, line=3).start()
    one = Experiment("narrow", Positions("by zones", lambda: [("0", start)], candidates=Zones()),
                     [Arm("df-pn", zermelo.DFPN()), Arm("pvs", zermelo.PVS())])
    cells = plan_of(one).cells
    assert [cell.arm for cell in cells] == ["df-pn"]
    assert cells[0].job.zones == Zones()
    assert plan_of(one).judging(cells[0]).zones == Zones()


def test_chomp_of_the_lab_is_read_and_written():
    chomp = zermelo.game(f"{data_file('chomp/chomp.py')}:Chomp")
    assert chomp.start().text == "4,4,4 first"
    assert chomp.parse("3,1 second").play("b1").text == "1,1 first"
    assert chomp.start().moves()[-1] == "d3"
    for text in ("4,5 first", "4,4", "4,x nobody"):
        with pytest.raises(BadPosition):
            chomp.parse(text)


def test_older_rows_are_read_with_the_smaller_of_both_times(tmp_path):
    """They had the line of the answer in the time of the search."""
    one = Experiment("x", each("p-game", "seed", range(3), name="trees", branching=2, depth=3),
                     [Arm("pn", zermelo.PN(), memory="20MB")], judge=None, name="x")
    plan, store = plan_of(one), Store(tmp_path / "s")
    run(plan, store, workers=1, backend="in-process")
    assert all(entry.row["search_seconds"] == entry.row["seconds"]
               for entry in Results(plan, store).entries)
    store.db.execute("update jobs set seconds = -1.0")
    assert {entry.row["search_seconds"] for entry in Results(plan, store).entries} == {-1.0}
