"""The parts of a checkpoint that runs write and read: arrays, tables, and other things as JSON.

A digest finds damage, and a checkpoint of another program or position is refused before. What
compiled code uses as an index has to be in range all the same, in a forged file too: a family says
where (``Saved.within``). What else does not fit is found when Python meets it (see ``refusing``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from zermelo.core.position import Position
from zermelo.errors import ZermeloError
from zermelo.search.common.table import (
    BUCKET_WORDS,
    MOST_BUCKETS,
    Array,
    TranspositionTable,
    aligned_words,
)
from zermelo.storage.checkpoint_file import CheckpointFile, Stored

WRONG = "what it says about the search does not fit together"


class Saving:
    """A part of a checkpoint that is being put together."""

    def __init__(self, name: str = "", arrays: list[Stored] | None = None) -> None:
        self.name = name
        self.arrays: list[Stored] = [] if arrays is None else arrays

    def part(self, name: str) -> Saving:
        """Return a part of this one."""
        return Saving(f"{self.name}{name}/", self.arrays)

    def array(self, name: str, items: Array) -> None:
        """Keep an array, as it is at the moment of writing."""
        self.arrays.append(Stored(self.name + name, np.asarray(items).reshape(-1)))

    def fields(self, record: Any, names: Iterable[str], count: int | None = None) -> None:
        """Keep arrays that are fields of ``record``, or ``count`` items of each."""
        for name in names:
            self.array(name, getattr(record, name)[:count])

    def json(self, name: str, value: Any) -> None:
        """Keep what JSON can say."""
        self.array(name, np.frombuffer(json.dumps(value).encode(), np.uint8))

    def table(self, name: str, table: TranspositionTable) -> None:
        """Keep a table, unless another run that uses it has done so."""
        if not any(stored.items is table.words for stored in self.arrays):
            self.arrays.append(Stored(self.name + name, table.words, table.entry_words))

    def entries(self, name: str, rows: Array) -> None:
        """Keep the rows of a table whose last word is not 0."""
        self.arrays.append(Stored(self.name + name, rows.reshape(-1), rows.shape[1]))


class Saved:
    """A part of a checkpoint that is read. ``later`` collects what is to be done at the end."""

    def __init__(self, file: CheckpointFile, name: str = "",
                 later: list[Callable[[], None]] | None = None) -> None:
        self.file, self.name = file, name
        self.later: list[Callable[[], None]] = [] if later is None else later

    def require(self, holds: Any) -> None:
        """Refuse the checkpoint unless something holds."""
        self.file.require(bool(holds), WRONG)

    def within(self, low: int, high: Any, *values: Any) -> None:
        """Refuse the checkpoint unless all ``values``, numbers or arrays of them, are from ``low``
        to ``high``, a number or one for each."""
        for each in values:
            self.require(np.all((each >= low) & (each <= high)))

    def part(self, name: str) -> Saved:
        """Return a part of this one."""
        return Saved(self.file, f"{self.name}{name}/", self.later)

    def has(self, name: str) -> bool:
        """Return True if something is kept under this name."""
        return self.name + name in self.file.places

    def count(self, name: str) -> int:
        """Return the number of items of an array."""
        return self.file.count(self.name + name)

    def array(self, name: str, dtype: Any) -> Array:
        """Return an array of as many items as there are."""
        out = np.zeros(self.count(name), dtype)
        self.file.read_into(self.name + name, out)
        return out

    def record(self, name: str, now: Array, same: Iterable[str] = ()) -> Any:
        """Return the one record of an array; of ``now`` it has the type, and the fields that are
        the ``same`` whenever a run begins."""
        found = self.array(name, now.dtype)
        self.require(len(found) == 1 and all(found[field] == now[field] for field in same))
        return found[0]

    def fields(self, record: Any, names: Iterable[str], count: int | None = None) -> None:
        """Fill arrays that are fields of ``record``, or the first ``count`` items of each."""
        for name in names:
            out = getattr(record, name)[:count]
            out[...] = self.array(name, out.dtype).reshape(out.shape)

    def json(self, name: str) -> Any:
        """Return what was kept as JSON."""
        return json.loads(self.array(name, np.uint8).tobytes())

    def table(self, name: str, table: TranspositionTable) -> None:
        """Put the table back when all runs are there, if this run is the one that kept it.

        A new run may ask a table, and so change it; that has no effect on what is put back.
        """
        if not self.has(name):
            return

        def put_back() -> None:
            count = self.count(name)
            self.require(0 < count <= MOST_BUCKETS * BUCKET_WORDS and count % BUCKET_WORDS == 0)
            words = aligned_words(count)
            self.file.read_into(self.name + name, words)
            table.words = words
            table.most = max(table.most, table.bytes)

        self.later.append(put_back)

    def stand_on(self, record: Any, path: list[Position], moves: Iterable[int],
                 tried: Sequence[Array] = ()) -> list[Position]:
        """Play ``moves``, which must be legal, after the positions ``path``, write the states and
        keys of all into arrays of ``record``, and return them.

        ``tried``: the moves of the nodes at the first of these positions, which must be legal too.
        """
        try:
            for move in moves:
                path = [*path, path[-1].play_code(int(move))]
        except ZermeloError:
            self.require(False)
        for ply, position in enumerate(path):
            record.states[ply] = position.state[0]
            record.keys[ply] = np.uint64(position.key() & (2**64 - 1))
        for known, position in zip(tried, path, strict=False):
            self.require(set(known.tolist()) <= set(position.codes()))
        return path


@contextmanager
def refusing(file: CheckpointFile) -> Iterator[None]:
    """Refuse a checkpoint if what it holds can't be read as what it should be."""
    try:
        yield
    except ZermeloError:
        raise
    except (ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError,
            ValueError):
        raise file.refused(WRONG) from None
