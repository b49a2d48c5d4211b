"""solve --checkpoint and resume: commands, refusals, and processes that are killed."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest
from command import begin, call, loads

import zermelo
from zermelo.solving import checkpoint as keeper
from zermelo.storage import checkpoint_file

EXAMPLES = Path(__file__).parents[2] / "examples"
CHOMP = f"{EXAMPLES / 'chomp.py'}:Chomp"
SMALL = ("connect-four", "-g", "columns=4", "-g", "rows=4", "-p", "quick=2")
HARD = ("connect-four", "444", "--memory", "64MB")
PATIENCE = 120.0


def told(done, status=0):
    """What a command said as JSON, but for what differs from run to run."""
    assert done.status == status, done.err
    answer = loads(done.out)
    for name in ("seconds", "compile_seconds", "peak_bytes", "guess", "proof"):
        answer.pop(name, None)
    return answer


@pytest.fixture
def file(tmp_path):
    return str(tmp_path / "file")


def test_a_search_goes_on_to_the_same_answer_and_certificate(file, tmp_path):
    whole, again = str(tmp_path / "whole"), str(tmp_path / "again")
    memory = ("--memory", "16MB")
    expected = told(call("solve", *SMALL, *memory, "--json", "--proof", whole))
    begun = call("solve", *SMALL, *memory, "--nodes", "300", "--checkpoint", file)
    assert begun.status == 10
    assert begun.err == (f"zermelo: the search is kept in {file!r}; to go on from here: "
                         f"zermelo resume {file}\n")
    assert told(call("resume", file, "--nodes", "300", "--json"), 10)["nodes"] == 300
    assert call("resume", file, "--nodes", "700", "-q").err == ""
    assert told(call("resume", file, "--json", "--proof", again)) == expected
    assert Path(whole).read_bytes() == Path(again).read_bytes()
    os.remove(again)
    # A checkpoint of a solved position has the answer at once.
    solved = call("resume", file, "--proof", again)
    assert "draw: proved\n" in solved.out
    assert "1,176 visits" in solved.out
    assert Path(whole).read_bytes() == Path(again).read_bytes()


def test_games_of_ones_own_are_named_by_the_user(file, tmp_path):
    rules = (EXAMPLES / "chomp.py").read_text()
    mine = tmp_path / "mine.py"
    mine.write_text(rules)
    own = f"{mine}:Chomp"
    begun = call("solve", own, "--nodes", "5", "--checkpoint", file)
    assert begun.err.startswith(f"zermelo: the search is kept in {file!r}; to go on from here: "
                                f"zermelo resume {own} {file}\n")
    refused = call("resume", file)
    assert (refused.status, refused.err) == (2, (
        f"zermelo: the checkpoint {file!r} can't be used: it is about the game 'chomp' of the file "
        f"{str(mine)!r}, which has to be given, as FILE.py:Class.\n"))
    assert call("resume", CHOMP, file, "--nodes", "6").status in (0, 10)
    expected = told(call("solve", own, "--json"))
    mine.write_text(f"{rules}\n# a remark\n")
    assert told(call("resume", file, "--game", own, "--json")) == expected
    changed = rules.replace("t.turn = 1 - s.turn", "t.turn = 1 - s.turn + 0 * 7")
    assert changed != rules
    mine.write_text(changed)
    refused = call("resume", own, file)
    assert (refused.status, refused.err) == (2, (
        f"zermelo: the checkpoint {file!r} can't be used: it was made with other rules of chomp, "
        "or by another Python.\n"))


def test_a_checkpoint_of_another_game_names_both(file):
    call("solve", *SMALL, "--nodes", "5", "--checkpoint", file)
    for other, name in (("hex", "hex"), ("loa", "lines-of-action"), (CHOMP, "chomp")):
        refused = call("resume", other, file)
        assert (refused.status, refused.err) == (2, (
            f"zermelo: the checkpoint {file!r} can't be used: it is about 'connect-four', not "
            f"about {name!r}.\n"))


@pytest.mark.parametrize(("words", "sentence"), [
    (("--every", "5s"), "--every needs --checkpoint, the file to write."),
    (("--every", "often", "--checkpoint", "x"), "the limit every='often' is not valid"),
    (("--checkpoint", "/no/such/place"), "can't write the checkpoint '/no/such/place': there is"),
    (("--checkpoint", "."), "can't write the checkpoint '.': it is a directory, not"),
    (("--file", "-", "--jsonl", "--checkpoint", "x"), "--checkpoint is for one position, not for"),
    (("--checkpoint", "a\0b"), "can't write the checkpoint 'a\\x00b': it has no valid name."),
])
def test_bad_words_of_solve(words, sentence):
    done = call("solve", *SMALL[:5], *words)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err


def test_bad_words_of_resume(file):
    assert call("resume", "a", "b", "c").err == (
        "zermelo: 'a b c' is more than a game and a checkpoint or journal; one checkpoint or "
        "journal is taken at a time, and the game is named once.\n")
    missing = call("resume", file)
    assert (missing.status, missing.err) == (
        2, f"zermelo: can't read the checkpoint or journal {file!r}: No such file or directory.\n")
    Path(file).write_text("something else")
    other = call("resume", file)
    assert (other.status, other.err) == (2, (
        f"zermelo: the checkpoint or journal {file!r} can't be used: it is a file of something "
        "else.\n"))
    for game in ("chomp.py:Chomp", "chomp.py", "connect-four", "loa"):
        swapped = call("resume", file, game)
        assert (swapped.status, swapped.err) == (2, (
            f"zermelo: the game comes first, and then the checkpoint or journal: {game!r}, "
            f"{file!r}.\n"))
    Path(file).write_bytes(b"SQLite format 3\0")
    assert "the journal" in call("resume", file).err


def test_nothing_is_overwritten(file):
    Path(file).write_text("precious")
    done = call("solve", *SMALL, "--checkpoint", file)
    assert (done.status, Path(file).read_text()) == (2, "precious")
    assert "there is something else with this name" in done.err
    os.remove(file)
    call("solve", *SMALL, "--nodes", "10", "--checkpoint", file)
    before = Path(file).read_bytes()
    done = call("solve", *SMALL, "--checkpoint", file)
    assert (done.status, Path(file).read_bytes()) == (2, before)
    assert done.err == (f"zermelo: {file!r} holds a checkpoint: 'zermelo resume {file}' goes on "
                        "from it; remove it to begin anew.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_one_at_a_time_goes_on_from_a_checkpoint(file, monkeypatch):
    call("solve", *SMALL, "--nodes", "10", "--checkpoint", file)
    session = zermelo.Session.load(file)
    first = keeper.Keeper(session, file, there=True)
    sentence = (f"zermelo: another process is working with the checkpoint {file!r}; wait until it "
                "has ended.\n")
    for _ in range(2):  # also when another file has taken its place
        before = Path(file).read_bytes()
        done = call("resume", file)
        assert (done.status, done.out, done.err) == (2, "", sentence)
        assert Path(file).read_bytes() == before
        session.run(zermelo.Limits(nodes=50))
        assert first.write()
    with monkeypatch.context() as patch:  # a file system without locks keeps nobody out
        patch.setattr(checkpoint_file.fcntl, "flock", no_locks)
        assert call("resume", file, "--nodes", "60").status == 10
        patch.setattr(checkpoint_file, "fcntl", None)
        assert call("resume", file, "--nodes", "70").status == 10
    first.lock.take()
    del first
    assert call("resume", file).status == 0


def no_locks(file, how):
    raise OSError(95, "Operation not supported")


def test_plain_games_are_refused_at_the_start(file):
    done = call("solve", f"{EXAMPLES / 'plain_connect_four.py'}", "--checkpoint", file)
    assert done.status == 2
    assert "its positions are Python objects, which a checkpoint can't hold" in done.err
    assert not Path(file).exists()


def no_space(file):
    raise OSError(28, "No space left on device")


def test_a_full_disk_at_first_is_an_error_and_later_a_remark(file, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", no_space)
        done = call("solve", *SMALL, "--checkpoint", file)
    assert (done.status, done.out) == (3, "")
    assert done.err == f"zermelo: can't write the checkpoint {file!r}: No space left on device.\n"
    call("solve", *SMALL, "--nodes", "10", "--checkpoint", file)
    before = Path(file).read_bytes()
    monkeypatch.setattr("os.fsync", no_space)
    done = call("resume", file)
    assert done.status == 0
    assert "draw: proved" in done.out
    sentence = f"zermelo: can't write the checkpoint {file!r}: No space left on device."
    at_the_end = (f"{sentence} The checkpoint before it is kept, and what was searched since then "
                  "is lost.\n")
    assert done.err == at_the_end
    # And while the search goes on:
    remarks = call("resume", file, "--every", "0.000001s").err.splitlines(keepends=True)
    assert remarks[-1] == at_the_end
    assert set(remarks[:-1]) == {
        f"{sentence} The last checkpoint is kept, and the search goes on.\n"}
    assert Path(file).read_bytes() == before


def test_a_directory_that_is_read_only(file, monkeypatch):
    def read_only(path, *rest, **more):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "touch", read_only)
    sentence = f"zermelo: can't write the checkpoint {file!r}: Read-only file system.\n"
    done = call("solve", *SMALL, "--checkpoint", file)
    assert (done.status, done.err) == (2, sentence)
    zermelo.start(zermelo.game("connect-four", columns=4, rows=4).start()).save(file)
    done = call("resume", file)
    assert (done.status, done.err) == (2, sentence)


def test_how_often_it_is_written(file, monkeypatch):
    clock, took = [1000.0], [0.0]

    def save(session, path):
        clock[0] += took[0]

    monkeypatch.setattr(zermelo.Session, "save", save)
    monkeypatch.setattr(keeper.time, "monotonic", lambda: clock[0])
    session = zermelo.start(zermelo.game("tic-tac-toe").start())

    def moments(every, slow):
        took[0], found, begun = slow, [], clock[0]
        one = keeper.Keeper(session, file, every)
        while clock[0] < begun + 1000:
            before = one.written
            one()
            if one.written > before:
                found.append(round(clock[0] - begun))
            clock[0] += 1
        return found

    assert moments(None, 0.0)[:4] == [0, 60, 120, 180]
    assert moments(300.0, 0.0) == [0, 300, 600, 900]
    assert moments(None, 5.0) == [5, 260, 515, 770]  # writing takes 2 % of the time
    assert moments(10.0, 5.0)[:3] == [5, 20, 35]  # as often as was asked for


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_after_a_kill_it_goes_on_and_ends_the_same(file):
    expected = told(call("solve", *HARD, "--nodes", "900k", "--json"), 10)
    kept = 0
    for delay, words in ((0.15, ("solve", *HARD, "--checkpoint", file)), (0.4, ("resume", file))):
        process = begin([sys.executable, "-m", "zermelo", *words, "--nodes", "900k", "--every",
                         "0.05s", "-q", "--json"])
        end = time.monotonic() + PATIENCE
        while not nodes_in(file) > kept and time.monotonic() < end and process.poll() is None:
            time.sleep(0.01)
        time.sleep(delay)
        process.kill()
        process.wait()
        kept = nodes_in(file)
        assert kept > 0
    assert told(call("resume", file, "--nodes", "900k", "--json"), 10) == expected
    assert [path.name for path in Path(file).parent.iterdir()] == ["file"]  # nothing half written


def nodes_in(file):
    """How far the search in a checkpoint has come; -1 if there is none."""
    if not Path(file).exists():
        return -1
    return zermelo.Session.load(file).answer.nodes


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_ctrl_c_writes_a_last_checkpoint_and_says_how_to_go_on(file, tmp_path):
    with (tmp_path / "err").open("w") as err:
        process = begin([sys.executable, "-m", "zermelo", "solve", *HARD, "--checkpoint", file,
                         "--every", "1h", "--json"], stderr=err, stdout=err)
        end = time.monotonic() + PATIENCE
        while not Path(file).exists() and time.monotonic() < end:
            time.sleep(0.02)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 10
    assert f"to go on from here: zermelo resume {file}\n" in (tmp_path / "err").read_text()
    session = zermelo.Session.load(file)
    assert session.stopped == "interrupted"
    assert session.answer.nodes > 0
