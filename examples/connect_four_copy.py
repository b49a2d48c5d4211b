"""Connect Four as a user's own file: no privileges, the speed of the built-in game.

    zermelo solve examples/connect_four_copy.py:ConnectFour 444444

The board is a pair of 64-bit words. Column c has bits 7c (bottom) to 7c + 5 (top); bit 7c + 6 stays
empty, so that shifted lines don't run into the next column. ``own`` are the stones of the player to
move, ``mask`` all stones.

The rules end with ``key``. The rest is for speed alone: the symmetry of the board; what one can
know about a position without searching, ``forced`` to ``remaining``; how good it looks,
``evaluate``; and random games, which would otherwise be played with ``moves`` and ``play``.
"""

from zermelo import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Game, Rules
from zermelo.kernel.bits import mix, popcount, word
from zermelo.kernel.rng import next_counter

COLUMNS, ROWS, PITCH, CELLS = 7, 6, 7, 42
ZERO, ONE, BYTE, HALF = word(0), word(1), word(0xFF), word(32)
LOW, ALL = word(0xFFFFFFFF), word(0xFFFFFFFFFFFFFFFF)
BOTTOM = sum(1 << (PITCH * c) for c in range(COLUMNS))
COLUMN, TOP, FULL = word(0b111111), word(BOTTOM << (ROWS - 1)), word(BOTTOM * 0b111111)
ABOVE = word(BOTTOM << ROWS)  # the bit over each column
LOWER = word(BOTTOM * 0b010101)  # with 2, 4 or 6 empty squares in a column: the first of each pair
LOWEST_ROW = word(BOTTOM)
CENTRE_FIRST = tuple((c, word(0b111111 << (PITCH * c))) for c in (3, 2, 4, 1, 5, 0, 6))
ALL_COLUMNS = word(sum((PITCH * c) << (8 * c) for c in range(COLUMNS)))
# How many lines of four run through each square, columns from left to right, upwards.
LINES_THROUGH = ((3, 4, 5, 5, 4, 3), (4, 6, 8, 8, 6, 4), (5, 8, 11, 11, 8, 5),
                 (7, 10, 13, 13, 10, 7), (5, 8, 11, 11, 8, 5), (4, 6, 8, 8, 6, 4),
                 (3, 4, 5, 5, 4, 3))
# The squares whose number has bit k: a stone there is worth 2**k, and so on for the other bits.
WORTH = tuple(word(sum(1 << (PITCH * c + r) for c in range(COLUMNS) for r in range(ROWS)
                       if LINES_THROUGH[c][r] >> k & 1)) for k in range(4))


def lines(stones):
    """Where four in a row begin: pairs, then pairs of pairs."""
    up, flat = stones & (stones >> 1), stones & (stones >> 7)
    rise, fall = stones & (stones >> 8), stones & (stones >> 6)
    return (up & (up >> 2)) | (flat & (flat >> 14)) | (rise & (rise >> 16)) | (fall & (fall >> 12))


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
    if lines(s.own ^ s.mask) != ZERO:
        return SECOND_WINS - s.turn
    return DRAW if s.mask == FULL else ONGOING


def key(g, s):
    """The sum has one value for every filling of a column; the mover takes the top bit."""
    return (s.own + s.mask) | (word(s.turn) << 63)


def mirror(stones):
    """The board with left and right exchanged."""
    image = ZERO
    for c in range(COLUMNS):
        image |= ((stones >> (PITCH * c)) & COLUMN) << (PITCH * (COLUMNS - 1 - c))
    return image


def canonical(g, s, t):
    """A position and its mirror image are one: the one with the smaller key stands for both."""
    own, mask = mirror(s.own), mirror(s.mask)
    t.turn = s.turn
    if own + mask < s.own + s.mask:
        t.own, t.mask = own, mask
        return 1
    t.own, t.mask = s.own, s.mask
    return 0


def move_image(g, k, move):
    """The same move on the other side, if ``canonical`` has exchanged the sides."""
    return COLUMNS - 1 - move if k else move


def along(stones, step):
    """Squares next to three stones in one direction, or in the gap of such a three."""
    after, pairs = stones >> step, stones & (stones >> step)
    ends = (pairs >> step) & ((stones >> (3 * step)) | (stones << step))
    return ends | ((pairs << (2 * step)) & ((stones << (3 * step)) | after))


def completing(stones):
    """Squares that make four in a row with ``stones``."""
    up = (stones << 1) & (stones << 2) & (stones << 3)
    return (up | along(stones, 7) | along(stones, 6) | along(stones, 8)) & FULL


