"""Checks a certificate of a problem. It calls ``expand``, and knows nothing of any search.

*Solved*: every node is an end that is solved, or uses solved children that stand before it in the
list, one for ``any`` and each for ``all``: so nothing rests on itself. *Dead*: every node is a dead
end, or uses dead children, each for ``any`` and one for ``all``: in such a set nothing is solved,
whichever way one goes round in it.
"""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from zermelo.errors import BadCertificate, file_name, quoted

MOST_BYTES = 1 << 28  # of a file; what is read takes some ten times that
Table = list[tuple[list[int], list[int]]]  # the places and the numbers of the children that count


def verify_problem(root: Any, expand: Callable[[Any], Any],
                   certificate: dict[str, Any] | str | Path) -> str:
    """``"solved"`` or ``"dead"``: what the certificate, or the file, proves about ``root``.

    BadCertificate says where it fails.
    """
    claim, first, table = _read(certificate)
    _check(root, expand, claim, first, table)
    return claim


def _content(path: str | Path) -> bytes:
    """What a file holds; no pipe is waited for, and nothing too large is read."""
    facts = Path(path).stat()
    if not stat.S_ISREG(facts.st_mode):
        raise BadCertificate(f"can't read the file {file_name(path)}: it is not an ordinary file.")
    if facts.st_size > MOST_BYTES:
        raise BadCertificate(f"the file {file_name(path)} has {facts.st_size:,} bytes; a "
                             f"certificate of a problem has at most {MOST_BYTES:,}.")
    return Path(path).read_bytes()


def _read(given: dict[str, Any] | str | Path) -> tuple[str, int, Table]:
    try:
        found: Any = given if isinstance(given, dict) else json.loads(_content(given))
        table = [([int(place) for place in node["children"]], [int(use) for use in node["uses"]])
                 for node in found["nodes"]]
        claim, first = found["claim"], int(found["root"])
        known = (found["format"], found["version"]) == ("zermelo problem", 1)
    except BadCertificate:
        raise
    except OSError as error:
        raise BadCertificate(f"can't read the file {file_name(given)}: {error.strerror}.") from None
    except RecursionError:
        raise BadCertificate("this is not a certificate of a problem: its lists lie too deep in "
                             "each other.") from None
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise BadCertificate(f"this is not a certificate of a problem: {error!r}.") from None
    if not known or claim not in ("solved", "dead"):
        raise BadCertificate("this is not a certificate of a problem that can be read here: it has "
                             f"the format {quoted(found['format'])}, version "
                             f"{quoted(found['version'])}, and claims {quoted(claim)}.")
    return claim, first, table


def _asked(expand: Callable[[Any], Any], node: Any) -> tuple[str, list[Any]]:
    said = expand(node)
    if isinstance(said, str) and said in ("solved", "dead"):
        return said, []
    if isinstance(said, tuple | list) and len(said) > 1 and isinstance(said[0], str):
        kind, given = said[:2]
        if kind == "solved":
            return kind, []
        if kind in ("any", "all") and isinstance(given, Iterable) and not isinstance(given, str):
            return kind, list(given)
    raise BadCertificate(f"expand says {quoted(said)} of {quoted(node)}, which is not an answer.")


def _check(root: Any, expand: Callable[[Any], Any], claim: str, first: int, table: Table) -> None:
    met = {first: root}
    waiting = [first]
    while waiting:
        number = waiting.pop()
        if number not in range(len(table)):
            raise BadCertificate(f"node {number} is not in the list.")
        kind, children = _asked(expand, met[number])
        places, uses = table[number]
        many = kind == ("all" if claim == "solved" else "any")
        one = len(places) == 1 and places[0] in range(len(children))
        fits = places == list(range(len(children))) if many or kind == claim else one
        if not fits or len(places) != len(uses) or kind not in (claim, "any", "all"):
            raise BadCertificate(f"node {number}, {quoted(met[number])}, is not shown to be "
                                 f"{claim}: expand says {quoted(kind)}.")
        for place, below in zip(places, uses, strict=True):
            if claim == "solved" and not below < number:
                raise BadCertificate(f"node {number}, {quoted(met[number])}, rests on node "
                                     f"{below}, which does not stand before it.")
            if below not in met:
                met[below] = children[place]
                waiting.append(below)
            elif met[below] != children[place]:
                raise BadCertificate(f"node {below} is {quoted(met[below])} in one place and "
                                     f"{quoted(children[place])} in another.")
