"""A walk through a certificate: the prover's move in each position, and the replies to it.

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
from zermelo.errors import BadMove, BadOption, check_whole, counted, listed, one_line, quoted
from zermelo.proof.budget import CheckBudget
from zermelo.proof.check import settle
from zermelo.proof.header import (
    DRAWN,
    FIRST,
    PASS,
    PROBLEM,
    SEARCH,
    SECOND,
    SOLVED,
    ZONES,
    Claim,
    Refused,
)
from zermelo.proof.problem import entries_of
from zermelo.proof.read import Array, Certificate, kind_of, parted
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
from zermelo.proof.run import zone_checker
from zermelo.proof.zones.carriers import CarrierChecker, after_reply
from zermelo.proof.zones.carriers import answer as carrier_answer
from zermelo.proof.zones.threats import (
    Attack,
    BoardLines,
    Body,
    Defence,
    Follower,
    check_root,
    each,
    zones_body,
)

if TYPE_CHECKING:
    from zermelo.core.game import Game

RECORD, SEARCHED, THREATS = "record", "search", "threats"
BLOCKS_KEPT = 16
MOST_CHILDREN = 200
OUTCOMES = {0: "first", 1: "second", DRAWN: "draw"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class ProofMove:
    """The prover's move, where it comes from (``record``, ``search``, or ``threats``: a win by
    threats in a certificate of zones), and the record's rank."""

    move: int
    source: str
    rank: int | None = None


@dataclass(frozen=True, eq=False)
class ProofNode:
    """A position of a walk.

    path      the moves from the root
    end       the winner, or DRAWN; None while the game goes on
    moves     the legal moves; none when the game is over
    repeated  the same position is on the path already, so that play can go on for ever
    inside    on the way, a record left the rest to a search
    """

    walk: ProofWalk = field(repr=False)
    state: State
    parent: ProofNode | None
    path: tuple[int, ...]
    mover: int
    end: int | None
    moves: list[int]
    repeated: bool
    inside: bool

    @property
    def by_prover(self) -> bool:
        """True if the prover moves."""
        return self.end is None and self.mover == self.walk.claim.prover

    @cached_property
    def answer(self) -> ProofMove:
        """The prover's move; raise Refused where the certificate has no good one."""
        return self.walk.answer(self)

    @property
    def choices(self) -> list[int]:
        """The moves to be looked at: the prover's one, or all replies; in a certificate of zones
        those that need an answer of their own."""
        return [self.answer.move] if self.by_prover else self.walk.considered(self)

    def after(self, move: int) -> ProofNode:
        """Return the position after a legal move."""
        inside = self.by_prover and self.answer.source == SEARCHED
        return self.walk.node(self.walk.rules.play(self.state, move), self, move, inside)

    @property
    def text(self) -> str:
        """The position in the game's notation."""
        return self.walk.text(self.state, self.path)

    @property
    def diagram(self) -> str:
        """The position for a terminal."""
        return self.walk.diagram(self.state, self.path)

    def name(self, move: int) -> str:
        """Return the name of a move."""
        return self.walk.move_name(self.state, self.path, move)

    @property
    def line(self) -> list[ProofNode]:
        """The positions from the root to this one."""
        before: list[ProofNode] = []
        node: ProofNode | None = self
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
        """The end of the game: ``X has won``, ``a draw``, or nothing."""
        if self.end is None:
            return ""
        return "a draw" if self.end == DRAWN else f"{self.walk.players[self.end]} has won"


def walk_of(path: str | Path, claim: int = 1, game: Any = None,
            budget: CheckBudget | None = None) -> ProofWalk:
    """Return a walk through a claim of the certificate at ``path`` (see ``ProofWalk``)."""
    if kind_of(path) == PROBLEM:
        return ProblemWalk(path, claim, budget)
    return ProofWalk(path, claim, game, budget)


