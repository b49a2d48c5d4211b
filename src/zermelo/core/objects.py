"""Store: Python objects by number, so that compiled searches can have them as positions.

Objects with the same key are the same position and have one number. A store asks the functions of a
``Source`` once for each object and each move, checks their answers, and keeps them; what a function
raises comes out as one sentence with the author's own traceback behind it.

For compiled searches a state is the number of an object, with what is asked most: who moves, and
how the game has ended. What the store knows of moves stands on pages, which the rules read without
a call; all else is asked by calls to the store. These rules do not depend on the game: all games
run through the same machine code.

``stable_digest`` is the same in every process, while ``hash`` of a text differs, and the order of a
set with it: a value is written down as bytes, numbers, texts, and tuples, sets and records of them.
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import sys
import threading
import traceback
from array import array
from collections.abc import Callable, Iterable
from enum import Enum
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from zermelo.compiler.callback import (
    FAILED,
    PAGE,
    PAGE_BITS,
    PLACE,
    Pages,
    Upcall,
    call_back,
    number_at,
    shield,
)
from zermelo.core.rules import DRAW, MOST_POINTS, ONGOING, OUTCOMES, SECOND_WINS
from zermelo.errors import BadGame, BadRule, quoted
from zermelo.kernel.bits import ALL, mix, word
from zermelo.kernel.rng import next_counter

Array = np.ndarray[Any, Any]
STATE = [("number", "i8"), ("mover", "i4"), ("outcome", "i4")]
MOVES, PLAY, AHEAD, PLAYOUTS, EVALUATE, SCORE, STREAM, COUNTED_GAME = range(8)
KIND_BITS, WON_BITS = 3, 2
# On the pages of rows, for each object: where the answers about its moves begin and how many they
# are.
COUNT_BITS = 16
COUNT = (1 << COUNT_BITS) - 1
# An answer is the number of an object, from 1, its outcome, and who moves there.
MOVER_BITS, END_BITS = 1, 2
FACT_BITS = MOVER_BITS + END_BITS
ENDS = (1 << END_BITS) - 1
COUNTED = 1 << ENDS + 1  # beside the bits of outcomes


class StoreCalls(NamedTuple):
    """``address`` of the store's function, and the pages of ``rows`` and of ``answers``: what
    ``play`` answers to each move of a row. All is 0 that was not asked yet."""

    address: int
    rows: Array
    answers: Array


def row_of(g, number):
    """Return where the answers about the moves of an object begin, and how many there are; or 0."""
    page = g.rows[number >> PAGE_BITS]
    return number_at(page, number & PLACE) if page != 0 else np.int64(0)


def answer_of(g, row, move):
    """Return what ``play`` answers to a move of a row; or 0."""
    place = (row >> COUNT_BITS) + move
    page = g.answers[place >> PAGE_BITS]
    return number_at(page, place & PLACE) if page != 0 else np.int64(0)


def moves(g, s, out):
    """A move is its place in the list of the state's moves."""
    row = row_of(g, s.number)
    n = row & COUNT
    if row == 0:
        n = call_back(g.address, MOVES, s.number, 0)
        if n == FAILED:  # more than there can be, which makes every kernel come back
            return len(out)
    for i in range(n):
        out[i] = i
    return n


def ahead(g, s, stop, counted):
    """Ask for all of that at once, unless it is known; what fails, fails again when it is used."""
    row = row_of(g, s.number)
    played, asked = row != 0, True
    for i in range(row & COUNT):
        answer = answer_of(g, row, i)
        end = answer >> MOVER_BITS & ENDS
        if stop >> end & 1 != 0:
            asked = True
            break
        played &= answer != 0
        if counted and end == ONGOING and played:
            asked &= row_of(g, (answer >> FACT_BITS) - 1) != 0
    if not (played and asked):
        call_back(g.address, AHEAD, s.number, stop | COUNTED if counted else stop)


def play(g, s, move, t):
    """Go to the object that the move leads to; a number below 0 means that this failed."""
    row = row_of(g, s.number)
    answer = answer_of(g, row, move) if row != 0 else np.int64(0)
    if answer == 0:
        answer = call_back(g.address, PLAY, s.number, move)
        if answer == FAILED:
            t.number, t.mover, t.outcome = -1, 0, ONGOING
            return
    t.number = (answer >> FACT_BITS) - 1
    t.mover = answer & 1
    t.outcome = answer >> MOVER_BITS & ENDS


def mover(g, s):
    """Return who moves."""
    return np.int64(s.mover)


