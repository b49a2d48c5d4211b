"""A small proof as a picture: a tidy tree, with the moves on its edges, in SVG.

Children stand below their parent, which stands above their middle. Neighbouring subtrees are moved
together until they almost touch somewhere (Reingold and Tilford, Tidier drawings of trees, 1981).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

from zermelo.core import svg
from zermelo.proof.claim import DRAWN
from zermelo.proof.export import NOT_VERIFIED, Branch, Tree, role, title
from zermelo.proof.show import Walk

SIZE = 13.0  # half the width of a node
MARGIN, LINE = 24.0, 18.0
NARROW, CHARACTER = 36.0, 7.5  # between neighbours, and for each character of a move
STEP, FAN, LONGEST_FAN = 58.0, 1 / 12, 150.0  # down to the next level; more where edges fan out
DRAW = "draw"
LONGEST_NAME, LONGEST_DIAGRAM = 14, 26
INK, EDGE = "#20242c", "#8a8f98"
PROVER, DEFENDER, GOOD, EVEN = "#3b6ea8", "#ffffff", "#cfe8cf", "#e6e2d6"


@dataclass
class _Place:
    """Where a branch is drawn: its distance from its parent, and how far its subtree reaches to
    the left and to the right on each level below, from itself."""

    branch: Branch
    after: list[_Place] = field(default_factory=list)
    shift: float = 0.0
    left: list[float] = field(default_factory=lambda: [0.0])
    right: list[float] = field(default_factory=lambda: [0.0])


def to_svg(tree: Tree) -> str:
    """The picture of ``tree``."""
    longest = max(len(_short(branch.move)) for branch in tree.root.all())
    top = _placed(tree.root, max(NARROW, CHARACTER * longest + 12))
    head, width, height = _head(tree)
    span = max(top.right) - min(top.left) + 2 * (SIZE + MARGIN)
    width = max(width, span)
    x = MARGIN + SIZE - min(top.left) + (width - span) / 2
    rows = [height + SIZE]
    for gap in _gaps(top):
        rows.append(rows[-1] + gap)
    edges: list[str] = []
    nodes: list[str] = []
    _draw(top, x, 0, rows, edges, nodes)
    return svg.page(round(width, 1), round(rows[-1] + SIZE + MARGIN + LINE, 1),
                    [*head, *edges, *nodes])


def _placed(root: Branch, gap: float) -> _Place:
    """The layout: children before their parents."""
    places: dict[int, _Place] = {}
    for branch in reversed(list(root.all())):
        place = _Place(branch, [places[id(after)] for after in branch.after])
        at: list[float] = []
        left: list[float] = []
        right: list[float] = []
        for child in place.after:
            apart = [end - begin + gap for end, begin in zip(right, child.left, strict=False)]
            here = max(apart, default=0.0)
            at.append(here)
            left += [here + x for x in child.left[len(left) :]]
            right = [*(here + x for x in child.right), *right[len(child.right) :]]
        middle = (at[0] + at[-1]) / 2 if at else 0.0
        for child, here in zip(place.after, at, strict=True):
            child.shift = here - middle
        place.left = [0.0, *(x - middle for x in left)]
        place.right = [0.0, *(x - middle for x in right)]
        places[id(branch)] = place
    return places[id(root)]


def _gaps(top: _Place) -> list[float]:
    """The distance between levels: more where edges lead far to the side."""
    gaps: list[float] = []
    level = [top]
    while level := [child for place in level for child in place.after]:
        far = max(abs(place.shift) for place in level)
        gaps.append(min(STEP + FAN * far, LONGEST_FAN))
    return gaps


def _draw(top: _Place, x: float, depth: int, rows: list[float], edges: list[str],
          nodes: list[str]) -> None:
    """A subtree: its edges with the moves on them, and its nodes, which cover the edges' ends."""
    todo = [(top, x, depth)]
    while todo:
        place, x, depth = todo.pop()
        y = rows[depth]
        nodes.append(_node(place.branch, x, y))
        for child in place.after:
            there, below = x + child.shift, rows[depth + 1]
            edges.append(svg.line(round(x, 1), round(y, 1), round(there, 1), round(below, 1), EDGE))
            # Near the lower end, where the edges of neighbours are apart.
            on = 1 - (SIZE + 11) / (below - y)
            nodes.append(_halo(x + (there - x) * on, y + (below - y) * on,
                               _short(child.branch.move)))
            todo.append((child, there, depth + 1))


