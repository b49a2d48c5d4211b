"""Certificates of wins by zones: the attacker's turns, the zones, and the replies outside them.

A text file: a first line that names the format, a line with the claim, then a line for each node.
An attacker's node says which turn is played and which node follows, or that it wins by threats. A
defender's node says the zone Z of the null move, the zones Z' of the semi-null moves, and the
replies that need an answer of their own. Squares are numbers; the first node is the position.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadCertificate, file_name, quoted
from zermelo.search.common.status import WON
from zermelo.search.depth_first.run import Run as DepthFirst
from zermelo.search.depth_first.weak_df_pn import WeakDFPN
from zermelo.search.reasons import SLICE
from zermelo.search.zones.graph import VICTORY
from zermelo.search.zones.options import Zones
from zermelo.search.zones.run import Run

if TYPE_CHECKING:
    from zermelo.core.position import Position

MAGIC = "zermelo zones 1"


@dataclass(frozen=True)
class Certificate:
    """What a file claims: ``winner`` wins ``position``; ``nodes`` as plain records."""

    game: str
    parameters: dict[str, Any]
    position: str
    winner: int
    zones: Zones
    nodes: list[dict[str, Any]]

    def write(self, path: str | Path) -> None:
        """To a file."""
        claim = {"game": self.game, "parameters": self.parameters, "position": self.position,
                 "winner": self.winner, "zones": self.zones.to_dict(), "nodes": len(self.nodes)}
        rows = [MAGIC, *(json.dumps(row, separators=(",", ":")) for row in [claim, *self.nodes])]
        Path(path).write_text("\n".join(rows) + "\n")


def is_zones(path: str | Path) -> bool:
    """Whether a file begins as such a certificate does."""
    try:
        with Path(path).open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC.encode()
    except OSError:
        return False


def read_certificate(path: str | Path) -> Certificate:
    """The certificate in a file; BadCertificate if it is none."""
    try:
        first, *rows = Path(path).read_text().splitlines()
        claim, *nodes = (json.loads(row) for row in rows)
        zones = Zones(**claim["zones"])
        if first != MAGIC or len(nodes) != claim["nodes"]:
            raise ValueError("a line is missing")
        if type(claim["winner"]) is not int or claim["winner"] not in (0, 1):
            raise ValueError("the winner is not 0 or 1")
        return Certificate(str(claim["game"]), dict(claim["parameters"]), str(claim["position"]),
                           claim["winner"], zones, nodes)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadCertificate(f"{file_name(path)} is no certificate of zones: "
                             f"{quoted(str(error))}.") from None


def certificate_of(question: Run) -> Certificate:
    """The certificate of a win that was found."""
    if not isinstance(question.inner, DepthFirst):  # a table can be asked, a tree can't
        task = replace(question.task, plain=True)
        question = Run(WeakDFPN(), task, question.zones)
        while question.advance(1 << 10) == SLICE:
            pass
    position = question.position
    rows = list(_rows(question))
    return Certificate(position.game.name, position.game.changed, position.text, question.attacker,
                       question.zones, rows)


def _rows(question: Run) -> Iterator[dict[str, Any]]:
    """A record for each node of the proof; children come after their parents."""
    game, start = question.game, question.inner.position
    places: dict[int, int] = {int(start.state[0]["node"]): 0}
    todo: list[tuple[Position, int]] = [(start, 0)]

    def place_of(position: Position, plies: int) -> int:
        number = int(position.state[0]["node"])
        if number not in places:
            places[number] = len(places)
            todo.append((position, plies))
        return places[number]

    for position, plies in todo:  # grows on the way
        node = game.node_of(position)
        assert node.turns is not None
        if node.mover != question.attacker:
            kids = [[*turn, place_of(position.play_code(child), plies + 1)]
                    for turn, child in zip(node.turns, node.children, strict=True)
                    if VICTORY not in game.graph.open(child).children]  # the check finds those
            yield {"zone": node.replies.zone, "replies": kids,
                   "seconds": {str(s): second for s, second in node.replies.seconds.items()}}
        elif VICTORY in node.children:
            yield {"turn": list(node.turns[0]), "then": None}
        else:
            child = _winning(question, position, plies)
            yield {"turn": list(game.turn_to(position, child)),
                   "then": place_of(position.play_code(child), plies + 1)}


def _winning(question: Run, position: Position, plies: int) -> int:
    """The attacker's move that the search has proved."""
    inner = question.inner
    assert isinstance(inner, DepthFirst)
    _, kids = inner.look_again(position.state[0], plies)
    won = [(length, at) for at, (_, status, length) in enumerate(kids) if status == WON]
    assert won
    return int(kids[min(won)[1]][0])
