"""The parts of a checkpoint that runs write and read: facts, arrays and tables, under names.

``Saving`` collects them. ``Saved`` hands them out and checks them: what compiled code uses as an
index has to be in range, in a forged file too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
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

MOST_AMOUNT = 1e15
WRONG = "what it says about the search does not fit together"


class Saving:
    """A part of a checkpoint that is being put together; ``facts`` are for JSON."""

    def __init__(self, name: str = "") -> None:
        self.name, self.facts = name, dict[str, Any]()
        self.arrays: list[Stored] = []

    def part(self, name: str) -> Saving:
        """Return a part of this one."""
        inner = Saving(f"{self.name}{name}/")
        self.facts[name], inner.arrays = inner.facts, self.arrays
        return inner

    def array(self, name: str, items: Array) -> None:
        """Keep an array, as it is at the moment of writing."""
        self.arrays.append(Stored(self.name + name, np.asarray(items).reshape(-1)))

    def fields(self, record: Any, names: Iterable[str], count: int | None = None) -> None:
        """Keep arrays that are fields of ``record``, or ``count`` items of each."""
        for name in names:
            self.array(name, getattr(record, name)[:count])

    def table(self, name: str, table: TranspositionTable) -> None:
        """Keep a table, unless another run that uses it has done so."""
        if not any(stored.items is table.words for stored in self.arrays):
            self.arrays.append(Stored(self.name + name, table.words, table.entry_words))

    def entries(self, name: str, rows: Array) -> None:
        """Keep the rows of a table whose last word is not 0."""
        self.arrays.append(Stored(self.name + name, rows.reshape(-1), rows.shape[1]))


class Saved:
    """A part of a checkpoint that is read. ``later`` collects what is to be done at the end."""

    def __init__(self, file: CheckpointFile, facts: Any, name: str = "",
                 later: list[Callable[[], None]] | None = None) -> None:
        self.file, self.name = file, name
        self.later: list[Callable[[], None]] = [] if later is None else later
        self.require(isinstance(facts, dict))
        self.facts: dict[str, Any] = facts

    def require(self, holds: Any) -> None:
        """Refuse the checkpoint unless something holds."""
        self.file.require(bool(holds), WRONG)

    def part(self, name: str) -> Saved:
        """Return a part of this one."""
        return Saved(self.file, self.facts.get(name), f"{self.name}{name}/", self.later)

    def has(self, name: str) -> bool:
        """Return True if there is a part with this name."""
        return name in self.facts

    def number(self, name: str, low: int, high: int) -> int:
        """Return a whole number."""
        found = self.facts.get(name)
        self.require(type(found) is int and low <= found <= high)
        assert isinstance(found, int)
        return found

    def numbers(self, name: str, low: int, high: int, count: int | None = None) -> list[int]:
        """Return a list of whole numbers, as many as ``count`` says."""
        found = self.facts.get(name)
        self.require(isinstance(found, list) and count in (None, len(found))
                     and all(type(each) is int and low <= each <= high for each in found))
        assert isinstance(found, list)
        return found

    def text(self, name: str) -> str:
        """Return a text."""
        found = self.facts.get(name)
        self.require(isinstance(found, str))
        return str(found)

    def flag(self, name: str) -> bool:
        """Return true or false."""
        found = self.facts.get(name)
        self.require(isinstance(found, bool))
        return bool(found)

    def amount(self, name: str) -> float:
        """Return a number that is not negative, and not beyond all bounds."""
        found = self.facts.get(name)
        self.require(isinstance(found, int | float) and not isinstance(found, bool)
                     and 0 <= found <= MOST_AMOUNT)
        assert isinstance(found, int | float)
        return float(found)

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
            flat = self.array(name, out.dtype)
            self.require(len(flat) == out.size)
            out[...] = flat.reshape(out.shape)

    def table(self, name: str, table: TranspositionTable) -> None:
        """Put the table back when all runs are there, if this run is the one that kept it.

        A new run may ask a table, and so change it; that has no effect on what is put back.
        """
        if self.name + name not in self.file.places:
            return

        def put_back() -> None:
            count = self.count(name)
            self.require(0 < count <= MOST_BUCKETS * BUCKET_WORDS and count % BUCKET_WORDS == 0)
            words = aligned_words(count)
            self.file.read_into(self.name + name, words)
            table.words = words
            table.most = max(table.most, table.bytes)

        self.later.append(put_back)

    def play(self, position: Position, moves: list[int]) -> list[Position]:
        """Return the positions along a path, which must be of legal moves, from ``position`` on."""
        path = [position]
        try:
            for move in moves:
                path.append(path[-1].play_code(move))
        except ZermeloError:
            self.require(False)
        return path

    def stand_on(self, record: Any, path: list[Position]) -> None:
        """Write the states of a path and their keys into arrays of ``record``."""
        for ply, position in enumerate(path):
            record.states[ply] = position.state[0]
            record.keys[ply] = np.uint64(position.key() & (2**64 - 1))


def in_range(values: Array, low: int, high: int) -> bool:
    """Return True if all of ``values`` are from ``low`` to ``high``."""
    return bool(np.all((values >= low) & (values <= high)))
