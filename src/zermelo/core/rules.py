"""Rules: a game as a record of small functions, and Parameter: what a game may be told.

A game's rules are a NumPy dtype for the state and a few functions on it, written in the subset of
Python that Numba compiles. The functions are ordinary closures: integers from the enclosing method
become constants of the machine code. The library compiles them; a game imports neither Numba nor a
search.

A game may also declare its ``Lines``, where it is won by taking all squares of one: then it can be
asked about threats, who completes a line next turn, and what it takes to stop that. ``Dependence``
is for proofs with zones. ``rules_digest`` covers the functions, all that these use, and their data.
"""

from __future__ import annotations

import dataclasses
import hashlib
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from zermelo.compiler.fingerprint import Reading, Unhashable, call_of, fingerprint, is_own
from zermelo.compiler.jit import jit_enabled
from zermelo.errors import BadGame, BadOption, did_you_mean, one_line, quoted

Function = Callable[..., Any]
MOST_SQUARES = 64  # a zone is one word
MOST_THREATS = 128  # zones that ``sight`` may write


@dataclass(frozen=True)
class Dependence:
    """Facts by which a search may leave out replies that a proof does not depend on.

    It is for games in which each move puts a stone of the mover on one empty square, where it
    stays, every empty square is a move until the game is over, and the number of stones says who
    moves. Sets of squares are words: bit i is square i, at most 64 of them. A win, once there, must
    not be undone by other stones.

    squares how many squares there are
    stones  ``stones(g, s, side) -> uint64``: the squares with stones of a player
    ending  ``ending(g, s) -> uint64``: squares of the winner's stones in a finished game that is
            won. Whenever the winner has stones on all of them, that player has won, unless the
            other one had won before
    move    ``move(g, move) -> uint64``: the square of a move
    rival   ``rival(g, s, side, plies) -> uint64``: the squares where a stone of ``side`` may belong
            to a win of that player within ``plies`` plies. None: there are no draws, and the two
            players can't both have stones on squares with which they win, so that a player who
            wins need not mind what the other one builds
    sight   ``sight(g, s, zones) -> (verdict, zone, n)``: what is seen without a search. 1: the
            mover certainly wins, and that depends on no squares but those of ``zone``, which are
            empty or the winner's; -1: the same for the other side; 0: unknown, and ``zones[:n]``,
            at most MOST_THREATS, are zones of wins of the other side, each good whatever the mover
            plays outside it. Where there is a ``rival``, a win takes no more plies than its zone
            has empty squares
    moves   the legal moves, as ``Rules.moves`` writes them, those first that are to be tried first
    """

    squares: int
    stones: Function
    ending: Function
    move: Function
    rival: Function | None = None
    sight: Function | None = None
    moves: Function | None = None

    def check(self, owner: str, cyclic: bool) -> None:
        """Refuse what no search could use."""
        optional = ("rival", "sight", "moves")
        for part in ("stones", "ending", "move", *optional):
            value = getattr(self, part)
            if not callable(value) and not (value is None and part in optional):
                raise BadGame(f"{owner}: dependence.{part} must be a function, not "
                              f"{quoted(value)}.")
        if type(self.squares) is not int or not 1 <= self.squares <= MOST_SQUARES:
            raise BadGame(f"{owner}: dependence.squares={quoted(self.squares)} must be a whole "
                          f"number from 1 to {MOST_SQUARES}.")
        if cyclic:
            raise BadGame(f"{owner}: dependence is for games in which stones stay where they are; "
                          "this one is cyclic.")


Array = np.ndarray[Any, Any]
EMPTY = 2  # owners of squares: 0 the first player, 1 the second


@dataclass(frozen=True, eq=False)
class Lines:
    """A player who has all squares of one of ``sets`` has won; the move ``i`` takes square ``i``.

    squares  how many squares there are
    sets     the lines, a row of square numbers each
    stones   moves a turn, from the second turn of the game on
    read     ``read(state)``: the owners of the squares (0, 1 or EMPTY), and the moves left in this
             turn
    guards   a row for each line: squares that must not be the player's as well, or the line does
             not count; -1 for none
    joint    this many stones stop all lines through any two squares; None if nobody knows
    """

    squares: int
    sets: Array
    stones: int
    read: Callable[[Any], tuple[Array, int]]
    guards: Array | None = None
    joint: int | None = None