def outcome(g, s):
    """Return how the game has ended, if it has."""
    return np.int64(s.outcome)


def key(g, s):
    """The number: there is one for each object."""
    return mix(word(s.number))


def stream(g, s):
    """A hash of the object, the same in every process."""
    return word(call_back(g.address, STREAM, s.number, 0))


def playouts(g, s, rng, n, won, scratch):
    """Games of random moves, played in Python."""
    counter = rng[0]
    rng[0] = next_counter(counter)
    how = PLAYOUTS | won << KIND_BITS | n << (KIND_BITS + WON_BITS)
    return max(call_back(g.address, how, s.number, np.int64(counter)), 0)


def playout(g, s, rng, scratch):
    """Play a game of random moves in Python; return its outcome."""
    counter = rng[0]
    rng[0] = next_counter(counter)
    how = PLAYOUTS | 1 << (KIND_BITS + WON_BITS)  # won by nobody: which outcome is asked
    end = call_back(g.address, how, s.number, np.int64(counter))
    return end if end > ONGOING else np.int64(DRAW)


def counted_playout(g, s, rng, scratch):
    """Play a game of random moves; return its outcome and the number of moves to choose from."""
    counter = rng[0]
    rng[0] = next_counter(counter)
    answer = call_back(g.address, COUNTED_GAME, s.number, np.int64(counter))
    if answer == FAILED:
        return np.int64(DRAW), np.int64(0)
    return answer & ENDS, answer >> END_BITS


def evaluate(g, s):
    """Return how good the position looks for its mover."""
    return call_back(g.address, EVALUATE, s.number, 0)


def score(g, s):
    """The final score, from the first player's side."""
    return call_back(g.address, SCORE, s.number, 0)


DIGEST_BYTES = 16


class Unstable(TypeError):
    """A value that can't be written down so that every process writes the same."""


def stable_digest(value: Any) -> bytes:
    """16 bytes that tell ``value`` from all others; Unstable for objects of unknown classes."""
    parts: list[bytes] = []
    _write(value, parts)
    return hashlib.blake2b(b"".join(parts), digest_size=DIGEST_BYTES).digest()


def stable_hash(value: Any, otherwise: int) -> int:
    """64 bits of the digest; ``otherwise`` where a value has none."""
    try:
        return int.from_bytes(stable_digest(value)[:8], "little")
    except Unstable:
        return otherwise


def _write(value: Any, parts: list[bytes]) -> None:
    kind = type(value)
    write = _WAYS.get(kind)
    if write is not None:
        write(value, parts)
    elif isinstance(value, Enum):
        _text(f"{kind.__qualname__}.{value.name}", parts)
    elif dataclasses.is_dataclass(value):
        _several(kind.__qualname__, [getattr(value, field.name)
                                     for field in dataclasses.fields(value) if field.compare],
                 parts)
    elif isinstance(value, tuple):
        _several(kind.__qualname__, value, parts)
    elif isinstance(value, int | float) and kind.__module__ == "numpy":
        _write(value.item(), parts)  # type: ignore[union-attr]
    elif kind.__module__ == "numpy" and hasattr(value, "tobytes"):
        _several("numpy", (str(value.dtype), value.shape, value.tobytes()), parts)
    else:
        raise Unstable(f"an object of type {kind.__qualname__} has no digest")


def _text(value: str, parts: list[bytes]) -> None:
    data = value.encode("utf-8", "surrogatepass")
    parts.append(b"s%d:" % len(data) + data)


def _several(name: str, values: Any, parts: list[bytes]) -> None:
    _text(name, parts)
    parts.append(b"(%d:" % len(values))
    for value in values:
        _write(value, parts)


def _set(values: Any, parts: list[bytes]) -> None:
    """In the order of what is written, which no hash has a part in."""
    written = []
    for value in values:
        own: list[bytes] = []
        _write(value, own)
        written.append(b"".join(own))
    parts.append(b"{%d:" % len(written))
    parts += sorted(written)


_WAYS: dict[type, Callable[[Any, list[bytes]], None]] = {
    type(None): lambda value, parts: parts.append(b"n"),
    bool: lambda value, parts: parts.append(b"i%d;" % value),  # True == 1
    int: lambda value, parts: parts.append(b"i%d;" % value),
    float: lambda value, parts: parts.append(
        b"i%d;" % int(value) if value.is_integer() else b"f" + value.hex().encode() + b";"),
    str: _text,
    bytes: lambda value, parts: parts.append(b"b%d:" % len(value) + value),
    tuple: lambda value, parts: _several("", value, parts),
    frozenset: _set,
}


