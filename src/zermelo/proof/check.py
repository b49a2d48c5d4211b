"""The checker: does a certificate prove what it claims?

Each record is looked at by itself. It holds a position in which the prover moves, and a move. The
move must be legal, and the position after it *covered*: the game is over as claimed; or the prover
moves again and there is a record; or the other side moves and all positions after that are covered.
If the root is covered too, the prover has an answer to everything, and what is left to show is that
play comes to an end: the rules see to it, or the ranks, which must fall from record to record. For
the claim that a player does not win, play need not end.

A record may say `search` instead of a move: then the checker settles the position itself, by trying
everything (``settle``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from sys import getsizeof
from typing import Any, NoReturn

import numpy as np

from zermelo.errors import counted, shown
from zermelo.proof.budget import CheckBudget
from zermelo.proof.header import (
    DRAWN,
    FIRST,
    PASS,
    PROBLEM,
    SEARCH,
    SECOND,
    Claim,
    ClaimPart,
    Header,
    Refused,
)
from zermelo.proof.read import RecordTable
from zermelo.proof.rules.base import RulesOf, State

MOST_BETWEEN = 1_000_000  # positions between a record and the prover's next moves
MOST_WANTED = 100_000  # records to be found at once
VERIFIED, SAMPLE, REFUSED, UNDECIDED = "verified", "sample", "refused", "undecided"
STATUS = {VERIFIED: 0, SAMPLE: 10, UNDECIDED: 10, REFUSED: 1}
POSITION_BYTES = 300  # of a position that is kept, beside the state itself


class Fails(Exception):
    """A claim is not proved: the record (None for the root), the moves from there, and the reason.

    ``state`` is the position of the record.
    """

    def __init__(self, record: int | None, state: State, path: Sequence[int], reason: str) -> None:
        super().__init__(record, state, path, reason)
        self.record, self.state, self.path, self.reason = record, state, path, reason


class Checker:
    """Checks the records of one claim, some at a time."""

    def __init__(self, rules: RulesOf, claim: Claim, table: RecordTable, search: int,
                 budget: CheckBudget | None = None) -> None:
        self.rules, self.claim, self.table, self.search = rules, claim, table, search
        self.budget = budget or CheckBudget()
        self.prover = claim.prover
        self.good = [claim.holds(end) for end in (FIRST, SECOND, DRAWN)]
        self.positions = self.searched = 0
        self.lengths_known = len(table.lengths) > 0 or not len(table.keys)
        # What is to be found: keys, the place of their record in the batch, the moves between.
        self.wanted: list[bytes] = []
        self.owners: list[int] = []
        self.paths: list[tuple[int, ...]] = []

    def batch(self, numbers: Any) -> None:
        """Check the records with these numbers; Fails names the first that is wrong."""
        width = self.table.records.shape[1]
        data = self.table.records[numbers].tobytes()
        begin = 0
        states: list[State] = []
        lengths: list[int] = []
        for at, number in enumerate(numbers.tolist()):
            state = None
            self.budget.step()
            try:
                state, move = self.rules.record(data[at * width : (at + 1) * width], self.prover)
                lengths.append(self.follow(len(states), number, state, move))
            except Refused as error:
                raise Fails(number, state, (), str(error)) from None
            states.append(state)
            if len(self.wanted) > MOST_WANTED:
                self.look_up(numbers[begin : at + 1], states, lengths)
                begin, states, lengths = at + 1, [], []
        self.look_up(numbers[begin:], states, lengths)

    def look_up(self, numbers: Any, states: list[State], lengths: list[int]) -> None:
        """Find the records that must follow those with these numbers; note the longest lines."""
        found = self.find(numbers, states)
        if self.lengths_known:
            longest, at = np.array(lengths, np.int32), np.array(self.owners, np.int64)
            plies = np.array([len(path) for path in self.paths], np.int32)
            np.maximum.at(longest, at, self.table.lengths[found] + plies)
            self.table.lengths[numbers] = longest
        self.forget()

    def root(self, state: State) -> int | None:
        """Check that the root is covered; return the longest line from it, if that is known."""
        length = self.cover(0, None, state, state, ())
        found = self.find(None, [state])
        paths = self.paths
        self.forget()
        if not self.lengths_known:
            return None
        after = [int(self.table.lengths[at]) + len(path)
                 for at, path in zip(found.tolist(), paths, strict=True)]
        return max([length, *after])

    def forget(self) -> None:
        """Begin a new batch."""
        self.wanted, self.owners, self.paths = [], [], []

    def follow(self, place: int, number: int, state: State, move: int) -> int:
        """Check a record, but for those that must follow it; return the longest line that ends."""
        rules = self.rules
        self.positions += 1
        if rules.mover(state) != self.prover:
            raise Fails(number, state, (), "the other side moves there")
        if rules.end(state) is not None:
            raise Fails(number, state, (), "the game is over there")
        if move == SEARCH:
            return self.settle(state)
        if not self.legal(state, move):
            raise Fails(number, state, (move,), "that move is not legal there")
        return self.cover(place, number, state, rules.play(state, move), (move,))

    def legal(self, state: State, move: int) -> bool:
        """Return True if the prover may play ``move``."""
        return self.rules.legal(state, move)

    def replies(self, state: State) -> list[int]:
        """Return all moves of the other side."""
        return self.rules.moves(state)

    def settle(self, state: State) -> int:
        """Search a position that the certificate leaves to the checker."""
        length, seen = settle(self.rules, state, self.claim, self.search, self.budget)
        self.positions += seen - 1
        self.searched += 1
        return length

    def cover(self, place: int, number: int | None, state: State, after: State,
              path: tuple[int, ...]) -> int:
        """Check that the position ``after`` is covered, but for records, which are noted.

        The result is the longest line from ``state`` that ends before the prover moves again.
        """
        rules, prover, good = self.rules, self.prover, self.good
        self.positions += 1
        end = rules.end(after)
        if end is not None:
            return self.ended(number, state, path, end)
        if rules.mover(after) == prover:
            self.want(place, rules.key(after), path)
            return 0
        replies = self.replies(after)
        if not replies:
            return self.ended(number, state, path, 1 - rules.mover(after))
        play, end_of, mover, key = rules.play, rules.end, rules.mover, rules.key
        wanted, owners, paths = self.wanted, self.owners, self.paths
        self.positions += len(replies)
        longest = 0
        for reply in replies:
            then = play(after, reply)
            end = end_of(then)
            if end is not None:
                if not good[end]:
                    self.ended(number, state, (*path, reply), end)
                longest = max(longest, len(path) + 1)
            elif mover(then) == prover:
                wanted.append(key(then))
                owners.append(place)
                paths.append((*path, reply))
            else:
                length = self.between(place, number, state, then, (*path, reply))
                longest = max(longest, length)
        return longest

    def between(self, place: int, number: int | None, state: State, begin: State,
                path: tuple[int, ...]) -> int:
        """Check that positions are covered where the other side moves several times in a row.

        Each position on the way is looked at once. One that repeats on its own line means that
        the other side can go on for ever, which is not a win.
        """
        rules = self.rules
        depths: dict[State, int] = {}
        size = POSITION_BYTES + state_bytes(begin)
        line: set[State] = set()  # the positions on the way to the present one
        todo: list[tuple[State, tuple[int, ...], bool]] = [(begin, path, False)]
        longest = 0
        while todo:
            now, path, left = todo.pop()
            if left:
                line.discard(now)
                continue
            if now in line and self.claim.wins:
                raise Fails(number, state, path, "the other side can go round for ever")
            if now in depths:
                self.lengths_known &= depths[now] == len(path)
                continue
            depths[now] = len(path)
            self.budget.hold(size)
            self.budget.step()
            if len(depths) > MOST_BETWEEN:
                raise Fails(number, state, path, f"there are more than {MOST_BETWEEN:,} positions "
                            "before the prover moves again")
            end = rules.end(now)
            if end is None and rules.mover(now) == self.prover:
                self.want(place, rules.key(now), path)
                continue
            moves = self.replies(now) if end is None else []
            if not moves:
                end = 1 - rules.mover(now) if end is None else end
                longest = max(longest, self.ended(number, state, path, end))
                continue
            self.positions += len(moves)
            line.add(now)
            todo.append((now, path, True))
            todo += [(rules.play(now, move), (*path, move), False) for move in reversed(moves)]
        self.budget.release(size * len(depths))
        return longest

    def want(self, place: int, key: bytes, path: tuple[int, ...]) -> None:
        """Note a record that must be there."""
        self.wanted.append(key)
        self.owners.append(place)
        self.paths.append(path)

    def ended(self, number: int | None, state: State, path: tuple[int, ...], end: int) -> int:
        """Return the length of a line that ends; raise Fails if it does not end as claimed."""
        if not self.good[end]:
            who = "in a draw" if end == DRAWN else f"with a win for {self.rules.players[end]}"
            raise Fails(number, state, path, f"the game ends {who}")
        return len(path)

    def find(self, numbers: Any, states: list[State]) -> Any:
        """Return the noted records; raise Fails if one is missing or its rank does not fall."""
        found = self.table.find(self.wanted)
        missing = np.flatnonzero(found < 0)
        if len(missing):
            self.fail(int(missing[0]), numbers, states, "there is no record for the position then")
        if len(self.table.ranks) and numbers is not None:
            ranks = self.table.ranks
            flat = np.flatnonzero(~self.falls(ranks[numbers][np.array(self.owners, np.int64)],
                                              ranks[found]))
            if len(flat):
                self.fail(int(flat[0]), numbers, states, "the rank of the next record is not lower")
        return found

    def falls(self, before: Any, after: Any) -> Any:
        """Return an array that is True where ranks fall from record to record."""
        return after < before

    def fail(self, which: int, numbers: Any, states: list[State], reason: str) -> NoReturn:
        """Raise Fails for the record that was noted as number ``which``."""
        place = self.owners[which]
        record = None if numbers is None else int(numbers[place])
        raise Fails(record, states[place], self.paths[which], reason)


def state_bytes(state: State) -> int:
    """Return the memory that a state takes, about."""
    parts = state if isinstance(state, tuple) else ()
    return getsizeof(state) + sum(map(getsizeof, parts))


def settle(rules: RulesOf, state: State, claim: Claim, limit: int, budget: CheckBudget
           ) -> tuple[int, int]:
    """Return the most moves that the game can still last, and the number of positions searched.

    Refused if the claim does not hold at ``state``, or if more than ``limit`` different positions
    have to be looked at to see that it does; Exceeded if these are more than ``budget`` allows.
    """
    kind = _Graph if rules.cyclic else _Tree
    search = kind(rules, claim, limit, budget, state_bytes(state))
    try:
        length = search.run(state)
    finally:
        budget.release(search.kept)
    if length is None:
        raise Refused(f"a search of {counted(search.seen, 'position')} shows that the claim is "
                      "false there")
    return length, search.seen


@dataclass
class _Search:
    rules: RulesOf
    claim: Claim
    limit: int
    budget: CheckBudget
    size: int  # of a state
    seen: int = 0
    kept: int = 0

    def keep(self, states: int) -> None:
        """Note the memory of that many states."""
        self.budget.hold(states * self.size + POSITION_BYTES)
        self.kept += states * self.size + POSITION_BYTES

    def look(self, state: State) -> tuple[bool, bool, list[int]]:
        """Return (the prover moves, the game is over as claimed, the moves if it is not over)."""
        if self.seen >= self.limit:
            raise Refused(f"a search of {counted(self.limit, 'position')} does not settle it")
        self.seen += 1
        self.budget.step()
        self.keep(1)
        mover = self.rules.mover(state)
        end = self.rules.end(state)
        moves = self.rules.moves(state) if end is None else []
        if end is None and not moves:
            end = 1 - mover
        return mover == self.claim.prover, end is not None and self.claim.holds(end), moves


@dataclass
class _Frame:
    """A position on the current line, its moves from last to first, the longest line so far."""

    state: State
    mine: bool
    moves: list[int]
    length: int | None = None


@dataclass
class _Tree(_Search):
    """Games without cycles: each position once, moves in the order of the rules, and no more of
    them than it takes. ``known``: the longest line from here, or None if the claim is false."""

    known: dict[State, int | None] = field(default_factory=dict)

    def run(self, root: State) -> int | None:
        """Return the longest line from ``root`` if the prover plays the first move that works."""
        frames: list[_Frame] = []
        self._enter(root, frames)
        while frames:
            top = frames[-1]
            if not top.moves:
                self.known[top.state] = top.length
                frames.pop()
                continue
            child = self.rules.play(top.state, top.moves[-1])
            if child not in self.known:
                self._enter(child, frames)
                continue
            found = self.known[child]
            top.moves.pop()
            if found is None:
                if not top.mine:  # a reply that refutes the claim
                    top.moves, top.length = [], None
            elif top.mine:  # a move that works
                top.moves, top.length = [], found + 1
            else:
                top.length = max(top.length or 0, found + 1)
        return self.known[root]

    def _enter(self, state: State, frames: list[_Frame]) -> None:
        mine, good, moves = self.look(state)
        if moves:
            frames.append(_Frame(state, mine, moves[::-1]))
        else:
            self.known[state] = 0 if good else None


class _Graph(_Search):
    """Games with cycles: all positions first, then from the ends backwards, so that no argument
    goes round in a circle. Endless play is not a win."""

    def run(self, root: State) -> int | None:
        """Return the number of moves until P has won; 0 where P does not win and needn't."""
        nodes: dict[State, tuple[bool, bool, list[State]]] = {}
        todo = [root]
        while todo:
            state = todo.pop()
            if state not in nodes:
                mine, good, moves = self.look(state)
                self.keep(len(moves))
                nodes[state] = mine, good, [self.rules.play(state, move) for move in moves]
                todo += nodes[state][2]
        won = self._won(nodes)
        if self.claim.wins:
            return won.get(root)
        return None if root in won else 0

    def _won(self, nodes: dict[State, tuple[bool, bool, list[State]]]) -> dict[State, int]:
        """Return the positions that P wins, with their distance: layer by layer."""
        wins = self.claim.wins
        won = {state: 0 for state, (_, good, after) in nodes.items() if not after and good == wins}
        before = -1
        while len(won) > before:
            before, distance = len(won), max(won.values(), default=0) + 1
            for state, (mine, _, after) in list(nodes.items()):
                enough = any if mine == wins else all  # the prover is P if the claim is a win
                if after and state not in won and enough(
                        won.get(child, distance) < distance for child in after):
                    won[state] = distance
        return won


