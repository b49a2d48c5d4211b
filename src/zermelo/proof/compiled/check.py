"""The checker with most of its work done by machine code."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.errors import BadOption
from zermelo.proof.budget import Budget
from zermelo.proof.check import Checker
from zermelo.proof.claim import Claim
from zermelo.proof.compiled.kernels import Records, check_kernel, index_kernel, memory
from zermelo.proof.compiled.rules import compiled_rules
from zermelo.proof.rules.base import BoardRules, RulesOf
from zermelo.proof.tables import Table

MOST_SEARCH = 1_000_000  # positions of a search; larger ones are left to the plain checker
AT_ONCE = 1_000_000  # positions, at most, before the clock and Ctrl-C are looked at again
RECORD_BYTES = 24  # what the compiled checker keeps of a record, beside the table
SEARCH_BYTES = 120  # and of a position of a search


def check_possible(rules: RulesOf, game: str) -> None:
    """BadOption where a game can't be checked by machine code."""
    if compiled_rules(rules) is None:
        raise BadOption(f"rules='compiled' is for connect-four, hex and othello on boards of at "
                        f"most 64 squares, not for {game} with these parameters.")


class CompiledChecker(Checker):
    """As its parent, which looks at every record that machine code does not see to be right."""

    def __init__(self, rules: RulesOf, claim: Claim, table: Table, search: int,
                 budget: Budget | None = None) -> None:
        super().__init__(rules, claim, table, search, budget)
        game = compiled_rules(rules)
        assert game is not None
        assert isinstance(rules, BoardRules)
        self.game, self.squares = game, rules.squares
        self.kernel = check_kernel(game.functions, game.passes, rules.folded)
        self.limit = min(search, MOST_SEARCH)
        self.budget.hold(RECORD_BYTES * len(table.keys) + SEARCH_BYTES * self.limit)
        self.memory = memory(self.limit)
        self.words = self._words(rules)

    def _words(self, rules: BoardRules) -> Records:
        """The records as two whole numbers each, and where each of them is found."""
        rows, size = self.table.records, rules.size
        both = []
        for part in (rows[:, :size], rows[:, size : 2 * size]):
            wide = np.zeros((len(rows), 8), np.uint8)
            wide[:, 8 - size :] = part
            both.append(wide.view(">u8").ravel().astype(np.uint64))
        good = np.array(self.good, np.bool_)
        index = np.zeros(1 << (2 * len(rows)).bit_length(), np.uint32)
        records = Records(both[0], both[1], index, np.empty(0, np.int32), good)
        index_kernel()(records)
        return records

    def batch(self, numbers: Any) -> None:
        """As the plain one; Fails comes from there."""
        if len(self.table.ranks):  # these games need none
            super().batch(numbers)
            return
        for some in self._parts(np.ascontiguousarray(numbers, np.int64)):
            self.budget.look()
            self._some(some)

    def _parts(self, numbers: Any) -> list[Any]:
        """The numbers in parts whose searches come to no more than AT_ONCE positions, or one."""
        taken, second = self.words.taken[numbers], self.words.second[numbers]
        free = np.uint64(self.squares) & ~taken
        several = free & (free - np.uint64(1)) != 0  # a single one is just a move
        positions = np.cumsum(np.where(several & (second & ~taken == free), self.limit, 1))
        return np.split(numbers, np.flatnonzero(np.diff(positions // AT_ONCE)) + 1)

    def _some(self, numbers: Any) -> None:
        """Check these in one go of the machine code."""
        left, counts = np.zeros(len(numbers), np.int64), np.zeros(2, np.int64)
        # The lengths are those of the table, which several processes have in a file.
        words = self.words._replace(lengths=np.asarray(self.table.lengths))
        waiting = self.kernel(self.game.tables, words, numbers, self.prover, self.limit,
                              self.memory, left, counts)
        self.positions += int(counts[0])
        self.searched += int(counts[1])
        if waiting:
            super().batch(left[:waiting])
