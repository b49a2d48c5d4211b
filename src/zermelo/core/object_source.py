"""The functions that say what Python objects mean as positions: asked, and their answers checked.

What a function raises comes out as one sentence with the author's own traceback behind it.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Protocol

from zermelo.core.object_rules import MOVER_BITS
from zermelo.core.rules import DRAW, ONGOING, OUTCOMES, SECOND_WINS
from zermelo.errors import BadGame, BadRule, quoted
from zermelo.kernel.bits import ALL

END_FACTS = {name: code << MOVER_BITS for code, name in enumerate(OUTCOMES)}
LISTS = "a list of moves, which may be empty"
SIDES = "0 (first) or 1 (second)"
RESULTS = "None while the game goes on, 'first', 'second' or 'draw'"
Function = Callable[..., Any]


class Source(Protocol):
    """The functions; optional ones are None where there are none."""

    name: str
    max_moves: int
    max_length: int
    max_score: int
    moves: Function
    play: Function
    mover: Function
    outcome: Function
    key: Function | None
    evaluate: Function | None
    score: Function | None


class Asked:
    """What the functions of a source say about objects."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def key_of(self, state: Any) -> Any:
        """What an object is known by."""
        if self.source.key is None:
            return state
        try:
            return self.source.key(state)
        except Exception as error:
            raise self.failed("key", error, state) from None

    def facts_of(self, state: Any) -> int:
        """Who moves, and the outcome, as ``object_rules`` has them."""
        part, source = "mover", self.source
        try:
            mover = source.mover(state)
            part = "outcome"
            end = source.outcome(state)
        except Exception as error:
            raise self.failed(part, error, state) from None
        if mover != 0 and mover != 1:
            raise self.wrong("mover", mover, SIDES, state)
        facts = 0
        if end is not None:
            facts = END_FACTS.get(end, 0) if isinstance(end, str) else 0
            if facts == 0:
                raise self.wrong("outcome", end, RESULTS, state)
        return facts | 1 if mover else facts

    def moves_of(self, state: Any) -> list[Any]:
        """The moves of an object whose game goes on, in a list of our own."""
        found, source = None, self.source
        try:
            given = source.moves(state)
            if type(given) is list or isinstance(given, Iterable):
                found = list(given)
        except Exception as error:
            raise self.failed("moves", error, state) from None
        if found is None:
            raise self.wrong("moves", given, LISTS, state)
        if len(found) > source.max_moves:
            raise BadGame(f"{self.source.name}: moves gives {len(found):,} moves at "
                          f"{quoted(repr_of(state))}, but max_moves = {self.source.max_moves:,}.")
        return found

    def points_of(self, part: str, state: Any, most: int) -> int:
        """What ``evaluate`` or ``score`` returns."""
        try:
            value = getattr(self.source, part)(state)
        except Exception as error:
            raise self.failed(part, error, state) from None
        try:
            whole = value.__index__()
        except AttributeError:
            whole = most + 1
        if not -most <= whole <= most:
            raise self.wrong(part, value, f"a whole number from {-most:,} to {most:,}", state)
        return int(whole)

    def random_games(self, state: Any, counter: int, n: int, won: int) -> int:
        """How many of ``n`` random games end with the outcome ``won``; of one game the outcome, if
        that is ONGOING."""
        chance, wins, end = Random(counter & ALL).random, 0, ONGOING
        for _ in range(n):
            end, _ = self._random_game(state, chance)
            wins += end == won
        return wins if won != ONGOING else end

    def random_game(self, state: Any, counter: int) -> tuple[int, int]:
        """The outcome of one, and how many moves there were to choose from."""
        return self._random_game(state, Random(counter & ALL).random)

    def _random_game(self, state: Any, chance: Callable[[], float]) -> tuple[int, int]:
        """The outcome of a random game, and how many moves there were to choose from in all its
        positions, which are not kept."""
        source = self.source
        moves_of, play, outcome = source.moves, source.play, source.outcome
        part, move, choices, nobody = "outcome", None, 0, ONGOING
        try:
            for _ in range(source.max_length):
                part = "outcome"
                end = outcome(state)
                if end is not None:
                    break
                part = "moves"
                moves = moves_of(state)
                if not isinstance(moves, list | tuple):
                    moves = list(moves)
                if not moves:
                    break
                count = len(moves)
                choices += count
                part, move = "play", moves[int(chance() * count)]
                state = play(state, move)
            else:
                nobody = DRAW  # wins where the rules do not say who does: the game is too long
        except Exception as error:
            raise self.failed(part, error, state, move) from None
        facts = self.facts_of(state)
        return facts >> MOVER_BITS or nobody or SECOND_WINS - facts, choices

    def failed(self, part: str, error: Exception, state: Any, move: Any = None) -> BadRule:
        """For what a function raised: a sentence, then where."""
        below = error.__traceback__.tb_next if error.__traceback__ is not None else None
        lines = traceback.format_exception(type(error), error, below)
        with_move = "" if part != "play" else f" with the move {quoted(move)}"
        return BadRule(f"{self.source.name}: {part} raised {type(error).__name__} at "
                       f"{quoted(repr_of(state))}{with_move}:\n{''.join(lines).rstrip()}", error)

    def wrong(self, part: str, value: Any, valid: str, state: Any) -> BadGame:
        """For what a function returned."""
        return BadGame(f"{self.source.name}: {part} returned {quoted(repr_of(value))} at "
                       f"{quoted(repr_of(state))}; it must be {valid}.")

    def bad_key(self, error: Exception, key: Any, state: Any) -> BadGame:
        """For a key that was not found or has no hash."""
        if not isinstance(error, TypeError) or is_hashable(key):
            return self.failed("key", error, state)
        what = "a state is" if self.source.key is None else "key returned"
        return BadGame(f"{self.source.name}: {what} {quoted(repr_of(key))}, which has no hash; "
                       "states, or their keys, must be hashable objects such as tuples and texts.")


def repr_of(value: Any) -> str:
    """``repr``, of whatever there is."""
    try:
        return repr(value)
    except Exception:
        return f"an object of type {type(value).__name__} that can't be shown"


def is_hashable(value: Any) -> bool:
    """Whether a dictionary can have it as a key."""
    try:
        hash(value)
    except Exception:
        return False
    return True
