"""Certificates of zones for k-in-a-row games: their body, their check, and walks through them.

The body has a line of JSON for each node, then one for each win. Squares are numbers. The first
node is the position of the certificate.

    {"turn": [a, b], "then": n}    the winner plays a and b, which leads to node n
    {"win": k}                     the winner wins by threats, as win k says
    {"null": k, "seconds": {"a": k, ...}, "wins": [[a, b, k], ...], "nodes": [[a, b, n], ...]}
        the other side moves: the win if it passes; if it plays a and passes; the replies that lose
        to threats; and those after which the winner moves at node n
    [[a, b], [c, d, k], ...]       a win: play a and b; after c and d go on with win k

A win is a plan, and may be followed from several positions. It goes on with wins before it.

Every legal reply has an answer, or provably needs none. A node is a position before a turn. At the
winner's nodes the certificate has its turn, or a win by threats (see ``Follower``). At the other
side's nodes it need not have an answer to every turn, of which there may be tens of thousands. What
it must have follows from this argument.

Let T be the winner's win by threats if the other side passes, p the stones of a turn, and S the one
or two stones that the other side puts instead. The winner plays T as if nothing had happened. That
fails only if, somewhere in T,

1. a stone of S stands where the winner wants to put one;
2. a stone of S stands in a line that threatens after a turn of T. If it stands in none of them, the
   threats are all still there: a reply that leaves one open loses at once, and the replies that
   stop them all are those that T answers, since they take exactly p stones, all on such lines;
3. the other side completes a line of its own first. After each turn of T it has no line that lacks
   p stones or fewer, so this one has stones of S in it and lacked at most p + |S in it| before.

The zone of T is near: the squares of all turns in T, of the threats, and of lines that lack p + 1;
and far: the lines that lack p + 2. So

- one stone outside the near zone of T loses to T;
- two stones outside it lose to T unless both stand in one far line;
- a stone s in it and a second stone: the same with T', the winner's win by threats after s and a
  pass, and one further stone. With s and t both in the zone, one of the two arguments will do.

All other turns must be answered, one by one, and so must every turn with s where the certificate
has no T'. A stone on a guard of a line (``overline="no-win"``) can only spoil a line of its own
side. With one square left a turn has one stone, and the argument is that of one stone. Where few
squares are left, the threats of T are still empty, and it still takes p stones to stop them.

It does not hold for three stones at once: positions in which a player has three to put, and games
with turns of three, are refused. ``exhaustive`` uses none of this: every legal turn is played, and
answered by the certificate or by T or T', followed from the position after it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from zermelo.errors import counted, quoted
from zermelo.proof.budget import CheckBudget
from zermelo.proof.header import Refused
from zermelo.proof.read import Certificate
from zermelo.proof.rules.base import State
from zermelo.proof.rules.k_in_a_row import WAYS, InARowRules

PARSED = 40  # bytes in memory for each byte of the text, about
FAR = 2  # lines that lack this many stones more than a turn has still matter
MOST_TURNS = 200  # of a win by threats
MOST_STONES = 2
Place = tuple[int, int, int, int]  # stones of both players, the mover, and the number to put


@dataclass(frozen=True)
class Attack:
    """The winner moves: ``turn`` leads to the node ``then``; or it follows the win ``win``."""

    turn: tuple[int, ...]
    then: int | None
    win: int | None


@dataclass(frozen=True)
class Defence:
    """The other side moves. Turns are sets of squares."""

    null: int
    seconds: dict[int, int]
    wins: dict[int, int]
    nodes: dict[int, int]


@dataclass(frozen=True)
class ThreatWin:
    """A turn, and the win to go on with after each way to stop its threats."""

    turn: tuple[int, ...]
    stops: dict[int, int]


@dataclass(frozen=True)
class Body:
    """The nodes and the wins of a certificate."""

    nodes: list[Attack | Defence]
    wins: list[ThreatWin]


def body_of(text: bytes, nodes: int, wins: int, squares: int, budget: CheckBudget) -> Body:
    """Return the body in ``text``; raise Refused where it is none."""
    budget.hold(PARSED * len(text))
    lines = text.split(b"\n")
    if lines.pop() or len(lines) != nodes + wins:
        raise Refused(f"its body does not have {nodes + wins:,} lines")
    reader = _BodyReader(nodes, wins, squares)
    found = Body([], [])
    for number, line in enumerate(lines):
        reader.where = (f"node {number}" if number < nodes else f"win {number - nodes}")
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise Refused(f"{reader.where} is not JSON") from None
        if number < nodes:
            found.nodes.append(reader.node(row))
        else:
            found.wins.append(reader.win(row, number - nodes))
    return found


class _BodyReader:
    """Checks what the parts of a line are."""

    def __init__(self, nodes: int, wins: int, squares: int) -> None:
        self.count_nodes, self.count_wins, self.squares = nodes, wins, squares
        self.where = ""

    def bad(self, what: Any) -> Refused:
        return Refused(f"{self.where} has {quoted(what)}, which makes no sense there")

    def number(self, given: Any, below: int) -> int:
        if type(given) is not int or not 0 <= given < below:
            raise self.bad(given)
        return given

    def turn(self, given: Any) -> tuple[int, ...]:
        """Return different squares, one or more."""
        if not isinstance(given, list) or not given:
            raise self.bad(given)
        turn = tuple(self.number(square, self.squares) for square in given)
        if len(set(turn)) < len(turn):
            raise self.bad(given)
        return turn

    def replies(self, given: Any, below: int) -> dict[int, int]:
        """Return turns, each with a number after its squares."""
        if not isinstance(given, list):
            raise self.bad(given)
        found = dict[int, int]()
        for row in given:
            if not isinstance(row, list) or len(row) < 2:
                raise self.bad(row)
            turn = sum(1 << square for square in self.turn(row[:-1]))
            if turn in found:
                raise self.bad(row)
            found[turn] = self.number(row[-1], below)
        return found

    def node(self, row: Any) -> Attack | Defence:
        names = set(row) if isinstance(row, dict) else set()
        if names == {"turn", "then"}:
            return Attack(self.turn(row["turn"]), self.number(row["then"], self.count_nodes), None)
        if names == {"win"}:
            return Attack((), None, self.number(row["win"], self.count_wins))
        if names != {"null", "seconds", "wins", "nodes"} or not isinstance(row["seconds"], dict):
            raise self.bad(row)
        seconds = dict[int, int]()
        for square, win in row["seconds"].items():
            if not square.isascii() or not square.isdecimal() or len(square) > 4:
                raise self.bad(square)
            seconds[self.number(int(square), self.squares)] = self.number(win, self.count_wins)
        return Defence(self.number(row["null"], self.count_wins), seconds,
                       self.replies(row["wins"], self.count_wins),
                       self.replies(row["nodes"], self.count_nodes))

    def win(self, row: Any, number: int) -> ThreatWin:
        if not isinstance(row, list) or not row:
            raise self.bad(row)
        return ThreatWin(self.turn(row[0]), self.replies(row[1:], number))


class BoardLines:
    """Stones on a board that can be put and lifted, and how many each line has; sides are 0 and 1.

    Sets of squares are whole numbers: bit i is square i. All is worked out from the numbers of
    columns and rows alone.

    masks, guards  the squares of each line, and those that must not be its owner's as well: with
                   ``overline="no-win"`` the squares right before and after it
    through        the lines of each square
    stones         the squares of either side
    """

    def __init__(self, rules: InARowRules) -> None:
        self.length, self.per_turn, self.squares = rules.line, rules.per_turn, rules.squares
        self.masks, self.guards = list[int](), list[int]()
        self.through: list[list[int]] = [[] for _ in range(rules.cells)]
        for square in range(rules.cells):
            for way in WAYS:
                self._add(rules, square, way)
        self.stones = [0, 0]
        self.counts = [[0] * len(self.masks), [0] * len(self.masks)]
        # Only lines that lack at most per_turn + FAR stones are ever asked for.
        self.enough = max(0, self.length - self.per_turn - FAR)
        self.rich = [set(range(len(self.masks)) if not self.enough else ()) for _ in range(2)]

    def _add(self, rules: InARowRules, square: int, way: tuple[int, int]) -> None:
        """Add the line that begins at a square, if it is on the board."""
        row, column = divmod(square, rules.columns)

        def at(i: int) -> int | None:
            r, c = row + i * way[0], column + i * way[1]
            inside = 0 <= r < rules.rows and 0 <= c < rules.columns
            return rules.columns * r + c if inside else None

        line = [at(i) for i in range(self.length)]
        if None in line:
            return
        for each in line:
            assert each is not None
            self.through[each].append(len(self.masks))
        self.masks.append(sum(1 << each for each in line if each is not None))
        ends = [] if rules.longer_wins else [at(-1), at(self.length)]
        self.guards.append(sum(1 << each for each in ends if each is not None))

    @property
    def empty(self) -> int:
        """The squares without a stone."""
        return self.squares & ~(self.stones[0] | self.stones[1])

    def put(self, squares: int, side: int) -> None:
        """Put stones of ``side`` on empty squares."""
        self.stones[side] |= squares
        counts, rich, enough = self.counts[side], self.rich[side], self.enough
        for square in each(squares):
            for line in self.through[square]:
                counts[line] += 1
                if counts[line] == enough:
                    rich.add(line)

    def lift(self, squares: int, side: int) -> None:
        """Take stones of ``side`` away."""
        self.stones[side] &= ~squares
        counts, rich, enough = self.counts[side], self.rich[side], self.enough
        for square in each(squares):
            for line in self.through[square]:
                if counts[line] == enough and enough:
                    rich.discard(line)
                counts[line] -= 1

    def open(self, side: int, most: int) -> list[int]:
        """Return the lines that ``side`` can complete with ``most`` more stones, which are at most
        FAR more than a turn has."""
        mine, theirs, least = self.counts[side], self.counts[1 - side], self.length - most
        guards, own = self.guards, self.stones[side]
        return [line for line in self.rich[side]
                if not theirs[line] and mine[line] >= least and not guards[line] & own]

    def lacking(self, line: int, side: int) -> int:
        """Return the squares of an open line that ``side`` does not have yet."""
        return self.masks[line] & ~self.stones[side]


def each(squares: int) -> Iterator[int]:
    """Yield the squares of a set, from the lowest."""
    while squares:
        low = squares & -squares
        yield low.bit_length() - 1
        squares ^= low


def named(squares: int) -> str:
    """Return the numbers of a set of squares, for a sentence."""
    return str(tuple(each(squares)))


def hitting(sets: list[int], most: int) -> set[int]:
    """Return all sets of ``most`` squares that meet all of ``sets``, and smaller ones that do."""
    if not sets:
        return {0}
    if not most:
        return set()
    found = set[int]()
    for square in each(sets[0]):
        bit = 1 << square
        found |= {bit | rest for rest in
                  hitting([other for other in sets if not other & bit], most - 1)}
    return found


@dataclass
class ThreatZone:
    """The squares where a further stone of the other side could disturb a win.

    near  squares: of the winner's turns, of threats, and of lines that the other side could
          complete at some point if it had one stone more
    far   lines, as sets of empty squares, that it could complete with two stones more
    """

    near: int
    far: set[int]


class Follower:
    """Follows wins of ``attacker`` on ``lines``; ``positions`` counts the turns looked at.

    A turn of the winner must complete a line, or leave threats (lines that the next turn completes)
    which the other side can only stop with all the stones of its turn, if at all; and it must leave
    the other side no line to complete. Then each way to stop all threats is played, and the win
    goes on. A reply that leaves a threat open loses at once, and needs no further check.
    """

    def __init__(self, lines: BoardLines, attacker: int, wins: list[ThreatWin], budget: CheckBudget
                 ) -> None:
        self.lines, self.attacker, self.wins, self.budget = lines, attacker, wins, budget
        self.followed = self.positions = 0

    def zone(self, win: int, left: int) -> ThreatZone:
        """Return the zone of a win where the attacker moves, with ``left`` stones to put; raise
        Refused where it is none."""
        found = ThreatZone(0, set())
        self.followed += 1
        self._follow(win, left, found, 0)
        return found

    def _follow(self, number: int, left: int, zone: ThreatZone, depth: int) -> None:
        self.budget.step()
        self.positions += 1
        lines, attacker, win = self.lines, self.attacker, self.wins[number]
        turn = sum(1 << square for square in win.turn)
        if turn & ~lines.empty or len(win.turn) > left:
            raise Refused(f"the turn {named(turn)} of win {number} is not legal")
        zone.near |= turn
        if any(not lines.lacking(line, attacker) & ~turn
               for line in lines.open(attacker, len(win.turn))):
            return  # the stones of that line first, and the game is over
        if len(win.turn) < left:
            raise Refused(f"the turn {named(turn)} of win {number} lacks a stone")
        if depth == MOST_TURNS:
            raise Refused(f"a win by threats takes more than {MOST_TURNS} turns")
        lines.put(turn, attacker)
        try:
            self._answer_all(number, zone, depth)
        finally:
            lines.lift(turn, attacker)

    def _answer_all(self, number: int, zone: ThreatZone, depth: int) -> None:
        """Check all ways to stop the winner's turn, which has been played."""
        lines, attacker, win = self.lines, self.attacker, self.wins[number]
        per_turn = lines.per_turn
        for line in lines.open(1 - attacker, per_turn + FAR):
            lacking = lines.lacking(line, 1 - attacker)
            more = lacking.bit_count() - per_turn
            if more <= 0:
                raise Refused(f"win {number} leaves the other side a line to complete")
            if more == 1:
                zone.near |= lacking
            else:
                zone.far.add(lacking)
        threats = [lines.lacking(line, attacker) for line in lines.open(attacker, per_turn)]
        if not threats:
            raise Refused(f"the turn {named(sum(1 << s for s in win.turn))} of win {number} makes "
                          "no threat")
        for threat in threats:
            zone.near |= threat
        for reply in sorted(hitting(threats, per_turn)):
            if reply.bit_count() < per_turn:  # the other stones could go anywhere
                raise Refused(f"win {number}: {named(reply)} stops all threats, and leaves stones "
                              "to spare")
            if reply not in win.stops:
                raise Refused(f"win {number}: the reply {named(reply)} has no answer")
            lines.put(reply, 1 - attacker)
            try:
                self._follow(win.stops[reply], per_turn, zone, depth + 1)
            finally:
                lines.lift(reply, 1 - attacker)


