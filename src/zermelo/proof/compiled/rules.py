"""The checker's rules of three games once more, for the compiler.

Each is the plain one of ``proof.rules`` line by line, with whole numbers of 64 bits and tables that
are made from it. A game is five functions of its tables ``t`` and of a board, as ``own`` and
``taken``; ``turn`` is who moves:

sound   whether a game can lead to such a board
end     -1 while the game goes on, else who has won, or 2 for a draw
places  the squares that can be taken
play    ``own`` and ``taken`` of the other side after a stone on a square
fold    ``own`` and ``taken`` of the representative of the board and its images
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from zermelo.kernel.bits import ONE, ZERO, lowest, popcount, word
from zermelo.proof.claim import DRAWN
from zermelo.proof.rules.base import CHUNK, BoardRules, Images, RulesOf
from zermelo.proof.rules.connect_four import ConnectFourRules
from zermelo.proof.rules.hex import HexRules
from zermelo.proof.rules.othello import MIDDLE, OthelloRules

Array = np.ndarray[Any, Any]
WORD = 64
LOW = word((1 << CHUNK) - 1)
CHUNK_BITS = word(CHUNK)
INNER = word(MIDDLE)
STEPS = (8, 1, 7, 9)


class Tables(NamedTuple):
    """``numbers`` are those of the game; ``shifts`` of lines; ``near`` squares in rows; ``images``
    of a part of the board under a symmetry (see ``Images``)."""

    squares: Any
    numbers: Array
    shifts: Array
    near: Array
    images: Array


class CompiledGame(NamedTuple):
    """A game as the kernels take it. ``passes``: whoever can't move passes."""

    tables: Tables
    functions: tuple[Callable[..., Any], ...]
    passes: bool


def compiled_rules(rules: RulesOf) -> CompiledGame | None:
    """The game of ``rules``; None where it can't be checked here."""
    if isinstance(rules, BoardRules) and rules.bits <= WORD:
        for kind, make in ((ConnectFourRules, _connect_four), (HexRules, _hex),
                           (OthelloRules, _othello)):
            if type(rules) is kind:
                return make(rules)
    return None


def _tables(rules: BoardRules, numbers: Any = (0,), shifts: Any = ((0,),), near: Any = ((0,),),
            images: Images | None = None) -> Tables:
    parts = images.tables if images else [[0]]
    found = np.zeros((len(parts), max(map(len, parts))), np.uint64)
    for row, part in zip(found, parts, strict=True):
        row[: len(part)] = part
    return Tables(word(rules.squares), np.array(numbers, np.uint64), np.array(shifts, np.uint64),
                  np.array(near, np.uint64), found)


def _image(images, stones):
    found = ZERO
    for part in range(images.shape[0]):
        found |= images[part, stones & LOW]
        stones >>= CHUNK_BITS
    return found


def _put(t, own, taken, square):
    """A stone, and the other side moves."""
    return taken ^ own, taken | ONE << word(square)


def _always(t, own, taken):
    return True


def _connect_four(rules: Any) -> CompiledGame:
    widest = max(len(rest) for _, rest in rules.shifts) if rules.shifts else 0
    lines = [[first, *rest, *[0] * (widest - len(rest))] for first, rest in rules.shifts]
    return CompiledGame(
        _tables(rules, [rules.floor], np.array(lines, np.uint64).reshape(len(lines), widest + 1),
                images=rules.mirror),
        (_no_hanging_stone, _line_end, _lowest_empty, _put, _mirrored), False)


def _no_hanging_stone(t, own, taken):
    return taken & (taken + t.numbers[0]) == ZERO


def _line_end(t, own, taken, turn):
    stones = own ^ taken
    for k in range(t.shifts.shape[0]):
        found = stones
        for j in range(t.shifts.shape[1]):
            found &= found >> t.shifts[k, j]
        if found != ZERO:
            return 1 - turn
    return DRAWN if taken == t.squares else -1


def _lowest_empty(t, own, taken):
    return (taken + t.numbers[0]) & t.squares


def _mirrored(t, own, taken, turn):
    if _image(t.images, own + taken) < own + taken:
        return _image(t.images, own), _image(t.images, taken)
    return own, taken


