"""VCDT: victory by continuous double threats.

The way to win at Connect6: every turn makes threats that take all stones of the opponent's turn to
stop, until one makes more. With one stone a turn the same search is Gomoku's victory by continuous
fours. See ``driver`` for the search and ``docs/searches/vcdt.md`` for the reasons.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo.errors import BadOption
from zermelo.search import base
from zermelo.search.base import Proof, Search, Task, ThreatPlan, option
from zermelo.search.common.proof_moves import open_proof
from zermelo.search.common.saved import Saved, Saving
from zermelo.search.reasons import NEVER, SOLVED, UNKNOWN, WON
from zermelo.search.threats.extract import records
from zermelo.search.threats.line_counts import FULL
from zermelo.search.threats.threat_search import Guide, ThreatSearch, Walk
from zermelo.search.threats.turns import MOST_STONES

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.rules import Lines

SAMPLED = 1 << 14  # entries of the table, to estimate its fill


@dataclass(frozen=True)
class VCDT(Search):
    """Wins by threats that leave no choice, the shortest first. It proves wins only."""

    id: ClassVar[str] = "vcdt"
    title: ClassVar[str] = "victory by continuous double threats"
    paper: ClassVar[str] = "Wu & Huang 2005; Song 2019, 3.3"
    exhausted: ClassVar[str] = "no win found by threats (not a proof of a loss)"
    numbers_stones: ClassVar[bool] = True

    depth: int = option(30, "the most turns of the attacker", low=1, high=200)
    free: str = option("lines", "where a stone goes that the threats do not need: squares of own "
                       "lines that two turns complete, or anywhere", choices=("lines", "anywhere"))

    def check_game(self, game: Game) -> None:
        """Refuse games that are not won by completing lines."""
        self.lines_of(game)

    def lines_of(self, game: Game) -> Lines:
        """The lines of a game; BadOption if it has none, or turns that are too long."""
        lines = game.rules.lines
        if lines is None:
            raise BadOption(f"{self.id} follows threats to complete a line, and {game.name} has no "
                            "lines; use another search, such as weak-df-pn.")
        if lines.stones > MOST_STONES:
            raise BadOption(f"{self.id}: {game.name} has {lines.stones} stones per turn; at most "
                            f"{MOST_STONES} are valid. Use another search.")
        return lines

    def start(self, task: Task) -> Run:
        """A new run."""
        return Run(self, task)


class Run(base.Run):
    """A search for a win by threats; ``status`` is UNKNOWN or WON for the attacker, and LOST only
    where the game is over: without a win by threats there may be other wins."""

    open = open_proof

    def __init__(self, search: VCDT, task: Task) -> None:
        super().__init__(task)
        self.search = search
        self.rules = task.position.game.rules
        self.threat_search = ThreatSearch(search.lines_of(task.position.game), task.attacker,
                                          search.depth, search.free == "anywhere", task.memory)
        self.owners, self.left = self.threat_search.lines.read(task.position.state[0])
        if self.left > MOST_STONES:  # the first turn of a game may be longer than the others
            raise BadOption(f"{search.id}: {self.left} stones are left in this turn of "
                            f"{task.position.game.name}; at most {MOST_STONES} are valid. Use "
                            "another search.")
        if self.finished == UNKNOWN:
            self.threat_search.aim(self.owners, task.position.mover, self.left, search.depth)

    def advance(self, budget: int, node_limit: int = NEVER, pause: int = NEVER) -> int:
        """Make at most ``budget`` visits; return why the loop came back (see ``reasons``)."""
        if self.finished != UNKNOWN:
            return SOLVED
        self.threat_search.control["limit"] = node_limit
        self.threat_search.control["pause"] = pause
        return self.threat_search.go(budget)

    def grow(self, memory: int) -> None:
        """Use up to ``memory`` bytes from now on."""
        self.threat_search.allow(memory)
        self.threat_search.set_full()

    @property
    def status(self) -> int:
        """UNKNOWN, WON or LOST."""
        if self.finished != UNKNOWN:
            return self.finished
        return int(self.threat_search.control["status"])

    @property
    def nodes(self) -> int:
        """Visits: turns played on the board, and the root once for each number of turns tried."""
        return int(self.threat_search.control["nodes"])

    @property
    def iterations(self) -> int:
        """Visits at which turns or replies had to be found."""
        return int(self.threat_search.control["expansions"])

    @property
    def bytes(self) -> int:
        """The memory in use."""
        return self.threat_search.bytes

    @property
    def fill(self) -> float:
        """The share of the table, as large as it may become, that is in use."""
        table = self.threat_search.arrays.table
        used = np.count_nonzero(table[:SAMPLED, 0]) / min(SAMPLED, len(table))
        return float(used) * len(table) / self.threat_search.most_entries

    def numbers(self) -> dict[str, Any]:
        """The attacker's turns: to the win, or how many were tried."""
        if self.finished != UNKNOWN:
            return {}
        return {"turns": int(self.threat_search.control["turns"])}

    @property
    def turn(self) -> list[int]:
        """The attacker's winning turn in the root, if it moves there and has won by now."""
        won = self.finished == UNKNOWN and self.status == WON
        return self.threat_search.turn() if won and self.position.mover == self.attacker else []

    def moves(self) -> list[tuple[int, int, dict[str, Any]]]:
        """The root's moves that are known to win: the stones of the turn, in either order."""
        return [(stone, WON, self.numbers()) for stone in self.turn]

    def chosen(self) -> int | None:
        """The root's move that would be played now; None while there is none."""
        return self.turn[0] if self.turn else None

    @property
    def path(self) -> list[tuple[int, dict[str, Any]]]:
        """The stones on the board beyond those of the root, with the turns allowed."""
        found: list[tuple[int, dict[str, Any]]] = []
        frames, turns = self.threat_search.arrays.frames, self.threat_search.arrays.turns
        for level in range(int(self.threat_search.control["level"])):
            numbers = {"turns": int(frames[level]["turns"])}
            row = turns.moves[int(frames[level]["at"])]
            found += [(int(stone), numbers) for stone in row if stone != FULL]
        return found

    def walk(self) -> Walk:
        """A walk through the win found."""
        return Walk(self)

    def proof(self) -> Proof:
        """The threats, and the records of a game that goes on until a line is complete."""
        won = self.finished == UNKNOWN and self.status == WON
        return Proof(records=partial(records, self), folded=False,
                     threats=self._threat_plan if won else None)

    def _threat_plan(self) -> ThreatPlan:
        """A single node: threats answer what is not in it."""
        mine, guide = self.position.mover == self.attacker, Guide(self)
        node = {"turn": self.turn, "then": None} if mine else {"replies": []}

        def hint(owners: Any, turns: int) -> tuple[int, tuple[int, ...]] | None:
            return win(owners, guide.per_turn, turns)

        def win(owners: Any, left: int, turns: int = self.search.depth
                ) -> tuple[int, tuple[int, ...]] | None:
            found, turn = guide.win(owners, left, turns)
            return (found, tuple(turn)) if found else None

        return ThreatPlan([node], win, hint)

    def save(self, saving: Saving) -> None:
        """Keep the search, unless the game is over."""
        if self.finished == UNKNOWN:
            self.threat_search.save(saving)

    def restore(self, saved: Saved) -> None:
        """Let a run that has just begun go on from a checkpoint."""
        if self.finished == UNKNOWN:
            self.threat_search.restore(saved)
