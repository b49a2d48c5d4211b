"""Looking into the tables of depth-first and minimax searches: entry by entry, cycles, proofs."""

import random

import pytest
from cases import EightBits, cases
from cyclic import graph_of, random_graph, value_with_rule, winners
from looking import Cut, follow_best, same_search, walked, wander
from test_trees import THREES, TWO_STONES, openings, truth

import zermelo
from zermelo import DFPN, PN, WeakDFPN
from zermelo.kernel.bits import mix, word
from zermelo.search.common.table import bucket_of
from zermelo.search.depth_first.table import AT_DN, AT_PN, NUMBER_MASK, STATUS_MASK
from zermelo.solving.session import Session
from zermelo.solving.trees import branch

STATUSES = {0: "unknown", 1: "won", 2: "lost"}
FOUR = zermelo.game("connect-four", columns=4, rows=4)
LIMITS = zermelo.Limits(nodes=3_000, memory="16MB")


def entry(run, position, folds):
    """(status, pn, dn) of a position with an exact key, read from the bare words; or None."""
    words, representative = run.table.words, position.canonical() if folds else position
    check = mix(word(representative.key()))
    first = int(bucket_of(len(words), check))
    for at in range(first, first + 8, 2):
        data = words[at + 1]
        if data != 0 and words[at] ^ data == check:
            return (int(data & STATUS_MASK), int((data >> word(AT_PN)) & NUMBER_MASK),
                    int((data >> word(AT_DN)) & NUMBER_MASK))
    return None


@pytest.mark.long
@pytest.mark.parametrize(("search", "plain", "start"), [
    pytest.param(WeakDFPN(quick=2), False, FOUR.start(), id="folded"),
    pytest.param(DFPN(), True, zermelo.game(
        "k-in-a-row", columns=4, rows=3, line=3, stones=2, first=1).parse("a1"), id="two stones")])
def test_what_is_shown_is_what_the_table_holds(search, plain, start):
    assert start.game.rules.exact_key
    folds = start.game.rules.canonical is not None and search.id == "weak-df-pn"
    session, counts, rng = Cut(start, search, plain=plain, goal="win"), {}, random.Random(8)

    def check(session, found, positions):
        run = session.runs[0]
        path = [positions[i].game.parse_move(positions[i], move)
                for i, move in enumerate(found["path"])]
        live = path == [move for move, _ in run.path][: len(path)]
        for child in found["children"]:
            folded = folds and len(child["path"]) <= search.fold
            kept = entry(run, positions[-1].play(child["move"]), folded)
            if live or child["kind"] == "end" or (kept is None and child["status"] != "unknown"):
                continue  # its own copy, or by the rules, or by a quick search
            assert child["held"] == (kept is not None)
            counts[child["held"]] = counts.get(child["held"], 0) + 1
            if kept is not None:
                assert child["status"] == STATUSES[kept[0]]
                if kept[0] == 0:
                    assert child["numbers"] == {"pn": kept[1], "dn": kept[2]}

    session.advance(LIMITS, between=lambda: wander(session, rng, check))
    for _ in range(60):
        wander(session, rng, check)
    assert min(counts[True], counts[False]) > 30


def test_the_path_being_searched_has_thresholds():
    session, deepest = Cut(FOUR.start(), WeakDFPN(quick=2), goal="win"), 0
    session.budget = 3
    session._slices = session._new_slices()

    def check():
        nonlocal deepest
        run, codes, position = session.runs[0], [], session.position
        for move, _ in run.path:
            codes.append(position.game.move_name(position, move))
            position = position.play_code(move)
        ways = [node["node"] for node in follow_best(session)]
        assert [node["path"] for node in ways[: len(codes) + 1]] == [
            codes[:n] for n in range(len(codes) + 1)]
        for node in ways[1 : len(codes) + 1]:
            assert set(node["thresholds"]) == {"pn", "dn"}
            assert node["held"]
        assert not any("thresholds" in node for node in ways[len(codes) + 1 :])
        deepest = max(deepest, len(codes))

    session.advance(zermelo.Limits(nodes=240), between=check)
    assert deepest >= 4


