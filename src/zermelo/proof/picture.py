"""A small proof as a picture: a tidy tree, with the names of the moves, in SVG.

Children stand below their parent, which stands above their middle. Neighbouring subtrees are moved
together until they almost touch somewhere (Reingold and Tilford, Tidier drawings of trees, 1981);
how far one reaches on a level is measured, with the names of the moves, which stand above the
positions they lead to. Between two levels there is a band for the edges alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from textwrap import wrap
from unicodedata import east_asian_width

from zermelo.core import svg
from zermelo.proof.claim import DRAWN
from zermelo.proof.export import NOT_VERIFIED, Branch, Tree, role, title
from zermelo.proof.show import Walk

MARGIN, LINE = 24.0, 18.0
DIAMOND = 19.0  # half the width of a repetition
DRAW = "draw"
LONGEST_LINE, LONGEST_DIAGRAM = 100, 26
INK, EDGE = "#20242c", "#8a8f98"
PROVER, DEFENDER, GOOD, EVEN = "#3b6ea8", "#ffffff", "#cfe8cf", "#e6e2d6"
SIZE = 13.0  # half the height of a node
LETTERS, ROW, ABOVE = 12.0, 14.0, 3.0  # of the names of moves: size, line to line, to the node
BETWEEN, APART = 8.0, 14.0  # neighbours with the same parent, and with different ones
BAND, CUT = 20.0, 14.0  # for the edges, and for the dots below a position that was cut
LONGEST = 14  # characters on a line of a name


def to_svg(tree: Tree) -> str:
    """The picture of ``tree``."""
    top = arrange(tree.root, lambda branch: _half(_kind(branch)))
    head, width, height = _head(tree)
    width = max(width, top.width + 2 * MARGIN)
    put(top, (width - top.width) / 2, height)
    bottom = max(place.y for place in top.all()) + SIZE + (CUT if tree.cuts else 0) + MARGIN
    edges = [_edges(place) for place in top.all() if place.after]
    nodes = [_name(place) + _node(place.branch, place.x, place.y) for place in top.all()]
    return svg.page(round(width, 1), round(bottom, 1), [*head, *edges, *nodes])


def _edges(place: Place) -> str:
    """Down from a position, to the sides between the levels, and down to the next positions."""
    x, below = f"{place.x:.1f}", [f"{child.x:.1f}" for child in place.after]
    if below == [x]:
        way = f"M{x},{place.y + SIZE:.1f}V{place.after[0].top:.1f}"
    else:
        bend = f"{place.bend:.1f}"
        drops = [f"M{there},{bend}V{child.top:.1f}"
                 for there, child in zip(below, place.after, strict=True)]
        way = f"M{x},{place.y + SIZE:.1f}V{bend}M{below[0]},{bend}H{below[-1]}{''.join(drops)}"
    return f'<path d="{way}" fill="none" stroke="{EDGE}"/>'


def _name(place: Place) -> str:
    """The move that leads to a position, above it; all of it as a tip, if it is too long."""
    texts = "".join(_middle(place.x, place.top + ROW * (i + 0.5), line, LETTERS)
                    for i, line in enumerate(place.lines))
    tip = f"<title>{escape(place.branch.move)}</title>"
    return f"<g>{tip}{texts}</g>" if place.shortened else texts


def _node(branch: Branch, x: float, y: float) -> str:
    node = branch.node
    mark = _mark(_kind(branch), x, y, _initials(node.walk, node.mover if node.end is None
                                                else node.end))
    tip = f"<title>{escape(node.text)}</title>"
    if branch.cut:
        mark += _middle(round(x, 1), round(y + SIZE + 5, 1), "...", 15)
    return f"<g>{tip}{mark}</g>"


def _kind(branch: Branch) -> str:
    """The role of a position; a draw is another end than a win."""
    return DRAW if branch.node.end == DRAWN else role(branch.node)


def _half(kind: str) -> float:
    """Half the width of a node."""
    return DIAMOND if kind == "repetition" else SIZE


def _initials(walk: Walk, player: int) -> str:
    """A name that fits into a node; the legend has the whole one."""
    if player == DRAWN:
        return "="
    names = walk.players
    whole = max(map(len, names)) <= 3
    tries = [[name[:n] for name in names] for n in ((3,) if whole else (1, 3))]
    return next((short[player] for short in tries if short[0] != short[1]), str(player + 1))


def _mark(kind: str, x: float, y: float, name: str) -> str:
    """A square for the prover, a circle for the other side, two circles for an end."""
    x, y = round(x, 1), round(y, 1)
    inside = 2 * SIZE - (8 if kind in ("end", DRAW) else 4)
    size = round(min(12.0, inside / svg.width(name, 1)), 1)
    if kind == "prover":
        square = svg.rectangle(x - SIZE, y - SIZE, 2 * SIZE, 2 * SIZE, PROVER, INK)
        return square + _middle(x, y, name, size, "#ffffff")
    if kind == "repetition":
        corners = [(x, y - SIZE), (x + DIAMOND, y), (x, y + SIZE), (x - DIAMOND, y)]
        return svg.polygon(corners, EVEN) + _middle(x, y, "again", 8)
    if kind in ("end", DRAW):
        fill = EVEN if kind == DRAW else GOOD
        rings = svg.disc(x, y, SIZE, fill) + svg.disc(x, y, SIZE - 3, fill)
        return rings + _middle(x, y, name, size)
    return svg.disc(x, y, SIZE, DEFENDER) + _middle(x, y, name, size)


def _head(tree: Tree) -> tuple[list[str], float, float]:
    """Title, position and legend; with their width and height."""
    walk, node = tree.walk, tree.root.node
    line = " ".join(node.played)
    said = [title(walk), f"{NOT_VERIFIED}; {tree.size}", *([f"after {line}"] if line else [])]
    parts, y, right = [], MARGIN + 4, 0.0
    for i, text in enumerate(said):
        size, style, wide = (12, "", 1.0) if i else (16, 'font-weight="bold"', 1.1)
        for row in wrap(text, LONGEST_LINE):
            parts.append(_left(MARGIN, y, row, size, style))
            right = max(right, MARGIN + svg.width(row, size, wide))
            y += LINE + (0 if i else 4)
    top = y + 4
    rows = node.diagram.splitlines()[:LONGEST_DIAGRAM]
    for i, row in enumerate(rows):
        parts.append(_left(MARGIN, top + 8 + 15 * i, row, 13, 'font-family="monospace"'))
    beside = MARGIN + 8 * max(map(_columns, rows)) + 36
    legend, y, end = _legend(tree, beside, top + SIZE)
    return ([*parts, *legend], max(right, end) + MARGIN,
            max(y, top + 15 * len(rows)) + MARGIN)


def _legend(tree: Tree, x: float, y: float) -> tuple[list[str], float, float]:
    """What the nodes of the tree mean; with the lower and the right end."""
    walk, parts, right = tree.walk, [], x
    kinds = {_kind(branch) for branch in tree.root.all()}
    prover, other = walk.claim.prover, 1 - walk.claim.prover
    legend = [("prover", prover, f"{walk.prover} moves, as the proof says"),
              ("defender", other, f"{walk.players[other]} moves: {_which(walk)}"),
              ("end", prover, f"{walk.prover} has won"), (DRAW, DRAWN, "a draw"),
              ("repetition", other, "the position repeats: play can go on for ever")]
    for kind, player, words in legend:
        if kind in kinds:
            parts.append(_mark(kind, x, y, _initials(walk, player)))
            parts.append(_left(x + DIAMOND + 8, y, words, 12))
            right, y = max(right, x + DIAMOND + 8 + svg.width(words, 12)), y + 2 * SIZE + 8
    if tree.cuts:
        words = "the proof goes on, beyond the picture"
        parts += [_middle(x, y - 4, "...", 15), _left(x + DIAMOND + 8, y, words, 12)]
        right, y = max(right, x + DIAMOND + 8 + svg.width(words, 12)), y + 2 * SIZE
    return parts, y, right


def _columns(row: str) -> int:
    """How wide a row is where every character has the same width, or twice that."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in row)


