"""The rules of the k-in-a-row family, in two layouts (see ``k_in_a_row``).

Square i of the board is row * columns + column, row by row from the top as the board is printed.
It is also the code of the move there, and the bit of the stone. With 4 columns x 3 rows they are

    3   0  1  2  3
    2   4  5  6  7
    1   8  9 10 11
        a  b  c  d

Up to 64 squares a state holds one word a player, ``x`` and ``o``, and a line is found by shifting
the word. On larger boards ``stones`` holds X's rows, then O's, a number each, and only the lines
through the new stone are looked at. Player ``turn`` has ``left`` stones left in this turn.
``result`` is written by ``play``; it, ``hash`` and ``count`` follow from the stones.
"""

from typing import Any

import numpy as np

from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, Rules
from zermelo.games.k_in_a_row.knowledge import dependence_of, row_knowledge, word_knowledge
from zermelo.games.k_in_a_row.shape import LARGEST, WORD, Shape, line_finder
from zermelo.kernel.bits import ONE, ZERO, lowest, mix, word
from zermelo.kernel.rng import next_counter


def word_rules(shape: Shape) -> Rules:
    """The rules for boards of up to 64 squares."""
    cells, per_turn, symmetries = shape.cells, shape.stones, shape.symmetries
    full = word((1 << cells) - 1)
    exact = 2 * cells + 1 + max(shape.stones, shape.first).bit_length() <= WORD
    has_line = line_finder(shape)

    def moves(g: Any, s: Any, out: Any) -> Any:
        free = full & ~(s.x | s.o)
        n = 0
        while free != ZERO:
            out[n] = lowest(free)
            free &= free - ONE
            n += 1
        return n

    def play(g, s, move, t):
        stone = ONE << word(move)
        if s.turn == 0:
            t.x, t.o = s.x | stone, s.o
        else:
            t.x, t.o = s.x, s.o | stone
        if has_line(t.x if s.turn == 0 else t.o):
            t.result = FIRST_WINS + s.turn
        else:
            t.result = DRAW if (t.x | t.o) == full else ONGOING
        t.turn = s.turn if s.left > 1 else 1 - s.turn
        t.left = s.left - 1 if s.left > 1 else per_turn

    def key(g, s):
        turn = word(2 * s.left + s.turn)
        if exact:
            return s.x | (s.o << word(cells)) | (turn << word(2 * cells))
        return mix(s.x ^ mix(s.o ^ mix(turn)))

    def image(g: Any, k: Any, stones: Any) -> Any:
        result = ZERO
        while stones != ZERO:
            result |= ONE << word(g.images[k, lowest(stones)])
            stones &= stones - ONE
        return result

    def canonical(g, s, t):
        best, x, o = 0, s.x, s.o
        for k in range(1, symmetries):
            x_image = image(g, k, s.x)
            if x_image <= x:
                o_image = image(g, k, s.o)
                if x_image < x or o_image < o:
                    best, x, o = k, x_image, o_image
        t.x, t.o, t.turn, t.left, t.result = x, o, s.turn, s.left, s.result
        return best

    def playout(g, s, rng, scratch):
        if s.result != ONGOING:
            return np.int64(s.result)
        own, other, turn, left = s.x, s.o, s.turn, s.left
        if turn == 1:
            own, other = other, own
        out, counter, end = scratch.moves, rng[0], DRAW
        n = moves(g, s, out)
        while n > 0:
            counter = next_counter(counter)
            j = ((mix(counter) >> word(32)) * word(n)) >> word(32)
            n -= 1
            own |= ONE << word(out[j])
            out[j] = out[n]
            if has_line(own):
                end = FIRST_WINS + turn
                break
            left -= 1
            if left == 0:
                own, other, turn, left = other, own, 1 - turn, per_turn
        rng[0] = counter
        return end

    return Rules(
        state=[("x", "u8"), ("o", "u8"), ("turn", "i2"), ("left", "i2"), ("result", "i4")],
        max_moves=cells, max_length=cells, moves=moves, play=play, mover=mover, outcome=outcome,
        key=key, data=shape.tables(), exact_key=exact, canonical=canonical, move_image=move_image,
        playout=playout, dependence=dependence_of(shape), **word_knowledge(shape)._asdict(),
    )


