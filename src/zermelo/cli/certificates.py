"""Commands for certificates: verify checks one, show walks through it or exports its proof."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import options as opt
from zermelo.cli import show
from zermelo.cli.options import NUMBER
from zermelo.cli.terminal import LiveLine, terminable, write_file
from zermelo.errors import BadMove, BadOption, ZermeloError, counted, quoted, shown
from zermelo.solving.result import Limits

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.problems.problem import Problem
    from zermelo.proof.budget import CheckBudget
    from zermelo.proof.check import Checked, Report
    from zermelo.proof.export import ProofTree
    from zermelo.proof.header import Header
    from zermelo.proof.show import ProofNode, ProofWalk

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
MemoryLimit = Annotated[str, typer.Option(
    "--memory", metavar=NUMBER, help="Use at most this much memory (estimated).")]
TimeLimit = Annotated[str, typer.Option(
    "--time", metavar=NUMBER, help="Stop after this many seconds, e.g. 90, or 5m.")]


def verify(
    file: GameOrFile, certificate: FileAfterGame = None, workers: Processes = "1",
    sample: Sample = None, seed: opt.Seed = "0", rules: RulesFrom = "naive",
    game: opt.OwnGame = None, exhaustive: Exhaustive = False, memory: MemoryLimit = "2GB",
    time: TimeLimit = "1h", json: opt.Json = False, quiet: opt.Quiet = False,
) -> None:
    """Check a certificate without trusting the program that made it."""
    from zermelo.proof.run import verify as check

    file, game = opt.named([file] if certificate is None else [file, certificate], game)
    limits = read_budget(memory, time)
    live, own = CheckLive(quiet or json), own_game(game, file)
    try:
        with terminable():
            report = check(
                file, game=own, rules=rules, workers=opt.read_whole("--workers", workers),
                sample=opt.maybe_whole("--sample", sample), seed=opt.read_whole("--seed", seed),
                exhaustive=exhaustive, memory=limits.memory, time=limits.time, progress=live,
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


def read_budget(memory: str, time: str) -> CheckBudget:
    """Return the limits of a check, or a walk, from texts such as ``256MB`` and ``2m``."""
    from zermelo.proof.budget import CheckBudget

    limits = Limits(time=time, memory=memory)
    assert limits.memory is not None
    assert limits.time is not None
    return CheckBudget(limits.memory, limits.time)


def own_game(name: str | None, file: str) -> type[Game] | Problem | None:
    """Return the user's game of ``--game``, or the problem that the certificate ``file`` is about.
    The command line says which file is run, never a certificate."""
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
    """Return a report for people."""
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
    """Return the result of the check of one claim."""
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


class CheckLive(LiveLine):
    """Progress of the check of a certificate."""

    def __call__(self, done: int, total: int, positions: int) -> None:
        """Show the progress, if it is time."""
        if self.is_time():
            self.line(f"{done:,} of {counted(total, 'record')}, {counted(positions, 'position')}")


Number = Annotated[str, typer.Option(
    "--claim", metavar=NUMBER, help="Which claim to show, if there are several.")]
Moves = Annotated[str | None, typer.Option(
    "--moves", metavar="REPLIES", help="Follow these replies, e.g. '4 3 5', and show the position "
    "reached.")]
Export = Annotated[str | None, typer.Option(
    "--export", metavar="FILE", help="Write the proof from there on as a tree: FILE.sgf, .dot, "
    ".json or .svg; or - for standard output, with --format.")]
Format = Annotated[str | None, typer.Option(
    "--format", metavar="FORMAT", help="sgf, dot, json or svg, if the file's name does not say.")]
Plies = Annotated[str, typer.Option(
    "--plies", metavar=NUMBER, help="Export at most this many moves of each line.")]
Most = Annotated[str | None, typer.Option(
    "--most", metavar=NUMBER, help="Export at most this many positions; 1000 by default, 100 "
    "in a picture.")]
MOST = {"sgf": 1_000, "dot": 1_000, "json": 1_000, "svg": 100}
LISTED = 40
WORDS = ("back", "start", "quit")
PROMPT = "reply, back, start or quit: "


def show_certificate(
    file: CertificateFile, claim: Number = "1", moves: Moves = None, game: opt.OwnGame = None,
    export: Export = None, format: Format = None, plies: Plies = "200", most: Most = None,
    memory: MemoryLimit = "2GB", time: TimeLimit = "1m", json: opt.Json = False,
) -> None:
    """Walk through a certificate: the prover's moves and all replies."""
    from zermelo.proof.budget import Exceeded
    from zermelo.proof.header import Refused
    from zermelo.proof.show import walk_of

    kind = _kind(export, format)
    limits = (opt.read_whole("--plies", plies),
              MOST.get(kind, 0) if most is None else opt.read_whole("--most", most))
    number, budget = opt.read_whole("--claim", claim), read_budget(memory, time)
    own = own_game(game, file)
    try:
        tour = _Tour(walk_of(file, number, own, budget))
        live = moves is None and export is None and not json and _is_terminal()
        if moves is not None:
            tour.follow(moves)
        elif export is None and not live:
            tour.follow(opt.read_record("-", None) if sys.stdin is not None else "")
        if export is not None:
            _export(tour.at if tour.steps else tour.walk.root, export, kind, limits, file)
        elif json:
            print(show.as_json(tour.record()))
        else:
            print(tour.opening(file))
            print(tour.scene())
            if live:
                tour.talk()
    except Refused as error:
        print(f"refused: {shown(error)}.")
        raise typer.Exit(1) from None
    except Exceeded as error:
        print(f"undecided: {error.reason}.")
        raise typer.Exit(10) from None


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


