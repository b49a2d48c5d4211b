"""Costs and estimates as exact whole numbers of a small unit.

Sums of floats forget small parts: ``1e16 + 1 == 1e16``. Numbers that follow from each other in a
graph with cycles must not, or they would never come to rest. So amounts are counted in units of
``2 ** -bits``, in which every float that was met is a whole number. Where there are no fractions
the unit is 1.
"""

from __future__ import annotations

import math
from decimal import Decimal

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
    """``above / below``, or infinity where that is too large for a float."""
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
