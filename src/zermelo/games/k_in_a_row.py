"""The k-in-a-row family Connect(m,n,k,p,q) of Wu and Huang: tic-tac-toe, Gomoku, Connect6.

A move is one stone. A turn has ``stones`` of them, the first turn of the game ``first``; so the
mover changes when ``left``, the stones left in the turn, is used up. Square i of the board is
row * columns + column, row by row from the top as the board is printed; it is also the code of the
move there, and the bit of the stone. On a board of 4 columns x 3 rows the squares are

    3   0  1  2  3
    2   4  5  6  7
    1   8  9 10 11
        a  b  c  d

There are two layouts. Up to 64 squares a state holds one word a player, ``x`` and ``o``, and a line
is found by shifting the word. On larger boards ``stones`` holds X's words, then O's, and only the
lines through the new stone are looked at. ``result`` is written by ``play``; it, ``hash`` and
``count`` follow from the stones.
"""

from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.errors import BadMove, BadOption, quoted
from zermelo.game import DRAW, FIRST_WINS, ONGOING, Game, Parameter, Rules
from zermelo.games import k_in_a_row_text as text_of
from zermelo.kernel.bits import ONE, ZERO, lowest, mix, plain_mix, word
from zermelo.kernel.rng import next_counter
from zermelo.position import Position

WORD = 64
SEED = 0x6B2D696E2D612D72


class Tables(NamedTuple):
    """Where a symmetry takes a square, where it came from, and the hash of a stone and of a turn."""

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
        zobrist = [plain_mix(SEED + i) for i in range(2 * self.cells + turns)]
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
    steps, starts, befores, afters = [], [], [], []
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

    def moves(g, s, out):  # type: ignore[no-untyped-def]
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
            return s.x | (s.o << cells) | (turn << (2 * cells))
        return mix(s.x ^ mix(s.o ^ mix(turn)))

    def image(g, k, stones):  # type: ignore[no-untyped-def]
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
        own, other, turn, left = s.x, s.o, np.int64(s.turn), np.int64(s.left)
        if turn == 1:
            own, other = other, own
        out, counter, end = scratch.moves, rng[0], DRAW
        n = moves(g, s, out)
        for i in range(n):
            # Square i of a random order of the free ones, chosen when it is needed.
            counter = next_counter(counter)
            j = i + np.int64(((mix(counter) >> 32) * word(n - i)) >> 32)
            own |= ONE << word(out[j])
            out[j] = out[i]
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

    def moves(g, s, out):  # type: ignore[no-untyped-def]
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

    def reach(stones, base, cell, step, most):  # type: ignore[no-untyped-def]
        # How far own stones go on from `cell`; `most` keeps it on the board.
        n = 0
        while n < most:
            cell += step
            if (stones[base + (cell >> 6)] >> word(cell & 63)) & ONE == ZERO:
                break
            n += 1
        return n

    def in_line(stones, base, cell):  # type: ignore[no-untyped-def]
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

    def image_hash(g, s, k):  # type: ignore[no-untyped-def]
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
        turn, left = np.int64(s.turn), np.int64(s.left)
        out, stones, counter, end = scratch.moves, s.stones, rng[0], DRAW
        n = moves(g, s, out)
        for i in range(n):
            counter = next_counter(counter)
            j = i + np.int64(((mix(counter) >> 32) * word(n - i)) >> 32)
            move = np.int64(out[j])
            out[j] = out[i]
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


