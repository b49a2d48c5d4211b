"""Changed certificates, each with a digest that fits: what is believed must be true.

A mutant that is verified is held against exact values of the position that it names, by the slow
twins; and where the tests' judge can follow records, these must prove the claims. Those of zones
must be verified without trust in zones, too.
"""

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from certificates import NaiveGraph, digested, taken_apart
from judge import BOARDS, proves
from mutants import mutants

import zermelo
from benchmarks.soak import zones
from benchmarks.soak.case import (
    Difference,
    Stuck,
    chance,
    patience,
    place,
    without_compilation,
)
from benchmarks.soak.changes import change_field, changed_bytes
from benchmarks.soak.games import NAMES, TWINS, WHOLE, draw
from benchmarks.soak.retrograde import Retrograde, TooLarge
from zermelo.core.object_game import ObjectGame

BLOCK = 40  # mutants of one certificate
SECONDS = 120.0
EVERY = 20  # one certificate in so many is one of zones, whose checks take longer
LONGEST = 20.0  # seconds of the processor for one check
NODES = 3_000
CHANCES = 20
STATES = 20_000  # positions that a judgement may look at
OWN = ("graph", "chomp", "plain", "nim")  # the checker must be given these games
# No certificates; another game for each certificate.
LEFT_OUT = ("xiangqi, perpetual check loses", "OpenSpiel")
SEARCHES = ("weak-df-pn", "weak-df-pn", "df-pn", "pn", "alpha-beta")
FIELDS: list[Any] = [0, 1, -1, 2, 3, 10, 1000, 10_000_000, 2**31, 2**63, 1e300, True, None,
                     "", "first", "second", "wins", "does not win", "start", [], {}, "board",
                     "0x1ff", [[]]]


@dataclass(frozen=True)
class Base:
    """A certificate, and what is needed to check and to judge it."""

    position: zermelo.Position
    exact: Retrograde
    content: bytes

    @property
    def twin(self) -> Any:
        """The slow rules."""
        return self.exact.twin

    @property
    def game(self) -> zermelo.Game | None:
        """The game, where the checker must be told."""
        return self.position.game if self.position.game.name in OWN else None

    @property
    def of_zones(self) -> bool:
        """Whether it is one of zones, as many of Hex are."""
        return b'"kind": "zones"' in self.content.split(b"\n\n", 1)[0]

    @property
    def nodes(self) -> dict[str, Any] | None:
        """The graph, if it is one."""
        return self.twin.nodes if isinstance(self.twin, NaiveGraph) else None


@lru_cache(maxsize=64)
def base(seed: int, number: int) -> Base:
    """A certificate of a random position."""
    shapes = [shape for shape in NAMES if shape not in LEFT_OUT]
    return base_of(shapes[number % len(shapes)], chance("certificate", seed, number))


def base_of(shape: str, rng: random.Random, searches: Sequence[Any] = SEARCHES) -> Base:
    """A certificate of a random position of a shape, made by one of these searches."""
    path = place() / "base.proof"
    while True:
        found = draw(shape, rng)
        if found.position.outcome is not None:
            continue
        session = zermelo.start(found.position, rng.choice(searches), goal=rng.choice(
            ["value", "value", "win"]))
        session.advance(zermelo.Limits(nodes=NODES, memory=1 << 23))
        value, proved = session.value()
        if proved and session.answer.complete(value) and not _swap_ahead(found.position):
            break
    zermelo.write_proof(session, path, check=False, search=rng.choice([0, 0, 10, 1000]),
                        memory=1 << 22)
    return Base(found.position, found.exact, path.read_bytes())


def _swap_ahead(position: zermelo.Position) -> bool:
    """Whether a swap may come, which no certificate holds."""
    game = position.game
    return game.name == "hex" and game.values["swap"] == "yes" and any(
        name == "swap" for at in (position, *map(position.play, position.moves()))
        if at.outcome is None for name in at.moves())


def roots_near(position: zermelo.Position) -> list[str]:
    """Other positions: after a move, and with the other side to move."""
    turned = str.maketrans("XOwb", "OXbw")
    text = position.text
    return [*(position.play(move).text for move in position.moves()),
            text[:-1] + text[-1].translate(turned)]


def of_records(made: Base, rng: random.Random) -> bytes:
    """A record, the header or the root changed with care."""
    parts, roots = taken_apart(made.content), roots_near(made.position)
    for _ in range(CHANCES):
        try:
            _, changed = next(mutants(parts, roots, 1, rng.getrandbits(32)))
            return bytes(changed.joined())
        except (OverflowError, ValueError):  # a move that has no room, records of two sizes
            continue
    return made.content


def of_unpacked_bytes(made: Base, rng: random.Random) -> bytes:
    """Bytes of records."""
    parts = taken_apart(made.content)
    rows = rng.choice([rows for rows in parts.records if rows] or [[]])
    for _ in range(rng.choice([1, 1, 2, 4])):
        if rows:
            at = rng.randrange(len(rows))
            row = bytearray(rows[at])
            row[rng.randrange(len(row))] ^= 1 << rng.randrange(8)
            rows[at] = bytes(row)
    if rng.random() < 0.5:
        rows.sort()
    return bytes(parts.joined())


