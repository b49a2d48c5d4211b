"""Games, graphs and searches that are not what they must be, and what is said about them."""


import numpy as np
import pytest

import zermelo
from zermelo.compiler.jit import rules_that_compile
from zermelo.errors import BadGame, BadMove, BadPosition, quoted
from zermelo.search.base import Search, Task
from zermelo.search.best_first.search import BestFirst
from zermelo.search.depth_first.run import DepthFirst

pytestmark = pytest.mark.usefixtures("without_jit")


def check(error, sentence):
    message = str(error)
    assert sentence in message
    assert message.endswith(".")
    assert "\n" not in message
    assert len(message) < 400


def moves(g, s, out):
    for i in range(min(2, s.left)):
        out[i] = i + 1
    return min(2, s.left)


def play(g, s, move, t):
    t.left = s.left - move
    t.turn = 1 - s.turn
    t.pair[0] = t.pair[1] = 0


def mover(g, s):
    return s.turn


def outcome(g, s):
    return 0


def key(g, s):
    return np.uint64(2 * s.left + s.turn)


STATE = [("left", "i8"), ("turn", "i8"), ("pair", "i8", (2,))]
RULES = {"state": STATE, "max_moves": 2, "max_length": 9, "moves": moves, "play": play,
         "mover": mover, "outcome": outcome, "key": key}


class Nim(zermelo.Game):
    """Take one or two; who cannot has lost."""

    changes = {}  # noqa: RUF012

    def define(self):
        return zermelo.Rules(**{**RULES, **self.changes})

    def start(self):
        return self.position(left=5)


def nim(**changes):
    return type("Nim", (Nim,), {"changes": changes})()


def test_the_game_itself_is_fine():
    result = zermelo.solve(nim().start())
    assert (result.value, result.move) == ("win", "2")
    text = nim().start().text
    assert text == "left=5;turn=0;pair=0.0"
    assert nim().parse(text).text == text
    assert nim().parse("2, 1").text == "left=2;turn=0;pair=0.0"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"state": "rubbish"}, "nim: state 'rubbish' is not a dtype: "),
        ({"state": [("a", "u9")]}, "is not a dtype"),
        ({"state": 5}, "state '5' is not a dtype"),
        ({"state": "i8"}, "state must have named fields of plain numbers, not 'int64'."),
        ({"state": [("a", "O")]}, "state must have named fields of plain numbers, not "),
        ({"max_moves": 0}, "max_moves='0' must be a whole number of at least 1."),
        ({"max_moves": 2.5}, "max_moves='2.5' must be a whole number"),
        ({"max_length": None}, "max_length='None' must be a whole number"),
        ({"moves": None}, "moves must be a function, not 'None'."),
        ({"key": 3}, "key must be a function, not '3'."),
        ({"playout": "fast"}, "playout must be a function, not 'fast'."),
        ({"canonical": key}, "canonical and move_image belong together."),
        ({"data": [1]}, "data must be a NamedTuple, not a list."),
    ],
)
def test_bad_rules(changes, sentence):
    with pytest.raises(BadGame) as caught:
        nim(**changes)
    check(caught.value, sentence)


def test_define_must_return_rules():
    class Lazy(zermelo.Game):
        def define(self):
            return {"moves": moves}

    with pytest.raises(BadGame) as caught:
        Lazy()
    check(caught.value, "lazy: define() must return zermelo.Rules, not dict.")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"moves": lambda g, s, out: 3}, "or 3 moves (max_moves 2) is out of range"),
        ({"outcome": lambda g, s: 4}, "outcome 4, mover 0"),
        ({"mover": lambda g, s: 2}, "mover 2"),
    ],
)
def test_numbers_out_of_range(changes, sentence):
    with pytest.raises(BadGame) as caught:
        nim(**changes).start().moves()
    check(caught.value, sentence)
    assert "run 'zermelo check-game' for details" in str(caught.value)


def test_what_no_search_can_hold():
    with pytest.raises(BadGame) as caught:
        zermelo.solve(nim(max_moves=70_000).start(), "pn")
    check(caught.value, "nim: max_moves=70000 is beyond the 65535 that a node can hold.")
    for search in ("pn", "df-pn"):
        with pytest.raises(BadGame) as caught:
            zermelo.solve(nim(max_length=1).position(left=100), search)
        check(caught.value, "nim: a game lasts longer than max_length=1; run 'zermelo check-game' ")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("left=5;size=3", "nim: no field 'size'; fields: left, turn, pair."),
        ("left", "nim: move 1: 'left' is not a legal move here; legal: 1, 2."),
        ("left=five", "'left=five' is not numbers that fit the field."),
        ("left=", "'left=' is not numbers that fit the field."),
        (f"left={'9' * 30}", "is not numbers that fit the field."),
        (f"left={'9' * 5_000}", "is not numbers that fit the field."),
        ("pair=1.2.3", "'pair=1.2.3' is not numbers that fit the field."),
        ("1 3", "nim: move 2: '3' is not a legal move here; legal: 1, 2."),
        ("2 2 1 1", "nim: move 4: '1': the game is over, no move is legal."),
    ],
    ids=quoted,
)
def test_bad_texts_in_the_default_notation(text, sentence):
    with pytest.raises(BadPosition) as caught:
        nim().parse(text)
    check(caught.value, sentence)


