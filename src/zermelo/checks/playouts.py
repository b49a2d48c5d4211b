"""A game's own playouts: do they end, keep the state, and draw moves as evenly as they should?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from zermelo.checks.findings import Findings
from zermelo.checks.walk import Look
from zermelo.core.board import Scratch, playout_of, scratch_for, states_array
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, Rules
from zermelo.core.time_limit import TooLong, within
from zermelo.core.watched import State, line_of
from zermelo.kernel.compile_errors import core_of
from zermelo.kernel.jit import jit_enabled, kernel

# Chi-square exceeded by chance once in a million, by degrees of freedom.
CRITICAL = {1: 23.93, 2: 27.63}
WORK = 200_000_000  # moves written in one comparison, about
PARTS = ("playout", "playouts")
SECONDS = 30.0  # for one call in plain Python, which may be 20 games

Run = Callable[..., Any]


def check_playouts(rules: Rules, looks: list[Look], seed: int, findings: Findings) -> int:
    """Compare ``playout`` and ``playouts`` with random legal moves; the number of positions."""
    n = max(1_000, min(20_000, WORK // (rules.max_length * rules.max_moves)))
    n = n if jit_enabled() else 60
    generic = kernel(_one_by_one(replace(rules, playout=None, playouts=None)))
    for part in PARTS:
        if getattr(rules, part) is None:
            continue
        run = kernel(_one_by_one(rules) if part == "playout" else _at_once(rules))
        for look in looks:
            try:
                counts, sentence = _ends(run, rules, look.state, seed, n)
            except Exception as error:
                verb = "does not compile" if jit_enabled() else "fails"
                findings.add(part, f"{part} {verb}: {core_of(error)}.", look.state, fatal=True)
                return 0
            if not sentence:
                expected, _ = _ends(generic, rules, look.state, seed + 1, n)
                sentence = _compared(counts, expected, n)
            if sentence:
                findings.add(part, f"{part} {sentence}", look.state)
                return 0
    return len(looks)


def check_plain_playouts(rules: Rules, looks: list[Look], findings: Findings) -> None:
    """A few as plain Python, for the sake of indices that compiled code does not check."""
    for number, look in enumerate(looks):
        states, scratch = _place(rules, look.state, number)
        s, plain = states.view(np.recarray)[0], scratch.states.view(np.recarray)
        scratch = scratch._replace(states=plain)
        for part in PARTS:
            function = getattr(rules, part)
            arguments = () if part == "playout" else (20, FIRST_WINS)
            try:
                with np.errstate(all="ignore"):
                    if function is not None:
                        within(SECONDS, function, rules.data, s, scratch.rng, *arguments, scratch)
            except TooLong as error:
                findings.add(part, f"{part} does not return within {SECONDS:g} seconds as plain "
                             f"Python{line_of(error)}; is there an endless loop? From {{at}}.",
                             look.state, fatal=True)
                return
            except IndexError as error:
                findings.add(part, f"{part} raises IndexError as plain Python: {error}"
                             f"{line_of(error)}, from {{at}}.", look.state, fatal=True)
                return
            except Exception:  # plain and compiled numbers may differ in other ways
                return


def _one_by_one(rules: Rules) -> Run:
    """``run(g, states, scratch, n, counts)``: ends of playouts; index 4 is for other numbers."""
    playout = playout_of(rules)

    def run(g, states, scratch, n, counts):
        for _ in range(n):
            end = playout(g, states[0], scratch.rng, scratch)
            counts[end if end >= 0 and end <= 3 else 4] += 1

    return run


def _at_once(rules: Rules) -> Run:
    """The same through ``playouts``, which counts one kind of end at a time."""
    playouts: Any = rules.playouts

    def run(g, states, scratch, n, counts):
        begin = scratch.rng[0]
        for won in range(FIRST_WINS, DRAW + 1):
            scratch.rng[0] = begin
            counts[won] = playouts(g, states[0], scratch.rng, n, won, scratch)

    return run


def _place(rules: Rules, state: State, seed: int) -> tuple[State, Scratch]:
    states, scratch = states_array(rules, 1), scratch_for(rules)
    states[0] = state[0]
    scratch.rng[0] = seed
    return states, scratch


def _ends(run: Run, rules: Rules, state: State, seed: int, n: int) -> tuple[list[int], str]:
    """How ``n`` playouts end, and what is wrong with them if anything is."""
    states, scratch = _place(rules, state, seed)
    counts = np.zeros(5, np.int64)
    with np.errstate(all="ignore"):
        run(rules.data, states, scratch, n, counts)
    sentence = ""
    if counts[0] or counts[4]:
        found = "ONGOING" if counts[0] else "a number beyond 3"
        sentence = f"returns {found}, not how the game ended, from {{at}}."
    elif any(states[name].tobytes() != state[name].tobytes() for name in state.dtype.names or ()):
        sentence = "changes s, which must stay as it is, from {at}."
    elif scratch.rng[0] == seed:
        sentence = "does not store its counter in rng[0], so all games are alike, from {at}."
    elif counts.sum() != n:
        sentence = (f"counts {counts[1]}, {counts[2]} and {counts[3]} of {n} games as won by the "
                    f"first, won by the second and drawn: together {counts.sum()}, from {{at}}.")
    return counts.tolist(), sentence


def _compared(counts: list[int], expected: list[int], n: int) -> str:
    if alike(counts[1:4], expected[1:4]):
        return ""
    return (f"is not uniform over the legal moves: of {n} games the first player wins {counts[1]}, "
            f"the second {counts[2]} and {counts[3]} are drawn, where random moves give "
            f"{expected[1]}, {expected[2]} and {expected[3]}, from {{at}}.")


def alike(one: list[int], other: list[int]) -> bool:
    """Chi-square of two samples of equal size: can they come from one distribution?"""
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a + b > 20]
    if len(pairs) < 2:
        return True
    return sum((a - b) ** 2 / (a + b) for a, b in pairs) < CRITICAL[len(pairs) - 1]


def with_choice(looks: list[Look]) -> list[Look]:
    """Those of ``looks`` where the game goes on and there is more than one move."""
    return [look for look in looks if look.outcome == ONGOING and len(look.codes) > 1]
