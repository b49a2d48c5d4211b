"""What a search by zones and the check of its certificates refuse."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest
from command import call

import zermelo
from zermelo import BadCertificate, BadOption, ProofFailure, Value, Zones
from zermelo.core.winning_lines import EMPTY
from zermelo.search.zones.certificate import certificate_of, read_certificate
from zermelo.search.zones.check import Judge, Refused, Report, check_certificate
from zermelo.search.zones.game import TurnGame
from zermelo.search.zones.generator import Win, ZoneGenerator

GAME = zermelo.game("k-in-a-row", columns=8, rows=8, line=5)
TWO_TWOS = "......../......../......../....XX../...X..../...X..../......../........ X"


def test_options_that_do_not_fit():
    with pytest.raises(BadOption, match="zones: width='0' is not a whole number from 1 to 100"):
        Zones(width=0)
    with pytest.raises(BadOption, match="zones: eager='1' is not true or false"):
        Zones(eager=1)
    with pytest.raises(BadOption, match="zones: there is no option 'wide'; options: width, "):
        Zones.read({"wide": "3"})
    with pytest.raises(BadOption, match="zones: threats='x' is not a whole number from 0 to 2"):
        Zones.read({"threats": "x"})
    assert Zones.read({"width": "8", "eager": "no"}) == Zones(width=8, eager=False)
    done = call("solve", "connect6", "j10", "--zones", "wide=3")
    assert (done.status, done.out) == (2, "")
    assert "zones: there is no option 'wide'" in done.err
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
def proof():
    """A certificate of a win that needs a quiet move, and its position."""
    position = GAME.parse(TWO_TWOS)
    session = zermelo.start(position, "df-pn", goal="win", candidates=True, plain=True)
    assert session.run().value == Value.WIN
    return certificate_of(session.runs[0]), position


def changed(certificate, number, **values):
    nodes = [dict(row) for row in certificate.nodes]
    nodes[number] |= values
    return replace(certificate, nodes=nodes)


def test_certificates_that_are_wrong(proof):
    certificate, position = proof
    assert check_certificate(certificate, position).verified
    attack, defence = certificate.nodes[:2]
    assert "then" in attack
    assert "zone" in defence

    def reason(other):
        report = check_certificate(other, position)
        assert not report.verified
        assert report.exit_status == 1
        return report.to_dict()["reason"]

    assert "there is nothing to prove" in reason(replace(certificate, nodes=[]))
    assert "there is no node 99" in reason(changed(certificate, 0, then=99))
    assert "stands for two positions" in reason(changed(certificate, 0, then=0))
    assert "is not reached" in reason(replace(certificate, nodes=[*certificate.nodes, attack]))
    assert "no win by threats is found" in reason(changed(certificate, 0, then=None))
    assert "is no turn of 1 stones" in reason(changed(certificate, 0, turn=[2, 2]))
    assert "has no zone" in reason(changed(certificate, 1, zone=None))
    lacking = changed(certificate, 1, zone=defence["zone"][1:])
    assert "the zone of the null move lacks" in reason(lacking)
    quiet = changed(certificate, 0, turn=[0])
    assert "after the null move no win by threats is found" in reason(quiet)
    assert "a node can't be read" in reason(changed(certificate, 1, replies=7))
    losing = GAME.parse("OOOO..../......../......../....XX../...X..../...X..../......../........ X")
    assert "the defender completes a line" in check_certificate(certificate, losing).reason
    report = check_certificate(certificate, position, exhaustive=True)
    assert report.verified
    assert "no answer" in check_certificate(
        changed(certificate, 0, turn=[0]), position, exhaustive=True).reason


class Wrong:
    """A threat search that says what it is told."""

    def __init__(self, turn, then=None):
        self.turn, self.then = turn, then

    def win(self, owners, left):
        return Win(3, self.turn)

    def hint(self, owners, turns):
        return self.then


def test_hints_are_not_trusted():
    four = zermelo.game("k-in-a-row", columns=7, rows=6, line=4)
    cases = [("......./......./.XXX.../......./......./....... X", 0, (15,), "is not legal"),
             ("......./......./......./......./......./....... X", 0, (0,), "makes no threat"),
             ("......./......./.XXX.../......./......./....... O", 1, (0,), "leaves a line"),
             ("......./......./OXXX.../......./......./....... X", 0, (0,), "stops a win")]
    for text, side, turn, words in cases:
        owners, _ = four.rules.lines.read(four.parse(text).state[0])
        judge = Judge(four.rules.lines, side, Zones())
        judge.generator = Wrong(turn)
        with pytest.raises(Refused, match=words):
            judge.zone(owners, 1, 1)


def test_first_turns_that_are_too_long():
    game = zermelo.game("k-in-a-row", columns=9, rows=9, line=6, stones=2, first=6)
    with pytest.raises(BadOption, match="vcdt: 6 stones are left in this turn of k-in-a-row; "
                                        "at most 4 are valid"):
        zermelo.solve(game.start(), "vcdt")
    with pytest.raises(BadOption, match="zones: 6 stones are left in this turn of k-in-a-row; "
                                        "one or two are valid"):
        zermelo.solve(game.start(), "df-pn", candidates=True)
    lines = zermelo.game("k-in-a-row", columns=6, rows=6, line=4).rules.lines
    generator = ZoneGenerator(lines, 1, Zones())
    owners = np.full(36, EMPTY, np.int8)
    owners[[14, 15, 16]] = 1
    assert generator.replies(owners, 1).zone
    assert generator.replies(owners, 2).open is None  # two stones, where all later turns have one


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
    with pytest.raises(BadOption, match="zones: k-in-a-row has 3 stones a turn; one or two are"):
        zermelo.solve(three.start(), "df-pn", candidates=True)
    owners, left = three.rules.lines.read(position.state[0])
    assert left == 3
    assert ZoneGenerator(three.rules.lines, 1, Zones()).replies(owners, left).open is None


@pytest.mark.parametrize("turn", [(12, 13, 14), (12, 12), (12,), (8, 9)])
def test_hints_that_are_no_double_threat(turn, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    lines = zermelo.game("k-in-a-row", columns=6, rows=6, line=5, stones=2).rules.lines
    owners = np.full(36, EMPTY, np.int8)
    owners[[6, 7]] = 0
    judge = Judge(lines, 0, Zones())
    judge.generator.win = lambda owners, left: Win(3, turn)
    with pytest.raises(Refused, match=r"is not legal|lacks a stone|leaves the reply a free stone"):
        judge.zone(owners, 2, 0)


def test_the_command_line_tells_nodes_and_threats(tmp_path):
    file = tmp_path / "win.zones"
    done = call("solve", "k-in-a-row", TWO_TWOS, "-g", "columns=8", "-g", "rows=8", "-g", "line=5",
                "-s", "df-pn", "--plain", "--goal", "win", "--candidates", "--proof", str(file))
    assert done.status == 0
    assert "2 visits, 2 expansions, seesaw 0, 21 visits of threat searches, " in done.out
    assert f"certificate {file}: 2 nodes, " in done.out
    assert "; verified: 4 wins by threats" in done.out


def test_files_that_are_none(tmp_path, proof, monkeypatch):
    certificate, position = proof
    file = tmp_path / "win.zones"
    certificate.write(file)
    assert read_certificate(file) == certificate
    done = call("verify", str(file), "--json")
    assert (done.status, json.loads(done.out)["verdict"]) == (0, "verified")
    assert "every legal reply answered" in call("verify", str(file), "--exhaustive").out
    for options in (("--sample", "5"), ("--rules", "open-spiel"), ("--workers", "2")):
        refused = call("verify", str(file), *options)
        assert (refused.status, "are not for certificates of zones" in refused.err) == (2, True)
    shown = call("show", str(file))
    assert (shown.status, "is a certificate of zones" in shown.err) == (2, True)
    replace(certificate, winner=1.0).write(file)
    with pytest.raises(BadCertificate, match="the winner is not 0 or 1"):
        read_certificate(file)
    certificate.write(file)
    file.write_text("\n".join(file.read_text().splitlines()[:-1]))
    with pytest.raises(BadCertificate, match="is no certificate of zones"):
        read_certificate(file)
    assert call("verify", str(file)).status == 2
    other = tmp_path / "other"
    other.write_text("x")
    assert "--exhaustive is for certificates of zones" in call(
        "verify", str(other), "--exhaustive").err
    session = zermelo.start(position, "df-pn", goal="win", candidates=True, plain=True)
    session.run()
    monkeypatch.setattr(sys.modules["zermelo.search.zones.check"], "check_certificate",
                        lambda *given, **named: Report("X wins", False, 1, 1, "it is wrong"))
    with pytest.raises(ProofFailure, match="does not stand up to its check: it is wrong"):
        zermelo.write_proof(session, tmp_path / "again")
