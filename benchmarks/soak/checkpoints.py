"""Changed checkpoints: refused, or the search goes on.

Where the digest does not fit, a file is refused. Where it does, fields and arrays may say anything,
and a table that says something else about who wins is believed: such answers are counted. Whatever
is certified is true all the same.
"""

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile, ZipInfo

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
from benchmarks.soak.changes import change_field, changed_bytes
from benchmarks.soak.drawn import Drawn
from benchmarks.soak.games import NAMES, draw
from benchmarks.soak.searches import Judge, Manner, Trial, searches_of, trial
from zermelo.core.object_game import ObjectGame
from zermelo.storage.checkpoint_file import DIGEST_BYTES, FIRST

BLOCK = 40  # mutants of one checkpoint
SECONDS = 60.0
LONGEST = 60.0  # seconds of the processor for reading a file and going on
MEMORY, MORE_MEMORY = 1 << 20, 1 << 22  # before and after
BEFORE, AFTER = 80, 200  # nodes
MOST_SECONDS = 10.0  # of going on
SHAPES = [name for name in NAMES if not name.startswith("plain") and name != "OpenSpiel"]


@dataclass(frozen=True)
class Base:
    """A checkpoint, what was asked, and the exact answers."""

    found: Drawn
    asked: Trial
    content: bytes

    @property
    def game(self) -> zermelo.Game | None:
        """The game, where it must be told."""
        game = self.found.position.game
        return game if game.name in certificates.OWN else None


@lru_cache(maxsize=64)
def base(seed: int, number: int) -> Base:
    """A search of a random position, kept after some nodes."""
    rng, path = chance("checkpoint", seed, number), place() / "base.checkpoint"
    shape = SHAPES[number % len(SHAPES)]
    found = draw(shape, rng)
    while found.position.outcome is not None:
        found = draw(shape, rng)
    assert not isinstance(found.position.game, ObjectGame)
    id = rng.choice(searches_of(shape))
    manner = Manner(rng.randrange(3), rng.random() < 0.5, rng.random() < 0.3)
    asked = trial(rng, found, id, manner)
    asked.options.pop("threads", None)
    session = zermelo.start(found.position, asked.search, **asked.options)
    session.advance(zermelo.Limits(nodes=rng.randint(1, BEFORE), memory=MEMORY))
    session.save(path)
    return Base(found, asked, path.read_bytes())


def forged(content: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """The members of an archive changed, by their names, with a digest that fits."""
    out = BytesIO()
    with ZipFile(BytesIO(content)) as old, ZipFile(out, "w") as new:
        new.comment = bytes(DIGEST_BYTES)
        for member in old.infolist():
            new.writestr(ZipInfo(member.filename), change(member.filename, old.read(member)))
    return digested(out.getvalue())


def digested(content: bytes) -> bytes:
    """An archive with the digest that fits."""
    body = content[:-DIGEST_BYTES]
    return body + hashlib.sha256(body).digest()


def of_bytes(made: Base, rng: random.Random) -> bytes:
    """Any bytes; the digest is that of before."""
    return changed_bytes(made.content, rng)


def of_header(made: Base, rng: random.Random) -> bytes:
    """Fields of the header, with a digest that fits."""
    def change(name: str, content: bytes) -> bytes:
        if name != FIRST:
            return content
        header = json.loads(content)
        for _ in range(rng.choice([1, 1, 1, 2])):
            change_field(header, rng)
        return json.dumps(header).encode()

    return forged(made.content, change)


def of_arrays(made: Base, rng: random.Random) -> bytes:
    """Bytes of the arrays, or of the archive itself, with a digest that fits."""
    if rng.random() < 0.2:
        return digested(changed_bytes(made.content, rng))
    share = rng.choice([0.1, 0.3, 1.0])

    def change(name: str, content: bytes) -> bytes:
        changed = bytearray(content)
        for _ in range(rng.choice([1, 1, 3, 20]) if name != FIRST and rng.random() < share else 0):
            changed[rng.randrange(len(changed))] = rng.choice([0, 1, 255, rng.randrange(256)])
        return bytes(changed)

    return forged(made.content, change)


CHANGES = [of_bytes, of_header, of_header, of_arrays, of_arrays]


def go_on(path: Path, made: Base) -> tuple[zermelo.Session, zermelo.Result]:
    """Read a checkpoint, and search some more; a forged tree may go round in circles, but limits
    hold."""
    session = zermelo.Session.load(path, made.game, memory=MORE_MEMORY)
    nodes = session.answer.nodes + AFTER
    return session, session.run(zermelo.Limits(nodes=nodes, memory=MORE_MEMORY, time=MOST_SECONDS))


def certified(session: zermelo.Session, made: Base) -> bool:
    """Whether a certificate is written and verified; then it must be true."""
    path = place() / "mutant.proof"
    path.unlink(missing_ok=True)
    try:
        zermelo.write_proof(session, path, memory=1 << 22)
    except (zermelo.ZermeloError, zermelo.ProofFailure):
        return False
    about = certificates.Base(made.found.position, made.found.exact, path.read_bytes())
    return certificates.check(about.content, about, path)["believed"] > 0


def check(content: bytes, made: Base, path: Path, fits: bool) -> Counter[str]:
    """A mutant is refused, or the search goes on; ``fits``: its digest does."""
    path.write_bytes(content)
    counts = Counter(mutants=1)
    try:
        with patience(LONGEST):
            session, result = go_on(path, made)
            if not fits and content != made.content:
                raise Difference("the digest does not fit, but the file is taken")
            counts.update({"gone on": 1})
            if result.proved and certified(session, made):
                counts.update(certified=1)
    except zermelo.ZermeloError:
        return Counter(mutants=1, refused=1)
    except Stuck:
        raise Difference(f"no end within {LONGEST:.0f} s") from None
    if session.position != made.found.position or session.goal != made.asked.options["goal"]:
        return counts
    try:
        Judge(made.found).take(made.asked, result)
    except Difference:
        if not fits:
            raise
        counts["believed, and wrong"] += 1
    return counts


def run(seed: int, index: int) -> Counter[str]:
    """One mutant."""
    with without_compilation():
        rng, number = chance("checkpoints", seed, index), index // BLOCK
        made = base(seed, number)
        change = rng.choice(CHANGES)
        content = change(made, rng)
        about = f"{made.found.position!r}, {made.asked}, {change.__name__}"
        with keeping(f"soak-checkpoints-{seed}-{index}.checkpoint", content, about):
            return check(content, made, place() / "mutant.checkpoint", change is not of_bytes)
