"""Random games: is every position on the way sound, and does every move lead to another one?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

import numpy as np

from zermelo.checks.findings import Findings, differing, identity, untouched
from zermelo.checks.keys import Keys
from zermelo.checks.machine import Machine
from zermelo.core.rules import DRAW, ONGOING, SECOND_WINS
from zermelo.core.watched import State, Watched, Wrong, counted, in_range, whole

Rule = Watched | Machine
AGAIN = 8  # times that a rule is asked again whose answers differ
BY_CHANCE = ("a rule must depend on its arguments alone: on no random number, clock, counter or "
             "anything else that changes")
FILLS = (0x55, 0xAA)  # what a state is filled with before play writes it
SHORT_GAME = 5
TRIED = 2  # moves of a position that are played, besides the one that the game goes on with


@dataclass
class Look:
    """What the rules say about one state, and some of its successors by move."""

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
    """Whether a rule, asked the same again and again, gives different answers."""
    first = answer()
    return any(answer() != first for _ in range(AGAIN))


class Walk:
    """Random games under one set of rules; collects what it saw."""

    def __init__(self, rule: Rule, findings: Findings, keys: Keys) -> None:
        self.rule, self.rules, self.findings, self.keys = rule, rule.rules, findings, keys
        self.looks: dict[bytes, Look] = {}
        self.games = self.positions = self.changes = self.stuck = 0
        self.sample: tuple[list[int], Look] | None = None  # a whole game: its moves and its end

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

    def look(self, state: State) -> Look | None:
        """What the rules say about ``state``; None if that makes no sense."""
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
        look = Look(state, outcome, mover, codes, key)
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
        codes = counted(self.rules, part, n, written, self.rule.how)
        met: set[int] = set()
        for code in codes:
            if code in met:
                raise Wrong(part, f"{part} gives the move {code} twice, at {{at}}.")
            met.add(code)
        return codes

    def _same(self, method: str, state: State, *part: str) -> Any:
        """What a rule says of a state, if it says the same again."""
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

    def _play(self, look: Look, move: int) -> bool:
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
        after = np.zeros(1, self.rules.dtype)
        for name in self.rules.dtype.names or ():
            after[name] = one[name]
        look.after[move] = after
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
