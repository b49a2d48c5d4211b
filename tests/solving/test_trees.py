"""Looking into trees and tables: what is shown is true, and looking changes nothing."""

import json
import random
import time

import pytest
from cases import NEWEST_ON, SETS, cases
from looking import LIMITS, Cut, follow_best, same_search, walked, wander

import zermelo
from zermelo import DFPN, DFPPN, PN, WeakDFPN
from zermelo.solving.session import Session
from zermelo.solving.trees import MOST_CHILDREN, branch

TWO_STONES, FOUR, THREES = "connect(4,3,3,2,1)", "connect-four 4x4", "connect-four 5x4 line 3"
# What the tests of values compile; the marks keep them on the worker that does so.
ROWS = [
    (PN(), False, THREES), (zermelo.PN2(a=20, b=10, N=300), False, TWO_STONES),
    (zermelo.DeepPN(), False, TWO_STONES), (zermelo.MCPN(), False, TWO_STONES),
    (zermelo.PPN(), False, THREES), (zermelo.PP(), False, TWO_STONES),
    (zermelo.MCTS(), False, TWO_STONES), (zermelo.UCT(), False, THREES),
    (WeakDFPN(quick=2), False, FOUR), (DFPN(), True, TWO_STONES),
    (DFPPN(playouts=5), True, TWO_STONES), (zermelo.AlphaBeta(), True, TWO_STONES),
    (zermelo.EWS(), False, NEWEST_ON), (zermelo.MOPNS(), False, NEWEST_ON),
    (zermelo.PNMCTS(), False, NEWEST_ON), (zermelo.GPNMCTS(), False, NEWEST_ON),
]


def rows():
    return [pytest.param(*row, id=f"{row[0].id}-{row[2]}")
            for row in ROWS]


def openings(name, most):
    """Of the positions nearest to the beginning those that take longest, with their states for the
    slow twin."""
    found = [case for case in cases(name) if case[0].outcome is None]
    early = sorted(found, key=lambda case: len(case[0].played))[:20]
    nodes = [zermelo.solve(case[0], "pn", nodes=5_000).nodes for case in early]
    return [early[at] for at in sorted(range(len(early)), key=lambda at: -nodes[at])[:most]]


def truth(case):
    """A check of what a branch says, by brute force."""
    position, state, brute = case

    def state_of(path):
        found = state
        for move in path:
            found = brute.naive.play(found, move)
        return found

    def check_node(node, attacker):
        at = state_of(node["path"])
        end = brute.naive.outcome(at)
        assert node["outcome"] == end
        assert node["kind"] == ("end" if end else "or" if brute.naive.mover(at) == attacker
                                else "and")
        assert node["to_move"] == position.game.players[brute.naive.mover(at)]
        wins = brute.for_player(at, attacker) == 1
        assert node["status"] in ("unknown", "won" if wins else "lost")
        if end is not None:
            assert node["children"] == 0

    def check(session, found, positions):
        attacker = session.runs[found["question"] - 1].attacker
        assert found["attacker"] == position.game.players[attacker]
        assert found["keeps"] == session.search.keeps
        check_node(found["node"], attacker)
        for child in found["children"]:
            assert child["path"] == [*found["path"], child["move"]]
            check_node(child, attacker)
        assert sum(child["best"] for child in found["children"]) <= 1
        json.dumps(found, allow_nan=False)

    return check


@pytest.mark.quick_cases(
    "mcts-connect(4,3,3,2,1)", "weak-df-pn-connect-four 4x4", "df-pn-connect(4,3,3,2,1)",
    "alpha-beta-connect(4,3,3,2,1)")
@pytest.mark.parametrize(("search", "plain", "name"), rows())
def test_looking_shows_the_truth_and_changes_nothing(search, plain, name):
    rng, opened, met = random.Random(3), 0, 0
    for case in openings(name, 3):
        sessions = [kind(case[0], search, plain=plain, seed=2) for kind in (Cut, Cut, Session)]
        looked, check = sessions[0], truth(case)

        def look(session=looked, check=check):
            nonlocal opened, met
            met += 1
            if met % 5 == 0:
                opened += wander(session, rng, check)

        for session, between in zip(sessions, (look, None, None), strict=True):
            session.advance(LIMITS, between=between)
        for _ in range(10):
            opened += wander(looked, rng, check)
        same_search(looked, sessions[1])
        assert looked.answer.nodes == sessions[2].answer.nodes
    assert opened > 60


@pytest.mark.quick_cases("pn", "ews")
@pytest.mark.parametrize(("search", "plain", "name"), [
    pytest.param(*row, id=row[0].id) for row in ROWS
    if row[0].keeps == "tree"])
def test_the_marked_children_lead_to_the_next_leaf(search, plain, name):
    """From the root along ``best``: what is expanded next."""
    position = cases(name)[0][0].origin
    session, guessed, hits = Cut(position, search, plain=plain, goal="win"), [], 0
    session.budget = 1
    session._slices = session._new_slices()

    def look():
        nonlocal hits
        if session.runs[-1].status or session.answer.iterations > 120:
            session.cancel()
            return
        if guessed and session.answer.iterations > guessed[-1][0]:
            _, path, children, status = guessed.pop()
            node = branch(session, path)["node"]
            assert node["children"] > children or node["status"] != status
            hits += 1
        if not guessed:
            node = follow_best(session)[-1]["node"]
            guessed.append((session.answer.iterations, node["path"], node["children"],
                            node["status"]))

    session.advance(LIMITS, between=look)
    assert hits > 20


def pages(session, path, count):
    """All children of a node, a few at a time."""
    found, offset = [], 0
    while True:
        page = branch(session, path, offset=offset, count=count)
        found += page["children"]
        assert page["more"] == max(0, page["node"]["children"] - offset - count)
        if page["more"] == 0:
            return found
        offset += count


