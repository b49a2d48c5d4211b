"""Errors that other tests meet in processes of their own: a full disk, answers that are forged.

Here they are met in this process, which notes each ``raise`` that happens (``raising``).
"""

import errno
import pickle
from types import SimpleNamespace

import pytest
from command import call

import zermelo
from zermelo.cli import run
from zermelo.cli.terminal import OutputLost, Stream
from zermelo.cluster import certificate
from zermelo.core import reading
from zermelo.engine import OutputLines
from zermelo.errors import BadCheckpoint, CompilerFault
from zermelo.lab import archive
from zermelo.proof import problem, show, workers
from zermelo.proof.header import Refused
from zermelo.proof.read import Certificate
from zermelo.proof.write import write_problem
from zermelo.solving.checkpoint import Keeper
from zermelo.workers.crew import Finished

FULL = OSError(errno.ENOSPC, "No space left on device")


def raising(error):
    def fails(*arguments, **options):
        raise error

    return fails


def test_a_fault_of_the_compiler_is_no_bad_input(monkeypatch):
    monkeypatch.setattr("zermelo.cli.app.app", raising(CompilerFault("fault")))
    with pytest.raises(CompilerFault):
        run(["games"])


def test_a_fault_of_the_checker_is_no_refusal(monkeypatch):
    monkeypatch.setattr("zermelo.proof.run.verify", raising(RuntimeError("fault")))
    with pytest.raises(RuntimeError):
        run(["verify", "some.proof"])


def test_the_answer_comes_before_a_checkpoint_that_fails(monkeypatch, tmp_path):
    def write(self, last=False):
        if last:
            raise BadCheckpoint("can't write it.")
        return True

    monkeypatch.setattr(Keeper, "write", write)
    done = call("solve", "tic-tac-toe", "a1 b2 c3 a3 c1 b1 b3", "--checkpoint",
                str(tmp_path / "one.checkpoint"))
    assert "O to move" in done.out
    assert (done.status, done.err.splitlines()[-1]) == (2, "zermelo: can't write it.")


@pytest.mark.parametrize("needed", [True, False])
def test_an_output_that_is_full(needed):
    stream = Stream(open("/dev/full", "wb", buffering=0), "utf-8")  # noqa: SIM115
    stream.needed = needed
    stream.write("an answer\n")
    if needed:
        with pytest.raises(OutputLost, match="No space left"):
            stream.flush()
    else:
        stream.flush()
    stream.close()


def test_an_engine_whose_output_is_full():
    with open("/dev/full", "w") as file:
        output = OutputLines(file)
        with pytest.raises(BrokenPipeError):
            output.say("an answer")
        with pytest.raises(OSError, match="No space left"):
            output.check()


def test_a_file_that_is_gone_while_it_is_read(tmp_path):
    with pytest.raises(zermelo.BadOption, match="can't be read: No such file"):
        reading._read_file(str(tmp_path / "gone.json"), (0, 0), ())


def test_an_archive_on_a_disk_that_fails(monkeypatch, tmp_path):
    monkeypatch.setattr(archive, "_check_digest", lambda path, beside: None)
    monkeypatch.setattr(archive, "_fill", raising(OSError(errno.EIO, "Input/output error")))
    with pytest.raises(zermelo.BadOption, match="Input/output error"):
        archive.read_archive(tmp_path / "a.parquet", tmp_path / "a.sqlite")


@pytest.mark.parametrize(("claimed", "sentence"), [
    (True, "worker 3 finds that 'a position' is not what a worker reported"),
    (False, "a reply that its rules call pointless is not")])
def test_a_worker_that_finds_another_answer(claimed, sentence):
    assembly = SimpleNamespace(_position=lambda path: SimpleNamespace(text="a position"),
                               root=SimpleNamespace(game=SimpleNamespace(name="hex")))
    leaf = SimpleNamespace(claimed=claimed, path=())
    with pytest.raises(zermelo.ProofFailure, match=sentence):
        certificate.Assembly._take(assembly, None, 3, leaf, {"agrees": False})


def proved_problem(tmp_path):
    """The certificate of a problem with one choice."""
    path = tmp_path / "one.proof"
    graph = {"a": ("any", ["b", "c"]), "b": "solved", "c": "dead"}
    write_problem(path, zermelo.problem("a", graph.__getitem__).solve().certificate())
    return path


def test_certificates_that_are_no_list_of_a_problem(tmp_path):
    proof = tmp_path / "game.proof"
    session = zermelo.start(zermelo.game("tic-tac-toe").parse("a1 b2 c3 a3 c1 b1"))
    session.run()
    zermelo.write_proof(session, proof)
    with pytest.raises(zermelo.BadCertificate, match="of a game, not of a problem"):
        zermelo.verify_problem("a", {}.__getitem__, proof)
    budget = SimpleNamespace(hold=lambda bytes: None)
    short = SimpleNamespace(header=SimpleNamespace(nodes=2, size=9), earlier=False,
                            body=lambda budget: b"[]\n")
    with pytest.raises(Refused, match="its body does not have 2 lines"):
        problem.entries_of(short, budget)
    earlier = SimpleNamespace(header=SimpleNamespace(nodes=0, size=9), earlier=True,
                              body=lambda budget: b"{")
    with pytest.raises(Refused):
        problem.entries_of(earlier, budget)
    empty = SimpleNamespace(header=SimpleNamespace(nodes=1, size=9), earlier=False,
                            body=lambda budget: b"[]\n")
    with pytest.raises(Refused):
        problem.entries_of(empty, budget)


def test_walks_through_a_problem_that_make_no_sense(tmp_path):
    path = proved_problem(tmp_path)
    with pytest.raises(zermelo.BadOption, match="claim '2' is out of range"):
        show.ProblemWalk(path, claim=2)
    walk = show.ProblemWalk(path)
    assert Certificate(path).header.nodes == len(walk.entries)
    with pytest.raises(Refused, match="node 99 is not in the list"):
        walk.node(99, walk.root, 0, False)
    with pytest.raises(Refused, match="the node rests on itself"):
        walk.node(walk.root.state, walk.root, 0, False)


def test_a_full_disk_while_processes_check(tmp_path):
    table = SimpleNamespace(layers=[], order=range(5_000), save=raising(FULL))
    with (pytest.raises(zermelo.BadOption, match="--workers: can't share the records"),
          workers.workers_for(SimpleNamespace(table=table), 2)):
        pass
    with pytest.raises(zermelo.BadOption, match="No space left"):
        workers.answer_of(Finished(0, pickle.dumps(FULL)), tmp_path)
