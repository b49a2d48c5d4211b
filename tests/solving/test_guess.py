"""A best guess where nothing is proved: labelled so, within its budget, never a move that loses."""

import pytest
from command import call, loads

import zermelo
from zermelo import BadOption, Guess, Limits
from zermelo.cli.show import Live
from zermelo.cli.solve import best_guess

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
