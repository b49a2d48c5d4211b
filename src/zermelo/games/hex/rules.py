"""The rules of Hex as bit operations: on one word where the board fits it, else on up to four.

Cell (row, column) is bit row * size + column of a colour's stones, and this number is also the code
of the move. A word holds whole rows only: a board of more than 64 cells is cut after every
64 // size rows. The neighbours of a cell lie one step left, right, up, down, up and right, down and
left; a step left from the first column or right from the last one is masked out.

The swap rule is laid on top: O may answer the first stone with a swap, and the stone becomes O's
and is mirrored in the long diagonal, so that it stands to O's edges as it stood to X's. Then X
moves. The move's code is the number of cells. A swap is possible while X has one stone, O none and
O is to move: no later position is like that, so that the state needs no further field.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from zermelo.core.rules import FIRST_WINS, ONGOING, SECOND_WINS, Rules
from zermelo.games.hex.knowledge import dependence_of, edges_of, knowledge_of
from zermelo.kernel.bits import ONE, ZERO, lowest, mix, popcount, word
from zermelo.kernel.rng import next_counter

MOST_WORDS = 4
LARGEST = 16
SALT = word(0x243F6A8885A308D3)
SWAPS = tuple(word(((1 << 64) - 1) // ((1 << k) + 1)) for k in (1, 2, 4, 8, 16))


def words_of(size: int, stones: int) -> int | list[int]:
    """The bits of a colour's stones as the fields of a state hold them."""
    if size * size <= 64:
        return stones
    span = 64 // size * size
    return [stones >> (span * i) & ((1 << span) - 1) for i in range(-(-size * size // span))]


def reverse(bits):
    """Bit i becomes bit 63 - i."""
    bits = ((bits >> 1) & SWAPS[0]) | ((bits & SWAPS[0]) << 1)
    bits = ((bits >> 2) & SWAPS[1]) | ((bits & SWAPS[1]) << 2)
    bits = ((bits >> 4) & SWAPS[2]) | ((bits & SWAPS[2]) << 4)
    bits = ((bits >> 8) & SWAPS[3]) | ((bits & SWAPS[3]) << 8)
    bits = ((bits >> 16) & SWAPS[4]) | ((bits & SWAPS[4]) << 16)
    return (bits >> 32) | (bits << 32)


def mover(g, s):
    """Part of the state."""
    return s.turn


def outcome_of(first_joined: Any, second_joined: Any) -> Any:
    """``outcome``, by whether the stones of each player join that player's edges."""

    def outcome(g, s):
        if s.turn:
            return FIRST_WINS if first_joined(s.x) else ONGOING
        return SECOND_WINS if second_joined(s.o) else ONGOING

    return outcome


def rules_for(size: int) -> Rules:
    """The rules on a board of ``size`` x ``size`` cells."""
    return one_word(size) if size * size <= 64 else many_words(size)


def one_word(size: int) -> Rules:
    """Each colour's stones are one word: up to 8 x 8."""
    cells = size * size
    full, top, bottom, left_edge, right_edge = edges_of(size)
    not_left, not_right = full ^ left_edge, full ^ right_edge
    exact = 2 * cells < 64
    width = max(1, (cells - 1).bit_length())
    draws, pick = 64 // width, word((1 << width) - 1)

    def joined(stones, start, goal):
        reached = stones & start
        while reached:
            right = reached | ((reached & not_right) << 1)
            left = reached | ((reached & not_left) >> 1)
            more = stones & (left | right | (left << size) | (right >> size))
            if more & goal:
                return True
            if more == reached:
                return False
            reached = more
        return False

    def first_joined(stones):
        # The sum carries into the last column of every row that has a stone in another one.
        rows = (((stones & not_right) + not_right) | stones) & right_edge
        return rows == right_edge and joined(stones, top, bottom)

    def second_joined(stones):
        columns = stones | (stones >> size)
        columns |= columns >> (2 * size)
        columns |= columns >> (4 * size)
        return (columns & top) == top and joined(stones, left_edge, right_edge)

    def moves(g, s, out):
        empty = full & ~(s.x | s.o)
        n = 0
        while empty:
            out[n] = lowest(empty)
            empty &= empty - ONE
            n += 1
        return n

    def play(g, s, move, t):
        stone = ONE << word(move)
        if s.turn:
            t.x, t.o = s.x, s.o | stone
        else:
            t.x, t.o = s.x | stone, s.o
        t.turn = 1 - s.turn

    def key(g, s):
        if exact:
            return s.x | (s.o << cells) | (word(s.turn) << 63)
        hashed = mix(mix(s.x ^ SALT) ^ s.o)
        return ~hashed if s.turn else hashed

    def canonical(g, s, t):
        x, o = reverse(s.x) >> (64 - cells), reverse(s.o) >> (64 - cells)
        t.turn = s.turn
        if x < s.x or (x == s.x and o < s.o):
            t.x, t.o = x, o
            return 1
        t.x, t.o = s.x, s.o
        return 0

    def move_image(g, k, move):
        return cells - 1 - move if k else move

    def playout(g, s, rng, scratch):
        # More stones never undo a connection, so the winner is the winner on the full board. There
        # X has a uniform subset, of known size, of the cells that are empty now: take any subset,
        # each cell or not, then random cells in or out until the size is right.
        x = s.x
        empty = full & ~(x | s.o)
        counter = next_counter(rng[0])
        chosen = mix(counter) & empty
        surplus = popcount(chosen) - ((popcount(empty) + 1 - s.turn) >> 1)
        pool = chosen if surplus > 0 else empty ^ chosen
        x |= chosen
        left, bits = 0, ZERO
        for _ in range(abs(surplus)):
            flipped = False
            while not flipped:
                if left == 0:
                    counter = next_counter(counter)
                    bits, left = mix(counter), draws
                cell = ONE << (bits & pick)
                bits >>= word(width)
                left -= 1
                if pool & cell:
                    pool ^= cell
                    x ^= cell
                    flipped = True
        rng[0] = counter
        return FIRST_WINS if first_joined(x) else SECOND_WINS

    return Rules(
        state=[("x", "u8"), ("o", "u8"), ("turn", "i8")],
        max_moves=cells, max_length=cells, moves=moves, play=play, mover=mover,
        outcome=outcome_of(first_joined, second_joined),
        key=key, exact_key=exact, canonical=canonical, move_image=move_image, playout=playout,
        dependence=dependence_of(size), **knowledge_of(size)._asdict(),
    )


def many_words(size: int) -> Rules:
    """Each colour's stones are two to four words of whole rows: 9 x 9 to 16 x 16."""
    cells, rows = size * size, 64 // size
    span = rows * size
    words = -(-size // rows)
    row = word((1 << size) - 1)
    left_column = sum(1 << (r * size) for r in range(size))

    def by_word(stones: int) -> tuple[word, ...]:
        parts = words_of(size, stones)
        assert isinstance(parts, list)
        return tuple(word(part) for part in [*parts, 0, 0][:MOST_WORDS])

    full = by_word((1 << cells) - 1)
    left_edge, right_edge = by_word(left_column), by_word(left_column << (size - 1))
    top, bottom = by_word((1 << size) - 1), by_word(((1 << size) - 1) << (cells - size))
    not_left, not_right = full[0] ^ left_edge[0], full[0] ^ right_edge[0]
    width = 7 if words == 2 else 8
    draws, pick = 64 // width, word((1 << width) - 1)

    def fill(stones, reached):
        reached &= stones
        while True:
            right = reached | ((reached & not_right) << 1)
            left = reached | ((reached & not_left) >> 1)
            more = stones & (left | right | (left << size) | (right >> size))
            if more == reached:
                return reached
            reached = more

    def below(reached):
        """The last row of a word as seen from the first row of the next."""
        return (reached | ((reached & not_left) >> 1)) >> (span - size)

    def above(reached):
        """The first row of a word as seen from the last row of the one before."""
        return (reached | ((reached & not_right) << 1)) << (span - size)

    def joined(stones, start, goal):
        x0, x1 = stones[0], stones[1]
        x2 = stones[2] if words > 2 else ZERO
        x3 = stones[3] if words > 3 else ZERO
        r0, r1, r2, r3 = x0 & start[0], x1 & start[1], x2 & start[2], x3 & start[3]
        while True:
            b0, b1, b2, b3 = r0, r1, r2, r3
            r0 = fill(x0, r0)
            r1 = fill(x1, r1 | below(r0))
            r2 = fill(x2, r2 | below(r1))
            r3 = fill(x3, r3 | below(r2))
            if (r0 & goal[0]) | (r1 & goal[1]) | (r2 & goal[2]) | (r3 & goal[3]):
                return True
            r2 = fill(x2, r2 | above(r3))
            r1 = fill(x1, r1 | above(r2))
            r0 |= x0 & above(r1)
            if r0 == b0 and r1 == b1 and r2 == b2 and r3 == b3:
                return False

    def first_joined(stones):
        for i in range(words):
            seen = (((stones[i] & not_right) + not_right) | stones[i]) & right_edge[i]
            if seen != right_edge[i]:
                return False
        return joined(stones, top, bottom)

    def second_joined(stones):
        columns = ZERO
        for i in range(words):
            columns |= stones[i]
        columns |= columns >> size
        columns |= columns >> (2 * size)
        if rows > 4:
            columns |= columns >> (4 * size)
        return (columns & row) == row and joined(stones, left_edge, right_edge)

    def moves(g, s, out):
        n = 0
        for i in range(words):
            empty = full[i] & ~(s.x[i] | s.o[i])
            while empty:
                out[n] = i * span + lowest(empty)
                empty &= empty - ONE
                n += 1
        return n

    def play(g, s, move, t):
        for i in range(words):
            t.x[i], t.o[i] = s.x[i], s.o[i]
        i = move // span
        stone = ONE << word(move - i * span)
        if s.turn:
            t.o[i] |= stone
        else:
            t.x[i] |= stone
        t.turn = 1 - s.turn

    def key(g, s):
        hashed = SALT
        for i in range(words):
            hashed = mix(mix(hashed ^ s.x[i]) ^ s.o[i])
        return ~hashed if s.turn else hashed

    def turned(stones, image):
        """Write the stones turned by half a turn; -1, 0 or 1: they sort before, with, after."""
        for i in range(words):
            image[i] = ZERO
        for r in range(size):
            to = size - 1 - r
            bits = (stones[r // rows] >> word(r % rows * size)) & row
            image[to // rows] |= (reverse(bits) >> (64 - size)) << word(to % rows * size)
        for i in range(words):
            if image[i] != stones[i]:
                return -1 if image[i] < stones[i] else 1
        return 0

    def canonical(g, s, t):
        order = turned(s.x, t.x)
        second = turned(s.o, t.o)
        t.turn = s.turn
        if order < 0 or (order == 0 and second < 0):
            return 1
        for i in range(words):
            t.x[i], t.o[i] = s.x[i], s.o[i]
        return 0

    def move_image(g, k, move):
        return cells - 1 - move if k else move

    def playout(g, s, rng, scratch):
        # As on one word. t.o holds the empty cells, then those of them that may change hands.
        scratch.states[0] = s
        t = scratch.states[0]
        free, surplus, counter = 0, 0, rng[0]
        for i in range(words):
            counter = next_counter(counter)
            empty = full[i] & ~(t.x[i] | t.o[i])
            chosen = mix(counter) & empty
            free += popcount(empty)
            surplus += popcount(chosen)
            t.x[i] |= chosen
            t.o[i] = empty
        surplus -= (free + 1 - t.turn) >> 1
        for i in range(words):
            t.o[i] &= t.x[i] if surplus > 0 else ~t.x[i]
        left, bits = 0, ZERO
        for _ in range(abs(surplus)):
            flipped = False
            while not flipped:
                if left == 0:
                    counter = next_counter(counter)
                    bits, left = mix(counter), draws
                at = np.int64((bits & pick) >> 6)
                cell = ONE << (bits & word(63))
                bits >>= word(width)
                left -= 1
                if at < words and t.o[at] & cell:
                    t.o[at] ^= cell
                    t.x[at] ^= cell
                    flipped = True
        rng[0] = counter
        return FIRST_WINS if first_joined(t.x) else SECOND_WINS

    def remaining(g, s):
        free = 0
        for i in range(words):
            free += popcount(full[i] & ~(s.x[i] | s.o[i]))
        return free

    def estimate(g, s):
        return 1, remaining(g, s)

    return Rules(
        state=[("x", "u8", (words,)), ("o", "u8", (words,)), ("turn", "i8")],
        max_moves=cells, max_length=cells, moves=moves, play=play, mover=mover,
        outcome=outcome_of(first_joined, second_joined),
        key=key, canonical=canonical, move_image=move_image, playout=playout, estimate=estimate,
        remaining=remaining,
    )


def with_swap(rules: Rules, size: int) -> Rules:
    """``rules`` on a board of ``size`` x ``size`` cells, with the swap."""
    cells = size * size
    basic_moves, basic_play, basic_image = rules.moves, rules.play, rules.move_image
    numbers, swapped = _one_word(size) if cells <= 64 else _many_words(size)

    def possible(s):
        x, o = numbers(s)
        return s.turn == 1 and x == 1 and o == 0

    def early(s):
        x, o = numbers(s)
        return x + o < 2

    def moves(g, s, out):
        n = basic_moves(g, s, out)
        if possible(s):
            out[n] = cells
            n += 1
        return n

    def play(g, s, move, t):
        if move == cells:
            swapped(s, t)
            t.turn = 0
        else:
            basic_play(g, s, move, t)

    def move_image(g, k, move):
        return cells if move == cells else basic_image(g, k, move)

    # What Hex knows of chains does not hold while a swap may come: it is asked only after that.
    forced, estimate = rules.forced, rules.estimate

    def forced_later(g, s, out):
        return 0 if early(s) else forced(g, s, out)

    def estimate_later(g, s):
        if early(s):
            return 1, cells
        return estimate(g, s)

    return replace(rules, max_moves=cells + 1, max_length=cells + 1, moves=moves, play=play,
                   move_image=move_image, playout=None, estimate=estimate_later, dependence=None,
                   forced=None if forced is None else forced_later)


def _one_word(size: int) -> Any:
    """The numbers of stones of X and O, and the move, on boards of one word."""
    def numbers(s):
        return popcount(s.x), popcount(s.o)

    def swapped(s, t):
        cell = lowest(s.x)
        t.x, t.o = ZERO, ONE << word(cell % size * size + cell // size)

    return numbers, swapped


def _many_words(size: int) -> Any:
    """The numbers of stones of X and O, and the move, on boards of several words."""
    rows = 64 // size
    words = -(-size // rows)

    def numbers(s):
        x, o = 0, 0
        for i in range(words):
            x += popcount(s.x[i])
            o += popcount(s.o[i])
        return x, o

    def swapped(s, t):
        row, column = 0, 0
        for i in range(words):
            t.x[i] = ZERO
            t.o[i] = ZERO
            if s.x[i] != ZERO:
                cell = lowest(s.x[i])
                row, column = i * rows + cell // size, cell % size
        t.o[column // rows] = ONE << word(column % rows * size + row)

    return numbers, swapped
