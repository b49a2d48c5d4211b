"""Connect Four as a user's own file: no privileges, the speed of the built-in game.

    zermelo solve examples/connect_four_copy.py:ConnectFour 444444

The board is a pair of 64-bit words. Column c has bits 7c (bottom) to 7c + 5 (top); bit 7c + 6 stays
empty, so that shifted lines don't run into the next column. ``own`` are the stones of the player to
move, ``mask`` all stones. A playout of its own makes the searches that need playouts fast.
"""

from zermelo import DRAW, FIRST_WINS, ONGOING, Game, Rules
from zermelo.kernel.bits import mix, popcount, word
from zermelo.kernel.rng import next_counter

COLUMNS, ROWS, PITCH, CELLS = 7, 6, 7, 42
ZERO, ONE, NIBBLE = word(0), word(1), word(15)
COLUMN = word(0b111111)
BOTTOM = sum(1 << (PITCH * c) for c in range(COLUMNS))
TOP, FULL = word(BOTTOM << (ROWS - 1)), word(BOTTOM * 0b111111)
ALL_COLUMNS = word(0x6543210)


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


def playout(g, s, rng, scratch):
    """Random stones to the end; the open columns stand in a word, four bits each."""
    own, mask, turn, counter = s.own, s.mask, s.turn, rng[0]
    columns, n = ALL_COLUMNS, COLUMNS
    for back in range(COLUMNS):
        c = COLUMNS - 1 - back
        if (mask >> (PITCH * c + ROWS - 1)) & ONE:
            n -= 1
            columns ^= (((columns >> (4 * n)) & NIBBLE) ^ word(c)) << (4 * c)
    end = DRAW
    for _ in range(CELLS - popcount(mask)):
        counter = next_counter(counter)
        slot = word(4) * (((mix(counter) >> 32) * word(n)) >> 32)
        chosen = (columns >> slot) & NIBBLE
        shift = chosen * word(PITCH)
        stone = (mask + (ONE << shift)) & (COLUMN << shift)
        own |= stone
        mask |= stone
        if has_line(own):
            end = FIRST_WINS + turn
            break
        own ^= mask
        turn = 1 - turn
        if stone & TOP:  # the last open column takes the place of the full one
            n -= 1
            columns ^= (((columns >> (4 * n)) & NIBBLE) ^ chosen) << slot
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
