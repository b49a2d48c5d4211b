"""Finding a search by its command-line id."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadOption, UnknownSearch, did_you_mean, quoted
from zermelo.search.base import Search
from zermelo.search.best_first.cns import CNS
from zermelo.search.best_first.deep_pn import DeepPN
from zermelo.search.best_first.mcpn import MCPN
from zermelo.search.best_first.mcts import MCTS, UCT
from zermelo.search.best_first.pn import PN
from zermelo.search.best_first.pn2 import PN2
from zermelo.search.best_first.pp import PP
from zermelo.search.best_first.ppn import PPN
from zermelo.search.depth_first.deep_df_pn import DeepDFPN
from zermelo.search.depth_first.df_pn import DFPN
from zermelo.search.depth_first.df_ppn import DFPPN
from zermelo.search.depth_first.weak_df_pn import WeakDFPN
from zermelo.search.minimax.alpha_beta import AlphaBeta
from zermelo.search.minimax.erps import ERPS
from zermelo.search.minimax.pvs import PVS
from zermelo.search.minimax.rps import RPS
from zermelo.search.threats.vcdt import VCDT

if TYPE_CHECKING:
    from zermelo.core.game import Game

SEARCHES: dict[str, type[Search]] = {
    kind.id: kind for kind in (PN, PN2, DeepPN, MCPN, PPN, PP, MCTS, UCT, CNS,
                               DFPN, DeepDFPN, WeakDFPN, DFPPN, AlphaBeta, PVS, RPS, ERPS, VCDT)
}


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
    found = []
    for id, kind in SEARCHES.items():
        with suppress(BadOption):
            kind().check_game(game)
            found.append(id)
    return found


def search(id: str, /, **options: Any) -> Search:
    """The search with this id and these options."""
    return search_class(id)(**options)
