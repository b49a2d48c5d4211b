"""Games in a user's own file, and explicit graphs: every search, right answers, no privileges."""

import random
import subprocess
import sys
import uuid
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from command import call

import zermelo
from zermelo import BadMove, BadPosition, Value
from zermelo.compiler.cache import cache_directory
from zermelo.compiler.compile_stats import stats
from zermelo.compiler.jit import jit_enabled
from zermelo.core.game_files import remember_check, reminder
from zermelo.games.connect_four.game import ConnectFour

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
MEMORY = "500MB" if jit_enabled() else "50MB"
GENERAL = [name for name in zermelo.SEARCHES if name != "vcdt"]  # which needs lines
# Each search is compiled for each game: the fast tests take a few, ``make test-full`` all.
FEW = [name if name in ("pn", "ppn") else pytest.param(name, marks=pytest.mark.full)
       for name in GENERAL]
SOME = [name if name in ("pn", "ppn", "mcts", "weak-df-pn", "pvs") else
        pytest.param(name, marks=pytest.mark.full) for name in GENERAL]
OPPOSITE = {Value.WIN: Value.LOSS, Value.LOSS: Value.WIN, Value.DRAW: Value.DRAW}


# Chomp, from its file.
@pytest.fixture(scope="module")
def chomp():
    return zermelo.game(f"{EXAMPLES / 'chomp.py'}:Chomp")


@cache
def chomp_wins(rows: tuple[int, ...]) -> bool:
    """Does the player to move win? Written from the rules."""
    if rows[0] == 0:
        return True
    return any(not chomp_wins(after) for after in chomp_moves(rows).values())


