"""The files of checkpoints: what is packed comes back, and what is not whole is refused."""

import hashlib
import io
import json
import random
import signal
from dataclasses import replace
from zipfile import ZipFile, ZipInfo

import numpy as np
import pytest

import zermelo
from zermelo import BadCheckpoint, BadGame, BadOption, Limits, Session
from zermelo.cli.terminal import stopping
from zermelo.core.rules import rules_digest
from zermelo.games.k_in_a_row.game import KInARow
from zermelo.storage import checkpoint_file
from zermelo.storage.checkpoint_file import DIGEST_BYTES, FIRST, CheckpointFile, Stored, write

TWO_STONES = zermelo.game("k-in-a-row", columns=4, rows=3, line=3, stones=2, first=1)
SEVEN_TURNS = "j10 j9j8 k8l9 j7k7 i9l7 j6i8 j5l8"
RECORD = np.dtype([("a", "i4"), ("b", "u1"), ("c", "f8", (3,))])


def arrays(rng):
    """Arrays of all sizes, types and kinds of content."""
    for at in range(60):
        size = rng.choice([0, 1, 7, 8, 9, 100, 4_000])
        kind = rng.choice(["u1", "i4", "u8", "f8", RECORD])
        raw = rng.randbytes(size * np.dtype(kind).itemsize)
        items = np.frombuffer(raw, kind).copy()
        if rng.random() < 0.5:
            items[rng.randint(0, size):] = np.zeros(1, kind)[0]
        yield Stored(f"array {at}", items)
    for at in range(40):
        words = rng.choice([2, 4, 8])
        rows = np.frombuffer(rng.randbytes(8 * words * rng.choice([1, 9, 500])), "u8").copy()
        rows = rows.reshape(-1, words)
        rows[[rng.random() < rng.choice([0, 0.5, 1]) for _ in rows]] = 0
        if rng.random() < 0.5:
            rows[:, -1] &= np.uint64(255)
            rows[rows[:, -1] == 0] = 0
        yield Stored(f"table {at}", rows.reshape(-1), words)


def test_arrays_come_back_as_they_were(tmp_path, monkeypatch):
    check_arrays(tmp_path, monkeypatch, 5)


@pytest.mark.long
def test_many_arrays_come_back_as_they_were(tmp_path, monkeypatch):
    check_arrays(tmp_path, monkeypatch, 1)


