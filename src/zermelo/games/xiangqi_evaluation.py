"""An evaluation of Xiangqi: how much better off the player to move looks.

Features and weights are our own, set by hand and not tuned: material, where pieces stand, mobility
and the safety of the kings. The scale is that of Song 2019, chapter 4: a won game is 10,000 and a
rook about 200, so that 200 is a short-term and 600 a decisive advantage.

All of it is whole numbers, so that it is the same on every machine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zermelo.games.xiangqi_tables import (
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
    STEPS,
)

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


def slides(g, board, at, side, jumps):
    """Where a rook (``jumps`` 0) or cannon (1) can go: how many squares, how many of them in the
    other palace."""
    count, hits, palace = 0, 0, 2 - side
    for way in range(4):
        to, step, screens = at, STEPS[way], 0
        for _ in range(g.reach[at, way]):
            to += step
            piece = board[to]
            if piece == 0:
                if screens == 0:
                    count += 1
                    hits += g.palace[to] == palace
                continue
            if screens == jumps:
                if piece >> 3 != side:
                    count += 1
                    hits += g.palace[to] == palace
                break
            screens += 1
    return count, hits


def leaps(g, board, at, side):
    """The same for a horse."""
    count, hits, palace = 0, 0, 2 - side
    piece = HORSE + BLACK * side
    for i in range(8):
        to = np.int64(g.leaps[piece, at, i])
        if to < 0:
            break
        taken = board[to]
        if (taken == 0 or taken >> 3 != side) and board[g.legs[piece, at, i]] == 0:
            count += 1
            hits += g.palace[to] == palace
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


def activity(g, board, at, kind, side, king):
    """Points of a rook, cannon or horse for what it can do; ``king`` is the other side's."""
    if kind == HORSE:
        count, hits = leaps(g, board, at, side)
        return HORSE_MOVE * count + HIT * hits
    count, hits = slides(g, board, at, side, kind - ROOK)
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
    """Points for the player to move; above 0 is good. Pre-condition: an ongoing position."""
    board, total, red, black = s.board, 0, 0, 0
    for at in range(SQUARES):
        piece = np.int64(board[at])
        if piece == 0:
            continue
        side, kind = piece >> 3, piece & 7
        points = np.int64(g.worth[piece, at])
        if HORSE <= kind <= CANNON:
            points += activity(g, board, at, kind, side, np.int64(s.kings[1 - side]))
        if side == 0:
            total += points
            red += 1 << (NIBBLE * kind)
        else:
            total -= points
            black += 1 << (NIBBLE * kind)
    total += danger(black, red) - danger(red, black)
    return (-total if s.turn else total) + TO_MOVE
