"""The address of a position in the table, and the side table of what is remembered besides numbers.

The side table is a plain array of words, in records of ``width`` words, the first of which is the
check of a position: each position has one place, and the last one written stays there. Numbers
depend on what is noted, no status does, so a note that is lost costs time at most.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.core.rules import Rules
from zermelo.kernel.bits import ZERO, mix, word
from zermelo.search.common.table import address_exact, address_hashed, state_hash
from zermelo.search.depth_first.plan import Plan
from zermelo.search.reasons import NEVER

Function = Callable[..., Any]
DEPTH_SALT, LEFT_SALT = word(0xD1B54A32D192ED03), word(0x8CB92BA72F3D8DD7)


def as_it_is(g, s, t):
    """``canonical`` of a game that has none; never called."""
    return 0


def address_of(rules: Rules, plan: Plan) -> Function:
    """``address(g, stack, words, at, s, depth) -> (hash, check, key)`` of a state for the table.

    ``s`` is state number ``at`` of ``words``.
    """
    key_of, exact, by_depth = rules.key, rules.exact_key, plan.by_depth
    folds = plan.fold is not None and rules.canonical is not None
    canonical = rules.canonical or as_it_is

    def address(g, stack, words, at, s, depth):
        control = stack.control[0]
        depth += control.origin
        key = first = word(key_of(g, s))
        width = len(stack.folded_words)
        second = ZERO
        if folds and depth <= control.fold:
            canonical(g, s, stack.folded[0])
            first = word(key_of(g, stack.folded[0]))
            if not exact:
                second = state_hash(stack.folded_words, 0, width)
        elif not exact:
            second = state_hash(words, at * width, width)
        if by_depth:
            first ^= mix(DEPTH_SALT ^ word(depth))
        if control.horizon != NEVER:  # both hashes: few bits of the first are kept
            salt = mix(LEFT_SALT ^ word(control.horizon - depth))
            first, second = first ^ salt, second ^ salt
        if exact:
            hash, check = address_exact(first)
        else:
            hash, check = address_hashed(first, second)
        return hash, check, key

    return address


def path_address_of(rules: Rules) -> Function:
    """``path_address(path_hash) -> (hash, check)`` of a status that holds on one path only."""

    def path_address(path_hash):
        return address_hashed(path_hash, path_hash)

    return address_exact if rules.exact_key else path_address


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
