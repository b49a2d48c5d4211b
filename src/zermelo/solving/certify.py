"""From an answered session to a certificate, checked before anyone calls it a proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import BadOption, ProofFailure, counted
from zermelo.proof import CertificateWriter, Claim, Report, verify
from zermelo.proof.header import LEAST_SEARCH
from zermelo.proof.pack import packer_for
from zermelo.proof.rules import CARRIERS, IN_A_ROW
from zermelo.proof.zones.check import MOST_STONES
from zermelo.proof.zones.write import write_zones, zones_header
from zermelo.search.base import Run as SearchRun
from zermelo.search.base import Task
from zermelo.search.best_first.run import Run as BestFirst
from zermelo.search.common.status import LOST, UNKNOWN, WON
from zermelo.search.depth_first.extract import TooLong, load_extraction, records
from zermelo.search.depth_first.run import Run
from zermelo.search.depth_first.walk import nearing
from zermelo.search.depth_first.weak_df_pn import WeakDFPN
from zermelo.search.minimax.run import Run as Minimax
from zermelo.search.minimax.score import plies_to_end
from zermelo.search.threats.extract import records as threat_records
from zermelo.search.threats.run import Run as Threats
from zermelo.search.threats.vcdt import VCDT
from zermelo.search.tree_to_table import copy_proof
from zermelo.search.zones.certificate import nodes_of
from zermelo.search.zones.run import Run as ByZones
from zermelo.solving.carriers import CarrierWriter
from zermelo.solving.result import Limits, Value
from zermelo.solving.zone_certificate import (
    ENDLESS,
    UNLIMITED,
    Scout,
    ThreatScout,
    ZoneWriter,
    scout_by_zones,
    threat_nodes,
)

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.position import Position
    from zermelo.solving.session import Session

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
                "positions": self.positions}


def write_proof(session: Session, path: str | Path, *, search: int = CHECKER_SEARCH,
                check: bool = True, workers: int = 1, memory: int | None = None,
                progress: ProgressCallback | None = None) -> Written:
    """Write the certificate of what ``session`` has proved to ``path``, and check it.

    ``search``: the checker may settle positions near the end itself, with at most this many
    positions each; 0 for a record in every position. ``memory``: for what has to be searched again,
    as in ``Limits``.
    """
    claims = claims_of(session)
    if session.zones is not None or _by_threats(session, claims[0]):
        return _write_zones(session, claims[0], path, check, progress)
    share = Limits(memory=memory).memory_bytes
    question = question_for(session, claims[0], share)
    if isinstance(question, Run) and by_carriers(question):
        return _write_carriers(session, question, path, check, progress)
    allowed = max(search, LEAST_SEARCH)
    folded = False if isinstance(session.search, VCDT) else None  # its records come as they are
    with CertificateWriter(path, session.position, claims, search=allowed,
                           folded=folded) as writer:
        for number, claim in enumerate(claims):
            if number > 0:
                question = question_for(session, claim, share)
            for states, moves, ranks in proof_records(question, search, _count(progress)):
                plain = np.asarray(states).view(np.ndarray)
                writer.add(number, plain, moves, ranks if writer.ranked[number] else None)
    own_rules = None if writer.packer.built_in else session.position.game
    report = checked(path, own_rules, workers, progress) if check else None
    return Written(Path(path), writer.records, Path(path).stat().st_size, writer.digest, report)


def _write_zones(session: Session, claim: Claim, path: str | Path, check: bool,
                 progress: ProgressCallback | None) -> Written:
    """A certificate of zones: the other kind would answer tens of thousands of replies a turn."""
    own, position = session.answered(claim.player, WON), session.position
    scout: Scout
    if isinstance(own, Threats):
        scout, nodes = ThreatScout(own), threat_nodes(own)
    else:
        assert isinstance(own, ByZones)
        scout, nodes = scout_by_zones(position, claim.player, own.zones), nodes_of(own)
    writer = ZoneWriter(position, claim.player, scout, nodes, _count(progress))
    rows, wins = writer.rows(), writer.win_rows()
    header = zones_header(session.position, claim.player, len(rows), len(wins))
    digest = write_zones(path, header, [*rows, *wins])
    report = checked(path, None, 1, progress) if check else None
    return Written(Path(path), len(rows), Path(path).stat().st_size, digest, report)


def by_carriers(run: Run) -> bool:
    """Whether what ``run`` has proved can be certified by carriers: in Hex, with zones."""
    game = run.position.game
    return (run.plan.zones and game.name == CARRIERS and packer_for(game).built_in
            and run.position.outcome is None)


def _write_carriers(session: Session, run: Run, path: str | Path, check: bool,
                    progress: ProgressCallback | None) -> Written:
    """A certificate of zones in Hex: answers to every reply would be thousands of times as many.

    Who does not win has lost, and that is what it says.
    """
    winner = run.attacker if run.status == WON else 1 - run.attacker
    rows = CarrierWriter(run, winner, _count(progress)).rows()
    digest = write_zones(path, zones_header(session.position, winner, len(rows), 0), rows)
    report = checked(path, None, 1, progress) if check else None
    return Written(Path(path), len(rows), Path(path).stat().st_size, digest, report)


def _by_threats(session: Session, claim: Claim) -> bool:
    """Whether a win by threats can be certified as such: by one node, where records would answer
    every reply."""
    position = session.position
    lines = position.game.rules.lines
    if not isinstance(session.search, VCDT) or lines is None or position.outcome is not None:
        return False
    known = packer_for(position.game).built_in and position.game.name in IN_A_ROW
    stones = max(lines.stones, lines.read(position.state[0])[1])
    return known and claim.wins and stones <= MOST_STONES


def check_in_advance(session: Session, path: str | Path) -> None:
    """Refuse before a long search what would be refused after it."""
    game = session.position.game
    if session.zones is not None and not (packer_for(game).built_in and game.name in IN_A_ROW):
        raise BadOption(f"a certificate of zones can't be about {game.name}: the checker knows the "
                        "lines of the k-in-a-row games only.")
    check_place(session.position, path)


def check_place(position: Position, path: str | Path) -> None:
    """Refuse a position that no certificate can be about, and a file that can't be written."""
    check_rules(position)
    CertificateWriter(path, position, [Claim(position.mover)]).try_out()


