"""Game records: every statement about them is true, and what is not known is not claimed."""

import random
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import ClassVar

import pytest
from brute import VALUES, BruteForce
from command import call, loads
from cyclic import graph_of, random_graph, value_of
from naive.connect_four import NaiveConnectFour
from naive.hex import NaiveHex
from naive.k_in_a_row import NaiveKInARow
from naive.othello import NaiveOthello

import zermelo
from zermelo import DFPN, BadOption, Limits, Rules, Session, Value
from zermelo.game_records.annotate import Place
from zermelo.search.reasons import LOST
from zermelo.solving.analysis import Allowance

MODULE = import_module("zermelo.game_records.annotate")
WORTH = {Value.WIN: (1, 1), Value.DRAW: (0, 0), Value.LOSS: (-1, -1), Value.NOT_WIN: (-1, 0),
         Value.UNKNOWN: (-1, 1)}
TWO_STONES = {"columns": 4, "rows": 3, "line": 3, "stones": 2, "first": 1}
# game, parameters, twin, moves before the record, search (PN is compiled fast)
SETS = {
    "tic-tac-toe": ("k-in-a-row", {}, NaiveKInARow, 0, None),
    "connect(4,3,3,2,1)": ("k-in-a-row", TWO_STONES, NaiveKInARow, 4, "pn"),
    "connect-four 4x4": ("connect-four", {"columns": 4, "rows": 4}, NaiveConnectFour, 5, "pn"),
    "othello 4x4": ("othello", {"size": 4}, NaiveOthello, 2, "pn"),
    "hex 3x3": ("hex", {"size": 3}, NaiveHex, 0, "pn"),
}
GAMES_EACH = 8


@cache
def brute_of(name):
    return BruteForce(SETS[name][2](**SETS[name][1]))


def random_record(game, opening, rng):
    """A start after ``opening`` moves, and random moves from there, to the end or not."""
    start = game.start()
    for _ in range(opening):
        if start.moves():
            start = start.play(rng.choice(start.moves()))
    position, moves = start, []
    for _ in range(rng.choice([3, 6, 99])):
        if position.outcome is not None:
            break
        moves.append(rng.choice(position.moves()))
        position = position.play(moves[-1])
    return start, moves


def check(annotation, brute):
    """Whatever is said agrees with exhaustive search."""
    state = brute.naive.from_position(annotation.positions[0].position)
    for note in annotation.positions:
        assert brute.naive.from_position(note.position) == state
        exact, mover = brute.value(state), brute.naive.mover(state)
        low, high = WORTH[note.at_least][0], WORTH[note.at_most][1]
        assert low <= exact <= high
        assert note.proved == (low == high)
        assert WORTH[note.value][0] <= exact <= WORTH[note.value][1]
        first = exact if mover == 0 else -exact
        assert WORTH[note.first][0] <= first <= WORTH[note.first][1]
        if note.proved:
            assert (note.value, note.first) == (VALUES[exact], VALUES[first])
        worth = {move: brute.for_player(brute.naive.play(state, move), mover)
                 for move in note.position.moves()}
        keeping = {move for move, value in worth.items() if value == exact}
        if note.kept is not None:
            assert note.kept == (note.move in keeping)
        if note.kept is False:
            assert set(note.best) <= keeping <= {*note.best, *note.unsettled}
        else:
            assert note.best == note.unsettled == ()
        if note.move is not None:
            state = brute.naive.play(state, note.move)


@pytest.mark.long_cases("connect-four 4x4", "othello 4x4")
@pytest.mark.parametrize(
    "name", SETS)
def test_agrees_with_brute_force(name):
    brute, rng = brute_of(name), random.Random(20_240_613)
    game_name, parameters, _, opening, search = SETS[name]
    game = zermelo.game(game_name, **parameters)
    turned = 0
    for _ in range(GAMES_EACH):
        start, moves = random_record(game, opening, rng)
        whole = zermelo.annotate(game, moves, search, start=start)
        check(whole, brute)
        assert whole.proved
        assert whole.exit_status == 0
        assert [note.ply for note in whole.positions] == list(range(len(moves) + 1))
        assert [note.move for note in whole.positions] == [*moves, None]
        assert all(note.kept is not None for note in whole.positions[:-1])
        assert not any(note.unsettled for note in whole.positions)
        assert [turn.ply for turn in whole.turns] == [
            note.ply + 1 for note in whole.positions if note.kept is False]
        turned += len(whole.turns)
        for nodes in (len(moves) + 2, 300, 3_000):
            part = zermelo.annotate(game, moves, search, start=start, nodes=nodes)
            check(part, brute)
            assert {note.stopped for note in part.positions} <= {"solved", "nodes"}
            assert part.exit_status == (0 if part.proved else 10)
    assert turned > 0