class _Tour:
    """The place of a walk: a position in which the other side chooses, and those chosen before."""

    def __init__(self, walk: ProofWalk) -> None:
        self.walk = walk
        self.steps: list[ProofNode] = []
        self.at = walk.settled(walk.root)

    def follow(self, line: str) -> bool:
        """Follow the words of a line, one by one; return False for quit."""
        rest = " ".join(line.split())
        while rest:
            word, _, after = rest.partition(" ")
            if word.casefold() in WORDS and not self._is_reply(rest):
                rest = after
                if word.casefold() == "quit":
                    return False
                if word.casefold() == "start":
                    self.steps = []
                elif self.steps:
                    self.steps.pop()
                else:
                    raise BadMove("'back': this is where the walk begins.")
                self._stand()
                continue
            move, rest = self.walk.reply(self.at, rest)
            self.steps.append(self.at.after(move))
            self._stand()
        return True

    def _is_reply(self, text: str) -> bool:
        """Return True for a reply: a game may have a move called back."""
        try:
            self.walk.reply(self.at, text)
        except BadMove:
            return False
        return True

    def _stand(self) -> None:
        self.at = self.walk.settled(self.steps[-1] if self.steps else self.walk.root)

    def talk(self) -> None:
        """Ask for replies until the user has seen enough."""
        while True:
            try:
                line = input(PROMPT)
            except EOFError:
                print()
                return
            if not line.strip():
                continue
            self.walk.budget.restart()  # the time is that of one step, not of the user
            try:
                if not self.follow(line):
                    return
            except ZermeloError as error:
                print(error)
                continue
            print(f"\n{self.scene()}")

    def opening(self, file: str) -> str:
        """Return what is claimed, and about which position."""
        walk, header = self.walk, self.walk.header
        lines = [header.about,
                 f"{walk.words_of_claim}; {walk.prover} has a move for everything"]
        others = [f"--claim {i + 1}: {part.claim.words(walk.players)}"
                  for i, part in enumerate(header.parts) if i + 1 != walk.number]
        if others:
            lines[-1] += f" ({', '.join(others)})"
        return "\n".join([*lines, f"shown, not verified: run zermelo verify {file}", "",
                          walk.root.diagram, ""])

    def scene(self) -> str:
        """Return the moves to the present position, the position, and what can come next."""
        at, lines = self.at, []
        begin = self.steps[-1].parent if self.steps else self.walk.root
        way = at.line[len(begin.path) if begin else 0 :]
        for before, after in pairwise(way):
            lines.append(_played(before, after))
        if len(way) > 1:
            lines += ["", at.diagram, ""]
        if self.steps:
            lines.append(f"line: {' '.join(at.played)}")
        if at.end is not None:
            return "\n".join([*lines, f"the game is over: {at.result}, as claimed"])
        if at.repeated:
            lines.append("this position has come up before: play can go on for ever, which is "
                         f"not a win for {self.walk.players[self.walk.claim.player]}")
            if at.by_prover:
                return "\n".join(lines)
        return "\n".join([*lines, *self._replies()])

    def _replies(self) -> list[str]:
        """Return the list of replies, each with what follows."""
        at, choices = self.at, self.at.choices
        names = [at.name(move) for move in choices]
        count = "1 reply" if len(at.moves) == 1 else f"{len(at.moves)} replies"
        others = len(at.moves) - len(choices)
        if others:
            count += f", of which {len(choices)} need an answer of their own"
        lines = [f"{self.walk.players[at.mover]} to move, {count}:"]
        wide = max((len(name) for name in names[:LISTED]), default=0)
        by_name = bool(others) or any(name.lstrip("+-").isdigit() for name in names)
        for i, (name, move) in enumerate(zip(names, choices, strict=True)):
            if i == LISTED:
                lines.append(f"  and {len(names) - LISTED} more: {' '.join(names[LISTED:])}")
                break
            number = "" if by_name else f"{i + 1:>{len(str(len(names)))}}  "
            lines.append(f"  {number}{name.ljust(wide)}  {_then(at.after(move))}".rstrip())
        return lines

    def record(self) -> dict[str, Any]:
        """Return the present position for other programs."""
        at, walk = self.at, self.walk
        going = at.end is None
        return {
            "kind": walk.header.kind, "game": walk.header.game,
            "parameters": walk.header.parameters, "changed": walk.header.changed,
            "claim": walk.words_of_claim, "prover": walk.prover, "verified": False,
            "root": walk.header.position, "line": at.played, "position": at.text,
            "to_move": walk.players[at.mover] if going else None,
            "end": None if going else at.result, "repeated": at.repeated,
            "replies": [{"move": at.name(move), "then": _then(at.after(move))}
                        for move in (at.moves if at.by_prover else at.choices)],
        }


