"""The rules as a run sees them: finished games as a status, moves to try, repetitions, playouts;
and what the runs of a search on a game share.

A run that is plain uses nothing but the rules; that stands in its ``control``, so that one kernel
serves both kinds of run. Playouts are a pure function of (seed, key of the position), see
``kernel.rng``; draws are not wins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from zermelo.compiler.jit import jit_enabled
from zermelo.core.board import playouts_of
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, Rules
from zermelo.kernel.rng import start_counter
from zermelo.search.reasons import LOST, NEVER, UNKNOWN, WON

if TYPE_CHECKING:
    from zermelo.core.game import Game

Made = TypeVar("Made")


def kept(game: Game, key: tuple[object, ...], make: Callable[[], Made]) -> Made:
    """Return what ``make`` makes, once for each ``key`` and as long as the game is there.

    A search may be part of the key. Putting its parts together and finding their kernel takes
    milliseconds, which is more than the search itself takes on an easy position.
    """
    store = vars(game).setdefault("_kept", {})
    full = (jit_enabled(), *key)
    try:
        known: Made | None = store.get(full)
    except TypeError:  # an option of a user's own search that has no hash
        return make()
    if known is None:
        known = store[full] = make()
    return known


Function = Callable[..., Any]


def ending_of(rules: Rules) -> Function:
    """``ending(g, control, s)``: WON or LOST for a finished or settled position, else UNKNOWN.

    A win that a game foresees may be far away, and have any number of points.
    """
    outcome, scored = rules.outcome, rules.score is not None
    score = rules.score if scored else rules.outcome
    knows = rules.cannot_win is not None
    cannot_win = rules.cannot_win if knows else rules.outcome
    foresees = rules.foreseen is not None and not scored
    foreseen = rules.foreseen if foresees else rules.outcome

    def ending(g, control, s):
        end = outcome(g, s)
        attacker, threshold = control.attacker, control.threshold
        if end != ONGOING:
            if threshold == 1 or not scored:
                return WON if end == FIRST_WINS + attacker else LOST
            gained = score(g, s) if attacker == 0 else -score(g, s)
            return WON if gained >= threshold else LOST
        if foresees and control.plain == 0:
            sight = foreseen(g, s, attacker)
            if sight < 0 or (sight > 0 and control.horizon == NEVER):
                return WON if sight > 0 else LOST
        elif knows and control.plain == 0:
            if threshold >= 1:
                if cannot_win(g, s, attacker):
                    return LOST
            elif cannot_win(g, s, 1 - attacker):
                return WON
        return UNKNOWN

    return ending


def ahead_of(rules: Rules) -> Function:
    """``ahead(g, s, stop, counted)`` of a game, or nothing."""
    return rules.ahead or nothing_ahead


def nothing_ahead(g, s, stop, counted):
    """``ahead`` of a game that plays its moves one by one."""


def no_candidates(g, s, side, out):
    """``candidates`` of a run without them; never called."""
    return 0


def moves_of(rules: Rules) -> Function:
    """``usual(g, control, s, out) -> n``: the forced moves where the game knows any, else all."""
    moves, narrowed = rules.moves, rules.forced is not None
    forced = rules.forced if narrowed else rules.moves

    def usual(g, control, s, out):
        n = 0
        if narrowed and control.plain == 0:
            n = forced(g, s, out)
        if n == 0:
            n = moves(g, s, out)
        return n

    return usual


def legal_of(rules: Rules) -> Function:
    """``legal(g, control, s, out) -> n``: the moves to try; with candidates the attacker may have
    none, which is LOST as any node without children."""
    usual, mover = moves_of(rules), rules.mover
    chosen = rules.candidates is not None
    candidates = rules.candidates or no_candidates

    def legal(g, control, s, out):
        if chosen and mover(g, s) == control.attacker:
            return candidates(g, s, control.attacker, out)
        return usual(g, control, s, out)

    return legal


PATH_FREE = 1 << 30  # the `anchor` of a status that holds on every path


def repetition_of(rules: Rules) -> Function:
    """``repetition(g, path, words, last, key, states, others, i) -> (outcome, at)``.

    Is state number ``i`` of ``states``, whose key is ``key``, the same as one of the path's first
    ``last`` + 1? ``path`` has their ``states`` and ``keys``; ``words`` and ``others`` are the bytes
    of both kinds of states, in words of one width. Whole states are compared, the latest first.
    ``at`` is the place of the state that is repeated; a repetition is a draw, or whatever the
    game's own rule says, and ONGOING means that there is none.
    """
    own_rule = rules.repeat is not None
    repeat = rules.repeat if own_rule else rules.outcome

    def repetition(g, path, words, last, key, states, others, i):
        width = len(others) // len(states)
        for at in range(last, -1, -1):
            if path.keys[at] == key:
                same = True
                for w in range(width):
                    same &= words[at * width + w] == others[i * width + w]
                if same and own_rule:
                    path.states[last + 1] = states[i]
                    return repeat(g, path.states, at, last + 1), at
                if same:
                    return DRAW, at
        return ONGOING, 0

    return repetition


SLACK = 4  # places beyond the last move


def first_path(rules: Rules, usual: int) -> int:
    """Places to begin with."""
    return usual if rules.cyclic else min(usual, rules.max_length + SLACK)


def may_lengthen(rules: Rules, places: int) -> bool:
    """Return True if a path of ``places`` may grow: in a cyclic game always."""
    return rules.cyclic or places < rules.max_length + SLACK


def playout_wins_of(rules: Rules) -> Function:
    """``playout_wins(g, tree, s, n)``: how many of ``n`` playouts the attacker wins.

    ``tree``: the arrays of a family, which have ``control`` and ``scratch``.
    """
    playouts, stream = playouts_of(rules), rules.stream or rules.key

    def playout_wins(g, tree, s, n):
        control, rng = tree.control[0], tree.scratch.rng
        rng[0] = start_counter(control.seed, stream(g, s))
        return playouts(g, s, rng, n, FIRST_WINS + control.attacker, tree.scratch)

    return playout_wins


def away_from_0_and_1(hits, misses, o):
    """Return the share of hits; theta instead of 0, and 1 - theta instead of 1."""
    if hits == 0:
        return o.theta
    if misses == 0:
        return 1.0 - o.theta
    return hits / o.playouts


def chance_away(p: float, q: float, theta: float) -> float:
    """Return the chance p, with q beside it that it fails, kept away from 0 and 1 by theta."""
    return theta if p == 0 else 1.0 - theta if q == 0 else p
