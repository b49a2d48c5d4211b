"""progress(): how a game went, position by position: its evaluation, and who was nearer to winning.

Every position of a record is searched by itself, to the same depth, on all cores. What comes back
is for a chart (see ``chart``) or a table.
"""

from __future__ import annotations

import csv
import io
import math
import os
import threading
import time as clock
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Any

from zermelo.conspiracy.rscn import odds_reading, of_side, relative, scn_reading, vl
from zermelo.conspiracy.scn import Curve, Scan, Thresholds, finite, scale_of
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import check_whole
from zermelo.game_records.record import read_record
from zermelo.solving.result import Limits

SMOOTHED = 2  # depths: odd and even ones lean to opposite sides
MOST_MOMENTS = 5
POLL_SECONDS = 0.2
WON = {"first": math.inf, "second": -math.inf, "draw": 0.0}
Watch = Callable[[int, int, int], None]  # positions done, positions in all, nodes


@dataclass(frozen=True)
class GameStep:
    """A position of the game and the move played there.

    ``value`` is for the first player, infinite where that player wins or loses within the depth;
    the rest is for the player to move, ``scn`` as it is read at depth 10. A number is None where
    there were too few depths to fit a line.
    """

    ply: int
    position: Position
    move: str | None
    value: float | None
    vl: float | None
    scn: tuple[float | None, ...]
    rscn: tuple[float | None, ...]
    odds: tuple[float | None, ...]
    nodes: int

    def lead(self, which: int = 0) -> float | None:
        """By how many conspirators the first player is nearer to a threshold; None if unknown."""
        rscn = self.rscn[which]
        if rscn is None or math.isinf(rscn):
            return None
        return -rscn if self.position.mover == 0 else rscn

    def to_dict(self) -> dict[str, Any]:
        """Return the object as in the JSON output."""
        return {"ply": self.ply, "to_move": self.position.to_move, "move": self.move,
                "value": _plain(self.value), "vl": _plain(self.vl),
                **{name: [_plain(number) for number in getattr(self, name)]
                   for name in ("scn", "rscn", "odds")},
                "position": self.position.text, "nodes": self.nodes}


@dataclass(frozen=True)
class Moment:
    """A move that cost its player much, by the evaluations before and after it.

    ``loss`` in points, infinite where a win was given away or a loss allowed.
    """

    ply: int
    player: str
    mover: int
    move: str
    loss: float

    def to_dict(self) -> dict[str, Any]:
        """Return the object as in the JSON output."""
        return {"ply": self.ply, "player": self.player, "move": self.move,
                "loss": _plain(self.loss)}


@dataclass(frozen=True)
class GameProgress:
    """The course of a game."""

    game: Game
    T: tuple[int | str, ...]
    depth: int
    steps: list[GameStep]
    moments: list[Moment]
    stopped: str
    seconds: float

    def side(self, name: str, side: int, which: int = 0) -> float | None:
        """The average of ``rscn`` or ``vl`` over the positions where ``side`` is to move."""
        numbers = [step.vl if name == "vl" else step.rscn[which] for step in self.steps]
        return of_side(numbers, [step.position.mover for step in self.steps], side)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that ``zermelo progress --json`` prints."""
        sides = {player: {"rscn": [self.side("rscn", side, k) for k in range(len(self.T))],
                          "vl": self.side("vl", side)}
                 for side, player in enumerate(self.game.players)}
        return {"game": self.game.name, "parameters": self.game.changed, "T": list(self.T),
                "depth": self.depth, "stopped": self.stopped, "seconds": round(self.seconds, 6),
                "averages": sides, "moments": [moment.to_dict() for moment in self.moments],
                "steps": [step.to_dict() for step in self.steps]}

    def csv(self) -> str:
        """A line a position; numbers that are missing are empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        numbers = [f"{name} T={t}" for t in self.T for name in ("SCN", "RSCN", "log10 odds")]
        writer.writerow(["ply", "to move", "move", "value for " + self.game.players[0], "Vl",
                         *numbers, "nodes", "position"])
        for step in self.steps:
            told = [getattr(step, name)[k] for k in range(len(self.T))
                    for name in ("scn", "rscn", "odds")]
            writer.writerow([step.ply, step.position.to_move, step.move or "",
                             *("" if n is None else f"{n:.6g}" for n in (step.value, step.vl,
                                                                          *told)),
                             step.nodes, step.position.text])
        return text.getvalue()


def _plain(number: float | None) -> float | str | None:
    return None if number is None else finite(number)