def _hex(rules: Any) -> CompiledGame:
    edges = [edge for side in rules.edges for edge in side]
    return CompiledGame(_tables(rules, edges, near=[rules.near], images=rules.half_turn),
                        (_always, _joined_end, _empty, _put, _turned_round), False)


def _joined_end(t, own, taken, turn):
    stones = own ^ taken
    player = 1 - turn
    goal = t.numbers[2 * player + 1]
    todo = stones & t.numbers[2 * player]
    rest = stones ^ todo
    while todo != ZERO:
        at = lowest(todo)
        stone = ONE << word(at)
        if stone & goal != ZERO:
            return player
        more = t.near[0, at] & rest
        rest ^= more
        todo = (todo ^ stone) | more
    return -1


def _empty(t, own, taken):
    return t.squares & ~taken


def _turned_round(t, own, taken, turn):
    other = own ^ taken
    x, o = (other, own) if turn else (own, other)
    there, then = _image(t.images, x), _image(t.images, o)
    if there < x or (there == x and then < o):
        x, o = there, then
    return (o if turn else x), x | o


def _othello(rules: Any) -> CompiledGame:
    rays = np.zeros((WORD, 8 * 8), np.uint64)  # way by way, each ended by a zero
    for square, ways in rules.rays.items():
        for k, ray in enumerate(ways):
            rays[square, 8 * k : 8 * k + len(ray)] = ray
    return CompiledGame(
        _tables(rules, [rules.rows - 3, int(rules.passes)], near=rays,
                images=rules.images.transposed),
        (_always, _no_place_end, _behind_runs, _turn_discs, _least_of_eight), rules.passes)


def _behind(t, own, other):
    found = ZERO
    for k in range(4):
        discs = other if k == 0 else other & INNER
        step = word(STEPS[k])
        up, down = own << step & discs, own >> step & discs
        for _ in range(t.numbers[0]):
            up |= up << step & discs
            down |= down >> step & discs
        found |= up << step | down >> step
    return found & t.squares & ~(own | other)


def _behind_runs(t, own, taken):
    return _behind(t, own, taken ^ own)


def _no_place_end(t, own, taken, turn):
    other = taken ^ own
    if _behind(t, own, other) != ZERO:
        return -1
    if _behind(t, other, own) != ZERO:
        return -1 if t.numbers[1] != ZERO else 1 - turn
    lead = popcount(own) - popcount(other)
    if lead == 0:
        return DRAWN
    return turn if lead > 0 else 1 - turn


def _turn_discs(t, own, taken, square):
    other = taken ^ own
    found = ZERO
    for k in range(8):
        run = ZERO
        for j in range(8):
            bit = t.near[square, 8 * k + j]
            if bit == ZERO:
                break
            if other & bit != ZERO:
                run |= bit
                continue
            if own & bit != ZERO:
                found |= run
            break
    return other & ~found, taken | ONE << word(square)


M1, M2, M4 = word(0x5555555555555555), word(0x3333333333333333), word(0x0F0F0F0F0F0F0F0F)
B1, B2 = word(0x00FF00FF00FF00FF), word(0x0000FFFF0000FFFF)
S1, S2, S4, S8, S16, S32 = (word(1 << k) for k in range(6))


def _columns_mirrored(x):
    x = (x >> S1 & M1) | (x & M1) << S1
    x = (x >> S2 & M2) | (x & M2) << S2
    return (x >> S4 & M4) | (x & M4) << S4


def _upside_down(x):
    x = (x >> S8 & B1) | (x & B1) << S8
    x = (x >> S16 & B2) | (x & B2) << S16
    return x >> S32 | x << S32


def _one_of_eight(t, k, x):
    if k & 1:
        x = _image(t.images, x)
    if k & 2:
        x = _columns_mirrored(x)
    if k & 4:
        x = _upside_down(x)
    return x


def _least_of_eight(t, own, taken, turn):
    other = taken ^ own
    least, then = own, other
    for k in range(1, 8):
        image = _one_of_eight(t, k, own)
        if image <= least:
            there = _one_of_eight(t, k, other)
            if image < least or there < then:
                least, then = image, there
    return least, least | then
