"""The commands for conspiracy numbers: of a position, and along a game."""

from __future__ import annotations

import csv
import io
import math
from typing import Annotated

import typer

from zermelo.cli import show
from zermelo.cli.annotate import From, RecordFile, RecordText
from zermelo.cli.options import (
    NUMBER,
    GameName,
    Json,
    Nodes,
    Parameters,
    PositionText,
    Quiet,
    Time,
    ToMove,
)
from zermelo.cli.read import read_game, read_limits, read_position, read_record, read_whole
from zermelo.conspiracy.rscn import FEWEST
from zermelo.conspiracy.scn import Curve, Row, Scan
from zermelo.errors import BadOption, counted, file_name, quoted
from zermelo.game_records.progress import GameProgress, Step
from zermelo.search.reasons import STOPPED

Threshold = Annotated[list[str] | None, typer.Option(
    "-T", metavar=NUMBER, help="A threshold in points, or 'win'; may be repeated; the game's own "
    "by default.")]
Depth = Annotated[str, typer.Option("--depth", metavar=NUMBER, help="Search this many plies deep.")]
Pruned = Annotated[str, typer.Option(
    "--pruned", metavar=NUMBER, help="How much a move counts that alpha-beta leaves untried.")]
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


def scn(
    game: GameName, position: PositionText = "start", T: Threshold = None, depth: Depth = "8",
    g: Parameters = None, nodes: Nodes = None, time: Time = None, pruned: Pruned = "1",
    scale: Scale = None, quiescence: Quiescence = False, to_move: ToMove = None,
    json: Json = False, table: Csv = False, quiet: Quiet = False,
) -> None:
    """Show the value and single conspiracy numbers of a position, depth by depth.

    SCN: how many leaves of the search tree must change for the value to reach T.
    """
    rules = read_game(game, g)
    limits = read_limits(nodes, time, None)
    scan = Scan(read_position(rules, position, to_move), T or None, read_whole("--depth", depth),
                pruned=read_whole("--pruned", pruned), scale=_read_scale(scale),
                quiescence=quiescence)
    live = show.Live(quiet or json or table, f"scn for {rules.name}")
    curve = scan.run(limits, lambda now: live.line(
        f"depth {now.done + 1}, {counted(now.nodes, 'node')}, {now.seconds:.0f} s"))
    live.close()
    print(show.as_json(curve.to_dict()) if json else as_csv(curve) if table else shown(curve))
    raise typer.Exit(0 if curve.stopped in ("depth", "over") else 10)


def progress(
    game: GameName, record: RecordText = None, T: Threshold = None, depth: Depth = "5",
    g: Parameters = None, file: RecordFile = None, begin: From = None, out: Out = None,
    time: Time = None, pruned: Pruned = "1", scale: Scale = None,
    quiescence: Quiescence = False, workers: Workers = None,
    numbers: Numbers = False, json: Json = False, quiet: Quiet = False,
) -> None:
    """Show who stood better in a game, and who was nearer to winning, as a chart or a table."""
    from zermelo.game_records import chart
    from zermelo.game_records.progress import progress as progress_of

    rules = read_game(game, g)
    if out is not None:
        chart.check_out(out)
    start = None if begin is None else read_position(rules, begin)
    text, limits = read_record(record, file), read_limits(None, time, None)
    live = show.Live(quiet or json, f"scn for {rules.name}")
    found = progress_of(
        rules, text, T or None, read_whole("--depth", depth), start=start, time=limits.time,
        pruned=read_whole("--pruned", pruned), scale=_read_scale(scale), quiescence=quiescence,
        workers=None if workers is None else read_whole("--workers", workers),
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
    """A number of a table; those of fitted lines with one digit after the point."""
    if value is None:
        return "-"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def value_of(row: Row) -> str:
    """Points, or how soon the game is decided."""
    if row.plies is None:
        return f"{row.value:,.0f}"
    return f"{'win' if row.value > 0 else 'loss'} in {row.plies}"


def _header(curve: Curve) -> list[str]:
    return ["depth", "value", "move", *(f"{name} T={t}" for t in curve.T
                                        for name in ("SCN", "PCN")), "nodes"]


def shown(curve: Curve) -> str:
    """A curve for people."""
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
    """A curve as comma-separated values."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*_header(curve)[:-1], *(f"log10 odds T={t}" for t in curve.T), "nodes"])
    for row in curve.rows:
        told = [value for pair in zip(row.scn, row.pcn, strict=True) for value in pair]
        writer.writerow([row.depth, row.value, row.move, *told,
                         *(f"{odds:.6g}" for odds in row.odds), row.nodes])
    return text.getvalue().rstrip("\n")


def told(found: GameProgress, numbers: bool = False) -> str:
    """How a game went, for people; with all ``numbers`` for those who know them."""
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


def _row(step: Step, numbers: bool) -> list[str]:
    last = step.move is None
    cells = ([text for scn, rscn in zip(step.scn, step.rscn, strict=True)
              for text in (number(scn), number(rscn))] if numbers
             else [_nearer(step, which) for which in range(len(step.rscn))])
    return ["-" if last else str(step.ply + 1), step.position.to_move, step.move or "",
            number(step.value), *cells, f"{step.nodes:,}"]


def _nearer(step: Step, which: int) -> str:
    """``X by 12.8``: the side with the smaller number of conspirators, and how much smaller."""
    lead = step.lead(which)
    if not lead:
        return "-" if lead is None else "even"
    return f"{step.position.game.players[lead < 0]} by {number(abs(lead))}"