def worth_trying(own, mask):
    """The squares of the moves that do not lose at once; a single one if it wins or if it must."""
    playable, theirs = (mask + LOWEST_ROW) & FULL, completing(own ^ mask)
    wins, threats = completing(own) & playable, theirs & playable
    safe = playable & ~(theirs >> 1)  # not below a square where the opponent wins
    one = wins if wins != ZERO else threats
    one = one if (one | safe) != ZERO else playable
    return one & ~(one - ONE) if one != ZERO else safe


def forced(g, s, out):
    """Those moves, from the centre outwards."""
    squares = worth_trying(s.own, s.mask)
    n = 0
    for c, column in CENTRE_FIRST:
        out[n] = c
        n += (squares & column) != ZERO
    return n


def estimate(g, s):
    """The mover has to find one of them, the opponent to answer them all."""
    return 1, popcount(worth_trying(s.own, s.mask))


def barred(own, mask, moving):
    """The mover (``moving``) or the opponent has no line left, or the other side follows up."""
    empty = FULL & ~mask
    stones, reach = own, empty
    if not moving:
        stones = own ^ mask
    if (popcount(empty) + (not moving)) & 1 == 0:
        odd = (mask + LOWEST_ROW) & FULL & ~LOWER
        if not moving and odd & (odd - ONE) == ZERO:
            odd = ZERO
        reach = (empty & LOWER) | odd
    return lines(stones | reach) == ZERO


def follower_wins(own, mask):
    """Following up is enough for the player who is not to move to win."""
    other, empty = own ^ mask, FULL & ~mask
    odd = (mask + LOWEST_ROW) & FULL & ~LOWER
    low = (empty & LOWER) | odd
    if popcount(empty) & 1 == 0:
        return lines(other | (empty & ~low)) != ZERO and lines(own | low) == ZERO
    goals = completing(other) & empty & LOWER & (ABOVE - odd)
    if goals == ZERO:
        return False
    for _, column in CENTRE_FIRST:
        squares = goals & column
        while squares != ZERO:
            goal = squares & ~(squares - ONE)
            squares ^= goal
            under = empty & ~LOWER & column & (goal - ONE)
            if lines(own | (low & ~column) | under) == ZERO:
                return True
    return False


def after_forced(own, mask):
    """Play forced moves; then whether the mover wins (1), loses (2), draws (3) or has a choice."""
    plies = 0
    while True:
        playable, theirs = (mask + LOWEST_ROW) & FULL, completing(own ^ mask)
        if completing(own) & playable != ZERO:
            return own, mask, plies, 1
        threats, squares = theirs & playable, playable & ~(theirs >> 1)
        if threats != ZERO:
            squares &= threats if threats & (threats - ONE) == ZERO else ZERO
        if squares == ZERO:
            return own, mask, plies, 2 if playable != ZERO else 3
        if squares & (squares - ONE) != ZERO:
            return own, mask, plies, 0
        own, mask, plies = own ^ mask, mask | squares, plies + 1


def cannot_win(g, s, side):
    """No line is left, or the other side can follow up in every column."""
    return barred(s.own, s.mask, side == s.turn)


def foreseen(g, s, side):
    """Who wins, where forced moves and following up decide it."""
    own, mask, plies, end = after_forced(s.own, s.mask)
    moving = (side == s.turn) == (plies & 1 == 0)
    if end != 0:
        return 1 if end < 3 and (end == 1) == moving else -1
    if barred(own, mask, moving):
        return -1
    if follower_wins(own, mask):
        return -1 if moving else 1
    return 0


def remaining(g, s):
    """The empty squares."""
    return popcount(FULL & ~s.mask)


def evaluate(g, s):
    """The lines that run through the stones of the player to move, less the opponent's."""
    points = 0
    for k, squares in enumerate(WORTH):
        points += (popcount(s.own & squares) - popcount((s.own ^ s.mask) & squares)) << k
    return points


def without(columns, n, slot):
    """The list of columns with its last entry, number n, moved to ``slot``."""
    last = (columns >> (word(8) * n)) & BYTE
    return columns ^ ((last ^ ((columns >> slot) & BYTE)) << slot)


def open_columns(mask):
    """The columns that are not full: a word with a byte for each, its lowest bit; how many."""
    columns, n = ALL_COLUMNS, word(COLUMNS)
    c = COLUMNS - 1
    while c >= 0:
        if (mask >> word(PITCH * c + ROWS - 1)) & ONE:
            n -= ONE
            columns = without(columns, n, word(8 * c))
        c -= 1
    return columns, n


