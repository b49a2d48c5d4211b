"""The checker on games of a few nodes: exact counts, lengths, limits and reasons."""

import random
from collections import Counter
from dataclasses import dataclass, field
from sys import getsizeof
from typing import Any

import numpy as np
import pytest

from zermelo.proof import Claim
from zermelo.proof import check as checking
from zermelo.proof.budget import CheckBudget
from zermelo.proof.check import (
    POSITION_BYTES,
    REFUSED,
    SAMPLE,
    UNDECIDED,
    VERIFIED,
    Checked,
    Checker,
    Fails,
    Report,
    sentence,
    settle,
    state_bytes,
)
from zermelo.proof.header import DRAWN, FIRST, PASS, SEARCH, SECOND, ClaimPart, Refused
from zermelo.proof.read import RecordTable
from zermelo.proof.rules.base import RulesOf

# The other side moves from a to e, by c or by d.
DIAMOND = {"r": (0, "a"), "a": (1, "b"), "b": (1, "cd"), "c": (1, "e"), "d": (1, "e"),
           "e": (1, "w"), "w": FIRST}


LEFT = 255  # to a search


class Tiny(RulesOf):
    """Nodes are letters: who moves and the nodes after it, or how the game ends."""

    layout: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self, nodes):
        super().__init__(folded=False)
        self.nodes = nodes

    def read(self, text):
        return text

    def record(self, data, prover):
        return chr(data[0]), SEARCH if data[1] == LEFT else data[1]

    def key(self, state):
        return state.encode()

    def keys(self, records):
        return records[:, :1]

    def mover(self, state):
        node = self.nodes[state]
        return node[0] if isinstance(node, tuple) else FIRST

    def end(self, state):
        node = self.nodes[state]
        return None if isinstance(node, tuple) else node

    def moves(self, state):
        return list(range(len(self.nodes[state][1])))

    def play(self, state, move):
        return self.nodes[state][1][move]

    def text(self, state):
        return state

    def move_name(self, state, move):
        return f"{state}{move}"


@dataclass
class Counting(CheckBudget):
    """The most that was kept."""

    peak: int = field(default=0, init=False)

    def hold(self, size):
        super().hold(size)
        self.peak = max(self.peak, self.kept)


def checked(nodes, records="r", claim=None, moves=None, ranks=(), root="r", cyclic=False):
    """The checker after all records, layer by layer, each with the first move or that in ``moves``,
    and the root; the length."""
    names = sorted(records.replace(" ", ""))
    rows = np.array([[ord(name), (moves or {}).get(name, 0)] for name in names],
                    np.uint8).reshape(-1, 2)
    keys = np.ascontiguousarray(rows[:, :1]).view("S1").ravel()
    table = RecordTable(rows, keys, np.array(ranks, np.int64), np.zeros(len(keys), np.int32),
                        np.arange(len(keys)))
    rules = Tiny(nodes)
    rules.cyclic = cyclic
    checker = Checker(rules, claim or Claim(0), table, 100, Counting())
    for layer in records.split():
        checker.batch(np.array([names.index(name) for name in layer], np.int64))
        assert checker.wanted == checker.owners == checker.paths == []
    return checker, checker.root(root)


def test_positions_between_two_moves_are_looked_at_once():
    checker, length = checked(DIAMOND)
    assert (checker.positions, length) == (9, 5)
    assert checker.budget.steps == 1 + 5
    assert checker.budget.peak == 5 * (POSITION_BYTES + state_bytes("b"))
    assert checker.budget.kept == 0
    assert state_bytes("ab") == getsizeof("ab")
    assert state_bytes((1, "ab")) == getsizeof((1, "ab")) + getsizeof(1) + getsizeof("ab")


def test_moves_are_named_in_the_positions_where_they_are_played():
    fails = Fails(1, "r", (0, PASS, 0), "it is so")
    assert sentence(fails, ClaimPart(Claim(0), "X", False, 3), Tiny(DIAMOND)) == (
        "X wins: record 2 of 3, r, after r0 pass b0: it is so", "r")


def test_reports_where_nothing_was_looked_at():
    report = Report("a.proof", REFUSED, claims=[Checked("X wins", 3)])
    assert (report.records, report.positions, report.exhaustive) == (3, 0, False)
    assert (report.claims[0].checked, report.claims[0].searched) == (0, 0)
    assert [Report("", verdict).exit_status for verdict in (
        VERIFIED, SAMPLE, UNDECIDED, REFUSED)] == [0, 10, 10, 1]


def test_the_first_record_that_is_wrong_is_named():
    nodes = {"a": (0, "b"), "b": (0, "c"), "c": (0, "w"), "w": FIRST}
    with pytest.raises(Fails, match="rank of the next record is not lower") as failed:
        checked(nodes, "abc", ranks=[1, 1, 1], root="a")
    assert (failed.value.record, failed.value.state, failed.value.path) == (0, "a", (0,))


