"""What the functions of a problem say, read and checked: ``expand`` and ``estimate``."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from zermelo.errors import BadProblem, counted, quoted

SOLVED, DEAD, ANY, ALL = "solved", "dead", "any", "all"
VALID = ('"solved", "dead", ("any", children) or ("all", children), with a third part for the '
         'costs of the children, or ("solved", cost)')

Expand = Callable[[Any], Any]
ExpandMany = Callable[[list[Any]], Sequence[Any]]
Estimate = Callable[[Any], tuple[float, float]]


class Expansion(NamedTuple):
    """A node that was expanded. ``costs`` are those of the children; ``cost`` that of an end."""

    kind: str
    children: tuple[Hashable, ...] = ()
    costs: tuple[float, ...] = ()
    cost: float = 0


def read_expansion(node: Any, said: Any) -> Expansion:
    """What ``expand(node)`` said, or BadProblem."""
    if isinstance(said, str) and said in (SOLVED, DEAD):
        return Expansion(said)
    parts = tuple(said) if isinstance(said, tuple | list) else ()
    if len(parts) == 2 and isinstance(parts[0], str) and parts[0] == SOLVED:
        return Expansion(SOLVED, cost=_cost(node, parts[1]))
    if len(parts) in (2, 3) and isinstance(parts[0], str) and parts[0] in (ANY, ALL):
        children = _children(node, parts[1])
        costs = _costs(node, parts[2], len(children)) if len(parts) == 3 else (0,) * len(children)
        return Expansion(parts[0], children, costs)
    raise BadProblem(f"expand({_shown(node)}) returned {quoted(said)}; it is {VALID}.")


def read_expansions(nodes: Sequence[Any], said: Any) -> list[Expansion]:
    """What ``expand_many(nodes)`` said, or BadProblem."""
    answers = list(said) if isinstance(said, Iterable) and not isinstance(said, str) else None
    if answers is None or len(answers) != len(nodes):
        count = "no list" if answers is None else f"{counted(len(answers), 'answer')}"
        raise BadProblem(f"expand_many returned {count} for {counted(len(nodes), 'node')}; it is "
                         "one answer for each, in their order.")
    return [read_expansion(node, answer) for node, answer in zip(nodes, answers, strict=True)]


def read_estimate(node: Any, said: Any) -> tuple[float, float]:
    """What ``estimate(node)`` said: pn and dn, or BadProblem."""
    parts = tuple(said) if isinstance(said, tuple | list) else ()
    amounts = tuple(map(_amount, parts))
    if len(amounts) != 2 or None in amounts:
        raise BadProblem(f"estimate({_shown(node)}) returned {quoted(said)}; it is (pn, dn), two "
                         "finite numbers that are not negative.")
    pn, dn = amounts
    assert pn is not None
    assert dn is not None
    return pn, dn


def check_hashable(node: Any) -> None:
    """Nodes are told apart by their hash and equality."""
    try:
        hash(node)
    except TypeError:
        raise BadProblem(f"the node {_shown(node)} is not hashable; nodes are texts, numbers, "
                         "tuples, frozensets or other hashable objects.") from None


def _children(node: Any, given: Any) -> tuple[Hashable, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise BadProblem(f"expand({_shown(node)}) returned {quoted(given)} as children; they are "
                         "a list of nodes.")
    children = tuple(given)
    for child in children:
        check_hashable(child)
    return children


def _costs(node: Any, given: Any, count: int) -> tuple[float, ...]:
    costs = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else None
    if costs is None or len(costs) != count:
        raise BadProblem(f"expand({_shown(node)}) returned {quoted(given)} as costs of {count} "
                         "children; they are a list with a number for each.")
    return tuple(_cost(node, cost) for cost in costs)


def _cost(node: Any, given: Any) -> float:
    cost = _amount(given)
    if cost is None:
        raise BadProblem(f"expand({_shown(node)}) returned the cost {quoted(given)}; it is a "
                         "finite number that is not negative.")
    return cost


def _amount(given: Any) -> float | None:
    """A number that is not negative, as Python's own; None for anything else."""
    if isinstance(given, bool | str | bytes):
        return None
    try:
        number: float = given.__index__() if hasattr(given, "__index__") else float(given)
        return number if number >= 0 and math.isfinite(number) else None
    except (TypeError, ValueError, OverflowError):
        return None


def _shown(node: Any) -> str:
    return quoted(node)
