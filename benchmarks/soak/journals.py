"""Changed journals of several workers: refused, or the search goes on.

What a journal says is believed: answers that are wrong then are counted. What is certified is true
all the same.
"""

import json
import random
import sqlite3
import zlib
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from crews import distributed

import zermelo
from benchmarks.soak import certificates
from benchmarks.soak.case import (
    Difference,
    Stuck,
    chance,
    keeping,
    patience,
    place,
    without_compilation,
)
from benchmarks.soak.changes import FIELDS, change_field, changed_bytes
from benchmarks.soak.drawn import Drawn
from benchmarks.soak.games import SHAPES as OF_GAMES
from benchmarks.soak.games import draw
from benchmarks.soak.searches import Judge, Trial
from zermelo.cluster.session import resume_journal

BLOCK = 40  # mutants of one journal
SECONDS = 60.0
LONGEST = 60.0  # seconds of the processor for one journal
LEFT_OUT = ("chomp", "xiangqi", "xiangqi, perpetual check loses")  # not built in; slow
SHAPES = [name for name in (*OF_GAMES, "p-game") if name not in LEFT_OUT]
SEARCHES = ("df-pn", "weak-df-pn")
BEFORE, AFTER = (10, 200), 600  # nodes
NOTES = ("nan", "-1", "1e400", "x", "[]", '["a1"]', "[1]", "{")
WHOLE = ("row", "subgoal", "path", "worker", "status", "visits", "seconds", "report")


@dataclass(frozen=True)
class Base:
    """A journal, what was asked, and the exact answers."""

    found: Drawn
    asked: Trial
    content: bytes


@lru_cache(maxsize=64)
def base(seed: int, number: int) -> Base:
    """A search of a random position by two workers, left after some nodes or finished."""
    rng, path = chance("journal", seed, number), place() / "base.journal"
    shape = SHAPES[number % len(SHAPES)]
    found = draw(shape, rng)
    while found.position.outcome is not None:
        found = draw(shape, rng)
    search, goal = rng.choice(SEARCHES), rng.choice(["value", "value", "win"])
    path.unlink(missing_ok=True)
    nodes = rng.randint(*BEFORE) if rng.random() < 0.7 else None
    with distributed(found.position, search, goal=goal, journal=path) as solver:
        solver.run(zermelo.Limits(nodes=nodes))
    return Base(found, Trial(search, {"goal": goal}, 0, ()), path.read_bytes())


def of_bytes(path: Path, rng: random.Random) -> None:
    """Any bytes of the file."""
    path.write_bytes(changed_bytes(path.read_bytes(), rng))


def of_pages(path: Path, rng: random.Random) -> None:
    """Single bits, which leave the pages where they are."""
    content = bytearray(path.read_bytes())
    for _ in range(rng.choice([1, 2, 8, 64])):
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.write_bytes(content)


def of_cells(path: Path, rng: random.Random) -> None:
    """A cell of a result becomes something else."""
    with closing(sqlite3.connect(path)) as db, db:
        rows = [row for row, in db.execute("select row from results")]
        name = rng.choice(WHOLE)
        value = rng.choice([*FIELDS, b"", rng.randbytes(20), "[0]", "[1, 2]", "[-1]", "[[]]"])
        try:
            db.execute(f"update or ignore results set {name} = ? where row = ?",
                       (value, rng.choice(rows or [1])))
        except (sqlite3.Error, OverflowError):  # what a cell can't hold
            return


def of_rows(path: Path, rng: random.Random) -> None:
    """Results are dropped, come twice, or say what others said."""
    with closing(sqlite3.connect(path)) as db, db:
        rows = [row for row, in db.execute("select row from results")] or [1]
        one, other = rng.choice(rows), rng.choice(rows)
        db.execute(rng.choice([
            "delete from results where row = :one",
            "insert into results select (select max(row) + 1 from results), subgoal, path, worker, "
            "status, visits, seconds, report from results where row = :one",
            "update results set report = (select report from results where row = :other) "
            "where row = :one",
            "update results set path = (select path from results where row = :other) "
            "where row = :one",
            "update results set row = 1000000 where row = :one",
            "update results set subgoal = 1 - subgoal where row >= :one",
            "delete from about", "delete from notes", "drop table notes", "drop table results",
        ]), {"one": one, "other": other})


def of_reports(path: Path, rng: random.Random) -> None:
    """A field of a report, packed again."""
    with closing(sqlite3.connect(path)) as db, db:
        rows = db.execute("select row, report from results").fetchall()
        if rows:
            row, packed = rng.choice(rows)
            report = json.loads(zlib.decompress(packed))
            change_field(report, rng)
            db.execute("update results set report = ? where row = ?",
                       (zlib.compress(json.dumps(report).encode()), row))


def of_facts(path: Path, rng: random.Random) -> None:
    """What it is about, or a note."""
    with closing(sqlite3.connect(path)) as db, db:
        (text,), = db.execute("select facts from about")
        facts = json.loads(text)
        change_field(facts, rng)
        db.execute("update about set facts = ?", (json.dumps(facts),))
        if rng.random() < 0.3:
            value: Any = rng.choice([*NOTES, b"\xff"])
            db.execute("insert or replace into notes values (?, ?)",
                       (rng.choice(["searched", "line"]), value))


CHANGES = [of_bytes, of_pages, of_cells, of_cells, of_rows, of_reports, of_reports, of_facts]


def go_on(path: Path, proof: Path | None) -> zermelo.Result:
    """Search some more, in this process."""
    return resume_journal(path, workers=2, backend="inline", memory="8MB", nodes=AFTER,
                          proof=proof)


def check(path: Path, made: Base, with_proof: bool) -> Counter[str]:
    """A mutant is refused, or the search goes on."""
    proof = place() / "mutant.proof"
    proof.unlink(missing_ok=True)
    try:
        with patience(LONGEST):
            result = go_on(path, proof if with_proof else None)
    except (zermelo.ZermeloError, zermelo.ProofFailure):
        return Counter(mutants=1, refused=1)
    except Stuck:
        raise Difference(f"no end within {LONGEST:.0f} s") from None
    counts = Counter(mutants=1, **{"gone on": 1})
    if proof.exists():
        about = certificates.Base(made.found.position, made.found.exact, proof.read_bytes())
        if not certificates.check(about.content, about, proof)["believed"]:
            raise Difference("a certificate is written that is not verified")
        counts.update(certified=1)
    if result.position != made.found.position:
        return counts
    try:
        believed = replace(result, proved=result.concluded)  # the word of the journal
        Judge(made.found).take(made.asked, believed)
    except Difference:
        counts["believed, and wrong"] += 1
    return counts


def run(seed: int, index: int) -> Counter[str]:
    """One mutant."""
    with without_compilation():
        rng, number = chance("journals", seed, index), index // BLOCK
        made = base(seed, number)
        change = rng.choice(CHANGES)
        path = place() / "mutant.journal"
        for name in ("", "-wal", "-shm", "-journal"):
            Path(f"{path}{name}").unlink(missing_ok=True)
        path.write_bytes(made.content)
        change(path, rng)
        content = path.read_bytes()
        about = f"{made.found.position!r}, {made.asked}, {change.__name__}"
        with keeping(f"soak-journals-{seed}-{index}.journal", content, about):
            return check(path, made, rng.random() < 0.3)
