"""The threat search: does the attacker win by threats that leave no choice?

The unit is the turn. Where the attacker moves, it is tried whether a line can be completed now; if
not, every turn that makes at least as many threats as the defender has stones per turn, and leaves
the defender no line to complete. Where the defender moves, every way to stop all threats is tried:
any other reply loses at once. A turn that makes more threats than that wins with the next one.
Searches for wins within 1, 2, 3 ... turns follow each other, so the first win found is a shortest
of its kind. The path lies in arrays: the loop can stop anywhere and go on later.

The table has what is known about the attacker's positions. An entry is four words: two hashes of
the position, which must both agree, the winning turn, and two numbers of turns: within how many a
win is known, and within how many it is known that there is none.
"""

from typing import Any, NamedTuple

import numpy as np

from zermelo.core.rules import EMPTY, Array
from zermelo.kernel.bits import bare, word
from zermelo.search.reasons import (
    CANDIDATES,
    DEEPER,
    GROW,
    NEVER,
    NODES,
    SLICE,
    SOLVED,
    UNKNOWN,
    WON,
)
from zermelo.search.threats.line_counts import (
    FULL,
    LIVE,
    LineCounts,
    Stops,
    change,
    change_row,
    list_stops,
    threats,
)
from zermelo.search.threats.turns import MOST_STONES, Turns, find_turns, open_to, sort_turns

FRAME = np.dtype([
    ("turns", "i8"), ("begin", "i8"), ("end", "i8"), ("at", "i8"), ("first", "u8"),
    ("second", "u8"), ("cut", "i8"),
])
CONTROL = np.dtype([
    ("attacker", "i8"), ("mover", "i8"), ("left", "i8"), ("level", "i8"), ("phase", "i8"),
    ("cut", "i8"), ("turns", "i8"), ("most", "i8"), ("nodes", "i8"), ("expansions", "i8"),
    ("limit", "i8"), ("status", "i8"), ("kept", "i8"), ("full", "i8"), ("turn", "u8"),
    ("pause", "i8"),
])
ENTER, NEXT, LEAVE_WON, LEAVE_LOST = range(4)
NONE = word(0)
FOREVER = 0xFFFF  # there is no win by threats within any number of turns
LOW, SHIFT = word(FOREVER), word(16)


class ThreatArrays(NamedTuple):
    """A search in progress: stones, threats, turns, the path, the table, and where it stands."""

    counts: LineCounts
    stops: Stops
    turns: Turns
    frames: Array
    table: Array
    control: Array


def stones_of(x, level):
    """The stones of the turn that is due at ``level``."""
    return x.control[0].left if level == 0 else x.counts.per_turn[0]


def attacks(x, level):
    """Return True if the attacker moves at ``level``."""
    return (level % 2 == 0) == (x.control[0].mover == x.control[0].attacker)


def completed(c, side, m):
    """A line that ``m`` stones complete now, or -1.

    The first turn of a game may be longer than the others: then the line need not be live.
    """
    longer, n = m > c.per_turn[0], c.sizes[side, LIVE]
    for at in range(len(c.sets) if longer else n):
        line = at if longer else c.lists[side, LIVE, at]
        if c.sets.shape[1] - c.stones[side, line] <= m and (not longer or open_to(c, side, line)):
            return line
    return -1


def write_completion(x, line, row):
    """The empty squares of a line as a turn; where fewer stones do, the game is over then."""
    c, n = x.counts, 0
    for i in range(MOST_STONES):
        x.turns.moves[row, i] = FULL
    for j in range(c.sets.shape[1]):
        if c.owner[c.sets[line, j]] == EMPTY:
            x.turns.moves[row, n] = c.sets[line, j]
            n += 1


def lost(x, cut):
    """The attacker does not win within the turns allowed; ``cut``: with more it might."""
    x.control[0].cut = cut
    return LEAVE_LOST


def remember(x, level, win, none, turn):
    """Note what is known about the attacker's position at ``level``."""
    frame = x.frames[level]
    if stones_of(x, level) == x.counts.per_turn[0]:
        x.control[0].kept += keep(x.table, frame.first, frame.second, win, none, turn)
    if level == 0:
        x.control[0].turn = turn