TTT = zermelo.game("tic-tac-toe")
DRAWN = "b2 a1 c3 a3 a2 c2 b3 b1 c1"
BLUNDER = "b2 a1 c3 b1"  # X then takes c1, and wins on a3 or on c2; a3 or c1 would have held


def test_a_turn_in_words():
    annotation = zermelo.annotate(TTT, BLUNDER)
    assert str(annotation) == "move 4 (O b1) threw away a draw: loss; better: a3 c1"
    won_back = zermelo.annotate(TTT, f"{BLUNDER} a2 c1")  # X does not take c1, and loses
    assert [str(turn) for turn in won_back.turns] == [
        "move 4 (O b1) threw away a draw: loss; better: a3 c1",
        "move 5 (X a2) threw away a win: loss; better: c1",
    ]
    assert won_back.positions[-1].position.outcome == "second"
    assert str(zermelo.annotate(TTT, "b2 a1")) == "no move threw anything away"
    short = zermelo.annotate(TTT, "b2 a1", "pn", nodes=9)
    assert str(short) == ("no move is known to have thrown anything away\n"
                          "3 of 3 positions have no proved value: stopped by the node limit")


def test_moves_into_a_known_value_are_not_searched():
    game = zermelo.game("k-in-a-row", **TWO_STONES)
    # O has two stones a turn: b1 and then c1 complete a1 b1 c1 at one go.
    annotation = zermelo.annotate(game, ["b1", "c1"], start="..../.XX./O... O2")
    assert [(note.position.to_move, note.value, note.nodes) for note in annotation.positions] == [
        ("O", "win", 0), ("O", "win", 0), ("X", "loss", 0)]
    assert annotation.nodes == 0
    drawn = zermelo.annotate(TTT, DRAWN, "pn")
    assert {note.value for note in drawn.positions[-4:]} == {"draw"}
    for note in drawn.positions[-4:-1]:  # before a draw there may have been a win, that is all
        asked = zermelo.solve(note.position, "pn", goal="win")
        assert note.nodes == asked.nodes < zermelo.solve(note.position, "pn").nodes


def test_a_position_out_of_reach_is_bounded_by_the_next():
    # The last position is finished, the others get 1 node each: no search says anything.
    draw = zermelo.annotate(TTT, DRAWN, "pn", nodes=1)
    for note, at_least in ((draw.positions[-2], "draw"), (draw.positions[-3], "loss")):
        assert (note.value, note.proved, note.kept) == ("unknown", False, None)
        assert (note.at_least, note.at_most, note.stopped) == (at_least, "win", "nodes")
    assert draw.exit_status == 10
    win = zermelo.annotate(TTT, "a1 b1 a2 b2 a3", "pn", nodes=1)
    assert (win.positions[-2].value, win.positions[-2].nodes) == ("win", 0)
    assert (win.positions[-3].at_most, win.positions[-3].kept) == ("win", None)


def test_after_a_lost_position_all_is_lost(monkeypatch):
    """What is proved about a position bounds the next one, which has no search of its own here."""
    start = TTT.parse("X.O/.O./X.X O")

    class Scarce(Session):
        def advance(self, limits=None, progress=None, between=None):
            scarce = self.position != start
            return super().advance(zermelo.Limits(nodes=1) if scarce else limits, progress,
                                   between)

    monkeypatch.setattr(MODULE, "Session", Scarce)
    annotation = zermelo.annotate(TTT, ["b3"], "pn", start=start)
    lost, after = annotation.positions
    assert (lost.value, lost.proved, lost.kept) == ("loss", True, True)
    assert (after.value, after.proved, after.stopped, after.nodes) == ("win", True, "solved", 1)
    check(annotation, brute_of("tic-tac-toe"))


