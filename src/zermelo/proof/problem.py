"""Certificates of AND/OR problems: their content, and their check, which knows no search.

It calls ``expand``. *Solved*: every node is an end that is solved, or uses solved children that
stand before it in the list, one for ``any`` and each for ``all``: so nothing rests on itself.
*Dead*: every node is a dead end, or uses dead children, each for ``any`` and one for ``all``: in
such a set nothing is solved, whichever way one goes round in it.

The body has a line of JSON for each node: its text, its kind, the places of the children that
count among those that ``expand`` returns, and their numbers in the list. Of a solved root, a node
uses nodes before it only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.errors import BadCertificate, quoted
from zermelo.proof.budget import UNLIMITED, CheckBudget
from zermelo.proof.header import DEAD, SOLVED, Header, Refused, problem_header
from zermelo.proof.read import Certificate

FORMAT = "zermelo problem", 1  # of an object, and of a file by version 0.2
PARSED = 40  # bytes in memory for each byte of the text, about
Expand = Callable[[Any], Any]


class ProblemEntry(NamedTuple):
    """A node of the list; ``places`` of its children, ``uses`` are their numbers."""

    text: str
    kind: str
    places: list[int]
    uses: list[int]


def verify_problem(root: Any, expand: Expand, certificate: dict[str, Any] | str | Path) -> str:
    """Return what the certificate, or the file, proves about ``root``: ``"solved"`` or ``"dead"``.

    BadCertificate says where it fails.
    """
    try:
        if isinstance(certificate, dict):
            header, entries = _in_object(certificate)
        else:
            header, entries = entries_of(Certificate(certificate), CheckBudget(*UNLIMITED))
        check_problem(root, expand, header, entries, CheckBudget(*UNLIMITED))
    except Refused as error:
        raise BadCertificate(f"{error}.") from None
    return header.status


def entries_of(certificate: Certificate, budget: CheckBudget) -> tuple[Header, list[ProblemEntry]]:
    """Return header and list of a certificate of a problem; raise Refused if it has none."""
    header = certificate.header
    if header.nodes == 0 and not certificate.earlier:
        raise BadCertificate("this is a certificate of a game, not of a problem.")
    budget.hold(PARSED * header.size)
    content = certificate.body(budget)
    if certificate.earlier:
        try:
            return _in_object(json.loads(content))
        except (ValueError, RecursionError) as error:
            raise _no_problem(error) from None
    lines = content.split(b"\n")
    if lines.pop() or len(lines) != header.nodes:
        raise Refused(f"its body does not have {header.nodes:,} lines")
    try:
        return header, [_entry(*json.loads(line)) for line in lines]
    except (TypeError, ValueError, RecursionError) as error:
        raise _no_problem(error) from None


def _in_object(found: Any) -> tuple[Header, list[ProblemEntry]]:
    """Return header and list of an object as ``ProblemResult.certificate`` makes it."""
    try:
        entries = [_entry(str(node.get("node", "")), str(node.get("kind", "")), node["children"],
                          node["uses"]) for node in found["nodes"]]
        claim, root, format = found["claim"], found["root"], (found["format"], found["version"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _no_problem(error) from None
    if format != FORMAT or claim not in (SOLVED, DEAD) or type(root) is not int:
        raise Refused("this is not a certificate of a problem that can be read here: it has the "
                      f"format {quoted(format[0])}, version {quoted(format[1])}, and claims "
                      f"{quoted(claim)}")
    text = entries[root].text if 0 <= root < len(entries) else ""
    return problem_header(text, claim, root, len(entries), 0), entries


def _no_problem(error: Exception) -> Refused:
    deep = isinstance(error, RecursionError)
    return Refused("this is not a certificate of a problem: "
                   f"{'its lists lie too deep in each other' if deep else repr(error)}")


def _entry(text: str, kind: str, places: list[int], uses: list[int]) -> ProblemEntry:
    given = [*places, *uses]
    if not all(isinstance(name, str) for name in (text, kind)) or any(
            type(number) is not int for number in given):
        raise ValueError(f"a node with {quoted(given)}")
    return ProblemEntry(text, kind, list(places), list(uses))


def answers_of(problem: Any) -> Expand:
    """Return ``expand`` of a problem, for one node; a note on its errors names the node."""
    def expand(node: Any) -> Any:
        try:
            if problem.expand is not None:
                return problem.expand(node)
            (answer,) = problem.expand_many([node])
            return answer
        except Exception as error:
            error.add_note(f"zermelo: this happened in expand({quoted(node)}).")
            raise

    return expand


def _asked(expand: Expand, node: Any) -> tuple[str, list[Any]]:
    said = expand(node)
    if isinstance(said, str) and said in (SOLVED, DEAD):
        return said, []
    if isinstance(said, tuple | list) and len(said) > 1 and isinstance(said[0], str):
        kind, given = said[:2]
        if kind == SOLVED:
            return kind, []
        if kind in ("any", "all") and isinstance(given, Iterable) and not isinstance(given, str):
            return kind, list(given)
    raise Refused(f"expand says {quoted(said)} of {quoted(node)}, which is not an answer")


def check_problem(root: Any, expand: Expand, header: Header, entries: list[ProblemEntry],
                  budget: CheckBudget) -> int:
    """Check what is claimed of ``root``, and return how many nodes that took; Refused where it is
    not proved."""
    claim, met, waiting = header.status, {header.root: root}, [header.root]
    while waiting:
        budget.step()
        number = waiting.pop()
        if number not in range(len(entries)):
            raise Refused(f"node {number} is not in the list")
        kind, children = _asked(expand, met[number])
        _, _, places, uses = entries[number]
        many = kind == ("all" if claim == SOLVED else "any")
        one = len(places) == 1 and places[0] in range(len(children))
        fits = places == list(range(len(children))) if many or kind == claim else one
        if not fits or len(places) != len(uses) or kind not in (claim, "any", "all"):
            raise Refused(f"node {number}, {quoted(met[number])}, is not shown to be {claim}: "
                          f"expand says {quoted(kind)}")
        for place, below in zip(places, uses, strict=True):
            if claim == SOLVED and not below < number:
                raise Refused(f"node {number}, {quoted(met[number])}, rests on node {below}, "
                              "which does not stand before it")
            if below not in met:
                met[below] = children[place]
                waiting.append(below)
            elif met[below] != children[place]:
                raise Refused(f"node {below} is {quoted(met[below])} in one place and "
                              f"{quoted(children[place])} in another")
    return len(met)
