"""Archives that somebody made by hand: refused in one sentence, whatever is in them."""

import hashlib
import json
import os
import random
import string
import subprocess
import sys
import zlib
from contextlib import suppress

import pytest
from command import call, no_room

from zermelo.errors import BadOption
from zermelo.jobs.hire import environment
from zermelo.jobs.store import Store
from zermelo.lab import archive
from zermelo.lab.archive import (
    EXPERIMENTS,
    NAMES,
    RUNS,
    experiments_in,
    read_archive,
    write_archive,
)

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

DETAILS = {"root": {"pn": 1}, "counters": {}, "trace": [{"iterations": 1, "root": {}}],
           "search_seconds": 0.5}


def packed(details):
    return zlib.compress(json.dumps(details).encode())


ROW = {**dict.fromkeys(NAMES), "digest": "d", "task": "t", "question": "q", "job_game": "hex",
       "job_parameters": "{}", "job_search": "pn", "job_options": "{}", "status": "done",
       "job_seed": 3, "seconds": 0.5, "details": packed(DETAILS), "run": "r", "finished": 2.0,
       "machine": json.dumps(environment())}
RUN = {"run": "r", "experiment": "mine", "command": "zermelo lab run mine.py", "started": 1.0,
       "environment": json.dumps({**environment(), "workers": 2}), "finished": None,
       "settings": '{"full": false, "changes": [], "only": ["PN"], "seed": 0}'}


@pytest.fixture
def path(tmp_path):
    store = Store(tmp_path / "first.sqlite")
    store.fill("jobs", list(ROW), [tuple(ROW.values())])
    store.fill("runs", list(RUN), [tuple(RUN.values())])
    write_archive(store, tmp_path / "a.parquet")
    return tmp_path / "a.parquet"


def short(value):
    return value if isinstance(value, str) and len(value) < 100 else "forged"


def sign(path):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_name(f"{path.name}.sha256").write_text(digest)


def put(path, table, runs):
    """Write an archive with a digest that fits."""
    told = {} if runs is None else {RUNS: runs if isinstance(runs, bytes) else json.dumps(runs)}
    parquet.write_table(table.replace_schema_metadata(told), path)
    sign(path)


def refused(path, *sentence):
    store = path.with_name("s.sqlite")
    with pytest.raises(BadOption) as error:
        read_archive(path, store)
    text = str(error.value)
    assert text.startswith(f"the file {str(path)!r} is not an archive of the lab: ")
    assert all(part in text for part in sentence), text
    assert text.endswith(".")
    assert "\n" not in text
    store.unlink()


def with_cell(table, name, value):
    field = table.schema.field(name)
    return table.set_column(NAMES.index(name), field, pyarrow.array([value], field.type))


def test_what_is_right_is_read(path, tmp_path):
    back = read_archive(path, tmp_path / "s.sqlite")
    (row,), (run,) = back.every(), back.runs()
    assert (row["root"], row["seconds"], row["job_seed"]) == ({"pn": 1}, 0.5, 3)
    assert run["experiment"] == "mine"
    older = parquet.read_table(path).drop_columns("machine")
    put(path, older, [{name: RUN[name] for name in RUN if name != "settings"}])
    back = read_archive(path, tmp_path / "older.sqlite")
    assert [row["machine"] for row in back.every()] == [None]
    assert [run["settings"] for run in back.runs()] == [{}]


def test_columns_that_no_store_has(path):
    table = parquet.read_table(path)
    put(path, table.append_column("x) values (1); --", [["a"]]), [RUN])
    refused(path, "it has columns that no store has: 'x) values (1); -- of type string'")
    put(path, table.append_column("task", [["a"]]), [RUN])
    refused(path, "it has two columns of one name")
    put(path, table.drop_columns(["value", "job_nodes"]), [RUN])
    refused(path, "it lacks the columns job_nodes, value")
    put(path, table.set_column(NAMES.index("seconds"), "seconds", [["a"]]), [RUN])
    refused(path, "it has columns that no store has: 'seconds of type string'")
    put(path, table.set_column(NAMES.index("task"), "task", [[{"a": 1}]]), [RUN])
    refused(path, "it has columns that no store has: 'task of type struct<a: int64>'")


