"""P-game trees: the generator, its distribution, one kernel for all trees, and the notation."""

import random
from collections import Counter

import pytest
from naive.p_game import NaivePGame, mix

from zermelo.compiler.compile_stats import stats
from zermelo.compiler.jit import jit_enabled
from zermelo.errors import BadMove, BadOption, BadPosition
from zermelo.games.p_game.game import PGame

GAMMA = 0x9E3779B97F4A7C15
FAST = jit_enabled()


def test_mix_is_splitmix64():
    """The published first outputs of SplitMix64 from seed 1234567."""
    states = [(1234567 + i * GAMMA) % 2**64 for i in (1, 2, 3)]
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [mix(state) for state in states] == published


def test_generator_1_never_changes():
    """A text names one tree for good: these values were written down when it was made."""
    game = PGame(seed=42)
    assert game.move_values(game.start()) == [18, 105]
    assert game.move_values(game.parse("path=0.1.1")) == [-78, -13]
    eight = PGame(branching=8, depth=8, seed=1)
    assert eight.move_values(eight.start()) == [112, 17, 37, 48, 104, 85, 90, 66]
    assert eight.move_values(eight.parse("path=7")) == [-1, -85, -105, -83, -33, -120, -87, -112]


def test_values_are_the_twins_on_long_paths():
    chance = random.Random(3)
    for branching, depth, largest in ((2, 62, 127), (3, 39, 1), (8, 20, 65535), (1024, 6, 500)):
        seed = chance.randrange(2**64)
        game = PGame(branching=branching, depth=depth, range=largest, seed=seed)
        twin = NaivePGame(branching, depth, largest, seed)
        position, path = game.start(), []
        while position.outcome is None:
            path.append(chance.randrange(branching))
            position = position.play_code(path[-1])
            assert int(position.state[0]["total"]) == sum(twin.values(path))
        assert game.path(position) == path
        assert position.outcome == twin.outcome(tuple(path))


def test_values_are_uniform_and_signed_by_mover():
    """Chi-square of 128 values: 218 is exceeded by chance once in a million."""
    counts = {0: Counter(), 1: Counter()}
    for seed in range(40 if FAST else 2):
        game = PGame(branching=128, depth=8, seed=seed)
        for text in ("start", *(f"path={'.'.join(['5'] * n)}" for n in range(1, 8))):
            position = game.parse(text)
            counts[position.mover].update(game.move_values(position))
    for mover, sign in ((0, 1), (1, -1)):
        total = sum(counts[mover].values())
        assert {sign * value for value in counts[mover]} <= set(range(128))
        expected = total / 128
        chi = sum((counts[mover][sign * v] - expected) ** 2 / expected for v in range(128))
        assert chi < 218


def test_siblings_parents_and_seeds_are_not_correlated():
    """Correlations of 4,000 pairs stay within five standard deviations of 0."""
    twin = NaivePGame(branching=2, depth=3)

    def pairs(kind: str):
        for seed in range(4000):
            twin.seed = seed
            up, down = twin.values((0, 0, 0)), twin.values((1, 0, 1))
            if kind == "siblings":
                yield up[0], down[0]
            elif kind == "parent":
                yield up[0], -up[1]
            else:
                twin.seed = seed + 1
                yield up[0], twin.values((0,))[0]

    for kind in ("siblings", "parent", "seeds"):
        product = sum((a - 63.5) * (b - 63.5) for a, b in pairs(kind))
        assert abs(product / 4000) < 5 * (128**2 - 1) / 12 / 4000**0.5


def test_a_deeper_tree_begins_with_the_shallower_one():
    short, long = PGame(depth=4, seed=9), PGame(depth=30, seed=9)
    for path in ("path=0", "path=1.1", "path=0.1.0"):
        assert short.move_values(short.parse(path)) == long.move_values(long.parse(path))
    assert long.move_values(long.start()) != PGame(seed=10).move_values(PGame(seed=10).start())


def test_best_play_is_the_twins():
    def value(position):
        if position.outcome is not None:
            return position.outcome
        order = ["first", "draw", "second"][:: 1 if position.mover == 0 else -1]
        return min((value(position.play_code(c)) for c in position.codes()), key=order.index)

    found = set()
    for seed in range(12):
        game = PGame(depth=6, range=2, seed=seed)
        found.add(value(game.start()))
        assert value(game.start()) == NaivePGame(depth=6, range=2, seed=seed).value()
    assert found == {"first", "second", "draw"}


