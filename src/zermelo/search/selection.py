"""Which search runs: the one asked for, or the one that suits the game; and what it can't do."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from zermelo.core.game import Game
from zermelo.errors import BadOption, check_whole, quoted
from zermelo.search.base import Run, Search, Task
from zermelo.search.registry import SEARCHES, fits
from zermelo.search.registry import search as search_by_id
from zermelo.search.zone_options import Zones

DEFAULT_SEARCH = "weak-df-pn"
BY_THREATS = "vcdt"
LARGE = 64  # squares
MOST_IN_A_BATCH = 1 << 16


def default_search(game: Game) -> str:
    """The id of the search to take where none is asked for.

    On a large board with lines to complete only threats get anywhere.
    """
    threats = game.rules.lines is not None and game.rules.max_moves > LARGE
    return BY_THREATS if threats and fits(BY_THREATS, game) else DEFAULT_SEARCH


def chosen_search(search: Search | str | None, game: Game | None = None,
                  narrow: bool = False) -> Search:
    """The search given, by its id or as it is; the default one if there is none.

    ``narrow``: one that can do with candidates.
    """
    if search is None:
        return _usual(DEFAULT_SEARCH if game is None or narrow else default_search(game))
    if isinstance(search, str):
        return search_by_id(search)
    if not isinstance(search, Search):
        raise BadOption(f"{quoted(search)} is not a search; give an id, or an object such "
                        "as zermelo.PN().")
    return search


@cache
def _usual(id: str) -> Search:
    """A search with its defaults, made once."""
    return search_by_id(id)


def check_fit(search: Search, game: Game, goal: str, threads: int) -> None:
    """Refuse a game or goal that the search can't be asked for, and threads that it can't use."""
    search.check_game(game)
    if goal not in search.goals:
        able = [id for id, kind in SEARCHES.items() if goal in kind.goals]
        raise BadOption(f"goal={quoted(goal)}: {search.id} can be asked for "
                        f"{' and '.join(search.goals)} only; {', '.join(able)} can do it.")
    if threads > 1 and not search.threaded:
        able = [id for id, kind in SEARCHES.items() if kind.threaded]
        raise BadOption(f"threads={threads}: {search.id} runs on one thread; {', '.join(able)} "
                        "can use more.")


def check_values(search: Search, evaluate_many: object, batch: int, trace: int | None) -> None:
    """Refuse a function that values leaves where the search has no use for it."""
    check_whole("batch", batch, 1, MOST_IN_A_BATCH)
    if evaluate_many is None:
        if batch > 1:
            raise BadOption(f"batch={batch} needs evaluate_many, which is given the batches.")
        return
    if not callable(evaluate_many):
        raise BadOption(f"evaluate_many={quoted(evaluate_many)} is not a function.")
    if not search.takes_values:
        able = [id for id, kind in SEARCHES.items() if kind.takes_values]
        raise BadOption(f"evaluate_many: {search.id} has no use for it; {', '.join(able)} have.")
    if batch > 1 and trace is not None:
        raise BadOption(f"batch={batch}: a trace needs one leaf at a time.")


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


def start_by_zones(search: Search, task: Task, zones: Zones) -> Run:
    """Begin to search by zones; what they need is loaded then."""
    run: Run = import_module("zermelo.search.zones.run").start_by_zones(search, task, zones)
    return run


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
