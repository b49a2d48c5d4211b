"""Certificates as test vectors: ``python -m tools.certificates`` writes ``examples/certificates``.

Some are right, and a checker must accept them; each of the others breaks one rule of the format or
of a proof, and must be refused. All have digests that fit. ``index.json`` says of each what it is
about and what our checker answers.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import zermelo
from zermelo.proof import SEARCH, CertificateWriter, Claim, verify

FOLDER = Path(__file__).parents[1] / "examples" / "certificates"
INDEX = "index.json"
FIRST_LINE = b"zermelo certificate 2\n"
DIGEST_BYTES = 32
WINNER = {"first": 0, "second": 1, "draw": None}
MOST_PLIES = 12


def digested(content: bytes) -> bytes:
    """``content`` with a digest that fits it."""
    return content + hashlib.sha256(content).digest()


@dataclass
class Parts:
    """A certificate taken apart: ``records`` has a list of rows for each claim; of zones, one list
    of lines."""

    header: dict[str, Any]
    records: list[list[Any]]

    def joined(self) -> bytes:
        """The file, with a digest of its own; numbers of records and sizes are made to fit."""
        zones = self.header["kind"] == "zones"
        claims = [claim if zones else {**claim, "records": len(rows)} for claim, rows in
                  zip(self.header["claims"], self.records, strict=True)]
        if zones:
            body = "".join(f"{json.dumps(row, separators=(',', ':'))}\n"
                           for row in self.records[0]).encode()
            return assembled({**self.header, "claims": claims, "bytes": len(body)}, [body], b"")
        blocks, step = [], self.header["block"]
        for rows in self.records:
            for at in range(0, len(rows), step):
                columns = zip(*rows[at : at + step], strict=True)
                blocks.append(b"".join(bytes(column) for column in columns))
        return assembled({**self.header, "claims": claims}, blocks)


def assembled(header: Any, blocks: list[bytes], index: bytes | None = None) -> bytes:
    """The file with this header, object or text, and these blocks, which are packed."""
    text = header if isinstance(header, bytes) else json.dumps(header, indent=1).encode()
    packed = [zlib.compress(block, 9) for block in blocks]
    if index is None:
        index = b"".join(len(block).to_bytes(4, "little") for block in packed)
    return digested(FIRST_LINE + text + b"\n\n" + index + b"".join(packed))


def taken_apart(content: bytes) -> Parts:
    """The parts of a certificate."""
    first, rest = content.split(b"\n", 1)
    assert first + b"\n" == FIRST_LINE
    assert digested(content[:-DIGEST_BYTES]) == content
    text, body = rest.split(b"\n\n", 1)
    header, records = json.loads(text), list[list[Any]]()
    if header["kind"] == "zones":
        lines = zlib.decompress(body[:-DIGEST_BYTES]).splitlines()
        return Parts(header, [[json.loads(line) for line in lines]])
    counts = [claim["records"] for claim in header["claims"]]
    blocks = [-(-count // header["block"]) for count in counts]
    sizes = [int.from_bytes(body[4 * i : 4 * i + 4], "little") for i in range(sum(blocks))]
    body = body[4 * len(sizes) : -DIGEST_BYTES]
    for count, number in zip(counts, blocks, strict=True):
        rows = list[bytes]()
        for _ in range(number):
            size = sizes.pop(0)
            columns, body = zlib.decompress(body[:size]), body[size:]
            here = min(header["block"], count - len(rows))
            rows += [columns[i::here] for i in range(here)]
        records.append(rows)
    assert not body
    return Parts(header, records)


# --- certificates that are right ---


@cache
def within(position: Any, claim: Claim, plies: int) -> bool:
    """Whether the claim can be made good in so many plies."""
    if position.outcome is not None:
        return (WINNER[position.outcome] == claim.player) == claim.wins
    enough = any if position.mover == claim.prover else all
    return plies > 0 and enough(within(position.play_code(move), claim, plies - 1)
                                for move in position.codes())


def plies(position: Any, claim: Claim) -> int:
    """How many plies it takes."""
    return next(n for n in range(MOST_PLIES) if within(position, claim, n))


def strategy(root: Any, claim: Claim, leave: int) -> dict[Any, tuple[int, int]]:
    """For each position of the prover the move and the rank; ``search`` instead of a move where
    ``leave`` plies are left."""
    found, todo = dict[Any, tuple[int, int]](), [root]
    while todo:
        position = todo.pop().canonical()
        if position.outcome is not None or position in found:
            continue
        moves = position.codes()
        if position.mover == claim.prover:
            left = plies(position, claim)
            moves = [move for move in moves
                     if within(position.play_code(move), claim, left - 1)][:1]
            found[position] = (SEARCH if left == leave else moves[0], left)
            if left == leave:
                continue
        todo += [position.play_code(move) for move in moves]
    return found


def records(text: str, claims: list[Claim], game: str, leave: int = 0, **parameters: Any) -> Parts:
    """A certificate of records by brute force."""
    root = zermelo.game(game, **parameters).parse(text)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.proof"
        with CertificateWriter(path, root, claims) as writer:
            for number, claim in enumerate(claims):
                found = strategy(root, claim, leave)
                writer.add(number, np.concatenate([each.state for each in found]),
                           np.array([move for move, _ in found.values()], np.int32),
                           np.array([rank for _, rank in found.values()])
                           if writer.ranked[number] else None)
        return taken_apart(path.read_bytes())


def zones(text: str, game: str, candidates: bool = True, **parameters: Any) -> Parts:
    """A certificate of zones, as a search finds it, that the first player wins."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.proof"
        position = zermelo.game(game, **parameters).parse(text)
        session = zermelo.start(position, "df-pn", goal="win", player=0, candidates=candidates,
                                plain=candidates)
        session.run()
        zermelo.write_proof(session, path)
        return taken_apart(path.read_bytes())


