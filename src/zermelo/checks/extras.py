"""Some of the optional functions of a game: symmetries, forced moves and candidates."""

from __future__ import annotations

import numpy as np

from zermelo.checks.findings import differing, identity
from zermelo.checks.walk import Look, Rule, Walk
from zermelo.core.watched import State, Wrong, whole


def check_some_moves(walk: Walk, looks: list[Look], part: str) -> int:
    """``forced``, ``candidates`` or ``captures`` gives some of the legal moves, or none."""
    for look in looks:
        codes = walk.codes(look.state, part)
        if codes is None:
            return 0
        illegal = [code for code in codes if code not in look.codes]
        if illegal:
            walk.findings.add(part, f"{part} gives the move {{move}}, which is not legal, at "
                              "{at}.", look.state, move=illegal[0])
    return len(looks)


def check_symmetry(walk: Walk, looks: list[Look]) -> int:
    """The representative is a position like the state itself, move by move."""
    for look in looks:
        try:
            problem = _symmetry_problem(walk, look)
        except Wrong as wrong:
            walk.findings.add(wrong.part, wrong.sentence, look.state, fatal=True)
            return 0
        if problem is not None:
            part, sentence, move = problem
            walk.findings.add(part, sentence, look.state, move=move)
            return 0
    return len(looks)


def fold(rule: Rule, state: State) -> tuple[State, int]:
    """The representative of a state, with clean padding, and the symmetry used."""
    (one, k), (other, _) = rule.canonical(state, 0x55), rule.canonical(state, 0xAA)
    missed = differing(one, other)
    if missed:
        raise Wrong("canonical", f"canonical does not write all of t: {', '.join(missed)} is left "
                                 "as it was, at {at}.")
    if whole(k) is None:
        raise Wrong("canonical", f"canonical returns {k!r}, not the number of a symmetry, at "
                                 "{at}.")
    clean = np.zeros(1, one.dtype)
    for name in one.dtype.names or ():
        clean[name] = one[name]
    return clean, int(k)


def _symmetry_problem(walk: Walk, look: Look) -> tuple[str, str, int | None] | None:
    """What is wrong with the representative of one state: part, sentence, move."""
    rule = walk.rule
    image, k = fold(rule, look.state)
    if identity(fold(rule, image)[0]) != identity(image):
        return ("canonical", "canonical gives a state that is not its own representative, of {at}.",
                None)
    folded = walk.look(image)
    if folded is None:
        return None
    if (folded.outcome, folded.mover) != (look.outcome, look.mover):
        return ("canonical", "canonical changes the outcome or the mover of {at}.", None)
    for move in folded.codes[:8]:
        original = whole(rule.move_image(k, move))
        if original not in look.codes:
            return ("move_image", f"move_image({k}, {move}) gives {original}, which is not a legal "
                    "move at {at}.", None)
        there = fold(rule, rule.step(look.state, original, 0))[0]
        here = fold(rule, rule.step(image, move, 0))[0]
        if identity(there) != identity(here):
            return ("move_image", "the move {move} and its image lead to positions with different "
                    "representatives, at {at}.", original)
    return None
