"""BestFirst: what all searches of this wing have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from zermelo.core.rules import Rules
from zermelo.errors import BadOption
from zermelo.search.base import Search, Task, option

if TYPE_CHECKING:
    from zermelo.search.best_first.plan import Plan
    from zermelo.search.best_first.run import Run


@dataclass(frozen=True)
class BestFirst(Search):
    """A search that keeps its whole tree and expands the most promising leaf."""

    narrows: ClassVar[bool] = True
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

    @property
    def nested_nodes(self) -> int:
        """The most nodes that a nested search can be allowed (PN2)."""
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

    def run_type(self) -> type[Run]:
        """What its runs are, seen from Python."""
        from zermelo.search.best_first.run import Run

        return Run

    def start(self, task: Task) -> Run:
        """A new run."""
        if task.threads > 1:
            raise BadOption(f"{self.id} runs in one thread; threads={task.threads} needs a "
                            "depth-first search, such as df-pn.")
        if task.threshold != 1 or task.horizon is not None:
            raise BadOption(f"{self.id} asks who wins; the goals score and shortest need a "
                            "depth-first search, such as df-pn.")
        return self.run_type()(self, task)
