"""One move while its value is being found out (see ``values``)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from zermelo.solving.analysis import MoveAnalysis
from zermelo.solving.session import Session

TIRED = ("nodes", "time", "interrupted")  # more effort might help


@dataclass(frozen=True)
class MoveWorth(MoveAnalysis):
    """A move with its value, as in an analysis, and the numbers of its search so far.

    ``question`` is what these are about: whether its player wins or, where that is known, whether
    the other one does, and so on.
    """

    numbers: dict[str, Any] = field(default_factory=dict)
    question: str = ""

    @property
    def settled(self) -> bool:
        """Whether all that was asked about it is known."""
        return self.stopped in ("solved", "precision")

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**super().to_dict(), "numbers": self.numbers, "question": self.question,
                "settled": self.settled}


class Spent(NamedTuple):
    """What was used for searching."""

    nodes: int = 0
    iterations: int = 0

    def and_by(self, session: Session) -> Spent:
        """What it is together with that of a session."""
        answer = session.answer
        return Spent(self.nodes + answer.nodes, self.iterations + answer.iterations)


@dataclass
class MoveWork:
    """A move while it is being valued.

    ``session`` is None before the first one, and where there was no room to keep it; ``reached`` is
    how far the last one came, in nodes, ``spent`` what those that are gone have used.
    """

    name: str
    worth: MoveWorth
    session: Session | None = None
    stopped: str = "interrupted"
    reached: int = 0
    spent: Spent = field(default_factory=Spent)

    @property
    def open(self) -> bool:
        """Whether more effort might help."""
        return self.stopped in TIRED

    @property
    def used(self) -> Spent:
        """What all its sessions have used."""
        return self.spent if self.session is None else self.spent.and_by(self.session)

    def drop(self) -> None:
        """Forget the session."""
        self.spent, self.session = self.used, None