def test_lines_of_several_lengths_to_one_position():
    checker, length = checked({**DIAMOND, "b": (1, "ce")})
    assert (checker.lengths_known, length) == (False, None)
    assert checked({"r": (1, "w"), "w": FIRST}, "")[1] == 1


@pytest.mark.parametrize("mover", [0, 1])
def test_who_cannot_move_between_two_moves_has_lost(mover):
    nodes = {"r": (mover, "a"), "a": (1 - mover, "b"), "b": (1 - mover, "c"),
             "c": (1 - mover, "")}
    assert checked(nodes, claim=Claim(mover))[1] == 3
    with pytest.raises(Fails, match="in a draw") as failed:
        checked({**nodes, "c": DRAWN}, claim=Claim(mover))
    assert (failed.value.record, failed.value.path) == (0, (0, 0, 0))


def test_the_other_side_going_round():
    nodes = {"r": (0, "wa"), "a": (1, "wwb"), "b": (1, "cw"), "c": (1, "wb"), "w": FIRST}
    with pytest.raises(Fails, match="can go round for ever") as failed:
        checked(nodes, moves={"r": 1})
    assert (failed.value.record, failed.value.state, failed.value.path) == (0, "r", (1, 2, 0, 1))
    checked(nodes, claim=Claim(1, wins=False), moves={"r": 1})


def test_the_most_between_two_moves(monkeypatch):
    monkeypatch.setattr(checking, "MOST_BETWEEN", 5)
    checked(DIAMOND)
    monkeypatch.setattr(checking, "MOST_BETWEEN", 4)
    with pytest.raises(Fails, match="more than 4 positions before"):
        checked(DIAMOND)


def test_records_are_looked_up_when_enough_are_wanted(monkeypatch):
    nodes = {"r": (0, "a"), "a": (1, "stu"), "s": (0, "b"), "t": (0, "b"), "u": (0, "b"),
             "b": (1, "v"), "v": (0, "w"), "w": FIRST}
    sizes = []
    look_up = Checker.look_up

    def counted(self, numbers, states, lengths):
        sizes.append((len(numbers), len(self.wanted)))
        look_up(self, numbers, states, lengths)

    monkeypatch.setattr(Checker, "look_up", counted)
    monkeypatch.setattr(checking, "MOST_WANTED", 1)
    assert checked(nodes, "v stu r")[1] == 5
    assert sizes == [(1, 0), (2, 2), (1, 1), (1, 3), (0, 0)]


def graphs(count):
    """Random nodes a to h: moves lead anywhere; or, in the other half, to later letters only."""
    rng = random.Random(3)
    for number in range(count):
        names = "abcdefgh"
        nodes = {name: rng.choice([(rng.randrange(2), ""), FIRST, SECOND, DRAWN]) for name in names}
        for at, name in enumerate(names[:6]):
            after = names if number % 2 else names[at + 1 :]
            nodes[name] = rng.randrange(2), "".join(rng.choices(after, k=rng.randrange(1, 4)))
        yield bool(number % 2), nodes


def end_of(node):
    """How a game ends at a node; None if it goes on. Who can't move has lost."""
    return (1 - node[0] if not node[1] else None) if isinstance(node, tuple) else node


def longest(nodes, state, claim, known):
    """The longest line if the prover plays the first move that works, or None."""
    if state not in known:
        end, lines = end_of(nodes[state]), []
        for after in nodes[state][1] if end is None else "":
            lines.append(longest(nodes, after, claim, known))
            if (lines[-1] is None) != (nodes[state][0] == claim.prover):
                lines = lines[-1:]
                break
        if end is None:
            known[state] = None if None in lines else 1 + max(lines)
        else:
            known[state] = 0 if claim.holds(end) else None
    return known[state]


def forced(nodes, state, player, plies):
    """Whether ``player`` can win in so many plies."""
    end = end_of(nodes[state])
    if end is not None or not plies:
        return end == player
    enough = any if nodes[state][0] == player else all
    return enough(forced(nodes, after, player, plies - 1) for after in nodes[state][1])


def reached(nodes, state, found):
    """All nodes that play from ``state`` comes to."""
    if state not in found:
        found.add(state)
        for after in nodes[state][1] if end_of(nodes[state]) is None else "":
            reached(nodes, after, found)
    return found


