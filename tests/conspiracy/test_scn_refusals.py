"""Bad input to scn and progress: one sentence that repeats it and says what is valid."""

from pathlib import Path

import pytest
from command import call
from trees import OPEN, Tree

import zermelo
from zermelo import errors
from zermelo.conspiracy.scn import scn
from zermelo.game_records import chart
from zermelo.game_records.progress import progress

SMALL = ["-g", "columns=4", "-g", "rows=4"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"T": "much"}, "T='much' is not a threshold; it is a whole number of points"),
        ({"T": 10**9}, "T='1000000000' is not a threshold"),
        ({"T": 2_000_000}, "points from -2000000 to 1000000, or win."),
        ({"T": "--5"}, "T='--5' is not a threshold"),
        ({"T": "+-5"}, "T='+-5' is not a threshold"),
        ({"T": True}, "T='True' is not a threshold"),
        ({"T": 1.5}, "T='1.5' is not a threshold"),
        ({"T": ()}, "give from 1 to 16 thresholds"),
        ({"T": range(99)}, "give from 1 to 16 thresholds"),
        ({"depth": 0}, "depth='0' is not a whole number from 1 to 100"),
        ({"depth": "5"}, "depth='5' is not a whole number"),
        ({"pruned": -1}, "pruned='-1' is not a whole number from 0"),
        ({"scale": 0}, "scale='0' is not a number from"),
        ({"scale": float("nan")}, "scale='nan' is not a number from"),
        ({"unseen": 2}, "unseen='2' is not a number from 0 to 1"),
        ({"nodes": 0}, "the limit nodes='0'"),
    ],
)
def test_options_are_checked(options, sentence):
    start = zermelo.game("connect-four", columns=4, rows=4).start()
    with pytest.raises(errors.BadOption) as caught:
        scn(start, **options)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_games_and_positions_are_checked():
    with pytest.raises(errors.BadOption, match="'start' is not a Position"):
        scn("start")
    with pytest.raises(errors.BadOption, match="tic-tac-toe does not"):
        scn(zermelo.game("tic-tac-toe").start(), 5)
    with pytest.raises(errors.BadOption, match="says which moves are captures; connect-four does"):
        scn(zermelo.game("connect-four").start(), 5, quiescence=True)
    assert call("scn", "connect-four", "start", *SMALL, "--quiescence").status == 2
    tree = Tree((0, [(OPEN, 3)])).start()
    with pytest.raises(errors.BadOption, match="tree does not say how many points"):
        scn(tree)
    with pytest.raises(errors.BadOption, match="workers='0' is not a whole number"):
        progress(zermelo.game("connect-four"), "1", workers=0)


def test_a_game_with_too_many_moves_is_refused(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    tree = Tree((0, [(0, [(OPEN, 3)] * 9)])).start()
    with pytest.raises(errors.BadGame, match="more moves than max_moves=8"):
        scn(tree, 5, 2)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["scn", "connect-four", *SMALL, "-T", "x"], "T='x' is not a threshold"),
        (["scn", "connect-four", *SMALL, "--depth", "x"], "--depth 'x' is not a whole number"),
        (["scn", "connect-four", *SMALL, "--depth", "101"], "depth='101'"),
        (["scn", "connect-four", *SMALL, "--scale", "x"], "--scale 'x' is not a number"),
        (["scn", "connect-four", *SMALL, "9"], "'9'"),
        (["scn", "hex"], "hex does not"),
        (["progress", "connect-four", *SMALL], "give either a record or --file"),
        (["progress", "connect-four", *SMALL, "1 9"], "move 2: '9'"),
        (["progress", "connect-four", *SMALL, "1", "--workers", "0"], "workers='0'"),
        (["progress", "connect-four", *SMALL, "1", "--out", "chart.gif"],
         "--out 'chart.gif': the name must end in .svg, .png, .csv"),
        (["progress", "connect-four", *SMALL, "1", "--out", "no/chart.svg"],
         "--out 'no/chart.svg': there is no such directory"),
        (["progress", "chess", "e4"], "there is no game 'chess'"),
    ],
)
def test_bad_words_are_refused(words, sentence):
    done = call(*words)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


def test_charts_need_matplotlib_and_a_place(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    found = progress(zermelo.game("connect-four", columns=4, rows=4), "1", depth=1)
    (tmp_path / "taken.csv").mkdir()
    with pytest.raises(errors.BadOption, match=r"taken.csv': it is a directory, not a file"):
        chart.write(found, str(tmp_path / "taken.csv"))
    monkeypatch.setattr(chart, "find_spec", lambda name: None)
    with pytest.raises(errors.BadOption, match="matplotlib, which is not installed"):
        chart.write(found, str(tmp_path / "chart.svg"))
    chart.write(found, str(Path(tmp_path) / "chart.csv"))


def test_what_is_right_is_not_refused(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert call("scn", "connect-four", *SMALL, "--depth", "1", "--scale", "7.5").status == 0
    assert call("progress", "connect-four", *SMALL, "1", "--depth", "1").status == 0
    assert call("scn", "connect-four", *SMALL, "--depth", "2", "--nodes", "1").status == 10
