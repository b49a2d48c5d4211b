"""solve_distributed() and resume_journal(): a search by several workers in one call."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from zermelo.cluster.journal import Journal
from zermelo.cluster.session import Distributed, Tell
from zermelo.cluster.setup import Setup
from zermelo.core.position import Position, check_position
from zermelo.errors import BadOption, file_name, quoted
from zermelo.games.registry import BUILT_IN
from zermelo.search.base import Search
from zermelo.solving.certify import check_place
from zermelo.solving.result import Limits, Result
from zermelo.version import __version__


def solve_distributed(position: Position, search: Search | str | None = None, *,
                      workers: int = 2, threads: int = 1, goal: str = "value",
                      nodes: float | str | None = None, time: float | str | None = None,
                      memory: float | str | None = None, seed: int = 0, plain: bool = False,
                      journal: str | Path | None = None, proof: str | Path | None = None,
                      backend: str = "local", cluster: str | None = None,
                      rounds: bool = False, progress: Tell | None = None) -> Result:
    """Who wins ``position``? A master and ``workers`` persistent workers find out.

    ``threads``: of each worker, on one table; one worker a machine, with as many threads as that
    has cores, does the least work twice.
    ``journal``: a file in which every result is kept; called again with the same one, the search
    goes on where it was. ``proof``: a file for the certificate, which is checked. ``backend``:
    ``local`` (processes), ``ray`` (on the cluster at the address ``cluster``), or ``inline``.
    ``memory`` is for all workers together. ``rounds``: the same work every time.
    """
    limits = Limits(nodes=nodes, time=time, memory=memory)
    check_position(position)
    if proof is not None:
        check_place(position, proof)
    with Distributed(position, search, workers=workers, threads=threads, goal=goal,
                     memory=memory, seed=seed, plain=plain, journal=journal, backend=backend,
                     cluster=cluster, rounds=rounds) as solver:
        result = solver.run(limits, progress)
        if proof is not None and (result.proved or result.partial):
            solver.write_proof(proof)
        return result


def resume_journal(path: str | Path, *, game: str | None = None, workers: int = 2,
                   **options: Any) -> Result:
    """Go on with the search of a journal, with as many workers as there are now; ``options`` as in
    ``solve_distributed``. A game that is not built in has to be given, as FILE.py:Class: no code is
    run that a journal names or holds."""
    position, search, facts = asked_in(path, game)
    return solve_distributed(position, search, workers=workers, journal=path, goal=facts["goal"],
                             seed=facts["seed"], plain=facts["plain"], **options)


def asked_in(path: str | Path, game: str | None = None
             ) -> tuple[Position, Search, dict[str, Any]]:
    """What a journal is about: the position, the search, and the facts."""
    if not Path(path).is_file():
        raise BadOption(f"there is no journal {file_name(path)}.")
    journal = Journal(path)
    try:
        facts = journal.facts()
    finally:
        journal.close()
    if facts is None:
        raise BadOption(f"the journal {file_name(path)} is empty.")
    missing = [item.name for item in fields(Setup)
               if item.name not in (*facts, "memory", "threads")]
    if missing:
        raise BadOption(f"the journal {file_name(path)} is damaged: it has no {missing[0]}.")
    if facts["game"] not in BUILT_IN and game is None:
        raise BadOption(f"the journal {file_name(path)} is about {quoted(facts['game'])}, a game "
                        "that is not built in; it has to be given, as FILE.py:Class.")
    facts |= {"game": game or facts["game"], "source": None}  # no code of the journal is run
    setup = Setup(**({"memory": 0} | {item.name: facts[item.name] for item in fields(Setup)
                                      if item.name in facts}))
    position, search, same = setup.here()
    if not same:
        raise BadOption(
            f"the journal {file_name(path)} was written by other code: Zermelo {setup.version} "
            f"there, {__version__} here, or other rules of {position.game.name}; go on with what "
            "wrote it.")
    return position, search, facts
