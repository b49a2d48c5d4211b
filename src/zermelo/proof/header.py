"""The header of a certificate: what it claims about which position, and how its body is laid out.
Plain JSON, so that people and other programs can read it; nothing in it is taken on trust."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.errors import counted, one_line, quoted, shown

MAGIC = b"zermelo certificate "
VERSION = 2
RECORDS, ZONES, PROBLEM = "records", "zones", "problem"  # kinds of certificates
SOLVED, DEAD = "solved", "dead"  # claims about a problem
LONGEST_HEADER = 1 << 20
MOST_BYTES = 1 << 24  # of a block when it is unpacked
MOST_CLAIMS, MOST_RECORDS, WIDEST = 4, 1 << 40, 1 << 16
LEAST_SEARCH, MOST_SEARCH = 10, 10_000_000
MOST_ZONE_BYTES = 1 << 30  # of the body of a certificate of zones when it is unpacked
RANK_BYTES, MOVE_BYTES = 4, 4
# A record that says `search` instead of a move, and a pass on a board, among codes of moves.
SEARCH, PASS = -(1 << 31), -1


class Refused(Exception):
    """A certificate proves nothing; the text says why, in words that can follow a colon."""


@dataclass(frozen=True)
class ClaimPart:
    """A claim with the number of its records, and whether they have ranks."""

    claim: Claim
    name: str
    ranked: bool
    records: int

    @property
    def words(self) -> str:
        """The claim in a sentence, as the header words it."""
        return f"{self.name} {self.claim.verb}"


@dataclass(frozen=True)
class Header:
    """The content of a certificate before its body.

    Of ``records``: ``folded``, ``layout``, ``search`` and ``block``. Of ``zones``: ``wins``, how
    many wins by threats there are, and ``size``, that of the body when it is unpacked; what
    counts as a record there is a node. Of a ``problem``: ``status``, SOLVED or DEAD, ``root``, its
    number among the ``nodes``, and ``size``; ``position`` is the root's text.
    """

    game: str
    built_in: bool
    parameters: dict[str, Any]
    players: tuple[str, str]
    position: str
    parts: tuple[ClaimPart, ...]
    kind: str = RECORDS
    folded: bool = False
    layout: dict[str, Any] = field(default_factory=dict)
    search: int = 0
    block: int = 0
    wins: int = 0
    size: int = 0
    note: str = ""
    status: str = ""
    root: int = 0
    nodes: int = 0

    @property
    def changed(self) -> dict[str, Any]:
        """The parameters that are not as by default; of a user's game, all of them."""
        usual = DEFAULTS.get(self.game, {}) if self.built_in else {}
        return {name: value for name, value in self.parameters.items()
                if name not in usual or usual[name] != value}

    @property
    def title(self) -> str:
        """The game and these parameters, fit to be printed whatever they are."""
        return shown(" ".join([self.game or self.kind, *(f"{name}={value}"
                                            for name, value in self.changed.items())]))

    @property
    def about(self) -> str:
        """The title and the position, the same."""
        return f"{self.title}: {shown(self.position)}"

    @property
    def key_bytes(self) -> int:
        """The bytes of a state."""
        if self.layout["kind"] == "board":
            return 2 * board_bytes(self.layout["bits"])
        sizes = [int(kind[2:]) * repeat for _, kind, repeat in self.layout["fields"]]
        return sum(sizes)

    def record_bytes(self, part: ClaimPart) -> int:
        """Return the bytes of a record: on a board the move is a bit of the second word."""
        move = 0 if self.layout["kind"] == "board" else MOVE_BYTES
        return self.key_bytes + move + (RANK_BYTES if part.ranked else 0)

    def blocks(self, part: ClaimPart) -> int:
        """Return the number of blocks that the records of a claim take."""
        return -(-part.records // self.block)

    def encoded(self) -> bytes:
        """Return the header as it stands at the top of a file, with the empty line at its end."""
        record = self._of_problem() if self.kind == PROBLEM else self._of_game()
        lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in record.items()]
        text = "{\n" + ",\n".join(lines) + "\n}\n\n"
        return MAGIC + f"{VERSION}\n".encode() + text.encode()

    def _of_problem(self) -> dict[str, Any]:
        return {"kind": self.kind, "problem": self.position, "claim": self.status,
                "root": self.root, "nodes": self.nodes, "bytes": self.size, "note": self.note}

    def _of_game(self) -> dict[str, Any]:
        zones = self.kind == ZONES
        claims = [{"player": SIDES[part.claim.player], "name": part.name, "claim": part.claim.verb}
                  | ({"nodes": part.records} if zones else
                     {"ranked": part.ranked, "records": part.records}) for part in self.parts]
        body = ({"wins": self.wins, "bytes": self.size} if zones else
                {"folded": self.folded, "layout": self.layout, "search": self.search,
                 "block": self.block})
        return {
            "kind": self.kind, "game": self.game, "built_in": self.built_in,
            "parameters": self.parameters, "players": list(self.players),
            "position": self.position, **body, "claims": claims, "note": self.note,
        }


