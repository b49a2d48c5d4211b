"""Single conspiracy numbers against their definition, a plain twin, and PN; what is refused."""

import math
import random
from pathlib import Path

import pytest
from command import call
from naive.scn import AlphaBeta, by_definition, cut_off, pn_tree
from trees import END, OPEN, CapturingTree, Tree, is_inner, open_leaves, random_tree

import zermelo
from zermelo import errors
from zermelo.conspiracy.driver import MOST_QUIET, NEVER, NO_WAY, add_up, either, other
from zermelo.conspiracy.scn import Scan, scn
from zermelo.conspiracy.worked_tree import numbers, picture
from zermelo.game_records import chart
from zermelo.game_records.progress import progress
from zermelo.search.base import Task
from zermelo.search.minimax.plan import MATE, SURE

TREES = 2_000
LEAST = -MATE
SCALE = 20.0


def height(tree):
    return 1 + max(map(height, tree[1])) if is_inner(tree) else 0


def small_trees(count):
    """Trees of depth 2 to 4 with at most 10 leaves that may change."""
    found, rng = 0, random.Random(7)
    while found < count:
        depth = rng.randint(2, 4)
        tree = random_tree(rng, depth, 3, rng.choice((0.0, 0.2)), rng.random() < 0.5,
                           rng.randint(0, 1))
        if len(open_leaves(tree)) <= 10:
            found += 1
            yield tree


@pytest.mark.long
def test_the_numbers_are_those_of_the_definition():
    seen = set()
    for tree in small_trees(TREES):
        T = (LEAST, -20, 5, 30, "win")
        row = scn(Tree(tree).start(), T, height(tree), scale=SCALE, prune=False).rows[-1]
        assert row.scn[0] == 0
        assert row.pcn[0] == 1.0
        for k, t in enumerate(T[1:], 1):
            least, chance = by_definition(tree, SURE if t == "win" else t, SCALE)
            assert row.scn[k] == least, (tree, t)
            assert row.pcn[k] == pytest.approx(chance, rel=1e-9, abs=1e-300), (tree, t)
            assert (row.scn[k] == 0) == (row.value >= (SURE if t == "win" else t))
            seen.add(least)
    assert seen >= {0, 1, 2, 3, 4, math.inf}


@pytest.mark.long
@pytest.mark.parametrize(("pruned", "unseen"), [(1, 0.5), (0, 0.0), (3, 0.9), ("static", 0.5)])
def test_with_pruning_it_is_alpha_beta_with_leaves_where_it_cuts(pruned, unseen):
    rng, cut = random.Random(3), 0
    for _ in range(150):
        tree = random_tree(rng, 5, 4, 0.05, True, rng.randint(0, 1))
        T, depth = rng.randint(-30, 40), height(tree)
        twin = AlphaBeta(tree, T, SCALE, pruned, unseen)
        rows = scn(Tree(tree).start(), T, depth, scale=SCALE, pruned=pruned, unseen=unseen).rows
        whole = scn(Tree(tree).start(), T, depth, scale=SCALE, prune=False).rows
        for row, full in zip(rows, whole, strict=True):
            value, number, chance = twin.search(row.depth)
            found = row.value if row.plies is None else math.copysign(MATE - row.plies, row.value)
            assert (found, row.scn[0], row.nodes) == (value, number, twin.nodes)
            assert row.pcn[0] == pytest.approx(chance, rel=1e-6, abs=1e-9)
            assert row.value == full.value
            assert row.nodes <= full.nodes
            assert pruned != 1 or (row.scn[0] == 0) == (found >= T)
        cut += rows[-1].nodes < whole[-1].nodes
    assert cut > 100


def padded(node, nodes, depth):
    """PN's tree with every leaf at the same depth, at the end of a chain of only moves."""
    name, _, _, children = node
    if isinstance(nodes[name], str):
        return (END, {"win": 1, "loss": -1, "draw": 0}[nodes[name]])
    if depth == 0:
        return (OPEN, 0)
    mover = 0 if nodes[name][0] == "or" else 1
    if children is None:
        return (mover, [padded(node, nodes, depth - 1)])
    return (mover, [padded(child, nodes, depth - 1) for child in children])


