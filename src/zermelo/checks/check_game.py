"""check_game(): look for the mistakes that a game can have, and say where they are.

Before a rule is called, the fields, functions and data of the game are checked. Then the rules run
as plain Python on watched states (``core.watched``), which finds wrong indices and numbers without
harm. Only if that goes well they are compiled, compared with the plain ones, and put through many
more random games. What is written as text must be read back.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

import numpy as np

from zermelo.checks.knowledge import (
    CLAIMS,
    check_dependence,
    check_knowledge,
    check_plain_playouts,
    check_playouts,
    check_same_claims,
    check_some_moves,
    check_symmetry,
    check_truth,
    with_choice,
)
from zermelo.checks.plain import PlainChecks
from zermelo.checks.walk import (
    BY_CHANCE,
    HINT,
    Findings,
    Keys,
    Machine,
    RandomGames,
    StateLook,
    identity,
    lost_without_a_move,
    sample_text,
    varies,
)
from zermelo.compiler.fingerprint import Reading
from zermelo.compiler.jit import jit_enabled, kernel
from zermelo.core.board import moves_array, states_array
from zermelo.core.game import Game
from zermelo.core.game_files import hint, remember_check
from zermelo.core.object_game import ObjectGame
from zermelo.core.position import Position
from zermelo.core.rules import ONGOING, Rules
from zermelo.core.watched import State, Watched, Wrong, differing
from zermelo.errors import ZermeloError, counted, quoted
from zermelo.search.best_first.plan import MOST_CHILDREN

ARGUMENTS = {
    "moves": ("g", "s", "out"), "play": ("g", "s", "move", "t"), "mover": ("g", "s"),
    "outcome": ("g", "s"), "key": ("g", "s"), "canonical": ("g", "s", "t"),
    "move_image": ("g", "k", "move"), "repeat": ("g", "path", "i", "n"),
    "playout": ("g", "s", "rng", "scratch"),
    "playouts": ("g", "s", "rng", "n", "won", "scratch"), "forced": ("g", "s", "out"),
    "candidates": ("g", "s", "side", "out"),
    "estimate": ("g", "s"), "cannot_win": ("g", "s", "side"),
    "foreseen": ("g", "s", "side"), "remaining": ("g", "s"),
    "endgame": ("g", "s", "side", "threshold", "space"), "finish": ("g", "s"),
    "score": ("g", "s"), "evaluate": ("g", "s"), "captures": ("g", "s", "out"),
    "in_check": ("g", "s"), "categories": ("g", "s", "moves", "n", "out"),
}
TAKEN = frozenset(dir(np.record))


def check_shape(game: Game, findings: Findings) -> int:
    """StateLook at the definition only; how many functions it has."""
    rules = game.rules
    _check_fields(game, findings)
    parts = [part for part in ARGUMENTS if getattr(rules, part) is not None]
    for part in parts:
        _check_function(part, getattr(rules, part), findings)
    _check_data(rules.data, findings)
    if rules.max_moves > MOST_CHILDREN:
        findings.add("max_moves", f"max_moves={rules.max_moves} is beyond the {MOST_CHILDREN} "
                     "moves that a search can hold.", fatal=True)
    if rules.repeat is not None and not rules.cyclic:
        findings.add("repeat", "there is a function repeat, but cyclic=True is missing.")
    if (not isinstance(game.players, tuple) or len(game.players) != 2
            or not all(isinstance(name, str) for name in game.players)
            or len(set(game.players)) != 2):
        findings.add("players", f"players={game.players!r} must be two different names.",
                     fatal=True)
    return len(parts)


def _check_fields(game: Game, findings: Findings) -> None:
    dtype = game.rules.dtype
    for name in dtype.names or ():
        if name in TAKEN:
            findings.add("field name", f"the field {name} has the name of something that every "
                         "NumPy record has; give it another one.", fatal=True)
        base = dtype[name].base
        if base.kind not in "iufb" or base.names:
            findings.add("field type", f"the field {name} has the type {base}; a field is of whole "
                         "numbers (i8, u8, i4, ...), floats (f8) or an array of them.", fatal=True)


def _check_function(part: str, function: Any, findings: Findings) -> None:
    if not isinstance(function, types.FunctionType):
        findings.add(f"{part} kind", f"{part} is a {type(function).__name__}; give the plain "
                     "function, the library compiles it.", fatal=True)
        return
    expected = ARGUMENTS[part]
    given = [p for p in inspect.signature(function).parameters.values()
             if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(given) != len(expected):
        findings.add(f"{part} arguments", f"{part} takes ({', '.join(p.name for p in given)}), but "
                     f"is called as {part}({', '.join(expected)}).", fatal=True)
    strange = _strange(function)
    if strange is not None:
        name, value = strange
        hint = ("take numbers out of it first, as in columns = self['columns']"
                if isinstance(value, Game) else "pass it in data, a NamedTuple that arrives as g")
        findings.add(f"{part} refers", f"{part} refers to {name}, a {type(value).__name__}, which "
                     f"can't be a constant of compiled code; {hint}.")


def _strange(function: types.FunctionType) -> tuple[str, Any] | None:
    """Return the name and value of something that ``function``, or a function that it calls, refers
    to and that can't be a constant of compiled code; the methods of libraries are called."""
    problem = Reading(function).problem
    return (None if problem is None or inspect.isroutine(problem.value)
            else (problem.name, problem.value))


