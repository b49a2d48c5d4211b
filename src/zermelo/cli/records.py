"""Commands about the course of a game: annotate a record, show its progress, and the conspiracy
numbers of a position."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli import options as opt
from zermelo.cli import show
from zermelo.cli.options import NUMBER
from zermelo.cli.terminal import terminable
from zermelo.errors import BadOption, counted, file_name, quoted
from zermelo.search.reasons import STOPPED
from zermelo.solving.result import Limits, Value, goal_named

if TYPE_CHECKING:
    from zermelo.conspiracy.scn import Curve, Row
    from zermelo.game_records.annotate import Annotation, Note
    from zermelo.game_records.progress import GameProgress, GameStep

RecordText = Annotated[str | None, typer.Argument(
    metavar="RECORD", help="The moves of a game, in the game's notation, or - for standard "
    "input; or use --file.")]
RecordFile = Annotated[str | None, typer.Option(
    "--file", metavar="FILE", help="A file that holds the record; - for standard input.")]
From = Annotated[str | None, typer.Option(
    "--from", metavar="POSITION", help="Where the record begins; the start of the game by "
    "default.")]
KEPT = {True: "yes", False: "no", None: "?"}
NOT_LOSS = "not-loss"


def annotate(
    game: opt.GameName, record: RecordText = None, search: opt.SearchName = None,
    p: opt.Options = None, g: opt.Parameters = None, goal: opt.WorthGoal = "value",
    file: RecordFile = None, begin: From = None, nodes: opt.Nodes = None, time: opt.Time = None,
    memory: opt.Memory = None, seed: opt.Seed = "0", plain: opt.Plain = False,
    json: opt.Json = False, quiet: opt.Quiet = False,
) -> None:
    """Find the value of every position of a game record, and where the game turned.

    Limits on nodes and time are totals; easy positions come first, then the others from the end.
    """
    from zermelo.game_records.annotate import annotate as annotate_record

    rules = opt.read_game(game, g)
    chosen = opt.read_search(search, p, rules)
    limits = Limits(nodes, time, memory)
    start = None if begin is None else opt.read_position(rules, begin)
    live = show.Live(quiet or json, f"{chosen.id} for {rules.name}")
    with terminable():
        annotation = annotate_record(
            rules, opt.read_record(record, file), chosen, goal=goal_named(goal), start=start,
            nodes=limits.nodes, time=limits.time, memory=limits.memory,
            seed=opt.read_whole("--seed", seed), plain=plain, progress=live,
        )
    live.close()
    print(show.as_json(annotation.to_dict()) if json else annotated(annotation))
    raise typer.Exit(annotation.exit_status)


def annotated(annotation: Annotation) -> str:
    """Return an annotation for people."""
    last = annotation.positions[-1]
    more = {"score": ["score"], "shortest": ["length"]}.get(annotation.goal, [])
    header = ["move", "player", "played", "value", f"for {last.position.game.players[0]}", *more,
              "how", "kept", "better", "nodes"]
    return "\n".join([
        last.position.diagram, "", show.table(header, [row_of(n) for n in annotation.positions]),
        "", str(annotation),
        f"{counted(annotation.nodes, 'node')}, {annotation.seconds:.3f} s (and "
        f"{annotation.compile_seconds:.2f} s to compile or load)",
    ])


def row_of(note: Note) -> list[str]:
    """Return a line of the table: what a position was worth to the player, what became of it."""
    value, first = _values(note)
    how = "over" if note.position.outcome is not None else "proved" if note.proved else (
        f"concluded ({note.stopped})" if note.concluded else note.stopped)
    better = " ".join([*note.best, *(f"{move}?" for move in note.unsettled)])
    last = note.move is None
    columns = {"score": [show.signed(note.score)], "shortest": [show.number(note.length)]}
    more = columns.get(note.goal, [])
    return ["-" if last else str(note.ply + 1), note.position.to_move, note.move or "", value,
            first, *more, how, "" if last else KEPT[note.kept], better, f"{note.nodes:,}"]


def _values(note: Note) -> tuple[str, str]:
    """Return the value for the side to move and for the first player; of a draw at least, that."""
    value, first = str(note.value), str(note.first)
    if value == Value.UNKNOWN and note.at_least == Value.DRAW:
        value = NOT_LOSS
    if first == Value.UNKNOWN and value in (NOT_LOSS, Value.NOT_WIN):
        first = NOT_LOSS
    return value, first


Threshold = Annotated[list[str] | None, typer.Option(
    "-T", metavar=NUMBER, help="A threshold in points, or 'win'; may be repeated; the game's own "
    "by default.")]
Depth = Annotated[str, typer.Option("--depth", metavar=NUMBER, help="Search this many plies deep.")]
Pruned = Annotated[str, typer.Option(
    "--pruned", metavar=NUMBER, help="How much a move counts that alpha-beta leaves untried, or "
    "static: what a leaf counts.")]
Quiescence = Annotated[bool, typer.Option(
    "--quiescence", help="Search captures beyond the depth, where the game knows them.")]
Numbers = Annotated[bool, typer.Option(
    "--numbers", help="Print SCN and RSCN for every T, and their averages.")]
Scale = Annotated[str | None, typer.Option(
    "--scale", metavar=NUMBER, help="Points below T at which a leaf's chance to reach T is "
    "a half.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print comma-separated values.")]
Out = Annotated[str | None, typer.Option(
    "--out", metavar="FILE", help="Write a chart (.svg, .png) or a table (.csv).")]
Workers = Annotated[str | None, typer.Option(
    "--workers", metavar=NUMBER, help="Positions searched at the same time; one per core by "
    "default.")]


def _read_pruned(text: str) -> int | str:
    return text if text == "static" else opt.read_whole("--pruned", text)


def scn(
    game: opt.GameName, position: opt.PositionText = "start", T: Threshold = None,
    depth: Depth = "8", g: opt.Parameters = None, nodes: opt.Nodes = None, time: opt.Time = None,
    pruned: Pruned = "1", scale: Scale = None, quiescence: Quiescence = False,
    to_move: opt.ToMove = None, json: opt.Json = False, table: Csv = False,
    quiet: opt.Quiet = False,
) -> None:
    """Show the value and single conspiracy numbers of a position, depth by depth.

    SCN: how many leaves of the search tree must change for the value to reach T.
    """
    from zermelo.conspiracy.scn import Scan

    rules = opt.read_game(game, g)
    limits = Limits(nodes, time)
    scan = Scan(opt.read_position(rules, position, to_move), T or None,
                opt.read_whole("--depth", depth), pruned=_read_pruned(pruned),
                scale=_read_scale(scale), quiescence=quiescence)
    live = show.Live(quiet or json or table, f"scn for {rules.name}")
    curve = scan.run(limits, lambda now: live.line(
        f"depth {now.done + 1}, {counted(now.nodes, 'node')}, {now.seconds:.0f} s"))
    live.close()
    print(show.as_json(curve.to_dict()) if json else as_csv(curve) if table else shown(curve))
    raise typer.Exit(0 if curve.stopped in ("depth", "over") else 10)


def progress(
    game: opt.GameName, record: RecordText = None, T: Threshold = None, depth: Depth = "5",
    g: opt.Parameters = None, file: RecordFile = None, begin: From = None, out: Out = None,
    time: opt.Time = None, pruned: Pruned = "1", scale: Scale = None,
    quiescence: Quiescence = False, workers: Workers = None, numbers: Numbers = False,
    json: opt.Json = False, quiet: opt.Quiet = False,
) -> None:
    """Show who stood better in a game, and who was nearer to winning, as a chart or a table."""
    from zermelo.game_records import chart
    from zermelo.game_records.progress import progress as progress_of

    rules = opt.read_game(game, g)
    if out is not None:
        chart.check_out(out)
    start = None if begin is None else opt.read_position(rules, begin)
    text, limits = opt.read_record(record, file), Limits(time=time)
    live = show.Live(quiet or json, f"scn for {rules.name}")
    found = progress_of(
        rules, text, T or None, opt.read_whole("--depth", depth), start=start, time=limits.time,
        pruned=_read_pruned(pruned), scale=_read_scale(scale), quiescence=quiescence,
        workers=opt.maybe_whole("--workers", workers),
        watch=lambda done, of, nodes: live.line(f"{done} of {counted(of, 'position')}, "
                                               f"{counted(nodes, 'node')}"),
    )
    live.close()
    try:
        print(show.as_json(found.to_dict()) if json else told(found, numbers), flush=True)
    finally:
        if out is not None:
            chart.write(found, out)
    if out is not None and not json:
        print(f"wrote {file_name(out)}")
    raise typer.Exit(0 if found.stopped == "depth" else 10)


def _read_scale(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        raise BadOption(f"--scale {quoted(text)} is not a number.") from None


def number(value: float | None) -> str:
    """Return a number of a table; those of fitted lines with one digit after the point."""
    if value is None:
        return "-"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def value_of(row: Row) -> str:
    """Return points, or how soon the game is decided."""
    if row.plies is None:
        return f"{row.value:,.0f}"
    return f"{'win' if row.value > 0 else 'loss'} in {row.plies}"


def _header(curve: Curve) -> list[str]:
    return ["depth", "value", "move", *(f"{name} T={t}" for t in curve.T
                                        for name in ("SCN", "PCN")), "nodes"]


def shown(curve: Curve) -> str:
    """Return a curve for people."""
    parts = show.board(curve.position, curve.position.diagram)
    if curve.rows:
        rows = [[str(row.depth), value_of(row), row.move,
                 *(text for scn, pcn in zip(row.scn, row.pcn, strict=True)
                   for text in (number(scn), f"{pcn:.3g}")), f"{row.nodes:,}"]
                for row in curve.rows]
        parts += ["", show.table(_header(curve), rows)]
    if curve.stopped in STOPPED:
        parts.append(f"stopped by {STOPPED[curve.stopped]}")
    parts += ["", f"{counted(curve.nodes, 'node')}, {curve.seconds:.3f} s (and "
                  f"{curve.compile_seconds:.2f} "
              "s to compile or load)"]
    return "\n".join(parts)


def as_csv(curve: Curve) -> str:
    """Return a curve as comma-separated values."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*_header(curve)[:-1], *(f"log10 odds T={t}" for t in curve.T), "nodes"])
    for row in curve.rows:
        told = [value for pair in zip(row.scn, row.pcn, strict=True) for value in pair]
        writer.writerow([row.depth, row.value, row.move, *told,
                         *(f"{odds:.6g}" for odds in row.odds), row.nodes])
    return text.getvalue().rstrip("\n")


