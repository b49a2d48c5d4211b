"""The checker with most of its work done by machine code, for three games.

A record is seen to be right, or it is left to the plain checker: nothing is refused here, and no
reason need be given. In these games the sides take turns, be it by a pass.

The rules are the plain ones of ``proof.rules`` line by line, with whole numbers of 64 bits and
tables that are made from these. A game is five functions of its tables ``t`` and of a board, as
``own`` and ``taken``; ``turn`` is the player to move:

sound   True if a game can lead to such a board
end     -1 while the game goes on, else the winner, or 2 for a draw
places  the squares that can be taken
play    ``own`` and ``taken`` of the other side after a stone on a square
fold    ``own`` and ``taken`` of the representative of the board and its images
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from zermelo.compiler.jit import kernel
from zermelo.errors import BadOption
from zermelo.kernel.bits import ONE, ZERO, lowest, mix, popcount, word
from zermelo.proof.budget import CheckBudget
from zermelo.proof.check import Checker
from zermelo.proof.header import DRAWN, Claim
from zermelo.proof.read import RecordTable
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
FALSE, UNKNOWN, LEFT = -1, -2, -3
TURN = word(0x9E3779B97F4A7C15)
MOST_SEARCH = 1_000_000  # positions of a search; larger ones are left to the plain checker
AT_ONCE = 1_000_000  # positions, at most, before the clock and Ctrl-C are looked at again
RECORD_BYTES = 24  # what the compiled checker keeps of a record, beside the table
SEARCH_BYTES = 120  # and of a position of a search


class RuleTables(NamedTuple):
    """``numbers`` are those of the game; ``shifts`` of lines; ``near`` squares in rows; ``images``
    of a part of the board under a symmetry (see ``Images``)."""

    squares: Any
    numbers: Array
    shifts: Array
    near: Array
    images: Array


class CompiledGame(NamedTuple):
    """A game as the kernels take it. ``passes``: a player without a move passes."""

    tables: RuleTables
    functions: tuple[Callable[..., Any], ...]
    passes: bool


def compiled_rules(rules: RulesOf) -> CompiledGame | None:
    """Return the game of ``rules``; None where it can't be checked here."""
    if isinstance(rules, BoardRules) and rules.bits <= WORD:
        for kind, make in ((ConnectFourRules, _connect_four), (HexRules, _hex),
                           (OthelloRules, _othello)):
            if type(rules) is kind:
                return make(rules)
    return None


def _tables(rules: BoardRules, numbers: Any = (0,), shifts: Any = ((0,),), near: Any = ((0,),),
            images: Images | None = None) -> RuleTables:
    parts = images.tables if images else [[0]]
    found = np.zeros((len(parts), max(map(len, parts))), np.uint64)
    for row, part in zip(found, parts, strict=True):
        row[: len(part)] = part
    return RuleTables(word(rules.squares), np.array(numbers, np.uint64),
                      np.array(shifts, np.uint64), np.array(near, np.uint64), found)


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


class Records(NamedTuple):
    """All records of a claim: taken squares, and the second words; where each is found, by the hash
    of its key, with one more than its number; the longest lines; which ends are as claimed."""

    taken: Array
    second: Array
    places: Array
    lengths: Array
    good: Array


class Memory(NamedTuple):
    """The memory of one search: the positions it has seen (``boards``: own and taken; ``turns``),
    what is ``known`` of them, by ``stamps`` the last search that used a place; the present line
    (``squares``: own, taken, what is still to be tried; ``frames``: the mover, the longest line so
    far, whether a pass is still to be tried); ``state``: the number of this search, and how many
    positions it has seen."""

    boards: Array
    turns: Array
    known: Array
    stamps: Array
    squares: Array
    frames: Array
    state: Array


def memory(limit: int) -> Memory:
    """Return the memory for searches of ``limit`` positions."""
    places = 1 << (2 * limit).bit_length()
    return Memory(np.zeros((places, 2), np.uint64), np.zeros(places, np.int8),
                  np.zeros(places, np.int32), np.zeros(places, np.int64),
                  np.zeros((limit + 1, 3), np.uint64), np.zeros((limit + 1, 3), np.int64),
                  np.zeros(2, np.int64))


def _hashed(own, taken):
    return mix(taken ^ mix(own ^ TURN))


def _place_of(m, own, taken, turn, stamp):
    """Return the place of a position in the memory of a search, or where it belongs."""
    mask = len(m.turns) - 1
    at = np.int64(_hashed(own, taken) >> ONE) & mask
    while m.stamps[at] == stamp and not (
            m.boards[at, 0] == own and m.boards[at, 1] == taken and m.turns[at] == turn):
        at = (at + 1) & mask
    return at


