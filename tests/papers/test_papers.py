"""The published experiments: each loads, asks for what was published, and one runs to a report."""

from dataclasses import replace
from itertools import count

import pytest

import zermelo
from zermelo.errors import ZermeloError
from zermelo.jobs.store import Store
from zermelo.lab import Arm, Experiment, Positions, Table, columns, each
from zermelo.lab.claims import judged
from zermelo.lab.experiment import KINDS, Figure, experiment, experiment_names, sized
from zermelo.lab.plan import plan_of, run
from zermelo.lab.report import write_report
from zermelo.lab.results import Results, all_tables
from zermelo.lab.series import chosen, over_label, traces

pytestmark = pytest.mark.usefixtures("without_jit")

# Jobs at default and at full size, with as many positions as the files have or more.
JOBS = {
    "all-searches": (12 * (15 * 25 + 1 + 20), 51 * (15 * 25 + 1 + 20)),
    "cns-moves": (8 * 750, 8 * 2000),
    "connect-four-precision": (13 * 50, 13 * 200),
    "connect-four-searches": (4 * 50, 4 * 200),
    "connect-four-traces": (2 * 471, 2 * 801),
    "connect6-deep-df-pn": (79 * (24 + 8), 79 * (150 + 60)),
    "deep-pn-hex": (22 * 100 + 14 * 10, 22 * 100 + 14 * 10),
    "deep-pn-othello": (40 * 2 * 180, 40 * 2 * 1000),
    "deep-pn-tie": (2 * 2 * 100, 2 * 2 * 100),
    "ews-hex": (5 * 2 * 20 + 1, 5 * 2 * 20 + 1),
    "false-conclusions": (16 * (3 * 400 + 2 * 200), 16 * (3 * 400 + 2 * 4 * 400)),
    "loa-matches": ((3 + 6) * 100, (3 * 3 + 6) * 200),
    "loa-tactics": (11 * 300, 11 * 300),
    "mopns-connect-four": (2 * (256 + 25), 2 * (256 + 625)),
    "newer-df-pn": (7 * (20 + 40), 7 * (200 + 300)),
    "othello-boards": (3 * 6 * 200 + 200, 3 * 6 * 200 + 200),
    "othello-information": ((4 * 12 + 6) * 60, (4 * 12 + 6) * 200),
    "othello-log": (298, 298),
    "othello-stages": (3 * 12 * 20 + 10 * 4 * 20, 3 * 12 * 200 + 10 * 4 * 200),
    "p-games": (32 * 2 * 200, 32 * 2 * 200),
    "pn-mcts-loa": (4 * 2 * 20, 4 * 2 * 100),
    "seesaw": (11 * 3 * 20, 11 * 3 * 200),
    "xiangqi-drawn": (7 * (109 + 96) + 6 * 200 + 2 * 96, 7 * (109 + 192) + 6 * 200 + 2 * 96),
    "xiangqi-openings": (12 * 7, 12 * 7),
    "xiangqi-tactical": (7 * 109 + 6 * 200, 7 * 109 + 6 * 200),
}
# How many positions a set has where it is not cut: lines picked out of a file.
PICKED = {"connect-four-traces": 1, "deep-pn-hex": 1, "deep-pn-tie": 100, "ews-hex": 1,
          "loa-tactics": 300, "othello-log": 298}
# Minutes at the default size; where many searches or many runs are needed, an hour.
LONGEST = {"connect6-deep-df-pn": 60, "deep-pn-hex": 60}


def stubbed(name: str) -> Experiment:
    """The experiment on other positions, as many as it would take: no data needed."""
    found = experiment(name)

    def make():
        start = zermelo.game("p-game", depth=4).start()
        return ((str(number), start) for number in count())

    def stub(one: Positions) -> Positions:
        take = PICKED.get(name, one.take) or one.take
        assert take is not None, "a set without an end"
        return replace(one, make=make, take=take)

    return replace(found, positions=[stub(one) for one in found.sets])


@pytest.fixture(scope="module", params=sorted(JOBS))
def named(request):
    """(name, stubbed experiment): tests that share one come one after the other."""
    return request.param, stubbed(request.param)


