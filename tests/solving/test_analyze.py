"""What an analysis concludes from its parts, and lines through proofs that were thrown away."""

from dataclasses import replace

import pytest
from command import call, loads

import zermelo
from zermelo import Value
from zermelo.cli.analyze import FEW, analyzed
from zermelo.solving.analysis import MoveAnalysis, _of_all


def row(value, proved=True):
    return MoveAnalysis("1", value, proved, value != Value.UNKNOWN, "solved", ["1"], 1)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([Value.WIN, Value.UNKNOWN], (Value.WIN, True, True)),
        ([Value.DRAW, Value.NOT_WIN, Value.LOSS], (Value.DRAW, True, True)),
        ([Value.NOT_WIN, Value.LOSS], (Value.NOT_WIN, False, False)),
        ([Value.DRAW, Value.UNKNOWN], (Value.UNKNOWN, False, False)),
        ([Value.LOSS, Value.LOSS], (Value.LOSS, True, True)),
    ],
)
def test_the_value_of_a_position_from_those_of_its_moves(values, expected):
    assert _of_all([row(value) for value in values]) == expected


def test_what_is_not_proved_proves_nothing():
    assert _of_all([row(Value.WIN, False)]) == (Value.WIN, False, True)
    assert _of_all([row(Value.DRAW), row(Value.NOT_WIN, False)]) == (Value.DRAW, False, True)


def test_a_move_that_is_only_concluded_settles_no_uniqueness():
    position = zermelo.game("tic-tac-toe").parse("XX./OO./... X")
    proved = zermelo.analyze(position, unique=True)
    guessed = zermelo.analyze(position, zermelo.PPN(pr=0.5, playouts=1), unique=True)
    assert (proved.value, proved.proved, proved.unique) == ("win", True, True)
    assert (guessed.value, guessed.proved, guessed.unique) == ("win", True, None)
    assert set(guessed.decisions[0].unsettled) == set(position.moves()) - {guessed.line[0]}


def test_pn2_shows_the_whole_line_of_a_win_in_a_cyclic_game():
    nodes = {0: ("and", [6]), 1: ("or", [7]), 2: ("or", [5]), 3: ("and", [6, 7]),
             4: ("or", [2, 3, 8]), 5: ("or", [2]), 6: ("and", [1]), 7: ("or", [4]), 8: "win"}
    result = zermelo.solve(zermelo.graph(nodes).start(), zermelo.PN2(a=1, b=1, N=40))
    assert (result.value, result.proved) == ("loss", True)  # for the AND player, who moves
    assert result.line == ["6", "1", "7", "4", "8"]


def test_many_moves_without_a_value_share_a_line():
    done = call("analyze", "tic-tac-toe", "start", "--nodes", "9", "-s", "pn", "-q")
    assert "\n9 moves: unknown (nodes), 9 nodes\n" in done.out
    assert "move  value" not in done.out
    told = call("analyze", "tic-tac-toe", "b2", "--nodes", "8", "-s", "pn", "-q").out
    assert told.count("  unknown  nodes ") == FEW
    rows = loads(call("analyze", "tic-tac-toe", "start", "--nodes", "9", "-s", "pn", "--json").out)
    assert len(rows["moves"]) == 9
    position = zermelo.game("tic-tac-toe").parse("XX./OO./... X")
    analysis = zermelo.analyze(position)
    unknown = replace(row(Value.UNKNOWN, False), stopped="candidates")
    other = replace(unknown, stopped="time", nodes=1_000)
    text = analyzed(replace(analysis, moves=[*analysis.moves, *[unknown] * FEW, other]), False)
    assert ("\nand 8 more moves: unknown (candidates), 8 nodes\n"
            "and 1 more move: unknown (time), 1,000 nodes\n") in text
    assert all(f"\n{each.move} " in text for each in analysis.moves)


def test_the_whole_turn_is_told():
    words = ["solve", "k-in-a-row", "-g", "columns=4", "-g", "rows=3", "-g", "line=3", "-g",
             "stones=2", "-g", "first=1", "..../.XX./O... O2", "-s", "pn", "-q"]
    done = call(*words)
    assert "\nmove a3 a2\nline a3 a2\n" in done.out
    answer = loads(call(*words, "--json").out)
    assert (answer["move"], answer["turn"]) == ("a3", ["a3", "a2"])
    ttt = zermelo.game("tic-tac-toe")
    one = zermelo.solve(ttt.parse("a1 b1 a2 c3"), "pn")
    assert (one.move, one.turn) == ("a3", ["a3"])
    assert "\nmove a3\n" in str(one)
    assert zermelo.solve(ttt.start(), "pn", nodes=2).turn == []
    assert replace(one, line=[]).turn == ["a3"]
