"""Matches: openings, games by the rules, both colours, points and bounds; what is refused."""

import math
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from command import call, loads, no_room

import zermelo
from zermelo import BadOption
from zermelo.cli.play import score_lines
from zermelo.core.explicit_graph import Graph
from zermelo.game_records.record import records
from zermelo.jobs.store import Store
from zermelo.lab import Arm, Experiment, Table, each
from zermelo.lab.columns import beats
from zermelo.lab.plan import plan_of, run
from zermelo.lab.report import write_report
from zermelo.lab.results import Results, all_tables
from zermelo.lab.statistics import UNDECIDED
from zermelo.matches import (
    elo,
    imbalance,
    interval,
    noisy,
    random_openings,
    score_of,
    seed_of_round,
    student,
)
from zermelo.playing import Referee, play_game, seed_of
from zermelo.solving.result import Limits

TTT = zermelo.game("tic-tac-toe")
HERE = {"nodes": 40, "memory": "4MB", "balance": 1, "backend": "in-process"}
# Round and round: the OR player may leave to win, the AND player to win as well.
ROUND = {"a": ("or", ["b", "w"]), "b": ("and", ["a", "l"]), "w": "win", "l": "loss"}


@pytest.fixture(autouse=True)
def plain_python(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv("ZERMELO_LAB", str(tmp_path / "lab.sqlite"))


def watched(game, moves, longest=None):
    """The verdict after each of ``moves``."""
    position = game.start()
    referee, told = Referee(position, longest), []
    for move in moves:
        position = position.play(move)
        referee.see(position)
        told.append(referee.verdict())
    return told


def test_a_position_that_comes_again_is_a_draw_as_often_as_the_game_says():
    game = zermelo.graph(ROUND)
    draw = ("draw", "repetition")
    assert watched(game, "baba") == [None, None, None, draw]
    assert watched(game, "bl") == [None, ("second", "end")]
    loa = zermelo.game("lines-of-action", size=4)
    there, back = "b1-b3 a2-c2 b3-b1 c2-a2", "b1-b3 a2-c2 b3-b1 c2-a2"
    assert watched(loa, there.split())[-1] is None
    assert watched(loa, f"{there} {back}".split())[-1] == draw
    twice = zermelo.game("lines-of-action", size=4, repetition="second")
    assert watched(twice, there.split())[-1] == draw


def test_what_came_before_the_opening_counts():
    loa = zermelo.game("lines-of-action", size=4)
    way = "b1-b3 a2-c2 b3-b1 c2-a2"
    assert Referee(loa.parse(f"{way} {way}")).verdict() == ("draw", "repetition")
    assert Referee(loa.parse(way)).verdict() is None


def test_a_game_has_its_own_rule_of_repetition():
    class RepeaterLoses(Graph):
        def define(self):
            rules = super().define()
            mover = rules.mover
            return replace(rules, repeat=lambda g, path, i, n:
                           zermelo.SECOND_WINS - mover(g, path[n - 1]))

    game = RepeaterLoses(ROUND)
    assert watched(game, "ba") == [None, ("first", "repetition")]


def test_a_game_that_is_too_long_is_a_draw():
    assert watched(TTT, ["a1", "a2", "a3"], 3)[1:] == [None, ("draw", "length")]
    assert watched(TTT, ["a1", "a2", "a3"]) == [None] * 3
    won = ["a1", "b1", "a2", "b2", "a3"]
    assert watched(TTT, won, 5)[-1] == ("first", "end")


def test_a_game_between_two_searches():
    start = TTT.parse("b2 a1 c3")
    game = play_game(start, (zermelo.PN(), zermelo.DFPN()), Limits(nodes=500, memory="4MB"))
    assert game.moves[:3] == ["b2", "a1", "c3"]
    assert (game.opening, game.outcome, game.how) == (3, "draw", "end")
    assert start.origin.play(*game.moves).outcome == "draw"
    assert all(nodes > 0 for nodes in game.nodes)


def test_rounds_have_seeds_of_their_own():
    seeds = {seed_of_round(seed, round) for seed in range(20) for round in range(20)}
    assert len(seeds) == 400
    assert [seed_of_round(seed, 0) for seed in range(5)] == list(range(5))
    assert all(0 <= seed < 1 << 63 for seed in seeds)


def test_seeds_differ_by_move_and_by_seed():
    positions = [TTT.start(), TTT.parse("a1"), TTT.parse("a1 b1")]
    seeds = {seed_of(seed, position) for seed in (0, 1) for position in positions}
    assert len(seeds) == 6
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_openings_are_different_seeded_and_level():
    every = random_openings(TTT, 9, plies=4, seed=7, balance=1)
    assert [len(position.played) for position in every] == [4] * 9
    assert len({position.canonical() for position in every}) == 9
    assert every[:2] == random_openings(TTT, 2, plies=4, seed=7, balance=1)
    assert every[:2] != random_openings(TTT, 2, plies=4, seed=8, balance=1)
    level = [position for position in every if zermelo.solve(position).value == "draw"]
    assert 1 <= len(level) < 5
    assert random_openings(TTT, len(level), plies=4, seed=7, balance=9)[:1] == level[:1]


def test_a_small_game_has_few_openings():
    assert len(random_openings(TTT, 50, plies=1, balance=1)) == 3
    assert random_openings(TTT, 5, plies=0) == [TTT.start()]


def test_an_evaluation_tells_what_is_level(monkeypatch):
    game = zermelo.game("connect-four", columns=4, rows=4, line=3)
    assert imbalance(game.parse("2")) == float("inf"), "X wins in the middle"
    drawn = game.parse("311113334")
    assert zermelo.solve(drawn).value == "draw"
    assert imbalance(drawn) == 0
    monkeypatch.setattr("zermelo.matches.LOOK_NODES", 60)
    large = zermelo.game("connect-four")
    points = zermelo.solve(large.parse("4"), "pvs", nodes=60, memory="4MB").root["estimate"]
    assert imbalance(large.parse("4")) == abs(points) > 0


def test_a_match_has_both_colours_and_is_the_same_again(tmp_path):
    store = tmp_path / "s"
    played = zermelo.match(TTT, "pn", "pp", games=6, plies=2, store=store, **HERE)
    assert played.turns == [(k, 0, player) for k in range(3) for player in (0, 1)]
    assert [game.turn for game in played.games] == played.turns
    assert (played.ran, played.interrupted, played.failed) == (6, False, [])
    for game in played.games:
        end = game.start.play(*game.moves)
        assert end.outcome == game.outcome
        mine = ("first", "second")[game.turn[2]]
        assert game.value == ("draw" if end.outcome == "draw" else
                              "win" if end.outcome == mine else "loss")
    again = zermelo.match(TTT, "pn", "pp", games=6, plies=2, store=store, **HERE)
    assert (again.ran, again.games) == (0, played.games)
    assert again.complete
    assert sum(again.outcomes().values()) == 6


def test_openings_are_played_again_with_other_seeds():
    openings = [TTT.parse("a1"), TTT.parse("b2")]
    played = zermelo.match(TTT, zermelo.UCT(playouts=1), "pn", games=8, openings=openings,
                           **HERE)
    assert [turn[:2] for turn in played.turns[::2]] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert played.score.units == 2
    assert played.score.games == 8
    moves = [game.moves for game in played.games]
    assert moves[0] != moves[4] or moves[1] != moves[5] or moves[2] != moves[6]


def test_noise_is_for_both_searches():
    assert noisy(zermelo.PVS(first="null"), "5") == zermelo.PVS(first="null", noise=5)
    assert noisy(zermelo.PN(), None) == zermelo.PN()
    game = zermelo.game("connect-four", columns=4, rows=4, line=3)
    played = zermelo.match(game, "pvs", "alpha-beta", games=2, plies=2, noise=7, **HERE)
    assert (played.a.noise, played.b.noise, played.complete) == (7, 7, True)


def test_a_search_plays_itself_once_from_each_opening():
    played = zermelo.match(TTT, "pn", games=3, plies=2, **HERE)
    assert [turn[2] for turn in played.turns] == [0, 0, 0]
    assert played.b is None
    assert played.to_dict()["score"] is None


def test_a_match_that_was_stopped_keeps_its_games(tmp_path):
    def stop(progress):
        if progress.done == 3:
            raise KeyboardInterrupt

    store = tmp_path / "s"
    some = zermelo.match(TTT, "pn", "pp", games=6, plies=2, store=store, progress=stop, **HERE)
    assert some.interrupted
    assert len(some.games) == 3
    assert some.score.games == 2, "an opening counts when both its games are there"
    rest = zermelo.match(TTT, "pn", "pp", games=6, plies=2, store=store, **HERE)
    assert (rest.ran, rest.complete) == (3, True)
    assert rest.games[:3] == some.games


def test_a_game_that_can_not_be_played_is_told(tmp_path):
    (tmp_path / "bad.py").write_text(BAD)
    played = zermelo.match(zermelo.game(f"{tmp_path / 'bad.py'}:Bad"), "pn", "pp", games=2,
                           plies=0, **HERE)
    assert not played.complete
    assert played.score is None
    assert played.failed == ["error: ValueError: a bug in the rules"] * 2


BAD = '''
from zermelo import Game, Rules

class Bad(Game):
    name = "bad"

    def define(self):
        def moves(g, s, out):
            out[0], out[1] = 1, 2
            return 2

        def play(g, s, move, t):
            if s.n == 3:
                raise ValueError("a bug in the rules")
            t.n = s.n + 1

        return Rules(state=[("n", "u8")], max_moves=2, max_length=9, moves=moves, play=play,
                     mover=lambda g, s: s.n & 1, outcome=lambda g, s: 0 if s.n < 9 else 3,
                     key=lambda g, s: s.n)
'''


def test_the_command(tmp_path):
    words = ("match", "tic-tac-toe", "--a", "pn", "--b", "mcts:playouts=1", "-n", "4", "--nodes",
             "50", "--plies", "2", "--balance", "1", "--memory", "4MB", "--workers", "1", "--quiet",
             "--out",
             str(tmp_path / "games.sgf"))
    done = call(*words)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("pn against mcts:playouts=1: tic-tac-toe, 50 nodes per move\nwon ")
    assert "4 of 4 games played, 4 of them now" in done.out
    games = list(records(TTT, tmp_path / "games.sgf"))
    assert [game.name for game in games] == ["0.0a", "0.0b", "1.0a", "1.0b"]
    told = loads(call(*words, "--json").out)
    assert (told["done"], told["total"]) == (4, 4)
    assert told["score"]["games"] == 4
    assert told["b"] == {"search": "mcts", "options": {"playouts": 1}}
    (tmp_path / "openings.txt").write_text("# two\na1 b2\n.../.../... X\n")
    alone = call("match", "tic-tac-toe", "--a", "pn", "-n", "2", "--nodes", "50", "--openings",
                 str(tmp_path / "openings.txt"), "--workers", "1", "--longest", "3", "-q",
                 "--memory", "4MB")
    assert "pn against itself" in alone.out
    assert "drawn 2, 0 of them by repetition, 2 by length" in alone.out


@pytest.mark.skipif(sys.platform == "win32", reason="jobs are forked")
def test_a_request_to_end_keeps_what_is_played(tmp_path):
    """A signal ends both processes that play, and all that is done stays."""
    words = [sys.executable, "-m", "zermelo", "match", "tic-tac-toe", "--a", "pn", "--b", "pp",
             "-n", "2000", "--nodes", "40", "--plies", "2", "--balance", "1", "--memory", "4MB",
             "--workers", "2", "--store", str(tmp_path / "s"), "--json"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    first = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True)
    store, until = tmp_path / "s", time.monotonic() + 120
    while time.monotonic() < until and not (store.exists() and len(list(Store(store).every())) > 5):
        time.sleep(0.1)
    first.send_signal(signal.SIGTERM)
    some = loads(first.communicate(timeout=60)[0])
    assert (first.returncode, some["interrupted"], some["total"]) == (10, True, 2000)
    assert len(list(Store(store).every())) == some["done"] > 5
    again = zermelo.match(TTT, "pn", "pp", games=4, plies=2, store=store, **HERE)
    assert again.complete
    assert again.ran <= 1  # one of the two may have been at one of these when the signal came
    assert len(list(Store(store).every())) == some["done"] + again.ran  # none is played twice


@pytest.fixture(scope="module")
def fought(tmp_path_factory):
    """A match and a search as arms of one experiment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_DISABLE_JIT", "1")
        store = Store(tmp_path_factory.mktemp("fought") / "s")
        arms = [Arm("PN - PP", zermelo.PN(), against=zermelo.PP(), nodes=30, memory="4MB", seeds=2)]
        columns = ["games", "points", "won", "drawn", "lost", "score %", "score 95 %", "Elo",
                   "Elo 95 %", "by repetition", "mean plies"]
        one = Experiment("fought", each("p-game", "seed", range(3), branching=2, depth=5), arms,
                         tables=[Table("Match", columns, published={"points": {"PN - PP": "3-3"}})],
                         judge=None, name="fought")
        plan = plan_of(one)
        run(plan, store, workers=1, backend="in-process")
        yield plan, store


def test_a_match_is_an_arm_of_an_experiment(fought, tmp_path):
    plan, store = fought
    results = Results(plan, store)
    assert len(plan.cells) == 3 * 2 * 2
    assert results.complete
    table = all_tables(results)[0]
    assert table.header[:4] == ["arm", "jobs", "games", "points"]
    assert table.rows[0][:3] == ["PN - PP", "12", "12"]
    assert "to" in table.rows[0][table.header.index("score 95 %")]
    assert results.number("by repetition", "PN - PP") == 0
    assert results.number("mean plies", "PN - PP") == 5
    write_report(results, tmp_path)
    text = (tmp_path / "report.md").read_text()
    assert "pn against pp" in text
    assert "one with each colour" in text
    assert "*Proved* follows" not in text


def test_changes_reach_both_sides():
    one = Experiment("x", each("p-game", "seed", range(1), depth=4), [
        Arm("m", zermelo.PPN(), against=zermelo.MCPN(), nodes=30)], judge=None)
    both = plan_of(one, changes=["playouts=3"]).arms[0]
    assert (both.search.playouts, both.against.playouts) == (3, 3)
    other = plan_of(one, changes=["mcpn.playouts=3"]).arms[0]
    assert (other.search.playouts, other.against.playouts) == (60, 3)


def test_what_a_job_depends_on():
    """Jobs that play are told apart by all that matters; others keep their digests."""
    start = zermelo.game("p-game", depth=4).start()
    one = Experiment("x", each("p-game", "seed", range(1), depth=4), [
        Arm("solve", zermelo.PN(), nodes=30),
        Arm("PP", zermelo.PN(), against=zermelo.PP(), nodes=30),
        Arm("MCPN", zermelo.PN(), against=zermelo.MCPN(), nodes=30)], judge=None)
    jobs = [cell.job for cell in plan_of(one).cells]
    assert len({job.digest for job in jobs}) == 5
    assert "against" not in jobs[0]._facts()
    assert start.text == jobs[1].position
    assert type(jobs[1]).from_json(jobs[1].to_json()) == jobs[1]


@pytest.mark.parametrize(("share", "points"), [(0.5, 0), (0.75, 190.8), (0.25, -190.8),
                                              (0.64, 99.95), (1, math.inf), (0, -math.inf)])
def test_elo(share, points):
    assert elo(share) == pytest.approx(points, abs=0.05)


def test_games_are_counted_and_openings_are_the_unit():
    split = score_of([["win", "loss"]] * 3 + [["win", "win"]])
    assert (split.won, split.drawn, split.lost, split.units) == (5, 0, 3, 4)
    assert (split.points, split.games, split.share) == (5, 8, 0.625)
    assert student(3) == pytest.approx(3.182, abs=0.001)
    # By hand: the means are 0.5, 0.5, 0.5, 1; their standard deviation is 0.25.
    wide = student(3) * 0.25 / 2
    assert (split.low, split.high) == pytest.approx((0.625 - wide, min(1, 0.625 + wide)))
    # The same games, paired otherwise, say less.
    apart = score_of([["win", "win"]] * 2 + [["loss", "loss"], ["win", "loss"]])
    assert (apart.won, apart.lost) == (split.won, split.lost)
    assert apart.high - apart.low > split.high - split.low
    assert score_of([]) is None
    assert score_of([["draw"]]).points == 0.5


@pytest.mark.parametrize(("units", "words"), [(1, "2 games from 1 opening"),
                                              (3, "6 games from 3 openings")])
def test_one_opening_is_one(units, words):
    played = SimpleNamespace(score=score_of([["win", "loss"]] * units), b="pn")
    assert score_lines(played)[0].endswith(words)


def test_to_dict_is_json():
    told = score_of([["win", "win"]] * 4).to_dict()
    assert (told["elo"], told["elo_interval"][1]) == ("inf", "inf")
    assert told["interval"][0] == pytest.approx(0.5101, abs=1e-3)  # Wilson, 4 of 4


def test_equal_means_say_little_of_the_spread():
    low, high = interval([(1.0, 2)] * 20)
    assert 0.25 < low < 0.31
    assert high == pytest.approx(1 - low)
    assert interval([(1.0, 1)])[0] < 0.25
    assert interval([(0.0, 1)])[1] > 0.75


def test_openings_with_unequal_numbers_of_games():
    """The share is that of the points; by hand: 5.5 of 12, a mean of three games an opening, and
    points less share * games of -2/6, 1/12, 1/6 and 1/12."""
    two = ["win", "loss"]
    score = score_of([["win", "loss", "draw", "loss"], two, two + two, two])
    assert score.share == pytest.approx(5.5 / 12)
    wide = student(3) * math.sqrt((4 + 1 / 4 + 1 + 1 / 4) / 36 / 3 / 3**2 / 4)
    assert (score.low, score.high) == pytest.approx((5.5 / 12 - wide, 5.5 / 12 + wide))


def test_the_bounds_hold_in_nineteen_of_twenty_matches():
    """Openings that favour one side or the other, and a search that is a little better."""
    chance, held, expected = random.Random(5), 0, 0.55
    for _ in range(1_000):
        units = []
        for _ in range(50):
            lean = chance.choice([-0.3, 0, 0.3])
            units.append(["win" if chance.random() < expected + sign * lean else "loss"
                          for sign in (1, -1)])
        score = score_of(units)
        held += score.low <= expected <= score.high
    assert 0.92 <= held / 1_000 <= 0.98


@pytest.mark.parametrize(("openings", "values", "verdict"), [
    (20, ["win", "win"], True),
    (20, ["loss", "draw"], False),
    (20, ["win", "loss"], UNDECIDED),
    (19, ["win", "win"], UNDECIDED),  # too few to say
])
def test_a_verdict_takes_twenty_openings(openings, values, verdict):
    entries = [SimpleNamespace(cell=SimpleNamespace(set="s", id=str(at)),
                               row={"played": {}, "value": value})
               for at in range(openings) for value in values]
    results = SimpleNamespace(select=lambda name: entries, finished=lambda name: True)
    found, told = beats("A")(results)
    assert found == verdict
    assert told.endswith(f"{openings} openings")
    results.finished = lambda name: False
    assert beats("A")(results) == (None, "")


FOUR = zermelo.game("tic-tac-toe", columns=4)
OVER = "a1 b1 a2 b2 a3"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [({"game": "tic-tac-toe"}, "'tic-tac-toe' is not a game; zermelo.game"),
     ({"nodes": None}, "a match needs a budget for each move"),
     ({"games": 3}, "games='3' is not valid: it is a whole number of at least 1, and even"),
     ({"games": 0, "b": None}, "games='0' is not valid"),
     ({"longest": 0}, "longest='0' is not a whole number of at least 1."),
     ({"workers": 0}, "workers='0' is not a whole number of at least 1."),
     ({"seed": -1}, "seed='-1' is not a whole number from 0 to 9,223,372,036,854,775,807."),
     ({"seed": 1 << 63}, "is not a whole number from 0 to"),
     ({"a": zermelo.PVS(probabilities="none.json")}, "'none.json' can't be read"),
     ({"noise": 5}, "noise='5': pn has no such option; searches that have it: "),
     ({"openings": []}, "a match needs at least one opening."),
     ({"openings": ["a1"]}, "the opening 'a1' is not a position of tic-tac-toe."),
     ({"openings": [TTT.parse(OVER)]}, "is a finished game."),
     ({"openings": [FOUR.start()]}, "is a position of <tic-tac-toe columns=4"),
     ({"openings": [TTT.parse("a1 b1")], "longest": 2}, "longest=2: the opening"),
     ({"openings": [TTT.parse(text) for text in ("b2", "a1", "c3")]},
      "openings 2 and 3 are the same position, or mirror images"),
     ({"plies": -1}, "plies='-1' is not a whole number of at least 0."),
     ({"plies": 9}, "found no unfinished position after 9 random moves in 100 tries"),
     ({"balance": 0}, "balance='0' is not a whole number of at least 1."),
     ({"memory": "1e15"}, "each job may use"),
     ({"backend": "cloud"}, "there is no backend 'cloud'")],
)
def test_refused(changes, sentence):
    given = {"game": TTT, "a": "pn", "b": "pp", "games": 2, "nodes": 10, "memory": "4MB",
             "backend": "in-process", **changes}
    with pytest.raises(BadOption) as refused:
        zermelo.match(given.pop("game"), given.pop("a"), given.pop("b"), **given)
    assert sentence in str(refused.value)


def test_openings_that_are_none():
    with pytest.raises(BadOption, match="openings='0' is not a whole number"):
        random_openings(TTT, 0)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(["--nodes", "10", "--out", "/no/such/file"], "can't write the file '/no/such/file'"),
     (["--nodes", "10", "--out", "."], "can't write the file '.'"),
     (["--nodes", "10", "--openings", "FILE", "--plies", "3"], "--plies and --balance are for"),
     ([], "a match needs a budget for each move"),
     (["-n", "x", "--nodes", "9"], "-n 'x' is not a whole number."),
     (["--a", "pvx"], "there is no search 'pvx'")],
)
def test_the_command_refuses(words, sentence, tmp_path):
    (tmp_path / "openings.txt").write_text("a1\n")
    words = [str(tmp_path / "openings.txt") if word == "FILE" else word for word in words]
    done = call("match", "tic-tac-toe", "--b", "pn", *words)
    assert done.status == 2
    assert sentence in done.err


def test_interrupted_in_a_game(monkeypatch):
    """In one process Ctrl-C reaches the search itself, whose partial answer is no move."""
    import zermelo.playing as play

    whole = play.choose

    def interrupted(*words, **options):
        choice = whole(*words, **options)
        return replace(choice, result=replace(choice.result, stopped="interrupted"))

    monkeypatch.setattr(play, "choose", interrupted)
    with pytest.raises(KeyboardInterrupt):
        play.play_game(TTT.start(), (zermelo.PN(),) * 2, zermelo.Limits(nodes=9, memory="4MB"))
    played = zermelo.match(TTT, "pn", "pp", games=2, nodes=10, memory="4MB", plies=2,
                           backend="in-process")
    assert (played.interrupted, played.games) == (True, [])


def test_interrupted_while_openings_are_looked_at(monkeypatch):
    import zermelo.matches as openings

    result = zermelo.solve(TTT.parse("a1 b2 c3"), nodes=9, memory="4MB")
    monkeypatch.setattr(openings, "solve", lambda *_, **__: replace(result, stopped="interrupted"))
    with pytest.raises(KeyboardInterrupt):
        zermelo.match(TTT, "pn", "pp", games=2, nodes=10, memory="4MB", backend="in-process")


def test_games_that_can_not_be_written_are_kept(tmp_path, monkeypatch):
    words = ("match", "tic-tac-toe", "--a", "pn", "-n", "1", "--nodes", "9", "--memory", "4MB",
             "--workers", "1", "-q")
    no_room(monkeypatch)
    done = call(*words, "--out", str(tmp_path / "games.sgf"))
    assert done.status == 3
    assert "1 of 1 game played, 1 of them now" in done.out
    assert "wrote" not in done.out
    assert "No space left on device; the games are kept in the store" in done.err
    assert not list(tmp_path.glob("*games*"))
    assert "1 of 1 game played, 0 of them now" in call(*words).out


def test_a_game_that_failed_is_played_again(monkeypatch, tmp_path):
    from zermelo.jobs import work

    whole = work.as_row
    monkeypatch.setattr(work, "as_row", lambda *_: 1 / 0)
    words = {"games": 1, "nodes": 9, "memory": "4MB", "plies": 2, "backend": "in-process",
             "store": tmp_path / "again.sqlite"}
    failed = zermelo.match(TTT, "pn", **words)
    assert (len(failed.failed), failed.ran, failed.games) == (1, 0, [])
    monkeypatch.setattr(work, "as_row", whole)
    again = zermelo.match(TTT, "pn", **words)
    assert (again.failed, again.ran, len(again.games)) == ([], 1, 1)