def _which(walk: Walk) -> str:
    return "all replies" if walk.guide is None else "the replies that need an answer"


def _left(x: float, y: float, text: str, size: float, style: str = "") -> str:
    """A text that begins at x, its middle at y."""
    # Lowered by hand: not all programs know of baselines in the middle.
    return (f'<text x="{x:.1f}" y="{y + 0.35 * size:.1f}" font-size="{size:g}" {style} '
            f'fill="{INK}" xml:space="preserve">{escape(text)}</text>')


def _middle(x: float, y: float, text: str, size: float, fill: str = INK) -> str:
    """A text with its middle at (x, y)."""
    return (f'<text x="{x:.1f}" y="{y + 0.35 * size:.1f}" font-size="{size:g}" fill="{fill}" '
            f'text-anchor="middle">{escape(text)}</text>')


@dataclass
class Place:
    """Where a branch is drawn.

    lines        the name of its move, on at most two lines; ``shortened`` if that is not all of it
    x, y         its middle
    bend         where the edges to those below it turn to the side
    left, right  how far its subtree reaches on each level from itself downwards, from ``x``
    """

    branch: Branch
    after: list[Place]
    lines: list[str]
    shortened: bool
    half: float
    x: float = 0.0
    y: float = 0.0
    bend: float = 0.0
    left: list[float] = field(default_factory=list)
    right: list[float] = field(default_factory=list)

    @property
    def top(self) -> float:
        """The upper end of what belongs to the position: its move's name, or the node."""
        return self.y - SIZE - _tall(self.lines)

    @property
    def width(self) -> float:
        """How wide the whole subtree is."""
        return max(self.right) - min(self.left)

    def all(self) -> Iterator[Place]:
        """This one and all below, parents first."""
        todo = [self]
        while todo:
            place = todo.pop()
            yield place
            todo += reversed(place.after)