ONGOING, FIRST_WINS, SECOND_WINS, DRAW = 0, 1, 2, 3
OUTCOMES = (None, "first", "second", "draw")
NO_MOVE = -(1 << 31)  # not the code of any move
MOST_POINTS = 1_000_000  # no evaluation is further from 0


@dataclass(frozen=True)
class Parameter:
    """One parameter of a game: its default, and what is valid.

    ``compile`` parameters (sizes, line length) become constants of the machine code: another value
    is compiled anew. ``data`` parameters (seeds, weights) reach the rules through ``Rules.data``.
    An ``implied`` parameter is left out of certificates where it has its default.
    """

    default: Any
    help: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str | int, ...] = ()
    kind: str = "compile"
    implied: bool = False

    @property
    def valid(self) -> str:
        """Return what it may be, in words."""
        if self.choices:
            return ", ".join(map(str, self.choices))
        low, high = ("any" if end is None else str(end) for end in (self.low, self.high))
        return low if low == high else f"{low} to {high}"

    def read(self, owner: str, name: str, value: Any) -> Any:
        """``value``, given as text or as a number, checked."""
        if self.choices:
            for choice in self.choices:
                if type(value) in (str, int) and value in (choice, str(choice)):
                    return choice
            raise BadOption(f"{owner}: {name}={quoted(value)} is not one of {self.valid}.")
        try:
            # int reads the digits of any script.
            foreign = isinstance(value, str) and not value.isascii()
            number = None if foreign or isinstance(value, float) else int(value)
        except (TypeError, ValueError):
            number = None
        if number is None or isinstance(value, bool):
            raise BadOption(f"{owner}: {name}={quoted(value)} is not a whole number.")
        low = self.low if self.low is not None else number
        high = self.high if self.high is not None else number
        if not low <= number <= high:
            raise BadOption(
                f"{owner}: {name}={number if abs(number) < 2**64 else quoted(number)} is out of "
                f"range; valid is {self.valid}."
            )
        return number


def read_parameters(owner: str, parameters: dict[str, Parameter],
                    given: dict[str, Any]) -> dict[str, Any]:
    """The values of all parameters of ``owner``, checked; those not given have their defaults."""
    unknown = [name for name in given if name not in parameters]
    if unknown:
        valid = ", ".join(parameters) or "none"
        raise BadOption(f"{owner} has no parameter {quoted(unknown[0])}"
                        f"{did_you_mean(unknown[0], parameters)}; it has: {valid}.")
    return {name: parameter.read(owner, name, given.get(name, parameter.default))
            for name, parameter in parameters.items()}


