"""Setting up a position square by square."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.core.position import check_position
from zermelo.errors import BadOption, BadPosition, listed, quoted

if TYPE_CHECKING:
    from zermelo.core.position import Position


def edit(position: Position, *, square: str | None = None, mark: str | None = None,
         to_move: str | None = None, clear: bool = False) -> Position:
    """``position`` with ``mark`` on ``square``, or with another player to move, or cleared.

    The player to move stays the same unless no game leads to that. What comes out is a position
    that was set up, without moves. ``game.marks`` says which marks there are.
    """
    check_position(position)
    game, cells = position.game, position.game.cells(position)
    if not game.marks(position):
        raise BadOption(f"{game.name}: its positions can't be edited.")
    if (square is None) != (mark is None) or (square, to_move, clear) == (None, None, False):
        raise BadOption("edit needs a square and a mark, or to_move, or clear.")
    movers = [position.mover, 1 - position.mover]
    if clear:
        cells = game.cleared(cells)
    if square is not None and mark is not None:
        cells = game.with_mark(cells, _square(position, square), _mark(position, mark))
    if to_move is not None:
        player = game.player_called(to_move)
        if player is None:
            names = ", ".join(dict.fromkeys(name for pair in game.all_names for name in pair))
            raise BadOption(f"{game.name}: {quoted(to_move)} is not a player; players are {names}.")
        movers = [player]
    return _first_that_parses(position, [game.cells_text(cells, mover) for mover in movers])


def _square(position: Position, name: str) -> str:
    wanted, squares = name.strip().lower(), position.game.square_spots()
    if wanted not in squares:
        raise BadOption(f"{position.game.name}: there is no square {quoted(name)}; squares: "
                        f"{listed(squares)}.")
    return wanted


def _mark(position: Position, mark: str) -> str:
    marks = position.game.marks(position)
    if mark not in marks:
        raise BadOption(f"{position.game.name}: {quoted(mark)} can't be put on a square; marks: "
                        f"{' '.join(marks)}.")
    return mark


def _first_that_parses(position: Position, texts: list[str]) -> Position:
    """The first reading that works; what is wrong with the first if none does."""
    complaint: BadPosition | None = None
    for text in texts:
        try:
            found = position.game.parse(text)
        except BadPosition as error:
            complaint = complaint or error
            continue
        return type(position)(found.game, found.state)
    assert complaint is not None
    raise complaint
