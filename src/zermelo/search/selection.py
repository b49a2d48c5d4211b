"""Which search runs: the one asked for, or the one that suits the game; and what it can't do."""

from __future__ import annotations

from zermelo.core.game import Game
from zermelo.errors import BadOption, quoted
from zermelo.search.base import Search
from zermelo.search.registry import SEARCHES, searches_for
from zermelo.search.registry import search as search_by_id
from zermelo.search.threats.vcdt import VCDT
from zermelo.search.zones.options import Zones

DEFAULT_SEARCH = "weak-df-pn"
LARGE = 64  # squares


def default_search(game: Game) -> str:
    """The id of the search to take where none is asked for.

    On a large board with lines to complete only threats get anywhere.
    """
    threats = game.rules.lines is not None and game.rules.max_moves > LARGE
    return VCDT.id if threats and VCDT.id in searches_for(game) else DEFAULT_SEARCH


def chosen_search(search: Search | str | None, game: Game | None = None,
                  narrow: bool = False) -> Search:
    """The search given, by its id or as it is; the default one if there is none.

    ``narrow``: one that can do with candidates.
    """
    if search is None:
        return search_by_id(DEFAULT_SEARCH if game is None or narrow else default_search(game))
    if isinstance(search, str):
        return search_by_id(search)
    if not isinstance(search, Search):
        raise BadOption(f"{quoted(search)} is not a search; give an id, or an object such "
                        "as zermelo.PN().")
    return search


def check_fit(search: Search, game: Game, goal: str, threads: int) -> None:
    """Refuse a game or goal that the search can't be asked for, and threads that it can't use."""
    search.check_game(game)
    able = [id for id, kind in SEARCHES.items() if goal in kind.goals]
    if goal not in search.goals:
        raise BadOption(f"goal={quoted(goal)}: {search.id} can be asked for "
                        f"{' and '.join(search.goals)} only; {', '.join(able)} can do it.")
    if threads > 1 and not search.threaded:
        able = [id for id, kind in SEARCHES.items() if kind.threaded]
        raise BadOption(f"threads={threads}: {search.id} runs on one thread; {', '.join(able)} "
                        "can use more.")


def zones_of(game: Game, candidates: bool | Zones) -> Zones | None:
    """The zones to search by; None where the game has candidates of its own, or none are wanted."""
    if not isinstance(candidates, bool | Zones):
        raise BadOption(f"candidates={quoted(candidates)} is not true, false or zermelo.Zones.")
    if isinstance(candidates, Zones):
        candidates.lines_of(game)
        return candidates
    wanted = candidates and game.rules.candidates is None and game.rules.lines is not None
    return Zones() if wanted else None


def check_zones(zones: Zones, search: Search, game: Game, goal: str, threads: int) -> None:
    """Refuse what a search by zones can't be asked for."""
    zones.lines_of(game)
    if not search.narrows:
        able = [id for id, kind in SEARCHES.items() if kind.narrows]
        raise BadOption(f"candidates: {search.id} can't search by zones; {', '.join(able)} can.")
    if goal not in ("win", "value"):
        raise BadOption(f"candidates: zones can be asked for win and value only, not {goal}.")
    if threads > 1:
        raise BadOption(f"threads={threads}: a search by zones runs on one thread.")


def check_candidates(search: Search, game: Game, goal: str) -> None:
    """Refuse candidates that the game or the search has not, or that can't settle the goal."""
    if game.rules.candidates is None:
        raise BadOption(f"candidates: {game.name} declares no candidate moves.")
    if not search.narrows:
        able = [id for id, kind in SEARCHES.items() if kind.narrows]
        raise BadOption(f"candidates: {search.id} always tries all moves; {', '.join(able)} can be "
                        "kept to candidates.")
    if goal == "score":
        raise BadOption("candidates: they can prove wins only; valid goals are win, value and "
                        "shortest.")
