"""Writing a certificate of zones: the whole file or none of it."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.proof.claim import Claim
from zermelo.proof.header import ZONES, Header, Part
from zermelo.proof.workplace import cannot_write
from zermelo.whole_files import write_whole

if TYPE_CHECKING:
    from zermelo.core.position import Position

LEVEL = 9


def zones_header(position: Position, winner: int, nodes: int, wins: int, note: str = "") -> Header:
    """The header of a certificate that ``winner`` wins; the size of its body is not known yet."""
    game = position.game
    part = Part(Claim(winner), game.players[winner], False, nodes)
    return Header(kind=ZONES, game=game.name, built_in=True, parameters=dict(game.values),
                  players=game.players, position=position.text, parts=(part,), wins=wins, note=note)


def encoded(header: Header, rows: Sequence[Any]) -> bytes:
    """The whole file: ``rows`` are the nodes, then the wins, as ``zones.body`` describes them."""
    body = "".join(f"{json.dumps(row, separators=(',', ':'))}\n" for row in rows).encode()
    content = replace(header, size=len(body)).encoded() + zlib.compress(body, LEVEL)
    return content + hashlib.sha256(content).digest()


def write_zones(path: str | Path, header: Header, rows: Sequence[Any]) -> str:
    """Write the file, which appears when it is complete; the digest."""
    path, content = Path(path), encoded(header, rows)
    try:
        write_whole(path, content)
    except OSError as error:
        raise cannot_write(path, error) from None
    return content[-32:].hex()
