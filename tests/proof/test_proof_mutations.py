"""No changed certificate is believed, unless brute force says that it still proves its claims.
And a checker with a part taken out believes one that proves nothing."""

from collections import Counter
from contextlib import suppress
from functools import cache

import numpy as np
import pytest
from certificates import Chase, NaiveGraph, taken_apart, value_claims, write
from judge import proves
from mutants import mutants

import zermelo
from zermelo.proof import SEARCH, CertificateWriter, Claim, verify
from zermelo.proof import check as checking
from zermelo.proof.check import Checker
from zermelo.proof.read import RecordTable

# A graph with cycles of the OR player, of the AND player and of both, and players who move twice.
NODES = {
    "root": ("or", ["a", "b", "c"]), "a": ("and", ["root", "d"]), "b": ("and", ["e", "f"]),
    "c": ("or", ["a", "c2"]), "c2": ("or", ["c", "root"]), "d": ("and", ["a", "d2"]),
    "d2": ("and", ["d", "win"]), "e": ("and", ["g", "h"]), "f": ("or", ["b", "g"]),
    "g": ("or", ["h", "win", "root"]), "h": ("and", ["g", "win", "i"]), "i": ("or", ["g", "draw"]),
    "win": "win", "loss": "loss", "draw": "draw",
}
# Positions whose certificates have some 10 to 200 records: wins, losses and draws.
SUBJECTS = {
    "connect-four 4x4, a win": ("connect-four", {"columns": 4, "rows": 4}, ".........OX..XOX O"),
    "connect-four 4x4, a draw": ("connect-four", {"columns": 4, "rows": 4}, ".....OX.OXX.OXO. X"),
    "connect-four 5x4": ("connect-four", {"columns": 5, "rows": 4, "line": 3},
                         "...............O.XXO X"),
    "connect-four 7x6": ("connect-four", {}, ".....O.XX...OOOO...XOXX.OXOOXOOXXOXXXOXOXX O"),
    "othello 4x4": ("othello", {"size": 4}, "-X---XX-OOO---XO X"),
    "othello 6x6": ("othello", {"size": 6, "no_move": "loses"},
                    "OOOX--OOXOOOOXOOOOOXOOXOOOX-OOO----O O"),
    "othello 8x8": ("othello", {},
                    "--OOXXOOXO-OOOOOXX--XOOXXOXXXOXXXOOXOXXXXXXOXOXXO-OOOXXX-OOOOOOO O"),
    "hex": ("hex", {"size": 3}, "3x3: a1"),
    "tic-tac-toe": ("tic-tac-toe", {}, "a1 b2"),
    "two stones a turn": ("k-in-a-row", {"columns": 4, "rows": 3, "stones": 2}, "b2"),
    "p-game": ("p-game", {"depth": 7, "seed": 3, "range": 3}, "start"),
    "graph": (None, {}, "root"),
    "chase": (Chase, {}, "start"),
    "ring": (Chase, {"cells": 5, "ring": 1}, "start"),
    "two steps a turn": (Chase, {"cells": 6, "steps": 2}, "start"),
}


def roots_near(position):
    """Other positions: after a move, and the one to which the other side is to move."""
    texts = [position.play(move).text for move in position.moves()]
    side = position.text[-1]
    return [*texts, position.text[:-1] + {"X": "O", "O": "X"}.get(side, side)]