def fields_layout(plain: np.dtype[Any]) -> dict[str, Any]:
    """Return the layout of records that hold the fields of a state."""
    fields = []
    for name in plain.names or ():
        kind = plain[name]
        fields.append([name, kind.base.str, int(np.prod(kind.shape, dtype=int))])
    return {"kind": "fields", "fields": fields}


def board_layout(bits: int, squares: int) -> dict[str, Any]:
    """Return the layout of records that hold two words of ``bits`` bits."""
    return {"kind": "board", "bits": bits, "squares": hex(squares)}


def board_bytes(bits: int) -> int:
    """Return the bytes of one word of a board."""
    return -(-bits // 8)


def decoded(text: bytes) -> Header:
    """Return the header in ``text`` (without the first line), every part of it checked."""
    try:
        found = json.loads(text, parse_constant=_no_number, object_pairs_hook=_once_each)
    except (ValueError, RecursionError) as error:
        raise Refused(f"the header is not JSON ({one_line(error)})") from None
    if not isinstance(found, dict):
        raise Refused("the header is not a JSON object")
    take = _Fields(found)
    kind = take.choice("kind", (RECORDS, ZONES, PROBLEM))
    if kind == PROBLEM:
        header = problem_header(
            take.text("problem"), take.choice("claim", (SOLVED, DEAD)),
            take.number("root", 0, MOST_RECORDS), take.number("nodes", 1, MOST_RECORDS),
            take.number("bytes", 1, MOST_ZONE_BYTES), take.text("note"))
        take.nothing_left()
        return header
    zones = kind == ZONES
    first, second = take.texts("players", 2)
    header = Header(
        kind=ZONES if zones else RECORDS, game=take.text("game"), built_in=take.flag("built_in"),
        parameters=take.object("parameters"), players=(first, second),
        position=take.text("position"), parts=_parts(take, (first, second), zones),
        note=take.text("note"), **(_zones_body(take) if zones else _records_body(take)),
    )
    take.nothing_left()
    if header.built_in and not header.position.isprintable():
        raise Refused(f"its position {quoted(header.position)} has characters that no position of "
                      "a built-in game has")
    if not zones:
        widest = max(header.record_bytes(part) for part in header.parts)
        if not 1 <= widest <= WIDEST or widest * header.block > MOST_BYTES:
            raise Refused(f"blocks of {header.block:,} records of {widest:,} bytes are too large")
    return header


def problem_header(text: str, status: str, root: int, nodes: int, size: int,
                   note: str = "") -> Header:
    """Return the header of a certificate of a problem."""
    return Header("", False, {}, ("any", "all"), text, (), PROBLEM, size=size, note=note,
                  status=status, root=root, nodes=nodes)


def _records_body(take: _Fields) -> dict[str, Any]:
    return {"folded": take.flag("folded"), "layout": _layout(take.object("layout")),
            "search": take.number("search", LEAST_SEARCH, MOST_SEARCH),
            "block": take.number("block", 1, MOST_BYTES)}


def _zones_body(take: _Fields) -> dict[str, Any]:
    return {"wins": take.number("wins", 0, MOST_ZONE_BYTES),
            "size": take.number("bytes", 1, MOST_ZONE_BYTES)}


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name appears twice in an object")
    return found


def _parts(take: _Fields, players: tuple[str, str], zones: bool) -> tuple[ClaimPart, ...]:
    claims = take.items("claims")
    most = 1 if zones else MOST_CLAIMS
    if not 1 <= len(claims) <= most:
        raise Refused(f"the header has {counted(len(claims), 'claim')}, not 1 to {most}")
    parts = []
    for claim in claims:
        if not isinstance(claim, dict):
            raise Refused(f"the claim {quoted(claim)} is not a JSON object")
        of = _Fields(claim)
        player = SIDES.index(of.choice("player", SIDES))
        if of.text("name") != players[player]:
            raise Refused(f"a claim gives the {SIDES[player]} player the name "
                          f"{quoted(claim['name'])}, which is {quoted(players[player])}")
        wins = of.choice("claim", (WINS, WINS_NOT)) == WINS
        if zones and not wins:
            raise Refused("zones prove that a player wins, and nothing else")
        ranked = False if zones else of.flag("ranked")
        count = of.number(*(("nodes", 1) if zones else ("records", 0)), MOST_RECORDS)
        parts.append(ClaimPart(Claim(player, wins), players[player], ranked, count))
        of.nothing_left()
    if len({part.claim for part in parts}) < len(parts):
        raise Refused("the header makes the same claim twice")
    return tuple(parts)


def _layout(found: dict[str, Any]) -> dict[str, Any]:
    """Return the layout, in one of its two kinds."""
    take = _Fields(found)
    if take.choice("kind", ("board", "fields")) == "board":
        take.number("bits", 1, 8 * WIDEST)
        take.text("squares")
    else:
        for field in take.items("fields"):
            if not (isinstance(field, list) and len(field) == 3 and isinstance(field[0], str)
                    and field[1] in KINDS and type(field[2]) is int and 1 <= field[2] <= WIDEST):
                raise Refused(f"the layout has the field {quoted(field)}")
    take.nothing_left()
    return found


KINDS = tuple(f"{order}{kind}{size}" for kind, sizes in (("i", (1, 2, 4, 8)), ("u", (1, 2, 4, 8)),
                                                        ("f", (4, 8)), ("b", (1,)))
              for size in sizes for order in ("<" if size > 1 else "|"))


class _Fields:
    """Takes the fields of a JSON object one by one and checks what they are."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.found, self.taken = found, set[str]()

    def _take(self, name: str, kind: type, what: str) -> Any:
        self.taken.add(name)
        if name not in self.found:
            raise Refused(f"the header has no {quoted(name)}")
        if type(self.found[name]) is not kind:
            raise Refused(f"{name} is {quoted(self.found[name])}, not {what}")
        return self.found[name]

    def text(self, name: str) -> str:
        return str(self._take(name, str, "a text"))

    def flag(self, name: str) -> bool:
        return bool(self._take(name, bool, "true or false"))

    def object(self, name: str) -> dict[str, Any]:
        return dict(self._take(name, dict, "an object"))

    def items(self, name: str) -> list[Any]:
        return list(self._take(name, list, "a list"))

    def texts(self, name: str, count: int) -> list[str]:
        found = self.items(name)
        if len(found) != count or not all(isinstance(text, str) for text in found):
            raise Refused(f"{name} is {quoted(found)}, not {count} texts")
        return found

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        found = self.text(name)
        if found not in choices:
            raise Refused(f"{name} is {quoted(found)}, not one of {', '.join(choices)}")
        return found

    def number(self, name: str, low: int, high: int) -> int:
        found: int = self._take(name, int, "a whole number")
        if not low <= found <= high:
            raise Refused(f"{name} is {quoted(found)}, not {low} to {high}")
        return found

    def nothing_left(self) -> None:
        for name in self.found:
            if name not in self.taken:
                raise Refused(f"the header has {quoted(name)}, which this version does not know")


def _in_a_row(size: int, line: int, stones: int = 1) -> dict[str, Any]:
    return {"columns": size, "rows": size, "line": line, "stones": stones, "first": 1,
            "overline": "wins"}


DEFAULTS: dict[str, dict[str, Any]] = {
    "connect-four": {"columns": 7, "rows": 6, "line": 4},
    "othello": {"size": 8, "no_move": "pass"},
    "hex": {"size": 11, "swap": "no"},
    "p-game": {"branching": 2, "depth": 20, "range": 127, "seed": 0, "generator": 1},
    "k-in-a-row": _in_a_row(3, 3), "tic-tac-toe": _in_a_row(3, 3),
    "gomoku": _in_a_row(15, 5), "connect6": _in_a_row(19, 6, stones=2),
    "lines-of-action": {"size": 8, "simultaneous": "draw", "no_move": "pass",
                        "repetition": "third"},
    "xiangqi": {"repetition": "draw", "protected": "none", "dialect": "ucci", "pieces": "letters"},
}


FIRST, SECOND, DRAWN = 0, 1, 2  # the ends of a game
SIDES = ("first", "second")
WINS, WINS_NOT = "wins", "does not win"


@dataclass(frozen=True)
class Claim:
    """``player`` (0 or 1) wins; or, with ``wins=False``, does not win."""

    player: int
    wins: bool = True

    @property
    def prover(self) -> int:
        """The player who has a move for everything: the winner, or the one that holds out."""
        return self.player if self.wins else 1 - self.player

    @property
    def verb(self) -> str:
        """``wins`` or ``does not win``."""
        return WINS if self.wins else WINS_NOT

    def holds(self, end: int) -> bool:
        """Return True if a game that ends like this is as the claim says."""
        return (end == self.player) == self.wins

    def words(self, players: tuple[str, str]) -> str:
        """Return the claim in a sentence."""
        return f"{players[self.player]} {self.verb}"
