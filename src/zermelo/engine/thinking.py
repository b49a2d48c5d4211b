"""A move, or a hint for each move, within a budget: prove what can be proved, look ahead elsewhere.

Two searches take turns: the one that proves, and PVS, which looks ahead with the game's evaluation.
Whatever comes first ends it: a proof, the budget, or the client. At any moment there is an answer.
Where nodes or the depth are limited, turns are counted in nodes, so that the answer is always the
same; else in seconds. A client may also show its clock only.

In a game that is played, moves that end it by repetition count. A search knows the position alone:
when the move that it likes would end the game because of earlier positions, as a draw or even as a
loss (perpetual check), another move is looked for where that is better; a player who is losing
takes such a draw.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any

from zermelo.core.position import Position
from zermelo.errors import BadOption, quoted
from zermelo.playing import BY_EVALUATION, REPETITION, Referee
from zermelo.search.base import Search
from zermelo.search.reasons import LOST, UNKNOWN
from zermelo.solving.result import Limits, Result, Value, goal_named
from zermelo.solving.session import Session
from zermelo.solving.values import Values

MOVES_TO_GO = 30  # how many moves a clock is to last for, where the client does not say
SPARE, LEAST = 0.05, 0.01  # seconds: for the way to the client, and to think at all
PART_OF_INCREMENT, MOST = 0.75, 0.5  # how much of the increment, and of the clock, is spent
LARGEST = 10**12
DIGITS = len(str(LARGEST))


@dataclass(frozen=True)
class MoveBudget:
    """The limits of an answer: whatever is met first. ``forever``: not before ``stop``."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    forever: bool = False

    @property
    def given(self) -> bool:
        """True if there is any limit."""
        return self != MoveBudget()


def share_of_clock(left: float, increment: float = 0.0, moves_to_go: int | None = None) -> float:
    """Seconds for a move of a player who has ``left`` seconds."""
    share = left / (moves_to_go or MOVES_TO_GO) + PART_OF_INCREMENT * increment
    return max(LEAST, min(share, MOST * left) - SPARE)


def whole(name: str, text: str, low: int = 0) -> int:
    """Return the whole number that follows the word ``name``. One above LARGEST counts as that: no
    search and no clock gets so far, and clients write it where they mean no limit."""
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit():
        places = digits.lstrip("0") or "0"
        size = LARGEST if len(places) > DIGITS else min(int(places), LARGEST)
        number = size if digits == text else -size
        if number >= low:
            return number
    raise BadOption(f"{name} {quoted(text)} is not a whole number of at least {low}.")


# Nodes of a turn: small ones first, so that a small budget is shared too. A proof search does more
# for a node.
PROOF_NODES, LOOK_NODES, SMALLEST = 1_000, 5_000, 10
TURN_SECONDS = 0.1
TELL = 0.5  # seconds between two reports
PAUSE = 0.02
Between = Callable[[], None]


@dataclass(frozen=True)
class EngineSettings:
    """Settings for all positions."""

    search: Search | None = None  # the usual one of the game
    memory: int = 256_000_000
    seed: int = 0
    plain: bool = False
    threads: int = 1


@dataclass(frozen=True)
class EngineAnswer:
    """A move and what is known. ``value`` and ``length`` where that is proved; ``points`` and
    ``depth`` by looking ahead; both for the player to move. ``line`` begins with ``move``."""

    move: str | None = None
    value: Value = Value.UNKNOWN
    length: int | None = None
    points: int | None = None
    depth: int | None = None
    line: list[str] = field(default_factory=list)
    nodes: int = 0
    seconds: float = 0.0
    score: tuple[int, int] | None = None

    @property
    def proved(self) -> bool:
        """True if the value is proved."""
        return self.value in (Value.WIN, Value.DRAW, Value.LOSS)


