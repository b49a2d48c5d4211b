"""The arrays of a threat search, and how it is aimed at a position; walks through a win.

On a walk, what the table has is taken, and the rest is searched again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.compiler.jit import jit_enabled, kernel
from zermelo.core.board import longer, records
from zermelo.core.rules import EMPTY, Array, Lines
from zermelo.search.common.saved import Saved, Saving
from zermelo.search.reasons import DEEPER, GROW, NEVER, SLICE, UNKNOWN, WON
from zermelo.search.threats.driver import (
    CONTROL,
    ENTER,
    FRAME,
    LEAVE_LOST,
    LEAVE_WON,
    ThreatArrays,
    aim,
    move_over,
    run,
    set_up,
)
from zermelo.search.threats.line_counts import (
    CHANGING,
    FULL,
    NOWHERE,
    line_counts_of,
    list_stops,
    stops_for,
    threats,
)
from zermelo.search.threats.turns import MOST_STONES, Turns, turns_for

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.search.threats.vcdt import Run

FIRST_ENTRIES, ENTRY_WORDS, ENTRY_BYTES = 1 << 14, 4, 32
FIRST_TURNS = 1 << 12
# In a checkpoint: the fields of its control that are set when it is aimed, and arrays.
ASKED, BY_TURN = ("attacker", "mover", "left", "most"), ("words", "scores", "made")


@cache
def _compiled(function: Callable[..., Any], on: bool) -> Any:
    return kernel(function)


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call an entry point, compiled once for all games."""
    return _compiled(function, jit_enabled())(*arguments)


