"""Categories of moves against slow twins that follow their description; files of probabilities."""

import json
import os
import random
from pathlib import Path

import pytest
from likely import likely
from naive.connect_four import NaiveConnectFour
from naive.lines_of_action import NaiveLinesOfAction

import zermelo
from zermelo.compiler.jit import jit_enabled
from zermelo.core import reading
from zermelo.games.connect_four.game import ConnectFour
from zermelo.games.lines_of_action.game import LinesOfAction
from zermelo.search.minimax.plan import UNIT
from zermelo.search.minimax.search import RPS, probabilities_of

GAMES = 12 if jit_enabled() else 2


def positions(game, games):
    """All positions of random games that go on."""
    chance = random.Random(7)
    for _ in range(games):
        position = game.start()
        while position.outcome is None:
            yield position
            position = position.play_code(chance.choice(position.codes()))


def rounded(total, n):
    """The mean, halves rounded up."""
    return (2 * total + n) // (2 * n)


def loa_category(naive, state, move):
    """In words, from a set of squares."""
    if move == "pass":
        return "pass"
    board, mover = state
    own = {square for square, player in board if player == mover}
    start, end = ((("abcdefgh".index(name[0])), int(name[1]) - 1)
                  for name in move.replace("x", "-").split("-"))
    centre = tuple(rounded(sum(square[i] for square in own), len(own)) for i in (0, 1))

    def steps(square, other):
        return max(abs(square[0] - other[0]), abs(square[1] - other[1]))

    def region(square):
        depth = min(*square, naive.size - 1 - square[0], naive.size - 1 - square[1])
        return ("edge", "next ring", "inside")[min(depth, 2)]

    further = steps(end, centre) - steps(start, centre)
    change = "as near" if further == 0 else (
        f"{min(abs(further), 2)} {'further' if further > 0 else 'nearer'}")
    before, after = (sum(steps(square, other) == 1 for other in own - {start})
                     for square in (start, end))
    return ", ".join(["capture" if "x" in move else "quiet", f"from {region(start)}",
                      f"to {region(end)}", change,
                      "stays" if before == after else "joins" if after > before else "leaves"])


@pytest.mark.long_cases("8")
@pytest.mark.parametrize("size", [5, 8])
def test_lines_of_action(size):
    game, naive, seen = LinesOfAction(size=size), NaiveLinesOfAction(size), set()
    names = game.rules.category_names
    for position in positions(game, GAMES):
        state = naive.from_position(position)
        kinds = [names[kind] for kind in game.board.categories(position.state)]
        assert kinds == [loa_category(naive, state, move) for move in position.moves()]
        seen.update(kinds)
    assert len(seen) > (30 if jit_enabled() else 10)


def test_a_pass_is_a_category_of_its_own():
    game = LinesOfAction(size=4)
    must = game.parse("..../.XO./O.O./.XO. X")
    assert must.moves() == ["pass"]
    assert [game.rules.category_names[k] for k in game.board.categories(must.state)] == ["pass"]


def completed(naive, own, square):
    """Whether a stone on ``square`` makes a line with those of ``own``."""
    for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for first in range(1 - naive.line, 1):
            line = {(square[0] + k * dc, square[1] + k * dr)
                    for k in range(first, first + naive.line)}
            if line - {square} <= own:
                return True
    return False


