"""Small pictures: the few SVG pieces that the games' boards are made of."""

import re
from html import escape
from math import hypot

STONES = {"dark": "#20242c", "light": "#f6f2e8", "red": "#c8443c", "yellow": "#e3b23c",
          "blue": "#3b6ea8"}
MARK, CAPTION = "#1f8a4c", 24  # the colour of a line of play; the height of the words below
HEAD = re.compile(r'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ([0-9.]+) ([0-9.]+)" '
                  r'width="\1" height="\2" font-family="sans-serif">'
                  r'<rect width="\1" height="\2" fill="([^"]*)"/>')


def page(width: float, height: float, parts: list[str], background: str = "#ffffff") -> str:
    """A picture of ``width`` x ``height`` made of ``parts``."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif">'
        f'<rect width="{width:g}" height="{height:g}" fill="{background}"/>{"".join(parts)}</svg>'
    )


def disc(x: float, y: float, radius: float, fill: str, stroke: str = "#20242c") -> str:
    """A round stone."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{stroke}"/>'


def polygon(points: list[tuple[float, float]], fill: str, stroke: str = "#20242c") -> str:
    """A filled polygon."""
    corners = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    return f'<polygon points="{corners}" fill="{fill}" stroke="{stroke}"/>'


def line(x1: float, y1: float, x2: float, y2: float, stroke: str = "#20242c",
         width: float = 1) -> str:
    """A straight line."""
    return (f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{stroke}" '
            f'stroke-width="{width:g}"/>')


def rectangle(x: float, y: float, width: float, height: float, fill: str,
              stroke: str = "none") -> str:
    """A filled rectangle."""
    return (f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" '
            f'stroke="{stroke}"/>')


def label(x: float, y: float, text: str, size: float = 13, fill: str = "#20242c") -> str:
    """A text centred on (x, y)."""
    return (f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" text-anchor="middle" '
            f'dominant-baseline="central">{escape(text)}</text>')


def text_picture(text: str) -> str:
    """A text as a picture, for games that draw nothing better."""
    lines = text.splitlines() or [""]
    width, height = 20 + 9 * max(len(part) for part in lines), 20 + 18 * len(lines)
    spans = "".join(
        f'<text x="10" y="{24 + 18 * i}" font-family="monospace" font-size="15" '
        f'xml:space="preserve">{escape(part)}</text>'
        for i, part in enumerate(lines)
    )
    return page(width, height, [spans])


def with_more(picture: str, parts: list[str]) -> str:
    """A picture with ``parts`` on top."""
    return picture.removesuffix("</svg>") + "".join(parts) + "</svg>"


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
            f'stroke-width="{3 if number == 1 else 1}"/>{label(x, y, str(number), 12)}')


def arrow(x1: float, y1: float, x2: float, y2: float) -> str:
    """From one place to another."""
    length = hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    neck = (x2 - 12 * dx, y2 - 12 * dy)
    corners = [(x2, y2), (neck[0] - 7 * dy, neck[1] + 7 * dx), (neck[0] + 7 * dy, neck[1] - 7 * dx)]
    return line(x1, y1, *neck, MARK, 5) + polygon(corners, MARK, MARK)
