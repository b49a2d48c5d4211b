"""The records of a claim in memory, or in files that several processes share."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.proof.header import RANK_BYTES, Refused
from zermelo.proof.read import Certificate
from zermelo.proof.rules.base import RulesOf

Array = np.ndarray[Any, Any]
ARRAYS = ("records", "keys", "ranks", "lengths", "order")


@dataclass
class Table:
    """The records of a claim, sorted by their keys.

    records  a row of bytes each, without the rank
    keys     the bytes by which they are found
    ranks    a number each; none if the claim has no ranks
    lengths  the longest line from each record, as far as it is known; none if it will not be
    order    in which the records are checked, so that those after a record come before it
    layers   stretches of ``order``; within one, no record comes after another
    """

    records: Array
    keys: Array
    ranks: Array
    lengths: Array
    order: Array
    layers: list[tuple[int, int]] = field(default_factory=list)

    def find(self, wanted: list[bytes]) -> Array:
        """The numbers of the records with these keys, -1 where there is none."""
        if not wanted or not len(self.keys):
            return np.full(len(wanted), -1)
        keys = np.frombuffer(b"".join(wanted), self.keys.dtype)
        sorting = np.argsort(keys)  # neighbours are found near each other
        at = np.empty(len(keys), np.int64)
        at[sorting] = np.searchsorted(self.keys, keys[sorting])
        np.minimum(at, len(self.keys) - 1, out=at)
        return np.where(self.keys[at] == keys, at, -1)

    def only(self, numbers: Array) -> Table:
        """The same records, of which only those with these numbers are checked."""
        return replace(self, lengths=self.lengths[:0], order=numbers, layers=[(0, len(numbers))])

    def save(self, directory: Path) -> None:
        """Put the arrays into files."""
        for name in ARRAYS:
            np.save(directory / f"{name}.npy", getattr(self, name))

    @classmethod
    def shared(cls, directory: Path) -> Table:
        """The arrays of ``save``; what one process writes into them all others see."""
        # A file of no elements can't be mapped.
        return cls(*(np.load(path, mmap_mode="r+" if np.load(path, "r").size else None)
                     for path in (directory / f"{name}.npy" for name in ARRAYS)))


def load(certificate: Certificate, claim: int, rules: RulesOf) -> Table:
    """The records of a claim; Refused unless their keys rise."""
    part = certificate.header.parts[claim]
    records = certificate.records(claim)
    ranks = np.empty(0, np.int64)
    if part.ranked:
        ranks = np.ascontiguousarray(records[:, -RANK_BYTES:]).view("<u4").ravel().astype(np.int64)
        records = np.ascontiguousarray(records[:, :-RANK_BYTES])
    rows = np.ascontiguousarray(rules.keys(records))
    keys = rows.view(f"S{rows.shape[1]}").ravel()
    falls = np.flatnonzero(keys[1:] <= keys[:-1])
    if len(falls):
        raise Refused(f"record {falls[0] + 2:,} of the claim '{part.name} {part.claim.verb}' does "
                      "not come after the one before it")
    levels = -ranks if part.ranked else rules.levels(records)
    if levels is None or (rules.cyclic and not part.claim.wins):
        nothing = np.empty(0, np.int32)
        return Table(records, keys, ranks, nothing, np.arange(len(keys)), [(0, len(keys))])
    order = np.argsort(-levels, kind="stable")
    cuts = (np.flatnonzero(np.diff(levels[order])) + 1).tolist()
    layers = list(zip([0, *cuts], [*cuts, len(keys)], strict=True))
    return Table(records, keys, ranks, np.zeros(len(keys), np.int32), order, layers)
