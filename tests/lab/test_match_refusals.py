"""Matches that can't be played are refused in one sentence."""

from dataclasses import replace

import pytest
from command import call, no_room

import zermelo
from zermelo import BadOption
from zermelo.matches import random_openings

TTT = zermelo.game("tic-tac-toe")
FOUR = zermelo.game("tic-tac-toe", columns=4)
OVER = "a1 b1 a2 b2 a3"


@pytest.fixture(autouse=True)
def plain_python(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv("ZERMELO_LAB", str(tmp_path / "lab.sqlite"))


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


def test_a_match_that_is_not_refused():
    done = call("match", "tic-tac-toe", "--a", "pn", "-n", "1", "--nodes", "9", "--memory", "4MB",
                "--workers", "1", "-q")
    assert done.status == 0
    assert "1 of 1 game played" in done.out
