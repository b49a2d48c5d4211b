"""Notes: what a search remembers about positions besides their numbers, for compiled code.

A plain array of words, in records of ``width`` words, the first of which is the check of a
position: each position has one place, and whoever comes last stays there. Numbers only depend on
what is noted, no status does, so a note that is lost costs time at most.
"""

import numpy as np

from zermelo.kernel.bits import mix, word


def place_of(notes, width, check):
    """Where the record of ``check`` belongs."""
    records = word(len(notes) // width)
    return np.int64(mix(check) % records) * width


def noted(notes, width, check):
    """Where the record of ``check`` is, or -1."""
    at = place_of(notes, width, check)
    return at if notes[at] == check else -1


def note(notes, width, check):
    """A record for ``check``, empty if there was none; where it is."""
    at = place_of(notes, width, check)
    if notes[at] != check:
        notes[at] = check
        for i in range(1, width):
            notes[at + i] = word(0)
    return at