@pytest.mark.skipif(not FAST, reason="nothing is compiled")
def test_all_trees_run_through_one_kernel():
    def use(**parameters):
        game = PGame(**parameters)
        start = game.start()
        return start.moves(), start.play("1").key(), start.perft(2), game.board.playout(
            start.state, 1, 10
        )

    use()
    before = stats.compiled + stats.loaded
    for seed in range(20):
        use(branching=2 + seed, depth=6, range=1 + seed, seed=seed)
    assert stats.compiled + stats.loaded == before


def test_notation():
    game = PGame(seed=42)
    assert game.start().text == "b=2,d=20,range=127,seed=42,generator=1"
    position = game.start().play("0", "1", "1")
    assert position.text == "b=2,d=20,range=127,seed=42,generator=1,path=0.1.1"
    for text in ("path=0.1.1", "seed=42,path=0.1.1", " b=2, d=20, path = 0.1.1", position.text,
                 "branching=2,depth=20,range=127,seed=42,path=0.1.1"):
        assert game.parse(text) == position
        assert game.parse(text).game is game
    assert game.parse("b=2") == game.parse("path=") == game.start()
    assert position.diagram.splitlines()[0] == "depth 3 of 20, sum -7, at 0.1.1"
    assert position.to_move == "MIN"


def test_a_text_that_names_another_tree_gives_that_tree():
    position = PGame(seed=1).parse("b=8,d=8,range=5,seed=7,path=7.0")
    assert position.game.values == {
        "branching": 8, "depth": 8, "range": 5, "seed": 7, "generator": 1,
    }
    assert position == PGame(branching=8, depth=8, range=5, seed=7).parse("path=7.0")
    assert position.game.parse(position.text) == position
    assert PGame(seed=3).start() != PGame(seed=4).start()


def test_a_sum_of_zero_is_a_draw():
    game = next(
        game for game in (PGame(depth=2, range=1, seed=s) for s in range(50))
        if game.parse("path=0.0").outcome == "draw"
    )
    assert "a draw" in game.parse("path=0.0").diagram
    assert game.parse("path=0.0").state[0]["total"] == 0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "p-game: the position is empty"),
        ("0.1", "'0.1' in '0.1' is not one of b=, d=, range=, seed=, generator= and path="),
        ("b=2,c=3", "'c=3' in 'b=2,c=3' is not one of b="),
        ("b=2,", "'' in 'b=2,' is not one of b="),
        ("b=2,branching=3", "'b=2,branching=3' gives branching twice."),
        ("b=two", "'b=two' names no tree: branching='two' is not a whole number."),
        ("b=1", "'b=1' names no tree: branching=1 is out of range; valid is 2 to 1024."),
        ("generator=2", "generator=2 is out of range; valid is 1."),
        ("seed=-1", "seed=-1 is out of range"),
        ("b=8,d=22", "branching=8 with depth=22 has more than 2\\^63 nodes; .* at most 20."),
        ("path=0.2", "p-game: move 2: '2' is not a legal move here; legal: 0 to 1."),
        ("path=0..1", "p-game: move 2: '' is not a legal move here"),
        ("d=1,path=0.0", "p-game: move 2: '0': the game is over, no move is legal."),
    ],
)
def test_bad_positions_get_a_clear_sentence(text, sentence):
    with pytest.raises(BadPosition, match=sentence):
        PGame().parse(text)


def test_bad_moves_and_parameters():
    for text in ("2", "-1", "01", "", "one", "9" * 9999, "\u0664"):
        with pytest.raises(BadMove, match="is not a legal move here; legal: 0 to 1"):
            PGame().start().play(text)
    for parameters in ({"depth": 0}, {"range": 0}, {"seed": 2**64}, {"branching": 1025}):
        with pytest.raises(BadOption, match="out of range"):
            PGame(**parameters)
    with pytest.raises(BadOption, match="depth may be at most 20"):
        PGame(branching=8, depth=21)
    assert PGame(branching=8, depth=20).start().outcome is None
    assert PGame(branching=2, depth=62).start().outcome is None


def test_pictures_of_wide_and_finished_trees():
    wide = PGame(branching=300, depth=3, seed=1)
    assert "... 292 more" in wide.start().diagram
    assert wide.parse("path=299.4").svg().count("<line") == 3 * 8
    done = PGame(depth=3).parse("path=0.0.0")
    assert done.diagram.splitlines()[1] in ("MAX wins", "MIN wins", "a draw")
    assert done.svg().count("<line") == 3 * 2
