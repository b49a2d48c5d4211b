"""Changed certificates, checked by the plain rules and as machine code: both say the same."""

import random
from collections import Counter
from functools import lru_cache
from pathlib import Path

import zermelo
from benchmarks.soak import certificates
from benchmarks.soak.case import Difference, Stuck, chance, patience, place, without_compilation

BLOCK = 40  # mutants of one certificate
SECONDS = 30.0
LONGEST = 120.0  # seconds of the processor for one check, compilation included
SHAPES = ("connect-four 4x4", "connect-four 5x4, three in a row", "othello 4x4",
          "othello 4x4, no move loses", "hex 3x3", "hex 4x4")
# None that leaves out replies, whose certificates are of zones.
SEARCHES = (zermelo.WeakDFPN(zones="off"), zermelo.DFPN(zones="off"))


@lru_cache(maxsize=16)
def base(seed: int, number: int) -> certificates.Base:
    """A certificate of records."""
    rng = chance("compiled certificate", seed, number)
    return certificates.base_of(SHAPES[number % len(SHAPES)], rng, SEARCHES)


def said(path: Path, rules: str) -> tuple[str, str]:
    """The verdict by these rules, and the reason."""
    try:
        with patience(LONGEST):
            report = zermelo.verify(path, rules=rules)
    except zermelo.ZermeloError as error:
        return "error", str(error)
    except Stuck:
        raise Difference(f"{rules}: no verdict within {LONGEST:.0f} s") from None
    return report.verdict, report.reason


def only_for_some(answer: tuple[str, str]) -> bool:
    """Whether a header names a game that there is no machine code for."""
    return answer[0] == "error" and "rules='compiled' is for" in answer[1]


def check(content: bytes, path: Path) -> Counter[str]:
    """Both checkers on one file."""
    path.write_bytes(content)
    plain, fast = said(path, "naive"), said(path, "compiled")
    if only_for_some(fast):
        return Counter(mutants=1, **{"other games": 1})
    if plain != fast:
        raise Difference(f"the plain rules say {plain}, machine code says {fast}")
    return Counter(mutants=1, believed=plain[0] == "verified")


def run(seed: int, index: int) -> Counter[str]:
    """One mutant; at times the certificate itself."""
    rng, number = chance("compiled", seed, index), index // BLOCK
    with without_compilation():
        made = base(seed, number)
        content = changed(made, rng) if index % BLOCK else made.content
    try:
        return check(content, place() / "mutant.proof")
    except Exception as error:
        saved = Path(f"soak-compiled-{seed}-{index}.proof")
        saved.write_bytes(content)
        raise Difference(f"{made.position!r}: {type(error).__name__}: {error}; the file is kept as "
                         f"{saved}") from error


def changed(made: certificates.Base, rng: random.Random) -> bytes:
    """With a digest that fits."""
    return rng.choice(certificates.CHANGES)(made, rng)
