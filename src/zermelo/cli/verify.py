"""``zermelo verify``: check a certificate, and say what it proves or where it fails."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli import show
from zermelo.cli.live import LiveLine
from zermelo.cli.options import NUMBER, Json, Quiet, Seed
from zermelo.cli.read import read_limits, read_whole
from zermelo.cli.signals import terminable
from zermelo.errors import BadOption, ZermeloError, counted, file_name, quoted, shown

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.problems.problem import Problem
    from zermelo.proof.budget import Budget
    from zermelo.proof.header import Header
    from zermelo.proof.report import Checked, Report

CertificateFile = Annotated[str, typer.Argument(metavar="FILE", help="A certificate.")]
GameOrFile = Annotated[str, typer.Argument(
    metavar="FILE", help="A certificate; or your own game, FILE.py:Class, and then a certificate.")]
FileAfterGame = Annotated[str | None, typer.Argument(
    metavar="CERTIFICATE", help="The certificate, if a game stands before it.")]
Processes = Annotated[str, typer.Option(
    "--workers", metavar=NUMBER, help="Processes that share the check.")]
Sample = Annotated[str | None, typer.Option(
    "--sample", metavar=NUMBER, help="Check only this many records, chosen at random by --seed.")]
RulesFrom = Annotated[str, typer.Option(
    "--rules", metavar="RULES", help="naive: the checker's own rules; compiled: the same as "
    "machine code (connect-four, hex, othello); or open-spiel.")]
Exhaustive = Annotated[bool, typer.Option(
    "--exhaustive", help="For certificates of zones: trust no zone, play out every reply.")]
OwnGame = Annotated[str | None, typer.Option(
    "--game", metavar="FILE.py:Class", help="The game, if it is not a built-in one.")]
MemoryLimit = Annotated[str, typer.Option(
    "--memory", metavar=NUMBER, help="Use at most this much memory (estimated).")]
TimeLimit = Annotated[str, typer.Option(
    "--time", metavar=NUMBER, help="Stop after this many seconds, e.g. 90, or 5m.")]


def verify(
    file: GameOrFile, certificate: FileAfterGame = None, workers: Processes = "1",
    sample: Sample = None, seed: Seed = "0", rules: RulesFrom = "naive", game: OwnGame = None,
    exhaustive: Exhaustive = False, memory: MemoryLimit = "2GB", time: TimeLimit = "1h",
    json: Json = False, quiet: Quiet = False,
) -> None:
    """Check a certificate without trusting the program that made it."""
    from zermelo.proof.run import verify as check

    file, game = named([file] if certificate is None else [file, certificate], game)
    limits = read_budget(memory, time)
    count = None if sample is None else read_whole("--sample", sample)
    live, own = Live(quiet or json), own_game(game, file)
    try:
        with terminable():
            report = check(
                file, game=own, rules=rules, workers=read_whole("--workers", workers),
                sample=count, seed=read_whole("--seed", seed), exhaustive=exhaustive,
                memory=limits.memory, time=limits.time, progress=live,
            )
    except ZermeloError:
        raise
    except Exception as error:
        if not hasattr(own, "expand"):
            raise
        from zermelo.cli.problem import failed

        raise failed(error) from None
    finally:
        live.close()
    print(show.as_json(report.to_dict()) if json else as_text(report))
    raise typer.Exit(report.exit_status)


def read_budget(memory: str, time: str) -> Budget:
    """How much a check, or a walk, may take, from texts such as ``256MB`` and ``2m``."""
    from zermelo.proof.budget import Budget

    limits = read_limits(None, time, memory)
    assert limits.memory is not None
    assert limits.time is not None
    return Budget(limits.memory, limits.time)


def named(files: list[str], game: str | None,
          what: str = "certificate") -> tuple[str, str | None]:
    """The certificate, or another file, and the game before it or of ``--game``."""
    *before, file = files
    if len(before) == 1 and _is_no_game(before[0]) and _is_game(file):
        raise BadOption(f"the game comes first, and then the {what}: {quoted(file)}, "
                        f"{file_name(before[0])}.")
    if len(before) > 1 or (before and (game is not None or _is_no_game(before[0]))):
        raise BadOption(f"{quoted(' '.join(files))} is more than a game and a {what}; one "
                        f"{what} is taken at a time, and the game is named once.")
    return file, before[0] if before else game


def _is_no_game(name: str) -> bool:
    """Whether it is a file that holds no Python, such as another certificate."""
    return not name.endswith(".py") and os.path.isfile(name)


def _is_game(name: str) -> bool:
    """Whether it is written as a game is."""
    from zermelo.games.registry import ALIASES, BUILT_IN

    return name.endswith(".py") or ".py:" in name or name.lower() in {*BUILT_IN, *ALIASES}


def own_game(name: str | None, file: str) -> type[Game] | Problem | None:
    """The user's game of ``--game``, or the problem that the certificate ``file`` is about. The
    command line says which file is run, never a certificate."""
    if name is None:
        return None
    from zermelo.games.registry import game_class
    from zermelo.proof.header import PROBLEM
    from zermelo.proof.read import kind_of

    if kind_of(file) == PROBLEM:
        from zermelo.cli.problem import problem_in_file

        return problem_in_file(name)

    return game_class(name)


def as_text(report: Report) -> str:
    """A report for people."""
    header = report.header
    if not report.verified and report.verdict != "sample":
        about = [header.about] if header else []
        rows = [shown(row, len(row)) for row in report.diagram.split("\n")]
        picture = ["", *rows] if report.diagram else []
        reason = shown(report.reason, len(report.reason))
        return "\n".join([*about, f"{report.verdict}: {reason}.", *picture])
    assert header is not None
    position = shown(header.position, len(header.position))  # whole: it is what is proved
    lines = [*([report.root, ""] if report.root else []), f"{header.title}: {position}"]
    lines += [f"{claim.claim}: {_said(claim, report, header)}" for claim in report.claims]
    rate = report.positions / max(report.seconds, 1e-9)
    lines.append(f"{counted(report.positions, 'position')}, {report.seconds:.2f} s "
                 f"({rate:,.0f} a second), rules: {report.rules}")
    return "\n".join([*lines, f"sha256 {report.digest}"])


def _said(claim: Checked, report: Report, header: Header) -> str:
    """What was found of one claim."""
    if report.verdict == "sample":
        said = (f"a sample, not a proof: {claim.checked:,} of {counted(claim.records, 'record')} "
                f"{'is' if claim.checked == 1 else 'are'} right")
    elif claim.wins is not None:
        how = ("every legal reply is answered" if report.exhaustive else
               "every reply is answered or provably irrelevant")
        said = (f"verified, {counted(claim.records, 'node')}, {counted(claim.wins, 'win')} at "
                f"{'its end' if claim.records == 1 else 'their ends'}; {how}")
    else:
        things = "node" if header.kind == "problem" else "record"
        said = f"verified, {counted(claim.records, things)}"
        if claim.longest is not None:
            said += f", longest line {counted(claim.longest, 'move')}"
    if claim.searched:
        said += (f", {claim.searched:,} of them searched with up to "
                 f"{counted(header.search, 'position')}")
    return said


class Live(LiveLine):
    """How much of a certificate is checked."""

    def __call__(self, done: int, total: int, positions: int) -> None:
        """Show it, if it is time."""
        if self.is_time():
            self.line(f"{done:,} of {counted(total, 'record')}, {counted(positions, 'position')}")
