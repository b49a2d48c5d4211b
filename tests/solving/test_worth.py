"""Numbers for every move and every position: scores and lengths, against exhaustive search."""

import random

import pytest
from brute import VALUES, Scores, Shortest, random_game
from command import call, loads
from naive.connect_four import NaiveConnectFour
from naive.k_in_a_row import NaiveKInARow
from naive.othello import NaiveOthello

import zermelo
from zermelo import BadOption

OTHELLO = zermelo.game("othello", size=4)
TWO_STONES = {"columns": 4, "rows": 3, "line": 3, "stones": 2, "first": 1}
LENGTHS = {
    "connect-four 4x4": ("connect-four", {"columns": 4, "rows": 4}, NaiveConnectFour, 6),
    "connect(4,3,3,2,1)": ("k-in-a-row", TWO_STONES, NaiveKInARow, 1),
}


def cut_at(game, opening, rng):
    """A start after ``opening`` random moves, and random moves from there to the end."""
    played = random_game(game, rng.random())
    return played[min(opening, len(played) - 1)], played[-1].played_names()[opening:]


def sign(number):
    return (number > 0) - (number < 0)


def test_scores_along_a_record():
    brute, rng = Scores(NaiveOthello(size=4)), random.Random(11)
    given = 0
    for _ in range(12):
        start, moves = cut_at(OTHELLO, 3, rng)
        found = zermelo.annotate(OTHELLO, moves, goal="score", start=start)
        assert (found.exit_status, found.goal) == (0, "score")
        for note in found.positions:
            state = brute.naive.from_position(note.position)
            assert note.score == brute.score(state)
            assert (note.value, note.proved) == (VALUES[sign(note.score)], True)
            if note.move is None:
                continue
            scores = {move: -brute.score(brute.naive.play(state, move))
                      for move in note.position.moves()}
            assert note.kept == (scores[note.move] == note.score)
            best = {move for move, score in scores.items() if score == note.score}
            assert set(note.best) == (set() if note.kept else best)
            assert note.unsettled == ()
        for turn in found.turns:
            before, after = turn.scores
            given += before - after
            assert before == found.positions[turn.ply - 1].score
            assert after == -found.positions[turn.ply].score
    assert given > 0


def test_scores_within_limits_are_true_as_far_as_they_go():
    brute, rng = Scores(NaiveOthello(size=4)), random.Random(12)
    unsettled = 0
    for nodes in (5, 40, 150):
        start, moves = cut_at(OTHELLO, 3, rng)
        found = zermelo.annotate(OTHELLO, moves, goal="score", start=start, nodes=nodes)
        for note in found.positions:
            exact = brute.score(brute.naive.from_position(note.position))
            assert note.score in (None, exact)
            assert note.proved == (note.score is not None)
            assert note.value in ("unknown", VALUES[sign(exact)]) or note.value == "not-win"
            unsettled += not note.proved
        if not found.proved:
            assert found.exit_status == 10
            assert str(found).endswith("have no proved score: stopped by the node limit")
    assert unsettled > 0


@pytest.mark.quick_cases("connect-four 4x4")
@pytest.mark.parametrize("name", LENGTHS)
def test_lengths_along_a_record(name):
    game_name, parameters, twin, opening = LENGTHS[name]
    game, brute, rng = zermelo.game(game_name, **parameters), Shortest(twin(**parameters)), \
        random.Random(13)
    seen = set()
    for _ in range(12):
        start, moves = cut_at(game, opening, rng)
        found = zermelo.annotate(game, moves, goal="shortest", start=start)
        assert found.exit_status == 0
        for note in found.positions:
            exact = brute.win(brute.naive.from_position(note.position))
            assert note.proved
            assert note.length == (None if exact is None else exact[1])
            seen.add(note.length)
    assert len(seen) > 3


def test_scores_of_every_move():
    brute, rng = Scores(NaiveOthello(size=4)), random.Random(14)
    for opening in (2, 4, 6, 8):
        position, _ = cut_at(OTHELLO, opening, rng)
        state = brute.naive.from_position(position)
        found = zermelo.analyze(position, goal="score")
        assert (found.score, found.proved) == (brute.score(state), True)
        scores = {row.move: row.score for row in found.moves}
        assert scores == {move: -brute.score(brute.naive.play(state, move))
                          for move in position.moves()}
        assert list(scores.values()) == sorted(scores.values(), reverse=True)
    over = zermelo.analyze(OTHELLO.start().play(*cut_at(OTHELLO, 0, rng)[1]), goal="score")
    assert over.score == brute.score(brute.naive.from_position(over.position))


