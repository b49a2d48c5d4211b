"""Games of OpenSpiel: loading and refusing, positions and texts, values against OpenSpiel's own."""

import pickle
import random
import sys
from collections import deque

import pytest

import zermelo
from zermelo.checks.check_game import check_game
from zermelo.errors import BadOption, BadPosition, UnknownGame
from zermelo.games.open_spiel import OpenSpielGame, silent, state_bytes, why_not
from zermelo.jobs.job import job_for

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import minimax  # noqa: E402

from tools.open_spiel_table import PAGE, put, rows  # noqa: E402


class TooLarge(Exception):
    """More positions than are to be looked at."""


def value(state, most=20_000, deepest=300):
    """1, 0 or -1 for the first player, by trying everything, with OpenSpiel's rules alone."""
    left = [most]

    def search(state, depth):
        if state.is_terminal():
            return outcome(state)
        left[0] -= len(state.legal_actions())
        if left[0] < 0 or depth > deepest:
            raise TooLarge
        mine, best = (1, max) if state.current_player() == 0 else (-1, min)
        children = [state.child(action) for action in state.legal_actions()]
        if any(child.is_terminal() and outcome(child) == mine for child in children):
            return mine
        found = -mine
        for child in children:
            found = best(found, search(child, depth + 1))
            if found == mine:
                break
        return found

    return search(state, 0)


def outcome(state):
    gained = state.returns()[0]
    return (gained > 0) - (gained < 0)


def last_states(game, chance, count=8):
    """The states before the end of a random game."""
    state, states = game.new_initial_state(), deque(maxlen=count)
    while not state.is_terminal():
        states.append(state.clone())
        state.apply_action(chance.choice(state.legal_actions()))
    return states


def near_end(game, seed, most=4_000, deepest=6):
    """A state as far from the end of a random game as trying everything reaches, and its value."""
    chance, known = random.Random(seed), None
    while known is None:
        for state in reversed(last_states(game, chance)):
            try:
                known = (state, value(state, most, deepest))
            except TooLarge:
                break
    return known


def loadable(why_not):
    """The names of the games of the package that can be solved."""
    kinds = pyspiel.GameType
    return [kind.short_name for kind in pyspiel.registered_games()
            if kind.default_loadable and kind.dynamics == kinds.Dynamics.SEQUENTIAL
            and kind.chance_mode == kinds.ChanceMode.DETERMINISTIC  # loading takes longer
            and kind.information == kinds.Information.PERFECT_INFORMATION
            and not why_not(pyspiel.load_game(kind.short_name))]


VALUES = {1: "win", 0: "draw", -1: "loss"}
# Games so small that trying everything from the start is quick.
SMALL = [
    "breakthrough(rows=4,columns=2)", "clobber(rows=2,columns=4)", "clobber(rows=3,columns=3)",
    "connect_four(rows=3,columns=3,x_in_row=3)", "connect_four(rows=2,columns=4,x_in_row=3)",
    "dots_and_boxes(num_rows=1,num_cols=1)", "dots_and_boxes(num_rows=1,num_cols=2)",
    "gomoku(size=3,connect=3)", "havannah(board_size=2)", "hex(board_size=2)",
    "hex(num_cols=3,num_rows=2)", "mnk(m=3,n=2,k=2)", "mnk(m=3,n=3,k=3)", "nim(pile_sizes=1;2;3)",
    "nim(pile_sizes=1;2;3,is_misere=false)", "nim(pile_sizes=2;2)", "tic_tac_toe",
    "misere(game=tic_tac_toe())", "y(board_size=2)", "y(board_size=3)", "hex(board_size=3)",
]
QUICK = ["breakthrough", "tic_tac_toe", "hex", "mancala", "chess", "dots_and_boxes"]
# Random games on the usual boards of these take seconds each.
SMALLER = {"go": "go(board_size=5)", "cursor_go": "cursor_go(board_size=3,max_cursor_moves=10)"}
# By seed 7 the position is a draw, which alpha-beta proves only by going to the end of all lines;
# a state there has 270 boards in it, 50 KB. By this one it is lost.
SEEDS = {"lines_of_action": 13}
QUICK_SMALL = ["clobber(rows=2,columns=4)", "hex(board_size=2)", "nim(pile_sizes=1;2;3)",
               "dots_and_boxes(num_rows=1,num_cols=2)", "y(board_size=2)", "mnk(m=3,n=2,k=2)"]