class Case:
    """A certificate and its mutants."""

    def __init__(self, name, directory):
        game, parameters, text = SUBJECTS[name]
        twin = self.game = None
        if game is None:
            self.game, twin = zermelo.graph(NODES), NaiveGraph(NODES)
        elif game is Chase:
            self.game = Chase
        given = self.game if game is None else game(**parameters) if game is Chase else \
            zermelo.game(game, **parameters)
        self.position, self.nodes = given.parse(text), NODES if game is None else None
        self.path = directory / "a.proof"
        write(self.path, self.position, value_claims(self.position, twin), twin=twin)
        self.parts = taken_apart(self.path.read_bytes())

    def mutants(self, count, seed):
        yield from ((f"the lie {claim}", parts) for claim, parts in self.lies())
        yield from mutants(self.parts, roots_near(self.position), count, seed)

    def lies(self):
        """All claims about the root, false ones too, that leave everything to a search."""
        state, cyclic = self.position.canonical().state, self.position.game.rules.cyclic
        for claim in (Claim(player, wins) for player in (0, 1) for wins in (True, False)):
            if claim.prover == self.position.mover:
                with CertificateWriter(self.path, self.position, [claim]) as writer:
                    ranks = np.ones(1) if claim.wins and cyclic else None
                    writer.add(0, state, np.array([SEARCH]), ranks)
                yield claim, taken_apart(self.path.read_bytes())

    def accepts(self, changed):
        self.path.write_bytes(changed.joined())
        return verify(self.path, game=self.game).verified

    def is_taken_in(self, changed):
        """The same for a broken checker, which may also stumble."""
        with suppress(ValueError, KeyError, IndexError):
            return self.accepts(changed)
        return False


@pytest.fixture(scope="module")
def case_of(tmp_path_factory):
    return cache(lambda name: Case(name, tmp_path_factory.mktemp("proof")))


@pytest.fixture(params=SUBJECTS)
def case(request, case_of):
    return case_of(request.param)


def test_there_are_enough_of_them():
    assert MUTANTS * len(SUBJECTS) >= 1_000


def test_what_was_not_changed_is_believed(case):
    assert proves(case.parts, case.nodes)
    assert case.accepts(case.parts)


MUTANTS = 72  # of each of the 15 certificates: more than 1,000 in all


@pytest.mark.long_cases(
    "connect-four 4x4, a draw", "connect-four 7x6", "othello 6x6", "othello 8x8", "ring",
    "two steps a turn")
def test_no_mutant_is_believed_without_reason(case):
    """Refused, or it still proves its claims; and few that do are refused."""
    kinds, believed = Counter(), Counter()
    for kind, changed in case.mutants(MUTANTS, seed=1):
        kinds[kind] += 1
        if case.accepts(changed):
            believed[kind] += 1
            assert proves(changed, case.nodes), (kind, changed)
    assert sum(kinds.values()) >= MUTANTS
    assert sum(believed.values()) < MUTANTS / 2
    assert len(kinds) >= 6


# A checker with a part taken out, and certificates on which that must show.
BROKEN = {
    "skips a reply": (Checker, "replies", lambda self, state: self.rules.moves(state)[1:],
                      ["connect-four 7x6", "othello 8x8", "hex", "graph", "p-game"]),
    "skips the last reply": (Checker, "replies", lambda self, state: self.rules.moves(state)[:-1],
                             ["connect-four 4x4, a win", "tic-tac-toe", "two steps a turn"]),
    "ignores ranks": (Checker, "falls", lambda self, before, after: np.ones(len(after), bool),
                      ["chase", "graph"]),
    "ignores how games end": (Checker, "ended", lambda self, *where: len(where[2]),
                              ["othello 6x6", "tic-tac-toe", "hex", "p-game", "ring"]),
    "lets every move pass": (Checker, "legal", lambda self, state, move: True,
                             ["connect-four 7x6", "connect-four 5x4", "p-game", "graph", "chase"]),
    "finds every record": (RecordTable, "find", lambda self, wanted: np.zeros(len(wanted), int),
                           ["othello 6x6", "hex", "ring"]),
    "does not look at the root": (Checker, "root", lambda self, state: None,
                                  ["connect-four 5x4", "othello 8x8", "two steps a turn"]),
    "believes every search": (checking, "settle", lambda *where: (0, 1),
                              ["connect-four 4x4, a draw", "tic-tac-toe", "ring"]),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_checker_is_noticed(what, case_of, monkeypatch):
    """The mutants above would be believed by a checker that leaves out a part of its work."""
    owner, name, instead, certificates = BROKEN[what]
    for certificate in certificates:
        case = case_of(certificate)
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, instead)
            believed = (changed for _, changed in case.mutants(MUTANTS, seed=1)
                        if case.is_taken_in(changed))
            assert any(not proves(changed, case.nodes) for changed in believed), certificate
