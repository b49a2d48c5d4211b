"""BestFirst: what all searches of this wing have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from zermelo.core.rules import Rules
from zermelo.errors import BadOption
from zermelo.search.base import Search, Task, option
from zermelo.search.best_first.inspector import TreeRecorder
from zermelo.search.best_first.plan import Plan, Planned
from zermelo.search.best_first.run import Run


@dataclass(frozen=True)
class BestFirst(Search):
    """A search that keeps its whole tree and expands the most promising leaf."""

    narrows: ClassVar[bool] = True
    keeps: ClassVar[str] = "tree"
    replays: ClassVar[bool] = True
    numbers: ClassVar[list[tuple[str, str]]]

    shuffle: bool = option(False, "try moves in a random order drawn from the seed", kw_only=True)

    def plan(self, rules: Rules) -> Plan:
        """The parts of this search for a game."""
        raise NotImplementedError

    def data(self) -> tuple[Any, ...]:
        """The options that the compiled parts read, as a NamedTuple."""
        return ()

    def node_numbers(self) -> list[tuple[str, str]]:
        """The fields that this search adds to a node."""
        return self.numbers

    def nested_nodes(self, size: int) -> int:
        """The most nodes of a nested search while the tree has up to ``size`` nodes (PN2)."""
        return 0

    def show(self, node: Any) -> dict[str, Any]:
        """A node's numbers for people and JSON."""
        raise NotImplementedError

    def within_precision(self, root: Any) -> bool:
        """Whether an unsolved root may be called concluded; never, for a search without pr."""
        return False

    def leans_to_win(self, root: Any) -> bool:
        """What a root within the precision says."""
        return False

    def recorder(self, run: Run) -> TreeRecorder:
        """One that follows the tree as it grows."""
        return TreeRecorder(run)

    def again(self) -> Planned | None:
        """A search for the parts of a proof that this one threw away; None if it keeps all."""
        return None

    def start(self, task: Task) -> Run:
        """A new run."""
        self.check_task(task)
        return Run(self, task)

    def check_task(self, task: Task) -> None:
        """Raise BadOption for what no search of this wing can be asked."""
        if task.threads > 1:
            raise BadOption(f"{self.id} runs in one thread; threads={task.threads} needs a "
                            "depth-first search, such as df-pn.")
        if task.threshold != 1 or task.horizon is not None:
            raise BadOption(f"{self.id} asks who wins; the goals score and shortest need a "
                            "depth-first search, such as df-pn.")