def test_what_is_left_to_the_checker_is_settled_as_brute_force_does():
    """And by as many positions, memory and time."""
    size, verdicts = state_bytes("a"), Counter()
    for cyclic, nodes in graphs(400):
        rules = Tiny(nodes)
        rules.cyclic = cyclic
        for claim in (Claim(player, wins) for player in (0, 1) for wins in (True, False)):
            known = {}
            if cyclic:
                known = reached(nodes, "a", set())
                length = next((n for n in range(9) if forced(nodes, "a", claim.player, n)), None)
                if not claim.wins:
                    length = 0 if length is None else None
                moves = sum(len(nodes[at][1]) for at in known if end_of(nodes[at]) is None)
                peak = len(known) * (2 * POSITION_BYTES + size) + moves * size
            else:
                length = longest(nodes, "a", claim, known)
                peak = len(known) * (POSITION_BYTES + size)
            budget = Counting()
            with pytest.raises(Refused, match="does not settle it"):
                settle(rules, "a", claim, len(known) - 1, CheckBudget())
            if length is None:
                with pytest.raises(Refused, match=f"search of {len(known)} position.* is false"):
                    settle(rules, "a", claim, len(known), budget)
            else:
                assert settle(rules, "a", claim, len(known), budget) == (length, len(known))
            assert (budget.steps, budget.kept, budget.peak) == (len(known), 0, peak)
            verdicts[cyclic, claim.wins, length is None] += 1
    assert min(verdicts.values()) > 50
    assert len(verdicts) == 8


def lines_from(nodes, state, claim, line=()):
    """Where play comes to before the prover moves: (the end or None, the node, the path)."""
    end = end_of(nodes[state])
    if end is not None or nodes[state][0] == claim.prover or state in line:
        yield end, state, len(line)
    else:
        for after in nodes[state][1]:
            yield from lines_from(nodes, after, claim, (*line, state))


def proved(nodes, moves, ranks, claim, cyclic):
    """The longest line from node a if records with these moves prove the claim; None if not."""
    lengths, good = {}, True
    for name in [*sorted(moves, reverse=True), None]:
        lengths[name], move = 0, moves.get(name)
        if name is not None and (not isinstance(nodes[name], tuple)
                                 or nodes[name][0] != claim.prover or not nodes[name][1]):
            return None
        if move == LEFT:
            wins = plies_to_win(nodes, name, claim.player)
            good &= (wins is not None) == claim.wins
            lengths[name] = 0 if cyclic else longest(nodes, name, claim, {}) or 0
            continue
        if name is not None and move >= len(nodes[name][1]):
            return None
        begin = "a" if name is None else nodes[name][1][move]
        for end, state, plies in lines_from(nodes, begin, claim):
            if end is None and nodes[state][0] == claim.prover:
                good &= state in moves and (not ranks or name is None or ranks[state] < ranks[name])
            else:
                good &= not claim.wins if end is None else claim.holds(end)
            plies += (name is not None) + (lengths.get(state, 0) if end is None else 0)
            lengths[name] = max(lengths[name], plies)
    return lengths[None] if good else None


def plies_to_win(nodes, state, player):
    """In how many plies ``player`` can win from a node; None if not."""
    return next((n for n in range(9) if forced(nodes, state, player, n)), None)


def test_records_are_checked_as_brute_force_does(monkeypatch):
    """Good strategies and those with mistakes; and the longest line, where that is known."""
    monkeypatch.setattr(checking, "MOST_WANTED", 1)
    rng, verdicts = random.Random(4), Counter()
    for cyclic, nodes in graphs(1000):
        claim = Claim(rng.randrange(2), rng.random() < 0.6)
        moves, ranks = {}, {}
        for name, node in nodes.items():
            mine = isinstance(node, tuple) and node[0] == claim.prover and node[1] != ""
            wins = plies_to_win(nodes, name, claim.player)
            if rng.random() < 0.98 if mine and (wins is not None) == claim.wins else \
                    rng.random() < 0.02:
                after = [plies_to_win(nodes, at, claim.player) for at in node[1]] if mine else []
                works = [move for move, plies in enumerate(after) if (
                    plies is not None and plies < wins if claim.wins else plies is None)]
                other = rng.choice([0, 1, 2, LEFT]) if rng.random() < 0.2 else 0
                moves[name] = other if rng.random() < 0.1 or not works else rng.choice(works)
                ranks[name] = rng.randrange(9) if wins is None or rng.random() < 0.05 else wins
        ranked = (cyclic and claim.wins) or rng.random() < 0.3
        expected = proved(nodes, moves, ranks if ranked else {}, claim, cyclic)
        try:
            order = ("" if cyclic else " ").join(sorted(moves, reverse=True))
            checker, length = checked(nodes, order, claim, moves,
                                      list(ranks.values()) if ranked else [], "a", cyclic)
        except Fails:
            assert expected is None
        else:
            assert expected is not None
            if not cyclic:
                assert length == (expected if checker.lengths_known else None)
        verdicts[cyclic, claim.wins, expected is None] += 1
    assert min(verdicts.values()) > 40
    assert len(verdicts) == 8
