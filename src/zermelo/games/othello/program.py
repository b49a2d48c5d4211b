"""Random games as the program of Primanita, Khalid and Iida 2020 plays them: not Othello.

The first move is a legal one. From the second on, the squares are listed for the player who has
just moved, and the other puts a disc on one of them; if that list is empty, it is the other's own.
A disc turns what follows in each direction in which it would enclose something, for the player of
the list or for the one who puts it, up to the next own disc or the border, empty squares too. The
game ends when neither can move, and the most discs win.
"""

from __future__ import annotations

from typing import Any

from zermelo.kernel.bits import ONE, ZERO, mix, popcount, word
from zermelo.kernel.rays import ALL, MIDDLE, reach
from zermelo.kernel.rng import next_counter

NOT_A, NOT_H = word(0xFEFEFEFEFEFEFEFE), word(0x7F7F7F7F7F7F7F7F)
INNER, WHOLE = word(MIDDLE), word(ALL)
LONGEST = 7  # squares between a square and the border


def program_playout_of(squares: Any, runs: Any, more: Any) -> Any:
    """Return ``playout(g, s, rng, scratch)`` on these ``squares``; ``runs`` and ``more`` are those
    of the game."""
    def listed(own, opp):
        return reach(own, opp) & squares & ~(own | opp)

    def turned(disc, own, opp, theirs, d, within, up_on, down_on):
        """The squares that change in steps of d: up first, then down."""
        up, down = runs(disc, opp & within, d)
        upwards, downwards = (up << d) & own, (down >> d) & own
        if theirs:
            up, down = runs(disc, own & within, d)
            upwards |= (up << d) & opp
            downwards |= (down >> d) & opp
        found, at = ZERO, disc
        if upwards != ZERO:
            for _ in range(LONGEST):
                at = (at << d) & squares & ~own & up_on
                found |= at
        at = disc
        if downwards != ZERO:
            for _ in range(LONGEST):
                at = (at >> d) & squares & ~own & down_on
                found |= at
        return found

    def playout(g, s, rng, scratch):
        own, opp, turn, x = s.own, s.opp, s.turn, rng[0]
        theirs, free = False, listed(own, opp)
        if free == ZERO:
            own, opp, turn = opp, own, 1 - turn
            free = listed(own, opp)
        while free != ZERO:
            x = next_counter(x)
            skip = ((mix(x) >> 32) * word(popcount(free))) >> 32
            while skip != ZERO:
                free &= free - ONE
                skip -= ONE
            disc = free & ~(free - ONE)
            change = turned(disc, own, opp, theirs, 1, INNER, NOT_A, NOT_H)
            change |= turned(disc, own, opp, theirs, 7, INNER, NOT_H, NOT_A)
            change |= turned(disc, own, opp, theirs, 8, WHOLE, WHOLE, WHOLE)
            change |= turned(disc, own, opp, theirs, 9, INNER, NOT_A, NOT_H)
            own, opp, turn = opp & ~change, own | disc | change, 1 - turn
            theirs, free = True, listed(opp, own)
            if free == ZERO:
                theirs, free = False, listed(own, opp)
        rng[0] = x
        return more(own, opp, turn)

    return playout