def test_with_the_largest_threshold_it_is_the_proof_number():
    rng, seen = random.Random(11), set()
    for seed in range(60):
        tree = random_tree(rng, 6, 3, 0.1, True)
        nodes = {}

        def name(node, at, nodes=nodes):
            nodes[at] = None  # parents first
            if is_inner(node):
                below = [name(child, f"{at}.{i}") for i, child in enumerate(node[1])]
                nodes[at] = (("or", "and")[node[0]], below)
            else:
                won = node[1] > 0
                nodes[at] = "win" if won else "loss"
            return at

        name(tree, "n")
        expansions = seed % 12 + 1
        pn, grown = pn_tree(nodes, "n", expansions)
        question = zermelo.PN().start(Task(zermelo.graph(nodes).start(), 0, 1 << 22, plain=True))
        question.advance(expansions)
        assert question.numbers()["pn"] in (pn, "inf")
        assert (question.numbers()["pn"] == "inf") == math.isinf(pn)
        row = scn(Tree(padded(grown, nodes, 12)).start(), "win", 12, prune=False).rows[-1]
        assert row.scn[0] == pn
        seen.add(pn)
    assert len(seen) > 4


def test_a_tree_worked_out_by_hand_is_what_the_search_finds():
    worked = [[12, 4, 15], [7, 9], [3, 20, "loss"]]
    tree = (0, [(1, [(END, -1) if leaf == "loss" else (OPEN, leaf) for leaf in replies])
                for replies in worked])
    for T in (5, 10, 16):
        value, number, chance = numbers(worked, T, SCALE)
        row = scn(Tree(tree).start(), T, 2, scale=SCALE, prune=False).rows[-1]
        assert (row.value, row.scn[0]) == (value, number)
        assert row.pcn[0] == pytest.approx(chance)
    assert (value, number) == (7, 2)
    assert numbers("draw", 1, 1) == (0, math.inf, 0.0)
    assert picture(worked, 10, 5).count("SCN") == 12


def test_chances_keep_what_doubles_lose():
    assert other(math.log(0.25)) == pytest.approx(math.log(0.75))
    assert other(-1e-300) == pytest.approx(math.log(1e-300))
    assert other(NEVER) == 0.0
    assert other(0.0) == NEVER
    assert either(NEVER, NEVER) == NEVER
    assert either(math.log(0.25), math.log(0.5)) == pytest.approx(
        math.log(0.75))
    start = Tree((0, [(1, [(0, [(OPEN, 0)] * 8)] * 8)])).start()
    row = scn(start, 1, 3, scale=1e-2, prune=False).rows[-1]
    assert row.odds[0] == pytest.approx(8 * math.log10(8 * 2.0**-100))  # 8 replies, 8 moves each
    row = scn(start, 1, 3, scale=1e9, prune=False).rows[-1]
    missed = math.log10(-math.expm1(-math.log(2) / 1e9))  # a leaf does not get there
    assert row.pcn == (1.0,)
    assert row.odds[0] == pytest.approx(-8 * missed - math.log10(8))


def test_sums_stay_below_what_only_finished_games_reach():
    assert add_up(NO_WAY - 1, NO_WAY - 1) == NO_WAY - 1 == add_up(NO_WAY - 5, 9)
    assert add_up(NO_WAY, 0) == add_up(3, NO_WAY) == NO_WAY
    assert add_up(3, 4) == 7
    wide = (1, [(OPEN, 0)] * 8)
    row = scn(Tree((0, [(1, [wide] * 8)])).start(), 5, 2, pruned=1 << 30).rows[-1]
    assert 0 < row.scn[0] < math.inf