@pytest.fixture(scope="module")
def planned(named):
    """(name, stubbed experiment, its plan)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_DISABLE_JIT", "1")
        return *named, plan_of(named[1])


def test_there_is_a_test_for_each():
    assert experiment_names() == sorted(JOBS)


@pytest.mark.long_cases(
    "all-searches", "cns-moves", "connect6-deep-df-pn", "deep-pn-othello", "false-conclusions",
    "loa-tactics", "othello-stages", "p-games")
def test_plans_have_the_published_sizes(planned):
    name, found, plan = planned
    assert (len(plan.cells), len(plan_of(found, full=True).cells)) == JOBS[name]
    minutes = [sized(found.minutes, full) for full in (False, True)]
    assert 0 < minutes[0] <= LONGEST.get(name, 30)
    assert minutes[0] <= minutes[1]
    assert all([found.source, found.about, found.differs, found.claims, found.tables])


@pytest.mark.long_cases(
    "all-searches", "cns-moves", "connect6-deep-df-pn", "deep-pn-othello", "false-conclusions",
    "p-games")
def test_what_is_published_belongs_to_arms_and_sets_that_exist(planned):
    plan = planned[2]
    cells = {(cell.set, cell.arm) for cell in plan.cells}
    arms, sets = {arm for _, arm in cells}, {one for one, _ in cells}
    assert arms == {arm.name for arm in plan.arms}, "an arm that runs on no set"
    for table in plan.experiment.tables:
        if not isinstance(table, Table):  # a function, which has no published numbers
            continue
        told = {column if isinstance(column, str) else column[0] for column in table.columns}
        assert set(table.published) <= told | {"concluded", "proved"}
        assert set(table.arms) <= arms
        keys = {key for column in table.published.values() for key in column}
        assert keys <= {"arm": arms, "set": sets, "set, arm": cells}[table.rows]
    for figure in plan.experiment.figures:
        assert figure.kind in KINDS
        assert set(figure.arms) <= arms
        assert set(figure.sets) <= sets
        if figure.kind in ("bars", "dots"):
            assert set(figure.published) <= arms
        needs_trace = [arm for arm in plan.arms if not figure.arms or arm.name in figure.arms]
        assert figure.kind not in ("trace", "error") or all(arm.trace for arm in needs_trace)
        if figure.kind == "lines" and figure.x not in {x for one in plan.experiment.sets
                                                        for x in one.labels}:
            drawn = [arm for arm in needs_trace if figure.x in arm.labels
                     or figure.x in arm.search.__dataclass_fields__]
            assert drawn, "nothing to draw"
    names = [figure.name for figure in plan.experiment.figures]
    assert len(set(names)) == len(names), "two figures would be one file"


def test_every_claim_says_beforehand_what_would_refute_it(named):
    for claim in named[1].claims:
        assert claim.rule, claim.text
        assert claim.source, claim.text


@pytest.mark.quick_cases(
    "connect-*", "*-hex", "mopns-connect-four", "pn-mcts-loa", "seesaw", "deep-pn-tie",
    "loa-matches", "newer-df-pn", "xiangqi-*")
def test_an_empty_store_makes_tables_and_no_verdicts(planned, tmp_path):
    name, found, plan = planned
    named = replace(plan, experiment=replace(found, name=name))
    results = Results(named, Store(tmp_path / "s"))
    for table in all_tables(results):
        assert all(len(row) == len(table.header) for row in table.rows)
    verdicts = {judged(results, claim).verdict for claim in results.plan.experiment.claims}
    assert verdicts == {"not judged"}


@pytest.mark.long
def test_p_games_from_trees_to_a_report(tmp_path):
    """Two small trees of each shape, all arms, all tables, figures and claims."""
    found = experiment("p-games")
    shapes = {"2 x 20": {"branching": 2, "depth": 4}, "8 x 8": {"branching": 3, "depth": 3}}
    sets = [each("p-game", "seed", range(40, 42), name=one.name, **shapes[one.name])
            for one in found.sets]
    small = replace(found, positions=sets, arms=[
        replace(arm, trace=arm.trace and 1, memory="20MB") for arm in found.arms])
    plan = plan_of(small, changes=["playouts=2", "judge.memory=20MB", "judge.certificate=no"])
    store = Store(tmp_path / "s")
    outcome = run(plan, store, workers=1, backend="in-process")
    failed = [row["message"] for row in store.every() if row["status"] != "done"]
    assert failed == []
    assert outcome.statuses == {"done": outcome.total}
    results = Results(plan, store)
    assert results.complete
    assert not results.contradictions
    assert all(row[3] == row[2] for table in all_tables(results) for row in table.rows), "proved"
    as_published = replace(plan, settings=replace(plan.settings, changes=()))
    verdicts = [judged(Results(as_published, store), claim).verdict for claim in found.claims
                if " time" not in claim.text]  # so short that the clock may not move
    assert set(verdicts) == {"undecided"}, "two trees bear no verdict"
    written = {path.name for path in write_report(results, tmp_path / "report")}
    assert {"report.md", "report.html"} <= written
    report = (tmp_path / "report" / "report.md").read_text()
    assert "What differs, and why" in report
    assert "Changed with --set: playouts=2, " in report


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """PN and two others on small trees; PPN at a coarse precision, two searches cut off."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_DISABLE_JIT", "1")
        store = Store(tmp_path_factory.mktemp("compared") / "s")
        one = Experiment(
            "compared",
            [each("p-game", "seed", range(50, 56), name=name, branching=2, depth=depth,
                  labels={"depth": depth}) for name, depth in (("small", 4), ("large", 6))],
            [Arm("PN", zermelo.PN(), memory="20MB"),
             Arm("deepest", zermelo.PN(tie="deepest"), memory="20MB"),
             Arm("cut", zermelo.PN(), nodes=3, memory="20MB"),
             Arm("UCT", zermelo.UCT(playouts=2), memory="20MB", unit={"small": 4})],
            tables=[Table("all", ["proved %", "concluded %", "false %", "ratio nodes to PN",
                                  "fewer nodes than PN", "more nodes than PN"], "set, arm")],
            judge=None, name="compared")
        plan = plan_of(one)
        run(plan, store, workers=1, backend="in-process")
        yield Results(plan, store)