MANY = 4096  # objects, after which earlier ones count half


class ExpansionRate:
    """The time that searches in a store took. Threads may note at once: it is an estimate."""

    def __init__(self, store: ObjectStore) -> None:
        self.store = store
        self.objects = self.seconds = 0.0

    @property
    def met(self) -> int:
        """Return how many objects the store knows."""
        return len(self.store)

    def note(self, met: int, seconds: float) -> None:
        """So long took a search to which so many objects were new."""
        if met > 0:
            share = 0.5 if self.objects > MANY else 1.0
            self.objects, self.seconds = share * self.objects + met, share * self.seconds + seconds

    def nodes_within(self, seconds: float) -> int:
        """Return how many nodes can be expanded in that time, about, if all that they lead to is
        new."""
        each = self.seconds / max(self.objects, 1.0) * self.store.moves_each
        return max(1, int(min(seconds / each, 1e15))) if each > 0 else sys.maxsize


FIRST, MASK = 8, 127  # all of the first ones are measured, then one of 128
MOST_SEEN = 100_000
MOST_PARTS = 10_000  # of one object
# What all objects share, or what there is one of in a process.
SHARED = (type, type(sys), type(len), type(lambda: None))


class Sizes:
    """The mean size of objects, with all that belongs to them.

    Measured on a sample. What was met in an earlier object is shared, and is not counted again; so
    are classes, functions and modules. Parts that only neighbours share are counted for each.
    """

    def __init__(self) -> None:
        self.measured = self.total = 0
        self._seen: dict[int, Any] = {}  # held, so that nothing else gets the same identity

    def measure(self, *parts: Any) -> None:
        """One of the sample, of these parts."""
        self.measured += 1
        self.total += self._size(parts)

    def of(self, count: int) -> int:
        """So many objects together."""
        return self.total * count // max(self.measured, 1)

    def _size(self, parts: Iterable[Any]) -> int:
        waiting, seen, size, left = list(parts), self._seen, 0, MOST_PARTS
        while waiting and left:
            part = waiting.pop()
            if id(part) in seen or isinstance(part, SHARED):
                continue
            left -= 1
            if len(seen) < MOST_SEEN:
                seen[id(part)] = part
            size += sys.getsizeof(part, 64)
            waiting += _inside(part)
        return size


def _inside(part: Any) -> list[Any]:
    """The objects that ``part`` is made of."""
    if isinstance(part, dict):
        return [*part.keys(), *part.values()]
    if isinstance(part, tuple | list | set | frozenset):
        return list(part)
    found = []
    own = getattr(part, "__dict__", None)
    if isinstance(own, dict):
        found.append(own)
    for kind in type(part).__mro__:
        names = kind.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if hasattr(part, name) and name not in ("__dict__", "__weakref__"):
                found.append(getattr(part, name))
    return found


END_FACTS = {name: code << MOVER_BITS for code, name in enumerate(OUTCOMES)}
LISTS = "a list of moves, which may be empty"
SIDES = "0 (first) or 1 (second)"
RESULTS = "None while the game goes on, 'first', 'second' or 'draw'"
Function = Callable[..., Any]


class Methods:
    """The methods of a plain game as a store asks for them; optional ones may be None."""

    def __init__(self, plain: Any, name: str) -> None:
        self.name = name
        self.moves, self.play, self.mover = plain.moves, plain.play, plain.mover
        self.outcome = plain.outcome
        self.key, self.evaluate, self.score = (
            getattr(plain, part, None) for part in ("key", "evaluate", "score"))
        self.max_moves, self.max_length = plain.max_moves, plain.max_length
        self.max_score = plain.max_score


def repr_of(value: Any) -> str:
    """``repr``, of whatever there is."""
    try:
        return repr(value)
    except Exception:
        return f"an object of type {type(value).__name__} that can't be shown"


def is_hashable(value: Any) -> bool:
    """Return True if a dictionary can have it as a key."""
    try:
        hash(value)
    except Exception:
        return False
    return True


NOBODY = -1
BLOCK = 4096  # objects for which room is made at once
LARGEST_HASH = (1 << 63) - 1
NUMBER_BYTES = sys.getsizeof(1 << 40)


