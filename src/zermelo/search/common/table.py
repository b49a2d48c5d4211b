"""Buckets of a transposition table: where a position belongs, and how the table grows.

A bucket is one cache line of 64 bytes; a family decides how an entry is laid out in it. The upper
half of the position's hash picks the bucket; the entry keeps 64 further bits, ``check``: all of the
hash where the game's keys are exact (it stands for one key only), else 48 bits of a second hash
over all bytes of the state and 16 bits of the first, so that a poor ``key`` costs time and never an
answer, and so that a table can grow: bucket and check together say where an entry belongs in a
larger one. The first word of an entry is ``check`` xor all its other words: an entry that two
threads wrote at the same time fits no check. The last word is 0 in an empty slot only.
"""

import mmap
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from zermelo.compiler.jit import kernel
from zermelo.kernel.bits import ONE, ZERO, mix, word
from zermelo.search.reasons import NEVER

Function = Callable[..., Any]
Array = np.ndarray[Any, Any]

BUCKET_WORDS, BUCKET_BYTES = 8, 64
MOST_BUCKETS = (1 << 32) - 1
FIRST_BYTES, GROWTH = 1 << 22, 8
LEAST_TO_MOVE = 1 << 16  # buckets: their number and 16 bits of the check give the hash's upper half
SAMPLED_WORDS = 1 << 15
SMALL_BYTES, LARGE_BYTES = 1 << 16, 1 << 25
LOW_16, LOW_48 = word(0xFFFF), word(0xFFFFFFFFFFFF)


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


def state_hash(words, first, count):
    """A hash over all words of a state."""
    h = word(0x9E3779B97F4A7C15)
    for i in range(first, first + count):
        h = mix(h ^ word(words[i]))
    return h


def words_of(states: Array) -> Array:
    """The bytes of ``states`` as the widest words that fit."""
    size = states.dtype.itemsize
    width = next(w for w in (8, 4, 2, 1) if size % w == 0)
    plain = np.asarray(states).view(np.uint8)
    return plain.view(f"u{width}")


def move_of(size: int, exact: bool) -> Function:
    """``move(old, new)``: put the entries of a table of 2**16 buckets or more into a larger one.

    ``size``: the words of an entry. Where a bucket gets too full, which is rare, the last to come
    stay.
    """

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


class TranspositionTable:
    """The bytes of a table. It begins small and grows up to ``memory``.

    ``entry_words``: the words of an entry; ``exact``: the game's keys are.
    """

    def __init__(self, memory: int, entry_words: int, exact: bool) -> None:
        self.entry_words, self.exact, self.most = entry_words, exact, max(memory, BUCKET_BYTES)
        self.words = aligned_words(self._buckets(min(self.most, FIRST_BYTES)) * BUCKET_WORDS)

    @property
    def bytes(self) -> int:
        """The size in bytes."""
        return int(self.words.nbytes)

    @property
    def fill(self) -> float:
        """The part of the table, as large as it may become, that is in use; from a sample of
        buckets."""
        last = self.words[self.entry_words - 1 : SAMPLED_WORDS : self.entry_words]
        return float(np.count_nonzero(last)) / len(last) * self.bytes / max(self.most, self.bytes)

    @property
    def lossless(self) -> bool:
        """True if no entry can have been lost: every bucket has an empty slot, its last."""
        return not self.words[BUCKET_WORDS - 1 :: BUCKET_WORDS].any()

    @property
    def patience(self) -> int:
        """The live entries that may be lost before it is time to grow; NEVER at full size."""
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
        words = aligned_words(buckets * BUCKET_WORDS)
        if self.exact or old >= LEAST_TO_MOVE:
            kernel(move_of(self.entry_words, self.exact))(self.words, words)
        self.words = words

    def _buckets(self, memory: int) -> int:
        return min(max(memory // BUCKET_BYTES, 1), MOST_BUCKETS)


def aligned_words(n: int) -> Array:
    """``n`` zeroed words that begin at a cache line.

    They come from the system itself: what NumPy hands out may have been used before, and all of it
    would be cleared at once. So only what is used costs anything. A large table is used all over,
    and large pages make its places quicker to find. Clearing a small one costs less than one page.
    """
    if n * 8 <= SMALL_BYTES:
        words = np.zeros(n + BUCKET_WORDS, np.uint64)
        first = -(words.__array_interface__["data"][0] // 8) % BUCKET_WORDS
        return words[first : first + n]
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if sys.platform != "win32" else {}
    pages = mmap.mmap(-1, n * 8, **private)
    if n * 8 >= LARGE_BYTES and hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # a system that has none
            pages.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(pages, np.uint64, n)
