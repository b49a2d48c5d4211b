"""The first positions of a process come from the rules as plain Python: the same, and sooner."""

import json
import os
import random
import subprocess
import sys

import pytest
from games_under_test import SUBJECTS

import zermelo
from zermelo.core import first_moves
from zermelo.core.board import Board
from zermelo.core.first_moves import FirstMoves, Spent, of_an_own_game
from zermelo.games.registry import game_names
from zermelo.games.xiangqi.rules import in_check
from zermelo.kernel.jit import jit_enabled

GAMES = [subject.game for subject in SUBJECTS] + [zermelo.game("k-in-a-row", columns=19, rows=19,
                                                               line=6, stones=2, first=1)]
# A move that can't be made, after some that can.
REFUSED = {
    "connect-four": "48", "othello": "d3 c3 a1", "hex": "a1 a1", "p-game": "path=0.7",
    "k-in-a-row": "a1 b1 a1", "tic-tac-toe": "a1 b1 a1", "gomoku": "h8 h8", "connect6": "j10 j10",
    "lines-of-action": "b1-b3 a2-a9", "xiangqi": "b2e2 a9a3",
}
# Refuses all of them, and prints what was said and which of the modules are loaded.
PROGRAM = """
import json, sys
import zermelo
from zermelo.core import first_moves
first_moves.SECONDS = 60.0
said = {}
for name, text in json.loads(sys.argv[1]).items():
    try:
        zermelo.game(name).parse(text)
    except zermelo.ZermeloError as error:
        said[name] = str(error)
slow = ("numba", "llvmlite", "zermelo.kernel.making", "zermelo.kernel.cache")
print(json.dumps([said, [name for name in slow if name in sys.modules]]))
"""


@pytest.fixture
def all_the_time(monkeypatch):
    monkeypatch.setattr(first_moves, "spent", Spent())
    monkeypatch.setattr(first_moves, "SECONDS", 1e9)


def compiled(game):
    board = Board(game.rules, game.name)
    board._first_moves = None
    return board


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_plain_rules_say_what_the_compiled_ones_say(game, all_the_time):
    plain, fast, chance = FirstMoves(game.rules), compiled(game), random.Random(5)
    for _ in range(4):
        state = game.start().state
        for _ in range(70):
            seen = fast.describe(state)
            assert plain.describe(state) == seen
            assert all(type(number) is int for number in (*seen[:2], *seen[2]))
            if not seen[2]:
                break
            move = chance.choice(seen[2])
            after = fast.step(state, move)
            assert plain.step(state, move).tobytes() == after.tobytes()
            state = after


def test_whether_a_king_is_in_check_is_the_same_too(all_the_time):
    game, chance, checks = zermelo.game("xiangqi"), random.Random(1), 0
    plain, fast = FirstMoves(game.rules), compiled(game)
    for _ in range(6):
        position = game.start()
        for _ in range(60):
            if not position.codes():
                break
            position = position.play_code(chance.choice(position.codes()))
            said = plain.ask(in_check, position.state)
            assert bool(said) == bool(fast.ask(in_check, position.state))
            checks += bool(said)
    assert checks > 1


def test_when_the_time_is_up_the_compiled_rules_are_asked(all_the_time):
    game = zermelo.game("tic-tac-toe")
    plain, state = FirstMoves(game.rules), game.start().state
    assert plain.describe(state) is not None
    assert first_moves.spent.seconds > 0.0
    first_moves.spent.seconds = first_moves.SECONDS
    assert plain.describe(state) is None
    assert plain.step(state, 0) is None
    assert plain.ask(game.rules.mover, state) is None
    assert game.board.ask(game.rules.mover, state) == 0
    assert game.parse("a1 b1").moves() == ["a3", "b3", "c3", "a2", "b2", "c2", "c1"]


def test_what_plain_numbers_do_not_settle_is_left_to_the_compiled_rules(all_the_time):
    game = zermelo.game("tic-tac-toe")
    position = game.position(left=1, result=9)  # there is no such result
    assert FirstMoves(game.rules).describe(position.state) is None
    with pytest.raises(zermelo.BadGame, match="outcome 9, mover 0 or 0 moves"):
        position.moves()


def test_only_the_librarys_own_games_are_asked_plainly():
    class Own(zermelo.Game):
        """Who takes the last of three wins."""

        name = "own"

        def define(self):
            rules = zermelo.game("tic-tac-toe").rules
            return zermelo.Rules(state=rules.state, max_moves=9, max_length=9, moves=rules.moves,
                                 play=rules.play, mover=rules.mover, key=rules.key,
                                 data=rules.data, outcome=lambda g, s: 0)

    assert not of_an_own_game(Own().rules)
    for name in game_names():
        game = zermelo.game(name)
        assert of_an_own_game(game.rules)
        assert (game.board._first_moves is not None) == jit_enabled()


def test_a_refusal_loads_no_compiler_and_no_linker():
    assert sorted(REFUSED) == sorted(game_names())
    done = subprocess.run([sys.executable, "-c", PROGRAM, json.dumps(REFUSED)],
                          capture_output=True, text=True, check=True,
                          env={**os.environ, "NUMBA_DISABLE_JIT": "0"})
    said, loaded = json.loads(done.stdout)
    assert loaded == []
    assert sorted(said) == sorted(REFUSED)
    for name, text in REFUSED.items():
        with pytest.raises(zermelo.ZermeloError) as error:
            zermelo.game(name).parse(text)
        assert said[name] == str(error.value)
