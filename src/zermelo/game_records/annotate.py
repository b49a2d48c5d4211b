"""annotate(): the value of every position of a game record, and where the game turned.

The record is gone through from its end. Later positions are easier, and what is proved about the
position after a move bounds the one before it: whoever moved had at least that. Where the player
moved to a win, nothing is searched; after a draw, only whether there was a win.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.game_records.annotation import Annotation, Note, Turn
from zermelo.game_records.record import read_record
from zermelo.search.base import Search
from zermelo.solving.analysis import Budget
from zermelo.solving.result import Limits, Progress, Result, Value
from zermelo.solving.session import Session

ProgressCallback = Callable[[Progress], None]
Subgoal = Callable[[str, Position, str, int, int], Result]
WORTH = {Value.WIN: (1, 1), Value.DRAW: (0, 0), Value.LOSS: (-1, -1), Value.NOT_WIN: (-1, 0),
         Value.UNKNOWN: (-1, 1)}
VALUES = {worth: value for value, worth in WORTH.items()}
OUTCOMES = {"first": 1, "second": -1, "draw": 0}


def annotate(game: Game, record: str | Iterable[str], search: Search | str | None = None, *,
             start: Position | str | None = None, nodes: float | str | None = None,
             time: float | str | None = None, memory: float | str | None = None, seed: int = 0,
             plain: bool = False, progress: ProgressCallback | None = None) -> Annotation:
    """The value of every position of ``record``, moves from the game's start or from ``start``.

    ``nodes`` and ``time`` are totals, dealt out in equal shares: what a position leaves goes to
    those that are still to come. First come the positions, from the last to the first, then, in
    the same order, the moves that might have been better. ``memory`` is for each, since one is
    searched at a time.
    """
    played = read_record(game, record, start)
    chosen = Session(played.positions[0], search, seed=seed, plain=plain).search
    limits = Limits(nodes=nodes, time=time, memory=memory)
    work = _Work(played.positions, played.moves, Budget(limits))

    def ask(question: str, position: Position, goal: str, player: int, remaining: int) -> Result:
        def show(now: Progress) -> None:
            if progress is not None:
                progress(replace(now, question=f"{question}: {now.question}"))

        session = Session(position, chosen, goal=goal, seed=seed, plain=plain, player=player)
        return work.budget.spend(session.run(work.budget.share(remaining), show))

    try:
        work.values(ask)
        work.better_moves(ask)
    except KeyboardInterrupt:
        if not work.budget.nodes:
            raise  # there is nothing to keep
    return Annotation(
        search=chosen, moves=played.moves, positions=work.notes(), turns=work.turns(),
        nodes=work.budget.nodes, seconds=work.budget.seconds,
        compile_seconds=work.budget.compile_seconds, seed=seed,
    )


class _Place:
    """What is known about a position: proved bounds, 1 for a win of the first player to -1."""

    def __init__(self, position: Position, move: str | None) -> None:
        self.position, self.move, self.sign = position, move, 1 - 2 * position.mover
        self.low, self.high, self.guess = -1, 1, Value.UNKNOWN
        self.stopped, self.nodes = "interrupted", 0
        self.keeping: set[str] = set()  # moves that are known to keep the value
        self.losing: set[str] = set()  # moves that are known not to
        if position.outcome is not None:
            self.low = self.high = OUTCOMES[position.outcome]

    @property
    def exact(self) -> bool:
        return self.low == self.high

    def bounds(self, sign: int) -> tuple[int, int]:
        """The bounds for the first player (1) or the second (-1)."""
        return (self.low, self.high) if sign == 1 else (-self.high, -self.low)

    def narrow(self, sign: int, low: int, high: int) -> None:
        """It is worth at least ``low`` and at most ``high`` to that player."""
        low, high = (low, high) if sign == 1 else (-high, -low)
        self.low, self.high = max(self.low, low), min(self.high, high)
        assert self.low <= self.high, f"{self.position!r} has contradictory proofs"

    def learn(self, result: Result) -> None:
        """Take over an answer, for the side to move."""
        self.stopped, self.nodes = result.stopped, result.nodes
        if result.proved or result.partial:
            self.narrow(self.sign, *WORTH[result.value])
        elif result.value != Value.UNKNOWN:
            self.guess = result.value
        if result.move is not None and result.proved:
            self.keeping.add(result.move)
        if result.proved and result.value == Value.WIN:
            self.keeping |= {row.move for row in result.moves
                             if row.proved and row.value == Value.WIN}

    def value(self, sign: int) -> Value:
        """The value for that player: proved, or concluded within the proved bounds."""
        (low, high), (guess_low, guess_high) = self.bounds(self.sign), WORTH[self.guess]
        if max(low, guess_low) <= min(high, guess_high):
            low, high = max(low, guess_low), min(high, guess_high)
        return VALUES.get((low, high) if sign == self.sign else (-high, -low), Value.UNKNOWN)

    def best(self) -> tuple[str, ...]:
        """The moves that are known to keep the value, in the game's order."""
        return tuple(move for move in self.position.moves() if move in self.keeping)

    def unsettled(self) -> tuple[str, ...]:
        """The moves, other than the one played, about which that is not known."""
        settled = self.keeping | self.losing | {self.move}
        return tuple(move for move in self.position.moves() if move not in settled)