def told(found: GameProgress, numbers: bool = False) -> str:
    """Return the course of a game for people; with all ``numbers`` for those who know them."""
    from zermelo.conspiracy.rscn import FEWEST

    players = found.game.players
    columns = ([f"{name} T={t}" for t in found.T for name in ("SCN", "RSCN")] if numbers
               else [f"nearer to {t}" for t in found.T])
    header = ["move", "player", "played", f"value for {players[0]}", *columns, "nodes"]
    parts = [show.table(header, [_row(step, numbers) for step in found.steps]), ""]
    parts += [f"move {moment.ply} ({moment.player} {moment.move}) cost "
              + ("a win, or allowed one" if math.isinf(moment.loss)
                 else f"about {counted(round(moment.loss), 'point')}") for moment in found.moments]
    if numbers:
        parts += _averages(found)
    elif found.depth >= FEWEST:
        parts.append("nearer: who needs fewer surprises to get that many points ahead, and how "
                     "many fewer; --numbers shows SCN and RSCN")
    if found.depth < FEWEST:
        parts.append(f"no SCN or RSCN: they are read from a line through at least {FEWEST} depths; "
                     f"--depth {FEWEST} or more gives them")
    if found.stopped in STOPPED:
        parts.append(f"stopped by {STOPPED[found.stopped]}: some positions are missing")
    return "\n".join(parts)


