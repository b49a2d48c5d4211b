"""Limits in, Result out: plain frozen records."""

from __future__ import annotations

import math
import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, fields
from enum import StrEnum
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from zermelo.core.svg import captioned, status, with_last
from zermelo.errors import BadOption, counted, quoted
from zermelo.search.reasons import STOPPED

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.search.base import Search

COUNTS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "m": None}  # 2m is a time
SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
BYTES = {"": 1, "B": 1, "K": 10**3, "KB": 10**3, "M": 10**6, "MB": 10**6, "G": 10**9, "GB": 10**9,
         "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
NUMBER = re.compile(r"\s*([-+0-9.eE_,]+?)\s*([A-Za-z]*)\s*")
LONGEST_NUMBER = 60
MOST_NODES = 1 << 62
PUT_OFF = ("move", "line", "moves")  # what takes longer to find out than an easy proof
LATELY = 0.1  # seconds
_lately: list[float] = []  # when the free memory was asked for, and what it was
# The limit and the use of a control group, in its second and its first version.
GROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)

Goal = Literal["win", "value", "score", "shortest"]
GOALS: tuple[Goal, ...] = get_args(Goal)


def goal_named(name: str) -> Goal:
    """Return ``name`` as a goal; raise BadOption if there is none of that name."""
    for goal in GOALS:
        if goal == name:
            return goal
    raise BadOption(f"goal={quoted(name)} is not one of {', '.join(GOALS)}.")


class Value(StrEnum):
    """The value of a position for the player to move."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    NOT_WIN = "not-win"
    UNKNOWN = "unknown"


def free_memory() -> int:
    """Return the memory that is free without swapping, in bytes; 2 GB where that is unknown."""
    try:
        return int(min(_free_on_machine(), *map(_free_in_group, GROUPS)))
    except (OSError, ValueError, AttributeError):
        return 2 * 10**9


def _free_lately() -> int:
    """Return ``free_memory``, read again after a moment only: an easy search takes no longer."""
    now = time.monotonic()
    if not _lately or now - _lately[0] > LATELY:
        _lately[:] = now, free_memory()
    return int(_lately[1])


def _free_on_machine() -> int:
    with suppress(OSError), open("/proc/meminfo") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def _free_in_group(files: tuple[str, str]) -> float:
    """Return what a container leaves: at least a quarter, since file caches give way."""
    try:
        limit, used = (int(Path(file).read_text()) for file in files)
    except (OSError, ValueError):  # not there, or "max"
        return math.inf
    return max(limit - used, limit // 4)


def _number(name: str, value: Any, units: dict[str, Any], least: float, example: str) -> float:
    """Return ``value``, a number or a text like ``2m``, in the base unit; above 0 and finite."""
    text = "" if isinstance(value, bool | bytes) else _text(value)
    match = NUMBER.fullmatch(text) if len(text) <= LONGEST_NUMBER else None
    unit = match[2] if match else ""
    factor: Any = units.get(unit, units.get(unit.upper()))
    try:
        number = float(match[1].replace(",", "")) * factor if match else math.nan
    except (ValueError, TypeError):
        number = math.nan
    if not (number > 0 and least <= number < math.inf):
        raise BadOption(f"the limit {name}={quoted(value)} is not valid; it is a positive number, "
                        f"such as {example}.")
    return number


def seconds(name: str, value: float | str) -> float:
    """Return a time, 90 or ``2m`` for example, in seconds."""
    return _number(name, value, SECONDS, 0, "90 or 2m")


def _text(value: Any) -> str:
    try:
        return str(value)
    except ValueError:  # a number of thousands of digits
        return ""


@dataclass(frozen=True, init=False)
class Limits:
    """Limits of a search: totals, each None for none, also as texts: ``35M``, ``2m``, ``256MB``.

    Without a memory limit a search takes at most half of the memory that is free when it starts.
    """

    nodes: int | None = None
    time: float | None = None
    memory: int | None = None

    def __init__(self, nodes: float | str | None = None, time: float | str | None = None,
                 memory: float | str | None = None) -> None:
        def keep(name: str, number: float | None) -> None:
            object.__setattr__(self, name, number)

        keep("nodes", None if nodes is None else
             min(int(_number("nodes", nodes, COUNTS, 1, "1000000, 35e6 or 35M")), MOST_NODES))
        keep("time", None if time is None else seconds("time", time))
        keep("memory", None if memory is None else
             int(_number("memory", memory, BYTES, 1, "256MB or 2GB")))

    @property
    def memory_bytes(self) -> int:
        """The memory limit, or half of what is free."""
        return self.memory if self.memory is not None else _free_lately() // 2


def question_record(asked: Any) -> dict[str, Any]:
    """Return the question of a result, an analysis or values, for JSON."""
    position, search = asked.position, asked.search
    return {"game": position.game.name, "parameters": position.game.changed,
            "position": position.text, "to_move": position.to_move, "search": search.id,
            "options": search.options, "seed": asked.seed, "goal": asked.goal}


@dataclass(frozen=True)
class MoveValue:
    """A move of the root and what is known about it, for the player who makes it."""

    move: str
    value: Value
    proved: bool
    numbers: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the record in the JSON output."""
        return {"move": self.move, "value": str(self.value), "proved": self.proved, **self.numbers}


