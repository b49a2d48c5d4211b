"""A position as plain data for a page: its picture, its moves and where they are in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zermelo.core import svg
from zermelo.core.line_picture import last_turn, status, with_last
from zermelo.core.notations import notations

if TYPE_CHECKING:
    from zermelo.core.position import Position


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
    found, at = [], position.origin
    for code in position.played:
        found.append({"move": at.game.move_name(at, code), "player": at.mover})
        at = at.play_code(code)
    return found
