"""Retrograde analysis: values, lengths, scores and counts, against what shares nothing with it."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from brute import BruteForce
from cases import EightBits, cases, check_case
from command import call
from cyclic import RepeaterLoses, exact, graph_of, random_graph, value_of, winners
from cyclic import check_line as loa_line
from cyclic import check_moves as loa_moves
from cyclic import value as loa_value
from naive.connect_four import NaiveConnectFour
from test_depth_first_cycles import check_graph
from test_lines_of_action_search import BOARDS

import zermelo
from zermelo import Limits, Retrograde, Session
from zermelo.search.retrograde import values
from zermelo.solving import auto
from zermelo.solving.certify import write_proof
from zermelo.solving.trees import branch

EXAMPLES = Path(__file__).parents[2] / "examples"
SIDES = {"or": 0, "and": 1}


def four(columns, rows, **more):
    return zermelo.game("connect-four", columns=columns, rows=rows, **more).start()


@pytest.mark.parametrize("name", [
    "connect(4,3,3,2,1)", "tic-tac-toe", "p-game", "hex 3x3",
    *(pytest.param(name, marks=pytest.mark.full) for name in (
        "othello 4x4", "othello 4x4 loses", "connect-four 4x4", "connect-four 5x4 line 3"))])
def test_agrees_with_brute_force(name):
    for number, case in enumerate(cases(name)[::20]):
        check_case(case, Retrograde(fold=number % 2 == 0))


def lengths(nodes, player):
    """The plies in which ``player`` wins each node that it wins: one more in each round."""
    known, plies = {name: 0 for name in winners(nodes, player) if isinstance(nodes[name], str)}, 0
    while True:
        plies += 1
        new = {name for name, node in nodes.items() if name not in known
               and not isinstance(node, str)
               and (any if SIDES[node[0]] == player else all)(child in known for child in node[1])}
        if not new:
            return known
        known |= dict.fromkeys(new, plies)


def check_all(nodes):
    """The value, the moves, the line, and the length of a win."""
    value = str(check_graph(nodes, Retrograde()).value)
    result = zermelo.solve(graph_of(nodes).start(), Retrograde(), goal="shortest")
    assert all(row.value != "unknown" for row in result.moves)
    if value == "draw":
        assert result.distance is None
        return value
    mover = SIDES[nodes["n0"][0]]
    winner = mover if value == "win" else 1 - mover
    assert result.distance == len(result.line) == lengths(nodes, winner)["n0"]
    return value


def test_random_graphs_with_cycles():
    values = Counter(check_all(random_graph(seed)) for seed in range(200))
    assert min(values["win"], values["draw"], values["loss"]) > 20


@pytest.mark.long
def test_ten_thousand_graphs():
    values = Counter(check_all(random_graph(seed)) for seed in range(1_000, 11_000))
    assert min(values["win"], values["draw"], values["loss"]) > 1_000


@pytest.mark.parametrize("fold", [False, True])
def test_positions_are_counted(fold):
    """Tromp's counts of Connect Four; in tic-tac-toe 5,478 boards, 765 but for symmetry."""
    known = {(4, 4): 161_029, (4, 5): 1_706_255, (5, 4): 3_945_711}
    for (columns, rows), count in list(known.items())[:2 if fold else 3]:
        result = zermelo.solve(four(columns, rows), Retrograde(fold=fold))
        assert (result.value, result.proved) == ("draw", True)
        assert fold or result.nodes == count
        assert count / 2 <= result.nodes <= count
    result = zermelo.solve(zermelo.game("tic-tac-toe").start(), Retrograde(fold=fold))
    assert result.nodes == (765 if fold else 5_478)


@pytest.mark.parametrize(("game", "value", "plies", "count"), [
    ("NineHoles", "draw", None, 5_470), ("ThreeMensMorris", "win", 9, 5_390),
    ("Achi", "win", 11, 5_716), ("PongHauKi", "draw", None, 56), ("Dodgem", "win", 19, 1_963),
    ("LGame", "draw", None, 73_232)])
