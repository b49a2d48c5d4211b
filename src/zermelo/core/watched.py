"""The rules run as plain Python, on states that watch what is done to them.

Compiled code checks neither an index nor whether a number fits its field: a mistake there is a
wrong value somewhere else, or a crash. Here the same functions run uncompiled, every access is
checked, and a mistake is an exception with a line number. Numbers are Python's own, except 64-bit
words, which stay ``np.uint64``: this is the arithmetic that an author has in mind.

Each call has a time limit, so that an endless loop in a rule becomes an exception. A second thread
looks at the clock, and only where a call takes long does it interrupt the thread that makes it, so
the calls themselves cost next to nothing. Under a debugger, or anything else that traces, there is
no limit: an interrupt within a trace function would switch it off.

``look_first`` plays the first random games of a user's game that way, before any rule runs
compiled: about a tenth of a second, once in a process. It is not a substitute for ``zermelo
check-game``: only what could do harm is refused, and what plain numbers can't decide is left to the
compiler.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
import traceback
import types
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.compiler.fingerprint import Reading
from zermelo.core.game_files import hint
from zermelo.core.rules import DRAW, ONGOING, Rules
from zermelo.errors import BadGame, quoted

if TYPE_CHECKING:
    from zermelo.core.game import Game


PAUSE = 0.1
ROUNDS = 1_000  # of a loop, each of which lets an interrupt in
IDLE_PAUSES = 20  # then the thread ends, until there is another call


class RuleTimeout(Exception):
    """The call did not come back in time."""


class _Call:
    """One call that is being made: where, until when, and what has become of it."""

    def __init__(self, seconds: float) -> None:
        self.thread = threading.get_ident()
        self.until = time.monotonic() + seconds
        self.late = self.sending = self.done = False


_calls: dict[int, _Call] = {}
_clock: threading.Thread | None = None


def within(seconds: float, function: Callable[..., Any], *arguments: Any) -> Any:
    """``function(*arguments)``, or RuleTimeout if it takes longer than that many seconds."""
    global _clock
    if sys.gettrace() is not None:
        return function(*arguments)
    call = _Call(seconds)
    try:
        _calls[call.thread] = call
        if _clock is None or not _clock.is_alive():
            _clock = threading.Thread(target=_watch_the_clock, daemon=True)
            _clock.start()
        return function(*arguments)
    finally:
        # The other side sets "sending" before it looks at "done", this one the other way round: so
        # no interrupt can be sent from here on. One that was sent but has not come yet is raised in
        # this loop; to take it back instead would leave Python 3.11 waiting for it for ever.
        call.done = True
        _calls.pop(call.thread, None)
        while call.sending:
            time.sleep(0.001)
        for _ in range(ROUNDS if call.late else 0):
            pass


def _watch_the_clock() -> None:
    idle = 0
    while idle < IDLE_PAUSES:
        time.sleep(PAUSE)
        idle = 0 if _calls else idle + 1
        for call in list(_calls.values()):
            if not call.late and time.monotonic() > call.until:
                call.late = call.sending = True
                if not call.done:
                    _interrupt(call.thread)
                call.sending = False


def _interrupt(thread: int) -> None:
    """Raise RuleTimeout in a thread as soon as it runs Python."""
    raising = ctypes.pythonapi.PyThreadState_SetAsyncExc
    raising(ctypes.c_ulong(thread), ctypes.py_object(RuleTimeout))


def _after_fork() -> None:
    global _clock
    _clock = None  # threads stay behind
    _calls.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


State = np.ndarray[Any, Any]  # one state: an array of one record

UNWRITTEN = -(1 << 62)
WATCHERS = tuple(str(Path(__file__).parents[1] / package)
                 for package in ("core", "checks", "compiler", "kernel"))
SECONDS = 5.0  # for one call of a rule; it takes about a hundredth of that when compiled
INT32 = range(-(2**31), 2**31)


class Misuse(Exception):
    """A rule did something that it must not do."""


class DoesNotFit(Misuse):
    """A rule puts a number into a field that is too small for it."""


class Wrong(Exception):
    """A rule failed so that there is no going on from this state: part of the game, sentence."""

    def __init__(self, part: str, sentence: str, error: BaseException | None = None) -> None:
        super().__init__(sentence)
        self.part, self.sentence, self.error = part, sentence, error


def number(value: Any) -> Any:
    """A NumPy number as Python's, unless it is a 64-bit word."""
    if isinstance(value, np.uint64) or not isinstance(value, np.generic):
        return value
    return value.item()


