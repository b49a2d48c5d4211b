"""What ``zermelo solve`` writes beside its answer: a picture, a game record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.errors import BadOption, file_name

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.solving.result import Result


def check_pictures(position: Position, svg: str | None, sgf: str | None) -> None:
    """Refuse now what would otherwise be refused only after a long search."""
    if sgf is not None:
        position.game.sgf(position)
    for path in (svg, sgf):
        if path is not None and not Path(path).parent.is_dir():
            raise BadOption(f"can't write {file_name(path)}: there is no such directory.")


def write_pictures(result: Result, svg: str | None, sgf: str | None) -> None:
    """The position with the line, as a picture and as a game record."""
    texts = [(svg, result.svg)] if svg is not None else []
    if sgf is not None:
        texts.append((sgf, lambda: result.position.game.sgf(result.last)))
    for path, text in texts:
        try:
            Path(path or "").write_text(text() + "\n", "utf-8")
        except OSError as error:
            raise BadOption(f"can't write {file_name(path or '')}: {error.strerror}.") from None
