"""A set of hashes, for compiled code: open addressing, 0 for a free place."""

import numpy as np

from zermelo.kernel.bits import ZERO, mix, word


def place_of(seen, hash):
    """Where ``hash`` is in the set, or the free place where it belongs."""
    mask = len(seen) - 1
    at = np.int64(mix(hash) & word(mask))
    while seen[at] != ZERO and seen[at] != hash:
        at = (at + 1) & mask
    return at


def is_known(seen, hash):
    """Whether ``hash`` is in the set."""
    return seen[place_of(seen, hash)] == hash


def remember(seen, hash):
    """Put ``hash`` into the set."""
    seen[place_of(seen, hash)] = hash


def move_over(old, new):
    """Put all of a set into a larger one."""
    for i in range(len(old)):
        if old[i] != ZERO:
            remember(new, old[i])
