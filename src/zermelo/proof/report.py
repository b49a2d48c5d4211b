"""What a check found, as a record."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any

from zermelo.errors import counted, shown
from zermelo.proof.check import Fails
from zermelo.proof.header import PASS, PROBLEM, Header, Part
from zermelo.proof.rules.base import RulesOf, State

VERIFIED, SAMPLE, REFUSED, UNDECIDED = "verified", "sample", "refused", "undecided"
STATUS = {VERIFIED: 0, SAMPLE: 10, UNDECIDED: 10, REFUSED: 1}


@dataclass(frozen=True)
class Checked:
    """What was found of one claim.

    records   how many it has; of zones, nodes
    checked   how many of them were looked at
    searched  of these, how many the checker had to settle itself
    longest   the most moves a game can last if the prover plays as recorded, where that is known
    wins      in a certificate of zones: wins by threats that were followed; in Hex, chains that
              can't be cut
    """

    claim: str
    records: int
    checked: int = 0
    searched: int = 0
    longest: int | None = None
    wins: int | None = None


@dataclass(frozen=True)
class Report:
    """The outcome of a check.

    verdict    ``verified``: all claims are proved; ``sample``: what was looked at is right;
               ``refused``: nothing is proved, ``reason`` says why and ``diagram`` shows where;
               ``undecided``: a limit was reached before, ``stopped`` says which
    positions  how many positions the rules were asked about, each time counted
    exhaustive whether no zone was trusted
    """

    file: str
    verdict: str
    reason: str = ""
    diagram: str = ""
    header: Header | None = None
    claims: list[Checked] = field(default_factory=list)
    positions: int = 0
    digest: str = ""
    rules: str = ""
    root: str = ""
    seconds: float = 0.0
    stopped: str = ""
    exhaustive: bool = False

    @property
    def verified(self) -> bool:
        """Whether all claims are proved."""
        return self.verdict == VERIFIED

    @property
    def exit_status(self) -> int:
        """0 verified, 10 a sample or undecided, 1 refused."""
        return STATUS[self.verdict]

    @property
    def records(self) -> int:
        """Of all claims together."""
        return sum(claim.records for claim in self.claims)

    @property
    def game(self) -> str:
        """The name of the game; empty if the header could not be read."""
        return self.header.game if self.header else ""

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters of the game."""
        return dict(self.header.parameters) if self.header else {}

    @property
    def changed(self) -> dict[str, Any]:
        """Those that are not as by default."""
        return self.header.changed if self.header else {}

    @property
    def position(self) -> str:
        """The position that is claimed about."""
        return self.header.position if self.header else ""

    def __str__(self) -> str:
        """What is claimed, whether it stands, and the digest."""
        about = self.header.about if self.header else self.file
        reason = f": {shown(self.reason, len(self.reason))}" if self.reason else ""
        lines = [about, f"{self.verdict}{reason}"]
        for claim in self.claims:
            lasting = ("" if claim.longest is None else
                       f", longest line {counted(claim.longest, 'move')}")
            things = "node" if self.header and self.header.kind == PROBLEM else "record"
            lines.append(f"{claim.claim}: {counted(claim.records, things)}{lasting}")
        lines.append(f"{counted(self.positions, 'position')}, sha256 {self.digest or 'unknown'}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return f"<pre>{escape(str(self))}</pre>"

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        header = self.header
        return {
            "file": self.file, "verdict": self.verdict, "reason": self.reason,
            "stopped": self.stopped or None, "kind": header.kind if header else None,
            "game": (header.game or None) if header else None,
            "parameters": header.parameters if header else None,
            "changed": header.changed if header else None,
            "position": header.position if header else None,
            "claims": [vars(claim) for claim in self.claims], "records": self.records,
            "positions": self.positions, "search": (header.search or None) if header else None,
            "exhaustive": self.exhaustive,
            "rules": self.rules, "digest": self.digest, "seconds": round(self.seconds, 3),
        }


def sentence(fails: Fails, part: Part, rules: RulesOf) -> tuple[str, str]:
    """Where a claim fails, in words and as a picture."""
    where = ("the root" if fails.record is None
             else f"record {fails.record + 1:,} of {part.records:,}")
    if fails.state is None:
        return f"{part.name} {part.claim.verb}: {where}: {fails.reason}", ""
    text = rules.text(fails.state)
    line = _line(rules, fails.state, fails.path)
    moves = f", after {' '.join(line)}" if line else ""
    reason = f"{part.name} {part.claim.verb}: {where}, {text}{moves}: {fails.reason}"
    return reason, rules.diagram(fails.state)


def _line(rules: RulesOf, state: State, path: Any) -> list[str]:
    """The moves by their names; the last of them may be none."""
    names = []
    for i, move in enumerate(path):
        names.append("pass" if move == PASS else rules.move_name(state, move))
        if i + 1 < len(path):
            state = rules.play(state, move)
    return names
