"""HTP: Hex, with the solver's commands."""

import pytest
from engines import Talk, transcript

import zermelo
from zermelo.engine.thinking import MoveBudget

SMALL = {"size": 3}  # for which other tests compile the search


def htp(text, **options):
    """The answers, each as one text."""
    lines = transcript("htp", text, **{**SMALL, **options})
    return "\n".join(lines).split("\n\n")[:-1] if lines[-1] else "\n".join(lines).rstrip(
        "\n").split("\n\n")


def test_facts():
    assert htp("protocol_version\n7 name\nversion\n8 known_command play\nknown_command fly\n") == [
        "= 2", "=7 Zermelo", f"= {zermelo.__version__}", "=8 true", "= false"]
    commands = htp("list_commands\n")[0].removeprefix("= ").split("\n")
    assert {"boardsize", "clear_board", "genmove", "play", "quit", "showboard", "undo",
            "dfpn-solve-state"} <= set(commands)
    assert commands == sorted(commands)
    menu = htp("hexgui-analyze_commands\ngogui-interrupt\n")
    assert "string/DFPN Solve State/dfpn-solve-state %c" in menu[0]
    assert menu[1].strip() == "="


def test_a_game():
    answers = htp("# a comment\n\nplay b a1 # another\nplay white b2\n\tplay\tb c3\x01\nshowboard\n"
                  "undo\nall_legal_moves\nclear_board\nundo\nboardsize 3 3\nall_legal_moves\n",
                  size=4)
    assert answers[:3] == ["= "] * 3
    assert answers[3].startswith("= \n   a b c d\n")
    assert " 1 o X . . . o" in answers[3]
    assert "   3 o . . X . o" in answers[3]
    assert "c3" in answers[5].split()
    assert answers[7] == "? there is no move to take back."
    assert answers[9] == "= a1 b1 c1 a2 b2 c2 a3 b3 c3"


def test_anybody_may_move():
    answers = htp("play b a1\nplay b a2\nplay red b1\nshowboard\nplay b a3\nplay b a4\n"
                  "final_score\nplay w d4\ngenmove w\ndfpn-solve-state\n", size=4)
    assert " 1 o X X . . o" in answers[3]
    assert answers[6:] == ["= B+", "? play w 'd4': 'd4': the game is over, no move is legal.",
                           "? the game is over: there is no move.", "= black"]
    assert htp("final_score\n") == ["? the game is not over: there is no score."]


def test_moves_are_generated():
    answers = htp("reg_genmove b\ngenmove black\nshowboard\ngenmove\n")
    move = answers[0].removeprefix("= ")
    assert answers[1] == f"= {move}"
    assert "X" in answers[2]
    assert zermelo.solve(zermelo.game("hex", size=3).start().play(move)).value == "loss"
    clock = htp("time_settings 60 0 0\ntime_left b 1\ntime_left w 10 5\ngenmove b\n"
                "time_settings 0 1 0\ntime_settings 0 5 3\ngenmove w\n")
    assert all(answer.startswith("=") for answer in clock)


def test_swap():
    answers = htp("boardsize 3\nplay b b2\nplay w swap-pieces\nshowboard\n", swap="yes")
    assert "O" in answers[3]
    generated = htp("boardsize 3\nplay b b2\ngenmove w\n", swap="yes")
    assert generated[-1] == "= swap-pieces"


def test_the_solver():
    answers = htp("play b a1\nplay w c3\nparam_dfpn use_guifx 1\ndfpn-solve-state b\n"
                  "dfpn-get-bounds\ndfpn-get-pv\ndfpn-solver-find-winning b\n"
                  "dfpn-solve-state w\ndfpn-clear-tt\ndfpn-get-pv\n")
    picture, answer = answers[3], answers[4]
    assert answer == "= black"
    assert picture.startswith("gogui-gfx:\ndfpn\nVAR")
    label = next(line for line in picture.split("\n") if line.startswith("LABEL "))
    assert answers[5] == f"= {label.removeprefix('LABEL ')}"
    winner = label.split()[label.split().index("W") - 1]
    assert answers[6].split()[1] == winner
    position = zermelo.game("hex", size=3).start().play("a1", "c3")
    winning = [row.move for row in zermelo.analyze(position).moves if row.value == "win"]
    assert sorted(answers[7].split()[1:]) == sorted(winning)
    assert answers[-3] == "= white"
    assert answers[-1].startswith("? this position has not been searched")


