"""Games that are watched: a job of its own kind, from a position or a line to a report."""

import json
import math
import random
from dataclasses import replace
from types import SimpleNamespace

import pytest
from command import call

import zermelo
from zermelo.conspiracy import rscn
from zermelo.conspiracy.rscn import NUMBERS, SIDES, numbers_of, row_of, watched
from zermelo.jobs.job import WATCH, Job
from zermelo.jobs.store import Store
from zermelo.jobs.work import perform
from zermelo.lab import Arm, Claim, Experiment, Figure, Positions, Table, Watch, texts
from zermelo.lab.columns import number_of
from zermelo.lab.figures import BINS, edges_of, samples
from zermelo.lab.plan import plan_of, run
from zermelo.lab.report import write_report
from zermelo.lab.results import Results
from zermelo.lab.statistics import UNDECIDED
from zermelo.lab.watching import (
    CALLED,
    apart,
    at_depths,
    beside_moves,
    better,
    having,
    readings,
    separates_better,
    separation,
    turned,
    within,
)

DEEP = Watch(T=30, depth=4, longest=3)
WHOLE = replace(DEEP, whole=True)


@pytest.fixture(scope="module", autouse=True)
def plain_python():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_DISABLE_JIT", "1")
        yield


def positions(name, *several):
    """A set of small boards, given by moves."""
    return texts("connect-four", several, name=name, columns=4, rows=4)


