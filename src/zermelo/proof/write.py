"""Writing certificates: records of positions, zones, and lists of nodes of a problem.

``write_certificate`` takes what ``Run.proof()`` gives, writes it in the form that fits, and has the
file checked before it is called a proof. A record is a position of the prover with its move; they
come in any order (``CertificateWriter``). Zones are made by ``zones.write``.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from zermelo.errors import BadCertificate, BadOption, ProofFailure, counted, file_name, quoted
from zermelo.proof.budget import UNLIMITED
from zermelo.proof.check import Report
from zermelo.proof.header import (
    LEAST_SEARCH,
    MOST_CLAIMS,
    MOST_SEARCH,
    MOVE_BYTES,
    RANK_BYTES,
    SEARCH,
    SOLVED,
    WIDEST,
    ZONES,
    Claim,
    ClaimPart,
    Header,
    problem_header,
)
from zermelo.proof.pack import Array, packer_for, rows
from zermelo.proof.problem import FORMAT
from zermelo.proof.rules import CARRIERS
from zermelo.proof.rules.k_in_a_row import IN_A_ROW
from zermelo.proof.run import verify
from zermelo.proof.zones.threats import MOST_STONES
from zermelo.proof.zones.write import CarrierWriter, ThreatWriter
from zermelo.storage.whole_files import try_out, write_whole

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.position import Position
    from zermelo.problems.result import PartStep, ProvedPart
    from zermelo.search.base import Proof

CHECKER_SEARCH = 1_000  # positions that the checker may look at for a record that says so
BLOCK_BYTES = 1 << 20
MANY_ROWS = 1 << 23  # from which on rows that come twice are looked for before the end
LEVEL, LEVEL_OF_LINES = 6, 9
HIGHEST_RANK = (1 << 32) - 1
ProgressCallback = Callable[[str, int], None]


class CertificateWriter:
    """Writes the certificate of ``claims`` about ``position`` to ``path``.

    ``with CertificateWriter(path, position, [Claim(0)]) as writer: writer.add(0, states, moves)``.
    The file appears at ``path`` when the block is left, complete; an exception leaves nothing.

    search  how many positions the checker may look at where a record says SEARCH
    folded  True if states are folded by the game's ``canonical``; by default if the game has one
    ranked  True if records of wins carry ranks; by default if the game is cyclic
    """

    def __init__(
        self, path: str | Path, position: Position, claims: Sequence[Claim], *, search: int = 1_000,
        folded: bool | None = None, ranked: bool | None = None, note: str = "",
    ) -> None:
        game = position.game
        if not 1 <= len(claims) <= MOST_CLAIMS or len(set(claims)) < len(claims):
            raise BadCertificate(f"a certificate makes 1 to {MOST_CLAIMS} different claims, not "
                                 f"{quoted(list(claims))}.")
        if not LEAST_SEARCH <= search <= MOST_SEARCH:
            raise BadCertificate(f"search={quoted(search)} is out of range; valid is "
                                 f"{LEAST_SEARCH} to {MOST_SEARCH}.")
        self.path, self.position, self.claims = Path(path), position, tuple(claims)
        self.packer = packer_for(game)
        if not 1 <= self.packer.key_bytes <= WIDEST // 2:
            raise BadCertificate(f"{game.name}: a state of {self.packer.key_bytes:,} bytes is too "
                                 "large for a certificate.")
        self.search, self.note = search, note
        self.folded = game.rules.canonical is not None if folded is None else folded
        with_ranks = game.rules.cyclic if ranked is None else ranked
        self.ranked = [claim.wins and with_ranks for claim in claims]
        self.records, self.digest = 0, ""  # of the finished file

    def try_out(self) -> None:
        """Refuse now what could not be written later."""
        with _writing(self.path):
            try_out(self.path)

    def add(self, claim: int, states: Array, moves: Array, ranks: Array | None = None) -> None:
        """Records for claim number ``claim``: states in which its prover moves, and the moves.

        Moves are codes of the game, or SEARCH. A state may come more than once: the record with the
        lowest rank, then with the lowest move, stays.
        """
        moves = np.asarray(moves, np.int32)
        if states.dtype != self.packer.dtype or states.ndim != 1 or moves.shape != states.shape:
            raise BadCertificate(f"records need states of type {quoted(self.packer.dtype)} and as "
                                 f"many moves, not {quoted(states.dtype)} {states.shape} and "
                                 f"{moves.shape}.")
        if (ranks is not None) != self.ranked[claim]:
            raise BadCertificate("ranks belong to the records of wins in a cyclic game, and to no "
                                 "others.")
        keys = self.packer.keys(states, self.claims[claim].prover)
        moves = self.packer.moves(keys, moves)
        # SEARCH sorts after all moves, so that a move is kept where there is one.
        order = ((moves.astype(np.int64) - SEARCH - 1) % (1 << 32)).astype(">u4")
        parts = [keys, rows(order)]
        if ranks is not None:
            whole = np.asarray(ranks).astype(np.int64)
            if whole.shape != states.shape or np.any((whole < 0) | (whole > HIGHEST_RANK)):
                raise BadCertificate(f"ranks must be whole numbers, one for each "
                                     f"state, from 0 to {HIGHEST_RANK}.")
            parts.insert(1, rows(whole.astype(">u4")))
        self.rows[claim].add(np.hstack(parts))

    def add_move(self, claim: int, position: Position, move: int) -> None:
        """A record of one position and its move, for the representative among its images."""
        state = position.state
        if self.folded:
            board = position.game.board
            state, symmetry = board.canonical(position.state)
            codes = board.describe(state)[2]
            move = next(code for code in codes if board.move_image(symmetry, code) == move)
        self.add(claim, np.asarray(state).view(np.ndarray), np.array([move], np.int32))

    def __enter__(self) -> Self:
        self.try_out()
        size = self.packer.key_bytes
        self.rows = [SortedRows(size + MOVE_BYTES + RANK_BYTES * ranked, size)
                     for ranked in self.ranked]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if kind is None:
            self._write()

    def _write(self) -> None:
        """Write the blocks of all claims, and before them the header, which counts records."""
        self.block = max(1, BLOCK_BYTES // (self.packer.key_bytes + MOVE_BYTES + RANK_BYTES))
        parts, blocks = [], []
        for i, claim in enumerate(self.claims):
            records = self._records(i)
            # Column by column: neighbours in a sorted list differ in few of them.
            blocks += [zlib.compress(records[at : at + self.block].T.tobytes(), LEVEL)
                       for at in range(0, len(records), self.block)]
            name = self.position.game.players[claim.player]
            parts.append(ClaimPart(claim, name, self.ranked[i], len(records)))
        self.records = sum(part.records for part in parts)
        sizes = np.array([len(block) for block in blocks], "<u4").tobytes()
        with _writing(self.path):
            self.digest = _write_file(self.path, self._header(tuple(parts)), sizes, *blocks)

    def _records(self, claim: int) -> Array:
        """Return the records of a claim, sorted."""
        size, rows = self.packer.key_bytes, self.rows[claim].all()
        order = np.ascontiguousarray(rows[:, -MOVE_BYTES:]).view(">u4").ravel().astype(np.int64)
        moves = ((order + 1) % (1 << 32) + SEARCH).astype(np.int32)
        found = self.packer.records(rows[:, :size], moves)
        if self.ranked[claim]:
            found = np.hstack([found, rows[:, size : size + RANK_BYTES][:, ::-1]])
        return found

    def _header(self, parts: tuple[ClaimPart, ...]) -> Header:
        game = self.position.game
        return Header(
            game=game.name, built_in=self.packer.built_in, parameters=game.stated,
            players=game.players, position=self.position.text, folded=self.folded,
            layout=self.packer.layout, search=self.search, block=self.block, parts=parts,
            note=self.note,
        )


class SortedRows:
    """Rows of bytes that come in any order; of rows with the same key, the least is kept."""

    def __init__(self, width: int, key_bytes: int) -> None:
        self.key_bytes = key_bytes
        self.parts, self.count, self.most = [np.empty((0, width), np.uint8)], 0, MANY_ROWS

    def add(self, rows: Array) -> None:
        """Take ``rows``; now and then those that come twice are dropped."""
        self.parts.append(rows)
        self.count += len(rows)
        if self.count > self.most:
            self.most = max(MANY_ROWS, 2 * len(self.all()))

    def all(self) -> Array:
        """Return all rows in their order."""
        rows = np.concatenate(self.parts)
        padded = np.zeros((len(rows), -(-rows.shape[1] // 8) * 8), np.uint8)
        padded[:, : rows.shape[1]] = rows
        rows = rows[_order(padded.view(">u8").astype(np.uint64))]
        keys = rows[:, : self.key_bytes]
        new = np.ones(len(rows), bool)
        new[1:] = (keys[1:] != keys[:-1]).any(axis=1)
        self.parts = [rows[new]]
        self.count = len(self.parts[0])
        return self.parts[0]


def _order(words: Array) -> Array:
    """Return the order of rows of words: by the first word, and among equals by all of them."""
    order = np.argsort(words[:, 0])
    first = words[order, 0]
    tied = np.zeros(len(order), bool)
    tied[1:] = first[1:] == first[:-1]
    tied[:-1] |= tied[1:]
    among = order[tied]
    order[tied] = among[np.lexsort(words[among].T[::-1])]
    return order


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Raise BadCertificate where ``path`` can't be written."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it has no valid name"
        raise BadCertificate(f"can't write the certificate {file_name(path)}: {reason}.") from None


@dataclass(frozen=True)
class Written:
    """A certificate that was written, and the report of its check, if it was checked."""

    path: Path
    records: int
    bytes: int
    digest: str
    report: Report | None

    @property
    def positions(self) -> int | None:
        """The positions that the check has visited; None without a check."""
        return None if self.report is None else self.report.positions

    def __str__(self) -> str:
        """Return the file, its size and digest, and the report of its check."""
        size = f"{self.path.name}: {counted(self.records, 'record')}, {self.bytes:,} bytes"
        if self.report is None:
            return f"{size}, not checked\nsha256 {self.digest}"
        return f"{size}\n{self.report}"

    def _repr_html_(self) -> str:
        """Return the text as a notebook shows it."""
        return f"<pre>{escape(str(self))}</pre>"

    def to_dict(self) -> dict[str, Any]:
        """Return the record in the JSON output."""
        return {"file": str(self.path), "records": self.records, "bytes": self.bytes,
                "digest": self.digest, "verified": self.positions is not None,
                "positions": self.positions, "certifies": "value"}


def write_certificate(path: str | Path, position: Position, claims: Sequence[Claim],
                      proof_of: Callable[[Claim], Proof], *, search: int = CHECKER_SEARCH,
                      check: bool = True, workers: int = 1,
                      progress: ProgressCallback | None = None) -> Written:
    """Write the certificate of ``claims`` about ``position`` to ``path``, and check it.

    ``proof_of`` is called for one claim after the other, when its proof is to be written. The
    ``search``: see ``CertificateWriter``; 0 for a record in every position.
    """
    proof, written = proof_of(claims[0]), _count(progress)
    if proof.threats is not None and (proof.records is None or _by_threats(position)):
        check_lines(position.game)
        writer = ThreatWriter(position, claims[0].player, proof.threats(), written)
        nodes, wins = writer.rows(), writer.win_rows()
    elif proof.move is not None and proof.by_zones and _by_carriers(position):
        nodes, wins = CarrierWriter(position, claims[0].prover, proof.move, written).rows(), []
    else:
        def fill(writer: CertificateWriter) -> None:
            for number, claim in enumerate(claims):
                given = proof if number == 0 else proof_of(claim)
                assert given.records is not None
                for states, moves, ranks in given.records(search, written):
                    plain = np.asarray(states).view(np.ndarray)
                    writer.add(number, plain, moves, ranks if writer.ranked[number] else None)

        return write_records(path, position, claims, fill, search=search, check=check,
                             folded=None if proof.folded else False, workers=workers,
                             progress=progress)
    # In Hex a player that does not win has lost, which is the claim of carriers.
    digest = write_zones(path, position, claims[0].prover, nodes, wins)
    report = checked(path, None, 1, progress) if check else None
    return Written(Path(path), len(nodes), Path(path).stat().st_size, digest, report)


def write_zones(path: str | Path, position: Position, winner: int, nodes: list[Any],
                wins: list[Any]) -> str:
    """Write the certificate that ``winner`` wins, its body as in ``zones``; return the digest."""
    game = position.game
    part = ClaimPart(Claim(winner), game.players[winner], False, len(nodes))
    header = Header(kind=ZONES, game=game.name, built_in=True, parameters=dict(game.values),
                    players=game.players, position=position.text, parts=(part,), wins=len(wins))
    with _writing(Path(path)):
        return _write_lines(path, header, [*nodes, *wins])


def _write_lines(path: str | Path, header: Header, lines: Sequence[Any]) -> str:
    """Write a certificate whose body has a line of JSON for each of ``lines``; return the digest.
    """
    body = "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines).encode()
    return _write_file(path, replace(header, size=len(body)), zlib.compress(body, LEVEL_OF_LINES))


def _write_file(path: str | Path, header: Header, *body: bytes) -> str:
    """Write the file of a certificate; return its digest."""
    content = b"".join([header.encoded(), *body])
    digest = hashlib.sha256(content)
    write_whole(path, content + digest.digest())
    return digest.hexdigest()


def write_records(path: str | Path, position: Position, claims: Sequence[Claim],
                  fill: Callable[[CertificateWriter], None], *, search: int = CHECKER_SEARCH,
                  folded: bool | None = None, check: bool = True, workers: int = 1,
                  progress: ProgressCallback | None = None) -> Written:
    """Write a certificate of the records that ``fill`` adds, and check it."""
    with CertificateWriter(path, position, claims, search=max(search, LEAST_SEARCH),
                           folded=folded) as writer:
        fill(writer)
    own_rules = None if writer.packer.built_in else position.game
    report = checked(path, own_rules, workers, progress) if check else None
    return Written(Path(path), writer.records, Path(path).stat().st_size, writer.digest, report)


def _by_carriers(position: Position) -> bool:
    """Return True if zones can be certified by carriers, which answer all replies: in Hex."""
    game = position.game
    return game.name == CARRIERS and packer_for(game).built_in and position.outcome is None


def _by_threats(position: Position) -> bool:
    """Return True if a win by threats can be certified by threats; records answer every reply."""
    lines = position.game.rules.lines
    if lines is None or position.outcome is not None or not _knows_lines(position.game):
        return False
    return max(lines.stones, lines.read(position.state[0])[1]) <= MOST_STONES


def check_lines(game: Game) -> None:
    """Refuse a game whose lines the checker does not know."""
    if not _knows_lines(game):
        raise BadOption(f"a certificate of zones can't be about {game.name}: the checker knows the "
                        "lines of the k-in-a-row games only.")


def _knows_lines(game: Game) -> bool:
    return packer_for(game).built_in and game.name in IN_A_ROW


def check_place(position: Position, path: str | Path) -> None:
    """Refuse a position that no certificate can be about, and a file that can't be written."""
    check_rules(position)
    CertificateWriter(path, position, [Claim(position.mover)]).try_out()