class ProofWalk:
    """A walk through one claim of the certificate at ``path``, from ``root``.

    claim  its number, from 1
    game   the game it is about, or its class, where that is not a built-in one
    """

    finder: Finder | None = None
    guide: ZoneGuide | CarrierGuide | None = None

    def __init__(self, path: str | Path, claim: int = 1, game: Game | type[Game] | None = None,
                 budget: CheckBudget | None = None) -> None:
        certificate, self.budget = Certificate(path), budget or CheckBudget()
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
        if header.kind == ZONES:
            self.guide = self._guide(certificate, start)
        else:
            self.finder = Finder(certificate, claim - 1, self.rules)
        self.root = self.node(start, None, None, False)

    def _guide(self, certificate: Certificate, start: State) -> ZoneGuide | CarrierGuide:
        """Return the answers by zones; in Hex all zones are looked at before."""
        if isinstance(self.rules, InARowRules):
            body = zones_body(certificate, self.rules, self.budget)
            return ZoneGuide(self.rules, start, self.claim.player, body, self.budget)
        checker = zone_checker(certificate, self.rules, start, self.budget)
        checker.run()
        assert isinstance(checker, CarrierChecker)
        return CarrierGuide(checker)

    @property
    def words_of_claim(self) -> str:
        """The claim in a sentence."""
        return self.claim.words(self.players)

    @property
    def prover(self) -> str:
        """The name of the prover."""
        return self.players[self.claim.prover]

    def node(self, state: State, parent: ProofNode | None, move: int | None, inside: bool
             ) -> ProofNode:
        """Return the position ``state`` after ``move``; raise Refused if that is no proof."""
        rules, path = self.rules, (*(parent.path if parent else ()),
                                   *(() if move is None else (move,)))
        end, mover = rules.end(state), rules.mover(state)
        moves = rules.moves(state) if end is None else []
        if end is None and not moves:
            end = 1 - mover
        repeated = parent is not None and rules.cyclic and any(
            before.state == state for before in parent.line)
        node = ProofNode(self, state, parent, path, mover, end, moves, repeated,
                    inside or (parent is not None and parent.inside))
        if end is not None and not self.claim.holds(end):
            how = "in a draw" if end == DRAWN else f"with a win for {self.players[end]}"
            raise self.broken(node, f"the game ends {how}")
        if repeated and self.claim.wins:
            raise self.broken(node, "the position has come up before, and play can go on for ever")
        return node

    def broken(self, node: ProofNode, reason: str) -> Refused:
        """Return the error for a certificate that is wrong at ``node``."""
        where = f"after {' '.join(node.played)}" if node.path else "at the root"
        return Refused(f"{self.claim.words(self.players)}: {where}, {reason}")

    def answer(self, node: ProofNode) -> ProofMove:
        """Return the prover's move at ``node``, from its record or by a search."""
        if self.guide is not None:
            try:
                move, threat = self.guide.answer(node.path)
            except Refused as error:
                raise self.broken(node, str(error)) from None
            if move not in node.moves:
                raise self.broken(node, "the turn of the certificate is not legal")
            return ProofMove(move, THREATS if threat else RECORD)
        assert self.finder is not None
        if node.inside:  # a search goes on as it began, so that ranks have no say in it
            return ProofMove(self._search(node), SEARCHED)
        found = self.finder.find(self.rules.key(node.state))
        if found is None:
            raise self.broken(node, "there is no record for the position")
        record, rank = found
        state, move = self.rules.record(record, self.claim.prover)
        if move == SEARCH:
            return ProofMove(self._search(node), SEARCHED, rank)
        if not self.rules.legal(state, move):
            raise self.broken(node, "the move of the record is not legal")
        return ProofMove(self._image(node, state, move), RECORD, rank)

    def considered(self, node: ProofNode) -> list[int]:
        """Return the replies that need an answer of their own."""
        if self.guide is None:
            return node.moves
        return self.guide.considered(node.path, node.moves)

    def _image(self, node: ProofNode, state: State, move: int) -> int:
        """Return the move at ``node`` that is the image of ``move`` at ``state``."""
        if state == node.state:
            return move
        rules = self.rules
        wanted = rules.key(rules.play(state, move))
        for mine in node.moves:
            if rules.key(rules.play(node.state, mine)) == wanted:
                return mine
        raise self.broken(node, "the move of the record has no image there")

    def _search(self, node: ProofNode) -> int:
        """Return a move that works: the first, or where positions can repeat the fastest."""
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

    # The checker shows a position without its coordinates, and of a user's game only the root in
    # the game's words, since the state of a record may be made up. A walk comes to its positions by
    # legal moves from the root, ``path``, and may ask the game.

    def text(self, state: State, path: Sequence[int]) -> str:
        """Return a text that the game reads."""
        if isinstance(self.rules, OwnRules):
            return self._ask(self.rules, lambda position: position.text, state, path)
        return self.rules.text(state) if path else self.header.position

    def diagram(self, state: State, path: Sequence[int]) -> str:
        """Return a picture with coordinates."""
        rules = self.rules
        if isinstance(rules, OwnRules):
            return self._ask(rules, lambda position: position.diagram, state, path)
        if isinstance(rules, PGameRules):
            at = rules.text(state).removeprefix("path=") or "the root"
            return f"depth {state[2]} of {rules.depth}, sum {state[1]:+d}, at {at}"
        return with_coordinates(rules, rules.diagram(state))

    def move_name(self, state: State, path: Sequence[int], move: int) -> str:
        """Return the name of a legal move."""
        if isinstance(self.rules, OwnRules):
            return self._ask(self.rules, lambda position: position.game.move_name(position, move),
                             state, path)
        return "pass" if move == PASS else self.rules.move_name(state, move)

    def _ask(self, rules: OwnRules, question: Callable[[Position], str], state: State,
             path: Sequence[int]) -> str:
        """Return the answer of a user's game about a position."""
        way: Way = None
        for move in path:
            way = (way, move)
        position = Position(rules.game, rules.array(state), origin=rules.position, way=way)
        try:
            return str(question(position if path else rules.position))
        except Exception as error:  # whatever the notation of others may raise
            raise Refused(f"the game {rules.game.name} can't show the position "
                          f"({type(error).__name__}: {one_line(error)})") from None

    def settled(self, node: ProofNode) -> ProofNode:
        """Return the next position in which the other side chooses, or the game is over."""
        while node.by_prover and not node.repeated:
            node = node.after(node.answer.move)
        return node

    def reply(self, node: ProofNode, text: str) -> tuple[int, str]:
        """Return the reply that ``text`` begins with, and the rest of it.

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


class ListedNode(ProofNode):
    """A node of a problem; its state is its number in the certificate, and the number of a child is
    the move to it."""

    walk: ProblemWalk

    @cached_property
    def answer(self) -> ProofMove:
        """The child that counts."""
        return ProofMove(self.moves[0], RECORD)

    def after(self, move: int) -> ProofNode:
        """Return the child with this number."""
        return self.walk.node(move, self, move, False)

    @property
    def text(self) -> str:
        """The problem's name of the node."""
        return self.walk.entries[self.state].text

    diagram = text

    def name(self, move: int) -> str:
        """Return the text of a child."""
        return self.walk.entries[move].text

    @property
    def result(self) -> str:
        """``solved`` or ``dead`` at an end."""
        return "" if self.end is None else self.walk.header.status


