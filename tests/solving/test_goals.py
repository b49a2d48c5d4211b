"""Goals beyond win, draw and loss: the final score, and the length of a shortest win."""

from dataclasses import replace
from functools import cache
from itertools import islice

import pytest
from brute import Scores, Shortest, random_positions
from heap_game import take
from naive.connect_four import NaiveConnectFour
from naive.k_in_a_row import NaiveKInARow
from naive.othello import NaiveOthello
from paper_positions import OTHELLO_40

import zermelo
from zermelo import DFPN, WeakDFPN
from zermelo.cli.show import verdict
from zermelo.core.explicit_graph import Graph
from zermelo.core.rules import Rules
from zermelo.search.reasons import LOST, UNKNOWN, WON
from zermelo.solving.answer import Subgoal, distance, next_subgoal, score_bounds


@cache
def scores(size):
    return Scores(NaiveOthello(size=size))


def value_of(score):
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def check_score(position, search=None, **options):
    """Score, value and line of an Othello position; the result."""
    brute = scores(position.game["size"])
    state = brute.naive.from_position(position)
    result = zermelo.solve(position, search, goal="score", **options)
    exact = brute.score(state)
    assert result.score == (exact, exact), position
    assert (result.value, result.proved) == (value_of(exact), True)
    assert result.to_dict()["score"] == exact
    for ply, move in enumerate(result.line):  # every move of both sides keeps the score
        state = brute.naive.play(state, move)
        assert brute.score(state) == (exact if ply % 2 else -exact)
    assert brute.naive.outcome(state) is not None
    return result


def test_scores_of_othello_4x4():
    game = zermelo.game("othello", size=4)
    assert check_score(game.start()).score == (-10, -10)
    check_scores(game, 0, 50)


@pytest.mark.long
def test_more_scores_of_othello_4x4():
    check_scores(zermelo.game("othello", size=4), 50, 150)


def check_scores(game, first, end):
    """Random positions, with many scores among them, and draws."""
    positions = islice(random_positions(game, end, 1, 12, seed=5), first, None)
    seen = {check_score(position).score[0] for position in positions}
    assert len(seen) > 12
    assert 0 in seen


def test_scores_with_other_searches_tiny_tables_and_threads():
    positions = random_positions(zermelo.game("othello", size=4), 40, 2, 12, seed=6)
    for position in positions:
        check_score(position, DFPN(), plain=True)
        check_score(position, memory=1)
        check_score(position, threads=2)


def test_scores_of_late_positions_on_the_full_board():
    for line, text in OTHELLO_40.items():
        position = zermelo.game("othello").parse(text)
        while position.outcome is None and position.text.count("-") > 7:  # towards the end
            position = position.play(position.moves()[line % len(position.moves())])
        check_score(position)


def test_a_score_that_is_cut_short_leaves_bounds():
    position, search = zermelo.game("othello", size=4).start(), WeakDFPN(quick=2)
    whole = zermelo.solve(position, search, goal="score")
    session, seen = zermelo.start(position, search, goal="score"), []
    parts = set()
    for nodes in range(1, whole.nodes + 1, 7):
        result = session.run(zermelo.Limits(nodes=nodes))
        low, high = result.score
        assert low <= -10 <= high
        seen.append((low, high))
        if low < high:
            assert result.to_dict()["score"] is None
            assert (result.stopped, result.line) == ("nodes", [])
            assert result.exit_status == 10
        if low < high and result.value == "loss":
            parts.add((result.proved, result.partial, result.to_dict()["partial"]))
            assert "loss, proved; the score is unknown: stopped by the node limit" in str(result)
            assert verdict(result) == (
                "O wins: proved; the score is unknown: stopped by the node limit")
        assert result.value in ("unknown", "not-win", "loss")
        assert (result.move is None) == (result.value != "loss")
    last = session.run(zermelo.Limits(nodes=whole.nodes))
    assert len(set(seen)) > 3
    assert parts == {(True, True, True)}
    assert (last.partial, last.exit_status) == (False, 0)
    assert (last.score, last.nodes, last.iterations) == ((-10, -10), whole.nodes, whole.iterations)
    assert (last.line, last.move) == (whole.line, whole.line[0])