def of_rows(made: Base, rng: random.Random) -> bytes:
    """Moves, replies and zones; at times of another position, or for the other player."""
    lines = zones.read(made.content)
    for _ in range(rng.choice([1, 1, 2])):
        zones.change_node(rng.choice(lines[1:]), rng, len(lines))
    if rng.random() < 0.2:
        lines[0]["position"] = rng.choice(roots_near(made.position))
    if rng.random() < 0.1:
        lines[0]["claims"][0] |= rng.choice([{"player": "first", "name": "X"},
                                             {"player": "second", "name": "O"}])
    return zones.written(lines)


def of_header(made: Base, rng: random.Random) -> bytes:
    """A field of the header, at any depth, becomes something else."""
    first, rest = made.content[:-32].split(b"\n", 1)
    text, body = rest.split(b"\n\n", 1)
    header = json.loads(text)
    change_field(header, rng, FIELDS)
    return digested(first + b"\n" + json.dumps(header, indent=1).encode() + b"\n\n" + body)


def of_bytes(made: Base, rng: random.Random) -> bytes:
    """Any bytes of the file."""
    content = changed_bytes(made.content[:-32], rng, 22)
    return digested(content) if rng.random() < 0.9 else content + made.content[-32:]


CHANGES = [of_records, of_records, of_records, of_unpacked_bytes, of_header, of_bytes]
CHANGES_OF_ZONES = [of_rows, of_rows, of_rows, of_header, of_bytes]


def judged(content: bytes, made: Base, most: int = STATES) -> bool | None:
    """Whether the claims in a certificate are true; None where that can't be found out by looking
    at ``most`` positions.

    What can't be read, or is not a position of its game, is not true.
    """
    try:
        header = json.loads(content.split(b"\n", 1)[1].split(b"\n\n", 1)[0])
        if header["game"] in OWN:
            exact, game = Retrograde(made.twin, most), made.position.game
            if isinstance(game, ObjectGame):
                return true_of(header, exact, game.state(game.parse(header["position"])))
        else:
            given = header["parameters"]
            game = zermelo.game(header["game"], **given)
            whole = made.exact.most >= WHOLE and game == made.position.game
            exact = made.exact if whole else exact_for(
                header["game"], json.dumps(given), most)
        text = game.parse(header["position"]).text
        return true_of(header, exact, exact.twin.from_position(SimpleNamespace(text=text)))
    except TooLarge:
        return None
    except (ValueError, KeyError, TypeError, IndexError):
        return False


def true_of(header: dict[str, Any], exact: Retrograde, state: Any) -> bool:
    """Whether all claims of a header are true of a state."""
    winner, _ = exact.of(state)
    return all((winner == ("first", "second").index(claim["player"])) == (
        claim["claim"] == "wins") for claim in header["claims"])


@lru_cache(maxsize=64)
def exact_for(name: str, parameters: str, most: int) -> Retrograde:
    """Exact values of a game, kept from mutant to mutant."""
    return Retrograde(TWINS[name](**json.loads(parameters)), most)


def follows(content: bytes, made: Base) -> bool:
    """Whether its records prove its claims, where the judge of the tests can tell."""
    try:
        parts = taken_apart(content)
        known = parts.header["game"] in (*BOARDS, "p-game", "graph")
        return not known or bool(proves(parts, made.nodes))
    except Exception:  # what the second reader can't read proves nothing
        return False


def check(content: bytes, made: Base, path: Path) -> Counter[str]:
    """A mutant is refused, or rightly believed."""
    path.write_bytes(content)
    try:
        with patience(LONGEST):
            believed = zermelo.verify(path, game=made.game).verified
    except zermelo.ZermeloError:
        believed = False
    except Stuck:
        raise Difference(f"no verdict within {LONGEST:.0f} s") from None
    except Exception as error:
        raise Difference(f"verify raises {type(error).__name__}: {error}") from error
    if not believed:
        return Counter(mutants=1)
    true = judged(content, made)
    if true is False:
        raise Difference("a false claim is verified")
    if made.of_zones:
        if not zermelo.verify(path, game=made.game, exhaustive=True).verified:
            raise Difference("it is verified, but without trust in zones it is refused")
    elif true and not follows(content, made):
        raise Difference("a claim is verified, but the records do not prove it")
    return Counter(mutants=1, believed=1, **{"not judged": true is None})


def run(seed: int, index: int) -> Counter[str]:
    """One mutant."""
    with without_compilation():
        return _run(seed, index)


def _run(seed: int, index: int) -> Counter[str]:
    rng, number = chance("certificates", seed, index), index // BLOCK
    if number % EVERY == EVERY - 1:
        return zones.run(seed, number // EVERY, rng)
    made = base(seed, number)
    change = rng.choice(CHANGES_OF_ZONES if made.of_zones else CHANGES)
    content = change(made, rng)
    path = place() / "mutant.proof"
    try:
        return check(content, made, path)
    except Difference as error:
        saved = Path(f"soak-certificates-{seed}-{index}.proof")
        saved.write_bytes(content)
        raise Difference(f"{made.position!r}, {change.__name__}: {error}; the file is kept as "
                         f"{saved}") from error

