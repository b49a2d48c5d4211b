"""Games in plain Python: searches, random games, text, pickles, faults, limits and certificates."""

import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from itertools import product

import numpy as np
import pytest
from brute import VALUES, BruteForce
from certificates import taken_apart
from command import call
from plain_games import FIVE, Nim

import zermelo
from zermelo.checks.check_game import check_game
from zermelo.compiler.callback import shield
from zermelo.core.object_game import game_of
from zermelo.core.objects import COUNTED, COUNTED_GAME, END_BITS, ENDS, ObjectStore
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS
from zermelo.errors import BadCertificate, BadGame, BadMove, BadPosition, BadRule, UnknownGame
from zermelo.explorer import query_worker
from zermelo.explorer.position_ref import Games
from zermelo.jobs.job import job_for
from zermelo.proof import Claim
from zermelo.proof.budget import CheckBudget
from zermelo.proof.check import POSITION_BYTES
from zermelo.proof.header import Refused
from zermelo.proof.rules.own import ObjectRules, OwnRules


def nim(**parameters):
    return zermelo.game(Nim, **parameters)


def variant(**changed):
    """A class of Nim with other methods; by its name it is another game."""
    return type("Variant", (Nim,), changed)


@pytest.mark.parametrize("name", FIVE)
def test_values_and_nodes_of_pn_are_those_of_the_compiled_game(name):
    make, kind, moves = FIVE[name]
    found = []
    for game in (make(), zermelo.game(kind)):
        position = game.start().play(*moves.split())
        result = zermelo.solve(position, "pn", plain=True)
        found.append((result.value, result.proved, result.nodes, result.iterations, result.line))
    assert found[0] == found[1]
    assert found[0][1]


@pytest.mark.quick_cases("False-*", "True-weak-df-pn")
@pytest.mark.parametrize("search", ["weak-df-pn", "alpha-beta", "ppn"])
@pytest.mark.parametrize("cyclic", [False, True])
def test_searches_agree_with_brute_force(search, cyclic):
    kind = variant(cyclic=cyclic)
    game = zermelo.game(kind)
    brute = BruteForce(kind())
    for moves in ((), ("2-1",), ("2-3", "1-1")):
        position = game.start().play(*moves)
        expected = VALUES[brute.value(game.state(position))]
        result = zermelo.solve(position, search)
        assert (result.value, result.proved) == (expected, True)


def test_the_same_search_in_another_store_has_the_same_nodes():
    results = []
    for _ in range(2):
        game = nim(heap=4)
        if results:
            zermelo.solve(game.start().play("3-2"), "pn")  # numbers come in another order now
        results.append(zermelo.solve(game.start(), "ppn", seed=3))
    assert results[0].nodes == results[1].nodes
    assert results[0].value == "win"


def test_positions_are_texts_and_pickles():
    game = nim()
    position = game.start().play("2-2", "0-1")
    assert position.text == "2-2 0-1"
    assert game.parse(position.text) == position
    assert game.parse("start") == game.start()
    assert position != game.start()
    other = pickle.loads(pickle.dumps(position))
    assert other == position
    assert hash(other) == hash(position)
    assert game.start().play("0-1", "2-2") == position  # the same heaps
    assert str(position) == "((0, 2, 1), 0)"
    assert zermelo.game(Nim()) == game
    assert zermelo.game(Nim, heap=4) != game
    with pytest.raises(BadMove, match="'7-1' is not a legal move here; legal: 0-1, 1-1"):
        game.start().play("7-1")
    with pytest.raises(BadPosition, match="move 1: 'nonsense' is not a legal move"):
        game.parse("nonsense")


def test_a_position_that_was_set_up_has_no_moves():
    game = nim()
    with pytest.raises(BadPosition, match="was set up, not reached from the start"):
        repr(game.with_state(((5, 5, 5), 0)))
    below = game.with_state(game.state(game.start().play("2-1")))
    assert below.text == "2-1"  # as it was first met


def test_own_texts():
    kind = variant(format=lambda self, state: f"{'.'.join(map(str, state[0]))}/{state[1]}",
                   parse=lambda self, text: (tuple(map(int, text.split("/")[0].split("."))),
                                             int(text.split("/")[1])))
    game = zermelo.game(kind)
    assert game.start().text == "1.2.3/0"
    assert game.parse("2-1").text == "1.2.2/1"
    assert zermelo.solve(game.parse("1.1.0/1")).value == "loss"
    assert game.diagram(game.start()) == "1.2.3/0"
    with pytest.raises(BadPosition, match="'x' is neither a list of moves from the start nor"):
        game.parse("x")
    assert check_game(game, games=5).ok


