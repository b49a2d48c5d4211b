"""solve_distributed() and resume_journal(): a search by several workers in one call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo.cluster.journal import Journal
from zermelo.cluster.session import Distributed, Tell
from zermelo.cluster.setup import FACTS, Setup, other_code
from zermelo.core.position import Position, check_position
from zermelo.errors import BadOption, file_name, quoted
from zermelo.games.registry import BUILT_IN
from zermelo.proof.certify import check_place
from zermelo.search.base import Search
from zermelo.solving.result import Limits, Result


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
            if solver.interrupted:
                raise KeyboardInterrupt
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
        raise BadOption(f"the journal {file_name(path)} is empty; if it is a copy, "
                        f"{file_name(f'{Path(path).name}-wal')} belongs to it too.")
    _check_facts(path, facts)
    if facts["game"] not in BUILT_IN and game is None:
        raise BadOption(f"the journal {file_name(path)} is about {quoted(facts['game'])}, a game "
                        "that is not built in; it has to be given, as FILE.py:Class.")
    kept = {name: facts[name] for name in FACTS if name != "goal"}
    setup = Setup(**{**kept, "game": game or facts["game"], "memory": 0})
    position, search, same = setup.here()
    if not same:
        raise other_code(path, setup.version, position)
    return position, search, facts


def _check_facts(path: str | Path, facts: dict[str, Any]) -> None:
    """Refuse a journal that does not say what it is about, or not as it should."""
    for name, kind in FACTS.items():
        if name not in facts:
            raise BadOption(f"the journal {file_name(path)} is damaged: it has no {name}.")
        if type(facts[name]) is not kind:
            raise BadOption(f"the journal {file_name(path)} is damaged: its {name} can't be "
                            f"{quoted(facts[name])}.")
