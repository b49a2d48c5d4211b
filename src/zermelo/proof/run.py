"""``verify``: a certificate checked from its first byte to its last, and a report of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import BadCertificate, BadOption, check_whole
from zermelo.proof.budget import MEMORY, TIME, CheckBudget, Exceeded
from zermelo.proof.check import (
    REFUSED,
    SAMPLE,
    UNDECIDED,
    VERIFIED,
    Checked,
    Checker,
    Fails,
    Report,
    sentence,
)
from zermelo.proof.header import PROBLEM, ZONES, ClaimPart, Header, Refused
from zermelo.proof.problem import answers_of, check_problem, entries_of
from zermelo.proof.read import Certificate, load
from zermelo.proof.rules import rules_for
from zermelo.proof.rules.base import RulesOf, State
from zermelo.proof.rules.hex import HexRules
from zermelo.proof.rules.k_in_a_row import InARowRules
from zermelo.proof.workers import workers_for
from zermelo.proof.zones.carriers import CarrierChecker
from zermelo.proof.zones.threats import ZoneChecker, zones_body

if TYPE_CHECKING:
    from zermelo.core.game import Game

MOST_WORKERS = 256
Progress = Callable[[int, int, int], None]


def verify(
    path: str | Path, *, game: Game | type[Game] | Any = None, rules: str = "naive",
    workers: int = 1, sample: int | None = None, seed: int = 0, exhaustive: bool = False,
    memory: int = MEMORY, time: float = TIME, progress: Progress | None = None,
) -> Report:
    """Check the certificate at ``path``. No code that it names is run.

    game        the game it is about, or its class, where that is not a built-in one; or the
                problem, such as ``zermelo.problem`` gives it
    rules       ``naive``, the checker's own; ``compiled``, the same as machine code where it can
                be; or ``open-spiel``
    workers     how many processes
    sample      check only this many records, chosen at random by ``seed``
    exhaustive  trust no zone: answer every legal reply (certificates of zones)
    memory      bytes that it may take, by estimate; the report is ``undecided`` if that won't do
    time        seconds, the same
    progress    called with (records checked, of how many, positions) now and then
    """
    check_whole("workers", workers, 1, MOST_WORKERS)
    if sample is not None:
        check_whole("sample", sample, 1)
    began = perf_counter()
    run = _Run(sample, seed, workers, exhaustive, CheckBudget(memory, time), progress)
    found = run.report(path, rules, game)
    return Report(file=str(path), **found, seconds=perf_counter() - began, exhaustive=exhaustive)


def checker_for(rules: RulesOf, source: str, game: str) -> type[Checker]:
    """Return the class of the checker; the compiler is not loaded unless it is asked for."""
    if source != "compiled":
        return Checker
    from zermelo.proof.compiled import CompiledChecker, check_possible

    check_possible(rules, game)
    return CompiledChecker


def zone_checker(certificate: Certificate, rules: RulesOf, root: State, budget: CheckBudget,
                 exhaustive: bool = False) -> ZoneChecker | CarrierChecker:
    """Return the checker of a certificate of zones: by threats in a row, or by carriers in Hex."""
    part = certificate.header.parts[0]
    if isinstance(rules, HexRules):
        if certificate.header.wins:
            raise Refused(f"wins is {certificate.header.wins}, but in Hex there are none by "
                          "threats; it must be 0")
        return CarrierChecker(rules, root, part.claim.player, certificate.body(budget),
                              part.records, budget, exhaustive)
    assert isinstance(rules, InARowRules)
    body = zones_body(certificate, rules, budget)
    return ZoneChecker(rules, root, part.claim.player, body, budget, exhaustive)


class _Run:
    """One check, with its findings so far."""

    def __init__(self, sample: int | None, seed: int, workers: int, exhaustive: bool,
                 budget: CheckBudget, progress: Progress | None) -> None:
        self.sample, self.seed, self.workers, self.progress = sample, seed, workers, progress
        self.exhaustive, self.budget = exhaustive, budget
        self.kind: type[Checker] = Checker
        self.claims: list[Checked] = []
        self.positions = self.done = self.total = 0

    def report(self, path: str | Path, source: str, game: Game | type[Game] | Any
               ) -> dict[str, Any]:
        """Return the fields of the report."""
        known: dict[str, Any] = {}
        diagram = stopped = ""
        try:
            certificate = Certificate(path)
            known |= {"header": certificate.header, "digest": certificate.digest}
            self._check_options(certificate.header.kind, source)
            if certificate.header.kind == PROBLEM:
                known |= self._problem(certificate, game)
                return {**known, "verdict": VERIFIED, "claims": self.claims,
                        "positions": self.positions}
            rules = rules_for(certificate.header, source, game)
            self.budget.hold(self.workers * rules.table_bytes)
            known["rules"] = source if source == "compiled" else rules.source
            self.kind = checker_for(rules, source, certificate.header.title)
            root = rules.read(certificate.header.position)
            known["root"] = rules.diagram(root)
            if certificate.header.kind == ZONES:
                reason = self._zones(certificate, rules, root)
            else:
                reason, diagram = self._claims(certificate, rules, root)
        except Refused as error:
            reason = str(error)
        except Exceeded as error:
            reason, stopped = error.reason, error.limit
        verdict = (UNDECIDED if stopped else REFUSED if reason else
                   SAMPLE if self.sample is not None else VERIFIED)
        return {**known, "verdict": verdict, "reason": reason, "diagram": diagram,
                "claims": self.claims, "positions": self.positions, "stopped": stopped}

    def _check_options(self, kind: str, source: str) -> None:
        """Refuse options that belong to the other kind."""
        plain = self.sample is None and self.workers == 1 and source == "naive"
        if kind in (ZONES, PROBLEM) and not plain:
            raise BadOption("workers, sample and other rules are not for certificates of "
                            f"{'zones' if kind == ZONES else 'problems'}.")
        if kind != ZONES and self.exhaustive:
            raise BadOption("exhaustive is for certificates of zones; others answer every reply.")

    def _problem(self, certificate: Certificate, problem: Any) -> dict[str, Any]:
        """Check a certificate of a problem; return its part of the report."""
        if not hasattr(problem, "expand"):
            raise BadCertificate("the certificate is about a problem; say which problem that is "
                                 "(FILE.py:NAME before it, or game= in Python).")
        header, entries = entries_of(certificate, self.budget)
        self.positions = check_problem(problem.root, answers_of(problem), header, entries,
                                       self.budget)
        self.claims.append(Checked(header.status, header.nodes, self.positions))
        return {"header": header, "rules": "expand"}

    def _zones(self, certificate: Certificate, rules: RulesOf, root: State) -> str:
        """Check a certificate of zones; return the reason if it fails."""
        part = certificate.header.parts[0]
        self.total = part.records
        checker = zone_checker(certificate, rules, root, self.budget, self.exhaustive)
        try:
            checker.run(lambda done: self._went_on(1, checker.positions - self.positions))
        except Refused as error:
            return f"{part.words}: {error}"
        finally:
            self.positions = checker.positions
            self.claims.append(Checked(part.words, part.records,
                                       self.done, wins=checker.wins))
        return ""

    def _claims(self, certificate: Certificate, rules: RulesOf, root: State) -> tuple[str, str]:
        """Check claim after claim; return the reason and the place if one fails."""
        header = certificate.header
        chosen = self._choose(header)
        self.total = sum(part.records if numbers is None else len(numbers)
                         for part, numbers in zip(header.parts, chosen, strict=True))
        for i, part in enumerate(header.parts):
            if part.claim.wins and rules.cyclic and not part.ranked:
                raise Refused(f"'{part.words}' needs ranks, since positions can "
                              "repeat in this game")
            need = certificate.need(i)
            self.budget.hold(need)
            table = load(certificate, i, rules)
            rules.meet(table.records, root, part.claim, self.budget)
            if chosen[i] is not None:
                table = table.only(chosen[i])
            checker = self.kind(rules, part.claim, table, header.search, self.budget)
            del table  # several processes have it in files instead
            try:
                self._claim(checker, root, part)
            except Fails as fails:
                self._note(checker, part, None)
                return sentence(fails, part, rules)
            self.budget.release(need)
        return "", ""

    def _claim(self, checker: Checker, root: State, part: ClaimPart) -> None:
        """Check the records of a claim, then its root."""
        with workers_for(checker, self.workers) as check:
            for begin, end in checker.table.layers:
                for records, positions in check(begin, end):
                    self._went_on(records, positions)
            before = checker.positions
            try:
                longest = checker.root(root)
            except Refused as error:
                raise Fails(None, root, (), str(error)) from None
            self._went_on(0, checker.positions - before)
            self._note(checker, part, longest)

    def _note(self, checker: Checker, part: ClaimPart, longest: int | None) -> None:
        self.claims.append(Checked(part.words, part.records,
                                   len(checker.table.order), checker.searched, longest))

    def _choose(self, header: Header) -> list[Any]:
        """Return, for each claim, the numbers of the records to look at, or None for all."""
        counts = [part.records for part in header.parts]
        if self.sample is None:
            return [None] * len(counts)
        total = sum(counts)
        chosen = sorted(random.Random(self.seed).sample(range(total), min(self.sample, total)))
        numbers, begin, found = np.array(chosen, np.int64), 0, []
        for count in counts:
            found.append(numbers[(numbers >= begin) & (numbers < begin + count)] - begin)
            begin += count
        return found

    def _went_on(self, records: int, positions: int) -> None:
        self.done += records
        self.positions += positions
        self.budget.look()
        if self.progress is not None:
            self.progress(self.done, self.total, self.positions)
