"""Find a search by its id, choose the one that suits a game, and refuse what a search can't do.

Only the module of a search that is used is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadOption, UnknownSearch, check_whole, did_you_mean, quoted
from zermelo.search import HOMES, home_of
from zermelo.search.base import Run, Search, Task, Zones

if TYPE_CHECKING:
    from zermelo.core.game import Game

DEFAULT_SEARCH = "weak-df-pn"
BY_THREATS = "vcdt"
LARGE = 64  # squares
MOST_IN_A_BATCH = 1 << 16


class Searches(Mapping[str, type[Search]]):
    """The searches by their ids."""

    def __getitem__(self, id: str) -> type[Search]:
        module, name = home_of(id)
        found: type[Search] = getattr(import_module(module), name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(HOMES)

    def __len__(self) -> int:
        return len(HOMES)


SEARCHES = Searches()


def search_class(id: str) -> type[Search]:
    """Return the search with this id."""
    if not isinstance(id, str) or id not in SEARCHES:
        raise UnknownSearch(
            f"there is no search {quoted(id)}{did_you_mean(id, SEARCHES)}; searches: "
            f"{', '.join(SEARCHES)}."
        )
    return SEARCHES[id]


def search(id: str, /, **options: Any) -> Search:
    """Return the search with this id and these options."""
    return search_class(id)(**options)


def searches_for(game: Game) -> list[str]:
    """Return the ids of all searches that can be asked about ``game`` as they are."""
    return [id for id in SEARCHES if fits(id, game)]


def fits(id: str, game: Game) -> bool:
    """Return True if a search can be asked about ``game`` as it is."""
    try:
        SEARCHES[id]().check_game(game)
    except BadOption:
        return False
    return True


def default_search(game: Game) -> str:
    """Return the id of the search to take where none is asked for.

    On a large board with lines to complete only threats get anywhere.
    """
    threats = game.rules.lines is not None and game.rules.max_moves > LARGE
    return BY_THREATS if threats and fits(BY_THREATS, game) else DEFAULT_SEARCH


def chosen_search(given: Search | str | None, game: Game | None = None,
                  narrow: bool = False) -> Search:
    """Return the search given, by its id or as it is; the default one if there is none.

    ``narrow``: one that can be kept to candidates.
    """
    if given is None:
        given = DEFAULT_SEARCH if game is None or narrow else default_search(game)
    if isinstance(given, str):
        return search(given)
    if not isinstance(given, Search):
        raise BadOption(f"{quoted(given)} is not a search; give an id, or an object such "
                        "as zermelo.PN().")
    return given


def _able(can: Callable[[type[Search]], bool]) -> str:
    """Return the ids of the searches that can do something, for a message."""
    return ", ".join(id for id, known in SEARCHES.items() if can(known))


def check_fit(search: Search, game: Game, goal: str, threads: int) -> None:
    """Refuse a game or goal that the search can't be asked for, and threads that it can't use."""
    search.check_game(game)
    if goal not in search.goals:
        raise BadOption(f"goal={quoted(goal)}: {search.id} can be asked for "
                        f"{' and '.join(search.goals)} only; "
                        f"{_able(lambda known: goal in known.goals)} can do it.")
    if threads > 1 and not search.threaded:
        raise BadOption(f"threads={threads}: {search.id} runs on one thread; "
                        f"{_able(lambda known: known.threaded)} can use more.")


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
        raise BadOption(f"evaluate_many: {search.id} has no use for it; "
                        f"{_able(lambda known: known.takes_values)} have.")
    if batch > 1 and trace is not None:
        raise BadOption(f"batch={batch}: a trace needs one leaf at a time.")


def zones_of(game: Game, candidates: bool | Zones) -> Zones | None:
    """Return the zones to search by; None where the game has candidates of its own, or none are
    wanted."""
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
        raise BadOption(f"candidates: {search.id} can't search by zones; "
                        f"{_able(lambda known: known.narrows)} can.")
    if goal not in ("win", "value"):
        raise BadOption(f"candidates: zones can be asked for win and value only, not {goal}.")
    if threads > 1:
        raise BadOption(f"threads={threads}: a search by zones runs on one thread.")


def start_by_zones(search: Search, task: Task, zones: Zones) -> Run:
    """Begin to search by zones; what they need is loaded then."""
    run: Run = import_module("zermelo.search.zones.run").Run(search, task, zones)
    return run


def check_candidates(search: Search, game: Game, goal: str) -> None:
    """Refuse candidates that the game or the search has not, or that can't settle the goal."""
    if game.rules.candidates is None:
        raise BadOption(f"candidates: {game.name} declares no candidate moves.")
    if not search.narrows:
        raise BadOption(f"candidates: {search.id} always tries all moves; "
                        f"{_able(lambda known: known.narrows)} can be kept to candidates.")
    if goal == "score":
        raise BadOption("candidates: they can prove wins only; valid goals are win, value and "
                        "shortest.")