def test_moves_of_one_name_are_not_guessed():
    game = variant_game(move_name=lambda self, state, move: f"Take{move[1]}")
    with pytest.raises(BadMove, match="'Take1' is what 3 moves are called here; give the game a"):
        game.start().play("Take1")
    with pytest.raises(BadMove, match="'take1' is what 3 moves are called here"):
        game.start().play("take1")
    heaps = ("aA", "Aa", "AA")
    game = variant_game(move_name=lambda self, state, move: f"{heaps[move[0]]}{move[1]}")
    assert game.state(game.start().play("Aa1")) == ((1, 1, 3), 1)
    with pytest.raises(BadMove, match="'aa1' may be AA1, Aa1, aA1 here"):
        game.start().play("aa1")


@pytest.mark.parametrize(("changed", "sentence"), [
    ({"outcome": lambda self, state: None if sum(state[0]) > 3 else "nobody"},
     "outcome returned \"'nobody'\" at .*; it must be None while"),
    ({"mover": lambda self, state: state[1] if sum(state[0]) else 7},
     "mover returned '7' at .*; it must be 0"),
])
def test_faults_that_a_random_game_meets(changed, sentence):
    """No search has been there before."""
    store = variant_game(**changed).store
    number = store.add(((1, 2, 3), 0))
    with pytest.raises(BadGame, match=sentence):
        store.random_games(store.objects[number], 5, 1, 0)


def test_what_is_missing_is_said():
    class Lacking(zermelo.PlainGame):
        def start(self):
            return 0

    with pytest.raises(BadGame, match="needs the methods start, moves, play, mover, outcome; "
                                      "moves, play, mover, outcome are missing"):
        zermelo.game(Lacking)
    with pytest.raises(BadGame, match="mover, outcome; moves is missing"):
        zermelo.game(variant(moves=None))
    with pytest.raises(BadGame, match="moves must be a method, not 3"):
        zermelo.game(variant(moves=3))
    with pytest.raises(BadGame, match="key must be a method, not 7"):
        zermelo.game(variant(key=7))
    with pytest.raises(BadGame, match="there is a method format, but no parse"):
        zermelo.game(variant(format=lambda self, state: ""))
    with pytest.raises(UnknownGame, match="'7' is neither the name of a game nor a class"):
        zermelo.game(7)
    with pytest.raises(zermelo.BadOption, match="max_moves"):
        zermelo.game(variant(max_moves=100_000))


@pytest.mark.parametrize(("changed", "sentence"), [
    ({"mover": lambda self, state: 2}, r"mover returned '2' at .*; it must be 0 \(first\) or 1"),
    ({"outcome": lambda self, state: 1}, "outcome returned '1' at .*; it must be None while"),
    ({"play": lambda self, state, move: [0]}, r"a state is '\[0\]', which has no hash"),
    ({"key": lambda self, state: {}}, "key returned '{}', which has no hash"),
    ({"move_name": lambda self, state, move: "a b"}, "is called 'a b'; a name is one word"),
    ({"max_moves": 5}, "moves gives 6 moves at .*, but max_moves = 5"),
    ({"moves": lambda self, state: None}, "moves returned 'None' at .*; it must be a list of"),
    ({"start": lambda self: 1 / 0}, "start raised ZeroDivisionError"),
    ({"key": lambda self, state: 1 / 0}, "key raised ZeroDivisionError"),
    ({"mover": lambda self, state: 1 / 0}, "mover raised ZeroDivisionError"),
    ({"moves": lambda self, state: 1 / 0}, "moves raised ZeroDivisionError"),
    ({"diagram": lambda self, state: 1 / 0}, "diagram raised ZeroDivisionError"),
    ({"move_name": lambda self, state, move: 1 / 0}, "move_name raised ZeroDivisionError"),
    ({"format": lambda self, state: 1 / 0, "parse": str}, "format raised ZeroDivisionError"),
])
def test_faults_of_methods_are_told_in_one_sentence(changed, sentence):
    def use():
        position = zermelo.game(variant(**changed)).start()
        return position.play(position.moves()[0]), str(position), position.text

    with pytest.raises(BadGame, match=sentence):
        use()