def fit(value: Any, dtype: np.dtype[Any], label: str) -> None:
    """Refuse a value that a field of this type can't hold."""
    if dtype.kind not in "iu":
        return
    if isinstance(value, np.ndarray | list | tuple):
        for item in np.ravel(np.asarray(value)):
            fit(number(item), dtype, label)
        return
    if not isinstance(value, int | np.integer | np.bool_):
        raise Misuse(f"puts {value!r} into {label}, which holds whole numbers")
    limits = np.iinfo(dtype)
    if not limits.min <= int(value) <= limits.max:
        raise DoesNotFit(f"puts {int(value)} into {label}, whose type {dtype.str[1:]} ends at "
                         f"{limits.max if int(value) > 0 else limits.min}")


class Cells(np.ndarray[Any, Any]):
    """An array that refuses what does not fit it, or any writing if it is not ``writeable``."""

    label: str

    @classmethod
    def of(cls, array: np.ndarray[Any, Any], label: str, writeable: bool) -> Cells:
        """A view of ``array`` under this name."""
        cells = array.view(cls)
        cells.label = label
        cells.flags.writeable = writeable and array.flags.writeable
        return cells

    def __array_finalize__(self, parent: Any) -> None:
        self.label = getattr(parent, "label", "an array")

    def __getitem__(self, index: Any) -> Any:
        try:
            return number(super().__getitem__(index))
        except IndexError as error:
            raise Misuse(f"reads beyond {self.label}: {error}") from None

    def __setitem__(self, index: Any, value: Any) -> None:
        if not self.flags.writeable:
            raise Misuse(f"writes into {self.label}, which it may only read")
        fit(value, self.dtype, self.label)
        try:
            super().__setitem__(index, value)
        except IndexError as error:
            raise Misuse(f"writes beyond {self.label}: {error}") from None


class WatchedState:
    """A state ``s`` or ``t`` as a rule sees it: ``s.field``, ``s.field[i]``, ``s["field"]``."""

    __slots__ = ("_array", "_name", "_writeable")

    def __init__(self, array: State, name: str, writeable: bool) -> None:
        for slot, value in zip(self.__slots__, (array, name, writeable), strict=True):
            object.__setattr__(self, slot, value)

    def __getattr__(self, field: str) -> Any:
        value = self._array[self._checked(field)][0]
        if isinstance(value, np.ndarray):
            return Cells.of(value, f"{self._name}.{field}", self._writeable)
        return number(value)

    def __setattr__(self, field: str, value: Any) -> None:
        column = self._array[self._checked(field)]
        if not self._writeable:
            raise Misuse(f"writes into {self._name}.{field}, but {self._name} must stay as it is")
        fit(value, column.dtype, f"the field {field}")
        column[0] = value

    def __getitem__(self, field: str) -> Any:
        return getattr(self, field)

    def __setitem__(self, field: str, value: Any) -> None:
        setattr(self, field, value)

    def _checked(self, field: str) -> str:
        names = self._array.dtype.names
        if field not in names:
            raise Misuse(f"uses {self._name}.{field}, but the state has only {', '.join(names)}")
        return field


def fields_text(state: State) -> str:
    """A state field by field: ``rows=4.4.2;turn=0``."""
    return ";".join(f"{name}={'.'.join(str(x) for x in np.ravel(state[name]))}"
                    for name in state.dtype.names or ())


def differing(one: State, other: State) -> list[str]:
    """The fields in which two states differ."""
    names = one.dtype.names or ()
    return [name for name in names if one[name].tobytes() != other[name].tobytes()]


def without_padding(state: State) -> State:
    """A copy of a state with zeros between its fields."""
    clean = np.zeros(1, state.dtype)
    clean[:] = state
    return clean