class ThreatSearch:
    """A search that can be aimed at one position after the other; all share the table."""

    def __init__(self, lines: Lines, attacker: int, depth: int, anywhere: bool,
                 memory: int) -> None:
        self.lines, self.attacker, self.depth = lines, attacker, depth
        self.most_entries = FIRST_ENTRIES
        self.allow(memory)
        per_turn, squares = lines.stones, lines.squares
        counts = line_counts_of(lines)
        room = squares * squares // 2 + FIRST_TURNS
        joint = lines.joint if lines.joint is not None else len(counts.sets)
        self.arrays = ThreatArrays(
            counts=counts, stops=stops_for(len(counts.sets), max(per_turn, MOST_STONES), squares),
            turns=turns_for(squares, joint, anywhere, room),
            frames=records(FRAME, 2 * depth + 4),
            table=np.zeros((FIRST_ENTRIES, 4), np.uint64), control=records(CONTROL, 1),
        )

    @property
    def control(self) -> Any:
        """The record of the search's state."""
        return self.arrays.control[0]

    @property
    def bytes(self) -> int:
        """The memory in use."""
        arrays = [*self.arrays.counts, *self.arrays.stops, *self.arrays.turns, self.arrays.table]
        return sum(array.nbytes for array in arrays)

    def allow(self, memory: int) -> None:
        """Let the table grow to ``memory`` bytes."""
        while 8 * self.most_entries * ENTRY_BYTES <= memory:
            self.most_entries *= 2

    def aim(self, owners: Array, mover: int, left: int, most: int) -> None:
        """Begin at a position: wins within 1, 2, ... ``most`` turns."""
        call(aim, self.arrays, owners, self.attacker, mover, left, most)
        self.set_full()

    def go(self, budget: int) -> int:
        """Search for about ``budget`` nodes; return why it came back."""
        while True:
            reason = int(call(run, self.arrays, budget))
            if reason == DEEPER:
                self.more_turns()
            elif reason == GROW:
                self._larger_table()
            else:
                return reason

    def turn(self) -> list[int]:
        """The winning turn at the position aimed at, stone by stone."""
        word = np.array([self.control["turn"]], np.uint64)
        return [int(square) for square in word.view(np.int16) if square != FULL]

    def stops(self, owners: Array, left: int) -> list[list[int]]:
        """All ways to stop the attacker's threats with ``left`` stones."""
        call(set_up, self.arrays.counts, owners)
        out = self.arrays.turns.moves
        n = call(list_stops, self.arrays.counts, self.arrays.stops, self.attacker, left, out)
        return [[int(square) for square in row if square != FULL] for row in out[:n]]

    def threats(self, owners: Array, side: int, most: int) -> int:
        """The stones that stop the threats of ``side``; ``most`` + 1 for more than that."""
        call(set_up, self.arrays.counts, owners)
        return int(call(threats, self.arrays.counts, self.arrays.stops, side, most))

    def set_full(self) -> None:
        """Set the number of entries at which the table grows."""
        entries = len(self.arrays.table)
        self.control["full"] = entries // 2 if entries < self.most_entries else NEVER

    def _larger_table(self) -> None:
        table = np.zeros((4 * len(self.arrays.table), 4), np.uint64)
        call(move_over, self.arrays.table, table)
        self.arrays = self.arrays._replace(table=table)
        self.set_full()

    def more_turns(self) -> None:
        """Make room for twice as many turns."""
        old = self.arrays.turns
        room = 2 * len(old.words)
        words = longer(old.words, room)
        turns: Turns = old._replace(words=words, scores=longer(old.scores, room),
                                    made=longer(old.made, room),
                                    moves=words.view(np.int16).reshape(room, MOST_STONES))
        self.arrays = self.arrays._replace(turns=turns)

    def save(self, saving: Saving) -> None:
        """Keep the stones, the path with its turns, and the table.

        The loop comes back before it enters a node. In which order lines stand in their lists
        depends on what was looked at before, and the order of turns on that: the lists are kept.
        """
        arrays = self.arrays
        level = int(self.control["level"])
        saving.array("control", arrays.control)
        saving.array("frames", arrays.frames[: level + 1])
        saving.fields(arrays.turns, BY_TURN, int(arrays.frames[level]["begin"]))
        saving.fields(arrays.counts, CHANGING)
        saving.entries("table", arrays.table)

    def restore(self, saved: Saved) -> None:
        """Let a search that was just aimed at its position go on from a checkpoint."""
        control = saved.record("control", self.arrays.control, ASKED)
        frames = saved.array("frames", self.arrays.frames.dtype)
        count, entries = saved.count("words"), saved.count("table") // ENTRY_WORDS
        saved.require(control["level"] == len(frames) - 1 <= len(self.arrays.frames) - 3
                      and control["phase"] in (ENTER, LEAVE_WON, LEAVE_LOST)
                      and entries >= FIRST_ENTRIES and entries & (entries - 1) == 0)
        saved.within(0, count, frames["begin"], frames["end"][:-1])
        saved.within(0, count - 1, frames["at"][:-1])
        saved.within(UNKNOWN, WON, control["status"])
        while len(self.arrays.turns.words) < count:
            self.more_turns()
        arrays = self.arrays = self.arrays._replace(
            table=saved.array("table", np.uint64).reshape(entries, ENTRY_WORDS))
        arrays.frames[: len(frames)], arrays.control[0] = frames, control
        saved.fields(arrays.turns, BY_TURN, count)
        saved.within(FULL, self.lines.squares - 1, arrays.turns.moves[:count],
                     arrays.table[:, 2].copy().view("i2"))
        self._restore_counts(frames[:-1], saved)
        self.set_full()

    def _restore_counts(self, above: Array, saved: Saved) -> None:
        """Restore the stones, those of the root and of the path, and the lists of lines with them,
        which hold the right lines in any order."""
        counts, fresh = self.arrays.counts, line_counts_of(self.lines)
        owners, side = counts.owner.copy(), int(self.control["mover"])
        for turn in self.arrays.turns.moves[above["at"]]:
            stones = turn[turn != FULL]
            saved.require(len(set(stones.tolist())) == len(stones)
                          and np.all(owners[stones] == EMPTY))
            owners[stones], side = side, 1 - side
        call(set_up, fresh, owners)
        saved.fields(counts, CHANGING)
        for name in ("owner", "stones", "barred", "sizes", "hash"):
            saved.require(np.array_equal(getattr(counts, name), getattr(fresh, name)))
        saved.require(np.array_equal(counts.places == NOWHERE, fresh.places == NOWHERE))
        saved.within(0, len(counts.sets) - 1, counts.lists)
        for where in np.ndindex(counts.sizes.shape):
            listed = counts.lists[where][: counts.sizes[where]]
            saved.require(np.array_equal(counts.places[where][listed], np.arange(len(listed))))


