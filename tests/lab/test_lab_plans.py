"""Experiments as plans: sizes, changes, digests, positions, leases of the store, workers."""

import csv
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from command import call

import zermelo
from zermelo.compiler.compile_stats import stats
from zermelo.games.registry import game_class
from zermelo.jobs.hire import workers_with
from zermelo.jobs.job import Job
from zermelo.jobs.store import Store
from zermelo.jobs.work import perform
from zermelo.lab import (
    Arm,
    Experiment,
    Judge,
    Positions,
    Size,
    arms,
    each,
    from_file,
    generated,
    texts,
)
from zermelo.lab.experiment import data_file, experiment
from zermelo.lab.plan import largest_memory, plan_of, run
from zermelo.search.code import code_digest

pytestmark = pytest.mark.usefixtures("without_jit")

EXAMPLES = Path(__file__).parents[2] / "examples"
TICTACTOE = ["a1 b1 a2 b2", "a1 b2 c3 a3 c1", "a1 a2 b2 c3"]


def test_sizes_and_changes():
    one = Experiment("x", each("p-game", "seed", range(9), depth=4, take=Size(2, full=5)),
                     arms(["pn", zermelo.PPN(pr=0.1)], nodes=Size(10, full="1e6"), time="2m"))
    small, full = plan_of(one), plan_of(one, full=True)
    assert (len(small.cells), len(full.cells)) == (4, 10)
    job = full.cells[0].job
    assert (job.nodes, job.time, job.wall, job.memory) == (10**6, 120.0, 540.0, 10**9)
    assert [arm.name for arm in small.arms] == ["pn", "ppn pr=0.1"]
    changed = plan_of(one, changes=["ppn pr=0.1.nodes=77", "ppn.theta=0.2", "wall=9", "seeds=2",
                                    "take=1", "judge.nodes=5", "judge.moves=yes", "plain=false",
                                    "time=none"], seed=5)
    pn, ppn = changed.cells[0].job, changed.cells[2].job
    assert (pn.nodes, ppn.nodes, ppn.options["theta"], ppn.options["pr"]) == (10, 77, 0.2, 0.1)
    assert (pn.wall, pn.plain, pn.time, pn.trace) == (9.0, False, None, None)
    assert [cell.seed for cell in changed.cells] == [5, 6, 5, 6]
    assert (changed.judge.nodes, changed.judge.moves) == ("5", True)
    assert len(plan_of(one, only=["pn"]).cells) == 2


def test_a_run_that_is_stopped_has_some_of_each_set():
    one = Experiment("x", [texts("tic-tac-toe", TICTACTOE, name="three"),
                           texts("tic-tac-toe", ["a1 b2", "c3 b2"], name="two")],
                     arms(["pn", "pp"], nodes=100))
    plan = plan_of(one)
    of = {cell.job.digest: (cell.set, cell.id) for cell in plan.cells}
    assert [of[digest] for digest in plan.in_turn][::2] == [
        ("three", "0"), ("two", "0"), ("three", "1"), ("two", "1"), ("three", "2")]
    assert plan.in_turn == plan.jobs


@pytest.mark.parametrize("kind", ["solve", "prove"])
def test_the_time_of_a_job_is_that_of_the_processor(monkeypatch, kind):
    """A machine on which an hour goes by between two looks at a clock."""
    one = Experiment("x", texts("tic-tac-toe", TICTACTOE), arms(["pn"], nodes=500, time=100))
    job = replace(plan_of(one).cells[1].job, kind=kind)
    hours = iter(range(0, 10**9, 3600))
    slow = partial(next, hours)
    monkeypatch.setattr(stats, "clock", slow)
    row = perform(job)
    assert (row["status"], row["stopped"]) == ("done", "solved")
    assert 0 < row["seconds"] < 100
    assert stats.clock is slow, "the clock is put back"
    monkeypatch.setattr("time.process_time", slow)
    assert perform(job)["stopped"] == "time"


def test_zones_of_an_arm_are_those_of_its_job():
    kept = [False, True, zermelo.Zones(), zermelo.Zones(width=3, eager=False)]
    one = Experiment("x", texts("tic-tac-toe", TICTACTOE), [
        Arm(str(n), zermelo.PN(), nodes=100, candidates=zones) for n, zones in enumerate(kept)])
    jobs = [cell.job for cell in plan_of(one).cells if cell.id == plan_of(one).cells[0].id]
    assert [job.zones for job in jobs] == kept
    assert len({job.digest for job in jobs}) == len(kept)
    assert all(Job.from_json(job.to_json()) == job for job in jobs)