@dataclass(frozen=True)
class Checked:
    """The outcome of the check of one claim.

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
    exhaustive True if no zone was trusted
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
        """True if all claims are proved."""
        return self.verdict == VERIFIED

    @property
    def exit_status(self) -> int:
        """0 verified, 10 a sample or undecided, 1 refused."""
        return STATUS[self.verdict]

    @property
    def records(self) -> int:
        """The records of all claims together."""
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
        """The parameters that are not as by default."""
        return self.header.changed if self.header else {}

    @property
    def position(self) -> str:
        """The position that is claimed about."""
        return self.header.position if self.header else ""

    def __str__(self) -> str:
        """Return the claims, the verdict and the digest."""
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
        """Return the text as a notebook shows it."""
        return f"<pre>{escape(str(self))}</pre>"

    def to_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
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


def sentence(fails: Fails, part: ClaimPart, rules: RulesOf) -> tuple[str, str]:
    """Return the place where a claim fails, and the reason, in words and as a picture."""
    where = ("the root" if fails.record is None
             else f"record {fails.record + 1:,} of {part.records:,}")
    if fails.state is None:
        return f"{part.words}: {where}: {fails.reason}", ""
    text = rules.text(fails.state)
    line = _line(rules, fails.state, fails.path)
    moves = f", after {' '.join(line)}" if line else ""
    reason = f"{part.words}: {where}, {text}{moves}: {fails.reason}"
    return reason, rules.diagram(fails.state)


def _line(rules: RulesOf, state: State, path: Any) -> list[str]:
    """Return the names of moves, of which the last may be illegal."""
    names = []
    for i, move in enumerate(path):
        names.append("pass" if move == PASS else rules.move_name(state, move))
        if i + 1 < len(path):
            state = rules.play(state, move)
    return names
