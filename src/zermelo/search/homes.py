"""Where each search is: its id, module below ``zermelo.search``, and class.

Nothing is imported here, so that ``import zermelo`` knows the names of the searches at no cost.
"""

HOMES = {
    "pn": "best_first.pn:PN",
    "pn2": "best_first.pn2:PN2",
    "deep-pn": "best_first.deep_pn:DeepPN",
    "mcpn": "best_first.mcpn:MCPN",
    "ppn": "best_first.ppn:PPN",
    "pp": "best_first.ppn:PP",
    "mcts": "best_first.mcts:MCTS",
    "uct": "best_first.mcts:UCT",
    "cns": "best_first.cns:CNS",
    "ews": "best_first.ews:EWS",
    "mopns": "best_first.mopns:MOPNS",
    "pn-mcts": "best_first.pn_mcts:PNMCTS",
    "gpn-mcts": "best_first.gpn_mcts:GPNMCTS",
    "df-pn": "depth_first.df_pn:DFPN",
    "deep-df-pn": "depth_first.deep_df_pn:DeepDFPN",
    "weak-df-pn": "depth_first.weak_df_pn:WeakDFPN",
    "df-ppn": "depth_first.df_ppn:DFPPN",
    "widening-df-pn": "depth_first.widening_df_pn:WideningDFPN",
    "tca-df-pn": "depth_first.tca_df_pn:TCADFPN",
    "shared-df-pn": "depth_first.shared_df_pn:SharedDFPN",
    "pds-pn": "depth_first.pds_pn:PDSPN",
    "alpha-beta": "minimax.alpha_beta:AlphaBeta",
    "pvs": "minimax.pvs:PVS",
    "rps": "minimax.rps:RPS",
    "erps": "minimax.erps:ERPS",
    "vcdt": "threats.vcdt:VCDT",
}


def home_of(id: str) -> tuple[str, str]:
    """The module and the name of the class of a search."""
    module, _, name = HOMES[id].partition(":")
    return f"zermelo.search.{module}", name


def home_of_class(name: str) -> str:
    """The module of the search whose class has this name."""
    return next(module for module, known in map(home_of, HOMES) if known == name)
