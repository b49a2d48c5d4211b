"""From proofs to a certificate, checked before anyone calls it a proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import BadOption, ProofFailure, counted
from zermelo.proof.budget import UNLIMITED
from zermelo.proof.claim import Claim
from zermelo.proof.header import LEAST_SEARCH
from zermelo.proof.pack import packer_for
from zermelo.proof.report import Report
from zermelo.proof.rules import CARRIERS, IN_A_ROW
from zermelo.proof.run import verify
from zermelo.proof.write import CertificateWriter
from zermelo.proof.zones.check import MOST_STONES
from zermelo.proof.zones.write import ThreatWriter, write_zones, zones_header
from zermelo.proof.zones.write_carriers import CarrierWriter

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.position import Position
    from zermelo.search.base import Proof

CHECKER_SEARCH = 1_000  # positions that the checker may look at for a record that says so
ProgressCallback = Callable[[str, int], None]


@dataclass(frozen=True)
class Written:
    """A certificate that was written, and what its check said; no report if it was not checked."""

    path: Path
    records: int
    bytes: int
    digest: str
    report: Report | None

    @property
    def positions(self) -> int | None:
        """How many the check has looked at; None if there was none."""
        return None if self.report is None else self.report.positions

    def __str__(self) -> str:
        """The file, its size and digest, and what its check said."""
        size = f"{self.path.name}: {counted(self.records, 'record')}, {self.bytes:,} bytes"
        if self.report is None:
            return f"{size}, not checked\nsha256 {self.digest}"
        return f"{size}\n{self.report}"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return f"<pre>{escape(str(self))}</pre>"

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
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
    # Who does not win in Hex has lost, and that is what a certificate of carriers says.
    header = zones_header(position, claims[0].prover, len(nodes), len(wins))
    digest = write_zones(path, header, [*nodes, *wins])
    report = checked(path, None, 1, progress) if check else None
    return Written(Path(path), len(nodes), Path(path).stat().st_size, digest, report)


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
    """Whether zones can be certified by carriers, which answer every reply at once: in Hex."""
    game = position.game
    return game.name == CARRIERS and packer_for(game).built_in and position.outcome is None


def _by_threats(position: Position) -> bool:
    """Whether a win by threats can be certified by threats, where records would answer every
    reply."""
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
    """The checker's report on a certificate; ProofFailure if it is not verified."""
    def went_on(done: int, total: int, positions: int) -> None:
        if progress is not None:
            progress("checking", positions)

    memory, time = UNLIMITED
    report = verify(path, game=game, workers=workers, memory=memory, time=time, progress=went_on)
    if not report.verified:
        raise ProofFailure(f"the certificate {str(path)!r} failed verification: {report.reason}. "
                           "This is a bug; the file is kept for inspection.")
    return report