class _Work:
    """The positions of a record while they are being solved."""

    def __init__(self, positions: list[Position], moves: list[str], budget: Budget) -> None:
        self.places = [_Place(*pair) for pair in zip(positions, [*moves, None], strict=True)]
        self.moves, self.budget, rules = moves, budget, positions[0].game.rules
        # Under a game's own rule of repetition the value of a position depends on what came before.
        self.linked = not (rules.cyclic and rules.repeat is not None)

    def values(self, ask: Subgoal) -> None:
        """Solve the positions, from the last to the first."""
        for ply, place in reversed(list(enumerate(self.places))):
            if self.linked and ply < len(self.moves):
                after = self.places[ply + 1].bounds(place.sign)
                place.narrow(place.sign, after[0], 1)
            if place.exact:
                continue
            goal = "win" if place.bounds(place.sign)[0] == 0 else "value"
            mover = place.position.mover
            place.learn(ask(f"after move {ply}", place.position, goal, mover, ply + 1))
            if self.budget.interrupted:
                break
        for ply in range(len(self.moves) if self.linked else 0):
            place = self.places[ply]
            self.places[ply + 1].narrow(place.sign, -1, place.bounds(place.sign)[1])

    def better_moves(self, ask: Subgoal) -> None:
        """Where value was given away, ask about every other move whether it keeps it."""
        others = [(ply, move) for ply, place in reversed(list(enumerate(self.places)))
                  if self.kept(ply) is False for move in place.unsettled()]
        for index, (ply, move) in enumerate(others):
            if self.budget.interrupted:
                return
            place, after = self.places[ply], self.places[ply].position.play(move)
            wins, mover = place.bounds(place.sign)[0] == 1, place.position.mover
            result = ask(f"move {ply + 1} {move}", after, "win", mover if wins else 1 - mover,
                         len(others) - index)
            if result.proved:
                keeps = result.value == (Value.WIN if wins else Value.NOT_WIN)
                (place.keeping if keeps else place.losing).add(move)

    def kept(self, ply: int) -> bool | None:
        """Whether the move after ``ply`` moves kept the value for its player; None if unknown."""
        if ply == len(self.moves):
            return None
        place = self.places[ply]
        low, high = place.bounds(place.sign)
        after_low, after_high = self.places[ply + 1].bounds(place.sign)
        return False if after_high < low else True if after_low >= high else None

    def notes(self) -> list[Note]:
        """A note on every position."""
        notes = []
        for ply, place in enumerate(self.places):
            low, high = place.bounds(place.sign)
            value, kept = place.value(place.sign), self.kept(ply)
            notes.append(Note(
                ply=ply, position=place.position, value=value, first=place.value(1),
                at_least=VALUES[low, low], at_most=VALUES[high, high], proved=place.exact,
                concluded=value in (Value.WIN, Value.DRAW, Value.LOSS),
                stopped="solved" if place.exact else place.stopped, nodes=place.nodes,
                move=place.move, kept=kept,
                best=place.best() if kept is False else (),
                unsettled=place.unsettled() if kept is False else (),
            ))
        return notes

    def turns(self) -> list[Turn]:
        """The moves that gave value away."""
        return [
            Turn(ply + 1, place.position.to_move, self.moves[ply], place.value(place.sign),
                 self.places[ply + 1].value(place.sign), place.best(), place.unsettled())
            for ply, place in enumerate(self.places) if self.kept(ply) is False
        ]
