"""What the answers of a session mean: only what was asked is proved, and moves fit the root."""

import copy
import pickle

import pytest

import zermelo
from zermelo.cli import run as command

FOUR = zermelo.game("connect-four")
DRAWN = FOUR.parse("5715773517551443657763211134")
LOST = FOUR.parse("444555542")
SMALL = zermelo.game("connect-four", columns=5, rows=4, line=3).parse("3")  # lost too


def test_half_an_answer_is_not_a_proof_of_the_value():
    first = zermelo.solve(DRAWN, "pn", plain=True, goal="win")
    assert (first.value, first.proved, first.partial, first.exit_status) == (
        "not-win", True, False, 0)
    half = zermelo.solve(DRAWN, "pn", plain=True, nodes=first.nodes)
    assert (half.value, half.stopped) == ("not-win", "nodes")
    assert (half.proved, half.concluded, half.partial, half.exit_status) == (
        False, False, True, 10)
    assert half.to_dict()["partial"] is True
    assert "not-win, proved; draw or loss is unknown: stopped by the node limit" in str(half)
    whole = zermelo.solve(DRAWN, "pn", plain=True)
    assert (whole.value, whole.proved, whole.partial, whole.exit_status) == ("draw", True, False, 0)
    assert "partial" not in whole.to_dict()


def test_half_an_answer_can_still_be_certified(tmp_path, capsys):
    nodes = zermelo.solve(DRAWN, "pn", plain=True, goal="win").nodes
    path = tmp_path / "half.proof"
    status = command(["solve", "connect-four", DRAWN.text, "-s", "pn", "--plain", "-q",
                      "--nodes", str(nodes), "--proof", str(path)])
    assert status == 10
    assert "X does not win: proved; draw or loss is unknown" in capsys.readouterr().out
    assert str(zermelo.verify(path).claims[0]) != ""


@pytest.mark.parametrize(("search", "position"), [
    ("weak-df-pn", LOST), ("pn", SMALL), ("pvs", SMALL), ("weak-df-pn", SMALL),
])
def test_all_moves_of_a_lost_position_lose(search, position):
    result = zermelo.solve(position, search)
    assert (result.value, result.proved) == ("loss", True)
    moves = len(position.moves())
    assert [(row.value, row.proved) for row in result.moves] == [("loss", True)] * moves


def test_no_move_wins_where_the_player_does_not():
    for goal, most in (("win", {"not-win"}), ("value", {"draw", "loss", "not-win"})):
        result = zermelo.solve(DRAWN, goal=goal)
        assert result.proved
        assert all(row.proved and row.value in most for row in result.moves)


def test_moves_of_the_other_player_keep_a_proved_win():
    """The player asked about is not to move, and wins whatever the other does."""
    result = zermelo.start(LOST, player=1 - LOST.mover).run()
    assert (result.value, result.proved) == ("win", True)
    assert {row.value for row in result.moves} == {"win"}


@pytest.mark.parametrize("duplicate", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_session_is_not_pickled(duplicate):
    session = zermelo.start(LOST)
    with pytest.raises(zermelo.errors.ZermeloError, match="a Session can't be pickled or copied"):
        duplicate(session)


def test_limits_are_numbers_whatever_they_were_given_as():
    limits = zermelo.Limits(nodes="35M", time="2m", memory="100MB")
    assert (limits.nodes, limits.time, limits.memory) == (35_000_000, 120.0, 100_000_000)
    assert zermelo.Limits(1e3, 5, None) == zermelo.Limits(nodes=1000, time=5.0)
    assert repr(zermelo.Limits(nodes=1)) == "Limits(nodes=1, time=None, memory=None)"


def test_an_answer_with_a_concluded_half_stopped_by_precision():
    """Of two questions the first is concluded at the precision; some seeds solve the second."""
    deep = {f"{name}{i}": ("or", ["lost", f"{name}{i + 1}"]) for name in "pq" for i in range(6)}
    game = zermelo.graph({"root": ("or", ["even", "try"]), "even": "draw", "lost": "loss",
                          "try": ("and", ["p0", "q0"]), **deep, "p6": "loss", "q6": "loss"})
    for seed in range(6):
        result = zermelo.solve(game.start(), zermelo.PPN(pr=0.4, playouts=2), seed=seed)
        assert (result.concluded, result.proved, result.stopped) == (True, False, "precision")
