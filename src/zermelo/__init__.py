"""Zermelo proves who wins.

    import zermelo

    game = zermelo.game("connect-four")
    result = zermelo.solve(game.parse("44444"), nodes=1_000_000)
    print(result.value, result.move, result.line)
"""

from zermelo.analyze import Analysis, analyze
from zermelo.annotate import annotate
from zermelo.annotation import Annotation
from zermelo.certify import write_proof
from zermelo.choose import Choice, choose
from zermelo.compare import compare, solve_many
from zermelo.errors import (
    BadCertificate,
    BadGame,
    BadMove,
    BadOption,
    BadPosition,
    ProofFailure,
    UnknownGame,
    UnknownSearch,
    ZermeloError,
)
from zermelo.game import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Game, Parameter, Rules
from zermelo.games.registry import game, game_names
from zermelo.graph import graph
from zermelo.lines import Lines
from zermelo.match import match
from zermelo.matches.result import Match
from zermelo.position import Position
from zermelo.progress import GameProgress, progress
from zermelo.proof import verify
from zermelo.records import records
from zermelo.result import Limits, MoveValue, Progress, Result, Value
from zermelo.scn import Curve, scn
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
from zermelo.search.registry import SEARCHES, search, searches_for
from zermelo.search.threats.vcdt import VCDT
from zermelo.search.zones.options import Zones
from zermelo.solve import Session, solve, start

__version__ = "0.1.0"

__all__ = [
    "CNS",
    "DFPN",
    "DFPPN",
    "DRAW",
    "ERPS",
    "FIRST_WINS",
    "MCPN",
    "MCTS",
    "ONGOING",
    "PN",
    "PN2",
    "PP",
    "PPN",
    "PVS",
    "RPS",
    "SEARCHES",
    "SECOND_WINS",
    "UCT",
    "VCDT",
    "AlphaBeta",
    "Analysis",
    "Annotation",
    "BadCertificate",
    "BadGame",
    "BadMove",
    "BadOption",
    "BadPosition",
    "Choice",
    "Curve",
    "DeepDFPN",
    "DeepPN",
    "Game",
    "GameProgress",
    "Limits",
    "Lines",
    "Match",
    "MoveValue",
    "Parameter",
    "Position",
    "Progress",
    "ProofFailure",
    "Result",
    "Rules",
    "Session",
    "UnknownGame",
    "UnknownSearch",
    "Value",
    "WeakDFPN",
    "ZermeloError",
    "Zones",
    "analyze",
    "annotate",
    "choose",
    "compare",
    "game",
    "game_names",
    "graph",
    "match",
    "progress",
    "records",
    "scn",
    "search",
    "searches_for",
    "solve",
    "solve_many",
    "start",
    "verify",
    "write_proof",
]
