"""What is asked to reach a goal: one subgoal after the other, each with a tree from the journal."""

from __future__ import annotations

from zermelo.cluster.journal import Journal
from zermelo.cluster.node import NOBODY, Rule
from zermelo.cluster.tree import Tree
from zermelo.core.position import Position
from zermelo.errors import BadOption
from zermelo.proof import Claim
from zermelo.search.common.status import LOST, UNKNOWN, WON
from zermelo.solving.goals import Subgoal, next_subgoal, value_of
from zermelo.solving.result import Value


class Questions:
    """The subgoals of ``goal`` so far, and the tree of each."""

    def __init__(self, position: Position, goal: str, rule: Rule, journal: Journal) -> None:
        self.position, self.goal, self.rule, self.journal = position, goal, rule, journal
        self.subgoals: list[Subgoal] = []
        self.trees: list[Tree] = []

    def rebuild(self) -> None:
        """Make all of it again from the journal."""
        self.trees, self.subgoals = [], []
        while self.go_on() and self.trees[-1].status != UNKNOWN:
            pass

    def go_on(self) -> bool:
        """Ask the next subgoal, unless the last one is still open; False when all is said."""
        if self.trees and self.trees[-1].status == UNKNOWN:
            return True
        following = next_subgoal(self.goal, self.position.mover, self.position.game.rules,
                                 self.asked())
        if following is not None:
            self._ask(following)
        return following is not None

    def _ask(self, subgoal: Subgoal) -> None:
        """Begin with a subgoal, with what the journal has about it."""
        facts = self.trees[-1].facts if self.trees else None
        number, question = len(self.trees), (subgoal.player, subgoal.threshold)
        tree = Tree(self.rule, question, facts, self.position.game.rules.cyclic)
        self.journal.ask(number, question)
        self.trees.append(tree)
        self.subgoals.append(subgoal)
        for kept in self.journal.read(number):
            tree.replay(kept.path, kept.report, NOBODY, kept.row)
        for kept in self.journal.read(number, withdrawn=True):
            tree.count(kept.report)

    def asked(self) -> list[Subgoal]:
        """What was asked, with the answers."""
        return [Subgoal(subgoal.player, subgoal.threshold, None, tree.status)
                for subgoal, tree in zip(self.subgoals, self.trees, strict=True)]

    def value(self) -> tuple[Value, bool]:
        """The value for the side to move as far as it is known, and whether it is proved."""
        value = value_of(self.asked(), self.position.mover, self.goal)
        return value, value != Value.UNKNOWN

    def tree_of(self, claim: Claim) -> Tree:
        """The tree that proves a claim."""
        wanted = WON if claim.wins else LOST
        for tree in self.trees:
            if tree.question == (claim.player, 1) and tree.status == wanted:
                return tree
        raise BadOption("a certificate is about win, draw or loss; with workers, ask for "
                        "goal='value' or 'win' to get one.")
