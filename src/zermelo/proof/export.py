"""The upper part of a proof as a tree, and the tree as SGF-like text, DOT, JSON and a picture.

The picture is a tidy tree in SVG, with the names of the moves. Children stand below their parent,
which stands above their middle. Neighbouring subtrees are moved together until they almost touch
somewhere (Reingold and Tilford, Tidier drawings of trees, 1981); the reach of one on a level is
measured, with the names of the moves, which stand above the positions they lead to. Between two
levels there is a band for the edges alone.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from textwrap import wrap
from typing import Any, Self
from unicodedata import east_asian_width

from zermelo.core import svg
from zermelo.errors import BadOption, counted, quoted
from zermelo.proof.header import DRAWN
from zermelo.proof.show import ProofNode, ProofWalk

MOST_PLIES, MOST_NODES = 200, 1_000_000  # deeper texts would overflow readers of JSON and SGF
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
LONGEST, MORE = 14, "\u2026"  # characters on a line of a name; what stands for the rest of it


class Nested:
    """Something that has others of its kind ``after`` it."""

    after: list[Self]

    def all(self) -> Iterator[Self]:
        """Yield this one and all below, parents first."""
        todo = [self]
        while todo:
            found = todo.pop()
            yield found
            todo += reversed(found.after)


@dataclass
class Branch(Nested):
    """A position of a tree, and those after it: all that are to be considered, or none if it is
    ``cut`` or the line ends there."""

    node: ProofNode
    after: list[Branch] = field(default_factory=list)
    cut: bool = False

    @property
    def move(self) -> str:
        """The move that led here."""
        node = self.node
        return node.parent.name(node.path[-1]) if node.parent is not None else ""


@dataclass
class ProofTree:
    """The proof below ``root`` with at most ``most`` nodes and ``plies`` moves on a line.

    cuts  at how many positions the proof goes on beyond the tree
    """

    root: Branch
    plies: int
    most: int
    nodes: int = 1
    cuts: int = 0

    @property
    def walk(self) -> ProofWalk:
        """The walk that it is part of."""
        return self.root.node.walk

    @property
    def size(self) -> str:
        """Its number of positions, and where it was cut."""
        nodes = counted(self.nodes, "position")
        if not self.cuts:
            return f"{nodes}, to the end of every line"
        return (f"{nodes}, cut: at {self.cuts:,} of them the proof goes on (--plies {self.plies}, "
                f"--most {self.most})")


def grow(node: ProofNode, plies: int, most: int) -> ProofTree:
    """Return the tree below ``node``, level by level; no position has only some of its replies."""
    for name, value, low, high in (("plies", plies, 0, MOST_PLIES), ("most", most, 1, MOST_NODES)):
        if not low <= value <= high:
            raise BadOption(f"{name} {quoted(value)} is out of range; valid is {low} to {high:,}.")
    tree = ProofTree(Branch(node), plies, most)
    todo = deque([tree.root])
    while todo:
        branch = todo.popleft()
        at = branch.node
        if at.end is not None or at.repeated:
            continue
        choices = [] if len(at.path) - len(node.path) >= plies else at.choices
        if not choices or tree.nodes + len(choices) > most:
            branch.cut = True
            tree.cuts += 1
            continue
        branch.after = [Branch(at.after(move)) for move in choices]
        tree.nodes += len(choices)
        todo += branch.after
    return tree


def role(node: ProofNode) -> str:
    """Return ``prover``, ``defender``, or the way the line ends: ``end`` or ``repetition``."""
    if node.end is not None:
        return "end"
    if node.repeated:
        return "repetition"
    return "prover" if node.by_prover else "defender"


def note(branch: Branch) -> str:
    """Return a sentence about a position."""
    node, said = branch.node, []
    if node.end is not None:
        said.append(node.result)
    elif node.repeated:
        said.append("the position repeats: play can go on for ever")
    elif node.by_prover and not branch.cut:
        said.append(f"{node.walk.prover} moves by {node.answer.source}")
        if node.answer.rank is not None:
            said.append(f"rank {node.answer.rank}")
    if branch.cut:
        said.append("cut: the proof goes on here")
    return ", ".join(said)


def title(walk: ProofWalk) -> str:
    """Return the claim of a walk, with the game."""
    return f"{walk.header.title}: {walk.claim.words(walk.players)}"


NOT_VERIFIED = "shown, not verified"


def to_json(tree: ProofTree) -> str:
    """Return JSON: nested objects; ``next`` holds the prover's one move, or all replies."""
    walk = tree.walk
    whole = {
        "game": walk.header.game, "parameters": walk.header.parameters,
        "players": list(walk.players), "claim": walk.claim.words(walk.players),
        "prover": walk.prover, "verified": False, "root": walk.header.position,
        "line": tree.root.node.played, "nodes": tree.nodes, "cuts": tree.cuts,
        "tree": _record(tree.root),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _record(branch: Branch) -> dict[str, Any]:
    node = branch.node
    found: dict[str, Any] = {"move": branch.move or None, "position": node.text,
                             "role": role(node), "to_move": None, "end": None}
    if node.end is not None:
        found["end"] = "draw" if node.end == DRAWN else f"{node.walk.players[node.end]} wins"
    else:
        found["to_move"] = node.walk.players[node.mover]
    if role(node) == "prover" and not branch.cut:
        found["source"], found["rank"] = node.answer.source, node.answer.rank
    return {**found, "cut": branch.cut, "next": [_record(after) for after in branch.after]}


def to_sgf(tree: ProofTree) -> str:
    """Return SGF: a node for each move, B for the first player, variations in brackets."""
    walk = tree.walk
    said = [title(walk), NOT_VERIFIED, f"position: {tree.root.node.text}", tree.size,
            note(tree.root)]
    head = (f"GM[{_sgf(walk.header.game)}]CA[UTF-8]AP[zermelo]PB[{_sgf(walk.players[0])}]"
            f"PW[{_sgf(walk.players[1])}]C[{_sgf(chr(10).join(filter(None, said)))}]")
    return f"(;{head}{_variations(tree.root)})\n"


def _variations(branch: Branch) -> str:
    """Return the nodes after a position."""
    texts = []
    for after in branch.after:
        said = note(after)
        comment = f"C[{_sgf(said)}]" if said else ""
        side = "BW"[branch.node.mover]
        texts.append(f";{side}[{_sgf(after.move)}]{comment}{_variations(after)}")
    return texts[0] if len(texts) == 1 else "".join(f"\n({text})" for text in texts)


def _sgf(text: str) -> str:
    """Return a text for use within brackets."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


SHAPES = {"prover": 'shape=box style=filled fillcolor="#3b6ea8" fontcolor=white',
          "defender": "shape=ellipse", "end": 'shape=doublecircle style=filled fillcolor="#cfe8cf"',
          "repetition": "shape=diamond"}


def to_dot(tree: ProofTree) -> str:
    """Return a graph for Graphviz; the position of a node is its tooltip."""
    walk, numbers = tree.walk, {}
    lines = [f"// {_line(title(walk))}; {NOT_VERIFIED}", f"// {tree.size}", "digraph proof {",
             f"  label={_dot(f'{title(walk)} ({NOT_VERIFIED}; {tree.size})')};"]
    for number, branch in enumerate(tree.root.all()):
        numbers[id(branch)] = number
        node = branch.node
        label = node.result or ("again" if node.repeated else walk.players[node.mover])
        if branch.cut:
            label += "\n..."
        dashed = " peripheries=2 color=gray" if branch.cut else ""
        lines.append(f"  n{number} [label={_dot(label)} tooltip={_dot(node.text)} "
                     f"{SHAPES[role(node)]}{dashed}];")
    for branch in tree.root.all():
        lines += [f"  n{numbers[id(branch)]} -> n{numbers[id(after)]} [label={_dot(after.move)}];"
                  for after in branch.after]
    return "\n".join([*lines, "}", ""])


def _dot(text: str) -> str:
    """Return a quoted text."""
    quoted_text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{quoted_text}"'


def _line(text: str) -> str:
    """Return a text without line ends, for a comment."""
    return " ".join(text.split())


def to_svg(tree: ProofTree) -> str:
    """Return the picture of ``tree`` as SVG."""
    top = arrange(tree.root, lambda branch: _half(_kind(branch)))
    head, width, height = _head(tree)
    width = max(width, top.width + 2 * MARGIN)
    put(top, (width - top.width) / 2, height)
    bottom = max(place.y for place in top.all()) + SIZE + (CUT if tree.cuts else 0) + MARGIN
    edges = [_edges(place) for place in top.all() if place.after]
    nodes = [_name(place) + _node(place.branch, place.x, place.y) for place in top.all()]
    return svg.page(round(width, 1), round(bottom, 1), [*head, *edges, *nodes])


def _edges(place: Placed) -> str:
    """Return the edges below a position: down, to the sides between the levels, and down."""
    x, below = f"{place.x:.1f}", [f"{child.x:.1f}" for child in place.after]
    if below == [x]:
        way = f"M{x},{place.y + SIZE:.1f}V{place.after[0].top:.1f}"
    else:
        bend = f"{place.bend:.1f}"
        drops = [f"M{there},{bend}V{child.top:.1f}"
                 for there, child in zip(below, place.after, strict=True)]
        way = f"M{x},{place.y + SIZE:.1f}V{bend}M{below[0]},{bend}H{below[-1]}{''.join(drops)}"
    return f'<path d="{way}" fill="none" stroke="{EDGE}"/>'


def _name(place: Placed) -> str:
    """Return the move that leads to a position, above it; all of it as a tip, if it is too long."""
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
    """Return the role of a position; a draw is another end than a win."""
    return DRAW if branch.node.end == DRAWN else role(branch.node)


def _half(kind: str) -> float:
    """Return half the width of a node."""
    return DIAMOND if kind == "repetition" else SIZE


def _initials(walk: ProofWalk, player: int) -> str:
    """Return a name that fits into a node; the legend has the whole one."""
    if player == DRAWN:
        return "="
    names = walk.players
    whole = max(map(len, names)) <= 3
    tries = [[name[:n] for name in names] for n in ((3,) if whole else (1, 3))]
    return next((short[player] for short in tries if short[0] != short[1]), str(player + 1))


def _mark(kind: str, x: float, y: float, name: str) -> str:
    """Return a square for the prover, a circle for the other side, two circles for an end."""
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


def _head(tree: ProofTree) -> tuple[list[str], float, float]:
    """Return title, position and legend, with their width and height."""
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


def _legend(tree: ProofTree, x: float, y: float) -> tuple[list[str], float, float]:
    """Return the legend of the nodes, with its lower and its right end."""
    walk, parts, right = tree.walk, [], x
    roles = {_kind(branch) for branch in tree.root.all()}
    prover, other = walk.claim.prover, 1 - walk.claim.prover
    legend = [("prover", prover, f"{walk.prover} moves, as the proof says"),
              ("defender", other, f"{walk.players[other]} moves: {_which(walk)}"),
              ("end", prover, f"{walk.prover} has won"), (DRAW, DRAWN, "a draw"),
              ("repetition", other, "the position repeats: play can go on for ever")]
    for kind, player, words in legend:
        if kind in roles:
            parts.append(_mark(kind, x, y, _initials(walk, player)))
            parts.append(_left(x + DIAMOND + 8, y, words, 12))
            right, y = max(right, x + DIAMOND + 8 + svg.width(words, 12)), y + 2 * SIZE + 8
    if tree.cuts:
        words = "the proof goes on, beyond the picture"
        parts += [_middle(x, y - 4, "...", 15), _left(x + DIAMOND + 8, y, words, 12)]
        right, y = max(right, x + DIAMOND + 8 + svg.width(words, 12)), y + 2 * SIZE
    return parts, y, right


def _columns(row: str) -> int:
    """Return the width of a row in characters of one width, or twice that."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in row)


def _which(walk: ProofWalk) -> str:
    return "all replies" if walk.guide is None else "the replies that need an answer"


def _left(x: float, y: float, text: str, size: float, style: str = "") -> str:
    """Return a text that begins at x, its middle at y."""
    # Lowered by hand: not all programs know of baselines in the middle.
    return (f'<text x="{x:.1f}" y="{y + 0.35 * size:.1f}" font-size="{size:g}" {style} '
            f'fill="{INK}" xml:space="preserve">{escape(text)}</text>')


def _middle(x: float, y: float, text: str, size: float, fill: str = INK) -> str:
    """Return a text with its middle at (x, y)."""
    return (f'<text x="{x:.1f}" y="{y + 0.35 * size:.1f}" font-size="{size:g}" fill="{fill}" '
            f'text-anchor="middle">{escape(text)}</text>')


@dataclass
class Placed(Nested):
    """The place of a branch in the picture.

    lines        the name of its move, on at most two lines; ``shortened`` if that is not all of it
    x, y         its middle
    bend         where the edges to those below it turn to the side
    left, right  how far its subtree reaches on each level from itself downwards, from ``x``
    """

    branch: Branch
    after: list[Placed]
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
        """The width of the whole subtree."""
        return max(self.right) - min(self.left)


def arrange(root: Branch, half: Callable[[Branch], float]) -> Placed:
    """Return the places of ``root`` and all below, relative to each other; ``half`` its width."""
    places: dict[int, Placed] = {}
    for branch in reversed(list(root.all())):
        lines, shortened = broken(branch.move)
        wide = max(half(branch), *(svg.width(line, LETTERS) / 2 for line in ("", *lines)))
        below = [places[id(after)] for after in branch.after]
        place = Placed(branch, below, lines, shortened, wide)
        _join(place)
        places[id(branch)] = place
    return places[id(root)]


def put(top: Placed, x: float, y: float) -> None:
    """Put the picture's left upper corner at (x, y)."""
    top.x = x - min(top.left)
    for place in top.all():
        for child in place.after:
            child.x += place.x
    _lower(top, y)


def _join(place: Placed) -> None:
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


def _lower(top: Placed, y: float) -> None:
    """Put the levels below each other, with space for what stands between them."""
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
    """Return a name on one line or two, and True if it had to be shortened."""
    lines = wrap(name, LONGEST, max_lines=2, placeholder=MORE)
    return lines, bool(lines) and lines[-1].endswith(MORE) and not name.endswith(MORE)