def test_columns_that_compare_position_by_position(compared):
    nodes = {arm: [entry.row["nodes"] for entry in compared.select(arm)]
             for arm in ("PN", "deepest")}
    pairs = list(zip(nodes["deepest"], nodes["PN"], strict=True))
    assert compared.number("fewer nodes than PN", "deepest") == sum(a < b for a, b in pairs)
    assert compared.number("more nodes than PN", "deepest") == sum(a > b for a, b in pairs)
    expected = sum(100 * a / b for a, b in pairs) / len(pairs)
    assert compared.number("ratio nodes to PN", "deepest") == pytest.approx(expected)
    assert compared.number("ratio nodes to PN", "PN") == 100
    assert compared.number("fewer nodes than PN", "PN") == 0
    # What was cut off is more than anything, and has no ratio.
    assert compared.number("more nodes than PN", "cut") == 12
    assert compared.number("fewer nodes than cut", "PN") == 12
    assert compared.number("ratio nodes to PN", "cut") is None
    assert columns.heading("ratio nodes to PN") == "mean ratio nodes to PN, %"


def test_shares(compared):
    assert compared.number("proved %", "PN") == compared.number("concluded %", "PN") == 100
    assert compared.number("concluded %", "cut") == 0
    assert compared.number("false %", "PN") == 0
    assert compared.number("false %", "cut") is None


def test_units_may_differ_by_set(compared):
    for name, unit in (("small", 4), ("large", 1)):
        assert compared.number("mean rounds", "UCT", name) == \
            compared.number("mean iterations", "UCT", name) / unit


def test_figures_with_several_columns_and_series_of_two_words(compared):
    several = Figure("f", "lines", "x", x="depth", arms=["PN"],
                     ys={"least": "least nodes", "most": "most nodes"})
    assert set(over_label(compared, several)) == {"least", "most"}
    more = replace(several, arms=["PN", "cut"])
    assert set(over_label(compared, more)) == {
        f"{arm}, {column}" for arm in ("PN", "cut") for column in ("least", "most")}
    two = Figure("f", "lines", "x", x="depth", y="mean nodes", series="search, set",
                 arms=["PN", "cut"])
    assert set(over_label(compared, two)) == {"pn, small", "pn, large"}
    bars = Figure("f", "bars", "x", y="jobs", sets=["small"])
    assert {entry.cell.set for entry in chosen(compared, bars, "PN")} == {"small"}


def test_traces_of_several_seeds_are_lines_of_their_own(tmp_path):
    one = Experiment("seeds", each("p-game", "seed", [50], branching=2, depth=4),
                     [Arm("PPN", zermelo.PPN(playouts=2), seeds=2, trace=1, memory="20MB")],
                     judge=None, name="seeds")
    plan, store = plan_of(one), Store(tmp_path / "s")
    run(plan, store, workers=1, backend="in-process")
    figure = Figure("p", "trace", "x", y="p")
    results = Results(plan, store)
    assert set(traces(results, figure)) == {("PPN", "seed 0"), ("PPN", "seed 1")}
    several = traces(results, Figure("p", "trace", "x", ys={"for": "p", "against": "q"}))
    assert set(several) == {(name, f"seed {n}") for name in ("for", "against") for n in (0, 1)}
    assert several["for", "seed 1"] == traces(results, figure)["PPN", "seed 1"]
    assert [p + q for (_, p), (_, q) in zip(several["for", "seed 0"], several["against", "seed 0"],
                                            strict=True)] == pytest.approx(
        [1.0] * len(several["for", "seed 0"]))


def test_unfinished_positions_can_depend_on_the_size(tmp_path):
    from zermelo.lab import Size, from_file

    (tmp_path / "some.txt").write_text("XXXOO....\nX........\nXO.......\n")
    some = from_file(str(tmp_path / "some.txt"), "tic-tac-toe", side="O", take=1,
                     unfinished=Size(True, full=False))
    assert [id for id, _ in some.positions()] == ["1"]
    assert [id for id, _ in some.positions(full=True)] == ["0"]


def test_a_judge_may_leave_sets_alone(compared, tmp_path):
    from zermelo.lab import Judge

    one = replace(compared.plan.experiment, judge=Judge(all=True, on=("small",), memory="20MB",
                                                        certificate=False))
    results = Results(plan_of(one), Store(tmp_path / "s"))
    assert len(results.judged) == 6


def test_unknown_columns_name_the_words(compared):
    with pytest.raises(ZermeloError, match="fewer nodes than pn"):
        compared.number("nodes or so", "PN")
