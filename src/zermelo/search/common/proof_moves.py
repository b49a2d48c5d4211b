"""Open nodes of a run that keeps neither tree nor table of positions: the root's moves, and, once
there is a proof, the way through it."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.core.position import Position
from zermelo.search.base import Opened, Run, Seen, Walk
from zermelo.search.reasons import UNKNOWN, WON


def open_proof(run: Run, path: Sequence[int], offset: int, count: int) -> Opened:
    """Return the node at the end of ``path``: where the winner keeps to the proof it is won, and so
    are all positions after the other side's replies; elsewhere nothing is known but the root's
    moves. """
    if not path:
        node = Seen(None, run.status, run.numbers(), best=True)
        return _opened(node, _root_moves(run), offset, count)
    walk = run.walk() if run.status == WON else None
    position, best = run.position, False
    for move in path:
        proposed = None if walk is None else walk.best()
        best, mine = move == proposed, position.mover == run.attacker
        position = position.play_code(move)
        if walk is None or (mine and not best) or not walk.follow(move, position):
            walk = None
    numbers = {move: shown for move, _, shown in run.moves()} if len(path) == 1 else {}
    status = _by_rules(run, position) if walk is None else WON
    node = Seen(path[-1], status, numbers.get(path[-1], {}), held=status != UNKNOWN, best=best)
    return _opened(node, [] if walk is None else _in_proof(run, walk, position), offset, count)


def _by_rules(run: Run, position: Position) -> int:
    """Return WON if the attacker has completed its win by any way, else UNKNOWN."""
    winner = ("first", "second")[run.attacker]
    return WON if position.outcome == winner else UNKNOWN


def _root_moves(run: Run) -> list[Seen]:
    if run.position.outcome is not None:
        return []
    if run.status == WON and run.position.mover != run.attacker:
        return _in_proof(run, run.walk(), run.position)
    chosen = run.chosen()
    return [Seen(move, status, numbers, best=move == chosen)
            for move, status, numbers in run.moves()]


def _in_proof(run: Run, walk: Walk, position: Position) -> list[Seen]:
    """Return the winner's move, or all replies."""
    if position.outcome is not None:
        return []
    best = walk.best()
    mine = position.mover == run.attacker
    moves = [best] if mine and best is not None else [] if mine else position.codes()
    return [Seen(move, WON, {}, best=move == best) for move in moves]


def _opened(node: Seen, children: list[Seen], offset: int, count: int) -> Opened:
    return Opened(node, children[offset : offset + count], len(children))