def _check_data(data: Any, findings: Findings) -> None:
    if data == ():
        return
    kind = type(data)
    if not hasattr(kind, "_fields"):
        findings.add("data", "data is a bare tuple; make it a NamedTuple, so that rules read "
                     "g.name.", fatal=True)
        return
    home: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split("."):
        home = getattr(home, name, None)
    if home is not kind:
        findings.add("data", f"the class {kind.__name__} of data must stand at the top level of "
                     "its module, or compiled code can't be kept on disk.")


RUBBISH = ("rubbish", "?", "-1", "0x1", "1,,2", "\u00e9")


def check_words(game: Game, looks: list[StateLook], findings: Findings) -> int:
    """Round trips of positions and of moves."""
    for look in looks:
        position = Position(game, look.state.copy())
        _check_position(game, position, look, findings)
        _check_moves(game, position, look, findings)
        for part in ("diagram", "svg"):
            drawn, error = _tried(getattr(game, part), position)
            if error or not isinstance(drawn, str):
                findings.add(part, f"{part} {error or 'does not return a text'}, at {{at}}.",
                             look.state)
    _check_rubbish(game, findings)
    return len(looks)


def _tried(function: Any, *arguments: Any) -> tuple[Any, str]:
    """Return what a function returns, or how it fails, in words."""
    try:
        return function(*arguments), ""
    except Exception as error:
        return None, f"raises {type(error).__name__}: {error}".rstrip(". ")


def _check_position(game: Game, position: Position, look: StateLook, findings: Findings) -> None:
    text, error = _tried(game.format, position)
    if error or not isinstance(text, str) or not text.strip():
        findings.add("format", f"format {error or f'returns {text!r}, not a text'}, at {{at}}.",
                     look.state)
        return
    again, error = _tried(game.parse, text)
    if error:
        findings.add("parse", f"parse does not read what format writes: {quoted(text)} {error}.")
    elif again != position:
        shown = again.text if isinstance(again, Position) else repr(again)
        findings.add("parse", f"parse does not give back what format writes: {quoted(text)} is "
                     f"read as {quoted(shown)}, or as a state with other fields.")


def _check_moves(game: Game, position: Position, look: StateLook, findings: Findings) -> None:
    names: dict[str, int] = {}
    for code in look.codes:
        name, error = _tried(game.move_name, position, code)
        if error or not isinstance(name, str):
            findings.add("move_name", f"move_name {error or f'returns {name!r}, not a text'}, at "
                         f"{{at}}, move code {code}.", look.state)
            return
        if name in names:
            findings.add("move_name", f"the moves {names[name]} and {code} have one name, "
                         f"{name!r}, at {{at}}.", look.state)
            return
        names[name] = code
    for name, code in names.items():
        again, error = _tried(game.parse_move, position, name)
        if error or again != code:
            findings.add("parse_move", f"parse_move of {name!r}, the name of move {code}, "
                         f"{error or f'gives {again!r}'}, at {{at}}.", look.state)
            return


def _check_rubbish(game: Game, findings: Findings) -> None:
    for text in RUBBISH:
        for part, arguments in (("parse", (text,)), ("parse_move", (game.start(), text))):
            try:
                getattr(game, part)(*arguments)
            except ZermeloError:
                continue
            except Exception as error:
                wanted = "BadPosition" if part == "parse" else "BadMove"
                findings.add(f"{part} rubbish", f"{part} of {text!r} raises "
                             f"{type(error).__name__}: {error}; bad text must raise {wanted}.")


ROUNDS = 100


