"""A walk through a certificate: the prover's move in each position, and what the other side can do.

What is met on the way must make sense, or the certificate is refused; but a walk shows one line
after the other and verifies nothing. That takes ``verify``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.core.position import Position, Way
from zermelo.errors import BadMove, BadOption, counted, listed, one_line, quoted
from zermelo.proof.budget import Budget
from zermelo.proof.claim import DRAWN, FIRST, SECOND, Claim
from zermelo.proof.header import PASS, PROBLEM, RANK_BYTES, SEARCH, SOLVED, ZONES, Header, Refused
from zermelo.proof.problem import entries_of
from zermelo.proof.read import Array, Certificate, kind_of
from zermelo.proof.rules import rules_for
from zermelo.proof.rules.base import RulesOf, State
from zermelo.proof.rules.connect_four import ConnectFourRules
from zermelo.proof.rules.hex import HexRules
from zermelo.proof.rules.k_in_a_row import InARowRules
from zermelo.proof.rules.lines_of_action import LinesOfActionRules
from zermelo.proof.rules.othello import OthelloRules
from zermelo.proof.rules.own import OwnRules
from zermelo.proof.rules.p_game import PGameRules
from zermelo.proof.rules.xiangqi import XiangqiRules
from zermelo.proof.settle import settle
from zermelo.proof.zones.carriers import CarrierGuide
from zermelo.proof.zones.guide import zone_guide
from zermelo.proof.zones.walk import ZoneGuide

if TYPE_CHECKING:
    from zermelo.core.game import Game

RECORD, SEARCHED, THREATS = "record", "search", "threats"
BLOCKS_KEPT = 16
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Answer:
    """The prover's move, where it comes from (``record``, ``search``, or ``threats``: a win by
    threats in a certificate of zones), and the record's rank."""

    move: int
    source: str
    rank: int | None = None


@dataclass(frozen=True, eq=False)
class Node:
    """A position of a walk.

    path      the moves from the root
    end       who has won, or DRAWN; None while the game goes on
    moves     the legal moves; none when the game is over
    repeated  the same position is on the path already, so that play can go on for ever
    inside    on the way, a record left the rest to a search
    """

    walk: Walk = field(repr=False)
    state: State
    parent: Node | None
    path: tuple[int, ...]
    mover: int
    end: int | None
    moves: list[int]
    repeated: bool
    inside: bool

    @property
    def by_prover(self) -> bool:
        """Whether the prover moves."""
        return self.end is None and self.mover == self.walk.claim.prover

    @cached_property
    def answer(self) -> Answer:
        """What the prover does; Refused where the certificate has no good answer."""
        return self.walk.answer(self)

    @property
    def choices(self) -> list[int]:
        """The moves to be looked at: the prover's one, or all replies; in a certificate of zones
        those that need an answer of their own."""
        return [self.answer.move] if self.by_prover else self.walk.considered(self)

    def after(self, move: int) -> Node:
        """The position after a legal move."""
        inside = self.by_prover and self.answer.source == SEARCHED
        return self.walk.node(self.walk.rules.play(self.state, move), self, move, inside)

    @property
    def text(self) -> str:
        """In the game's notation."""
        return self.walk.words.text(self.state, self.path)

    @property
    def diagram(self) -> str:
        """For a terminal."""
        return self.walk.words.diagram(self.state, self.path)

    def name(self, move: int) -> str:
        """What people call a move."""
        return self.walk.words.move_name(self.state, self.path, move)

    @property
    def line(self) -> list[Node]:
        """The positions from the root to this one."""
        before: list[Node] = []
        node: Node | None = self
        while node is not None:
            before.append(node)
            node = node.parent
        return before[::-1]

    @property
    def played(self) -> list[str]:
        """The names of the moves from the root."""
        return [node.name(move) for node, move in zip(self.line, self.path, strict=False)]

    @property
    def result(self) -> str:
        """How the game has ended: ``X has won``, ``a draw``, or nothing."""
        if self.end is None:
            return ""
        return "a draw" if self.end == DRAWN else f"{self.walk.players[self.end]} has won"


def walk_of(path: str | Path, claim: int = 1, game: Any = None,
            budget: Budget | None = None) -> Walk:
    """A walk through a claim of the certificate at ``path`` (see ``Walk``)."""
    if kind_of(path) == PROBLEM:
        return ProblemWalk(path, claim, budget)
    return Walk(path, claim, game, budget)


