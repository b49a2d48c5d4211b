"""A position in every notation that it can be written in, to be copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.errors import ZermeloError

if TYPE_CHECKING:
    from zermelo.core.position import Position


def notations(position: Position) -> list[tuple[str, str]]:
    """Name and text of each; those of the game first, then records, and the diagram.

    Only what ``parse`` reads back as the same position: a game that was played on after a draw by
    repetition, say, has no record.
    """
    game = position.game
    found = list(game.notations(position))
    if game.sgf_moves(position) is not None and position.origin == game.start():
        found.append(("SGF", game.sgf(position)))
    found += [("PGN", _pgn(position)), ("diagram", position.diagram)]
    return [(name, text) for name, text in found if _reads_back(position, text)]


def _pgn(position: Position) -> str:
    """Headers for the game and for where it begins, and the moves with their numbers."""
    moves = [f"{number}. {name}" for number, name in enumerate(position.played_names(), 1)]
    origin = position.origin.text.replace("\\", "\\\\").replace('"', '\\"')
    return f'[Variant "{position.game.name}"]\n[FEN "{origin}"]\n\n{" ".join([*moves, "*"])}'


def _reads_back(position: Position, text: str) -> bool:
    try:
        return position.game.parse(text) == position
    except ZermeloError:
        return False
