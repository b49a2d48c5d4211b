"""One position, many workers: answers, journals, certificates, and that work can be repeated."""

import pytest
from brute import VALUES
from cases import cases, check_line
from crews import distributed, paid_twice, rows_of

import zermelo
from zermelo.cluster.master import HANDFUL, Budgets
from zermelo.cluster.session import Distributed, TreeRun
from zermelo.solving.result import Limits

# Those of 100 that take most visits.
HARD = [("hex 3x3", 26), ("hex 3x3", 63), ("othello 4x4", 77), ("othello 4x4", 10),
        ("othello 4x4", 37)]


def hard():
    return [cases(name)[number] for name, number in HARD]


def hardest():
    return hard()[0]


@pytest.mark.quick_cases("2")
@pytest.mark.parametrize("workers", [1, 2, 5])
def test_values_and_certificates(workers, tmp_path):
    many = 0
    for position, state, brute in hard():
        with distributed(position, workers=workers) as solver:
            result = solver.run()
            assert (result.proved, result.concluded, result.by) == (False, True, "workers")
            assert str(result.value) == VALUES[brute.value(state)]
            if result.value != "draw":
                check_line(result, brute, state)
            assert result.move in position.moves()
            assert solver.write_proof(tmp_path / "value.proof").report.verified
            many += result.counters["jobs"]
            for row in result.moves:
                assert not row.proved
                if row.value != "unknown":
                    after = brute.naive.play(state, row.move)
                    truth = VALUES[brute.for_player(after, brute.naive.mover(state))]
                    assert row.value == truth or (row.value == "not-win" and truth != "win")
    assert many > 30


def test_workers_with_several_threads(tmp_path):
    journal = tmp_path / "journal"
    position, state, brute = hardest()
    with distributed(position, workers=2, threads=2, journal=journal) as solver:
        assert solver.run(Limits(nodes=60)).stopped == "nodes"
        assert 0 <= solver.progress().efficiency <= 1
    with distributed(position, workers=1, threads=3, journal=journal) as solver:
        assert solver.run().value == VALUES[brute.value(state)]
        assert solver.write_proof(tmp_path / "value.proof").report.verified
        assert len(solver.master.crew.workers[0].table.stacks) == 3


def test_search_goal_and_options(tmp_path):
    position, state, brute = next(
        case for case in cases("othello 4x4") if case[0].outcome is None)
    won = brute.value(state) == 1
    with distributed(position, goal="win") as solver:
        assert solver.run().value == ("win" if won else "not-win")
        assert solver.write_proof(tmp_path / "win.proof").report.verified
    with distributed(position, None, goal="score", plain=False, workers=3) as solver:
        result = solver.run()
        assert result.score == zermelo.solve(position, goal="score").score


def test_rounds_can_be_repeated():
    position = hardest()[0]
    rows = []
    for _ in range(2):
        with distributed(position, workers=3, rounds=True) as solver:
            result = solver.run()
            rows.append((result.nodes, result.iterations, result.counters["jobs"]))
    assert rows[0] == rows[1]


def test_a_journal_goes_on_with_more_or_fewer_workers(tmp_path):
    position, state, brute = hardest()
    journal, nodes = tmp_path / "journal", 0
    for workers in (2, 4, 1, 3):
        nodes += 60
        with distributed(position, workers=workers, journal=journal) as solver:
            assert solver.visits == sum(tree.visits for tree in solver.trees)
            result = solver.run(Limits(nodes=nodes))
            assert result.stopped == "nodes"
            assert nodes <= solver.visits < nodes + HANDFUL
        assert sum(row[3] for row in rows_of(journal)) == result.nodes
    result = zermelo.resume_journal(journal, workers=2, backend="inline",
                                    proof=tmp_path / "value.proof")
    assert str(result.value) == VALUES[brute.value(state)]
    assert zermelo.verify(tmp_path / "value.proof").verified
    assert paid_twice(rows_of(journal)) == 0
    with distributed(position, journal=journal) as solver:  # all is known: nothing is searched
        rows = solver.journal.rows
        assert solver.run().value == result.value
        assert solver.journal.rows == rows


def test_progress_and_the_tree_as_a_run():
    position = hardest()[0]
    told = []
    with distributed(position) as solver:
        solver.run(Limits(nodes=30), told.append)
        assert told[-1].visits == solver.visits
        assert 0 <= told[-1].efficiency <= 1
        run = TreeRun(position, solver.trees[0], solver.ask_line)
        assert run.chosen() is None or run.chosen() in position.codes()
        assert solver.run(Limits(time=60)).by == "workers"


def test_limits_are_kept():
    position = zermelo.game("connect-four", columns=5, rows=4, line=3).start()
    with distributed(position) as solver:
        assert solver.run(Limits(time=1e-9)).stopped == "time"
        assert solver.run(Limits(nodes=10)).stopped == "nodes"


@pytest.mark.parametrize("options", [
    {"workers": 1}, {"workers": 3}, {"workers": 3, "rounds": True}, {"workers": 2, "threads": 3}])
def test_a_node_limit_is_an_upper_bound_too(options):
    """Jobs are much larger than what the limit leaves."""
    position = zermelo.game("connect-four", columns=5, rows=5).start()
    with Distributed(position, "df-pn", memory="8MB", plain=True, backend="inline",
                     **options) as solver:
        for nodes in (1, 1000, 1500, 10_000):
            result = solver.run(Limits(nodes=nodes))
            assert result.stopped == "nodes"
            # Of threads each may go one visit beyond its share.
            assert nodes <= result.nodes < nodes + HANDFUL + 3
            assert solver.visits == result.nodes


def test_no_job_is_smaller_than_a_handful():
    budgets = Budgets(2)
    assert [budgets.within(100, left) for left in (-1, 0, 1, 90, 1000)] == [0, 0, HANDFUL, 90, 100]
