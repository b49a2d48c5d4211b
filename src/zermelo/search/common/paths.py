"""How long the path of a search can become: it begins short, and grows where a game is long."""

from __future__ import annotations

from zermelo.core.rules import Rules

SLACK = 4  # places beyond the last move


def first_path(rules: Rules, usual: int) -> int:
    """Places to begin with."""
    return usual if rules.cyclic else min(usual, rules.max_length + SLACK)


def may_lengthen(rules: Rules, places: int) -> bool:
    """Whether a path of so many places may grow: in a cyclic game always."""
    return rules.cyclic or places < rules.max_length + SLACK
