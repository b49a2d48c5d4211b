"""check-game: what it reports, games without mistakes, evaluations and categories."""


import pytest
from heap_game import Take, mover_wrong, moves, moves_far_too_many, playout, problems, take

import zermelo
from zermelo import ONGOING, Game, Rules
from zermelo.checks.check_game import GameReport, check_game, sample_game
from zermelo.checks.knowledge import alike
from zermelo.checks.walk import LONGEST_SHOWN, core_of


def test_the_good_game_is_good():
    report = check_game(take(playout=playout, exact_key=True))
    assert report.problems == []
    assert len(report.checks) >= 6


def test_a_sample_game_shows_who_wins():
    sample = check_game(take(), games=20).sample
    first, diagram, verdict = sample.splitlines()
    moves = first.removeprefix("a random game, for you to judge: ").split()
    assert len(moves) == 5
    end = take().start().play(*moves)
    assert diagram == end.text
    assert (end.outcome, verdict) == ("first", "by the rules: first has won")
    assert check_game(take(mover=mover_wrong), games=2).sample == ""
    long = sample_game(take(), take().position(heap=90).state, [1] * 90)
    assert long.splitlines()[0].count(" 1") == LONGEST_SHOWN
    assert " ... " in long
    assert long.endswith("by the rules: second has won")


