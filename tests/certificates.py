"""Certificates made by brute force over the slow twins.

``Truth`` finds out by the twin alone where a claim holds; ``strategy`` picks a move for every
prover's position that can come up; ``write`` hands them to ``CertificateWriter``.
"""

import random
from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
from naive.connect_four import NaiveConnectFour
from naive.hex import NaiveHex
from naive.k_in_a_row import NaiveKInARow
from naive.lines_of_action import NaiveLinesOfAction
from naive.othello import NaiveOthello
from naive.p_game import NaivePGame
from naive.xiangqi import NaiveXiangqi

import zermelo
from tools.certificates import Parts, digested, taken_apart
from zermelo.proof import SEARCH, CertificateWriter, Claim, verify

__all__ = ["Parts", "digested", "taken_apart"]

FOUR = {"columns": 4, "rows": 4}
PLAYERS = {"first": 0, "second": 1, "draw": None}
TWINS = {"connect-four": NaiveConnectFour, "othello": NaiveOthello, "hex": NaiveHex,
         "p-game": NaivePGame, "k-in-a-row": NaiveKInARow, "tic-tac-toe": NaiveKInARow,
         "connect6": NaiveKInARow, "lines-of-action": NaiveLinesOfAction,
         "xiangqi": NaiveXiangqi}


class NaiveGraph:
    """A graph of ``zermelo.graph`` by the dictionary it was made of."""

    def __init__(self, nodes):
        self.nodes = nodes

    def from_position(self, position):
        return position.text

    def mover(self, state):
        node = self.nodes[state]
        return 0 if isinstance(node, str) else ("or", "and").index(node[0])

    def moves(self, state):
        return list(self.nodes[state][1])

    def play(self, state, move):
        return move

    def outcome(self, state):
        node = self.nodes[state]
        return {"win": "first", "loss": "second", "draw": "draw"}[node] if isinstance(node, str) \
            else None


class Track(NamedTuple):
    """What the rules of ``Chase`` read."""

    cells: int
    ring: int
    steps: int


class Chase(zermelo.Game):
    """The first player chases the second along a line of cells, or around a ring of them.

    Each steps to a neighbouring cell or stays; whoever steps onto the other ends it: the first
    player has won. After ``steps`` steps of the same player the other one moves.
    """

    name = "chase"
    parameters = {"cells": zermelo.Parameter(5, "cells", low=2, high=20),  # noqa: RUF012
                  "ring": zermelo.Parameter(0, "1 for a ring", low=0, high=1),
                  "steps": zermelo.Parameter(1, "steps a turn", low=1, high=3)}

    def define(self):
        """One kernel for all of them: what differs is data."""

        def moves(g, s, out):
            at = s.b if s.turn else s.a
            n = 0
            for step in range(-1, 2):
                if g.ring or 0 <= at + step < g.cells:
                    out[n] = step
                    n += 1
            return n

        def play(g, s, move, t):
            t.a, t.b = s.a, s.b
            if s.turn:
                t.b = (s.b + move) % g.cells
            else:
                t.a = (s.a + move) % g.cells
            t.left = s.left - 1 if s.left > 1 else g.steps
            t.turn = s.turn if s.left > 1 else 1 - s.turn

        def mover(g, s):
            return s.turn

        def outcome(g, s):
            return zermelo.FIRST_WINS if s.a == s.b else zermelo.ONGOING

        def key(g, s):
            return np.uint64(((s.a * 32 + s.b) * 2 + s.turn) * 4 + s.left)

        return zermelo.Rules(
            state=[("a", "i8"), ("b", "i8"), ("turn", "i4"), ("left", "i4")], max_moves=3,
            max_length=1000, moves=moves, play=play, mover=mover, outcome=outcome, key=key,
            exact_key=True, cyclic=True,
            data=Track(self["cells"], self["ring"], self["steps"]))

    def start(self):
        return self.position(a=0, b=self["cells"] - 2, turn=0, left=self["steps"])


class NaiveChase:
    """A state is (a, b, turn, left)."""

    def __init__(self, cells=5, ring=0, steps=1):
        self.cells, self.ring, self.steps = cells, ring, steps

    def from_position(self, position):
        fields = dict(part.split("=") for part in position.text.split(";"))
        return tuple(int(fields[name]) for name in ("a", "b", "turn", "left"))

    def mover(self, state):
        return state[2]

    def moves(self, state):
        at = state[1] if state[2] else state[0]
        return [str(d) for d in (-1, 0, 1) if self.ring or 0 <= at + d < self.cells]

    def play(self, state, move):
        at, turn, left = [state[0], state[1]], state[2], state[3]
        at[turn] = (at[turn] + int(move)) % self.cells
        return (*at, turn, left - 1) if left > 1 else (*at, 1 - turn, self.steps)

    def outcome(self, state):
        return "first" if state[0] == state[1] else None


def twin_of(game):
    """The slow twin with the parameters of ``game``."""
    if isinstance(game, Chase):
        return NaiveChase(**game.values)
    return TWINS[game.name](**game.stated)