def playout(g, s, rng, scratch):
    """One random game: 32 random bits pick one of the open columns."""
    own, other, mask, counter = s.own, s.own ^ s.mask, s.mask, rng[0]
    columns, n = open_columns(mask)
    end = DRAW
    while n != ZERO:
        counter = next_counter(counter)
        bits = mix(counter)  # half of them for each player
        slot = (((bits >> HALF) * n) >> HALF) * word(8)
        column = (columns >> slot) & BYTE
        stone = (mask + (ONE << column)) & (COLUMN << column)
        own |= stone
        if lines(own) != ZERO:
            end = FIRST_WINS + s.turn
            break
        mask |= stone
        if stone & TOP:
            n -= ONE
            columns = without(columns, n, slot)
            if n == ZERO:
                break
        slot = (((bits & LOW) * n) >> HALF) * word(8)
        column = (columns >> slot) & BYTE
        stone = (mask + (ONE << column)) & (COLUMN << column)
        other |= stone
        if lines(other) != ZERO:
            end = SECOND_WINS - s.turn
            break
        mask |= stone
        if stone & TOP:
            n -= ONE
            columns = without(columns, n, slot)
    rng[0] = counter
    return end


def playouts(g, s, rng, n, won, scratch):
    """Many random games side by side, one in each lane: vector instructions do several at once."""
    wins, done = 0, 0
    if n < 16:
        for _ in range(n):
            wins += playout(g, s, rng, scratch) == won
        return wins
    lanes = scratch.lanes
    winner = word(1) if won == FIRST_WINS + s.turn else word(2)
    if won == DRAW:
        winner = word(3)  # which no lane has
    while done < n:
        live = min(n - done, lanes.shape[1])
        done += live
        start_lanes(s, rng, lanes, live)
        while live > 0:
            for _ in range(2):
                stone_in_every_lane(live, lanes, lanes[0], word(1))
                stone_in_every_lane(live, lanes, lanes[1], word(2))
            live, ended = drop_lanes(live, lanes, winner, won == DRAW)
            wins += ended
    return wins


def start_lanes(s, rng, lanes, count):
    """Rows of lanes: own, other, mask, open columns, how many, random bits, who made a line."""
    columns, n = open_columns(s.mask)
    counter = rng[0]
    for k in range(count):
        counter = next_counter(counter)
        lanes[0][k] = s.own
        lanes[1][k] = s.own ^ s.mask
        lanes[2][k] = s.mask
        lanes[3][k] = columns
        lanes[4][k] = n
        lanes[5][k] = mix(counter) | ONE
        lanes[6][k] = ZERO
    rng[0] = counter


def stone_in_every_lane(live, lanes, board, player):
    """No branches, so that it can be done for several lanes at once."""
    masks, lists, lengths, randoms, ends = lanes[2], lanes[3], lanes[4], lanes[5], lanes[6]
    for k in range(live):
        bits = randoms[k]
        bits ^= bits << word(13)
        bits ^= bits >> word(7)
        bits ^= bits << word(17)
        randoms[k] = bits
        n, columns, mask = lengths[k], lists[k], masks[k]
        slot = (((bits >> HALF) * n) >> HALF) << word(3)
        column = (columns >> slot) & BYTE
        stone = (mask + (ONE << column)) & (COLUMN << column)
        stones = board[k] | stone
        board[k] = stones
        masks[k] = mask | stone
        full = ALL if (stone & TOP) != ZERO else ZERO
        n -= full & ONE
        lengths[k] = n
        last = (columns >> (n << word(3))) & BYTE
        lists[k] = columns ^ (((last ^ column) & full) << slot)
        ends[k] |= player if (lines(stones) != ZERO) & (ends[k] == ZERO) else ZERO


def drop_lanes(live, lanes, winner, drawn):
    """Count the games that have ended as wanted, and close the gaps; how many go on."""
    kept, ended = 0, 0
    for k in range(live):
        end, n = lanes[6][k], lanes[4][k]
        over = (end != ZERO) | (n == ZERO)
        ended += over & ((end == winner) | (drawn & (end == ZERO)))
        for row in range(7):
            lanes[row][kept] = lanes[row][k]
        kept += not over
    return kept, ended


class ConnectFour(Game):
    """X begins; four in a row win."""

    players = ("X", "O")

    def define(self):
        """The functions above."""
        return Rules(
            state=[("own", "u8"), ("mask", "u8"), ("turn", "i8")], max_moves=COLUMNS,
            max_length=CELLS, moves=moves, play=play, mover=mover, outcome=outcome, key=key,
            exact_key=True, canonical=canonical, move_image=move_image, forced=forced,
            estimate=estimate, cannot_win=cannot_win, foreseen=foreseen, remaining=remaining,
            evaluate=evaluate, playout=playout, playouts=playouts, keeps_length=True,
        )

    def read(self, text):
        """A string of columns such as ``44455``, or the fields that ``format`` writes."""
        return super().read(text if "=" in text else " ".join(text))

    def move_name(self, position, move):
        """Columns count from 1."""
        return str(move + 1)