@dataclass(frozen=True)
class Rules:
    """The rules of a game with fixed parameters. ``g`` is ``data``; ``s`` and ``t`` are states.

    state       fields of the state, as for ``np.dtype``: ``[("own", "u8"), ("mask", "u8")]``
    max_moves   no position has more moves than this
    max_length  no game lasts longer; a playout that gets there is a draw
    moves       ``moves(g, s, out) -> n`` writes the legal moves, as codes, in a fixed order; 0 in
                an ongoing position means that its mover has lost
    play        ``play(g, s, move, t)`` writes all fields of the successor of ``s`` into ``t``
    mover       ``mover(g, s)``: who moves, 0 or 1
    outcome     ``outcome(g, s)``: ONGOING, FIRST_WINS, SECOND_WINS or DRAW
    key         ``key(g, s) -> uint64``: a hash of all of the state, the mover included
    data        a NamedTuple of arrays and numbers (its class at the top level of a module)
    exact_key   two different states never have the same key
    canonical   ``canonical(g, s, t) -> k`` writes the representative of ``s`` among its images;
                k says which symmetry was used
    move_image  ``move_image(g, k, move)`` maps a move of that representative back to ``s``
    cyclic      a position can repeat
    repeat      ``repeat(g, path, i, n)``: the outcome when state n of the path equals state i;
                without it a repetition is a draw
    playout     ``playout(g, s, rng, scratch)``: the outcome of a game of uniformly random moves
                from ``s``, which stays as it is
    playouts    ``playouts(g, s, rng, n, won, scratch)``: how many of ``n`` such games end with
                the outcome ``won``; for games that can play many side by side
    counted_playout  ``counted_playout(g, s, rng, scratch) -> (end, choices)``: a game as of
                ``playout``, and how many moves there were to choose from in all its positions; for
                games that had better not be asked for each of them
    forced      ``forced(g, s, out) -> n``: some of the legal moves, enough to know the value; 0
                for all of them
    keeps_length  ``forced`` keeps how soon the game is won, too; players move in turn, and a win
                comes with the winner's own move
    candidates  ``candidates(g, s, side, out) -> n``: those moves of ``side``, who is to move, that
                a narrow search for a win of that side is to try; possibly none
    estimate    ``estimate(g, s) -> (phi, delta)``: how much work it looks for the mover to win an
                ongoing position, and for the other side to prevent that; whole numbers from 1
    cannot_win  ``cannot_win(g, s, side)``: True if ``side`` does not win an ongoing position
                against best play: a sufficient condition, never wrong; False says nothing
    foreseen    ``foreseen(g, s, side)``: 1 if ``side`` certainly wins an ongoing position against
                best play, -1 if it certainly does not, 0 if that is not to be seen
    ahead       ``ahead(g, s, stop, counted)``: all moves of ``s`` will be played now, up to one
                that ends the game with an outcome whose bit is in ``stop``, and if there is none
                and ``counted``, the moves of what they lead to will be asked for: for games that
                do better to work them out together
    stream      ``stream(g, s) -> uint64``: which random numbers are drawn at ``s``, where that is
                not the key's to say, because it is another one in another process
    remaining   ``remaining(g, s)``: how many plies an ongoing game can still last, about
    endgame     ``endgame(g, s, side, threshold, space) -> (reached, seen)``: whether ``side`` gets
                at least ``threshold`` from an ongoing position, by a search of the game's own, and
                how many positions that looked at; a win is a score of at least 1. ``space``: an
                array of ``endgame_space`` words for it, zeros at first, kept from call to call
    finish      ``finish(g, s)``: a move with which the mover certainly wins an ongoing position,
                the sooner the better, or NO_MOVE: it keeps certificates small, searches don't ask
    score       ``score(g, s)``: the final score of a finished game from the first player's side:
                above 0 where that player has won, 0 in a draw
    evaluate    ``evaluate(g, s)``: how good an ongoing position looks for the player to move, in
                points: a whole number, further from 0 than MOST_POINTS never
    captures    ``captures(g, s, out) -> n``: the legal moves of an ongoing position that change its
                evaluation at once, the most promising first; a quiescence search tries them alone
    in_check    ``in_check(g, s)``: True if the evaluation of an ongoing position says little, so
                that a quiescence search tries all moves
    categories  ``categories(g, s, moves, n, out)`` writes the category of each of the ``n`` moves,
                a number from 0, into ``out``; ``category_names`` are their names
    probabilities  how likely a move of each category is played where there is one, 0 to 1
    lines       the lines to complete, where that is how the game is won (see ``Lines``)
    dependence  which squares a win and a move depend on (see ``Dependence``)
    max_score   no score is further from 0 than this; ``score_step``: scores differ from it by
                multiples of this
    """

    state: Any
    max_moves: int
    max_length: int
    moves: Function
    play: Function
    mover: Function
    outcome: Function
    key: Function
    data: Any = ()
    exact_key: bool = False
    canonical: Function | None = None
    move_image: Function | None = None
    cyclic: bool = False
    repeat: Function | None = None
    playout: Function | None = None
    playouts: Function | None = None
    counted_playout: Function | None = None
    forced: Function | None = None
    candidates: Function | None = None
    estimate: Function | None = None
    cannot_win: Function | None = None
    foreseen: Function | None = None
    ahead: Function | None = None
    stream: Function | None = None
    remaining: Function | None = None
    endgame: Function | None = None
    finish: Function | None = None
    score: Function | None = None
    evaluate: Function | None = None
    captures: Function | None = None
    in_check: Function | None = None
    categories: Function | None = None
    category_names: tuple[str, ...] = ()
    probabilities: tuple[float, ...] = ()
    lines: Lines | None = None
    dependence: Dependence | None = None
    max_score: int = 1
    score_step: int = 1
    endgame_space: int = 1
    keeps_length: bool = False

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The state as an aligned NumPy dtype."""
        dtype: np.dtype[Any] = np.dtype(self.state, align=True)
        return dtype

    @cached_property
    def reading(self) -> Reading:
        """The values that the functions of a user's game depend on, as they are when this is first
        asked for; those of the library's own games do not change."""
        functions = [value for value in vars(self).values()
                     if isinstance(value, types.FunctionType)]
        return Reading() if all(map(is_own, functions)) else Reading(*functions)

    def check(self, owner: str) -> None:
        """Refuse what no search could run: a bad dtype, a missing function, a bound below 1."""
        try:
            dtype = self.dtype
        except (TypeError, ValueError) as error:
            raise BadGame(
                f"{owner}: state {quoted(self.state)} is not a dtype: {one_line(error)}."
            ) from None
        if dtype.names is None or dtype.hasobject:
            raise BadGame(
                f"{owner}: state must have named fields of plain numbers, not {quoted(dtype)}."
            )
        for part in ("max_moves", "max_length", "max_score", "score_step", "endgame_space"):
            bound = getattr(self, part)
            if not isinstance(bound, int) or bound < 1:
                raise BadGame(
                    f"{owner}: {part}={quoted(bound)} must be a whole number of at least 1."
                )
        optional = ("canonical", "move_image", "repeat", "playout", "playouts", "counted_playout",
                    "forced", "candidates", "estimate", "cannot_win", "foreseen", "ahead", "stream",
                    "remaining", "endgame", "finish", "score", "evaluate", "captures", "in_check",
                    "categories")
        for part in ("moves", "play", "mover", "outcome", "key", *optional):
            value = getattr(self, part)
            if not callable(value) and not (value is None and part in optional):
                raise BadGame(f"{owner}: {part} must be a function, not {quoted(value)}.")
            if jit_enabled() and isinstance(value, types.FunctionType):
                self._check_printing(owner, part, value)
        if (self.canonical is None) != (self.move_image is None):
            raise BadGame(f"{owner}: canonical and move_image belong together.")
        self._check_categories(owner)
        if self.dependence is not None:
            self.dependence.check(owner, self.cyclic)
        if not isinstance(self.data, tuple):
            raise BadGame(f"{owner}: data must be a NamedTuple, not a {type(self.data).__name__}.")

    def _check_printing(self, owner: str, part: str, function: types.FunctionType) -> None:
        """Inner functions of kernels know no Python objects, so ``print`` would never return."""
        place = call_of(function, print)
        if place is not None:
            raise BadGame(f"{owner}: {part} calls print ({place}), which compiled rules can't; "
                          "remove it, or set NUMBA_DISABLE_JIT=1 to run them as plain Python.")

    def _check_categories(self, owner: str) -> None:
        if (self.categories is None) != (not self.category_names):
            raise BadGame(f"{owner}: categories and category_names belong together.")
        given, names = self.probabilities, self.category_names
        if given and (len(given) != len(names) or not all(0.0 <= p <= 1.0 for p in given)):
            raise BadGame(f"{owner}: probabilities={quoted(given)} must be a number from 0 to 1 "
                          f"for each of the {len(names)} category_names.")


