"""Random games: is every position on the way sound, and does every move lead to another one?

The rules run as plain Python (``core.watched``) or as machine code (``Machine``), behind the same
methods. Keys of the states are compared on the way: two states must not share one, and above all a
key must tell who moves. What is wrong is collected in ``Findings``, one sentence for each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

import numpy as np

from zermelo.compiler.jit import core_of, jit_enabled, kernel
from zermelo.core.board import states_array
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.rules import DRAW, ONGOING, SECOND_WINS, Rules
from zermelo.core.watched import (
    State,
    Watched,
    Wrong,
    counted_moves,
    differing,
    in_range,
    whole,
    without_padding,
)
from zermelo.errors import counted


class Findings:
    """The mistakes of a game, the first of each kind, with the state and move where it shows."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.found: dict[str, tuple[str, list[State], int | None]] = {}
        self.fatal = False

    def add(self, kind: str, sentence: str, *states: State, move: int | None = None,
            fatal: bool = False) -> None:
        """Note a mistake; ``{at}`` and ``{and}`` in the sentence stand for the states' texts."""
        self.found.setdefault(kind, (sentence, [state.copy() for state in states], move))
        self.fatal |= fatal

    def sentences(self) -> list[str]:
        """The mistakes; positions in the game's own words unless its rules are too broken."""
        told = []
        for sentence, states, move in self.found.values():
            for mark, state in zip(("{at}", "{and}"), states, strict=False):
                sentence = sentence.replace(mark, self.text(state))
            if move is not None:
                sentence = sentence.replace("{move}", self.name(states[0], move))
            told.append(sentence)
        return told

    def text(self, state: State) -> str:
        """A state as the game writes it, or else field by field."""
        position = Position(self.game, state.copy())
        if not self.fatal:
            try:
                return repr(str(self.game.format(position)))
            except Exception:  # the text checks tell about it
                pass
        return repr(Game.format(self.game, position))

    def name(self, state: State, move: int) -> str:
        """A move as the game calls it, or else its code."""
        if not self.fatal:
            try:
                return str(self.game.move_name(Position(self.game, state.copy()), move))
            except Exception:
                pass
        return str(move)


def identity(state: State) -> bytes:
    """The fields of a state as bytes, without the padding between them."""
    return b"".join(state[name].tobytes() for name in state.dtype.names or ())


def untouched(one: State, other: State, fills: tuple[int, int]) -> bool:
    """Return True if two states differ only where each still has the byte that it was filled
    with."""
    pairs = zip(one.tobytes(), other.tobytes(), strict=True)
    return all(pair == fills for pair in pairs if pair[0] != pair[1])


def lost_without_a_move(count: int) -> str:
    """Positions in which the game is over because nothing can be played."""
    return (f"{counted(count, 'position')} without a move, lost for "
            f"{'its' if count == 1 else 'their'} mover")


LONGEST_SHOWN = 60  # moves of a game