def chomp_moves(rows: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    return {
        f"{chr(97 + c)}{r + 1}": tuple(min(n, c) if i >= r else n for i, n in enumerate(rows))
        for r, length in enumerate(rows) for c in range(length)
    }


@pytest.mark.long_cases("pvs", "ppn", "mcts")
@pytest.mark.parametrize("search", SOME)
def test_chomp_against_brute_force(chomp, search):
    bars = ["1x1", "3x1", "2x2", "3x2", "2x4", "3x3", "4x3", "4,2,1 second", "3,3,1", "2,1", "0"]
    for text in bars if jit_enabled() else bars[:4]:
        position = chomp.parse(text)
        rows = tuple(int(n) for n in position.text.split()[0].split(","))
        result = zermelo.solve(position, search, nodes=100_000, memory=MEMORY)
        assert result.proved, text
        assert result.value == (Value.WIN if chomp_wins(rows) else Value.LOSS), text
        if result.value == Value.WIN and position.outcome is None:
            assert not chomp_wins(chomp_moves(rows)[result.move]), text
        assert position.play(*result.line).outcome is not None


def test_chomp_moves_and_texts(chomp):
    position = chomp.parse("4x3")
    assert position == chomp.start() == chomp.parse("4,4,4 first")
    assert sorted(position.moves()) == sorted(chomp_moves((4, 4, 4)))
    for move, rows in chomp_moves((4, 4, 4)).items():
        left = ",".join(str(n) for n in rows if n) or "0"
        assert position.play(move).text == f"{left} second"
    assert position.play("a1").outcome == "second"
    for text in ("9x3", "4x", "x", "4x3x2", "1,2", "9", "3,-1", "1,1,1,1,1,1,1,1,1", "4x3 third",
                 "4x3 first second", "", "0x1"):
        with pytest.raises(BadPosition):
            chomp.parse(text)


def test_chomp_on_the_command_line():
    command = [sys.executable, "-m", "zermelo", "solve", "examples/chomp.py:Chomp", "4x3"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=EXAMPLES.parent)
    assert done.returncode == 0, done.stderr
    assert "first wins: proved" in done.stdout
    assert "move c2" in done.stdout


# Connect Four, from a user's file.
class WithoutCategories(ConnectFour):
    """The built-in game, which sorts moves into categories; the copy does not."""

    def define(self):
        return replace(super().define(), categories=None, category_names=(), probabilities=())


@pytest.mark.quick_cases("pn")
@pytest.mark.parametrize("search", FEW)
def test_a_copy_of_connect_four_gives_the_same_nodes(search):
    reads_categories = search in ("alpha-beta", "pvs", "rps", "erps")
    built_in = WithoutCategories() if reads_categories else zermelo.game("connect-four")
    copy = zermelo.game(f"{EXAMPLES / 'connect_four_copy.py'}:ConnectFour")
    nodes = 5_000 if jit_enabled() else 60
    for moves in ("", "444444", "4455", "112233", "111111222222777777"):
        found = []
        for game in (built_in, copy):
            position = game.parse(moves or "start")
            result = zermelo.solve(position, search, goal="win", nodes=nodes, seed=7)
            numbers = [(move.move, move.value, move.numbers) for move in result.moves]
            found.append((result.value, result.nodes, result.iterations, result.root, result.move,
                          result.line, numbers))
        assert found[0] == found[1], moves
        assert game.parse(position.text) == position


# Graphs.
SMALL = {"root": ("or", ["a", "b"]), "a": ("and", ["c", "d"]), "b": ("and", ["c", "e"]),
         "c": "win", "d": "loss", "e": ("or", ["d", "f"]), "f": "win"}


@pytest.mark.quick_cases("pn")
@pytest.mark.parametrize("search", FEW)
def test_a_small_graph_with_every_search(search):
    game = zermelo.graph(SMALL)
    result = zermelo.solve(game.start(), search)
    assert (result.value, result.proved, result.line) == (Value.WIN, True, ["b", "e", "f"])
    assert zermelo.solve(game.parse("a"), search).value == Value.WIN  # for the AND player
    assert zermelo.solve(game.parse("d"), search).iterations == 0


def random_graph(chance: random.Random, acyclic: bool) -> dict:
    size = chance.randint(2, 9)
    nodes: dict = {}
    for i in range(size):
        others = list(range(i + 1, size)) if acyclic else list(range(size))
        if not others or chance.random() < 0.3:
            nodes[i] = chance.choice(["win", "loss", "draw"])
        else:
            children = chance.sample(others, min(len(others), chance.randint(1, 3)))
            nodes[i] = (chance.choice(["or", "and"]), children)
    return nodes


def retrograde(nodes: dict) -> dict:
    """What the OR player gets: what a side can force, from the leaves upwards, else a draw."""
    values = {name: node for name, node in nodes.items() if isinstance(node, str)}
    for mine, owner, other in (("win", "or", "and"), ("loss", "and", "or")):
        grown = True
        while grown:
            grown = False
            for name, node in nodes.items():
                if name in values or isinstance(node, str):
                    continue
                below = [values.get(child) == mine for child in node[1]]
                if (node[0] == owner and any(below)) or (node[0] == other and all(below)):
                    values[name], grown = mine, True
    return {name: values.get(name, "draw") for name in nodes}


@pytest.mark.quick_cases("pn")
@pytest.mark.parametrize("search", ["pn", "ppn", "mcts", "pn2", "mopns"])
def test_random_cyclic_graphs_against_retrograde_analysis(search):
    chance, kernels, cyclic = random.Random(11), None, 0
    for number in range(300 if jit_enabled() else 25):
        nodes = random_graph(chance, acyclic=False)
        game = zermelo.graph(nodes)
        if not game.rules.cyclic:
            continue
        cyclic += 1
        expected = retrograde(nodes)
        position = game.start()
        result = zermelo.solve(position, search, memory=MEMORY, nodes=500_000)
        assert result.proved, nodes
        assert for_or(result) == expected[0], nodes
        if result.move is not None and position.outcome is None:
            assert expected[int(result.move)] == expected[0], nodes
        if number == 50:
            kernels = stats.compiled + stats.loaded
    assert cyclic > (150 if jit_enabled() else 10)
    assert kernels in (None, stats.compiled + stats.loaded), "graphs must share their kernels"


def for_or(result: zermelo.Result) -> str:
    """A value seen by the OR player."""
    return str(result.value if result.position.mover == 0 else OPPOSITE[result.value])


def test_random_acyclic_graphs_share_one_kernel():
    chance, kernels = random.Random(12), []
    for _ in range(150 if jit_enabled() else 10):
        nodes = random_graph(chance, acyclic=True)
        game = zermelo.graph(nodes)
        assert not game.rules.cyclic
        expected = retrograde(nodes)
        result = zermelo.solve(game.start(), "pn", memory=MEMORY)
        assert (for_or(result), result.proved) == (expected[0], True)
        kernels.append(stats.compiled + stats.loaded)
    assert kernels[-1] == kernels[20 if jit_enabled() else 0]


def test_a_graph_is_a_game():
    game = zermelo.graph(SMALL)
    root = game.start()
    assert game.parse("start") == root == game.parse(" root ")
    assert (root.text, root.to_move, root.moves()) == ("root", "or", ["a", "b"])
    assert root.diagram == "root, or of: a, b"
    assert root.play("a").diagram == "a, and of: c (win), d (loss)"
    assert root.play("a", "d").outcome == "second"
    assert root.play("a", "d").diagram == "d (loss)"
    assert game.rules.max_length == 3
    assert repr(game).startswith("<graph of 7 nodes, ")
    assert zermelo.graph(SMALL).start() == root
    assert zermelo.graph({**SMALL, "f": "draw"}).start() != root
    assert zermelo.graph(SMALL, root="a").start().text == "a"
    assert zermelo.solve(root).to_dict()["parameters"] == {"graph": game.values["graph"]}
    with pytest.raises(BadPosition, match=r"no node 'x'; nodes: root, a, b"):
        game.parse("x")
    with pytest.raises(BadMove, match=r"'root' is not a child of 'a'; children: c, d"):
        game.parse("a").play("root")


@pytest.mark.long
def test_graphs_of_all_shapes():
    assert zermelo.solve(zermelo.graph({0: "draw"}).start()).value == Value.DRAW
    lists = {1: ["or", [2, 3]], 2: ["and", [1]], 3: "draw"}
    game = zermelo.graph(lists)
    assert (game.rules.cyclic, game.rules.max_length) == (True, 3)
    assert zermelo.solve(game.start()).value == Value.DRAW
    wide = zermelo.graph({"r": ("or", list(range(100))), **dict.fromkeys(range(99), "loss"),
                          99: "win"})
    assert wide.rules.max_moves == 1024
    assert len(wide.start().diagram) < 300
    long = zermelo.graph({**{i: ("or", [i + 1]) for i in range(5000)}, 5000: "win"})
    assert long.rules.max_length == 5000
    assert long.parse("4990").perft(10) == 1


def test_a_game_file_may_import_its_neighbours(tmp_path):
    (tmp_path / "neighbour_of_chomp.py").write_text("SIDE = 2\n")
    source = Path(EXAMPLES, "chomp.py").read_text().replace(
        "SIDE = 8", "from neighbour_of_chomp import SIDE", 1)
    (tmp_path / "small.py").write_text(source)
    game = zermelo.game(f"{tmp_path / 'small.py'}:Chomp")
    assert game.rules.max_moves == 4


def test_neighbours_of_a_game_file_stand_in_for_nothing(tmp_path):
    """Not for what is installed, nor for the standard library, whenever it is imported."""
    names = ["numba", "llvmlite", "numpy", "random", "graphlib", "typer"]
    for name in names:
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('{name}.py was run')\n")
    (tmp_path / "beside.py").write_text("SIDE = 2\n")
    source = Path(EXAMPLES, "chomp.py").read_text().replace("SIDE = 8", "from beside import SIDE")
    (tmp_path / "small.py").write_text(source)
    code = f"""
import zermelo
game = zermelo.game({str(tmp_path / "small.py")!r})
import {", ".join(names)}
print(game.rules.max_moves, len(graphlib.TopologicalSorter({{}}).__class__.__name__))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("4 17\n", "")


@pytest.mark.skipif(cache_directory() is None, reason="there is no memory of what was checked")
def test_solving_a_game_that_was_never_checked_reminds_of_that_once(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.chdir(tmp_path)
    source = (EXAMPLES / "chomp.py").read_text()
    file = tmp_path / "own.py"
    file.write_text(f"{source}\n# {uuid.uuid4()}\n")  # nobody has checked this one

    def said(*words):
        done = call("solve", "own.py", "2x1", *words)
        assert done.status == 0
        return done.err

    assert said("--quiet") == ""
    expected = ("zermelo: these rules were never checked; run 'zermelo check-game own.py:Chomp' to "
                "do that.\n")
    assert said().endswith(expected)
    assert "never checked" not in said()
    file.write_text(f"{source}\n# {uuid.uuid4()}\n")
    assert said().endswith(expected)


def test_a_checked_game_is_remembered(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    (tmp_path / "own.py").write_text((EXAMPLES / "chomp.py").read_text())
    game = zermelo.game(str(tmp_path / "own.py"))
    assert reminder(zermelo.game("tic-tac-toe")) is None
    remember_check(game)
    assert reminder(game) is None
    (tmp_path / "own.py").write_text("# changed")
    assert "were never checked; run 'zermelo check-game" in reminder(game)
    assert reminder(game) is None
    (tmp_path / "own.py").unlink()
    assert reminder(game) is None
    monkeypatch.setenv("ZERMELO_CACHE", "off")
    assert reminder(game) is None
