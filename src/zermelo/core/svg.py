"""Small pictures: the few SVG pieces that boards are made of, and lines of play in them."""

from __future__ import annotations

import re
import unicodedata
from html import escape
from math import hypot
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.position import Position

SHOWN = 9  # moves of a line that are numbered
Spot = tuple[float, float]
FILLS = ("#ffffff", "#dfe3ea")  # of the numbers of the player to move, and of the other's


def with_line(game: Game, position: Position, turns: list[list[str]]) -> str:
    """Draw the moves of ``turns``: numbers where stones are put, an arrow for a piece's first."""
    parts: list[str] = []
    at = position
    for number, turn in enumerate(turns[: SHOWN if game.steady else 1], 1):
        for name in turn:
            code = game.parse_move(at, name)
            spots = game.spots(at, code)
            if len(spots) == 1:
                fill = FILLS[at.mover != position.mover]
                parts.append(numbered(*spots[0], number, fill))
            elif len(spots) == 2 and number == 1:
                parts.append(arrow(*spots[0], *spots[1]))
            at = at.play_code(code)
    return with_more(game.svg(position), parts)


def status(position: Position) -> str:
    """Return who moves, or who has won."""
    if position.outcome is None:
        return f"{position.to_move} to move"
    if position.outcome == "draw":
        return "draw"
    return f"{position.game.players[position.outcome == 'second']} wins"


def last_turn(position: Position) -> list[list[Spot]]:
    """Return where the moves of the last turn are in the picture; none if the position was set
    up."""
    if not position.game.steady:
        return []
    way = position.way[:-1]
    found: list[list[Spot]] = []
    for before, code in zip(reversed(way), reversed(position.played), strict=True):
        if before.mover != way[-1].mover:
            break
        found.append(position.game.spots(before, code))
    return [spots for spots in reversed(found) if spots]


def with_last(position: Position, picture: str) -> str:
    """A picture of ``position`` in which the last turn is marked."""
    game = position.game
    return with_more(picture, [game.last_move_svg(spots) for spots in last_turn(position)])


INK, PAPER = "#20242c", "#ffffff"
STONES = {"dark": "#20242c", "light": "#f6f2e8", "red": "#c8443c", "yellow": "#e3b23c",
          "blue": "#3b6ea8"}
MARK, CAPTION = "#1f8a4c", 24  # the colour of a line of play; the height of the words below
HEAD = re.compile(r'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ([0-9.]+) ([0-9.]+)" '
                  r'width="\1" height="\2" font-family="sans-serif" color="#20242c">'
                  r'<rect width="\1" height="\2" fill="([^"]*)"/>')
VIEW_BOX = re.compile(r'<svg\b[^>]*?\sviewBox="[-0-9.]+[ ,]+[-0-9.]+[ ,]+([0-9.]+)[ ,]+([0-9.]+)"')


def page(width: float, height: float, parts: list[str], background: str = PAPER) -> str:
    """A picture of ``width`` x ``height`` made of ``parts``.

    What is drawn on the paper itself has the colour ``currentColor``, so that a page which shows
    the picture without its paper (see ``bare``) can say what colour that is.
    """
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif" color="{INK}">'
        f'<rect width="{width:g}" height="{height:g}" fill="{background}"/>{"".join(parts)}</svg>'
    )


def bare(picture: str) -> str:
    """A picture that ``page`` made, without its paper and in the colour of the text around it."""
    head = HEAD.match(picture)
    if head is None:
        return picture
    top = head[0][: head[0].index("<rect")].replace(f' color="{INK}"', "")
    return top + picture[head.end() :]


def size_of(picture: str) -> tuple[float, float]:
    """Width and height of any picture that says so; 0 where it does not."""
    found = VIEW_BOX.search(picture)
    return (float(found[1]), float(found[2])) if found else (0.0, 0.0)


