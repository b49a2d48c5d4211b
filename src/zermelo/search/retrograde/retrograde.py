"""Retrograde analysis (Ströhlein 1970; Thompson 1986): the game is solved whole.

Everything that can come up is enumerated, then values are worked out from the ends backwards. So
draws by endless play are found like all other values, for which a search has no proof tree. All
questions about a position are answered by one enumeration.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo.errors import BadOption
from zermelo.search import base
from zermelo.search.base import Batches, Opened, Proof, Search, Seen, Task, option
from zermelo.search.reasons import LOST, MEMORY, NEVER, SLICE, SOLVED, UNKNOWN, WON
from zermelo.search.retrograde.enumeration import Enumeration
from zermelo.search.retrograde.values import Values, size_of

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.position import Position
    from zermelo.search.common.saved import Saved, Saving

ROOT = 0


@dataclass(frozen=True)
class Retrograde(Search):
    """Retrograde analysis: all positions, from the ends backwards."""

    id: ClassVar[str] = "retrograde"
    title: ClassVar[str] = "retrograde analysis of the whole game"
    paper: ClassVar[str] = "Ströhlein 1970; Thompson 1986"
    goals: ClassVar[tuple[str, ...]] = ("win", "value", "score", "shortest")
    keeps: ClassVar[str] = "table"
    follows: ClassVar[str] = "all moves, in the order in which positions are found"

    fold: bool = option(True, "take positions that are images of each other for one, where the "
                        "game knows its symmetries")

    def check_game(self, game: Game) -> None:
        """Refuse games in which the value of a position depends on how it was reached."""
        if game.rules.repeat is not None:
            raise BadOption(f"{self.id}: {game.name} has its own rule for repetitions, so a "
                            "position has no value of its own; use another search, such as df-pn.")

    def start(self, task: Task) -> Run:
        """Begin a run."""
        return Run(self, task)


class Whole:
    """All positions from one root, and their values once these are worked out.

    ``values``: by the least final score that counts as a win of the first player; None for wins by
    the rules.
    """

    def __init__(self, position: Position, fold: bool, memory: int) -> None:
        self.found = Enumeration(position, fold, memory)
        self.values: dict[int | None, Values] = {}

    def advance(self, least: int | None, budget: int, node_limit: int, pause: int) -> int:
        """Expand positions, or work on their values; return the reason to stop."""
        found = self.found
        if not found.complete:
            reason = found.advance(budget, node_limit, pause)
            if reason != SOLVED:
                return reason
            found.finish()
        if least not in self.values:
            ends, degrees, children, back = found.relation
            if self.bytes + size_of(len(ends), len(children), back) > found.memory:
                return MEMORY
            if least is not None:
                ends = found.ends_by_score(least)
            self.values[least] = Values(ends, degrees, children, back)
        return SOLVED if self.values[least].advance(budget) else SLICE

    @property
    def bytes(self) -> int:
        """The memory in use."""
        return self.found.bytes + sum(values.bytes for values in self.values.values())


class Run(base.Run):
    """A question about the root, answered by the values of all positions."""

    def __init__(self, search: Retrograde, task: Task) -> None:
        super().__init__(task)
        self.search = search
        self.side = 1 - 2 * task.attacker
        bound = task.threshold if task.attacker == 0 else 1 - task.threshold
        self.least = None if task.threshold == 1 else bound
        earlier = task.after
        self.shared = isinstance(earlier, Run) and earlier.search == search
        self.whole: Whole = (earlier.whole if isinstance(earlier, Run) and self.shared
                             else Whole(task.position, search.fold, task.memory))

    def advance(self, budget: int, node_limit: int = NEVER, pause: int = NEVER) -> int:
        """Expand at most ``budget`` positions; return the reason to stop (see ``reasons``)."""
        if self.finished != UNKNOWN:
            return SOLVED
        return self.whole.advance(self.least, budget, node_limit, pause)

    def grow(self, memory: int) -> None:
        """Use up to ``memory`` bytes from now on."""
        if not self.shared:
            self.whole.found.memory = max(self.whole.found.memory, memory)

    @property
    def values(self) -> Values | None:
        """The values of all positions, where they are known."""
        values = self.whole.values.get(self.least)
        return values if values is not None and not values.steps else None

    @property
    def status(self) -> int:
        """UNKNOWN, WON or LOST for the attacker."""
        values = self.values
        if self.finished != UNKNOWN or values is None:
            return self.finished
        return self.status_by(values.result(ROOT), 0)

    def status_by(self, result: int, ply: int) -> int:
        """Return the status of a position with this result, ``ply`` plies below the root."""
        horizon = self.task.horizon
        won = self.side * result > 0 and (horizon is None or ply + plies_of(result) <= horizon)
        return WON if won else LOST

    @property
    def nodes(self) -> int:
        """Positions found, of images of each other one, unless an earlier run has found them."""
        return 0 if self.shared else int(self.whole.found.control["nodes"])

    @property
    def iterations(self) -> int:
        """Positions expanded."""
        return 0 if self.shared else int(self.whole.found.control["done"])

    @property
    def bytes(self) -> int:
        """The memory in use."""
        return 0 if self.shared else self.whole.bytes

    @property
    def proof_length(self) -> int:
        """The plies of the shortest win."""
        values = self.values
        return plies_of(values.result(ROOT)) if values is not None and self.status == WON else 0

    @property
    def counters(self) -> dict[str, Any]:
        """Moves of all positions, and how many layers there are; not ``exact`` where positions had
        to be forgotten, so that one may be counted twice."""
        control = self.whole.found.control
        if self.shared or self.finished != UNKNOWN:
            return {}
        return {"edges": int(control["edges"]), "layers": int(control["depth"]),
                "exact": bool(control["oldest"] == 0)}

    def numbers(self) -> dict[str, Any]:
        """Return the value for the player to move and the plies to the end; before they are known,
        the positions that wait to be expanded."""
        values, control = self.values, self.whole.found.control
        if self.finished != UNKNOWN:
            return {}
        if values is None:
            return {"waiting": int(control["nodes"] - control["done"])}
        result = values.result(ROOT)
        mine = result if self.position.mover == 0 else -result
        value = "win" if mine > 0 else "loss" if mine < 0 else "draw"
        return {"value": value, **lasting(result)} if self.least is None else lasting(result)

    def moves(self) -> list[tuple[int, int, dict[str, Any]]]:
        """Return the root's moves: (move, status, numbers)."""
        if self.finished != UNKNOWN or self.values is None:
            return []
        return [(move, self.status_by(result, 1), lasting(result, 1))
                for move, _, result in Place(self).children()]

    def chosen(self) -> int | None:
        """Return the root's best move; None while it is not known."""
        return self.walk().best()

    @property
    def path(self) -> list[tuple[int, dict[str, Any]]]:
        """An empty path: positions are searched layer by layer."""
        return []

    def walk(self) -> Place:
        """Return a walk through the game, from the root."""
        return Place(self)

    def proof(self) -> Proof:
        """Return the best moves, with the plies to the end as ranks."""
        values = self.values
        plies = None if values is None else plies_of(values.result(ROOT))
        records = self.records if self.whole.found.control["oldest"] == 0 else None
        return Proof(records=records, folded=self.whole.found.folds, ranked=True,
                     plies=lambda: plies)

    def records(self, search: int, progress: Callable[[int], None] | None) -> Batches:
        """Yield the states in which the prover moves, its moves, and the plies to the end."""
        values, found = self.values, self.whole.found
        if self.finished != UNKNOWN or values is None:
            return
        prover = self.attacker if self.status == WON else 1 - self.attacker
        written = 0
        for numbers, places in values.strategy(prover):
            states, codes = found.codes(numbers, places)
            written += len(numbers)
            if progress is not None:
                progress(written)
            yield states, codes, np.abs(values.arrays.results[numbers])

    def save(self, saving: Saving) -> None:
        """Keep the moves between positions, by which the positions are made again."""
        if self.finished == UNKNOWN and not self.shared:
            self.whole.found.save(saving)

    def restore(self, saved: Saved) -> None:
        """Let a run that has just begun go on from a checkpoint."""
        if self.finished == UNKNOWN and not self.shared:
            self.whole.found.restore(saved)

    def open(self, path: Sequence[int], offset: int, count: int) -> Opened:
        """Return the position that ``path`` leads to, with its value and those of its children."""
        place, best = Place(self), True
        for move in path:
            best = move == place.best()
            place.follow(move, place.position.play_code(move))
        ply, last = len(path), path[-1] if path else None
        if not place.known:
            codes = place.position.codes()
            node = Seen(last, self.finished, {} if path else self.numbers(), len(codes), False,
                        best)
            some = [Seen(move, UNKNOWN, {}, held=False) for move in codes[offset : offset + count]]
            return Opened(node, some, len(codes))
        children, chosen = place.children(), place.best()
        numbers = self.numbers() if not path else lasting(place.result, ply)
        node = Seen(last, self.status_by(place.result, ply), numbers, len(children), best=best)
        return Opened(node, [
            Seen(move, self.status_by(result, ply + 1), lasting(result, ply + 1),
                 best=move == chosen)
            for move, _, result in children[offset : offset + count]], len(children))


