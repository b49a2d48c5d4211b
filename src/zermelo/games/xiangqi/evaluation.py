"""An evaluation of Xiangqi: how much better off the player to move looks.

Features and weights are our own, set by hand and not tuned: material, where pieces stand, mobility
and the safety of the kings. The scale is that of Song 2019, chapter 4: a won game is 10,000 and a
rook about 200, so that 200 is a short-term and 600 a decisive advantage.

All of it is whole numbers, so that it is the same on every machine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zermelo.games.xiangqi.tables import (
    ADVISOR,
    BLACK,
    CANNON,
    COLUMNS,
    ELEPHANT,
    HORSE,
    KING,
    PAWN,
    PIECES,
    ROOK,
    ROWS,
    SQUARES,
)
from zermelo.kernel.bits import ONE, ZERO, lowest, popcount, word

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
    """Where Red's and Black's pieces are, as bits: a word for either half of the board."""
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
    """Where a rook (``jumps`` 0) or cannon (1) can go: how many squares, how many of them in the
    other palace. ``men``: all pieces."""
    row, column = at // COLUMNS, at % COLUMNS
    rank = word(g.ranks[jumps, column, np.int64(on_rank(men, row))]) & ~on_rank(own, row)
    file = word(g.files[jumps, row, np.int64(on_file(men, column))]) & ~on_file(own, column)
    hits = popcount(rank & word(g.aims[1 - side, row])) + popcount(
        file & word(g.aims[1 - side, ROWS + column]))
    return popcount(rank) + popcount(file), hits


def leaps(g, board, at, side):
    """The same for a horse."""
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
    """Whether nothing stands between ``at`` and ``king``, on one file and not neighbours."""
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
    """How many pieces of a kind."""
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
