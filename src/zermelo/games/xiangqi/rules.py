"""The board, the rules and an evaluation of Xiangqi.

Square (row, column) is 9 * row + column, rows from Red's side: a0 is 0, b0 is 1, a1 is 9, i9 is 89.
A piece is its kind, plus 8 if it is Black's; 0 is an empty square.

``board`` holds the 90 squares, and two beside the board that stay empty; ``kings`` says where
the kings stand, ``turn`` who moves, and ``hash`` is kept up to date by ``play``: all three follow
from the board and the mover. The code of a move is 128 * from + to.

The evaluation says how much better off the player to move looks. Features and weights are our own,
set by hand and not tuned: material, where pieces stand, mobility and the safety of the kings. The
scale is that of Song 2019, chapter 4: a won game is 10,000 and a rook about 200, so that 200 is a
short-term and 600 a decisive advantage.

All of it is whole numbers, so that it is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compiler.jit import outlined
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Rules
from zermelo.kernel.bits import ONE, ZERO, bare, lowest, mix, popcount, word

COLUMNS, ROWS = 9, 10
SQUARES = COLUMNS * ROWS
NOWHERE = SQUARES  # a square beside the board that is always empty
KING, ADVISOR, ELEPHANT, HORSE, ROOK, CANNON, PAWN = range(1, 8)
BLACK = 8
PLAYERS = ("red", "black")
MIDDLE_PAWNS = (31, 58)  # where they stand at first; no other pawn can come there
PIECES = 16
STEPS = (1, -1, 9, -9)  # right, left, up, down
WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0))
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
# Two squares on and one aside: the leg is the first square of the way.
LEAPS = tuple(((2 * up + aside * right, 2 * right + aside * up), (up, right))
              for up, right in WAYS for aside in (1, -1))
LINE, LEAP = 1, 2  # bits of ``near``
TURN_KEY = 0  # where the key of the side to move stands: no piece has code 0


class Tables(NamedTuple):
    """Arrays that the rules and the evaluation look up.

    leaps    ``leaps[piece, square]``: where a king, advisor, elephant, horse or pawn goes; -1 ends
    legs     ``legs[piece, square]``: the squares that must be empty for that; NOWHERE for none
    reach    ``reach[square, way]``: how many squares there are to the edge
    horses   ``horses[square]``: from where a horse could take there; -1 ends
    hobbles  ``hobbles[square]``: the squares that must be empty for that
    near     ``near[king, square]``: LINE if what happens on the square can uncover or block an
             attack on a king, LEAP if a horse there could give check
    palace   ``palace[square]``: 1 in Red's palace, 2 in Black's, else 0
    keys     ``keys[piece, square]``: random words for the hash
    worth    ``worth[piece, square]``: points of a piece by where it stands, for the evaluation
    kept     ``kept[side]``: where ``side`` may not take a pawn; NOWHERE if it may everywhere
    ranks    ``ranks[jumps, file, men]``: where a rook (``jumps`` 0) or cannon (1) goes on a rank
             with these men; men and goals as bits, one for each square
    files    ``files[jumps, rank, men]``: the same on a file
    aims     ``aims[side, line]``: the squares of the palace of ``side`` on a rank, as bits, then
             those on the files, from line ROWS on
    """

    leaps: NDArray[np.int8]
    legs: NDArray[np.int8]
    reach: NDArray[np.int8]
    horses: NDArray[np.int8]
    hobbles: NDArray[np.int8]
    near: NDArray[np.uint8]
    palace: NDArray[np.uint8]
    keys: NDArray[np.uint64]
    worth: NDArray[np.int16]
    kept: NDArray[np.int8]
    ranks: NDArray[np.uint16]
    files: NDArray[np.uint16]
    aims: NDArray[np.uint16]


def on_board(row: int, column: int) -> bool:
    """Return True if there is such a square."""
    return 0 <= row < ROWS and 0 <= column < COLUMNS


def may_stand(kind: int, row: int, column: int) -> bool:
    """Return True if a piece of Red's may be set up on a square: pawns may stand where none can
    come in a game, as they do in some compositions."""
    if not on_board(row, column):
        return False
    in_palace = row <= 2 and 3 <= column <= 5
    if kind == KING:
        return in_palace
    if kind == ADVISOR:
        return in_palace and (row + column) % 2 == 1
    if kind == ELEPHANT:
        return (row, column % 4) in ((0, 2), (2, 0), (4, 2))
    return True


def square_of(piece: int, row: int, column: int) -> int:
    """The number of a square as the owner of ``piece`` counts rows."""
    return COLUMNS * (row if piece < BLACK else ROWS - 1 - row) + column


def targets(piece: int, row: int, column: int) -> Iterator[tuple[int, int, int, int]]:
    """Row and column that a piece other than a rook or cannon goes to, and those of its leg.

    Rows are counted, and ways are taken, from the owner's side of the board: Black's pieces go
    down before they go up.
    """
    kind = piece % BLACK
    if kind in (KING, PAWN):
        for up, right in WAYS:
            onward = kind == KING or up == 1 or (up == 0 and row >= 5)
            if onward and on_board(row + up, column + right):
                yield row + up, column + right, -1, -1
    elif kind == ADVISOR:
        for up, right in DIAGONALS:
            yield row + up, column + right, -1, -1
    elif kind == ELEPHANT:
        for up, right in DIAGONALS:
            yield row + 2 * up, column + 2 * right, row + up, column + right
    else:
        for (up, right), (leg_up, leg_right) in LEAPS:
            if on_board(row + up, column + right):
                yield row + up, column + right, row + leg_up, column + leg_right


def leap_tables() -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """``leaps`` and ``legs``; empty where a piece can't stand."""
    leaps = np.full((PIECES, SQUARES, 8), -1, np.int8)
    legs = np.full((PIECES, SQUARES, 8), NOWHERE, np.int8)
    for piece in [side + kind for side in (0, BLACK)
                  for kind in (KING, ADVISOR, ELEPHANT, HORSE, PAWN)]:
        for square in range(SQUARES):
            row, column = divmod(square, COLUMNS)
            row = row if piece < BLACK else ROWS - 1 - row
            if may_stand(piece % BLACK, row, column):
                found = [to for to in targets(piece, row, column)
                         if may_stand(piece % BLACK, *to[:2])]
                for i, (to_row, to_column, leg_row, leg_column) in enumerate(found):
                    leaps[piece, square, i] = square_of(piece, to_row, to_column)
                    if leg_row >= 0:
                        legs[piece, square, i] = square_of(piece, leg_row, leg_column)
    return leaps, legs


