"""Rows without their positions, so that results on other people's positions can be published.

A report does not need them: the rows of a plan are found by digests, and the plan has the positions
from their own files. What is kept is listed here, and all else is left out: a column, a field or a
text that nobody has thought of stays at home.

A digest tells whether a position that somebody has, or tries, is the one that was searched. It
can't be read, but where there are few enough to try all, such as boards of Connect Four with twelve
stones, it hides nothing.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from typing import Any

from zermelo.jobs.work import MEMORY, TIMEOUT

# Digests, what was asked of which search under which limits, and what came of it.
KEPT = (
    "digest", "task", "question", "job_kind", "job_game", "job_search", "job_options", "job_seed",
    "job_goal", "job_plain", "job_nodes", "job_time", "job_memory", "job_wall", "job_version",
    "job_code", "status", "value", "proved", "concluded", "stopped", "move", "made_nodes",
    "iterations", "seconds", "compile_seconds", "cpu_seconds", "wall_seconds", "peak_bytes",
    "peak_rss", "certified", "run", "finished", "machine",
)
# Of a game that was played: how it went, without its moves.
KEPT_OF_GAME = ("opening", "outcome", "how", "player", "nodes", "seconds", "against")
WORDS = re.compile(r"-?inf|(win|draw|loss)( in [0-9]+)?")  # in place of a number
OWN_MESSAGES = (TIMEOUT, MEMORY)  # all others may quote a position, or what a process printed
LEFT_OUT = "left out with the positions"


def without_position(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as the store keeps it, all columns there, those that may tell the position empty."""
    found = {name: value if name in KEPT else None for name, value in row.items()}
    if row["message"] is not None:
        found["message"] = row["message"] if row["status"] in OWN_MESSAGES else LEFT_OUT
    details = json.loads(zlib.decompress(row["details"]))
    kept = {name: tell(details[name]) for name, tell in DETAILS.items() if name in details}
    found["details"] = zlib.compress(json.dumps(kept).encode())
    return found


def _numbers(found: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the fields that are numbers, true or false, or empty."""
    return {name: value for name, value in found.items()
            if value is None or isinstance(value, int | float)
            or (isinstance(value, str) and WORDS.fullmatch(value))}


def _sample(sample: Mapping[str, Any]) -> dict[str, Any]:
    """What a search said about the root at some time, and the one move that it preferred then."""
    move = {"move": sample["move"]} if "move" in sample else {}
    return {**_numbers(sample), "root": _numbers(sample["root"]), **move}


# By part of the details: what of it is kept. The moves in them are those of one position, the one
# that was searched: which it has, not what stands on its board; a trace may have all of them.
DETAILS: dict[str, Any] = {
    "root": _numbers, "counters": _numbers,
    "trace": lambda samples: [_sample(sample) for sample in samples],
    "good_moves": lambda moves: moves,
    "played": lambda game: {name: game[name] for name in KEPT_OF_GAME if name in game},
    "search_seconds": lambda seconds: seconds,
}
