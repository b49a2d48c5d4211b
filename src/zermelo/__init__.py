"""Zermelo proves who wins.

import zermelo

game = zermelo.game("connect-four")
result = zermelo.solve(game.parse("44444"), nodes=1_000_000)
print(result.value, result.move, result.line)

Names are loaded when they are first used, so that ``import zermelo`` costs next to nothing: not
even the module ``typing`` is loaded, which takes longer than Ctrl-C may go unheard.
"""

from __future__ import annotations

from zermelo.version import __version__ as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zermelo.cluster.session import (
        ClusterProgress,
        Distributed,
        resume_journal,
        solve_distributed,
    )
    from zermelo.conspiracy.scn import Curve, scn
    from zermelo.core.explicit_graph import graph
    from zermelo.core.game import Game
    from zermelo.core.object_game import PlainGame
    from zermelo.core.position import Position
    from zermelo.core.rules import (
        DRAW,
        FIRST_WINS,
        NO_MOVE,
        ONGOING,
        SECOND_WINS,
        Dependence,
        Lines,
        Parameter,
        Rules,
    )
    from zermelo.errors import (
        BadCertificate,
        BadCheckpoint,
        BadGame,
        BadMove,
        BadOption,
        BadPosition,
        BadProblem,
        BadRule,
        CompilerFault,
        ProofFailure,
        UnknownGame,
        UnknownSearch,
        ZermeloError,
    )
    from zermelo.game_records.annotate import Annotation, annotate
    from zermelo.game_records.progress import GameProgress, progress
    from zermelo.game_records.record import records
    from zermelo.games.open_spiel import open_spiel
    from zermelo.games.recognise import recognise
    from zermelo.games.registry import game, game_names
    from zermelo.matches import Match, match
    from zermelo.playing import Choice, Guess, choose, guess
    from zermelo.problems.problem import Problem, ProblemSession, problem
    from zermelo.problems.result import ProblemProgress, ProblemResult, Route
    from zermelo.proof import verify
    from zermelo.proof.problem import verify_problem
    from zermelo.search.base import Search, Zones
    from zermelo.search.best_first.cns import CNS
    from zermelo.search.best_first.deep_pn import DeepPN
    from zermelo.search.best_first.ews import EWS
    from zermelo.search.best_first.gpn_mcts import GPNMCTS
    from zermelo.search.best_first.mcpn import MCPN
    from zermelo.search.best_first.mcts import MCTS, UCT
    from zermelo.search.best_first.mopns import MOPNS
    from zermelo.search.best_first.pn import PN
    from zermelo.search.best_first.pn2 import PN2
    from zermelo.search.best_first.pn_mcts import PNMCTS
    from zermelo.search.best_first.ppn import PP, PPN
    from zermelo.search.depth_first.deep_df_pn import DeepDFPN
    from zermelo.search.depth_first.df_pn import DFPN
    from zermelo.search.depth_first.df_ppn import DFPPN
    from zermelo.search.depth_first.pds_pn import PDSPN
    from zermelo.search.depth_first.shared_df_pn import SharedDFPN
    from zermelo.search.depth_first.tca_df_pn import TCADFPN
    from zermelo.search.depth_first.weak_df_pn import WeakDFPN
    from zermelo.search.depth_first.widening_df_pn import WideningDFPN
    from zermelo.search.minimax.search import ERPS, PVS, RPS, AlphaBeta
    from zermelo.search.registry import SEARCHES, search, searches_for
    from zermelo.search.threats.vcdt import VCDT
    from zermelo.solving.analysis import Analysis, analyze
    from zermelo.solving.certify import write_proof
    from zermelo.solving.comparison import compare, solve_many
    from zermelo.solving.replay import Replay, replay
    from zermelo.solving.result import Limits, MoveValue, Progress, Result, Value
    from zermelo.solving.session import Session
    from zermelo.solving.solve import solve, start
    from zermelo.solving.values import Values