def test_a_digest_is_of_everything_that_determines_the_answer():
    one = Experiment("x", texts("tic-tac-toe", TICTACTOE), arms(["pn"], nodes=100))
    job = plan_of(one).cells[0].job
    assert Job.from_json(job.to_json()) == job
    others = [replace(job, **{name: value}) for name, value in {
        "position": "a1", "search": "pp", "options": {"tie": "deepest"}, "seed": 1, "goal": "value",
        "plain": False, "nodes": 101, "time": 3.0, "memory": 7, "wall": 8.0, "trace": 9,
        "version": "9", "code": "c", "kind": "prove", "parameters": {"rows": 4},
        "game": "gomoku", "moves": True, "certificate": True}.items()]
    assert len({other.digest for other in [job, *others]}) == 19
    assert replace(job, version="9", code="c").task == job.task
    assert replace(job, game="/somewhere/file.py:Own").digest == \
        replace(job, game="/elsewhere/file.py:Own").digest
    assert {cell.job.question for cell in plan_of(one).cells} != {job.question}


def test_the_code_of_a_game_and_a_search_is_part_of_the_digest(tmp_path):
    from zermelo.search import code

    pn, uct, dfpn = zermelo.PN(), zermelo.UCT(), zermelo.DFPN()
    hex, othello = zermelo.game("hex"), zermelo.game("othello")
    assert code_digest(hex, pn) == code_digest(hex, uct) != code_digest(hex, dfpn)
    assert code_digest(hex, pn) != code_digest(othello, pn)
    borrowed = set().union(*(code._reached(path, code._named_in)
                             for path in (code.PACKAGE / "search/minimax").glob("*.py")))
    assert {"search/common/table.py", "search/common/rules.py"} <= {
        path.relative_to(code.PACKAGE).as_posix() for path in borrowed}
    assert not any(path.name == "registry.py" for path in borrowed)
    rules = code._reached(code.PACKAGE / "games/lines_of_action/rules.py", code._named_in)
    assert code.PACKAGE / "games/othello/game.py" in rules
    texts = ['"""One."""\nx = 1\n', '"""Two."""\nx = 1  # why\n', "x = 2\n"]
    for number, source in enumerate(texts):
        (tmp_path / f"{number}.py").write_text(source)
    digests = [code._file_digest(tmp_path / f"{number}.py") for number in range(3)]
    assert digests[0] == digests[1] != digests[2]


def test_sets_of_positions(tmp_path, monkeypatch):
    (tmp_path / "tic-tac-toe").mkdir()
    (tmp_path / "tic-tac-toe" / "some.txt").write_text("XO.\n.X.\n...\n".replace("\n", "") + "\n\n"
                                                       + "XXXOO....\nX........\n# a comment\n")
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    assert data_file("tic-tac-toe/some.txt").is_file()
    some = from_file("tic-tac-toe/some.txt", "tic-tac-toe", unfinished=True, side="O", name="some")
    assert [id for id, _ in some.positions()] == ["0", "3"]
    assert [id for id, _ in replace(some, take=1).positions()] == ["0"]
    only = from_file("tic-tac-toe/some.txt", "tic-tac-toe", ids=[3], side="O")
    assert [(id, position.to_move) for id, position in only.positions()] == [("3", "O")]
    made = generated("tic-tac-toe", 4, 12, seed=3).positions()
    assert len({position for _, position in made}) == 12
    assert all(position.outcome is None and position.text.count("X") >= 2 for _, position in made)
    assert made[:5] == generated("tic-tac-toe", 4, 5, seed=3).positions()
    assert made[:5] != generated("tic-tac-toe", 4, 5, seed=4).positions()


def test_the_store_leases_jobs(tmp_path):
    mine, other = Store(tmp_path / "s"), Store(tmp_path / "s")
    assert mine.claim("a")
    assert not other.claim("a")
    assert mine.claim("a")
    assert other.at_work() == 1
    mine.db.execute("update claims set until = 1")
    assert other.claim("a")  # the lease was over
    other.db.execute("update claims set process = '999999999/1'")
    assert mine.claim("a")  # its process is gone
    mine.db.execute("update claims set machine = 'elsewhere', process = '999999999/1'")
    assert not other.claim("a")  # nobody here can tell
    mine.db.execute("update claims set until = 1")
    mine.renew()
    assert not other.claim("a")
    mine.end()
    assert other.claim("a")