def expected(state):
    """The value for who moves, by trying everything and by OpenSpiel's own minimax."""
    found = value(state, 10**6)
    theirs, _ = minimax.alpha_beta_search(state.get_game(), state=state)
    assert (theirs > 0) - (theirs < 0) == found
    return VALUES[found if state.current_player() == 0 else -found]


def check_small(text):
    for key in ("history", "observation"):
        game = zermelo.open_spiel(text, key=key)
        state = game.state(game.start()).state
        result = zermelo.solve(game.start())
        assert (result.value, result.proved) == (expected(state), True), key


@pytest.mark.parametrize("text", QUICK_SMALL)
def test_values_of_small_games(text):
    check_small(text)


@pytest.mark.full
@pytest.mark.parametrize("text", SMALL)
def test_values_of_all_small_games(text):
    check_small(text)


def check_game_of(name, games, searches):
    """Random games by both sides' word, then a position near the end in all searches."""
    game = zermelo.open_spiel(SMALLER.get(name, name))
    chance, plain = random.Random(name), game.plain
    for _ in range(games):
        spot, state = plain.start(), plain.spiel.new_initial_state()
        for _ in range(300):
            assert plain.moves(spot) == state.legal_actions()
            assert (plain.outcome(spot) is not None) == state.is_terminal()
            if state.is_terminal():
                break
            assert plain.mover(spot) == state.current_player()
            action = chance.choice(state.legal_actions())
            spot = plain.play(spot, action)
            state.apply_action(action)
        assert str(spot.state) == str(state)
    state, found = near_end(plain.spiel, SEEDS.get(name, 7))
    position = game.with_state(plain.spot(state))
    wanted = VALUES[found if state.current_player() == 0 else -found]
    for search in searches or zermelo.searches_for(game):
        kind = zermelo.SEARCHES[search]
        options = {"playouts": 4} if "playouts" in kind.__dataclass_fields__ else {}
        result = zermelo.solve(position, kind(**options))
        assert (search, result.value, result.proved) == (search, wanted, True)


@pytest.mark.parametrize("name", QUICK)
def test_games_near_their_end(name):
    check_game_of(name, 1, ["pn", "weak-df-pn", "alpha-beta"])


@pytest.mark.full
@pytest.mark.parametrize("name", loadable(why_not))
def test_every_game_of_the_package(name):
    check_game_of(name, 20, [])


@pytest.mark.parametrize(("text", "error", "sentence"), [
    ("nogame", UnknownGame, "OpenSpiel has no game 'nogame'"),
    ("hexx", UnknownGame, "did you mean hex"),
    ("hex(board_size=x)", BadOption, "can't load 'hex.board_size=x.': Wrong type for parameter"),
    ("go(board_size=1)", BadOption, "can't load 'go.board_size=1.': unsupported board size"),
    ("chess(chess960=true)", BadOption, "it is not deterministic: there is chance in it"),
    ("kuhn_poker", BadOption, "it is not deterministic: there is chance in it"),
    ("phantom_ttt", BadOption, "it has no perfect information"),
    ("oshi_zumo", BadOption, "its players do not move one after the other"),
    ("chinese_checkers(players=3)", BadOption, "it has 3 players, not two"),
    ("cliff_walking", BadOption, "it has 1 player, not two"),
    ("sheriff", BadOption, "it has no perfect information"),
    ("nfg_game", BadOption, "can't load"),
    (7, BadOption, "is a text such as"),
])
def test_what_can_not_be_solved_is_refused(text, error, sentence, capfd):
    with pytest.raises(error, match=sentence):
        zermelo.open_spiel(text)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(("second", "sentence"), [
    ("1 -1", None), ("0 -1", "it is not zero-sum"), ("0 2", "it is not zero-sum")])
