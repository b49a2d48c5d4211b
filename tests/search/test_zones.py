"""Relevance zones: by their definition, against every reply, and against brute force."""

import random
from itertools import combinations

import numpy as np
import pytest

import zermelo
from benchmarks.zones import anywhere, blocking, play
from zermelo import Value, Zones
from zermelo.core.rules import EMPTY
from zermelo.lab.experiment import data_file
from zermelo.proof import Claim
from zermelo.proof.read import Certificate
from zermelo.proof.show import ProofWalk
from zermelo.proof.zones.threats import each
from zermelo.proof.zones.write import ThreatWriter
from zermelo.search.base import ThreatPlan
from zermelo.search.zones import game as turns
from zermelo.search.zones.generator import ZoneGenerator
from zermelo_papers.connect6_deep_df_pn import zone_wins

TEN = zermelo.game("connect6", columns=10, rows=10)
# The middle of the board after 7 stones of game 6597 of lzy-wj/Nebula-Zero-Connect6 (MIT).
QUIET = "d4 e2f4 e5f6 c3f3"
# columns, rows, line, stones a turn, what overlines do
BOARDS = [(6, 6, 4, 2, "wins"), (7, 7, 5, 2, "wins"), (6, 6, 5, 2, "no-win"), (7, 6, 4, 1, "wins")]


def game_of(board):
    columns, rows, line, stones, overline = board
    return zermelo.game("k-in-a-row", columns=columns, rows=rows, line=line, stones=stones,
                        overline=overline)


def random_position(game, rng, least, most):
    """A position after random moves, not finished."""
    while True:
        position = game.start()
        for _ in range(rng.randint(least, most)):
            if position.outcome is None:
                position = position.play_code(rng.choice(position.codes()))
        if position.outcome is None:
            return position


def pairs(lines, near, owners):
    """Pairs of empty squares of a line that are not in the zone."""
    return {pair for line in lines for pair in combinations(
        sorted(s for s in line if owners[s] == EMPTY and not near[s]), 2)}


