"""Small board games whose positions can come up again, most in plain Python, to be solved whole.

    zermelo solve examples/small_games.py:NineHoles
    zermelo solve examples/small_games.py:Dodgem -g size=3

Nobody can force a win in many of them: that is a draw, which takes all positions to show.
"""

from itertools import product
from typing import ClassVar, NamedTuple

import numpy as np

from zermelo import ONGOING, Game, Parameter, PlainGame, Rules

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8))
DIAGONALS = ((0, 4, 8), (2, 4, 6))
BESIDE = {a: tuple(b for line in ROWS + DIAGONALS for i, b in enumerate(line)
                   if a in line and abs(line.index(a) - i) == 1) for a in range(9)}
BOTH = "XO"


class NineHoles(PlainGame):
    """Three pieces each on nine holes, placed in turn, then moved to any empty hole; three in a row
    or column win. A state is the board and who moves."""

    players = ("X", "O")
    pieces, lines, sliding = 3, ROWS, False

    def start(self):
        """An empty board."""
        return "." * 9, 0

    def mover(self, state):
        """X begins."""
        return state[1]

    def moves(self, state):
        """Holes as (from, to); from is None while there are pieces to place."""
        board, mover = state
        empty = [i for i in range(9) if board[i] == "."]
        mine = [i for i in range(9) if board[i] == BOTH[mover]]
        if len(mine) < self.pieces:
            return [(None, to) for to in empty]
        return [(old, to) for old in mine for to in empty
                if not self.sliding or to in BESIDE[old]]

    def play(self, state, move):
        """Place or move a piece."""
        board, mover = list(state[0]), state[1]
        if move[0] is not None:
            board[move[0]] = "."
        board[move[1]] = BOTH[mover]
        return "".join(board), 1 - mover

    def outcome(self, state):
        """Three in a line."""
        board, mover = state
        won = any(all(board[i] == BOTH[1 - mover] for i in line) for line in self.lines)
        return ("first", "second")[1 - mover] if won else None

    def move_name(self, state, move):
        """As a1, or a1-b2."""
        return "-".join("abc"[i % 3] + str(3 - i // 3) for i in move if i is not None)

    def diagram(self, state):
        """Three rows."""
        return "\n".join(state[0][i : i + 3] for i in (0, 3, 6))


class ThreeMensMorris(NineHoles):
    """Pieces move along lines to the next point only; diagonals count."""

    lines, sliding = ROWS + DIAGONALS, True


class Achi(ThreeMensMorris):
    """Four pieces each, so that one point is empty; who can't move has lost."""

    pieces = 4


class PongHauKi(PlainGame):
    """Two pieces each on five points, of which one is empty; who can't move has lost."""

    beside: ClassVar = {0: (2, 3), 1: (2, 4), 2: (0, 1, 3, 4), 3: (0, 2, 4), 4: (1, 2, 3)}

    def start(self):
        """The pieces above and below, the middle empty."""
        return "XX.OO", 0

    def mover(self, state):
        """X begins."""
        return state[1]

    def moves(self, state):
        """The points, from 0, from which a piece can move to the empty one."""
        board, mover = state
        return [i for i in self.beside[board.index(".")] if board[i] == BOTH[mover]]

    def play(self, state, move):
        """Move that piece."""
        board, mover = state
        to = {move: ".", board.index("."): BOTH[mover]}
        return "".join(to.get(i, mark) for i, mark in enumerate(board)), 1 - mover

    def outcome(self, state):
        """Nobody wins but by the other's lack of moves."""


class Dodgem(PlainGame):
    """X moves up, left or right and leaves at the top, O right, up or down and leaves at the right;
    who has all pieces off wins, and who can't move has won. A state is the squares of both, as
    (column, row), and who moves."""

    parameters: ClassVar = {"size": Parameter(3, "squares of a side", low=2, high=4)}

    def start(self):
        """X stands at the bottom, O at the left, the corner is empty."""
        n = self["size"]
        return (frozenset((i, 0) for i in range(1, n)), frozenset((0, i) for i in range(1, n)), 0)

    def mover(self, state):
        """X begins."""
        return state[2]

    def moves(self, state):
        """A square and the direction."""
        n, taken = self["size"], state[0] | state[1]
        off = (0, 1) if state[2] == 0 else (1, 0)
        steps = [off, (-off[1], -off[0]), (off[1], off[0])]
        found = []
        for square in sorted(state[state[2]]):
            for step in steps:
                x, y = square[0] + step[0], square[1] + step[1]
                inside = 0 <= x < n and 0 <= y < n
                if (x, y) not in taken and (inside or step == off):
                    found.append((square, (x, y)))
        return found

    def play(self, state, move):
        """A step, perhaps off the board."""
        n, sides = self["size"], list(state[:2])
        mine = sides[state[2]] - {move[0]}
        sides[state[2]] = mine | {move[1]} if max(move[1]) < n else mine
        return (*sides, 1 - state[2])

    def outcome(self, state):
        """A player without pieces, or without moves, has won."""
        for player, name in enumerate(("first", "second")):
            if not state[player]:
                return name
        return None if self.moves(state) else ("first", "second")[state[2]]


class Ells(NamedTuple):
    """All ways in which an L can lie, a bit for each square."""

    words: np.ndarray


def ells():
    """Return all sets of four squares of 4x4 that form an L, as words."""
    shape = ((0, 0), (1, 0), (2, 0), (2, 1))
    found = set()
    for way, x, y, dx, dy in product((0, 1), range(4), range(4), (1, -1), (1, -1)):
        squares = [(x + dx * p[way], y + dy * p[1 - way]) for p in shape]
        if all(0 <= c < 4 for square in squares for c in square):
            found.add(sum(1 << (i + 4 * j) for i, j in squares))
    return np.array(sorted(found), np.uint32)


class LGame(Game):
    """De Bono's L game, compiled: move your L to other squares, then a neutral piece if you like;
    who can't move the L has lost. A turn is two moves: a way in which the L can lie, then 256 for
    no neutral piece, or 16 times the square that it leaves and the one to which it goes."""

    def define(self):
        """The squares of both Ls and of the neutral pieces as bits, who moves, and whether the L
        has been moved."""
        def moves(g, s, out):
            n, taken = 0, s.x | s.o | s.neutral
            if s.moved == 0:
                mine = s.x if s.turn == 0 else s.o
                for i in range(len(g.words)):
                    if g.words[i] != mine and g.words[i] & (taken ^ mine) == 0:
                        out[n] = i
                        n += 1
                return n
            out[0] = 256
            n = 1
            for i in range(16):
                for j in range(16):
                    if s.neutral >> i & 1 != 0 and taken >> j & 1 == 0:
                        out[n] = 16 * i + j
                        n += 1
            return n

        def play(g, s, move, t):
            t.x, t.o, t.neutral = s.x, s.o, s.neutral
            if s.moved == 0:
                t.turn, t.moved = s.turn, 1
                if s.turn == 0:
                    t.x = g.words[move]
                else:
                    t.o = g.words[move]
            else:
                t.turn, t.moved = 1 - s.turn, 0
                if move != 256:
                    t.neutral = s.neutral ^ (1 << move // 16) ^ (1 << move % 16)

        def mover(g, s):
            return np.int64(s.turn)

        def outcome(g, s):
            return ONGOING

        def key(g, s):
            return np.uint64(s.x) << 32 | np.uint64(s.o) << 16 | np.uint64(s.neutral) | (
                np.uint64(s.turn) << 48) | np.uint64(s.moved) << 49

        return Rules(
            state=[("x", "u4"), ("o", "u4"), ("neutral", "u4"), ("turn", "i2"), ("moved", "i2")],
            max_moves=64, max_length=1_000, moves=moves, play=play, mover=mover, outcome=outcome,
            key=key, exact_key=True, cyclic=True, data=Ells(ells()))

    def start(self):
        """The Ls in the middle, the neutral pieces in two corners."""
        return self.position(x=0b0000_0100_0100_0110, o=0b0110_0010_0010_0000,
                             neutral=0b1000_0000_0000_0001)
