"""analyze(): the value of every move, and the uniqueness of the solution."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from zermelo.core.position import Position
from zermelo.errors import BadOption, counted
from zermelo.search.base import Search
from zermelo.solving.result import Goal, Limits, Progress, Result, Value, question_record
from zermelo.solving.session import Session

UNSETTLED = (Value.UNKNOWN, Value.NOT_WIN)
RANK = {Value.WIN: 0, Value.DRAW: 1, Value.NOT_WIN: 2, Value.UNKNOWN: 2, Value.LOSS: 3}
ProgressCallback = Callable[[Progress], None]
LEAST_TIME = 1e-3  # seconds
CELL, MARKED = "text-align: left", "background: #fbe3e0; color: #20242c"


@dataclass(frozen=True)
class MoveAnalysis:
    """One move: its value for the player who makes it, and the line that follows.

    With ``goal`` score, the final ``score`` for that player; with shortest, the ``length`` of the
    win or loss in plies, the move included. Both are None where they are not known.
    """

    move: str
    value: Value
    proved: bool
    concluded: bool
    stopped: str
    line: list[str]
    nodes: int
    goal: Goal = "value"
    score: int | None = None
    length: int | None = None
    score_bounds: tuple[int, int] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the record in the JSON output."""
        return {"move": self.move, "value": str(self.value), "proved": self.proved,
                "concluded": self.concluded, "stopped": self.stopped, "line": self.line,
                "nodes": self.nodes, **numbers_of(self)}


def numbers_of(answer: MoveAnalysis | Analysis) -> dict[str, int | None]:
    """Return the number that the goal asks for, for JSON."""
    numbers = {"score": {"score": answer.score}, "shortest": {"length": answer.length}}
    return numbers.get(answer.goal, {})


@dataclass(frozen=True)
class Decision:
    """A choice of the solving side along the main line: which moves keep the value."""

    ply: int
    move: str
    also: list[str]
    unsettled: list[str]

    def to_dict(self) -> dict[str, Any]:
        """Return the record in the JSON output."""
        return dict(vars(self))


@dataclass(frozen=True)
class Analysis:
    """The value of a position and of each of its moves, best first.

    ``unique`` (if asked for): True if along the main line the solving side has only one move that
    keeps the value each time, False if somewhere there are more, None if that is not settled or
    the game is over. ``score`` or ``length``, as ``goal`` asks, are those of the position.
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
    goal: Goal = "value"
    score: int | None = None
    length: int | None = None

    def _repr_html_(self) -> str:
        """Return the analysis for a notebook."""
        return analysis_html(self)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that ``zermelo analyze --json`` prints."""
        return {
            **question_record(self),
            "value": str(self.value), **numbers_of(self),
            "proved": self.proved, "concluded": self.concluded, "stopped": self.stopped,
            "line": self.line, "nodes": self.nodes, "seconds": round(self.seconds, 6),
            "compile_seconds": round(self.compile_seconds, 6),
            "moves": [move.to_dict() for move in self.moves],
            "unique": self.unique, "decisions": [step.to_dict() for step in self.decisions],
        }

    @property
    def exit_status(self) -> int:
        """0 proved, 11 concluded at a precision, 10 unknown, or without the score or length."""
        if self.proved:
            return 0 if self.stopped == "solved" else 10
        return 11 if self.concluded else 10


def analyze(position: Position, search: Search | str | None = None, *, goal: Goal = "value",
            unique: bool = False, nodes: float | str | None = None,
            time: float | str | None = None, memory: float | str | None = None, seed: int = 0,
            plain: bool = False, progress: ProgressCallback | None = None) -> Analysis:
    """Return the value of every move of ``position``. Limits are totals, shared among the moves.

    ``goal="score"`` asks also for the final score that each leads to, ``"shortest"`` for the length
    of each win or loss.
    """
    check_asked("analyze", goal)
    budget = Allowance(Limits(nodes=nodes, time=time, memory=memory))
    whole = Session(position, search, goal=goal, seed=seed, plain=plain)

    def ask(child: Position, goal: Goal, side: int, remaining: int) -> Result:
        session = Session(child, search, goal=goal, seed=seed, plain=plain, player=side)
        if budget.interrupted:
            return session.result()
        result = session.run(budget.share(remaining), progress)
        budget.spend(session)
        return result

    moves = position.moves()
    rows = [row_of(move, goal, ask(position.play(move), goal, whole.player, len(moves) - index))
            for index, move in enumerate(moves)]
    rows.sort(key=rank_of)
    known = known_of(whole, rows)
    main = rows[0].line if rows and known["proved"] else []
    decisions = _decisions(position, main, known["value"], ask) if unique and main else []
    return Analysis(
        position=position, search=whole.search, moves=rows, line=main, nodes=budget.nodes,
        seconds=budget.seconds, compile_seconds=budget.compile_seconds, seed=seed,
        unique=_is_unique(decisions, known["value"], known["proved"]) if unique and rows else None,
        decisions=decisions, goal=goal, **known,
    )


