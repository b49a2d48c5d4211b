"""Budget: limits for several questions together."""

from __future__ import annotations

from zermelo.solving.result import Limits
from zermelo.solving.session import Session

LEAST_TIME = 1e-3  # seconds


class Budget:
    """Total limits, and what the questions asked so far have used of them."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.nodes, self.seconds, self.compile_seconds = 0, 0.0, 0.0
        self.interrupted = False

    def share(self, remaining: int, most: int | None = None) -> Limits:
        """What one of ``remaining`` questions may use, and not more than ``most`` nodes."""
        nodes, time = self.limits.nodes, self.limits.time
        shares = [] if nodes is None else [max(1, (nodes - self.nodes) // remaining)]
        if most is not None:
            shares.append(most)
        return Limits(
            nodes=min(shares, default=None),
            time=None if time is None else max(LEAST_TIME, (time - self.seconds) / remaining),
            memory=self.limits.memory,
        )

    def within(self, share: Limits | None) -> Limits:
        """As much of ``share`` as is left; all that is left without one."""
        left = self.share(1)
        if share is None:
            return left
        pairs = ((left.nodes, share.nodes), (left.time, share.time))
        nodes, time = (min((each for each in pair if each is not None), default=None)
                       for pair in pairs)
        return Limits(nodes=nodes, time=time, memory=left.memory)

    @property
    def reason(self) -> str:
        """Which limit is met: ``time`` or ``nodes``; ``interrupted`` if there is none."""
        nodes, time = self.limits.nodes, self.limits.time
        if nodes is not None and (time is None or self.nodes >= nodes):
            return "nodes"
        return "interrupted" if time is None else "time"

    @property
    def over(self) -> bool:
        """Whether nothing is left, or nothing more is wanted."""
        nodes, time = self.limits.nodes, self.limits.time
        met = (nodes is not None and self.nodes >= nodes,
               time is not None and self.seconds >= time)
        return self.interrupted or any(met)

    def suffices(self, nodes: int) -> bool:
        """Whether that many more nodes are within the limits, at the speed so far."""
        most, time = self.limits.nodes, self.limits.time
        if most is not None and nodes > most - self.nodes:
            return False
        return time is None or nodes * self.seconds <= (time - self.seconds) * self.nodes or (
            self.nodes == 0)

    def spend(self, session: Session) -> None:
        """Book what ``session`` used."""
        self.nodes += session.answer.nodes
        self.seconds += session.seconds
        self.compile_seconds += session.compile_seconds
        self.interrupted |= session.stopped == "interrupted"
