"""What a notebook shows of an annotated record: a table of its moves, the turning points marked."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from zermelo.solving.analysis import html_table, html_text
from zermelo.solving.result import Value

if TYPE_CHECKING:
    from zermelo.game_records.annotate import Annotation, Note

OTHER = {Value.WIN: Value.LOSS, Value.DRAW: Value.DRAW, Value.LOSS: Value.WIN}
BOUNDS = {(Value.DRAW, Value.WIN): "not-loss", (Value.LOSS, Value.DRAW): str(Value.NOT_WIN)}
TURN = "turning point"


def annotation_html(annotation: Annotation) -> str:
    """The last position, each move with what it made of the value, and the turns in words."""
    turns = {turn.ply for turn in annotation.turns}
    rows = []
    for before, after in pairwise(annotation.positions):
        mover, number = before.position.mover, before.ply + 1
        better = " ".join([*before.best, *(f"{move}?" for move in before.unsettled)])
        rows.append([str(number), before.position.to_move, before.move or "",
                     worth(before, mover), worth(after, mover), better,
                     TURN if number in turns else ""])
    header = ["move", "player", "played", "value before", "value after", "better", ""]
    marked = {i for i, row in enumerate(rows) if row[-1]}
    listed = html_table(header, rows, marked) if rows else ""
    return f"{annotation.positions[-1].position.svg()}{listed}{html_text([str(annotation)])}"


def worth(note: Note, player: int) -> str:
    """What a position is worth to a player, as far as that is known."""
    mine = note.position.mover == player
    if note.value in OTHER:
        value = note.value if mine else OTHER[note.value]
        return str(value) if note.proved else f"{value} (not proved)"
    low, high = (note.at_least, note.at_most) if mine else (
        OTHER[note.at_most], OTHER[note.at_least])
    return BOUNDS.get((low, high), str(Value.UNKNOWN))
