"""From an answered session to a certificate: the claims that it has proved, and their proofs.

A proof that its run can't give in a form for certificates is searched for again, by a search that
keeps its proofs in a table and is given the facts of the run.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.errors import BadOption, ProofFailure
from zermelo.proof import Claim
from zermelo.proof.write import (
    CHECKER_SEARCH,
    ProgressCallback,
    Written,
    check_lines,
    check_place,
    check_rules,
    write_certificate,
)
from zermelo.search.base import Proof, Run, Task
from zermelo.search.reasons import LOST, SLICE, UNKNOWN, WON
from zermelo.search.registry import DEFAULT_SEARCH, SEARCHES, start_by_zones
from zermelo.solving.result import Limits, Value

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.solving.session import Session



def write_proof(session: Session, path: str | Path, *, search: int = CHECKER_SEARCH,
                check: bool = True, workers: int = 1, memory: int | None = None,
                progress: ProgressCallback | None = None) -> Written:
    """Write the certificate of what ``session`` has proved to ``path``, and check it.

    ``search``: the checker may settle positions near the end itself, with at most this many
    positions each; 0 for a record in every position. ``memory``: for what has to be searched again,
    as in ``Limits``.
    """
    proof = partial(proof_of, session, memory=Limits(memory=memory).memory_bytes)
    return write_certificate(path, session.position, claims_of(session), proof, search=search,
                             check=check, workers=workers, progress=progress)


def check_in_advance(session: Session, path: str | Path) -> None:
    """Refuse before a long search what would be refused after it."""
    if session.zones is not None:
        check_lines(session.position.game)
    check_place(session.position, path)


def claims_of(session: Session) -> list[Claim]:
    """Return the claims to prove about the value that ``session`` has found."""
    check_rules(session.position)
    return claims_for(session.player, *session.value())


def claims_for(player: int, value: Value, proved: bool) -> list[Claim]:
    """Return the claims to prove about a value for ``player``."""
    me, you = player, 1 - player
    claims = {
        Value.WIN: [Claim(me)], Value.LOSS: [Claim(you)], Value.NOT_WIN: [Claim(me, wins=False)],
        Value.DRAW: [Claim(me, wins=False), Claim(you, wins=False)],
    }.get(value, [])
    if not proved or not claims:
        raise BadOption("there is no proof to write: the value is "
                        f"{value}, {'proved' if proved else 'not proved'}.")
    return claims


def load_proofs(position: Position, run: Run, memory: int) -> None:
    """Load or compile, before there is anything to prove, what ``proof_of`` and the records need
    for what ``run`` will answer about ``position``."""
    runs = [run]
    if position.game.rules.cyclic:
        ranked = _usual(Task(position, position.mover, memory, plain=True, horizon=1))
        ranked.advance(1)
        runs.append(ranked)
    for each in runs:
        load = each.proof().load
        if load is not None:
            load()


def proof_of(session: Session, claim: Claim, *, memory: int) -> Proof:
    """Return the proof of ``claim`` in a form for a certificate: of the session's own run, or of
    another one with its facts.

    In a cyclic game a win needs ranks that fall along every line: it is asked for within ever more
    plies, and the plies that are left are the rank.
    """
    wanted = WON if claim.wins else LOST
    own = session.answered(claim.player, wanted)
    ranked = own is not None and own.proof().ranked
    if session.position.game.rules.cyclic and claim.wins and not ranked:
        return _ranked(session, own, claim, memory).proof()
    if own is not None:
        proof = own.proof()
        if proof.records is not None or proof.threats is not None:
            return proof
    by_zones = session.zones is not None and session.position.outcome is None
    task = Task(session.position, claim.player, memory, plain=session.plain or by_zones,
                candidates=session.candidates and not by_zones, after=own)
    return _solved(_usual(task, session if by_zones else None), wanted).proof()


def _usual(task: Task, session: Session | None = None) -> Run:
    """Return a run of the search that keeps its proofs in a table; by ``session``'s zones."""
    usual = SEARCHES[DEFAULT_SEARCH]()
    if session is None or session.zones is None:
        return usual.start(task)
    return start_by_zones(usual, task, session.zones)


def _ranked(session: Session, own: Run | None, claim: Claim, memory: int) -> Run:
    plies = None if own is None else own.proof().plies
    known = None if plies is None else plies()
    horizon = (known or 1) - 1
    earlier: Run | None = None
    while earlier is None or earlier.status != WON:
        horizon += 1
        earlier = _usual(Task(session.position, claim.player, memory, plain=True, horizon=horizon,
                              after=earlier, candidates=session.candidates))
        while earlier.status == UNKNOWN:
            earlier.advance(1 << 20)
    return earlier


def _solved(question: Run, wanted: int) -> Run:
    while question.status == UNKNOWN and question.advance(1 << 20) == SLICE:
        pass  # slices are short, so that Ctrl-C is noticed
    if question.status != wanted:
        raise ProofFailure(f"{question.position.game.name}: two searches disagree about "
                           f"{question.position.text!r}. This is a bug.")
    return question