def test_what_is_seen_before_the_checks_is_told_without_a_hint_at_them(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    report = check_game(take(moves=moves_far_too_many), start="1")
    assert len(report.problems) == 1
    assert "moves writes beyond the list of moves" in report.problems[0]
    assert report.problems[0].endswith("'heap=9;turn=0'.")


def test_text():
    def told(**methods):
        return problems(take(methods))

    assert "parse does not give back what format writes" in told(
        format=lambda self, position: "heap=3;turn=0")
    assert "parse does not read what format writes: 'nine' raises BadPosition" in told(
        format=lambda self, position: "nine")
    assert "format returns 9, not a text" in told(format=lambda self, position: 9)
    assert "format raises ZeroDivisionError" in told(format=lambda self, position: 1 // 0)
    assert "the moves 1 and 2 have one name, 'take'" in told(
        move_name=lambda self, position, move: "take")
    assert "move_name returns 1, not a text" in told(move_name=lambda self, position, move: move)
    assert "parse_move of '1', the name of move 1, gives 2" in told(
        parse_move=lambda self, position, text: int(text) + 1)
    assert "parse_move of 'rubbish' raises ValueError" in told(
        parse_move=lambda self, position, text: int(text))
    assert "parse of 'rubbish' raises KeyError: 'rubbish'; bad text must raise Bad" in told(
        read=lambda self, text: {}[text] if "=" not in text else Game.read(self, text))
    assert "diagram raises KeyError: 'x'" in told(diagram=lambda self, position: {}["x"])
    assert "players=('a', 'a') must be two different names." in told(players=("a", "a"))


def test_start():
    class Over(Take):
        def start(self):
            return self.position()

    class NoStart(Take):
        def start(self):
            return 3

    assert "the game is over at its start 'heap=0;turn=0'" in problems(Over())
    assert "start() returns 3, not a Position" in problems(NoStart())
    assert check_game(Take(), "heap=5;turn=1", games=5).ok
    assert check_game(Take(), Take().position(heap=6), games=5).ok
    assert "no field 'heep'" in problems(Take(), start="heep=5")


def test_define():
    class NoRules(Game):
        def define(self):
            return {"moves": moves}

    class Fails(Game):
        def define(self):
            return Rules(state=unknown_name)  # noqa: F821

    assert check_game(NoRules).problems == [
        "norules: define() must return zermelo.Rules, not dict."]
    assert "a game must have a method define" in problems(Game)
    assert "making the game or its start raises NameError: name 'unknown_name'" in problems(Fails)
    assert check_game(lambda: 3).problems == ["3 is not a zermelo.Game."]
    assert "max_moves=70000 is beyond the 65535 moves" in problems(take(max_moves=70_000))


GAMES = [("connect-four", {}), ("p-game", {}), ("p-game", {"depth": 2}), ("othello", {"size": 4}),
         ("hex", {"size": 3}), ("tic-tac-toe", {}), ("lines-of-action", {"size": 5})]


@pytest.mark.quick_cases("p-game-*", "tic-tac-toe-{}")
@pytest.mark.parametrize(("name", "parameters"), GAMES, ids=str)
def test_built_in_games_pass(name, parameters):
    assert check_game(zermelo.game(name, **parameters), games=20).problems == []


def test_graphs_pass():
    ladder = zermelo.graph({"a": ("or", ["b", "c"]), "b": ("and", ["a", "c", "b"]), "c": "win"})
    assert check_game(ladder, games=20).problems == []


def test_report():
    assert GameReport().ok
    assert not GameReport(["wrong."]).ok
    assert alike([10, 0, 0], [9, 1, 0])


def test_core_of_a_message():
    long = ValueError("Failed in nopython mode pipeline (step: x)\nNo implementation of function "
                      "Function(<built-in function add>) found for signature:\n\n >>> add(a, b)\n")
    assert core_of(long) == "there is no compiled version of add(a, b)"
    bold = ValueError("\x1b[1m" + str(long).replace("\n", "\x1b[0m\n\x1b[1;31m"))
    assert core_of(bold) == core_of(long)
    assert core_of(KeyError("heep")) == "there is no field 'heep'"
    assert core_of(ValueError()) == "ValueError"
    assert core_of(ValueError('Bad.\nFile "x.py", line 7:\nnothing')) == "Bad (line 7)"


def outcome(g, s):
    return ONGOING


def evaluate(g, s):
    return 10 if s.heap % 4 else -10


def categories(g, s, moves, n, out):
    for i in range(n):
        out[i] = moves[i] % 2


EVALUATED = {"outcome": outcome, "max_length": 40, "exact_key": True, "evaluate": evaluate,
             "categories": categories, "category_names": ("even", "odd")}


class EvaluatedTake(Take):
    """Who can't take has lost; positions have evaluations, and moves have categories."""

    changes = EVALUATED

    def start(self):
        return self.position(heap=13)


def test_a_good_game():
    report = check_game(EvaluatedTake(), games=5)
    assert report.ok, report.problems
    assert any(check.startswith("evaluate, categories compiled") for check in report.checks)
    board, start = EvaluatedTake().board, EvaluatedTake().start()
    assert board.evaluate(start.state) == 10
    assert board.categories(start.state) == [1, 0, 1]


def too_much(g, s):
    return 2_000_000


def half(g, s):
    return 0.5


def third(g, s, moves, n, out):
    for i in range(n):
        out[i] = moves[i] - 1


def one_only(g, s, moves, n, out):
    out[0] = 1


def changes_moves(g, s, moves, n, out):
    moves[0] = 1


@pytest.mark.parametrize(("parts", "message"), [
    ({"evaluate": too_much}, "evaluate returns 2000000; it must be a whole number from -1,000,000"),
    ({"evaluate": half}, "evaluate returns 0.5; it must be a whole number"),
    ({"evaluate": third}, "evaluate takes (g, s, moves, n, out), but is called as evaluate(g, s)"),
    ({"categories": third}, "categories gives a move the category 2; there are 2, from 0"),
    ({"categories": one_only}, "categories gives a move the category -1"),
    ({"categories": changes_moves}, "categories writes into the list of moves"),
])
def test_bad_ones(parts, message):
    class Bad(EvaluatedTake):
        changes = EVALUATED | parts

    report = check_game(Bad(), games=2)
    assert any(message in problem for problem in report.problems), report.problems


def test_searches_use_them(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    # 13 is no multiple of 4, so it is won by taking 1.
    result = zermelo.solve(EvaluatedTake().start(), "erps", nodes=100_000)
    assert (result.value, result.move) == ("win", "1")