class Walk:
    """One claim of the certificate at ``path``, to be walked through from ``root``.

    claim  its number, from 1
    game   the game it is about, or its class, where that is not a built-in one
    """

    finder: Finder | None = None
    guide: ZoneGuide | CarrierGuide | None = None

    def __init__(self, path: str | Path, claim: int = 1, game: Game | type[Game] | None = None,
                 budget: Budget | None = None) -> None:
        certificate, self.budget = Certificate(path), budget or Budget()
        self.header = header = certificate.header
        if not 1 <= claim <= len(header.parts):
            raise BadOption(f"claim {quoted(claim)} is out of range; the certificate has "
                            f"{len(header.parts)}, counted from 1.")
        self.number, self.part = claim, header.parts[claim - 1]
        self.claim, self.players = self.part.claim, header.players
        self.rules = rules_for(header, "naive", game)
        start = self.rules.read(header.position)
        if self.claim.wins and self.rules.cyclic and not self.part.ranked:
            raise Refused(f"'{self.claim.words(self.players)}' needs ranks, since positions can "
                          "repeat in this game")
        self.words = words_for(self.rules, header)
        if header.kind == ZONES:
            self.guide = zone_guide(certificate, self.rules, start, self.budget)
        else:
            self.finder = Finder(certificate, claim - 1, self.rules)
        self.root = self.node(start, None, None, False)

    @property
    def words_of_claim(self) -> str:
        """The claim in a sentence."""
        return self.claim.words(self.players)

    @property
    def prover(self) -> str:
        """The name of the prover."""
        return self.players[self.claim.prover]

    def node(self, state: State, parent: Node | None, move: int | None, inside: bool) -> Node:
        """The position ``state``, reached by ``move``; Refused if it can't be part of the proof."""
        rules, path = self.rules, (*(parent.path if parent else ()),
                                   *(() if move is None else (move,)))
        end, mover = rules.end(state), rules.mover(state)
        moves = rules.moves(state) if end is None else []
        if end is None and not moves:
            end = 1 - mover
        repeated = parent is not None and rules.cyclic and any(
            before.state == state for before in parent.line)
        node = Node(self, state, parent, path, mover, end, moves, repeated,
                    inside or (parent is not None and parent.inside))
        if end is not None and not self.claim.holds(end):
            how = "in a draw" if end == DRAWN else f"with a win for {self.players[end]}"
            raise self.broken(node, f"the game ends {how}")
        if repeated and self.claim.wins:
            raise self.broken(node, "the position has come up before, and play can go on for ever")
        return node

    def broken(self, node: Node, reason: str) -> Refused:
        """What is wrong with the certificate at ``node``."""
        where = f"after {' '.join(node.played)}" if node.path else "at the root"
        return Refused(f"{self.claim.words(self.players)}: {where}, {reason}")

    def answer(self, node: Node) -> Answer:
        """The prover's move at ``node``, from its record or by a search."""
        if self.guide is not None:
            try:
                move, threat = self.guide.answer(node.path)
            except Refused as error:
                raise self.broken(node, str(error)) from None
            if move not in node.moves:
                raise self.broken(node, "the turn of the certificate is not legal")
            return Answer(move, THREATS if threat else RECORD)
        assert self.finder is not None
        if node.inside:  # a search goes on as it began, so that ranks have no say in it
            return Answer(self._search(node), SEARCHED)
        found = self.finder.find(self.rules.key(node.state))
        if found is None:
            raise self.broken(node, "there is no record for the position")
        record, rank = found
        state, move = self.rules.record(record, self.claim.prover)
        if move == SEARCH:
            return Answer(self._search(node), SEARCHED, rank)
        if not self.rules.legal(state, move):
            raise self.broken(node, "the move of the record is not legal")
        return Answer(self._image(node, state, move), RECORD, rank)

    def considered(self, node: Node) -> list[int]:
        """The replies that need an answer of their own."""
        if self.guide is None:
            return node.moves
        return self.guide.considered(node.path, node.moves)

    def _image(self, node: Node, state: State, move: int) -> int:
        """The move at ``node`` that is ``move`` at ``state``, the same but for a symmetry."""
        if state == node.state:
            return move
        rules = self.rules
        wanted = rules.key(rules.play(state, move))
        for mine in node.moves:
            if rules.key(rules.play(node.state, mine)) == wanted:
                return mine
        raise self.broken(node, "the move of the record has no image there")

    def _search(self, node: Node) -> int:
        """A move that works: the first, or where positions can repeat the fastest."""
        best: tuple[int, int] | None = None
        for move in node.moves:
            after = self.rules.play(node.state, move)
            try:
                length, _ = settle(self.rules, after, self.claim, self.header.search,
                                   self.budget)
            except Refused:
                continue
            if not self.rules.cyclic:
                return move
            if best is None or length < best[0]:
                best = length, move
        if best is None:
            raise self.broken(node, f"a search of up to {counted(self.header.search, 'position')} "
                              "finds no move")
        return best[1]

    def settled(self, node: Node) -> Node:
        """The next position in which the other side chooses, or the game is over."""
        while node.by_prover and not node.repeated:
            node = node.after(node.answer.move)
        return node

    def reply(self, node: Node, text: str) -> tuple[int, str]:
        """The reply that ``text`` begins with, and the rest of it.

        A reply is the name of a move; or its number in the list, where no name is a number.
        """
        names = [node.name(move) for move in node.moves]
        known = dict(zip(names, node.moves, strict=True))
        if not any(name.lstrip("+-").isdigit() for name in names):
            known = {str(i + 1): move for i, move in enumerate(node.moves)} | known
        text = text.strip()
        for same in (str, str.casefold):
            begins = [name for name in known if same(text) == same(name)
                      or same(text).startswith(f"{same(name)} ")]
            if begins:
                name = max(begins, key=len)
                return known[name], text[len(name) :].strip()
        wrong = text.split()[0] if text else text
        if not names:
            raise BadMove(f"{quoted(wrong)}: the game is over, there is no reply.")
        raise BadMove(f"{quoted(wrong)} is not a reply here; replies: {listed(names)}.")