def horse_tables(leaps: NDArray[np.int8], legs: NDArray[np.int8],
                 ) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """``horses`` and ``hobbles``: the leaps of horses from where they end."""
    horses, hobbles = np.full((2, SQUARES, 8), -1, np.int8)
    count = np.zeros(SQUARES, int)
    for at in range(SQUARES):
        for to, leg in zip(leaps[HORSE, at], legs[HORSE, at], strict=True):
            if to >= 0:
                horses[to, count[to]], hobbles[to, count[to]] = at, leg
                count[to] += 1
    return horses, hobbles


def near_table(horses: NDArray[np.int8], hobbles: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Rows, columns and the legs of horses that could give check; and where those stand."""
    near = np.zeros((SQUARES, SQUARES), np.uint8)
    squares = np.arange(SQUARES)
    for king in range(SQUARES):
        same = (squares // COLUMNS == king // COLUMNS) | (squares % COLUMNS == king % COLUMNS)
        near[king, same] = LINE
        for from_there, bit in ((hobbles[king], LINE), (horses[king], LEAP)):
            near[king, from_there[from_there >= 0]] |= bit
    return near


def reach_table() -> NDArray[np.int8]:
    """Return how far it is to the edge."""
    reach = np.zeros((SQUARES, 4), np.int8)
    for square in range(SQUARES):
        row, column = divmod(square, COLUMNS)
        reach[square] = COLUMNS - 1 - column, column, ROWS - 1 - row, row
    return reach


def palace_table() -> NDArray[np.uint8]:
    """The nine squares of either king."""
    palace = np.zeros(SQUARES, np.uint8)
    for square in range(SQUARES):
        row, column = divmod(square, COLUMNS)
        for side, height in enumerate((row, ROWS - 1 - row)):
            if may_stand(KING, height, column):
                palace[square] = side + 1
    return palace


def line_table(length: int) -> NDArray[np.uint16]:
    """Return where a rook or a cannon goes on a line, by where it stands and where men are."""
    men = np.arange(1 << length)
    goes = np.zeros((2, length, 1 << length), np.uint16)
    for jumps, at, step in product((0, 1), range(length), (1, -1)):
        screens = np.zeros_like(men)
        for square in range(at + step, length if step > 0 else -1, step):
            there = men >> square & 1
            reached = screens == np.where(there, jumps, 0)
            goes[jumps, at] |= np.left_shift(reached, square, dtype=np.uint16)
            screens += there
    return goes


def aim_table(palace: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """The squares of each palace on every line."""
    aims = np.zeros((2, ROWS + COLUMNS), np.uint16)
    for square in range(SQUARES):
        row, column = divmod(square, COLUMNS)
        if palace[square]:
            aims[palace[square] - 1, row] |= 1 << column
            aims[palace[square] - 1, ROWS + column] |= 1 << row
    return aims


def hash_keys() -> NDArray[np.uint64]:
    """Words from a fixed sequence; those of the empty square are 0, but for the side to move."""
    words = [mix(np.uint64(0x9E3779B97F4A7C15 * (i + 1) & 0xFFFFFFFFFFFFFFFF))
             for i in range(PIECES * SQUARES)]
    keys = np.array(words, np.uint64).reshape(PIECES, SQUARES)
    keys[0, 1:] = 0
    return keys


def tables_for(worth: NDArray[np.int16], protected: str) -> Tables:
    """All tables; ``worth`` belongs to the evaluation, ``protected`` is the game's parameter."""
    kept = [MIDDLE_PAWNS[side] if protected == PLAYERS[side] else NOWHERE for side in (0, 1)]
    leaps, legs = leap_tables()
    horses, hobbles = horse_tables(leaps, legs)
    palace = palace_table()
    return Tables(leaps, legs, reach_table(), horses, hobbles, near_table(horses, hobbles),
                  palace, hash_keys(), worth, np.array(kept[::-1], np.int8),
                  line_table(COLUMNS), line_table(ROWS), aim_table(palace))


MATERIAL = {KING: 0, ADVISOR: 20, ELEPHANT: 20, HORSE: 84, ROOK: 196, CANNON: 92, PAWN: 15}
# Points for each square that a piece can go to, own pieces' squares left out.
ROOK_MOVE, CANNON_MOVE, HORSE_MOVE = 2, 1, 4
HIT = 3  # for each of these in the palace of the other king
# For each guard that a side lacks: an advisor against rooks and horses, an elephant against cannons
# and horses, for each of these that the other side has.
LACK_OF_ADVISOR, LACK_OF_ELEPHANT = 4, 3
BARE_FILE = 24  # a cannon, or a rook, that looks at the other king along an empty file
TO_MOVE = 4
NIBBLE = 4  # bits of a count of pieces
HALF_ROWS = ROWS // 2
HALF = SQUARES // 2  # squares of half a board, which fit into a word
RANK, FIVE = word((1 << COLUMNS) - 1), word((1 << HALF_ROWS) - 1)
FILE = word(sum(1 << COLUMNS * row for row in range(HALF_ROWS)))


def worth_of(kind: int, row: int, column: int) -> int:
    """Points of a piece on a square, seen from its owner's side."""
    inside, middle = min(column, COLUMNS - 1 - column), column == COLUMNS // 2
    points = MATERIAL[kind]
    if kind == KING:
        points -= 8 * row + (0 if middle else 4)
    elif kind == ADVISOR:
        points += 2 * middle
    elif kind == ELEPHANT:
        points += 3 * (middle - (inside == 0))
    elif kind == HORSE:
        points += 2 * inside + 2 * min(row, 7) - (8 if row == 0 else 0)
    elif kind == ROOK:
        points += (6 if row >= 5 else 0) + (2 if inside >= 3 else 0) - (4 if row == 0 else 0)
    elif kind == CANNON:
        points += 6 * middle + (4 if row >= 7 else 0)
    elif row >= 5:  # a pawn beyond the river; on the last row it can only go sideways
        points += 6 + 4 * inside + (4 if row >= 6 else 0) if row < ROWS - 1 else 2
    return points


def worth_of_squares() -> NDArray[np.int16]:
    """``worth_of`` for both sides' pieces, by piece and square."""
    worth = np.zeros((PIECES, SQUARES), np.int16)
    for kind in MATERIAL:
        for square in range(SQUARES):
            row, column = divmod(square, COLUMNS)
            worth[kind, square] = worth_of(kind, row, column)
            worth[BLACK + kind, square] = worth_of(kind, ROWS - 1 - row, column)
    return worth


def sides(board):
    """Return where Red's and Black's pieces are, as bits: a word for either half of the board."""
    red_low, red_high, black_low, black_high = ZERO, ZERO, ZERO, ZERO
    for i in range(HALF):
        piece, bit = board[i], word(i)
        red_low |= word((piece > 0) & (piece < BLACK)) << bit
        black_low |= word(piece >= BLACK) << bit
    for i in range(HALF):
        piece, bit = board[HALF + i], word(i)
        red_high |= word((piece > 0) & (piece < BLACK)) << bit
        black_high |= word(piece >= BLACK) << bit
    return (red_low, red_high), (black_low, black_high)


def on_rank(halves, row):
    """The nine squares of a rank."""
    return (halves[row // HALF_ROWS] >> word(COLUMNS * (row % HALF_ROWS))) & RANK


def five(half, column):
    """The five squares of a file on a half of the board: bits nine apart move together."""
    bits = (half >> word(column)) & FILE
    return (bits | (bits >> 8) | (bits >> 16) | (bits >> 24) | (bits >> 32)) & FIVE


def on_file(halves, column):
    """The ten squares of a file."""
    return five(halves[0], column) | (five(halves[1], column) << HALF_ROWS)


def slides(g, men, own, at, side, jumps):
    """Return where a rook (``jumps`` 0) or cannon (1) can go: how many squares, how many of them in
    the other palace. ``men``: all pieces."""
    row, column = at // COLUMNS, at % COLUMNS
    rank = word(g.ranks[jumps, column, np.int64(on_rank(men, row))]) & ~on_rank(own, row)
    file = word(g.files[jumps, row, np.int64(on_file(men, column))]) & ~on_file(own, column)
    hits = popcount(rank & word(g.aims[1 - side, row])) + popcount(
        file & word(g.aims[1 - side, ROWS + column]))
    return popcount(rank) + popcount(file), hits


def leaps(g, board, at, side):
    """Return where a horse can go: how many squares, how many of them in the palace."""
    count, hits, palace = 0, 0, 2 - side
    piece = HORSE + BLACK * side
    for i in range(8):
        to = np.int64(g.leaps[piece, at, i])
        if to < 0:
            break
        taken = board[to]
        free = board[g.legs[piece, at, i]] == 0
        goes = np.int64(free & ((taken == 0) | (taken >> 3 != side)))
        count += goes
        hits += goes * np.int64(g.palace[to] == palace)
    return count, hits


def bare_file(board, at, king):
    """Return True if nothing stands between ``at`` and ``king``, on one file and not neighbours."""
    if at % COLUMNS != king % COLUMNS:
        return False
    low, high = min(at, king), max(at, king)
    for square in range(low + COLUMNS, high, COLUMNS):
        if board[square] != 0:
            return False
    return high - low > COLUMNS


def activity(g, board, men, own, at, kind, side, king):
    """Points of a rook, cannon or horse for what it can do; ``king`` is the other side's."""
    if kind == HORSE:
        count, hits = leaps(g, board, at, side)
        return HORSE_MOVE * count + HIT * hits
    count, hits = slides(g, men, own, at, side, kind - ROOK)
    points = (ROOK_MOVE if kind == ROOK else CANNON_MOVE) * count + HIT * hits
    return points + BARE_FILE if bare_file(board, at, king) else points


def number(counts, kind):
    """Return how many pieces of a kind."""
    return (counts >> (NIBBLE * kind)) & 15


def danger(mine, theirs):
    """Points that a side loses for the guards it lacks, from the counts of both sides' pieces."""
    horses = number(theirs, HORSE)
    advisors = LACK_OF_ADVISOR * (2 - number(mine, ADVISOR)) * (number(theirs, ROOK) + horses)
    return advisors + (LACK_OF_ELEPHANT * (2 - number(mine, ELEPHANT))
                       * (number(theirs, CANNON) + horses))


def evaluate(g, s):
    """Points for the player to move; above 0 is good. Pre-condition: an ongoing position.

    Bits and tables in place of walks over the board: walks end where a processor can't foresee.
    """
    board = s.board
    red, black = sides(board)
    men = (red[0] | black[0], red[1] | black[1])
    total, red_count, black_count = 0, 0, 0
    for half in range(2):
        left = men[half]
        while left != ZERO:
            at = HALF * half + lowest(left)
            left &= left - ONE
            piece = np.int64(board[at])
            side, kind = piece >> 3, piece & 7
            points = np.int64(g.worth[piece, at])
            if HORSE <= kind <= CANNON:
                own = black if side else red
                points += activity(g, board, men, own, at, kind, side,
                                   np.int64(s.kings[1 - side]))
            total += -points if side else points
            red_count += (1 - side) << (NIBBLE * kind)
            black_count += side << (NIBBLE * kind)
    total += danger(black_count, red_count) - danger(red_count, black_count)
    return (-total if s.turn else total) + TO_MOVE


ROOM = SQUARES + 2
BESIDE = 128  # what a move's code has in front of the square it leads to
# Kings 4, advisors and elephants 4 each, horses 8, rooks and cannons 17, pawns 3.
MOST_MOVES = 4 + 2 * (4 + 4 + 8 + 17 + 17) + 5 * 3
WORTH = 1 << 10  # more than any piece has points
LONGEST = 400  # of playouts: most would go on for ever


def attacked(g, board, at, to, king, side):
    """Return True if ``side``'s king on the square ``king`` could be taken, or faces the other
    king, after a piece has gone from ``at`` to ``to``; both are NOWHERE for the board as it is."""
    foe = BLACK * (1 - side)
    behind = 3 - side  # pawns do not take backwards
    for way in range(4):
        square, step, screens = king, STEPS[way], 0
        for k in range(g.reach[king, way]):
            square += step
            piece = board[at] if square == to else board[square]
            if piece == 0 or square == at:
                continue
            if screens == 1:
                if piece == foe + CANNON:
                    return True
                break
            if piece == foe + ROOK or piece == foe + KING:
                return True
            if piece == foe + PAWN and k == 0 and way != behind:
                return True
            screens = 1
    for i in range(8):
        square = g.horses[king, i]
        if square < 0:
            break
        horse = board[at] if square == to else board[square]
        if horse == foe + HORSE and square != at:
            leg = g.hobbles[king, i]
            if (board[leg] == 0 or leg == at) and leg != to:
                return True
    return False


def in_check(g, s):
    """Return True if the player to move is in check."""
    return attacked(g, s.board, NOWHERE, NOWHERE, np.int64(s.kings[s.turn]), s.turn)


def slide(g, board, side, at, jumps, out, n):
    """Write the moves of the rook (``jumps`` 0) or cannon (1) on square ``at`` behind ``n`` others.
    """
    for way in range(4):
        to, step, screens = at, STEPS[way], 0
        for _ in range(g.reach[at, way]):
            to += step
            piece = board[to]
            if piece == 0:
                if screens == 0:
                    out[n] = BESIDE * at + to
                    n += 1
                continue
            if screens == jumps:
                if piece >> 3 != side:
                    out[n] = BESIDE * at + to
                    n += 1
                break
            screens += 1
    return n


def ways_of_pieces(g, s, out):
    """All moves but for the safety of the own king, in their order; how many."""
    board, side, n = s.board, s.turn, 0
    for at in range(SQUARES):
        piece = np.int64(board[at])
        if piece == 0 or piece >> 3 != side:
            continue
        kind = piece & 7
        if ROOK <= kind <= CANNON:
            n = slide(g, board, side, at, kind - ROOK, out, n)
            continue
        for i in range(8):
            to = np.int64(g.leaps[piece, at, i])
            if to < 0:
                break
            taken = board[to]
            if (taken == 0 or taken >> 3 != side) and board[g.legs[piece, at, i]] == 0:
                out[n] = BESIDE * at + to
                n += 1
    return n


@outlined
def moves(g, s, out):
    """Piece by piece in the order of the squares, each in the order of its table or of STEPS."""
    g, out = bare(g), bare(out)
    home, checked, n = np.int64(s.kings[s.turn]), in_check(g, s), 0
    for i in range(ways_of_pieces(g, s, out)):
        at, to = np.int64(out[i] >> 7), np.int64(out[i] & 127)
        # Without a check, what happens far from the lines of the king can't uncover it.
        matters = checked or at == home or (g.near[home, at] | g.near[home, to]) & LINE != 0
        if to == g.kept[s.turn] and s.board[to] & 7 == PAWN:
            continue
        king = to if at == home else home
        if not matters or not attacked(g, s.board, at, to, king, s.turn):
            out[n] = out[i]
            n += 1
    return n


def play(g, s, move, t):
    """A piece goes, and what stands where it ends is taken off."""
    at, to = move >> 7, move & 127
    for i in range(ROOM):
        t.board[i] = s.board[i]
    piece, taken = np.int64(s.board[at]), np.int64(s.board[to])
    t.board[at], t.board[to] = 0, piece
    t.hash = s.hash ^ g.keys[piece, at] ^ g.keys[piece, to] ^ g.keys[0, TURN_KEY]
    if taken != 0:
        t.hash ^= g.keys[taken, to]
    t.kings[0], t.kings[1] = s.kings[0], s.kings[1]
    if piece & 7 == KING:
        t.kings[s.turn] = to
    t.turn = 1 - s.turn


def mover(g, s):
    """Part of the state."""
    return s.turn


def outcome(g, s):
    """Never over while there is a move; a player without one has lost, in check or not."""
    return ONGOING


def key(g, s):
    """Kept up to date by ``play``."""
    return s.hash


@outlined
def captures(g, s, out):
    """The moves that take a piece, the most valuable one first, and by the least valuable."""
    g, out = bare(g), bare(out)
    n = 0
    for i in range(moves(g, s, out)):
        move = out[i]
        if s.board[move & 127] == 0:
            continue
        gain, k = gain_of(g, s, move), n
        while k > 0 and gain_of(g, s, out[k - 1]) < gain:
            out[k] = out[k - 1]
            k -= 1
        out[k] = move
        n += 1
    return n


def gain_of(g, s, move):
    """Return what a capture takes, before what it takes it with."""
    at, to = move >> 7, move & 127
    taken, piece = np.int64(s.board[to]), np.int64(s.board[at])
    return WORTH * np.int64(g.worth[taken, to]) - np.int64(g.worth[piece, at])


@outlined
def checks(g, s, side, out):
    """Candidates: the moves that give check."""
    g, out = bare(g), bare(out)
    board, n = s.board, 0
    king = np.int64(s.kings[1 - side])
    for i in range(moves(g, s, out)):
        at, to = out[i] >> 7, out[i] & 127
        close = (g.near[king, at] | g.near[king, to]) & LINE != 0
        close |= g.near[king, to] & LEAP != 0 and board[at] & 7 == HORSE
        if close and attacked(g, board, at, to, king, 1 - side):
            out[n] = out[i]
            n += 1
    return n


def repeat(g, path, i, n):
    """Perpetual check loses: of two sides one alone that gave check with every move since ``i``.
    """
    always = 3  # bit ``side``: all its moves gave check
    for at in range(i + 1, n + 1):
        s = path[at]
        if not in_check(g, s):
            always &= ~(1 << (1 - s.turn))
    if always == 1:
        return SECOND_WINS
    return FIRST_WINS if always == 2 else DRAW


@cache
def tables(protected: str) -> Tables:
    """The tables, made once."""
    return tables_for(worth_of_squares(), protected)


def rules_for(perpetual_check_loses: bool, protected: str) -> Rules:
    """The rules, with one of the two rules for repetitions; ``protected`` is data."""
    return Rules(
        state=[("hash", "u8"), ("board", "u1", (ROOM,)), ("kings", "u1", (2,)), ("turn", "i2")],
        max_moves=MOST_MOVES, max_length=LONGEST, moves=moves, play=play, mover=mover,
        outcome=outcome, key=key, data=tables(protected), candidates=checks, cyclic=True,
        repeat=repeat if perpetual_check_loses else None, evaluate=evaluate,
        captures=captures, in_check=in_check,
    )
