"""What an analysis concludes from its parts, and lines through proofs that were thrown away."""

import pytest

import zermelo
from zermelo import Value
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