def _node(branch: Branch, x: float, y: float) -> str:
    node = branch.node
    mark = _mark(_kind(branch), x, y, _initials(node.walk, node.mover if node.end is None
                                                else node.end))
    tip = f"<title>{escape(node.text)}</title>"
    if branch.cut:
        mark += _middle(round(x, 1), round(y + SIZE + 9, 1), "...", 15)
    return f"<g>{tip}{mark}</g>"


def _kind(branch: Branch) -> str:
    """The role of a position; a draw is another end than a win."""
    return DRAW if branch.node.end == DRAWN else role(branch.node)


def _initials(walk: Walk, player: int) -> str:
    """A name that fits into a node; the legend has the whole one."""
    if player == DRAWN:
        return "="
    short = [name if len(name) <= 3 else name[0] for name in walk.players]
    return short[player] if short[0] != short[1] else walk.players[player][:3]


def _mark(kind: str, x: float, y: float, name: str) -> str:
    """A square for the prover, a circle for the other side, two circles for an end."""
    x, y = round(x, 1), round(y, 1)
    size = 12.0 if len(name) < 3 else 9.0
    if kind == "prover":
        square = svg.rectangle(x - SIZE, y - SIZE, 2 * SIZE, 2 * SIZE, PROVER, INK)
        return square + _middle(x, y, name, size, "#ffffff")
    if kind == "repetition":
        corners = [(x, y - SIZE - 2), (x + SIZE + 2, y), (x, y + SIZE + 2), (x - SIZE - 2, y)]
        return svg.polygon(corners, EVEN) + _middle(x, y, "again", 8)
    if kind in ("end", DRAW):
        fill = EVEN if kind == DRAW else GOOD
        rings = svg.disc(x, y, SIZE, fill) + svg.disc(x, y, SIZE - 3, fill)
        return rings + _middle(x, y, name, size)
    return svg.disc(x, y, SIZE, DEFENDER) + _middle(x, y, name, size)


def _halo(x: float, y: float, text: str) -> str:
    """The name of a move, on white so that the edge does not run through it."""
    x, y, half = round(x, 1), round(y, 1), round(3.6 * len(text) + 2, 1)
    back = svg.rectangle(x - half, y - 7, 2 * half, 14, "#ffffff")
    return back + _middle(x, y, text, 12)


def _head(tree: Tree) -> tuple[list[str], float, float]:
    """Title, position and legend; with their width and height."""
    walk, node = tree.walk, tree.root.node
    line = " ".join(node.played)
    said = [title(walk), f"{NOT_VERIFIED}; {tree.size}", *([f"after {line}"] if line else [])]
    parts, y = [], MARGIN + 4
    for i, text in enumerate(said):
        parts.append(_left(MARGIN, y, text, 12 if i else 16,
                           "" if i else 'font-weight="bold"'))
        y += LINE + (4 if not i else 0)
    top = y + 4
    rows = node.diagram.splitlines()[:LONGEST_DIAGRAM]
    for i, row in enumerate(rows):
        parts.append(_left(MARGIN, top + 8 + 15 * i, row, 13,
                           'font-family="monospace"'))
    beside = MARGIN + 8 * max(len(row) for row in rows) + 36
    kinds = {_kind(branch) for branch in tree.root.all()}
    prover, other = walk.claim.prover, 1 - walk.claim.prover
    legend = [("prover", prover, f"{walk.prover} moves, as the proof says"),
              ("defender", other, f"{walk.players[other]} moves: {_which(walk)}"),
              ("end", prover, f"{walk.prover} has won"), (DRAW, DRAWN, "a draw"),
              ("repetition", other, "the position repeats: play can go on for ever")]
    y = top + SIZE
    for kind, player, words in legend:
        if kind not in kinds:
            continue
        parts.append(_mark(kind, beside, y, _initials(walk, player)))
        parts.append(_left(beside + SIZE + 10, y, words, 12))
        y += 2 * SIZE + 8
    if tree.cuts:
        parts.append(_middle(beside, y - 4, "...", 15))
        parts.append(_left(beside + SIZE + 10, y, "the proof goes on, beyond the picture", 12))
        y += 2 * SIZE
    width = max([beside + SIZE + 340, *(2 * MARGIN + 7 * len(text) for text in said),
                 2 * MARGIN + 9.5 * len(said[0])])
    return parts, width, max(y, top + 15 * len(rows)) + MARGIN


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


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}\u2026"
