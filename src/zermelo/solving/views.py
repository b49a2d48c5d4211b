"""What a notebook shows of an analysis: the board and a table of its moves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape
from typing import TYPE_CHECKING

from zermelo.errors import counted

if TYPE_CHECKING:
    from zermelo.solving.analysis import Analysis

CELL, MARKED = "text-align: left", "background: #fbe3e0; color: #20242c"


def analysis_html(analysis: Analysis) -> str:
    """The position, and each of its moves with its value and the line that follows."""
    rows = [[row.move, str(row.value), "yes" if row.proved else f"no ({row.stopped})",
             " ".join(row.line)] for row in analysis.moves]
    state = "proved" if analysis.proved else f"not proved ({analysis.stopped})"
    said = [f"{analysis.position.to_move} to move: {analysis.value}, {state}"] if rows else [
        f"the game is over: {analysis.value} for {analysis.position.to_move}"]
    said.append(f"{analysis.search.id}: {counted(analysis.nodes, 'node')}, "
                f"{analysis.seconds:.3f} s")
    listed = html_table(["move", "value", "proved", "line"], rows) if rows else ""
    return f"{analysis.position.svg()}{listed}{html_text(said)}"


def html_table(header: Sequence[str], rows: Sequence[Sequence[str]],
               marked: Collection[int] = ()) -> str:
    """A table of texts; the rows with the numbers ``marked`` stand out."""
    head = "".join(f'<th style="{CELL}">{escape(text)}</th>' for text in header)
    lines = [f"<thead><tr>{head}</tr></thead><tbody>"]
    for number, row in enumerate(rows):
        style = f' style="{MARKED}"' if number in marked else ""
        cells = "".join(f'<td style="{CELL}">{escape(text)}</td>' for text in row)
        lines.append(f"<tr{style}>{cells}</tr>")
    return f"<table>{''.join(lines)}</tbody></table>"


def html_text(lines: Sequence[str]) -> str:
    """Lines of text."""
    return f"<pre>{escape(chr(10).join(lines))}</pre>"
