"""Several workers in games whose positions can repeat: the answers of whole boards by retrograde
analysis, and certificates of all of them."""

import random
from collections import Counter

import pytest
from crews import distributed
from cyclic import check_line, check_moves, exact, value

import zermelo

pytestmark = pytest.mark.long
# Red has a rook and mates soon; a bare guard holds nothing up.
XIANGQI = {"5k3/R8/9/9/9/p8/9/9/9/1R2K4 w": "win", "5k3/9/9/9/9/9/9/9/9/1R2K4 b": "loss"}


def check(board, search, number, path, workers=3):
    """Values, lines and certificates of some positions; how many jobs there were at most."""
    game, rules, winner, ongoing = exact(*board)
    drawn = [state for state in ongoing if state not in winner]
    chance = random.Random(5)
    chosen = chance.sample(ongoing, number) + chance.sample(drawn, min(len(drawn), number // 3))
    values, jobs = Counter(), 0
    for state in chosen:
        with distributed(game.parse(rules.text(state)), search, workers=workers, most=16,
                         plain=False) as solver:
            result = solver.run(zermelo.Limits(nodes=200_000))
            assert (result.value, result.by) == (value(state, winner), "workers"), rules.text(state)
            check_moves(rules, state, winner, result)
            if result.value != "draw":
                check_line(rules, state, winner, result)
            assert solver.write_proof(path).report.verified
            values[str(result.value)] += 1
            jobs = max(jobs, result.counters["jobs"])
    return values, jobs


@pytest.mark.parametrize("search", ["weak-df-pn", pytest.param("df-pn", marks=pytest.mark.full)])
def test_lines_of_action(search, tmp_path):
    values, jobs = check((5, 2, "draw"), search, 8, tmp_path / "value.proof")
    assert set(values) == {"win", "loss", "draw"}
    assert jobs > 10


@pytest.mark.full
@pytest.mark.parametrize("board", [(3, 2, "draw"), (4, 2, "mover"), (5, 2, "draw")])
def test_many_boards_of_lines_of_action(board, tmp_path):
    for workers, search in ((1, "df-pn"), (2, "weak-df-pn"), (5, "df-pn")):
        check(board, search, 100, tmp_path / "value.proof", workers)


@pytest.mark.full
@pytest.mark.parametrize("text", XIANGQI)
def test_xiangqi(text, tmp_path):
    position = zermelo.game("xiangqi").parse(text)
    with distributed(position, "df-pn", most=256) as solver:
        result = solver.run(zermelo.Limits(nodes=2_000_000))
        assert (result.value, result.by) == (XIANGQI[text], "workers")
        assert result.value == zermelo.solve(position, "df-pn", plain=True).value
        assert solver.write_proof(tmp_path / "value.proof").report.verified
