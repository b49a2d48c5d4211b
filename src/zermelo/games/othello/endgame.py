"""Does the player to move get at least so many discs more? Othello near the end of the game.

A plain depth-first search with a yes or no for an answer. With few squares left it goes by straight
code: first the squares where an odd number of them lies together, so that the last move of a region
is one's own. With more, moves that leave the other side the fewest replies come first, and a table
keeps between which bounds the score of a position lies, from one search to the next: a move whose
position is known there to be good enough spares all others.

``space`` is an array of words, zeros at first:

    levels of LEVEL words    own, opp, threshold, answer wanted above, where the moves end, the next
                             one, then of each move: points, the two sides' discs after it, replies
    entries of ENTRY words   own, opp, bounds
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.kernel.bits import ONE, ZERO, mix, popcount, word
from zermelo.kernel.rays import enclosed, reach

Function = Callable[..., Any]

# The table fits into the processor's cache: a larger one finds hardly more and takes longer.
LEVELS, LEVEL, ENTRY, ENTRIES_LOG = 40, 144, 4, 13
SPACE = LEVELS * LEVEL + (ENTRY << ENTRIES_LOG)
OWN, OPP, WANTED, TURNED, END, NEXT, MOVES = 0, 1, 2, 3, 4, 5, 8
POINTS, THEIRS, MINE, REPLIES, MOVE = 0, 1, 2, 3, 4  # what there is of a move, MOVE words in all
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


def last_of(board: Any) -> Function:
    """``last(own, opp, t)``: True if ``own``, to move, gets at least ``t``; one square is empty."""
    squares = popcount(board)

    def last(own, opp, t):
        disc = board & ~(own | opp)
        lead = 2 * popcount(own) + 1 - squares
        change = enclosed(own, opp, disc)
        if change != ZERO:
            return lead + 1 + 2 * popcount(change) >= t
        if lead + 1 < t:  # the other side's move would not make it more
            return False
        change = enclosed(opp, own, disc)
        if change != ZERO:
            return lead - 1 - 2 * popcount(change) >= t
        return (lead + 1 if lead > 0 else lead - 1) >= t

    return last


def finished(own, opp, free, t):
    """True if a game that is over is worth ``t``; the winner gets the squares that are left."""
    lead = popcount(own) - popcount(opp)
    if lead != 0:
        lead += popcount(free) if lead > 0 else -popcount(free)
    return lead >= t


def straight_of(board: Any, below: Function) -> Function:
    """``straight(own, opp, t)``: ``below`` for one square more, two or three in all:
    each is tried, whether it is a move or not."""

    def straight(own, opp, t):
        free = board & ~(own | opp)
        odd = odd_quarters(free)
        answer = True
        for _ in range(2):
            moved, now, later = False, free & odd, free & ~odd
            while True:
                if now == ZERO:
                    if later == ZERO:
                        break
                    now, later = later, ZERO
                disc = now & ~(now - ONE)
                now ^= disc
                change = enclosed(own, opp, disc)
                if change != ZERO:
                    moved = True
                    if not below(opp ^ change, own | disc | change, 1 - t):
                        return answer
            if moved:
                return not answer
            own, opp, t, answer = opp, own, 1 - t, not answer
        return finished(own, opp, free, t)

    return straight


def straight_moves_of(board: Any, below: Function) -> Function:
    """``straight(own, opp, t, moves)``: the same for one square more; ``moves`` are those of
    ``own``."""

    def straight(own, opp, t, moves):
        free = board & ~(own | opp)
        odd = odd_quarters(free)
        answer = True
        for _ in range(2):
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
            moves = reach(opp, own) & free
            own, opp, t, answer = opp, own, 1 - t, not answer
        return finished(own, opp, free, t)

    return straight


def endgame_of(board: Any, corners: Any) -> Function:
    """``endgame(g, s, side, threshold, space) -> (reached, seen)``.

    Whether ``side`` gets at least ``threshold`` from the ongoing position ``s``, and how many
    positions were looked at, those of straight code not counted.
    """
    few = last_of(board)
    for _ in range(FEW - 2):
        few = straight_of(board, few)
    few = straight_moves_of(board, few)

    def place(own, opp):
        """Return where a position is in the table."""
        hash = mix(own ^ (opp << 29) ^ (opp >> 35))
        return LEVELS * LEVEL + ENTRY * np.int64(hash >> (64 - ENTRIES_LOG))

    def known(space, own, opp, t):
        """Return what the table says."""
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

    def list_moves(space, at, own, opp, t, moves, free, left):
        """Write where the moves lead, and how good they look; YES if one is known to be enough."""
        odd = odd_quarters(free)
        to = at + MOVES
        while moves != ZERO:
            disc = moves & ~(moves - ONE)
            moves ^= disc
            change = enclosed(own, opp, disc)
            theirs, mine = opp ^ change, own | disc | change
            after = reach(theirs, mine) & (free ^ disc)
            if left > LEAST_KEPT and after != ZERO:
                found = known(space, theirs, mine, 1 - t)
                if found == NO:
                    return YES
                if found == YES:
                    continue
            points = 1024 - REPLY * (popcount(after) + popcount(after & corners))
            if disc & odd:
                points += ODD
            if disc & corners:
                points += CORNER
            space[to + POINTS], space[to + REPLIES] = word(points), after
            space[to + THEIRS], space[to + MINE] = theirs, mine
            to += MOVE
        space[at + END], space[at + NEXT] = word(to), word(at + MOVES)
        return OPEN

    def enter(space, at, own, opp, t, moves):
        """The answer for a position, or OPEN and its moves at level ``at``."""
        free = board & ~(own | opp)
        left, turned = popcount(free), 0
        if left == FEW:
            return YES if few(own, opp, t, moves) else NO
        if moves == ZERO:
            moves, turned = reach(opp, own) & free, 1
            if moves == ZERO:
                return YES if finished(own, opp, free, t) else NO
            own, opp, t = opp, own, 1 - t
        if left >= LEAST_KEPT:
            found = known(space, own, opp, t)
            if found != OPEN:
                return found ^ turned
        found = list_moves(space, at, own, opp, t, moves, free, left)
        if found != OPEN:
            return found ^ turned
        space[at + OWN], space[at + OPP] = own, opp
        space[at + WANTED], space[at + TURNED] = word(t + ZERO_SCORE), word(turned)
        return OPEN

    def next_move(space, at):
        """Return where the best of the moves left stands, which counts as tried now; -1: none is
        left."""
        first, end = np.int64(space[at + NEXT]), np.int64(space[at + END])
        if first == end:
            return -1
        best = first
        for k in range(first + MOVE, end, MOVE):
            if space[k] > space[best]:
                best = k
        if best != first:
            for i in range(MOVE):
                space[best + i], space[first + i] = space[first + i], space[best + i]
        space[at + NEXT] = word(first + MOVE)
        return first

    def leave(space, at, answer):
        """The level is answered: keep it, and tell it to the one above."""
        own, opp = space[at + OWN], space[at + OPP]
        if popcount(board & ~(own | opp)) >= LEAST_KEPT:
            keep(space, own, opp, np.int64(space[at + WANTED]) - ZERO_SCORE, answer)
        return answer ^ np.int64(space[at + TURNED])

    def endgame(g, s, side, threshold, space):
        mine = s.turn == side
        at, seen = 0, 1
        moves = reach(s.own, s.opp) & board & ~(s.own | s.opp)
        answer = enter(space, 0, s.own, s.opp, threshold if mine else 1 - threshold, moves)
        if answer != OPEN:
            at = -LEVEL
        while at >= 0:
            move = next_move(space, at)
            if move < 0:
                answer = leave(space, at, NO)
                at -= LEVEL
            else:
                t = np.int64(space[at + WANTED]) - ZERO_SCORE
                seen += 1
                answer = enter(space, at + LEVEL, space[move + THEIRS], space[move + MINE], 1 - t,
                               space[move + REPLIES])
                if answer == OPEN:
                    at += LEVEL
                    continue
            while at >= 0 and answer == NO:  # the one who moves there has an answer to it
                answer = leave(space, at, YES)
                at -= LEVEL
        return (answer == YES) == mine, seen

    return endgame
