"""RSCN and Vl step by step, and the progress of games: numbers, charts, the command line."""

import csv
import io
import math
import struct
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest
from command import call, loads

import zermelo
from zermelo.cli import show
from zermelo.conspiracy import rscn
from zermelo.conspiracy.scn import Curve, Row
from zermelo.game_records import chart
from zermelo.game_records.progress import progress

pytestmark = pytest.mark.usefixtures("without_jit")

# game, parameters, where the record begins, its moves: few moves each, so that plain Python will do
GAMES = {
    "xiangqi": ({}, "3k5/4a4/9/p8/9/9/P8/9/4A4/5K3 w", "f0e0 a6a5"),
    "connect-four": ({"columns": 4, "rows": 4}, "start", "1 1 2 2 3"),
    "othello": ({"size": 4}, "start", "b1 a1 a2"),
    "lines-of-action": ({"size": 4}, "start", "b1-d1 a2-c2"),
}


def curve(values, scns):
    rows = [Row(depth, value, None, "a", (scn,), (0.5,), (scn / 2,), 1)
            for depth, (value, scn) in enumerate(zip(values, scns, strict=True), 1)]
    return Curve(None, (600,), rows, "depth", 1, 0.0, 0.0)


def test_a_line_is_fitted_and_read_at_depth_10():
    assert rscn.straight_line([(1, 3), (2, 5), (4, 9)]) == pytest.approx((2, 1))
    slope, height = rscn.straight_line([(1, 1), (2, 3), (3, 2)])
    assert (slope, height) == pytest.approx((0.5, 1))
    assert rscn.reading([(1, 3), (2, 5), (3, 7), (4, 9)]) == pytest.approx(21)
    assert rscn.reading([(1, 3), (2, 5), (3, 7), (4, 9)], at=0) == pytest.approx(1)


def test_infinities_are_dropped_and_few_depths_are_no_curve():
    points = [(1, 3), (2, 5), (3, math.inf), (4, 9), (5, 11), (6, -math.inf)]
    assert rscn.reading(points) == pytest.approx(21)
    assert rscn.reading(points[:4]) is None
    assert rscn.reading([]) is None
    told = curve([10, 20, 30, 40, math.inf], [1, 2, 3, 4, 5])
    assert rscn.vl(told) == pytest.approx(100)
    assert rscn.scn_reading(told) == pytest.approx(10)
    assert rscn.odds_reading(told) == pytest.approx(5)
    assert rscn.vl(curve([1, 2, 3], [1, 2, 3])) is None


def test_infinite_odds_count_as_certain():
    """They are not dropped, and nothing is more than certain: 0, 150, 300, 300 read at depth 10."""
    slope = (150 * -0.5 + 300 * 0.5 + 300 * 1.5) / 5
    for sure in (math.inf, 800):  # odds of half as much
        told = curve([1, 2, 3, 4], [0, 300, sure, sure])
        assert rscn.odds_reading(told) == pytest.approx(187.5 + 7.5 * slope)
    assert rscn.scn_reading(curve([1, 2, 3, 4], [0, 300, math.inf, math.inf])) is None
    never = curve([1, 2, 3, 4], [-math.inf] * 4)
    assert rscn.odds_reading(never) == -rscn.MOST_ODDS


def test_rscn_is_ones_own_minus_the_other_sides_on_the_neighbour():
    assert rscn.relative([5.0, 7.0, 2.0, None, 4.0], [0, 1, 0, 1, 0]) == [
        -2.0, 2.0, None, None, math.inf]
    # Black is compared with the position before, so that one of a pair is minus the other.
    pairs = rscn.relative([5.0, 7.0, 2.0, 9.0], [0, 1, 0, 1])
    assert pairs == [-2.0, 2.0, -7.0, 7.0]
    # Players who do not alternate: the nearest position where the other is to move.
    assert rscn.relative([1.0, 2.0, 4.0, 8.0], [0, 0, 1, 1]) == [-3.0, -2.0, 2.0, 6.0]
    assert rscn.relative([3.0, 4.0], [1, 0]) == [None, math.inf]


def test_averages_leave_out_what_is_missing():
    assert rscn.average([1.0, None, math.inf, 3.0]) == 2.0
    assert rscn.average([None, math.inf]) is None
    assert rscn.of_side([1.0, 10.0, 3.0, None], [0, 1, 0, 1], 0) == 2.0
    assert rscn.of_side([1.0, 10.0, 3.0, None], [0, 1, 0, 1], 1) == 10.0


