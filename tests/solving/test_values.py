"""The values of all moves as they become known: right, easy ones first, and nothing is lost."""

import random
import threading
import time

import pytest

import zermelo
from zermelo import BadOption, Limits, Value
from zermelo.compiler.jit import jit_enabled
from zermelo.solving.values import FIRST_EFFORT, Values

MEMORY = "200MB"
CASES = [
    ("connect-four", {"columns": 4, "rows": 4}, "value", None, 4),
    ("connect-four", {"columns": 4, "rows": 4}, "shortest", None, 4),
    ("connect-four", {"columns": 4, "rows": 4}, "value", "pn", 6),
    ("tic-tac-toe", {}, "value", None, 1), ("tic-tac-toe", {}, "shortest", None, 2),
    ("othello", {"size": 4}, "value", None, 5), ("othello", {"size": 4}, "score", None, 5),
    ("hex", {"size": 3}, "value", None, 1),
    ("p-game", {"branching": 3, "depth": 7}, "value", None, 0),
]


def reached(game, seed, plies):
    rng, position = random.Random(seed), game.start()
    while len(position.played) < plies and position.play(move := rng.choice(
            position.moves())).outcome is None:
        position = position.play(move)
    return position


@pytest.mark.parametrize(("name", "parameters", "goal", "search", "plies"), CASES, ids=str)
def test_values_agree_with_analyze(name, parameters, goal, search, plies):
    game = zermelo.game(name, **parameters)
    for seed in range(5 if jit_enabled() else 1):
        position = reached(game, seed, plies + seed)
        analysis = zermelo.analyze(position, search, goal=goal, memory=MEMORY)
        values = Values(position, search, goal=goal).run(Limits(memory=MEMORY))
        assert values.stopped == "solved"
        assert values.settled == (len(position.moves()),) * 2
        assert [worth.move for worth in values.moves] == position.moves()
        expected = {row.move: row for row in analysis.moves}
        for worth in values.moves:
            row = expected[worth.move]
            assert (worth.value, worth.proved, worth.score, worth.length) == (
                row.value, row.proved, row.score, row.length), (position.text, worth.move)
            assert worth.line[0] == worth.move
            position.play(*worth.line)
        known = values.known
        assert (known["value"], known["proved"], known["score"], known["length"]) == (
            analysis.value, analysis.proved, analysis.score, analysis.length)
        assert bool(values.line) == bool(analysis.line)


def test_the_whole_answer_as_json():
    position = zermelo.game("tic-tac-toe").parse("a1 b1 a2 b2")
    values = Values(position).run()
    found = values.to_dict()
    assert (found["value"], found["move"], found["proved"]) == ("win", "a3", True)
    assert (found["settled"], found["over"], found["stopped"]) == ([5, 5], True, "solved")
    row = next(row for row in found["moves"] if row["move"] == "a3")
    assert (row["value"], row["proved"], row["settled"]) == ("win", True, True)
    assert row["line"] == ["a3"]
    assert {"numbers", "nodes", "concluded", "stopped", "question"} <= set(row)


def test_a_finished_game_has_no_moves():
    position = zermelo.game("tic-tac-toe").parse("a1 b1 a2 b2 a3")
    values = Values(position).run()
    assert values.moves == []
    assert values.line == []
    assert values.over
    assert values.known["value"] == Value.LOSS
    assert values.to_dict()["settled"] == [0, 0]


