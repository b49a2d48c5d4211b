"""The picture of a P-game: the end of the path from the root, and the moves from here."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from zermelo.core import svg

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.games.p_game.game import PGame

SHOWN_MOVES, SHOWN_LEVELS = 8, 5
WIDTH, TOP, LEVEL, WIDEST = 400.0, 24.0, 64.0, 110.0
PATH, BRANCH = "#c8443c", "#8d939c"
ENDS = {"first": svg.STONES["red"], "second": svg.STONES["blue"], "draw": "#9aa0a8"}
Spot = tuple[float, float]


def picture(game: PGame, position: Position) -> str:
    """Squares are MAX, discs MIN; a click on a branch from here is a move."""
    at, path = _shown(game, position)
    x, y = WIDTH / 2, TOP
    lines: list[str] = []
    nodes = [_node(at, x, y, True)]
    places: dict[str, Spot] = {}
    for chosen in [*path, None]:
        spots = _row(len(at.codes()), chosen, x)
        values = game.move_values(at)
        for move, spot in spots.items():
            taken = move == chosen
            lines.append(_branch(x, y, spot, taken))
            nodes.append(_value(x, y, spot, values[move]))
            nodes.append(_node(at.play_code(move), spot, y + LEVEL, taken))
            if chosen is None:
                places[str(move)] = (spot, y + LEVEL / 2 + 14)
        if chosen is not None:
            at, x, y = at.play_code(chosen), spots[chosen], y + LEVEL
    bottom = y + (24 if position.outcome is not None else LEVEL + 24)
    areas = svg.areas(places, _step(len(places)), LEVEL + 4)
    return svg.page(WIDTH, bottom, [*lines, *nodes, areas])


def spots(game: PGame, position: Position) -> dict[int, Spot]:
    """Where the nodes after the moves from ``position`` are drawn; of many, the first ones."""
    x, y = WIDTH / 2, TOP
    for chosen in game.path(position)[-SHOWN_LEVELS:]:
        x, y = _row(game["branching"], chosen, x)[chosen], y + LEVEL
    moves = len(position.codes())
    return {move: (spot, y + LEVEL) for move, spot in _row(moves, None, x).items()}


def _shown(game: PGame, position: Position) -> tuple[Position, list[int]]:
    """The highest node that is drawn, and the path from there."""
    path = game.path(position)
    first = max(0, len(path) - SHOWN_LEVELS)
    return game.play_all(game.start(), (str(move) for move in path[:first])), path[first:]


def _step(shown: int) -> float:
    return min(WIDEST, (WIDTH - 40) / max(1, shown))


def _row(moves: int, chosen: int | None, x: float) -> dict[int, float]:
    """Which children are drawn, and where: the first few, and always the chosen one."""
    shown = list(range(min(moves, SHOWN_MOVES)))
    if chosen is not None and chosen >= SHOWN_MOVES:
        shown[-1] = chosen
    step = _step(len(shown))
    span = step * (len(shown) - 1)
    left = min(max(20.0, x - span / 2), WIDTH - 20 - span)
    return {move: left + step * i for i, move in enumerate(shown)}


def _branch(x: float, y: float, to: float, taken: bool) -> str:
    """A line from node to node, which ends at their rims."""
    length = hypot(to - x, LEVEL)
    dx, dy = 8 * (to - x) / length, 8 * LEVEL / length
    return svg.line(x + dx, y + dy, to - dx, y + LEVEL - dy, PATH if taken else BRANCH,
                    3 if taken else 1.25)


def _value(x: float, y: float, to: float, value: int) -> str:
    """What a branch is worth, beside it, where branches are apart."""
    aside = 15 if to >= x else -15
    return svg.label(x + 0.55 * (to - x) + aside, y + 0.55 * LEVEL, f"{value:+d}", 11)


def _node(position: Position, x: float, y: float, on_path: bool) -> str:
    """A node: the colour tells a finished game's winner, the path is filled."""
    fill = ENDS.get(position.outcome or "", "currentColor" if on_path else "none")
    if position.mover == 0:
        return svg.rectangle(x - 7, y - 7, 14, 14, fill, "currentColor")
    return svg.disc(x, y, 8, fill, "currentColor")
