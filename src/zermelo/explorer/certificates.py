"""Certificates, as query workers answer about them: their headers, and node by node."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from zermelo.core.board_view import board_view
from zermelo.core.game import Game
from zermelo.errors import BadCertificate, file_name
from zermelo.explorer.position_ref import Games, Json, follow, texts_of
from zermelo.games.registry import game_class
from zermelo.proof.budget import Exceeded
from zermelo.proof.header import Header, Refused
from zermelo.proof.read import Certificate
from zermelo.proof.show import ProofWalk, certificate_branch, walk_of

WORDS = {"record": "as the certificate has it", "search": "found by a search: the certificate says "
         "that one is needed here", "threats": "by a win by threats that the certificate has"}
SENT = "that was sent"  # instead of the name that the file has here


def certificate(games: Games, message: Json) -> Json:
    """Return what a certificate claims about itself, unchecked."""
    path = Path(message["path"])
    found = _reading(path, lambda: Certificate(path))
    header = found.header
    return {"game": header.game if header.built_in else games.own or header.game,
            "built_in": header.built_in, "parameters": header.changed,
            "position": header.position,
            "claims": [f"{part.name} {part.claim.verb}" for part in header.parts],
            "kind": header.kind, "bytes": path.stat().st_size, "digest": found.digest}


def node(games: Games, message: Json) -> Json:
    """Return a position of a certificate with its board: the prover's move, or all replies."""
    path, claim = message["file"], message.get("claim")
    given = {name: message[name] for name in ("offset", "count") if message.get(name) is not None}

    def find() -> Json:
        walk = _walk(path, 1 if claim is None else claim, games.own)
        branch = certificate_branch(walk, texts_of(message.get("path"), "path"), **given)
        if branch["answer"] is not None:
            branch["answer"]["words"] = WORDS.get(branch["answer"]["source"], "")
        return {**branch, "board": _board(games, walk.header, branch["path"])}

    found: Json = _reading(Path(path), find)
    return found


@lru_cache(4)
def _walk(path: str, claim: int, own: str | None) -> ProofWalk:
    return walk_of(path, claim, own_rules(own, path))


def own_rules(own: str | None, path: str) -> type[Game] | None:
    """Return the user's game, for a certificate that is not about a built-in one."""
    try:
        built_in = Certificate(path).header.built_in
    except Refused:  # the check says why
        built_in = True
    return None if built_in or own is None else game_class(own)


def _board(games: Games, header: Header, path: list[str]) -> Json | None:
    """Return the board, by the game's own rules; None for a game that is not known here."""
    name = header.game if header.built_in else games.own
    if name is None:
        return None
    position = follow(games.get(name, header.parameters).parse(header.position), path)
    return {**board_view(position), "place": games.place(position)}


def _reading(path: Path, read: Callable[[], Any]) -> Any:
    """Return what ``read`` gives; its errors do not show the name that the file has here."""
    try:
        return read()
    except Refused as error:
        raise BadCertificate(f"the certificate does not hold: {error}.") from None
    except Exceeded as error:
        raise BadCertificate(f"this takes too long to show: {error.reason}.") from None
    except BadCertificate as error:
        raise BadCertificate(str(error).replace(file_name(path), SENT)) from None


QUESTIONS = {"certificate": certificate, "node": node}