@dataclass(frozen=True)
class Progress:
    """The state of a search, for a progress display.

    ``moves`` and ``statuses`` are about the root's moves: their numbers, and ``won`` where
    the attacker is proved to win by them, ``lost`` where not to, else ``unknown``. ``path``: the
    moves being searched. ``fill``: which part of the memory that the tree or table may take is in
    use; None where that means nothing.
    """

    question: str
    nodes: int
    iterations: int
    seconds: float
    nodes_per_second: float
    bytes: int
    root: dict[str, Any]
    moves: dict[str, dict[str, Any]] = field(default_factory=dict)
    settled: tuple[int, int] = (0, 0)
    path: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    statuses: dict[str, str] = field(default_factory=dict)
    fill: float | None = None
    limits: Limits = field(default_factory=Limits)

    def to_dict(self) -> dict[str, Any]:
        """Return the progress for JSON, with the moves and the path as lists."""
        limits = {"nodes": self.limits.nodes, "time": self.limits.time,
                  "memory": self.limits.memory}
        return {
            "question": self.question, "nodes": self.nodes, "iterations": self.iterations,
            "seconds": round(self.seconds, 6), "nodes_per_second": round(self.nodes_per_second, 1),
            "bytes": self.bytes, "root": self.root,
            "moves": [{"move": move, "status": self.statuses.get(move, "unknown"),
                       "numbers": numbers} for move, numbers in self.moves.items()],
            "settled": list(self.settled),
            "path": [{"move": move, "numbers": numbers} for move, numbers in self.path],
            "fill": None if self.fill is None else round(self.fill, 4), "limits": limits,
        }


