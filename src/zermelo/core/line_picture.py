"""A picture of a position with a line of play in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.core import svg

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.position import Position

SHOWN = 9  # moves of a line that are numbered
Spot = tuple[float, float]
FILLS = ("#ffffff", "#dfe3ea")  # of the numbers of the player to move, and of the other's


def with_line(game: Game, position: Position, turns: list[list[str]]) -> str:
    """Where stones are put the moves are numbered; where pieces move an arrow shows the first."""
    parts: list[str] = []
    at = position
    for number, turn in enumerate(turns[: SHOWN if game.steady else 1], 1):
        for name in turn:
            code = game.parse_move(at, name)
            spots = game.spots(at, code)
            if len(spots) == 1:
                fill = FILLS[at.mover != position.mover]
                parts.append(svg.numbered(*spots[0], number, fill))
            elif len(spots) == 2 and number == 1:
                parts.append(svg.arrow(*spots[0], *spots[1]))
            at = at.play_code(code)
    return svg.with_more(game.svg(position), parts)


def status(position: Position) -> str:
    """Who moves, or who has won."""
    if position.outcome is None:
        return f"{position.to_move} to move"
    if position.outcome == "draw":
        return "draw"
    return f"{position.game.players[position.outcome == 'second']} wins"


def last_turn(position: Position) -> list[list[Spot]]:
    """Where the moves of the last turn are in the picture; none if the position was set up."""
    if not position.game.steady:
        return []
    way = [position.origin]
    for code in position.played[:-1]:
        way.append(way[-1].play_code(code))
    found: list[list[Spot]] = []
    for before, code in zip(reversed(way), reversed(position.played), strict=False):
        if before.mover != way[-1].mover:
            break
        found.append(position.game.spots(before, code))
    return [spots for spots in reversed(found) if spots]


def with_last(position: Position, picture: str) -> str:
    """A picture of ``position`` in which the last turn is marked."""
    game = position.game
    return svg.with_more(picture, [game.last_move_svg(spots) for spots in last_turn(position)])