@pytest.mark.long_cases("(6, 6, 5, 2, 'no-win')")
@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_zones_are_those_of_the_definition(board):
    game, rng, seen = game_of(board), random.Random(7), 0
    lines, cells = game.rules.lines, board[0] * board[1]
    for n in range(60):
        position = random_position(game, rng, cells // 6, cells // 2)
        attacker, spare = n % 2, 1 + n % board[3]
        owners, _ = lines.read(position.state[0])
        generator = ZoneGenerator(lines, attacker, Zones())
        win = generator.win(owners, lines.stones)
        thorough = ZoneGenerator(lines, attacker, Zones(effort=1 << 30))
        plan = ThreatPlan([], thorough.win, thorough.hint)
        writer = ThreatWriter(position, attacker, plan)
        writer._set_up(owners)
        number, wanted = writer._zone(owners)  # by the checker's rules
        assert (win is None) == (number is None)
        if win is not None and win.turns > 1:
            near, far = generator.zone(owners, win, spare)
            assert set(np.flatnonzero(near)) == set(each(wanted.near))
            if spare == 2:
                lists = lines.sets[far != 0].tolist()
                assert pairs(lists, near, owners) == pairs(map(each, wanted.far), near, owners)
            seen += 1
    assert seen >= 5


def won_by_zones(game, rng, least, most, nodes=20_000):
    """A random position, and its result if zones win where threats alone do not."""
    position = random_position(game, rng, least, most)
    if zermelo.solve(position, "vcdt", goal="win").value == Value.WIN:
        return position, None
    result = zermelo.solve(position, "df-pn", candidates=True, goal="win", nodes=nodes,
                           memory="4MB")
    return position, result if result.value == Value.WIN else None


@pytest.mark.parametrize(("board", "count", "seed", "stones", "least"), [
    pytest.param((6, 5, 4, 1, "wins"), 150, 2, (8, 18), 3, marks=pytest.mark.long),
    pytest.param((6, 5, 4, 1, "wins"), 2_000, 3, (10, 20), 20, marks=pytest.mark.full),
    pytest.param((6, 6, 5, 2, "no-win"), 2_000, 3, (20, 26), 0, marks=pytest.mark.full)])
def test_wins_by_zones_are_wins(board, count, seed, stones, least):
    game, rng, found = game_of(board), random.Random(seed), 0
    for _ in range(count):
        position, result = won_by_zones(game, rng, *stones, nodes=3_000)
        if result is not None:
            found += 1
            proved = zermelo.solve(position, "weak-df-pn", goal="win", memory="64MB")
            assert proved.value == Value.WIN, position.text
            assert position.play(*result.line).outcome == ("first", "second")[position.mover]
    assert found >= least


@pytest.mark.long
def test_a_proof_holds_against_every_reply(tmp_path):
    position = TEN.parse(QUIET)
    assert zermelo.solve(position, "vcdt", goal="win").stopped == "candidates"
    session = zermelo.start(position, "df-pn", candidates=True, goal="win", plain=True)
    result = session.run()
    assert (result.value, result.turns[0]) == (Value.WIN, ["g7", "g5"])
    assert position.play(*result.line).outcome == "first"
    written = zermelo.write_proof(session, tmp_path / "win.proof")
    assert written.to_dict()["verified"]
    report = zermelo.verify(written.path, exhaustive=True)
    assert (report.verdict, report.exhaustive) == ("verified", True)
    assert report.claims[0].wins >= 91 * 90 // 2  # every pair of free squares after the quiet turn
    rng, walk = random.Random(1), ProofWalk(written.path)
    for defender in (anywhere, blocking):
        assert all(play(walk, position, defender, rng) == "first" for _ in range(25))


def mined():
    """The mined positions, and where their certificates are."""
    proofs = data_file("connect6/zone-wins.txt").parent / "proofs"
    return {id: (position, proofs / f"{id}.proof") for id, position in zone_wins()}


def test_mined_positions_have_certificates():
    known = mined()
    assert len(known) == len(list(known["s1-1"][1].parent.iterdir())) == 150
    for position, path in known.values():
        header = Certificate(path).header
        assert (header.kind, header.game, header.changed) == ("zones", "connect6", {})
        assert (header.position, header.parts[0].claim) == (position.text, Claim(position.mover))
    for id in ("s1-91", "s1-74", "s1-8"):
        position, path = known[id]
        assert zermelo.solve(position, "vcdt", goal="win").value == Value.UNKNOWN
        assert zermelo.verify(path).verified


@pytest.mark.full
def test_certificates_of_all_mined_positions():
    for _, path in mined().values():
        assert zermelo.verify(path).verified, path


TWO_TWOS = "......../......../......../....XX../...X..../...X..../......../........ X"


def test_turns_that_have_to_make_a_threat():
    mixed = Zones(threats=1)
    result = zermelo.solve(TEN.parse(QUIET), "df-pn", candidates=mixed, goal="win")
    assert (result.value, result.turns[0]) == (Value.WIN, ["g7", "g5"])  # a single threat
    game = zermelo.game("k-in-a-row", columns=8, rows=8, line=5)
    position = game.parse(TWO_TWOS)
    assert zermelo.solve(position, "df-pn", candidates=True, goal="win").value == Value.WIN
    nothing = zermelo.solve(position, "df-pn", candidates=mixed, goal="win")
    assert (nothing.value, nothing.stopped) == (Value.UNKNOWN, "candidates")  # a quiet move wins


NARROWING = [name for name, kind in zermelo.SEARCHES.items() if kind.narrows]


@pytest.mark.long_cases("mcpn", "ppn", "mcts", "ews", "df-ppn")
@pytest.mark.parametrize("search", NARROWING)
def test_every_search_that_narrows_runs_on_zones(search, monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    position = zermelo.game("k-in-a-row", columns=8, rows=8, line=5).parse(TWO_TWOS)
    session = zermelo.start(position, search, goal="win", candidates=True, plain=True)
    result = session.run(zermelo.Limits(nodes=100_000, memory="64MB"))
    assert (result.value, result.proved) == (Value.WIN, True)
    assert position.play(*result.line).outcome == "first"
    assert result.turns == [[move] for move in result.line]
    assert result.nodes == session.runs[0].inner.nodes + result.counters["threat_visits"]
    assert zermelo.write_proof(session, tmp_path / "win.proof").report.verified


def test_counts_do_not_depend_on_slices_or_on_what_was_asked_before():
    game = zermelo.game("k-in-a-row", columns=8, rows=8, line=5)
    position = game.parse("......../......../...O..../....XX../...X..../......../......../........"
                          " X")
    counts = []
    for limits in ([60, 61, 200, 600, 20_000], [20_000]):
        session = zermelo.start(position, "df-pn", goal="win", candidates=True, plain=True)
        for nodes in limits:
            result = session.run(zermelo.Limits(nodes=nodes, memory="4MB"))
        counts.append((result.value, result.nodes, result.counters))
    assert counts[0] == counts[1]
    other = zermelo.solve(game.parse(TWO_TWOS), "df-pn", goal="value", candidates=True)
    assert other.value == Value.WIN
    nothing = zermelo.solve(game.start(), "df-pn", goal="value", candidates=Zones(effort=50))
    assert (nothing.value, nothing.proved, nothing.stopped) == (Value.UNKNOWN, False, "candidates")


def test_another_order_of_turns_is_another_search_for_the_same_win():
    position = zermelo.game("k-in-a-row", columns=8, rows=8, line=5).parse(TWO_TWOS)
    lines = position.game.rules.lines
    orders = []
    for order in (0, 1, 1, 2):
        zones = Zones(eager=False, order=order)
        owners, left = lines.read(position.state[0])
        found = turns.ZoneGraph(lines, position.mover, zones, owners, position.mover, left)
        orders.append(found.open(found.root).turns)
        result = zermelo.solve(position, "df-pn", goal="win", plain=True, candidates=zones)
        assert result.value == Value.WIN
        assert ("order" in zones.to_dict()) == (order > 0)
    assert orders[1] == orders[2] != orders[0]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(orders[3])


def test_nodes_beyond_the_kept_keys_are_asked_for(monkeypatch):
    game = zermelo.game("k-in-a-row", columns=8, rows=8, line=5)
    position, counts = game.parse(TWO_TWOS), []
    for most in (turns.KEPT_KEYS, 8):
        monkeypatch.setattr(turns, "KEPT_KEYS", most)
        session = zermelo.start(position, "df-pn", goal="win", plain=True,
                                candidates=Zones(eager=False, effort=900 + len(counts)))
        result = session.run(zermelo.Limits(nodes=20_000, memory="4MB"))
        found = session.runs[0].game.graph
        counts.append((result.value, result.nodes, len(found.nodes)))
        assert len(found.keys) == most
        assert len({found.key(number) for number in range(len(found.nodes))}) == len(found.nodes)
        for number in range(len(found.nodes))[:most]:
            assert found.keys[number] == found.key(number)
    assert counts[0] == counts[1]
    assert counts[0][2] > 8
