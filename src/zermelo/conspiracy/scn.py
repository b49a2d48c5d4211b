"""scn(): single conspiracy numbers of a position, depth by depth, as ``driver`` computes them.

How many leaves of the search tree would have to change for the value to reach a threshold T? None:
it is there already. Few: it is near. Beside that number stands the chance that the value reaches T
if each leaf below it does so by chance, independently of the others.
"""

from __future__ import annotations

import math
import re
import time as clock
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from zermelo.compiler.compile_stats import stats
from zermelo.conspiracy.driver import STATIC, Deepening, Depth, options_of
from zermelo.core.game import Game
from zermelo.core.position import Position, check_position
from zermelo.core.rules import MOST_POINTS
from zermelo.errors import BadOption, check_whole, quoted
from zermelo.search.minimax.plan import MATE, SURE, plies_to_end
from zermelo.search.reasons import NEVER, NODES, SOLVED
from zermelo.solving.result import Limits
from zermelo.solving.session import Slices

WIN = "win"  # as a threshold: nothing less than a won game
MOST_DEPTH, MOST_THRESHOLDS = 100, 16
MOST_PRUNED = 1 << 30
NUMBER = re.compile("[+-]?[0-9]{1,9}")
FIRST_SLICE = 1_000
DEFAULT_SCALE = 100

Thresholds = int | str | Iterable[int | str]
Watch = Callable[["Scan"], None]


@dataclass(frozen=True)
class Row:
    """The result of a search to ``depth``; ``scn``, ``pcn``, ``odds``: a number for each threshold.

    ``value`` is for the player to move, infinite where the game is won or lost within the depth,
    then in ``plies``. ``pcn`` are chances, and ``odds`` the decimal logarithms of their odds, which
    still differ where the chances are all 0 or 1. ``nodes`` include those of the depths before.
    """

    depth: int
    value: float
    plies: int | None
    move: str
    scn: tuple[float, ...]
    pcn: tuple[float, ...]
    odds: tuple[float, ...]
    nodes: int

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; what is infinite as a text."""
        return {"depth": self.depth, "value": finite(self.value), "plies": self.plies,
                "move": self.move, "scn": [finite(n) for n in self.scn], "pcn": list(self.pcn),
                "odds": [finite(n) for n in self.odds], "nodes": self.nodes}


@dataclass(frozen=True)
class Curve:
    """The rows of a position, from depth 1 on; none where the game is over."""

    position: Position
    T: tuple[int | str, ...]
    rows: list[Row]
    stopped: str
    nodes: int
    seconds: float
    compile_seconds: float
    quiescence: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that ``zermelo scn --json`` prints."""
        game = self.position.game
        return {"game": game.name, "parameters": game.changed, "position": self.position.text,
                "to_move": self.position.to_move, "T": list(self.T),
                "quiescence": self.quiescence, "stopped": self.stopped,
                "nodes": self.nodes, "seconds": round(self.seconds, 6),
                "compile_seconds": round(self.compile_seconds, 6),
                "rows": [row.to_dict() for row in self.rows]}


def finite(number: float) -> float | str:
    """A number for JSON, which has no infinity."""
    return number if math.isfinite(number) else "inf" if number > 0 else "-inf"


def scn(position: Position, T: Thresholds | None = None, depth: int = 8, *,
        nodes: float | str | None = None, time: float | str | None = None, pruned: int | str = 1,
        scale: float | None = None, unseen: float = 0.5, prune: bool = True,
        quiescence: bool = False, progress: Watch | None = None) -> Curve:
    """Value and conspiracy numbers of ``position`` at the depths 1 to ``depth``.

    ``T``: one threshold or several, in points for the player to move, or "win"; without it those of
    the game. ``pruned``: what a move that alpha-beta leaves untried counts, ``unseen`` its chance,
    or "static": what a leaf counts and its chance, by the evaluation; without ``prune`` all are
    tried. ``scale``: how far below T a leaf's chance is a half.
    ``quiescence``: a leaf is worth what is left after the captures that pay.
    """
    limits = Limits(nodes=nodes, time=time)
    scan = Scan(position, T, depth, pruned=pruned, scale=scale, unseen=unseen, prune=prune,
                quiescence=quiescence)
    return scan.run(limits, progress)