def _found(records, own, taken):
    """Return the number of the record with this key, or -1."""
    mask = len(records.places) - 1
    at = np.int64(_hashed(own, taken) >> ONE) & mask
    while records.places[at] != 0:
        number = np.int64(records.places[at]) - 1
        if records.taken[number] == taken and records.second[number] & taken == own:
            return number
        at = (at + 1) & mask
    return np.int64(-1)


@cache
def index_kernel() -> Any:
    """``fill(records)``: each record into the index."""
    def fill(records):
        mask = len(records.places) - 1
        for number in range(len(records.taken)):
            taken = records.taken[number]
            at = np.int64(_hashed(records.second[number] & taken, taken) >> ONE) & mask
            while records.places[at] != 0:
                at = (at + 1) & mask
            records.places[at] = number + 1
        return 0

    return kernel(fill)


@cache
def check_kernel(functions: Any, passes: bool, folded: bool) -> Any:
    """``check(t, records, numbers, prover, limit, m, left, counts)``: of the records with these
    numbers those that are not seen to be right go into ``left``; how many these are. ``counts``:
    positions looked at, records that were searched."""
    sound, end, places, play, fold = functions

    def note(m, own, taken, turn, stamp, worth):
        at = _place_of(m, own, taken, turn, stamp)
        m.boards[at, 0], m.boards[at, 1], m.turns[at] = own, taken, turn
        m.stamps[at], m.known[at] = stamp, worth

    def entered(t, good, m, own, taken, turn, depth, stamp):
        """Look at a position: a frame more if it goes on, else what it is worth is known."""
        ended = end(t, own, taken, turn)
        squares = ZERO
        if ended < 0:
            squares = places(t, own, taken)
            if squares == ZERO and not passes:
                ended = 1 - turn
        if ended >= 0:
            note(m, own, taken, turn, stamp, 0 if good[ended] else FALSE)
            return depth
        m.squares[depth, 0], m.squares[depth, 1], m.squares[depth, 2] = own, taken, squares
        m.frames[depth, 0], m.frames[depth, 1] = turn, UNKNOWN
        m.frames[depth, 2] = 1 if squares == ZERO else 0
        return depth + 1

    def settled(t, good, m, own, taken, prover, limit):
        """The longest line from a position where the prover moves; FALSE or LEFT where the claim
        is not seen to hold."""
        m.state[0] += 1
        stamp, seen = m.state[0], 1
        depth = entered(t, good, m, own, taken, prover, 0, stamp)
        while depth > 0:
            squares, frame = m.squares[depth - 1], m.frames[depth - 1]
            now, full, turn = squares[0], squares[1], frame[0]
            if squares[2] == ZERO and frame[2] == 0:
                note(m, now, full, turn, stamp, FALSE if frame[1] == UNKNOWN else frame[1])
                depth -= 1
                continue
            if squares[2] == ZERO:
                after, then = full ^ now, full
            else:
                after, then = play(t, now, full, lowest(squares[2]))
            at = _place_of(m, after, then, 1 - turn, stamp)
            if m.stamps[at] != stamp:
                if seen >= limit:
                    return LEFT
                seen += 1
                depth = entered(t, good, m, after, then, 1 - turn, depth, stamp)
                continue
            found = np.int64(m.known[at])
            if squares[2] != ZERO:
                squares[2] &= squares[2] - ONE
            frame[2] = 0
            if found == FALSE:
                if turn != prover:  # a reply that refutes the claim
                    squares[2], frame[1] = ZERO, FALSE
            elif turn == prover:  # a move that works
                squares[2], frame[1] = ZERO, found + 1
            else:
                frame[1] = max(frame[1], found + 1)
        m.state[1] = seen
        return np.int64(m.known[_place_of(m, own, taken, prover, stamp)])

    def covered(t, records, own, taken, prover, counts):
        """The longest line after the prover's move; LEFT where it is not seen to be covered."""
        good, lengths = records.good, records.lengths
        turn = 1 - prover
        seen = 1
        ended = end(t, own, taken, turn)
        if ended >= 0:
            counts[0] += seen
            return 1 if good[ended] else LEFT
        squares = places(t, own, taken)
        one_pass = squares == ZERO and passes
        if squares == ZERO and not passes:
            counts[0] += seen
            return 1 if good[prover] else LEFT
        longest = 0
        while squares != ZERO or one_pass:
            if one_pass:
                after, then = taken ^ own, taken
            else:
                after, then = play(t, own, taken, lowest(squares))
            seen += 1
            ended = end(t, after, then, prover)
            if ended >= 0:
                if not good[ended]:
                    return LEFT
                longest = max(longest, 2)
            else:
                if folded:
                    after, then = fold(t, after, then, prover)
                number = _found(records, after, then)
                if number < 0:
                    return LEFT
                if len(lengths) > 0:
                    longest = max(longest, 2 + lengths[number])
            one_pass = False
            squares &= squares - ONE if squares != ZERO else ZERO
        counts[0] += seen
        return longest

    def one(t, records, number, prover, limit, m, counts):
        """The longest line from a record, or LEFT."""
        taken, second = records.taken[number], records.second[number]
        own = second & taken
        rest = second ^ own
        free = t.squares & ~taken
        if taken & ~t.squares != ZERO or rest & ~free != ZERO or not sound(t, own, taken):
            return LEFT
        if end(t, own, taken, prover) >= 0:
            return LEFT
        several = free & (free - ONE) != ZERO if free != ZERO else False
        search = rest == free if rest != ZERO and rest & (rest - ONE) != ZERO else (
            rest == ZERO and not several)
        if search:
            length = settled(t, records.good, m, own, taken, prover, limit)
            if length < 0:
                return LEFT
            counts[0] += m.state[1]
            counts[1] += 1
            return length
        squares = places(t, own, taken)
        if rest == ZERO:
            if not passes or squares != ZERO:
                return LEFT
            after, then = taken ^ own, taken
        else:
            if rest & (rest - ONE) != ZERO or rest & squares == ZERO:
                return LEFT
            after, then = play(t, own, taken, lowest(rest))
        length = covered(t, records, after, then, prover, counts)
        if length >= 0:
            counts[0] += 1
        return length

    def check(t, records, numbers, prover, limit, m, left, counts):
        waiting = 0
        for k in range(len(numbers)):
            number = numbers[k]
            length = one(t, records, number, prover, limit, m, counts)
            if length < 0:
                left[waiting] = number
                waiting += 1
            elif len(records.lengths) > 0:
                records.lengths[number] = length
        return waiting

    return kernel(check)


