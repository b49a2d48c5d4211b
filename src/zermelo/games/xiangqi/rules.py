"""The rules of Xiangqi on a board of 90 squares (see ``xiangqi_tables``).

``board`` holds the pieces, and two squares beside the board that stay empty; ``kings`` says where
the kings stand, ``turn`` who moves, and ``hash`` is kept up to date by ``play``: all three follow
from the board and the mover. The code of a move is 128 * from + to.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from zermelo.compiler.jit import outlined
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Rules
from zermelo.games.xiangqi.evaluation import evaluate, worth_of_squares
from zermelo.games.xiangqi.tables import (
    BLACK,
    CANNON,
    HORSE,
    KING,
    LEAP,
    LINE,
    NOWHERE,
    PAWN,
    ROOK,
    SQUARES,
    STEPS,
    TURN_KEY,
    Tables,
    tables_for,
)
from zermelo.kernel.bits import bare

ROOM = SQUARES + 2
BESIDE = 128  # what a move's code has in front of the square it leads to
# Kings 4, advisors and elephants 4 each, horses 8, rooks and cannons 17, pawns 3.
MOST_MOVES = 4 + 2 * (4 + 4 + 8 + 17 + 17) + 5 * 3
WORTH = 1 << 10  # more than any piece has points
LONGEST = 400  # of playouts: most would go on for ever


def attacked(g, board, at, to, king, side):
    """Whether ``side``'s king on the square ``king`` could be taken, or faces the other king, after
    a piece has gone from ``at`` to ``to``; both are NOWHERE for the board as it is.
    """
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
    """Whether the player to move is in check."""
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
    """What a capture takes, before what it takes it with."""
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