DIGITS = 32
# What saves time and changes nothing else, and what no search asks that can be saved.
BESIDE = ("ahead", "captures", "in_check")


def rules_digest(name: str, rules: Rules) -> str:
    """The digest of the rules of the game ``name``; BadOption where they have none."""
    digest = hashlib.sha256()
    try:
        _add(digest, rules)
    except Unhashable:
        raise BadOption(f"{name}: its rules use something that can't be told apart from one run to "
                        "the next, so a checkpoint could not say whether they are the same.") \
            from None
    return digest.hexdigest()[:DIGITS]


def _add(digest: Any, value: Any) -> None:
    if isinstance(value, types.FunctionType):
        digest.update(fingerprint(value).encode())
    elif isinstance(value, np.ndarray):
        digest.update(f"array {value.dtype} {value.shape}".encode())
        digest.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, tuple | list):
        digest.update(f"{len(value)} items".encode())
        for item in value:
            _add(digest, item)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            if isinstance(value, Lines) and field.name == "read":  # it is never compiled
                continue
            if field.name in BESIDE:
                continue
            digest.update(f" {field.name} ".encode())
            _add(digest, getattr(value, field.name))
    elif value is None or isinstance(value, bool | int | float | str | np.generic):
        digest.update(f"{type(value).__name__} {value!r}".encode())
    else:
        raise Unhashable(type(value).__name__)
