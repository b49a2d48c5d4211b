"""Known values: Connect Four against an outside exact solver, and the values of whole boards."""

import os
import random
from pathlib import Path

import pytest

import zermelo

bitbully_core = pytest.importorskip("bitbully.bitbully_core")

# Columns x rows; first player + / draw = / second player -. Values as published by J. Tromp.
SIZES = {(4, 4): "draw", (5, 4): "draw", (6, 4): "loss", (4, 5): "draw", (5, 5): "draw",
         (6, 5): "draw", (4, 6): "draw", (5, 6): "draw"}


DRAWN = "5715773517551443657763211134"  # random positions hardly ever are


def outside_value(solver, position):
    """Win, draw or loss for the side to move, by bitbully."""
    rows = position.text.split()[0]
    mine = position.to_move
    marks = {".": 0, "X": 1, "O": 2}
    board = bitbully_core.BoardCore()
    assert board.setBoard([[marks[m] for m in rows[i : i + 7]] for i in range(0, 42, 7)]), mine
    score = solver.mtdf(board, 0)
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def random_position(game, rng, plies):
    while True:
        position = game.start()
        for _ in range(plies):
            if position.outcome is None:
                position = position.play(rng.choice(position.moves()))
        if position.outcome is None:
            return position


@pytest.mark.parametrize("memory", ["64MB", "600KB"])
def test_fresh_positions_have_the_values_of_an_outside_solver(memory):
    game, rng = zermelo.game("connect-four"), random.Random(20)
    solver = bitbully_core.BitBullyCore()
    positions = [random_position(game, rng, 14 + number % 16) for number in range(40)]
    seen = set()
    for position in [*positions, game.parse(DRAWN)]:
        result = zermelo.solve(position, memory=memory)
        assert result.proved
        assert result.value == outside_value(solver, position), position.text
        seen.add(str(result.value))
    assert seen == {"win", "draw", "loss"}


@pytest.mark.full
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_boards_have_their_known_values(columns, rows):
    game = zermelo.game("connect-four", columns=columns, rows=rows)
    result = zermelo.solve(game.start(), memory="256MB")
    assert (result.value, result.proved) == (SIZES[columns, rows], True)


@pytest.mark.full
@pytest.mark.skipif("ZERMELO_DATA" not in os.environ, reason="needs the papers' positions")
def test_all_of_the_papers_positions_are_proved_with_certificates(tmp_path):
    game, solver = zermelo.game("connect-four"), bitbully_core.BitBullyCore()
    lines = (Path(os.environ["ZERMELO_DATA"]) / "connect-four" / "openings.txt").read_text().split()
    assert len(lines) == 200
    for number, line in enumerate(lines):
        session = zermelo.start(game.parse(f"{line} X"))
        result = session.run(zermelo.Limits(memory="256MB"))
        assert result.proved
        if number != 161:  # one stone less than bitbully takes
            assert result.value == outside_value(solver, result.position), number
        assert zermelo.write_proof(session, tmp_path / "proof").report.verified


@pytest.mark.full
@pytest.mark.parametrize("size", [3, 4])
def test_winning_openings_of_hex(size):
    """3x3: all but two corners and two sides; 4x4: the short diagonal (by exhaustive search)."""
    start = zermelo.game("hex", size=size).start()
    values = {move: zermelo.solve(start.play(move)) for move in start.moves()}
    assert all(result.proved for result in values.values())
    winning = {move for move, result in values.items() if result.value == "loss"}
    plain = {move for move in start.moves()
             if zermelo.solve(start.play(move), "pn", plain=True, nodes=2e8).value == "loss"}
    assert winning == plain