def test_a_small_table_has_lost_much_and_says_so():
    rng, held = random.Random(5), []
    case = openings(TWO_STONES, 1)[0]
    check = truth(case)

    def and_count(session, found, positions):
        check(session, found, positions)
        held.extend(child["held"] for child in found["children"])

    looked, alone = (Cut(case[0], DFPN(), plain=True) for _ in range(2))
    small = zermelo.Limits(nodes=3_000, memory=1_000)
    looked.advance(small, between=lambda: wander(looked, rng, and_count))
    alone.advance(small)
    same_search(looked, alone)
    assert looked.runs[0].table.words.tobytes() == alone.runs[0].table.words.tobytes()
    assert min(held.count(True), held.count(False)) > 50


@pytest.mark.long
def test_a_poor_key_is_told_apart():
    """Keys of eight bits: the entries of other positions are never shown."""
    game, rng = EightBits(columns=5, rows=4, line=3), random.Random(6)
    for position, state, brute in openings(THREES, 1):
        fields = {name: position.state[0][name] for name in position.state.dtype.names}
        session = Cut(game.position(**fields), DFPN(epsilon=0), plain=True)
        check = truth((session.position, state, brute))
        session.advance(LIMITS, between=lambda s=session, c=check: wander(s, rng, c))


def nobody(path, at):
    """A repetition is a draw."""


@pytest.mark.parametrize("search", [DFPN(epsilon=0), PN()], ids=["df-pn", "pn"])
def test_cycles(search):
    """A win holds anywhere; that there is none, at least on the path shown."""
    rng, repeated, statuses = random.Random(9), 0, []
    for seed in range(12):
        nodes = random_graph(seed)
        won = {player: winners(nodes, player) for player in (0, 1)}

        def check(session, found, positions, nodes=nodes, won=won):
            nonlocal repeated
            attacker = session.runs[found["question"] - 1].attacker
            before = [position.text for position in positions]
            for node, way in [(found["node"], before[:-1]), *(
                    (child, before) for child in found["children"])]:
                name = node["move"] or before[-1]
                assert node.get("repeats", False) == (name in way)
                repeated += "repeats" in node
                statuses.append(node["status"])
                if node["status"] == "won":
                    assert name in won[attacker]
                if node["status"] == "lost" and len(way) < 7:
                    assert not value_with_rule(nodes, name, attacker, nobody, tuple(way))

        looked, alone = (Cut(graph_of(nodes).start(), search) for _ in range(2))
        looked.budget = alone.budget = 2
        looked.advance(LIMITS, between=lambda s=looked, c=check: wander(s, rng, c, deepest=6))
        alone.advance(LIMITS)
        same_search(looked, alone)
    assert repeated > 10
    assert {"won", "lost", "unknown"} <= set(statuses)


def test_a_path_that_goes_round_and_round():
    nodes = {"n0": ("or", ["a"]), "a": ("and", ["n0", "b"]), "b": ("or", ["a", "won"]),
             "won": "win"}
    session = Session(graph_of(nodes).start(), DFPN(epsilon=0), goal="win")
    session.advance(LIMITS)
    size = session.runs[0].bytes
    around = branch(session, ["a", "n0"] * 400)
    assert (around["node"]["repeats"], around["children"]) == (True, [])
    assert session.runs[0].bytes == size
    assert branch(session, ["a", "b"])["node"]["status"] == "won"


def test_two_threads():
    case, rng = openings(TWO_STONES, 1)[0], random.Random(2)
    session = Cut(case[0], DFPN(), plain=True, threads=2)
    check, opened = truth(case), []
    session.advance(LIMITS, between=lambda: opened.append(wander(session, rng, check)))
    assert sum(opened) > 20