@pytest.mark.parametrize(("runs", "sentence"), [
    (None, "it does not say by which runs it was made"),
    (5, "the list of runs is not a list"),
    *((text, "the list of runs is not JSON") for text in (b"{", b"[" * 50_000, b"\xff")),
    ([3], "item 1 of the list of runs is not an object"),
    ([RUN, {}], "run of item 2 of the list of runs is 'None'"),
    ([{**RUN, "started": "now"}], "started of item 1 of the list of runs is 'now'"),
    ([{**RUN, "drop table runs": 1}], "item 1 of the list of runs has unknown fields: 'drop table"),
    ([{**RUN, "experiment": "a\n\x1b[2Jverified"}], "experiment of item 1 of the list of runs is"),
    ([{**RUN, "environment": "{"}], "environment of item 1 of the list of runs is not JSON"),
    ([{**RUN, "environment": "{}"}], "cpu of environment of item 1 of the list of runs is 'None'"),
    ([{**RUN, "environment": json.dumps(environment())}], "workers of environment of item 1 of "),
    ([{**RUN, "settings": "[]"}], "settings of item 1 of the list of runs is not an object"),
    ([{**RUN, "settings": '{"seed": [1]}'}], "seed of settings of item 1 of the list of runs is"),
    ([{**RUN, "settings": '{"only": [1]}'}], "item 1 of only of settings of item 1 of the list "),
    ([{**RUN, "settings": '{"changes": ["a\\u001b"]}'}], "item 1 of changes of settings of item 1"),
    ([{**RUN, "run": "\ud800"}], "run of item 1 of the list of runs is"),
], ids=short)
def test_runs_that_are_none(path, runs, sentence):
    put(path, parquet.read_table(path), runs)
    refused(path, sentence)


@pytest.mark.parametrize("names", [b"{}", b"[3]", b'["a\\nb"]', b"["])
def test_experiments_that_are_none(path, names):
    table = parquet.read_table(path)
    told = {RUNS: json.dumps([RUN]), EXPERIMENTS: b'["mine"]'}
    parquet.write_table(table.replace_schema_metadata(told), path)
    sign(path)
    read_archive(path, path.with_name("right.sqlite")).close()
    assert experiments_in(path) == ["mine"]
    parquet.write_table(table.replace_schema_metadata({**told, EXPERIMENTS: names}), path)
    sign(path)
    refused(path, "the list of experiments")


@pytest.mark.parametrize(("name", "value", "sentence"), [
    ("digest", None, "the cell digest of row 1 is empty"),
    ("finished", float("nan"), "the cell finished of row 1 is empty"),
    ("status", "gone", "row 1 has 'gone' as status"),
    ("job_parameters", "3", "job_parameters of row 1 is not an object"),
    ("job_options", "{" * 50_000, "job_options of row 1 is not JSON"),
    ("machine", "[]", "the machine of row 1 is not an object"),
    ("machine", '{"cpu": 3}', "cpu of the machine of row 1 is '3'"),
    ("details", None, "the details of row 1 can't be unpacked"),
    ("details", b"no", "the details of row 1 can't be unpacked"),
    ("details", zlib.compress(b"x"), "what is packed in row 1 is not JSON"),
    ("details", packed({"digest": 1}), "what is packed in row 1 has unknown fields: 'digest'"),
    ("details", packed({"root": 5}), "root of what is packed in row 1 is not an object"),
    ("details", packed({"trace": [5]}), "item 1 of trace of what is packed in row 1 is not an "),
], ids=short)
def test_cells_that_are_none(path, name, value, sentence):
    put(path, with_cell(parquet.read_table(path), name, value), [RUN])
    refused(path, sentence)


def test_what_is_too_large(path, monkeypatch):
    table = parquet.read_table(path)
    put(path, pyarrow.concat_tables([table] * 3), [RUN])
    monkeypatch.setattr(archive, "MOST_ROWS", 2)
    refused(path, "it has more than 2 rows")
    monkeypatch.undo()
    monkeypatch.setattr(archive, "MOST_BYTES", 1 << 20)
    put(path, with_cell(table, "details", packed({"root": {"x": "y" * (1 << 20)}})), [RUN])
    refused(path, "the details of row 1 can't be unpacked, or take more than 1,048,576 bytes")
    large = with_cell(table, "message", "x" * 100_000)  # a thousand times the same text
    put(path, pyarrow.concat_tables([large] * 1_000).combine_chunks(), [RUN])
    assert path.stat().st_size < 200_000
    refused(path, "its cells take more than 1,048,576 bytes")