def record_of(name):
    parameters, begin, moves = GAMES[name]
    game = zermelo.game(name, **parameters)
    start = game.parse(begin)
    return game, start, moves


@pytest.mark.quick_cases("connect-four", "othello")
@pytest.mark.parametrize("name", GAMES)
def test_games_have_progress(name):
    game, start, moves = record_of(name)
    found = progress(game, moves, depth=4, start=start, workers=2)
    assert found.stopped == "depth"
    assert type(game).thresholds == found.T
    assert [step.move for step in found.steps] == [*moves.split(), None]
    assert any(step.rscn[0] is not None and math.isfinite(step.rscn[0]) for step in found.steps)
    step = found.steps[1]  # as if it were searched alone
    alone = zermelo.scn(step.position, depth=4)
    assert step.scn[0] == rscn.scn_reading(alone)
    assert step.vl == rscn.vl(alone)
    picture = ElementTree.fromstring(chart.draw(found))
    assert picture.tag.endswith("svg")
    assert found.to_dict()["averages"].keys() == set(game.players)


def test_captures_beyond_the_depth():
    """Black's rook is protected: who takes it loses a rook for a rook, which quiescence sees."""
    game = zermelo.game("xiangqi")
    start = game.parse("3k5/9/9/4p4/4r4/9/9/4R4/9/5K3 w")
    found = progress(game, "f0f1", depth=1, start=start, quiescence=True)
    calm, plain = (zermelo.scn(start, depth=1, quiescence=which).rows[0] for which in (True, False))
    assert found.steps[0].value == calm.value < plain.value - 100
    assert plain.move == "e2e5"
    words = ["progress", "xiangqi", "f0f1", "--from", start.text, "--depth", "1", "--json"]
    assert loads(call(*words, "--quiescence").out)["steps"][0]["value"] == calm.value
    assert loads(call("scn", "xiangqi", start.text, "--depth", "1", "--json", "--quiescence").out)[
        "rows"][0]["value"] == calm.value


def test_a_game_against_oneself_is_averaged():
    game = zermelo.game("connect-four", columns=4, rows=4)
    curves = rscn.self_play(game.start(), 5, depth=4, longest=3)
    assert len(curves) == 4
    for before, after in pairwise(curves):
        assert before.position.play(before.rows[-1].move) == after.position
    found = rscn.numbers_of(curves)
    readings = [rscn.scn_reading(curve) for curve in curves]
    red = (readings[0] - readings[1] + readings[2] - readings[3]) / 2
    assert (found["rscn_first"], found["rscn_second"]) == pytest.approx((red, -red))
    assert found["vl_first"] == pytest.approx((rscn.vl(curves[0]) + rscn.vl(curves[2])) / 2)
    # To the end of a game, and no further than where a position repeats.
    assert rscn.self_play(game.parse("1 2 1 2 1 2"), 5, depth=1)[-1].position.outcome == "first"
    kings = zermelo.game("xiangqi").parse("3k5/9/9/9/9/9/9/9/9/5K3 w")
    assert len(rscn.self_play(kings, 600, depth=1)) < 60


@pytest.mark.parametrize("depth", [2, 3])
def test_a_move_of_the_search_costs_nothing(depth):
    """Neither does one that is forced: 443352 loses whatever O plays, 4433 gave it away."""
    game = zermelo.game("connect-four")
    found = progress(game, "443352", depth=depth)
    assert 6 not in [moment.ply for moment in found.moments]
    best = [zermelo.scn(game.start(), depth=depth).rows[-1].move]
    for _ in range(4):
        best.append(zermelo.scn(game.start().play(*best), depth=depth).rows[-1].move)
    assert progress(game, best, depth=depth).moments == []


def test_positions_that_were_not_searched_to_the_depth_have_no_numbers():
    found = progress(zermelo.game("connect-four"), "4433", depth=40, time=0.05)
    assert found.stopped == "time"
    assert all(step.value is None and step.vl is None for step in found.steps)
    assert found.moments == []


def test_a_blunder_is_a_critical_moment():
    game = zermelo.game("xiangqi")
    # Red leaves the rook where the other one takes it.
    start = game.parse("r3k4/9/9/9/9/9/9/9/9/1R3K3 w")
    found = progress(game, "b0a0 a9a0", depth=3, start=start)
    moment = found.moments[0]
    assert (moment.ply, moment.player, moment.move) == (1, "Red", "b0a0")
    assert moment.loss > 100
    assert found.moments[1:] == []
    assert all(step.rscn[0] is None or math.isinf(step.rscn[0]) for step in found.steps)


