"""``zermelo verify``: check a certificate, and say what it proves or where it fails."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli import show
from zermelo.cli.options import NUMBER, Json, Quiet, Seed
from zermelo.cli.read import read_whole
from zermelo.errors import BadOption

if TYPE_CHECKING:
    from zermelo.proof.report import Report

CertificateFile = Annotated[str, typer.Argument(metavar="FILE", help="A certificate.")]
Processes = Annotated[str, typer.Option(
    "--workers", metavar=NUMBER, help="Processes that check side by side.")]
Sample = Annotated[str | None, typer.Option(
    "--sample", metavar=NUMBER, help="Check so many records only, chosen at random by --seed.")]
RulesFrom = Annotated[str, typer.Option(
    "--rules", metavar="RULES", help="naive: the checker's own; or open-spiel.")]
Exhaustive = Annotated[bool, typer.Option(
    "--exhaustive", help="Trust no zone: answer every legal reply anew (certificates of zones).")]
OwnGame = Annotated[str | None, typer.Option(
    "--game", metavar="FILE.py:Class", help="The game, where it is not a built-in one.")]
EVERY = {True: 0.2, False: 10.0}  # seconds between reports, on a terminal and in a log


def verify(
    file: CertificateFile, workers: Processes = "1", sample: Sample = None, seed: Seed = "0",
    rules: RulesFrom = "naive", game: OwnGame = None, exhaustive: Exhaustive = False,
    json: Json = False, quiet: Quiet = False,
) -> None:
    """Check a certificate, trusting nothing that made it."""
    from zermelo.search.zones.certificate import is_zones

    if is_zones(file):
        if sample is not None or game is not None or (workers, rules) != ("1", "naive"):
            raise BadOption("--workers, --sample, --rules and --game are not for certificates of "
                            "zones.")
        _verify_zones(file, exhaustive, json, _Live(quiet or json))
    if exhaustive:
        raise BadOption("--exhaustive is for certificates of zones; others answer every reply.")
    from zermelo.proof.run import verify as check

    own = None
    if game is not None:
        from zermelo.games.registry import game_class

        own = game_class(game)
    count = None if sample is None else read_whole("--sample", sample)
    live = _Live(quiet or json)
    try:
        report = check(
            file, game=own, rules=rules, workers=read_whole("--workers", workers), sample=count,
            seed=read_whole("--seed", seed), progress=live,
        )
    finally:
        live.close()
    print(show.as_json(report.to_dict()) if json else as_text(report))
    raise typer.Exit(report.exit_status)


def _verify_zones(file: str, exhaustive: bool, json: bool, live: _Live) -> None:
    """Check a certificate of zones, and leave."""
    from zermelo.games.registry import game as game_by_name
    from zermelo.search.zones.certificate import read_certificate
    from zermelo.search.zones.check import check_certificate

    certificate = read_certificate(file)
    rules = game_by_name(certificate.game, **certificate.parameters)
    position = rules.parse(certificate.position)
    try:
        report = check_certificate(certificate, position, exhaustive,
                                   lambda done, total: live(done, total, done))
    finally:
        live.close()
    every = "every legal reply answered" if exhaustive else "zones and threats worked out again"
    said = (f"verified, {report.nodes:,} nodes, {report.wins:,} wins by threats, {every}"
            if report.verified else f"refused: {report.reason}")
    text = f"{position.diagram}\n\n{report.claim}: {said}"
    print(show.as_json({"file": file, **report.to_dict()}) if json else text)
    raise typer.Exit(report.exit_status)


def as_text(report: Report) -> str:
    """A report for people."""
    if report.verdict == "refused":
        picture = ["", report.diagram] if report.diagram else []
        return "\n".join([f"refused: {report.reason}.", *picture])
    header = report.header
    assert header is not None
    lines = [report.root, "", f"{header.game}: {header.position}"]
    for claim in report.claims:
        if report.verdict == "sample":
            said = f"a sample, no proof: {claim.checked:,} of {claim.records:,} records are right"
        else:
            said = f"verified, {claim.records:,} records"
            if claim.longest is not None:
                said += f", longest line {claim.longest} moves"
        if claim.searched:
            said += f", {claim.searched:,} of them searched with up to {header.search:,} positions"
        lines.append(f"{claim.claim}: {said}")
    rate = report.positions / max(report.seconds, 1e-9)
    lines.append(f"{report.positions:,} positions, {report.seconds:.2f} s ({rate:,.0f} a second), "
                 f"rules: {report.rules}")
    return "\n".join([*lines, f"sha256 {report.digest}"])


class _Live:
    """Progress on standard error: a line that is rewritten, or one every ten seconds in a log."""

    def __init__(self, quiet: bool) -> None:
        self.quiet, self.terminal, self.width = quiet, sys.stderr.isatty(), 0
        self.next = time.monotonic() + EVERY[self.terminal]

    def __call__(self, done: int, total: int, positions: int) -> None:
        """Show it, if it is time."""
        if self.quiet or time.monotonic() < self.next:
            return
        text = f"{done:,} of {total:,} records, {positions:,} positions"
        print(f"\r{text.ljust(self.width)}" if self.terminal else text,
              end="" if self.terminal else "\n", file=sys.stderr, flush=True)
        self.width = len(text) if self.terminal else 0
        self.next = time.monotonic() + EVERY[self.terminal]

    def close(self) -> None:
        """Wipe the line."""
        if self.width:
            print(f"\r{' ' * self.width}\r", end="", file=sys.stderr, flush=True)