def test_a_game_that_is_not_zero_sum_is_refused(second, sentence, tmp_path):
    """One player moves, then the other, who sees it; only the results differ."""
    file = tmp_path / "small.efg"
    file.write_text(f"""EFG 2 R "small" {{ "one" "two" }}
p "" 1 1 "" {{ "a" "b" }} 0
p "" 2 1 "" {{ "c" "d" }} 0
t "" 1 "" {{ 1 -1 }}
t "" 2 "" {{ -1 1 }}
t "" 3 "" {{ {second} }}
""", "utf-8")
    game = pyspiel.load_game(f"efg_game(filename={file})")
    kinds, kind = pyspiel.GameType, game.get_type()
    assert (kind.dynamics, kind.chance_mode, kind.information, game.num_players()) == (
        kinds.Dynamics.SEQUENTIAL, kinds.ChanceMode.DETERMINISTIC,
        kinds.Information.PERFECT_INFORMATION, 2)
    if sentence is None:
        assert zermelo.solve(zermelo.open_spiel(str(game)).start()).value == "win"
        return
    assert why_not(game) == sentence
    with pytest.raises(BadOption, match=rf"small.efg\) can't be solved: {sentence}\.$"):
        zermelo.open_spiel(str(game))


def test_a_chance_that_comes_later_is_no_move_of_a_player():
    game = zermelo.open_spiel("tic_tac_toe")
    chance = pyspiel.load_game("chess(chess960=true)").new_initial_state()
    with pytest.raises(zermelo.BadRule, match=r"mover raised ValueError.*\n(.*\n)*.*but chance or"):
        game.with_state(game.plain.spot(chance))


def test_without_the_package_the_command_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(BadOption, match=r"pip install 'zermelo\[open-spiel\]'"):
        zermelo.open_spiel("amazons(board_size=6)")


def test_keys_are_history_or_observation():
    tree, merged = (zermelo.open_spiel("tic_tac_toe", key=key)
                    for key in ("history", "observation"))
    one, other = ["x(0,0)", "o(1,1)", "x(2,2)"], ["x(2,2)", "o(1,1)", "x(0,0)"]
    assert tree.start().play(*one) != tree.start().play(*other)
    assert merged.start().play(*one) == merged.start().play(*other)
    assert tree != merged
    assert not tree.rules.cyclic
    with pytest.raises(BadOption, match="key='board' is not one of history, observation"):
        zermelo.open_spiel("tic_tac_toe", key="board")


def test_check_game_checks_observations():
    report = check_game(zermelo.open_spiel("tic_tac_toe", key="observation"), games=40)
    assert report.ok
    assert any(line.startswith("keys: ") for line in report.checks)
    assert check_game(zermelo.open_spiel("havannah(board_size=2)"), games=3).ok


@pytest.mark.parametrize("text", ["mancala", "checkers", "amazons(board_size=6)"])
def test_positions_are_reached_in_other_orders(text):
    """In few random games of a large board, no position comes up twice by itself."""
    report = check_game(zermelo.open_spiel(text, key="observation"), games=3)
    assert report.ok
    assert any(line.startswith("keys: ") for line in report.checks)


def test_observations_that_do_not_tell_all_are_found():
    """By the observation of Go nobody knows what was on the board before."""
    report = check_game(zermelo.open_spiel("go(board_size=5)", key="observation"), games=5)
    assert "have one key, but not the same mover, outcome, moves and successors" in (
        report.problems[0])