def line_of(error: BaseException) -> str:
    """Return where in the author's own code an exception came from."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if not frame.filename.startswith(WATCHERS) and "numpy" not in frame.filename]
    return f" (line {frames[-1].lineno} of {Path(frames[-1].filename).name})" if frames else ""


class Watched:
    """The rules of a game as plain Python functions on whole states."""

    how = ""  # in sentences

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.g = rules.data
        if rules.data:
            parts = [
                Cells.of(part, f"g.{name}", False) if isinstance(part, np.ndarray) else number(part)
                for name, part in zip(rules.data._fields, rules.data, strict=True)
            ]
            self.g = type(rules.data)(*parts)

    def call(self, part: str, *arguments: Any) -> Any:
        """One function of the rules; whatever it raises becomes ``Wrong``."""
        return self._run(part, getattr(self.rules, part), *arguments)

    def _run(self, part: str, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            with np.errstate(all="ignore"):
                return within(SECONDS, function, self.g, *arguments)
        except Misuse as error:
            raise Wrong(part, f"{part} {error}{line_of(error)}, at {{at}}.", error) from None
        except RuleTimeout as error:
            raise Wrong(part, f"{part} does not return within {SECONDS:g} seconds as plain "
                              f"Python{line_of(error)}; is there an endless loop? At {{at}}.",
                        error) from None
        except Exception as error:
            if part == "key" and isinstance(error, OverflowError):
                return None  # a hash may wrap around, which Python's numbers do not
            raise Wrong(part, f"{part} raises {type(error).__name__} as plain Python: {error}"
                              f"{line_of(error)}, at {{at}}.", error) from None

    def outcome(self, state: State) -> Any:
        """Return what the rule returns, whatever it is."""
        return self.call("outcome", self._read(state))

    def mover(self, state: State) -> Any:
        """Return what the rule returns, whatever it is."""
        return self.call("mover", self._read(state))

    def key(self, state: State) -> Any:
        """The key modulo 2**64; None where plain numbers can't tell."""
        key = self.call("key", self._read(state))
        return key if key is None or not isinstance(key, int | np.integer) else int(key) % (1 << 64)

    def moves(self, state: State, part: str = "moves") -> tuple[Any, list[int | None]]:
        """Return what ``moves``, ``forced`` or ``candidates`` returns, and the list as written:
        None where it is not."""
        room = 2 * self.rules.max_moves + 64
        out = Cells.of(np.full(room, UNWRITTEN), "the list of moves", True)
        side = (int(self.mover(state)),) if part == "candidates" else ()
        n = self.call(part, self._read(state), *side, out)
        used = min(int(n), room) if isinstance(n, int | np.integer) else 0
        codes = out[: max(used, 0)].tolist()
        return n, [None if code == UNWRITTEN else code for code in codes]

    def step(self, state: State, move: int, junk: int) -> State:
        """The successor, written over a state full of ``junk`` bytes."""
        target = np.zeros(1, self.rules.dtype)
        target.view(np.uint8)[:] = junk
        self.call("play", self._read(state), move, WatchedState(target, "t", True))
        return target

    def canonical(self, state: State, junk: int) -> tuple[State, Any]:
        """The representative, written over ``junk``, and which symmetry leads to it."""
        target = np.zeros(1, self.rules.dtype)
        target.view(np.uint8)[:] = junk
        return target, self.call("canonical", self._read(state), WatchedState(target, "t", True))

    def move_image(self, k: int, move: int) -> Any:
        """Return what the rule returns, whatever it is."""
        return self.call("move_image", k, move)

    def known(self, part: str, state: State, *more: int) -> Any:
        """Return what ``estimate``, ``cannot_win``, ``foreseen``, ``remaining``, ``finish``,
        ``evaluate`` or ``score`` returns."""
        return self.call(part, self._read(state), *more)

    def categories(self, state: State, codes: list[int]) -> list[int]:
        """The category of each move; -1 where none is written."""
        room = 2 * self.rules.max_moves + 64
        moves, out = np.zeros(room, np.int64), np.full(room, -1)
        moves[: len(codes)] = codes
        self.call("categories", self._read(state), Cells.of(moves, "the list of moves", False),
                  len(codes), Cells.of(out, "the list of categories", True))
        return [int(kind) for kind in out[: len(codes)]]

    def repeat(self, path: list[State], i: int) -> Any:
        """Return what the rule says of a path whose last state is that at ``i`` again."""
        return self.call("repeat", [self._read(state) for state in path], i, len(path) - 1)

    def _read(self, state: State) -> Any:
        return WatchedState(state, "s", False)


def whole(value: Any) -> int | None:
    """``value`` as a whole number, or None if it is none."""
    return int(value) if isinstance(value, int | np.integer | np.bool_) else None


def in_range(part: str, value: Any, how: str, high: int, valid: str) -> int:
    """Return what a rule returns, if it is one of the numbers from 0 to ``high``."""
    found = whole(value)
    if found is None or not 0 <= found <= high:
        raise Wrong(part, f"{part} returns {value!r}{how}; it must be {valid}, at {{at}}.")
    return found


def counted_moves(rules: Rules, part: str, n: Any, written: list[int | None],
                  how: str) -> list[int]:
    """The moves that ``moves``, ``forced`` or ``candidates`` gives, if they are numbers at all."""
    count = whole(n)
    if count is None or count < 0:
        raise Wrong(part, f"{part} returns {n!r}{how}, not the number of moves, at {{at}}.")
    if count > rules.max_moves:
        raise Wrong(part, f"{part} gives {count} moves, but max_moves is {rules.max_moves}, at "
                          "{at}.")
    codes = [code for code in written if code is not None]
    if len(codes) < count:
        raise Wrong(part, f"{part} returns {count}, but writes only {len(codes)} "
                          f"move{'' if len(codes) == 1 else 's'}, at {{at}}.")
    for code in codes:
        if code not in INT32:
            raise Wrong(part, f"{part} gives the move {code}, which is beyond 32 bits, at {{at}}.")
    return codes


