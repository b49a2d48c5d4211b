"""Does the machine code compute what the Python text says? And does it allocate memory?"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from zermelo.checks.findings import Findings, differing, identity
from zermelo.checks.machine import Machine
from zermelo.checks.walk import BY_CHANCE, Look, Rule, Walk, varies
from zermelo.core.board import moves_array, states_array
from zermelo.core.rules import Rules
from zermelo.core.watched import State, Watched, Wrong
from zermelo.kernel.jit import jit_enabled, kernel

HINT = ("in compiled code a uint64 mixed with a signed number turns into a signed number or a "
        "float, and whole numbers wrap at 64 bits")
ROUNDS = 100


def check_agreement(walk: Walk, looks: list[Look]) -> int:
    """The compiled rules on states that the plain ones have seen."""
    for look in looks:
        compiled = walk.look(look.state)
        if compiled is None:
            return 0
        pairs = [("outcome", look.outcome, compiled.outcome), ("mover", look.mover, compiled.mover),
                 ("moves", look.codes, compiled.codes), ("key", look.key, compiled.key)]
        for part, plain, machine in pairs:
            if plain is None or plain == machine:
                continue
            if _varies(walk, part, look.state):
                walk.findings.add(f"{part} varies", f"{part} gives different answers for one and "
                                  f"the same state; {BY_CHANCE}, at {{at}}.", look.state,
                                  fatal=True)
                return 0
            walk.findings.add(
                f"{part} differs", f"{part} gives {plain} as plain Python but {machine} compiled, "
                f"at {{at}}; {HINT}.", look.state, fatal=part == "moves")
        for move, after in look.after.items():
            if not _same_step(walk, look, move, after):
                return 0
    return len(looks)


def _varies(walk: Walk, part: str, state: State) -> bool:
    """Whether a rule, as plain Python or compiled, gives different answers for one state."""
    return any(varies(partial(getattr(rule, part), state))
               for rule in (Watched(walk.rules), walk.rule))


def _after(rule: Rule, look: Look, move: int) -> bytes:
    return identity(rule.step(look.state, move, 0))


def _same_step(walk: Walk, look: Look, move: int, after: Any) -> bool:
    try:
        there = walk.rule.step(look.state, move, 0)
    except Wrong as wrong:
        walk.findings.add(wrong.part, wrong.sentence, look.state, fatal=True)
        return False
    fields = differing(there, after)
    rules: tuple[Rule, Rule] = (Watched(walk.rules), walk.rule)
    if fields and any(varies(partial(_after, rule, look, move)) for rule in rules):
        walk.findings.add("play varies", "play gives different states for one and the same move; "
                          f"{BY_CHANCE}, at {{at}}, move {{move}}.", look.state, move=move,
                          fatal=True)
    elif fields:
        name = fields[0]
        walk.findings.add(
            "play differs", f"play gives {name}={after[name][0]} as plain Python but "
            f"{there[name][0]} compiled, at {{at}}, move {{move}}; {HINT}.", look.state, move=move)
    return not fields


def check_key_type(machine: Machine, findings: Findings) -> None:
    """A signed key would be compared as a float with a uint64."""
    found = machine.result_type("key")
    if found not in ("", "uint64"):
        findings.add("key type", f"key returns {found} in compiled code, not uint64; end it with "
                     "return np.uint64(...).")


def check_allocation(rules: Rules, look: Look, findings: Findings) -> bool:
    """Memory that a rule asks for at every call makes searches several times slower."""
    if not jit_enabled():
        return False
    try:  # the compiler's own count, by private names
        runtime: Any = import_module("numba.core.runtime")
        import_module("numba.core.runtime._nrt_python").memsys_enable_stats()
        count = runtime.rtsys.get_allocation_stats
    except (ImportError, AttributeError):
        return False
    run = kernel(_spin(rules))
    states, out = states_array(rules, 2), moves_array(rules)
    states[0] = look.state[0]
    run(rules.data, states, out, 1)
    made = []
    for rounds in (1, ROUNDS):
        before = count().alloc
        run(rules.data, states, out, rounds)
        made.append(count().alloc - before)
    if made[1] - made[0] >= ROUNDS - 1:
        findings.add("allocation", "the rules allocate memory whenever they are called (np.zeros, "
                     "a list, a copy), which makes searches several times slower; write into s, t "
                     "and out only.")
    return True


def _spin(rules: Rules) -> Any:
    moves, play, mover, outcome, key = (
        rules.moves, rules.play, rules.mover, rules.outcome, rules.key)
    forced, estimate = rules.forced or moves, rules.estimate or outcome
    cannot_win, foreseen = rules.cannot_win or _nothing, rules.foreseen or _nothing

    def spin(g, states, out, rounds):
        total = 0
        for _ in range(rounds):
            total += outcome(g, states[0]) + mover(g, states[0])
            total += forced(g, states[0], out)
            total += moves(g, states[0], out)
            estimate(g, states[0])
            total += cannot_win(g, states[0], total & 1)
            total += foreseen(g, states[0], total & 1)
            play(g, states[0], out[0], states[1])
            total += np.int64(key(g, states[1]))
        return total

    return spin


def _nothing(g: Any, s: Any, side: Any) -> bool:
    return False
