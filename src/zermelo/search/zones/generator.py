"""ZoneGenerator: what each side should try in a position, found by threats, null moves and zones.

The defender passes; the attacker must win by threats then, or nothing is known here. A turn without
a stone in the zone Z of that win loses to it, unless its two stones stand in one far line. For each
square s of Z the defender puts one stone there and passes; if the attacker wins by threats again,
the other stone must be in the zone Z' of that win. What is left is tried pair by pair.

All answers depend on the position alone: the table of the threat search is wiped every time.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from zermelo.core.rules import EMPTY, Array, Lines
from zermelo.search.base import MOST_STONES as MOST_IN_TURN
from zermelo.search.base import Zones
from zermelo.search.reasons import WON
from zermelo.search.threats.driver import find_entry, set_up, win_known
from zermelo.search.threats.line_counts import CHANGING, FULL, line_counts_of
from zermelo.search.threats.threat_search import ThreatSearch, after, call, live_lines
from zermelo.search.threats.turns import MOST_STONES
from zermelo.search.zones.kernels import MISSED, SQUARES, mark, rank, zone_for

Turn = tuple[int, ...]
MOST_REPLIES = 2_000
TRIES = 5  # null moves, for each candidate that is wanted
ENDLESS = 1 << 40


class Win(NamedTuple):
    """A win by threats: within how many turns, and the first of them."""

    turns: int
    turn: Turn


# The defender's turns that nothing answers, None if they are too many; and, of the turns that lose
# to threats, one that lasts longest.
Replies = tuple[list[Turn] | None, Turn]
NOTHING_KNOWN: Replies = (None, ())


class ZoneGenerator:
    """The threat search of one attacker, and the space for zones."""

    def __init__(self, lines: Lines, attacker: int, zones: Zones) -> None:
        self.lines, self.attacker, self.zones = lines, attacker, zones
        self.threat_search = ThreatSearch(lines, attacker, zones.depth, False, 0)
        self.blank = line_counts_of(lines)
        self.zone_space = zone_for(lines, zones.depth)
        squares, stones = lines.squares, np.zeros(MOST_STONES, np.int16)
        self.rank_space = (stones, np.zeros(squares, np.int64), np.zeros(squares, np.int16),
                           np.zeros((squares * SQUARES, 2), np.int16),
                           np.zeros(squares * SQUARES, np.int64))

    @property
    def visits(self) -> int:
        """Visits of all threat searches so far; walks through wins are not counted."""
        return int(self.threat_search.control["nodes"])

    def win(self, owners: Array, left: int, again: bool = False) -> Win | None:
        """A win by threats where the attacker is to move, a shortest one; ``again``: one that the
        table has lost from among others."""
        threat_search = self.threat_search
        self._clear_counts()
        if not again and threat_search.control["kept"]:
            threat_search.arrays.table[:], threat_search.control["kept"] = 0, 0
        threat_search.aim(owners, self.attacker, left, self.zones.depth)
        threat_search.control["limit"] = threat_search.control["nodes"] + self.zones.effort
        threat_search.go(ENDLESS)
        if threat_search.control["status"] != WON:
            return None
        return Win(int(threat_search.control["turns"]), tuple(threat_search.turn()))

    def _clear_counts(self) -> None:
        """Empty the board: the order of the lists depends on what was looked at before."""
        for name in CHANGING:
            getattr(self.threat_search.arrays.counts, name)[:] = getattr(self.blank, name)

    def zone(self, owners: Array, win: Win, spare: int) -> tuple[Array, Array]:
        """The zone of a win just found: a mark for each square, and for each far line."""
        space, arrays = self.zone_space, self.threat_search.arrays
        if win.turns == 1:
            space.near[:], space.far[:] = 0, 0
            space.near[list(win.turn)] = 1
            return space.near.copy(), space.far.copy()
        visits = int(self.threat_search.control["nodes"])
        for _ in range(1 + self.zones.effort):
            call(set_up, arrays.counts, owners)
            space.words[0] = self._word(win.turn)
            done = call(mark, arrays.counts, arrays.stops, arrays.table, space, self.attacker,
                        win.turns, spare)
            if done != MISSED:
                break
            missed = arrays.counts.owner.copy()
            if self.win(missed, self.lines.stones, again=True) is None:
                space.near[:] = 1
                break
        else:
            space.near[:] = 1
        self.threat_search.control["nodes"] = visits
        return space.near.copy(), space.far.copy()

    def hint(self, owners: Array, turns: int) -> Win | None:
        """The turn of a win within ``turns`` turns that the last search found on its way."""
        counts, table = self.threat_search.arrays.counts, self.threat_search.arrays.table
        hash = np.zeros(2, np.uint64)
        for square in np.flatnonzero(owners != EMPTY):
            hash ^= counts.zobrist[:, owners[square], square]
        at = int(find_entry(table, hash))
        if at >= 0 and 0 < win_known(table, at) <= turns:
            squares = table[at, 2:3].view(np.int16)
            return Win(int(win_known(table, at)), tuple(int(s) for s in squares if s != FULL))
        return self.win(owners, self.lines.stones, again=True)

    def _word(self, turn: Turn) -> Any:
        row = np.full(MOST_STONES, FULL, np.int16)
        row[: len(turn)] = turn
        return row.view(np.uint64)[0]

    def attacks(self, owners: Array, left: int) -> list[Turn]:
        """The attacker's best turns after which it would win by threats if the defender passed."""
        found = list[Turn]()
        least = self.zones.threats
        for turn in self.ranked(owners, left):
            now = after(owners, turn, self.attacker)
            if least and self.threat_search.threats(now, self.attacker, least) < least:
                continue
            if self.win(now, self.lines.stones) is not None:
                found.append(turn)
            if len(found) == self.zones.width:
                break
        return found

    def ranked(self, owners: Array, left: int) -> list[Turn]:
        """The attacker's best turns by the heuristic, TRIES times as many as are wanted."""
        arrays, side = self.threat_search.arrays, self.attacker
        self._clear_counts()
        if self.threat_search.threats(owners, 1 - side, left) > left:
            return []
        stones, scores, best, pairs, values = self.rank_space
        n = call(rank, arrays.counts, arrays.stops, stones, side, left, scores, best, pairs, values)
        order = np.argsort(-values[:n], kind="stable")[: TRIES * self.zones.width]
        return [tuple(int(a) for a in pairs[at] if a >= 0) for at in order]

    def replies(self, owners: Array, left: int) -> Replies:
        """Find the turns that the defender, with ``left`` (1 or 2) stones to put, can try; on a
        board with fewer empty squares the turn is as short as that."""
        empty = owners == EMPTY
        left = min(left, int(empty.sum()))
        if left > min(self.lines.stones, MOST_IN_TURN) or len(
                live_lines(self.lines, owners, 1 - self.attacker, left)):
            return NOTHING_KNOWN
        null = self.win(owners, self.lines.stones)
        if null is None:
            return NOTHING_KNOWN
        near, far = self.zone(owners, null, left)
        zone = [int(s) for s in np.flatnonzero(near * empty)]
        if left == 1:
            return self._tried(owners, [(s,) for s in zone], zone, {})
        seconds, hopeless = dict[int, list[int] | None](), 0
        for s in zone:
            seconds[s] = self._second(owners, s)
            hopeless += seconds[s] is None
            if hopeless * (int(empty.sum()) - hopeless) > MOST_REPLIES:
                return NOTHING_KNOWN
        pairs = dict.fromkeys(self._far_pairs(far, near, empty))
        for s, second in seconds.items():
            for t in np.flatnonzero(empty).tolist() if second is None else second:
                other = seconds.get(t, [s])
                if t != s and (other is None or s in other):
                    pairs[min(s, t), max(s, t)] = None
        return self._tried(owners, list(pairs), zone, seconds)

    def _second(self, owners: Array, s: int) -> list[int] | None:
        """Z' after a stone on ``s``; None if the attacker does not win by threats then."""
        now = after(owners, (s,), 1 - self.attacker)
        win = self.win(now, self.lines.stones)
        if win is None:
            return None
        near, _ = self.zone(now, win, 1)
        return [int(t) for t in np.flatnonzero(near * (now == EMPTY))]

    def _far_pairs(self, far: Array, near: Array, empty: Array) -> list[Turn]:
        """Two stones outside Z in one far line."""
        found = dict[Turn, None]()
        for line in self.lines.sets[far != 0].tolist():
            free = sorted(square for square in line if empty[square] and not near[square])
            found.update(dict.fromkeys(combinations(free, 2)))
        return list(found)

    def _tried(self, owners: Array, turns: list[Turn], zone: list[int],
               seconds: dict[int, list[int] | None]) -> Replies:
        """The turns that are left: all, or, if ``eager``, what no win by threats answers."""
        if not self.zones.eager:
            return turns if len(turns) <= MOST_REPLIES else None, ()
        found, longest, most = list[Turn](), (), 0  # type: tuple[list[Turn], Turn, int]
        for turn in turns:
            # A win after more stones would be a win after fewer: those need not be tried.
            hopeless = any(seconds.get(s, zone) is None for s in turn)
            win = None
            if not hopeless:
                win = self.win(after(owners, turn, 1 - self.attacker), self.lines.stones)
            if win is None:
                found.append(turn)
                if len(found) > MOST_REPLIES:
                    return NOTHING_KNOWN
            elif win.turns > most:
                longest, most = turn, win.turns
        return found, longest
