"""How long workers have searched: a total over all runs of a journal, and the search alone."""

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from cases import cases
from crews import Inline, distributed

import zermelo
from zermelo.cluster.worker import Setup, Worker
from zermelo.errors import BadOption
from zermelo.solving.result import Limits


def hardest():
    return cases("hex 3x3")[26][0]


def test_a_time_limit_is_a_total_over_all_runs(tmp_path):
    journal = tmp_path / "journal"
    with distributed(hardest(), journal=journal) as solver:
        first = solver.run(Limits(nodes=60))
        assert solver.seconds == first.seconds > 0
    with distributed(hardest(), journal=journal) as solver:
        assert solver.seconds == first.seconds
        rows = solver.journal.rows
        second = solver.run(Limits(time=first.seconds))
        assert (second.stopped, solver.journal.rows) == ("time", rows)
        assert solver._crew is None  # no worker has to begin for that
        third = solver.run()
        assert third.concluded
        assert third.seconds > second.seconds >= first.seconds
    with distributed(hardest(), journal=journal) as solver:
        assert solver.run().seconds >= third.seconds  # not 0, although nothing is left to do


def test_a_master_that_is_killed_has_kept_its_time(tmp_path):
    class Killer(Inline):
        def finished(self, seconds):
            if self.orders and self.made < 100:
                self.made += 40
                time.sleep(0.05)
                return super().finished(seconds)
            raise SystemExit

    journal = tmp_path / "journal"
    with distributed(hardest(), journal=journal, crew=Killer) as solver, pytest.raises(SystemExit):
        solver.run()
    with distributed(hardest(), journal=journal) as solver:
        assert solver.seconds >= 0.05


@pytest.mark.parametrize("rounds", [False, True])
def test_starting_is_not_searching(rounds):
    """Workers that take longer to begin than there is time to search."""
    class Late(Inline):
        waits = 3

        def capacity(self):
            found = super().capacity()
            return found if not self.waits else found[:1] if rounds else []

        def finished(self, seconds):
            if self.waits:
                self.waits -= 1
                time.sleep(0.2)
                return []
            return super().finished(seconds)

    with distributed(hardest(), crew=Late, rounds=rounds) as solver:
        result = solver.run(Limits(time=0.5))
        assert solver.journal.rows > 0
        assert result.compile_seconds >= 0.6
        again = solver.run(Limits(time=60))
        assert again.concluded
        assert again.compile_seconds == pytest.approx(result.compile_seconds, abs=0.1)


def test_a_worker_is_compiled_before_its_first_order(monkeypatch):
    started = []
    start = zermelo.DFPN.start

    def seen(search, task):
        started.append(task)
        return start(search, task)

    monkeypatch.setattr(zermelo.DFPN, "start", seen)
    setup = Setup.of(hardest(), zermelo.DFPN(), plain=True, seed=0, memory=1 << 20)
    worker = Worker(setup)
    assert [task.position for task in started] == [hardest()]
    assert worker.table is None  # and nothing of it is in the table of the search
    monkeypatch.setattr(zermelo.DFPN, "start", None)
    Worker(setup)  # it can't: the first order tells why


COUNTED = """
from functools import partial
import zermelo
from crews import AllOf, distributed
from zermelo.cluster.worker import Worker
from zermelo.compiler.compile_stats import stats

class Counted(Worker):
    late = 0

    def answer(self, order, cancelled=None):
        before = stats.compiled + stats.loaded
        answer = super().answer(order)
        Counted.late += stats.compiled + stats.loaded - before
        return answer

position = zermelo.game("hex", size=3).start()
with distributed(position, workers=1, crew=partial(AllOf, Counted), plain={plain}) as solver:
    assert solver.run().line
    assert solver.write_proof({path!r}).report.verified
print(Counted.late)
"""


@pytest.mark.parametrize("plain", [True, False])
def test_who_is_ready_has_compiled_what_proofs_need(plain, tmp_path):
    """The samples, the line and the certificate: in a process that has nothing loaded."""
    place = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, sys.path)])
    program = COUNTED.format(plain=plain, path=str(tmp_path / "a.proof"))
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": place},
                          capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"


def test_no_worker_reads_all_sources_to_compare_them(monkeypatch):
    """That takes longer than many a search; a digest of their bytes does as well."""
    monkeypatch.setattr("zermelo.cluster.worker.code_digest", None)
    with distributed(hardest()) as solver:
        assert solver.run().concluded


@pytest.mark.parametrize("kept", ["long", "inf"])
def test_a_time_that_cant_be_read(kept, tmp_path):
    journal = tmp_path / "journal"
    with distributed(hardest(), journal=journal) as solver:
        solver.run(Limits(nodes=5))
    with closing(sqlite3.connect(journal)) as db, db:
        db.execute("update notes set value = ? where name = 'searched'", (kept,))
    with pytest.raises(BadOption, match="damaged: how long it was searched can't be read"):
        distributed(hardest(), journal=journal)


def test_a_full_disk_does_not_cost_the_answer(monkeypatch):
    def full(*ignored):
        raise BadOption("the disk is full.")

    with distributed(hardest()) as solver:
        monkeypatch.setattr(solver.journal, "keep_time", full)
        monkeypatch.setattr(solver.journal, "keep_line", full)
        assert solver.run().line