def arrange(root: Branch, half: Callable[[Branch], float]) -> Place:
    """The places of ``root`` and all below relative to each other; ``half`` of a node's width."""
    places: dict[int, Place] = {}
    for branch in reversed(list(root.all())):
        lines, shortened = broken(branch.move)
        wide = max(half(branch), *(svg.width(line, LETTERS) / 2 for line in ("", *lines)))
        place = Place(branch, [places[id(after)] for after in branch.after], lines, shortened, wide)
        _join(place)
        places[id(branch)] = place
    return places[id(root)]


def put(top: Place, x: float, y: float) -> None:
    """Put the picture's left upper corner at (x, y)."""
    top.x = x - min(top.left)
    for place in top.all():
        for child in place.after:
            child.x += place.x
    _lower(top, y)


def _join(place: Place) -> None:
    """Put the children's subtrees side by side, their middle below ``place``."""
    at: list[float] = []
    left: list[float] = []
    right: list[float] = []
    for child in place.after:
        apart = [end - begin + (APART if level else BETWEEN)
                 for level, (end, begin) in enumerate(zip(right, child.left, strict=False))]
        here = max(apart, default=0.0)
        at.append(here)
        left += [here + x for x in child.left[len(left) :]]
        right = [*(here + x for x in child.right), *right[len(child.right) :]]
    middle = (at[0] + at[-1]) / 2 if at else 0.0
    for child, here in zip(place.after, at, strict=True):
        child.x = here - middle
    place.left = [-place.half, *(x - middle for x in left)]
    place.right = [place.half, *(x - middle for x in right)]


def _lower(top: Place, y: float) -> None:
    """Put the levels below each other, with room for what stands between them."""
    level = [top]
    while level:
        y += max(_tall(place.lines) for place in level) + SIZE
        below = y + SIZE + (CUT if any(place.branch.cut for place in level) else 0.0)
        for place in level:
            place.y, place.bend = y, below + BAND / 2
        y = below + BAND
        level = [child for place in level for child in place.after]


def _tall(lines: list[str]) -> float:
    return ROW * len(lines) + ABOVE if lines else 0.0


def broken(name: str) -> tuple[list[str], bool]:
    """A name on one line or two, and whether it had to be shortened."""
    if len(name) <= LONGEST:
        return [name] if name else [], False
    # At a gap, as near to the middle as possible; else a full first line.
    gaps = [i for i, character in enumerate(name)
            if character in " -,/" and 0 < i <= LONGEST and len(name) - i - 1 <= LONGEST]
    gap = min(gaps, key=lambda i: abs(2 * i - len(name)), default=None)
    if gap is not None:
        first, second = name[: gap + 1].rstrip(), name[gap + 1 :].lstrip()
        if len(first) <= LONGEST and second:
            return [first, second], False
    first, second = name[:LONGEST], name[LONGEST:]
    if len(second) <= LONGEST:
        return [first, second], False
    return [first, f"{second[: LONGEST - 1]}\u2026"], True
