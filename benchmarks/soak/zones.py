"""Changed certificates of zones. Their format is known here, and nowhere else in the soak."""

import json
import random
from collections import Counter
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from command import call
from forged_zones import taken_apart, zones_file
from naive.k_in_a_row import NaiveKInARow

import zermelo
from benchmarks.soak.case import Difference, Stuck, chance, patience, place
from benchmarks.soak.games import game_of
from benchmarks.soak.retrograde import Retrograde, TooLarge

LONGEST = 20.0
STATES, TRIES = 20_000, 40
BOARDS: list[dict[str, Any]] = [
    {"columns": 6, "rows": 5, "line": 4, "stones": 1},
    {"columns": 6, "rows": 5, "line": 4, "stones": 2},
    {"columns": 6, "rows": 5, "line": 4, "stones": 1, "overline": "no-win"},
]
VERIFIED = 0


def crowded(rng: random.Random, board: dict[str, Any]) -> zermelo.Position | None:
    """A position with 5 to 11 empty squares, perhaps."""
    cells = board["columns"] * board["rows"]
    left = rng.randint(5, 11)
    own = (cells - left) // 2 + rng.choice([0, 0, 1, 2])
    marks = list("X" * own + "O" * (cells - left - own) + "." * left)
    rng.shuffle(marks)
    rows = ["".join(marks[i : i + board["columns"]]) for i in range(0, cells, board["columns"])]
    try:
        position = game_of("k-in-a-row", **board).parse(
            f"{'/'.join(rows)} {rng.choice('XO')}{rng.randint(1, board['stones'])}")
    except zermelo.BadPosition:
        return None
    return position if position.outcome is None else None


def far_apart(rng: random.Random) -> zermelo.Position:
    """Two pairs on an 8x8 board: won by a quiet move, with many replies to answer."""
    right, up = rng.randint(-3, 1), rng.randint(-2, 2)
    stones = {(c + right, r + up): "X" for c, r in ((4, 3), (5, 3), (3, 4), (3, 5))}
    for _ in range(rng.randrange(3)):
        stones.setdefault((rng.randrange(8), rng.randrange(8)), "O")
    rows = ["".join(stones.get((c, r), ".") for c in range(8)) for r in range(8)]
    return game_of("k-in-a-row", columns=8, rows=8, line=5).parse(f"{'/'.join(rows)} X")


@lru_cache(maxsize=64)
def base(seed: int, number: int) -> list[Any]:
    """The lines of a certificate; of one with a zone, if one is found soon."""
    rng, path, kept = chance("zones", seed, number), place() / "base.zones", []
    for _ in range(TRIES):
        which = number % (len(BOARDS) + 1)
        position = far_apart(rng) if which == len(BOARDS) else crowded(rng, BOARDS[which])
        if position is None:
            continue
        player = rng.choice([position.mover, 1 - position.mover, 1 - position.mover])
        session = zermelo.start(position, "df-pn", goal="win", candidates=True, plain=True,
                                player=position.mover if which == len(BOARDS) else player)
        if session.run(zermelo.Limits(nodes=2_000, memory=1 << 20)).value != "win":
            continue
        zermelo.write_proof(session, path, check=False)
        lines = read(path.read_bytes())
        kept = kept or lines
        if len(lines) > 2:
            return lines
    return kept or base(seed, number + 1_000_003)


def read(content: bytes) -> list[Any]:
    """The header, then the nodes and the wins."""
    header, rows = taken_apart(content)
    return [header, *rows]


def written(lines: list[Any]) -> bytes:
    """The file of a header and rows, with a digest that fits."""
    content: bytes = zones_file(lines[0], lines[1:])
    return content


def change_claim(claim: dict[str, Any], rng: random.Random, other: dict[str, Any]) -> None:
    """Another position, winner or game."""
    kind = rng.randrange(6)
    if kind == 0:
        player = rng.choice([0, 1])
        with suppress(TypeError, IndexError):  # an earlier change may have left no claims
            claim["claims"][0] |= {"player": ("first", "second")[player], "name": "XO"[player]}
    elif kind == 1:
        claim["position"] = other["position"]
    elif kind == 2:
        text = claim["position"]
        at = rng.choice([rng.randrange(len(text)), len(text) - 1, len(text)])
        claim["position"] = text[:at] + rng.choice("XO.123/") + text[at + 1 :]
    elif kind == 3:
        name = rng.choice(["columns", "rows", "line", "stones", "first", "overline"])
        claim["parameters"][name] = rng.choice([1, 2, 3, 4, 5, 6, "wins", "no-win"])
    elif kind == 4:
        claim[rng.choice(["wins", "bytes", "players", "kind", "claims"])] = rng.choice(
            [0, 1, 2, 100, 10**9, True, None, [], "records"])
    else:
        claim["game"] = rng.choice(["gomoku", "connect6", "hex", "", str(trap())])