def _averages(found: GameProgress) -> list[str]:
    players = found.game.players
    lines = []
    for which, t in enumerate(found.T):
        sides = (f"{player} {number(found.side('rscn', side, which))}"
                 for side, player in enumerate(players))
        lines.append(f"RSCN on average, T={t}: {', '.join(sides)} (less is nearer to T)")
    sides = (f"{player} {number(found.side('vl', side))}" for side, player in enumerate(players))
    return [*lines, f"value at depth 10 on average, for the player to move: {', '.join(sides)}"]


def _row(step: GameStep, numbers: bool) -> list[str]:
    last = step.move is None
    cells = ([text for scn, rscn in zip(step.scn, step.rscn, strict=True)
              for text in (number(scn), number(rscn))] if numbers
             else [_nearer(step, which) for which in range(len(step.rscn))])
    return ["-" if last else str(step.ply + 1), step.position.to_move, step.move or "",
            number(step.value), *cells, f"{step.nodes:,}"]


def _nearer(step: GameStep, which: int) -> str:
    """Return ``X by 12.8``: the side that needs fewer conspirators, and how many fewer."""
    lead = step.lead(which)
    if not lead:
        return "-" if lead is None else "even"
    return f"{step.position.game.players[lead < 0]} by {number(abs(lead))}"