def check_agreement(walk: RandomGames, looks: list[StateLook]) -> int:
    """The compiled rules on states that the plain ones have seen."""
    for look in looks:
        compiled = walk.look(look.state)
        if compiled is None:
            return 0
        pairs = [("outcome", look.outcome, compiled.outcome), ("mover", look.mover, compiled.mover),
                 ("moves", look.codes, compiled.codes), ("key", look.key, compiled.key)]
        for part, plain, machine in pairs:
            if plain is None or plain == machine:
                continue
            if _varies(walk, part, look.state):
                walk.findings.add(f"{part} varies", f"{part} gives different answers for one and "
                                  f"the same state; {BY_CHANCE}, at {{at}}.", look.state,
                                  fatal=True)
                return 0
            walk.findings.add(
                f"{part} differs", f"{part} gives {plain} as plain Python but {machine} compiled, "
                f"at {{at}}; {HINT}.", look.state, fatal=part == "moves")
        for move, after in look.after.items():
            if not _same_step(walk, look, move, after):
                return 0
    return len(looks)


def _varies(walk: RandomGames, part: str, state: State) -> bool:
    """Return True if a rule, as plain Python or compiled, gives different answers for one state."""
    return any(varies(partial(getattr(rule, part), state))
               for rule in (Watched(walk.rules), walk.rule))


def _after(rule: Watched, look: StateLook, move: int) -> bytes:
    return identity(rule.step(look.state, move, 0))


def _same_step(walk: RandomGames, look: StateLook, move: int, after: Any) -> bool:
    try:
        there = walk.rule.step(look.state, move, 0)
    except Wrong as wrong:
        walk.findings.add(wrong.part, wrong.sentence, look.state, fatal=True)
        return False
    fields = differing(there, after)
    rules: tuple[Watched, ...] = (Watched(walk.rules), walk.rule)
    if fields and any(varies(partial(_after, rule, look, move)) for rule in rules):
        walk.findings.add("play varies", "play gives different states for one and the same move; "
                          f"{BY_CHANCE}, at {{at}}, move {{move}}.", look.state, move=move,
                          fatal=True)
    elif fields:
        name = fields[0]
        walk.findings.add(
            "play differs", f"play gives {name}={after[name][0]} as plain Python but "
            f"{there[name][0]} compiled, at {{at}}, move {{move}}; {HINT}.", look.state, move=move)
    return not fields


def check_key_type(machine: Machine, findings: Findings) -> None:
    """A signed key would be compared as a float with a uint64."""
    found = machine.result_type("key")
    if found not in ("", "uint64"):
        findings.add("key type", f"key returns {found} in compiled code, not uint64; end it with "
                     "return np.uint64(...).")


def check_allocation(rules: Rules, look: StateLook, findings: Findings) -> bool:
    """Memory that a rule asks for at every call makes searches several times slower."""
    if not jit_enabled():
        return False
    try:  # the compiler's own count, by private names
        runtime: Any = import_module("numba.core.runtime")
        import_module("numba.core.runtime._nrt_python").memsys_enable_stats()
        count = runtime.rtsys.get_allocation_stats
    except (ImportError, AttributeError):
        return False
    run = kernel(_spin(rules))
    states, out = states_array(rules, 2), moves_array(rules)
    states[0] = look.state[0]
    run(rules.data, states, out, 1)
    made = []
    for rounds in (1, ROUNDS):
        before = count().alloc
        run(rules.data, states, out, rounds)
        made.append(count().alloc - before)
    if made[1] - made[0] >= ROUNDS - 1:
        findings.add("allocation", "the rules allocate memory whenever they are called (np.zeros, "
                     "a list, a copy), which makes searches several times slower; write into s, t "
                     "and out only.")
    return True


def _spin(rules: Rules) -> Any:
    moves, play, mover, outcome, key = (
        rules.moves, rules.play, rules.mover, rules.outcome, rules.key)
    forced, estimate = rules.forced or moves, rules.estimate or outcome
    cannot_win, foreseen = rules.cannot_win or _nothing, rules.foreseen or _nothing

    def spin(g, states, out, rounds):
        total = 0
        for _ in range(rounds):
            total += outcome(g, states[0]) + mover(g, states[0])
            total += forced(g, states[0], out)
            total += moves(g, states[0], out)
            estimate(g, states[0])
            total += cannot_win(g, states[0], total & 1)
            total += foreseen(g, states[0], total & 1)
            play(g, states[0], out[0], states[1])
            total += np.int64(key(g, states[1]))
        return total

    return spin


def _nothing(g: Any, s: Any, side: Any) -> bool:
    return False


