"""annotate(): the value of every position of a game record, and where the game turned.

The record is gone through from its end. Later positions are easier, and what is proved about the
position after a move bounds the one before it: whoever moved had at least that. Where the player
moved to a win, nothing is searched; after a draw, only whether there was a win.

It is gone through more than once: first with little effort for each question, then with four times
as much for those that are still open, and so on, so that no hard question is in the way of an easy
one. What a limit leaves, where that is too little for another time, goes to the open questions one
by one, from the end.

A ``Place`` holds what is known about one position, and what to ask about it next. Worth is counted
as in scores: at least 1 is a win, 0 a draw. Where the final score is not asked for it is 1, 0 or
-1. All questions have the form of a ``Subgoal``: does a player get at least this?
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import counted
from zermelo.game_records.record import read_record
from zermelo.search.base import Run, Search
from zermelo.search.reasons import LOST, STOPPED, UNKNOWN, WON
from zermelo.solving.analysis import Allowance, check_asked, html_table, html_text
from zermelo.solving.answer import Subgoal, needs_the_rules_alone
from zermelo.solving.result import Goal, Limits, Progress, Value
from zermelo.solving.session import Session

OUTCOMES = {"first": 1, "second": -1, "draw": 0}
LONG = 1 << 30  # plies: no length is known


class Bounds:
    """Proved bounds of what something is worth to one player."""

    def __init__(self, most: int, step: int = 1) -> None:
        self.low, self.high, self.most, self.step = -most, most, most, step

    @property
    def exact(self) -> bool:
        """True if the worth is known."""
        return self.low == self.high

    def seen_by(self, sign: int) -> tuple[int, int]:
        """Return the bounds for the player (1), or for the other (-1)."""
        return (self.low, self.high) if sign == 1 else (-self.high, -self.low)

    def narrow(self, sign: int, low: int, high: int) -> None:
        """Note a worth of ``low`` to ``high`` to the player (1) or the other (-1)."""
        low, high = (low, high) if sign == 1 else (-high, -low)
        self.low, self.high = max(self.low, low), min(self.high, high)
        assert self.low <= self.high, "contradictory proofs"

    def learn(self, sign: int, threshold: int, status: int) -> None:
        """The player (1) or the other (-1) gets at least ``threshold`` (WON), or does not (LOST).

        Scores go by steps: between two of them there is none.
        """
        if status == WON:
            least = self.most - (self.most - threshold) // self.step * self.step
            self.narrow(sign, least, self.most)
        elif status == LOST:
            over = -(-(self.most - threshold + 1) // self.step) * self.step
            self.narrow(sign, -self.most, self.most - over)


def value_in(low: int, high: int) -> Value:
    """Return the value of what is worth ``low`` to ``high``, as far as that decides it."""
    if low > 0:
        return Value.WIN
    if high < 0:
        return Value.LOSS
    if high <= 0:
        return Value.DRAW if low >= 0 else Value.NOT_WIN
    return Value.UNKNOWN


class Place:
    """A position of the record: its worth and, for ``goal`` shortest, how long a win takes."""

    def __init__(self, position: Position, move: str | None, goal: Goal) -> None:
        rules = position.game.rules
        most, step = (rules.max_score, rules.score_step) if goal == "score" else (1, 1)
        self.position, self.move, self.goal = position, move, goal
        self.mover = position.mover
        self.worth, self.guess = Bounds(most, step), Bounds(most, step)  # for the side to move
        self.played = -most  # what the move played is worth at least
        self.moves = {name: Bounds(most, step) for name in position.moves()}
        self.fewest, self.longest = 1, LONG  # plies to the win
        self.proof = 0  # plies that a proof of it lasts, which is not a bound
        self.stopped, self.nodes = "interrupted", 0
        self.given_up: set[tuple[str, Subgoal]] = set()
        if position.outcome is not None:
            self._finish(OUTCOMES[position.outcome])

    def _finish(self, outcome: int) -> None:
        first = outcome
        if self.goal == "score":
            first = int(self.position.game.board.score(self.position.state))
        worth = first if self.mover == 0 else -first
        self.worth.narrow(1, worth, worth)
        self.fewest = self.longest = 0

    def sign(self, player: int) -> int:
        """1 if ``player`` is to move here, else -1."""
        return 1 if player == self.mover else -1

    @property
    def winner(self) -> int | None:
        """The player who is proved to win."""
        if self.worth.low > 0:
            return self.mover
        return 1 - self.mover if self.worth.high < 0 else None

    @property
    def length(self) -> int | None:
        """The plies that the win takes, if that is asked for and known."""
        asked = self.goal == "shortest" and self.winner is not None
        return self.longest if asked and self.fewest == self.longest else None

    @property
    def settled(self) -> bool:
        """True if all that the goal asks for is proved."""
        lasting = self.goal == "shortest" and self.winner is not None
        return self.worth.exact and (not lasting or self.length is not None)

    def believed(self) -> tuple[int, int]:
        """The bounds, and what was concluded within them."""
        low = max(self.worth.low, self.guess.low)
        high = min(self.worth.high, self.guess.high)
        return (low, high) if low <= high else (self.worth.low, self.worth.high)

    def question(self) -> Subgoal | None:
        """Return the next question about the position, or None."""
        return next((each for each in self._questions() if ("", each) not in self.given_up), None)

    def _questions(self) -> list[Subgoal]:
        low, high = self.believed()
        if low < high:
            return self._thresholds(low, high)
        if self.settled or not self.worth.exact or self.winner is None:
            return []
        # One ply less than a known win, or than the proof: if that is too few, all is said.
        within = (self.longest if self.longest < LONG else self.proof) - 1
        return [Subgoal(self.winner, 1, max(within, self.fewest))]

    def _thresholds(self, low: int, high: int) -> list[Subgoal]:
        if self.goal != "score":
            mine, theirs = Subgoal(self.mover), Subgoal(1 - self.mover)
            return ([mine] if high == 1 else []) + ([theirs] if low == -1 else [])
        step = self.worth.step
        if low == self.played > -self.worth.most:
            threshold = low + step  # was there anything better?
        elif low < 1 <= high:
            threshold = 1
        else:
            threshold = low + ((high - low) // step + 1) // 2 * step
        return [Subgoal(self.mover, threshold)]

    def learn(self, asked: Subgoal, run: Run) -> None:
        """Take over what a run has found out."""
        status = run.status
        if asked.horizon is not None:
            if status == WON:
                self.longest = min(self.longest, asked.horizon)
            elif status == LOST:
                self.fewest = max(self.fewest, asked.horizon + 1)
            return
        sign = self.sign(asked.player)
        self.worth.learn(sign, asked.threshold, status)
        if status == UNKNOWN and run.leaning != UNKNOWN:
            self._conclude(sign, asked.threshold, run.leaning)
        for code, known, _ in run.moves():
            name = self.position.game.move_name(self.position, code)
            if name in self.moves:
                self.moves[name].learn(sign, asked.threshold, known)
        if status == WON:
            self.proof = run.proof_length

    def _conclude(self, sign: int, threshold: int, status: int) -> None:
        """Conclusions may contradict each other: then the last one stands."""
        last = Bounds(self.worth.most, self.worth.step)
        last.learn(sign, threshold, status)
        if max(last.low, self.guess.low) <= min(last.high, self.guess.high):
            last.narrow(1, self.guess.low, self.guess.high)
        self.guess = last

    def keeps(self, move: str) -> bool | None:
        """Return True if ``move`` keeps the worth of the position, None if that is not known."""
        bounds = self.moves[move]
        if bounds.low >= self.worth.high:
            return True
        return False if bounds.high < self.worth.low else None

    def best(self) -> tuple[str, ...]:
        """The moves that are known to keep the worth, in the game's order."""
        return tuple(move for move in self.moves if self.keeps(move))

    def unsettled(self) -> tuple[str, ...]:
        """The moves, other than the one played, about which that is not known."""
        return tuple(move for move in self.moves
                     if move != self.move and self.keeps(move) is None)

    def question_of(self, move: str) -> Subgoal | None:
        """Return the question after ``move`` if it keeps the worth; None if that is of no use."""
        worth = self.worth.low
        asked = Subgoal(self.mover, worth)
        if self.goal != "score" and worth == 0:
            asked = Subgoal(1 - self.mover)  # it does unless the other player then wins
        return None if (move, asked) in self.given_up else asked

    def value(self, sign: int) -> Value:
        """The value for the side to move (1) or the other (-1): proved, or concluded."""
        low, high = self.believed()
        return value_in(low, high) if sign == 1 else value_in(-high, -low)


