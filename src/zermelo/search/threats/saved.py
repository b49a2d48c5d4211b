"""Threat searches in checkpoints: the stones, the path with its turns, and the table.

The loop comes back before it enters a node. In which order lines stand in their lists depends on
what was looked at before, and the order of turns on that: the lists are kept as they are.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.core.rules import EMPTY
from zermelo.search.common.saved import Saved, Saving, in_range
from zermelo.search.reasons import UNKNOWN, WON
from zermelo.search.threats.driver import ENTER, LEAVE_LOST, set_up
from zermelo.search.threats.line_counts import CHANGING, FULL, NOWHERE, line_counts_of
from zermelo.search.threats.threat_search import ThreatSearch, call
from zermelo.search.threats.turns import MOST_STONES

if TYPE_CHECKING:
    from zermelo.search.threats.vcdt import Run

ASKED = ("attacker", "mover", "left", "most")
BY_TURN = ("words", "scores", "made")
ENTRY_WORDS = 4


def save(run: Run, saving: Saving) -> None:
    """All of it, unless the game is over."""
    if run.finished != UNKNOWN:
        return
    arrays = run.threat_search.arrays
    level = int(arrays.control[0]["level"])
    turns = int(arrays.frames[level]["begin"])
    saving.array("control", arrays.control)
    saving.array("frames", arrays.frames[: level + 1])
    saving.fields(arrays.turns, BY_TURN, turns)
    saving.fields(arrays.counts, CHANGING)
    saving.entries("table", arrays.table)


def restore(run: Run, saved: Saved) -> None:
    """Let a run that has just begun go on from there."""
    if run.finished != UNKNOWN:
        return
    search = run.threat_search
    control = saved.record("control", search.arrays.control, ASKED)
    frames = saved.array("frames", search.arrays.frames.dtype)
    saved.require(control["level"] == len(frames) - 1
                  and len(frames) + 2 <= len(search.arrays.frames)
                  and ENTER <= control["phase"] <= LEAVE_LOST
                  and UNKNOWN <= control["status"] <= WON)
    _restore_turns(search, frames, saved)
    _restore_counts(run, frames, saved)
    _restore_table(search, saved)
    arrays = search.arrays
    arrays.frames[: len(frames)], arrays.control[0] = frames, control
    search.set_full()


def _restore_turns(search: ThreatSearch, frames: Any, saved: Saved) -> None:
    """The turns of the path: those of each node follow those of the one above."""
    count = saved.count("words")
    saved.require(frames["begin"][0] == 0 and frames["begin"][-1] == count)
    for above, below in pairwise(frames):
        saved.require(above["begin"] <= above["at"] < above["end"] == below["begin"])
    while len(search.arrays.turns.words) < count:
        search.more_turns()
    turns = search.arrays.turns
    saved.fields(turns, BY_TURN, count)
    squares = turns.moves[:count]
    saved.require(in_range(squares, FULL, search.lines.squares - 1)
                  and squares.shape[1] == MOST_STONES)


def _restore_counts(run: Run, frames: Any, saved: Saved) -> None:
    """The stones, which are those of the root and of the path, and the lists of lines with them."""
    search = run.threat_search
    counts, rows = search.arrays.counts, search.arrays.turns.moves
    owners, side = run.owners.astype(np.int8), run.position.mover
    for frame in frames[:-1]:
        stones = [int(square) for square in rows[int(frame["at"])] if square != FULL]
        saved.require(len(set(stones)) == len(stones) and np.all(owners[stones] == EMPTY))
        owners[stones], side = side, 1 - side
    fresh = line_counts_of(search.lines)
    call(set_up, fresh, owners)
    saved.fields(counts, CHANGING)
    for name in ("owner", "stones", "barred", "sizes", "hash"):
        saved.require(np.array_equal(getattr(counts, name), getattr(fresh, name)))
    for where in np.ndindex(counts.sizes.shape):
        size, places = int(counts.sizes[where]), np.full_like(fresh.places[where], NOWHERE)
        listed = counts.lists[where][:size]
        saved.require(np.array_equal(np.sort(listed), np.sort(fresh.lists[where][:size])))
        places[listed] = np.arange(size)
        saved.require(np.array_equal(places, counts.places[where]))


def _restore_table(search: ThreatSearch, saved: Saved) -> None:
    count = saved.count("table")
    entries = count // ENTRY_WORDS
    saved.require(entries >= len(search.arrays.table) and entries & (entries - 1) == 0)
    table = np.zeros((entries, ENTRY_WORDS), np.uint64)
    saved.file.read_into(f"{saved.name}table", table.reshape(-1))
    search.arrays = search.arrays._replace(table=table)
    squares = table[:, 2].copy().view(np.int16)
    saved.require(in_range(squares, FULL, search.lines.squares - 1))
