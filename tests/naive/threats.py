"""Threats and wins by threats the slow way: sets of squares, every turn and every reply tried."""

from functools import cache
from itertools import combinations

WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


class NaiveThreats:
    """A k-in-a-row board. Squares are numbered row by row; a side's stones are a frozenset.

    ``quick``: lines are looked up in a list instead of trying all sets of squares.
    """

    def __init__(self, columns: int, rows: int, line: int, stones: int, exactly: bool,
                 quick: bool = False) -> None:
        self.columns, self.rows, self.line = columns, rows, line
        self.stones, self.exactly = stones, exactly
        self.squares = frozenset(range(columns * rows))
        self.completions = cache(self._listed if quick else self._completions)
        self.lines = [*self._lines()] if quick else []
        self.turns_to_win = cache(self._turns_to_win)

    def wins(self, own) -> bool:
        """Whether there is a line: every one is measured from end to end."""
        at = {(i % self.columns, i // self.columns) for i in own}
        for c, r in at:
            for dc, dr in WAYS:
                if (c - dc, r - dr) in at:
                    continue
                n = 1
                while (c + n * dc, r + n * dr) in at:
                    n += 1
                if n == self.line or (n > self.line and not self.exactly):
                    return True
        return False

    def _completions(self, own, other, m: int):
        """All sets of at most ``m`` empty squares that complete a line."""
        empty = sorted(self.squares - own - other)
        return [set(turn) for n in range(1, m + 1) for turn in combinations(empty, n)
                if self.wins(own | set(turn))]

    def _lines(self):
        """Each line, and the squares just beyond its ends."""
        for i in self.squares:
            for dc, dr in WAYS:
                at = [(i % self.columns + n * dc, i // self.columns + n * dr)
                      for n in range(-1, self.line + 1)]
                inside = [0 <= c < self.columns and 0 <= r < self.rows for c, r in at]
                squares = [r * self.columns + c for c, r in at]
                if all(inside[1:-1]):
                    ends = {squares[n] for n in (0, -1) if inside[n]}
                    yield frozenset(squares[1:-1]), ends if self.exactly else frozenset()

    def _listed(self, own, other, m: int):
        """The smallest of the sets of ``_completions``, from the list of lines."""
        return [set(line - own) for line, ends in self.lines
                if len(line - own) <= m and not line & other and not ends & own]

    def stops(self, own, other, m: int):
        """All sets of ``m`` squares on which stones leave ``own`` nothing to complete next turn."""
        lines = self.completions(own, other, self.stones)
        useful = sorted(set().union(*lines))
        return [set(turn) for turn in combinations(useful, m)
                if all(line & set(turn) for line in lines)]

    def threats(self, own, other, most: int = 4) -> int:
        """The least number of stones that the other side needs, by the definition; ``most`` + 1
        for more than that."""
        if not self.completions(own, other, self.stones):
            return 0
        enough = (m for m in range(1, most + 1) if self.stops(own, other, m))
        return next(enough, most + 1)

    def _turns_to_win(self, own, other, left: int, most: int) -> int:
        """The fewest turns of a win by threats for ``own``, which moves; 0 for none in ``most``."""
        if self.completions(own, other, left):
            return 1
        best = 0
        for turn in combinations(sorted(self.squares - own - other), left) if most > 1 else ():
            after = own | set(turn)
            if self.completions(other, after, self.stones):
                continue
            made = self.threats(after, other)
            if made < self.stones:
                continue
            turns = 2 if made > self.stones else self._after_stops(after, other, most - 1)
            if turns and (not best or turns < best):
                best = most = turns
        return best

    def _after_stops(self, own, other, most: int) -> int:
        """One more than the longest of the wins after each way to stop the threats; 0 if one is
        no win within ``most``."""
        longest = 0
        for stop in self.stops(own, other, self.stones):
            turns = self.turns_to_win(own, other | stop, self.stones, most)
            if not turns:
                return 0
            longest = max(longest, turns)
        return longest + 1
