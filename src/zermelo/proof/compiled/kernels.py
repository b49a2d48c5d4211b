"""The loops of the checker (``proof.check``, ``proof.settle``) for the compiler.

A record is right, or it is left to the plain checker: so nothing is refused here, and no reason
need be given. In these games the sides take turns, be it by a pass.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from zermelo.compiler.jit import kernel
from zermelo.kernel.bits import ONE, ZERO, lowest, mix, word

Array = np.ndarray[Any, Any]
FALSE, UNKNOWN, LEFT = -1, -2, -3
TURN = word(0x9E3779B97F4A7C15)


class Records(NamedTuple):
    """All records of a claim: taken squares, and the second words; where each is found, by the hash
    of its key, with one more than its number; the longest lines; which ends are as claimed."""

    taken: Array
    second: Array
    places: Array
    lengths: Array
    good: Array


class Memory(NamedTuple):
    """Of one search: the positions it has seen (``boards``: own and taken; ``turns``), what is
    ``known`` of them, by ``stamps`` the last search that used a place; the line to the present one
    (``squares``: own, taken, what is still to be tried; ``frames``: who moves, the longest line so
    far, whether a pass is still to be tried); ``state``: the number of this search, and how many
    positions it has seen."""

    boards: Array
    turns: Array
    known: Array
    stamps: Array
    squares: Array
    frames: Array
    state: Array


def memory(limit: int) -> Memory:
    """Room for searches of ``limit`` positions."""
    places = 1 << (2 * limit).bit_length()
    return Memory(np.zeros((places, 2), np.uint64), np.zeros(places, np.int8),
                  np.zeros(places, np.int32), np.zeros(places, np.int64),
                  np.zeros((limit + 1, 3), np.uint64), np.zeros((limit + 1, 3), np.int64),
                  np.zeros(2, np.int64))


def _hashed(own, taken):
    return mix(taken ^ mix(own ^ TURN))


def _place_of(m, own, taken, turn, stamp):
    """Where a position is, or belongs, in the memory of a search."""
    mask = len(m.turns) - 1
    at = np.int64(_hashed(own, taken) >> ONE) & mask
    while m.stamps[at] == stamp and not (
            m.boards[at, 0] == own and m.boards[at, 1] == taken and m.turns[at] == turn):
        at = (at + 1) & mask
    return at


def _found(records, own, taken):
    """The number of the record with this key, -1 if there is none."""
    mask = len(records.places) - 1
    at = np.int64(_hashed(own, taken) >> ONE) & mask
    while records.places[at] != 0:
        number = np.int64(records.places[at]) - 1
        if records.taken[number] == taken and records.second[number] & taken == own:
            return number
        at = (at + 1) & mask
    return np.int64(-1)


@cache
def index_kernel() -> Any:
    """``fill(records)``: each record into the index."""
    def fill(records):
        mask = len(records.places) - 1
        for number in range(len(records.taken)):
            taken = records.taken[number]
            at = np.int64(_hashed(records.second[number] & taken, taken) >> ONE) & mask
            while records.places[at] != 0:
                at = (at + 1) & mask
            records.places[at] = number + 1
        return 0

    return kernel(fill)


@cache
def check_kernel(functions: Any, passes: bool, folded: bool) -> Any:
    """``check(t, records, numbers, prover, limit, m, left, counts)``: of the records with these
    numbers those that are not seen to be right go into ``left``; how many these are. ``counts``:
    positions looked at, records that were searched."""
    sound, end, places, play, fold = functions

    def note(m, own, taken, turn, stamp, worth):
        at = _place_of(m, own, taken, turn, stamp)
        m.boards[at, 0], m.boards[at, 1], m.turns[at] = own, taken, turn
        m.stamps[at], m.known[at] = stamp, worth

    def entered(t, good, m, own, taken, turn, depth, stamp):
        """Look at a position: a frame more if it goes on, else what it is worth is known."""
        ended = end(t, own, taken, turn)
        squares = ZERO
        if ended < 0:
            squares = places(t, own, taken)
            if squares == ZERO and not passes:
                ended = 1 - turn
        if ended >= 0:
            note(m, own, taken, turn, stamp, 0 if good[ended] else FALSE)
            return depth
        m.squares[depth, 0], m.squares[depth, 1], m.squares[depth, 2] = own, taken, squares
        m.frames[depth, 0], m.frames[depth, 1] = turn, UNKNOWN
        m.frames[depth, 2] = 1 if squares == ZERO else 0
        return depth + 1

    def settled(t, good, m, own, taken, prover, limit):
        """The longest line from a position where the prover moves; FALSE or LEFT where the claim
        is not seen to hold."""
        m.state[0] += 1
        stamp, seen = m.state[0], 1
        depth = entered(t, good, m, own, taken, prover, 0, stamp)
        while depth > 0:
            squares, frame = m.squares[depth - 1], m.frames[depth - 1]
            now, full, turn = squares[0], squares[1], frame[0]
            if squares[2] == ZERO and frame[2] == 0:
                note(m, now, full, turn, stamp, FALSE if frame[1] == UNKNOWN else frame[1])
                depth -= 1
                continue
            if squares[2] == ZERO:
                after, then = full ^ now, full
            else:
                after, then = play(t, now, full, lowest(squares[2]))
            at = _place_of(m, after, then, 1 - turn, stamp)
            if m.stamps[at] != stamp:
                if seen >= limit:
                    return LEFT
                seen += 1
                depth = entered(t, good, m, after, then, 1 - turn, depth, stamp)
                continue
            found = np.int64(m.known[at])
            if squares[2] != ZERO:
                squares[2] &= squares[2] - ONE
            frame[2] = 0
            if found == FALSE:
                if turn != prover:  # a reply that refutes the claim
                    squares[2], frame[1] = ZERO, FALSE
            elif turn == prover:  # a move that works
                squares[2], frame[1] = ZERO, found + 1
            else:
                frame[1] = max(frame[1], found + 1)
        m.state[1] = seen
        return np.int64(m.known[_place_of(m, own, taken, prover, stamp)])

    def covered(t, records, own, taken, prover, counts):
        """The longest line after the prover's move; LEFT where it is not seen to be covered."""
        good, lengths = records.good, records.lengths
        turn = 1 - prover
        seen = 1
        ended = end(t, own, taken, turn)
        if ended >= 0:
            counts[0] += seen
            return 1 if good[ended] else LEFT
        squares = places(t, own, taken)
        one_pass = squares == ZERO and passes
        if squares == ZERO and not passes:
            counts[0] += seen
            return 1 if good[prover] else LEFT
        longest = 0
        while squares != ZERO or one_pass:
            if one_pass:
                after, then = taken ^ own, taken
            else:
                after, then = play(t, own, taken, lowest(squares))
            seen += 1
            ended = end(t, after, then, prover)
            if ended >= 0:
                if not good[ended]:
                    return LEFT
                longest = max(longest, 2)
            else:
                if folded:
                    after, then = fold(t, after, then, prover)
                number = _found(records, after, then)
                if number < 0:
                    return LEFT
                if len(lengths) > 0:
                    longest = max(longest, 2 + lengths[number])
            one_pass = False
            squares &= squares - ONE if squares != ZERO else ZERO
        counts[0] += seen
        return longest

    def one(t, records, number, prover, limit, m, counts):
        """The longest line from a record, or LEFT."""
        taken, second = records.taken[number], records.second[number]
        own = second & taken
        rest = second ^ own
        free = t.squares & ~taken
        if taken & ~t.squares != ZERO or rest & ~free != ZERO or not sound(t, own, taken):
            return LEFT
        if end(t, own, taken, prover) >= 0:
            return LEFT
        several = free & (free - ONE) != ZERO if free != ZERO else False
        search = rest == free if rest != ZERO and rest & (rest - ONE) != ZERO else (
            rest == ZERO and not several)
        if search:
            length = settled(t, records.good, m, own, taken, prover, limit)
            if length < 0:
                return LEFT
            counts[0] += m.state[1]
            counts[1] += 1
            return length
        squares = places(t, own, taken)
        if rest == ZERO:
            if not passes or squares != ZERO:
                return LEFT
            after, then = taken ^ own, taken
        else:
            if rest & (rest - ONE) != ZERO or rest & squares == ZERO:
                return LEFT
            after, then = play(t, own, taken, lowest(rest))
        length = covered(t, records, after, then, prover, counts)
        if length >= 0:
            counts[0] += 1
        return length

    def check(t, records, numbers, prover, limit, m, left, counts):
        waiting = 0
        for k in range(len(numbers)):
            number = numbers[k]
            length = one(t, records, number, prover, limit, m, counts)
            if length < 0:
                left[waiting] = number
                waiting += 1
            elif len(records.lengths) > 0:
                records.lengths[number] = length
        return waiting

    return kernel(check)
