"""The rules of the k-in-a-row family, in two layouts (see ``k_in_a_row``).

Square i of the board is row * columns + column, row by row from the top as the board is printed.
It is also the code of the move there, and the bit of the stone. With 4 columns x 3 rows they are

    3   0  1  2  3
    2   4  5  6  7
    1   8  9 10 11
        a  b  c  d

Up to 64 squares a state holds one word a player, ``x`` and ``o``, and a line is found by shifting
the word. On larger boards ``stones`` holds X's words, then O's, and only the lines through the new
stone are looked at. Player ``turn`` has ``left`` stones left in this turn. ``result`` is written by
``play``; it, ``hash`` and ``count`` follow from the stones.
"""

from typing import Any, NamedTuple

import numpy as np

from zermelo.game import DRAW, FIRST_WINS, ONGOING, Rules
from zermelo.kernel.bits import ONE, ZERO, lowest, mix, word
from zermelo.kernel.rng import next_counter

WORD = 64
SEED = 0x6B2D696E2D612D72


class Tables(NamedTuple):
    """Where a symmetry takes a square and where it came from; hashes of stones and of turns."""

    images: np.ndarray[Any, Any]
    sources: np.ndarray[Any, Any]
    zobrist: np.ndarray[Any, Any]


class Shape(NamedTuple):
    """The parameters as numbers, with what follows from them."""

    columns: int
    rows: int
    line: int
    stones: int
    first: int
    exactly: bool

    @property
    def cells(self) -> int:
        """The number of squares."""
        return self.columns * self.rows

    @property
    def words(self) -> int:
        """How many words hold one player's stones."""
        return (self.cells + WORD - 1) // WORD

    @property
    def symmetries(self) -> int:
        """Mirrors and half turn; on a square board also the reflections in the diagonals."""
        return 8 if self.columns == self.rows else 4

    def image(self, k: int, cell: int) -> int:
        """The square to which symmetry ``k`` takes ``cell``."""
        row, column = divmod(cell, self.columns)
        if k & 4:
            row, column = column, row
        if k & 1:
            column = self.columns - 1 - column
        if k & 2:
            row = self.rows - 1 - row
        return row * self.columns + column

    def tables(self) -> Tables:
        """The same on every machine: the hashes come from a fixed seed."""
        images = [[self.image(k, i) for i in range(self.cells)] for k in range(self.symmetries)]
        sources = [[image.index(i) for i in range(self.cells)] for image in images]
        turns = 2 * (max(self.stones, self.first) + 1)
        zobrist = [mix(SEED + i) for i in range(2 * self.cells + turns)]
        return Tables(
            np.array(images, np.int16), np.array(sources, np.int16), np.array(zobrist, np.uint64)
        )


def line_finder(shape: Shape) -> Any:
    """``has_line(stones)`` for boards of one word.

    ``a & a >> step`` leaves the squares where a line of two begins; doubling, then the rest, leads
    to k. A line that ran over an edge begins outside ``starts``.
    """
    columns, rows, k = shape.columns, shape.rows, shape.line
    jumps, have = [], 1
    while have < k:
        jumps.append(min(have, k - have))
        have += jumps[-1]
    steps: list[int] = []
    starts: list[np.uint64] = []
    befores: list[np.uint64] = []
    afters: list[np.uint64] = []
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        mask = [0, 0, 0]
        for i in range(shape.cells):
            for m, far in enumerate((k - 1, -1, k)):
                row, column = i // columns + far * dr, i % columns + far * dc
                mask[m] |= (0 <= row < rows and 0 <= column < columns) << i
        if mask[0]:
            steps.append(dr * columns + dc)
            for part, bits in zip((starts, befores, afters), mask, strict=True):
                part.append(word(bits))
    count, exactly, last = len(steps), shape.exactly, k - 1
    all_jumps, all_steps = tuple(jumps), tuple(steps)
    all_starts, all_befores, all_afters = tuple(starts), tuple(befores), tuple(afters)

    def has_line(stones):  # type: ignore[no-untyped-def]
        found = ZERO
        for d in range(count):
            step, begin = all_steps[d], stones
            for jump in all_jumps:
                begin &= begin >> word(step * jump)
            begin &= all_starts[d]
            if exactly:
                begin &= ~((stones << word(step)) & all_befores[d])
                begin &= ~(((stones >> word(step * last)) >> word(step)) & all_afters[d])
            found |= begin
        return found != ZERO

    return has_line


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

    def play(g, s, move, t):  # type: ignore[no-untyped-def]
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

    def key(g, s):  # type: ignore[no-untyped-def]
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

    def canonical(g, s, t):  # type: ignore[no-untyped-def]
        best, x, o = 0, s.x, s.o
        for k in range(1, symmetries):
            x_image = image(g, k, s.x)
            if x_image <= x:
                o_image = image(g, k, s.o)
                if x_image < x or o_image < o:
                    best, x, o = k, x_image, o_image
        t.x, t.o, t.turn, t.left, t.result = x, o, s.turn, s.left, s.result
        return best

    def playout(g, s, rng, scratch):  # type: ignore[no-untyped-def]
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
        playout=playout,
    )