_HOMES = {
    "zermelo.cluster.session": "ClusterProgress Distributed resume_journal solve_distributed",
    "zermelo.conspiracy.scn": "Curve scn",
    "zermelo.core.explicit_graph": "graph",
    "zermelo.core.game": "Game",
    "zermelo.core.object_game": "PlainGame",
    "zermelo.core.position": "Position",
    "zermelo.core.rules":
        "DRAW Dependence FIRST_WINS Lines NO_MOVE ONGOING Parameter Rules SECOND_WINS",
    "zermelo.errors":
        "BadCertificate BadCheckpoint BadGame BadMove BadOption BadPosition BadProblem BadRule "
        "CompilerFault ProofFailure UnknownGame UnknownSearch ZermeloError",
    "zermelo.game_records.annotate": "Annotation annotate",
    "zermelo.game_records.progress": "GameProgress progress",
    "zermelo.game_records.record": "records",
    "zermelo.games.open_spiel": "open_spiel",
    "zermelo.games.recognise": "recognise",
    "zermelo.games.registry": "game game_names",
    "zermelo.matches": "Match match",
    "zermelo.playing": "Choice Guess choose guess",
    "zermelo.problems.problem": "Problem ProblemSession problem",
    "zermelo.problems.result": "ProblemProgress ProblemResult Route",
    "zermelo.proof": "verify",
    "zermelo.proof.problem": "verify_problem",
    "zermelo.search.registry": "SEARCHES searches_for",
    "zermelo.search.base": "Search Zones",
    "zermelo.solving.analysis": "Analysis analyze",
    "zermelo.solving.certify": "write_proof",
    "zermelo.solving.comparison": "compare solve_many",
    "zermelo.solving.replay": "Replay replay",
    "zermelo.solving.result": "Limits MoveValue Progress Result Value",
    "zermelo.solving.session": "Session",
    "zermelo.solving.solve": "solve start",
    "zermelo.solving.values": "Values",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "CNS",
    "DFPN",
    "DFPPN",
    "DRAW",
    "ERPS",
    "EWS",
    "FIRST_WINS",
    "GPNMCTS",
    "MCPN",
    "MCTS",
    "MOPNS",
    "NO_MOVE",
    "ONGOING",
    "PDSPN",
    "PN",
    "PN2",
    "PNMCTS",
    "PP",
    "PPN",
    "PVS",
    "RPS",
    "SEARCHES",
    "SECOND_WINS",
    "TCADFPN",
    "UCT",
    "VCDT",
    "AlphaBeta",
    "Analysis",
    "Annotation",
    "BadCertificate",
    "BadCheckpoint",
    "BadGame",
    "BadMove",
    "BadOption",
    "BadPosition",
    "BadProblem",
    "BadRule",
    "Choice",
    "ClusterProgress",
    "CompilerFault",
    "Curve",
    "DeepDFPN",
    "DeepPN",
    "Dependence",
    "Distributed",
    "Game",
    "GameProgress",
    "Guess",
    "Limits",
    "Lines",
    "Match",
    "MoveValue",
    "Parameter",
    "PlainGame",
    "Position",
    "Problem",
    "ProblemProgress",
    "ProblemResult",
    "ProblemSession",
    "Progress",
    "ProofFailure",
    "Replay",
    "Result",
    "Route",
    "Rules",
    "Search",
    "Session",
    "SharedDFPN",
    "UnknownGame",
    "UnknownSearch",
    "Value",
    "Values",
    "WeakDFPN",
    "WideningDFPN",
    "ZermeloError",
    "Zones",
    "analyze",
    "annotate",
    "choose",
    "compare",
    "game",
    "game_names",
    "graph",
    "guess",
    "match",
    "open_spiel",
    "problem",
    "progress",
    "recognise",
    "records",
    "replay",
    "resume_journal",
    "scn",
    "search",
    "searches_for",
    "solve",
    "solve_distributed",
    "solve_many",
    "start",
    "verify",
    "verify_problem",
    "write_proof",
]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "search":  # the package of the searches, which finds one by its id when called
        return import_module("zermelo.search")
    if name not in __all__:
        raise AttributeError(f"module 'zermelo' has no attribute {name!r}")
    home = _HOME_OF.get(name) or import_module("zermelo.search").home_of_class(name)
    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
