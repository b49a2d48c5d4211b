"""Writing a certificate of a problem: the nodes that an answer rests on, one way each."""

from __future__ import annotations

import hashlib
import json
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.proof.header import SOLVED, problem_header
from zermelo.proof.problem import FORMAT
from zermelo.storage.whole_files import write_whole

if TYPE_CHECKING:
    from zermelo.problems.result import Part, Step

LEVEL = 9


def certificate_of(part: Part) -> dict[str, Any]:
    """The nodes that are needed, for JSON.

    Every node says which of its children count, by their places in what ``expand`` returns, and
    under which numbers they stand in the list.
    """
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
    return {"format": FORMAT[0], "version": FORMAT[1], "claim": part.claim,
            "root": numbers[part.root], "nodes": nodes}


def _one_way(step: Step, number: int, claim: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Of an ``any`` node that is solved, the first way that was solved before it."""
    if claim != SOLVED or step.kind != "any":
        return step.places, step.uses
    way = next(i for i, below in enumerate(step.uses) if below < number)
    return step.places[way:way + 1], step.uses[way:way + 1]


def write_problem(path: str | Path, certificate: dict[str, Any]) -> None:
    """Write the file: all of it, or the one that is there stays as it was."""
    nodes, root = certificate["nodes"], certificate["root"]
    body = "".join(f"{json.dumps(list(node.values()), separators=(',', ':'))}\n"
                   for node in nodes).encode()
    header = problem_header(nodes[root]["node"], certificate["claim"], root, len(nodes), len(body))
    content = header.encoded() + zlib.compress(body, LEVEL)
    write_whole(path, content + hashlib.sha256(content).digest())
