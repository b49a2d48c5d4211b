"""Replays: the real search, step by step, and nothing else."""

import json
import random

import pytest
from cases import NEWEST_ON, SETS, cases
from command import call, loads
from cyclic import graph_of, random_graph
from test_trees import FOUR, THREES, TWO_STONES

import zermelo
from zermelo import DFPN, DFPPN, PDSPN, PN, TCADFPN, DeepDFPN, SharedDFPN, WeakDFPN, WideningDFPN
from zermelo.solving import replay as module
from zermelo.solving.replay import replay

# search, plain, set: what the tests of values compile
ROWS = [
    (PN(), False, FOUR), (PN(tie="deepest"), False, TWO_STONES),
    (zermelo.PN2(a=20, b=10, N=300), False, THREES), (zermelo.DeepPN(), False, TWO_STONES),
    (zermelo.MCPN(), False, THREES), (zermelo.PPN(pr=0.001), False, TWO_STONES),
    (zermelo.PP(), False, TWO_STONES), (zermelo.MCTS(), False, TWO_STONES),
    (zermelo.UCT(), False, THREES), (WeakDFPN(quick=2), False, FOUR), (DFPN(), True, TWO_STONES),
    (DeepDFPN(), True, TWO_STONES), (DFPPN(playouts=5), True, TWO_STONES),
    (zermelo.CNS(), False, TWO_STONES), (zermelo.EWS(), False, NEWEST_ON),
    (WideningDFPN(), True, TWO_STONES),
    (TCADFPN(), True, TWO_STONES), (SharedDFPN(), True, TWO_STONES),
    (PDSPN(), True, TWO_STONES),
    (zermelo.MOPNS(), False, NEWEST_ON), (zermelo.PNMCTS(), False, NEWEST_ON),
    (zermelo.GPNMCTS(), False, NEWEST_ON),
]
EACH = [pytest.param(*row, id=f"{row[0].id}-{row[2]}")
        for row in ROWS]
STEPS = 150


def positions(name, count=30):
    """Some with a handful of steps to their answer, some with hundreds."""
    found = sorted(cases(name), key=lambda case: len(case[0].played))
    return [case[0] for case in (*found[:10], *random.Random(7).sample(found, count - 10))]


def check_same(found, position, **options):
    """The last frame has what an undisturbed run has."""
    limits = {} if found.done else {"nodes": found.frames[-1].nodes}
    result = zermelo.solve(position, found.search, seed=found.seed, plain=found.plain,
                           goal=found.goal, **limits, **options)
    last = found.frames[-1]
    assert (last.root, last.nodes) == (result.root, result.nodes)
    assert (found.value, found.proved and found.done) == (result.value, result.proved)
    if found.done:
        assert found.reason == ("solved" if result.proved else "precision")


def rebuilt(found):
    """The nodes of each question by their paths, from the frames alone."""
    trees = {}
    for frame in found.frames:
        tree = trees.setdefault(frame.question, {})
        for row in frame.created:
            key = tuple(row["path"])
            assert key not in tree
            tree[key] = (row["status"], row["numbers"])
        for row in frame.changed:
            key = tuple(row["path"])
            assert tree[key][1] == row["before"]
            assert tree[key] != (row["status"], row["after"])
            tree[key] = (row["status"], row["after"])
        assert tree[()][1] == frame.root or found.search.keeps == "table"
        assert frame.words.endswith(".")
    return trees


def test_a_tree_that_is_there_is_shown_with_the_second_question():
    found = replay(zermelo.game("tic-tac-toe").parse("a1 b2"), "mopns", steps=5_000, goal="value",
                   plain=True)
    begin = next(frame for frame in found.frames if frame.question == 2)
    assert found.value == "draw"
    assert len(begin.created) == begin.nodes
    assert "The tree has" in begin.words


