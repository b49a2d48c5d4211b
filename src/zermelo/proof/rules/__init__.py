"""Rules for the checker: its own, written a second time, or others that it can be given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.errors import BadCertificate, BadOption, quoted
from zermelo.proof.header import RECORDS, ZONES, Header, Refused
from zermelo.proof.rules.base import RulesOf
from zermelo.proof.rules.connect_four import ConnectFourRules
from zermelo.proof.rules.hex import HexRules
from zermelo.proof.rules.k_in_a_row import IN_A_ROW, InARowRules
from zermelo.proof.rules.lines_of_action import LinesOfActionRules
from zermelo.proof.rules.othello import OthelloRules
from zermelo.proof.rules.p_game import PGameRules
from zermelo.proof.rules.xiangqi import XiangqiRules

if TYPE_CHECKING:
    from zermelo.core.game import Game

CARRIERS = "hex"
WITH_ZONES = (*IN_A_ROW, CARRIERS)
NAIVE: dict[str, Any] = {
    "connect-four": ConnectFourRules, "othello": OthelloRules, "hex": HexRules,
    "p-game": PGameRules, "lines-of-action": LinesOfActionRules, "xiangqi": XiangqiRules,
    **dict.fromkeys(IN_A_ROW, InARowRules),
}
SOURCES = ("naive", "compiled", "open-spiel")


def rules_for(header: Header, source: str, game: Game | type[Game] | None) -> RulesOf:
    """Return the rules for checking a certificate; raise Refused where it does not fit them."""
    if source not in SOURCES:
        raise BadOption(f"there are no rules {quoted(source)}; rules: {', '.join(SOURCES)}.")
    if header.kind == ZONES and not (header.built_in and header.game in WITH_ZONES):
        raise Refused(f"zones are for the built-in games {', '.join(WITH_ZONES)}, not for "
                      f"{quoted(header.game)}")
    rules = _chosen(header, source, game)
    if rules.players != header.players:
        raise Refused(f"it calls the players {quoted(list(header.players))}, the rules of "
                      f"{header.game} {quoted(list(rules.players))}")
    if header.kind == RECORDS and rules.layout != header.layout:
        raise Refused(f"its layout {quoted(header.layout)} is not that of the game")
    return rules


def _chosen(header: Header, source: str, game: Game | type[Game] | None) -> RulesOf:
    if not header.built_in:
        return _own(header, source, game)
    if header.game not in NAIVE:
        raise Refused(f"{quoted(header.game)} is not a built-in game of this version")
    if game is not None:
        raise BadOption(f"the certificate is about the built-in game {header.game}, for which the "
                        "checker has rules of its own; no other game can be given.")
    if source == "open-spiel":
        from zermelo.proof.rules.open_spiel import open_spiel_rules

        return open_spiel_rules(header)
    rules: RulesOf = NAIVE[header.game](header.parameters, header.folded)
    return rules


def _own(header: Header, source: str, game: Game | type[Game] | None) -> RulesOf:
    if game is None:
        raise BadCertificate(
            f"the certificate is about the game {quoted(header.game)}, which is not built in; say "
            "which game that is (--game FILE.py:Class, or game= in Python)."
        )
    if source == "open-spiel":
        raise BadOption(f"OpenSpiel has no game {quoted(header.game)}.")
    if source == "compiled":
        raise BadOption(f"rules='compiled' is for built-in games, not for {quoted(header.game)}.")
    from zermelo.proof.rules.own import own_rules

    return own_rules(header, game)
