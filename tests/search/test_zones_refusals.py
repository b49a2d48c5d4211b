"""What a search by zones and the check of its certificates refuse."""

import json
import re
import sys

import numpy as np
import pytest
from certificates import digested
from command import call
from forged_zones import header_of, taken_apart, zones_file

import zermelo
from zermelo import BadOption, ProofFailure, Value, Zones
from zermelo.core.rules import EMPTY
from zermelo.games.k_in_a_row.game import KInARow
from zermelo.proof import Report
from zermelo.proof.zones import threats
from zermelo.search.zones.game import TurnGame
from zermelo.search.zones.generator import ZoneGenerator
from zermelo.solving.certify import check_in_advance

GAME = zermelo.game("k-in-a-row", columns=8, rows=8, line=5)
TWO_TWOS = "......../......../......../....XX../...X..../...X..../......../........ X"


def test_options_that_do_not_fit():
    with pytest.raises(BadOption, match="zones: width='0' is not valid; it is a whole number"):
        Zones(width=0)
    assert Zones(width="8", eager="no") == Zones(width=8, eager=False)
    done = call("solve", "connect6", "j10", "--zones", "wide=3")
    assert (done.status, done.out) == (2, "")
    assert "zones has no option 'wide'" in done.err
    with pytest.raises(BadOption, match="candidates='yes' is not true, false or"):
        zermelo.start(GAME.start(), candidates="yes")
    with pytest.raises(BadOption, match="othello has no lines"):
        zermelo.start(zermelo.game("othello").start(), candidates=Zones())
    with pytest.raises(BadOption, match="candidates: vcdt can't search by zones; pn, "):
        zermelo.start(GAME.start(), "vcdt", candidates=True)
    with pytest.raises(BadOption, match="win and value only, not shortest"):
        zermelo.start(GAME.start(), "df-pn", goal="shortest", candidates=True)
    with pytest.raises(BadOption, match="a search by zones runs on one thread"):
        zermelo.start(GAME.start(), "df-pn", threads=2, candidates=True)


def test_an_error_in_a_call_from_a_search_is_not_lost(monkeypatch):
    def broken(*_):
        raise RuntimeError("broken")

    session = zermelo.start(GAME.parse(TWO_TWOS), "pn", goal="win", candidates=True)
    with monkeypatch.context() as patch:
        patch.setattr(TurnGame, "_looked_up", broken)
        with pytest.raises(RuntimeError, match="broken"):
            session.run(zermelo.Limits(nodes=50))
    with pytest.raises(RuntimeError, match="broken"):  # its numbers are good for nothing now
        session.run(zermelo.Limits(nodes=100))


@pytest.fixture(scope="module")
def proof(tmp_path_factory):
    """A certificate of a win that needs a quiet move: its header and its rows."""
    path = tmp_path_factory.mktemp("zones") / "win.proof"
    session = zermelo.start(GAME.parse(TWO_TWOS), "df-pn", goal="win", candidates=True, plain=True)
    assert session.run().value == Value.WIN
    zermelo.write_proof(session, path)
    return taken_apart(path.read_bytes())