def test_a_win_within_some_plies():
    """With a horizon ``lost`` is about it; a win is a win."""
    case = next(case for case in openings(TWO_STONES, 20)
                if zermelo.solve(case[0], DFPN(), plain=True).value == "win")
    position, state, brute = case
    rng, won = random.Random(2), 0

    def check(session, found, positions):
        nonlocal won
        at = state
        for move in found["path"]:
            at = brute.naive.play(at, move)
        for child in found["children"]:
            if child["status"] == "won":
                assert brute.for_player(brute.naive.play(at, child["move"]), position.mover) == 1
                won += 1

    looked, alone = (Cut(position, DFPN(), plain=True, goal="shortest") for _ in range(2))
    looked.advance(LIMITS, between=lambda: wander(looked, rng, check))
    alone.advance(LIMITS)
    same_search(looked, alone)
    assert len(looked.runs) > 1
    assert won > 0


def test_scores_of_a_table():
    """What alpha-beta's table says below the root: claims that hold, points for who moved there."""
    case = openings(TWO_STONES, 1)[0]
    session = Session(case[0], zermelo.AlphaBeta(), plain=True)
    session.advance(zermelo.Limits(nodes=20_000))
    ways = follow_best(session)
    assert len(ways) > 2
    for found in ways[1:]:
        if found["node"]["kind"] != "end" and found["node"]["held"]:
            assert set(found["node"]["numbers"]) == {"points", "depth", "bound"}
    known = [child for found in ways for child in found["children"] if child["held"]]
    assert {"won", "lost"} & {child["status"] for child in known}


@pytest.mark.parametrize("search", ["vcdt", "pn"])
def test_threats_and_zones_show_the_win(search):
    """The root's moves before, the whole win after."""
    game = zermelo.game("k-in-a-row", columns=4, rows=3, line=3)
    position = game.parse("X.../..../.O.. X")
    session = Session(position, search, goal="win", candidates=search == "pn")
    session.prepare()
    opening = branch(session)
    assert opening["node"]["status"] == "unknown"
    result = session.run()
    assert result.value == "win"
    at = branch(session)
    while at["children"]:
        best = [child for child in at["children"] if child["best"]]
        assert len(best) == 1
        assert all(child["status"] == "won" for child in at["children"] if child["kind"] == "or")
        at = branch(session, best[0]["path"])
        assert (at["node"]["status"], at["node"]["held"]) == ("won", True)
    assert walked(position, at["path"])[-1].outcome == "first"
    other = next(name for name in position.moves()
                 if name not in {child["move"] for child in branch(session)["children"]})
    lost = branch(session, [other])
    assert (lost["node"]["status"], lost["node"]["held"], lost["children"]) == (
        "unknown", False, [])
    assert {move.move for move in result.moves if move.value == "win"} >= {result.line[0]}
    reply = position.play(result.line[0]).moves()[-1]
    met = branch(session, [result.line[0], reply])
    assert met["node"]["kind"] == "or"


@pytest.mark.parametrize("search", ["pn", "weak-df-pn", "alpha-beta", "vcdt"])
def test_a_game_that_is_over(search):
    position = zermelo.game("tic-tac-toe").parse("a1 b1 a2 b2 a3")
    session = Session(position, search)
    session.advance(LIMITS)
    found = branch(session)
    assert (found["node"]["kind"], found["node"]["outcome"], found["children"]) == (
        "end", "first", [])
    assert found["node"]["status"] == ("won" if found["attacker"] == "X" else "lost")


def test_a_table_that_was_cleared_holds_nothing():
    """Sixteen questions fit into a table; after them it begins anew."""
    position = cases(TWO_STONES)[0][0].origin
    session = Session(position, DFPN(), plain=True, goal="win")
    session.advance(zermelo.Limits(nodes=50))
    session.runs[0].table.asked.clear()
    before = session.runs[0].table.words.tobytes()
    found = branch(session, position.moves()[:1])
    assert (found["node"]["held"], found["children"]) == (False, [])
    assert branch(session)["node"]["held"]
    assert session.runs[0].table.words.tobytes() == before
    assert session.runs[0].table.asked == []