def test_texts_and_pickles():
    game = zermelo.open_spiel("breakthrough(rows=5,columns=4)")
    position = game.start().play("a5a4", "a1a2")
    assert position.text == "a5a4 a1a2"
    assert position.diagram.startswith("5.bbb")
    assert game.parse(position.text) == position
    state = game.state(position).state
    assert game.parse(state.serialize()) == position
    assert game.parse(pyspiel.serialize_game_and_state(game.plain.spiel, state)) == position
    other = pyspiel.serialize_game_and_state(*two("hex(board_size=3)"))
    with pytest.raises(BadPosition, match=r"it is about hex\(.*\), not about breakthrough"):
        game.parse(other)
    with pytest.raises(BadPosition, match="is neither a list of moves from the start nor"):
        game.parse("z9z9")
    assert pickle.loads(pickle.dumps(position)) == position
    assert pickle.loads(pickle.dumps(game)) == game
    assert job_for(position, zermelo.PN(), seed=0, goal="win", plain=True, nodes=1, time=None,
                   memory=1, wall=1.0, trace=None).start == position


def two(text):
    game = pyspiel.load_game(text)
    state = game.new_initial_state()
    state.apply_action(0)
    return game, state


def test_a_state_that_was_set_up_is_written_as_it_is():
    game = zermelo.open_spiel("chess")
    state = game.plain.spiel.new_initial_state("8/8/8/8/8/5k2/7q/5K2 b - - 0 1")
    position = game.with_state(game.plain.spot(state))
    assert position.text.startswith("FEN: 8/8/")
    assert game.parse(position.text) == position


def test_scores():
    game = zermelo.open_spiel("dots_and_boxes(num_rows=1,num_cols=2,utility_margin=true)")
    found, position = set(), game.start()
    for _ in range(5):
        result = zermelo.solve(position, goal="score")
        wanted = margin(game.state(position).state) * (1 - 2 * position.mover)
        assert (result.score, result.proved) == ((wanted, wanted), True)
        found.add(wanted)
        position = position.play(position.moves()[0])
    assert len(found) > 1


def margin(state):
    if state.is_terminal():
        return state.returns()[0]
    best = max if state.current_player() == 0 else min
    return best(margin(state.child(action)) for action in state.legal_actions())


def test_errors_are_silent_only_while_asked(capfd):
    with silent():
        print("unheard", file=sys.__stderr__, flush=True)
    print("heard", file=sys.__stderr__, flush=True)
    assert "unheard" not in capfd.readouterr().err


def test_an_observation_must_be_there():
    class Blind(OpenSpielGame):
        text = "blind"

        class spiel:
            @staticmethod
            def get_type():
                return type("Type", (), {"provides_observation_string": False})

    with pytest.raises(BadOption, match="key=observation needs a game that says what its players"):
        Blind(key="observation")


def test_the_page_names_every_game_of_the_package():
    page = PAGE.read_text("utf-8")
    solved = page[page.index("<!-- solved -->") : page.index("<!-- refused -->")]
    refused = page[page.index("<!-- refused -->") :]
    for name, reason in rows():
        assert f"`{name}`" in (refused if reason else solved), name
        assert reason in refused
    text = "<!-- one -->\n<!-- end -->\n\n<!-- two -->\nold\n<!-- end -->\n"
    text = put(put(text, "one", "1"), "two", "2")
    assert text == "<!-- one -->\n1\n<!-- end -->\n\n<!-- two -->\n2\n<!-- end -->\n"
    assert put(text, "one", "1") == text


def test_the_size_of_a_state_is_measured():
    game = zermelo.open_spiel("lines_of_action")
    spot, chance = game.plain.start(), random.Random(1)
    first = sys.getsizeof(spot)
    assert 300 < first < 5_000
    for _ in range(60):
        spot = game.plain.play(spot, chance.choice(game.plain.moves(spot)))
    assert sys.getsizeof(spot) > 2 * first  # it remembers the game
    assert state_bytes(spot.state) == pytest.approx(sys.getsizeof(spot), rel=0.5)