def enter_attacker(x, level):
    """Work out a position of the attacker; return the phase that follows."""
    c, frame, control = x.counts, x.frames[level], x.control[0]
    side, m = control.attacker, stones_of(x, level)
    line = completed(c, side, m)
    if line >= 0:
        if level == 0:
            write_completion(x, line, frame.begin)
            control.turn = x.turns.words[frame.begin]
        return LEAVE_WON
    if frame.turns <= 1:
        return lost(x, 1)
    if c.sizes[1 - side, LIVE] > 0 and threats(c, x.stops, 1 - side, m) > m:
        return lost(x, 0)
    frame.first, frame.second = c.hash[0], c.hash[1]
    at = find_entry(x.table, c.hash) if m == c.per_turn[0] else -1
    if at >= 0:
        if 0 < win_known(x.table, at) <= frame.turns:
            if level == 0:
                control.turn = x.table[at, 2]
            return LEAVE_WON
        if none_known(x.table, at) >= frame.turns:
            return lost(x, 1 if none_known(x.table, at) != FOREVER else 0)
    control.expansions += 1
    need = c.per_turn[0] + (1 if frame.turns == 2 else 0)
    end = find_turns(c, x.stops, x.turns, side, m, need, frame.begin)
    if end > frame.begin and x.turns.made[end - 1] > c.per_turn[0]:
        remember(x, level, 2, 0, x.turns.words[end - 1])
        return LEAVE_WON
    if frame.turns == 2:
        remember(x, level, 0, 2, NONE)
        return lost(x, 1)
    if end == frame.begin:
        remember(x, level, 0, FOREVER, NONE)
        return lost(x, 0)
    sort_turns(x.turns, frame.begin, end)
    frame.end, frame.at, frame.cut = end, frame.begin, 1 if end == len(x.turns.moves) else 0
    return NEXT


def enter_defender(x, level):
    """Work out a position of the defender; return the phase that follows."""
    c, h, frame, control = x.counts, x.stops, x.frames[level], x.control[0]
    side, m = control.attacker, stones_of(x, level)
    if level == 0:  # below, the attacker's turn has seen to it that there are m threats
        made = threats(c, h, side, m)
        if completed(c, 1 - side, m) >= 0 or made < m:
            return lost(x, 0)
        if made > m:
            return LEAVE_WON
        if frame.turns == 1:
            return lost(x, 1)
    control.expansions += 1
    n = list_stops(c, h, side, m, x.turns.moves[frame.begin :])
    frame.end, frame.at, frame.cut = frame.begin + n, frame.begin, 0
    return NEXT


def descend(x, level):
    """Play the next turn of the node at ``level``."""
    frame, mine = x.frames[level], attacks(x, level)
    side = x.control[0].attacker if mine else 1 - x.control[0].attacker
    change_row(x.counts, x.turns.moves, frame.at, side, 1)
    below = x.frames[level + 1]
    below.turns, below.begin = frame.turns - (1 if mine else 0), frame.end
    x.control[0].level, x.control[0].phase = level + 1, ENTER
    x.control[0].nodes += 1


def ascend(x, level):
    """Take a result from ``level`` to the node above it."""
    control, above = x.control[0], x.frames[level - 1]
    mine = attacks(x, level - 1)
    side = control.attacker if mine else 1 - control.attacker
    change_row(x.counts, x.turns.moves, above.at, side, -1)
    won, above_level = control.phase == LEAVE_WON, level - 1
    control.level = above_level
    if won == mine:  # a turn that wins, or a reply that does not lose
        if mine:
            remember(x, above_level, above.turns, 0, x.turns.words[above.at])
        return
    above.cut |= control.cut if not won else 0
    above.at += 1
    if above.at < above.end:
        control.phase = NEXT
    elif mine:
        control.cut, control.phase = above.cut, LEAVE_LOST
        remember(x, above_level, 0, above.turns if above.cut else FOREVER, NONE)
    else:
        control.phase = LEAVE_WON


def one_turn_more(x):
    """Begin to search for wins in one turn more; return why it is over, or SLICE."""
    control = x.control[0]
    if control.phase == LEAVE_WON:
        control.status = WON
        return SOLVED
    if control.cut == 0 or control.turns >= control.most:
        return CANDIDATES
    control.turns += 1
    x.frames[0].turns, x.frames[0].begin, control.phase = control.turns, 0, ENTER
    control.nodes += 1
    return SLICE