def test_with_quiescence_a_leaf_is_worth_what_captures_leave():
    rng, seen = random.Random(5), {"calm": 0, "changed": 0, "decided": 0, "cut": 0}
    for number in range(300):
        tree = random_tree(rng, 6, 4, 0.1, True, rng.randint(0, 1))
        start, T = CapturingTree(tree, seed=number).start(), (-20, 5, 30, "win")
        depth = rng.randint(1, 3)
        found, pruned = (scn(start, T, depth, scale=SCALE, prune=prune, quiescence=True).rows[-1]
                         for prune in (False, True))
        cut = Tree(cut_off(start.game.rules.data, depth)).start()
        row = scn(cut, T, depth, scale=SCALE, prune=False).rows[-1]
        assert found.scn == row.scn, (number, depth)
        assert found.pcn == pytest.approx(row.pcn, rel=1e-9, abs=1e-300)
        assert found.value == row.value == pruned.value
        assert found.plies == pruned.plies
        # Captures may take some plies more to the end.
        assert row.plies is None or found.plies >= row.plies
        assert [n == 0 for n in pruned.scn] == [n == 0 for n in row.scn]
        seen["calm" if scn(start, T, depth).rows[-1].value == row.value else "changed"] += 1
        seen["decided"] += row.plies is not None
        seen["cut"] += pruned.nodes < found.nodes
    assert min(seen.values()) > 20, seen


def test_captures_end_somewhere():
    """A long chain of checks: beyond the limit the evaluation counts."""
    tree = (OPEN, 7)
    for ply in range(60):
        tree = (1 - ply % 2, [tree])
    start = CapturingTree(tree, seed=1, checks=1.0).start()
    row = scn(start, 5, 2, quiescence=True).rows[-1]
    last = 2 + MOST_QUIET
    assert (row.value, row.nodes) == (start.game.rules.data.points[last], 2 * last + 1)


def test_slices_and_interrupts_change_nothing():
    tree = random_tree(random.Random(4), 6, 6, 0.05, True)
    whole = scn(Tree(tree).start(), (10, 20), 6).rows
    scan = Scan(Tree(tree).start(), (10, 20), 6)
    scan.prepare()
    while scan.done < 6:
        scan.search.advance(3, 1 << 40)
    assert scan.curve("depth").rows == whole
    limited = scn(Tree(tree).start(), (10, 20), 6, nodes=whole[3].nodes + 1)
    assert (limited.stopped, limited.rows) == ("nodes", whole[:4])
    short = scn(Tree(tree).start(), (10, 20), 6, time=1e-9, prune=False)
    assert short.stopped == "time"
    assert len(short.rows) < 6

    def interrupt(now):
        if now.done == 6:
            raise KeyboardInterrupt

    stopped = scn(Tree(tree).start(), (10, 20), 6, progress=interrupt)
    assert (stopped.stopped, stopped.rows) == ("interrupted", whole)


def test_without_the_compiler_it_is_the_same(monkeypatch):
    tree = random_tree(random.Random(2), 4, 3, 0.1, False)
    rows = scn(Tree(tree).start(), (10, 20), 4).rows
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    again = scn(Tree(tree).start(), (10, 20), 4).rows
    calm = scn(CapturingTree(tree, seed=4).start(), (10, 20), 2, quiescence=True).rows
    monkeypatch.delenv("NUMBA_DISABLE_JIT")
    assert calm == scn(CapturingTree(tree, seed=4).start(), (10, 20), 2, quiescence=True).rows
    assert [(r.value, r.scn, r.nodes) for r in rows] == [(r.value, r.scn, r.nodes) for r in again]
    assert [r.odds for r in rows] == [pytest.approx(r.odds) for r in again]