class ProblemNode(Node):
    """A node of a problem; its state is its number in the certificate, and the number of a child is
    the move to it."""

    walk: ProblemWalk

    @cached_property
    def answer(self) -> Answer:
        """The child that counts."""
        return Answer(self.moves[0], RECORD)

    def after(self, move: int) -> Node:
        """The child with this number."""
        return self.walk.node(move, self, move, False)

    @property
    def text(self) -> str:
        """As the problem calls the node."""
        return self.walk.entries[self.state].text

    diagram = text

    def name(self, move: int) -> str:
        """The text of a child."""
        return self.walk.entries[move].text

    @property
    def result(self) -> str:
        """``solved`` or ``dead`` at an end."""
        return "" if self.end is None else self.walk.header.status


class ProblemWalk(Walk):
    """A walk through a certificate of a problem, as through a game: ``any`` picks a child where one
    is enough, and ``all`` where each has to do. Solved is a win of ``any``."""

    def __init__(self, path: str | Path, claim: int = 1, budget: Budget | None = None) -> None:
        self.budget = budget or Budget()
        if claim != 1:
            raise BadOption(f"claim {quoted(claim)} is out of range; the certificate has 1, "
                            "counted from 1.")
        self.header, self.entries = entries_of(Certificate(path), self.budget)
        self.number, self.players = claim, self.header.players
        self.claim = Claim(FIRST, wins=self.header.status == SOLVED)
        self.root = self.node(self.header.root, None, None, False)

    @property
    def words_of_claim(self) -> str:
        """The claim in a sentence."""
        return f"{self.root.text} is {self.header.status}"

    def node(self, state: State, parent: Node | None, move: int | None, inside: bool) -> Node:
        """The node with the number ``state``; Refused if it can't be part of the proof."""
        if state not in range(len(self.entries)):
            raise Refused(f"node {state} is not in the list")
        entry = self.entries[state]
        path = (*(parent.path if parent else ()), *(() if move is None else (move,)))
        won = self.header.status == SOLVED
        ends = entry.kind not in ("any", "all") or not entry.uses
        line = [] if parent is None else parent.line
        repeated = any(before.state == state for before in line)
        mover = FIRST if entry.kind == "any" else SECOND
        end = (FIRST if won else SECOND) if ends else None
        node = ProblemNode(self, state, parent, path, mover, end, [] if ends else entry.uses,
                           repeated, False)
        if won and repeated:
            raise self.broken(node, "the node rests on itself")
        return node


class Finder:
    """Looks up the records of one claim by their keys, which rise from block to block.

    That they do is for the checker to see: where they don't, a record may not be found.
    """

    def __init__(self, certificate: Certificate, claim: int, rules: RulesOf) -> None:
        self.certificate, self.claim, self.rules = certificate, claim, rules
        part = certificate.header.parts[claim]
        self.ranked, self.blocks = part.ranked, certificate.header.blocks(part)
        self._block: Any = lru_cache(BLOCKS_KEPT)(self._read)
        self._first: Any = lru_cache(None)(lambda number: self._block(number)[0][0].tobytes())

    def _read(self, number: int) -> tuple[Array, Array, Array]:
        """The keys, the records without ranks, and the ranks of a block; without ranks, none."""
        rows = np.ascontiguousarray(self.certificate.block(self.claim, number))
        ranks = np.empty(0, np.uint32)
        if self.ranked:
            ranks = np.ascontiguousarray(rows[:, -RANK_BYTES:]).view("<u4").ravel()
            rows = np.ascontiguousarray(rows[:, :-RANK_BYTES])
        return np.ascontiguousarray(self.rules.keys(rows)), rows, ranks

    def find(self, key: bytes) -> tuple[bytes, int | None] | None:
        """The record with this key and its rank, if it has one; None if there is no record."""
        number = bisect_right(range(self.blocks), key, key=self._first) - 1
        if number < 0:
            return None
        keys, records, ranks = self._block(number)
        at = bisect_left(range(len(keys)), key, key=lambda i: keys[i].tobytes())
        if at == len(keys) or keys[at].tobytes() != key:
            return None
        return records[at].tobytes(), int(ranks[at]) if self.ranked else None


