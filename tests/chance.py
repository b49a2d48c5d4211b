"""Chi-square tests at one in a million, and exact chances of random play by counting it out."""

from typing import Any

from zermelo.core.rules import OUTCOMES

# Chi-square exceeded by chance once in a million, for 1 and 2 degrees of freedom.
CRITICAL = {1: 23.93, 2: 27.63}


class TooManyStates(Exception):
    """The game from here is too long to be counted out."""


def exact_chances(twin: Any, state: Any, most: int = 400) -> dict[str, float]:
    """How likely each outcome is under random moves, or nothing if that takes too long."""
    known: dict[Any, dict[str, float]] = {}

    def chances(state: Any) -> dict[str, float]:
        if state not in known:
            if len(known) > most:
                raise TooManyStates
            end = twin.outcome(state)
            if end is not None:
                return known.setdefault(state, {end: 1.0})
            moves, total = twin.moves(state), dict.fromkeys(OUTCOMES[1:], 0.0)
            for move in moves:
                for outcome, share in chances(twin.play(state, move)).items():
                    total[outcome] += share / len(moves)
            known[state] = total
        return known[state]

    try:
        return chances(state)
    except TooManyStates:
        return {}


def fits(counts: list[int], expected: list[float]) -> bool:
    """Chi-square of counts against what is expected; outcomes expected 10 times or less share."""
    rare = [i for i, e in enumerate(expected) if e <= 10]
    if any(counts[i] > 0 for i in rare if expected[i] < 1e-9):
        return False
    groups = [[i] for i in range(len(expected)) if i not in rare]
    if len(groups) < 2:
        return sum(counts[i] for i in rare) <= 60
    groups[0] += rare
    pairs = [(sum(counts[i] for i in g), sum(expected[i] for i in g)) for g in groups]
    return sum((c - e) ** 2 / e for c, e in pairs) < CRITICAL[len(groups) - 1]
