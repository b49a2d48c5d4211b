"""``search="auto"``: a rule picks the search by looking at the position.

It is the rule that came out of the comparison of all searches (docs/comparison.md): where many
lines of play meet, deep-df-pn, else the search that the game has anyway. It was learned on one
half of the positions and beat the usual search on the other.
"""

from __future__ import annotations

from zermelo.core.position import Position
from zermelo.search.base import Search
from zermelo.search.selection import DEFAULT_SEARCH, chosen_search, default_search
from zermelo.solving.features import transpositions

AUTO = "auto"
MANY_MEET = 60.9  # per cent of the lines of four plies
WHERE_MANY_MEET = "deep-df-pn"


def search_for(position: Position, search: Search | str | None, narrow: bool = False) -> Search:
    """The search given, the usual one, or the one that the rule picks for ``position``."""
    if search == AUTO:
        search = picked(position, narrow)
    return chosen_search(search, position.game, narrow)


def picked(position: Position, narrow: bool = False) -> str:
    """The id of the search that the rule picks; ``narrow``: one that can do with candidates.

    It says nothing where the usual search is another one (vcdt, on large boards with lines).
    """
    usual = DEFAULT_SEARCH if narrow else default_search(position.game)
    many = usual == DEFAULT_SEARCH and transpositions(position) >= MANY_MEET
    return WHERE_MANY_MEET if many else usual
