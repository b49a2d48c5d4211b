"""Times of different processors are told apart: no mean, sum or ratio is of several of them.

Everything else, such as nodes, is the same wherever it was counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from string import ascii_uppercase

from zermelo.jobs.store import Row
from zermelo.lab.entries import Entry

TIMES = ("seconds", "compile_seconds", "cpu_seconds", "wall_seconds")
UNKNOWN = "unknown"


def processor_of(row: Row) -> str:
    """What a row was measured on."""
    return str((row.get("machine") or {}).get("cpu", UNKNOWN))


def processors(entries: Iterable[Entry]) -> list[str]:
    """Those that the rows were measured on, the most frequent first."""
    found = Counter(processor_of(entry.row) for entry in entries if entry.row is not None)
    return sorted(found, key=lambda name: (-found[name], name))


def several(name: str, entries: Iterable[Entry]) -> bool:
    """Whether a number of these results can't be put together: times of several processors."""
    return name in TIMES and len(processors(entries)) > 1


def letter(number: int) -> str:
    """What a processor is called in tables: A to Z, then by number."""
    return ascii_uppercase[number] if number < len(ascii_uppercase) else f"processor {number + 1}"
