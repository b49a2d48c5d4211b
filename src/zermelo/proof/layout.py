"""Where the positions of a proof stand in its picture: a tidy tree, level by level.

Children stand below their parent, which stands above their middle. Neighbouring subtrees are moved
together until they almost touch somewhere (Reingold and Tilford, Tidier drawings of trees, 1981);
how far one reaches on a level is measured, with the names of the moves, which stand above the
positions they lead to. Between two levels there is a band for the edges alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from zermelo.core import svg
from zermelo.proof.export import Branch

SIZE = 13.0  # half the height of a node
LETTERS, ROW, ABOVE = 12.0, 14.0, 3.0  # of the names of moves: size, line to line, to the node
BETWEEN, APART = 8.0, 14.0  # neighbours with the same parent, and with different ones
BAND, CUT = 20.0, 14.0  # for the edges, and for the dots below a position that was cut
LONGEST = 14  # characters on a line of a name


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