def _played(before: ProofNode, after: ProofNode) -> str:
    """Return a sentence about a move that was made."""
    player, move = before.walk.players[before.mover], before.name(after.path[-1])
    return f"{player} plays {move}{_how(before) if before.by_prover else ''}"


def _how(node: ProofNode) -> str:
    """Return where the prover's move comes from, if that is worth saying."""
    source = node.answer.source
    said = [] if source == "record" else [f"by {source}"]
    said += [f"rank {node.answer.rank}"] if node.answer.rank is not None else []
    return f" ({', '.join(said)})" if said else ""


def _then(node: ProofNode) -> str:
    """Return what follows a reply."""
    if node.end is not None:
        return node.result
    if node.repeated:
        return "the position repeats"
    if not node.by_prover:
        return f"{node.walk.players[node.mover]} moves again"
    move = node.answer.move
    after = node.after(move)
    rest = f": {after.result}" if after.end is not None else ""
    return f"{node.walk.prover} plays {node.name(move)}{_how(node)}{rest}"


def _kind(export: str | None, format: str | None) -> str:
    """Return the format of an export."""
    if export is None:
        if format is not None:
            raise BadOption(f"--format {quoted(format)} belongs to --export.")
        return ""
    kind = Path(export).suffix[1:].lower() if format is None else format.strip().lower()
    if kind not in MOST:
        what = f"--format {quoted(format)}" if format is not None else f"--export {quoted(export)}"
        raise BadOption(f"{what} is not a known format; formats: {', '.join(MOST)} (by the end of "
                        "the file's name, or --format).")
    return kind


def _export(node: ProofNode, target: str, kind: str, limits: tuple[int, int], file: str) -> None:
    """Write the tree below ``node``, and print how much of the proof it is."""
    from zermelo.proof.export import grow, to_dot, to_json, to_sgf, to_svg

    tree: ProofTree = grow(node, *limits)
    text = {"sgf": to_sgf, "dot": to_dot, "json": to_json, "svg": to_svg}[kind](tree)
    said = f"{tree.size}\nshown, not verified: run zermelo verify {file}"
    if target == "-":
        sys.stdout.write(text)
        print(said, file=sys.stderr)
        return
    write_file(target, text)
    print(f"{target}: {said}")
