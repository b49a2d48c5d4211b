"""PN-search, node for node as in the papers."""

import os
from pathlib import Path

import pytest
from paper_positions import CONNECT_FOUR, OTHELLO_40, PN_CONNECT_FOUR, PN_OTHELLO

import zermelo

DATA = os.environ.get("ZERMELO_DATA")


@pytest.mark.long_cases("2")
@pytest.mark.parametrize("id", PN_CONNECT_FOUR)
def test_connect_four(id):
    position = zermelo.game("connect-four").parse(CONNECT_FOUR[id])
    result = zermelo.solve(position, "pn", goal="win", nodes=35e6, plain=True)
    assert (result.nodes, result.iterations, result.value) == PN_CONNECT_FOUR[id]
    assert result.proved


@pytest.mark.parametrize("line", PN_OTHELLO)
def test_othello_where_a_player_who_cannot_move_loses(line):
    position = zermelo.game("othello", no_move="loses").parse(OTHELLO_40[line])
    result = zermelo.solve(position, "pn", goal="win", nodes=8e6, plain=True)
    assert (result.iterations, result.nodes - 1, result.value) == PN_OTHELLO[line]


def test_othello_line_84_is_a_win_when_passes_are_allowed():
    position = zermelo.game("othello").parse(OTHELLO_40[84])
    assert zermelo.solve(position, "pn", goal="win").value == "win"


@pytest.mark.full
@pytest.mark.skipif(not DATA, reason="the papers' position files: set ZERMELO_DATA")
def test_pn_concludes_122_of_the_200_connect_four_positions():
    lines = Path(DATA, "connect-four", "openings.txt").read_text().split()
    game = zermelo.game("connect-four")
    positions = [game.parse(f"{line} X") for line in lines]
    results = zermelo.solve_many(
        positions, "pn", goal="win", nodes=35e6, plain=True, workers=2, memory="2GB")
    assert sum(result.proved for result in results) == 122