def test_numbers_of_moves_that_are_not_settled():
    answers = htp("play b a2\nparam_dfpn timelimit 0.000001\nparam_dfpn use_guifx 1\n"
                  "dfpn-solve-state w\ndfpn-get-bounds\nparam_dfpn\ndfpn-solver-find-winning w\n")
    assert "= empty" in answers
    bounds = next(answer for answer in answers if answer.startswith("= ") and ":" in answer)
    move, numbers = bounds.split()[1:3]
    phi, delta = map(int, numbers.split(":"))
    assert move[0] in "abc"
    assert phi > 0
    assert delta > 0
    assert "[string] timelimit 1e-06" in answers[-2]
    assert answers[-1].startswith("? only ")


def test_parameters_of_the_solver():
    assert htp("param_dfpn threads 2\nparam_dfpn\n")[1].endswith("[string] threads 2")


def test_the_solver_keeps_to_the_limits_of_the_command():
    for usual in (MoveBudget(nodes=1), MoveBudget(seconds=1e-6)):
        asked = htp("play b a2\ndfpn-solve-state w\ndfpn-solver-find-winning w\nparam_dfpn\n",
                    usual=usual)
        assert asked[1] == "= empty"
        assert asked[2].startswith("? only ")
        assert f"[string] timelimit {usual.seconds or 0:g}\n" in asked[3]
    longer = htp("play b a2\nparam_dfpn timelimit 0\ndfpn-solve-state w\n",
                 usual=MoveBudget(seconds=1e-6))
    assert longer[-1] in ("= black", "= white")


@pytest.mark.parametrize(("line", "said"), [
    ("fly", "unknown command 'fly'"), ("boardsize 3 4", "is not the size of a square board"),
    ("boardsize 99", "99"), ("play b", "play is written"), ("play green a1", "is not a colour"),
    ("play b z9", "is not a cell"), ("time_settings 1", "time_settings is written"),
    ("time_left b", "time_left is written"), ("time_left b x", "'x' is not a whole number"),
    ("param_dfpn x", "takes nothing, or a name and a value"), ("param_dfpn x y", "is not valid"),
    ("param_dfpn threads 0", "threads"), ("param_dfpn timelimit x", "time='x'"),
    ("dfpn-solve-state b w", "is not one colour"), ("dfpn-get-bounds", "has not been searched"),
])
def test_what_is_wrong_is_said_in_a_sentence(line, said):
    answers = htp(f"5 {line}\nname\n")
    assert answers[0].startswith("?5 ")
    assert said in answers[0]
    assert answers[1] == "= Zermelo"


def test_an_interrupt_stops_a_search():
    talk = Talk("htp", **SMALL)
    talk.tell("1 dfpn-solve-state b\n# interrupt\n2 name")  # it comes before the first slice
    assert talk.until("=2")[0] == "=1 empty"
    talk.tell("dfpn-solver-find-winning b\n# interrupt")
    assert talk.until("?")[-1].startswith("? only 0 of 9 moves are settled")
    talk.tell("genmove b\n# interrupt")
    assert talk.until("= ")[-1].removeprefix("= ") in zermelo.game("hex", size=3).start().moves()
    talk.tell("quit")
    assert [line for line in talk.end() if line] == ["= "]


def test_ctrl_c_is_not_kept(monkeypatch):
    def interrupt(self):
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.engine.htp.Htp.between", interrupt)
    with pytest.raises(KeyboardInterrupt):
        htp("dfpn-solve-state b\n")
