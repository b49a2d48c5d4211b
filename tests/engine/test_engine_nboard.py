"""NBoard's protocol, for Othello."""

import pytest
from engines import USUAL, Talk, transcript

import zermelo
from zermelo.engine.thinking import EngineSettings, MoveBudget

SMALL = {"size": 4}
GAME = "set game (;GM[Othello]PC[NBoard]TY[4]BO[4 -----O*--*O----- *]B[b1//0.5]W[a1];)"


def nboard(text, **options):
    return transcript("nboard", text, **{**SMALL, **options})


def test_names_and_pings():
    assert nboard("nboard 2\nset depth 8\nset contempt 0\nping 3\nlearn\n\nquit\nping 4\n") == [
        "set myname Zermelo", "set myname Zermelo8", "pong 3", "learned"]


def test_go_says_a_move_and_does_not_play_it():
    lines = nboard(f"set depth 60\n{GAME}\ngo\ngo\n")
    moves = [line for line in lines if line.startswith("=== ")]
    assert len(moves) == 2
    move, worth, seconds = moves[0].removeprefix("=== ").split("/")
    position = zermelo.game("othello", size=4).start().play("b1", "a1")
    assert move == move.upper()
    found = {row.move: row.score for row in zermelo.analyze(position, goal="score").moves}
    assert found[move.lower()] == max(found.values()) == float(worth)
    assert float(seconds) >= 0
    assert "status Thinking" in lines
    assert lines[-1] == "status"


def test_hints_are_the_best_moves_first():
    lines = nboard(f"set depth 4\n{GAME}\nhint 2\n")
    hints = [line.split() for line in lines if line.startswith("search ")]
    position = zermelo.game("othello", size=4).start().play("b1", "a1")
    scores = sorted((row.score for row in zermelo.analyze(position, goal="score").moves),
                    reverse=True)
    assert [float(hint[2]) for hint in hints[-2:]] == scores[:2]
    assert hints[-1][3:] == ["0", "100%"]
    assert lines[0] == "set myname Zermelo4"
    assert any(line.startswith("nodestats ") for line in lines)


def test_hints_by_looking_ahead():
    lines = nboard("set depth 3\nhint 4\n", size=8)
    hints = [line.split() for line in lines if line.startswith("search ")]
    assert {hint[1] for hint in hints} == {"D3", "C4", "F5", "E6"}
    assert all(int(hint[4]) >= 3 for hint in hints[-4:])
    assert [float(hint[2]) for hint in hints[-4:]] == sorted(
        (float(hint[2]) for hint in hints[-4:]), reverse=True)
    few = nboard("hint 1\n", size=8, usual=MoveBudget(nodes=2000))
    assert sum(line.startswith("search ") for line in few) >= 1


def after(position):
    """All positions that follow."""
    yield position
    for move in position.moves():
        yield from after(position.play(move))


def test_moves_and_passes():
    position = next(each for each in after(zermelo.game("othello", size=4).start())
                    if each.moves() == ["pass"])
    played = "".join(f"move {move.upper()}/0.00/1.0\n" for move in position.played_names())
    lines = nboard(f"{played}go\nPA\nhint 9\n")
    assert lines[2].startswith("=== PA/")
    assert any(line.startswith("search ") for line in lines[3:])


def test_a_game_is_analyzed_from_its_end():
    lines = nboard(f"{GAME}\nanalyze\n", usual=USUAL)
    told = [line.split()[1:] for line in lines if line.startswith("analysis ")]
    assert [int(ply) for ply, _ in told] == [2, 1, 0]
    assert float(told[-1][1]) == -10  # known: the second player wins by 10


def test_the_rules_alone():
    lines = nboard("hint 1\ngo\n", settings=EngineSettings(memory=1 << 26, plain=True))
    assert any(line.endswith("0 100%") for line in lines)


@pytest.mark.long
def test_without_a_score_there_are_wins_and_losses():
    lines = nboard("hint 1\ngo\n", no_move="loses")
    assert any(line.endswith("0 100%") for line in lines)


@pytest.mark.parametrize(("line", "said"), [
    ("fly away", "unknown command 'fly'"), ("nboard x", "nboard 'x' is not a whole number"),
    ("set depth 0", "set depth '0'"), ("set fire", "set 'fire' is not understood"),
    ("set game nonsense", "othello: 'nonsense'"), ("move z9", "'z9' is not a legal move"),
    ("ping", "ping '' is not a whole number"), ("hint x", "hint 'x' is not a whole number"),
    ("zz", "'zz' is not a legal move"),
])
def test_what_is_wrong_is_said_in_the_status_line(line, said):
    lines = nboard(f"{line}\nping 1\n")
    assert lines[0].startswith("status Error: ")
    assert said in lines[0]
    assert lines[1] == "pong 1"


def test_when_the_game_is_over():
    position = zermelo.game("othello", size=4).start()
    while position.outcome is None:
        position = position.play(position.moves()[0])
    played = "".join(f"move {move}\n" for move in position.played_names())
    lines = nboard(f"{played}go\nhint 1\nanalyze\n", usual=MoveBudget(nodes=100))
    assert lines[:2] == ["status Error: the game is over: there is no move."] * 2
    assert lines[-1] == "status"


def test_a_ping_of_any_size_comes_back_as_it_is():
    assert nboard(f"ping {'9' * 23}\n") == [f"pong {'9' * 23}"]


def test_a_ping_stops_what_is_under_way():
    talk = Talk("nboard", size=8, usual=MoveBudget(seconds=600))
    for command in ("go", "hint 3", "analyze"):
        talk.tell("set depth 60", command)
        talk.until("nodestats" if command != "analyze" else "status Analyzing")
        talk.tell("ping 5")
        assert talk.until("pong 5")[-2] == "status"
    talk.tell("quit")
    assert talk.end() == []


@pytest.mark.parametrize("looks", [True, False])
def test_ctrl_c_is_not_kept(monkeypatch, looks):
    def interrupt(self):
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.engine.nboard.NBoard.between", interrupt)
    if not looks:  # then it comes while values are being proved
        monkeypatch.setattr("zermelo.engine.thinking.Hints._look", lambda *given: None)
    with pytest.raises(KeyboardInterrupt):
        nboard("hint 1\n")