PLAIN_POSITIONS, COMPILED_POSITIONS = 6, 40  # at most, for each game to be played
NEAR_POSITIONS = 1_500
SAMPLE, SMALL = 60, 1_000
KNOWLEDGE = ("estimate", "cannot_win", "foreseen", "remaining", "finish", "score", "evaluate",
             "in_check", "categories")


@dataclass
class GameReport:
    """The mistakes of a game, a sentence each, the checks made, and a game to look at.

    No check can know who ought to win. ``sample`` is a short random game with its last position and
    its winner, for a person who knows the rules.
    """

    problems: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    sample: str = ""

    @property
    def ok(self) -> bool:
        """No mistake was found."""
        return not self.problems


def check_game(game: Game | Callable[[], Game], start: Position | str | None = None,
               games: int = 100, seed: int = 0) -> GameReport:
    """Play ``games`` random games from ``start`` and look for mistakes in the definition.

    ``game`` may be a class or a function that makes the game: then what goes wrong in ``define`` is
    part of the report. ``start`` is a position or its text, the initial position unless given.
    """
    made: Game | None = None
    try:
        made = game if isinstance(game, Game) else game()
        if not isinstance(made, Game):
            return GameReport([f"{made!r} is not a zermelo.Game."])
        state = _start_state(made, start)
    except ZermeloError as error:
        return GameReport([str(error).replace(f"; {hint(made)}", "") if made else str(error)])
    except Exception as error:
        return GameReport([f"making the game or its start raises {type(error).__name__}: {error}."])
    if isinstance(made, ObjectGame):
        return _check_plain(made, Position(made, state), games, seed)
    findings = Findings(made)
    checker = _Checker(made, state, games, seed, findings)
    checker.run()
    if not findings.found:
        remember_check(made)
    return GameReport(findings.sentences(), checker.checks, checker.sample)


def _check_plain(game: ObjectGame, start: Position, games: int, seed: int) -> GameReport:
    """Check a game in plain Python."""
    checks = PlainChecks(game, games, seed)
    if start.outcome is not None:
        return GameReport([f"the game is over at its start {start.text!r}, so nothing could be "
                       "checked; give another position."])
    checks.run(start)
    if not checks.found:
        remember_check(game)
    return GameReport(list(checks.found.values()), checks.checks,
                  "" if checks.found else checks.sample)


def _start_state(game: Game, start: Position | str | None) -> State:
    position = game.parse(start) if isinstance(start, str) else start or game.start()
    if not isinstance(position, Position):
        raise TypeError(f"start() returns {position!r}, not a Position")
    return np.array(position.state)


