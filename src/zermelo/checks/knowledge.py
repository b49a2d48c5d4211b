"""What a game claims to know: are the numbers what they must be, and is it true?

``forced``, ``cannot_win``, ``foreseen`` and ``finish`` are held against exhaustive search wherever
that comes to an end soon. In a cyclic game a value may depend on the way to a position, so only the
form is checked there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.checks.agree import HINT
from zermelo.checks.values import Values
from zermelo.checks.walk import Look, Walk
from zermelo.core.rules import FIRST_WINS, MOST_POINTS, NO_MOVE, ONGOING, SECOND_WINS
from zermelo.core.watched import Watched, Wrong, whole
from zermelo.kernel.jit import jit_enabled

ABOUT_ONGOING = ("estimate", "remaining", "cannot_win", "foreseen", "finish", "evaluate",
                 "in_check")
ABOUT_SIDES = ("cannot_win", "foreseen")
CLAIMS = ("forced", "cannot_win", "foreseen", "finish")
EACH, ALTOGETHER = (20_000, 3_000_000) if jit_enabled() else (300, 4_000)  # positions looked at
WORDS = {1: "wins", 0: "draws", -1: "loses"}


def check_knowledge(walk: Walk, looks: list[Look]) -> int:
    """``estimate``, ``remaining``, ``cannot_win``, ``foreseen``, ``finish``, ``evaluate``,
    ``in_check``, ``score`` and ``categories`` give what they must."""
    for look in looks:
        try:
            _check_form(walk, look)
        except Wrong as wrong:
            walk.findings.add(wrong.part, wrong.sentence, look.state, fatal=True)
            return 0
    return len(looks)


def claims(walk: Walk, look: Look) -> dict[str, Any]:
    """What the optional functions say about a state."""
    rules, known = walk.rules, walk.rule.known
    if look.outcome != ONGOING:
        over = rules.score is not None and walk.rule.outcome(look.state) != ONGOING
        return {"score": known("score", look.state)} if over else {}
    said: dict[str, Any] = {}
    for part in ABOUT_ONGOING:
        if getattr(rules, part) is not None:
            sides = ((0,), (1,)) if part in ABOUT_SIDES else ((),)
            said[part] = [known(part, look.state, *side) for side in sides]
    if rules.categories is not None:
        said["categories"] = walk.rule.categories(look.state, look.codes)
    return said


def _check_form(walk: Walk, look: Look) -> None:
    how, said = walk.rule.how, claims(walk, look)
    for estimate in said.get("estimate", ()):
        pair = estimate if isinstance(estimate, tuple) and len(estimate) == 2 else ()
        if not pair or any((whole(part) or 0) < 1 for part in pair):
            raise Wrong("estimate", f"estimate returns {_shown(estimate)}{how}; it must be two "
                                    "whole numbers of at least 1, at {at}.")
    for plies in said.get("remaining", ()):
        if whole(plies) is None or plies < 0:
            raise Wrong("remaining", f"remaining returns {_shown(plies)}{how}; it must be a whole "
                                     "number from 0, at {at}.")
    for part in ("cannot_win", "in_check"):
        for answer in said.get(part, ()):
            if whole(answer) not in (0, 1):
                raise Wrong(part, f"{part} returns {_shown(answer)}{how}; it must be True or "
                                  "False, at {at}.")
    for sight in said.get("foreseen", ()):
        if whole(sight) not in (-1, 0, 1):
            raise Wrong("foreseen", f"foreseen returns {_shown(sight)}{how}; it must be 1, 0 or "
                                    "-1, at {at}.")
    for move in said.get("finish", ()):
        if whole(move) is None or move not in (NO_MOVE, *look.codes):
            raise Wrong("finish", f"finish returns {_shown(move)}{how}; it must be a legal move or "
                                  "NO_MOVE, at {at}.")
    for points in said.get("evaluate", ()):
        if whole(points) is None or abs(int(points)) > MOST_POINTS:
            raise Wrong("evaluate", f"evaluate returns {_shown(points)}{how}; it must be a whole "
                                    f"number from {-MOST_POINTS:,} to {MOST_POINTS:,}, at {{at}}.")
    names = walk.rules.category_names
    for kind in said.get("categories", ()):
        if not 0 <= kind < len(names):
            raise Wrong("categories", f"categories gives a move the category {kind}{how}; there "
                                      f"are {len(names)}, from 0, at {{at}}.")
    if "score" in said:
        _check_score(walk, look, said["score"])


def _check_score(walk: Walk, look: Look, score: Any) -> None:
    rules, number = walk.rules, whole(score)
    if number is None:
        raise Wrong("score", f"score returns {_shown(score)}{walk.rule.how}, not a whole number, "
                             "at {at}.")
    sign = {FIRST_WINS: 1, SECOND_WINS: -1}.get(look.outcome, 0)
    if (number > 0) - (number < 0) != sign:
        wanted = {1: "above 0, for the first player has won", 0: "0, for it is a draw",
                  -1: "below 0, for the second player has won"}[sign]
        raise Wrong("score", f"score returns {number}; it must be {wanted}, at {{at}}.")
    if abs(number) > rules.max_score:
        raise Wrong("score", f"score returns {number}, but max_score is {rules.max_score}, at "
                             "{at}.")
    if (rules.max_score - number) % rules.score_step:
        raise Wrong("score", f"score returns {number}, which does not differ from max_score="
                             f"{rules.max_score} by a multiple of score_step={rules.score_step}, "
                             "at {at}.")


def _shown(value: Any) -> str:
    """A number or a tuple of numbers without NumPy's type names."""
    if isinstance(value, tuple):
        return f"({', '.join(_shown(part) for part in value)})"
    return repr(value.item() if isinstance(value, np.generic) else value)


