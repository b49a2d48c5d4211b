"""Minimax searches in checkpoints: the path, what orders moves, and the table.

The loop comes back before it enters a node: those above it have their moves, it has none yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.search.common.saved import Saved, Saving, in_range
from zermelo.search.minimax.engine import NOBODY, Engine
from zermelo.search.minimax.plan import DONE, DOWN, PROBE
from zermelo.search.minimax.score import LOSS, UNIT, WIN
from zermelo.search.reasons import UNKNOWN

if TYPE_CHECKING:
    from zermelo.search.minimax.run import Run

BY_PLY = ("lists", "kinds", "orders")
MOST, MOST_PLIES = 1 << 62, 1 << 14


def save(run: Run, saving: Saving) -> None:
    """The counts of the run, and its engine, unless an earlier run has it."""
    saving.facts.update(nodes=run.nodes, iterations=run.iterations)
    if run.finished == UNKNOWN and not run.shared:
        _save_engine(run.engine, saving)


def _save_engine(engine: Engine, saving: Saving) -> None:
    stack = engine.stack
    rows = int(stack.control[0]["ply"]) + 1
    saving.facts.update(lo=engine.lo, hi=engine.hi, value=engine.value, depth=engine.depth,
                        best=engine.best)
    known = np.flatnonzero(stack.killers[:, 0] != NOBODY)
    saving.array("frames", stack.frames[:rows])
    for name in BY_PLY:
        saving.array(name, getattr(stack, name)[:rows])
    saving.array("killers", stack.killers[: known.max(initial=0) + 1])
    for name in ("history", "root", "control"):
        saving.array(name, getattr(stack, name))
    saving.table("table", engine.table)


def restore(run: Run, saved: Saved) -> None:
    """Let a run that has just begun go on from there."""
    run.nodes, run.iterations = (saved.number(name, 0, MOST) for name in ("nodes", "iterations"))
    if run.finished == UNKNOWN and not run.shared:
        _restore_engine(run, run.engine, saved)


def _restore_engine(run: Run, engine: Engine, saved: Saved) -> None:
    engine.lo, engine.hi = (saved.number(name, LOSS, WIN) for name in ("lo", "hi"))
    engine.value, engine.depth = saved.number("value", -MOST, MOST), saved.number("depth", 0, MOST)
    frames = saved.array("frames", engine.stack.frames.dtype)
    control = saved.array("control", engine.stack.control.dtype)
    saved.require(len(control) == 1 and control["ply"][0] == len(frames) - 1
                  and control["plain"] == engine.stack.control["plain"]
                  and control["phase"][0] == DOWN and control["depth"][0] >= UNIT)
    killers = saved.array("killers", np.int32).reshape(-1, 2)
    saved.require(len(killers) <= MOST_PLIES)
    while len(engine.stack.frames) < max(len(frames) + 1, len(killers)):
        engine.lengthen()
    stack, width = engine.stack, engine.stack.lists.shape[1]
    engine.best = saved.number("best", NOBODY, width - 1)
    saved.require(NOBODY <= control["first"][0] < width)
    stack.killers[: len(killers)] = killers
    stack.frames[: len(frames)], stack.control[:] = frames, control
    for name in BY_PLY:
        saved.fill(name, getattr(stack, name)[: len(frames)])
    for name in ("history", "root"):
        saved.fill(name, getattr(stack, name))
    _check_path(run, engine, saved)
    saved.table("table", engine.table)


def _check_path(run: Run, engine: Engine, saved: Saved) -> None:
    """The moves of the path are legal, and all places are places of moves."""
    stack, position = engine.stack, run.position
    ply = int(stack.control[0]["ply"])
    likely: Any = engine.options.common.likely  # type: ignore[attr-defined]
    for at in range(ply + 1):
        stack.states[at] = position.state[0]
        stack.keys[at] = np.uint64(position.key() & (2**64 - 1))
        frame = stack.frames[at]
        saved.require(frame["mover"] == position.mover)
        if at < ply:
            count = int(frame["count"])
            moves = stack.lists[at, :count].tolist()
            saved.require(len(moves) == count and set(moves) <= set(position.codes())
                          and in_range(stack.kinds[at, :count], 0, len(likely) - 1)
                          and -1 <= frame["best_at"] < count and 0 <= frame["tried"] <= count
                          and PROBE <= frame["step"] <= DONE and 0 <= frame["at"] < count)
            position = saved.play(position, [moves[int(frame["at"])]])[1]