FOUR = {"columns": 4, "rows": 4}
XIANGQI = "4k4/9/9/R8/1R7/9/9/9/9/3K5 w"
QUIET = "......../......../......../....XX../...X..../...X..../......../........ X"
PAIRS = {"columns": 6, "rows": 5, "line": 4, "stones": 2}
TRUE: dict[str, tuple[str, Callable[[], Parts]]] = {
    "connect-four-draw": ("two claims of one position, which is a draw", lambda: records(
        ".....OX.OXX.OXO. X", [Claim(0, wins=False), Claim(1, wins=False)], "connect-four",
        **FOUR)),
    "connect-four-search": ("some positions are left to a search", lambda: records(
        ".....OX.OXX.OXO. X", [Claim(0, wins=False)], "connect-four", leave=3, **FOUR)),
    "othello-pass": ("a player who can't move passes", lambda: records(
        "-X---XX-OOO---XO X", [Claim(1)], "othello", size=4)),
    "othello-loses": ("a player who can't move loses", lambda: records(
        "OOOX--OOXOOOOXOOOOOXOOXOOOX-OOO----O O", [Claim(1)], "othello", size=6,
        no_move="loses")),
    "hex": ("states folded by half a turn", lambda: records("3x3: a1", [Claim(1)], "hex", size=3)),
    "hex-swap": ("a game with a swap rule, after the swap", lambda: records(
        "3x3: a1 b2 c1", [Claim(1)], "hex", size=3, swap="yes")),
    "tic-tac-toe": ("states folded by eight symmetries", lambda: records(
        "a1 a2 b2", [Claim(0)], "tic-tac-toe")),
    "two-stones": ("turns of two stones", lambda: records(
        "b2 a1 a2", [Claim(0)], "k-in-a-row", columns=4, rows=3, stones=2)),
    "no-overline": ("longer lines do not win", lambda: records(
        "XX.../.O.O./..... X", [Claim(0)], "k-in-a-row", columns=5, rows=3, line=3,
        overline="no-win")),
    "large-board": ("more than 64 squares, folded by a hash", lambda: records(
        "d4 a1 e4 a2 f4 g4", [Claim(0)], "k-in-a-row", columns=9, rows=8, line=4)),
    "p-game": ("a tree of numbers", lambda: records(
        "start", [Claim(0)], "p-game", depth=5, seed=3, range=3)),
    "lines-of-action": ("a game with cycles: ranks", lambda: records(
        "start", [Claim(1)], "lines-of-action", size=3)),
    "xiangqi": ("a game with cycles: ranks", lambda: records(
        XIANGQI, [Claim(0)], "xiangqi")),
    "zones": ("zones of threats, with a quiet turn", lambda: zones(
        QUIET, "k-in-a-row", columns=8, rows=8, line=5)),
    "zones-one-stone": ("the other side moves, with one stone left", lambda: zones(
        ".....X/X..O.X/.OXX../.O..../..O... O1", "k-in-a-row", **PAIRS, overline="no-win")),
    "zones-two-stones": ("the other side moves, with two stones", lambda: zones(
        "X...../..X.O./....XX/....OX/....O. O2", "k-in-a-row", **PAIRS)),
    "zones-no-overline": ("longer lines do not win", lambda: zones(
        "....../.....X/....O./XXO.XX/...X.. O2", "k-in-a-row", **PAIRS, overline="no-win")),
    "zones-nodes": ("replies that have an answer of their own", lambda: zones(
        "....../.X..../X...XX/....../....O. O2", "k-in-a-row", **PAIRS)),
    "zones-hex": ("zones of Hex", lambda: zones("3x3: c1", "hex", candidates=False, size=3)),
}