def test_limits_are_totals():
    moves = "1 2 3 4 1 2 3 4"
    game = zermelo.game("connect-four", columns=4, rows=4)
    for nodes in (100, 1_000):
        annotation = zermelo.annotate(game, moves, "pn", nodes=nodes)
        # The last expansion of a share may go over it, as in any search.
        assert annotation.nodes <= nodes + 9 * 4
        assert annotation.nodes == sum(note.nodes for note in annotation.positions)
    for bad in ({"nodes": 0}, {"time": "x"}, {"memory": -1}, {"seed": -1}):
        with pytest.raises(BadOption):
            zermelo.annotate(game, moves, **bad)


class Recorded(Session):
    """Remembers what was asked, and with which limits."""

    asked: ClassVar = []

    def advance(self, limits=None, progress=None, between=None):
        self.asked.append((self.position, self.first, limits))
        return super().advance(limits, progress, between)


@pytest.fixture
def asked(monkeypatch):
    monkeypatch.setattr(Recorded, "asked", [])
    monkeypatch.setattr(MODULE, "Session", Recorded)
    return Recorded.asked


def plies_of(asked, start):
    """How many moves were played at what was asked."""
    return [9 - position.text.count(".") - start for position, _, _ in asked]


@pytest.mark.parametrize("search", ["pn", "weak-df-pn"])
def test_easy_questions_come_first(monkeypatch, asked, search):
    """From the end, each with the same effort; then again, with four times as much."""
    whole = zermelo.annotate(TTT, BLUNDER, search)
    asked.clear()
    monkeypatch.setattr(MODULE, "FIRST_EFFORT", 2)
    slowly = zermelo.annotate(TTT, BLUNDER, search)
    efforts = [limits.nodes for _, _, limits in asked]
    assert efforts == sorted(efforts)
    assert set(efforts) <= {2 * 4**i for i in range(9)}
    assert len(set(efforts)) > 1
    for effort in set(efforts):
        once = [each for each in asked if each[2].nodes == effort]
        # A move that might have been better leads one move further than its position.
        plies = plies_of(once, 0)
        assert all(later <= earlier + 1 for earlier, later in pairwise(plies))
    assert [(note.value, note.best) for note in slowly.positions] == [
        (note.value, note.best) for note in whole.positions]
    assert slowly.proved


def test_what_is_left_goes_to_the_last_open_question(monkeypatch, asked):
    monkeypatch.setattr(MODULE, "FIRST_EFFORT", 4)
    total = 150
    annotation = zermelo.annotate(TTT, "b2 a1 c3", "pn", nodes=total)
    position, _, limits = asked[-1]
    assert position == annotation.positions[-1].position
    assert {limits.nodes for _, _, limits in asked[:-1]} == {4, 16}
    assert 16 < limits.nodes < 3 * 64  # not enough to ask all three four times as much
    assert {note.stopped for note in annotation.positions} == {"nodes"}
    assert total <= annotation.nodes < total + 10


def test_a_time_limit_is_a_total():
    annotation = zermelo.annotate(TTT, DRAWN, "pn", time=1e-6)
    assert {note.stopped for note in annotation.positions} == {"time", "solved"}
    assert (annotation.stopped, annotation.exit_status) == ("time", 10)
    assert sum(note.nodes > 0 for note in annotation.positions) == 1  # then nothing was left


def test_what_is_left_of_two_limits():
    budget = Allowance(Limits(nodes=1_000, time=10))
    assert budget.share(4, 100) == Limits(nodes=100, time=2.5)
    assert budget.suffices(1_000)
    budget.nodes, budget.seconds = 400, 8.0
    assert budget.within(None) == Limits(nodes=600, time=2)
    assert budget.within(Limits(nodes=700, time=1)) == Limits(nodes=600, time=1)
    assert budget.suffices(100)  # at 50 nodes a second
    assert not budget.suffices(101)
    assert (budget.over, budget.reason) == (False, "time")
    budget.nodes = 1_000
    assert (budget.over, budget.reason) == (True, "nodes")
    assert Allowance(Limits()).reason == "interrupted"
    assert Allowance(Limits(time=3)).within(Limits(nodes=5)) == Limits(nodes=5, time=3)


