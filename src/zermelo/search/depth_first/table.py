"""The transposition table: addresses of positions, entries, and a side table for a search's notes.

Buckets, checks and growth are those of ``common.table``. Narrow entries (two words: proof numbers)
lie four to a bucket, wide ones (four words: probabilities) two. The last word is laid out, from the
lowest bit,

    status 2 | pn 26 | dn 26 | work 6 | generation 4

A wide entry keeps its two numbers in words of their own. A zoned entry is as large and has a zone:
of a solved position, the squares that its proof depends on, or 0 if these are not known. Only the
status shows what is solved; the numbers never do. A solved entry keeps in the place of pn how many
plies its proof lasts, or, where it holds on one path only, its anchor (see ``driver``). ``work`` is
the logarithm of the visits that went into it: where a bucket is full the entry with the least work
goes, entries of past runs first.
``generation`` is the number of the run's question: a new question does not clear the table, it
finds nothing in it but what ``readings`` translates, proved facts of earlier questions that answer
the present one too.

The side table is a plain array of words, in records of ``width`` words, the first of which is the
check of a position: each position has one place, and the last one written stays there. Numbers
depend on what is noted, no status does, so a note that is lost costs time at most.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from zermelo.core.rules import Function, Rules
from zermelo.kernel.bits import ZERO, bits_of, float_of, mix, word
from zermelo.search.common.table import (
    BUCKET_WORDS,
    Array,
    TranspositionTable,
    address_exact,
    address_hashed,
    state_hash,
)
from zermelo.search.reasons import LOST, NEVER, UNKNOWN, WON

if TYPE_CHECKING:
    from zermelo.search.depth_first.plan import Plan

Question = tuple[int, int]  # a player, and the threshold that it is to get

NUMBER_BITS = 26
INF = (1 << NUMBER_BITS) - 1
GENERATIONS = 16
NARROW, WIDE, ZONED = "narrow", "wide", "zoned"
NUMBER_MASK, STATUS_MASK, WORK_MASK = word(INF), word(3), word(63)
AT_PN, AT_DN, AT_WORK, AT_GENERATION = 2, 28, 54, 60
DEPTH_SALT, LEFT_SALT = word(0xD1B54A32D192ED03), word(0x8CB92BA72F3D8DD7)


def log_work(visits):
    """0 .. 63 for a number of visits: about twice its binary logarithm."""
    log = 0
    while visits > 3:
        visits >>= 1
        log += 2
    return min(log + visits, 63)


def packed(status, pn, dn, work, generation):
    """The last word of an entry."""
    return (word(status) | (word(pn) << AT_PN) | (word(dn) << AT_DN) | (word(work) << AT_WORK)
            | (word(generation) << AT_GENERATION))


def read(data, generation, readings):
    """(found, status) of an entry by its last word, as the present question reads it."""
    status, born = np.int64(data & STATUS_MASK), np.int64(data >> AT_GENERATION)
    if born == generation:
        return True, status
    status = np.int64(readings[born, status])
    return status != UNKNOWN, status


def look_of(words: int) -> Function:
    """Return ``look(table, bucket, check, generation, readings) -> (found, status, pn, dn)`` of the
    entry of ``words`` words with this check, as the present question reads it.

    Each word is read once: another thread may overwrite the entry.
    """

    def last_word(table, bucket, check):
        for slot in range(bucket, bucket + BUCKET_WORDS, words):
            data = table[slot + words - 1]
            whole = table[slot] ^ data
            for i in range(1, words - 1):
                whole ^= table[slot + i]
            if whole == check and data != ZERO:
                return data
        return ZERO

    def look(table, bucket, check, generation, readings):
        data = last_word(table, bucket, check)
        if data == ZERO:
            return False, UNKNOWN, 0, 0
        found, status = read(data, generation, readings)
        pn = np.int64((data >> AT_PN) & NUMBER_MASK)
        return found, status, pn, np.int64((data >> AT_DN) & NUMBER_MASK)

    return look


look_narrow, look_zoned = look_of(2), look_of(4)


def look_wide(table, bucket, check, generation, readings):
    """(found, status, p, q) of a wide entry, like ``look_narrow``."""
    for slot in range(bucket, bucket + BUCKET_WORDS, 4):
        p, q, data = table[slot + 1], table[slot + 2], table[slot + 3]
        if table[slot] ^ p ^ q ^ data == check and data != ZERO:
            found, status = read(data, generation, readings)
            return found, status, float_of(p), float_of(q)
    return False, UNKNOWN, 0.0, 0.0


def zone_at(table, bucket, check):
    """The zone of the entry with this check, or 0."""
    for slot in range(bucket, bucket + BUCKET_WORDS, 4):
        zone = table[slot + 1]
        if table[slot] ^ zone ^ table[slot + 2] ^ table[slot + 3] == check:
            return zone
    return ZERO


def place_for(table, bucket, check, generation, words):
    """(slot, live): the place where an entry is written, and if a live one has to go for it."""
    target, least, live = bucket, 1 << 30, False
    for slot in range(bucket, bucket + BUCKET_WORDS, words):
        data = table[slot + words - 1]
        whole = table[slot] ^ data
        for i in range(1, words - 1):
            whole ^= table[slot + i]
        if whole == check or data == ZERO:
            return slot, False
        current = np.int64(data >> AT_GENERATION) == generation
        rank = np.int64((data >> AT_WORK) & WORK_MASK) + (64 if current else 0)
        if rank < least:
            target, least, live = slot, rank, current
    return target, live


def keep_narrow(table, bucket, check, status, pn, dn, work, generation):
    """Write an entry; True if a live one had to go."""
    slot, live = place_for(table, bucket, check, generation, 2)
    data = packed(status, pn, dn, work, generation)
    table[slot], table[slot + 1] = check ^ data, data
    return live


def keep_four(table, bucket, check, first, second, data, generation):
    """Write an entry of four words; True if a live one had to go."""
    slot, live = place_for(table, bucket, check, generation, 4)
    table[slot], table[slot + 1] = check ^ first ^ second ^ data, first
    table[slot + 2], table[slot + 3] = second, data
    return live


def keep_wide(table, bucket, check, status, p, q, work, generation):
    """Write an entry with probabilities; True if a live one had to go."""
    data = packed(status, 0, 0, work, generation)
    return keep_four(table, bucket, check, bits_of(p), bits_of(q), data, generation)


def keep_zone(table, bucket, check, status, pn, dn, work, generation, zone):
    """Write an entry with a zone; True if a live one had to go."""
    data = packed(status, pn, dn, work, generation)
    return keep_four(table, bucket, check, zone, ZERO, data, generation)


def keep_zoned(table, bucket, check, status, pn, dn, work, generation):
    """Write an entry whose zone is not known; True if a live one had to go."""
    return keep_zone(table, bucket, check, status, pn, dn, work, generation, ZERO)


class ProofTable(TranspositionTable):
    """A table, and which runs have used it.

    ``kind``: how its entries are laid out; ``drawless``: who does not win has lost.
    """

    def __init__(self, memory: int, kind: str, exact: bool, drawless: bool = False) -> None:
        super().__init__(memory, 2 if kind == NARROW else 4, exact)
        self.kind, self.drawless = kind, drawless
        self.asked: list[Question] = []

    def begin(self, attacker: int, threshold: int) -> tuple[int, Array]:
        """The generation of a new question, and how it reads what earlier ones proved.

        The same question asked again goes on with its old entries.
        """
        question = (attacker, threshold)
        if question not in self.asked:
            if len(self.asked) == GENERATIONS:
                self.words[:] = 0
                self.asked.clear()
            self.asked.append(question)
        return self.asked.index(question), _readings(tuple(self.asked), question, self.drawless)


LOOKS = {NARROW: look_narrow, WIDE: look_wide, ZONED: look_zoned}
KEEPS = {NARROW: keep_narrow, WIDE: keep_wide, ZONED: keep_zoned}


@lru_cache(256)
def _readings(asked: tuple[Question, ...], question: Question, drawless: bool) -> Array:
    """The meaning for a question of each status of each of those that were asked."""
    readings = np.zeros((GENERATIONS, 4), np.uint8)
    for generation, earlier in enumerate(asked):
        swapped = drawless and earlier[0] != question[0] and earlier[1] == question[1] == 1
        for status in (WON, LOST):
            readings[generation, status] = (
                WON + LOST - status if swapped else reading(earlier, question, status))
    return readings


def reading(earlier: Question, question: Question, status: int) -> int:
    """Return the status that a status of one question means for another.

    A question (player, threshold) asks whether the player gets at least the threshold, scores being
    whole numbers, and the other player's score the negative: a win is a score of at least 1.
    """
    (player, gained), (other, wanted) = earlier, question
    if player == other:
        if status == WON:
            return WON if gained >= wanted else UNKNOWN
        return LOST if gained <= wanted else UNKNOWN
    if status == WON:  # the other gets at most -gained
        return LOST if -gained < wanted else UNKNOWN
    return WON if 1 - gained >= wanted else UNKNOWN


def as_it_is(g, s, t):
    """Stand in for ``canonical`` in a game that has none; never called."""
    return 0


def address_of(rules: Rules, plan: Plan) -> Function:
    """Return ``address(g, stack, words, at, s, depth) -> (hash, check, key)`` of a state.

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
    """Return ``path_address(path_hash) -> (hash, check)`` of a status that holds on one path."""

    def path_address(path_hash):
        return address_hashed(path_hash, path_hash)

    return address_exact if rules.exact_key else path_address


def place_of(notes, width, check):
    """The place where the record of ``check`` belongs."""
    records = word(len(notes) // width)
    return np.int64(mix(check) % records) * width


def noted(notes, width, check):
    """The place of the record of ``check``, or -1."""
    at = place_of(notes, width, check)
    return at if notes[at] == check else -1


def note(notes, width, check):
    """Make a record for ``check``, empty if there was none, and return its place."""
    at = place_of(notes, width, check)
    if notes[at] != check:
        notes[at] = check
        for i in range(1, width):
            notes[at + i] = word(0)
    return at
