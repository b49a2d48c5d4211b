"""``search="auto"``: a rule picks the search by looking at the position.

It is the rule that came out of the comparison of all searches (comparison.md): where many
lines of play meet, deep-df-pn, else the search that the game has anyway. It was learned on one
half of the positions and beat the usual search on the other. All of them were searched by the rules
of the game alone, or by zones: where a game has knowledge to offer, the usual search stays.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import NamedTuple

from zermelo.core.position import Position
from zermelo.core.rules import OUTCOMES, Rules
from zermelo.search.base import Run, Search, Task
from zermelo.search.reasons import NEVER, NODES, SLICE, SOLVED
from zermelo.search.registry import DEFAULT_SEARCH, chosen_search, default_search

AUTO = "auto"
MANY_MEET = 49.2  # per cent of the lines of four plies
WHERE_MANY_MEET = "deep-df-pn"
KNOWLEDGE = ("forced", "estimate", "cannot_win", "foreseen", "endgame", "dependence")
GAMES, LONGEST = 24, 100
PLIES, TRIED = 4, 4


def search_for(position: Position, search: Search | str | None, narrow: bool = False,
               plain: bool = False) -> Search:
    """Return the search given, the usual one, or the one that the rule picks for ``position``.

    ``narrow``: one that can do with candidates; ``plain``: by the rules alone.
    """
    if search == AUTO:
        search = picked_search(position, narrow, plain)
    return chosen_search(search, position.game, narrow)


def picked_search(position: Position, narrow: bool = False, plain: bool = False) -> str:
    """Return the id of the search that the rule picks.

    The rule is not for games whose usual search is another one (vcdt, on large boards with lines).
    """
    usual = DEFAULT_SEARCH if narrow else default_search(position.game)
    applies = usual == DEFAULT_SEARCH and (narrow or plain or not knows(position.game.rules))
    return WHERE_MANY_MEET if applies and transpositions(position) >= MANY_MEET else usual


def knows(rules: Rules) -> bool:
    """Return True if a game gives searches more than its rules."""
    return any(getattr(rules, part) is not None for part in KNOWLEDGE)


WHOLE = "retrograde"
# After so many nodes of the search so many positions may be enumerated, which takes fractions of a
# second, then some: in games that can repeat, and in all; then where each rule is a call of Python.
EARLY, LATE = (2_000, 300_000), (20_000_000, 3_000_000)
EARLY_PLAIN, LATE_PLAIN = (200, 20_000), (100_000, 200_000)
PART = 4  # of the memory, for the enumeration


class WholeGame:
    """All positions that can come up, beside a search that was not asked for by name: small games
    are solved whole, for many of which the search would not find a proof.

    ``stages``: (after how many nodes of the search, how many positions), those still to come.
    """

    def __init__(self, position: Position, player: int) -> None:
        plain = position.game.pace is not None
        early, late = (EARLY_PLAIN, LATE_PLAIN) if plain else (EARLY, LATE)
        self.stages = [early, late] if position.game.rules.cyclic else [late]
        self.position, self.player = position, player
        self.search = chosen_search(WHOLE)
        self.run: Run | None = None

    def after(self, left: int) -> int:
        """Return after how many nodes of the search to go on, where ``left`` nodes may be used."""
        after, most = self.stages[0]
        return after if after + most <= left else NEVER

    def advance(self, budget: int, memory: int) -> int:
        """Enumerate; return SLICE to be called again, SOLVED, or why this was all for now."""
        if self.run is None:
            self.run = self.search.start(Task(self.position, self.player, memory // PART))
        self.run.grow(memory // PART)
        reason = self.run.advance(budget, node_limit=self.stages[0][1])
        if reason not in (SLICE, SOLVED):
            self.stages = self.stages[1:] if reason == NODES else []
        return reason

    @property
    def nodes(self) -> int:
        """The positions found."""
        return 0 if self.run is None else self.run.nodes

    @property
    def bytes(self) -> int:
        """The memory in use."""
        return 0 if self.run is None else self.run.bytes


def whole_game(position: Position, search: Search | str | None, player: int) -> WholeGame | None:
    """Return what is enumerated beside a search given as ``search``: nothing if it was chosen, or
    if positions have no value of their own."""
    chosen = search not in (None, AUTO)
    if chosen or position.outcome is not None or position.game.rules.repeat is not None:
        return None
    return WholeGame(position, player)


class Features(NamedTuple):
    """Measures of a position by a few random games and a small tree.

    branching       moves of a position, the mean over those of the random games
    depth           plies to the end of a random game
    transpositions  in per cent: of the lines of four plies, four moves tried in each position, how
                    many end where an earlier one did
    decisive        random games with a winner, in per cent; the others are drawn, or go on
    drawn           random games that end in a draw, in per cent
    wins            of the decisive games, those that the side to move wins, in per cent
    """

    branching: float
    depth: float
    transpositions: float
    decisive: float
    drawn: float
    wins: float


NAMES = Features._fields


@lru_cache(maxsize=4096)  # a report asks for each several times
def features_of(position: Position, seed: int = 0) -> Features:
    """Return the features of ``position``, by the seed."""
    moves: list[int] = []
    lengths: list[int] = []
    ends: list[str | None] = []
    for number in range(GAMES):
        chance = random.Random(f"features {seed} {number}")
        at, plies = position, 0
        while at.outcome is None and plies < LONGEST:
            codes = at.codes()
            moves.append(len(codes))
            at, plies = at.play_code(chance.choice(codes)), plies + 1
        lengths.append(plies)
        ends.append(at.outcome)
    winners = [end for end in ends if end not in (None, "draw")]
    mine = sum(end == OUTCOMES[position.mover + 1] for end in winners)
    return Features(
        branching=sum(moves) / max(len(moves), 1), depth=sum(lengths) / GAMES,
        transpositions=transpositions(position, seed),
        decisive=100.0 * len(winners) / GAMES, drawn=100.0 * ends.count("draw") / GAMES,
        wins=100.0 * mine / len(winners) if winners else 50.0,
    )


def transpositions(position: Position, seed: int = 0) -> float:
    """Return the part of a small tree's lines that meet, in per cent.

    Moves are tried in one random order of their codes, the same in all positions: the moves of one
    line come up in others, in another order.
    """
    lines = 0
    seen: set[Position] = set()
    ranks: dict[int, float] = {}

    def rank(code: int) -> float:
        if code not in ranks:
            ranks[code] = random.Random(f"order {seed} {code}").random()
        return ranks[code]

    def follow(at: Position, left: int) -> None:
        nonlocal lines
        if left == 0 or at.outcome is not None:
            lines += 1
            seen.add(at)
            return
        for code in sorted(at.codes(), key=rank)[:TRIED]:
            follow(at.play_code(code), left - 1)

    follow(position, PLIES)
    return 100.0 * (1 - len(seen) / lines)