class _Checker:
    """The checks, from the harmless to those that trust the rules."""

    def __init__(self, game: Game, start: State, games: int, seed: int,
                 findings: Findings) -> None:
        self.game, self.rules, self.start = game, game.rules, start
        self.games, self.seed, self.findings = games, seed, findings
        self.checks: list[str] = []
        self.sample = ""
        self.keys = Keys(game.rules, findings)

    def run(self) -> None:
        """All checks, as far as they can be made."""
        functions = check_shape(self.game, self.findings)
        self.checks.append(f"the definition: {len(self.rules.dtype.names or ())} fields, "
                           f"{functions} functions")
        if self.findings.fatal:
            return
        plain = self._plain()
        if not self.findings.fatal:
            self._compiled(plain)

    def _plain(self) -> list[StateLook]:
        """Random games in plain Python, and the optional functions there."""
        walk = RandomGames(Watched(self.rules), self.findings, self.keys)
        walk.run(self.start, self.games, PLAIN_POSITIONS * self.games, Random(self.seed))
        looks = list(walk.looks.values())
        if looks and looks[0].outcome != ONGOING:
            self.findings.add("start", "the game is over at its start {at}, so nothing else could "
                              "be checked; define start(), or give another position.", self.start,
                              fatal=True)
        if self.findings.fatal:
            return looks
        self.checks.append(f"plain Python: {counted(walk.games, 'random game')}, "
                           f"{counted(walk.positions, 'position')}")
        few = sample(looks, SAMPLE)
        self._optional(walk, sample(looks, SAMPLE // 4), "")
        check_plain_playouts(self.rules, sample(with_choice(looks), 5), self.findings)
        if self.rules.dependence is not None and not self.findings.found:
            ended = check_dependence(self.rules, self.start, Random(self.seed), self.findings)
            self.checks.append(f"dependence: {counted(ended, 'finished game')} again with other "
                               "stones")
        flipped = self.keys.check_mover(walk.rule, [look.state for look in few])
        if flipped:
            self.checks.append(f"the key tells who moves: {flipped} states with the other mover")
        return looks

    def _compiled(self, plain: list[StateLook]) -> None:
        """Check the rules in machine code: agreement, more games, texts."""
        machine = Machine(self.rules)
        walk = RandomGames(machine, self.findings, self.keys)
        agreed = check_agreement(walk, plain)
        if self.findings.fatal:
            return
        check_key_type(machine, self.findings)
        if agreed:
            self.checks.append(f"compiled code agrees with plain Python on "
                               f"{counted(agreed, 'position')}")
        most = COMPILED_POSITIONS * self.games if jit_enabled() else 1
        walk.run(self.start, self.games, most, Random(self.seed + 1))
        looks = list(walk.looks.values())
        roots = [look.state for look in sample(looks, 3)]
        near = walk.spread(roots, NEAR_POSITIONS if jit_enabled() else SAMPLE)
        if self.findings.fatal:
            return
        self.checks.append(f"compiled code: {counted(walk.games, 'random game')}, "
                           f"{counted(walk.positions, 'position')}, "
                           f"and {counted(near, 'position')} near one another")
        self.checks.append(f"keys: {counted(len(self.keys.owner), 'different position')}")
        if walk.stuck:
            self.checks.append(f"{lost_without_a_move(walk.stuck)}")
        few = sample(looks, SAMPLE)
        self._optional(walk, few, " compiled")
        self._knowledge(walk, looks, plain)
        self._playouts(looks)
        if not self.findings.found and check_allocation(self.rules, plain[0], self.findings):
            self.checks.append("memory: none is allocated by the rules")
        if not self.findings.fatal:
            count = check_words(self.game, few, self.findings)
            self.checks.append(f"text: {counted(count, 'position')} and "
                               f"{'its' if count == 1 else 'their'} moves written and read back")
        if not self.findings.found and walk.sample is not None:
            self.sample = sample_game(self.game, self.start, walk.sample[0])

    def _optional(self, walk: RandomGames, looks: list[StateLook], how: str) -> None:
        """Symmetries, forced moves and other knowledge, where the game has them."""
        if self.rules.canonical is not None and check_symmetry(walk, looks):
            self.checks.append(f"symmetries{how}: {counted(len(looks), 'position')}")
        going_on = [look for look in looks if look.outcome == ONGOING]
        for part, name in (("forced", "forced moves"), ("candidates", "candidates"),
                           ("captures", "captures")):
            there = getattr(self.rules, part) is not None and not self.findings.fatal
            if there and check_some_moves(walk, going_on, part):
                self.checks.append(f"{name}{how}: {counted(len(going_on), 'position')}")
        known = [part for part in KNOWLEDGE if getattr(self.rules, part) is not None]
        if known and not self.findings.fatal:
            over = [look for look in walk.looks.values() if look.outcome != ONGOING]
            ended = sample(over, SAMPLE) if self.rules.score is not None else []
            if check_knowledge(walk, going_on + ended):
                self.checks.append(f"{', '.join(known)}{how}: "
                                   f"{counted(len(going_on + ended), 'position')}")

    def _knowledge(self, walk: RandomGames, looks: list[StateLook], plain: list[StateLook]) -> None:
        """Hold what the game claims against plain Python and exhaustive search."""
        if not self.findings.fatal:
            check_same_claims(Watched(self.rules), walk, sample(plain, SAMPLE))
        claims = [part for part in CLAIMS if getattr(self.rules, part)]
        if claims and not self.rules.cyclic and not self.findings.found:
            going_on = [look for look in looks if look.outcome == ONGOING]
            settled = check_truth(walk, sample(going_on, SMALL))
            self.checks.append(f"{' and '.join(claims)} against exhaustive search: {settled} "
                               "positions")

    def _playouts(self, looks: list[StateLook]) -> None:
        """The game's own playouts against random moves."""
        few, own = sample(with_choice(looks), 6), (self.rules.playout, self.rules.playouts)
        if own != (None, None) and few and not self.findings.fatal:
            count = check_playouts(self.rules, few, self.seed, self.findings)
            if count:
                self.checks.append(f"playouts from {counted(count, 'position')} are like "
                                   "random moves")


def sample_game(game: Game, start: State, moves: list[int]) -> str:
    """A game in words: its moves, its last position, and who has won by the rules."""
    position, names = Position(game, np.array(start)), []
    for move in moves:
        names.append(game.move_name(position, move))
        position = position.play_code(move)
    return sample_text(names, position)


def sample(looks: list[StateLook], most: int) -> list[StateLook]:
    """At most ``most`` of ``looks``, evenly spread, the first among them."""
    step = -(-len(looks) // most) if looks else 1
    return looks[::step]
