"""Limits of a session: as the API gives them, and as the server allows them."""

from __future__ import annotations

from typing import Any

from zermelo.errors import BadOption, quoted
from zermelo.solving.result import Limits, free_memory

NAMES = ("nodes", "time", "memory")
USUAL_MEMORY = 2 * 10**9
SHARE = 6  # of the free memory, for a session that says nothing
LEAST_MEMORY = 1 << 20


def read_limits(given: Any) -> Limits:
    """The limits in ``given``: an object with nodes, time and memory, each a number or a text."""
    if given is None:
        return Limits()
    if not isinstance(given, dict):
        raise BadOption(f"limits={quoted(given)} is not an object with nodes, time and memory.")
    for name in given:
        if name not in NAMES:
            raise BadOption(f"there is no limit {quoted(name)}; limits are {', '.join(NAMES)}.")
    return Limits(**given)


def within(given: Any, seconds: float, memory: int | None) -> dict[str, Any]:
    """Limits as numbers, with those of the server where none are given; too much is refused."""
    limits, free = read_limits(given), free_memory()
    if limits.memory is not None and limits.memory > free // 2:
        raise BadOption(f"memory={quoted(given['memory'])} is more than half of what is free: at "
                        f"most {free // 2 / 1e6:,.0f}MB can be had now.")
    usual = memory if memory is not None else min(USUAL_MEMORY, free // SHARE)
    return {"nodes": limits.nodes, "time": seconds if limits.time is None else limits.time,
            "memory": max(usual if limits.memory is None else limits.memory, LEAST_MEMORY)}
