"""Store: Python objects by number, so that compiled searches can have them as positions.

Objects with the same key are the same position and have one number. A store asks the functions of a
``Source`` once for each object and each move, and remembers what they said.
"""

from __future__ import annotations

import sys
import threading
import traceback
from array import array
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Protocol

from zermelo.core.object_rules import (
    EVALUATE,
    KIND_BITS,
    MOVES,
    PLAY,
    PLAYOUTS,
    SCORE,
    STREAM,
    WON_BITS,
    Calls,
    new_edges,
)
from zermelo.core.rules import DRAW, MOST_POINTS, ONGOING, OUTCOMES, SECOND_WINS
from zermelo.core.sizes import FIRST, MASK, Sizes
from zermelo.core.stable import stable_hash
from zermelo.errors import BadGame, BadRule, quoted
from zermelo.kernel.bits import ALL
from zermelo.kernel.callback import Upcall

END_CODES = {name: code for code, name in enumerate(OUTCOMES)}
LISTS = "a list of moves, which may be empty"
ENDS = "None while the game goes on, 'first', 'second' or 'draw'"
NOBODY = -1
LARGEST_HASH = (1 << 63) - 1
Function = Callable[..., Any]


class Source(Protocol):
    """The functions that say what the objects mean; optional ones are None where there are none."""

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


