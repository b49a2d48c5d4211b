"""choose(): a move to play, under a budget; for matches and for whoever wants to play on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zermelo.core.position import Position
from zermelo.errors import BadOption
from zermelo.search.base import Search
from zermelo.solving.result import Limits, Result
from zermelo.solving.session import Session


@dataclass(frozen=True)
class Choice:
    """The move that a search would play, and what it knows about the position.

    ``proved``: the value is proved, and the move keeps it. ``root``: the search's numbers.
    """

    move: str
    proved: bool
    root: dict[str, Any]
    result: Result


def choose(position: Position, search: Search | str = "pvs", *, nodes: float | str | None = None,
           time: float | str | None = None, memory: float | str | None = None, seed: int = 0,
           plain: bool = False) -> Choice:
    """The move that ``search`` would play within this budget.

    A search that has not looked at anything yet plays the first legal move.
    """
    limits = Limits(nodes=nodes, time=time, memory=memory)
    session = Session(position, search, seed=seed, plain=plain)
    codes = position.codes()
    if not codes:
        raise BadOption(f"choose: the game is over at {position.text!r}; there is no move.")
    if limits.nodes is None and limits.time is None:
        raise BadOption("choose needs a budget: nodes=100_000, or time=1.0, or both.")
    result = session.run(limits)
    move = result.move
    if move is None:
        chosen = session.runs[-1].chosen()
        move = position.game.move_name(position, codes[0] if chosen is None else chosen)
    return Choice(move, result.proved, result.root, result)