def test_a_tree_may_have_the_answer_to_the_second_question():
    found = replay(zermelo.game("tic-tac-toe").parse("a1 b1 c1 a2 b2"), "mopns", steps=5_000,
                   goal="value", plain=True)
    assert found.value == "loss"
    assert found.frames[-1].words == (
        "The question is: does X win? The tree has the answer already: X wins.")


@pytest.mark.quick_cases(
    "*-connect-four 4x4", "ppn-connect(4,3,3,2,1)", "mcts-connect(4,3,3,2,1)", "df-*")
@pytest.mark.parametrize(("search", "plain", "name"), EACH)
def test_the_last_frame_is_that_of_an_undisturbed_run(search, plain, name):
    done = 0
    for number, position in enumerate(positions(name)):
        goal = "value" if number % 3 else "win"
        found = replay(position, search, steps=STEPS, goal=goal, seed=5, plain=plain)
        if search.keeps == "tree" and not found.done and number % 3:
            found = replay(position, search, steps=STEPS, goal="win", seed=5, plain=plain)
        if found.done or len({frame.question for frame in found.frames}) == 1:
            check_same(found, position)
        rebuilt(found)
        done += found.done
        assert [frame.step for frame in found.frames if frame.question == 1] == list(range(
            sum(frame.question == 1 for frame in found.frames)))
    assert done > 15


@pytest.mark.long_cases("*-connect-four 5x4 line 3", "pp-connect(4,3,3,2,1)")
@pytest.mark.parametrize(("search", "plain", "name"), [row for row in EACH if row.values[
    0].keeps == "tree"])
def test_the_frames_are_the_tree(monkeypatch, search, plain, name):
    """All nodes with the numbers that the run itself has in the end, and no others."""
    films, film = [], module._Film

    def filmed(session, steps):
        films.append(film(session, steps))
        return films[-1]

    monkeypatch.setattr(module, "_Film", filmed)
    position = cases(name)[0][0].origin
    found = replay(position, search, steps=120, goal="win", seed=5, plain=plain)
    run = films[0].session.runs[0]
    nodes, todo = {}, [((), 0, position)]
    while todo:
        path, n, at = todo.pop()
        status = ("unknown", "won", "lost")[int(run.tree.nodes[n]["status"])]
        nodes[path] = (status, run.numbers(n))
        for child in run.children(n):
            move = int(run.tree.nodes[child]["move"])
            todo.append(((*path, at.game.move_name(at, move)), child, at.play_code(move)))
    assert rebuilt(found)[1] == nodes
    assert len(nodes) == run.size > 5


@pytest.mark.quick_cases("weak-df-pn-connect-four 4x4", "df-*")
@pytest.mark.parametrize(("search", "plain", "name"), [row for row in EACH if row.values[
    0].keeps == "table"])
def test_visits_have_thresholds_and_lead_where_they_say(search, plain, name):
    """The path of a visit goes on from where the last one ended."""
    position = cases(name)[0][0].origin
    found = replay(position, search, steps=STEPS, goal="win", plain=plain)
    assert found.frames[0].thresholds is None
    for before, frame in zip(found.frames[1:], found.frames[2:], strict=False):
        assert frame.path[:-1] == before.path[: len(frame.path) - 1]
        assert set(frame.thresholds) == {" ".join(frame.path[:n])
                                         for n in range(len(frame.path) + 1)}
        back = len(frame.path) - 1 < len(before.path)
        assert ("goes back to" in before.words) == back
        assert ("goes on below it" in before.words) == (not back)


@pytest.mark.long_cases("pn")
@pytest.mark.parametrize("search", [PN(), DFPN(epsilon=0)], ids=["pn", "df-pn"])
def test_cycles(search):
    repeated = 0
    for seed in range(40):
        position = graph_of(random_graph(seed)).start()
        found = replay(position, search, steps=STEPS, goal="value")
        if found.done:
            check_same(found, position)
        rebuilt(found)
        for row in (row for frame in found.frames for row in frame.created):
            assert row.get("repeats", False) == (
                row["move"] in ["n0", *row["path"][:-1]] if row["path"] else False)
            repeated += "repeats" in row
    assert repeated > 20