AGAIN_SLICE = 1 << 14


class Guide:
    """Answers about positions below a win, by a search of its own that knows the run's table.

    Searches beside the run leave its node counts alone.
    """

    def __init__(self, run: Run) -> None:
        own, search = run.threat_search, run.search
        self.threat_search = ThreatSearch(own.lines, own.attacker, search.depth,
                                          search.free == "anywhere", 0)
        self.threat_search.arrays = self.threat_search.arrays._replace(table=own.arrays.table)
        self.threat_search.most_entries = len(own.arrays.table)
        self.attacker = own.attacker

    def win(self, owners: Array, left: int, most: int) -> tuple[int, list[int]]:
        """The least number of turns to a win where the attacker moves, and the first of them; 0 if
        there is none within ``most``."""
        self.threat_search.aim(owners, self.attacker, left, most)
        while self.threat_search.go(AGAIN_SLICE) == SLICE:  # short ones, so that Ctrl-C is heard
            pass
        if self.threat_search.control["status"] != WON:
            return 0, []
        return int(self.threat_search.control["turns"]), self.threat_search.turn()

    def reply(self, owners: Array, left: int, most: int) -> list[int]:
        """The defender's turn that lasts longest, among those that stop all threats; if none does,
        one that stops many."""
        best, longest = list[int](), 0
        for stones in self.threat_search.stops(owners, left):
            turns, _ = self.win(after(owners, stones, 1 - self.attacker), self.per_turn, most)
            if turns > longest:
                best, longest = stones, turns
        return best or self.stopping(owners, left)

    @property
    def per_turn(self) -> int:
        """Stones a turn."""
        return self.threat_search.lines.stones

    def stopping(self, owners: Array, left: int) -> list[int]:
        """Stones on the squares that stop most threats, one after the other."""
        found: list[int] = []
        for _ in range(min(left, int((owners == EMPTY).sum()))):
            now = after(owners, found, 1 - self.attacker)
            squares = live_lines(self.threat_search.lines, now, self.attacker).ravel()
            counts = np.bincount(squares, minlength=len(now))
            found.append(int(np.argmax(np.where(now == EMPTY, counts, -1))))
        return found


def live_lines(lines: Lines, owners: Array, side: int, left: int | None = None) -> Array:
    """The lines that one turn of ``side``, or ``left`` stones of it, completes."""
    held = owners[lines.sets]
    most = lines.stones if left is None else left
    live = (held != 1 - side).all(1) & ((held == EMPTY).sum(1) <= most)
    if lines.guards is not None:
        live &= ~((lines.guards >= 0) & (owners[lines.guards] == side)).any(1)
    found: Array = lines.sets[live]
    return found


def after(owners: Array, stones: Sequence[int], side: int) -> Array:
    """The squares with further stones of ``side``."""
    copy = owners.copy()
    copy[list(stones)] = side
    return copy


class Walk:
    """A place in a win by threats, stone by stone."""

    def __init__(self, run: Run) -> None:
        self.run, self.position, self.plan = run, run.position, list[int]()
        self.most = int(run.threat_search.control["turns"])
        self.guide: Guide | None = None

    @property
    def prover(self) -> int:
        """The player whose win is proved: the attacker."""
        return self.run.attacker

    def best(self) -> int | None:
        """The next stone: of a shortest win, or of the longest reply; None at the end."""
        if self.run.status == UNKNOWN or self.position.outcome is not None:
            return None
        if not self.plan:
            self.plan = self._turn()
        return self.plan[0] if self.plan else None

    def _turn(self) -> list[int]:
        if self.guide is None:
            self.guide = Guide(self.run)
        owners, left = self.guide.threat_search.lines.read(self.position.state[0])
        if self.position.mover != self.prover:
            return list(self.guide.reply(owners, left, self.most))
        turns, stones = self.guide.win(owners, left, self.most)
        self.most = turns - 1
        return list(stones)

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``."""
        self.plan = self.plan[1:] if self.plan[:1] == [move] else []
        self.position = position
        return True