def array_rules(shape: Shape) -> Rules:
    """The rules for boards of more than 64 squares."""
    columns, rows, length, exactly = shape.columns, shape.rows, shape.line, shape.exactly
    cells, words, per_turn, symmetries = shape.cells, shape.words, shape.stones, shape.symmetries
    rest = word((1 << (cells - WORD * (words - 1))) - 1)

    def moves(g: Any, s: Any, out: Any) -> Any:
        n = 0
        for w in range(words):
            free = ~(s.stones[w] | s.stones[words + w])
            if w == words - 1:
                free &= rest
            while free != ZERO:
                out[n] = w * WORD + lowest(free)
                free &= free - ONE
                n += 1
        return n

    def reach(stones: Any, base: Any, cell: Any, step: Any, most: Any) -> Any:
        # How far own stones go on from `cell`; `most` keeps it on the board.
        n = 0
        while n < most:
            cell += step
            if (stones[base + (cell >> 6)] >> word(cell & 63)) & ONE == ZERO:
                break
            n += 1
        return n

    def in_line(stones: Any, base: Any, cell: Any) -> Any:
        row = cell // columns
        left, up = cell - row * columns, row
        right, down = columns - 1 - left, rows - 1 - row
        for d in range(4):
            if d == 0:
                step, back, on = 1, left, right
            elif d == 1:
                step, back, on = columns, up, down
            elif d == 2:
                step, back, on = columns + 1, min(left, up), min(right, down)
            else:
                step, back, on = columns - 1, min(right, up), min(left, down)
            run = 1 + reach(stones, base, cell, -step, min(back, length))
            run += reach(stones, base, cell, step, min(on, length))
            if run == length or (run > length and not exactly):
                return True
        return False

    def play(g, s, move, t):  # type: ignore[no-untyped-def]
        for w in range(2 * words):
            t.stones[w] = s.stones[w]
        turn = np.int64(s.turn)
        base = turn * words
        t.stones[base + (move >> 6)] |= ONE << word(move & 63)
        t.hash = s.hash ^ g.zobrist[turn * cells + move]
        t.count = s.count + 1
        if in_line(t.stones, base, move):
            t.result = FIRST_WINS + turn
        else:
            t.result = DRAW if t.count == cells else ONGOING
        t.turn = turn if s.left > 1 else 1 - turn
        t.left = s.left - 1 if s.left > 1 else per_turn

    def key(g, s):  # type: ignore[no-untyped-def]
        return s.hash ^ g.zobrist[2 * cells + 2 * np.int64(s.left) + s.turn]

    def image_hash(g: Any, s: Any, k: Any) -> Any:
        total = ZERO
        for player in range(2):
            for w in range(words):
                stones = s.stones[player * words + w]
                while stones != ZERO:
                    cell = w * WORD + lowest(stones)
                    total ^= g.zobrist[player * cells + g.images[k, cell]]
                    stones &= stones - ONE
        return total

    def canonical(g, s, t):  # type: ignore[no-untyped-def]
        # The image with the least hash; should two be alike, the fold is missed, nothing more.
        best, least = 0, s.hash
        for k in range(1, symmetries):
            total = image_hash(g, s, k)
            if total < least:
                best, least = k, total
        for w in range(2 * words):
            t.stones[w] = ZERO
        for player in range(2):
            base = player * words
            for w in range(words):
                stones = s.stones[base + w]
                while stones != ZERO:
                    cell = np.int64(g.images[best, w * WORD + lowest(stones)])
                    t.stones[base + (cell >> 6)] |= ONE << word(cell & 63)
                    stones &= stones - ONE
        t.hash, t.turn, t.left, t.result, t.count = least, s.turn, s.left, s.result, s.count
        return best

    def playout(g, s, rng, scratch):  # type: ignore[no-untyped-def]
        if s.result != ONGOING:
            return np.int64(s.result)
        turn, left = s.turn, s.left
        out, stones, counter, end = scratch.moves, s.stones, rng[0], DRAW
        n = moves(g, s, out)
        while n > 0:
            counter = next_counter(counter)
            j = ((mix(counter) >> word(32)) * word(n)) >> word(32)
            n -= 1
            move = np.int64(out[j])
            out[j] = out[n]
            stones[turn * words + (move >> 6)] |= ONE << word(move & 63)
            if in_line(stones, turn * words, move):
                end = FIRST_WINS + turn
                break
            left -= 1
            if left == 0:
                turn, left = 1 - turn, per_turn
        rng[0] = counter
        return end

    return Rules(
        state=[("stones", "u8", (2 * words,)), ("hash", "u8"), ("turn", "i2"), ("left", "i2"),
               ("result", "i2"), ("count", "i2")],
        max_moves=cells, max_length=cells, moves=moves, play=play, mover=mover, outcome=outcome,
        key=key, data=shape.tables(), canonical=canonical, move_image=move_image, playout=playout,
    )


def mover(g, s):  # type: ignore[no-untyped-def]
    """Who moves; the same player again while stones are left in the turn."""
    return np.int64(s.turn)


def outcome(g, s):  # type: ignore[no-untyped-def]
    """What ``play`` found."""
    return np.int64(s.result)


def move_image(g, k, move):  # type: ignore[no-untyped-def]
    """The square that symmetry ``k`` takes to ``move``."""
    return np.int64(g.sources[k, move])
