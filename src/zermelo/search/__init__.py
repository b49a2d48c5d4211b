"""The searches, one family each: best first, depth first, minimax, threats, zones.

Calling the package finds a search by its id: ``zermelo.search("uct", C=1.4)``. So the public name
``zermelo.search`` and the modules below it, such as ``zermelo.search.registry``, both work.

HOMES has the module of each search, below ``zermelo.search``, and its class. No search is imported
here, so that ``import zermelo`` knows their names at no cost.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

HOMES = {
    "pn": "best_first.pn:PN",
    "pn2": "best_first.pn:PN2",
    "deep-pn": "best_first.pn:DeepPN",
    "mcpn": "best_first.ppn:MCPN",
    "ppn": "best_first.ppn:PPN",
    "pp": "best_first.ppn:PP",
    "mcts": "best_first.mcts:MCTS",
    "uct": "best_first.mcts:UCT",
    "cns": "best_first.cns:CNS",
    "ews": "best_first.ews:EWS",
    "mopns": "best_first.mopns:MOPNS",
    "pn-mcts": "best_first.mcts:PNMCTS",
    "gpn-mcts": "best_first.mcts:GPNMCTS",
    "df-pn": "depth_first.df_pn:DFPN",
    "deep-df-pn": "depth_first.deep_df_pn:DeepDFPN",
    "weak-df-pn": "depth_first.weak_df_pn:WeakDFPN",
    "df-ppn": "depth_first.df_ppn:DFPPN",
    "widening-df-pn": "depth_first.widening_df_pn:WideningDFPN",
    "tca-df-pn": "depth_first.tca_df_pn:TCADFPN",
    "shared-df-pn": "depth_first.shared_df_pn:SharedDFPN",
    "pds-pn": "depth_first.pds_pn:PDSPN",
    "alpha-beta": "minimax.search:AlphaBeta",
    "pvs": "minimax.search:PVS",
    "rps": "minimax.search:RPS",
    "erps": "minimax.search:ERPS",
    "vcdt": "threats.vcdt:VCDT",
    "retrograde": "retrograde.retrograde:Retrograde",
}


def home_of(id: str) -> tuple[str, str]:
    """Return the module and the name of the class of a search."""
    module, _, name = HOMES[id].partition(":")
    return f"{__name__}.{module}", name


class _CallablePackage(ModuleType):
    def __call__(self, id: str, **options: Any) -> Any:
        return import_module("zermelo.search.registry").search(id, **options)


sys.modules[__name__].__class__ = _CallablePackage
