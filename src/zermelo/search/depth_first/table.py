"""The transposition table: what was found out about positions, in a fixed number of bytes.

A bucket is one cache line of 64 bytes. Narrow entries (two words: proof numbers) lie four to a
bucket, wide ones (four words: probabilities) two. The upper half of the position's hash picks the
bucket; the entry keeps 64 further bits, ``check``: all of the hash where the game's keys are exact
(it stands for one key only), else 48 bits of a second hash over all bytes of the state and 16 bits
of the first, so that a poor ``key`` costs time and never an answer, and so that a table can grow:
bucket and check together say where an entry belongs in a larger one. The first word of an entry is
``check`` xor all its other words: an entry that two threads wrote at the same time fits no check.

The last word is laid out, from the lowest bit,

    status 2 | a 26 | b 26 | work 6 | generation 4

with a and b the numbers of a narrow entry (a wide one keeps them in words of their own). Status
says solved or not; the numbers never do. A solved entry keeps in a how many plies its proof lasts.
``work`` is the logarithm of the visits that went into it: where a bucket is full the entry with
the least work goes, entries of past questions first. ``generation`` is the question's number: a
new question does not clear the table, it finds nothing in it but what ``readings`` translates,
proved facts of earlier questions that answer the present one too.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.kernel.bits import ONE, ZERO, bits_of, float_of, mix, word
from zermelo.kernel.jit import kernel
from zermelo.search.common.status import LOST, UNKNOWN, WON
from zermelo.search.reasons import NEVER

Function = Callable[..., Any]
Array = np.ndarray[Any, Any]

BUCKET_WORDS, BUCKET_BYTES = 8, 64
NUMBER_BITS = 26
INF = (1 << NUMBER_BITS) - 1
GENERATIONS = 16
MOST_BUCKETS = (1 << 32) - 1
FIRST_BYTES, GROWTH = 1 << 22, 8
LEAST_TO_MOVE = 1 << 16  # buckets: their number and 16 bits of the check give the hash's upper half
LOW_16, LOW_48 = word(0xFFFF), word(0xFFFFFFFFFFFF)
NUMBER_MASK, STATUS_MASK = word(INF), word(3)
WORK_MASK, GENERATION_MASK = word(63), word(15)
AT_A, AT_B, AT_WORK, AT_GENERATION = 2, 28, 54, 60


def bucket_of(n_words, hash):
    """The index of the first word of the bucket for ``hash``."""
    buckets = word(n_words >> 3)
    return np.int64(((word(hash) >> 32) * buckets) >> 32) << 3


def address_exact(key):
    """(hash, check) for an exact key.

    The check is the hash, not the key: of two keys that differ in a few bits, and two data words,
    half-written entries could be put together that fit the key of a third position.
    """
    hash = mix(key)
    return hash, hash


def address_hashed(key, second):
    """(hash, check) for a key that is not exact and a second hash of the state."""
    hash = mix(key)
    return hash, (second & LOW_48) | (((hash >> 32) & LOW_16) << 48)


def log_work(visits):
    """0 .. 63 for a number of visits: about twice its binary logarithm."""
    log = 0
    while visits > 3:
        visits >>= 1
        log += 2
    return min(log + visits, 63)


def packed(status, a, b, work, generation):
    """The last word of an entry."""
    return (word(status) | (word(a) << AT_A) | (word(b) << AT_B) | (word(work) << AT_WORK)
            | (word(generation) << AT_GENERATION))


def look_narrow(table, bucket, check, generation, readings):
    """(found, status, a, b) of the entry with this check, as the present question reads it."""
    for slot in range(bucket, bucket + BUCKET_WORDS, 2):
        data = table[slot + 1]
        if table[slot] ^ data == check and data != ZERO:
            status = np.int64(data & STATUS_MASK)
            born = np.int64(data >> AT_GENERATION)
            if born != generation:
                status = np.int64(readings[born, status])
                if status == UNKNOWN:
                    return False, UNKNOWN, 0, 0
            a = np.int64((data >> AT_A) & NUMBER_MASK)
            return True, status, a, np.int64((data >> AT_B) & NUMBER_MASK)
    return False, UNKNOWN, 0, 0


def keep_narrow(table, bucket, check, status, a, b, work, generation):
    """Write an entry; True if a live one had to go."""
    target, least, live = bucket, 1 << 30, False
    for slot in range(bucket, bucket + BUCKET_WORDS, 2):
        data = table[slot + 1]
        if table[slot] ^ data == check or data == ZERO:
            target, live = slot, False
            break
        current = np.int64(data >> AT_GENERATION) == generation
        rank = np.int64((data >> AT_WORK) & WORK_MASK) + (64 if current else 0)
        if rank < least:
            target, least, live = slot, rank, current
    data = packed(status, a, b, work, generation)
    table[target] = check ^ data
    table[target + 1] = data
    return live


def look_wide(table, bucket, check, generation, readings):
    """As ``look_narrow``, the numbers being floats."""
    for slot in range(bucket, bucket + BUCKET_WORDS, 4):
        a, b, data = table[slot + 1], table[slot + 2], table[slot + 3]
        if table[slot] ^ a ^ b ^ data == check and data != ZERO:
            status = np.int64(data & STATUS_MASK)
            born = np.int64(data >> AT_GENERATION)
            if born != generation:
                status = np.int64(readings[born, status])
                if status == UNKNOWN:
                    return False, UNKNOWN, 0.0, 0.0
            return True, status, float_of(a), float_of(b)
    return False, UNKNOWN, 0.0, 0.0


def keep_wide(table, bucket, check, status, a, b, work, generation):
    """As ``keep_narrow``, the numbers being floats."""
    target, least, live = bucket, 1 << 30, False
    for slot in range(bucket, bucket + BUCKET_WORDS, 4):
        data = table[slot + 3]
        if table[slot] ^ table[slot + 1] ^ table[slot + 2] ^ data == check or data == ZERO:
            target, live = slot, False
            break
        current = np.int64(data >> AT_GENERATION) == generation
        rank = np.int64((data >> AT_WORK) & WORK_MASK) + (64 if current else 0)
        if rank < least:
            target, least, live = slot, rank, current
    first, second = bits_of(a), bits_of(b)
    data = packed(status, 0, 0, work, generation)
    table[target] = check ^ first ^ second ^ data
    table[target + 1] = first
    table[target + 2] = second
    table[target + 3] = data
    return live


def state_hash(words, first, count):
    """A hash over all words of a state."""
    h = word(0x9E3779B97F4A7C15)
    for i in range(first, first + count):
        h = mix(h ^ word(words[i]))
    return h


def move_of(wide: bool, exact: bool) -> Function:
    """``move(old, new)``: put the entries of a table of 2**16 buckets or more into a larger one.

    Where a bucket gets too full, which is rare, the last to come stay.
    """
    size = 4 if wide else 2

    def move(old, new):
        buckets = word(len(old) >> 3)
        for slot in range(0, len(old), size):
            data = old[slot + size - 1]
            if data == ZERO:
                continue
            check = data
            for i in range(size - 1):
                check ^= old[slot + i]
            hash = check
            if not exact:  # of the upper halves that lead to this bucket one has the 16 bits known
                least = ((word(slot >> 3) << 32) + buckets - ONE) // buckets
                upper = (least & ~LOW_16) | (check >> 48)
                hash = (upper if upper >= least else upper + ONE + LOW_16) << 32
            bucket = bucket_of(len(new), hash)
            target = bucket + np.int64(check & LOW_16) % (BUCKET_WORDS // size) * size
            for at in range(bucket, bucket + BUCKET_WORDS, size):
                if new[at + size - 1] == ZERO:  # the first: `keep` looks no further
                    target = at
                    break
            for i in range(size):
                new[target + i] = old[slot + i]

    return move


class Table:
    """The bytes, and which questions have used them. It begins small and grows up to ``memory``."""

    def __init__(self, memory: int, wide: bool, exact: bool) -> None:
        self.wide, self.exact, self.most = wide, exact, max(memory, BUCKET_BYTES)
        self.words = _aligned(self._buckets(min(self.most, FIRST_BYTES)) * BUCKET_WORDS)
        self.asked: list[tuple[int, int]] = []

    @property
    def bytes(self) -> int:
        """How large it is."""
        return int(self.words.nbytes)

    @property
    def patience(self) -> int:
        """How many live entries may be lost before it is time to grow; NEVER at full size."""
        if self.bytes >= self._buckets(self.most) * BUCKET_BYTES:
            return NEVER
        return max(self.bytes // 128, 1)

    def grow(self) -> None:
        """Become eight times as large, or as large as allowed.

        Entries move, except where too few bits are known of the hash of a key that is not exact:
        a table so small, whose limit was raised, begins again.
        """
        old, first = len(self.words) // BUCKET_WORDS, FIRST_BYTES // BUCKET_BYTES
        buckets = min(self._buckets(self.most), max(GROWTH * old, first))
        words = _aligned(buckets * BUCKET_WORDS)
        if self.exact or old >= LEAST_TO_MOVE:
            kernel(move_of(self.wide, self.exact))(self.words, words)
        self.words = words

    def _buckets(self, memory: int) -> int:
        return min(max(memory // BUCKET_BYTES, 1), MOST_BUCKETS)

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
        readings = np.zeros((GENERATIONS, 4), np.uint8)
        for generation, earlier in enumerate(self.asked):
            for status in (WON, LOST):
                readings[generation, status] = reading(earlier, question, status)
        return self.asked.index(question), readings


def reading(earlier: tuple[int, int], question: tuple[int, int], status: int) -> int:
    """What a status of one question says about another.

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


def _aligned(n: int) -> Array:
    """``n`` zeroed words that begin at a cache line."""
    raw = np.zeros(n * 8 + BUCKET_BYTES, np.uint8)
    skip = -raw.ctypes.data % BUCKET_BYTES
    return raw[skip : skip + n * 8].view(np.uint64)