def check_possible(rules: RulesOf, game: str) -> None:
    """Raise BadOption where a game can't be checked by machine code."""
    if compiled_rules(rules) is None:
        raise BadOption(f"rules='compiled' is for connect-four, hex and othello on boards of at "
                        f"most 64 squares, not for {game} with these parameters.")


class CompiledChecker(Checker):
    """Checks records by machine code, and as its parent those that are not seen to be right."""

    def __init__(self, rules: RulesOf, claim: Claim, table: RecordTable, search: int,
                 budget: CheckBudget | None = None) -> None:
        super().__init__(rules, claim, table, search, budget)
        game = compiled_rules(rules)
        assert game is not None
        assert isinstance(rules, BoardRules)
        self.game, self.squares = game, rules.squares
        self.kernel = check_kernel(game.functions, game.passes, rules.folded)
        self.limit = min(search, MOST_SEARCH)
        self.budget.hold(RECORD_BYTES * len(table.keys) + SEARCH_BYTES * self.limit)
        self.memory = memory(self.limit)
        self.words = self._words(rules)

    def _words(self, rules: BoardRules) -> Records:
        """Return the records as two whole numbers each, and their index."""
        rows, size = self.table.records, rules.size
        both = []
        for part in (rows[:, :size], rows[:, size : 2 * size]):
            wide = np.zeros((len(rows), 8), np.uint8)
            wide[:, 8 - size :] = part
            both.append(wide.view(">u8").ravel().astype(np.uint64))
        good = np.array(self.good, np.bool_)
        index = np.zeros(1 << (2 * len(rows)).bit_length(), np.uint32)
        records = Records(both[0], both[1], index, np.empty(0, np.int32), good)
        index_kernel()(records)
        return records

    def batch(self, numbers: Any) -> None:
        """Check the records with these numbers; Fails comes from the plain checker."""
        if len(self.table.ranks):  # these games need none
            super().batch(numbers)
            return
        for some in self._parts(np.ascontiguousarray(numbers, np.int64)):
            self.budget.look()
            self._some(some)

    def _parts(self, numbers: Any) -> list[Any]:
        """Return the numbers in parts whose searches take at most AT_ONCE positions."""
        taken, second = self.words.taken[numbers], self.words.second[numbers]
        free = np.uint64(self.squares) & ~taken
        several = free & (free - np.uint64(1)) != 0  # a single one is just a move
        positions = np.cumsum(np.where(several & (second & ~taken == free), self.limit, 1))
        return np.split(numbers, np.flatnonzero(np.diff(positions // AT_ONCE)) + 1)

    def _some(self, numbers: Any) -> None:
        """Check these in one go of the machine code."""
        left, counts = np.zeros(len(numbers), np.int64), np.zeros(2, np.int64)
        # The lengths are those of the table, which several processes have in a file.
        words = self.words._replace(lengths=np.asarray(self.table.lengths))
        waiting = self.kernel(self.game.tables, words, numbers, self.prover, self.limit,
                              self.memory, left, counts)
        self.positions += int(counts[0])
        self.searched += int(counts[1])
        if waiting:
            super().batch(left[:waiting])
