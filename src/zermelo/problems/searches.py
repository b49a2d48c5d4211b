"""Which searches solve problems, and how each of them starts."""

from __future__ import annotations

from typing import Any

from zermelo.errors import BadOption, quoted
from zermelo.problems.best_first import Cheapest, Everything, Frontier, MostProving
from zermelo.problems.depth_first import Thresholds, rule_of
from zermelo.problems.graph import Graph
from zermelo.search.base import Search
from zermelo.search.best_first.deep_pn import DeepPN
from zermelo.search.best_first.pn import PN
from zermelo.search.depth_first.deep_df_pn import DeepDFPN
from zermelo.search.depth_first.df_pn import DFPN
from zermelo.search.depth_first.weak_df_pn import K_KNOWING, K_PLAIN, WeakDFPN
from zermelo.search.registry import search_class

KINDS: tuple[type[Search], ...] = (PN, DeepPN, DFPN, WeakDFPN, DeepDFPN)
BATCHES = (PN, DeepPN)
# Options that are about games, by search.
NO_USE: dict[type[Search], tuple[str, ...]] = {
    PN: ("tie",), WeakDFPN: ("leaf", "playouts", "quick", "fold"),
}


def chosen_search(given: Any, batch: int) -> Search:
    """The search for a problem, or BadOption."""
    search = search_class(given)() if isinstance(given, str) else given
    if not isinstance(search, KINDS):
        ids = ", ".join(kind.id for kind in KINDS)
        raise BadOption(f"{quoted(getattr(search, 'id', search))} does not solve problems; "
                        f"searches that do: {ids}.")
    for name in NO_USE.get(type(search), ()):
        if name in search.options:
            raise BadOption(f"{search.id}: {name}={quoted(search.options[name])} is about games; "
                            "in a problem leaves have the numbers of its estimate.")
    if batch > 1 and not isinstance(search, BATCHES):
        raise BadOption(f"{search.id} expands one node at a time; batch={batch} needs pn or "
                        "deep-pn.")
    return search


def frontier_of(search: Search, goal: str, graph: Graph, estimated: bool) -> Frontier:
    """What ``search`` knows about a graph that has a root only."""
    if goal == "cheapest":
        return Cheapest(graph, estimated)
    if goal == "all":
        return Everything(graph)
    match search:
        case DeepPN():
            return MostProving(graph, float(search.R))
        case DFPN():
            rule = rule_of(search.epsilon)
        case WeakDFPN():
            k = search.k or (K_KNOWING if estimated else K_PLAIN)
            rule = rule_of(search.epsilon, search.backup, k)
        case DeepDFPN():
            rule = rule_of(search.epsilon, E=search.E, D=search.D)
        case _:
            return MostProving(graph)
    return Thresholds(graph, rule)


def shuffles(search: Search) -> bool:
    """Whether children are tried in a random order."""
    return bool(search.all_options.get("shuffle", False))
