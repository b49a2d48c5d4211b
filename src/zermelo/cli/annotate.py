"""The command that goes through a game record."""

from __future__ import annotations

from typing import Annotated

import typer

from zermelo.cli import show
from zermelo.cli.options import (
    GameName,
    Json,
    Memory,
    Nodes,
    Options,
    Parameters,
    Plain,
    Quiet,
    SearchName,
    Seed,
    Time,
    WorthGoal,
)
from zermelo.cli.read import (
    read_game,
    read_limits,
    read_position,
    read_record,
    read_search,
    read_whole,
)
from zermelo.cli.signals import terminable
from zermelo.errors import counted
from zermelo.game_records.annotate import Annotation, Note
from zermelo.solving.result import Value

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
    game: GameName, record: RecordText = None, search: SearchName = None,
    p: Options = None, g: Parameters = None, goal: WorthGoal = "value", file: RecordFile = None,
    begin: From = None, nodes: Nodes = None, time: Time = None, memory: Memory = None,
    seed: Seed = "0", plain: Plain = False, json: Json = False, quiet: Quiet = False,
) -> None:
    """Find the value of every position of a game record, and where the game turned.

    Limits on nodes and time are totals; easy positions come first, then the others from the end.
    """
    from zermelo.game_records.annotate import annotate as annotate_record

    rules = read_game(game, g)
    chosen = read_search(search, p, rules)
    limits = read_limits(nodes, time, memory)
    start = None if begin is None else read_position(rules, begin)
    live = show.Live(quiet or json, f"{chosen.id} for {rules.name}")
    with terminable():
        annotation = annotate_record(
            rules, read_record(record, file), chosen, goal=goal, start=start, nodes=limits.nodes,
            time=limits.time, memory=limits.memory, seed=read_whole("--seed", seed), plain=plain,
            progress=live,
        )
    live.close()
    print(show.as_json(annotation.to_dict()) if json else annotated(annotation))
    raise typer.Exit(annotation.exit_status)


def annotated(annotation: Annotation) -> str:
    """An annotation for people."""
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
    """A position as a line of the table: what it was worth to the player, and what became of it."""
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
    """The value for the side to move and for the first player; of a draw at least, that."""
    value, first = str(note.value), str(note.first)
    if value == Value.UNKNOWN and note.at_least == Value.DRAW:
        value = NOT_LOSS
    if first == Value.UNKNOWN and value in (NOT_LOSS, Value.NOT_WIN):
        first = NOT_LOSS
    return value, first
