"""Proof numbers and costs of the nodes of a problem, exact and kept up to date as the graph grows.

pn is the least cost that is left to solve a node, with edges and leaves as they are estimated:

    any:  pn = min (cost(c) + pn(c))    dn = sum dn(c)
    all:  pn = sum (cost(c) + pn(c))    dn = min dn(c)

over the children c that are not solved (Kishimoto et al. 2019 for the costs). A node that is needed
in two places counts twice. pn is exact in cycles (see ``Least``); dn leaves out edges that close
one. Neither proves anything: what is solved or dead stands in the node's status.

*Least numbers* are kept in a graph with joins and cycles. The number of an ``any`` node is the
least of cost + number over its children, that of an ``all`` node the sum. Beside it stands a
height, one more than that of the child it comes from, or of the highest one: by number, then
height, a node is above every child it rests on, so that numbers never go round in a circle.
Whatever can't be finished has infinity. The height of a leaf may be anything that stays: with 0
that of a node says how far it is to the leaves; with less the deeper the leaf was found, it stays
as it is while a tree below it grows.

Numbers are exact (see ``Units``): with rounded sums a parent could stay as it is while its child
goes up, and heights would chase each other for ever.

This is the algorithm of Ramalingam and Reps (1996) for the incremental single-source problem with
strict weakly superior functions: what it does is bounded by what changes.

*Amounts*, costs and estimates, are whole numbers of a small unit. Sums of floats forget small
parts: ``1e16 + 1 == 1e16``. Numbers that follow from each other in a graph with cycles must not, or
they would never come to rest. So amounts are counted in units of ``2 ** -bits``, in which every
float that was met is a whole number. Where there are no fractions the unit is 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from decimal import Decimal
from heapq import heappop, heappush

from zermelo.problems.graph import ALL, ProblemNode, Status

HIGHEST = 1e300  # where numbers that only guide a search stop to grow


class Units:
    """The unit, which becomes finer when an amount needs it."""

    def __init__(self) -> None:
        self.bits = 0

    def cover(self, amount: float) -> int:
        """Make the unit fine enough for ``amount``; by how many bits it has become finer."""
        if isinstance(amount, int):
            return 0
        needed = amount.as_integer_ratio()[1].bit_length() - 1
        finer = max(0, needed - self.bits)
        self.bits += finer
        return finer

    def of(self, amount: float) -> int:
        """An amount that is covered, in units."""
        if isinstance(amount, int):
            return amount << self.bits
        above, below = amount.as_integer_ratio()
        return above << self.bits + 1 - below.bit_length()

    @property
    def one(self) -> int:
        """1 in units."""
        return 1 << self.bits

    def shown(self, units: float) -> float:
        """Units as a number for people; whole if it is."""
        if units == math.inf or self.bits == 0:
            return units
        assert isinstance(units, int)
        whole, rest = divmod(units, self.one)
        return whole if not rest or whole > HIGHEST else units / self.one


def as_float(above: float, below: int = 1) -> float:
    """Return ``above / below``, or infinity where that is too large for a float."""
    try:
        return above / below
    except OverflowError:
        return math.inf


def written(amount: float) -> str:
    """An amount as a short text, however large it is."""
    return f"{amount:g}" if amount <= HIGHEST else f"{Decimal(amount):.6g}"


def held(number: float) -> float:
    """A number that guides a search, kept where floats and whole numbers can be added."""
    return min(number, HIGHEST)


Number = tuple[float, int]  # the number in units, or infinity; and the height
NEVER: Number = (math.inf, 0)
LOWEST = -(1 << 62)


class Least:
    """The numbers of all nodes. ``fixed(node)`` is the number of a node that does not follow from
    its children, None for others; ``sunk``: an edge to a solved child costs nothing any more;
    ``leveled``: leaves have heights by how deep they were found, and what is solved the lowest, so
    that it counts for nothing; else both have 0."""

    def __init__(self, fixed: Callable[[ProblemNode], float | None], sunk: bool,
                 leveled: bool = False) -> None:
        self.fixed, self.sunk, self.leveled = fixed, sunk, leveled
        self.units = Units()
        self.numbers: list[Number] = []
        self._due: list[Number] = []  # what follows from the children as they are now
        self._place: list[Number | None] = []  # in the heap
        self._costs: list[list[int]] = []  # of the children, in units

    def __getitem__(self, node: ProblemNode) -> float:
        """The number as people write it."""
        return self.units.shown(self.numbers[node.number][0])

    def ways(self, node: ProblemNode) -> list[Number]:
        """Return the cost of each child, with its edge."""
        found = []
        for child, cost in zip(node.children, self._costs[node.number], strict=True):
            number, height = self.numbers[child.number]
            found.append(NEVER if number == math.inf else (number + cost, height))
        return found

    def follow(self, node: ProblemNode) -> Number:
        """Return the number that follows from the children of a node as they are now."""
        fixed = self.fixed(node)
        if fixed is not None:
            return self._leaf(node, fixed)
        numbers, sunk, costs = self.numbers, self.sunk, self._costs[node.number]
        if node.kind == ALL:
            total: float = 0
            heights = []
            for child, cost in zip(node.children, costs, strict=True):
                number, below = numbers[child.number]
                if number == math.inf:
                    return NEVER
                total += number if sunk and child.status == Status.SOLVED else number + cost
                heights.append(below)
            return total, max(heights, default=0) + 1
        best = NEVER
        for child, cost in zip(node.children, costs, strict=True):
            number, below = numbers[child.number]
            if number < math.inf:
                best = min(best, (number + cost, below + 1))
        return best

    def _leaf(self, node: ProblemNode, fixed: float) -> Number:
        """A leaf that has been handed out looks harder, so that others are handed out beside it."""
        if fixed == math.inf:
            return NEVER
        number, height = self.units.of(fixed), 0
        if self.leveled:
            height = LOWEST if node.status == Status.SOLVED else -node.depth
        return number + max(number, self.units.one) if node.waiting else number, height

    def update(self, nodes: Iterable[ProblemNode]) -> list[ProblemNode]:
        """Take in nodes that are new or have changed; return all nodes with new numbers."""
        heap: list[tuple[Number, int, ProblemNode]] = []
        changed: dict[ProblemNode, None] = {}
        given = list(nodes)
        self._make_room(given)
        for node in given:
            self._look(node, heap)
        while heap:
            place, number, node = heappop(heap)
            if self._place[number] != place:
                continue
            self._place[number] = None
            changed[node] = None
            if self._due[number] < self.numbers[number]:
                self.numbers[number] = self._due[number]
            else:
                self.numbers[number] = NEVER
                self._look(node, heap)
            for parent in node.parents:
                self._look(parent, heap)
        return list(changed)

    def _make_room(self, given: list[ProblemNode]) -> None:
        """Make room for new nodes, and for the costs of those that were expanded."""
        room = max((node.number for node in given), default=-1) + 1 - len(self.numbers)
        self.numbers += [NEVER] * room
        self._due += [NEVER] * room
        self._place += [None] * room
        self._costs += [[] for _ in range(room)]
        finer = sum(self.units.cover(amount) for node in given
                    for amount in (node.pn, node.cost, *node.costs))
        if finer:
            self.numbers = [_finer(number, finer) for number in self.numbers]
            self._due = [_finer(number, finer) for number in self._due]
            self._costs = [[cost << finer for cost in costs] for costs in self._costs]
        for node in given:
            if len(self._costs[node.number]) < len(node.costs):
                self._costs[node.number] = [self.units.of(cost) for cost in node.costs]

    def _look(self, node: ProblemNode, heap: list[tuple[Number, int, ProblemNode]]) -> None:
        """Put ``node`` into its place in the heap, or take it out."""
        number = node.number
        due = self._due[number] = self.follow(node)
        if due == self.numbers[number]:
            self._place[number] = None
            return
        place = min(due, self.numbers[number])
        if self._place[number] != place:
            self._place[number] = place
            heappush(heap, (place, number, node))


def _finer(number: Number, bits: int) -> Number:
    """Return a number in units that are smaller by ``bits``."""
    units, height = number
    return number if isinstance(units, float) else (units << bits, height)


def left_to_do(node: ProblemNode) -> float | None:
    """pn of a node that does not follow from its children."""
    if node.status == Status.SOLVED:
        return 0
    if node.status == Status.DEAD:
        return math.inf
    return node.pn if node.kind is None else None


class ExactNumbers:
    """pn and dn of all nodes; with ``R``, DeepPN's ``deep`` too."""

    def __init__(self, R: float | None = None) -> None:
        self.R = R
        self.least = Least(left_to_do, sunk=True, leveled=True)
        self.dn: list[float] = []
        self.deep: list[float] = []

    def pn(self, node: ProblemNode) -> float:
        """The proof number."""
        return self.least[node]

    def update(self, nodes: Iterable[ProblemNode]) -> list[ProblemNode]:
        """Take in nodes that are new, or whose children, status or leaf numbers have changed;
        return these, and all nodes with new numbers."""
        changed = list(nodes)
        touched = dict.fromkeys(changed)
        for node in changed:
            touched |= dict.fromkeys(node.parents)
        for node in self.least.update(touched):
            changed.append(node)
            touched[node] = None
            if self.R is not None:
                touched |= dict.fromkeys(node.parents)
        heap: list[tuple[int, int, ProblemNode]] = []
        waiting: set[int] = set()

        def due(node: ProblemNode) -> None:
            if node.number not in waiting:
                waiting.add(node.number)
                heappush(heap, (-node.level, node.number, node))

        for node in touched:
            due(node)
        while heap:
            _, number, node = heappop(heap)
            waiting.discard(number)
            if self._refresh(node):
                changed.append(node)
                for parent in node.parents:
                    if parent.status == Status.UNKNOWN and number not in parent.back:
                        due(parent)
        return changed

    def _refresh(self, node: ProblemNode) -> bool:
        """Return True if dn or deep have changed."""
        number = node.number
        while len(self.dn) <= number:
            self.dn.append(-1)
            self.deep.append(0.0)
        dn, deep = self._disproof(node), self.deep[number]
        if self.R is not None:
            ahead = self.order(node) if node.kind is not None else []
            best = next((child for child in ahead if child.number not in node.back), None)
            deep = 1.0 / max(node.depth, 1) if best is None else self.deep[best.number]
        if dn == self.dn[number] and deep == self.deep[number]:
            return False
        self.dn[number], self.deep[number] = dn, deep
        return True

    def _disproof(self, node: ProblemNode) -> float:
        if node.status != Status.UNKNOWN:
            return 0 if node.status == Status.DEAD else math.inf
        if node.kind is None:
            return held(node.dn + max(node.dn, 1) if node.waiting else node.dn)
        below = [self.dn[child.number] for child in node.distinct
                 if child.status == Status.UNKNOWN and child.number not in node.back]
        if not below:
            return 1  # it leads nowhere but round in a circle
        return min(below) if node.kind == ALL else held(sum(below))

    def order(self, node: ProblemNode) -> list[ProblemNode]:
        """The unsolved children, most promising first: least pn or dn, leftmost of equals."""
        keyed = []
        ways = [] if node.kind == ALL else self.least.ways(node)
        for place, child in enumerate(node.children):
            if child.status == Status.UNKNOWN:
                circle = child.number in node.back and node.kind == ALL
                delta = self.dn[child.number] if node.kind == ALL else ways[place][0]
                if self.R is not None:
                    one = 1 if node.kind == ALL else self.least.units.one
                    delta = ((1.0 - 1.0 / (as_float(delta, one) + 1.0)) * self.R
                             + self.deep[child.number] * (1.0 - self.R))
                tie = place if node.order is None else node.order[place]
                keyed.append((circle, delta, tie, child))
        keyed.sort(key=lambda item: item[:3])
        return [item[3] for item in keyed]