def disc(x: float, y: float, radius: float, fill: str, stroke: str = INK) -> str:
    """A round stone."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{stroke}"/>'


def polygon(points: list[tuple[float, float]], fill: str, stroke: str = INK,
            move: str | None = None) -> str:
    """A filled polygon; a click on it makes ``move``."""
    corners = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    data = "" if move is None else f' data-move="{escape(move)}"'
    return f'<polygon points="{corners}" fill="{fill}" stroke="{stroke}"{data}/>'


def line(x1: float, y1: float, x2: float, y2: float, stroke: str = INK,
         width: float = 1) -> str:
    """A straight line."""
    return (f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{stroke}" '
            f'stroke-width="{width:g}"/>')


def rectangle(x: float, y: float, width: float, height: float, fill: str,
              stroke: str = "none", radius: float = 0) -> str:
    """A filled rectangle; its corners may be round."""
    corners = f' rx="{radius:g}"' if radius else ""
    return (f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" '
            f'stroke="{stroke}"{corners}/>')


def label(x: float, y: float, text: str, size: float = 13, fill: str = "currentColor") -> str:
    """A text centred on (x, y)."""
    return (f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" text-anchor="middle" '
            f'dominant-baseline="central">{escape(text)}</text>')


def text_picture(text: str) -> str:
    """A text as a picture, for games that draw nothing better."""
    lines = text.splitlines() or [""]
    width, height = 20 + 9 * max(len(part) for part in lines), 20 + 18 * len(lines)
    spans = "".join(
        f'<text x="10" y="{24 + 18 * i}" font-family="monospace" font-size="15" '
        f'fill="currentColor" xml:space="preserve">{escape(part)}</text>'
        for i, part in enumerate(lines)
    )
    return page(width, height, [spans])


NARROW, SLIM = "'ijlIJ,. ·/:;|\\", 'ft-()[]r!"'
BROAD, BROADER = "ABCDGHKNOQRUVXZ&", "mwMW@%…#+<=>^~"


def width(text: str, size: float, wide: float = 1.0) -> float:
    """About how wide a text is in a font without serifs, rather too wide than too narrow.

    ``wide`` is 1.1 for a bold one.
    """
    found = 0.0
    for character in text:
        if character in NARROW:
            found += 0.34
        elif character in SLIM:
            found += 0.46
        elif character in BROADER or unicodedata.east_asian_width(character) in "WF":
            found += 1.0
        elif not unicodedata.combining(character):
            found += 0.8 if character in BROAD or ord(character) > 0x24F else 0.65
    return found * size * wide


def with_more(picture: str, parts: list[str]) -> str:
    """A picture with ``parts`` on top, which leave clicks to what is below them."""
    if not parts:
        return picture
    return (f'{picture.removesuffix("</svg>")}<g pointer-events="none">{"".join(parts)}</g></svg>')


def areas(places: dict[str, tuple[float, float]], width: float, height: float | None = None,
          kind: str = "move") -> str:
    """Return what is clicked: a rectangle that nobody sees around each place, with ``data-move``
    (or ``data-square``) for its name."""
    height = width if height is None else height
    found = "".join(
        f'<rect x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" '
        f'height="{height:g}" data-{kind}="{escape(name)}"/>' for name, (x, y) in places.items())
    return f'<g fill-opacity="0">{found}</g>' if found else ""


def captioned(picture: str, words: str) -> str:
    """A picture that ``page`` made, with words below it; any other stays as it is."""
    head = HEAD.match(picture)
    if head is None:
        return picture
    width, height = float(head[1]), float(head[2])
    body = picture[head.end() :].removesuffix("</svg>")
    words = label(width / 2, height + CAPTION / 2 - 2, words, min(14, 1.6 * width / len(words)))
    return page(width, height + CAPTION, [body, words], head[3])


def numbered(x: float, y: float, number: int, fill: str) -> str:
    """A move of a line that puts a stone: a small disc with its number, the first one marked."""
    rim = MARK if number == 1 else "#6a6f78"
    return (f'<circle cx="{x:g}" cy="{y:g}" r="11" fill="{fill}" stroke="{rim}" '
            f'stroke-width="{3 if number == 1 else 1}"/>{label(x, y, str(number), 12, INK)}')


def arrow(x1: float, y1: float, x2: float, y2: float) -> str:
    """From one place to another."""
    length = hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    neck = (x2 - 12 * dx, y2 - 12 * dy)
    corners = [(x2, y2), (neck[0] - 7 * dy, neck[1] + 7 * dx), (neck[0] + 7 * dy, neck[1] - 7 * dx)]
    return line(x1, y1, *neck, MARK, 5) + polygon(corners, MARK, MARK)


def last_move(spots: list[tuple[float, float]], cell: float) -> str:
    """The last move: a point on the stone, and a smaller one where a piece came from."""
    *before, (x, y) = spots
    came = "".join(disc(*spot, 0.09 * cell, "none", "#6a6f78") for spot in before)
    return came + (f'<circle cx="{x:g}" cy="{y:g}" r="{0.11 * cell:g}" fill="{PAPER}" '
                   f'stroke="{INK}" stroke-width="1.5"/>')


def ring(x: float, y: float, radius: float, stroke: str = MARK, width: float = 2.5) -> str:
    """A circle around something."""
    return (f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="none" stroke="{stroke}" '
            f'stroke-width="{width:g}"/>')
