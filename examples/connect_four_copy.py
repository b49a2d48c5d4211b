"""Connect Four as a user's own file: no privileges, the speed of the built-in game.

    zermelo solve examples/connect_four_copy.py:ConnectFour 444444

The board is a pair of 64-bit words. Column c has bits 7c (bottom) to 7c + 5 (top); bit 7c + 6 stays
empty, so that shifted lines don't run into the next column. ``own`` are the stones of the player to
move, ``mask`` all stones. A playout of its own makes the searches that need playouts fast.
"""

from zermelo import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Game, Rules
from zermelo.kernel.bits import mix, word
from zermelo.kernel.rng import next_counter

COLUMNS, ROWS, PITCH, CELLS = 7, 6, 7, 42
ZERO, ONE, EIGHT, BYTE, LOW = word(0), word(1), word(8), word(0xFF), word(0xFFFFFFFF)
BOTTOM = sum(1 << (PITCH * c) for c in range(COLUMNS))
COLUMN, TOP, FULL = word(0b111111), word(BOTTOM << (ROWS - 1)), word(BOTTOM * 0b111111)
ALL_COLUMNS = word(sum((PITCH * c) << (8 * c) for c in range(COLUMNS)))


def has_line(stones):
    """Four in a row: first pairs, then pairs of pairs."""
    up, flat = stones & (stones >> 1), stones & (stones >> 7)
    rise, fall = stones & (stones >> 8), stones & (stones >> 6)
    lines = (up & (up >> 2)) | (flat & (flat >> 14)) | (rise & (rise >> 16)) | (fall & (fall >> 12))
    return lines != ZERO


def moves(g, s, out):
    """The columns that are not full, from left to right."""
    n = 0
    for c in range(COLUMNS):
        if (s.mask >> (PITCH * c + ROWS - 1)) & ONE == ZERO:
            out[n] = c
            n += 1
    return n


def play(g, s, move, t):
    """Adding to a column carries into its lowest free square."""
    t.own = s.own ^ s.mask
    t.mask = s.mask | (s.mask + (ONE << word(PITCH * move)))
    t.turn = 1 - s.turn


def mover(g, s):
    """X is 0, O is 1."""
    return s.turn


def outcome(g, s):
    """Only the player who has just moved can have a new line."""
    if has_line(s.own ^ s.mask):
        return FIRST_WINS + 1 - s.turn
    return DRAW if s.mask == FULL else ONGOING


def key(g, s):
    """The sum has one value for every filling of a column; the mover takes the top bit."""
    return (s.own + s.mask) | (word(s.turn) << 63)


def without(columns, n, slot):
    """The list of columns with its last entry, number n, moved to ``slot``."""
    last = (columns >> (EIGHT * n)) & BYTE
    return columns ^ ((last ^ ((columns >> slot) & BYTE)) << slot)


def playout(g, s, rng, scratch):
    """Random stones to the end. The open columns stand in a word, a byte each: where they begin."""
    own, other, mask, counter = s.own, s.own ^ s.mask, s.mask, rng[0]
    columns, n = ALL_COLUMNS, word(COLUMNS)
    for c in range(COLUMNS - 1, -1, -1):
        if (mask >> word(PITCH * c + ROWS - 1)) & ONE:
            n -= ONE
            columns = without(columns, n, word(8 * c))
    end = DRAW
    while n != ZERO:
        counter = next_counter(counter)
        bits = mix(counter)  # 32 of them for each of the two players
        slot = (((bits >> word(32)) * n) >> word(32)) * EIGHT
        column = (columns >> slot) & BYTE
        stone = (mask + (ONE << column)) & (COLUMN << column)
        own |= stone
        if has_line(own):
            end = FIRST_WINS + s.turn
            break
        mask |= stone
        if stone & TOP:
            n -= ONE
            columns = without(columns, n, slot)
            if n == ZERO:
                break
        slot = (((bits & LOW) * n) >> word(32)) * EIGHT
        column = (columns >> slot) & BYTE
        stone = (mask + (ONE << column)) & (COLUMN << column)
        other |= stone
        if has_line(other):
            end = SECOND_WINS - s.turn
            break
        mask |= stone
        if stone & TOP:
            n -= ONE
            columns = without(columns, n, slot)
    rng[0] = counter
    return end


class ConnectFour(Game):
    """X begins; four in a row win."""

    players = ("X", "O")

    def define(self):
        """The functions above."""
        return Rules(
            state=[("own", "u8"), ("mask", "u8"), ("turn", "i8")], max_moves=COLUMNS,
            max_length=CELLS, moves=moves, play=play, mover=mover, outcome=outcome, key=key,
            exact_key=True, playout=playout,
        )

    def read(self, text):
        """A string of columns such as ``44455``, or the fields that ``format`` writes."""
        return super().read(text if "=" in text else " ".join(text))

    def move_name(self, position, move):
        """Columns count from 1."""
        return str(move + 1)