def test_certificates_that_are_wrong(proof, tmp_path):
    header, rows = proof
    nodes = header["claims"][0]["nodes"]
    path = tmp_path / "wrong.proof"

    def reason(number=0, body=None, head=header, **values):
        changed = list(rows)
        if values:
            changed[number] = {**rows[number], **values}
        path.write_bytes(zones_file(head, changed, body))
        report = zermelo.verify(path)
        assert (report.verdict, report.exit_status) == ("refused", 1)
        return report.reason

    attack, defence = rows[:2]
    assert set(attack) == {"turn", "then"}
    assert set(defence) == {"null", "seconds", "wins", "nodes"}
    for change, words in (
            ({"then": 99}, "node 0 has '99', which makes no sense there"),
            ({"then": 0}, "node 0 stands for two positions"),
            ({"turn": [2, 2]}, "node 0 has '[2, 2]', which makes no sense there"),
            ({"turn": [2, 3]}, "X wins: node 0: (2, 3) is not a turn of 1 stone there"),
            ({"turn": [0]}, "X wins: node 1: after a pass: "),
            ({"turn": 7}, "node 0 has '7'"), ({"more": 7}, "node 0 has ")):
        assert words in reason(**change)
    for change, words in (
            ({"null": True}, "node 1 has 'True'"), ({"seconds": []}, "node 1 has "),
            ({"seconds": {"x": 0}}, "node 1 has 'x'"), ({"wins": 7}, "node 1 has '7'"),
            ({"wins": [7]}, "node 1 has '7'"), ({"wins": []}, "it has no answer"),
            ({"wins": [[0, 0], [0, 0]]}, "node 1 has '[0, 0]'"),
            ({"nodes": [[0, 1, 0]]}, "(0, 1) is not a turn of 1 stone there")):
        assert words in reason(1, **change)
    deep = b"[" * 200_000 + b"\n"
    one = {**header, "wins": 0, "claims": [{**header["claims"][0], "nodes": 1}]}
    assert reason(body=deep, head=one) == "node 0 is not JSON"
    assert reason(body=b"{\n", head=one) == "node 0 is not JSON"
    assert "does not have 1 line" in reason(body=b"{}\n{}\n", head=one)
    assert "win 0 has '{}'" in reason(body=b'{"win": 0}\n{}\n', head={**one, "wins": 1})
    assert "the other player moves there" in reason(
        body=b'{"null": 0, "seconds": {}, "wins": [], "nodes": []}\n[[0]]\n',
        head={**one, "wins": 1})
    twice = {**header, "claims": [{**header["claims"][0], "nodes": nodes + 1}]}
    path.write_bytes(zones_file(twice, [*rows[:nodes], attack, *rows[nodes:]]))
    assert f"no node before node {nodes} leads to it" in zermelo.verify(path).reason
    losing = {**header, "position": "OOOO..../......../......../....XX../...X..../...X..../"
              "......../........ X"}
    assert "the other side completes a line" in reason(head=losing)
    for change, words in (
            ({"game": "othello", "parameters": {"size": 8, "no_move": "pass"}}, "zones are for"),
            ({"claims": header["claims"] * 2}, "has 2 claims, not 1 to 1"),
            ({"claims": [{**header["claims"][0], "claim": "does not win"}]}, "nothing else"),
            ({"position": TWO_TWOS.replace("/", "")}, "is not a board of 8 rows of 8 squares")):
        assert words in reason(head={**header, **change})
    packed = zones_file(header, rows)
    path.write_bytes(digested(packed[:-40]))
    assert "its body can't be unpacked to" in zermelo.verify(path).reason


PLANS = [
    ("......./......./.XXX.../......./......./....... X", 0, [[15]], "is not legal"),
    ("......./......./......./......./......./....... X", 0, [[0]], "makes no threat"),
    ("......./......./.XXX.../......./......./....... O", 1, [[0]], "leaves the other side a line"),
    ("......./......./OXX..../......./......./....... X", 0, [[17]], "the reply (18,) has no"),
]


@pytest.mark.parametrize(("text", "side", "plan", "words"), PLANS)
def test_plans_that_are_not_wins(text, side, plan, words, tmp_path):
    four = zermelo.game("k-in-a-row", columns=7, rows=6, line=4)
    path = tmp_path / "plan.proof"
    path.write_bytes(zones_file(header_of(dict(four.values), text, side, 1, 1), [{"win": 0}, plan]))
    assert words in zermelo.verify(path).reason


@pytest.mark.parametrize(("turn", "words"), [
    ((12, 13, 14), "is not legal"), ((12,), "lacks a stone"), ((8, 9), "leaves stones to spare")])
def test_plans_that_are_not_double_threats(turn, words, tmp_path):
    game, path = zermelo.game("k-in-a-row", columns=6, rows=6, line=5, stones=2), tmp_path / "p"
    text = "....../XX..../....../....../....../.....O X2"
    path.write_bytes(zones_file(header_of(dict(game.values), text, 0, 1, 1),
                                [{"win": 0}, [list(turn)]]))
    assert words in zermelo.verify(path).reason


def test_plans_that_never_end(monkeypatch, proof, tmp_path):
    header, rows = proof
    monkeypatch.setattr(threats, "MOST_TURNS", 0)
    path = tmp_path / "long.proof"
    path.write_bytes(zones_file(header, rows))
    assert "takes more than 0 turns" in zermelo.verify(path).reason


def test_first_turns_that_are_too_long():
    game = zermelo.game("k-in-a-row", columns=9, rows=9, line=6, stones=2, first=6)
    with pytest.raises(BadOption, match="vcdt: 6 stones are left in this turn of k-in-a-row; "
                                        "at most 4 are valid"):
        zermelo.solve(game.start(), "vcdt")
    lines = zermelo.game("k-in-a-row", columns=6, rows=6, line=4).rules.lines
    generator = ZoneGenerator(lines, 1, Zones())
    owners = np.full(36, EMPTY, np.int8)
    owners[[14, 15, 16]] = 1
    assert generator.replies(owners, 1)[0] is not None
    assert generator.replies(owners, 2)[0] is None  # two stones, where all later turns have one


