"""CertificateWriter: a certificate from batches of states and moves, in any order."""

from __future__ import annotations

import hashlib
import zlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import numpy as np

from zermelo.errors import BadCertificate, file_name, quoted
from zermelo.proof.claim import Claim
from zermelo.proof.header import (
    LEAST_SEARCH,
    MOST_CLAIMS,
    MOST_SEARCH,
    MOVE_BYTES,
    RANK_BYTES,
    SEARCH,
    WIDEST,
    Header,
    Part,
)
from zermelo.proof.pack import Array, packer_for, rows
from zermelo.storage.whole_files import Folder, place_of, replacing

if TYPE_CHECKING:
    from zermelo.core.position import Position

BLOCK_BYTES = 1 << 20
RUN_BYTES = 1 << 25
LEVEL = 6
HIGHEST_RANK = (1 << 32) - 1


class CertificateWriter:
    """Writes the certificate of ``claims`` about ``position`` to ``path``.

    ``with CertificateWriter(path, position, [Claim(0)]) as writer: writer.add(0, states, moves)``.
    The file appears at ``path`` when the block is left, complete; an exception leaves nothing.

    search  how many positions the checker may look at where a record says SEARCH
    folded  whether states are folded by the game's ``canonical``; True if the game has one
    ranked  whether records of wins carry ranks; True if the game is cyclic
    """

    def __init__(
        self, path: str | Path, position: Position, claims: Sequence[Claim], *, search: int = 1_000,
        folded: bool | None = None, ranked: bool | None = None, note: str = "",
        run_bytes: int = RUN_BYTES,
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
        self.run_bytes = run_bytes
        self.records, self.digest = 0, ""  # of the finished file

    def try_out(self) -> None:
        """Refuse now what could not be written later."""
        new_workplace(self.path).close()

    def _sorter(self, claim: int) -> Sorter:
        width = self.packer.key_bytes + MOVE_BYTES + RANK_BYTES * self.ranked[claim]
        run = max(64, self.run_bytes // width)
        return Sorter(self.folder.path, f"claim-{claim}", width, self.packer.key_bytes, run)

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
        try:
            self.sorters[claim].add(np.hstack(parts))
        except OSError as error:
            raise cannot_write(self.path, error) from None

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
        self.folder = new_workplace(self.path)
        self.sorters = [self._sorter(i) for i in range(len(self.claims))]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        try:
            if kind is None:
                self._write()
        except OSError as error:
            raise cannot_write(self.path, error) from None
        finally:
            self.folder.close()

    def _write(self) -> None:
        """Blocks first, since the header counts records; then all in its order."""
        widest = self.packer.key_bytes + MOVE_BYTES + RANK_BYTES
        self.block = max(1, BLOCK_BYTES // widest)
        body = self.folder.path / "blocks"
        parts, sizes = [], []
        with body.open("wb") as file:
            for i, claim in enumerate(self.claims):
                count = 0
                for block in self._blocks(i):
                    count += len(block)
                    # Column by column: neighbours in a sorted list differ in few of them.
                    sizes.append(file.write(zlib.compress(block.T.tobytes(), LEVEL)))
                name = self.position.game.players[claim.player]
                parts.append(Part(claim, name, self.ranked[i], count))
        self.records = sum(part.records for part in parts)
        head = self._header(tuple(parts)).encoded() + np.array(sizes, "<u4").tobytes()
        digest = hashlib.sha256(head)
        with replacing(self.path) as file, body.open("rb") as blocks:
            file.write(head)
            while chunk := blocks.read(1 << 20):
                digest.update(chunk)
                file.write(chunk)
            file.write(digest.digest())
        self.digest = digest.hexdigest()

    def _blocks(self, claim: int) -> Iterator[Array]:
        """The records of a claim, sorted, ``block`` at a time."""
        rest: list[Array] = []
        for piece in self.sorters[claim].merged():
            rest.append(self._records(claim, piece))
            some = np.concatenate(rest)
            full = len(some) // self.block * self.block
            for begin in range(0, full, self.block):
                yield some[begin : begin + self.block]
            rest = [some[full:]]
        if rest and len(rest[0]):
            yield rest[0]

    def _records(self, claim: int, piece: Array) -> Array:
        """Sorted rows as records."""
        size = self.packer.key_bytes
        order = np.ascontiguousarray(piece[:, -MOVE_BYTES:]).view(">u4").ravel().astype(np.int64)
        moves = ((order + 1) % (1 << 32) + SEARCH).astype(np.int32)
        found = self.packer.records(piece[:, :size], moves)
        if self.ranked[claim]:
            found = np.hstack([found, piece[:, size : size + RANK_BYTES][:, ::-1]])
        return found

    def _header(self, parts: tuple[Part, ...]) -> Header:
        game = self.position.game
        return Header(
            game=game.name, built_in=self.packer.built_in, parameters=game.stated,
            players=game.players, position=self.position.text, folded=self.folded,
            layout=self.packer.layout, search=self.search, block=self.block, parts=parts,
            note=self.note,
        )


class Sorter:
    """Rows of bytes come in any order and go out sorted; of rows with the same key, the least."""

    def __init__(self, directory: Path, name: str, width: int, key_bytes: int,
                 run: int) -> None:
        self.directory, self.name = directory, name
        self.width, self.key_bytes, self.run = width, key_bytes, run
        self.waiting: list[Array] = []
        self.count = 0
        self.runs: list[Array] = []

    def add(self, rows: Array) -> None:
        """Take ``rows``; a full run goes to a file."""
        while len(rows):
            some = rows[: self.run - self.count]
            self.waiting.append(some)
            self.count += len(some)
            rows = rows[len(some) :]
            if self.count == self.run:
                self._spill()

    def _spill(self) -> None:
        rows = self._sorted(self.waiting)
        self.waiting, self.count = [], 0
        path = self.directory / f"{self.name}-run-{len(self.runs)}"
        rows.tofile(path)
        self.runs.append(np.memmap(path, np.uint8, "r", shape=rows.shape))

    def _sorted(self, parts: list[Array]) -> Array:
        """``parts`` in one, sorted as bytes; rows whose key was there already are left out."""
        rows = np.concatenate([np.empty((0, self.width), np.uint8), *parts])
        padded = np.zeros((len(rows), -(-self.width // 8) * 8), np.uint8)
        padded[:, : self.width] = rows
        rows = rows[_order(padded.view(">u8").astype(np.uint64))]
        keys = rows[:, : self.key_bytes]
        new = np.ones(len(rows), bool)
        new[1:] = (keys[1:] != keys[:-1]).any(axis=1)
        return rows[new]

    def merged(self) -> Iterator[Array]:
        """All rows in order, in pieces of about a run."""
        if not self.runs:
            yield self._sorted(self.waiting)
            return
        if self.count:
            self._spill()
        begin = [0] * len(self.runs)
        for key in [*self._splitters(), None]:
            end = [len(run) if key is None else _before(run, key) for run in self.runs]
            yield self._sorted([np.asarray(run[a:b]) for run, a, b in
                                zip(self.runs, begin, end, strict=True)])
            begin = end

    def _splitters(self) -> list[bytes]:
        """Keys that cut all runs together into pieces of about a run."""
        every = max(1, self.run // 64)
        keys = (run[::every, : self.key_bytes] for run in self.runs)
        sample = sorted(row.tobytes() for some in keys for row in some)
        return [sample[i] for i in range(64, len(sample), 64)]


def _order(words: Array) -> Array:
    """The order of rows of words: by the first word, and where that is the same by all of them."""
    order = np.argsort(words[:, 0])
    first = words[order, 0]
    tied = np.zeros(len(order), bool)
    tied[1:] = first[1:] == first[:-1]
    tied[:-1] |= tied[1:]
    among = order[tied]
    order[tied] = among[np.lexsort(words[among].T[::-1])]
    return order


def _before(run: Array, key: bytes) -> int:
    """How many rows of a sorted run come before ``key``."""
    size = len(key)
    return bisect_left(range(len(run)), key, key=lambda i: run[i, :size].tobytes())


class CannotWrite(BadCertificate):
    """A certificate finds no place on the disk, whatever is in it."""


def new_workplace(path: Path) -> Folder:
    """A new directory for what will be the certificate at ``path``, if it may be there."""
    try:
        return Folder(place_of(path))
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def cannot_write(path: Path, error: Exception) -> CannotWrite:
    """What to raise if ``path`` can't be written."""
    reason = getattr(error, "strerror", None) or "it has no valid name"
    return CannotWrite(f"can't write the certificate {file_name(path)}: {reason}.")