def progress(game: Game, record: str | Iterable[str], T: Thresholds | None = None, depth: int = 5,
             *, start: Position | str | None = None, workers: int | None = None,
             time: float | str | None = None, pruned: int | str = 1, scale: float | None = None,
             quiescence: bool = False, watch: Watch | None = None,
             told: Callable[[list[GameStep]], None] | None = None) -> GameProgress:
    """Return the course of the game in ``record``: evaluation and RSCN in every position.

    ``T``, ``pruned``, ``scale`` and ``quiescence`` as for ``scn``; ``workers``: how many positions
    at a time, all cores by default. ``time`` is for the whole game; Ctrl-C keeps what is done:
    positions that were not searched to ``depth`` have no numbers. ``watch`` is called now and then
    with the progress, ``told`` with the steps so far whenever there are more.
    """
    played = read_record(game, record, start)
    options: dict[str, Any] = {"pruned": pruned, "scale": scale, "quiescence": quiescence}
    scans = [Scan(position, T, depth, **options) for position in played.positions]
    workers = check_whole("workers", os.cpu_count() or 1 if workers is None else workers, 1)
    limits = Limits(time=time)
    began = clock.perf_counter()
    moves = [*played.moves, None]
    known = 0

    def look(done: int, of: int, nodes: int) -> None:
        nonlocal known
        if told is not None and done > known:
            known = done
            told(_steps(_curves(scans, depth, "depth"), moves))
        if watch is not None:
            watch(done, of, nodes)

    stopped = _search(scans, workers, limits.time, look)
    curves = _curves(scans, depth, stopped)
    steps = _steps(curves, moves)
    least = scale_of(played.positions[0].game)
    return GameProgress(played.positions[0].game, scans[0].T, depth, steps,
                        _moments(steps, curves, least), stopped, clock.perf_counter() - began)


def _curves(scans: list[Scan], depth: int, stopped: str) -> list[Curve]:
    """The curves of those that were searched to the full depth; the others have no rows."""
    curves = [scan.curve(stopped) for scan in scans]
    return [curve if len(curve.rows) == depth else replace(curve, rows=[]) for curve in curves]


def _search(scans: list[Scan], workers: int, seconds: float | None, watch: Watch) -> str:
    """Run all scans; "depth" if all were, else why not."""
    compiling = threading.Lock()
    ends = math.inf if seconds is None else clock.perf_counter() + seconds

    def left_of(most: float) -> float:
        return max(0.0, min(most, ends - clock.perf_counter()))

    def work(scan: Scan) -> None:
        with compiling:  # one thread compiles, the others find the kernels ready
            if not scan.cancelled:
                scan.prepare()
        if not scan.cancelled and left_of(POLL_SECONDS) > 0:
            scan.run()

    stopped = "depth"
    with ThreadPoolExecutor(workers) as pool:
        left: set[Future[None]] = {pool.submit(work, scan) for scan in scans}
        try:
            while left:
                done, left = wait(left, left_of(POLL_SECONDS))
                for future in done:
                    future.result()
                watch(len(scans) - len(left), len(scans), sum(scan.nodes for scan in scans))
                if left and clock.perf_counter() >= ends:
                    break
        except KeyboardInterrupt:
            stopped = "interrupted"
        finally:
            for scan in scans:
                scan.cancel()
            for future in left:
                future.cancel()
    cut = any(scan.position.outcome is None and scan.done < scan.depth for scan in scans)
    return "time" if cut and stopped == "depth" else stopped


def _steps(curves: list[Curve], moves: list[str | None]) -> list[GameStep]:
    movers = [curve.position.mover for curve in curves]
    which = range(len(curves[0].T))
    scn = [[scn_reading(curve, k) for curve in curves] for k in which]
    rscn = [relative(scn[k], movers) for k in which]
    return [
        GameStep(ply=ply, position=curve.position, move=move, value=_value(curve), vl=vl(curve),
             scn=tuple(scn[k][ply] for k in which), rscn=tuple(rscn[k][ply] for k in which),
             odds=tuple(odds_reading(curve, k) for k in which), nodes=curve.nodes)
        for ply, (curve, move) in enumerate(zip(curves, moves, strict=True))
    ]


def _value(curve: Curve) -> float | None:
    """The mean of the last two depths, for the first player; infinite where the game is decided."""
    end = curve.position.outcome
    if end is not None:
        return WON[end]
    if not curve.rows:
        return None
    sign = 1 if curve.position.mover == 0 else -1
    last = [row.value for row in curve.rows[-SMOOTHED:]]
    if math.isinf(last[-1]) or math.isinf(last[0]):
        return sign * (last[-1] if math.isinf(last[-1]) else last[0])
    return sign * math.fsum(last) / len(last)


def _seen(curve: Curve, less: int) -> float | None:
    """The value for the first player, ``less`` plies short of the full depth."""
    end = curve.position.outcome
    if end is not None:
        return WON[end]
    if len(curve.rows) <= less:
        return None
    return (1, -1)[curve.position.mover] * curve.rows[-1 - less].value


def _moments(steps: list[GameStep], curves: list[Curve], least: float) -> list[Moment]:
    """The moves that cost most, of those that cost ``least`` at least, in the order of the game.

    Before the move to the full depth, after it to one ply less: both look as far ahead, so that the
    search's own move costs nothing, and one that is forced neither.
    """
    found = []
    for step, before, after in zip(steps, curves, curves[1:], strict=False):
        value, left = _seen(before, 0), _seen(after, 1)
        if value is None or left is None or step.move is None:
            continue
        mover = step.position.mover
        loss = 0.0 if value == left else value - left
        loss = loss if mover == 0 else -loss
        if loss >= least:
            found.append(Moment(step.ply + 1, step.position.to_move, mover, step.move, loss))
    largest = sorted(found, key=lambda moment: (-moment.loss, moment.ply))[:MOST_MOMENTS]
    return sorted(largest, key=lambda moment: moment.ply)