def row_rules(shape: Shape) -> Rules:
    """The rules for boards of more than 64 squares."""
    columns, rows, length, exactly = shape.columns, shape.rows, shape.line, shape.exactly
    cells, per_turn, symmetries = shape.cells, shape.stones, shape.symmetries
    full, jumps = (1 << columns) - 1, shape.jumps

    def moves(g: Any, s: Any, out: Any) -> Any:
        n = 0
        for row in range(rows):
            free = full & ~np.int64(s.stones[row] | s.stones[rows + row])
            while free:
                out[n] = row * columns + lowest(free)
                free &= free - 1
                n += 1
        return n

    def arms(stones: Any, base: Any, row: Any, column: Any, way: Any) -> Any:
        # How far own stones go on from a square to the rows above or below it: slanting left,
        # straight, slanting right. Bits beyond the edges are 0.
        left, straight, right = 0, 0, 0
        go_left, go_straight, go_right = 1, 1, 1
        for i in range(1, length + 1):
            row += way
            if row < 0 or row >= rows:
                break
            bits = (np.int64(stones[base + row]) << LARGEST) >> (LARGEST + column - i)
            go_left &= bits
            go_straight &= bits >> i
            go_right &= bits >> (2 * i)
            if not go_left | go_straight | go_right:
                break
            left += go_left
            straight += go_straight
            right += go_right
        return left, straight, right

    def wins(run: Any) -> Any:
        return run == length or (run > length and not exactly)

    def in_line(stones: Any, base: Any, cell: Any) -> Any:
        row = cell // columns
        column = cell - row * columns
        up_left, up, up_right = arms(stones, base, row, column, -1)
        down_left, down, down_right = arms(stones, base, row, column, 1)
        if wins(1 + up + down) or wins(1 + up_left + down_right) or wins(1 + up_right + down_left):
            return True
        own = np.int64(stones[base + row])
        begin = own
        for jump in jumps:
            begin &= begin >> jump
        if exactly:
            begin &= ~(own << 1) & ~(own >> length)
        return begin != 0

    def play(g, s, move, t):
        for i in range(2 * rows):
            t.stones[i] = s.stones[i]
        turn = np.int64(s.turn)
        t.stones[turn * rows + move // columns] |= 1 << (move % columns)
        t.hash = s.hash ^ g.zobrist[turn * cells + move]
        t.count = s.count + 1
        if in_line(t.stones, turn * rows, move):
            t.result = FIRST_WINS + turn
        else:
            t.result = DRAW if t.count == cells else ONGOING
        t.turn = turn if s.left > 1 else 1 - turn
        t.left = s.left - 1 if s.left > 1 else per_turn

    def key(g, s):
        return s.hash ^ g.zobrist[2 * cells + 2 * np.int64(s.left) + s.turn]

    def image_hash(g: Any, s: Any, k: Any) -> Any:
        total = ZERO
        for i in range(2 * rows):
            stones = np.int64(s.stones[i])
            player = i // rows
            while stones:
                cell = (i - player * rows) * columns + lowest(stones)
                total ^= g.zobrist[player * cells + g.images[k, cell]]
                stones &= stones - 1
        return total

    def canonical(g, s, t):
        # The image with the least hash; should two be alike, a fold is missed, nothing more.
        best, least = 0, s.hash
        for k in range(1, symmetries):
            total = image_hash(g, s, k)
            if total < least:
                best, least = k, total
        for i in range(2 * rows):
            t.stones[i] = 0
        for i in range(2 * rows):
            stones = np.int64(s.stones[i])
            base = i // rows * rows
            while stones:
                cell = np.int64(g.images[best, (i - base) * columns + lowest(stones)])
                t.stones[base + cell // columns] |= 1 << (cell % columns)
                stones &= stones - 1
        t.hash, t.turn, t.left, t.result, t.count = least, s.turn, s.left, s.result, s.count
        return best

    def playout(g, s, rng, scratch):
        if s.result != ONGOING:
            return np.int64(s.result)
        turn, left, out, counter, end = s.turn, s.left, scratch.moves, rng[0], DRAW
        scratch.states[0] = s
        stones = scratch.states[0].stones
        n = moves(g, s, out)
        while n > 0:
            counter = next_counter(counter)
            j = ((mix(counter) >> word(32)) * word(n)) >> word(32)
            n -= 1
            move = np.int64(out[j])
            out[j] = out[n]
            stones[turn * rows + move // columns] |= 1 << (move % columns)
            if in_line(stones, turn * rows, move):
                end = FIRST_WINS + turn
                break
            left -= 1
            if left == 0:
                turn, left = 1 - turn, per_turn
        rng[0] = counter
        return end

    return Rules(
        state=[("hash", "u8"), ("turn", "i2"), ("left", "i2"), ("result", "i2"), ("count", "i2"),
               ("stones", "i4", (2 * rows,))],
        max_moves=cells, max_length=cells, moves=moves, play=play, mover=mover, outcome=outcome,
        key=key, data=shape.tables(), canonical=canonical, move_image=move_image, playout=playout,
        **row_knowledge(shape)._asdict(),
    )


def mover(g, s):
    """Who moves; the same player again while stones are left in the turn."""
    return np.int64(s.turn)


def outcome(g, s):
    """What ``play`` found."""
    return np.int64(s.result)


def move_image(g, k, move):
    """The square that symmetry ``k`` takes to ``move``."""
    return np.int64(g.sources[k, move])