class ObjectStore:
    """Objects by number, from 0 on."""

    def __init__(self, source: Any) -> None:
        self.source = source
        self.objects: list[Any] = []  # with room for more, as the next
        self._noted = array("q")  # where each was first met, and its facts
        self._numbers, self._due = itertools.count(), 0  # when there is more to do for a new one
        self.answers: dict[Any, int] = {}  # to a move that leads to an object, by its key
        self.lists: dict[int, list[Any]] = {}  # the moves of those that were asked for them
        self._rows, self._cells = Pages(), Pages()
        self._used, self._room = 1, 0  # places on the pages of cells; a row is never 0
        self._lock = threading.Lock()
        self._states, self._lists = Sizes(), Sizes()
        self.pace = ExpansionRate(self)
        self.upcall = Upcall(self.answer)
        self.calls = StoreCalls(self.upcall.address, self._rows.directory, self._cells.directory)

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def bytes(self) -> int:
        """The memory of all objects, about (see ``sizes``), and of what is around them."""
        around = sum(map(sys.getsizeof, (self.objects, self.answers, self.lists)))
        numbers = (2 * 8 + NUMBER_BYTES) * len(self.answers) + 8 * self._used
        return (around + numbers + self._states.of(len(self.answers))
                + self._lists.of(len(self.lists)))

    @property
    def moves_each(self) -> float:
        """Return how many moves an object has that was asked for them, on average."""
        return self._used / max(len(self.lists), 1)

    def key_of(self, state: Any) -> Any:
        """Return what an object is known by."""
        if self.source.key is None:
            return state
        try:
            return self.source.key(state)
        except Exception as error:
            raise self.failed("key", error, state) from None

    def facts_of(self, state: Any) -> int:
        """Return who moves, and the outcome, in FACT_BITS."""
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
        """Return what ``evaluate`` or ``score`` returns."""
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
        """Return how many of ``n`` random games end with the outcome ``won``; of one game the
        outcome, if that is ONGOING."""
        chance, wins, end = Random(counter & ALL).random, 0, ONGOING
        for _ in range(n):
            end, _ = self.random_game(state, chance)
            wins += end == won
        return wins if won != ONGOING else end

    def random_game(self, state: Any, chance: Callable[[], float]) -> tuple[int, int]:
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

    def add(self, state: Any) -> int:
        """The number of ``state``; it gets one if it has none."""
        key = self.key_of(state)
        try:
            answer = self.answers.get(key)
        except Exception as error:
            raise self.bad_key(error, key, state) from None
        return ((answer or self._enter(state, key, NOBODY)) >> FACT_BITS) - 1

    def _enter(self, state: Any, key: Any, parent: int) -> int:
        """The answer to a move of the object ``parent`` that led to ``state``, which is new.

        Threads do not wait for each other here. Numbers are handed out one by one, and an object is
        known by its key when all else is done; so nothing is left half done by Ctrl-C, either.
        """
        facts = self.facts_of(state)
        number = next(self._numbers)
        if number >= self._due:
            self._make_room(number, state, key)
        self._noted[number] = parent + 1 << FACT_BITS | facts
        self.objects[number] = state
        return self.answers.setdefault(key, number + 1 << FACT_BITS | facts)

    def _make_room(self, number: int, state: Any, key: Any) -> None:
        """Room for the object of this number, which is one of those that are measured."""
        with self._lock:
            if len(self.objects) <= number + MASK + 1:  # up to the next one that is measured
                more = number + BLOCK - len(self.objects)
                self._noted.frombytes(bytes(8 * more))
                self.objects += [None] * more
            while len(self.objects) > len(self._rows.pages) * PAGE:
                self._rows.add()
            self._states.measure(state, key)
            self._due = number + 1 if number < FIRST else (number | MASK) + 1

    def moves(self, number: int) -> list[Any]:
        """The moves of an object whose game goes on."""
        found = self.lists.get(number)
        if found is None:
            found = self._row_for(number, self.moves_of(self.objects[number]))
        return found

    def _row_for(self, number: int, found: list[Any]) -> list[Any]:
        """Room for the answers to these moves, on one page; the moves, or those that another thread
        has found."""
        n, lists = len(found), self.lists
        with self._lock:
            if number in lists:
                return lists[number]
            start = self._used
            if start + n >= self._room:
                start = max(start, self._room)
                self._cells.add()
                self._room += PAGE
            self._used = start + n
            self._rows.pages[number >> PAGE_BITS][number & PLACE] = start << COUNT_BITS | n
            lists[number] = found
            count = len(lists)
            if not count & MASK or count < FIRST:
                self._lists.measure(found)
        return found

    def _row(self, number: int) -> tuple[memoryview, int, int]:
        """The page with the answers of an object that was asked for its moves, where they begin
        there, and how many they are."""
        row = self._rows.pages[number >> PAGE_BITS][number & PLACE]
        start = row >> COUNT_BITS
        return self._cells.pages[start >> PAGE_BITS], start & PLACE, row & COUNT

    def play(self, number: int, move: int) -> int:
        """The number after the move at this place of the list of moves."""
        return (self._play(number, move) >> FACT_BITS) - 1

    def _play(self, number: int, move: int) -> int:
        """The answer to the move."""
        moves = self.moves(number)
        page, start, n = self._row(number)
        way = range(n)[move]
        answer: int = page[start + way]
        if not answer:
            self._ask(number, moves[way : way + 1], page, start + way, 0)
            answer = page[start + way]
        return answer

    def _ask(self, number: int, moves: list[Any], page: memoryview, at: int, stop: int) -> bool:
        """Play moves of an object whose answers are not on the page yet, from the place ``at`` on,
        up to one that ends the game with an outcome whose bit is in ``stop``; whether there is one.
        A search in plain Python is here or in the methods most of the time."""
        source, state, known = self.source, self.objects[number], self.answers.get
        play, key_of, clock = source.play, source.key, perf_counter
        timed = shield.since > 0  # for Ctrl-C, which asks how long a method has been at work
        answer: int | None
        for move in moves:
            answer = page[at]
            if not answer:
                if timed:
                    shield.since = clock()
                part, key = "play", None
                try:
                    after = play(state, move)
                    part, key = "key", after
                    if key_of is not None:
                        key = key_of(after)
                    answer = known(key)
                except Exception as error:
                    if part == "play":
                        raise self.failed(part, error, state, move) from None
                    raise self.bad_key(error, key, after) from None
                if answer is None:
                    answer = self._enter(after, key, number)
                page[at] = answer
            if stop and stop >> (answer >> MOVER_BITS & ENDS) & 1:
                return True
            at += 1
        return False

    def play_all(self, number: int, stop: int) -> int:
        """Play all moves, up to one that ends the game with an outcome whose bit is in ``stop``;
        with COUNTED, and without such an end, ask for the moves of all that goes on. For calls of
        kernels."""
        moves = self.moves(number)
        page, start, n = self._row(number)
        if not self._ask(number, moves, page, start, stop) and stop & COUNTED:
            lists, objects, timed = self.lists, self.objects, shield.since > 0
            for answer in page[start : start + n]:
                child = (answer >> FACT_BITS) - 1
                if child not in lists and answer >> MOVER_BITS & ENDS == ONGOING:
                    if timed:
                        shield.since = perf_counter()
                    self._row_for(child, self.moves_of(objects[child]))
        return n

    def mover(self, number: int) -> int:
        """Return who moves, 0 or 1."""
        return self._noted[number] & 1

    def outcome(self, number: int) -> int:
        """ONGOING, FIRST_WINS, SECOND_WINS or DRAW."""
        return self._noted[number] >> MOVER_BITS & ENDS

    def path(self, number: int) -> tuple[int, list[tuple[int, int]]]:
        """The object that was set up from which this one was first met, and the way from there:
        each object and its move."""
        found: list[tuple[int, int]] = []
        while parent := self._noted[number] >> FACT_BITS:
            ways = range(len(self.moves(parent - 1)))
            way = next(way for way in ways if self.play(parent - 1, way) == number)
            number = parent - 1
            found.append((number, way))
        return number, found[::-1]

    def key(self, number: int) -> Any:
        """Return what an object is known by."""
        return self.key_of(self.objects[number])

    def points(self, part: str, number: int, most: int) -> int:
        """Return the points that ``evaluate`` or ``score`` gives, at most ``most`` from 0."""
        return self.points_of(part, self.objects[number], most)

    def answer(self, what: int, number: int, argument: int) -> int:
        """Return what compiled code asks for: one of MOVES, PLAY and so on."""
        if what == AHEAD:
            return self.play_all(number, argument)
        if what == PLAY:
            return self._play(number, argument)
        if what == MOVES:
            return len(self.moves(number))
        if what == EVALUATE:
            return self.points("evaluate", number, MOST_POINTS)
        if what == SCORE:
            return self.points("score", number, self.source.max_score)
        if what == STREAM:
            return stable_hash(self.key(number), number) & LARGEST_HASH
        if what == COUNTED_GAME:
            end, choices = self.random_game(self.objects[number], Random(argument & ALL).random)
            return choices << END_BITS | end
        assert what & (1 << KIND_BITS) - 1 == PLAYOUTS
        won = what >> KIND_BITS & (1 << WON_BITS) - 1
        n = what >> (KIND_BITS + WON_BITS)
        return self.random_games(self.objects[number], argument, n, won)
