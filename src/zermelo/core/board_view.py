"""A position for a page: its picture, moves and notations as plain data; editing its squares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zermelo.core import svg
from zermelo.core.position import check_position
from zermelo.core.svg import last_turn, status, with_last
from zermelo.errors import BadOption, BadPosition, ZermeloError, listed, quoted

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


def board_view(position: Position, line: Sequence[str] = ()) -> dict[str, Any]:
    """Everything that a page shows of ``position``; with ``line``, its moves in the picture.

    The picture has no paper of its own: what is drawn on it has the colour of the text around it.
    What is clicked to make a move has ``data-move`` with its name; where pieces move, squares have
    ``data-square``, and ``moves`` say from where to where.
    """
    game = position.game
    picture = picture_of(position, line)
    width, height = svg.size_of(picture)
    played = _played(position)
    again = " again" if played and played[-1]["player"] == position.mover else ""  # as in Connect6
    return {
        "place": place_of(position), "text": position.text, "notation": position.notation,
        "diagram": position.diagram, "svg": picture, "width": width, "height": height,
        "cell": game.cell, "to_move": position.to_move, "mover": position.mover,
        "players": list(game.players), "stones": game.stones, "outcome": position.outcome,
        "status": status(position) + ("" if position.outcome else again),
        "moves": [_move(position, code) for code in position.codes()],
        "last": [list(spot) for spots in last_turn(position) for spot in spots],
        "played": played,
        "notations": [{"name": name, "text": text} for name, text in notations(position)],
        "can_edit": bool(game.marks(position)), "marks": game.marks(position),
        "squares": [{"square": name, "x": x, "y": y}
                    for name, (x, y) in game.square_spots().items()],
    }


def place_of(position: Position) -> dict[str, Any]:
    """The game, where it began, and what was played since."""
    game, origin = position.game, position.origin
    return {"game": game.name, "parameters": game.changed,
            "position": "start" if origin == game.start() else origin.text,
            "moves": position.played_names()}


def picture_of(position: Position, line: Sequence[str] = ()) -> str:
    """The picture with the last turn marked, for a page that shows it on its own paper."""
    game = position.game
    picture = game.line_svg(position, [[move] for move in line]) if line else game.svg(position)
    if "data-move=" not in picture and "data-square=" not in picture:
        picture = _with_areas(position, picture)
    return svg.bare(with_last(position, picture))


def _with_areas(position: Position, picture: str) -> str:
    """A picture that says nothing of moves, with what is clicked to make them, where they are."""
    places = {}
    for code in position.codes():
        spots = position.game.spots(position, code)
        if len(spots) == 1:
            places[position.game.move_name(position, code)] = spots[0]
    more = svg.areas(places, position.game.cell)
    return picture.removesuffix("</svg>") + f"{more}</svg>" if more else picture


def _move(position: Position, code: int) -> dict[str, Any]:
    game = position.game
    spots = [list(spot) for spot in game.spots(position, code)]
    found: dict[str, Any] = {"move": game.move_name(position, code), "spots": spots}
    ends = game.from_to(position, code)
    if ends is not None:
        found["from"], found["to"] = ends
    return found


def _played(position: Position) -> list[dict[str, Any]]:
    """The moves since the beginning, and who made each."""
    return [{"move": at.game.move_name(at, code), "player": at.mover}
            for at, code in zip(position.way, position.played, strict=False)]


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
