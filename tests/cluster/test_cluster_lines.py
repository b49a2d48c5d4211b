"""The line of what workers have proved: kept in the journal, and found within limits."""

import signal
import sqlite3
from contextlib import closing

import pytest
from cases import cases, check_line
from command import call
from crews import Inline, distributed, kind_of

import zermelo
from zermelo.errors import BadOption
from zermelo.solving.result import Limits

CASES = [("hex 3x3", 26), ("othello 4x4", 77)]
EASY = 10_000  # visits, of which a single job is enough


def position_of(case):
    name, number = case
    return cases(name)[number][0]


def check(result, case):
    """What the brute force says of every move of the line."""
    name, number = case
    _, state, brute = cases(name)[number]
    check_line(result, brute, state)


def solved(position, journal):
    """The result of a search in one job, so that only the worker knows the line."""
    with distributed(position, workers=1, journal=journal, most=EASY) as solver:
        return solver.run()


def without_line(journal):
    """As journals were before they kept it."""
    with closing(sqlite3.connect(journal)) as db:
        db.execute("drop table notes")
        db.commit()


def nobody(setup, workers):
    raise AssertionError("no worker is needed")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_solved_journal_needs_no_worker(case, tmp_path):
    position, journal = position_of(case), tmp_path / "journal"
    result = solved(position, journal)
    with distributed(position, journal=journal, crew=nobody) as solver:
        again = solver.run(Limits(time=1e-9, nodes=1))
        assert (again.stopped, again.value, again.nodes) == ("solved", result.value, result.nodes)
        assert (again.move, again.line) == (result.move, result.line)
        assert result.line


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_line_of_a_journal_without_one_is_found_once(case, tmp_path):
    position, journal = position_of(case), tmp_path / "journal"
    solved(position, journal)
    without_line(journal)
    with distributed(position, journal=journal) as solver:
        result = solver.run()
        check(result, case)
    with distributed(position, journal=journal, crew=nobody) as solver:
        assert solver.run().line == result.line


class Pressed(Inline):
    """Ctrl-C is pressed when a line is asked for."""

    def submit(self, worker, order, seconds):
        if kind_of(order) == "line":
            signal.raise_signal(signal.SIGINT)
        super().submit(worker, order, seconds)


class Slow(Inline):
    """Never comes to the end of a line."""

    def finished(self, seconds):
        if any(kind_of(order) == "line" for order in self.orders.values()):
            return []
        return super().finished(seconds)


class Lost(Inline):
    """A worker that says that it has no line."""

    def submit(self, worker, order, seconds):
        super().submit(worker, order.replace(b"line", b"none"), seconds)


@pytest.mark.parametrize("crew", [Pressed, Slow, Lost])
def test_what_is_proved_is_told_without_its_line(crew, tmp_path):
    position, journal = position_of(CASES[0]), tmp_path / "journal"
    result = solved(position, journal)
    without_line(journal)
    with distributed(position, journal=journal, crew=crew) as solver:
        short = solver.run(Limits(time=1e-9))
        assert (short.stopped, short.value, short.by) == ("solved", result.value, "workers")
        assert short.line == result.line[: len(short.line)] != result.line
        assert solver.journal.line() is None
    with distributed(position, journal=journal) as solver:
        check(solver.run(), CASES[0])


def test_a_command_prints_what_is_proved(monkeypatch):
    monkeypatch.setattr("zermelo.cluster.session.local_crew", Pressed)
    done = call("solve", "hex", "start", "-g", "size=3", "--workers", "1")
    assert done.status == 12
    assert "X wins, by the workers' word; --proof makes it certain" in done.out


class PressedLater(Inline):
    """Ctrl-C is pressed when the certificate's first part is asked for."""

    def submit(self, worker, order, seconds):
        if kind_of(order) == "prove":
            signal.raise_signal(signal.SIGINT)
        super().submit(worker, order, seconds)


@pytest.mark.parametrize("crew", [Pressed, PressedLater])
def test_one_interrupt_ends_all_that_was_asked_for(crew, monkeypatch, tmp_path):
    monkeypatch.setattr("zermelo.cluster.session.local_crew", crew)
    proof, journal = tmp_path / "a.proof", tmp_path / "journal"
    words = ["solve", "hex", "start", "-g", "size=3", "--workers", "1", "--proof", str(proof),
             "--journal", str(journal)]
    done = call(*words)
    assert done.status == 130
    assert "X wins, by the workers' word" in done.out
    assert not list(tmp_path.glob("*.proof*"))
    assert done.err == (f"zermelo: what was found is kept; to go on: zermelo {' '.join(words)}\n"
                        "no certificate: interrupted\nzermelo: interrupted.\n")
    monkeypatch.setattr("zermelo.cluster.session.local_crew", Inline)
    assert call(*words).status == 0
    assert proof.exists()


def test_a_call_that_is_interrupted_writes_no_certificate(monkeypatch, tmp_path):
    monkeypatch.setattr("zermelo.cluster.session.local_crew", Pressed)
    proof = tmp_path / "a.proof"
    with pytest.raises(KeyboardInterrupt):
        zermelo.solve_distributed(position_of(CASES[0]), workers=1, proof=proof)
    assert not proof.exists()


@pytest.mark.parametrize("line", ["[", "[1]", "{}"])
def test_a_damaged_line(line, tmp_path):
    position, journal = position_of(CASES[0]), tmp_path / "journal"
    solved(position, journal)
    with closing(sqlite3.connect(journal)) as db:
        db.execute("update notes set value = ? where name = 'line'", (line,))
        db.commit()
    with (distributed(position, journal=journal) as solver,
          pytest.raises(BadOption, match="damaged: the line of its answer can't be read")):
        solver.run()
