"""Certificates that were changed in one place; each mutant has a digest of its own."""

import copy
import json
import random

SEARCH = -(2**31)


def key_of(parts, row):
    """What sorts a record."""
    if parts.header["layout"]["kind"] == "board":
        size = -(-parts.header["layout"]["bits"] // 8)
        taken = row[:size]
        return taken + bytes(a & b for a, b in zip(taken, row[size:], strict=True))
    return row[: sum(int(kind[2:]) * n for _, kind, n in parts.header["layout"]["fields"])]


def free_squares(parts, row):
    size = -(-parts.header["layout"]["bits"] // 8)
    taken = int.from_bytes(row[:size], "big")
    free = int(parts.header["layout"]["squares"], 16) & ~taken
    return size, taken, [i for i in range(8 * size) if free >> i & 1]


def with_move(parts, row, rng, search=False):
    """The record with another move, legal or not, or with `search`."""
    if parts.header["layout"]["kind"] == "board":
        size, taken, free = free_squares(parts, row)
        own = int.from_bytes(row[size:], "big") & taken
        chosen = free if search else [rng.choice(free)] if rng.random() < 0.9 else []
        return row[:size] + (own | sum(1 << i for i in chosen)).to_bytes(size, "big")
    at = len(key_of(parts, row))
    move = int.from_bytes(row[at : at + 4], "little", signed=True)
    new = SEARCH if search else rng.choice([move + 1, move - 1, 0, 1, 2, 3, move + 7])
    return row[:at] + new.to_bytes(4, "little", signed=True) + row[at + 4 :]


def some_record(parts, rng):
    """The numbers of a claim and of one of its records."""
    claims = [i for i, rows in enumerate(parts.records) if rows]
    if not claims:
        return None
    claim = rng.choice(claims)
    return claim, rng.randrange(len(parts.records[claim]))


def change_move(parts, rng):
    claim, i = some_record(parts, rng)
    rows = parts.records[claim]
    rows[i] = with_move(parts, rows[i], rng)


def change_to_search(parts, rng):
    claim, i = some_record(parts, rng)
    rows = parts.records[claim]
    rows[i] = with_move(parts, rows[i], rng, search=True)
    parts.header["search"] = rng.choice([10, 1000])


def drop_record(parts, rng):
    claim, i = some_record(parts, rng)
    del parts.records[claim][i]


def change_state(parts, rng):
    """A bit of the state of a record; or a new record like it."""
    claim, i = some_record(parts, rng)
    rows = parts.records[claim]
    row = bytearray(rows[i])
    row[rng.randrange(len(key_of(parts, rows[i])))] ^= 1 << rng.randrange(8)
    if rng.random() < 0.5:
        del rows[i]
    rows.append(bytes(row))


def swap_claim(parts, rng):
    claims = parts.header["claims"]
    claim = claims[rng.randrange(len(claims))]
    if rng.random() < 0.5:
        claim["claim"] = {"wins": "does not win", "does not win": "wins"}[claim["claim"]]
    else:
        claim["player"] = {"first": "second", "second": "first"}[claim["player"]]
        claim["name"] = parts.header["players"][claim["player"] == "second"]
    if rng.random() < 0.3:
        claims.reverse()


def change_rank(parts, rng):
    found = [i for i, claim in enumerate(parts.header["claims"]) if claim["ranked"]]
    claim, i = some_record(parts, rng)
    if claim in found:
        rows = parts.records[claim]
        rank = int.from_bytes(rows[i][-4:], "little")
        new = max(0, rank + rng.choice([-3, -2, -1, 1, 2, 5, 1000]))
        rows[i] = rows[i][:-4] + new.to_bytes(4, "little")


def change_parameter(parts, rng):
    given = parts.header["parameters"]
    if not given:
        return
    name = rng.choice(list(given))
    value = given[name]
    others = {"no_move": ["pass", "loses"], "overline": ["wins", "no-win"]}
    given[name] = (rng.choice(others[name]) if name in others
                   else value + rng.choice([-1, 1, 2]) if isinstance(value, int) else value[::-1])


def change_fold(parts, rng):
    parts.header["folded"] = not parts.header["folded"]


KINDS = [change_move, change_to_search, drop_record, change_state, swap_claim, change_rank,
         change_parameter, change_fold]


def mutants(parts, roots, count, seed):
    """``count`` changed copies; ``roots`` are texts of other positions."""
    rng, made = random.Random(seed), 0

    def change_root(changed, rng):
        changed.header["position"] = rng.choice(roots)

    while made < count:
        changed = copy.deepcopy(parts)
        kind = rng.choice([*KINDS, *[change_move, drop_record] * 3, change_root, change_root])
        if some_record(changed, rng) is None and kind is not change_root:
            kind = swap_claim
        kind(changed, rng)
        for rows in changed.records:
            rows.sort(key=lambda row: key_of(changed, row))
        if json.dumps(changed.header) != json.dumps(parts.header) \
                or changed.records != parts.records:
            made += 1
            yield kind.__name__, changed