class ProblemWalk(ProofWalk):
    """A walk through a certificate of a problem, as through a game: ``any`` picks a child where one
    is enough, and ``all`` where each has to do. Solved is a win of ``any``."""

    def __init__(self, path: str | Path, claim: int = 1, budget: CheckBudget | None = None) -> None:
        self.budget = budget or CheckBudget()
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

    def node(self, state: State, parent: ProofNode | None, move: int | None, inside: bool
             ) -> ProofNode:
        """Return the node with the number ``state``; raise Refused if it can't be in the proof."""
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
        node = ListedNode(self, state, parent, path, mover, end, [] if ends else entry.uses,
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
        self.part = certificate.header.parts[claim]
        self.blocks = certificate.header.blocks(self.part)
        self._block: Any = lru_cache(BLOCKS_KEPT)(self._read)
        self._first: Any = lru_cache(None)(lambda number: self._block(number)[0][0].tobytes())

    def _read(self, number: int) -> tuple[Array, Array, Array]:
        """Return the keys, the records without ranks, and the ranks of a block."""
        records, ranks = parted(self.certificate.block(self.claim, number), self.part)
        return np.ascontiguousarray(self.rules.keys(records)), records, ranks

    def find(self, key: bytes) -> tuple[bytes, int | None] | None:
        """Return the record with this key, and its rank or None; None without a record."""
        number = bisect_right(range(self.blocks), key, key=self._first) - 1
        if number < 0:
            return None
        keys, records, ranks = self._block(number)
        at = bisect_left(range(len(keys)), key, key=lambda i: keys[i].tobytes())
        if at == len(keys) or keys[at].tobytes() != key:
            return None
        return records[at].tobytes(), int(ranks[at]) if self.part.ranked else None


@dataclass(frozen=True)
class Stand:
    """A place before a turn: a node, a win by threats, or neither: then a line can be completed."""

    node: Attack | Defence | None = None
    win: int | None = None


class ZoneGuide:
    """Gives the answers in a walk through zones, by the stones from ``root``.

    A walk goes stone by stone, the certificate turn by turn. The stones from the root say where in
    the certificate a position is: at a node, or in a win by threats. After a reply that the
    certificate leaves out, the winner plays as if the other side had passed, or put one stone and
    passed.
    """

    def __init__(self, rules: InARowRules, root: State, winner: int, body: Body, budget: CheckBudget
                 ) -> None:
        check_root(rules, root)
        self.rules, self.root, self.winner, self.body = rules, root, winner, body
        self.lines = BoardLines(rules)
        self.follower = Follower(self.lines, winner, body.wins, budget)

    def answer(self, path: tuple[int, ...]) -> tuple[int, bool]:
        """Return the winner's next stone after the stones of ``path``, and True for a threat's."""
        stand, played, _ = self._stand(path)
        self._set_up(path[: len(path) - len(played)])
        turn = self._turn(stand)
        for square in turn:
            if square not in played:
                return square, not isinstance(stand.node, Attack) or stand.node.win is not None
        raise Refused("the certificate has no turn there")

    def considered(self, path: tuple[int, ...], moves: list[int]) -> list[int]:
        """Return the stones of the other side that have an answer of their own."""
        stand, played, _ = self._stand(path)
        turns: Any = ()
        if isinstance(stand.node, Defence):
            turns = [*stand.node.wins, *stand.node.nodes]
        elif stand.win is not None:
            turns = self.body.wins[stand.win].stops
        so_far, found = sum(1 << square for square in played), 0
        for turn in turns:
            if not so_far & ~turn:
                found |= turn
        return [move for move in moves if (found & ~so_far) >> move & 1]

    def _set_up(self, path: tuple[int, ...]) -> None:
        """Put the position after whole turns on the lines."""
        state = self.root
        for square in path:
            state = self.rules.play(state, square)
        for side, stones in enumerate(self.rules.stones(state)):
            self.lines.lift(self.lines.stones[side], side)
            self.lines.put(stones, side)

    def _stand(self, path: tuple[int, ...]) -> tuple[Stand, tuple[int, ...], int]:
        """Return the place before the present turn, the stones of that turn, and the mover."""
        stand, begin = Stand(node=self.body.nodes[0]), 0
        mover, left = self.root[2], self.root[3]
        while len(path) - begin >= left:
            turn = path[begin : begin + left]
            stand = (self._after_mine(stand) if mover == self.winner
                     else self._after_reply(stand, turn, path[: begin + left]))
            begin, mover, left = begin + left, 1 - mover, self.rules.per_turn
        return stand, path[begin:], mover

    def _after_mine(self, stand: Stand) -> Stand:
        """Return the place after the winner's turn."""
        if isinstance(stand.node, Attack) and stand.node.then is not None:
            return Stand(node=self.body.nodes[stand.node.then])
        win = stand.node.win if isinstance(stand.node, Attack) else stand.win
        return Stand(win=win)

    def _after_reply(self, stand: Stand, turn: tuple[int, ...], path: tuple[int, ...]) -> Stand:
        """Return the place after the turn ``turn`` of the other side."""
        reply = sum(1 << square for square in turn)
        if stand.win is not None:
            return Stand(win=self.body.wins[stand.win].stops.get(reply))
        if not isinstance(stand.node, Defence):
            return Stand()
        if reply in stand.node.nodes:
            return Stand(node=self.body.nodes[stand.node.nodes[reply]])
        plans = [stand.node.wins[reply]] if reply in stand.node.wins else [
            *(stand.node.seconds[s] for s in each(reply) if s in stand.node.seconds),
            stand.node.null]
        self._set_up(path)
        for plan in plans:
            try:
                self.follower.zone(plan, self.rules.per_turn)
                return Stand(win=plan)
            except Refused:
                continue
        raise Refused(f"there is no answer to {turn}")

    def _turn(self, stand: Stand) -> list[int]:
        """Return the winner's turn: first the stones that complete a line, if some do."""
        node, turn = stand.node, ()  # type: Any, tuple[int, ...]
        if isinstance(node, Attack) and node.then is not None:
            turn = node.turn
        else:
            win = node.win if isinstance(node, Attack) else stand.win
            turn = self.body.wins[win].turn if win is not None else ()
        ready = [self.lines.lacking(line, self.winner)
                 for line in self.lines.open(self.winner, self.rules.per_turn)]
        squares = sum(1 << square for square in turn)
        for lacking in ready:
            if not turn or not lacking & ~squares:
                return [*each(lacking), *(s for s in turn if not lacking >> s & 1)]
        return list(turn)


class CarrierGuide:
    """Gives the answers in a walk through zones, by the stones from ``root``."""

    def __init__(self, checker: CarrierChecker) -> None:
        self.rules, self.root, self.winner = checker.rules, checker.root, checker.winner
        self.zones = checker.zones

    def answer(self, path: tuple[int, ...]) -> tuple[int, bool]:
        """Return the winner's next stone after the stones of ``path``; none is a threat's."""
        state, number = self._stand(path)
        return carrier_answer(self.rules, state, self.winner, self.zones, number)[0], False

    def considered(self, path: tuple[int, ...], moves: list[int]) -> list[int]:
        """Return the replies in the zone."""
        _, number = self._stand(path)
        return [move for move in moves if self.zones[number].cells >> move & 1]

    def _stand(self, path: tuple[int, ...]) -> tuple[State, int]:
        state, number = self.root, len(self.zones) - 1
        for move in path:
            if self.rules.mover(state) == self.winner:
                number = carrier_answer(self.rules, state, self.winner, self.zones, number)[1]
            else:
                number = after_reply(self.zones, number, move)
            state = self.rules.play(state, move)
        return state, number


def with_coordinates(rules: RulesOf, diagram: str) -> str:
    """Return the diagram of a board with the names of its rows and columns."""
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


def certificate_branch(walk: ProofWalk, path: Sequence[str] = (), offset: int = 0,
                       count: int = MOST_CHILDREN) -> dict[str, Any]:
    """Return the position that ``path`` leads to, as a record of a tree (see ``solving.trees``).

    It has the prover's move and its source, or up to 200 replies from ``offset`` on. The kind is
    ``or`` where the player moves whom the claim is about, the status ``won`` or ``lost`` for that
    player as the claim says. Each call has the walk's whole time."""
    check_whole("offset", offset, 0)
    check_whole("count", count, 0, MOST_CHILDREN)
    walk.budget.restart()
    node, names = walk.root, list[str]()
    if isinstance(path, str):
        raise BadMove(f"a path is a list of moves, not {quoted(path)}.")
    for move in path:
        code = _reply(node, move)
        names.append(node.name(code))
        node = node.after(code)
    over = node.end is not None or node.repeated
    moves = [] if over else [node.answer.move] if node.by_prover else node.moves
    zones = walk.header.kind == ZONES and not node.by_prover and not over
    children = [_record(node.after(move), [*names, node.name(move)])
                for move in moves[offset : offset + count]]
    if zones:
        needed = set(node.choices)
        for child, code in zip(children, moves[offset : offset + count], strict=True):
            child["considered"] = code in needed
    return {
        "path": names, "node": _record(node, names), "children": children,
        "more": max(0, len(moves) - offset - count), "answer": _answer(node, over),
        "position": node.text, "claim": walk.words_of_claim, "prover": walk.prover,
        "attacker": walk.players[walk.claim.player], "keeps": "certificate",
    }


def _reply(node: ProofNode, text: str) -> int:
    """Return the code of a move of the path: the prover's, or any reply."""
    moves = [node.answer.move] if node.by_prover else node.moves
    if node.repeated or not moves:
        raise BadMove(f"{quoted(text)}: the line ends before it.")
    known = {node.name(move): move for move in moves}
    for name, move in known.items():
        if isinstance(text, str) and text.strip().casefold() == name.casefold():
            return move
    where = "the certificate has" if node.by_prover else "replies:"
    raise BadMove(f"{quoted(text)} is not a move of the proof here; {where} {listed(known)}.")


def _answer(node: ProofNode, over: bool) -> dict[str, Any] | None:
    if over or not node.by_prover:
        return None
    answer = node.answer
    return {"move": node.name(answer.move), "source": answer.source, "rank": answer.rank}


def _record(node: ProofNode, names: list[str]) -> dict[str, Any]:
    walk, over = node.walk, node.end is not None or node.repeated
    claim = walk.claim
    found: dict[str, Any] = {
        "move": names[-1] if names else None, "path": names,
        "kind": "end" if node.end is not None else "or" if node.mover == claim.player else "and",
        "to_move": walk.players[node.mover], "status": "won" if claim.wins else "lost",
        "outcome": None if node.end is None else OUTCOMES[node.end], "numbers": {},
        "children": 0 if over else 1 if node.by_prover else len(node.moves), "held": True,
        "best": node.parent is None or node.parent.by_prover,
    }
    if node.repeated:
        found["repeats"] = True
    return found