def line():
    """A position with a line behind it."""
    yield "0", zermelo.game("connect-four", columns=4, rows=4).start().play("2", "2", "3")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Two sets of two positions, and one of a line, all run."""
    experiment = Experiment(
        title="Watched", name="watched",
        positions=[positions("won", "12", "21"), positions("drawn", "22", "33"),
                   Positions("line", line), Positions("missing", list, optional=True)],
        arms=[Arm("far", DEEP, memory="20MB", on=("won", "drawn")),
              Arm("whole", WHOLE, memory="20MB", on=("line",))],
        tables=[Table("RSCN", ["least rscn_first", "mean plies"], "set, arm"),
                separation("Separation", "far", "won", "drawn", "Words.")],
        figures=[Figure("h", "histogram", "RSCN", arms=("far",), ys={
                     "won": "rscn_first of won", "drawn": "rscn_first of drawn"}),
                 Figure("s", "sets", "RSCN by set", y="mean rscn_first",
                        published={"normal": (-1, 1)})],
        claims=[Claim("a boundary", apart("far", "rscn", [("won", "first"), ("drawn", "first")]))],
        judge=None)
    plan = plan_of(experiment)
    store = Store(tmp_path_factory.mktemp("watched") / "s")
    outcome = run(plan, store, workers=1, backend="in-process")
    assert outcome.statuses == {"done": 5}
    return Results(plan, store)


def test_a_row_has_what_the_game_comes_to(results):
    entry = results.select("far", "won")[0]
    start = results.plan.positions["won", "0"]
    curves = rscn.self_play(start, DEEP.T, DEEP.depth, DEEP.longest)
    told = rscn.numbers_of(curves)
    for name in ("rscn_first", "vl_second"):
        assert entry.row["counters"][name] == pytest.approx(told[name])
    assert entry.row["counters"]["plies"] == len(curves) - 1 == 3
    assert entry.row["root"]["moves"] == [curve.rows[-1].move for curve in curves[:-1]]
    assert entry.row["nodes"] == sum(curve.nodes for curve in curves)
    assert [sample["root"]["scn_first"] for sample in entry.row["trace"]] == [
        row.scn[0] for row in curves[0].rows]


def test_numbers_are_for_both_sides(results):
    for entry in results.select("far"):
        numbers = entry.row["counters"]
        for name in ("rscn", "pcn", "moves"):  # whole pairs in all these games
            assert numbers[f"{name}_first"] == pytest.approx(-numbers[f"{name}_second"])


def test_moves_and_evaluation_are_counted_in_the_positions():
    game = zermelo.game("connect-four", columns=4, rows=4)
    curves = watched(game.start(), [], Watch(T=30, depth=4, longest=1))
    numbers = numbers_of(curves)
    assert [numbers["moves_first"], numbers["curves"]] == [0, 2]
    assert numbers["static_first"] == game.board.evaluate(game.start().state)
    assert numbers["static_second"] == game.board.evaluate(curves[1].position.state)
    assert numbers["scn_first"] == rscn.scn_reading(curves[0])


def test_moves_left_untried_may_count_as_leaves():
    start = zermelo.game("connect-four", columns=4, rows=4).start()
    how = Watch(T=1, depth=6, longest=0)
    usual, static = (watched(start, [], replace(how, static=yes))[0] for yes in (False, True))
    told = json.loads(call("scn", "connect-four", "start", "-g", "columns=4", "-g", "rows=4", "-T",
                           "1", "--depth", "6", "--pruned", "static", "--json").out)
    found = [row.scn[0] for row in static.rows]
    assert found == [row["scn"][0] for row in told["rows"]]
    assert found[:5] == [row.scn[0] for row in usual.rows[:5]]
    assert (found[5], usual.rows[5].scn[0]) == (1, 5), "moves left untried are at T already"
    assert [row.value for row in static.rows] == [row.value for row in usual.rows]
    assert all((number == 0) == (row.value >= 1)
               for number, row in zip(found, static.rows, strict=True))
    assert "static" not in how.stated, "jobs from before keep their digests"


def test_a_line_is_watched_before_play_goes_on(results):
    assert results.select("far", "won")[0].cell.job.line == []
    entry = results.select("whole", "line")[0]
    job = entry.cell.job
    assert (job.kind, job.line) == (WATCH, ["2", "2", "3"])
    assert entry.row["root"]["moves"][:3] == ["2", "2", "3"]
    assert entry.row["counters"]["plies"] == 6
    again = Job.from_json(job.to_json())
    assert again.digest == job.digest != replace(job, line=["2", "2"]).digest
    assert perform(again)["counters"] == entry.row["counters"]


def test_a_game_that_is_over_has_no_numbers():
    game = zermelo.game("connect-four", columns=4, rows=4)
    row = row_of(watched(game.parse("1213141"), [], DEEP), DEEP)
    assert (row["stopped"], row["counters"]["curves"], row["move"]) == ("over", 0, None)
    assert row["counters"]["rscn_first"] is None
    json.dumps(row, allow_nan=False)


def test_each_number_needs_no_other():
    """Where SCN is infinite at most depths, as before a mate, there are still the other numbers."""
    start = zermelo.game("connect-four", columns=4, rows=4).start()
    curves = watched(start, [], Watch(T=30, depth=4, longest=1))
    told = numbers_of(curves)
    rows = [replace(row, scn=(math.inf,)) for row in curves[1].rows]
    numbers = numbers_of([curves[0], replace(curves[1], rows=rows)])
    assert [name for name, number in numbers.items() if number is None] == [
        "rscn_first", "rscn_second", "scn_second"]
    assert all(numbers[name] == told[name] for name in told
               if numbers[name] is not None and name != "curves")
    rows = [replace(row, value=math.inf) for row in curves[1].rows]
    numbers = numbers_of([curves[0], replace(curves[1], rows=rows)])
    assert numbers == {**told, "vl_second": None}


def test_other_jobs_keep_their_digests(results):
    """The store knows what was run before there were lines."""
    job = replace(results.select("far", "won")[0].cell.job, line=None)
    assert "line" not in job._facts()


def test_numbers_of_a_set_are_turned_so_that_more_is_better(results):
    raw = readings(results, "far", "won", "rscn_first")
    assert better(results, "far", "won", "rscn") == [-number for number in raw]
    assert better(results, "far", "won", "vl") == readings(results, "far", "won", "vl_first")
    some = having(results, "far", "won", NUMBERS)
    assert turned(some, "rscn") == better(results, "far", "won", "rscn")
    assert beside_moves(some, "rscn") == [
        (-number_of(e, "rscn_first"), number_of(e, "moves_first"))
        for e in results.select("far", "won")]
    figure = results.plan.experiment.figures[0]
    assert samples(results, figure)["won"] == raw


def test_every_number_is_in_a_bin_of_the_histogram():
    chance = random.Random(6)
    for _ in range(2_000):
        numbers = [chance.uniform(-1_000, 1_000) for _ in range(2)]
        edges = edges_of(numbers)
        assert (edges[0], len(edges)) == (min(numbers), BINS + 1)
        assert edges[-1] >= max(numbers)
        assert edges[-1] == pytest.approx(max(numbers))
    assert edges_of([3.0])[::BINS] == [3.0, 3.0 + BINS]


def test_claims_say_what_was_measured(results):
    wins, draws = (readings(results, "far", group, "rscn_first") for group in ("won", "drawn"))
    kinds = [("won", "first"), ("drawn", "first")]
    clear = max(wins) < min(draws)
    assert apart("far", "rscn", kinds)(results)[0] is clear
    assert apart("far", "rscn", kinds, yes=False)(results)[0] is not clear
    assert within("far", "won", min(wins), max(wins))(results)[0] is True
    verdict, words = within("far", "won", min(wins) - 2, min(wins) - 1)(results)
    assert (verdict, words.split(";")[0]) == (UNDECIDED, "0 of 2 inside")
    assert separates_better("far", "won", "drawn", "rscn", "rscn")(results)[0] == UNDECIDED
    for test in (apart("far", "rscn", [("missing", "first")]), within("far", "missing", 0, 1),
                 separates_better("far", "missing", "drawn", "rscn", "vl")):
        assert test(results) == (None, "")


class ByHand:
    """What tables and claims read of a results: numbers of positions, given by set."""

    def __init__(self, **sets):
        self.sets = {group: [SimpleNamespace(row={"counters": counters}) for counters in rows]
                     for group, rows in sets.items()}

    def select(self, arm, set):
        return self.sets[set]

    def finished(self, *arms):
        return True


def by_hand(first, second=None, **others):
    """The numbers of a position: all are ``first`` for the one side and ``second`` for the other,
    with its sign turned by default; ``others`` replace some."""
    values = dict(zip(SIDES, (first, -first if second is None else second), strict=True))
    return {f"{name}_{side}": values[side] for name in NUMBERS for side in SIDES} | others


def row_by_hand(name, won, drawn):
    """A row of the table of such numbers, by what its columns are called."""
    made = separation("Apart", "far", "won", "drawn", "Words.")(ByHand(won=won, drawn=drawn))
    found = dict(zip(made.header, made.rows[list(NUMBERS).index(name)], strict=True))
    assert found.pop("number") == CALLED[name]
    return found, made.note


def test_a_row_of_the_separation_table_is_as_reckoned_by_hand():
    """Won 2, 5, 6, 8 and lost the mirror; drawn 0, 3, 1, 1. Of 16 pairs the won lose one: 2 to 3.
    Both kinds lie from 2 to 3: two of eight. Thresholds by the first and third of each: between
    -2 and 0, and between 1 and 2; of the others the drawn 3 is taken for won."""
    won, drawn = [[by_hand(x) for x in some] for some in ((2, 5, 6, 8), (0, 3, 1, 1))]
    row, note = row_by_hand("vl", won, drawn)
    assert row == {
        "won": "4 in 2.0 to 8.0", "drawn": "4 in 0.0 to 3.0", "area won / drawn": "0.9375",
        "area won / lost": "1.0000", "overlap won / drawn %": "25.0", "error of three %": "16.7",
        # within two moves: 2 to all four, 5 to 3: four of five
        "area, moves within 2": "0.8000", "pairs": "5"}
    assert note == "On the 4 of 4 won and 4 of 4 drawn positions that have all of these numbers. " \
        "Words."


def test_less_is_better_by_rscn():
    won, drawn = [[by_hand(x) for x in some] for some in ((-2, -5, -6, -8), (0, -3, -1, -1))]
    row, _ = row_by_hand("rscn", won, drawn)
    assert (row["won"], row["drawn"]) == ("4 in -8.0 to -2.0", "4 in -3.0 to 0.0")
    assert (row["area won / drawn"], row["overlap won / drawn %"]) == ("0.9375", "25.0")
    assert (row["error of three %"], row["area, moves within 2"]) == ("16.7", "0.8000")


def test_all_rows_are_about_the_positions_that_have_all_numbers():
    """A position without RSCN is left out of the row of Vl too, and moves no other to another
    half; what only the second player of a drawn position lacks does not matter."""
    won = [by_hand(2), by_hand(-9, rscn_first=None), by_hand(5), by_hand(8)]
    drawn = [by_hand(0), by_hand(3, scn_second=None), by_hand(1), by_hand(1)]
    row, note = row_by_hand("vl", won, drawn)
    assert (row["won"], row["drawn"]) == ("3 in 2.0 to 8.0", "4 in 0.0 to 3.0")
    assert row["area won / drawn"] == f"{11 / 12:.4f}"
    assert row["error of three %"] == "16.7"  # thresholds by 2 and 5, tested on 8
    assert note.startswith("On the 3 of 4 won and 4 of 4 drawn")


def test_an_empty_table_has_no_numbers():
    row, note = row_by_hand("vl", [by_hand(2, vl_second=None)], [by_hand(1)])
    assert [row["won"], row["area won / drawn"], row["pairs"]] == ["-", "-", "0"]
    assert note.startswith("On the 0 of 1 won and 1 of 1 drawn")


def test_the_better_of_two_numbers_needs_more_than_chance():
    """RSCN always tells, Vl is the same everywhere: 1 to 0.5, and no other in any resampling."""
    won = [by_hand(-x, vl_first=0) for x in range(10, 20)]
    drawn = [by_hand(x, vl_first=0) for x in range(10)]
    results = ByHand(won=won, drawn=[*drawn, by_hand(-99, vl_first=None)])
    verdict, words = separates_better("far", "won", "drawn", "rscn", "vl")(results)
    assert verdict is True
    assert words == ("area 1.0000 by RSCN, 0.5000 by Vl; difference +0.5000, 95 % by a bootstrap "
                     "of 2,000: +0.5000 to +0.5000; 10 of 10 won, 10 of 11 drawn")
    assert separates_better("far", "won", "drawn", "vl", "rscn")(results)[0] is False
    results.sets["won"][0].row["counters"]["scn_first"] = 50  # one slip is within chance
    verdict, words = separates_better("far", "won", "drawn", "scn", "rscn")(results)
    assert (verdict, "difference -0.0909, 95 %" in words) == (UNDECIDED, True)


def test_depths_have_to_agree():
    results = ByHand(won=[by_hand(-9)], drawn=[by_hand(0)])
    verdicts = {"five": True, "six": True, "seven": None}

    def test_of(arm):
        return lambda results: (verdicts[arm], f"words of {arm}")

    test = at_depths(test_of, {5: "five", 6: "six", 7: "seven"})
    assert test(results) == (True, "depth 5, so: words of five; depth 6, so: words of six")
    verdicts["seven"] = False
    assert test(results)[0] == UNDECIDED
    assert "depth 7, not so: words of seven" in test(results)[1]
    verdicts |= {"six": None, "seven": None}
    assert test(results)[0] is None, "one depth says nothing about depth"


def test_a_report_has_table_figures_and_verdict(results, tmp_path):
    names = {path.name for path in write_report(results, tmp_path)}
    assert {"report.md", "h.svg", "h.png", "s.svg"} <= names
    report = (tmp_path / "report.md").read_text()
    assert "proved" not in report.partition("## What was run")[0]
    assert "number of moves less the other's" in report
    assert "read at depth 10" in report