def test_a_third_stone_in_a_turn_is_beyond_the_zones():
    """The defender's zones are for two stones; O has a threat more than X can stop with two."""
    game = zermelo.game("k-in-a-row", columns=18, rows=1, line=2, stones=2, first=3,
                        overline="no-win")
    position = game.parse("XXX..XXX..XXX..XXX X3")
    for player in (0, 1):
        with pytest.raises(BadOption, match="zones: 3 stones are left in this turn of k-in-a-row; "
                                            "one or two are valid"):
            zermelo.start(position, "df-pn", player=player, candidates=True).run()
    three = zermelo.game("k-in-a-row", columns=18, rows=1, line=2, stones=3, overline="no-win")
    with pytest.raises(BadOption, match="zones: k-in-a-row has 3 stones per turn; one or two are"):
        zermelo.solve(three.start(), "df-pn", candidates=True)
    owners, left = three.rules.lines.read(position.state[0])
    assert left == 3
    assert ZoneGenerator(three.rules.lines, 1, Zones()).replies(owners, left)[0] is None


def test_the_command_line_tells_nodes_and_positions(tmp_path):
    file = tmp_path / "win.proof"
    done = call("solve", "k-in-a-row", TWO_TWOS, "-g", "columns=8", "-g", "rows=8", "-g", "line=5",
                "-s", "df-pn", "--plain", "--goal", "win", "--candidates", "--proof", str(file))
    assert done.status == 0
    assert "2 visits, 2 expansions, seesaw 0, 21 visits of threat searches, " in done.out
    assert f"certificate {file}: 2 nodes, " in done.out
    assert re.search(r"; verified: \d+ positions", done.out)
    said = call("verify", str(file))
    assert f"k-in-a-row columns=8 rows=8 line=5: {TWO_TWOS}\nX wins: verified, 2 nodes" in said.out
    assert "every reply is answered or provably irrelevant" in said.out
    assert "every legal reply is answered" in call("verify", str(file), "--exhaustive").out
    told = json.loads(call("verify", str(file), "--json").out)
    assert (told["verdict"], told["kind"], told["position"]) == ("verified", "zones", TWO_TWOS)
    assert told["changed"] == {"columns": 8, "rows": 8, "line": 5}
    for options in (("--sample", "5"), ("--rules", "open-spiel"), ("--workers", "2")):
        refused = call("verify", str(file), *options)
        assert (refused.status, "are not for certificates of zones" in refused.err) == (2, True)


def test_certificates_of_the_earlier_format(tmp_path):
    old = tmp_path / "old.zones"
    old.write_text("zermelo zones 1\n{}\n")
    done = call("verify", str(old))
    assert (done.status, done.out) == (2, "")
    assert "in a format that is no longer read" in done.err


def test_a_failed_check_and_wins_that_get_lost(tmp_path, monkeypatch):
    session = zermelo.start(GAME.parse(TWO_TWOS), "df-pn", goal="win", candidates=True, plain=True)
    session.run()
    with monkeypatch.context() as patch:
        patch.setattr(sys.modules["zermelo.proof.write"], "verify",
                      lambda path, **_: Report(str(path), "refused", "it is wrong"))
        with pytest.raises(ProofFailure, match="failed verification: it is wrong"):
            zermelo.write_proof(session, tmp_path / "again")
    monkeypatch.setattr(ZoneGenerator, "win", lambda *_, **__: None)
    with pytest.raises(ProofFailure, match="a win by threats was not found again"):
        zermelo.write_proof(session, tmp_path / "again")


def test_zones_of_a_users_game_have_no_certificate(tmp_path):
    class Mine(KInARow):
        name = "mine"

    session = zermelo.start(Mine(columns=8, rows=8, line=5).parse(TWO_TWOS), "df-pn", goal="win",
                            candidates=True, plain=True)
    with pytest.raises(BadOption, match="a certificate of zones can't be about mine"):
        check_in_advance(session, tmp_path / "mine.proof")
    assert session.run().proved
    with pytest.raises(BadOption, match="a certificate of zones can't be about mine"):
        zermelo.write_proof(session, tmp_path / "mine.proof")