def check_same_claims(plain: Watched, walk: Walk, looks: list[Look]) -> None:
    """The compiled functions say what the plain ones do."""
    watched = Walk(plain, walk.findings, walk.keys)
    for look in looks:
        try:
            before, after = claims(watched, look), claims(walk, look)
        except Wrong as wrong:
            walk.findings.add(wrong.part, wrong.sentence, look.state, fatal=True)
            return
        for part, said in before.items():
            if said != after[part]:
                walk.findings.add(
                    f"{part} differs", f"{part} gives {_told(said)} as plain Python but "
                    f"{_told(after[part])} compiled, at {{at}}; {HINT}.", look.state)


def _told(said: Any) -> str:
    return ", ".join(_shown(part) for part in said) if isinstance(said, list) else _shown(said)


def check_truth(walk: Walk, looks: list[Look]) -> int:
    """``forced``, ``cannot_win``, ``foreseen`` and ``finish`` against exact values; on how many
    positions."""
    values, settled = Values(walk.rules), 0
    for look in looks:
        value = values.value(look.state, EACH) if values.spent < ALTOGETHER else None
        if value is None:
            continue
        settled += 1
        try:
            if walk.rules.forced is not None:
                _check_forced_value(walk, values, look, value if look.mover == 0 else -value)
            if walk.rules.cannot_win is not None:
                _check_winner(walk, look, value)
            if walk.rules.foreseen is not None:
                _check_foreseen(walk, look, value)
            if walk.rules.finish is not None:
                _check_finish(walk, values, look)
        except Wrong as wrong:
            walk.findings.add(wrong.part, wrong.sentence, look.state, fatal=True)
            break
    return settled


def _check_winner(walk: Walk, look: Look, value: int) -> None:
    """Nobody says that the winner does not win."""
    winner = 0 if value > 0 else 1
    if value != 0 and walk.rule.known("cannot_win", look.state, winner):
        name = ("first", "second")[winner]
        raise Wrong("cannot_win", f"cannot_win says that the {name} player does not win, but that "
                                  "player does, at {at}.")


def _check_foreseen(walk: Walk, look: Look, value: int) -> None:
    """Who is said to win does, and who is said not to does not."""
    for side, name in enumerate(("first", "second")):
        sight, wins = walk.rule.known("foreseen", look.state, side), (value, -value)[side] > 0
        if sight != 0 and (sight > 0) != wins:
            said, truth = ("does not win", "does") if sight < 0 else ("wins", "does not")
            raise Wrong("foreseen", f"foreseen says that the {name} player {said}, but that player "
                                    f"{truth}, at {{at}}.")


def _check_finish(walk: Walk, values: Values, look: Look) -> None:
    """The move that is said to win does."""
    move = walk.rule.known("finish", look.state)
    if move == NO_MOVE:
        return
    after = values.value(walk.rule.step(look.state, move, 0), EACH)
    if after is not None and after != (1 if look.mover == 0 else -1):
        raise Wrong("finish", f"finish says that the move with the code {move} wins, but it does "
                              "not, at {at}.")


def _check_forced_value(walk: Walk, values: Values, look: Look, value: int) -> None:
    """One of the forced moves must be as good as the best of all."""
    codes = walk.codes(look.state, "forced") or []
    best = -1 if codes else value
    for code in codes:
        after = values.value(walk.rule.step(look.state, code, 0), EACH)
        if after is None:
            return
        best = max(best, after if look.mover == 0 else -after)
    if best < value:
        raise Wrong("forced", f"forced leaves out what matters: with all moves the player to move "
                              f"{WORDS[value]}, with those of forced that player {WORDS[best]}, "
                              "at {at}.")
