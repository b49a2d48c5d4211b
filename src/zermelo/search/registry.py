"""Finding a search by its command-line id. Only the module of a search that is used is loaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadOption, UnknownSearch, did_you_mean, quoted
from zermelo.search.base import Search
from zermelo.search.homes import HOMES, home_of

if TYPE_CHECKING:
    from zermelo.core.game import Game


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
    """The search with this id."""
    if not isinstance(id, str) or id not in SEARCHES:
        raise UnknownSearch(
            f"there is no search {quoted(id)}{did_you_mean(id, SEARCHES)}; searches: "
            f"{', '.join(SEARCHES)}."
        )
    return SEARCHES[id]


def searches_for(game: Game) -> list[str]:
    """The ids of all searches that can be asked about ``game`` as they are."""
    return [id for id in SEARCHES if fits(id, game)]


def fits(id: str, game: Game) -> bool:
    """Whether a search can be asked about ``game`` as it is."""
    try:
        SEARCHES[id]().check_game(game)
    except BadOption:
        return False
    return True


def search(id: str, /, **options: Any) -> Search:
    """The search with this id and these options."""
    return search_class(id)(**options)