def sample_text(names: list[str], end: Position) -> str:
    """A game in words: its moves, its last position, and who has won by the rules."""
    if len(names) > LONGEST_SHOWN:
        names = [*names[: LONGEST_SHOWN // 2], "...", *names[-LONGEST_SHOWN // 2 :]]
    winner = {"first": 0, "second": 1}.get(end.outcome or "")
    won = "a draw" if winner is None else f"{end.game.players[winner]} has won"
    return (f"a random game, for you to judge: {' '.join(names)}\n{end.diagram}\n"
            f"by the rules: {won}")


FEW = 4


class Keys:
    """All keys that were met, and the fields that come back to an earlier value during a game."""

    def __init__(self, rules: Rules, findings: Findings) -> None:
        self.rules, self.findings = rules, findings
        self.owner: dict[int, tuple[State, int]] = {}
        self.returning: set[str] = set()

    def enter(self, key: int | None, state: State, mover: int) -> None:
        """Note the key of a state; a second state with the same key is a mistake."""
        if key is None:
            return
        other, its_mover = self.owner.setdefault(key, (state, mover))
        if identity(other) == identity(state):
            return
        fields = ", ".join(differing(other, state))
        told = f"key gives {{at}} and {{and}} the same key {key}, although they differ in {fields}"
        if its_mover != mover:
            self.findings.add("key mover", f"{told} and in who moves.", other, state)
        elif self.rules.exact_key:
            self.findings.add("key", f"{told} and exact_key=True is claimed.", other, state)
        else:
            self.findings.add("key", f"{told}.", other, state)

    def note_path(self, path: list[State]) -> None:
        """A field that goes from a value to another and back is not a mere counter of moves."""
        if len(path) < 3:
            return
        before, between, now = path[-3:]
        for name in self.rules.dtype.names or ():
            if before[name].tobytes() == now[name].tobytes() != between[name].tobytes():
                self.returning.add(name)

    def check_mover(self, rule: Watched, states: Iterable[State]) -> int:
        """Exchange the mover, where one field holds it, and nothing else: the key must change."""
        seen = list(states)
        flipped = 0
        for name in sorted(self.returning):
            if self.rules.dtype[name].shape or self.rules.dtype[name].kind not in "iub":
                continue
            values = {int(state[name][0]) for state in seen}
            if len(values) > FEW:
                continue
            for state in seen:
                for value in sorted(values - {int(state[name][0])}):
                    flipped += self._flip(rule, state, name, value)
        return flipped

    def _flip(self, rule: Watched, state: State, name: str, value: int) -> int:
        other = np.array(state)
        other[name] = value
        try:
            if rule.mover(other) == rule.mover(state):
                return 0
            same = rule.key(other) is not None and rule.key(other) == rule.key(state)
        except Wrong:
            return 0  # no state of the game
        if same:
            self.findings.add(
                "key mover", f"key misses the mover: {{at}} has the same key with {name}={value}, "
                "when the other player moves.", state)
        return 1


SLACK = 4_096


class Machine(Watched):
    """The rules of a game as compiled functions on whole states."""

    how = " in compiled code" if jit_enabled() else ""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.out = np.zeros(2 * rules.max_moves + SLACK, np.int32)
        self._kernels: dict[str, Any] = {}

    def call(self, part: str, *arguments: Any) -> Any:
        """One function of the rules; what the compiler refuses becomes ``Wrong``."""
        if part not in self._kernels:
            self._kernels[part] = kernel(entry_of(self.rules, part))
        try:
            with np.errstate(all="ignore"):
                return self._kernels[part](self.rules.data, *arguments)
        except Exception as error:
            if jit_enabled() and not self._kernels[part].nopython_signatures:
                raise Wrong(part, f"{part} does not compile: {core_of(error)}.") from None
            raise Wrong(part, f"{part} raises {type(error).__name__}{self.how}: {error}, at "
                              "{at}.") from None

    def result_type(self, part: str) -> str:
        """The type that the compiled function returns, such as ``uint64``."""
        signatures = getattr(self._kernels[part], "nopython_signatures", ())
        return str(signatures[0].return_type) if signatures else ""

    def moves(self, state: State, part: str = "moves") -> tuple[Any, list[int | None]]:
        """Return what ``moves``, ``forced`` or ``candidates`` returns, and the list as written."""
        side = (self.mover(state),) if part == "candidates" else ()
        n = self.call(part, self._read(state), *side, self.out)
        used = min(int(n), len(self.out)) if isinstance(n, int | np.integer) else 0
        return n, self.out[: max(used, 0)].tolist()

    def step(self, state: State, move: int, junk: int) -> State:
        """The successor, written over a state full of ``junk`` bytes."""
        states = self._place(state, 2, junk)
        self.call("play", states, move)
        if any(states[name][:1].tobytes() != state[name].tobytes() for name in state.dtype.names):
            raise Wrong("play", "play changes s, which must stay as it is, at {at}.")
        return np.array(states[1:2])

    def canonical(self, state: State, junk: int) -> tuple[State, Any]:
        """The representative, written over ``junk``, and which symmetry leads to it."""
        states = self._place(state, 2, junk)
        k = self.call("canonical", states)
        return np.array(states[1:2]), k

    def categories(self, state: State, codes: list[int]) -> list[int]:
        """The category of each move; -1 where none is written."""
        moves, out = np.zeros(len(self.out), np.int32), np.full(len(self.out), -1, np.int32)
        moves[: len(codes)] = codes
        self.call("categories", self._read(state), moves, len(codes), out)
        return [int(kind) for kind in out[: len(codes)]]

    def repeat(self, path: list[State], i: int) -> Any:
        """Return what the rule says of a path whose last state is that at ``i`` again."""
        states = states_array(self.rules, len(path))
        for place, state in enumerate(path):
            states[place] = state[0]
        return self.call("repeat", states, i, len(path) - 1)

    def _read(self, state: State) -> State:
        return self._place(state, 1)

    def _place(self, state: State, n: int, junk: int = 0) -> State:
        states = states_array(self.rules, n)
        states.view(np.uint8)[:] = junk
        states[0] = state[0]
        return states


def entry_of(rules: Rules, part: str) -> Callable[..., Any]:
    """A function on arrays of states that calls one part of the rules."""
    rule: Any = getattr(rules, part)

    def on_state(g, states):
        return rule(g, states[0])

    def on_more(g, states, *more):
        return rule(g, states[0], *more)

    def on_pair(g, states, move):
        rule(g, states[0], move, states[1])

    def on_image(g, states):
        return rule(g, states[0], states[1])

    def on_numbers(g, *numbers):
        return rule(g, *numbers)

    entries: dict[str, Callable[..., Any]] = {
        "play": on_pair, "canonical": on_image, "move_image": on_numbers, "repeat": on_numbers,
        **dict.fromkeys(("moves", "forced", "captures", "cannot_win", "foreseen", "categories",
                         "candidates"), on_more)}
    return entries.get(part, on_state)


AGAIN = 8  # times that a rule is asked again whose answers differ
HINT = ("in compiled code a uint64 mixed with a signed number turns into a signed number or a "
        "float, and whole numbers wrap at 64 bits")
BY_CHANCE = ("a rule must depend on its arguments alone: on no random number, clock, counter or "
             "anything else that changes")
FILLS = (0x55, 0xAA)  # what a state is filled with before play writes it
SHORT_GAME = 5
TRIED = 2  # moves of a position that are played, besides the one that the game goes on with


@dataclass
class StateLook:
    """The answers of the rules about one state, and some of its successors by move."""

    state: State
    outcome: int
    mover: int
    codes: list[int]
    key: int | None
    after: dict[int, State] = field(default_factory=dict)


def _telling(played: list[int]) -> tuple[bool, int]:
    """Of games worth showing the shortest is the best; of those too short for that, the longest."""
    long = len(played) >= SHORT_GAME
    return long, -len(played) if long else len(played)


def varies(answer: Callable[[], Any]) -> bool:
    """Return True if a rule, asked the same again and again, gives different answers."""
    first = answer()
    return any(answer() != first for _ in range(AGAIN))


class RandomGames:
    """Random games under one set of rules; collects what it saw."""

    def __init__(self, rule: Watched, findings: Findings, keys: Keys) -> None:
        self.rule, self.rules, self.findings, self.keys = rule, rule.rules, findings, keys
        self.looks: dict[bytes, StateLook] = {}
        self.games = self.positions = self.changes = self.stuck = 0
        self.sample: tuple[list[int], StateLook] | None = None  # the moves and end of a game

    def run(self, start: State, games: int, positions: int, chance: Random) -> None:
        """Play until that many games or positions have been seen, or a rule is broken."""
        while self.games < games and self.positions < positions and not self.findings.fatal:
            self.game(start, chance)
            self.games += 1
        if self.rules.cyclic and self.changes == 0 and self.games and not self.findings.fatal:
            self.findings.add("unchanged", "play does not change the state: no move of any "
                              "position does, for example {move} at {at}.", start,
                              move=next(iter(self.looks[identity(start)].after), 0))

    def game(self, state: State, chance: Random) -> None:
        """One random game from ``state``."""
        path: list[State] = []
        played: list[int] = []
        met: dict[bytes, int] = {}
        while True:
            path.append(state)
            if self._repeats(path, met):
                return
            look = self.look(state)
            self.positions += 1
            if look is None:
                return
            if look.outcome != ONGOING:
                if self.sample is None or _telling(played) > _telling(self.sample[0]):
                    self.sample = (played, look)
                return
            if len(path) > self.rules.max_length and not self.rules.cyclic:
                self.findings.add(
                    "length", f"a game is not over after max_length={self.rules.max_length} moves, "
                    "at {at}.", state)
                return
            self.keys.note_path(path)
            chosen = chance.choice(look.codes)
            tried = chance.sample(look.codes, min(TRIED, len(look.codes)))
            for move in (*tried, chosen):
                if move not in look.after and not self._play(look, move):
                    return
            state = look.after[chosen]
            played.append(chosen)

    def look(self, state: State) -> StateLook | None:
        """Return what the rules say about ``state``; None if that makes no sense."""
        known = self.looks.get(identity(state))
        if known is not None:
            return known
        try:
            outcome = self._in_range("outcome", self._same("outcome", state), DRAW,
                                     "0 to 3: ONGOING, FIRST_WINS, SECOND_WINS or DRAW")
            mover = self._in_range("mover", self._same("mover", state), 1, "0 or 1")
            codes = self._codes(state, "moves") if outcome == ONGOING else []
            key = self._key(state)
        except Wrong as wrong:
            self.findings.add(wrong.part, wrong.sentence, state, fatal=True)
            return None
        if outcome == ONGOING and not codes:
            outcome = SECOND_WINS - mover
            self.stuck += 1
        look = StateLook(state, outcome, mover, codes, key)
        self.looks[identity(state)] = look
        self.keys.enter(key, state, mover)
        return look

    def codes(self, state: State, part: str) -> list[int] | None:
        """The moves that ``moves``, ``forced`` or ``candidates`` gives; None, and a finding, if
        they are wrong."""
        try:
            return self._codes(state, part)
        except Wrong as wrong:
            self.findings.add(wrong.part, wrong.sentence, state, fatal=True)
            return None

    def _codes(self, state: State, part: str) -> list[int]:
        n, written = self._same("moves", state, part)
        codes = counted_moves(self.rules, part, n, written, self.rule.how)
        met: set[int] = set()
        for code in codes:
            if code in met:
                raise Wrong(part, f"{part} gives the move {code} twice, at {{at}}.")
            met.add(code)
        return codes

    def _same(self, method: str, state: State, *part: str) -> Any:
        """Return what a rule says of a state, if it says the same again."""
        ask = partial(getattr(self.rule, method), state, *part)
        answer = ask()
        if repr(ask()) != repr(answer):  # whatever it is: an array has no answer to !=
            name = part[0] if part else method
            raise Wrong(name, f"{name} gives different answers for one and the same state; "
                              f"{BY_CHANCE}, at {{at}}.")
        return answer

    def _key(self, state: State) -> int | None:
        key, again = self.rule.key(state), self.rule.key(state)
        if key is not None and whole(key) is None:
            raise Wrong("key", f"key returns {key!r}{self.rule.how}, not a uint64, at {{at}}.")
        if key != again:
            raise Wrong("key", f"key gives {key} and then {again} for one state; {BY_CHANCE}, at "
                               "{at}.")
        return whole(key)

    def _in_range(self, part: str, value: Any, high: int, valid: str) -> int:
        return in_range(part, value, self.rule.how, high, valid)

    def _play(self, look: StateLook, move: int) -> bool:
        """Play ``move`` twice, over different bytes; False ends the game."""
        state = look.state
        try:
            one, other = (self.rule.step(state, move, fill) for fill in FILLS)
        except Wrong as wrong:
            sentence = wrong.sentence.replace("{at}", "{at}, move {move}")
            self.findings.add(wrong.part, sentence, state, move=move, fatal=True)
            return False
        missed = differing(one, other)
        if missed and not untouched(one, other, FILLS):
            self.findings.add("play varies", "play gives different states for one and the same "
                              f"move; {BY_CHANCE}, at {{at}}, move {{move}}.", state, move=move,
                              fatal=True)
            return False
        if missed:
            self.findings.add(
                "unwritten", f"play does not write all of t: {', '.join(missed)} is left as it "
                "was, at {at}, move {move}.", state, move=move, fatal=True)
            return False
        after = look.after[move] = without_padding(one)
        if identity(after) != identity(state):
            self.changes += 1
        elif not self.rules.cyclic:
            self.findings.add("unchanged", "play does not change the state, at {at}, move {move}.",
                              state, move=move)
            return False
        return True

    def _repeats(self, path: list[State], met: dict[bytes, int]) -> bool:
        """Has the last state of the path been on it before? Then the game ends."""
        last = len(path) - 1
        before = met.setdefault(identity(path[-1]), last)
        if before == last:
            return False
        if not self.rules.cyclic and "unchanged" not in self.findings.found:
            self.findings.add(
                "cyclic", f"a position repeats after {last - before} moves, at {{at}}, but the "
                "game is not declared cyclic=True.", path[-1])
        elif self.rules.cyclic and self.rules.repeat is not None:
            try:
                self._in_range("repeat", self.rule.repeat(path, before), DRAW, "0 to 3")
            except Wrong as wrong:
                self.findings.add(wrong.part, wrong.sentence, path[-1], fatal=True)
        return True

    def spread(self, roots: list[State], most: int) -> int:
        """Look at all positions near ``roots``, and so at many that can be reached in two ways."""
        count = 0
        for root in roots:
            level, room = {identity(root): root}, most // len(roots)
            while level and room > 0 and not self.findings.fatal:
                following: dict[bytes, State] = {}
                for state in list(level.values())[:room]:
                    look = self.look(state)
                    if look is None:
                        return count
                    room, count = room - 1, count + 1
                    for move in look.codes if len(following) < room else ():
                        if move in look.after or self._play(look, move):
                            following[identity(look.after[move])] = look.after[move]
                level = following
        return count
