"""The swap rule of Hex, on top of the other rules (see ``rules``).

O may answer the first stone with a swap: the stone becomes O's and is mirrored in the long
diagonal, so that it stands to O's edges as it stood to X's. Then X moves. The move's code is the
number of cells. A swap is possible while X has one stone, O none and O is to move: no later
position is like that, so that the state needs no further field.
"""

from dataclasses import replace

from zermelo.core.rules import Rules
from zermelo.kernel.bits import ONE, ZERO, lowest, popcount, word


def with_swap(rules: Rules, size: int) -> Rules:
    """``rules`` on a board of ``size`` x ``size`` cells, with the swap."""
    cells = size * size
    basic_moves, basic_play, basic_image = rules.moves, rules.play, rules.move_image
    possible, swapped = _one_word(size) if cells <= 64 else _many_words(size)

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
    early = _early_one_word() if cells <= 64 else _early_many_words(size)

    def forced_later(g, s, out):
        return 0 if early(s) else forced(g, s, out)

    def estimate_later(g, s):
        if early(s):
            return 1, cells
        return estimate(g, s)

    return replace(rules, max_moves=cells + 1, max_length=cells + 1, moves=moves, play=play,
                   move_image=move_image, playout=None, estimate=estimate_later, dependence=None,
                   forced=None if forced is None else forced_later)


def _one_word(size: int):
    def possible(s):
        return s.turn == 1 and s.o == ZERO and s.x != ZERO and s.x & (s.x - ONE) == ZERO

    def swapped(s, t):
        cell = lowest(s.x)
        t.x, t.o = ZERO, ONE << word(cell % size * size + cell // size)

    return possible, swapped


def _early_one_word():
    def early(s):
        return popcount(s.x) + popcount(s.o) < 2

    return early


def _many_words(size: int):
    rows = 64 // size
    words = -(-size // rows)

    def possible(s):
        stones = 0
        for i in range(words):
            stones += popcount(s.x[i])
            if s.o[i] != ZERO:
                return False
        return s.turn == 1 and stones == 1

    def swapped(s, t):
        row, column = 0, 0
        for i in range(words):
            t.x[i] = ZERO
            t.o[i] = ZERO
            if s.x[i] != ZERO:
                cell = lowest(s.x[i])
                row, column = i * rows + cell // size, cell % size
        t.o[column // rows] = ONE << word(column % rows * size + row)

    return possible, swapped


def _early_many_words(size: int):
    words = -(-size // (64 // size))

    def early(s):
        stones = 0
        for i in range(words):
            stones += popcount(s.x[i]) + popcount(s.o[i])
        return stones < 2

    return early
