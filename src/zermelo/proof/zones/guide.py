"""Which of the two forms of zones a certificate has: threats in a row, or carriers in Hex."""

from __future__ import annotations

from zermelo.proof.budget import Budget
from zermelo.proof.header import Refused
from zermelo.proof.read import Certificate
from zermelo.proof.rules.base import RulesOf, State
from zermelo.proof.rules.hex import HexRules
from zermelo.proof.rules.k_in_a_row import InARowRules
from zermelo.proof.zones.carriers import CarrierChecker, CarrierGuide
from zermelo.proof.zones.check import ZoneChecker, check_root, zones_body
from zermelo.proof.zones.walk import ZoneGuide


def zone_checker(certificate: Certificate, rules: RulesOf, root: State, budget: Budget,
                 exhaustive: bool = False) -> ZoneChecker | CarrierChecker:
    """The checker of a certificate of zones."""
    part = certificate.header.parts[0]
    if isinstance(rules, HexRules):
        if certificate.header.wins:
            raise Refused(f"wins is {certificate.header.wins}, but in Hex there are none by "
                          "threats; it must be 0")
        return CarrierChecker(rules, root, part.claim.player, certificate.body(budget),
                              part.records, budget, exhaustive)
    assert isinstance(rules, InARowRules)
    body = zones_body(certificate, rules, budget)
    return ZoneChecker(rules, root, part.claim.player, body, budget, exhaustive)


def zone_guide(certificate: Certificate, rules: RulesOf, root: State, budget: Budget
               ) -> ZoneGuide | CarrierGuide:
    """Who answers in a walk through one. In Hex all zones are looked at before."""
    player = certificate.header.parts[0].claim.player
    if isinstance(rules, HexRules):
        checker = zone_checker(certificate, rules, root, budget)
        checker.run()
        assert isinstance(checker, CarrierChecker)
        return CarrierGuide(checker)
    assert isinstance(rules, InARowRules)
    body = zones_body(certificate, rules, budget)
    check_root(rules, root)
    return ZoneGuide(rules, root, player, body, budget)