def broken_play(self, state, move):
    if sum(state[0]) < 4:
        raise RuntimeError("no such heap")
    return Nim.play(self, state, move)


@pytest.mark.parametrize("search", ["pn", "weak-df-pn", "alpha-beta", "ppn"])
def test_an_error_in_a_rule_comes_out_of_a_search_as_it_is(search):
    session = zermelo.start(zermelo.game(variant(play=broken_play)).start(), search)
    with pytest.raises(BadRule) as caught:
        session.run()
    first, *rest = str(caught.value).splitlines()
    assert first.startswith("variant: play raised RuntimeError at ")
    assert "with the move" in first
    assert "in broken_play" in "".join(rest)
    assert rest[-1] == "RuntimeError: no such heap"
    assert isinstance(caught.value.error, RuntimeError)
    with pytest.raises(BadRule):  # nothing goes on where it was left half done
        session.run()


def test_an_error_in_evaluate_or_score():
    kind = variant(evaluate=lambda self, state: 1 / 0)
    with pytest.raises(BadRule, match="evaluate raised ZeroDivisionError"):
        zermelo.solve(zermelo.game(kind).start(), "alpha-beta")
    kind = variant(evaluate=lambda self, state: 0.5)
    with pytest.raises(BadGame, match=r"evaluate returned '0.5' at .*; it must be a whole"):
        zermelo.solve(zermelo.game(kind).start(), "alpha-beta")


class Fan:
    """Object 0 leads to as many others as it is said to, some of which end the game; it keeps count
    of what it is asked."""

    name, max_moves, max_length, max_score = "fan", 65_535, 10, 1
    key = evaluate = score = None

    def __init__(self, width, ends):
        self.width, self.ends, self.asked = width, ends, []

    def moves(self, state):
        self.asked.append(("moves", state))
        return range(self.width if state == 0 else 2)

    def play(self, state, move):
        self.asked.append(("play", state, move))
        return state * 100_000 + move + 1

    def mover(self, state):
        return int(state > 0)

    def outcome(self, state):
        return self.ends.get(state)


def test_moves_are_played_together_up_to_one_that_decides():
    fan = Fan(5, {3: "second", 4: "first"})
    store = ObjectStore(fan)
    root = store.add(0)
    assert store.play_all(root, 1 << FIRST_WINS | COUNTED) == 5
    assert fan.asked == [("moves", 0), *(("play", 0, move) for move in range(4))]
    assert store.play_all(root, 1 << FIRST_WINS | COUNTED) == 5  # nothing is asked twice
    assert len(fan.asked) == 5
    store.play_all(root, COUNTED)  # what goes on is asked for its moves, what is over is not
    assert fan.asked[5:] == [("play", 0, 4), ("moves", 1), ("moves", 2), ("moves", 5)]
    assert [store.outcome(store.play(root, move)) for move in range(5)] == [
        ONGOING, ONGOING, SECOND_WINS, FIRST_WINS, ONGOING]
    assert len(store) == 6
    with pytest.raises(IndexError):
        store.play(root, 5)


@pytest.mark.parametrize("width", [65_535, 40_000])
def test_rows_of_answers_stand_on_pages(width):
    """The second row does not fit beside the first."""
    fan = Fan(width, {})
    store = ObjectStore(fan)
    root = store.add(0)
    store.play_all(root, 0)
    child = store.play(root, width - 1)
    assert store.objects[child] == width
    assert store.path(child) == (root, [(root, width - 1)])
    assert store.objects[store.play(child, 1)] == width * 100_000 + 2
    assert store.mover(child) == 1
    assert len(store) == width + 2
    assert store.bytes > 8 * width


def test_rows_without_answers_have_a_place():
    """One that is empty, where a page has just been filled."""
    fan = Fan(65_535, {})
    store = ObjectStore(fan)
    root = store.add(0)
    store.play_all(root, 0)
    empty = store.add(70_000)
    fan.moves = lambda state: []
    assert store.play_all(empty, COUNTED) == 0
    assert store.moves(empty) == []
    with pytest.raises(IndexError):
        store.play(empty, 0)
    fan.moves = lambda state: [0]
    last = store.add(80_000)
    assert store.objects[store.play(last, 0)] == 80_000 * 100_000 + 1
    assert shield.since == 0  # nothing is at work for a kernel