def test_a_game_that_ends_has_its_result_at_the_end():
    game = zermelo.game("connect-four", columns=4, rows=4)
    start = game.parse("1 2 1 2 1 2")
    found = progress(game, "1", depth=2, start=start)
    assert [step.value for step in found.steps] == [math.inf, math.inf]
    assert found.steps[-1].nodes == 0
    assert found.steps[-1].vl is None
    chart.draw(found)


def test_columns_of_numbers_stand_to_the_right():
    """Negative and infinite numbers are numbers too."""
    told = show.table(["n", "name"], [["-14.2", "-inf is a name"], ["inf", "b"], ["-", "c"],
                                      ["-inf", "d"], ["3", "e"]])
    assert told.splitlines() == [
        "    n  name", "-----  --------------", "-14.2  -inf is a name", "  inf  b", "    -  c",
        " -inf  d", "    3  e"]
    assert show.table(["n"], [["7"], ["info"]]).splitlines()[2] == "7"


def test_the_commands(tmp_path):
    words = ["connect-four", "-g", "columns=4", "-g", "rows=4"]
    out = tmp_path / "chart.svg"
    done = call("progress", *words, "1 1 2 2", "--depth", "4", "--out", str(out))
    assert done.status == 0, done.err
    assert "nearer to 30" in done.out.splitlines()[0]
    assert "SCN" not in done.out.rpartition("--numbers")[0]
    full = call("progress", *words, "1 1 2 2", "--depth", "4", "--numbers", "--quiet").out
    assert "RSCN on average, T=30: X " in full
    plain, all_numbers = (text.splitlines() for text in (done.out, full))
    assert plain[2].split()[4:7] == ["O", "by", "2.5"]  # X, to move, needs 2.5 more
    assert plain[3].split()[4:7] == ["O", "by", "2.5"]  # O, to move, needs 2.5 less
    assert [all_numbers[row].split()[5] for row in (2, 3, 4)] == ["2.5", "-2.5", "0"]
    assert (plain[4].split()[4], plain[6].split()[3]) == ("even", "-")
    assert done.out.endswith(f"\nwrote {str(out)!r}\n")
    assert b"</svg>" in out.read_bytes()
    out = tmp_path / "chart.png"
    assert call("progress", *words, "1 1", "--depth", "4", "--out", str(out)).status == 0
    assert struct.unpack(">II", out.read_bytes()[16:24])[0] > 1_000  # pixels across
    out = tmp_path / "chart.csv"
    assert call("progress", *words, "1 1", "-T", "5", "-T", "win", "--depth", "4", "--out",
                str(out)).status == 0
    rows = list(csv.reader(io.StringIO(out.read_text())))
    assert rows[0][:8] == ["ply", "to move", "move", "value for X", "Vl", "SCN T=5", "RSCN T=5",
                           "log10 odds T=5"]
    assert len(rows) == 4
    done = call("progress", *words, "1 1", "-T", "5", "-T", "5", "--depth", "4", "--json")
    told = loads(done.out)
    assert told["steps"][-1]["rscn"] == ["inf"]
    assert told["T"] == [5]
    assert float(rows[1][5]) == pytest.approx(told["steps"][0]["scn"][0], rel=1e-5)

    done = call("scn", *words, "1 1", "-T", "5", "-T", "win", "--depth", "3")
    assert done.status == 0
    assert "SCN T=win" in done.out
    told = loads(call("scn", *words, "1 1", "-T", "win", "--depth", "3", "--json").out)
    assert [row["depth"] for row in told["rows"]] == [1, 2, 3]
    rows = list(csv.reader(io.StringIO(call("scn", *words, "1 1", "-T", "win", "--depth", "3",
                                            "--csv").out)))
    assert [int(row[3]) for row in rows[1:]] == [row["scn"][0] for row in told["rows"]]
    done = call("scn", *words, "1 2 1 2 1 2 1", "--json")
    assert (done.status, loads(done.out)["stopped"]) == (0, "over")
    done = call("scn", *words, "--nodes", "20")
    assert done.status == 10
    assert "stopped by the node limit" in done.out
    done = call("progress", *words, "1 1", "--time", "1e-9")
    assert done.status == 10
    assert "some positions are missing" in done.out
