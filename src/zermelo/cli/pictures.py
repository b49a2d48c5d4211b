"""What ``zermelo solve`` writes beside its answer: a picture, a game record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.cli.out_files import check_file, write_file

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.solving.result import Result


def check_pictures(position: Position, svg: str | None, sgf: str | None) -> None:
    """Refuse now what would otherwise be refused only after a long search."""
    if sgf is not None:
        position.game.sgf(position)
    for path in (svg, sgf):
        check_file(path)


def write_pictures(result: Result, svg: str | None, sgf: str | None) -> None:
    """The position with the line, as a picture and as a game record."""
    if svg is not None:
        write_file(svg, result.svg() + "\n")
    if sgf is not None:
        write_file(sgf, result.position.game.sgf(result.last) + "\n")
