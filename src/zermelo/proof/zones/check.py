"""The checker of zones: does every legal reply have an answer, or provably need none?

A node is a position before a turn. At the winner's nodes the certificate has its turn, or a win by
threats (see ``threats``). At the other side's nodes it need not have an answer to every turn, of
which there may be tens of thousands. What it must have follows from this argument.

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

from collections.abc import Callable, Iterator
from itertools import combinations

from zermelo.errors import counted
from zermelo.proof.budget import Budget
from zermelo.proof.header import Refused
from zermelo.proof.read import Certificate
from zermelo.proof.rules.base import RulesOf, State
from zermelo.proof.rules.k_in_a_row import InARowRules
from zermelo.proof.zones.body import Attack, Body, Defence, body_of
from zermelo.proof.zones.lines import Lines, each, names
from zermelo.proof.zones.threats import Follower, Zone

MOST_STONES = 2
Place = tuple[int, int, int, int]  # stones of both players, who moves, and how many to put


def zones_body(certificate: Certificate, rules: RulesOf, budget: Budget) -> Body:
    """The body of a certificate of zones."""
    assert isinstance(rules, InARowRules)
    header = certificate.header
    return body_of(certificate.body(budget), header.parts[0].records, header.wins, rules.cells,
                   budget)


def check_root(rules: RulesOf, root: State) -> None:
    """Refused where zones prove nothing."""
    assert isinstance(rules, InARowRules)
    stones = max(rules.per_turn, root[3])
    if stones > MOST_STONES:
        raise Refused(f"a turn has {stones} stones, and zones are for turns of one or two")
    if rules.end(root) is not None:
        raise Refused("the game is over, and there is nothing to prove")


class ZoneChecker:
    """Checks that ``winner`` wins ``root``; Refused where the certificate does not show it."""

    def __init__(self, rules: InARowRules, root: State, winner: int, body: Body, budget: Budget,
                 exhaustive: bool = False) -> None:
        self.body, self.winner, self.exhaustive = body, winner, exhaustive
        self.budget, self.per_turn = budget, rules.per_turn
        self.lines = Lines(rules)
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
        """A node stands for one position."""
        if self.places.setdefault(number, place) != place:
            raise Refused(f"node {number} stands for two positions")

    def _after(self, turn: int, side: int) -> Place:
        """The position after a whole turn."""
        stones = list(self.lines.stones)
        stones[side] |= turn
        return stones[0], stones[1], 1 - side, self.per_turn

    def _attack(self, node: Attack, left: int) -> None:
        """The winner's turn is legal, or it wins by threats."""
        if node.win is not None:
            self.follower.zone(node.win, left)
            return
        turn = sum(1 << square for square in node.turn)
        if turn & ~self.lines.empty or len(node.turn) != left:
            raise Refused(f"{names(turn)} is not a turn of {counted(left, 'stone')} there")
        assert node.then is not None
        self._reach(node.then, self._after(turn, self.winner))

    def _defence(self, node: Defence, left: int) -> None:
        """Every turn of the other side has its answer, or needs none."""
        empty, other = self.lines.empty, 1 - self.winner
        left = min(left, empty.bit_count())  # a full board ends the turn, and the game
        if not left:
            raise Refused("the board is full, and the game a draw")
        if self.lines.open(other, left):
            raise Refused("the other side completes a line")
        for turn, then in node.nodes.items():
            if turn & ~empty or turn.bit_count() != left:
                raise Refused(f"{names(turn)} is not a turn of {counted(left, 'stone')} there")
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
        """A turn loses to threats, as the certificate says; or, without trust in zones, to what it
        has for a pass."""
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
            raise Refused(f"the reply {names(turn)}: {reason}")
        self.lines.lift(turn, 1 - self.winner)

    def _needed(self, node: Defence, left: int) -> list[int]:
        """The turns that need an answer of their own."""
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
        """Where a second stone needs an answer after one on ``square``: everywhere without T'."""
        if square not in node.seconds:
            return empty
        self.lines.put(1 << square, 1 - self.winner)
        zone = self._zone(node.seconds[square], f"a stone on {square} and a pass")
        self.lines.lift(1 << square, 1 - self.winner)
        return zone.near & empty & ~(1 << square)

    def _zone(self, win: int, what: str) -> Zone:
        try:
            return self.follower.zone(win, self.per_turn)
        except Refused as error:
            raise Refused(f"after {what}: {error}") from None
