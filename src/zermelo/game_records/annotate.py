"""annotate(): the value of every position of a game record, and where the game turned.

The record is gone through from its end. Later positions are easier, and what is proved about the
position after a move bounds the one before it: whoever moved had at least that. Where the player
moved to a win, nothing is searched; after a draw, only whether there was a win.

It is gone through more than once: first with little effort for each question, then with four times
as much for those that are still open, and so on, so that no hard question is in the way of an easy
one. What a limit leaves, where that is too little for another time, goes to the open questions one
by one, from the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.game_records.annotation import Annotation, Note, Turn
from zermelo.game_records.place import LONG, Place, value_in
from zermelo.game_records.record import read_record
from zermelo.search.base import Run, Search
from zermelo.search.common.status import UNKNOWN
from zermelo.solving.analysis import Budget, check_asked
from zermelo.solving.goals import Subgoal, needs_the_rules_alone
from zermelo.solving.result import Limits, Progress, Value
from zermelo.solving.session import Session

ProgressCallback = Callable[[Progress], None]
FIRST_EFFORT, GROWTH = 10_000, 4  # nodes for each question
TIRED = ("nodes", "time", "interrupted")  # more effort might have helped
CONCLUDED = (Value.WIN, Value.DRAW, Value.LOSS)


def annotate(game: Game, record: str | Iterable[str], search: Search | str | None = None, *,
             goal: str = "value", start: Position | str | None = None,
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
                 *, goal: str = "value", start: Position | str | None = None, seed: int = 0,
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
        self.budget = Budget(Limits())
        self.progress: ProgressCallback | None = None
        self.after_each: Callable[[], None] = lambda: None
        self.between: Callable[[], None] | None = None
        self.shares: Run | None = None
        self.link()

    def run(self, limits: Limits, progress: ProgressCallback | None = None,
            after_each: Callable[[], None] | None = None,
            between: Callable[[], None] | None = None) -> Annotation:
        """Ask until all is answered or a limit (a total) is met; ``after_each`` question asked,
        ``notes`` may say something new. ``between`` as in ``Session.run``."""
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
        """What is known now."""
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
        """How many questions are open, as far as can be seen."""
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
        """Where something was given away, ask about every other move whether it keeps it."""
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
        """Whether more effort is of no use: it is answered, or can't be."""
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
        """Whether the move after ``ply`` moves kept the worth for its player; None if unknown."""
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
        """Why a position is not settled."""
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
    """How long a win takes bounds how long it takes one move before, and the other way round."""
    if place.winner is None or place.winner != after.winner:
        return
    if place.winner == place.mover:  # another move might win sooner
        place.longest = min(place.longest, after.longest + 1)
        after.fewest = max(after.fewest, place.fewest - 1)
    else:  # another might last longer
        place.fewest = max(place.fewest, after.fewest + 1)
        if place.longest < LONG:
            after.longest = min(after.longest, place.longest - 1)
