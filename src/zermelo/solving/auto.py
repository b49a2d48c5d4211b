"""``search="auto"``: a rule picks the search by looking at the position.

It is the rule that came out of the comparison of all searches (docs/comparison.md): where many
lines of play meet, deep-df-pn, else the search that the game has anyway. It was learned on one
half of the positions and beat the usual search on the other. All of them were searched by the rules
of the game alone, or by zones: where a game has knowledge to offer, the usual search stays.
"""

from __future__ import annotations

from zermelo.core.position import Position
from zermelo.core.rules import Rules
from zermelo.search.base import Search
from zermelo.search.selection import DEFAULT_SEARCH, chosen_search, default_search
from zermelo.solving.features import transpositions

AUTO = "auto"
MANY_MEET = 49.2  # per cent of the lines of four plies
WHERE_MANY_MEET = "deep-df-pn"
KNOWLEDGE = ("forced", "estimate", "cannot_win", "foreseen", "endgame", "dependence")


def search_for(position: Position, search: Search | str | None, narrow: bool = False,
               plain: bool = False) -> Search:
    """The search given, the usual one, or the one that the rule picks for ``position``.

    ``narrow``: one that can do with candidates; ``plain``: by the rules alone.
    """
    if search == AUTO:
        search = picked_search(position, narrow, plain)
    return chosen_search(search, position.game, narrow)


def picked_search(position: Position, narrow: bool = False, plain: bool = False) -> str:
    """The id of the search that the rule picks.

    It says nothing where the usual search is another one (vcdt, on large boards with lines).
    """
    usual = DEFAULT_SEARCH if narrow else default_search(position.game)
    told = usual == DEFAULT_SEARCH and (narrow or plain or not knows(position.game.rules))
    return WHERE_MANY_MEET if told and transpositions(position) >= MANY_MEET else usual


def knows(rules: Rules) -> bool:
    """Whether a game tells searches more than its rules."""
    return any(getattr(rules, part) is not None for part in KNOWLEDGE)