def test_workers_fit_the_memory_together(monkeypatch):
    one = Experiment("x", texts("tic-tac-toe", TICTACTOE), arms(["pn"], memory="600MB"),
                     judge=Judge(memory="100MB"))
    monkeypatch.setattr("zermelo.jobs.hire.free_memory", lambda: 3 * 10**9)
    assert workers_with(largest_memory(plan_of(one)), 2) == (2, None)
    fit, note = workers_with(largest_memory(plan_of(one)), 8)
    assert fit == 2
    assert note.startswith("2 workers instead of 8: each may use 1.0 GB, and 3.0 GB are free")


def test_the_published_experiment_is_as_published(tmp_path, monkeypatch):
    (tmp_path / "connect-four").mkdir()
    (tmp_path / "connect-four" / "openings.txt").write_text(
        "*******************O******XOX****XXOOOX*OX\n*******O******O******X***O**O*X*X**XOXXO**\n")
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    plan = plan_of(experiment("connect-four-searches"), full=True)
    assert {(cell.arm == "PN", cell.job.nodes) for cell in plan.cells} == {
        (True, 35_000_000), (False, 3_350_000)}  # the nodes of 420 s, by the paper's table 1
    assert {cell.job.options.get("theta") for cell in plan.cells} == {None, 0.01}
    assert {cell.job.options.get("playouts") for cell in plan.cells} == {None, 60}
    assert {(cell.job.goal, cell.job.plain) for cell in plan.cells} == {("win", True)}
    assert [position.to_move for position in plan.positions.values()] == ["X", "X"]


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="jobs are forked")
def test_compiled_kernels_give_the_same_rows_in_a_child(tmp_path, monkeypatch):
    one = Experiment("x", texts("tic-tac-toe", TICTACTOE), arms(["pn"], nodes=300, memory="20MB"),
                     judge=None, name="x")
    rows = []
    for setting, backend in (("1", "in-process"), ("0", "processes")):
        monkeypatch.setenv("NUMBA_DISABLE_JIT", setting)
        store = Store(tmp_path / f"{setting}.sqlite")
        outcome = run(plan_of(one), store, workers=1, backend=backend)
        assert (outcome.done, outcome.statuses) == (3, {"done": 3})
        rows.append([{name: row[name] for name in ("task", "value", "nodes", "iterations", "root")}
                     for row in store.every()])
    assert sorted(rows[0], key=str) == sorted(rows[1], key=str)


def test_positions_can_be_any_function():
    def make():
        yield "mine", zermelo.game("tic-tac-toe").parse(TICTACTOE[0])

    assert [id for id, _ in Positions("own", make).positions()] == ["mine"]


def test_a_set_is_named_after_its_game_however_that_is_given(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_LAB", str(tmp_path / "lab.sqlite"))
    monkeypatch.chdir(tmp_path)
    chomp = f"{EXAMPLES / 'chomp.py'}:Chomp"
    kind, made = game_class(chomp), zermelo.game(chomp)
    for given in (kind, made):
        assert texts(given, ["2x1"]).name == "chomp"
        assert generated(given, 1, 2).name == "chomp after 1 moves"
    plain = game_class(f"{EXAMPLES / 'plain_connect_four.py'}").kind
    assert [texts(one, []).name for one in (plain, plain())] == [zermelo.game(plain).name] * 2
    trees = each(zermelo.game("p-game", depth=3), "seed", range(2), branching=2)
    assert (trees.name, trees.note) == ("p-game", "p-game, seed from 0 to 1: ours")
    assert [position.game["depth"] for _, position in trees.positions()] == [3, 3]
    with pytest.raises(zermelo.UnknownGame, match="'7' is neither the name of a game nor"):
        texts(7, ["start"]).positions()

    (tmp_path / "bars.py").write_text(
        "import zermelo\nfrom zermelo.lab import *\n"
        f"experiment = Experiment('Bars', texts(zermelo.game({chomp!r}), ['2x1', '2x2']),\n"
        "    arms(['pn'], nodes=1000), tables=[Table('By set', rows='set')])\n")
    for command in ("run --backend in-process", "report", "export"):
        assert call("lab", *command.split()[:1], "bars.py", *command.split()[1:]).status == 0
    assert "| chomp " in (tmp_path / "bars-report" / "report.md").read_text()
    with (tmp_path / "bars-export" / "jobs.csv").open() as file:
        assert {row["set"] for row in csv.DictReader(file)} == {"chomp"}
