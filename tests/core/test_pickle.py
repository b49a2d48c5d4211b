"""Positions and results travel to other processes, whatever their game."""

import copy
import pickle
from multiprocessing import get_context
from pathlib import Path

import pytest
from games_under_test import SUBJECTS

import zermelo
from zermelo import BadGame, Game, Rules
from zermelo.core.game_files import FILE_MODULE, from_file
from zermelo.core.position import unpickled

CHOMP = f"{Path(__file__).parents[2] / 'examples' / 'chomp.py'}:Chomp"
NODES = {1: ("or", [2, "x y"]), 2: ("and", [3, 4]), "x y": "draw", 3: "win", 4: "loss"}


def positions():
    """A position a game, some moves from the start."""
    games = [subject.game for subject in SUBJECTS]
    games += [zermelo.game("connect6"), zermelo.game("gomoku"), zermelo.game(CHOMP),
              zermelo.graph(NODES, root=2), zermelo.graph(NODES)]
    found = []
    for game in games:
        position = game.start()
        for turn in range(3):
            moves = position.moves()
            position = position.play(moves[turn % len(moves)]) if moves else position
        found.append(position)
    return found


def same(first, second):
    return (first == second and hash(first) == hash(second) and first.text == second.text
            and repr(first.game) == repr(second.game) and first.moves() == second.moves())


@pytest.mark.parametrize("protocol", [0, 2, pickle.HIGHEST_PROTOCOL])
def test_every_game(protocol):
    for position in positions():
        there = pickle.loads(pickle.dumps(position, protocol))
        assert same(there, position), position
        assert not there.state.flags.writeable
        assert there.played == []
        for move in position.moves()[:2]:
            assert there.play(move) == position.play(move)


def test_positions_that_travel_together_share_their_game():
    game = zermelo.game("k-in-a-row", columns=4)
    pair = pickle.loads(pickle.dumps([game.start(), game.parse("a1"), game]))
    assert pair[0].game is pair[1].game is pair[2]
    assert pair[2].values == game.values
    again = pickle.loads(pickle.dumps(game.parse("a1")))
    assert again.game is pair[2], "one by one too"


def test_a_copy_is_the_position_itself():
    position = zermelo.game("tic-tac-toe").parse("a1")
    assert copy.copy(position) is position
    assert copy.deepcopy([position]) == [position]


def test_results_can_be_pickled():
    result = zermelo.solve(zermelo.game("tic-tac-toe").parse("a1 b1 a2 b2"))
    there = pickle.loads(pickle.dumps(result))
    assert there.to_dict() == result.to_dict()


def describe(position):
    """Run in another process: what it finds there."""
    loaded = FILE_MODULE in type(position.game).__module__
    return position, position.text, position.moves(), repr(position.game), loaded


def test_another_process_finds_the_game():
    sent = positions()
    with get_context("spawn").Pool(1) as pool:
        answers = pool.map(describe, sent)
    for position, (back, text, moves, game, loaded) in zip(sent, answers, strict=True):
        assert same(back, position)
        assert (text, moves, game) == (position.text, position.moves(), repr(position.game))
        assert loaded == (position.game.name == "chomp")


def test_a_file_read_twice_has_equal_positions():
    first, second = zermelo.game(CHOMP), zermelo.game(CHOMP)
    assert type(first) is not type(second)
    assert first.parse("3x3") == second.parse("3x3")
    assert first.parse("3x3") != second.parse("3x2")


def test_a_file_that_is_gone_is_named(tmp_path):
    file = tmp_path / "other.py"
    file.write_text(Path(CHOMP.partition(":")[0]).read_text())
    kept = pickle.dumps(zermelo.game(f"{file}:Chomp").start())
    renamed = kept.replace(b"other.py", b"never.py").replace(b"user_other", b"user_never")
    with pytest.raises(zermelo.UnknownGame, match=r"can't read the file '.*never\.py'"):
        pickle.loads(renamed)


def counting(steps):
    """A game in which both count down; two of them have the same name but not the same rules."""
    class Countdown(Game):
        def define(self):
            return Rules(
                state=[("n", "i8")], max_moves=1, max_length=steps, moves=lambda g, s, out: 0,
                play=lambda g, s, move, t: None, mover=lambda g, s: 0,
                outcome=lambda g, s: 1, key=lambda g, s: s.n,
            )
    return Countdown()


class Named(Game):
    """A game that is made of something else than parameters."""

    def __init__(self, steps):
        self.steps = steps
        super().__init__()

    def define(self):
        return counting(self.steps).rules


def test_what_cannot_be_pickled_says_so():
    with pytest.raises(BadGame, match=r"countdown: the class counting.<locals>.Countdown can't be "
                                      r"found in the module test_pickle, .* top level of a file"):
        pickle.dumps(counting(3).start())
    with pytest.raises(BadGame, match="named: Named has an __init__ of its own"):
        pickle.dumps(Named(3).start())
    assert counting(3).start() != counting(3).start(), "their classes only look alike"


def test_a_game_that_has_changed_since_is_noticed():
    position = zermelo.game("tic-tac-toe").start()
    with pytest.raises(BadGame, match="the pickled position has 3 bytes, but a state has"):
        unpickled(position.game, b"abc")


def test_a_position_knows_how_it_was_reached():
    game = zermelo.game("connect-four", columns=4, rows=4)
    position = game.parse("1234")
    assert position.origin == game.start()
    assert position.played == [0, 1, 2, 3]
    board = game.parse(position.text)
    assert board == position
    assert board.origin is board
    assert board.played == []
    assert board.play("1").origin is board


def test_a_game_that_its_file_no_longer_has(tmp_path):
    file = tmp_path / "empty.py"
    file.write_text("")
    with pytest.raises(BadGame, match="has no game Gone; it had one when this was pickled"):
        from_file("zermelo_user_gone", str(file), "Gone", ())
