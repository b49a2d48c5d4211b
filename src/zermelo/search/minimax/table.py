"""Entries of the transposition table. Buckets, checks and growth are those of ``common.table``.

An entry is two words: the check of the position xor the data, and the data, from the lowest bit

    score 23 | depth 14 | bound 2 | lo 2 | hi 2 | closed 1 | move 13 | age 4 | used 1

with the score counted from the position itself, the depth in units (the largest stands for all
above), the move by its place in the game's order plus 1, and the age that of the iteration. Where
a bucket is full the entry with the least depth goes, those of past iterations first.
"""

import numpy as np

from zermelo.kernel.bits import ONE, ZERO, word
from zermelo.search.common.table import BUCKET_WORDS
from zermelo.search.minimax.plan import UNIT, proves

ENTRY_WORDS = 2
SCORE_BIAS = 1 << 22
DEEPEST, MOST_PLACES = (1 << 14) - 1, (1 << 13) - 2
AGES = 16
AGED = 4 * UNIT  # an iteration ago counts as so much depth
SCORE_MASK, DEPTH_MASK, PLACE_MASK = word((1 << 23) - 1), word(DEEPEST), word((1 << 13) - 1)
THREE = word(3)
AT_DEPTH, AT_BOUND, AT_LO, AT_HI, AT_CLOSED, AT_PLACE, AT_AGE, AT_USED = (
    23, 37, 39, 41, 43, 44, 57, 61)


def packed(score, depth, bound, lo, hi, closed, place, age):
    """The data of an entry; ``place`` -1 for no move."""
    depth = max(0, min(depth, DEEPEST))
    place = place + 1 if place < MOST_PLACES else 0
    return (word(score + SCORE_BIAS) | (word(depth) << AT_DEPTH) | (word(bound) << AT_BOUND)
            | (word(lo + 1) << AT_LO) | (word(hi + 1) << AT_HI) | (word(closed) << AT_CLOSED)
            | (word(place) << AT_PLACE) | (word(age % AGES) << AT_AGE) | (ONE << AT_USED))


def score_in(data):
    """The score, counted from the position."""
    return np.int64(data & SCORE_MASK) - SCORE_BIAS


def depth_in(data):
    """The depth searched, in units."""
    return np.int64((data >> AT_DEPTH) & DEPTH_MASK)


def bound_in(data):
    """EXACT, LOWER or UPPER."""
    return np.int64((data >> AT_BOUND) & THREE)


def lo_in(data):
    """The claim from below."""
    return np.int64((data >> AT_LO) & THREE) - 1


def hi_in(data):
    """The claim from above."""
    return np.int64((data >> AT_HI) & THREE) - 1


def closed_in(data):
    """Return 1 if no evaluation went into the score, else 0."""
    return np.int64((data >> AT_CLOSED) & ONE)


def place_in(data):
    """The place of the best move, or -1."""
    return np.int64((data >> AT_PLACE) & PLACE_MASK) - 1


def age_in(data):
    """The iteration that wrote it, modulo AGES."""
    return np.int64((data >> AT_AGE) & word(AGES - 1))


def look(table, bucket, check):
    """The data of the entry with this check; 0 if there is none."""
    for slot in range(bucket, bucket + BUCKET_WORDS, ENTRY_WORDS):
        data = table[slot + 1]
        if table[slot] ^ data == check and data != ZERO:
            return data
    return ZERO


def keep(table, bucket, check, score, depth, bound, lo, hi, closed, place, age):
    """Write an entry; True if one of this iteration had to go.

    Of an older entry about the same position the claims stay, the move if there is no new one, and
    a proved win or loss if the new score is none.
    """
    target, least, live = bucket, 1 << 40, False
    for slot in range(bucket, bucket + BUCKET_WORDS, ENTRY_WORDS):
        data = table[slot + 1]
        if data == ZERO:
            target, live = slot, False
            break
        if table[slot] ^ data == check:
            target, live = slot, False
            lo, hi = max(lo, lo_in(data)), min(hi, hi_in(data))
            place = place_in(data) if place < 0 else place
            old = score_in(data)
            if proves(old, bound_in(data)) and not proves(score, bound):
                score, depth, bound, closed = old, depth_in(data), bound_in(data), closed_in(data)
            break
        years = (age - age_in(data)) % AGES
        rank = depth_in(data) - AGED * years
        if rank < least:
            target, least, live = slot, rank, years == 0
    data = packed(score, depth, bound, lo, hi, closed, place, age)
    table[target] = check ^ data
    table[target + 1] = data
    return live