def test_small_games(game, value, plies, count, tmp_path):
    """Values that are known, by plain retrograde analysis over the same rules."""
    start = zermelo.game(f"{EXAMPLES / 'small_games.py'}:{game}").start()
    session = Session(start, Retrograde())
    result = session.run()
    assert (result.value, result.nodes, result.proved) == (value, count, True)
    assert result.root.get("plies") == plies
    if game != "LGame":
        assert plain_analysis(start.game.plain)[0] == {"draw": 0, "win": 1}[value]
        assert plain_analysis(start.game.plain)[1] == count
        assert write_proof(session, tmp_path / "proof").report.verified


def plain_analysis(rules):
    """(who wins, 1 for the first player, 0, -1; how many positions) of a game in plain Python."""
    after, todo = {}, [rules.start()]
    while todo:
        state = todo.pop()
        if state not in after:
            over = rules.outcome(state) is not None
            after[state] = [] if over else [rules.play(state, m) for m in rules.moves(state)]
            todo += after[state]
    worth = {}
    for state, below in after.items():
        if not below:
            end = rules.outcome(state) or ("second", "first")[rules.mover(state)]
            worth[state] = {"first": 1, "second": -1, "draw": 0}[end]
    while True:
        before = len(worth)
        for state, below in after.items():
            mine = 1 - 2 * rules.mover(state)
            if below and state not in worth:
                known = [worth.get(child, 0) for child in below]
                if mine in known:
                    worth[state] = mine
                elif all(value == -mine for value in known):
                    worth[state] = -mine
        if len(worth) == before:
            return worth.get(rules.start(), 0), len(after)


def test_lines_of_action():
    size, most, both, _ = BOARDS["3x3"]
    game, rules, winner, ongoing = exact(size, most, both)
    for state in ongoing[::7]:
        result = zermelo.solve(game.parse(rules.text(state)), Retrograde())
        assert (result.value, result.proved) == (loa_value(state, winner), True)
        if result.value != "draw":
            loa_line(rules, state, winner, result)
        loa_moves(rules, state, winner, result)


def test_scores_and_lengths_are_those_of_other_searches():
    for text in ("start", "b1 a1 a2"):
        position = zermelo.game("othello", size=4).parse(text)
        mine = zermelo.solve(position, Retrograde(), goal="score")
        assert mine.score == zermelo.solve(position, "df-pn", goal="score").score
        assert mine.score[0] == mine.score[1]
    four_wide = zermelo.game("connect-four", columns=4, rows=4, line=3)
    for text in ("start", "1", "12", "144"):
        position = four_wide.parse(text)
        mine = zermelo.solve(position, Retrograde(), goal="shortest")
        other = zermelo.solve(position, "weak-df-pn", goal="shortest")
        assert (mine.value, mine.distance) == (other.value, other.distance)
        assert len(mine.line) == mine.distance


def test_every_position_has_its_value():
    """Walks along any moves, folded or not, against brute force."""
    chance, brute = random.Random(3), BruteForce(NaiveConnectFour(columns=4, rows=4, line=3))
    for fold in (False, True):
        session = Session(four(4, 4, line=3), Retrograde(fold=fold))
        session.run()
        for _ in range(20):
            path, position = [], session.position
            while position.outcome is None:
                path.append(chance.choice(position.moves()))
                position = position.play(path[-1])
                worth = brute.for_player(brute.naive.from_position(position), 0)
                shown = branch(session, path)
                assert shown["node"]["status"] == ("won" if worth == 1 else "lost")
                for child in shown["children"]:
                    state = brute.naive.from_position(position.play(child["move"]))
                    assert (child["status"] == "won") == (brute.for_player(state, 0) == 1)


def test_poor_keys_change_nothing():
    poor = zermelo.game(EightBits, columns=4, rows=4)
    result = zermelo.solve(poor.start(), Retrograde(fold=False))
    assert (result.value, result.nodes) == ("draw", 161_029)