TREE = {"top": ("or", ["a", "b"]), "a": "loss", "b": ("and", ["c"]), "c": "win"}


@pytest.mark.parametrize(
    ("nodes", "root", "sentence"),
    [
        ({}, None, "the nodes must be a dictionary with at least one node."),
        ([1], None, "the nodes must be a dictionary"),
        ({None: "win"}, None, "the node name None is neither a text nor a whole number."),
        ({True: "win"}, None, "the node name True is neither"),
        ({"": "win"}, None, "the node name '' is empty or has white space around it."),
        ({" a": "win"}, None, "the node name ' a' is empty or has white space"),
        ({1: "win", "1": "loss"}, None, "the nodes 1 and '1' are written the same."),
        ({"a": "win", "start": "win"}, None, "a node called 'start' must be the root"),
        (TREE, "d", "the root 'd' is not in the graph; nodes: top, a, b, c."),
        (TREE, True, "the root True is not in the graph"),
        ({"a": "won"}, None, "node 'a' is 'won'; a node is ('or', [children])"),
        ({"a": ("xor", ["a"])}, None, "node 'a' is "),
        ({"a": ("or", "b")}, None, "node 'a' is "),
        ({"a": 5}, None, "node 'a' is '5'"),
        ({"a": None}, None, "node 'a' is 'None'"),
        ({1.5: "win"}, None, "the node name 1.5 is neither a text nor a whole number"),
        ({"a": ("or", range(3))}, None, "node 'a' is "),
        ({"a": ("or", [True]), 1: "win"}, None, "has the child True, which is not in the graph."),
        ({"a": ("or", [])}, None, "node 'a' has no children; a leaf is win, loss or draw."),
        ({"a": ("or", list(range(70_000)))}, None, "node 'a' has 70,000 children; at most 65,535"),
        ({"a": ("or", ["b"])}, None, "node 'a' has the child 'b', which is not in the graph."),
        ({"a": ("or", [None])}, None, "node 'a' has the child None, which is not in the graph."),
        ({"a": ("or", ["b", "b"]), "b": "win"}, None, "node 'a' has the child 'b' twice."),
    ],
    ids=quoted,
)
def test_bad_graphs(nodes, root, sentence):
    with pytest.raises(BadGame) as caught:
        zermelo.graph(nodes, root)
    check(caught.value, sentence)
    assert str(caught.value).startswith("graph: ")


def test_names_that_no_graph_has():
    game = zermelo.graph(TREE)
    with pytest.raises(BadPosition) as caught:
        game.parse("d")
    check(caught.value, "graph: there is no node 'd'; nodes: top, a, b, c.")
    with pytest.raises(BadMove) as caught:
        game.start().play("c")
    check(caught.value, "'c' is not a child of 'top'; children: a, b.")
    wide = zermelo.graph({"top": ("and", list(range(1_000))), **dict.fromkeys(range(1_000), "win")})
    for call in (lambda: wide.parse("d"), lambda: wide.start().play("d")):
        with pytest.raises((BadPosition, BadMove)) as caught:
            call()
        check(caught.value, " and more.")


def test_a_search_without_its_parts_says_so():
    class Bare(BestFirst):
        id = "bare"

    position = nim().start()
    bare = DepthFirst()
    for call in (lambda: Bare().plan(position.game.rules), lambda: Bare().show(None),
                 lambda: bare.plan(position.game.rules), lambda: bare.show(1, 1),
                 lambda: bare.show_solved(True),
                 lambda: Search().start(Task(position, 0, 1))):
        with pytest.raises(NotImplementedError):
            call()


def test_more_moves_than_said_deep_in_the_tree():
    def growing(g, s, out):
        n = 1 if s.turn == 0 else 3
        for i in range(n):
            out[i] = 1
        return n

    game = nim(moves=growing, max_moves=2)
    for search in ("pn", "uct"):
        with pytest.raises(BadGame) as caught:
            zermelo.solve(game.position(left=9), search, nodes=100)
        check(caught.value, "more moves than max_moves=2")


@pytest.mark.parametrize(("signatures", "error", "kind", "sentence"), [
    ([], RuntimeError("no such pass"), zermelo.CompilerFault, "the compiler failed: RuntimeError"),
    ([1], TypeError("expected int64, got None"), BadGame, "a rule does not return a number"),
    ([1], MemoryError("no more."), MemoryError, "no more"),
])
def test_what_compiled_rules_raise(monkeypatch, signatures, error, kind, sentence):
    class Dispatcher:
        nopython_signatures = signatures

    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    with pytest.raises(kind) as caught, rules_that_compile("nim", Dispatcher()):
        raise error
    check(caught.value, sentence)


def test_a_value_that_does_not_fit_its_field():
    with pytest.raises(BadGame) as caught:
        nim().position(pair=[1, 2, 3])
    check(caught.value, "does not fit the field pair")


def test_a_definition_that_can_not_be_run(tmp_path):
    file = tmp_path / "odd.py"
    file.write_text("from zermelo import Game\n\n\nclass Odd(Game):\n    def define(self):\n"
                    "        return 1 / 0\n")
    with pytest.raises(zermelo.BadGame, match="its definition can't be run: ZeroDivisionError"):
        zermelo.game(f"{file}:Odd")