def test_errors_with_threads():
    game = zermelo.game(variant(play=broken_play))
    with pytest.raises(BadRule, match="play raised RuntimeError"):
        zermelo.solve(game.start(), "weak-df-pn", threads=2)
    result = zermelo.solve(nim(heap=4).start(), "weak-df-pn", threads=2)
    assert (result.value, result.proved) == ("win", True)


def interrupt_after(seconds, times=1):
    def interrupt():
        for _ in range(times):
            time.sleep(seconds)
            signal.raise_signal(signal.SIGINT)

    # Signals are handled by the main thread, whichever raises them.
    thread = threading.Thread(target=interrupt, daemon=True)
    thread.start()
    return thread


def test_ctrl_c_in_a_slow_rule_keeps_what_there_is():
    def slow_play(self, state, move):
        time.sleep(0.02)
        return Nim.play(self, state, move)

    session = zermelo.start(zermelo.game(variant(play=slow_play), heap=6).start(), "pn")
    session.prepare()
    waker = interrupt_after(0.4)
    result = session.run()
    waker.join()
    assert result.stopped == "interrupted"
    assert result.value == "unknown"
    assert session.run(zermelo.Limits(nodes=result.nodes + 1)).stopped == "nodes"


def test_ctrl_c_in_an_endless_rule():
    def endless_play(self, state, move):
        while sum(state[0]) < 10:
            time.sleep(0.01)
        return Nim.play(self, state, move)

    session = zermelo.start(zermelo.game(variant(play=endless_play), heap=5).start(), "pn")
    session.prepare()
    waker = interrupt_after(1.5)
    result = session.run()
    waker.join()
    assert result.stopped == "interrupted"
    assert result.value == "unknown"
    with pytest.raises(BadRule, match="interrupted within a rule, so it can't go on"):
        session.run()


def test_limits_hold_where_what_is_known_comes_to_an_end():
    """A second search is quick as far as the first one came, and then slow again."""
    def slow_play(self, state, move):
        time.sleep(0.001)
        return Nim.play(self, state, move)

    game = zermelo.game(variant(play=slow_play), heap=9)
    first = zermelo.solve(game.start(), "pn", nodes=20_000, time=2.0)
    assert first.stopped == "time"
    known = len(game.store)
    second = zermelo.solve(game.start(), "pn", time=0.3)
    assert second.stopped == "time"
    assert second.seconds < 2.0
    assert len(game.store) - known < 500


def test_a_pace_is_that_of_new_objects():
    store = ObjectStore(Fan(10, {}))
    pace = store.pace
    assert pace.nodes_within(1.0) > 10**9
    store.play_all(store.add(0), 0)
    assert pace.met == 11
    pace.note(0, 5.0)  # nothing was new
    assert pace.nodes_within(1.0) > 10**9
    pace.note(10, 1.0)
    assert pace.nodes_within(10.0) == pytest.approx(10, abs=1)
    pace.note(100_000, 1.0)
    assert pace.nodes_within(1.0) > 1_000
    for _ in range(40):  # what is long ago counts less
        pace.note(4_000, 4_000.0)
    assert pace.nodes_within(0.1) == 1


class Marks(zermelo.PlainGame):
    """Cells are taken in turn; a state is their order, a position who has which. Who has won may
    depend on the order all the same."""

    cyclic, ordered = False, False

    def start(self):
        return ()

    def moves(self, state):
        return [cell for cell in range(12) if cell not in state]

    def play(self, state, move):
        return (*state, move)

    def mover(self, state):
        return len(state) % 2

    def key(self, state):
        return (frozenset(state[0::2]), frozenset(state[1::2]))

    def outcome(self, state):
        if len(state) < 12:
            return None
        won = state[-1] > state[-3] if self.ordered else 0 in state[0::2]
        return "first" if won else "second"


@pytest.mark.parametrize("ordered", [False, True])
def test_moves_are_played_in_another_order_to_see_what_keys_forget(ordered):
    report = check_game(zermelo.game(type("Marks", (Marks,), {"ordered": ordered})), games=4)
    assert report.ok is not ordered
    if ordered:
        assert "have one key, but not the same mover, outcome" in report.problems[0]
    else:
        assert any(line.startswith("keys: ") for line in report.checks)


