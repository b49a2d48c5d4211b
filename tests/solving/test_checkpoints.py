"""Checkpoints: a session that was saved at any moments ends as one that was never disturbed."""

import random

import pytest

import zermelo
from zermelo import BadCheckpoint, Limits, Session, Zones
from zermelo.search.reasons import SLICE

pytestmark = pytest.mark.slow

TWO_STONES = zermelo.game("k-in-a-row", columns=4, rows=3, line=3, stones=2, first=1)
FOUR = zermelo.game("connect-four", columns=4, rows=4)
FIVE_BY_FOUR = zermelo.game("connect-four", columns=5, rows=4, line=3)
OTHELLO = zermelo.game("othello", size=4)
TICTACTOE = zermelo.game("tic-tac-toe")
SIX = zermelo.game("connect6")
TEN = zermelo.game("connect6", columns=10, rows=10)
SEVEN_TURNS = "j10 j9j8 k8l9 j7k7 i9l7 j6i8 j5l8"
QUIET = "d4 e2f4 e5f6 c3f3"  # as in the tests of zones

# What other tests compile. Wing by wing: position, search, options of the session, memory.
SMALL = 1 << 12  # a table of 64 buckets, so that entries are lost on the way
CASES = {
    "pn": (TWO_STONES.parse("a1 b2"), zermelo.PN(), {"plain": True}, None),
    "pn2": (TWO_STONES.parse("a1"), zermelo.PN2(a=500, b=100, N=5_000), {"plain": True}, None),
    "ppn": (TWO_STONES.parse("a1 b2"), zermelo.PPN(), {"seed": 3, "plain": True}, None),
    "uct": (TWO_STONES.parse("a1 b2"), zermelo.UCT(), {"seed": 3, "plain": True}, None),
    "mopns": (TICTACTOE.parse("a1"), zermelo.MOPNS(), {"plain": True}, None),
    "ews": (TICTACTOE.parse("a1"), zermelo.EWS(), {"seed": 3, "plain": True}, None),
    "gpn-mcts": (TICTACTOE.parse("a1"), zermelo.GPNMCTS(), {"seed": 3, "plain": True}, None),
    "cns": (FIVE_BY_FOUR.parse("3"), zermelo.CNS(), {"trace": 50}, None),
    "widening-df-pn": (TWO_STONES.parse("a1"), zermelo.WideningDFPN(), {"plain": True}, SMALL),
    "tca-df-pn": (TWO_STONES.parse("a1"), zermelo.TCADFPN(), {"plain": True}, SMALL),
    "shared-df-pn": (TWO_STONES.parse("a1"), zermelo.SharedDFPN(), {"plain": True}, SMALL),
    "pds-pn": (TWO_STONES.parse("a1"), zermelo.PDSPN(a=20, b=10, N=300), {"plain": True}, SMALL),
    "df-pn": (TWO_STONES.parse("a1"), zermelo.DFPN(epsilon=0), {"plain": True}, SMALL),
    "weak-df-pn": (FOUR.start(), zermelo.WeakDFPN(quick=2), {"trace": 20}, None),
    "df-ppn": (TWO_STONES.parse("a1 b2"), zermelo.DFPPN(playouts=5),
               {"seed": 3, "plain": True}, SMALL),
    "score": (OTHELLO.start(), zermelo.DFPN(), {"goal": "score", "plain": True}, None),
    "shortest": (FIVE_BY_FOUR.parse("3"), zermelo.WeakDFPN(), {"goal": "shortest"}, None),
    "alpha-beta": (TWO_STONES.parse("a1"), zermelo.AlphaBeta(), {"plain": True}, SMALL),
    "erps": (FOUR.parse("12"), zermelo.ERPS(), {"plain": True}, 1 << 16),
    "retrograde": (FOUR.start(), zermelo.Retrograde(), {}, None),
    "vcdt": (SIX.parse(SEVEN_TURNS), zermelo.VCDT(), {}, None),
    "zones": (TEN.parse(QUIET), zermelo.DFPN(), {"candidates": Zones(), "goal": "win"}, None),
}


def start(name):
    position, search, options, _ = CASES[name]
    return Session(position, search, **options)


def limits(name, nodes=None):
    return Limits(nodes=nodes, memory=CASES[name][3])


def told(session):
    """All that a session says, but for how long it took and how much memory."""
    answer = session.result().to_dict()
    for name in ("seconds", "compile_seconds", "peak_bytes"):
        del answer[name]
    return answer


def certificate(session, path):
    written = zermelo.write_proof(session, path, memory=1 << 26)
    return written.digest


def reloaded(session, path):
    session.save(path)
    return Session.load(path)


def stopped_after(session, name, slices):
    """Run on, and stop after so many slices."""
    left = slices

    def between():
        nonlocal left
        left -= 1
        if left < 0:
            session.cancel()

    session.slice_seconds = 1e-5  # a step or a few
    session.advance(limits(name), between=between)


