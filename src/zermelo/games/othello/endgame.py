"""Does the player to move get at least so many discs more? Othello near the end of the game.

A plain depth-first search with a yes or no for an answer. With few squares left it goes by straight
code: first the squares where an odd number of them lies together, so that the last move of a region
is one's own. With more, moves that leave the other side the fewest replies come first, and a table
keeps between which bounds the score of a position lies, from one search to the next.

``space`` is an array of words, zeros at first:

    levels of LEVEL words    own, opp, threshold, answer wanted above, count, next, then the moves
    entries of ENTRY words   own, opp, bounds
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.kernel.bits import ONE, ZERO, mix, popcount, word
from zermelo.kernel.rays import enclosed, reach

Function = Callable[..., Any]

LEVELS, LEVEL, ENTRY, ENTRIES_LOG = 40, 72, 4, 15
SPACE = LEVELS * LEVEL + (ENTRY << ENTRIES_LOG)
OWN, OPP, WANTED, TURNED, COUNT, NEXT, MOVES = 0, 1, 2, 3, 4, 5, 6
BOUNDS = 2
FEW, LEAST_KEPT = 4, 6
NO, YES, OPEN = 0, 1, 2
ZERO_SCORE = 128  # bounds and thresholds are kept as whole numbers from 0
BYTE = word(255)
QUARTERS = (word(0x000000000F0F0F0F), word(0x00000000F0F0F0F0),
            word(0x0F0F0F0F00000000), word(0xF0F0F0F000000000))
REPLY, ODD, CORNER = 16, 8, 12


def odd_quarters(free):
    """The quarters of the board in which an odd number of ``free`` squares lies."""
    odd = ZERO
    for quarter in QUARTERS:
        if popcount(free & quarter) & 1:
            odd |= quarter
    return odd


def straight_of(board: Any, below: Function | None) -> Function:
    """``straight(own, opp, t)``: True if ``own``, to move, gets at least ``t``.

    For one empty square; with ``below``, which is that for one square less, for one more.
    """
    squares = popcount(board)

    def last(own, opp, t):
        disc = board & ~(own | opp)
        mine = popcount(own)
        change = popcount(enclosed(own, opp, disc))
        if change > 0:
            return 2 * (mine + change + 1) - squares >= t
        change = popcount(enclosed(opp, own, disc))
        if change > 0:
            return 2 * (mine - change) - squares >= t
        lead = 2 * mine + 1 - squares
        return (lead + 1 if lead > 0 else lead - 1) >= t

    if below is None:
        return last

    def straight(own, opp, t):
        free = board & ~(own | opp)
        odd = odd_quarters(free)
        answer = True
        for _ in range(2):
            moves = reach(own, opp) & free
            if moves != ZERO:
                now, later = moves & odd, moves & ~odd
                while True:
                    if now == ZERO:
                        if later == ZERO:
                            return not answer
                        now, later = later, ZERO
                    disc = now & ~(now - ONE)
                    now ^= disc
                    change = enclosed(own, opp, disc)
                    if not below(opp ^ change, own | disc | change, 1 - t):
                        return answer
            own, opp, t, answer = opp, own, 1 - t, not answer
        lead = popcount(own) - popcount(opp)
        if lead != 0:
            lead += popcount(free) if lead > 0 else -popcount(free)
        return lead >= t

    return straight


def endgame_of(board: Any, corners: Any) -> Function:
    """``endgame(g, s, side, threshold, space) -> (reached, seen)``.

    Whether ``side`` gets at least ``threshold`` from the ongoing position ``s``, and how many
    positions were looked at, those of straight code not counted.
    """
    few = straight_of(board, None)
    for _ in range(FEW - 1):
        few = straight_of(board, few)
    def place(own, opp):
        """Where a position is in the table."""
        hash = mix(own ^ (opp << 29) ^ (opp >> 35))
        return LEVELS * LEVEL + ENTRY * np.int64(hash >> (64 - ENTRIES_LOG))

    def known(space, own, opp, t):
        """What the table says."""
        at = place(own, opp)
        if space[at] == own and space[at + 1] == opp:
            bounds = space[at + BOUNDS]
            if np.int64(bounds & BYTE) >= t + ZERO_SCORE:
                return YES
            if np.int64((bounds >> 8) & BYTE) < t + ZERO_SCORE:
                return NO
        return OPEN

    def keep(space, own, opp, t, answer):
        """Put what was found out into the table."""
        at = place(own, opp)
        low, high = 0, 255
        if space[at] == own and space[at + 1] == opp:
            bounds = space[at + BOUNDS]
            low, high = np.int64(bounds & BYTE), np.int64((bounds >> 8) & BYTE)
        else:
            space[at], space[at + 1] = own, opp
        if answer == YES:
            low = max(low, t + ZERO_SCORE)
        else:
            high = min(high, t + ZERO_SCORE - 1)
        space[at + BOUNDS] = word(low) | (word(high) << 8)

    def list_moves(space, at, own, opp, moves, free):
        """Write the moves with how good they look in the higher bits."""
        odd = odd_quarters(free)
        n = 0
        while moves != ZERO:
            disc = moves & ~(moves - ONE)
            moves ^= disc
            change = enclosed(own, opp, disc)
            after = reach(opp ^ change, own | disc | change) & (free ^ disc)
            points = 1024 - REPLY * (popcount(after) + popcount(after & corners))
            if disc & odd:
                points += ODD
            if disc & corners:
                points += CORNER
            space[at + MOVES + 2 * n], space[at + MOVES + 2 * n + 1] = word(points), disc
            n += 1
        space[at + COUNT], space[at + NEXT] = word(n), ZERO

    def enter(space, at, own, opp, t):
        """The answer for a position, or OPEN and its moves at level ``at``."""
        free = board & ~(own | opp)
        left = popcount(free)
        if left == FEW:
            return YES if few(own, opp, t) else NO
        moves, turned = reach(own, opp) & free, 0
        if moves == ZERO:
            moves, turned = reach(opp, own) & free, 1
            if moves == ZERO:
                lead = popcount(own) - popcount(opp)
                if lead != 0:
                    lead += left if lead > 0 else -left
                return YES if lead >= t else NO
            own, opp, t = opp, own, 1 - t
        if left >= LEAST_KEPT:
            found = known(space, own, opp, t)
            if found != OPEN:
                return found ^ turned
        space[at + OWN], space[at + OPP] = own, opp
        space[at + WANTED], space[at + TURNED] = word(t + ZERO_SCORE), word(turned)
        list_moves(space, at, own, opp, moves, free)
        return OPEN

    def next_move(space, at):
        """The best of the moves left, taken out of the list; ZERO if there is none."""
        n, i = np.int64(space[at + COUNT]), np.int64(space[at + NEXT])
        if i == n:
            return ZERO
        best = at + MOVES + 2 * i
        for k in range(best + 2, at + MOVES + 2 * n, 2):
            if space[k] > space[best]:
                best = k
        disc, to = space[best + 1], at + MOVES + 2 * i
        space[best], space[best + 1] = space[to], space[to + 1]
        space[at + NEXT] = word(i + 1)
        return disc

    def leave(space, at, answer):
        """The level is answered: keep it, and tell it to the one above."""
        own, opp = space[at + OWN], space[at + OPP]
        if popcount(board & ~(own | opp)) >= LEAST_KEPT:
            keep(space, own, opp, np.int64(space[at + WANTED]) - ZERO_SCORE, answer)
        return answer ^ np.int64(space[at + TURNED])

    def endgame(g, s, side, threshold, space):
        mine = s.turn == side
        at, seen = 0, 1
        answer = enter(space, 0, s.own, s.opp, threshold if mine else 1 - threshold)
        if answer != OPEN:
            at = -LEVEL
        while at >= 0:
            disc = next_move(space, at)
            if disc == ZERO:
                answer = leave(space, at, NO)
                at -= LEVEL
            else:
                own, opp = space[at + OWN], space[at + OPP]
                change = enclosed(own, opp, disc)
                t = np.int64(space[at + WANTED]) - ZERO_SCORE
                seen += 1
                answer = enter(space, at + LEVEL, opp ^ change, own | disc | change, 1 - t)
                if answer == OPEN:
                    at += LEVEL
                    continue
            while at >= 0 and answer == NO:  # the one who moves there has an answer to it
                answer = leave(space, at, YES)
                at -= LEVEL
        return (answer == YES) == mine, seen

    return endgame