def test_the_memory_of_objects_counts():
    game = zermelo.game(variant(key=lambda self, state: (state, bytes(1000))), heap=9)
    result = zermelo.solve(game.start(), "weak-df-pn", memory="8MB")
    assert (result.stopped, result.proved) == ("memory", False)
    assert game.memory > 2_000_000
    assert 8_000_000 < result.peak_bytes < 40_000_000


def moves_of_a_game_that_goes_on(self, state):
    assert self.outcome(state) is None
    return Nim.moves(self, state)


def test_moves_are_asked_of_games_that_go_on_only(tmp_path):
    strict = variant(outcome=lambda self, state: None if any(state[0]) else "draw",
                     moves=moves_of_a_game_that_goes_on)
    session = zermelo.start(zermelo.game(strict).start().play("2-1"), "weak-df-pn")
    assert str(session.run().value) == "draw"
    file = tmp_path / "nim.proof"
    zermelo.write_proof(session, file)
    assert zermelo.verify(file, game=zermelo.game(strict)).verified


def test_certificates(tmp_path):
    session = zermelo.start(nim().start(), "weak-df-pn")
    session.run()
    file = tmp_path / "nim.proof"
    zermelo.write_proof(session, file)
    report = zermelo.verify(file, game=game_of(Nim()))
    assert report.verified
    assert report.rules == "the game's own"
    strange = variant(outcome=lambda self, state: "draw" if sum(state[0]) == 1 else None)
    strange.name = "nim"
    report = zermelo.verify(file, game=zermelo.game(strange))
    assert report.verdict == "refused"
    assert "ends in a draw" in report.reason
    reading = variant(start=lambda self: ((1, 1), 0))
    reading.name = "nim"
    assert "no line of the certificate leads" in zermelo.verify(
        file, game=zermelo.game(reading)).reason


class Ended(Nim):
    """With an outcome where nothing is left."""

    name = "ended"

    def outcome(self, state):
        return None if any(state[0]) else ("second", "first")[state[1]]


def followed(moves, state, seen):
    """Return True if the second player wins with these moves; note the positions on the way."""
    legal = Nim.moves(None, state)
    seen.update([state] if legal else [])
    if state[1] == 0:
        return all(followed(moves, Nim.play(None, state, move), seen) for move in legal)
    number = moves.get(state, -1)
    return 0 <= number < len(legal) and followed(moves, Nim.play(None, state, legal[number]), seen)


def test_a_certificate_with_another_move(tmp_path):
    """Refused where the number is no move; else if the move loses, or leaves records unused."""
    game = game_of(Ended())
    root = zermelo.game(Ended).start().play("2-1")  # the first move of all wins
    session = zermelo.start(root, "weak-df-pn")
    session.run()
    file, verdicts = tmp_path / "nim.proof", set()
    zermelo.write_proof(session, file)
    parts = taken_apart(file.read_bytes())
    states = {game.digest((heaps, 1)): (heaps, 1)
              for heaps in product(range(2), range(3), range(4))}
    rows = list(parts.records[0])
    moves = {states[row[:-4]]: int.from_bytes(row[-4:], "little") for row in rows}
    for at, row in enumerate(rows):
        state = states[row[:-4]]
        for move in (-2, *range(-1, len(Nim.moves(None, state)) + 1), 99):
            parts.records[0][at] = row[:-4] + move.to_bytes(4, "little", signed=True)
            file.write_bytes(parts.joined())
            report, seen = zermelo.verify(file, game=game), set()
            good = followed({**moves, state: move}, ((1, 2, 2), 1), seen)
            assert report.verified == (good and seen >= set(moves))
            verdicts.add((good, report.verified))
            if at == 0 and move in (-2, 99):
                assert f"after move number {move}: that move is not legal there" in report.reason
        parts.records[0][at] = row
    assert len(verdicts) == 2
    rules, budget = ObjectRules(game), CheckBudget()
    rules.meet(np.array([list(row) for row in rows], np.uint8), rules.read(root.text), Claim(1),
               budget)
    followed(moves, ((1, 2, 2), 1), seen := set())
    assert (budget.steps, budget.kept) == (len(seen), POSITION_BYTES * len(seen))