def test_a_tree_is_all_there_and_adds_up():
    session = Session(zermelo.game("connect-four", columns=5, rows=4, line=3).parse("1"), PN(),
                      plain=True, goal="win")
    session.advance(zermelo.Limits(nodes=700))
    todo, nodes, solved = [[]], 1, 0
    while todo:
        path = todo.pop()
        found = branch(session, path)
        children = found["children"]
        assert pages(session, path, 2) == children
        nodes += len(children)
        if children and found["node"]["status"] == "unknown":
            number = {"inf": float("inf")}
            pns, dns = ([number.get(child["numbers"][name], child["numbers"][name])
                         for child in children] for name in ("pn", "dn"))
            least, total = (min, sum) if found["node"]["kind"] == "or" else (sum, min)
            assert found["node"]["numbers"] == {"pn": least(pns), "dn": total(dns)}
        elif children:
            same = [child["status"] == found["node"]["status"] for child in children]
            assert any(same)
            solved += 1
        todo += [child["path"] for child in children if child["children"]]
    assert nodes == session.runs[0].size == session.answer.nodes
    assert solved > 5


def test_a_node_of_a_million_opens_at_once():
    session = Session(zermelo.game("connect-four").start(), PN(), goal="win")
    session.advance(zermelo.Limits(nodes=1_000_000, memory="64MB"))
    rng, spent = random.Random(1), []
    for _ in range(30):
        path = []
        while True:
            began = time.process_time()
            found = branch(session, path)
            spent.append(time.process_time() - began)
            if not found["children"]:
                break
            path = rng.choice(found["children"])["path"]
    assert session.answer.nodes >= 1_000_000
    assert sorted(spent)[-2] < 0.1


def test_other_ways_to_a_position():
    game = zermelo.game("connect-four", columns=5, rows=4, line=3)
    session = Session(game.start(), PN(), plain=True, goal="win")
    session.advance(zermelo.Limits(nodes=20_000))
    rng, doubles = random.Random(4), 0
    for _ in range(60):
        path = []
        while (found := branch(session, path))["children"]:
            for other in found["node"].get("also", ()):
                doubles += 1
                assert other != path
                ends = [walked(game.start(), way)[-1] for way in (path, other)]
                assert ends[0] == ends[1]
                assert branch(session, other)["node"]["held"]
            path = rng.choice(found["children"])["path"]
    assert doubles > 10


def test_what_can_be_asked():
    session = Session(zermelo.game("connect-four", columns=4, rows=4).start(), PN(), goal="win")
    with pytest.raises(zermelo.BadOption, match="the search has not begun: there is no tree yet"):
        branch(session)
    session.advance(zermelo.Limits(nodes=40))
    for options, what in (({"offset": -1}, "offset='-1' is not a whole number of at least 0"),
                          ({"count": 201}, f"count='201' is .* 0 to {MOST_CHILDREN}"),
                          ({"question": 2}, "question='2' is not a whole number from 1 to 1")):
        with pytest.raises(zermelo.BadOption, match=what):
            branch(session, **options)
    with pytest.raises(zermelo.BadMove, match=r"a path is a list of moves, such as \['1', '2'\]"):
        branch(session, "12")
    with pytest.raises(zermelo.BadMove, match="a path of 10,001 moves is too long"):
        branch(session, ["1"] * 10_001)
    with pytest.raises(zermelo.BadMove, match="move 5 of the path: '1' is not a legal move"):
        branch(session, ["1"] * 5)
    beyond = branch(session, ["1", "1", "1", "1", "2", "3"])
    assert (beyond["node"]["held"], beyond["node"]["numbers"], beyond["children"]) == (
        False, {}, [])


def test_progress_has_what_a_page_shows():
    session = Cut(zermelo.game("connect-four", columns=4, rows=4).start(), WeakDFPN(quick=2))
    seen, reports = [], []
    session.advance(zermelo.Limits(nodes=600, memory="16MB"),
                    between=lambda: seen.append(session.progress()))
    for progress in seen:
        found = progress.to_dict()
        json.dumps(found, allow_nan=False)
        assert found["limits"] == {"nodes": 600, "time": None, "memory": 16_000_000}
        assert 0 <= found["fill"] <= 1
        known = [row for row in found["moves"] if row["status"] != "unknown"]
        assert found["settled"] == [len(known), len(found["moves"])]
        assert all(set(row) == {"move", "numbers"} for row in found["path"])
        reports.append(found)
    assert reports[-1]["fill"] > 0
    assert any(report["path"] for report in reports)
    assert reports[-1]["nodes"] == 600


def test_the_search_rests_while_it_is_looked_at():
    """Between slices, also before the first; what is done then takes no time of the search's."""
    calls, session = [], Cut(zermelo.game("connect-four", columns=4, rows=4).start(), PN())

    def between():
        calls.append(session.answer.nodes)
        time.sleep(0.02)
        if len(calls) == 8:
            session.cancel()

    session.advance(zermelo.Limits(time=60), between=between)
    assert session.stopped == "interrupted"
    assert calls[0] == 1
    assert calls == sorted(set(calls))
    assert session.seconds < 0.16
    session.cancel()
    session.advance(zermelo.Limits(time=60), between=between)
    assert (session.stopped, session.answer.nodes) == ("interrupted", calls[-1])
    before = len(calls)
    assert session.run(zermelo.Limits(nodes=2_000), between=between).stopped == "nodes"
    assert len(calls) > before


def test_the_sets_are_those_of_other_tests():
    assert {name for _, _, name in ROWS} <= set(SETS)