def check_rules(position: Position) -> None:
    """Refuse positions that no certificate can be about."""
    game = position.game
    game.check_certificate(position)
    if game.rules.repeat is not None:
        raise BadOption(f"{game.name} has its own rule for repetitions (repeat); certificates know "
                        "only that a repetition is a draw.")


def _count(progress: ProgressCallback | None) -> Callable[[int], None] | None:
    if progress is None:
        return None
    return lambda written: progress("writing", written)


def checked(path: str | Path, game: Game | None, workers: int,
            progress: ProgressCallback | None) -> Report:
    """Return the report on a certificate; raise ProofFailure if it is not verified."""
    def went_on(done: int, total: int, positions: int) -> None:
        if progress is not None:
            progress("checking", positions)

    memory, time = UNLIMITED
    report = verify(path, game=game, workers=workers, memory=memory, time=time, progress=went_on)
    if not report.verified:
        raise ProofFailure(f"the certificate {str(path)!r} failed verification: {report.reason}. "
                           "This is a bug; the file is kept for inspection.")
    return report


def certificate_of(part: ProvedPart) -> dict[str, Any]:
    """Return the nodes that are needed, for JSON.

    Every node says which of its children count, by their places in what ``expand`` returns, and
    under which numbers they stand in the list.
    """
    needed: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
    waiting = [part.root]
    while waiting:
        number = waiting.pop()
        if number not in needed:
            needed[number] = _one_way(part.steps[number], number, part.claim)
            waiting += needed[number][1]
    numbers = {number: i for i, number in enumerate(sorted(needed))}
    nodes = []
    for number in sorted(needed):
        places, uses = needed[number]
        step = part.steps[number]
        nodes.append({"node": str(step.thing), "kind": step.kind, "children": list(places),
                      "uses": [numbers[below] for below in uses]})
    return {"format": FORMAT[0], "version": FORMAT[1], "claim": part.claim,
            "root": numbers[part.root], "nodes": nodes}


def _one_way(step: PartStep, number: int, claim: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the children of a node that count; of a solved ``any`` the first solved before it."""
    if claim != SOLVED or step.kind != "any":
        return step.places, step.uses
    way = next(i for i, below in enumerate(step.uses) if below < number)
    return step.places[way:way + 1], step.uses[way:way + 1]


def write_problem(path: str | Path, certificate: dict[str, Any]) -> None:
    """Write the file: all of it, or the one that is there stays as it was."""
    nodes, root = certificate["nodes"], certificate["root"]
    header = problem_header(nodes[root]["node"], certificate["claim"], root, len(nodes), 0)
    _write_lines(path, header, [list(node.values()) for node in nodes])
