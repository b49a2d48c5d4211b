"""Keys: two states with one key, and above all a key that does not tell who moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from zermelo.checks.findings import Findings, differing, identity
from zermelo.core.rules import Rules
from zermelo.core.watched import State, Wrong

if TYPE_CHECKING:
    from zermelo.checks.walk import Rule

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

    def check_mover(self, rule: Rule, states: Iterable[State]) -> int:
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

    def _flip(self, rule: Rule, state: State, name: str, value: int) -> int:
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
