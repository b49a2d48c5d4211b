"""Certificates of problems: the nodes that an answer rests on, as plain data for JSON.

Every node says which of its children count, by their places in what ``expand`` returns, and under
which numbers they stand in the list. Of a solved root, a node uses nodes before it only.
"""

from __future__ import annotations

from typing import Any

from zermelo.problems.answers import ANY
from zermelo.problems.solution import Part, Step

FORMAT, VERSION = "zermelo problem", 1


def certificate_of(part: Part) -> dict[str, Any]:
    """The nodes that are needed, one way each."""
    needed: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
    waiting = [part.root]
    while waiting:
        number = waiting.pop()
        if number not in needed:
            needed[number] = _one_way(part.steps[number], number, part.claim)
            waiting += needed[number][1]
    numbers = {number: i for i, number in enumerate(sorted(needed))}
    nodes = []
    for number in sorted(needed):
        places, uses = needed[number]
        step = part.steps[number]
        nodes.append({"node": str(step.thing), "kind": step.kind, "children": list(places),
                      "uses": [numbers[below] for below in uses]})
    return {"format": FORMAT, "version": VERSION, "claim": part.claim,
            "root": numbers[part.root], "nodes": nodes}


def _one_way(step: Step, number: int, claim: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Of an ``any`` node that is solved, the first way that was solved before it."""
    if claim != "solved" or step.kind != ANY:
        return step.places, step.uses
    way = next(i for i, below in enumerate(step.uses) if below < number)
    return step.places[way:way + 1], step.uses[way:way + 1]
