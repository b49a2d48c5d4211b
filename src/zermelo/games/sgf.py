"""Writing SGF: what games that have it share."""

from __future__ import annotations

from itertools import groupby

from zermelo.core.position import Position

COLOURS = "BW"


def escaped(text: str) -> str:
    """``text`` as a value of a property."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def properties(**values: object) -> str:
    """``GM[9]SZ[8]``."""
    return "".join(f"{name}[{escaped(str(value))}]" for name, value in values.items())


def moves_of(position: Position, **values: object) -> str:
    """``GM[9]SZ[8];B[b1-b3];W[a2-c2]``: the moves that led to ``position``, a node a turn.

    The first player is Black.
    """
    made, at = [], position.origin
    for code in position.played:
        made.append((at.mover, at.game.move_name(at, code)))
        at = at.play_code(code)
    turns = groupby(made, lambda move: move[0])
    return properties(**values) + "".join(
        f";{COLOURS[player]}[{escaped(''.join(name for _, name in turn))}]"
        for player, turn in turns)