def winner(twin, state):
    """(over, who has won); a player who can't move has lost."""
    end = twin.outcome(state)
    if end is None and not twin.moves(state):
        return True, 1 - twin.mover(state)
    return end is not None, PLAYERS.get(end)


def holds_at_end(claim, who):
    return (who == claim.player) == claim.wins


class Truth:
    """Where a claim holds, by looking at everything."""

    def __init__(self, twin, claim, cyclic=False):
        self.twin, self.claim, self.cyclic = twin, claim, cyclic
        self.known, self.rank = {}, {}

    def holds(self, state):
        if self.cyclic:
            if state not in self.known:
                self._explore(state)
        elif state not in self.known:
            self.known[state] = self._search(state)
        return self.known[state]

    def _search(self, state):
        twin = self.twin
        over, who = winner(twin, state)
        if over:
            return holds_at_end(self.claim, who)
        enough = any if twin.mover(state) == self.claim.prover else all
        return enough(self.holds(twin.play(state, move)) for move in twin.moves(state))

    def _explore(self, root):
        """Retrograde analysis: who wins and in how many moves; the rest is endless."""
        twin, claim, after, todo = self.twin, self.claim, {}, [root]
        while todo:
            state = todo.pop()
            if state not in after:
                over, who = winner(twin, state)
                after[state] = [] if over else [twin.play(state, m) for m in twin.moves(state)]
                if over and who == claim.player:
                    self.rank[state] = 0
                todo += after[state]
        distance, grown = 0, True
        while grown:
            distance, grown = distance + 1, False
            for state in after:
                if state in self.rank or not after[state]:
                    continue
                ranks = [self.rank.get(child, distance) < distance for child in after[state]]
                if (any if twin.mover(state) == claim.player else all)(ranks):
                    self.rank[state], grown = distance, True
        self.known = {state: (state in self.rank) == claim.wins for state in after}


@dataclass
class Made:
    """A certificate with what it was made from."""

    path: object
    position: object
    twin: object
    claims: list
    cyclic: bool


def strategy(position, truth, rng, searches=lambda state: False):
    """{folded position: (move code or SEARCH, rank)} for what the prover can come to."""
    twin, claim, found = truth.twin, truth.claim, {}
    todo, seen = [(position, twin.from_position(position))], set()
    while todo:
        at, state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        if winner(twin, state)[0]:
            continue
        moves = twin.moves(state)
        if twin.mover(state) == claim.prover:
            good = [m for m in moves if truth.holds(twin.play(state, m))]
            if truth.cyclic and claim.wins:
                good = [m for m in good if truth.rank[twin.play(state, m)] < truth.rank[state]]
            moves = [rng.choice(good)]
            folded, code = fold(at, at.game.parse_move(at, moves[0]))
            if folded in found:
                continue
            if searches(state):
                code, moves = SEARCH, []
            found[folded] = (code, truth.rank.get(state, 0))
        todo += [(at.play(move), twin.play(state, move)) for move in moves]
    return found


def fold(position, code):
    """The representative of ``position``, and the move there that ``code`` is here."""
    game = position.game
    if game.rules.canonical is None:
        return position, code
    state, k = game.board.canonical(position.state)
    folded = zermelo.Position(game, state)
    return folded, next(m for m in folded.codes() if game.board.move_image(k, m) == code)


def write(path, position, claims, seed=0, twin=None, searches=lambda state: False, **options):
    """Write a certificate of true claims."""
    rng, cyclic = random.Random(seed), position.game.rules.cyclic
    twin = twin or twin_of(position.game)
    with CertificateWriter(path, position, claims, **options) as writer:
        for i, claim in enumerate(claims):
            truth = Truth(twin, claim, cyclic)
            assert truth.holds(twin.from_position(position)), (position, claim)
            add(writer, i, strategy(position, truth, rng, searches))
    return Made(path, position, twin, list(claims), cyclic)


def add(writer, claim, found):
    """The records of a strategy, in chance order and in two batches."""
    rows = list(found.items())
    random.Random(len(rows)).shuffle(rows)
    for some in (rows[: len(rows) // 3], rows[len(rows) // 3 :]):
        states = np.zeros(len(some), writer.position.game.rules.dtype)
        for i, (position, _) in enumerate(some):
            states[i] = position.state[0]
        moves = np.array([move for _, (move, _) in some], np.int32)
        ranks = np.array([rank for _, (_, rank) in some]) if writer.ranked[claim] else None
        writer.add(claim, states, moves, ranks)


def value_claims(position, twin=None):
    """What is true of a position: its value, as one claim or two."""
    twin, cyclic = twin or twin_of(position.game), position.game.rules.cyclic
    for player in (0, 1):
        if Truth(twin, Claim(player), cyclic).holds(twin.from_position(position)):
            return [Claim(player)]
    return [Claim(0, wins=False), Claim(1, wins=False)]


def text_only(text):
    """Something with the ``text`` of a position, for the twins."""
    return SimpleNamespace(text=text)


def refused(directory, content, **options):
    """Why a file is refused."""
    path = directory / "changed.proof"
    path.write_bytes(content)
    report = verify(path, **options)
    assert (report.verdict, report.exit_status, report.verified) == ("refused", 1, False)
    assert report.reason
    return report.reason
