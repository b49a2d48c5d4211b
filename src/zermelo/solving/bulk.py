"""The values of many positions, and nothing else.

On an easy position the search is over long before a session and a result are made. So a run is
kept for each game and question, and aimed at one position after the other; its table serves them
all. What that does not settle at once gets a session of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, cast

from zermelo.core.position import Position
from zermelo.search.base import Search, TableRun, Task
from zermelo.search.common.status import LOST, UNKNOWN, WON
from zermelo.solving.result import Limits, Result, Value
from zermelo.solving.session import Session

EASY = 1_000  # visits
MANY = 256  # positions that are looked at before those that are left get their sessions
TABLE_BYTES = 1 << 23


def values_of(positions: Iterable[Position], search: Search | None, limits: Limits,
              options: dict[str, Any],
              run_all: Callable[[Iterator[Session]], Iterator[Result]]) -> Iterator[Value]:
    """The value of each position, in order. ``run_all`` runs sessions, for those that are hard."""
    easy: dict[int, Easy] = {}  # by the identity of the game, which stays as long as they do
    usual = options.get("player") is None
    rest = iter(positions)
    while batch := list(islice(rest, MANY)):
        found: list[Value | None] = []
        for position in batch:
            if not isinstance(position, Position) or id(position.game) not in easy:
                session = Session(position, search, **options)  # refuses what is not valid
                easy[id(position.game)] = Easy(session, limits)
            found.append(easy[id(position.game)].value(position) if usual else None)
        hard = run_all(Session(position, search, **options)
                       for position, value in zip(batch, found, strict=True) if value is None)
        for value in found:
            if value is None:
                result = next(hard)
                value = result.value if result.concluded else Value.UNKNOWN
            yield value


class Easy:
    """Positions of one game that few visits settle. ``session``: one that asks the same."""

    def __init__(self, session: Session, limits: Limits) -> None:
        self.session, self.goal = session, session.goal
        self.visits = EASY if limits.nodes is None else min(EASY, limits.nodes)
        self.memory = min(limits.memory_bytes, TABLE_BYTES)
        # By a rule of its own for repetitions a value depends on what came before.
        self.fit = (session.search.shares and session.goal in ("win", "value")
                    and session.threads == 1 and not session.candidates
                    and session.trace_step is None
                    and session.position.game.rules.repeat is None)
        self.runs: dict[int, TableRun] = {}

    def value(self, position: Position) -> Value | None:
        """The value of a position, or None if that takes more than a few visits."""
        if not self.fit or position.outcome is not None:
            return None
        player = position.mover
        status = self._ask(player, position)
        if status == WON:
            return Value.WIN
        if status == UNKNOWN:
            return None
        if self.goal == "win":
            return Value.NOT_WIN
        status = self._ask(1 - player, position)
        return {WON: Value.LOSS, LOST: Value.DRAW}.get(status)

    def _ask(self, player: int, position: Position) -> int:
        run = self.runs.get(player)
        if run is None:
            earlier = next(iter(self.runs.values()), None)
            run = self.runs[player] = cast(TableRun, self.session.search.start(Task(
                position, player, self.memory, seed=self.session.seed, plain=self.session.plain,
                after=earlier)))
        return run.status_of(position.state[0], self.visits)