def check_arrays(tmp_path, monkeypatch, every):
    """In small parts only some of the arrays: that takes long."""
    rng = random.Random(4)
    for part in (1, 64, 1 << 16):
        monkeypatch.setattr(checkpoint_file, "CHUNK", part)
        stored = list(arrays(rng))[:: every if part < 64 else 1]
        size = write(tmp_path / "file", {"about": [1]}, stored)
        assert size == (tmp_path / "file").stat().st_size
        read = CheckpointFile(tmp_path / "file")
        assert read.header["about"] == [1]
        places = sum(-(-len(each.entries) // 8) for each in stored if each.entry_words)
        assert read.bytes == sum(each.items.nbytes for each in stored) + places
        for each in stored:
            out = np.zeros(len(each.items), each.items.dtype)
            assert read.count(each.name) == len(out)
            read.read_into(each.name, out)
            assert out.tobytes() == each.items.tobytes()
        read.close()
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_checkpoint_is_read_by_numpy_alone(tmp_path):
    items, rows = np.arange(5, dtype=np.int32), np.zeros((20, 2), np.uint64)
    rows[[3, 17]] = 7
    write(tmp_path / "file", {}, [Stored("a/b", items), Stored("t", rows.reshape(-1), 2)])
    with np.load(tmp_path / "file") as read:
        assert np.array_equal(read["a/b"], items)
        assert np.array_equal(read["t"], rows[[3, 17]])
        assert np.flatnonzero(np.unpackbits(read["t.places"])).tolist() == [3, 17]


def test_empty_places_take_no_room(tmp_path):
    rows = np.zeros((1 << 17, 2), np.uint64)
    size = write(tmp_path / "file", {}, [Stored("t", rows.reshape(-1), 2)])
    assert size < rows.nbytes // 100
    rows[::2] = 5 << 54 | 7
    size = write(tmp_path / "file", {}, [Stored("t", rows.reshape(-1), 2)])
    assert size < 0.51 * rows.nbytes


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The bytes of a checkpoint of each wing."""
    found, path = {}, tmp_path_factory.mktemp("saved") / "file"
    position = TWO_STONES.parse("a1")
    for search in (zermelo.PN2(a=500, b=100, N=5_000), zermelo.DFPN(epsilon=0),
                   zermelo.AlphaBeta(), zermelo.Retrograde()):
        session = Session(position, search, plain=True)
        session.advance(Limits(nodes=300, memory=1 << 16))
        session.save(path)
        found[search.id] = path.read_bytes()
    session = Session(zermelo.game("connect6").parse(SEVEN_TURNS), zermelo.VCDT())
    session.advance(Limits(nodes=50))
    session.save(path)
    found["vcdt"] = path.read_bytes()
    return found


def refused(path, content, sentence):
    path.write_bytes(content)
    with pytest.raises(BadCheckpoint, match=sentence) as error:
        Session.load(path)
    assert str(error.value).count(". ") == 0
    assert repr(str(path)) in str(error.value)


def test_damaged_and_truncated_files_are_refused(saved, tmp_path):
    rng, path, damage = random.Random(2), tmp_path / "file", "is damaged|of something else"
    whole = saved["df-pn"]
    for length in [0, 5, 30, 30 + len(FIRST), len(whole) - 1, *(
            rng.randrange(len(whole)) for _ in range(20))]:
        refused(path, whole[:length], damage)
    refused(path, whole + b"\0", "damaged")
    for _ in range(100):
        at = rng.randrange(len(whole))
        changed = bytearray(whole)
        changed[at] ^= 1 << rng.randrange(8)
        refused(path, bytes(changed), f"{damage}|another version of Zermelo")
    refused(path, b"SQLite format 3\0" + bytes(100), "it is a file of something else")
    refused(path, b"zermelo checkpoint 9\n" + bytes(100), "another version of Zermelo")


def test_what_cant_be_read_is_refused(tmp_path):
    for path in (tmp_path / "nothing", tmp_path, tmp_path / "a\0b"):
        with pytest.raises(BadCheckpoint, match="can't read the checkpoint"):
            Session.load(path)


def forged(whole, change=lambda header: None, cut=lambda name, items: items):
    """The same with another header or other members, and the digest that it then should have."""
    out = io.BytesIO()
    with ZipFile(io.BytesIO(whole)) as old, ZipFile(out, "w") as new:
        new.comment = bytes(DIGEST_BYTES)
        for member in old.infolist():
            content = old.read(member)
            if member.filename == FIRST:
                header = json.loads(content)
                content = json.dumps(change(header) or header).encode()
            else:
                content = cut(member.filename, content)
            with new.open(ZipInfo(member.filename), "w", force_zip64=len(new.filelist) > 0) as file:
                file.write(content)
    return digested(out.getvalue())


def digested(content):
    body = content[:-DIGEST_BYTES]
    return body + hashlib.sha256(body).digest()


def put(*names, to):
    """Change one fact of the header."""
    def change(header):
        for name in names[:-1]:
            header = header[name]
        header[names[-1]] = to

    return change


def test_other_versions_programs_and_rules_are_refused(saved, tmp_path):
    whole, path = saved["df-pn"], tmp_path / "file"
    assert forged(whole) == whole == digested(whole)
    refused(path, forged(whole, put("version", to="0.0.1")),
            rf"written by Zermelo '0.0.1', and this is {zermelo.__version__}")
    refused(path, forged(whole, put("code", to="abc")), "the program, or the file of the game, has")
    refused(path, forged(whole, put("rules", to="abc")), "other rules of k-in-a-row")
    refused(path, forged(whole, put("parameters", "columns", to=5)), "other rules of k-in-a-row")
    refused(path, forged(whole, put("file", to="/tmp/evil.py")),
            "about the game 'k-in-a-row' of the file '/tmp/evil.py', which has to be given")
    refused(path, forged(whole, put("game", to="chess")), "'chess', which has to be given")
    refused(path, forged(whole, put("seconds", to=-1)), "does not fit together")


def test_a_file_that_only_the_checkpoint_names_is_never_run(saved, tmp_path):
    evil = tmp_path / "evil.py"
    evil.write_text("raise SystemExit('run')")
    for name in (f"{evil}:Game", "open-spiel:tic_tac_toe", str(evil)):
        refused(tmp_path / "file", forged(saved["df-pn"], put("game", to=name)),
                "which has to be given")


def test_what_takes_more_memory_than_there_is_is_refused(saved, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(saved["df-pn"])
    with pytest.raises(BadCheckpoint, match=r"it needs [0-9,]+ bytes of memory, and there are"):
        Session.load(path, memory="1KB")
    session = Session.load(path, memory="1MB")
    assert session.run().value == "loss"

    refused(path, forged(saved["df-pn"], put("tables", "0/table", 0, to=1 << 50)), "it needs")
    refused(path, forged(saved["df-pn"], cut=longer), "damaged")


def longer(name, content):
    """A member whose array is said to have many items."""
    if not name.endswith("control.npy"):
        return content
    assert content.count(b"(1,)") == 1
    return content.replace(b"(1,), }    ", b"(99999,), }")


def test_archives_of_another_kind_are_refused(saved, tmp_path):
    path = tmp_path / "file"
    refused(path, digested(b"PK\3\4" + bytes(26) + FIRST.encode() + bytes(100)), "damaged")
    refused(path, b"PK\3\4" + bytes(26) + b"zermelo-checkpoint-9.json", "another version")
    out = io.BytesIO()
    with ZipFile(out, "w") as archive:
        archive.writestr("data.json", "{}")
    refused(path, out.getvalue(), "it is a file of something else")


def test_arrays_that_make_no_sense_are_refused(saved, tmp_path):
    check_changes(saved, tmp_path, 50, seed=9)


@pytest.mark.long
def test_many_arrays_that_make_no_sense_are_refused(saved, tmp_path):
    check_changes(saved, tmp_path, 150, seed=8)


def field(name, where, to):
    """Forge items of an array."""
    def cut(member, content):
        if member != f"0/{name}.npy":
            return content
        items = np.load(io.BytesIO(content))
        found = items if where is None else items[where]
        assert not np.array_equal(found, to)
        found[...] = to
        out = io.BytesIO()
        np.lib.format.write_array(out, items, (1, 0))
        return out.getvalue()

    return cut


@pytest.mark.parametrize(("search", "cut"), [
    (zermelo.MOPNS(), field("nodes", "move", 9999)),
    (zermelo.PVS(), field("root", "bound", 7)),
    (zermelo.PVS(), field("root", "move", 9999)),
    (zermelo.ERPS(), field("frames", "tried", 20)),
    (zermelo.ERPS(), field("frames", "best_at", 99)),
    (zermelo.EWS(), field("nodes", "after", 1)),
    (zermelo.GPNMCTS(), field("nodes", "made", 20)),
    (zermelo.VCDT(), field("places", None, -1)),
    (zermelo.VCDT(), field("sizes", None, 1000)),
    (zermelo.VCDT(), field("owner", slice(7), 1)),
])
def test_what_leads_astray_is_refused(search, cut, tmp_path):
    """Moves that are not legal, places beyond an array, an order that goes round in circles."""
    path = tmp_path / "file"
    vcdt = search.id == "vcdt"
    position = (zermelo.game("connect6").parse(SEVEN_TURNS) if vcdt else
                zermelo.game("connect-four", columns=5, rows=4).start())
    session = Session(position, search)
    session.advance(Limits(nodes=300, memory=1 << 18))
    session.save(path)
    Session.load(path)
    refused(path, forged(path.read_bytes(), cut=cut), "does not fit together")


def check_changes(saved, tmp_path, count, seed):
    """With sums and a digest that fit: whatever arrays hold, the file is refused or the search goes
    on."""
    rng, path, loaded = random.Random(seed), tmp_path / "file", 0
    for _ in range(count):
        whole = saved[rng.choice(sorted(saved))]
        names = [name for name in ZipFile(io.BytesIO(whole)).namelist() if name != FIRST]
        some = set(rng.sample(names, rng.choice([1, 1, 3, len(names)])))

        def cut(name, content, some=some):
            changed = bytearray(content)
            for _ in range(rng.choice([1, 1, 3, 20]) if name in some else 0):
                changed[rng.randrange(len(changed))] = rng.randrange(256)
            return bytes(changed)

        if rng.random() < 0.2:  # of the archive itself
            changed = bytearray(whole)
            changed[rng.randrange(len(changed))] = rng.randrange(256)
            path.write_bytes(digested(bytes(changed)))
        else:
            path.write_bytes(forged(whole, cut=cut))
        try:
            session = Session.load(path)
        except BadCheckpoint:
            continue
        loaded += 1
        session.advance(Limits(nodes=session.answer.nodes + 50))
    assert loaded < 0.93 * count


def test_a_failed_write_keeps_the_old_checkpoint(tmp_path, monkeypatch):
    path = tmp_path / "file"
    session = Session(TWO_STONES.parse("a1"), zermelo.DFPN(epsilon=0), plain=True)
    session.advance(Limits(nodes=10))
    session.save(path)
    before = path.read_bytes()
    session.advance(Limits(nodes=20))
    for error, sentence in ((OSError(28, "No space left on device"), "No space left on device"),
                            (KeyboardInterrupt(), "")):
        def fails(file, error=error):
            raise error

        with monkeypatch.context() as patch:
            patch.setattr("os.fsync", fails)
            with pytest.raises((BadCheckpoint, KeyboardInterrupt)) as raised:
                session.save(path)
            assert sentence in str(raised.value)
        assert path.read_bytes() == before
        assert [each.name for each in tmp_path.iterdir()] == ["file"]
    session.save(path)
    assert Session.load(path).answer.nodes == 20


def test_a_second_signal_interrupts():
    stopped = []
    with stopping(lambda: stopped.append(1)):
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
    assert stopped == [1]


def test_rules_that_have_no_digest():
    with pytest.raises(BadOption, match="mine: its rules use something that can't be told apart"):
        rules_digest("mine", ({1, 2},))


def test_a_search_that_broke_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")

    class Short(KInARow):
        def define(self):
            return replace(super().define(), max_length=2)

    session = Session(Short().start(), zermelo.PN(), plain=True)
    with pytest.raises(BadGame, match="max_length"):
        session.run()
    with pytest.raises(BadGame, match="max_length"):
        session.save(tmp_path / "file")
    assert not (tmp_path / "file").exists()


@pytest.mark.parametrize("search", [zermelo.PN(), zermelo.DFPN(), zermelo.AlphaBeta()])
def test_a_search_without_the_compiler_is_kept(tmp_path, monkeypatch, search):
    """Its records are of another type of NumPy."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    session = Session(KInARow().parse("a1 b2"), search, plain=True)
    session.advance(Limits(nodes=20, memory=1 << 16))
    session.save(tmp_path / "file")
    assert Session.load(tmp_path / "file").run().value == session.run().value


def test_nodes_of_zones_that_are_not_there_are_refused(tmp_path):
    path, ten = tmp_path / "file", zermelo.game("connect6", columns=10, rows=10)
    session = Session(ten.parse("d4 e2f4 e5f6 c3f3"), zermelo.DFPN(), goal="win",
                      candidates=zermelo.Zones())
    session.advance(Limits(nodes=20))
    session.save(path)

    def cut(name, content):
        if not name.endswith("graph.npy"):
            return content
        begin = content.index(b"[[") + 2
        return content[:begin] + b"9" + content[begin + 1 :]

    refused(path, forged(path.read_bytes(), cut=cut), "does not fit together")
