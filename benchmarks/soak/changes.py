"""How files are changed at random: their bytes, and the fields of the JSON in them."""

import random
from typing import Any

FIELDS: list[Any] = [0, 1, -1, 2, 3, 10, 1000, 10_000_000, 2**31, 2**63, -(2**63), 10**40, 1e300,
                     0.5, float("nan"), float("inf"), True, False, None, "", "x", "start",
                     "9" * 400, "\0", "\u0130", "\x1b[2J", [], {}, [[]], [0], {"x": []}, [None] * 3]


def changed_bytes(content: bytes, rng: random.Random, first: int = 0) -> bytes:
    """Bytes from ``first`` on are changed, left out and put in; at times the end is cut off."""
    changed = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 4])):
        at = rng.randrange(first, len(changed))
        changed[at : at + rng.choice([0, 1, 1, 1, 2])] = rng.randbytes(rng.choice([0, 1, 1, 1, 3]))
    if rng.random() < 0.1:
        changed = changed[: rng.randrange(len(changed) + 1)]
    return bytes(changed)


def change_field(inside: Any, rng: random.Random, values: list[Any] = FIELDS) -> None:
    """A field of an object that is not empty, at any depth, becomes something else."""
    while True:
        name = rng.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
        if isinstance(inside[name], dict | list) and inside[name] and rng.random() < 0.8:
            inside = inside[name]
            continue
        break
    if rng.random() < 0.15 and isinstance(inside, dict):
        del inside[name]
    elif isinstance(inside[name], int) and rng.random() < 0.5:
        inside[name] += rng.choice([-2, -1, 1, 2, 5])
    else:
        inside[name] = rng.choice(values)
