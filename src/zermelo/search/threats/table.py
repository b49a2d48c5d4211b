"""The table of a threat search: what is known about the attacker's positions.

An entry is four words: two hashes of the position, the winning turn, and two numbers of turns:
within how many a win is known, and within how many it is known that there is none. Both hashes must
agree.
"""


from typing import Any

import numpy as np

from zermelo.core.winning_lines import Array
from zermelo.kernel.bits import word

FOREVER = 0xFFFF  # there is no win by threats within any number of turns
LOW, SHIFT = word(FOREVER), word(16)


def find_entry(table: Array, hash: Array) -> Any:
    """The place of the position with this hash, or -1."""
    at = np.int64(hash[0] & word(len(table) - 1))
    for place in (at, at ^ 1):
        if table[place, 0] == hash[0] and table[place, 1] == hash[1]:
            return place
    return -1


def win_known(table: Array, at: Any) -> Any:
    """Within how many turns a win is known; 0 for none."""
    return np.int64(table[at, 3] & LOW)


def none_known(table, at):
    """Within how many turns it is known that there is none."""
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
    """What losing an entry would cost, roughly: wins and deep searches are kept."""
    none = none_known(table, at)
    return 2 * win_known(table, at) + (none if none != FOREVER else 3)


def move_over(old, new):
    """Copy all entries into a larger table."""
    for at in range(len(old)):
        if old[at, 3] != word(0):
            keep(new, old[at, 0], old[at, 1], win_known(old, at), none_known(old, at), old[at, 2])