class Scan:
    """A search for the numbers of a position that can be cancelled; what is found is kept."""

    def __init__(self, position: Position, T: Thresholds | None = None, depth: int = 8, *,
                 pruned: int | str = 1, scale: float | None = None, unseen: float = 0.5,
                 prune: bool = True, quiescence: bool = False) -> None:
        check_position(position)
        if position.game.rules.evaluate is None:
            raise BadOption(f"conspiracy numbers need a game that evaluates its positions; "
                            f"{position.game.name} does not.")
        if quiescence and position.game.rules.captures is None:
            raise BadOption(f"a quiescence search needs a game that says which moves are captures; "
                            f"{position.game.name} does not.")
        self.position, self.T = position, thresholds_of(position.game, T)
        self.quiescence = bool(quiescence)
        self.depth = check_whole("depth", depth, 1, MOST_DEPTH)
        if pruned != STATIC:
            check_whole("pruned", pruned, 0, MOST_PRUNED)
        scale = scale_of(position.game) if scale is None else _number("scale", scale, 1e-6, 1e9)
        points = tuple(SURE if t == WIN else int(t) for t in self.T)
        self.options = options_of(points, scale, pruned, _number("unseen", unseen, 0, 1), prune)
        self.seconds = self.compile_seconds = 0.0
        self.cancelled = False
        self.search: Deepening | None = None

    def prepare(self) -> None:
        """Compile or load what ``run`` needs."""
        before = stats.seconds
        if self.search is None and self.position.outcome is None:
            self.search = Deepening(self.position, self.options, self.depth, self.quiescence)
            self.search.advance(0, NEVER)
        self.compile_seconds += stats.seconds - before

    def run(self, limits: Limits | None = None, progress: Watch | None = None) -> Curve:
        """Search all depths, or until a limit; Ctrl-C keeps the depths that are finished."""
        self.prepare()
        try:
            stopped = self._run(limits or Limits(), progress)
        except KeyboardInterrupt:
            stopped = "interrupted"
        return self.curve(stopped)

    def cancel(self) -> None:
        """Make ``run``, in another thread, come back."""
        self.cancelled = True

    def _run(self, limits: Limits, progress: Watch | None) -> str:
        search, slices = self.search, Slices(FIRST_SLICE)
        began = clock.perf_counter()
        most = NEVER if limits.nodes is None else limits.nodes
        while search is not None:
            reason = slices.advance(partial(search.advance, node_limit=most))
            self.seconds = clock.perf_counter() - began
            if progress is not None:
                progress(self)
            if reason == SOLVED:
                break
            if reason == NODES:
                return "nodes"
            if limits.time is not None and self.seconds >= limits.time:
                return "time"
            if self.cancelled:
                return "interrupted"
        return "depth"

    @property
    def nodes(self) -> int:
        """Positions looked at so far."""
        return 0 if self.search is None else self.search.nodes

    @property
    def done(self) -> int:
        """The number of depths that are done."""
        return 0 if self.search is None else len(self.search.found)

    def curve(self, stopped: str) -> Curve:
        """Return the depths that are done, as a curve."""
        found = [] if self.search is None else self.search.found
        return Curve(self.position, self.T, [_row(self.position, each) for each in found],
                     "over" if self.search is None else stopped, self.nodes, self.seconds,
                     self.compile_seconds, self.quiescence)


def _row(position: Position, found: Depth) -> Row:
    plies = plies_to_end(found.value)
    value = float(found.value) if plies is None else math.copysign(math.inf, found.value)
    odds = tuple((yes - no) / math.log(10) for yes, no in zip(found.yes, found.no, strict=True))
    return Row(found.depth, int(value) if plies is None else value, plies,
               position.game.move_name(position, found.move), found.scn,
               tuple(map(math.exp, found.yes)), odds, found.nodes)


def thresholds_of(game: Game, T: Thresholds | None) -> tuple[int | str, ...]:
    """Return thresholds, checked, each once; without any, those of the game."""
    if T is None:
        if not game.thresholds:
            raise BadOption(f"{game.name} does not say how many points are an advantage; give a "
                            "threshold (-T, or T=).")
        return game.thresholds
    several = [T] if isinstance(T, str) or not isinstance(T, Iterable) else list(T)
    if not 1 <= len(several) <= MOST_THRESHOLDS:
        raise BadOption(f"T={quoted(T)}: give from 1 to {MOST_THRESHOLDS} thresholds.")
    return tuple(dict.fromkeys(_threshold(each) for each in several))


def _threshold(T: int | str) -> int | str:
    text = str(T).strip().lower() if isinstance(T, int | str) and not isinstance(T, bool) else ""
    if text == WIN:
        return WIN
    if not NUMBER.fullmatch(text) or not -MATE <= int(text) <= MOST_POINTS:
        raise BadOption(f"T={quoted(T)} is not a threshold; it is a whole number of points from "
                        f"{-MATE} to {MOST_POINTS}, or win.")
    return int(text)


def scale_of(game: Game) -> float:
    """Half of what the game calls an advantage in the short run."""
    return game.thresholds[-1] / 2 if game.thresholds else DEFAULT_SCALE


def _number(name: str, value: Any, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise BadOption(f"{name}={quoted(value)} is not a number from {low:g} to {high:g}.")
    return float(value)