def loop(x, budget):
    """Enter and leave nodes, ``budget`` at most."""
    control = x.control[0]
    stop = control.nodes + budget
    if control.status != UNKNOWN:
        return SOLVED
    while True:
        level = control.level
        if control.phase == NEXT:
            descend(x, level)
            continue
        if control.phase != ENTER:
            if level == 0:
                reason = one_turn_more(x)
                if reason != SLICE:
                    return reason
            else:
                ascend(x, level)
            continue
        if control.nodes >= control.limit:
            return NODES
        if control.nodes >= stop or control.expansions >= control.pause:
            return SLICE
        frame = x.frames[level]
        if frame.begin + len(x.counts.owner) ** 2 // 2 > len(x.turns.moves):
            return DEEPER
        if control.kept > control.full:
            return GROW
        mine = attacks(x, level)
        control.phase = enter_attacker(x, level) if mine else enter_defender(x, level)


def set_up(counts, owners):
    """Put and lift stones until the squares belong to ``owners``."""
    c = bare(counts)
    for square in range(len(owners)):
        if c.owner[square] != owners[square]:
            if c.owner[square] != EMPTY:
                change(c, square, np.int64(c.owner[square]), -1)
            if owners[square] != EMPTY:
                change(c, square, np.int64(owners[square]), 1)


def aim(arrays, owners, attacker, mover, left, most):
    """Begin at a position: wins within 1, 2, ... ``most`` turns. Counts go on, and the table stays.

    The limits are for the caller to set.
    """
    set_up(arrays.counts, owners)
    x = bare(arrays)
    control, frame = x.control[0], x.frames[0]
    control.attacker, control.mover, control.left = attacker, mover, left
    control.level, control.phase, control.cut = 0, ENTER, 0
    control.turns, control.most, control.status, control.turn = 1, most, UNKNOWN, NONE
    control.limit, control.pause = NEVER, NEVER
    control.nodes += 1
    frame.turns, frame.begin = 1, 0


def run(x, budget):
    """Search for about ``budget`` nodes; return why it came back (see ``reasons``)."""
    return loop(bare(x), budget)


def find_entry(table: Array, hash: Array) -> Any:
    """The place of the position with this hash, or -1."""
    at = np.int64(hash[0] & word(len(table) - 1))
    for place in (at, at ^ 1):
        if table[place, 0] == hash[0] and table[place, 1] == hash[1]:
            return place
    return -1


def win_known(table: Array, at: Any) -> Any:
    """The number of turns within which a win is known; 0 for none."""
    return np.int64(table[at, 3] & LOW)


def none_known(table, at):
    """The number of turns within which there is known to be no win."""
    return np.int64(table[at, 3] >> SHIFT)


def keep(table, first, second, win, none, turn):
    """Note a win within ``win`` turns, or none within ``none``; 1 if a place was taken for it."""
    at = np.int64(first & word(len(table) - 1))
    same = at
    if table[at ^ 1, 0] == first and table[at ^ 1, 1] == second:
        same = at ^ 1
    if table[same, 0] == first and table[same, 1] == second:
        known = win_known(table, same)
        if win > 0 and (known == 0 or win < known):
            table[same, 2] = turn
        else:
            win = known
        none = max(none, none_known(table, same))
        table[same, 3] = word(win) | (word(none) << SHIFT)
        return 0
    fresh = table[at, 3] == word(0) or table[at ^ 1, 3] == word(0)
    if value_of(table, at ^ 1) < value_of(table, at):
        at ^= 1
    table[at, 0], table[at, 1], table[at, 2] = first, second, turn
    table[at, 3] = word(win) | (word(none) << SHIFT)
    return 1 if fresh else 0


def value_of(table, at):
    """The worth of an entry, roughly: wins and deep searches are kept."""
    none = none_known(table, at)
    return 2 * win_known(table, at) + (none if none != FOREVER else 3)


def move_over(old, new):
    """Copy all entries into a larger table."""
    for at in range(len(old)):
        if old[at, 3] != word(0):
            keep(new, old[at, 0], old[at, 1], win_known(old, at), none_known(old, at), old[at, 2])