def connect_four_category(naive, state, move):
    """In words, from sets of squares."""
    stones, mover = state
    own, other = ({square for square, player in stones if player == side}
                  for side in (mover, 1 - mover))
    column = int(move) - 1
    stone = (column, sum(c == column for c, _ in own | other))
    above = (column, stone[1] + 1)
    empty = {(c, r) for c in range(naive.columns) for r in range(naive.rows)} - own - other
    new = {square for square in empty - {stone}
           if completed(naive, own | {stone}, square) and not completed(naive, own, square)}
    if completed(naive, own, stone):
        kind = "wins"
    elif completed(naive, other, stone):
        kind = "blocks"
    elif above in empty and completed(naive, other, above):
        kind = "gives"
    else:
        kind = "threatens" if new else "quiet"
    middles = {naive.columns // 2, (naive.columns - 1) // 2}
    away = min(abs(column - middle) for middle in middles)
    return f"{kind}, {('middle', 'next to the middle', 'outside')[min(away, 2)]}"


@pytest.mark.long_cases("7-6-4")
@pytest.mark.parametrize(("columns", "rows", "line"), [(7, 6, 4), (4, 4, 4), (5, 4, 3)])
def test_connect_four(columns, rows, line):
    game, naive = ConnectFour(columns=columns, rows=rows, line=line), NaiveConnectFour(
        columns, rows, line)
    names, seen = game.rules.category_names, set()
    for position in positions(game, GAMES):
        state = naive.from_position(position)
        kinds = [names[kind] for kind in game.board.categories(position.state)]
        assert kinds == [connect_four_category(naive, state, move) for move in position.moves()]
        seen.update(kind.partition(",")[0] for kind in kinds)
    assert seen == {"wins", "blocks", "gives", "threatens", "quiet"}


def test_probabilities_come_from_a_file(tmp_path, monkeypatch):
    names = ConnectFour().rules.category_names
    path = likely("connect-four", 0.5, 0.25, 0.125)
    assert reading.read_probabilities(path, names) == (0.5, 0.25, 0.125) * 5
    content = json.loads(Path(path).read_text())
    content["categories"].reverse()
    (tmp_path / "connect-four-probabilities.json").write_text(json.dumps(content))
    monkeypatch.setattr(reading, "DIRECTORY", tmp_path)
    assert ConnectFour().rules.probabilities == (0.5, 0.25, 0.125) * 5
    assert LinesOfAction().rules.probabilities == ()


def test_a_search_may_do_without_the_probabilities_of_a_game():
    rules = LinesOfAction().rules
    assert len(rules.probabilities) == len(rules.category_names)
    assert probabilities_of(rules, "game") == rules.probabilities
    assert probabilities_of(rules, "none") == ()
    assert set(RPS(probabilities="none").data(rules, 0).FP) == {UNIT}
    assert len(set(RPS().data(rules, 0).FP)) > 50


def test_data_files_fit_their_games():
    assert list(reading.DIRECTORY.glob("*-probabilities.json"))
    for path in reading.DIRECTORY.glob("*-probabilities.json"):
        content = json.loads(path.read_text())
        rules = zermelo.game(content["game"]).rules
        assert path.name == f"{content['game']}-probabilities.json"
        assert [row["name"] for row in content["categories"]] == list(rules.category_names)
        assert all(0 <= row["played"] <= row["available"] for row in content["categories"])
        assert content["provenance"]


@pytest.mark.parametrize(("text", "message"), [
    ("{", "holds no probabilities, that is one JSON object"), ("[]", "holds no probabilities"),
    ('{"categories": [{"name": "a"}]}', "holds no probabilities"),
    ('{"categories": [{"name": "a", "probability": 2}, {"name": "b", "probability": 0}]}',
     "the probability of 'a' is '2'; it must be a number from 0 to 1"),
    ('{"categories": [{"name": "a", "probability": 0.5}]}',
     "does not have the game's 2 categories: b is in one of the two only"),
    ('{"categories": [{"name": "c", "probability": 1}]}', "a, b, c are in one of the two only"),
])
def test_files_that_hold_none(tmp_path, text, message):
    path = tmp_path / "file.json"
    path.write_text(text)
    with pytest.raises(zermelo.BadOption, match=message):
        reading.read_probabilities(path, ("a", "b"))


def test_files_that_are_not_there(tmp_path):
    start = zermelo.game("connect-four").start()
    with pytest.raises(zermelo.BadOption, match="can't be read: No such file"):
        zermelo.solve(start, zermelo.RPS(probabilities=str(tmp_path / "none.json")))
    no_file = "can't be read: it is not an ordinary file of at most 1 MB"
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "large").write_bytes(b" " * (reading.LARGEST + 1))
    for path in (tmp_path, tmp_path / "fifo", tmp_path / "large", "/dev/zero"):
        with pytest.raises(zermelo.BadOption, match=no_file):
            zermelo.solve(start, zermelo.RPS(probabilities=str(path)))
