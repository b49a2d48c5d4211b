"""Sorting more rows than fit into memory: sorted runs in files, merged piece by piece."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


class Sorter:
    """Rows of bytes come in any order and go out sorted; of rows with the same key, the least."""

    def __init__(self, directory: Path, name: str, width: int, key_bytes: int,
                 run: int) -> None:
        self.directory, self.name = directory, name
        self.width, self.key_bytes, self.run = width, key_bytes, run
        self.waiting: list[Array] = []
        self.count = 0
        self.runs: list[Array] = []

    def add(self, rows: Array) -> None:
        """Take ``rows``; a full run goes to a file."""
        while len(rows):
            some = rows[: self.run - self.count]
            self.waiting.append(some)
            self.count += len(some)
            rows = rows[len(some) :]
            if self.count == self.run:
                self._spill()

    def _spill(self) -> None:
        rows = self._sorted(self.waiting)
        self.waiting, self.count = [], 0
        path = self.directory / f"{self.name}-run-{len(self.runs)}"
        rows.tofile(path)
        self.runs.append(np.memmap(path, np.uint8, "r", shape=rows.shape))

    def _sorted(self, parts: list[Array]) -> Array:
        """``parts`` in one, sorted as bytes; rows whose key was there already are left out."""
        rows = np.concatenate([np.empty((0, self.width), np.uint8), *parts])
        padded = np.zeros((len(rows), -(-self.width // 8) * 8), np.uint8)
        padded[:, : self.width] = rows
        rows = rows[_order(padded.view(">u8").astype(np.uint64))]
        keys = rows[:, : self.key_bytes]
        new = np.ones(len(rows), bool)
        new[1:] = (keys[1:] != keys[:-1]).any(axis=1)
        return rows[new]

    def merged(self) -> Iterator[Array]:
        """All rows in order, in pieces of about a run."""
        if not self.runs:
            yield self._sorted(self.waiting)
            return
        if self.count:
            self._spill()
        begin = [0] * len(self.runs)
        for key in [*self._splitters(), None]:
            end = [len(run) if key is None else _before(run, key) for run in self.runs]
            yield self._sorted([np.asarray(run[a:b]) for run, a, b in
                                zip(self.runs, begin, end, strict=True)])
            begin = end

    def _splitters(self) -> list[bytes]:
        """Keys that cut all runs together into pieces of about a run."""
        every = max(1, self.run // 64)
        keys = (run[::every, : self.key_bytes] for run in self.runs)
        sample = sorted(row.tobytes() for some in keys for row in some)
        return [sample[i] for i in range(64, len(sample), 64)]


def _order(words: Array) -> Array:
    """The order of rows of words: by the first word, and where that is the same by all of them."""
    order = np.argsort(words[:, 0])
    first = words[order, 0]
    tied = np.zeros(len(order), bool)
    tied[1:] = first[1:] == first[:-1]
    tied[:-1] |= tied[1:]
    among = order[tied]
    order[tied] = among[np.lexsort(words[among].T[::-1])]
    return order


def _before(run: Array, key: bytes) -> int:
    """How many rows of a sorted run come before ``key``."""
    size = len(key)
    return bisect_left(range(len(run)), key, key=lambda i: run[i, :size].tobytes())
