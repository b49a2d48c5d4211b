"""Tuning refuses what can't be run, in one sentence, before there is a store."""

import pytest
from command import call
from tuning import GRID, SMALL, TREES, pretend

import zermelo
from zermelo.core.game_files import load_file
from zermelo.errors import BadOption
from zermelo.jobs.store import Store
from zermelo.lab import each
from zermelo.lab.tune import Tuning, tune


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv("ZERMELO_LAB", str(tmp_path / "lab.sqlite"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("ZERMELO_DATA", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(["deep-df-pn", *TREES], "needs at least one option to vary, such as --vary NAME=1..20; deep"),
     (["deep-df-pn", *TREES, "--vary", "E"], "'E' is not of the form NAME=LOW..HIGH"),
     (["deep-df-pn", *TREES, "--vary", "E=1..2", "--vary", "E=3,4"], "gives 'E' a second time"),
     (["deep-df-pn", *TREES, "--vary", "E=3"], "needs two or more values, all different"),
     (["deep-df-pn", *TREES, "--vary", "E=3,4,3"], "needs two or more values, all different"),
     (["deep-df-pn", *TREES, "--vary", "E=5..1"], "is not a range: LOW is below HIGH"),
     (["deep-df-pn", *TREES, "--vary", "E=0..8:x2"], "where steps are factors, LOW is above 0"),
     (["deep-df-pn", *TREES, "--vary", "E=1..8:x1"], "and the factor above 1"),
     (["deep-df-pn", *TREES, "--vary", "E=1..8:0"], "a step above 0"),
     (["deep-df-pn", *TREES, "--vary", "E=one..8"], "'one' is not a number"),
     (["deep-df-pn", *TREES, "--vary", "E=1..inf"], "'inf' is not a number"),
     (["deep-df-pn", *TREES, "--vary", "E=1..100000"], "makes more than 10,000 values"),
     (["deep-df-pn", *TREES, "--vary", "F=1..3"], "deep-df-pn has no option 'F'; it has: "),
     (["deep-df-pn", *TREES, "--vary", "E=-1..3"], "E='-1' is not valid; it is a whole number"),
     (["deep-df-pn", *TREES, "--vary", "E=0.5..3"], "E='0.5' is not valid; it is a whole number"),
     (["pn", *TREES, "--vary", "tie=left,deepest"], "the option tie can't be climbed: its values"),
     ([*SMALL, "--strategy", "luck"], "there is no strategy 'luck'; strategies: climb, sweep, opt"),
     ([*SMALL, "--strategy", "sweep", "--vary", "epsilon=0..1:0.0002"], "has 150,030 combinations"),
     ([*SMALL, "--seeds", "0"], "--seeds 0 is not a whole number of at least 1."),
     ([*SMALL, "--flat", "0"], "--flat 0 is not a whole number of at least 1."),
     ([*SMALL, "--nodes", "0"], "the limit nodes='0' is not valid"),
     ([*SMALL, "--goal", "luck"], "luck"),
     ([*SMALL, "--take", "1"], "needs at least two different positions"),
     ([*SMALL, "--experiment", "small.py"], "brings its own positions; give it without --game"),
     ([*SMALL, "--random", "3"], "--game with one of --file, --each and --random, or --experiment"),
     (["pn2", "--vary", "a=1..9", "--game", "hex"], "a tuning needs positions: --game with one of"),
     (["pn2", "--vary", "a=1..9", "--each", "seed=1..2"], "a tuning needs positions: --game with"),
     ([*SMALL, "-g", "seed=3"], "'seed' is also given with -g."),
     (["deep-df-pn", *GRID, *TREES[:-1], "seed=3..1"], "is not of the form NAME=LOW..HIGH with"),
     (["deep-df-pn", *GRID, *TREES[:-1], "seed=3"], "is not of the form NAME=LOW..HIGH with"),
     (["deep-df-pn", *GRID, "--game", "p-game", "-g", "seed=2", "--random", "2"],
      "--random and -g seed=... do not go together"),
     (["deep-df-pn", *GRID, "--game", "hex", "--file", "none.txt"],
      "the data file none.txt is missing"),
     ([*SMALL, "--backend", "cloud"], "there is no backend 'cloud'"),
     (["luck", *SMALL[1:]], "there is no search 'luck'")],
)
def test_refused(folder, words, sentence):
    done = call("lab", "tune", *words)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert not (folder / "lab.sqlite").exists() or "cloud" in words


def test_what_the_command_leaves_with(monkeypatch):
    monkeypatch.setattr("zermelo.jobs.orders.perform", pretend)
    assert call("lab", "tune", *SMALL, "--backend", "in-process").status == 0
    assert call("lab", "tune", *SMALL, "--backend", "in-process", "--nodes", "9").status == 10


def test_refused_by_the_library():
    trees = each("p-game", "seed", range(4), depth=4)
    with pytest.raises(BadOption, match="trials='0' is not a whole number of at least 1"):
        Tuning(zermelo.DeepDFPN(), ["E=1..2"], trees, trials=0)
    with pytest.raises(BadOption, match="needs a node limit, such as nodes=1e6"):
        Tuning(zermelo.DeepDFPN(), ["E=1..2"], trees, nodes=None)


OWN = '''
from dataclasses import dataclass
from zermelo import DeepDFPN
from zermelo.errors import BadOption

@dataclass(frozen=True)
class Narrow(DeepDFPN):
    id = "narrow"

    def check(self):
        if self.E > self.D:
            raise BadOption("E is above D.")
'''


@pytest.mark.parametrize("strategy", ["climb", "sweep"])
def test_options_that_do_not_fit_together_are_left_out(folder, strategy):
    (folder / "own.py").write_text(OWN)
    narrow = load_file(folder / "own.py").Narrow
    trees = each("p-game", "seed", range(4), branching=2, depth=5)
    store = Store(folder / "lab.sqlite")

    def found(*vary):
        return tune(Tuning(narrow(), vary, trees, strategy=strategy, nodes=200, memory="20MB"),
                    store, backend="in-process")

    answer = found("E=1..4", "D=2,3")
    tried = {tuple(one["options"].values()): one["par2"] for one in answer.points}
    assert answer.best is not None
    assert all((cost is None) == (e > d) or e <= d for (e, d), cost in tried.items())
    assert any(e > d for e, d in tried)
    with pytest.raises(BadOption, match="no combination of the options that vary is valid for nar"):
        found("E=3,4", "D=1,2")