SMALL = ["-g", "columns=4", "-g", "rows=4"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"T": "much"}, "T='much' is not a threshold; it is a whole number of points"),
        ({"T": 10**9}, "T='1000000000' is not a threshold"),
        ({"T": 2_000_000}, "points from -2000000 to 1000000, or win."),
        ({"T": "--5"}, "T='--5' is not a threshold"),
        ({"T": "+-5"}, "T='+-5' is not a threshold"),
        ({"T": True}, "T='True' is not a threshold"),
        ({"T": 1.5}, "T='1.5' is not a threshold"),
        ({"T": ()}, "give from 1 to 16 thresholds"),
        ({"T": range(99)}, "give from 1 to 16 thresholds"),
        ({"depth": 0}, "depth='0' is not a whole number from 1 to 100"),
        ({"depth": "5"}, "depth='5' is not a whole number"),
        ({"pruned": -1}, "pruned='-1' is not a whole number from 0"),
        ({"scale": 0}, "scale='0' is not a number from"),
        ({"scale": float("nan")}, "scale='nan' is not a number from"),
        ({"unseen": 2}, "unseen='2' is not a number from 0 to 1"),
        ({"nodes": 0}, "the limit nodes='0'"),
    ],
)
def test_options_are_checked(options, sentence):
    start = zermelo.game("connect-four", columns=4, rows=4).start()
    with pytest.raises(errors.BadOption) as caught:
        scn(start, **options)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_games_and_positions_are_checked():
    with pytest.raises(errors.BadOption, match="'start' is not a Position"):
        scn("start")
    with pytest.raises(errors.BadOption, match="tic-tac-toe does not"):
        scn(zermelo.game("tic-tac-toe").start(), 5)
    with pytest.raises(errors.BadOption, match="says which moves are captures; connect-four does"):
        scn(zermelo.game("connect-four").start(), 5, quiescence=True)
    assert call("scn", "connect-four", "start", *SMALL, "--quiescence").status == 2
    tree = Tree((0, [(OPEN, 3)])).start()
    with pytest.raises(errors.BadOption, match="tree does not say how many points"):
        scn(tree)
    with pytest.raises(errors.BadOption, match="workers='0' is not a whole number"):
        progress(zermelo.game("connect-four"), "1", workers=0)


def test_a_game_with_too_many_moves_is_refused(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    tree = Tree((0, [(0, [(OPEN, 3)] * 9)])).start()
    with pytest.raises(errors.BadGame, match="more moves than max_moves=8"):
        scn(tree, 5, 2)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["scn", "connect-four", *SMALL, "-T", "x"], "T='x' is not a threshold"),
        (["scn", "connect-four", *SMALL, "--depth", "x"], "--depth 'x' is not a whole number"),
        (["scn", "connect-four", *SMALL, "--depth", "101"], "depth='101'"),
        (["scn", "connect-four", *SMALL, "--scale", "x"], "--scale 'x' is not a number"),
        (["scn", "connect-four", *SMALL, "9"], "'9'"),
        (["scn", "hex"], "hex does not"),
        (["progress", "connect-four", *SMALL], "give either a record or --file"),
        (["progress", "connect-four", *SMALL, "1 9"], "move 2: '9'"),
        (["progress", "connect-four", *SMALL, "1", "--workers", "0"], "workers='0'"),
        (["progress", "connect-four", *SMALL, "1", "--out", "chart.gif"],
         "--out 'chart.gif': the name must end in .svg, .png, .csv"),
        (["progress", "connect-four", *SMALL, "1", "--out", "no/chart.svg"],
         "--out 'no/chart.svg': there is no such directory"),
        (["progress", "chess", "e4"], "there is no game 'chess'"),
    ],
)
def test_bad_words_are_refused(words, sentence):
    done = call(*words)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


def test_charts_need_matplotlib_and_a_place(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    found = progress(zermelo.game("connect-four", columns=4, rows=4), "1", depth=1)
    (tmp_path / "taken.csv").mkdir()
    with pytest.raises(errors.BadOption, match=r"taken.csv': it is a directory, not a file"):
        chart.write(found, str(tmp_path / "taken.csv"))
    monkeypatch.setattr(chart, "find_spec", lambda name: None)
    with pytest.raises(errors.BadOption, match="matplotlib, which is not installed"):
        chart.write(found, str(tmp_path / "chart.svg"))
    chart.write(found, str(Path(tmp_path) / "chart.csv"))


def test_what_is_right_is_not_refused(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert call("scn", "connect-four", *SMALL, "--depth", "1", "--scale", "7.5").status == 0
    assert call("progress", "connect-four", *SMALL, "1", "--depth", "1").status == 0
    assert call("scn", "connect-four", *SMALL, "--depth", "2", "--nodes", "1").status == 10
