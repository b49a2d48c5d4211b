"""A certificate node by node, as plain records: the prover's move, or all replies.

The records are those of a search's tree (see ``solving.trees``): ``or`` where the player moves whom
the claim is about, ``won`` or ``lost`` for that player as the claim says. They show what is in the
file and verify nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.errors import BadMove, check_whole, listed, quoted
from zermelo.proof.claim import DRAWN
from zermelo.proof.header import ZONES
from zermelo.proof.show import Node, Walk

MOST_CHILDREN = 200
OUTCOMES = {0: "first", 1: "second", DRAWN: "draw"}


def certificate_branch(walk: Walk, path: Sequence[str] = (), offset: int = 0,
                       count: int = MOST_CHILDREN) -> dict[str, Any]:
    """The position that ``path`` leads to, with the prover's move and where it comes from, or with
    up to 200 replies from ``offset`` on. Each call has the walk's whole time."""
    check_whole("offset", offset, 0)
    check_whole("count", count, 0, MOST_CHILDREN)
    walk.budget.restart()
    node, names = walk.root, list[str]()
    if isinstance(path, str):
        raise BadMove(f"a path is a list of moves, not {quoted(path)}.")
    for move in path:
        code = _reply(node, move)
        names.append(node.name(code))
        node = node.after(code)
    over = node.end is not None or node.repeated
    moves = [] if over else [node.answer.move] if node.by_prover else node.moves
    zones = walk.header.kind == ZONES and not node.by_prover and not over
    children = [_record(node.after(move), [*names, node.name(move)])
                for move in moves[offset : offset + count]]
    if zones:
        needed = set(node.choices)
        for child, code in zip(children, moves[offset : offset + count], strict=True):
            child["considered"] = code in needed
    return {
        "path": names, "node": _record(node, names), "children": children,
        "more": max(0, len(moves) - offset - count), "answer": _answer(node, over),
        "position": node.text, "claim": walk.words_of_claim, "prover": walk.prover,
        "attacker": walk.players[walk.claim.player], "keeps": "certificate",
    }


def _reply(node: Node, text: str) -> int:
    """The code of a move of the path: the prover's, or any reply."""
    moves = [node.answer.move] if node.by_prover else node.moves
    if node.repeated or not moves:
        raise BadMove(f"{quoted(text)}: the line ends before it.")
    known = {node.name(move): move for move in moves}
    for name, move in known.items():
        if isinstance(text, str) and text.strip().casefold() == name.casefold():
            return move
    where = "the certificate has" if node.by_prover else "replies:"
    raise BadMove(f"{quoted(text)} is not a move of the proof here; {where} {listed(known)}.")


def _answer(node: Node, over: bool) -> dict[str, Any] | None:
    if over or not node.by_prover:
        return None
    answer = node.answer
    return {"move": node.name(answer.move), "source": answer.source, "rank": answer.rank}


def _record(node: Node, names: list[str]) -> dict[str, Any]:
    walk, over = node.walk, node.end is not None or node.repeated
    claim = walk.claim
    found: dict[str, Any] = {
        "move": names[-1] if names else None, "path": names,
        "kind": "end" if node.end is not None else "or" if node.mover == claim.player else "and",
        "to_move": walk.players[node.mover], "status": "won" if claim.wins else "lost",
        "outcome": None if node.end is None else OUTCOMES[node.end], "numbers": {},
        "children": 0 if over else 1 if node.by_prover else len(node.moves), "held": True,
        "best": node.parent is None or node.parent.by_prover,
    }
    if node.repeated:
        found["repeats"] = True
    return found