@pytest.mark.quick_cases("alpha-beta", "weak-df-pn", "pn")
@pytest.mark.parametrize("name", CASES)
def test_saved_at_any_moments_it_ends_the_same(name, tmp_path):
    rng, path = random.Random(name), tmp_path / "file"
    whole = start(name)
    whole.advance(limits(name))
    expected = told(whole)
    assert expected["stopped"] == "solved"
    session = reloaded(start(name), path)  # before anything was asked
    for nodes in sorted(rng.randint(1, expected["nodes"]) for _ in range(4)):
        if nodes > session.answer.nodes:
            session.advance(limits(name, nodes))
        session = reloaded(session, path)
        stopped_after(session, name, rng.randint(1, 12))
        session = reloaded(session, path)
    session.advance(limits(name))
    session = reloaded(session, path)  # of a solved position
    session.advance(limits(name))
    assert told(session) == expected
    if expected["proved"]:
        found = certificate(session, tmp_path / "again")
        assert found == certificate(whole, tmp_path / "whole")


def test_a_nested_search_is_saved_while_it_is_under_way(tmp_path):
    session, seen = start("pn2"), 0
    session.ask(session.first, 1 << 24)
    while session.runs[0].advance(3) == SLICE:
        seen += bool(session.runs[0].tree.control[0]["under_way"])
        if seen % 50 == 1:
            session = reloaded(session, tmp_path / "file")
    assert seen > 100
    whole = start("pn2")
    whole.advance()
    assert session.runs[0].nodes == whole.runs[0].nodes


def test_what_was_paid_for_is_counted(tmp_path):
    session = start("weak-df-pn")
    session.advance(Limits(nodes=100))
    session.seconds, session.compile_seconds = 12.5, 2.25
    again = reloaded(session, tmp_path / "file")
    assert (again.seconds, again.compile_seconds, again.answer.nodes) == (12.5, 2.25, 100)
    again.advance(Limits(nodes=100))
    assert (again.stopped, again.answer.nodes) == ("nodes", 100)
    again.advance(Limits(time=12))
    assert again.stopped == "time"


def test_threads(tmp_path):
    """What several threads do is not the same each time, but their answer is."""
    session = Session(FIVE_BY_FOUR.parse("3"), zermelo.WeakDFPN(), threads=2)
    for _ in range(3):
        stopped_after(session, "weak-df-pn", 3)
        session = reloaded(session, tmp_path / "file")
    assert session.run().value == "loss"


def test_leaves_that_a_function_values(tmp_path):
    def even(positions):
        return [0.5] * len(positions)

    position, path = TWO_STONES.parse("a1 b2"), tmp_path / "file"
    whole = Session(position, "ppn", evaluate_many=even, batch=4, plain=True)
    session = Session(position, "ppn", evaluate_many=even, batch=4, plain=True)
    session.advance(Limits(nodes=40))
    session.save(path)
    with pytest.raises(BadCheckpoint, match="valued by a function, which has to be given"):
        Session.load(path)
    again = Session.load(path, evaluate_many=even)
    assert (again.run().nodes, again.result().value) == (whole.run().nodes, whole.result().value)
    session = start("ppn")
    session.save(path)
    with pytest.raises(BadCheckpoint, match="its leaves are not valued by a function"):
        Session.load(path, evaluate_many=even)


def test_the_position_keeps_the_moves_that_led_to_it(tmp_path):
    position = FIVE_BY_FOUR.start().play("3", "3")
    again = reloaded(Session(position), tmp_path / "file")
    assert again.position == position
    assert again.position.played_names() == ["3", "3"]
    assert again.position.origin == FIVE_BY_FOUR.start()


def test_a_graph_of_ones_own_has_to_be_given(tmp_path):
    graph = zermelo.graph({"a": ("or", ["b", "c"]), "b": "loss", "c": ("and", ["d"]), "d": "win"})
    session = Session(graph.start(), "pn")
    session.save(tmp_path / "file")
    with pytest.raises(BadCheckpoint, match=r"about the game 'graph'.*, which has to be given"):
        Session.load(tmp_path / "file")
    other = zermelo.graph({"a": ("or", ["b", "c"]), "b": "loss", "c": "loss"})
    with pytest.raises(BadCheckpoint, match="other rules of graph"):
        Session.load(tmp_path / "file", other)
    with pytest.raises(BadCheckpoint, match="is about 'graph', not about 'othello'"):
        Session.load(tmp_path / "file", OTHELLO)
    assert Session.load(tmp_path / "file", graph).run().value == "win"


def test_what_cant_be_saved_is_refused():
    class Mine(zermelo.PN):
        id = "mine"

    with pytest.raises(zermelo.BadOption, match="mine: it is not one of Zermelo's own"):
        Session(FOUR.start(), Mine()).save("nowhere")