def test_a_replay_as_json():
    position = zermelo.game("connect-four", columns=4, rows=4).parse("2 3")
    found = replay(position, "pn", steps=7, plain=True)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (told["search"], told["attacker"], told["done"], told["reason"]) == (
        "pn", "X", False, "steps")
    assert told["place"] == {"game": "connect-four", "parameters": {"columns": 4, "rows": 4},
                             "position": position.text, "moves": []}
    root, first = told["frames"][:2]
    assert root["created"] == [{"path": [], "move": None, "status": "unknown", "kind": "or",
                                "numbers": {"pn": 1, "dn": 1}}]
    assert (root["step"], root["expanded"], first["expanded"]) == (0, None, [])
    assert [row["move"] for row in first["created"]] == position.moves()
    assert first["changed"] == [{"path": [], "before": {"pn": 1, "dn": 1},
                                 "after": {"pn": 1, "dn": 4}, "status": "unknown"}]
    assert str(found).splitlines()[1] == (
        "Step 1 selects the root: it gets 4 children, and now has pn 1, dn 4.")
    assert len(told["frames"]) == 8


def test_a_game_that_is_over_has_one_frame():
    position = zermelo.game("tic-tac-toe").parse("a1 b1 a2 b2 a3")
    for search in ("pn", "weak-df-pn"):
        found = replay(position, search)
        assert [frame.words for frame in found.frames] == [
            "The question is: does O win? The game is over: O does not win."]
        assert (found.done, found.reason, found.value) == (True, "solved", "not-win")


def test_frames_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(module, "MOST_MOVES", 200)
    position = zermelo.game("connect-four", columns=4, rows=4).start()
    found = replay(position, "pn", steps=5_000, plain=True)
    assert (found.done, found.reason) == (False, "size")
    assert len(found.frames) < 60
    assert "because it gets too long to be shown" in call(
        "replay", "connect-four", "-g", "columns=4", "-g", "rows=4", "--plain", "--steps",
        "5000").out


def test_what_is_refused():
    position = zermelo.game("tic-tac-toe").start()
    with pytest.raises(zermelo.BadOption, match=r"vcdt can't be replayed; pn, .* df-ppn, .* can"):
        replay(position, "vcdt")
    for steps in (0, 5_001):
        with pytest.raises(zermelo.BadOption, match=f"steps='{steps}' is not .* 1 to 5,000"):
            replay(position, "pn", steps=steps)


def test_the_command():
    words = ("replay", "connect-four", "2 3", "-g", "columns=4", "-g", "rows=4", "--plain")
    done = call(*words, "--steps", "3")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[-1] == "stopped after 3 steps"
    assert sum(line.startswith("Step ") for line in done.out.splitlines()) == 3
    listed = call(*words, "--steps", "1", "--changes").out
    assert "    root: pn 1, dn 1 -> pn 1, dn 4\n" in listed
    assert "    4: pn 1, dn 1\n" in listed
    told = loads(call(*words, "--steps", "3", "--json").out)
    expected = replay(zermelo.game("connect-four", columns=4, rows=4).parse("2 3"), "pn", steps=3,
                      plain=True)
    assert told == json.loads(json.dumps(expected.to_dict()))
    few = call(*words, "--steps", "many")
    assert (few.status, few.err) == (2, "zermelo: --steps 'many' is not a whole number.\n")


def test_every_search_that_can_be_replayed_is_here():
    able = {id for id, kind in zermelo.SEARCHES.items() if kind.replays}
    assert able == {search.id for search, _, _ in ROWS}
    assert {name for _, _, name in ROWS} <= set(SETS)
    assert zermelo.search("alpha-beta").recorder(None) is None
