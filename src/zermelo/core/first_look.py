"""The first positions of a user's game, in plain Python, before any of its rules runs compiled.

Compiled code checks no index: a list of moves that is too short, or a field that is written past
its end, would crash the process or change another value. So some random games are played first with
the rules uncompiled, on states that watch what is done to them (see ``watched``). That takes about
a tenth of a second, once in a process. It is not a substitute for ``zermelo check-game``: only what
could do harm is refused, and what plain numbers can't decide is left to the compiler.
"""

from __future__ import annotations

import os
import sys
import time
import types
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.compiler.compile_errors import MORE
from zermelo.compiler.fingerprint import Reading
from zermelo.core.game_files import FILE_MODULE
from zermelo.core.rules import DRAW, ONGOING, Rules
from zermelo.core.watched import (
    DoesNotFit,
    State,
    Watched,
    Wrong,
    counted_moves,
    fields_text,
    in_range,
)
from zermelo.errors import BadGame, quoted

if TYPE_CHECKING:
    from zermelo.core.game import Game

POSITIONS, SECONDS = 100, 0.15  # whichever comes first
CALLED = ("moves", "play", "mover", "outcome", "key")
LISTS = ("forced", "candidates", "captures")
KNOWN = ("estimate", "remaining", "finish", "evaluate", "in_check")
OWN = "zermelo."
# Plain Python refuses these for other reasons than compiled code does, which has its own words.
UNDECIDED = (TypeError, OverflowError, NameError, AttributeError, NotImplementedError)

_seen: set[tuple[Any, ...]] = set()


def look_first(game: Game, state: State) -> None:
    """Refuse ``game`` if its rules do harm in random games from ``state`` or from its start.

    Done once for each set of rules and parameters; the library's own games need no such look.
    """
    if not _needs_a_look(game.rules):
        return
    digest = Reading(*(getattr(game.rules, part) for part in CALLED)).digest()
    key = (type(game).__qualname__, *map(repr, game.values.items()), digest)
    if key in _seen:
        return
    _seen.add(key)
    try:
        _play(game, state)
        start = _start_of(game)
        if start is not None and start.tobytes() != state.tobytes():
            _play(game, start)
    except BadGame:
        _seen.discard(key)  # it is no better the next time
        raise


def hint(game: Game) -> str:
    """Where more is said about a broken game."""
    kind = type(game)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if not kind.__module__.startswith(FILE_MODULE) or file is None:
        return MORE
    with suppress(ValueError, OSError):  # on another drive, or in a directory that is gone
        file = min(os.path.relpath(file), file, key=len)
    return f"run 'zermelo check-game {file}:{kind.__qualname__}' for details"


def _needs_a_look(rules: Rules) -> bool:
    functions = [getattr(rules, part) for part in CALLED]
    plain = all(isinstance(function, types.FunctionType) for function in functions)
    return plain and not all(function.__module__.startswith(OWN) for function in functions)


def _start_of(game: Game) -> State | None:
    """The initial state, where there is one; other positions may be all that a game has."""
    try:
        return np.array(game.start().state)
    except Exception:
        return None


def _play(game: Game, start: State) -> None:
    """Random games from ``start``, for that many positions or that long."""
    rule, chance = Watched(game.rules), Random(0)
    until = time.thread_time() + SECONDS
    state, move, length = start, None, 0
    try:
        for _ in range(POSITIONS):
            codes = _look(rule, state)
            if not codes or length >= game.rules.max_length:
                if length == 0:
                    return
                state, length = start, 0
                continue
            move = chance.choice(codes)
            after = _step(rule, state, move)
            state, move, length = after, None, length + 1
            if time.thread_time() > until:
                return
    except Wrong as wrong:
        if isinstance(wrong.error, UNDECIDED) or _wraps(wrong.error) or _by_the_compiler(wrong):
            return
        where = quoted(fields_text(state)) + ("" if move is None else f", move {move}")
        sentence = wrong.sentence.replace("{at}", where).rstrip(".")
        raise BadGame(f"{game.name}: {sentence}; {hint(game)}.") from None


def _look(rule: Watched, state: State) -> list[int]:
    """The moves of a position where the game goes on, after a look at what the rules say."""
    rules = rule.rules
    outcome = in_range("outcome", rule.outcome(state), "", DRAW, "0 to 3")
    mover = in_range("mover", rule.mover(state), "", 1, "0 or 1")
    rule.key(state)
    if outcome != ONGOING:
        if rules.score is not None:
            rule.known("score", state)
        return []
    codes = counted_moves(rules, "moves", *rule.moves(state), "")
    if not codes:
        return []
    for part in LISTS:
        if getattr(rules, part) is not None:
            counted_moves(rules, part, *rule.moves(state, part), "")
    for part in KNOWN:
        if getattr(rules, part) is not None:
            rule.known(part, state)
    for part in ("cannot_win", "foreseen"):
        if getattr(rules, part) is not None:
            rule.known(part, state, mover)
    if rules.canonical is not None:
        rule.canonical(state, 0)
    if rules.categories is not None:
        rule.categories(state, codes)
    return codes


def _step(rule: Watched, state: State, move: int) -> State:
    """The state after ``move``, with clean padding, if ``play`` writes all of it."""
    one, other = rule.step(state, move, 0x55), rule.step(state, move, 0xAA)
    names = rule.rules.dtype.names or ()
    missed = [name for name in names if one[name].tobytes() != other[name].tobytes()]
    if missed:
        raise Wrong("play", f"play does not write all of t: {', '.join(missed)} is left as it was, "
                            "at {at}.")
    after = np.zeros(1, rule.rules.dtype)
    for name in names:
        after[name] = one[name]
    return after


def _wraps(error: BaseException | None) -> bool:
    """A 64-bit number that is too large wraps around in compiled code, as hashes are meant to."""
    return isinstance(error, DoesNotFit) and "8 ends at" in str(error)


def _by_the_compiler(wrong: Wrong) -> bool:
    """A rule calls a function that its author has compiled, which takes no watched states."""
    return type(wrong.error).__module__.startswith("numba")
