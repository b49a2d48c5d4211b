"""``zermelo play``: a game typed move by move, against what is proved."""

import io

import pytest
from command import call

import zermelo

pytestmark = pytest.mark.usefixtures("without_jit")


@pytest.fixture
def table(monkeypatch):
    def sit_down(typed, *words):
        monkeypatch.setattr("builtins.input", reader(typed))
        return call("play", *words, "--nodes", "20000", "--quiet")

    return sit_down


def reader(typed):
    """``input`` from a text, with the prompt printed as it would be."""
    lines = io.StringIO(typed)

    def read(prompt=""):
        print(prompt, end="")
        line = lines.readline()
        if not line:
            raise EOFError
        return line

    return read


def test_a_won_game_is_won(table):
    done = table("a3\n", "tic-tac-toe", "a1 b1 a2 b2")
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith("the game is over\nX wins\nmoves a3\n")


def test_the_machine_plays_the_win_that_it_proves(table):
    done = table("c1\n", "tic-tac-toe", "a1 b1 a2 b2")  # X leaves O to complete b3
    assert "O plays b3 (O wins: proved)" in done.out
    assert done.out.endswith("O wins\nmoves c1 b3\n")


def test_the_machine_begins_where_the_user_is_the_other_side(table):
    done = table("", "tic-tac-toe", "a1 b2 c3 a3", "--side", "O")
    assert "X plays c1 (" in done.out
    assert done.out.endswith("O: \nmoves c1\n")


def test_words(table):
    done = table("moves\nhint\nnonsense\n?\nb2\nundo\nquit\n", "tic-tac-toe")
    assert (done.status, done.err) == (0, "")
    assert "a3 b3 c3 a2 b2 c2 a1 b1 c1" in done.out
    assert "(draw: proved)" in done.out
    assert "'nonsense' is not a square" in done.out
    assert done.out.count("a move, or one of the words moves, hint, undo, quit") == 2
    assert "moves b2" not in done.out  # it was taken back, with the reply to it


def test_both_sides_by_hand(table):
    done = table("a1\na2\nb1\nb2\nc1\n", "tic-tac-toe", "--side", "both")
    assert "plays" not in done.out
    assert done.out.endswith("X wins\nmoves a1 a2 b1 b2 c1\n")


def test_a_draw_by_hand(table):
    done = table("c3\n", "tic-tac-toe", "a1 b2 b1 c1 a3 a2 c2 b3", "--side", "X")
    assert done.out.endswith("draw\nmoves c3\n")


def test_an_unproved_move_is_called_a_guess(monkeypatch, table):
    monkeypatch.setattr("builtins.input", reader(""))
    done = call("play", "connect-four", "-g", "columns=4", "-g", "rows=4", "--side", "O",
                "--nodes", "150", "--quiet", "-s", "pn")
    assert "X plays " in done.out
    assert "not proved" in done.out


def test_ctrl_c_keeps_the_moves(monkeypatch, table):
    typed = iter(["a1"])

    def read(prompt=""):
        for move in typed:
            return move
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", read)
    done = call("play", "tic-tac-toe", "--side", "both", "--quiet")
    assert (done.status, done.out.splitlines()[-1]) == (0, "moves a1")


def test_ctrl_c_while_the_machine_thinks_ends_the_game(monkeypatch, table):
    def interrupted(session, limits, progress):
        session.ask(session.first, 1 << 20)
        return session.result()

    monkeypatch.setattr("zermelo.solving.session.Session.run", interrupted)
    done = table("b2\n", "tic-tac-toe")
    assert done.status == 0
    assert "plays" not in done.out
    assert done.out.endswith("O to move\nmoves b2\n")


def test_sides_that_nobody_has(table):
    done = table("", "tic-tac-toe", "--side", "green")
    assert done.status == 2
    assert "--side 'green' is not a side; valid are X, O and both." in done.err


def test_sides_have_all_their_names():
    game = zermelo.game("othello")
    assert game.player_called("black") == game.player_called(game.players[0]) == 0