POSITIONS, FIRST_SECONDS = 100, 0.15  # whichever comes first
CALLED = ("moves", "play", "mover", "outcome", "key")
LISTS = ("forced", "candidates", "captures")
KNOWN = ("estimate", "remaining", "finish", "evaluate", "in_check")
OWN = "zermelo."
# Plain Python refuses these for other reasons than compiled code does, which has its own words.
UNDECIDED = (TypeError, OverflowError, NameError, AttributeError, NotImplementedError)

_seen: set[tuple[Any, ...]] = set()


def look_first(game: Game, state: State) -> None:
    """Refuse ``game`` if its rules do harm in random games from ``state`` or from its start.

    Done once for each set of rules and parameters; the library's own games need no such look.
    """
    if not _needs_a_look(game.rules):
        return
    digest = Reading(*(getattr(game.rules, part) for part in CALLED)).digest()
    key = (type(game).__qualname__, *map(repr, game.values.items()), digest)
    if key in _seen:
        return
    _seen.add(key)
    try:
        _play(game, state)
        start = _start_of(game)
        if start is not None and start.tobytes() != state.tobytes():
            _play(game, start)
    except BadGame:
        _seen.discard(key)  # it is no better the next time
        raise


def _needs_a_look(rules: Rules) -> bool:
    functions = [getattr(rules, part) for part in CALLED]
    plain = all(isinstance(function, types.FunctionType) for function in functions)
    return plain and not all(function.__module__.startswith(OWN) for function in functions)


def _start_of(game: Game) -> State | None:
    """The initial state, where there is one; other positions may be all that a game has."""
    try:
        return np.array(game.start().state)
    except Exception:
        return None


def _play(game: Game, start: State) -> None:
    """Random games from ``start``, for that many positions or that long."""
    rule, chance = Watched(game.rules), Random(0)
    until = time.thread_time() + FIRST_SECONDS
    state, move, length = start, None, 0
    try:
        for _ in range(POSITIONS):
            codes = _look(rule, state)
            if not codes or length >= game.rules.max_length:
                if length == 0:
                    return
                state, length = start, 0
                continue
            move = chance.choice(codes)
            after = _step(rule, state, move)
            state, move, length = after, None, length + 1
            if time.thread_time() > until:
                return
    except Wrong as wrong:
        if isinstance(wrong.error, UNDECIDED) or _wraps(wrong.error) or _by_the_compiler(wrong):
            return
        where = quoted(fields_text(state)) + ("" if move is None else f", move {move}")
        sentence = wrong.sentence.replace("{at}", where).rstrip(".")
        raise BadGame(f"{game.name}: {sentence}; {hint(game)}.") from None


def _look(rule: Watched, state: State) -> list[int]:
    """The moves of a position where the game goes on, after a look at what the rules say."""
    rules = rule.rules
    outcome = in_range("outcome", rule.outcome(state), "", DRAW, "0 to 3")
    mover = in_range("mover", rule.mover(state), "", 1, "0 or 1")
    rule.key(state)
    if outcome != ONGOING:
        if rules.score is not None:
            rule.known("score", state)
        return []
    codes = counted_moves(rules, "moves", *rule.moves(state), "")
    if not codes:
        return []
    for part in LISTS:
        if getattr(rules, part) is not None:
            counted_moves(rules, part, *rule.moves(state, part), "")
    for part in KNOWN:
        if getattr(rules, part) is not None:
            rule.known(part, state)
    for part in ("cannot_win", "foreseen"):
        if getattr(rules, part) is not None:
            rule.known(part, state, mover)
    if rules.canonical is not None:
        rule.canonical(state, 0)
    if rules.categories is not None:
        rule.categories(state, codes)
    return codes


def _step(rule: Watched, state: State, move: int) -> State:
    """The state after ``move``, with clean padding, if ``play`` writes all of it."""
    one, other = rule.step(state, move, 0x55), rule.step(state, move, 0xAA)
    missed = differing(one, other)
    if missed:
        raise Wrong("play", f"play does not write all of t: {', '.join(missed)} is left as it was, "
                            "at {at}.")
    return without_padding(one)


def _wraps(error: BaseException | None) -> bool:
    """A 64-bit number that is too large wraps around in compiled code, as hashes are meant to."""
    return isinstance(error, DoesNotFit) and "8 ends at" in str(error)


def _by_the_compiler(wrong: Wrong) -> bool:
    """A rule calls a function that its author has compiled, which takes no watched states."""
    return type(wrong.error).__module__.startswith("numba")
