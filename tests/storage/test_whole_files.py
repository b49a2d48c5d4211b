"""Files that are written beside an answer: whole or not at all, and only in the place of files."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from command import call, loads, no_room

import zermelo
from zermelo.cli.terminal import check_file, write_file
from zermelo.errors import BadCertificate, BadCheckpoint, BadOption
from zermelo.proof.write import write_zones
from zermelo.solving.certify import check_in_advance
from zermelo.storage import checkpoint_file, whole_files
from zermelo.storage.whole_files import Folder, part_of, place_of, try_out, write_whole

pytestmark = pytest.mark.usefixtures("without_jit")

WON = ("solve", "tic-tac-toe", "X../O../... X", "-q")
LINE = ("solve", "k-in-a-row", "a1 a2 b1 b2", "-g", "columns=3", "-g", "rows=3", "-g", "line=3",
        "-q")
NO_FILE = "it is a device, a FIFO or a socket, not a file"
posix = pytest.mark.skipif(sys.platform == "win32", reason="no FIFOs")


@pytest.fixture
def fifo(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    return tmp_path / "fifo"


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path):
    path, link = tmp_path / "there.txt", tmp_path / "link.txt"
    write_whole(path, b"one")
    path.chmod(0o640)
    link.symlink_to(path.name)
    write_whole(link, b"two")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"two", 0o640)
    assert link.is_symlink()
    assert sorted(tmp_path.iterdir()) == [link, path]


def test_a_part_has_a_name_of_its_own_and_follows_no_link(tmp_path, monkeypatch):
    path, other = tmp_path / "a.txt", tmp_path / "other.txt"
    assert part_of(path) != part_of(path)
    other.write_text("kept")
    link = part_of(path)
    link.symlink_to(other)  # somebody has guessed it
    monkeypatch.setattr(whole_files, "part_of", lambda place: link)
    for write in (try_out, checkpoint_file.try_out, lambda path: write_whole(path, b"bad"),
                  lambda path: checkpoint_file.write(path, {}, [])):
        with pytest.raises((OSError, BadCheckpoint), match="File exists"):
            write(path)
        assert link.is_symlink()
    assert other.read_text() == "kept"


LEFT = """
import os
from zermelo.storage.whole_files import Folder
folder = Folder("zermelo-test")
(folder.path / "big.proof").write_bytes(b"x")
print(folder.path, flush=True)
if os.environ.get("KILLED"):
    os.kill(os.getpid(), 9)