def change_node(node: Any, rng: random.Random, nodes: int) -> None:
    """A turn, a reply, what follows, or a part of a plan."""
    if not node:
        return
    name = rng.choice(list(node)) if isinstance(node, dict) else rng.randrange(len(node))
    found = node[name]
    if isinstance(found, list) and found and rng.random() < 0.6:
        at = rng.randrange(len(found))
        if rng.random() < 0.5:
            del found[at]
        else:
            found[at] = found[at][:-1] if isinstance(found[at], list) else rng.randrange(30)
    elif isinstance(found, dict) and found:
        node[name] = {key: value for key, value in found.items() if rng.random() < 0.5}
    else:
        node[name] = rng.choice([None, [], {}, 0, rng.randrange(nodes + 1), [rng.randrange(30)],
                                 list(range(30))])


def mutant(lines: list[Any], other: list[Any], rng: random.Random) -> bytes:
    """A changed copy."""
    copy = json.loads(json.dumps(lines))
    kind = rng.random()
    if kind < 0.1:
        content = bytearray(written(copy))
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        return bytes(content)
    for _ in range(rng.choice([1, 1, 2])):
        if kind < 0.5:
            change_claim(copy[0], rng, other[0])
        elif kind < 0.9:
            change_node(rng.choice(copy[1:]), rng, len(copy))
        else:
            at = rng.randrange(1, len(copy))
            copy[at : at + rng.randrange(2)] = rng.choice([[], other[1:2]])
            with suppress(TypeError, IndexError, KeyError):
                copy[0]["claims"][0]["nodes"] = len(copy) - 1 - int(copy[0]["wins"])
            if len(copy) == 1:
                break
    return written(copy)


def trap() -> Path:
    """A file that shows if it is run."""
    path = place() / "trap.py"
    if not path.exists():
        path.write_text(f"open({str(place() / 'sprung')!r}, 'w').close()\n")
    return path


def judged(content: bytes) -> bool | None:
    """Whether the claim is true, by brute force; None where it can't be found out."""
    claim = read(content)[0]
    if claim["game"] != "k-in-a-row":
        return None
    position = zermelo.game("k-in-a-row", **claim["parameters"]).parse(claim["position"])
    try:
        winner = winner_of(json.dumps(claim["parameters"]), position.text)
    except TooLarge:
        return None
    return bool(winner == ("first", "second").index(claim["claims"][0]["player"]))


@lru_cache(maxsize=1024)
def winner_of(parameters: str, text: str) -> int | None:
    """By brute force."""
    twin = NaiveKInARow(**json.loads(parameters))
    return Retrograde(twin, STATES).of(twin.from_position(SimpleNamespace(text=text)))[0]


def status(path: Path, *words: str) -> int:
    """How ``zermelo verify`` leaves."""
    try:
        with patience(LONGEST):
            return call("verify", str(path), "--quiet", *words).status
    except Stuck:
        raise Difference(f"no verdict within {LONGEST:.0f} s") from None
    except Exception as error:
        raise Difference(f"verify raises {type(error).__name__}: {str(error)[:200]}") from error


def check(content: bytes, path: Path) -> Counter[str]:
    """A mutant is refused, or rightly believed; no file that it names is run."""
    path.write_bytes(content)
    left = status(path)
    if (place() / "sprung").exists():
        (place() / "sprung").unlink()
        raise Difference("verify runs a file that the certificate names")
    if left != VERIFIED:
        return Counter({"mutants": 1, "mutants of zones": 1})
    true = judged(content)
    if true is False:
        raise Difference("a false claim is verified")
    if status(path, "--exhaustive") != VERIFIED:
        raise Difference("it is verified, but with --exhaustive it is refused")
    return Counter({"mutants": 1, "mutants of zones": 1, "believed": 1,
                    "not judged": int(true is None)})


def run(seed: int, number: int, rng: random.Random) -> Counter[str]:
    """One mutant of certificate ``number``."""
    content = mutant(base(seed, number), base(seed, number + 1), rng)
    try:
        return check(content, place() / "mutant.zones")
    except Difference as error:
        raise Difference(f"zones: {error}\n{content.decode(errors='replace')[:2000]}") from error