def zones_body(certificate: Certificate, rules: InARowRules, budget: CheckBudget) -> Body:
    """Return the body of a certificate of zones."""
    header = certificate.header
    return body_of(certificate.body(budget), header.parts[0].records, header.wins, rules.cells,
                   budget)


def check_root(rules: InARowRules, root: State) -> None:
    """Raise Refused where zones prove nothing."""
    stones = max(rules.per_turn, root[3])
    if stones > MOST_STONES:
        raise Refused(f"a turn has {stones} stones, and zones are for turns of one or two")
    if rules.end(root) is not None:
        raise Refused("the game is over, and there is nothing to prove")


class ZoneChecker:
    """Checks that ``winner`` wins ``root``; Refused where the certificate does not show it."""

    def __init__(self, rules: InARowRules, root: State, winner: int, body: Body,
                 budget: CheckBudget, exhaustive: bool = False) -> None:
        self.body, self.winner, self.exhaustive = body, winner, exhaustive
        self.budget, self.per_turn = budget, rules.per_turn
        self.lines = BoardLines(rules)
        self.follower = Follower(self.lines, winner, body.wins, budget)
        self.turns = 0  # of the other side, answered
        check_root(rules, root)
        self.places = dict[int, Place]()
        self._reach(0, (*rules.stones(root), root[2], root[3]))

    @property
    def positions(self) -> int:
        """Turns of either side that were looked at."""
        return self.turns + self.follower.positions

    @property
    def wins(self) -> int:
        """Wins by threats that were followed."""
        return self.follower.followed

    def run(self, progress: Callable[[int], None] | None = None) -> None:
        """Look at all nodes, each after one that leads to it."""
        for number, node in enumerate(self.body.nodes):
            if number not in self.places:
                raise Refused(f"no node before node {number} leads to it")
            first, second, mover, left = self.places[number]
            self.lines.put(first, 0)
            self.lines.put(second, 1)
            if isinstance(node, Attack) != (mover == self.winner):
                raise Refused(f"node {number}: the other player moves there")
            try:
                if isinstance(node, Attack):
                    self._attack(node, left)
                else:
                    self._defence(node, left)
            except Refused as error:
                raise Refused(f"node {number}: {error}") from None
            self.lines.lift(first, 0)
            self.lines.lift(second, 1)
            if progress is not None:
                progress(number + 1)

    def _reach(self, number: int, place: Place) -> None:
        """Note the position of a node; a node stands for one only."""
        if self.places.setdefault(number, place) != place:
            raise Refused(f"node {number} stands for two positions")

    def _after(self, turn: int, side: int) -> Place:
        """Return the position after a whole turn."""
        stones = list(self.lines.stones)
        stones[side] |= turn
        return stones[0], stones[1], 1 - side, self.per_turn

    def _attack(self, node: Attack, left: int) -> None:
        """Check that the winner's turn is legal, or that it wins by threats."""
        if node.win is not None:
            self.follower.zone(node.win, left)
            return
        turn = sum(1 << square for square in node.turn)
        if turn & ~self.lines.empty or len(node.turn) != left:
            raise Refused(f"{named(turn)} is not a turn of {counted(left, 'stone')} there")
        assert node.then is not None
        self._reach(node.then, self._after(turn, self.winner))

    def _defence(self, node: Defence, left: int) -> None:
        """Check that every turn of the other side has its answer, or needs none."""
        empty, other = self.lines.empty, 1 - self.winner
        left = min(left, empty.bit_count())  # a full board ends the turn, and the game
        if not left:
            raise Refused("the board is full, and the game a draw")
        if self.lines.open(other, left):
            raise Refused("the other side completes a line")
        for turn, then in node.nodes.items():
            if turn & ~empty or turn.bit_count() != left:
                raise Refused(f"{named(turn)} is not a turn of {counted(left, 'stone')} there")
            self._reach(then, self._after(turn, other))
        turns = self._all_turns(empty, left) if self.exhaustive else self._needed(node, left)
        for turn in turns:
            self.budget.step()
            self.turns += 1
            if turn not in node.nodes:
                self._answered(node, turn)

    def _all_turns(self, empty: int, left: int) -> Iterator[int]:
        return (sum(1 << square for square in turn) for turn in combinations(each(empty), left))

    def _answered(self, node: Defence, turn: int) -> None:
        """Check that a turn loses to threats: by the certificate's win against it or, without trust
        in zones, by that for a pass."""
        plans = [node.wins[turn]] if turn in node.wins else []
        if self.exhaustive and not plans:
            plans = [node.seconds[square] for square in each(turn) if square in node.seconds]
            plans.append(node.null)
        self.lines.put(turn, 1 - self.winner)
        reason = "it has no answer"
        for plan in plans:
            try:
                self.follower.zone(plan, self.per_turn)
                break
            except Refused as error:
                reason = str(error)
        else:
            raise Refused(f"the reply {named(turn)}: {reason}")
        self.lines.lift(turn, 1 - self.winner)

    def _needed(self, node: Defence, left: int) -> list[int]:
        """Return the turns that need an answer of their own."""
        empty = self.lines.empty
        zone = self._zone(node.null, "a pass")
        if left == 1:
            return [1 << square for square in each(zone.near & empty)]
        turns = set[int]()
        for line in zone.far:
            turns.update(1 << a | 1 << b for a, b in combinations(each(line & ~zone.near), 2)
                         if (1 << a | 1 << b) & ~empty == 0)
        seconds = {s: self._second(node, s, empty) for s in each(zone.near & empty)}
        for s, second in seconds.items():
            turns.update(1 << s | 1 << t for t in each(second)
                         if t != s and seconds.get(t, empty) >> s & 1)
        return sorted(turns)

    def _second(self, node: Defence, square: int, empty: int) -> int:
        """Return the second stones that need an answer after one on ``square``; without T', all."""
        if square not in node.seconds:
            return empty
        self.lines.put(1 << square, 1 - self.winner)
        zone = self._zone(node.seconds[square], f"a stone on {square} and a pass")
        self.lines.lift(1 << square, 1 - self.winner)
        return zone.near & empty & ~(1 << square)

    def _zone(self, win: int, what: str) -> ThreatZone:
        try:
            return self.follower.zone(win, self.per_turn)
        except Refused as error:
            raise Refused(f"after {what}: {error}") from None
