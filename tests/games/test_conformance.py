"""Every game passes every conformance check."""

import pytest
from chance import alike, fits
from conformance import CHECKS, Subject
from games_under_test import SUBJECTS

pytestmark = pytest.mark.slow


@pytest.mark.long_cases(
    "perft-othello", "play_writes_everything-lines-of-action", "*-hex", "*-hex-size9",
    "*-stones3-first2-overlineno-win",
    "*-k-in-a-row-columns9-rows9-line5-overlineno-win", "*-othello-size6-no_moveloses",
    "*-connect-four-columns8-rows7", "*-connect-four-columns4-rows4", "*-othello-size4",
    "*-k-in-a-row-columns6-rows5-line4-stones2", "*-lines-of-action-size5",
    "*-lines-of-action-size6-simultaneousmover-no_moveloses", "*-p-game-branching8-depth8-seed7")
@pytest.mark.parametrize("subject", SUBJECTS, ids=str)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_conformance(check, subject: Subject):
    check(subject)


def test_chi_square_tells_a_biased_sample():
    assert fits([5000, 5100, 9900], [5000.0, 5000.0, 10000.0])
    assert not fits([5300, 4700, 10000], [5000.0, 5000.0, 10000.0])
    assert fits([20000, 0, 0], [20000.0, 0.0, 0.0])
    assert not fits([19999, 1, 0], [20000.0, 0.0, 0.0])
    assert not fits([19000, 1000, 0], [19995.0, 5.0, 0.0])
    assert alike([5000, 10000, 5000], [5100, 9900, 5000])
    assert not alike([5000, 10000, 5000], [5500, 9500, 5000])
