"""What came before the position: engines keep a win from a draw by repetition, and lose by none."""

import pytest
from engines import Talk, transcript

import zermelo
from zermelo.engine.thinking import ends

# Who moves, and where the moves lead. The first player wins at p by either move, unless the game is
# over because q has come up for the third time; at m, too, but the way back to p is played there.
WAYS = {
    "q": (1, {"back": "m", "on": "won"}),
    "m": (0, {"wait": "n", "win": "won"}),
    "n": (1, {"on": "p"}),
    "p": (0, {"again": "q", "better": "r"}),
    "r": (1, {"x": "s", "y": "s"}),
    "s": (0, {"win": "won"}),
    # the second player loses at u by every move, but can go back to t
    "t": (0, {"go": "u", "win": "won"}),
    "u": (1, {"hold": "v", "return": "t"}),
    "v": (0, {"x": "w"}),
    "w": (1, {"y": "won"}),
    "won": (0, {}),
}
ROUND = "back wait on again"


class Round(zermelo.PlainGame):
    """A game that can go round; ``parse`` takes the name of a place."""

    start = staticmethod(lambda: "q")
    parse = staticmethod(lambda text: {place: place for place in WAYS}[text])
    format = staticmethod(str)
    moves = staticmethod(lambda place: list(WAYS[place][1]))
    play = staticmethod(lambda place, move: WAYS[place][1][move])
    mover = staticmethod(lambda place: WAYS[place][0])
    outcome = staticmethod(lambda place: "first" if place == "won" else None)


def best(position, go="go nodes 2000"):
    return transcript("ugi", f"position {position}\n{go}\n", game=Round)[-1].split()[:2]


def test_a_win_is_not_given_away_by_repetition():
    once, twice = "back wait on", f"{ROUND} back wait on"
    assert ends(zermelo.game(Round).start().play(*once.split())) == {}
    assert ends(zermelo.game(Round).start().play(*twice.split())) == {"again": 0}
    assert best("fen p") == ["bestmove", "again"]  # the shorter win, where nothing came before
    assert best(f"startpos moves {twice}") == ["bestmove", "better"]
    assert best(f"startpos moves {twice}", "go movetime 300") == ["bestmove", "better"]
    only = "go nodes 2000 searchmoves again"
    assert best(f"startpos moves {twice}", only) == ["bestmove", "again"]


def test_stopped_it_keeps_to_that():
    talk = Talk("ugi", game=Round)
    talk.tell(f"position startpos moves {ROUND} back wait on", "isready")
    talk.until("readyok")
    talk.tell("go infinite", "stop")
    assert talk.until("bestmove")[-1].startswith("bestmove better")
    talk.end()


def test_a_player_who_loses_takes_a_draw():
    assert best("fen t moves go") == ["bestmove", "hold"]
    lines = transcript("ugi", "position fen t moves go return go\ngo nodes 2000\n", game=Round)
    assert lines[-1] == "bestmove return"
    assert not any("proved" in line for line in lines)


CHASE = "3k5/9/9/9/9/9/9/9/4K4/R8 w"
CHECKS = "a0a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9"  # Red gives check, Black has no other way


@pytest.mark.long
@pytest.mark.parametrize(("repetition", "worth"), [("draw", 0), ("perpetual-check-loses", -1)])
def test_perpetual_check(repetition, worth):
    """Red has a rook more; what the third check would be worth depends on the rule."""
    game = zermelo.game("xiangqi", repetition=repetition)
    assert ends(game.parse(CHASE).play(*CHECKS.split())) == {"a8a9": worth}
    lines = transcript("ucci", f"position fen {CHASE} - - 0 1 moves {CHECKS}\n"
                               "banmoves\ngo nodes 3000\n", repetition=repetition)
    assert lines[-2].startswith("bestmove ")
    assert lines[-2].split()[1] != "a8a9"


@pytest.mark.long
def test_a_move_that_wins_by_the_rule_is_played():
    """Black has been in check at all times: to go on is to win."""
    moves = CHECKS.removesuffix(" d8d9")
    game = zermelo.game("xiangqi", repetition="perpetual-check-loses")
    position = game.parse(CHASE).play(*moves.split())
    assert ends(position) == {"d8d9": 1}
    lines = transcript("ucci", f"position fen {CHASE} - - 0 1 moves {moves}\ngo nodes 500\n",
                       repetition="perpetual-check-loses")
    assert lines[-2] == "bestmove d8d9"