def test_the_table_serves_all_positions(monkeypatch):
    """What is proved about later positions is part of the search for earlier ones."""
    shared = zermelo.annotate(TTT, DRAWN, "weak-df-pn", plain=True)
    monkeypatch.setattr(zermelo.WeakDFPN, "shares", False)
    alone = zermelo.annotate(TTT, DRAWN, "weak-df-pn", plain=True)
    assert shared.proved
    assert alone.proved
    assert shared.nodes < alone.nodes


def test_a_shared_table_and_repetitions(monkeypatch):
    """What leans on a repetition is not taken for a fact elsewhere."""
    monkeypatch.setattr(MODULE, "FIRST_EFFORT", 2)
    rng, turned = random.Random(5), 0
    for seed in range(60):
        nodes = random_graph(seed)
        game, at, moves = graph_of(nodes), "n0", []
        while not isinstance(nodes[at], str) and len(moves) < 8:
            at = rng.choice(nodes[at][1])
            moves.append(at)
        annotation = zermelo.annotate(game, moves, DFPN(epsilon=0))
        for name, note in zip(["n0", *moves], annotation.positions, strict=True):
            exact = value_of(nodes, name)
            if isinstance(nodes[name], str):  # then nobody moves: for the first player
                exact = nodes[name]
                assert note.first == exact
            else:
                assert (note.value, note.proved) == (exact, True)
        turned += len(annotation.turns)
    assert turned > 20


def test_progress_says_where_it_is(monkeypatch):
    monkeypatch.setattr("zermelo.solving.session.PROGRESS_SECONDS", 0)
    seen = []
    zermelo.annotate(TTT, BLUNDER, "pn", progress=lambda now: seen.append(now.question))
    assert seen[0] == "after move 4 (0 of 5 settled): does X win?"
    assert "after move 0 (4 of 5 settled): does X win?" in seen
    assert "move 4 c2 (2 of 5 settled): does X win?" in seen


def test_a_conclusion_is_no_proof():
    guess = zermelo.PPN(pr=0.5, playouts=1)
    annotation = zermelo.annotate(TTT, BLUNDER, guess)
    assert annotation.exit_status == 11
    assert (annotation.proved, annotation.concluded) == (False, True)
    concluded = [note for note in annotation.positions if not note.proved]
    assert {note.stopped for note in concluded} == {"precision"}
    for note in concluded:
        assert note.kept is None
        assert (note.at_least, note.at_most) == ("loss", "win") or note.at_least == "draw"
    place = Place(TTT.parse("b2"), None, "value")
    place.guess.learn(1, 1, LOST)  # O, who moves, does not win
    assert (place.value(1), place.value(-1)) == ("not-win", "unknown")
    place.worth.narrow(-1, -1, 0)  # it is a draw or a loss for X: at least a draw for O
    assert (place.value(1), place.value(-1)) == ("draw", "draw")


@pytest.mark.parametrize("raised", [True, False])
def test_an_interrupt_keeps_what_is_known(monkeypatch, raised):
    whole, asked = zermelo.annotate(TTT, BLUNDER, "pn"), []

    class Interrupted(Session):
        def advance(self, limits=None, progress=None, between=None):
            asked.append(self.position)
            if len(asked) < 4:
                return super().advance(limits, progress, between)
            if raised:
                raise KeyboardInterrupt
            self.cancel()
            return super().advance(limits, progress, between)

    monkeypatch.setattr(MODULE, "Session", Interrupted)
    part = zermelo.annotate(TTT, BLUNDER, "pn")
    assert len(asked) == 4
    assert [note.value for note in part.positions[3:]] == [
        note.value for note in whole.positions[3:]]
    assert {(note.value, note.stopped) for note in part.positions[:3]} == {
        ("unknown", "interrupted")}
    assert (part.exit_status, part.stopped) == (10, "interrupted")
    turn = part.turns[0]
    others = set(TTT.parse("b2 a1 c3").moves()) - {"b1"}
    assert {"a3", "c1"} <= {*turn.best, *turn.unsettled} <= others
    assert "perhaps also" in str(turn)


