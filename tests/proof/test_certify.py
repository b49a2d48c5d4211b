"""Certificates from searches: whatever a search has proved, the checker can follow."""

import pytest
from brute import random_positions
from certificates import Chase

import zermelo
from zermelo.proof import SEARCH, verify
from zermelo.search.depth_first import proofs

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


def test_two_stones_a_turn(tmp_path):
    game = zermelo.game("k-in-a-row", **TWO_STONES)
    for position in random_positions(game, 10, 2, 8, seed=3):
        certified(position, tmp_path / "proof")


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
