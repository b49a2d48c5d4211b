"""The lines of a k-in-a-row board: how many stones of either side each of them has.

Worked out here from the numbers of columns and rows alone. Sets of squares are whole numbers: bit i
is square i.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.proof.rules.k_in_a_row import WAYS, InARowRules

FAR = 2  # lines that lack this many stones more than a turn has still matter


class Lines:
    """Stones on a board that can be put and lifted; sides are 0 and 1.

    masks, guards  the squares of each line, and those that must not be its owner's as well: with
                   ``overline="no-win"`` the squares right before and after it
    through        the lines of each square
    stones         the squares of either side
    """

    def __init__(self, rules: InARowRules) -> None:
        self.length, self.per_turn, self.squares = rules.line, rules.per_turn, rules.squares
        self.masks, self.guards = list[int](), list[int]()
        self.through: list[list[int]] = [[] for _ in range(rules.cells)]
        for square in range(rules.cells):
            for way in WAYS:
                self._add(rules, square, way)
        self.stones = [0, 0]
        self.counts = [[0] * len(self.masks), [0] * len(self.masks)]
        # Only lines that lack at most per_turn + FAR stones are ever asked for.
        self.enough = max(0, self.length - self.per_turn - FAR)
        self.rich = [set(range(len(self.masks)) if not self.enough else ()) for _ in range(2)]

    def _add(self, rules: InARowRules, square: int, way: tuple[int, int]) -> None:
        """The line that begins at a square, if it is on the board."""
        row, column = divmod(square, rules.columns)

        def at(i: int) -> int | None:
            r, c = row + i * way[0], column + i * way[1]
            inside = 0 <= r < rules.rows and 0 <= c < rules.columns
            return rules.columns * r + c if inside else None

        line = [at(i) for i in range(self.length)]
        if None in line:
            return
        for each in line:
            assert each is not None
            self.through[each].append(len(self.masks))
        self.masks.append(sum(1 << each for each in line if each is not None))
        ends = [] if rules.longer_wins else [at(-1), at(self.length)]
        self.guards.append(sum(1 << each for each in ends if each is not None))

    @property
    def empty(self) -> int:
        """The squares without a stone."""
        return self.squares & ~(self.stones[0] | self.stones[1])

    def put(self, squares: int, side: int) -> None:
        """Stones of ``side`` on empty squares."""
        self.stones[side] |= squares
        counts, rich, enough = self.counts[side], self.rich[side], self.enough
        for square in each(squares):
            for line in self.through[square]:
                counts[line] += 1
                if counts[line] == enough:
                    rich.add(line)

    def lift(self, squares: int, side: int) -> None:
        """Take them away again."""
        self.stones[side] &= ~squares
        counts, rich, enough = self.counts[side], self.rich[side], self.enough
        for square in each(squares):
            for line in self.through[square]:
                if counts[line] == enough and enough:
                    rich.discard(line)
                counts[line] -= 1

    def open(self, side: int, most: int) -> list[int]:
        """The lines that ``side`` can complete with ``most`` more stones, at most FAR more than a
        turn has."""
        mine, theirs, least = self.counts[side], self.counts[1 - side], self.length - most
        guards, own = self.guards, self.stones[side]
        return [line for line in self.rich[side]
                if not theirs[line] and mine[line] >= least and not guards[line] & own]

    def lacking(self, line: int, side: int) -> int:
        """The squares of an open line that ``side`` does not have yet."""
        return self.masks[line] & ~self.stones[side]


def each(squares: int) -> Iterator[int]:
    """The squares of a set, from the lowest."""
    while squares:
        low = squares & -squares
        yield low.bit_length() - 1
        squares ^= low


def names(squares: int) -> str:
    """A set of squares by their numbers, for a sentence."""
    return str(tuple(each(squares)))


def hitting(sets: list[int], most: int) -> set[int]:
    """All sets of ``most`` squares that meet all of ``sets``, and any smaller ones that do."""
    if not sets:
        return {0}
    if not most:
        return set()
    found = set[int]()
    for square in each(sets[0]):
        bit = 1 << square
        found |= {bit | rest for rest in
                  hitting([other for other in sets if not other & bit], most - 1)}
    return found
