"""What answers, analyses and guesses mean: only what was asked is proved, and guesses say so."""

import copy
import pickle
from dataclasses import replace

import pytest
from command import call, loads

import zermelo
from zermelo import BadOption, Guess, Limits, Value
from zermelo.cli import run as command
from zermelo.cli.analyze import FEW, analyzed
from zermelo.cli.show import Live
from zermelo.cli.solve import best_guess
from zermelo.solving.analysis import MoveAnalysis, _of_all

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


@pytest.mark.long_cases("pvs-position2")
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


OTHELLO = zermelo.game("othello", size=4)
TTT = zermelo.game("tic-tac-toe")


def unsolved(position, nodes=1_000, **options):
    session = zermelo.start(position, "pn", **options)
    session.run(Limits(nodes=2))
    return session, Limits(nodes=nodes)


def test_with_an_evaluation():
    position = OTHELLO.start()
    session, limits = unsolved(position)
    found = zermelo.guess(session, limits)
    assert found.by == "pvs"
    assert found.depth >= 1
    assert found.move in position.moves()
    assert found.to_dict() == {"move": found.move, "by": "pvs", "depth": found.depth, "only": False}
    assert str(found) == f"{found.move} (not proved; pvs to depth {found.depth})"
    assert zermelo.guess(session, limits) == found  # nodes decide, not the clock
    assert zermelo.guess(session, Limits(nodes=100_000)).depth > found.depth


def test_what_is_compiled_for_a_guess_is_said():
    session, limits = unsolved(OTHELLO.start())
    live = Live(True, "pn for othello")
    assert best_guess(session, limits, live) == zermelo.guess(session, limits)
    live.close()
    assert live.what == "pvs for othello, for a best guess"


@pytest.mark.parametrize(
    ("options", "limits"),
    [({"plain": True}, Limits(nodes=1_000)), ({}, Limits(nodes=999)), ({}, Limits(time=0.05)),
     ({}, Limits(nodes=1_000, time=0.05))])
def test_without_an_evaluation_or_the_budget_for_it(options, limits):
    session, _ = unsolved(OTHELLO.start(), **options)
    found = zermelo.guess(session, limits)
    assert (found.by, found.depth, found.only) == ("pn", None, False)
    assert str(found).endswith("(not proved; most promising to pn)")


def test_the_goal_shortest_is_not_plain():
    session = zermelo.start(OTHELLO.start(), goal="shortest")
    session.run(Limits(nodes=2))
    assert zermelo.guess(session, Limits(nodes=1_000)).by == "pvs"


def test_after_an_interrupt_nothing_is_searched():
    session, _ = unsolved(OTHELLO.start())
    session.cancel()
    session.run(Limits(nodes=50))
    assert zermelo.guess(session).by == "pn"


def test_what_is_known_to_lose_is_not_played():
    position = TTT.parse("b2")
    session, limits = unsolved(position)
    moves = position.moves()
    assert zermelo.guess(session, limits, losing=moves[1:]) == Guess(moves[0], "pn", only=True)
    assert str(Guess("a1", "pn", only=True)) == "a1 (every other move loses)"
    assert zermelo.guess(session, limits, losing=moves) is None
    chosen = zermelo.guess(session, limits).move
    assert zermelo.guess(session, limits, losing=[chosen]) is None
    known = zermelo.start(TTT.parse("X.O/.O./..X X"), "pn")  # O threatens a1: the rest loses
    for nodes in range(2, 60, 3):
        known.run(Limits(nodes=nodes))
        lost = {row.move for row in known.result().moves if row.value == "loss"}
        found = zermelo.guess(known, limits)
        assert found is None or found.move not in lost


def test_nothing_to_guess():
    assert zermelo.guess(zermelo.start(TTT.parse("a1 b1 a2 b2 a3"))) is None
    assert zermelo.guess(zermelo.start(TTT.start(), plain=True)) is None  # it has not begun
    with pytest.raises(BadOption, match="guess needs a Session"):
        zermelo.guess(TTT.start())


# On the command line.
def test_solve_says_it():
    words = ["solve", "othello", "-g", "size=4", "-s", "pn", "-q"]
    done = call(*words, "--nodes", "1000")
    assert done.status == 10
    found = zermelo.guess(*unsolved(OTHELLO.start()))
    assert f"\nunknown: stopped by the node limit\nbest guess: {found}\n" in done.out
    answer = loads(call(*words, "--nodes", "1000", "--json").out)
    assert (answer["guess"], answer["move"]) == (found.to_dict(), None)
    plain = loads(call(*words, "--nodes", "1000", "--json", "--plain").out)
    assert plain["guess"]["by"] == "pn"
    words = ["solve", "tic-tac-toe", "a1 b1 a2", "-s", "pn", "-q"]
    solved = call(*words)
    assert (solved.status, "best guess" in solved.out) == (0, False)
    assert loads(call(*words, "--json").out)["guess"] is None


def test_analyze_says_it():
    words = ["analyze", "othello", "-g", "size=4", "-s", "pn", "-q", "--nodes", "1000"]
    done = call(*words)
    assert done.status == 10
    answer = loads(call(*words, "--json").out)
    assert answer["guess"]["by"] == "pvs"
    assert f"\nbest guess: {Guess(**answer['guess'])}" in done.out
    solved = loads(call("analyze", "tic-tac-toe", "a1 b1 a2", "--json").out)
    assert solved["guess"] is None


def test_an_interrupt_while_guessing_keeps_the_answer(monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.playing.guess", interrupted)
    done = call("solve", "tic-tac-toe", "--nodes", "20", "--plain", "-q")
    assert (done.status, "best guess" in done.out) == (10, False)
    assert "unknown: stopped by the node limit" in done.out