def test_easy_moves_come_first_and_going_on_loses_nothing():
    game = zermelo.game("connect-four", columns=4, rows=4)
    position, told = game.start(), []
    values = Values(position)
    values.run(Limits(nodes=FIRST_EFFORT // 5), changed=told.append)
    assert values.stopped == "nodes"
    assert FIRST_EFFORT // 5 <= values.nodes <= FIRST_EFFORT // 5 + 20
    before = values.nodes
    values.run(Limits(nodes=FIRST_EFFORT // 5), changed=told.append)  # a total: nothing is left
    assert values.nodes == before
    values.run(changed=told.append)
    assert values.stopped == "solved"
    at_once = Values(position).run()
    assert {w.move: (w.value, w.proved) for w in values.moves} == {
        w.move: (w.value, w.proved) for w in at_once.moves}
    last = {worth.move: worth for worth in told}
    assert [last[move] for move in position.moves()] == values.moves


def test_rounds_grow_for_what_is_open():
    position = zermelo.game("connect-four").parse("44444355")
    told = []
    values = Values(position).run(Limits(nodes=12 * FIRST_EFFORT, memory=MEMORY),
                                  changed=told.append)
    asked = [worth.nodes for worth in told if not worth.settled]
    assert asked[: len(position.moves())] == [FIRST_EFFORT] * len(position.moves())
    assert max(worth.nodes for worth in values.moves) <= 2 * FIRST_EFFORT
    assert values.stopped == "nodes"
    assert values.known["value"] == Value.UNKNOWN
    assert values.known["stopped"] == "nodes"
    assert values.line == []


def test_progress_is_about_all_moves():
    position, seen = zermelo.game("connect-four").parse("444"), []
    values = Values(position)
    values.run(Limits(time=0.3, memory=MEMORY), progress=seen.append)
    assert values.stopped == "time"
    now = seen[-1]
    assert list(now.moves) == list(now.statuses) == position.moves()
    assert now.question.startswith("after ")
    assert now.path[0][0] in position.moves()
    assert now.settled[1] == len(position.moves())
    assert now.nodes <= values.nodes
    assert now.limits.time == 0.3
    assert Values(position).progress().nodes == 0


@pytest.mark.parametrize("search", ["weak-df-pn", "pn"])
def test_cancelling(search):
    position = zermelo.game("connect-four").parse("444")
    values = Values(position, search)
    calls = []

    def between():
        calls.append(values.nodes)
        if len(calls) == 30:
            values.cancel()

    values.run(Limits(memory=MEMORY), between=between)
    assert values.stopped == "interrupted"
    assert not values.over
    nodes = values.nodes
    values.run(Limits(nodes=nodes + 2_000, memory=MEMORY))
    assert values.stopped == "nodes"
    assert nodes < values.nodes < nodes + 4_000


def test_cancelling_from_another_thread():
    values = Values(zermelo.game("connect-four").parse("444"))
    values.run(Limits(nodes=1, memory=MEMORY))
    work = threading.Thread(target=values.run, args=(Limits(memory=MEMORY),))
    work.start()
    time.sleep(0.2)
    values.cancel()
    work.join(10)
    assert not work.is_alive()
    assert values.stopped == "interrupted"


def test_memory_that_is_used_up_can_be_had_later():
    position = zermelo.game("connect-four", columns=4, rows=4).start()
    values = Values(position, "pn").run(Limits(memory="1MB", nodes=10_000_000))
    assert values.stopped == "memory"
    assert values.over
    values.run(Limits(memory=MEMORY))
    assert values.stopped == "solved"
    assert values.known["value"] == Value.DRAW


def test_where_there_is_no_room_sessions_begin_anew(monkeypatch):
    position = zermelo.game("connect-four", columns=4, rows=4).start()
    roomy = Values(position, "pn").run(Limits(memory=MEMORY))
    monkeypatch.setattr("zermelo.solving.values.PARTS", 2)
    values = Values(position, "pn").run(Limits(memory="6MB"))
    assert values.stopped == roomy.stopped == "solved"
    assert roomy.nodes < values.nodes < 3 * roomy.nodes
    assert [worth.value for worth in values.moves] == [worth.value for worth in roomy.moves]
    assert sum(worth.nodes for worth in values.moves) == values.nodes


def test_hundreds_of_moves_fit_into_little_memory():
    position = zermelo.game("connect6").parse("j10")
    values = Values(position).run(Limits(memory="100MB", time=10))
    assert values.settled[1] == 360
    assert values.progress().bytes < 100_000_000
    assert sum(work.session is not None for work in values._work) < 20


def test_a_game_with_a_rule_of_its_own_for_repetitions_shares_nothing():
    own = zermelo.game("xiangqi", repetition="perpetual-check-loses")
    assert not Values(own.start())._sharing
    assert Values(zermelo.game("xiangqi").start())._sharing
    assert not Values(zermelo.game("othello", size=4).start(), goal="score")._sharing


def test_refusals():
    position = zermelo.game("tic-tac-toe").start()
    with pytest.raises(BadOption, match="goal='win': values tells what each position is worth"):
        Values(position, goal="win")
    with pytest.raises(BadOption, match=r"run needs Limits, such as Limits\(nodes=1000\), not '5'"):
        Values(position).run(5)
