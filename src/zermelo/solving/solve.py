"""solve() and start(): the position in, the answer out.

On an easy position the search is over long before a table of megabytes, a line and the values of
all moves are made. So a position is tried with a table that fits into the processor's cache: as
long as no entry is lost there, each visit is the one that it would be with a larger table. What
that does not settle in a moment begins anew, with all the memory that it may use.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, cast

from zermelo.compiler.tally import tally
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.search.base import Search, TableRun, Zones
from zermelo.solving.result import Limits, Result
from zermelo.solving.session import EvaluateMany, ProgressCallback, Session

EASY = Limits(nodes=400, time=1e-3, memory=1 << 16)
AMPLE_NODES, AMPLE_TIME, AMPLE_MEMORY = 4_000, 1.0, 1 << 22  # with less there is nothing to gain


def start(position: Position, search: Search | str | None = None, **options: Any) -> Session:
    """A session that has not searched yet; see ``Session`` for the options."""
    return Session(position, search, **options)


def solve(position: Position, search: Search | str | None = None, *, goal: str = "value",
          nodes: float | str | None = None, time: float | str | None = None,
          memory: float | str | None = None, seed: int = 0, plain: bool = False,
          trace: int | None = None, threads: int = 1, candidates: bool | Zones = False,
          evaluate_many: EvaluateMany | None = None, batch: int = 1,
          progress: ProgressCallback | None = None) -> Result:
    """Who wins ``position``? Searches until that is proved or a limit is met."""
    limits = Limits(nodes=nodes, time=time, memory=memory)
    new_session = partial(Session, position, search, goal=goal, seed=seed, plain=plain, trace=trace,
                          threads=threads, candidates=candidates, evaluate_many=evaluate_many,
                          batch=batch)
    session = new_session()
    if _may_be_easy(session, limits):
        session.advance(EASY)
        if session.stopped == "interrupted":
            return session.result()
        if session.stopped == "solved":
            result = session.result(moves=False, line=False)
            if result.counters["exact"]:
                return result.put_off(_Rest(session, new_session, limits))
        tried, session = session, new_session()
        session.seconds, session.compile_seconds = tried.seconds, tried.compile_seconds
    return session.run(limits, progress)


def _may_be_easy(session: Session, limits: Limits) -> bool:
    """Whether the position may be tried: twice the same search must be the same."""
    ample = ((limits.nodes or AMPLE_NODES) >= AMPLE_NODES
             and (limits.time or AMPLE_TIME) >= AMPLE_TIME
             and (limits.memory or AMPLE_MEMORY) >= AMPLE_MEMORY)
    return (ample and session.search.shares and session.threads == 1
            and session.trace_step is None and not session.candidates
            and not session.position.game.memory)


class _Rest:
    """What an easy result leaves out, found when it is called.

    The session that has the proof is kept until the next one comes: results are many, and tables
    are large. After that the position is searched again, which is the same search.
    """

    _latest: ClassVar[list[Session]] = []

    def __init__(self, session: Session, new_session: partial[Session], limits: Limits) -> None:
        self.kept, self.new_session, self.limits = weakref.ref(session), new_session, limits
        self._latest[:] = [session]

    def __call__(self) -> Result:
        try:
            session: Session | None = self._latest.pop()  # nobody else has it now
        except IndexError:
            session = None
        if session is None or session is not self.kept():
            session = self.new_session()
            session.advance(Limits(nodes=self.limits.nodes, memory=EASY.memory))
        result = session.result()
        # A way through the proof may need more room in the table than the proof did.
        if not all(cast(TableRun, run).lossless for run in session.runs):
            result = self.new_session().run(Limits(nodes=self.limits.nodes,
                                                   memory=self.limits.memory))
        if result.stopped == "interrupted":
            raise KeyboardInterrupt
        return result


def warm_up(game: Game, searches: Sequence[Search]) -> Iterator[dict[str, Any]]:
    """Run each search for a moment; yields what was compiled or loaded for it."""
    for search in searches:
        before = tally.compiled, tally.loaded, tally.seconds
        session = Session(game.start(), search, trace=1)
        session.run(Limits(nodes=2 * game.rules.max_moves + 2))
        _ = session.runs[0].walk().best()
        yield {
            "game": game.name, "search": search.id,
            "compiled": tally.compiled - before[0], "loaded": tally.loaded - before[1],
            "seconds": tally.seconds - before[2],
        }
