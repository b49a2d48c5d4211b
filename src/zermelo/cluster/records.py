"""Records of proofs, as workers send them, into a certificate."""

from __future__ import annotations

import zlib

import numpy as np

from zermelo.cluster.messages import Nonsense, unpacked
from zermelo.core.position import Position
from zermelo.errors import BadCertificate
from zermelo.proof import CertificateWriter
from zermelo.proof.workplace import CannotWrite

PARTS = 3  # states, moves, ranks
LONGEST = 8  # bytes of a move or a rank
MOST_RECORDS = 1 << 20  # in a batch; workers send no more than 1 << 16


def add_records(writer: CertificateWriter, claim: int, blobs: list[bytes]) -> int:
    """Add what a worker sent; how many records there were."""
    count = 0
    try:
        for at in range(0, len(blobs), PARTS):
            most = MOST_RECORDS * max(writer.packer.dtype.itemsize, LONGEST)
            states, moves, ranks = (unpacked(blob, most) for blob in blobs[at : at + PARTS])
            found = np.frombuffer(states, writer.packer.dtype)
            writer.add(claim, found, np.frombuffer(moves, np.int32),
                       np.frombuffer(ranks, np.int64) if writer.ranked[claim] else None)
            count += len(found)
    except CannotWrite:  # no fault of who sent it
        raise
    except (zlib.error, ValueError, BadCertificate) as error:
        raise Nonsense(f"records that can't be read: {error}") from None
    return count


def add_move(writer: CertificateWriter, claim: int, position: Position, move: int) -> None:
    """A record of one position and its move, for the representative among its images."""
    state = position.state
    if writer.folded:
        board = position.game.board
        state, symmetry = board.canonical(position.state)
        codes = board.describe(state)[2]
        move = next(code for code in codes if board.move_image(symmetry, code) == move)
    writer.add(claim, np.asarray(state).view(np.ndarray), np.array([move], np.int32))