# --- certificates that are false ---


@dataclass(frozen=True)
class Board:
    """Records of stones as numbers: taken squares, the prover's, and the moves."""

    parts: Parts

    @property
    def size(self) -> int:
        """The bytes of a word."""
        return -(-int(self.parts.header["layout"]["bits"]) // 8)

    @property
    def squares(self) -> int:
        """All squares."""
        return int(self.parts.header["layout"]["squares"], 16)

    def read(self, number: int) -> tuple[int, int, int]:
        """A record of the first claim."""
        row = self.parts.records[0][number]
        taken, second = (int.from_bytes(word, "big")
                         for word in (row[: self.size], row[self.size : 2 * self.size]))
        return taken, second & taken, second & ~taken

    def write(self, number: int, taken: int, own: int, moves: int) -> None:
        """Change it, and put it where it belongs."""
        self.parts.records[0][number] = b"".join(
            word.to_bytes(self.size, "big") for word in (taken, own | moves))
        order = {row: self.read(at)[:2] for at, row in enumerate(self.parts.records[0])}
        self.parts.records[0].sort(key=order.__getitem__)


Change = Callable[[Parts], Any]  # in place; or the whole file


def head(**fields: Any) -> Change:
    """Other fields of the header."""
    return lambda parts: parts.header.update(fields)


def claim(**fields: Any) -> Change:
    """Other fields of the first claim."""
    return lambda parts: parts.header["claims"][0].update(fields)


def rules(**fields: Any) -> Change:
    """Other parameters of the game."""
    return lambda parts: parts.header["parameters"].update(fields)


def layout(**fields: Any) -> Change:
    """Another layout."""
    return lambda parts: parts.header["layout"].update(fields)


def text(old: str, new: str) -> Change:
    """Another text of the header, which need not be JSON."""
    def change(parts: Parts) -> bytes:
        written = json.dumps(parts.header, indent=1)
        assert old in written
        return assembled(written.replace(old, new, 1).encode(), [])

    return change


def moved(number: int, change: Callable[[Board, int, int, int], tuple[int, int, int]]) -> Change:
    """Another record of stones."""
    def apply(parts: Parts) -> None:
        board = Board(parts)
        board.write(number, *change(board, *board.read(number)))

    return apply


def searched(parts: Parts) -> None:
    """Only the positions with most empty squares, each left to a search."""
    board = Board(parts)
    free = [(board.squares & ~board.read(i)[0]).bit_count() for i in range(len(parts.records[0]))]
    parts.records[0] = [row for row, left in zip(parts.records[0], free, strict=True)
                        if left == max(free)]
    for number in range(len(parts.records[0])):
        taken, own, _ = board.read(number)
        board.write(number, taken, own, board.squares & ~taken)


def one_claim(parts: Parts) -> None:
    """The first claim alone."""
    del parts.header["claims"][1:], parts.records[1:]


def fields(number: int, at: int, new: bytes) -> Change:
    """Other bytes in a record."""
    def apply(parts: Parts) -> None:
        row = parts.records[0][number]
        at_byte = at % len(row)
        parts.records[0][number] = row[:at_byte] + new + row[at_byte + len(new) :]
        parts.records[0].sort()

    return apply


def drop(number: int) -> Change:
    """A record, or a line, less."""
    def apply(parts: Parts) -> None:
        del parts.records[0][number]

    return apply


def swap(first: int, second: int) -> Change:
    """Two records that have changed places."""
    def apply(parts: Parts) -> None:
        rows = parts.records[0]
        rows[first], rows[second] = rows[second], rows[first]

    return apply


def line(number: int, row: Any) -> Change:
    """Another line of zones, or another value in it."""
    def apply(parts: Parts) -> None:
        rows = parts.records[0]
        rows[number] = {**rows[number], **row} if isinstance(row, dict) and isinstance(
            rows[number], dict) and set(row) < set(rows[number]) else row

    return apply


def lines(*rows: Any, position: str = "", wins: int = 0, nodes: int = 0) -> Change:
    """Other lines altogether."""
    def apply(parts: Parts) -> None:
        parts.records[0] = list(rows)
        parts.header["claims"][0]["nodes"] = nodes or len(rows) - wins
        parts.header["wins"] = wins
        parts.header["position"] = position or parts.header["position"]

    return apply


def both(*changes: Change) -> Change:
    """One after the other."""
    def apply(parts: Parts) -> Any:
        return [change(parts) for change in changes][-1]  # a file can only be the last

    return apply


def blocks(*contents: bytes, index: bytes | None = None, **of_claim: Any) -> Change:
    """Other blocks, or another index."""
    def apply(parts: Parts) -> bytes:
        parts.header["claims"][0].update(of_claim)
        return assembled(parts.header, list(contents), index)

    return apply


def body(content: bytes) -> Change:
    """Another body of zones."""
    def apply(parts: Parts) -> bytes:
        return assembled({**parts.header, "bytes": len(content)}, [content], b"")

    return apply


def cut(parts: Parts) -> bytes:
    """The packed body, not all of it."""
    return digested(parts.joined()[: -DIGEST_BYTES - 8])


def one_bit(parts: Parts) -> bytes:
    """A bit of the body, without a new digest."""
    content = bytearray(parts.joined())
    content[-DIGEST_BYTES - 9] ^= 1
    return bytes(content)


def no_end(parts: Parts) -> bytes:
    """A header without the empty line that ends it."""
    return digested(FIRST_LINE + json.dumps(parts.header).encode())


def repeated_cell(parts: Parts) -> None:
    """Zones by pairs that share a cell."""
    parts.header["claims"][0]["nodes"] = 1
    parts.records[0] = [{"stones": [1, 4], "pairs": [[6, 7], [7, 6]]}]


ZONE = {"stones": [1, 4, 7], "pairs": []}
THREE = {"columns": 5, "rows": 5, "line": 4, "stones": 3, "first": 1, "overline": "wins"}
FALSE: list[tuple[str, str, str, Change]] = [
    # the file
    ("digest", "tic-tac-toe", "the digest is that of the file", one_bit),
    ("header-end", "tic-tac-toe", "the header ends with an empty line", no_end),
    ("more-records", "tic-tac-toe", "the index fits into the file", blocks(records=10**9)),
    ("index", "tic-tac-toe", "the blocks end where the digest begins",
     blocks(b"x" * 40, index=b"\1\0\0\0")),
    ("block-short", "tic-tac-toe", "a block has as many bytes as its records", blocks(b"x")),
    ("block-long", "tic-tac-toe", "and no more", blocks(b"x" * 99)),
    ("body-cut", "zones", "the body can be unpacked", cut),
    ("body-size", "zones", "the body has the size that the header says",
     lambda parts: assembled({**parts.header, "bytes": 9}, [b"{}\n"], b"")),
    # the header
    ("json", "tic-tac-toe", "the header is JSON", text('"records"', "records")),
    ("json-nan", "tic-tac-toe", "numbers are numbers", text('"search": 1000', '"search": NaN')),
    ("json-twice", "tic-tac-toe", "no name comes twice",
     text('"kind": "records"', '"kind": "records", "kind": "records"')),
    ("json-array", "tic-tac-toe", "the header is an object",
     lambda parts: assembled(b"[]", [])),
    ("no-field", "tic-tac-toe", "every field is there",
     lambda parts: parts.header.pop("search")),
    ("unknown-field", "tic-tac-toe", "and no other", head(more=1)),
    ("kind-of-field", "tic-tac-toe", "a field has its kind: no number for a boolean",
     head(folded=1)),
    ("number-true", "tic-tac-toe", "no boolean for a number", head(search=True)),
    ("kind", "tic-tac-toe", "there are three kinds", head(kind="tree")),
    ("players-three", "tic-tac-toe", "there are two players", head(players=["X", "O", "Z"])),
    ("players-other", "tic-tac-toe", "players are called as in the game",
     both(head(players=["A", "O"]), claim(name="A"))),
    ("name", "tic-tac-toe", "a claim names its player", claim(name="O")),
    ("no-claims", "tic-tac-toe", "there is a claim",
     both(head(claims=[]), lambda parts: parts.records.clear())),
    ("claim-twice", "connect-four-draw", "no claim comes twice",
     lambda parts: parts.header["claims"].__setitem__(1, dict(parts.header["claims"][0]))),
    ("claim-words", "tic-tac-toe", "there are two claims about a player", claim(claim="draws")),
    ("claim-list", "tic-tac-toe", "a claim is an object",
     lambda parts: assembled({**parts.header, "claims": [[]]}, [])),
    ("search-low", "tic-tac-toe", "k is 10 or more", head(search=9)),
    ("search-high", "tic-tac-toe", "k is 10,000,000 or less", head(search=10**7 + 1)),
    ("block-zero", "tic-tac-toe", "a block has records",
     lambda parts: assembled({**parts.header, "block": 0}, [])),
    ("block-large", "tic-tac-toe", "a block has at most 2^24 bytes", head(block=1 << 23)),
    ("layout-kind", "tic-tac-toe", "there are two kinds of layout", layout(kind="stones")),
    ("layout-field", "xiangqi", "fields have a name, a type and a number",
     layout(fields=[["squares", "|O1", 45]])),
    ("layout-other", "tic-tac-toe", "the layout is that of the game", layout(squares="0x1fe")),
    ("position-control", "tic-tac-toe", "positions are printable",
     head(position=".../.../...\n X")),
    ("zones-two-claims", "zones", "zones have one claim",
     lambda parts: assembled({**parts.header, "claims": parts.header["claims"] * 2}, [b""], b"")),
    ("zones-not", "zones", "zones prove wins", claim(claim="does not win")),
    ("zones-no-nodes", "zones", "there is a node", claim(nodes=0)),
    ("zones-of-othello", "zones", "zones are for certain games",
     head(game="othello", parameters={"size": 8, "no_move": "pass"})),
    ("game", "tic-tac-toe", "the game is known", head(game="chess")),
    # records of any game
    ("order", "tic-tac-toe", "records rise by their keys", swap(3, 4)),
    ("twice", "tic-tac-toe", "no key comes twice",
     lambda parts: parts.records[0].insert(3, parts.records[0][3])),
    ("missing", "tic-tac-toe", "after each reply there is a record", drop(5)),
    ("missing-folded", "othello-pass", "the same after a pass, with the image that is stored",
     drop(8)),
    ("no-root", "tic-tac-toe", "the root is covered",
     lambda parts: parts.records[0].clear()),
    ("over", "tic-tac-toe", "the game goes on in a record",
     lambda parts: (parts.records[0].append(b"1234"), Board(parts).write(-1, 0x5F, 0x58, 0x20))),
    ("illegal", "connect-four-draw", "the move is legal",
     moved(0, lambda board, taken, own, move: (
         taken, own, 1 << (board.squares & ~taken).bit_length() - 1))),
    ("loses", "tic-tac-toe", "the game ends as claimed",
     moved(6, lambda board, taken, own, move: (taken, own, 1 << 6))),
    ("draws", "connect-four-draw", "a draw is not a win",
     both(one_claim, claim(player="second", name="O", claim="wins"))),
    ("rank-equal", "xiangqi", "ranks fall from record to record",
     fields(0, -4, bytes([3, 0, 0, 0]))),
    ("no-ranks", "xiangqi", "a win has ranks where positions can repeat",
     lambda parts: (claim(ranked=False)(parts),
                    parts.records.__setitem__(0, [row[:-4] for row in parts.records[0]]))),
    ("search-false", "connect-four-draw", "a search shows that the claim holds",
     both(one_claim, claim(player="second", name="O", claim="wins"), searched)),
    ("search-short", "connect-four-draw", "with no more than k positions",
     both(one_claim, head(search=10), searched)),
    # records of stones
    ("outside", "connect-four-draw", "stones are on the board",
     moved(-1, lambda board, taken, own, move: (taken | 1 << 4, own, move))),
    ("outside-move", "connect-four-draw", "moves are on the board",
     moved(-1, lambda board, taken, own, move: (taken, own, 1 << 4))),
    ("two-moves", "connect-four-draw", "a record has one move",
     moved(0, lambda board, taken, own, move: (
         taken, own, (free := board.squares & ~taken) & ~(1 << free.bit_length() - 1)))),
    ("hanging", "connect-four-draw", "no stone hangs in the air",
     moved(-1, lambda board, taken, own, move: (taken ^ 1 | 1 << 3, own & ~1, move & ~1))),
    ("turn", "two-stones", "the number of stones says who moves",
     moved(0, lambda board, taken, own, move: (taken | 3 << 10, own, move))),
    # positions and parameters
    ("board-size", "tic-tac-toe", "the board has the size of the game",
     head(position="..../.../... X")),
    ("marks", "tic-tac-toe", "stones are X and O", head(position="Z../.../... X")),
    ("side", "tic-tac-toe", "X or O moves", head(position=".../.../... Z")),
    ("no-parameter", "tic-tac-toe", "a parameter is there",
     lambda parts: parts.header["parameters"].pop("line")),
    ("other-parameter", "tic-tac-toe", "and no other", rules(depth=3)),
    ("parameter-range", "tic-tac-toe", "and in its range", rules(line=4)),
    ("overline", "tic-tac-toe", "overlines win or do not", rules(overline="maybe")),
    ("stones-left", "two-stones", "the position says how many stones are left",
     head(position="XO../OX../.... X")),
    ("stones-many", "two-stones", "no more than a turn has",
     head(position="XO../OX../.... X3")),
    ("c4-large", "connect-four-draw", "a board of Connect Four has at most 64 bits",
     rules(columns=16, rows=15)),
    ("c4-count", "connect-four-draw", "one side has at most one stone more than the other",
     head(position="...........XXXOX O")),
    ("over-before", "tic-tac-toe", "nobody moved after the end", head(position="XXX/OO./... X")),
    ("over-two-lines", "tic-tac-toe", "nor has each side a line", head(position="XXX/OOO/... X")),
    ("stones-first", "two-stones", "and X's first turn alone may have others",
     head(position="XO../..../.... X3")),
    ("c4-line", "connect-four-draw", "the side to move has no line",
     head(position="....OO..XXXXOOXO X")),
    ("hex-size", "hex", "a list of moves names the size", head(position="4x4: a1")),
    ("hex-move", "hex", "moves are legal", head(position="3x3: a1 a1")),
    ("hex-over", "hex", "the side to move has not won",
     head(position="X../X../X.. X")),
    ("hex-rows", "hex", "rows have the length of the board", head(position="X./../.. X")),
    ("hex-swap-word", "hex", "swap is yes or no", rules(swap="maybe")),
    ("hex-swap-ahead", "hex-swap", "no swap is ahead", head(position="3x3: a1")),
    ("othello-size", "othello-pass", "boards of Othello are even", rules(size=5)),
    ("p-game-text", "p-game", "the position is one of the tree in the parameters",
     rules(seed=4)),
    ("p-game-move", "p-game", "its moves exist",
     lambda parts: parts.header.update(position=parts.header["position"] + ",path=2")),
    ("p-game-large", "p-game", "a tree has at most 2^63 nodes", rules(branching=1024, depth=60)),
    ("p-game-folded", "p-game", "it has no symmetries", head(folded=True)),
    ("p-game-node", "p-game", "a node is on the level of its depth",
     fields(0, 0, (5).to_bytes(8, "little"))),
    ("p-game-mover", "p-game", "the prover moves in a record",
     fields(0, 0, (1).to_bytes(8, "little") + bytes(4) + (1).to_bytes(4, "little"))),
    ("loa-word", "lines-of-action", "parameters have one of their values",
     rules(simultaneous="maybe")),
    ("loa-two-pieces", "lines-of-action", "no two pieces on one square",
     fields(0, 0, b"\x02\x02")),
    ("loa-outside", "lines-of-action", "pieces are on the board",
     fields(0, 7, b"\x80")),
    ("loa-rows", "lines-of-action", "rows have the length of the board",
     head(position=".XX./O.O/.X. X")),
    ("loa-no-piece", "lines-of-action", "each side has a piece", head(position="X.X/.../.X. X")),
    ("loa-pieces", "lines-of-action", "and no more than at the start",
     head(position="XXX/O.O/... X")),
    ("xiangqi-word", "xiangqi", "parameters have one of their values", rules(repetition="third")),
    ("xiangqi-folded", "xiangqi", "it has no symmetries", head(folded=True)),
    ("xiangqi-fen", "xiangqi", "the position is a FEN", head(position="4k4/9 w")),
    ("xiangqi-letters", "xiangqi", "of known pieces",
     head(position="4k4/9/9/Q8/1R7/9/9/9/9/3K5 w")),
    ("xiangqi-pieces", "xiangqi", "no more of a kind than at the start",
     head(position="4k4/9/9/R8/1R6R/9/9/9/9/3K5 w")),
    ("xiangqi-kings", "xiangqi", "with one king of each side",
     head(position="9/9/9/R8/1R7/9/9/9/9/3K5 w")),
    ("xiangqi-palace", "xiangqi", "each piece where it can be",
     head(position="4k4/9/9/R8/1R7/9/9/9/9/K8 w")),
    ("xiangqi-taken", "xiangqi", "and no king that could be taken",
     head(position="4k4/9/9/R8/1R7/9/9/9/9/4K4 w")),
    ("xiangqi-piece", "xiangqi", "in records, too", fields(0, 0, b"\x08")),
    # zones of threats
    ("zones-json", "zones", "lines are JSON", body(b"{\n" * 5)),
    ("zones-lines", "zones", "there are as many as the header says", drop(4)),
    ("zones-line", "zones", "a line has the parts of its kind", line(0, {"turn": [27], "more": 1})),
    ("zones-turn-list", "zones", "a turn is a list of squares", line(0, {"turn": 27})),
    ("zones-turn-twice", "zones", "which differ", line(0, {"turn": [27, 27]})),
    ("zones-square", "zones", "squares are on the board", line(0, {"turn": [64]})),
    ("zones-then", "zones", "numbers of nodes exist", line(0, {"then": 2})),
    ("zones-null", "zones", "numbers of wins exist", line(1, {"null": 3})),
    ("zones-seconds", "zones", "seconds are numbers of squares", line(1, {"seconds": {"x": 0}})),
    ("zones-replies", "zones", "replies are lists", line(1, {"wins": [5]})),
    ("zones-replies-list", "zones", "in a list", line(1, {"wins": 5})),
    ("zones-reply-twice", "zones", "no reply comes twice",
     line(1, {"wins": [[25, 1], [25, 1], [26, 2], [30, 2]]})),
    ("zones-later-win", "zones", "a win goes on with wins before it",
     line(2, [[26], [19, 0]])),
    ("zones-win-line", "zones", "a win begins with its turn", line(2, [])),
    ("zones-no-way", "zones-one-stone", "a node comes after one that leads to it",
     both(claim(nodes=2), lambda parts: parts.records[0].insert(1, {"win": 0}))),
    ("zones-two-positions", "zones", "a node is one position", line(0, {"then": 0})),
    ("zones-mover", "zones", "the winner moves where the certificate has its turn",
     head(position=QUIET.replace(" X", " O"))),
    ("zones-illegal", "zones", "turns are legal", line(0, {"turn": [28]})),
    ("zones-long-turn", "zones", "and have the stones that are left", line(0, {"turn": [27, 0]})),
    ("zones-no-answer", "zones", "every reply that matters has an answer",
     line(1, {"wins": [[25, 1], [26, 2]]})),
    ("zones-stones", "zones", "turns have one stone or two",
     lambda parts: lines({"win": 0}, [[0]], position="...../" * 4 + "..... X1", wins=1)(parts)
     or parts.header.update(parameters=THREE)),
    ("zones-over", "zones", "the game goes on",
     head(position="OOOOO.../......../......../....XX../...X..../...X..../......../........ X")),
    ("zones-completes", "zones", "the other side can't complete a line",
     head(position="OOOO..../......../......../....XX../...X..../...X..../......../........ X")),
    ("zones-full", "zones-one-stone", "the game is no draw",
     both(rules(columns=4, rows=4), lines(
         {"turn": [15], "then": 1}, {"null": 0, "seconds": {}, "wins": [], "nodes": []}, [[0]],
         wins=1, position="XXOO/OOXX/XXOO/OOX. X1"))),
    ("zones-node-turn", "zones-nodes", "replies with nodes are legal",
     line(0, {"nodes": [[7, 14, 1]]})),
    ("zones-threat", "zones-one-stone", "a turn of a win makes a threat",
     lines({"win": 0}, [[0, 5]], wins=1, position="....../....../....../....../.....O X2")),
    ("zones-win-illegal", "zones-one-stone", "its turns are legal", line(1, [[5, 23]])),
    ("zones-win-short", "zones-one-stone", "and have all their stones", line(1, [[17]])),
    ("zones-leaves", "zones-one-stone", "it leaves the other side no line",
     lines({"win": 0}, [[0]], wins=1, position="....../.X..../.OOO../....../...... X1")),
    ("zones-spare", "zones-one-stone", "the other side needs all stones to stop it",
     lines({"win": 0}, [[7, 8]], wins=1, position="....../X...../....../....../.....O X2")),
    ("zones-stop", "zones", "each way to stop it is answered",
     lines({"win": 0}, [[20]], wins=1,
           position="......../......../OXXX..../......../......../......../......../........ X")),
    ("zones-pass", "zones-two-stones", "there is a win after a pass", line(1, [[1, 2]])),
    ("zones-second", "zones-two-stones", "and after a stone and a pass",
     line(0, {"seconds": {"14": 0}})),
    # zones of Hex
    ("hex-wins", "zones-hex", "there are no wins by threats", head(wins=1)),
    ("hex-json", "zones-hex", "lines are JSON",
     lambda parts: (claim(nodes=1)(parts), body(b"{\n")(parts))[1]),
    ("hex-lines", "zones-hex", "there are as many as the header says", drop(3)),
    ("hex-line", "zones-hex", "a line has the parts of its kind", line(0, {"zone": 1})),
    ("hex-list", "zones-hex", "stones are a list", line(0, {"stones": 4})),
    ("hex-number", "zones-hex", "of cells", line(0, {"stones": [9]})),
    ("hex-twice", "zones-hex", "which differ", line(0, {"stones": [4, 4]})),
    ("hex-pair", "zones-hex", "pairs have two", line(0, {"pairs": [[6]]})),
    ("hex-held", "zones-hex", "the stones hold together", line(0, {"stones": [2]})),
    ("hex-shared", "zones-hex", "by pairs without a common cell", repeated_cell),
    ("hex-then", "zones-hex", "the winner does not move twice",
     lines(ZONE, {"move": 0, "then": 0}, {"move": 2, "then": 1})),
    ("hex-replies", "zones-hex", "nor the other side", lines(ZONE, {"replies": [0]})),
    ("hex-no-replies", "zones-hex", "there is an answer", lines(ZONE, {"replies": []})),
    ("hex-common", "zones-hex", "no free cell is in all of the zones",
     lines(ZONE, {"move": 4, "then": 0}, {"replies": [1]})),
    ("hex-root", "zones-hex", "the last zone holds in the root", lines(ZONE)),
    ("hex-mover", "zones-hex", "and with the side that moves",
     lines({"stones": [4], "pairs": [[1, 2], [6, 7]]}, {"move": 4, "then": 0})),
    ("hex-finished", "zones-hex", "the game goes on", head(position="3x3: a1 b1 a2 b2 a3")),
]


def false_ones(true: dict[str, bytes]) -> Iterator[tuple[str, str, bytes]]:
    """The name of each, the rule that it breaks, and the file, made from the ones that are true."""
    for name, base, rule, change in FALSE:
        parts = taken_apart(true[base])
        found = change(parts)
        yield name, rule, found if isinstance(found, bytes) else parts.joined()


def main() -> None:
    """Write the folder."""
    true = {name: make().joined() for name, (_, make) in TRUE.items()}
    shutil.rmtree(FOLDER, ignore_errors=True)
    rows = [row_of("true", name, TRUE[name][0], content) for name, content in true.items()]
    rows += [row_of("false", *made) for made in false_ones(true)]
    text = ",\n".join(json.dumps(row) for row in rows)
    (FOLDER / INDEX).write_text(f"[\n{text}\n]\n")
    print(f"{len(rows)} certificates in {FOLDER}")


def row_of(folder: str, name: str, rule: str, content: bytes) -> dict[str, Any]:
    """What the index says of a certificate, which is written."""
    path = FOLDER / folder / f"{name}.proof"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    report = verify(path)
    if report.verified != (folder == "true"):
        raise SystemExit(f"{name}: {report}")
    return {"file": f"{folder}/{path.name}", "rule": rule, **answer(report)}


def answer(report: Any) -> dict[str, Any]:
    """What a report says that has to stay as it is."""
    if not report.verified:
        return {"verdict": report.verdict, "reason": report.reason}
    return {"verdict": report.verdict, "positions": report.positions,
            "claims": [vars(each) for each in report.claims]}


if __name__ == "__main__":
    main()