@dataclass(frozen=True)
class Note:
    """One position of the record and the move that was played there.

    ``value`` is for the side to move, ``first`` the same for the first player; where they are not
    exact, ``at_least`` and ``at_most`` (for the side to move) are what is proved. ``kept``: whether
    the move played kept the value, None if that is not known or there was none. Where it did not,
    ``best`` are the moves that do, and ``unsettled`` those about which that is not known. With
    ``goal`` score it is the ``score``, for the side to move, that is kept or not; with shortest
    there is the ``length`` of a win or loss in plies. Both are None where they are not known.
    """

    ply: int
    position: Position
    value: Value
    first: Value
    at_least: Value
    at_most: Value
    proved: bool
    concluded: bool
    stopped: str
    nodes: int
    move: str | None = None
    kept: bool | None = None
    best: tuple[str, ...] = ()
    unsettled: tuple[str, ...] = ()
    goal: Goal = "value"
    score: int | None = None
    length: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the object as in the JSON output."""
        return {
            "ply": self.ply, "position": self.position.text, "to_move": self.position.to_move,
            "value": str(self.value), "first": str(self.first), "at_least": str(self.at_least),
            "at_most": str(self.at_most), "proved": self.proved, "concluded": self.concluded,
            "stopped": self.stopped, "nodes": self.nodes, "move": self.move, "kept": self.kept,
            "best": list(self.best), "unsettled": list(self.unsettled),
            **({"score": self.score} if self.goal == "score" else {}),
            **({"length": self.length} if self.goal == "shortest" else {}),
        }


@dataclass(frozen=True)
class Turn:
    """A move that gave value away: what the position was worth to its player before and after.

    With ``goal`` score, a move that gave away some of the score: ``scores`` before and after. With
    shortest, the ``lengths`` of the win or loss before and after.
    """

    ply: int
    player: str
    move: str
    before: Value
    after: Value
    best: tuple[str, ...]
    unsettled: tuple[str, ...]
    goal: Goal = "value"
    scores: tuple[int | None, int | None] = (None, None)
    lengths: tuple[int | None, int | None] = (None, None)

    def to_dict(self) -> dict[str, Any]:
        """Return the object as in the JSON output."""
        return {"ply": self.ply, "player": self.player, "move": self.move,
                "before": str(self.before), "after": str(self.after), "best": list(self.best),
                "unsettled": list(self.unsettled),
                **({"scores": list(self.scores)} if self.goal == "score" else {}),
                **({"lengths": list(self.lengths)} if self.goal == "shortest" else {})}

    def __str__(self) -> str:
        rest = f", perhaps also {' '.join(self.unsettled)}" if self.unsettled else ""
        who = f"move {self.ply} ({self.player} {self.move})"
        better = " ".join(self.best)
        if self.goal == "score":
            before, after = self.scores
            lost = "points" if before is None or after is None else counted(before - after,
                                                                                  "point")
            now = "less" if after is None else signed(after)
            return f"{who} gave away {lost}: {now}; better: {better} ({signed(before)}){rest}"
        earlier, later = self.lengths
        now = "not a win" if self.after == Value.NOT_WIN else str(self.after)
        return (f"{who} threw away a {self.before}{lasting(earlier)}: {now}{lasting(later)}; "
                f"better: {better}{rest}")


def signed(score: int | None) -> str:
    """A score as people write it: ``+4``, ``0``; ``?`` where it is not known."""
    return "?" if score is None else f"{score:+d}" if score else "0"


def lasting(length: int | None) -> str:
    """Return a length as `` in 9 plies``, or nothing where it is not known."""
    return "" if length is None else f" in {length} {'ply' if length == 1 else 'plies'}"


OTHER = {Value.WIN: Value.LOSS, Value.DRAW: Value.DRAW, Value.LOSS: Value.WIN}
BOUNDS = {(Value.DRAW, Value.WIN): "not-loss", (Value.LOSS, Value.DRAW): str(Value.NOT_WIN)}


def worth(note: Note, player: int) -> str:
    """Return what a position is worth to a player, as far as that is known."""
    mine = note.position.mover == player
    if note.value in OTHER:
        value = note.value if mine else OTHER[note.value]
        return str(value) if note.proved else f"{value} (not proved)"
    low, high = (note.at_least, note.at_most) if mine else (
        OTHER[note.at_most], OTHER[note.at_least])
    return BOUNDS.get((low, high), str(Value.UNKNOWN))


@dataclass(frozen=True)
class Annotation:
    """A game record with the value of each of its positions, and its turns."""

    search: Search
    moves: list[str]
    positions: list[Note]
    turns: list[Turn]
    nodes: int
    seconds: float
    compile_seconds: float
    seed: int = 0
    goal: Goal = "value"

    def _repr_html_(self) -> str:
        """Return the last position, each move with what it made of the value, and the turns."""
        turns, rows = {turn.ply for turn in self.turns}, []
        for before, after in pairwise(self.positions):
            mover, number = before.position.mover, before.ply + 1
            better = " ".join([*before.best, *(f"{move}?" for move in before.unsettled)])
            rows.append([str(number), before.position.to_move, before.move or "",
                         worth(before, mover), worth(after, mover), better,
                         "turning point" if number in turns else ""])
        header = ["move", "player", "played", "value before", "value after", "better", ""]
        marked = {i for i, row in enumerate(rows) if row[-1]}
        table = html_table(header, rows, marked) if rows else ""
        return f"{self.positions[-1].position.svg()}{table}{html_text([str(self)])}"

    @property
    def proved(self) -> bool:
        """True if every position has a proved value."""
        return all(note.proved for note in self.positions)

    @property
    def concluded(self) -> bool:
        """True if every position has a value, proved or within the precision that was asked for."""
        return all(note.concluded for note in self.positions)

    @property
    def stopped(self) -> str:
        """The reason why the last position without a proved value has none, or ``solved``."""
        reasons = [note.stopped for note in self.positions if not note.proved]
        return reasons[-1] if reasons else "solved"

    @property
    def exit_status(self) -> int:
        """0 proved, 11 concluded at a precision, 10 unknown."""
        return 0 if self.proved else 11 if self.concluded else 10

    def __str__(self) -> str:
        unknown = sum(not note.proved for note in self.positions)
        if self.turns:
            lines = [str(turn) for turn in self.turns]
        else:
            lines = [f"no move {'is known to have thrown' if unknown else 'threw'} anything away"]
        if unknown:
            wanted = {"score": "score", "shortest": "value or length"}.get(self.goal, "value")
            lines.append(f"{unknown} of {counted(len(self.positions), 'position')} have no proved "
                         f"{wanted}: stopped by {STOPPED.get(self.stopped, self.stopped)}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that ``zermelo annotate --json`` prints."""
        begin = self.positions[0].position
        return {
            "game": begin.game.name, "parameters": begin.game.changed, "start": begin.text,
            "moves": self.moves, "search": self.search.id, "options": self.search.options,
            "seed": self.seed, "goal": self.goal, "proved": self.proved,
            "concluded": self.concluded,
            "stopped": self.stopped, "nodes": self.nodes, "seconds": round(self.seconds, 6),
            "compile_seconds": round(self.compile_seconds, 6),
            "turns": [turn.to_dict() for turn in self.turns],
            "positions": [note.to_dict() for note in self.positions],
        }