@dataclass(frozen=True)
class Result:
    """The answer to ``solve``. ``proved``: ``value`` is what the goal asks for, and follows from
    finished games alone. ``concluded``: proved, or within the precision that was asked for.
    ``partial``: part of what the goal asks for is proved, and the rest is not known: that the
    player does not win, but not whether it draws; or the value, but not the score or length.
    ``by``: ``workers`` where the value, or the score, is their word and was not checked."""

    position: Position
    search: Search
    goal: str
    seed: int
    value: Value
    proved: bool
    concluded: bool
    stopped: str
    move: str | None
    line: list[str]
    nodes: int
    iterations: int
    seconds: float
    compile_seconds: float
    peak_bytes: int
    root: dict[str, Any]
    moves: list[MoveValue]
    trace: list[dict[str, Any]] = field(default_factory=list)
    counters: dict[str, Any] = field(default_factory=dict)
    distance: int | None = None
    candidates: bool = False  # whether the winner tried these only
    score: tuple[int, int] | None = None  # the least and the largest score that are left
    partial: bool = False
    by: str | None = None

    if not TYPE_CHECKING:
        def __getattr__(self, name: str) -> Any:
            """Find ``move``, ``line`` and ``moves`` if they were put off."""
            again = vars(self).get("_again")
            if again is None or name not in PUT_OFF:
                raise AttributeError(f"a Result has no attribute {quoted(name)}.")
            whole = vars(again())
            vars(self).update({each: whole[each] for each in PUT_OFF})
            return whole[name]

    def put_off(self, again: Callable[[], Result]) -> Result:
        """Take its moves and its line from the result that ``again`` makes, once they are read."""
        for name in PUT_OFF:
            del vars(self)[name]
        vars(self)["_again"] = again
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {item.name: getattr(self, item.name) for item in fields(self)}

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object that ``zermelo solve --json`` prints."""
        answer: dict[str, Any] = {
            **question_record(self),
            "value": str(self.value), "proved": self.proved, "concluded": self.concluded,
            "stopped": self.stopped, "move": self.move, "turn": self.turn, "line": self.line,
            "nodes": self.nodes,
            "iterations": self.iterations, "seconds": round(self.seconds, 6),
            "compile_seconds": round(self.compile_seconds, 6), "peak_bytes": self.peak_bytes,
            "root": self.root, "moves": [move.to_dict() for move in self.moves],
        }
        answer.update(self.counters)
        if self.partial:
            answer["partial"] = True
        if self.by is not None:
            answer["by"] = self.by
        if self.candidates:
            answer["candidates"] = True
        if self.goal == "shortest":
            answer["distance"] = self.distance
        if self.score is not None:
            low, high = self.score
            answer["score"], answer["score_bounds"] = (low if low == high else None), [low, high]
        if self.trace:
            answer["trace"] = self.trace
        return answer

    @property
    def known(self) -> str:
        """The grounds of the answer, or of a part of it; empty if it is not known."""
        if self.by is None:
            return "proved" if self.proved or self.partial else ""
        word = f"by the {self.by}' word"
        return f"proved, the score {word}" if self.proved else word

    @property
    def missing(self) -> str:
        """The part of the goal that a partial answer leaves open."""
        if not self.concluded:
            return "draw or loss"
        return "the score" if self.goal == "score" else "the length"

    @property
    def turn(self) -> list[str]:
        """The move and, as far as they are in the line, the others of the same turn."""
        if self.move is None or self.line[:1] != [self.move]:
            return [] if self.move is None else [self.move]
        return self._grouped()[0]

    @property
    def turns(self) -> list[list[str]]:
        """The line, turn by turn where a search counts turns, else move by move."""
        return self._grouped() if self._by_turns else [[move] for move in self.line]

    def _grouped(self) -> list[list[str]]:
        """Return the line turn by turn."""
        position, found, mover = self.position, list[list[str]](), None
        for move in self.line:
            if position.mover != mover:
                found.append([])
            mover = position.mover
            found[-1].append(move)
            position = position.play(move)
        return found

    @property
    def _by_turns(self) -> bool:
        zones = self.candidates and self.position.game.rules.lines is not None
        return self.search.numbers_stones or zones

    @property
    def last(self) -> Position:
        """The position at the end of the line."""
        return self.position.play(*self.line)

    @property
    def diagram(self) -> str:
        """The position for a terminal, with the line where its stones have numbers."""
        return self.position.game.line_diagram(self.position, self._numbered())

    def svg(self) -> str:
        """Return the position as a picture with the line, or the best move, and the mover."""
        turns = self._numbered()
        if self.position.game.rules.lines is None:
            turns = self.turns or ([[self.move]] if self.move is not None else [])
        picture = self.position.game.line_svg(self.position, turns)
        return captioned(with_last(self.position, picture), status(self.position))

    def _numbered(self) -> list[list[str]]:
        return self.turns if self._by_turns else []

    def __str__(self) -> str:
        stopped = f"stopped by {STOPPED.get(self.stopped, self.stopped)}"
        how = "concluded, not proved" if self.concluded else stopped
        if self.known:
            how = self.known + (f"; {self.missing} is unknown: {stopped}" if self.partial else "")
        parts = [f"{self.position.to_move} to move: {self.value}, {how}"]
        if self.move is not None:
            parts.append(f"move {' '.join(self.turn)}")
        if self.line:
            parts.append(f"line {' '.join(map(''.join, self.turns))}")
        parts.append(f"{self.search.id}: {counted(self.nodes, 'node')}, "
                     f"{counted(self.iterations, 'iteration')}, "
                     f"{self.seconds:.3f} s")
        return "\n".join(parts)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return f"{self.svg()}<pre>{escape(str(self))}</pre>"

    @property
    def exit_status(self) -> int:
        """0 proved, 11 concluded at a precision, 12 by the workers' word, 10 unknown or known in
        part."""
        if self.partial:
            return 10
        if self.by is not None:
            return 12
        return 0 if self.proved else 11 if self.concluded else 10