CYCLE = {"a": ("or", ["b", "w"]), "b": ("and", ["a", "c"]), "c": ("or", ["d"]), "d": ("and", ["c"]),
         "w": "win"}


def test_a_record_that_repeats():
    annotation = zermelo.annotate(zermelo.graph(CYCLE), "b a b c d c", "pn")
    assert [note.first for note in annotation.positions] == [
        "win", "draw", "win", "draw", "draw", "draw", "draw"]
    assert [turn.ply for turn in annotation.turns] == [1, 2, 3]
    assert annotation.turns[0].best == ("w",)
    assert annotation.turns[1].best == ("c",)


class OwnRepeat(type(zermelo.graph(CYCLE))):
    """The AND player loses by a repetition."""

    def define(self):
        rules = super().define()
        fields = {name: getattr(rules, name) for name in Rules.__dataclass_fields__}
        return Rules(**{**fields, "repeat": lambda g, path, i, n: 1})


def test_under_a_rule_of_repetition_each_position_stands_alone():
    annotation = zermelo.annotate(OwnRepeat(CYCLE), "b c d", "pn")
    assert all(note.nodes > 0 for note in annotation.positions)


# On the command line.
def test_the_table():
    done = call("annotate", "tic-tac-toe", BLUNDER)
    assert (done.status, done.err) == (0, "")
    rows = [line.split() for line in done.out.splitlines()]
    assert ["move", "player", "played", "value", "for", "X", "how", "kept", "better",
            "nodes"] in rows
    assert ["4", "O", "b1", "draw", "draw", "proved", "no", "a3", "c1"] in [r[:-1] for r in rows]
    assert ["-", "X", "win", "win", "proved"] in [r[:-1] for r in rows]
    assert "move 4 (O b1) threw away a draw: loss; better: a3 c1\n" in done.out
    over = call("annotate", "tic-tac-toe", "a1 b1 a2 b2 a3").out
    assert "\n   -  O               loss   win    over" in over
    bounded = call("annotate", "tic-tac-toe", DRAWN, "--nodes", "1", "-s", "pn").out
    assert "\n   9  X       c1      not-loss  not-loss  nodes " in bounded
    assert "\n   8  O       b1      unknown   unknown   nodes " in bounded


def test_json_is_the_annotation():
    answer = loads(call("annotate", "tic-tac-toe", BLUNDER, "--json").out)
    annotation = zermelo.annotate(TTT, BLUNDER)
    expected = annotation.to_dict()
    for record in (answer, expected):
        assert record.pop("seconds") >= 0
        assert record.pop("compile_seconds") >= 0
    assert answer == expected
    assert answer["turns"] == [{
        "ply": 4, "player": "O", "move": "b1", "before": "draw", "after": "loss",
        "best": ["a3", "c1"], "unsettled": []}]
    assert list(answer["positions"][0]) == [
        "ply", "position", "to_move", "value", "first", "at_least", "at_most", "proved",
        "concluded", "stopped", "nodes", "move", "kept", "best", "unsettled"]


def test_where_the_record_comes_from(tmp_path):
    file = tmp_path / "game.txt"
    file.write_text("# a game\nb2 a1\n# the mistake\nc3 b1\n")
    whole = call("annotate", "tic-tac-toe", BLUNDER, "--json").out
    expected = loads(whole)["turns"]
    for words, stdin in (
        (["--file", str(file)], b""), (["-"], b"b2,a1,c3,b1\n"), (["--file", "-"], b"b2 a1 c3 b1"),
    ):
        done = call("annotate", "tic-tac-toe", *words, "--json", stdin=stdin)
        assert loads(done.out)["turns"] == expected
    done = call("annotate", "tic-tac-toe", "b1", "--from", "..X/.X./O.. O", "--json", "-q")
    assert [turn["ply"] for turn in loads(done.out)["turns"]] == [1]


def test_exit_statuses():
    words = ["annotate", "tic-tac-toe", "b2 a1"]
    assert call(*words).status == 0
    assert call(*words, "--nodes", "9", "-s", "pn").status == 10
    assert call(*words, "-s", "ppn", "-p", "pr=0.5", "-p", "playouts=1").status == 11