class Store:
    """Objects by number, from 0 on."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.objects: list[Any] = []
        self.numbers: dict[Any, int] = {}  # by key
        self.answers = array("q")  # what ``play`` answers: the number, who moves, the outcome
        self.parents, self.ways = array("q"), array("i")  # where each was first met
        self.lists: dict[int, list[Any]] = {}  # the moves of those that were asked for them
        self.children: dict[int, array[int]] = {}  # and where they lead; -1 where not asked yet
        self._lock = threading.Lock()
        self._states, self._lists = Sizes(), Sizes()
        self._upcall = Upcall(self.answer)
        self.calls = Calls(self._upcall.address, new_edges())

    def __len__(self) -> int:
        return len(self.objects)

    @property
    def bytes(self) -> int:
        """The memory of all objects, about (see ``sizes``), and of what is around them."""
        rows = sum(map(sys.getsizeof, (self.objects, self.numbers, self.lists, self.children)))
        flat = sum(map(sys.getsizeof, (self.answers, self.parents, self.ways)))
        return (rows + flat + self._states.of(len(self.objects)) + self._lists.of(len(self.lists))
                + int(self.calls.edges.nbytes))

    def add(self, state: Any, parent: int = NOBODY, way: int = 0) -> int:
        """The number of ``state``; it gets one if it has none."""
        key_of, key = self.source.key, state
        try:
            if key_of is not None:
                key = key_of(state)
            number = self.numbers.get(key)
        except Exception as error:
            if isinstance(error, TypeError) and not _hashable(key):
                what = "key returned" if key_of is not None else "a state is"
                raise BadGame(f"{self.source.name}: {what} {quoted(repr(key))}, which has no hash; "
                              "states, or their keys, must be hashable objects such as tuples and "
                              "texts.") from None
            raise self.failed("key", error, state) from None
        if number is not None:
            return number
        facts = self._facts(state)
        with self._lock:  # another thread may have been here
            number = self.numbers.setdefault(key, len(self.objects))
            if number == len(self.objects):
                self.objects.append(state)
                self.answers.append(number << 3 | facts)
                self.parents.append(parent)
                self.ways.append(way)
                if number < FIRST or not number & MASK:
                    self._states.measure(state, key)
        return number

    def _facts(self, state: Any) -> int:
        """Who moves, and the outcome, as ``play`` answers them."""
        part = "mover"
        try:
            mover = self.source.mover(state)
            part = "outcome"
            end = self.source.outcome(state)
        except Exception as error:
            raise self.failed(part, error, state) from None
        if mover != 0 and mover != 1:
            raise self.wrong("mover", mover, "0 (first) or 1 (second)", state)
        if end is None:
            return int(mover)
        code = END_CODES.get(end) if isinstance(end, str) else None
        if code is None:
            raise self.wrong("outcome", end, ENDS, state)
        return code << 1 | int(mover)

    def moves(self, number: int) -> list[Any]:
        """The moves of an object whose game goes on."""
        found = self.lists.get(number)
        if found is None:
            state = self.objects[number]
            try:
                given = self.source.moves(state)
                found = list(given) if isinstance(given, Iterable) else None
            except Exception as error:
                raise self.failed("moves", error, state) from None
            if found is None:
                raise self.wrong("moves", given, LISTS, state)
            if len(found) > self.source.max_moves:
                raise BadGame(f"{self.source.name}: moves gives {len(found):,} moves at "
                              f"{quoted(repr(state))}, but max_moves = {self.source.max_moves:,}.")
            with self._lock:
                if number not in self.lists:
                    self.children[number] = array("q", (NOBODY,)) * len(found)
                    self.lists[number] = found
                    if len(self.lists) < FIRST or not len(self.lists) & MASK:
                        self._lists.measure(found, self.children[number])
        return found

    def play(self, number: int, move: int) -> int:
        """The number after the move at this place of the list of moves."""
        children = self.children.get(number)
        if children is None:
            self.moves(number)
            children = self.children[number]
        child = children[move]
        if child == NOBODY:
            state, moves = self.objects[number], self.lists[number]
            try:
                after = self.source.play(state, moves[move])
            except Exception as error:
                raise self.failed("play", error, state, moves[move]) from None
            child = children[move] = self.add(after, number, move)
        return child

    def mover(self, number: int) -> int:
        """Who moves, 0 or 1."""
        return self.answers[number] & 1

    def outcome(self, number: int) -> int:
        """ONGOING, FIRST_WINS, SECOND_WINS or DRAW."""
        return self.answers[number] >> 1 & 3

    def path(self, number: int) -> list[int]:
        """The numbers from an object that was set up to this one, on the way it was first met."""
        found = [number]
        while (parent := self.parents[found[-1]]) != NOBODY:
            found.append(parent)
        return found[::-1]

    def key(self, number: int) -> Any:
        """What an object is known by."""
        return self.key_of(self.objects[number])

    def key_of(self, state: Any) -> Any:
        """The same, of an object that need not be here."""
        if self.source.key is None:
            return state
        try:
            return self.source.key(state)
        except Exception as error:
            raise self.failed("key", error, state) from None

    def points(self, part: str, number: int, most: int) -> int:
        """What ``evaluate`` or ``score`` returns."""
        state = self.objects[number]
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

    def play_out(self, number: int, counter: int, n: int, won: int) -> int:
        """How many of ``n`` random games end with the outcome ``won``; of one game the outcome, if
        that is ONGOING."""
        chance, wins, end = Random(counter & ALL).random, 0, ONGOING
        for _ in range(n):
            end = self._random_game(number, chance)
            wins += end == won
        return wins if won != ONGOING else end

    def _random_game(self, number: int, chance: Callable[[], float]) -> int:
        """The outcome of a random game; its positions are not kept."""
        source, state = self.source, self.objects[number]
        moves_of, play, outcome = source.moves, source.play, source.outcome
        part, move = "outcome", None
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
                part, move = "play", moves[int(chance() * len(moves))]
                state = play(state, move)
            else:
                return DRAW
        except Exception as error:
            raise self.failed(part, error, state, move) from None
        facts = self._facts(state)
        return facts >> 1 or SECOND_WINS - facts

    def answer(self, what: int, number: int, argument: int) -> int:
        """What compiled code asks (see ``object_rules``)."""
        if what == PLAY:
            children = self.children.get(number)
            child = NOBODY if children is None else children[argument]
            return self.answers[child if child != NOBODY else self.play(number, argument)]
        if what == MOVES:
            return len(self.moves(number))
        if what == EVALUATE:
            return self.points("evaluate", number, MOST_POINTS)
        if what == SCORE:
            return self.points("score", number, self.source.max_score)
        if what == STREAM:
            return stable_hash(self.key(number), number) & LARGEST_HASH
        assert what & (1 << KIND_BITS) - 1 == PLAYOUTS
        won = what >> KIND_BITS & (1 << WON_BITS) - 1
        return self.play_out(number, argument, what >> (KIND_BITS + WON_BITS), won)

    def failed(self, part: str, error: Exception, state: Any, move: Any = None) -> BadRule:
        """For what a function of the source raised: a sentence, then where."""
        below = error.__traceback__.tb_next if error.__traceback__ is not None else None
        lines = traceback.format_exception(type(error), error, below)
        with_move = "" if part != "play" else f" with the move {quoted(move)}"
        return BadRule(f"{self.source.name}: {part} raised {type(error).__name__} at "
                       f"{quoted(repr_of(state))}{with_move}:\n{''.join(lines).rstrip()}", error)

    def wrong(self, part: str, value: Any, valid: str, state: Any) -> BadGame:
        """For what a function of the source returned."""
        return BadGame(f"{self.source.name}: {part} returned {quoted(repr_of(value))} at "
                       f"{quoted(repr_of(state))}; it must be {valid}.")


def repr_of(value: Any) -> str:
    """``repr``, of whatever there is."""
    try:
        return repr(value)
    except Exception:
        return f"an object of type {type(value).__name__} that can't be shown"


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except Exception:
        return False
    return True
