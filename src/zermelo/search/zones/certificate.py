"""The nodes of a win by zones, for a certificate: the attacker's turns, and the defender's replies
that threats alone do not answer.

An attacker's node says which turn is played and which node follows, or that it wins by threats
(``then`` is None). A defender's node lists replies, each with the node that follows. Squares are
numbers; the first node is the position.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zermelo.search.common.status import WON
from zermelo.search.depth_first.run import Run as DepthFirst
from zermelo.search.depth_first.weak_df_pn import WeakDFPN
from zermelo.search.reasons import SLICE
from zermelo.search.zones.graph import VICTORY
from zermelo.search.zones.run import Run

if TYPE_CHECKING:
    from zermelo.core.position import Position


def nodes_of(question: Run) -> list[dict[str, Any]]:
    """The nodes of a win that was found."""
    if not isinstance(question.inner, DepthFirst):  # a table can be asked, a tree can't
        task = replace(question.task, plain=True)
        question = Run(WeakDFPN(), task, question.zones)
        while question.advance(1 << 10) == SLICE:
            pass
    return list(_rows(question))


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
            replies = [[*turn, place_of(position.play_code(child), plies + 1)]
                       for turn, child in zip(node.turns, node.children, strict=True)
                       if VICTORY not in game.graph.open(child).children]  # those lose to threats
            yield {"replies": replies}
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
    _, children = inner.look_again(position.state[0], plies)
    won = [(length, at) for at, (_, status, length) in enumerate(children) if status == WON]
    assert won
    return int(children[min(won)[1]][0])