class KInARow(Game):
    """X begins; whoever first has ``line`` stones in a row, also diagonally, wins."""

    name = "k-in-a-row"
    players = ("X", "O")
    parameters: ClassVar[dict[str, Parameter]] = {
        "columns": Parameter(3, "number of columns (m)", low=1, high=26),
        "rows": Parameter(3, "number of rows (n)", low=1, high=26),
        "line": Parameter(3, "stones in a row that win (k)", low=2, high=26),
        "stones": Parameter(1, "stones a turn (p)", low=1, high=26),
        "first": Parameter(1, "stones at the first turn of the game (q)", low=1, high=26),
        "overline": Parameter("wins", "what a longer line does", choices=("wins", "no-win")),
    }

    def check_parameters(self) -> None:
        """A line must fit the board."""
        columns, rows, line = self["columns"], self["rows"], self["line"]
        if line > max(columns, rows):
            raise BadOption(
                f"{self.name}: line={line} does not fit a board of {columns} columns x {rows} "
                f"rows; valid is 2 to {max(columns, rows)}."
            )

    @property
    def shape(self) -> Shape:
        """The parameters as numbers."""
        numbers = [self[name] for name in ("columns", "rows", "line", "stones", "first")]
        return Shape(*numbers, exactly=self["overline"] == "no-win")

    def define(self) -> Rules:
        """The layout that fits the board."""
        shape = self.shape
        return word_rules(shape) if shape.words == 1 else array_rules(shape)

    def start(self) -> Position:
        """The empty board."""
        return self.compose("." * self.shape.cells, 0, self["first"])

    def compose(self, board: str, turn: int, left: int) -> Position:
        """The position with these squares (``X``, ``O``, ``.``, row by row from the top)."""
        shape = self.shape
        result = text_of.result_of(shape, board)
        if shape.words == 1:
            words = [sum(1 << i for i, mark in enumerate(board) if mark == who) for who in "XO"]
            return self.position(x=words[0], o=words[1], turn=turn, left=left, result=result)
        stones, hashed = [0] * (2 * shape.words), 0
        for i, mark in enumerate(board):
            if mark != ".":
                player = "XO".index(mark)
                stones[player * shape.words + i // WORD] |= 1 << (i % WORD)
                hashed ^= int(self.rules.data.zobrist[player * shape.cells + i])
        count = shape.cells - board.count(".")
        return self.position(
            stones=stones, hash=hashed, turn=turn, left=left, result=result, count=count
        )

    def squares(self, position: Position) -> str:
        """The squares of ``position``, as ``compose`` takes them."""
        shape, state = self.shape, position.state[0]
        if shape.words == 1:
            words = [[int(state["x"])], [int(state["o"])]]
        else:
            stones = [int(bits) for bits in state["stones"]]
            words = [stones[: shape.words], stones[shape.words :]]
        x, o = (sum(bits << (WORD * w) for w, bits in enumerate(side)) for side in words)
        return "".join("X" if x >> i & 1 else "O" if o >> i & 1 else "." for i in range(shape.cells))

    def read(self, text: str) -> Position:
        """A move list, a game record in SGF, or the rows of the board."""
        return text_of.read(self, text)

    def format(self, position: Position) -> str:
        """The rows from the top, the side to move and, where turns differ, the stones left."""
        state = position.state[0]
        side = self.players[int(state["turn"])]
        left = int(state["left"]) if (self["stones"], self["first"]) != (1, 1) else ""
        return f"{'/'.join(text_of.rows_of(self.shape, self.squares(position)))} {side}{left}"

    def move_name(self, position: Position, move: int) -> str:
        """Column letter and row number, from a1 at the lower left."""
        return text_of.square_name(self.shape, move)

    def parse_move(self, position: Position, text: str) -> int:
        """The square called ``text``, if it is free."""
        code = text_of.square_code(self.shape, text)
        if code is None:
            highest = text_of.square_name(self.shape, self["columns"] - 1)
            raise BadMove(f"{quoted(text)} is not a square; a move is one square, a1 to {highest}.")
        mark = self.squares(position)[code]
        if mark != ".":
            raise BadMove(f"{quoted(text)} is not a legal move here; {mark} has a stone there.")
        return code

    def diagram(self, position: Position) -> str:
        """The board with row numbers on the left and column letters below."""
        return text_of.diagram(self.shape, self.squares(position))

    def svg(self, position: Position) -> str:
        """Marks in squares on small boards, stones on crossings on large ones."""
        return text_of.picture(self.shape, self.squares(position))


def _other_defaults(**defaults: int) -> dict[str, Parameter]:
    """The family's parameters with other defaults."""
    return {
        name: replace(parameter, default=defaults.get(name, parameter.default))
        for name, parameter in KInARow.parameters.items()
    }


class TicTacToe(KInARow):
    """Connect(3,3,3,1,1)."""

    name = "tic-tac-toe"


class Gomoku(KInARow):
    """Connect(15,15,5,1,1), free style; ``overline="no-win"`` asks for exactly five."""

    name = "gomoku"
    parameters: ClassVar[dict[str, Parameter]] = _other_defaults(columns=15, rows=15, line=5)


class Connect6(KInARow):
    """Connect(19,19,6,2,1): one stone, then two a turn."""

    name = "connect6"
    parameters: ClassVar[dict[str, Parameter]] = _other_defaults(
        columns=19, rows=19, line=6, stones=2
    )