def _check_repeat(game: Game) -> None:
    if game.rules.repeat is not None:
        raise BadOption(f"{game.name} has its own rule for repetitions (repeat); certificates know "
                        "only that a repetition is a draw.")


def check_rules(position: Position) -> None:
    """Refuse positions that no certificate can be about."""
    position.game.check_certificate(position)
    _check_repeat(position.game)


def claims_of(session: Session) -> list[Claim]:
    """What there is to prove about the value that ``session`` has found."""
    check_rules(session.position)
    return claims_for(session.player, *session.value())


def claims_for(player: int, value: Value, proved: bool) -> list[Claim]:
    """What there is to prove about a value for ``player``."""
    me, you = player, 1 - player
    claims = {
        Value.WIN: [Claim(me)], Value.LOSS: [Claim(you)], Value.NOT_WIN: [Claim(me, wins=False)],
        Value.DRAW: [Claim(me, wins=False), Claim(you, wins=False)],
    }.get(value, [])
    if not proved or not claims:
        raise BadOption("there is no proof to write: the value is "
                        f"{value}, {'proved' if proved else 'not proved'}.")
    return claims


def proof_records(question: Run | Threats, search: int,
                  progress: Callable[[int], None] | None = None,
                  batch: int | None = None, visits: int | None = None) -> Iterator[Any]:
    """The records of a proof, as either kind of search has it; a depth-first one has at most
    ``batch`` at a time, and says TooLong after so many ``visits``."""
    if isinstance(question, Threats):
        return threat_records(question, progress)
    return records(question, search, progress, batch, visits)


def load_proofs(position: Position, run: SearchRun, memory: int) -> None:
    """Load or compile, before there is anything to prove, what ``question_for`` and
    ``proof_records`` need for what ``run`` will answer about ``position``."""
    if isinstance(run, Run):
        load_extraction(run)
    if position.game.rules.cyclic:
        ranked = WeakDFPN().start(Task(position, position.mover, memory, plain=True, horizon=1))
        ranked.advance(1)
        load_extraction(ranked)


def question_for(session: Session, claim: Claim, memory: int,
                 visits: int | None = None) -> Run | Threats:
    """An answered question about ``claim`` that has its records: the session's own, or a
    depth-first one with its facts.

    In a cyclic game a win needs ranks that fall along every line: it is asked for within ever more
    plies, and the plies that are left are the rank. TooLong if that takes more than ``visits``.
    """
    position, wanted = session.position, WON if claim.wins else LOST
    if position.game.rules.cyclic and claim.wins:
        return _ranked(session, claim, memory, 1 << 40 if visits is None else visits)
    own = session.answered(claim.player, wanted)
    if isinstance(own, Run | Threats):
        return own
    task = Task(position, claim.player, memory, plain=session.plain,
                candidates=session.candidates)
    fresh = WeakDFPN().start(task)
    if isinstance(own, BestFirst):
        copy_proof(own, fresh)
    return _solved(fresh, wanted)


def _ranked(session: Session, claim: Claim, memory: int, visits: int) -> Run:
    own = session.answered(claim.player, WON)
    horizon = (nearing(own, visits).task.horizon or 1) - 1 if isinstance(own, Run) else 0
    if isinstance(own, Minimax):  # it knows how long its win takes, at most
        horizon = (plies_to_end(own.engine.value) or 1) - 1
    earlier: Run | None = None
    while earlier is None or earlier.status != WON:
        horizon += 1
        earlier = WeakDFPN().start(Task(session.position, claim.player, memory, plain=True,
                                      horizon=horizon, after=earlier,
                                      candidates=session.candidates))
        while earlier.status == UNKNOWN:
            if visits <= 0:
                raise TooLong
            before = earlier.nodes
            earlier.advance(min(1 << 20, visits))
            visits -= max(earlier.nodes - before, 1)
    return earlier


def _solved(question: Run, wanted: int) -> Run:
    while question.status == UNKNOWN:
        question.advance(1 << 20)  # short, so that Ctrl-C is heard
    if question.status != wanted:
        raise ProofFailure(f"{question.position.game.name}: two searches disagree about "
                           f"{question.position.text!r}. This is a bug.")
    return question


def _count(progress: ProgressCallback | None) -> Callable[[int], None] | None:
    if progress is None:
        return None
    return lambda written: progress("writing", written)


def checked(path: str | Path, game: Game | None, workers: int,
            progress: ProgressCallback | None) -> Report:
    """What the checker says about a certificate; ProofFailure if that is not yes."""
    def went_on(done: int, total: int, positions: int) -> None:
        if progress is not None:
            progress("checking", positions)

    report = verify(path, game=game, workers=workers, memory=UNLIMITED, time=ENDLESS,
                    progress=went_on)
    if not report.verified:
        raise ProofFailure(f"the certificate {str(path)!r} failed verification: {report.reason}. "
                           "This is a bug; the file is kept for inspection.")
    return report
