"""The rules of the k-in-a-row family, in two layouts, and what they imply (see ``k_in_a_row``).

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

A line that a single stone completes wins at once. If there is none and the turn has one stone left,
a line that the other side would complete must be stopped now. ``docs/games/k-in-a-row.md`` gives
the reasons.

A win depends on the squares of its line. But while one player makes a line the other may make one
first, with stones that the winner need not have answered: a search must not leave out moves that
belong to such a line (``rival``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from zermelo.core.rules import (
    DRAW,
    EMPTY,
    FIRST_WINS,
    MOST_THREATS,
    ONGOING,
    Array,
    Dependence,
    Lines,
    Rules,
)
from zermelo.kernel.bits import ONE, ZERO, lowest, mix, popcount, word
from zermelo.kernel.rng import next_counter

Function = Callable[..., Any]
WORD, LARGEST = 64, 26
SEED = 0x6B2D696E2D612D72


class Tables(NamedTuple):
    """Images of squares under symmetries, and their sources; hashes of stones and of turns."""

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
    def jumps(self) -> tuple[int, ...]:
        """``a &= a >> jump`` for each leaves the squares where a line of k begins.

        From lines of n, a jump by n leads to lines of 2n; the last jump to k.
        """
        found, have = [], 1
        while have < self.line:
            found.append(min(have, self.line - have))
            have += found[-1]
        return tuple(found)

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
        """The tables; hashes come from a fixed seed, so that they are equal on every machine."""
        images = [[self.image(k, i) for i in range(self.cells)] for k in range(self.symmetries)]
        sources = [[image.index(i) for i in range(self.cells)] for image in images]
        turns = 2 * (max(self.stones, self.first) + 1)
        zobrist = [mix(SEED + i) for i in range(2 * self.cells + turns)]
        return Tables(
            np.array(images, np.int16), np.array(sources, np.int16), np.array(zobrist, np.uint64)
        )


class Direction(NamedTuple):
    """Lines in one direction, on boards of one word: ``step`` from a bit to the next of a line.

    A line begins at one of ``starts``, or it runs over an edge. ``befores`` and ``afters``: the
    starts of lines that have a square before them, or after them.
    """

    step: int
    starts: np.uint64
    befores: np.uint64
    afters: np.uint64


def directions(shape: Shape) -> list[Direction]:
    """Across, up, and both diagonals, as far as a line fits."""
    columns, rows, k = shape.columns, shape.rows, shape.line
    found = []
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        mask = [0, 0, 0]
        for i in range(shape.cells):
            for m, far in enumerate((k - 1, -1, k)):
                row, column = i // columns + far * dr, i % columns + far * dc
                mask[m] |= (0 <= row < rows and 0 <= column < columns) << i
        if mask[0]:
            found.append(Direction(dr * columns + dc, *(word(bits) for bits in mask)))
    return found


def line_finder(shape: Shape) -> Function:
    """``has_line(stones)`` for boards of one word."""
    ways = directions(shape)
    count, exactly, last, jumps = len(ways), shape.exactly, shape.line - 1, shape.jumps
    steps, starts, befores, afters = zip(*ways, strict=True)

    def has_line(stones):
        found = ZERO
        for d in range(count):
            step, begin = steps[d], stones
            for jump in jumps:
                begin &= begin >> word(step * jump)
            begin &= starts[d]
            if exactly:
                begin &= ~((stones << word(step)) & befores[d])
                begin &= ~(((stones >> word(step * last)) >> word(step)) & afters[d])
            found |= begin
        return found != ZERO

    return has_line


WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


def lines_of(shape: Shape) -> Lines:
    """All k squares in a row; with exactly k, the squares before and after guard the line."""
    sets, guards = [], []
    for square in range(shape.cells):
        for way in WAYS:
            row = [_step(shape, square, way, i) for i in range(shape.line)]
            if -1 not in row:
                sets.append(row)
                guards.append([_step(shape, square, way, i) for i in (-1, shape.line)])

    def read(state: Any) -> tuple[Array, int]:
        return owners_of(shape, state), int(state["left"])

    return Lines(
        squares=shape.cells, sets=np.array(sets, np.int16), stones=shape.stones, read=read,
        guards=np.array(guards, np.int16) if shape.exactly else None,
        joint=2,  # lines through two squares lie in one row: the next free square on either side
    )


def _step(shape: Shape, square: int, way: tuple[int, int], i: int) -> int:
    """The square ``i`` steps on, or -1 beyond the edge."""
    row, column = square // shape.columns + i * way[0], square % shape.columns + i * way[1]
    inside = 0 <= row < shape.rows and 0 <= column < shape.columns
    return row * shape.columns + column if inside else -1


def owners_of(shape: Shape, state: Any) -> Array:
    """Return the owner of the stone on each square."""
    owners = np.full(shape.cells, EMPTY, np.int8)
    if shape.cells <= WORD:
        bits = np.arange(shape.cells, dtype=np.uint64)
        for side, name in enumerate("xo"):
            owners[(np.uint64(state[name]) >> bits) & np.uint64(1) == 1] = side
        return owners
    stones = np.asarray(state["stones"], np.int64).reshape(2, shape.rows, 1)
    taken = (stones >> np.arange(shape.columns) & 1).reshape(2, shape.cells)
    for side in (0, 1):
        owners[taken[side] == 1] = side
    return owners


class Knowledge(NamedTuple):
    """The optional functions of ``Rules`` that these games have."""

    forced: Function
    estimate: Function
    remaining: Function
    cannot_win: Function | None = None


def completing_of(shape: Shape) -> Function:
    """``completing(stones)``: the squares, taken or not, that make a line with ``stones``."""
    ways = directions(shape)
    count, length, exactly = len(ways), shape.line, shape.exactly
    steps, starts, befores, afters = zip(*ways, strict=True)

    def completing(stones):
        found = ZERO
        for d in range(count):
            step, begin = steps[d], starts[d]
            if exactly:
                begin &= ~((stones << word(step)) & befores[d])
                begin &= ~(((stones >> word(step * (length - 1))) >> word(step)) & afters[d])
            for missing in range(length):
                lines = begin
                for i in range(length):
                    if i != missing:
                        lines &= stones >> word(step * i)
                found |= lines << word(step * missing)
        return found

    return completing


def word_knowledge(shape: Shape) -> Knowledge:
    """For boards of up to 64 squares."""
    full = word((1 << shape.cells) - 1)
    completing = completing_of(shape)
    has_line = line_finder(shape._replace(exactly=False))

    def urgent(s):
        """A square that wins or must be taken, or 0."""
        own, other = s.x, s.o
        if s.turn == 1:
            own, other = other, own
        empty = full & ~(own | other)
        squares = completing(own) & empty
        if squares == ZERO and s.left == 1:
            squares = completing(other) & empty
        return squares & ~(squares - ONE) if squares != ZERO else ZERO

    def forced(g, s, out):
        square = urgent(s)
        out[0] = lowest(square)
        return 1 if square != ZERO else 0

    def remaining(g, s):
        return popcount(full & ~(s.x | s.o))

    def estimate(g, s):
        return 1, 1 if urgent(s) != ZERO else remaining(g, s)

    def cannot_win(g, s, side):
        # A longer line than allowed may still be one: do not ask for exactly k here.
        stones = s.x if side == 0 else s.o
        return not has_line(stones | (full & ~(s.x | s.o)))

    return Knowledge(forced, estimate, remaining, cannot_win)


def gap_of(shape: Shape) -> Function:
    """``gap(stones, base, other)``: a square that makes a line for one side, on rows; -1 for none.

    The rows of that side begin at ``base``, those of the other at ``other``.
    """
    columns, rows, length, exactly = shape.columns, shape.rows, shape.line, shape.exactly
    span, every = length - 1, (1 << columns) - 1
    to_the_right, to_the_left = every >> span, every >> span << span
    # From row to row, sideways per row, where lines begin; and how many rows they take.
    ways = ((0, 1, to_the_right), (1, 0, every), (1, 1, to_the_right), (1, -1, to_the_left))

    def moved(row, by):
        return (np.int64(row) << LARGEST) >> (LARGEST + by)

    def ends(stones, base, row, down, aside):
        """The lines from ``row`` that are longer than they may be: a stone before or after."""
        before, after = row - down, row + length * down
        found = np.int64(0)
        if before >= 0:
            found |= moved(stones[base + before], -aside)
        if after < rows:
            found |= moved(stones[base + after], length * aside)
        return found

    def gap(stones, base, other):
        for down, aside, starts in ways:
            for row in range(rows - span * down):
                complete, lacking = np.int64(starts), np.int64(0)
                for i in range(length):
                    own = moved(stones[base + row + i * down], i * aside)
                    taken = moved(stones[other + row + i * down], i * aside)
                    lacking = ((lacking & own) | (complete & ~own)) & ~taken
                    complete &= own
                    if complete | lacking == 0:
                        break
                if exactly and lacking != 0:
                    lacking &= ~ends(stones, base, row, down, aside)
                if lacking != 0:
                    column, i = lowest(lacking), 0
                    while (moved(stones[base + row + i * down], i * aside) >> column) & 1:
                        i += 1
                    return (row + i * down) * columns + column + i * aside
        return -1

    return gap


def row_knowledge(shape: Shape) -> Knowledge:
    """For boards of more than 64 squares; that no line is left would not be worth a look there."""
    rows, cells = shape.rows, shape.cells
    gap = gap_of(shape)

    def urgent(s):
        """A square that wins or must be taken, or -1."""
        own, other = 0, rows
        if s.turn == 1:
            own, other = rows, 0
        square = gap(s.stones, own, other)
        if square < 0 and s.left == 1:
            square = gap(s.stones, other, own)
        return square

    def forced(g, s, out):
        out[0] = urgent(s)
        return 1 if out[0] >= 0 else 0

    def remaining(g, s):
        return np.int64(cells - s.count)

    def estimate(g, s):
        return 1, np.int64(1) if urgent(s) >= 0 else remaining(g, s)

    return Knowledge(forced, estimate, remaining)


def dependence_of(shape: Shape) -> Dependence:
    """The functions for boards of up to 64 squares."""
    ways = directions(shape)
    count, length, per_turn, exactly = len(ways), shape.line, shape.stones, shape.exactly
    steps, starts, befores, afters = zip(*ways, strict=True)
    lines = tuple(word(sum(1 << (step * i) for i in range(length))) for step in steps)
    full = word((1 << shape.cells) - 1)

    def stones(g, s, side):
        return s.x if side == 0 else s.o

    def move(g, move):
        return ONE << word(move)

    def begins(own, d):
        """Return where lines in direction ``d`` may begin that are not too long as it is."""
        begin = starts[d]
        if exactly:
            begin &= ~((own << word(steps[d])) & befores[d])
            begin &= ~(((own >> word(steps[d] * (length - 1))) >> word(steps[d])) & afters[d])
        return begin

    def ending(g, s):
        own = s.x if s.result == 1 else s.o
        for d in range(count):
            begin = begins(own, d)
            for i in range(length):
                begin &= own >> word(steps[d] * i)
            if begin != ZERO:
                return lines[d] << word(lowest(begin))
        return ZERO

    def lacking_one(own, empty, out):
        """Write the lines of ``own`` that lack one stone, on an empty square."""
        n = 0
        for d in range(count):
            first = begins(own, d)
            for missing in range(length):
                begin = first & (empty >> word(steps[d] * missing))
                for i in range(length):
                    if i != missing:
                        begin &= own >> word(steps[d] * i)
                while begin != ZERO and n < MOST_THREATS:
                    out[n] = lines[d] << word(lowest(begin))
                    begin &= begin - ONE
                    n += 1
        return n

    def sight(g, s, zones):
        own, other = s.x, s.o
        if s.turn == 1:
            own, other = s.o, s.x
        empty = full & ~(own | other)
        if lacking_one(own, empty, zones) > 0:
            return 1, zones[0], 0
        return 0, ZERO, lacking_one(other, empty, zones) if s.left == 1 else 0

    def rival(g, s, side, plies):
        own, other = s.x, s.o
        if side == 1:
            own, other = s.o, s.x
        mine = min(plies, s.left) if s.turn == side else 0
        rest = max(plies - s.left, 0)
        round = 2 * per_turn
        late = per_turn if s.turn == side else 0  # the other player's turn comes first
        mine += rest // round * per_turn + min(max(rest % round - late, 0), per_turn)
        found = ZERO
        for d in range(count):
            begin = starts[d]
            for i in range(length):
                begin &= ~(other >> word(steps[d] * i))
            while begin != ZERO:
                line = lines[d] << word(lowest(begin))
                begin &= begin - ONE
                if popcount(line & ~own) <= mine:
                    found |= line
        return found

    return Dependence(shape.cells, stones, ending, move, rival, sight)


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
    """Return who moves; the same player again while stones are left in the turn."""
    return np.int64(s.turn)


def outcome(g, s):
    """Return what ``play`` found."""
    return np.int64(s.result)


def move_image(g, k, move):
    """The square that symmetry ``k`` takes to ``move``."""
    return np.int64(g.sources[k, move])
