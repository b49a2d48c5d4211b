"""analyze(): the value of every move, and whether the solution is unique."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.core.position import Position
from zermelo.search.base import Search
from zermelo.solving.result import Limits, Progress, Result, Value
from zermelo.solving.session import Session

UNSETTLED = (Value.UNKNOWN, Value.NOT_WIN)
RANK = {Value.WIN: 0, Value.DRAW: 1, Value.NOT_WIN: 2, Value.UNKNOWN: 2, Value.LOSS: 3}
ProgressCallback = Callable[[Progress], None]


@dataclass(frozen=True)
class MoveAnalysis:
    """One move: its value for the player who makes it, and the line that follows."""

    move: str
    value: Value
    proved: bool
    concluded: bool
    stopped: str
    line: list[str]
    nodes: int

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        return {"move": self.move, "value": str(self.value), "proved": self.proved,
                "concluded": self.concluded, "stopped": self.stopped, "line": self.line,
                "nodes": self.nodes}


@dataclass(frozen=True)
class Decision:
    """A choice of the solving side along the main line: which moves keep the value."""

    ply: int
    move: str
    also: list[str]
    unsettled: list[str]

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        return {"ply": self.ply, "move": self.move, "also": self.also,
                "unsettled": self.unsettled}


@dataclass(frozen=True)
class Analysis:
    """The value of a position and of each of its moves, best first.

    ``unique`` (if asked for): True if along the main line the solving side has only one move that
    keeps the value each time, False if somewhere there are more, None if that is not settled or
    the game is over.
    """

    position: Position
    search: Search
    value: Value
    proved: bool
    concluded: bool
    stopped: str
    moves: list[MoveAnalysis]
    line: list[str]
    nodes: int
    seconds: float
    compile_seconds: float
    seed: int = 0
    unique: bool | None = None
    decisions: list[Decision] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that ``zermelo analyze --json`` prints."""
        game = self.position.game
        return {
            "game": game.name, "parameters": game.changed, "position": self.position.text,
            "to_move": self.position.to_move, "search": self.search.id,
            "options": self.search.options, "seed": self.seed, "value": str(self.value),
            "proved": self.proved, "concluded": self.concluded, "stopped": self.stopped,
            "line": self.line, "nodes": self.nodes, "seconds": round(self.seconds, 6),
            "compile_seconds": round(self.compile_seconds, 6),
            "moves": [move.to_dict() for move in self.moves],
            "unique": self.unique, "decisions": [step.to_dict() for step in self.decisions],
        }

    @property
    def exit_status(self) -> int:
        """0 proved, 11 concluded at a precision, 10 unknown."""
        return 0 if self.proved else 11 if self.concluded else 10


class Budget:
    """Total limits, dealt out in equal shares to the questions that remain."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.nodes, self.seconds, self.compile_seconds = 0, 0.0, 0.0
        self.interrupted = False

    def share(self, remaining: int) -> Limits:
        """What one of ``remaining`` questions may use."""
        nodes, time = self.limits.nodes, self.limits.time
        return Limits(
            nodes=None if nodes is None else max(1, (nodes - self.nodes) // remaining),
            time=None if time is None else max(1e-3, (time - self.seconds) / remaining),
            memory=self.limits.memory,
        )

    def spend(self, result: Result) -> Result:
        """Book what ``result`` used."""
        self.nodes += result.nodes
        self.seconds += result.seconds
        self.compile_seconds += result.compile_seconds
        self.interrupted |= result.stopped == "interrupted"
        return result


def analyze(position: Position, search: Search | str | None = None, *, unique: bool = False,
            nodes: float | str | None = None, time: float | str | None = None,
            memory: float | str | None = None, seed: int = 0, plain: bool = False,
            progress: ProgressCallback | None = None) -> Analysis:
    """The value of every move of ``position``. Limits are totals, shared out among the moves."""
    budget = Budget(Limits(nodes=nodes, time=time, memory=memory))
    whole = Session(position, search, seed=seed, plain=plain)
    player = whole.player

    def ask(child: Position, goal: str, side: int, remaining: int) -> Result:
        session = Session(child, search, goal=goal, seed=seed, plain=plain, player=side)
        if budget.interrupted:
            return session.result()
        return budget.spend(session.run(budget.share(remaining), progress))

    rows = []
    moves = position.moves()
    for index, move in enumerate(moves):
        result = ask(position.play(move), "value", player, len(moves) - index)
        known = result.proved or result.partial
        rows.append(MoveAnalysis(move, result.value, known, known or result.concluded,
                                 result.stopped, [move, *result.line], result.nodes))
    rows.sort(key=lambda row: (RANK[row.value], not row.proved, _length(row)))
    value, proved, concluded = _of_all(rows) if rows else _of_finished(position)
    stopped = next((row.stopped for row in rows if row.value in UNSETTLED), "solved")
    if concluded:
        stopped = "solved" if proved else "precision"
    main = rows[0].line if rows and proved else []
    decisions = _decisions(position, main, value, ask) if unique and proved else []
    return Analysis(
        position=position, search=whole.search, value=value, proved=proved,
        concluded=concluded, stopped=stopped, moves=rows, line=main, nodes=budget.nodes,
        seconds=budget.seconds, compile_seconds=budget.compile_seconds, seed=seed,
        unique=_is_unique(decisions, value, proved) if unique and rows else None,
        decisions=decisions,
    )


def _length(row: MoveAnalysis) -> int:
    """Short wins first, long losses first."""
    return -len(row.line) if row.value == Value.LOSS else len(row.line)


def _of_all(rows: list[MoveAnalysis]) -> tuple[Value, bool, bool]:
    """The value of the position from those of its moves: (value, proved, concluded)."""
    best = rows[0]
    if best.value == Value.WIN:
        return Value.WIN, any(r.proved for r in rows if r.value == Value.WIN), True
    if any(row.value == Value.UNKNOWN for row in rows):
        return Value.UNKNOWN, False, False
    if best.value != Value.DRAW and any(row.value == Value.NOT_WIN for row in rows):
        return Value.NOT_WIN, False, False  # whether it is a draw is what was asked too
    return best.value, all(row.proved for row in rows), True


def _of_finished(position: Position) -> tuple[Value, bool, bool]:
    """A finished game has a value and no moves."""
    return Session(position).run().value, True, True


def _decisions(position: Position, line: list[str], value: Value, ask: Any) -> list[Decision]:
    """Which other moves of the solving side would have kept the value, ply by ply."""
    player, found = position.mover, []
    goal_side = player if value == Value.WIN else 1 - player
    kept = Value.WIN if value == Value.WIN else Value.NOT_WIN
    for ply, move in enumerate(line):
        if position.mover == player and len(position.moves()) > 1 and value != Value.LOSS:
            others = [other for other in position.moves() if other != move]
            answers = {other: ask(position.play(other), "win", goal_side, len(others))
                       for other in others}
            found.append(Decision(
                ply + 1, move,
                [other for other, answer in answers.items()
                 if answer.proved and answer.value == kept],
                [other for other, answer in answers.items() if not answer.proved],
            ))
        position = position.play(move)
    return found


def _is_unique(decisions: list[Decision], value: Value, proved: bool) -> bool | None:
    if not proved:
        return None
    if value == Value.LOSS or any(step.also for step in decisions):
        return False
    return None if any(step.unsettled for step in decisions) else True