class Thinking:
    """Thinking about the move to play in ``position``, one of ``only`` if these are given."""

    def __init__(self, position: Position, settings: EngineSettings, budget: MoveBudget, *,
                 only: Collection[str] | None = None, goal: str = "value") -> None:
        self.position, self.settings, self.budget = position, settings, budget
        self.goal = goal
        moves = position.moves()
        self.allowed = moves if only is None else [move for move in moves if move in only]
        ahead = position.game.rules.evaluate is not None and not settings.plain
        # A proof is about all moves: it says little about some of them.
        self.whole = len(self.allowed) == len(moves)
        self.prover = self._session(None, goal) if self.whole or not ahead else None
        self.looker = self._session(BY_EVALUATION, "value") if ahead else None
        self.stopping, self.rounds = False, 0
        self.began, self.told = time.perf_counter(), 0.0

    def _session(self, search: str | None, goal: str) -> Session:
        found = self.settings.search if search is None else search
        threads = self.settings.threads if search is None else 1
        return Session(self.position, found, goal=goal_named(goal), seed=self.settings.seed,
                       plain=self.settings.plain, threads=threads)

    @property
    def sessions(self) -> list[Session]:
        """The sessions that take turns."""
        return [session for session in (self.looker, self.prover) if session is not None]

    @property
    def memory(self) -> int:
        """The memory that each session may use, in bytes."""
        return self.settings.memory // len(self.sessions)

    def prepare(self) -> None:
        """Compile or load what is needed, which is not charged to the clock."""
        for session in self.sessions:
            session.prepare(Limits(memory=self.memory))

    def run(self, between: Between, tell: Callable[[EngineAnswer], None]) -> EngineAnswer:
        """Think until the budget is met; ``between`` may call ``stop`` or change the budget."""
        if self.position.outcome is not None or not self.allowed:
            return EngineAnswer()
        self.prepare()
        self.start_clock()
        at_work = list(self.sessions)
        while not self.stopping and not self._enough(at_work):
            self.rounds += 1
            for session in list(at_work):
                self._turn(session, between, tell)
                if session.stopped not in ("nodes", "time", "interrupted"):
                    at_work.remove(session)
                if self.stopping or self._met():
                    break
        while self.budget.forever and not self.stopping:  # all is said, but nobody asked yet
            between()
            time.sleep(PAUSE)
        return self.answer()

    def start_clock(self) -> None:
        """Count the budget from now on."""
        self.began = time.perf_counter()

    def stop(self) -> None:
        """Make ``run`` come back with what there is."""
        self.stopping = True
        for session in self.sessions:
            session.cancel()

    def _turn(self, session: Session, between: Between,
              tell: Callable[[EngineAnswer], None]) -> None:
        """Let one search go on for a while."""
        def rest() -> None:
            between()
            if time.perf_counter() - self.told >= TELL and self.seconds >= TELL:
                self.told = time.perf_counter()
                tell(self.answer())

        session.cancelled = False
        session.advance(self._share(session), between=rest)
        if session.stopped == "interrupted" and not self.stopping:
            raise KeyboardInterrupt  # the session has kept it for itself

    def _share(self, session: Session) -> Limits:
        """Return the limits of a search in its turn."""
        nodes, seconds = None, self._left
        if self.budget.nodes is not None or self.budget.depth is not None:
            most = PROOF_NODES if session is self.prover else LOOK_NODES
            nodes = min(most, most // SMALLEST * self.rounds)
            if self.budget.nodes is not None:
                nodes = max(1, min(nodes, self.budget.nodes - self.nodes))
            nodes += session.answer.nodes
        else:
            seconds = TURN_SECONDS if seconds is None else min(seconds, TURN_SECONDS)
        if seconds is not None:
            seconds = session.seconds + max(seconds, 1e-3)
        return Limits(nodes=nodes, time=seconds, memory=self.memory)

    @property
    def seconds(self) -> float:
        """The seconds since the clock was started."""
        return time.perf_counter() - self.began

    @property
    def nodes(self) -> int:
        """The nodes of all searches."""
        return sum(session.answer.nodes for session in self.sessions)

    @property
    def _left(self) -> float | None:
        return None if self.budget.seconds is None else self.budget.seconds - self.seconds

    def _met(self) -> bool:
        """Return True if the budget is used up."""
        budget, left = self.budget, self._left
        if budget.forever:
            return False
        if (left is not None and left <= 0) or (
                budget.nodes is not None and self.nodes >= budget.nodes):
            return True
        return budget.depth is not None and (self._looked().get("depth") or 0) >= budget.depth

    def _enough(self, at_work: list[Session]) -> bool:
        """Return True if nothing more can be found out."""
        if not at_work or self._met() or self._settled() is not None:
            return True
        # An only move needs no thought, but then nothing is known about it.
        return len(self.allowed) == 1 and not self.budget.forever and self.budget.depth is None

    def _settled(self) -> Result | None:
        """Return the result that proves the value, if there is one."""
        for session in self.sessions if self.whole else ():
            # PVS knows who wins, but not by how much.
            told = session is self.prover or self.goal == "value"
            if told and session.runs and session.stopped == "solved":
                result = session.result(moves=False)
                if result.proved:
                    return result
        return None

    def _looked(self) -> dict[str, Any]:
        """Return the numbers of PVS for the position as a whole."""
        if self.looker is None or not self.looker.runs:
            return {}
        return self.looker.runs[-1].numbers()

    def answer(self) -> EngineAnswer:
        """Return what is known now."""
        facts: dict[str, Any] = {"nodes": self.nodes, "seconds": max(self.seconds, 0.0)}
        found = self._settled()
        if found is not None:
            length = len(found.line) or None
            move = found.move if found.move in self.allowed else self._guess()
            return EngineAnswer(move, found.value, length, line=found.line, score=found.score,
                                **facts)
        looked, move = self._looked(), self._guess()
        points = looked.get("estimate")
        return EngineAnswer(move, points=points if isinstance(points, int) else None,
                      depth=looked.get("depth"), line=[] if move is None else [move], **facts)

    def _guess(self) -> str | None:
        """The most promising of the moves that are not known to lose."""
        lost = self._losing()
        left = [move for move in self.allowed if move not in lost] or self.allowed
        liked = [name for session in (self.looker, self.prover) if session is not None
                 for name in self._liked(session)]
        return next((name for name in liked if name in left), left[0] if left else None)

    def _losing(self) -> set[str]:
        known: set[str] = set()
        for session in self.sessions:
            if session.runs and session.player == self.position.mover:
                known |= {row.move for row in session.answer.moves()
                          if row.proved and row.value == Value.LOSS}
        return known

    def _liked(self, session: Session) -> list[str]:
        """The move that a search would play, and where it has points for others, the best ones."""
        names: list[str] = []
        for run in reversed(session.runs):
            chosen = run.chosen()
            if chosen is not None:
                names.append(session.answer.move_name(chosen))
        if session is self.looker and session.runs:
            rows = [(row[2].get("points"), session.answer.move_name(row[0]))
                    for row in session.runs[-1].moves() if row[1] in (UNKNOWN, LOST)]
            scored = [(points, name) for points, name in rows if isinstance(points, int)]
            names += [name for _, name in sorted(scored, key=lambda row: -row[0])]
        return names


Think = Callable[[Thinking], EngineAnswer]


def ends(position: Position) -> dict[str, int]:
    """The moves after which the game is over by repetition: 1 if the mover wins by it, 0, or -1."""
    found: dict[str, int] = {}
    if not position.game.rules.cyclic or not position.played:
        return found
    met = Referee(position).met
    for code in position.codes():
        after = position.play_code(code)
        if met[after]:
            verdict = Referee(after).verdict()
            if verdict is not None and verdict[1] == REPETITION:
                winner = ("first", "second", "draw").index(verdict[0])
                worth = 0 if winner == 2 else 1 if winner == position.mover else -1
                found[position.game.move_name(position, code)] = worth
    return found


def with_what_came_before(thinking: Thinking, answer: EngineAnswer, think: Think) -> EngineAnswer:
    """Return ``answer``, or a better one for the game that was played so far."""
    known = ends(thinking.position)
    found = {move: worth for move, worth in known.items() if move in thinking.allowed}
    won, drawn = ([move for move, worth in found.items() if worth == wanted] for wanted in (1, 0))
    if won:
        return _ending(won[0], answer)
    worth = found.get(answer.move or "")
    if worth == -1 or (worth == 0 and not _content(answer)):
        others = [move for move in thinking.allowed if move not in found]
        answer = _among(others, thinking, think) if others else answer
    if drawn and (_loses(answer) or found.get(answer.move or "") == -1):
        return _ending(drawn[0], answer)
    return answer


def _ending(move: str, answer: EngineAnswer) -> EngineAnswer:
    """A move after which nothing comes; no search has proved anything about it."""
    return replace(answer, move=move, value=Value.UNKNOWN, length=None, points=0, line=[move])


def _content(answer: EngineAnswer) -> bool:
    """Return True if a draw is as good as what a search expects."""
    if answer.proved:
        return answer.value != Value.WIN
    return answer.points is not None and answer.points <= 0


def _loses(answer: EngineAnswer) -> bool:
    """Return True if a draw is better."""
    return answer.value == Value.LOSS or (not answer.proved and (answer.points or 0) < 0)


def _among(moves: list[str], thinking: Thinking, think: Think) -> EngineAnswer:
    """The best of some moves, within what is left of the budget."""
    if thinking.stopping:
        thinking.allowed, thinking.whole = moves, False
        return thinking.answer()
    given = thinking.budget
    seconds = None if given.seconds is None else max(LEAST, given.seconds - thinking.seconds)
    nodes = None if given.nodes is None else max(1, given.nodes - thinking.nodes)
    left = MoveBudget(seconds, nodes, given.depth, given.forever)
    return think(Thinking(thinking.position, thinking.settings, left, only=moves))


HINT_NODES = 500  # of a turn
POINTS_OF_A_DISC = 16  # near the end of a game, where discs are all that counts
SURE = {Value.WIN: 1.0, Value.DRAW: 0.0, Value.LOSS: -1.0}  # where the rules know no score
DEEPEST = 60


def discs(points: int) -> float:
    """An evaluation in discs."""
    return points / POINTS_OF_A_DISC


@dataclass(frozen=True)
class Hint:
    """The worth of a move to the player who makes it."""

    worth: float
    depth: int
    exact: bool
    line: list[str] = field(default_factory=list)


class Hints:
    """Looks ahead after every move, and tries to prove the values of all; by turns."""

    def __init__(self, position: Position, settings: EngineSettings, budget: MoveBudget,
                 goal: str) -> None:
        self.position, self.budget = position, budget
        self.values = Values(position, settings.search, goal=goal_named(goal), seed=settings.seed,
                             plain=settings.plain)
        after = {move: position.play(move) for move in position.moves()}
        self.sessions = {move: Session(child, BY_EVALUATION, seed=settings.seed)
                         for move, child in after.items()
                         if child.outcome is None and not settings.plain}
        self.memory = settings.memory // (len(self.sessions) + 1)
        self.stopping = False
        self.began = time.perf_counter()

    def stop(self) -> None:
        """Make ``run`` come back with what there is."""
        self.stopping = True
        self.values.cancel()
        for session in self.sessions.values():
            session.cancel()

    @property
    def seconds(self) -> float:
        """The seconds since it began."""
        return time.perf_counter() - self.began

    @property
    def nodes(self) -> int:
        """The nodes of all searches."""
        return self.values.nodes + sum(each.answer.nodes for each in self.sessions.values())

    def run(self, between: Between, tell: Callable[[list[Hint]], None]) -> list[Hint]:
        """Search until the budget is met, and report what is known after every round."""
        for session in self.sessions.values():
            session.prepare(Limits(memory=self.memory))
        self.began = time.perf_counter()
        for depth in range(1, (self.budget.depth or DEEPEST) + 1):
            for session in self.sessions.values():
                self._look(session, max(depth - 1, 1), between)
            self._prove(between)
            if self.stopping or self._met() or self.values.over:
                break
            tell(self.known())
        return self.known()

    def _met(self) -> bool:
        budget = self.budget
        return (budget.seconds is not None and self.seconds >= budget.seconds) or (
            budget.nodes is not None and self.nodes >= budget.nodes)

    def _limits(self, nodes: int, seconds: float) -> Limits:
        left = self.budget.seconds
        return Limits(nodes, None if left is None else max(1e-3, seconds + left - self.seconds),
                      self.memory)

    def _look(self, session: Session, depth: int, between: Between) -> None:
        """Look ahead after one move until ``depth`` is reached."""
        while not self.stopping and not self._met() and _depth(session) < depth and (
                session.stopped in ("nodes", "time", "interrupted")):
            nodes = session.answer.nodes + HINT_NODES
            session.advance(self._limits(nodes, session.seconds), between=between)
            if session.stopped == "interrupted" and not self.stopping:
                raise KeyboardInterrupt  # the session has kept it for itself

    def _prove(self, between: Between) -> None:
        """Let the proofs of all moves go on for a while."""
        if self.stopping or self._met():
            return
        nodes = self.values.nodes + PROOF_NODES * len(self.values.moves)
        self.values.run(self._limits(nodes, self.values.seconds), between=between)
        if self.values.stopped == "interrupted" and not self.stopping:
            raise KeyboardInterrupt

    def known(self) -> list[Hint]:
        """Return what is known of each move, the best one first."""
        found = []
        for worth in self.values.moves:
            session = self.sessions.get(worth.move)
            if worth.settled and worth.proved:
                exact = worth.score if worth.score is not None else SURE.get(worth.value, 0.0)
                found.append(Hint(float(exact), len(worth.line), True, worth.line))
            elif session is not None and session.runs:
                points = session.runs[-1].numbers().get("estimate")
                if isinstance(points, int):
                    found.append(Hint(-discs(points), _depth(session) + 1, False, [worth.move]))
        return sorted(found, key=lambda hint: -hint.worth)


def _depth(session: Session) -> int:
    """Return how far a search has looked ahead."""
    return (session.runs[-1].numbers().get("depth") or 0) if session.runs else 0
