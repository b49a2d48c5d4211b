"""The tactical suite: positions by the rule, proved with certificates, nothing left out quietly."""

import csv
import sys
from pathlib import Path

import pytest

import zermelo
from zermelo.game_records.record import records
from zermelo.lab.experiment import data_file
from zermelo.matches import random_openings
from zermelo.search.code import code_digest

sys.path.insert(0, str(Path(__file__).parents[2]))
from benchmarks import tactical_suite as suite

GAMES = """\
one 1-0 a1 b1 a2 b2 a3
same 1-0 c1 b1 c2 b2 c3
two 0-1 a1 b1 a2 b2 c3 b3
drawn 1/2-1/2 a1 b1 c1 b2 a2 c2 b3 a3 c3
short 1-0 a1 b1 a2 b2 a3
three 1-0 b2 b1 a1 c3 a3 c1 a2
"""


@pytest.fixture(autouse=True)
def plain_python(monkeypatch, request):
    if "full" not in request.keywords:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


@pytest.fixture
def games(tmp_path):
    (tmp_path / "games.txt").write_text(GAMES)
    return tmp_path / "games.txt"


def test_the_rule(games):
    found = {one.name: one for one in records(zermelo.game("tic-tac-toe"), games)}
    for name, record in found.items():
        one = suite.drawn(record, 5, 1, 4, 0)
        if name == "drawn":
            assert one is None
            continue
        assert one.before_end in (1, 3)
        assert one.ply == len(record.moves) - one.before_end
        assert one.position == record.positions[one.ply]
        assert one.position.played == []
        assert ("first", "second")[one.position.mover] == record.result
        assert suite.drawn(record, 5, 1, 4, 0) == one
    taken = {suite.drawn(found["one"], seed, 1, 5, 0).before_end for seed in range(30)}
    assert taken == {1, 3, 5}
    assert {suite.drawn(found["one"], seed, 1, 5, 3).before_end for seed in range(9)} == {1}
    assert suite.drawn(found["one"], 0, 1, 5, 5) is None


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="jobs are forked")
def test_from_games_to_a_suite(games, tmp_path, monkeypatch, capsys):
    out = tmp_path / "suite"
    words = ["x", "tic-tac-toe", str(games), "--out", str(out), "--nearest", "1", "--furthest", "5",
             "--prover", "pn:tie=deepest", "--prover", "df-pn", "--nodes", "4000", "--memory",
             "10MB", "--classic", "pn", "--classic-nodes", "12", "--workers", "1", "--seed", "1"]
    monkeypatch.setattr(sys, "argv", words)
    suite.main()
    told = capsys.readouterr().out.splitlines()
    with (out / "tactics.csv").open() as file:
        rows = list(csv.DictReader(file))
    texts = (out / "tactics.txt").read_text().splitlines()
    left = (out / "left-out.txt").read_text().splitlines()
    assert [row["position"] for row in rows] == texts
    assert told[0] == f"{len(rows) + len(left)} positions by the rule"
    game = zermelo.game("tic-tac-toe")
    assert rows
    for row in rows:
        assert zermelo.solve(game.parse(row["position"])).value == "win"
        assert (row["classic"] == "solved") == (int(row["classic_nodes"]) < 12)
    assert all("proved to be no win" in line for line in left)
    assert told[-1].startswith(f"{len(rows)} forced wins, ")
    suite.main()  # all of it is in the store
    assert capsys.readouterr().out.splitlines() == told


def test_the_openings_that_come_with_the_lab():
    game = zermelo.game("lines-of-action")
    lines = data_file("lines-of-action/openings.txt").read_text().splitlines()
    found = [game.parse(line) for line in lines]
    assert len({position.canonical() for position in found}) == 100
    assert all(len(position.played) == 6 and position.outcome is None for position in found)


@pytest.mark.full
def test_openings_are_made_as_their_source_says():
    """As long as evaluation and search are those of the day they were made."""
    made = random_openings(zermelo.game("lines-of-action"), 100, plies=6, seed=2024)
    lines = data_file("lines-of-action/openings.txt").read_text().splitlines()
    same = len({" ".join(position.played_names()) for position in made} & set(lines))
    assert same >= 50


def test_probabilities_are_part_of_what_made_a_result(tmp_path):
    game, digests = zermelo.game("lines-of-action"), set()
    for number in range(2):
        path = tmp_path / f"{number}.json"
        path.write_text(str(number))
        digests.add(code_digest(game, zermelo.PVS(probabilities=str(path))))
    assert len(digests | {code_digest(game, zermelo.PVS())}) == 3
