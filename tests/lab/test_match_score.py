"""Points, Elo and their bounds; the opening is the unit."""

import math
import random
from types import SimpleNamespace

import pytest

from zermelo.cli.play import score_lines
from zermelo.lab.columns import beats
from zermelo.lab.statistics import UNDECIDED
from zermelo.matches import elo, interval, score_of, student

# Student's t, 97.5 %: from any table of it.
TABLE = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228, 30: 2.042, 49: 2.010,
         99: 1.984, 10_000: 1.960}


@pytest.mark.parametrize(("freedom", "quantile"), TABLE.items())
def test_students_t(freedom, quantile):
    assert student(freedom) == pytest.approx(quantile, abs=0.001)


@pytest.mark.parametrize(("share", "points"), [(0.5, 0), (0.75, 190.8), (0.25, -190.8),
                                              (0.64, 99.95), (1, math.inf), (0, -math.inf)])
def test_elo(share, points):
    assert elo(share) == pytest.approx(points, abs=0.05)


def test_games_are_counted_and_openings_are_the_unit():
    split = score_of([["win", "loss"]] * 3 + [["win", "win"]])
    assert (split.won, split.drawn, split.lost, split.units) == (5, 0, 3, 4)
    assert (split.points, split.games, split.share) == (5, 8, 0.625)
    # By hand: the means are 0.5, 0.5, 0.5, 1; their standard deviation is 0.25.
    wide = student(3) * 0.25 / 2
    assert (split.low, split.high) == pytest.approx((0.625 - wide, min(1, 0.625 + wide)))
    # The same games, paired otherwise, say less.
    apart = score_of([["win", "win"]] * 2 + [["loss", "loss"], ["win", "loss"]])
    assert (apart.won, apart.lost) == (split.won, split.lost)
    assert apart.high - apart.low > split.high - split.low
    assert score_of([]) is None
    assert score_of([["draw"]]).points == 0.5


@pytest.mark.parametrize(("units", "words"), [(1, "2 games from 1 opening"),
                                              (3, "6 games from 3 openings")])
def test_one_opening_is_one(units, words):
    played = SimpleNamespace(score=score_of([["win", "loss"]] * units), b="pn")
    assert score_lines(played)[0].endswith(words)


def test_to_dict_is_json():
    told = score_of([["win", "win"]] * 4).to_dict()
    assert (told["elo"], told["elo_interval"][1]) == ("inf", "inf")
    assert told["interval"][0] == pytest.approx(0.5101, abs=1e-3)  # Wilson, 4 of 4


def test_equal_means_say_little_of_the_spread():
    low, high = interval([(1.0, 2)] * 20)
    assert 0.25 < low < 0.31
    assert high == pytest.approx(1 - low)
    assert interval([(1.0, 1)])[0] < 0.25
    assert interval([(0.0, 1)])[1] > 0.75


def test_openings_with_unequal_numbers_of_games():
    """The share is that of the points; by hand: 5.5 of 12, a mean of three games an opening, and
    points less share * games of -2/6, 1/12, 1/6 and 1/12."""
    two = ["win", "loss"]
    score = score_of([["win", "loss", "draw", "loss"], two, two + two, two])
    assert score.share == pytest.approx(5.5 / 12)
    wide = student(3) * math.sqrt((4 + 1 / 4 + 1 + 1 / 4) / 36 / 3 / 3**2 / 4)
    assert (score.low, score.high) == pytest.approx((5.5 / 12 - wide, 5.5 / 12 + wide))


def test_the_bounds_hold_in_nineteen_of_twenty_matches():
    """Openings that favour one side or the other, and a search that is a little better."""
    chance, held, expected = random.Random(5), 0, 0.55
    for _ in range(1_000):
        units = []
        for _ in range(50):
            lean = chance.choice([-0.3, 0, 0.3])
            units.append(["win" if chance.random() < expected + sign * lean else "loss"
                          for sign in (1, -1)])
        score = score_of(units)
        held += score.low <= expected <= score.high
    assert 0.92 <= held / 1_000 <= 0.98


@pytest.mark.parametrize(("openings", "values", "verdict"), [
    (20, ["win", "win"], True),
    (20, ["loss", "draw"], False),
    (20, ["win", "loss"], UNDECIDED),
    (19, ["win", "win"], UNDECIDED),  # too few to say
])
def test_a_verdict_takes_twenty_openings(openings, values, verdict):
    entries = [SimpleNamespace(cell=SimpleNamespace(set="s", id=str(at)),
                               row={"played": {}, "value": value})
               for at in range(openings) for value in values]
    results = SimpleNamespace(select=lambda name: entries, finished=lambda name: True)
    found, told = beats("A")(results)
    assert found == verdict
    assert told.endswith(f"{openings} openings")
    results.finished = lambda name: False
    assert beats("A")(results) == (None, "")
