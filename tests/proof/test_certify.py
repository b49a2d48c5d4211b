"""Certificates from searches: the checker can follow what is proved, and mistakes are told."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest
from brute import random_positions
from certificates import Chase
from cyclic import RepeaterLoses

import zermelo
from zermelo.proof import SEARCH, CertificateWriter, Claim, verify
from zermelo.search.depth_first import proofs
from zermelo.search.reasons import LOST, WON
from zermelo.solving import certify

pytestmark = pytest.mark.slow

# One of each kind; the others compile for long and differ in nothing that matters here.
SEARCHES = ["df-ppn", "pn", "mcts", *(pytest.param(id, marks=pytest.mark.full)
                                      for id in ("df-pn", "deep-df-pn", "pn2", "ppn"))]
TWO_STONES = {"columns": 4, "rows": 3, "line": 3, "stones": 2, "first": 1}
GAMES = {
    "connect-four": {"columns": 5, "rows": 4, "line": 3},
    "othello": {"size": 4},
    "hex": {"size": 4},
    "k-in-a-row": {},
    "p-game": {"branching": 3, "depth": 7, "range": 1},
}


def certified(position, path, by=None, *, goal="value", plain=False, **options):
    """The report on the certificate of ``position``, and the result."""
    session = zermelo.start(position, by, goal=goal, plain=plain)
    result = session.run(zermelo.Limits(memory=options.pop("memory", "8MB")))
    assert result.proved
    written = zermelo.write_proof(session, path, **options)
    assert written.report.verified
    return result, written


@pytest.mark.long_cases("othello")
@pytest.mark.parametrize("name", [
    "connect-four", "othello",
    *(pytest.param(name, marks=pytest.mark.full) for name in ("hex", "k-in-a-row", "p-game"))])
def test_random_positions_are_proved_to_the_checker(name, tmp_path):
    game, seen = zermelo.game(name, **GAMES[name]), set()
    longest = {"connect-four": 12, "othello": 9, "hex": 10, "k-in-a-row": 6, "p-game": 6}[name]
    for position in random_positions(game, 40, longest // 3, longest, seed=1):
        result, written = certified(position, tmp_path / "proof")
        me, you = position.to_move, game.players[1 - position.mover]
        assert [claim.claim for claim in written.report.claims] == {
            "win": [f"{me} wins"], "loss": [f"{you} wins"],
            "draw": [f"{me} does not win", f"{you} does not win"]}[result.value]
        seen.add(str(result.value))
    assert seen >= {"win", "loss"}


@pytest.mark.quick_cases("pn")
@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_gives_certificates(search, tmp_path):
    game = zermelo.game("k-in-a-row", **TWO_STONES)
    for position in random_positions(game, 12, 2, 8, seed=2):
        for goal in ("value", "win"):  # PN2 keeps a second tree
            certified(position, tmp_path / "proof", search, goal=goal, plain=True, memory="64MB")


@pytest.mark.long
def test_a_chain_of_hex_is_made_solid(tmp_path):
    """While it only holds, each stone elsewhere would be one more position to answer."""
    position = zermelo.game("hex", size=4).parse("4x4: a1")
    _, written = certified(position, tmp_path / "proof", zermelo.WeakDFPN(zones="off"))
    assert written.records < 1_200  # 7,386 by moves that keep the chain and do nothing else


@pytest.mark.long
def test_a_table_that_has_lost_nearly_everything(tmp_path):
    game = zermelo.game("connect-four")
    position = game.parse("111111222222777777")
    result, small = certified(position, tmp_path / "small", memory="500KB")
    _, large = certified(position, tmp_path / "large", memory="64MB")
    assert result.value == "win"
    assert small.records > 50
    assert large.records > 50


def test_without_searches_by_the_checker_there_is_a_record_for_everything(tmp_path):
    position = zermelo.game("connect-four").parse("6515763133144353325115541744")
    _, some = certified(position, tmp_path / "some")
    _, every = certified(position, tmp_path / "every", search=0)
    assert sum(c.searched for c in some.report.claims) > 0
    assert sum(c.searched for c in every.report.claims) == 0
    assert every.records > some.records


def test_the_file_is_the_same_every_time(tmp_path):
    position = zermelo.game("connect-four").parse("111111222222777777")
    digests = {certified(position, tmp_path / "proof")[1].digest for _ in range(2)}
    assert len(digests) == 1


def test_a_finished_game(tmp_path):
    position = zermelo.game("connect-four", columns=4, rows=4).parse("1212121")
    result, written = certified(position, tmp_path / "proof")
    assert (result.value, written.records) == ("loss", 0)


def test_a_users_own_game(tmp_path):
    game = zermelo.game("examples/chomp.py:Chomp")
    session = zermelo.start(game.parse("4x3"))
    session.run()
    assert zermelo.write_proof(session, tmp_path / "proof").report.verified
    assert verify(tmp_path / "proof", game=game).verified


@pytest.mark.long
def test_games_with_cycles_get_ranks(tmp_path):
    values = set()
    for ring, cells, steps in ((0, 5, 1), (0, 6, 1), (1, 5, 1), (1, 7, 1), (0, 6, 2), (1, 8, 2)):
        game = Chase(cells=cells, ring=ring, steps=steps)
        session = zermelo.start(game.start(), goal="win")
        values.add(str(session.run(zermelo.Limits(memory="8MB")).value))
        assert zermelo.write_proof(session, tmp_path / "proof").report.verified
    assert values == {"win", "not-win"}


def test_the_record_and_the_checker_mean_the_same_by_search():
    assert proofs.SEARCH == SEARCH


def test_a_win_that_is_foreseen_is_shown_by_a_short_one(tmp_path):
    # Followed up to the last square, as it is foreseen, the win takes 2,440 records.
    position = zermelo.game("connect-four").parse("63443233462771")
    result, written = certified(position, tmp_path / "proof")
    assert (result.value, len(result.line)) == ("win", 5)
    assert written.records < 60


GAME = zermelo.game("connect-four", columns=4, rows=4)


def solved(text="12121"):
    session = zermelo.start(GAME.parse(text), goal="win")
    assert session.run(zermelo.Limits(memory="1MB")).value == "not-win"
    return session


def check_refused(path, reason, **options):
    report = zermelo.verify(path, **options)
    assert report.verdict == "refused"
    assert reason in report.reason


def test_nothing_to_prove(tmp_path):
    session = zermelo.start(GAME.start())
    with pytest.raises(zermelo.BadOption, match="no proof to write: the value is unknown"):
        zermelo.write_proof(session, tmp_path / "proof")
    assert not (tmp_path / "proof").exists()


ROUND = {"n0": ("or", ["n1"]), "n1": ("or", ["n0"])}


def test_a_rule_of_its_own_for_repetitions(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    game = RepeaterLoses(ROUND, "n0")
    session = zermelo.start(game.start())
    assert session.run().value == "loss"
    for refused in (zermelo.write_proof, certify.check_in_advance):
        with pytest.raises(zermelo.BadOption, match="its own rule for repetitions"):
            refused(session, tmp_path / "proof")
    path = tmp_path / "made.proof"
    with CertificateWriter(path, game.start(), [Claim(1, wins=False)]) as writer:
        for name in ROUND:
            position = game.parse(name)
            writer.add(0, position.state, np.array(position.codes()))
    check_refused(path, "its own rule for repetitions", game=game)


@pytest.mark.parametrize("nodes", [
    ROUND, {"n0": ("or", ["n1", "d"]), "n1": ("or", ["n0", "n2"]), "n2": ("and", ["n0", "d"]),
            "d": "draw"}], ids=["alone", "with the prover"])
def test_a_player_who_goes_round_without_the_prover(tmp_path, monkeypatch, nodes):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    session = zermelo.start(zermelo.graph(nodes, root="n0").start())
    assert session.run().value == "draw"
    assert zermelo.write_proof(session, tmp_path / "proof").report.verified


def test_the_position_is_written_in_full(tmp_path):
    """Without the number of stones left the library and the checker could differ about it."""
    game = zermelo.game("k-in-a-row", columns=4, rows=3, line=3, stones=2, first=1)
    position = game.parse("X.../.O../.... O1")
    session = zermelo.start(position)
    session.run()
    path = tmp_path / "proof"
    assert zermelo.write_proof(session, path).report.verified
    whole = path.read_bytes()[:-32]
    data = whole.replace(b' O1"', b' O"')
    assert len(data) == len(whole) - 1
    path.write_bytes(data + hashlib.sha256(data).digest())
    check_refused(path, "how many stones are left")


def test_what_can_not_be_written_is_refused_before_the_search(tmp_path):
    session = zermelo.start(GAME.start())
    with pytest.raises(zermelo.BadCertificate, match="can't write the certificate"):
        certify.check_in_advance(session, tmp_path / "nowhere" / "proof")
    certify.check_in_advance(session, tmp_path / "proof")
    assert not list(tmp_path.iterdir())


def test_a_certificate_that_is_refused(tmp_path, monkeypatch):
    session = solved()
    right = certify.proof_of(session, Claim(session.player, wins=False), memory=1 << 20)

    def wrong(*rest):
        for states, moves, ranks in right.records(0):
            yield states[1:], moves[1:], ranks[1:]

    monkeypatch.setattr(certify, "proof_of", lambda *_, **__: replace(right, records=wrong))
    with pytest.raises(zermelo.ProofFailure, match="failed verification"):
        zermelo.write_proof(session, tmp_path / "proof")


def test_two_searches_that_disagree():
    question = solved().runs[0]
    with pytest.raises(zermelo.ProofFailure, match="two searches disagree"):
        certify._solved(question, WON)
    assert certify._solved(question, LOST) is question


def test_a_status_that_does_not_come_out_again():
    question = solved().runs[0]
    lost = GAME.parse("...O.O.X.O.XXX.O X")  # there the attacker wins
    with pytest.raises(zermelo.ProofFailure, match="was not proved when it was searched again"):
        proofs.proved_move(question, lost.state[0], 0)


def test_a_proof_that_runs_into_a_wrong_end(monkeypatch):
    session = zermelo.start(GAME.parse("121314"), goal="win")  # 1 wins at once
    assert session.run(zermelo.Limits(memory="1MB")).value == "win"
    question = session.runs[0]
    monkeypatch.setitem(vars(question.parts), "extract", lambda *rest: proofs.BROKEN)
    with pytest.raises(zermelo.ProofFailure, match="a finished game that it does not allow"):
        list(proofs.records(question, 0))
