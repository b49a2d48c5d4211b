"""The readers, each as a function of bytes that raises whatever it must not.

An input is what a mutation changes with profit: of files that are packed and have a digest it is
the content, from which the file is made.
"""

import json
import random
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile, ZipInfo

from andor import random_graph
from certificates import NaiveGraph
from mutants import key_of, mutants

import zermelo
from benchmarks.soak import certificates, parsers, problems, protocols, texts
from benchmarks.soak.case import Difference, place, without_compilation
from benchmarks.soak.changes import change_field
from benchmarks.soak.checkpoints import digested as checkpoint_of
from tools.certificates import Parts, assembled, digested, taken_apart
from zermelo.cluster.journal import MARK, SCHEMA
from zermelo.cluster.session import resume_journal
from zermelo.core.rules import rules_digest
from zermelo.game_records.record import ToWrite, written
from zermelo.jobs.hire import FarOrders, Orders
from zermelo.proof.header import RECORDS, Refused, decoded
from zermelo.search.code import code_digest
from zermelo.storage.checkpoint_file import DIGEST_BYTES, FIRST
from zermelo.version import __version__
from zermelo.workers.crew import Finished
from zermelo.workers.messages import BadMessage, Frames, frame, is_ready, parsed

CHECK: dict[str, Any] = {"time": 5.0, "memory": 1 << 28}
NODES = 60
STATES = 2_000  # positions that a judgement may look at
FEW_SQUARES = 30  # on a larger board it takes long to answer every reply
NOW = "now"  # in the place of a digest or a version: that of the program as it is


@dataclass(frozen=True)
class Target:
    """``read`` raises nothing if all is well. ``change``: an input that was changed with more
    knowledge of it than bytes have."""

    read: Callable[[bytes], None]
    change: Callable[[bytes, random.Random], bytes]


def of_json(data: bytes, rng: random.Random) -> bytes:
    """A field of the object in front becomes something else."""
    text, gap, rest = data.partition(b"\n\n")
    found = json.loads(text)
    for _ in range(rng.choice([1, 1, 2])):
        change_field(found, rng)
    return json.dumps(found).encode() + gap + rest


# --- certificates: the header, an empty line, records or lines as they are before packing ---


@cache
def graph() -> tuple[zermelo.Game, Any]:
    """A game that is not built in, with a cycle, and its slow twin."""
    nodes = {"root": ("or", ["a", "b"]), "a": ("and", ["c", "1"]), "b": ("and", ["root", "0"]),
             "c": ("or", ["a", "1", "b"]), "1": "win", "0": "loss"}
    return zermelo.graph(nodes), NaiveGraph(nodes)


def certificate_file(data: bytes) -> bytes:
    """The file of a content; numbers and sizes are made to fit where the header can be read."""
    if data.startswith(b"zermelo"):
        return digested(data)
    text, _, body = data.partition(b"\n\n")
    try:
        header = json.loads(text)
        if header["kind"] != RECORDS:
            lines = body.splitlines()
            claims = [{**claim, "nodes": len(lines) - header["wins"]} for claim in header["claims"]]
            return assembled({**header, "claims": claims, "bytes": len(body)}, [body], b"")
        return Parts(header, rows_of(text, body)).joined()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError,
            Refused):
        return assembled(text, [body])


def rows_of(text: bytes, body: bytes) -> list[list[bytes]]:
    """The records of each claim, in the order that they must have; the last has what is left."""
    header, found = decoded(text), []
    for number, part in enumerate(header.parts):
        width = header.record_bytes(part)
        end = width * part.records if number + 1 < len(header.parts) else len(body)
        here, body = body[:end], body[end:]
        rows = [here[at : at + width] for at in range(0, len(here) - width + 1, width)]
        rows.sort(key=partial(key_of, SimpleNamespace(header=json.loads(text))))
        found.append(rows)
    return found


def content_of(file: bytes) -> bytes:
    """The content of a certificate."""
    parts = taken_apart(file)
    if parts.header["kind"] == RECORDS:
        body = b"".join(row for rows in parts.records for row in rows)
    else:
        body = b"".join(json.dumps(row).encode() + b"\n" for row in parts.records[0])
    return json.dumps(parts.header).encode() + b"\n\n" + body


