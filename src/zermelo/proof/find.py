"""Finding single records in a certificate without reading all of it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import Any

import numpy as np

from zermelo.proof.header import RANK_BYTES
from zermelo.proof.read import Array, Certificate
from zermelo.proof.rules.base import RulesOf

BLOCKS_KEPT = 16


class Finder:
    """Looks up the records of one claim by their keys, which rise from block to block.

    That they do is for the checker to see: where they don't, a record may not be found.
    """

    def __init__(self, certificate: Certificate, claim: int, rules: RulesOf) -> None:
        self.certificate, self.claim, self.rules = certificate, claim, rules
        part = certificate.header.parts[claim]
        self.ranked, self.blocks = part.ranked, certificate.header.blocks(part)
        self._block: Any = lru_cache(BLOCKS_KEPT)(self._read)
        self._first: Any = lru_cache(None)(lambda number: self._block(number)[0][0].tobytes())

    def _read(self, number: int) -> tuple[Array, Array, Array]:
        """The keys, the records without ranks, and the ranks of a block; without ranks, none."""
        rows = np.ascontiguousarray(self.certificate.block(self.claim, number))
        ranks = np.empty(0, np.uint32)
        if self.ranked:
            ranks = np.ascontiguousarray(rows[:, -RANK_BYTES:]).view("<u4").ravel()
            rows = np.ascontiguousarray(rows[:, :-RANK_BYTES])
        return np.ascontiguousarray(self.rules.keys(rows)), rows, ranks

    def find(self, key: bytes) -> tuple[bytes, int | None] | None:
        """The record with this key and its rank, if it has one; None if there is no record."""
        number = bisect_right(range(self.blocks), key, key=self._first) - 1
        if number < 0:
            return None
        keys, records, ranks = self._block(number)
        at = bisect_left(range(len(keys)), key, key=lambda i: keys[i].tobytes())
        if at == len(keys) or keys[at].tobytes() != key:
            return None
        return records[at].tobytes(), int(ranks[at]) if self.ranked else None