def test_files_that_are_not_whole(path):
    whole = path.read_bytes()
    for content in (b"no Parquet", b"PAR1PAR1", b"PAR1\0\0\0\x40PAR1", whole[:-20],
                    whole[:200] + bytes(50) + whole[250:]):
        path.write_bytes(content)
        sign(path)
        refused(path)
    table = parquet.read_table(pyarrow.BufferReader(whole))
    bad = pyarrow.array([b"\xff"]).view(pyarrow.string())  # not UTF-8
    put(path, table.set_column(NAMES.index("message"), "message", bad), [RUN])
    refused(path)
    (path.parent / "a.parquet.sha256").write_bytes(b"\xff\xfe")
    done = call("lab", "rebuild", str(path))
    assert done.status == 2
    assert "was written for: its digest is " in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="no FIFOs")
def test_what_is_no_file_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(BadOption, match=r"can't read the file .*fifo': it is not a file; an arch"):
        read_archive(tmp_path / "fifo", tmp_path / "s")


def test_a_full_disk_leaves_the_old_archive(path, tmp_path, monkeypatch):
    before = path.read_bytes()
    store = Store(tmp_path / "empty.sqlite")
    no_room(monkeypatch)
    with pytest.raises(BadOption, match=r"can't write the file .*a.parquet': No space left"):
        write_archive(store, path)
    assert path.read_bytes() == before


def varint(number):
    """A positive number as Thrift has it."""
    number, found = 2 * number, bytearray()
    while number > 127:
        found.append(128 | number & 127)
        number >>= 7
    return bytes([*found, number])


IN_A_CHILD = """
from zermelo.cli import run
status = run(["lab", "rebuild", "a.parquet"])
with open("/proc/self/status") as file:  # resource's maximum is that of the parent, too
    most = next(line for line in file if line.startswith("VmHWM:"))
print(status, int(most.split()[1]) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="no limit on all memory of a process")
def test_a_page_that_unpacks_to_two_gigabytes(path):
    """A few thousand bytes of zeros, packed; the file states that it takes next to nothing."""
    chance = random.Random(1)
    words = "".join(chance.choices(string.ascii_letters, k=300_000))  # room for the page
    put(path, with_cell(parquet.read_table(path), "message", words), [RUN])
    size, sink = 1_900_000_000, pyarrow.BufferOutputStream()
    with pyarrow.CompressedOutputStream(sink, "zstd") as stream:
        for _ in range(size // 10_000_000):
            stream.write(bytes(10_000_000))
    packed = sink.getvalue().to_pybytes()
    assert len(packed) < 250_000
    page = (b"\x15\x00\x15" + varint(size) + b"\x15" + varint(len(packed))
            + b"\x2c\x15\x02\x15\x00\x15\x06\x15\x06\x00\x00" + packed)
    column = parquet.ParquetFile(path).metadata.row_group(0).column(NAMES.index("message"))
    content, begin = path.read_bytes(), column.dictionary_page_offset
    path.write_bytes(content[:begin] + page + content[begin + len(page) :])
    sign(path)
    done = subprocess.run([sys.executable, "-c", IN_A_CHILD], cwd=path.parent, text=True,
                          capture_output=True)
    assert done.stderr == ("zermelo: the file 'a.parquet' is not an archive of the lab: reading it "
                           "takes more than 2,147,483,648 bytes of memory.\n")
    status, megabytes = map(int, done.stdout.split())
    assert (status, megabytes < 500) == (2, True), megabytes


def test_changed_bytes_are_refused_or_read(path, tmp_path):
    """Whatever stands in the file, PyArrow goes on: the process does not end."""
    whole, chance = path.read_bytes(), random.Random(7)
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    for _ in range(60):
        content = bytearray(whole)
        for _ in range(chance.choice((1, 2, 5))):
            at = chance.randrange(chance.choice((4, footer)), len(whole))
            content[at] = chance.randrange(256)
        path.write_bytes(content)
        sign(path)
        with suppress(BadOption):
            read_archive(path, tmp_path / "s.sqlite").close()
        (tmp_path / "s.sqlite").unlink()