def read_certificate(data: bytes) -> None:
    """What is believed must be true, by brute force; and follow from the records, where a second
    reader can tell."""
    path, content = place() / "fuzzed.proof", certificate_file(data)
    path.write_bytes(content)
    game, twin = graph()
    game_given = game if b'"graph"' in content.partition(b"\n\n")[0] else None
    made: Any = SimpleNamespace(twin=twin, position=game.start(), exact=SimpleNamespace(most=0),
                                nodes=twin.nodes)
    if not zermelo.verify(path, game=game_given, **CHECK).verified:
        return
    true = certificates.judged(content, made, STATES)
    if true is False:
        raise Difference("a false claim is verified")
    if not true:
        return
    header = json.loads(content.split(b"\n", 1)[1].split(b"\n\n", 1)[0])
    if header["kind"] == RECORDS:
        if not certificates.follows(content, made):
            raise Difference("a claim is verified, but the records do not prove it")
    elif header["game"] == "hex" or header["parameters"]["columns"] * header["parameters"][
            "rows"] <= FEW_SQUARES:
        again = zermelo.verify(path, exhaustive=True, **CHECK)
        if not again.verified and not again.stopped:
            raise Difference("it is verified, but without trust in zones it is refused")


def change_certificate(data: bytes, rng: random.Random) -> bytes:
    """Records, lines or the header."""
    if rng.random() < 0.3:
        return of_json(data, rng)
    file = certificate_file(data)
    parts = taken_apart(file)
    if parts.header["kind"] == RECORDS:
        _, changed = next(mutants(parts, [parts.header["position"]], 1, rng.getrandbits(32)))
        return content_of(changed.joined())
    change_field(parts.records[0], rng)
    return content_of(parts.joined())


# --- certificates of problems: a byte that chooses the problem, then the content or, as version 0.2
# wrote it, an object ---


@cache
def problem(number: int) -> Any:
    """A small one, with joins and cycles."""
    return random_graph(random.Random(number), 9)


def read_problem(data: bytes) -> None:
    """What is believed must be true."""
    path, content = place() / "fuzzed.proof", data[1:]
    if b"\n\n" in content:
        text, _, body = content.partition(b"\n\n")
        with suppress(ValueError, TypeError, RecursionError):
            text = json.dumps(json.loads(text) | {"bytes": len(body)}).encode()
        content = assembled(text, [body], b"")
    path.write_bytes(content)
    problems.believed(problem(data[0] if data else 0), path)


def change_problem(data: bytes, rng: random.Random) -> bytes:
    """A field."""
    return data[:1] + of_json(data[1:], rng)


# --- checkpoints: the header in a line; for each array its name and length in a line, its bytes ---


def checkpoint_file(data: bytes) -> bytes:
    """The file of a content, with the digests of the program as it is."""
    if data.startswith(b"PK"):
        return checkpoint_of(data)
    line, _, body = data.partition(b"\n")
    with suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError):
        header = json.loads(line)
        if header["code"] == NOW:
            game = zermelo.game(header["game"], **header["parameters"])
            search = zermelo.search(header["search"], **header["options"])
            header |= {"version": __version__, "rules": rules_digest(game.name, game.rules),
                       "code": code_digest(game, search, narrow=bool(header["candidates"]))}
            line = json.dumps(header).encode()
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        archive.comment = bytes(DIGEST_BYTES)
        archive.writestr(ZipInfo(FIRST), line)
        while body:
            head, _, body = body.partition(b"\n")
            name, _, length = head.decode("latin-1").rpartition(" ")
            size = int(length) if length.isascii() and length.isdecimal() else len(body)
            with suppress(ValueError):  # a name that is there already
                archive.writestr(ZipInfo(name), body[:size])
            body = body[size:]
    return checkpoint_of(out.getvalue())