class Words:
    """Texts, diagrams and names of the positions and moves of a walk; ``path`` are the moves from
    the root to ``state``.

    The checker shows a position without its coordinates, and of a user's game only the root in the
    game's words, since the state of a record may be made up. A walk comes to its positions by legal
    moves from the root, and may ask the game.
    """

    def __init__(self, rules: RulesOf, header: Header) -> None:
        self.rules, self.header = rules, header

    def text(self, state: State, path: Sequence[int]) -> str:
        """A text that the game reads."""
        return self.rules.text(state) if path else self.header.position

    def diagram(self, state: State, path: Sequence[int]) -> str:
        """A picture with coordinates."""
        if isinstance(self.rules, PGameRules):
            at = self.rules.text(state).removeprefix("path=") or "the root"
            return f"depth {state[2]} of {self.rules.depth}, sum {state[1]:+d}, at {at}"
        return with_coordinates(self.rules, self.rules.diagram(state))

    def move_name(self, state: State, path: Sequence[int], move: int) -> str:
        """The name of a legal move."""
        return "pass" if move == PASS else self.rules.move_name(state, move)


class OwnWords(Words):
    """The same for a user's game, by the game itself."""

    rules: OwnRules

    def text(self, state: State, path: Sequence[int]) -> str:
        """As the game writes it."""
        return self._ask(lambda position: position.text, state, path)

    def diagram(self, state: State, path: Sequence[int]) -> str:
        """As the game draws it."""
        return self._ask(lambda position: position.diagram, state, path)

    def move_name(self, state: State, path: Sequence[int], move: int) -> str:
        """As the game calls it."""
        return self._ask(lambda position: position.game.move_name(position, move), state, path)

    def _ask(self, question: Callable[[Position], str], state: State, path: Sequence[int]) -> str:
        rules = self.rules
        values = np.zeros(1, rules.rules.dtype)
        for name in rules.plain.names or ():
            values[name] = np.frombuffer(state, rules.plain)[name]
        way: Way = None
        for move in path:
            way = (way, move)
        position = Position(rules.game, values, origin=rules.position, way=way)
        try:
            return str(question(position if path else rules.position))
        except Exception as error:  # whatever the notation of others may raise
            raise Refused(f"the game {rules.game.name} can't show the position "
                          f"({type(error).__name__}: {one_line(error)})") from None


def words_for(rules: RulesOf, header: Header) -> Words:
    """How to speak about the game of a certificate."""
    return (OwnWords if isinstance(rules, OwnRules) else Words)(rules, header)


def with_coordinates(rules: RulesOf, diagram: str) -> str:
    """The diagram of a board with the names of its rows and columns."""
    rows = diagram.split("\n")
    count = len(rows)
    if isinstance(rules, ConnectFourRules):
        width = len(str(rules.columns))
        table = [*(row.split() for row in rows), [str(c + 1) for c in range(rules.columns)]]
        return "\n".join(" ".join(mark.rjust(width) for mark in row) for row in table)
    if isinstance(rules, OthelloRules):
        numbered = [f"{i + 1} {row}" for i, row in enumerate(rows)]
        return "\n".join([f"  {' '.join(LETTERS[:count])}", *numbered])
    if isinstance(rules, InARowRules | LinesOfActionRules):
        width = len(str(count))
        numbered = [f"{count - i:>{width}} {row}" for i, row in enumerate(rows)]
        return "\n".join([*numbered, f"{' ' * width} {' '.join(LETTERS[: rules.columns])}"])
    if isinstance(rules, XiangqiRules):
        numbered = [f"{count - 1 - i + rules.first} {row}" for i, row in enumerate(rows)]
        width = max(map(len, numbered)) - len(rows[0])
        return "\n".join([*(line.rjust(width + len(rows[0])) for line in numbered),
                          f"{' ' * width}{' '.join(LETTERS[:9])}"])
    if isinstance(rules, HexRules):
        numbered = [f"{' ' * i}{i + 1:>2} o {row.strip()} o" for i, row in enumerate(rows)]
        edge = " ".join("x" * count)
        return "\n".join([f"   {' '.join(LETTERS[:count])}", f"    {edge}", *numbered,
                          f"{' ' * count}     {edge}"])
    return diagram