def known_of(whole: Session, rows: list[MoveAnalysis]) -> dict[str, Any]:
    """Return what is known about the position: from its moves, or from its end."""
    if not rows:
        end = whole.run()
        return {"value": end.value, "proved": True, "concluded": True, "stopped": "solved",
                "score": None if end.score is None else end.score[0], "length": end.distance}
    value, proved, concluded = _of_all(rows)
    score = _score_of_all(rows) if whole.goal == "score" else None
    length = _length_of_all(rows, value) if whole.goal == "shortest" else None
    stopped = next((row.stopped for row in rows if row.value in UNSETTLED), "solved")
    if concluded:
        stopped = "solved" if proved else "precision"
    number = {"score": score, "shortest": length if value != Value.DRAW else 0}
    if proved and number.get(whole.goal, 0) is None:
        stopped = next(row.stopped for row in rows if row.stopped != "solved")
    return {"value": value, "proved": proved, "concluded": concluded, "stopped": stopped,
            "score": score, "length": length}


def check_asked(what: str, goal: Goal) -> None:
    """Refuse a goal that does not ask what something is worth."""
    if goal == "win":
        raise BadOption(f"goal='win': {what} tells what each position is worth; valid goals are "
                        "value, score and shortest.")


def row_of(move: str, goal: Goal, result: Result) -> MoveAnalysis:
    """Return the analysis of a move from the result for the position after it."""
    known = result.proved or result.partial
    low, high = result.score or (0, 1)
    return MoveAnalysis(
        move, result.value, known, known or result.concluded, result.stopped,
        [move, *result.line], result.nodes, goal=goal, score=low if low == high else None,
        score_bounds=result.score,
        length=None if result.distance is None else result.distance + 1,
    )


def rank_of(row: MoveAnalysis) -> tuple[int, int, bool, int]:
    """Return a key that sorts the best first: large scores, short wins, long losses."""
    plies = len(row.line) if row.length is None else row.length
    score = row.score_bounds[0] if row.score_bounds is not None else 0
    return (RANK[row.value], -score, not row.proved, -plies if row.value == Value.LOSS else plies)


def _of_all(rows: list[MoveAnalysis]) -> tuple[Value, bool, bool]:
    """Return (value, proved, concluded) of the position from those of its moves."""
    best = rows[0]
    if best.value == Value.WIN:
        return Value.WIN, any(r.proved for r in rows if r.value == Value.WIN), True
    if any(row.value == Value.UNKNOWN for row in rows):
        return Value.UNKNOWN, False, False
    if best.value != Value.DRAW and any(row.value == Value.NOT_WIN for row in rows):
        return Value.NOT_WIN, False, False  # whether it is a draw is what was asked too
    return best.value, all(row.proved for row in rows), True


def _score_of_all(rows: list[MoveAnalysis]) -> int | None:
    """Return the score of the best move, once no other can have more."""
    bounds = [row.score_bounds for row in rows if row.score_bounds is not None]
    low, high = max(low for low, _ in bounds), max(high for _, high in bounds)
    return low if low == high else None


def _length_of_all(rows: list[MoveAnalysis], value: Value) -> int | None:
    """Return the length of the win, once no other move can win sooner; or that of the loss."""
    wins = [row.length for row in rows if row.value not in (Value.DRAW, Value.LOSS, Value.NOT_WIN)]
    losses = [row.length for row in rows]
    if value not in (Value.WIN, Value.LOSS) or None in (wins if value == Value.WIN else losses):
        return None
    known = [length for length in (wins or losses) if length is not None]
    return min(known) if value == Value.WIN else max(known)


