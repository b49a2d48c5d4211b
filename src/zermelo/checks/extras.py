"""The optional functions of a game: symmetries, playouts, forced moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from zermelo.checks.findings import Findings, State, Wrong, differing, identity
from zermelo.checks.machine import core_of
from zermelo.checks.walk import Look, Rule, Walk, whole
from zermelo.checks.watched import line_of
from zermelo.game import ONGOING, Rules
from zermelo.kernel.board import playout_of, scratch_for, states_array
from zermelo.kernel.jit import jit_enabled, kernel

# Chi-square exceeded by chance once in a million, by degrees of freedom.
CRITICAL = {1: 23.93, 2: 27.63}
WORK = 200_000_000  # moves written in one comparison, about


def check_forced(walk: Walk, looks: list[Look]) -> int:
    """``forced`` gives some of the legal moves, or none."""
    for look in looks:
        codes = walk.codes(look.state, "forced")
        if codes is None:
            return 0
        illegal = [code for code in codes if code not in look.codes]
        if illegal:
            walk.findings.add("forced", "forced gives the move {move}, which is not legal, at "
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


def check_playout(rules: Rules, looks: list[Look], seed: int, findings: Findings) -> int:
    """A playout ends, keeps its state, moves its counter, and is as random as the plain one."""
    own, generic = _counter(rules), _counter(replace(rules, playout=None))
    n = max(1_000, min(20_000, WORK // (rules.max_length * rules.max_moves)))
    n = n if jit_enabled() else 60
    for look in looks:
        try:
            counts, sentence = _playouts(own, rules, look.state, seed, n)
        except Exception as error:
            verb = "does not compile" if jit_enabled() else "fails"
            findings.add("playout", f"playout {verb}: {core_of(error)}.", look.state, fatal=True)
            return 0
        if sentence:
            findings.add("playout", sentence, look.state)
            return 0
        expected, _ = _playouts(generic, rules, look.state, seed + 1, n)
        if not alike(counts[1:4], expected[1:4]):
            findings.add(
                "playout", f"playout is not uniform over the legal moves: of {n} playouts the "
                f"first player wins {counts[1]}, the second {counts[2]} and {counts[3]} are drawn, "
                f"where random moves give {expected[1]}, {expected[2]} and {expected[3]}, from "
                "{at}.", look.state)
            return 0
    return len(looks)


def check_plain_playout(rules: Rules, looks: list[Look], findings: Findings) -> None:
    """A few playouts as plain Python, for the sake of indices that compiled code does not check."""
    for look in looks:
        states = np.zeros(1, rules.dtype).view(np.recarray)
        states[0] = look.state[0]
        scratch = scratch_for(rules)
        scratch = scratch._replace(states=scratch.states.view(np.recarray))
        try:
            with np.errstate(all="ignore"):
                rules.playout(rules.data, states[0], scratch.rng, scratch)  # type: ignore[misc]
        except IndexError as error:
            findings.add("playout", f"playout raises IndexError as plain Python: {error}"
                         f"{line_of(error)}, from {{at}}.", look.state, fatal=True)
            return
        except Exception:  # other differences between plain and compiled numbers
            return


def _counter(rules: Rules) -> Any:
    """``run(g, states, scratch, n, counts)``: ends of playouts; index 4 is for what is no end."""
    playout = playout_of(rules)

    def run(g, states, scratch, n, counts):  # type: ignore[no-untyped-def]
        for _ in range(n):
            end = playout(g, states[0], scratch.rng, scratch)
            counts[end if end >= 0 and end <= 3 else 4] += 1

    return kernel(run)


def _playouts(run: Callable[..., Any], rules: Rules, state: State, seed: int,
              n: int) -> tuple[list[int], str]:
    """How ``n`` playouts end, and what is wrong with them if anything is."""
    states, scratch, counts = states_array(rules, 1), scratch_for(rules), np.zeros(5, np.int64)
    states[0] = state[0]
    scratch.rng[0] = seed
    with np.errstate(all="ignore"):
        run(rules.data, states, scratch, n, counts)
    sentence = ""
    if counts[0] or counts[4]:
        sentence = "playout returns ONGOING" if counts[0] else "playout returns a number beyond 3"
        sentence += ", not how the game ended, from {at}."
    elif any(states[name].tobytes() != state[name].tobytes() for name in state.dtype.names or ()):
        sentence = "playout changes s, which must stay as it is, from {at}."
    elif scratch.rng[0] == seed:
        sentence = "playout does not store its counter in rng[0], so all are alike, from {at}."
    return counts.tolist(), sentence


def alike(one: list[int], other: list[int]) -> bool:
    """Chi-square of two samples of equal size: can they come from one distribution?"""
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a + b > 20]
    if len(pairs) < 2:
        return True
    return sum((a - b) ** 2 / (a + b) for a, b in pairs) < CRITICAL[len(pairs) - 1]


def with_choice(looks: list[Look]) -> list[Look]:
    """Those of ``looks`` where the game goes on and there is more than one move."""
    return [look for look in looks if look.outcome == ONGOING and len(look.codes) > 1]