class Place:
    """A place in the game: a walk along moves that need not be the best ones."""

    def __init__(self, run: Run) -> None:
        self.run, self.position, self.number = run, run.position, ROOT

    @property
    def known(self) -> bool:
        """True if values are known."""
        return self.run.finished == UNKNOWN and self.run.values is not None

    @property
    def result(self) -> int:
        """The result of the position."""
        assert self.run.values is not None
        return self.run.values.result(self.number)

    def children(self) -> list[tuple[int, int, int]]:
        """Return each legal move with the number and the result of the position after it."""
        values, found = self.run.values, self.run.whole.found
        assert values is not None
        numbers, codes = values.children(self.number).tolist(), self.position.codes()
        if found.folds:
            same = self.position.canonical()
            states = {found.folded(same.play_code(code))[0].tobytes(): number
                      for code, number in zip(same.codes(), numbers, strict=True)}
            numbers = [states[found.folded(self.position.play_code(code))[0].tobytes()]
                       for code in codes]
        return [(code, number, values.result(number))
                for code, number in zip(codes, numbers, strict=True)]

    def best(self) -> int | None:
        """Return the best move: a short win, a draw, a long loss; None at the end."""
        if not self.known or self.position.outcome is not None:
            return None
        side = 1 - 2 * self.position.mover
        return max(self.children(), key=lambda child: worth(side * child[2]))[0]

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``."""
        if self.known:
            self.number = next(number for code, number, _ in self.children() if code == move)
        self.position = position
        return self.known


def plies_of(result: int) -> int:
    """Return the plies to the end, of a result that is no draw."""
    return abs(result) - 1


def worth(result: int) -> float:
    """Return a number that is the larger the better a result is for the player to move."""
    return 1 / result if result else 0.0


def lasting(result: int, ply: int = 0) -> dict[str, Any]:
    """Return how many plies below the root a game ends that is not drawn, ``ply`` below it."""
    return {"plies": ply + plies_of(result)} if result else {}
