"""A contest: many searches on the same positions, what each took, and who is ahead of whom.

A search is *ahead* of another on a position if it alone concludes it, or if both do and it takes at
most two thirds of what the other takes; else they are *alike*. What takes less than a clock can
tell is alike, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.lab import columns
from zermelo.lab.entries import Entries
from zermelo.lab.study.intervals import Interval, share, sign_test
from zermelo.lab.study.result_files import LEAST_SECONDS

SECONDS, NODES = "search_seconds", "nodes"
LEAST = {SECONDS: LEAST_SECONDS, NODES: 1.0}  # less counts as this
MUCH = 1.5  # times as much, to be behind

Place = tuple[str, str]  # a set, and the id of a position of it


@dataclass(frozen=True)
class Contest:
    """``costs[position, arm]``: what the arm took; infinite where it concluded nothing. ``ran``:
    whether it was run there, as all arms were that can be asked about that game."""

    places: list[Place]
    arms: list[str]
    costs: Any
    ran: Any

    @property
    def sets(self) -> list[str]:
        """The sets that have positions, in the order of the experiment."""
        return list(dict.fromkeys(group for group, _ in self.places))

    def of(self, arm: str) -> Any:
        """The costs of one arm."""
        return self.costs[:, self.arms.index(arm)]

    def only(self, keep: Any) -> Contest:
        """The positions at which ``keep`` is true."""
        kept = [place for place, yes in zip(self.places, keep, strict=True) if yes]
        mask = np.asarray(keep, bool)
        return Contest(kept, self.arms, self.costs[mask], self.ran[mask])

    def least(self) -> Any:
        """What the best arm took, by position; infinite where none concluded."""
        return self.costs.min(axis=1) if len(self.arms) else np.full(len(self.places), np.inf)

    def par2(self, limit: float) -> Any:
        """The costs, with twice the limit where nothing was concluded."""
        return np.where(np.isfinite(self.costs), self.costs, 2 * limit)


def contest_of(results: Entries, what: str = SECONDS, arms: Sequence[str] = (),
               sets: Sequence[str] = ()) -> Contest:
    """All positions that every arm that is meant for them has been run on, under one seed."""
    entries = [entry for entry in results.entries
               if (not arms or entry.cell.arm in arms) and (not sets or entry.cell.set in sets)]
    names = list(dict.fromkeys(entry.cell.arm for entry in entries))
    waiting = {(e.cell.set, e.cell.id) for e in entries if e.row is None}
    places = [place for place in dict.fromkeys((e.cell.set, e.cell.id) for e in entries)
              if place not in waiting]
    at, column = ({one: number for number, one in enumerate(some)} for some in (places, names))
    costs = np.full((len(places), len(names)), np.inf)
    ran = np.zeros(costs.shape, bool)
    for entry in entries:
        place = (entry.cell.set, entry.cell.id)
        if place in waiting or entry.row is None:
            continue
        where = at[place], column[entry.cell.arm]
        ran[where] = True
        number = columns.of_row(entry, what)
        if entry.row["concluded"] and number is not None:
            costs[where] = max(number, LEAST.get(what, 0.0))
    return Contest(places, names, costs, ran)


@dataclass(frozen=True)
class Duel:
    """One search against another: on how many positions it is ahead, behind, alike (both
    concluded), and on how many neither concluded."""

    ahead: int
    behind: int
    alike: int
    neither: int

    @property
    def share(self) -> Interval | None:
        """In per cent of the positions on which one of them is ahead, with Wilson's interval."""
        return share(self.ahead, self.ahead + self.behind)

    @property
    def chance(self) -> float:
        """How likely a coin falls so unevenly."""
        return sign_test(self.ahead, self.behind)


def duel(mine: Any, theirs: Any) -> Duel:
    """Position by position; infinite: not concluded."""
    mine, theirs = np.asarray(mine, float), np.asarray(theirs, float)
    done, other = np.isfinite(mine), np.isfinite(theirs)
    both = done & other
    with np.errstate(invalid="ignore"):
        first = (done & ~other) | (both & (MUCH * mine <= theirs))
        second = (other & ~done) | (both & (MUCH * theirs <= mine))
    return Duel(int(first.sum()), int(second.sum()), int((both & ~first & ~second).sum()),
                int((~done & ~other).sum()))


def duel_of(contest: Contest, one: str, other: str) -> Duel:
    """On the positions that both were run on."""
    where = contest.ran[:, contest.arms.index(one)] & contest.ran[:, contest.arms.index(other)]
    return duel(contest.of(one)[where], contest.of(other)[where])


def profile(contest: Contest, arm: str) -> list[tuple[float, float]]:
    """The share of positions, in per cent, concluded within so many times what the best arm takes;
    of those that some arm concludes."""
    least = contest.least()
    solved = np.isfinite(least)
    if not solved.any():
        return []
    ratios = np.sort(contest.of(arm)[solved] / least[solved])
    finite = ratios[np.isfinite(ratios)]
    whole = len(ratios)
    return [(float(ratio), 100.0 * (number + 1) / whole) for number, ratio in enumerate(finite)]


def within(contest: Contest, arm: str, times: float) -> Interval | None:
    """The share concluded within ``times`` what the best arm takes, with Wilson's interval."""
    least = contest.least()
    solved = np.isfinite(least)
    return share(int((contest.of(arm)[solved] <= times * least[solved]).sum()), int(solved.sum()))