@pytest.mark.parametrize(("most", "step"), [(1, 1), (5, 1), (16, 2), (64, 2), (9, 3), (10, 4)])
def test_bisection_finds_every_score_there_is(most, step):
    rules = Rules([("x", "i8")], 1, 1, *[len] * 5, max_score=most, score_step=step)
    for player in (0, 1):
        for score in range(-most, most + 1, step):
            asked = []
            while (ask := next_subgoal("score", player, rules, asked)) is not None:
                assert ask.player == player
                won = score >= ask.threshold
                asked.append(Subgoal(player, ask.threshold, status=WON if won else LOST))
                low, high = score_bounds(player, rules, asked)
                assert low <= score <= high
            assert low == high == score
            assert len(asked) <= 2 + (2 * most // step + 1).bit_length()


SHORT = {
    "connect-four 5x4 line 3": (
        "connect-four", {"columns": 5, "rows": 4, "line": 3}, NaiveConnectFour, 7, 13),
    "connect-four 4x4": ("connect-four", {"columns": 4, "rows": 4}, NaiveConnectFour, 7, 15),
    "connect(4,3,3,2,1)": (
        "k-in-a-row", {"columns": 4, "rows": 3, "line": 3, "stones": 2, "first": 1},
        NaiveKInARow, 5, 11),
}


def check_shortest(position, brute, search=None, **options):
    """Value, distance and a line of that length: no step is longer or shorter than can be."""
    state = brute.naive.from_position(position)
    exact, mover = brute.win(state), brute.naive.mover(state)
    result = zermelo.solve(position, search, goal="shortest", **options)
    assert result.proved
    if exact is None:
        assert (result.value, result.distance) == ("draw", None)
        return result
    winner, plies = exact
    assert (result.value, result.distance) == ("win" if winner == mover else "loss", plies)
    assert result.to_dict()["distance"] == plies
    for ply, move in enumerate(result.line):
        state = brute.naive.play(state, move)
        assert brute.win(state) == (winner, plies - ply - 1)
    assert len(result.line) == plies
    return result


@pytest.mark.long_cases("connect-four 5x4 line 3")
@pytest.mark.parametrize("name", SHORT)
def test_shortest_wins(name):
    game_name, parameters, twin, fewest, most = SHORT[name]
    brute = Shortest(twin(**parameters))
    found = []
    positions = random_positions(zermelo.game(game_name, **parameters), 70, fewest, most, seed=8)
    for position in positions:
        found.append(check_shortest(position, brute).distance)
    assert len(set(found)) >= 4
    assert max(filter(None, found)) >= 3
    for position in positions[:15]:
        check_shortest(position, brute, memory=1)
        check_shortest(position, brute, threads=2)


def test_shortest_where_a_player_without_moves_loses():
    """Take one to three of nine; who cannot move has lost: no finished game is ever seen."""
    game = take(outcome=never_over)
    for heap, plies in enumerate([0, 1, 1, 1, 2, 3, 3, 3, 4, 5]):
        result = zermelo.solve(game.position(heap=heap), DFPN(), goal="shortest")
        assert (result.value, result.distance) == ("win" if heap % 4 else "loss", plies)
        assert len(result.line) == plies


def never_over(g, s):
    return zermelo.ONGOING


def test_a_game_that_is_over_takes_no_more_plies():
    position = zermelo.game("tic-tac-toe").parse("a1 b1 a2 b2 a3")
    result = zermelo.solve(position, goal="shortest")
    assert (result.value, result.distance, result.line) == ("loss", 0, [])
    drawn = zermelo.game("tic-tac-toe").parse("XOX/XOO/OXX O")
    assert zermelo.solve(drawn, goal="shortest").distance is None


def test_a_shortest_win_that_is_cut_short_is_still_a_win():
    position = zermelo.game("connect-four", columns=5, rows=4, line=3).start()
    whole = zermelo.solve(position, goal="shortest")
    assert (whole.value, whole.distance, len(whole.line)) == ("win", 9, 9)
    value_alone = zermelo.solve(position).nodes
    session = zermelo.start(position, goal="shortest")
    cut = session.run(zermelo.Limits(nodes=(value_alone + whole.nodes) // 2))
    assert (cut.value, cut.proved, cut.stopped) == ("win", True, "nodes")
    assert (cut.distance, cut.line, cut.partial, cut.exit_status) == (None, [], True, 10)
    assert verdict(cut) == "X wins: proved; the length is unknown: stopped by the node limit"
    assert cut.move is not None
    last = session.run()
    assert (last.nodes, last.iterations, last.line) == (whole.nodes, whole.iterations, whole.line)
    assert (last.partial, last.exit_status) == (False, 0)


class Scored(Graph):
    """A graph whose ends have scores; in the root, ``forced`` leaves the first move only."""

    def __init__(self, nodes, scores, narrow):
        self.scores, self.narrow = scores, narrow
        super().__init__(nodes, "n0")

    def define(self):
        table = [0] * len(self.numbers)
        for name, score in self.scores.items():
            table[self.numbers[name]] = score
        table, most = tuple(table), max(abs(score) for score in table)

        def score(g, s):
            return table[s.node]

        rules = super().define()
        moves = rules.moves

        def forced(g, s, out):
            return min(moves(g, s, out), 1)

        return replace(rules, score=score, max_score=most, score_step=1,
                       forced=forced if self.narrow else None)


def test_moves_that_keep_the_value_need_not_keep_the_score(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    game = Scored({"n0": ("or", ["w1", "w5"]), "w1": "win", "w5": "win"}, {"w1": 1, "w5": 5}, True)
    assert zermelo.solve(game.start()).line == ["w1"]
    result = zermelo.solve(game.start(), goal="score")
    assert (result.score, result.line) == ((5, 5), ["w5"])


def test_what_is_asked_next():
    rules = zermelo.game("tic-tac-toe").rules
    first = Subgoal(1)
    assert next_subgoal("win", 1, rules, []) == first
    for goal, status, following in (
            ("win", WON, None), ("win", LOST, None), ("value", WON, None),
            ("value", LOST, Subgoal(0)), ("shortest", WON, Subgoal(1, 1, 1)),
            ("shortest", LOST, Subgoal(0))):
        assert next_subgoal(goal, 1, rules, [Subgoal(1, status=status)]) == following
    drawn = [Subgoal(1, status=LOST), Subgoal(0, status=LOST)]
    assert next_subgoal("shortest", 1, rules, drawn) is None
    lost = [Subgoal(1, status=LOST), Subgoal(0, status=WON)]
    for plies in range(1, 6):
        assert next_subgoal("shortest", 1, rules, lost) == Subgoal(0, 1, plies)
        assert distance(lost) is None
        lost.append(Subgoal(0, 1, plies, status=LOST if plies < 5 else WON))
    assert next_subgoal("shortest", 1, rules, lost) is None
    assert distance(lost) == 5
    assert Subgoal(0).status == UNKNOWN


@pytest.mark.parametrize("proof", [0, 1, 2, 9, 10, 11, 40])
def test_the_shortest_win_is_found_whatever_the_proof(proof):
    """First one ply less than the proof lasts, then by halves; a wrong length costs time only."""
    rules = zermelo.game("tic-tac-toe").rules
    for plies in (1, 2, 3, 9, 10, 11, 32):
        asked = [Subgoal(1, status=WON)]
        while (ask := next_subgoal("shortest", 1, rules, asked, proof)) is not None:
            assert ask.horizon not in [each.horizon for each in asked]
            asked.append(replace(ask, status=WON if ask.horizon >= plies else LOST))
        assert distance(asked) == plies
        if proof == plies > 2:
            assert [each.horizon for each in asked] == [None, plies - 1, plies]
        if proof > plies:
            assert len(asked) <= 3 + proof.bit_length()


def test_the_value_is_found_by_what_a_game_knows_and_lengths_by_the_rules_alone():
    position = zermelo.game("hex", size=3).parse("a1")
    session = zermelo.start(position, goal="shortest")
    result = session.run()
    assert (result.value, result.distance) == ("win", 5)
    asked = [(subgoal.horizon is None, run.task.plain) for subgoal, run in zip(
        session.subgoals, session.runs, strict=True)]
    assert asked[0] == (True, False)
    assert set(asked[1:]) == {(False, True)}
    plain = zermelo.start(position, goal="shortest", plain=True)
    assert plain.run().distance == 5
    assert all(run.task.plain for run in plain.runs)