def _decisions(position: Position, line: list[str], value: Value, ask: Any) -> list[Decision]:
    """Return the other moves of the solving side that keep the value, ply by ply."""
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


class Allowance:
    """Total limits, and the part of them that was used so far."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.nodes, self.seconds, self.compile_seconds = 0, 0.0, 0.0
        self.interrupted = False

    def share(self, remaining: int, most: int | None = None) -> Limits:
        """Return the limits of one of ``remaining`` questions, with at most ``most`` nodes."""
        nodes, time = self.limits.nodes, self.limits.time
        shares = [] if nodes is None else [max(1, (nodes - self.nodes) // remaining)]
        if most is not None:
            shares.append(most)
        return Limits(
            nodes=min(shares, default=None),
            time=None if time is None else max(LEAST_TIME, (time - self.seconds) / remaining),
            memory=self.limits.memory,
        )

    def within(self, share: Limits | None) -> Limits:
        """Return the part of ``share`` that is left; without one, all that is left."""
        left = self.share(1)
        if share is None:
            return left
        pairs = ((left.nodes, share.nodes), (left.time, share.time))
        nodes, time = (min((each for each in pair if each is not None), default=None)
                       for pair in pairs)
        return Limits(nodes=nodes, time=time, memory=left.memory)

    @property
    def reason(self) -> str:
        """The limit that is met: ``time`` or ``nodes``; ``interrupted`` if there is none."""
        nodes, time = self.limits.nodes, self.limits.time
        if nodes is not None and (time is None or self.nodes >= nodes):
            return "nodes"
        return "interrupted" if time is None else "time"

    @property
    def over(self) -> bool:
        """True if nothing is left, or the search was interrupted."""
        nodes, time = self.limits.nodes, self.limits.time
        met = (nodes is not None and self.nodes >= nodes,
               time is not None and self.seconds >= time)
        return self.interrupted or any(met)

    def suffices(self, nodes: int) -> bool:
        """Return True if that many more nodes are within the limits, at the speed so far."""
        most, time = self.limits.nodes, self.limits.time
        if most is not None and nodes > most - self.nodes:
            return False
        return time is None or nodes * self.seconds <= (time - self.seconds) * self.nodes or (
            self.nodes == 0)

    def spend(self, session: Session) -> None:
        """Book what ``session`` used."""
        self.nodes += session.answer.nodes
        self.seconds += session.seconds
        self.compile_seconds += session.compile_seconds
        self.interrupted |= session.stopped == "interrupted"


def analysis_html(analysis: Analysis) -> str:
    """Return the position, and each of its moves with its value and line, as HTML."""
    rows = [[row.move, str(row.value), "yes" if row.proved else f"no ({row.stopped})",
             " ".join(row.line)] for row in analysis.moves]
    state = "proved" if analysis.proved else f"not proved ({analysis.stopped})"
    said = [f"{analysis.position.to_move} to move: {analysis.value}, {state}"] if rows else [
        f"the game is over: {analysis.value} for {analysis.position.to_move}"]
    said.append(f"{analysis.search.id}: {counted(analysis.nodes, 'node')}, "
                f"{analysis.seconds:.3f} s")
    listed = html_table(["move", "value", "proved", "line"], rows) if rows else ""
    return f"{analysis.position.svg()}{listed}{html_text(said)}"


def html_table(header: Sequence[str], rows: Sequence[Sequence[str]],
               marked: Collection[int] = ()) -> str:
    """Return a table of texts as HTML; the rows with the numbers ``marked`` stand out."""
    head = "".join(f'<th style="{CELL}">{escape(text)}</th>' for text in header)
    lines = [f"<thead><tr>{head}</tr></thead><tbody>"]
    for number, row in enumerate(rows):
        style = f' style="{MARKED}"' if number in marked else ""
        cells = "".join(f'<td style="{CELL}">{escape(text)}</td>' for text in row)
        lines.append(f"<tr{style}>{cells}</tr>")
    return f"<table>{''.join(lines)}</tbody></table>"


def html_text(lines: Sequence[str]) -> str:
    """Return lines of text as HTML."""
    return f"<pre>{escape(chr(10).join(lines))}</pre>"