ProgressCallback = Callable[[Progress], None]
FIRST_EFFORT, GROWTH = 10_000, 4  # nodes for each question
TIRED = ("nodes", "time", "interrupted")  # more effort might have helped
CONCLUDED = (Value.WIN, Value.DRAW, Value.LOSS)


def annotate(game: Game, record: str | Iterable[str], search: Search | str | None = None, *,
             goal: Goal = "value", start: Position | str | None = None,
             nodes: float | str | None = None, time: float | str | None = None,
             memory: float | str | None = None, seed: int = 0, plain: bool = False,
             progress: ProgressCallback | None = None) -> Annotation:
    """The value of every position of ``record``, moves from the game's start or from ``start``.

    ``goal="score"`` asks for the final score of each, and which moves gave some of it away;
    ``"shortest"`` also for the length of the wins. ``nodes`` and ``time`` are totals: easy
    questions come first, wherever they are, then the others, from the end of the record. ``memory``
    is for each, since one is searched at a time.
    """
    work = Annotating(game, record, search, goal=goal, start=start, seed=seed, plain=plain)
    return work.run(Limits(nodes=nodes, time=time, memory=memory), progress)


class Annotating:
    """The positions of a record while they are being solved. ``run`` with larger limits goes on
    where the last one ended."""

    def __init__(self, game: Game, record: str | Iterable[str], search: Search | str | None = None,
                 *, goal: Goal = "value", start: Position | str | None = None, seed: int = 0,
                 plain: bool = False) -> None:
        check_asked("annotate", goal)
        played = read_record(game, record, start)
        positions, self.moves = played.positions, played.moves
        self.search = Session(positions[0], search, goal=goal, seed=seed, plain=plain).search
        self.places = [Place(*pair, goal)
                       for pair in zip(positions, [*self.moves, None], strict=True)]
        self.goal, self.seed, rules = goal, seed, positions[0].game.rules
        # Under a game's own rule of repetition the value of a position depends on what came before.
        self.linked = not (rules.cyclic and rules.repeat is not None)
        self.plain = plain or needs_the_rules_alone(goal, rules)
        self.budget = Allowance(Limits())
        self.progress: ProgressCallback | None = None
        self.after_each: Callable[[], None] = lambda: None
        self.between: Callable[[], None] | None = None
        self.shares: Run | None = None
        self.link()

    def run(self, limits: Limits, progress: ProgressCallback | None = None,
            after_each: Callable[[], None] | None = None,
            between: Callable[[], None] | None = None) -> Annotation:
        """Ask until all is answered or a limit (a total) is met; ``after_each`` question asked,
        ``notes`` may have changed. ``between`` as in ``Session.run``."""
        self.budget.limits, self.budget.interrupted = limits, False
        self.progress, self.after_each = progress, after_each or (lambda: None)
        self.between = between
        try:
            self._run()
        except KeyboardInterrupt:
            if not self.budget.nodes:
                raise  # there is nothing to keep
            self.budget.interrupted = True
        return self.annotation()

    def annotation(self) -> Annotation:
        """Return what is known now."""
        budget = self.budget
        return Annotation(
            search=self.search, moves=self.moves, positions=self.notes(), turns=self.turns(),
            nodes=budget.nodes, seconds=budget.seconds, compile_seconds=budget.compile_seconds,
            seed=self.seed, goal=self.goal,
        )

    def _run(self) -> None:
        """Ask what there is to ask, again and again, until it is answered or a limit is met."""
        effort = FIRST_EFFORT
        while (count := self.open()) and not self.budget.over:
            enough = self.budget.suffices(count * effort)
            self.sweep(self.budget.share(count, effort) if enough else None)
            effort *= GROWTH

    def open(self) -> int:
        """Return the number of open questions, as far as can be seen."""
        positions = sum(place.question() is not None for place in self.places)
        return positions + sum(place.question_of(move) is not None for ply, place in self.turned()
                               for move in place.unsettled())

    def turned(self) -> list[tuple[int, Place]]:
        """The positions of known worth where the move played gave some of it away."""
        return [(ply, place) for ply, place in enumerate(self.places)
                if place.worth.exact and self.kept(ply) is False]

    def sweep(self, share: Limits | None) -> None:
        """Ask the open questions from the end, each within ``share``, or all that is left."""
        for ply, place in reversed(list(enumerate(self.places))):
            while (asked := place.question()) is not None:
                session = self.ask(ply, place.position, asked, share)
                place.nodes += session.answer.nodes
                place.stopped = session.stopped
                place.learn(asked, session.runs[-1])
                self.link()
                self.after_each()
                if not self.answered(place, "", asked, session):
                    break
            if place.worth.exact and self.kept(ply) is False:
                self.sweep_moves(ply, place, share)
            if self.budget.over:
                return

    def sweep_moves(self, ply: int, place: Place, share: Limits | None) -> None:
        """Ask about every move but the one played if it keeps what was given away."""
        for move in place.unsettled():
            asked = place.question_of(move)
            if asked is None or self.budget.over:
                continue
            session = self.ask(ply, place.position.play(move), asked, share, move)
            status, sign = session.runs[-1].status, place.sign(asked.player)
            place.moves[move].learn(sign, asked.threshold, status)
            self.answered(place, move, asked, session)
            self.after_each()

    def ask(self, ply: int, position: Position, asked: Subgoal, share: Limits | None,
            move: str = "") -> Session:
        """Ask one question, within the limits."""
        settled = sum(place.settled for place in self.places)
        words = f"move {ply + 1} {move}" if move else f"after move {ply}"
        at = f"{words} ({settled} of {len(self.places)} settled)"

        def show(now: Progress) -> None:
            if self.progress is not None:
                self.progress(replace(now, question=f"{at}: {now.question}"))

        session = Session(position, self.search, goal="win", seed=self.seed, plain=self.plain,
                          player=asked.player)
        session.first, session.shares = asked, self.shares
        session.advance(self.budget.within(share), show, self.between)
        self.budget.spend(session)
        if self.shares is None and self.search.shares and self.linked:
            self.shares = session.runs[0]
        return session

    @staticmethod
    def answered(place: Place, move: str, asked: Subgoal, session: Session) -> bool:
        """Return True if more effort is of no use: it is answered, or can't be."""
        known = session.runs[-1].status != UNKNOWN
        if not known and session.stopped in TIRED:
            return False
        if not known:
            place.given_up.add((move, asked))
        return True

    def link(self) -> None:
        """Let what is known about a position bound the one before it and the one after it."""
        if not self.linked:
            return
        pairs = list(zip(self.places, self.places[1:], strict=False))
        for place, after in reversed(pairs):
            sign = after.sign(place.mover)
            low, high = after.worth.seen_by(sign)
            place.played = low
            place.worth.narrow(1, low, place.worth.most)
            if place.move is not None:
                place.moves[place.move].narrow(1, low, high)
            _link_lengths(place, after)
        for place, after in pairs:
            after.worth.narrow(after.sign(place.mover), -place.worth.most, place.worth.high)

    def kept(self, ply: int) -> bool | None:
        """Return True if the move after ``ply`` moves kept its player's worth; None if unknown."""
        if ply == len(self.moves):
            return None
        place, after = self.places[ply], self.places[ply + 1]
        low, high = after.worth.seen_by(after.sign(place.mover))
        return False if high < place.worth.low else True if low >= place.worth.high else None

    def notes(self) -> list[Note]:
        """A note on every position."""
        notes = []
        for ply, place in enumerate(self.places):
            kept, value, worth = self.kept(ply), place.value(1), place.worth
            notes.append(Note(
                ply=ply, position=place.position, value=value,
                first=place.value(place.sign(0)), at_least=value_in(worth.low, worth.low),
                at_most=value_in(worth.high, worth.high), proved=place.settled,
                concluded=place.settled or (self.goal == "value" and value in CONCLUDED),
                stopped="solved" if place.settled else self.reason(place), nodes=place.nodes,
                move=place.move, kept=kept,
                best=place.best() if kept is False else (),
                unsettled=place.unsettled() if kept is False else (),
                goal=self.goal, score=self.score(ply), length=place.length,
            ))
        return notes

    def reason(self, place: Place) -> str:
        """The reason why a position is not settled."""
        if place.stopped not in TIRED:
            return place.stopped
        return "interrupted" if self.budget.interrupted else self.budget.reason

    def score(self, ply: int) -> int | None:
        """The final score for the side to move, where it is asked for and known."""
        worth = self.places[ply].worth
        return worth.low if self.goal == "score" and worth.exact else None

    def turns(self) -> list[Turn]:
        """The moves that gave something away."""
        found = []
        for ply, place in self.turned():
            after = self.places[ply + 1]
            sign, score = after.sign(place.mover), self.score(ply + 1)
            found.append(Turn(
                ply + 1, place.position.to_move, self.moves[ply], place.value(1),
                after.value(sign), place.best(), place.unsettled(), goal=self.goal,
                scores=(self.score(ply), None if score is None else sign * score),
                lengths=(place.length, after.length),
            ))
        return found


def _link_lengths(place: Place, after: Place) -> None:
    """Bound the length of a win by that one move later, and the other way round."""
    if place.winner is None or place.winner != after.winner:
        return
    if place.winner == place.mover:  # another move might win sooner
        place.longest = min(place.longest, after.longest + 1)
        after.fewest = max(after.fewest, place.fewest - 1)
    else:  # another might last longer
        place.fewest = max(place.fewest, after.fewest + 1)
        if place.longest < LONG:
            after.longest = min(after.longest, place.longest - 1)