def test_the_checker_writes_positions_and_moves_as_the_game_does(without_jit):
    """Of a game with compiled rules, the root alone: a state of a record may be made up."""
    rules = ObjectRules(game_of(Nim()))
    root = rules.read("start")
    assert (rules.text(root), rules.diagram(root)) == ("start", nim().start().diagram)
    assert [rules.move_name(root, move) for move in (-1, 0, 5, 6)] == [
        "move number -1", "0-1", "2-3", "move number 6"]
    unwritten = ObjectRules(game_of(variant(
        format=lambda self, state: 1 // 0, parse=lambda self, text: Nim.start(self))()))
    assert unwritten.text(unwritten.play(unwritten.read("start"), 0)) == "((0, 2, 3), 1)"
    graph = zermelo.graph({"r": ("or", ["a", "b"]), "a": "win", "b": "draw"})
    rules = OwnRules(graph, False)
    root = rules.read("r")
    assert (rules.text(root), rules.diagram(root)) == ("r", graph.start().diagram)
    after = rules.play(root, 1)
    assert rules.text(after) == rules.diagram(after) == "node=1"
    assert not rules.can_be_sent


def test_a_certificate_needs_keys_that_every_process_writes_alike(tmp_path):
    kind = variant(key=lambda self, state: Unwritten(state))
    session = zermelo.start(zermelo.game(kind).start(), "weak-df-pn")
    assert session.run().value == "loss"
    with pytest.raises(BadCertificate, match="an object of type Unwritten has no digest"):
        zermelo.write_proof(session, tmp_path / "nim.proof")


def test_two_positions_with_one_digest_are_refused():
    kind = variant(key=lambda self, state: Unwritten(state),
                   format=lambda self, state: "x", parse=lambda self, text: ((1,), 0))
    rules = ObjectRules(zermelo.game(kind))
    first, second = rules.store.add(((1,), 0)), rules.store.add(((2,), 0))
    rules.key(first)
    with pytest.raises(Refused, match="and another position one digest"):
        rules.key(second)
    with pytest.raises(Refused, match="its position can't be read"):
        ObjectRules(nim()).read("nonsense")


class Unwritten:
    """Equal where its state is; of a class that has no digest."""

    def __init__(self, state):
        self.state = state

    def __eq__(self, other):
        return self.state == other.state

    def __hash__(self):
        return hash(self.state)


def test_check_game_finds_nothing_in_a_good_game():
    report = check_game(nim(), games=10)
    assert report.ok
    assert "by the rules: " in report.sample
    assert any("lost for their mover" in line for line in report.checks)
    report = check_game(variant_game(cyclic=True), games=10)
    assert any("cyclic = False is faster" in line for line in report.checks)


def variant_game(**changed):
    return zermelo.game(variant(**changed))


def play_round(self, state, move):
    return (state[0], 1 - state[1])


class Forgetful:
    """Something else each time it is asked."""

    def __init__(self, method):
        self.method, self.asked = method, 0

    def __get__(self, game, kind):
        def method(*given):
            self.asked += 1
            return self.method(game, self.asked, *given)

        return method


@pytest.mark.parametrize(("changed", "sentence"), [
    ({"play": play_round}, "a position comes up again in a game, at .*, but cyclic = False"),
    ({"max_length": 2}, "a game is not over after max_length = 2 moves"),
    ({"move_name": lambda self, state, move: "x"}, "two moves are called 'x'"),
    ({"moves": Forgetful(lambda self, n, state: Nim.moves(self, state)[:: (-1) ** n])},
     "moves gives other moves, or another order"),
    ({"mover": Forgetful(lambda self, n, state: n % 2)}, "mover says something else"),
    ({"play": Forgetful(lambda self, n, state, move: Nim.play(
        self, state, self.moves(state)[n % len(self.moves(state))]))}, "play leads elsewhere"),
    ({"key": lambda self, state: sum(state[0])}, "have one key, but not the same mover"),
    ({"outcome": lambda self, state: None if sum(state[0]) else "draw",
      "score": lambda self, state: 1}, "score returns 1, which is not what outcome says"),
    ({"outcome": lambda self, state: None if sum(state[0]) else "first",
      "score": lambda self, state: 1, "max_score": 4, "score_step": 2},
     "score returns 1, but max_score = 4 and score_step = 2"),
    ({"format": lambda self, state: "?", "parse": lambda self, text: int(text)},
     "which format writes, can't be read"),
    ({"format": lambda self, state: "?", "parse": lambda self, text: ((1, 2, 3), 0)},
     "which format writes, is read as another position"),
    ({"start": lambda self: 1 / 0}, "start raised ZeroDivisionError"),
    ({"play": broken_play}, "play raised RuntimeError"),
    ({"start": lambda self: ((0,), 0)}, "the game is over at its start"),
])
def test_check_game_finds_mistakes(changed, sentence):
    report = check_game(lambda: variant_game(**changed), games=30)
    assert re.search(sentence, " ".join(report.problems)), report.problems


def test_check_game_sees_a_state_that_is_changed():
    class Board(list):
        def __hash__(self):
            return hash(tuple(self))

    class Changing(zermelo.PlainGame):
        cyclic = False

        def start(self):
            return Board([3])

        def moves(self, state):
            return [1]

        def play(self, state, move):
            after = Board([state[0] - 1])
            state[0] = state[0]
            state.append(0)
            return after

        def mover(self, state):
            return state[0] % 2

        def outcome(self, state):
            return "first" if state[0] <= 0 else None

    report = check_game(zermelo.game(Changing), games=3)
    assert "a method has changed the state" in " ".join(report.problems)


@pytest.fixture(scope="module")
def nim_file(tmp_path_factory):
    """Nim in a file, as a user has it."""
    path = tmp_path_factory.mktemp("plain") / "my_nim.py"
    path.write_text(
        "import zermelo\n\n\n"
        "class MyNim(zermelo.PlainGame):\n"
        "    cyclic = False\n"
        "    start = lambda self: ((1, 2), 0)\n"
        "    mover = lambda self, state: state[1]\n"
        "    outcome = lambda self, state: None\n\n"
        "    def moves(self, state):\n"
        "        return [(h, n) for h in (0, 1) for n in range(1, state[0][h] + 1)]\n\n"
        "    def play(self, state, move):\n"
        "        heaps = list(state[0])\n"
        "        heaps[move[0]] -= move[1]\n"
        "        return tuple(heaps), 1 - state[1]\n")
    return f"{path}:MyNim"


def test_games_in_files(nim_file):
    game = zermelo.game(nim_file)
    position = game.start().play("1-1")
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert pickle.loads(pickle.dumps(game)) == game
    job = job_for(position, zermelo.PN(), seed=0, goal="win", plain=True, nodes=1, time=None,
                  memory=1, wall=1.0, trace=None)
    assert job.game == nim_file
    assert job.start == position
    values = [result.value for result in zermelo.solve_many([game.start(), position], workers=2)]
    assert values == ["win", "loss"]


def test_verify_takes_the_game_before_the_certificate(nim_file, tmp_path):
    file = str(tmp_path / "nim.proof")
    assert call("solve", nim_file, "--proof", file).status == 0
    done = call("verify", nim_file, file)
    assert (done.status, done.err) == (0, "")
    assert "rules: the game's own" in done.out
    assert call("verify", file, "--game", nim_file).status == 0
    for words in ((nim_file, file, "--game", nim_file), (file, file)):
        done = call("verify", *words)
        assert (done.status, done.out) == (2, "")
        assert "is more than a game and a certificate" in done.err
        assert "one certificate is taken at a time" in done.err
    done = call("verify", nim_file, file, "another")
    assert (done.status, done.out) == (2, "")
    assert "(another) (see 'zermelo verify --help')" in done.err
    assert "[OPTIONS] FILE [CERTIFICATE]\n" in call("verify", "--help").out


def test_the_explorer_shows_them(nim_file):
    games = Games(nim_file)
    row = next(row for row in query_worker.games(games, {}) if row["own"])
    assert row["name"] == nim_file
    assert "<svg" in row["picture"]
    place = {"game": nim_file, "position": "start", "moves": ["1-1"]}
    position = games.position(place)
    assert position.moves() == ["0-1", "1-1"]
    assert games.place(position)["moves"] == ["1-1"]


def test_rules_in_plain_python_without_the_compiler(nim_file):
    """Every kernel as plain Python: what a method raises comes straight out."""
    code = (f"import zermelo; game = zermelo.game({nim_file!r}); "
            "print([zermelo.solve(game.start(), search).value for search in "
            "('pn', 'weak-df-pn', 'ppn')])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "NUMBA_DISABLE_JIT": "1"})
    assert done.stdout == "[<Value.WIN: 'win'>, <Value.WIN: 'win'>, <Value.WIN: 'win'>]\n", (
        done.stderr)


def test_a_key_that_fails_later():
    kind = variant(key=Forgetful(lambda self, n, state: state if n == 1 else 1 / 0))
    position = zermelo.game(kind).start()
    with pytest.raises(BadRule, match="key raised ZeroDivisionError"):
        hash(position)


def test_a_text_that_fails_is_told_with_its_method():
    game = zermelo.game(variant(format=lambda self, state: 1 / 0, parse=lambda self, text: 0))
    with pytest.raises(BadRule, match="format raised ZeroDivisionError"):
        game._written("format", ((1,), 0))


NODES, PLAYOUTS = 300, 8
QUICK = ["ews", "ppn"]  # the first plays games of its own kind
WITH_PLAYOUTS = sorted(name for name, kind in zermelo.SEARCHES.items()
                       if "playouts" in kind.__dataclass_fields__)


def connect_four():
    return zermelo.game(FIVE["connect four 5x4"][1])


def check_store(search):
    """No more positions than there are children of the nodes, where random games meet thousands."""
    options = {"leaf": "playouts"} if search == "weak-df-pn" else {}
    game = connect_four()
    result = zermelo.solve(game.start(), zermelo.SEARCHES[search](playouts=PLAYOUTS, **options),
                           nodes=NODES, plain=True)
    assert result.nodes >= NODES
    assert len(game.store) <= 1 + 5 * result.nodes
    children = {state for parent in game.store.objects if parent is not None
                and game.plain.outcome(parent) is None
                for state in (game.plain.play(parent, move) for move in game.plain.moves(parent))}
    met = {state for state in game.store.objects if state is not None}
    assert len(met) == len(game.store)
    assert met <= children | {game.state(game.start())}
    asked = len(game.store.lists)
    assert asked <= result.nodes + 1
    return len(met)


@pytest.mark.long_cases("ppn")
@pytest.mark.parametrize("search", QUICK)
def test_positions_of_random_games_are_not_kept(search):
    assert check_store(search) <= NODES + 5


@pytest.mark.full
@pytest.mark.parametrize("search", WITH_PLAYOUTS)
def test_positions_of_random_games_are_not_kept_in_any_search(search):
    check_store(search)


def test_the_choices_of_random_games_are_counted():
    """As many as there are moves, in Nim with heaps of 1: three, two, one."""
    store = zermelo.game(Nim, heap=3).store
    ones = store.add(((1, 1, 1), 0))
    for counter in range(5):
        answer = store.answer(COUNTED_GAME, ones, counter)
        assert (answer & ENDS, answer >> END_BITS) == (FIRST_WINS, 3 + 2 + 1)
    heap = store.add(((0, 0, 2), 1))
    found = {store.answer(COUNTED_GAME, heap, counter) for counter in range(20)}
    assert found == {2 << END_BITS | SECOND_WINS, 2 + 1 << END_BITS | FIRST_WINS}
    assert len(store) == 2


@pytest.mark.parametrize("longest", [3, 9])
def test_a_game_may_be_as_long_as_the_longest(longest):
    """The last move counts; one more would be too long."""
    kind = type("Long", (Nim,), {"max_length": longest, "outcome": lambda self, state:
                                 None if any(state[0]) else ("second", "first")[state[1]]})
    store = zermelo.game(kind).store
    three, four = (store.add(((1,) * n, 0)) for n in (longest, longest + 1))
    assert store.random_games(store.objects[four], 5, 1, ONGOING) == DRAW
    assert store.random_games(store.objects[three], 5, 10, FIRST_WINS) == 10
    assert store.random_games(store.objects[three], 5, 1, ONGOING) == FIRST_WINS


def broken_moves(self, state):
    if sum(state[0]) < 3:
        raise RuntimeError("no moves today")
    return Nim.moves(self, state)


def test_what_a_random_game_raises_comes_out():
    game = zermelo.game(type("Broken", (Nim,), {"moves": broken_moves}))
    with pytest.raises(BadRule, match=r"moves raised RuntimeError at (.|\n)*no moves today"):
        zermelo.solve(game.start(), "ews")