def checkpoint_content(file: bytes) -> bytes:
    """The content of a checkpoint."""
    with ZipFile(BytesIO(file)) as archive:
        first, *names = archive.namelist()
        header = json.loads(archive.read(first)) | {"code": NOW, "rules": NOW, "version": NOW}
        arrays = [f"{name} {len(found)}\n".encode() + found for name in names
                  if (found := archive.read(name)) is not None]
    return json.dumps(header).encode() + b"\n" + b"".join(arrays)


def read_checkpoint(data: bytes) -> None:
    """It is refused, or the search goes on; what it keeps can be read again."""
    path = place() / "fuzzed.checkpoint"
    path.write_bytes(checkpoint_file(data))
    session = zermelo.Session.load(path, memory=1 << 21)
    session.run(zermelo.Limits(nodes=session.answer.nodes + NODES, memory=1 << 21, time=2.0))
    session.save(path)
    again = zermelo.Session.load(path, memory=1 << 21)
    if again.value() != session.value() or again.answer.nodes != session.answer.nodes:
        raise Difference(f"{session.value()}, {session.answer.nodes} nodes are kept as "
                         f"{again.value()}, {again.answer.nodes} nodes")


def change_checkpoint(data: bytes, rng: random.Random) -> bytes:
    """A field of the header, or a byte of the arrays."""
    line, end, body = data.partition(b"\n")
    if rng.random() < 0.6 or not body:
        header = json.loads(line)
        change_field(header, rng)
        return json.dumps(header).encode() + end + body
    changed = bytearray(body)
    for _ in range(rng.choice([1, 1, 3, 20])):
        changed[rng.randrange(len(changed))] = rng.choice([0, 1, 255, rng.randrange(256)])
    return line + end + bytes(changed)


# --- journals: their tables as an object of JSON, or the file ---

CELLS = ("row", "subgoal", "path", "worker", "status", "visits", "seconds", "report")


def write_journal(data: bytes, path: Path) -> None:
    """The file of a content; a report that is not a text is packed."""
    if data.startswith(b"SQLite format 3"):
        path.write_bytes(data)
        return
    try:
        tables = json.loads(data)
        facts, notes, results = tables["facts"], tables["notes"], tables["results"]
    except (ValueError, KeyError, TypeError, RecursionError):
        path.write_bytes(data)
        return
    if isinstance(facts, dict) and facts.get("code") == NOW:
        with suppress(ValueError, KeyError, TypeError):
            facts |= {"version": __version__, "code": code_digest(
                zermelo.game(facts["game"], **facts["parameters"]),
                zermelo.search(facts["search"], **facts["options"]))}
    with closing(sqlite3.connect(path)) as db, db, suppress(
            sqlite3.Error, TypeError, ValueError, OverflowError, AttributeError):
        for statement in SCHEMA:
            db.execute(statement)
        db.execute("insert into about values (?, ?)",
                   (MARK, facts if isinstance(facts, str) else json.dumps(facts)))
        for name, value in notes:
            db.execute("insert or replace into notes values (?, ?)", (name, value))
        for cells in results:
            row = dict(zip(CELLS, cells, strict=True))
            if isinstance(row["report"], list):
                row["report"] = zlib.compress(json.dumps(row["report"]).encode())
            if isinstance(row["path"], list):
                row["path"] = json.dumps(row["path"])
            db.execute(f"insert into results values ({','.join('?' * len(CELLS))})",
                       list(row.values()))


def read_journal(data: bytes) -> None:
    """It is refused, or the search goes on."""
    path = place() / "fuzzed.journal"
    for name in ("", "-wal", "-shm", "-journal"):
        Path(f"{path}{name}").unlink(missing_ok=True)
    write_journal(data, path)
    with suppress(zermelo.ProofFailure):
        resume_journal(path, workers=2, backend="inline", memory="4MB", nodes=NODES, time=2.0)


# --- messages: a byte that chooses the reader, then what a process sends ---


def read_frames(data: bytes) -> None:
    """Messages come in any parts."""
    frames, found = Frames(), []
    for at in range(0, len(data), 7):
        found += frames.add(data[at : at + 7])
    if b"".join(map(frame, found)) + bytes(frames.rest) != data:
        raise Difference("messages are lost")
    for each in found:
        parsed(each)


