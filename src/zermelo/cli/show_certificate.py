"""``zermelo show``: walk through a certificate, or export the upper part of its proof."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli import show
from zermelo.cli.options import NUMBER, Json
from zermelo.cli.out_files import write_file
from zermelo.cli.read import read_record, read_whole
from zermelo.cli.verify import (
    CertificateFile,
    MemoryLimit,
    OwnGame,
    TimeLimit,
    own_game,
    read_budget,
)
from zermelo.errors import BadMove, BadOption, ZermeloError, quoted, shown

if TYPE_CHECKING:
    from zermelo.proof.export import Tree
    from zermelo.proof.show import Node, Walk

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
    file: CertificateFile, claim: Number = "1", moves: Moves = None, game: OwnGame = None,
    export: Export = None, format: Format = None, plies: Plies = "200", most: Most = None,
    memory: MemoryLimit = "2GB", time: TimeLimit = "1m", json: Json = False,
) -> None:
    """Walk through a certificate: the prover's moves and all replies."""
    from zermelo.proof.budget import Exceeded
    from zermelo.proof.header import Refused
    from zermelo.proof.show import walk_of

    kind = _kind(export, format)
    limits = (read_whole("--plies", plies),
              MOST.get(kind, 0) if most is None else read_whole("--most", most))
    number, budget = read_whole("--claim", claim), read_budget(memory, time)
    own = own_game(game, file)
    try:
        tour = _Tour(walk_of(file, number, own, budget))
        live = moves is None and export is None and not json and _is_terminal()
        if moves is not None:
            tour.follow(moves)
        elif export is None and not live:
            tour.follow(read_record("-", None) if sys.stdin is not None else "")
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
    """Where the user is: a position in which the other side chooses, and those chosen before."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.steps: list[Node] = []
        self.at = walk.settled(walk.root)

    def follow(self, line: str) -> bool:
        """Do what a line says, word by word; False if it says quit."""
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
        """A game may have a move called back."""
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
        """What is claimed, and about which position."""
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
        """The moves to the present position, the position, and what can come next."""
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
        """The list of replies, each with what follows."""
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
        """The present position for other programs."""
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


def _played(before: Node, after: Node) -> str:
    """A move that was made."""
    player, move = before.walk.players[before.mover], before.name(after.path[-1])
    return f"{player} plays {move}{_how(before) if before.by_prover else ''}"


def _how(node: Node) -> str:
    """Where the prover's move comes from, if that is worth saying."""
    source = node.answer.source
    said = [] if source == "record" else [f"by {source}"]
    said += [f"rank {node.answer.rank}"] if node.answer.rank is not None else []
    return f" ({', '.join(said)})" if said else ""


def _then(node: Node) -> str:
    """What follows a reply."""
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
    """The format of an export."""
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


def _export(node: Node, target: str, kind: str, limits: tuple[int, int], file: str) -> None:
    """Write the tree below ``node``, and say how much of the proof it is."""
    from zermelo.proof.export import grow, to_dot, to_json, to_sgf
    from zermelo.proof.picture import to_svg

    tree: Tree = grow(node, *limits)
    text = {"sgf": to_sgf, "dot": to_dot, "json": to_json, "svg": to_svg}[kind](tree)
    said = f"{tree.size}\nshown, not verified: run zermelo verify {file}"
    if target == "-":
        sys.stdout.write(text)
        print(said, file=sys.stderr)
        return
    write_file(target, text)
    print(f"{target}: {said}")