def test_limits_are_kept_and_work_goes_on():
    whole = zermelo.solve(four(4, 4), Retrograde())
    session = Session(four(4, 4), Retrograde())
    stopped = session.run(Limits(nodes=1_000))
    assert (stopped.stopped, stopped.value, stopped.root) == (
        "nodes", "unknown", {"waiting": stopped.nodes - stopped.iterations})
    assert 1_000 <= stopped.nodes < 1_004
    assert branch(session, ["1"])["node"]["status"] == "unknown"
    assert session.run(Limits(nodes=20_000)).nodes < 20_004
    result = session.run()
    assert (result.value, result.nodes, result.iterations) == (
        "draw", whole.nodes, whole.iterations)
    small = zermelo.solve(four(5, 4), Retrograde(), memory="1MB")
    assert (small.stopped, small.value) == ("memory", "unknown")
    assert small.peak_bytes <= 1e6


@pytest.mark.parametrize("fold", [False, True])
def test_what_does_not_fit_is_forgotten(fold, tmp_path):
    """Of a game that can't repeat two layers are enough; other searches write its certificate."""
    whole = zermelo.solve(four(4, 4), Retrograde(fold=fold))
    assert whole.peak_bytes > 2_000_000
    session = Session(four(4, 4), Retrograde(fold=fold))
    result = session.run(Limits(memory="2MB" if fold else "4MB"))
    assert (result.value, result.nodes, result.line) == (whole.value, whole.nodes, whole.line)
    assert (whole.counters["exact"], result.counters["exact"]) == (True, False)
    assert result.peak_bytes < whole.peak_bytes - 1_000_000
    if fold:
        assert write_proof(session, tmp_path / "proof").report.verified
    cyclic = zermelo.game(f"{EXAMPLES / 'small_games.py'}:LGame").start()
    assert zermelo.solve(cyclic, Retrograde(), memory="2MB").stopped == "memory"


@pytest.mark.parametrize(("nodes", "memory"), [(500, None), (50_000, None), (None, None),
                                               (60_000, "2MB")])
def test_checkpoints(nodes, memory, tmp_path):
    whole = Session(four(4, 4), Retrograde()).run()
    session = Session(four(4, 4), Retrograde())
    stopped = session.run(Limits(nodes=nodes, memory=memory))
    assert stopped.counters["exact"] == (memory is None)
    session.save(tmp_path / "checkpoint")
    again = Session.load(tmp_path / "checkpoint")
    result = again.run()
    assert (result.value, result.nodes, result.line) == (whole.value, whole.nodes, whole.line)


def test_certificates_of_random_graphs(tmp_path):
    """Wins have ranks, and draws two claims; graphs need a checker with their own rules."""
    kinds = Counter()
    for seed in range(20):
        nodes = random_graph(seed)
        session = Session(graph_of(nodes).start(), Retrograde())
        session.run()
        written = write_proof(session, tmp_path / "proof")
        assert written.report.verified
        kinds[value_of(nodes, "n0")] += 1
    assert len(kinds) == 3


def test_rules_for_repetitions_are_refused():
    nodes = random_graph(1)
    game = RepeaterLoses(nodes, root="n0")
    with pytest.raises(zermelo.BadOption, match="retrograde: graph has its own rule for repet"):
        zermelo.solve(game.start(), Retrograde())


def test_more_moves_than_a_position_may_have_are_refused():
    class Wide(type(four(4, 4).game)):
        def define(self):
            return replace(super().define(), max_moves=1 << 16)

    with pytest.raises(zermelo.BadOption, match="max_moves=65,536; at most 65,535 are valid"):
        zermelo.solve(Wide(columns=4, rows=4).start(), Retrograde())