"""


def test_a_folder_of_a_killed_process_is_removed_by_the_next(tmp_path):
    def left(**more):
        done = subprocess.run([sys.executable, "-c", LEFT], capture_output=True, text=True,
                              env={**os.environ, "TMPDIR": str(tmp_path), **more})
        return Path(done.stdout.strip())

    assert not left().exists()  # by itself
    dead = left(KILLED="1")
    other = dead.with_name("zermelo-test")
    foreign = dead.with_name(dead.name.replace("zermelo-test", "zermelo-tests"))
    assert (dead / "big.proof").exists()
    other.mkdir()
    foreign.mkdir()
    with Folder("zermelo-test"):
        assert dead.exists()  # in another directory
    assert not left().exists()
    assert sorted(tmp_path.iterdir()) == sorted([foreign, other])
    if hasattr(os, "getuid") and os.getuid() == 0:
        theirs = left(KILLED="1")
        os.chown(theirs, 65534, 65534)
        left()
        assert theirs.exists()


def test_what_others_are_writing_stays(tmp_path, monkeypatch):
    """Numbers of processes say nothing of another machine, nor of another container."""
    def left(host, container):
        monkeypatch.setattr(whole_files, "node", lambda: host)
        monkeypatch.setattr(os, "readlink", lambda path: container)
        return whole_files.part_begin(tmp_path / "a.txt")

    far = {left(f"compute-cluster-node-{i}.example.org", f"pid:[{j}]")
           for i in (1, 2) for j in (3, 4)}
    assert len(far) == 4
    there = [tmp_path / f"{begin}{1 << 30}.{'0' * 16}.part" for begin in far]
    for file in there:
        file.write_bytes(b"")
    write_whole(tmp_path / "a.txt", b"")
    assert sorted(tmp_path.glob(".*")) == sorted(file for file in there if not file.name.startswith(
        left("compute-cluster-node-2.example.org", "pid:[4]")))


def test_what_is_no_place_for_a_file(tmp_path, monkeypatch):
    for write in (try_out, lambda path: write_whole(path, b"")):
        with pytest.raises(OSError, match="it is a directory, not a file"):
            write(tmp_path)
        with pytest.raises(OSError, match="there is no such directory"):
            write(tmp_path / "no" / "file")
        with pytest.raises(OSError, match="it has no valid name"):
            write("a\0b")
    with pytest.raises(BadOption, match=r"can't write the file '.': it is a directory, not a file"):
        check_file(".")
    (tmp_path / "one").write_text("before")
    no_room(monkeypatch)
    with pytest.raises(BadOption, match=r"one': No space left on device, alas\.$"):
        write_file(str(tmp_path / "one"), "after", ", alas")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["before"]


@posix
def test_a_fifo_stays_as_it_is(fifo):
    """Whoever reads from it, or from a device, would never see the file that took its place."""
    link = fifo.with_name("link")
    link.symlink_to(fifo)
    position = zermelo.game("tic-tac-toe").parse("X../O../... X")
    for path in (fifo, link):
        with pytest.raises(OSError, match=NO_FILE):
            place_of(path)
        with pytest.raises(BadCertificate, match=rf"can't write the certificate .*: {NO_FILE}"):
            check_in_advance(zermelo.start(position), path)
        with pytest.raises(BadCertificate, match=NO_FILE):
            write_zones(path, position, 0, [], [])
        for option in ("--svg", "--proof"):
            done = call(*WON, option, str(path))
            assert (done.status, done.out) == (2, "")
            assert done.err.endswith(f"{str(path)!r}: {NO_FILE}.\n")
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    assert sorted(fifo.parent.iterdir()) == [fifo, link]


@posix
def test_commands_leave_a_fifo_alone(fifo, tmp_path):
    proof, games = str(tmp_path / "a.proof"), tmp_path / "games.txt"
    assert call(*WON, "--proof", proof).status == 0
    os.mkfifo(tmp_path / "fifo.csv")
    (tmp_path / "one.py").write_text(
        "import zermelo\nit = zermelo.problem(0, lambda node: 'solved')\n")
    games.write_text("a1 b2\n")
    four = ("connect-four", "-g", "columns=4", "-g", "rows=4", "1")
    for words in (("show", proof, "--export", str(fifo), "--format", "dot"),
                  ("problem", str(tmp_path / "one.py"), "--proof", str(fifo)),
                  ("match", "tic-tac-toe", "--nodes", "9", "--out", str(fifo)),
                  ("progress", *four, "--out", f"{fifo}.csv"),
                  ("lab", "estimate", "lines-of-action", str(games), "--out", str(fifo))):
        done = call(*words)
        assert (done.status, done.out) == (2, "")
        assert NO_FILE in done.err
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_the_answer_is_told_before_pictures_are_written(tmp_path, monkeypatch):
    for option in ("--svg", "--sgf"):
        done = call(*LINE, option, str(tmp_path))
        assert (done.status, done.out) == (2, "")  # before the search
        assert done.err == f"zermelo: can't write the file {str(tmp_path)!r}: it is a directory, " \
                           "not a file.\n"
    no_room(monkeypatch)
    for option in ("--svg", "--sgf"):
        path = tmp_path / "picture"
        path.write_text("before")
        done = call(*LINE, option, str(path), "--json")
        assert (done.status, loads(done.out)["value"]) == (3, "win")
        assert done.err.endswith("picture': No space left on device.\n")
        assert [file.read_text() for file in tmp_path.iterdir()] == ["before"]


def test_the_answer_is_told_where_its_certificate_finds_no_room(tmp_path, monkeypatch):
    no_room(monkeypatch)
    done = call(*WON, "--proof", str(tmp_path / "a.proof"))
    assert (done.status, "proved" in done.out) == (3, True)
    assert done.err.endswith("a.proof': No space left on device.\n")
    assert not list(tmp_path.iterdir())


def test_pictures_are_written_though_the_certificate_is_not(tmp_path, monkeypatch):
    def refused(*_, **__):
        raise BadCertificate("the disk is full.")

    monkeypatch.setattr("zermelo.solving.certify.write_proof", refused)
    done = call(*WON, "--proof", str(tmp_path / "a.proof"), "--svg", str(tmp_path / "a.svg"))
    assert (done.status, done.err) == (2, "zermelo: the disk is full.\n")
    assert "proved" in done.out
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]


def test_a_certificate_of_a_problem_is_replaced_or_stays(tmp_path, monkeypatch):
    result = zermelo.problem(0, lambda node: "solved").solve()
    path = tmp_path / "proof.json"
    path.write_text("before")
    no_room(monkeypatch)
    with pytest.raises(OSError, match="No space left on device"):
        result.write_certificate(path)
    (tmp_path / "one.py").write_text(
        "import zermelo\nit = zermelo.problem(0, lambda node: 'solved')\n")
    done = call("problem", str(tmp_path / "one.py"), "--proof", str(path))
    assert done.status == 3
    assert done.out.startswith("solved\n")
    assert done.err.endswith("proof.json': No space left on device.\n")
    assert path.read_text() == "before"


def test_the_progress_of_a_game_is_told_before_its_chart_is_written(tmp_path, monkeypatch):
    no_room(monkeypatch)
    done = call("progress", "connect-four", "-g", "columns=4", "-g", "rows=4", "1", "--depth", "1",
                "--out", str(tmp_path / "a.csv"), "-q")
    assert done.status == 3
    assert "value for X" in done.out
    assert done.err.endswith("a.csv': No space left on device.\n")
    assert not list(tmp_path.iterdir())