def read_rows(data: bytes) -> None:
    """The answer of a process that does jobs of the lab."""
    job: Any = SimpleNamespace(digest="0", wall=1.0, against=None)
    for orders in (Orders(), FarOrders()):
        row = orders.row(job, Finished(0, data))
        if row is not None and not isinstance(row["status"], str):
            raise Difference(f"{row} is no row")


def read_ready(data: bytes) -> None:
    """The first message of a process."""
    is_ready(data)


MESSAGES = (read_frames, read_rows, read_ready)


def read_message(data: bytes) -> None:
    """One of the readers; each has an error of its own for what can't be read."""
    with suppress(BadMessage):
        MESSAGES[data[0] % len(MESSAGES) if data else 0](data[1:])


def change_message(data: bytes, rng: random.Random) -> bytes:
    """A field of the object in a message."""
    at = data.index(b"{")
    end = data.rindex(b"}") + 1
    inner = of_json(data[at:end], rng)
    head = len(inner).to_bytes(4, "big") if data[:1] == b"\1" else data[1:at]
    return data[:1] + head + inner + data[end:]


# --- texts: a byte that chooses the game or the protocol, then the text ---


def read_records(data: bytes) -> None:
    """A text as a position and as a file of games, or as something pasted; games that are read can
    be written and read again."""
    pasted, number = divmod(data[0] if data else 0, len(texts.GAMES))
    game, text = texts.game(list(texts.GAMES)[number]), data[1:].decode("utf-8", "replace")
    if pasted:
        parsers.read_paste(text)
        return
    with suppress(zermelo.ZermeloError):
        parsers.read_position(game, text)
    path, refused = place() / "games.txt", list[tuple[str, str]]()
    path.write_bytes(data[1:])
    for read in zermelo.records(game, path, refused):
        end = read.positions[-1]
        whole = [ToWrite(end, "g", ("a", "b"), end.outcome or "")]
        (place() / "again.txt").write_text(written(whole))
        again, = zermelo.records(end.game, place() / "again.txt")
        if again.moves != read.moves or again.positions[0] != read.positions[0]:
            raise Difference(f"{read.moves} from {read.positions[0]!r} are written as "
                             f"{written(whole)!r}, and read as {again.moves}")
    if not all(why for _, why in refused):
        raise Difference("is refused without a word")


def change_text(data: bytes, rng: random.Random) -> bytes:
    """Characters, numbers, and parts of the text."""
    text = data[1:].decode("utf-8", "replace")
    return data[:1] + texts.mutated(rng, [text]).encode("utf-8", "surrogatepass")


LONGEST_NUMBER = 2  # digits, where a line asks for a search
SEARCHING = ("go", "genmove", "solve", "hint", "analyze", "find", "time", "level")


def read_lines(data: bytes) -> None:
    """A conversation in one of the protocols, or a request in JSON."""
    names = [*protocols.NAMES, "request"]
    name = names[data[0] % len(names)] if data else "htp"
    text = data[1:].decode("utf-8", "replace")
    if name == "request":
        protocols.read_request(text)
        return
    lines = [line for line in text.split("\n")[: protocols.LINES] if not (
        any(word in line.casefold() for word in SEARCHING)
        and any(len(number) > LONGEST_NUMBER for number in digits(line)))]
    protocols.read_lines(lines, name)


def digits(line: str) -> list[str]:
    """The numbers in a line."""
    return "".join(c if c.isdigit() else " " for c in line).split()


TARGETS = {
    "certificates": Target(read_certificate, change_certificate),
    "problems": Target(read_problem, change_problem),
    "messages": Target(read_message, change_message),
    "journals": Target(read_journal, of_json),
    "checkpoints": Target(read_checkpoint, change_checkpoint),
    "records": Target(read_records, change_text),
    "protocols": Target(read_lines, change_text),
}


def read(name: str, data: bytes) -> None:
    """One input of a target; a ZermeloError is an answer."""
    with without_compilation(), suppress(zermelo.ZermeloError):
        TARGETS[name].read(data)