@pytest.mark.quick_cases("connect-four 4x4")
@pytest.mark.parametrize("name", LENGTHS)
def test_lengths_of_every_move(name):
    game_name, parameters, twin, opening = LENGTHS[name]
    game, brute, rng = zermelo.game(game_name, **parameters), Shortest(twin(**parameters)), \
        random.Random(16)
    decided = 0
    for _ in range(8):
        position, _ = cut_at(game, opening, rng)
        state = brute.naive.from_position(position)
        found = zermelo.analyze(position, goal="shortest")
        exact = brute.win(state)
        assert found.length == (None if exact is None else exact[1])
        for row in found.moves:
            after = brute.win(brute.naive.play(state, row.move))
            assert row.length == (None if after is None else after[1] + 1)
            decided += after is not None
    assert decided > 10


def test_a_number_is_not_known_before_nothing_can_beat_it():
    """A win with a score or a length may be there while another move might have a better one."""
    position = OTHELLO.parse("c4")
    seen = set()
    for nodes in range(8, 70, 4):
        search = zermelo.WeakDFPN(quick=2)
        found = zermelo.analyze(position, search, goal="score", nodes=nodes)
        assert found.score in (None, 10)
        if found.proved and found.score is None:
            assert found.stopped == "nodes"
        assert found.exit_status == (10 if found.score is None else 0)
        seen.add((found.proved, found.score))
    assert {(False, None), (True, None), (True, 10)} <= seen


# On the command line.
def test_the_columns():
    words, few = ["othello", "-g", "size=4"], ["-s", "weak-df-pn:quick=2"]
    done = call("analyze", *words, "c4", "--goal", "score", "-q")
    assert done.status == 0
    assert "\nmove  value  score  how " in done.out
    assert "\nd4    win      +10  proved" in done.out
    assert "value: win, proved; score +10; " in done.out
    some = call("analyze", *words, "c4", "--goal", "score", "-q", "--nodes", "30", *few)
    assert some.status == 10
    assert "\nd4    win          -  proved" in some.out
    assert "value: win, proved; score unknown: stopped by the node limit; " in some.out
    none = call("analyze", *words, "c4", "--goal", "score", "-q", "--nodes", "8", *few)
    assert none.status == 10
    assert "value: unknown, not proved (nodes); score unknown; " in none.out
    told = call("annotate", *words, "b4 a4", "--from", "c4", "--goal", "score", "-q").out
    assert "\nmove 1 (O b4) gave away 24 points: -14; better: d4 (+10)\n" in told
    assert "  value  for X  score  how " in told
    win = call("analyze", "tic-tac-toe", "a1 b1 a2 b2", "--goal", "shortest", "-q").out
    assert "value: win in 1 ply, proved; " in win
    lost = call("annotate", "tic-tac-toe", "c3", "--from", "a1 b1 a2 b2", "--goal", "shortest",
                "-q")
    assert "\nmove 1 (X c3) threw away a win in 1 ply: loss in 1 ply; better: a3\n" in lost.out


def test_the_json():
    words = ["othello", "-g", "size=4"]
    answer = loads(call("analyze", *words, "c4", "--goal", "score", "--json").out)
    assert (answer["goal"], answer["score"]) == ("score", 10)
    assert [(row["move"], row["score"]) for row in answer["moves"]] == [
        ("d4", 10), ("d2", -12), ("b4", -14)]
    assert "length" not in answer
    answer = loads(call("annotate", *words, "b4 a4", "--from", "c4", "--goal", "score",
                        "--json").out)
    assert [row["score"] for row in answer["positions"]][:2] == [10, 14]
    assert answer["turns"][0]["scores"] == [10, -14]
    words = ["tic-tac-toe", "a3", "--from", "a1 b1 a2 b2", "--goal", "shortest", "--json"]
    answer = loads(call("annotate", *words).out)
    assert [row["length"] for row in answer["positions"]] == [1, 0]
    answer = loads(call("analyze", "tic-tac-toe", "a1 b1 a2 b2", *words[-3:]).out)
    assert (answer["length"], answer["moves"][0]["length"]) == (1, 1)


def test_goals_that_can_not_be_asked_for():
    ttt = zermelo.game("tic-tac-toe")
    for ask in (lambda **options: zermelo.analyze(ttt.start(), **options),
                lambda **options: zermelo.annotate(ttt, "a1", **options)):
        for options, message in (
            ({"goal": "win"}, "tells what each position is worth; valid goals are value, score"),
            ({"goal": "score"}, "k-in-a-row has no final score|tic-tac-toe has no final score"),
            ({"goal": "best"}, "goal='best' is not one of"),
            ({"goal": "shortest", "search": "pn"}, "pn can be asked for win and value only"),
        ):
            with pytest.raises(BadOption, match=message):
                ask(**options)
    done = call("analyze", "tic-tac-toe", "--goal", "win")
    assert (done.status, done.out) == (2, "")
