"""Depth-first searches in checkpoints: the path of each thread, and the table.

The loop comes back between two visits, and then all that it knows is in arrays: the nodes of the
path with their children and thresholds, the table, and the counters.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from zermelo.search.common.saved import Saved, Saving, in_range
from zermelo.search.depth_first.driver import BEGIN
from zermelo.search.depth_first.table import GENERATIONS
from zermelo.search.reasons import LOST, UNKNOWN

if TYPE_CHECKING:
    from zermelo.search.depth_first.run import Run

# What a run is told when it begins.
ASKED = ("attacker", "threshold", "horizon", "origin", "threads", "plain", "quick", "fold", "seed")
WHOLE = ("readings", "root", "space", "notes", "patterns", "learned")
MOST_NUMBER = 1 << 62


def save(run: Run, saving: Saving) -> None:
    """The path of every thread, and the table, unless an earlier run has it."""
    saving.facts["asked"] = [number for question in run.table.asked for number in question]
    for at, stack in enumerate(run.stacks):
        part, depth = saving.part(f"path-{at}"), int(stack.control[0]["depth"])
        top = stack.frames[max(depth, 0)]
        begun = depth != BEGIN
        part.array("control", stack.control)
        part.array("frames", stack.frames[: depth + 1 if begun else 0])
        part.array("children", stack.children[: int(top["first"] + top["count"]) if begun else 0])
        part.fields(stack, WHOLE)
    saving.table("table", run.table)


def restore(run: Run, saved: Saved) -> None:
    """Let a run that has just begun go on from there."""
    for at in range(len(run.stacks)):
        _restore_stack(run, at, saved.part(f"path-{at}"))
    numbers = saved.numbers("asked", -MOST_NUMBER, MOST_NUMBER)
    asked = list(zip(numbers[::2], numbers[1::2], strict=False))
    saved.require(len(numbers) % 2 == 0 and len(asked) <= GENERATIONS
                  and len(set(asked)) == len(asked))
    saved.table("table", run.table)
    saved.later.append(partial(run.table.put_back, asked))


def _restore_stack(run: Run, number: int, saved: Saved) -> None:
    stack = run.stacks[number]
    at = saved.record("control", stack.control, ASKED)
    frames = saved.array("frames", stack.frames.dtype)
    children = saved.array("children", stack.children.dtype)
    counters = ("visits", "expansions", "evicted", "settled", "deepest", "lost")
    saved.require(at["depth"] == (len(frames) - 1 if len(frames) else BEGIN)
                  and 0 <= at["status"] <= LOST and 0 <= at["generation"] < GENERATIONS
                  and all(at[name] >= 0 for name in counters))
    moves = _check_path(frames, children, saved)
    positions = saved.play(run.position, moves)
    for frame, position in zip(frames, positions, strict=False):
        first, last = int(frame["first"]), int(frame["first"] + frame["count"])
        saved.require(set(children["move"][first:last].tolist()) <= set(position.codes()))
        saved.require(frame["mover"] == position.mover)
    while len(frames) + 3 > len(stack.frames) or len(children) > len(stack.children):
        stack.control[0]["depth"] = len(frames) - 1
        stack = run.stacks[number] = run.longer(stack)
    stack.control[0], stack.frames[: len(frames)] = at, frames
    stack.children[: len(children)] = children
    saved.stand_on(stack, positions)
    saved.fields(stack, WHOLE)
    saved.require(in_range(stack.readings, UNKNOWN, LOST))
    saved.require(bool((stack.learned >= 0).all()))


def _check_path(frames: Any, children: Any, saved: Saved) -> list[int]:
    """The moves of the path. The children of its nodes follow each other without a gap."""
    end, moves = 0, []
    for ply, frame in enumerate(frames):
        first, count, chosen = int(frame["first"]), int(frame["count"]), int(frame["chosen"])
        saved.require(first == end and 0 <= count <= len(children) - first)
        end = first + count
        if ply < len(frames) - 1:
            saved.require(first <= chosen < end)
            moves.append(int(children[chosen]["move"]))
        else:
            saved.require(chosen == -1 or first <= chosen < end)
    saved.require(end == len(children) and in_range(children["status"], UNKNOWN, LOST))
    return moves