def test_faults_of_plain_games():
    class Broken(zermelo.PlainGame):
        def start(self):
            return 0

        def moves(self, state):
            return [1, 2]

        def play(self, state, move):
            if state > 5:
                raise ValueError("too far")
            return state + move

        def mover(self, state):
            return state % 2

        def outcome(self, state):
            return None

    with pytest.raises(zermelo.BadRule, match="play raised ValueError at '6'"):
        zermelo.solve(zermelo.game(Broken).start(), Retrograde())


@pytest.mark.usefixtures("without_jit")
def test_plain_python():
    """The same without the compiler."""
    result = zermelo.solve(zermelo.game("tic-tac-toe").parse("a1 b2"), Retrograde())
    assert (result.value, result.proved) == ("draw", True)
    assert check_all(random_graph(3)) in ("win", "draw", "loss")

NINE_HOLES = f"{EXAMPLES / 'small_games.py'}:NineHoles"


def test_small_games_are_solved_whole_where_no_search_is_asked_for(tmp_path):
    start = zermelo.game(NINE_HOLES).start()
    for chosen in (None, "auto"):
        result = zermelo.solve(start, chosen)
        assert (result.value, result.proved, result.search.id) == ("draw", True, "retrograde")
    assert zermelo.solve(start, "weak-df-pn", nodes=3_000).search.id == "weak-df-pn"
    assert zermelo.solve(start, nodes=3_000).value == "unknown"  # too few for all positions
    session = zermelo.start(start, goal="shortest")
    assert session.run(zermelo.Limits(nodes=100)).search.id == "weak-df-pn"
    assert session.run().search.id == "retrograde"
    assert zermelo.write_proof(session, tmp_path / "proof").report.verified
    values = zermelo.Values(start).run()
    assert {row.value for row in values.moves} == {"draw"}


def test_it_says_so():
    done = call("solve", NINE_HOLES, "-q")
    assert done.status == 0
    assert "retrograde: 5,470 nodes" in done.out


def usual(nodes=None):
    session = Session(zermelo.game("tic-tac-toe").parse("a1"), plain=True)
    return session, session.run(Limits(nodes=nodes))


def test_any_game_that_is_stuck_is_tried(monkeypatch):
    alone = zermelo.solve(zermelo.game("tic-tac-toe").parse("a1"), "weak-df-pn", plain=True)
    assert alone.nodes > 60
    monkeypatch.setattr(auto, "LATE", (50, 1_000))
    _, result = usual()
    assert (result.value, result.search.id) == ("draw", "retrograde")
    monkeypatch.setattr(auto, "LATE", (50, 100))  # there are more positions than that
    _, result = usual()
    assert (result.value, result.search.id) == ("draw", "weak-df-pn")
    assert result.nodes == alone.nodes


def test_a_checkpoint_knows_what_was_tried(monkeypatch, tmp_path):
    for most, search in ((1_000, "retrograde"), (100, "weak-df-pn")):
        monkeypatch.setattr(auto, "LATE", (50, most))
        for nodes in (20, 51 + most, None):
            session, _ = usual(nodes)
            session.save(tmp_path / "file")
            result = Session.load(tmp_path / "file").run()
            assert (result.value, result.search.id) == ("draw", search)
            assert result.nodes == usual()[1].nodes


@pytest.mark.parametrize("step", ["cumsum", "flatnonzero"])
def test_interrupts_between_steps(monkeypatch, step):
    """Whatever was begun between two kernels is done again."""
    happened = 0
    for seed in range(20):
        nodes, right = random_graph(seed), getattr(np, step)
        session, times = Session(graph_of(nodes).start(), Retrograde()), [0]

        def interrupted(*arguments, right=right, times=times, **more):
            found = right(*arguments, **more)
            times[0] += 1
            if times[0] == 1:
                raise KeyboardInterrupt
            return found

        monkeypatch.setattr(values.np, step, interrupted)
        session.advance()
        monkeypatch.undo()
        assert session.stopped == ("interrupted" if times[0] else "solved")
        assert session.run().value == value_of(nodes, "n0")
        happened += times[0] > 0
    assert happened > 5
