"""Budgets: how much a client allows for one answer, also where it only shows its clock."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.errors import BadOption, quoted

MOVES_TO_GO = 30  # how many moves a clock is to last for, where the client does not say
SPARE, LEAST = 0.05, 0.01  # seconds: for the way to the client, and to think at all
PART_OF_INCREMENT, MOST = 0.75, 0.5  # how much of the increment, and of the clock, is spent
LARGEST = 10**12
DIGITS = len(str(LARGEST))


@dataclass(frozen=True)
class Budget:
    """When to answer: whatever is met first. ``forever``: not before one is told to."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    forever: bool = False

    @property
    def given(self) -> bool:
        """Whether it says anything."""
        return self != Budget()


def share_of_clock(left: float, increment: float = 0.0, moves_to_go: int | None = None) -> float:
    """Seconds for a move of a player who has ``left`` seconds."""
    share = left / (moves_to_go or MOVES_TO_GO) + PART_OF_INCREMENT * increment
    return max(LEAST, min(share, MOST * left) - SPARE)


def whole(name: str, text: str, low: int = 0) -> int:
    """The whole number that follows the word ``name``. One above LARGEST counts as that: no search
    and no clock gets so far, and clients write such numbers where they mean no limit."""
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit():
        places = digits.lstrip("0") or "0"
        size = LARGEST if len(places) > DIGITS else min(int(places), LARGEST)
        number = size if digits == text else -size
        if number >= low:
            return number
    raise BadOption(f"{name} {quoted(text)} is not a whole number of at least {low}.")
