"""UCI and UCCI: Xiangqi with ranks 1 to 10, and 0 to 9."""

import io
import os
import re
import shutil
import subprocess
import sys

import chess
import chess.engine
import pytest
from engines import OPTIONS, Talk, made, transcript

import zermelo
from zermelo.engine.thinking import ends

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
WON = "5k3/R8/9/9/9/p8/9/9/9/1R2K4 w"  # Red mates with the second rook


def uci(text, **options):
    return transcript("uci", text, **options)


def ucci(text, **options):
    return transcript("ucci", text, **options)


def test_uci_writes_ranks_from_1():
    lines = uci("uci\nposition startpos moves h3e3\ngo nodes 2000\n")
    assert "option name UCI_Variant type combo default xiangqi var xiangqi" in lines
    assert "uciok" in lines
    move = lines[-1].split()[1]
    game = zermelo.game("xiangqi", dialect="uci")
    assert move in game.start().play("h3e3").moves()
    assert uci("position startpos moves h2e2\n")[0].startswith("info string error: 'h2e2'")


def test_uci_can_be_told_to_write_ranks_from_0():
    for text in ("setoption name Ranks value 0-9\nposition startpos moves h2e2\ngo nodes 500\n",
                 f"fen {START} w moves h2e2\ngo nodes 500\n"):  # as uci2wb writes it
        move = uci(text)[-1].split()[1]
        assert move in zermelo.game("xiangqi").start().play("h2e2").moves()
    assert uci(f"position fen {START} b - - 0 1\nsetoption name Ranks value 0-9\ngo nodes 500\n")[
        -1].split()[1] in zermelo.game("xiangqi").parse(f"{START} b").moves()
    assert "Ranks '5' is not one of 1-10, 0-9" in uci("setoption name Ranks value 5\n")[0]
    assert "Ponder 'x' is neither true nor false" in uci("setoption name Ponder value x\n")[0]


def test_uci_proves_a_mate():
    lines = uci(f"position fen {WON} - - 0 1\ngo movetime 60000\n")
    assert lines[-2] == "info string Red wins: proved"
    assert lines[-1] == "bestmove b1b10"
    assert " score mate 1 " in lines[-3]
    assert uci(f"position fen {WON}\ngo mate 1\n")[-1] == "bestmove b1b10"
    over = uci(f"position fen {WON} moves b1b10\ngo depth 3\n")
    assert over == ["bestmove (none)"]


@pytest.mark.parametrize(("protocol", "plies"), [("uci", 5), ("ugi", 3)])
def test_how_deep_a_mate_in_three_is_looked_for(protocol, plies):
    """In UGI a mate is counted in plies."""
    engine = made(protocol, io.StringIO(), **OPTIONS[protocol])
    assert engine.budget({"mate": 3, "movetime": 1_000}).depth == plies


def test_uci_takes_what_clients_send_besides():
    assert uci("debug on\nregister later\nsetoption name Ponder value true\n"
               "setoption name UCI_AnalyseMode value false\nsetoption name UCI_Variant value "
               "xiangqi\nsetoption name Repetition value draw\nucinewgame\nponderhit\nstop\n") == []
    assert "UCI_Variant 'chess' is not one of xiangqi" in uci(
        "setoption name UCI_Variant value chess\n")[0]
    threads = uci("setoption name Threads value 2\n")
    assert threads == [] or "thread" in threads[0]


def test_ucci_speaks_its_own_way():
    lines = ucci("ucci\nisready\nsetoption usemillisec true\nsetoption newgame\n"
                 "position startpos moves h2e2\ngo depth 2\nquit\nisready\n")
    assert "option usemillisec type check default true" in lines
    assert "option hashsize type spin default 67 min 1 max 1048576" in lines
    assert lines.index("ucciok") < lines.index("readyok")
    assert lines[-1] == "bye"
    assert lines.count("readyok") == 1  # nothing is answered after good-bye
    move = lines[-2].split()
    assert move[0] == "bestmove"
    assert move[1] in zermelo.game("xiangqi").start().play("h2e2").moves()


def test_ucci_scores_and_clocks():
    lines = ucci(f"position fen {WON}\ngo draw time 60000 increment 0 opptime 1 oppincrement 1\n")
    assert lines[0].startswith("info time ")
    assert lines[1] == "info depth 1 score 29999 pv b0b9"
    assert lines[2:] == ["info message Red wins: proved", "bestmove b0b9", "bye"]
    seconds = ucci(f"setoption usemillisec false\nposition fen {WON}\ngo time 60 movestogo 1\n")
    assert "bestmove b0b9" in seconds
    lost = ucci("position fen 3k5/9/9/9/9/9/9/9/1r7/r3K4 w\ngo nodes 100\n")
    assert lost == ["nobestmove", "bye"]


def test_ucci_leaves_out_what_is_forbidden():
    position = zermelo.game("xiangqi").parse(WON)
    moves = [move for move in position.moves() if move != "e0e1"]
    lines = ucci(f"position fen {WON}\nbanmoves {' '.join(moves)}\ngo nodes 500\n")
    assert "bestmove e0e1" in lines
    lines = ucci(f"position fen {WON}\nbanmoves {' '.join(position.moves())}\ngo nodes 500\n")
    assert lines[-2:] == ["nobestmove", "bye"]
    again = ucci(f"position fen {WON}\nbanmoves b0b9\nposition fen {WON}\ngo nodes 5000\n")
    assert "bestmove b0b9" in again


@pytest.mark.parametrize(("line", "said"), [
    ("setoption", "setoption is written"), ("foo", "unknown command"),
    ("banmoves a0a9", "'a0a9'"), ("go soon", "go 'soon' is not understood"),
    ("position fen x\nbanmoves a0a1", "there is no position to forbid moves in"),
])
def test_ucci_says_what_is_wrong(line, said):
    lines = ucci(f"{line}\n")
    assert any(each.startswith("info message error: ") and said in each for each in lines)


def test_ucci_stops():
    talk = Talk("ucci")
    talk.tell("ucci", "isready", "position startpos", "go depth infinite")
    talk.until("info depth")
    talk.tell("probe", "stop")
    talk.until("bestmove")
    assert talk.end() == ["bye"]


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


PATHS = f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games"
NEEDED = ("xboard", "uci2wb", "Xvfb")


@pytest.fixture
def display(tmp_path):
    """A screen that nobody sees."""
    missing = [name for name in NEEDED if not shutil.which(name, path=PATHS)]
    if missing:
        reason = f"{' and '.join(missing)} can't be found on this machine"
        if os.environ.get("ZERMELO_CLIENT_TESTS") == "required":
            pytest.fail(f"tests with other programs are required, but {reason}")
        pytest.skip(f"no tests with other programs: {reason}")
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [shutil.which("Xvfb", path=PATHS), "-displayfd", str(writer), "-screen", "0",
         "640x480x24", "-nolisten", "tcp"], pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    with open(reader) as answer:
        number = answer.readline().strip()
    assert number
    yield f":{number}"
    process.terminate()
    process.wait(30)


def script(folder, protocol):
    """The engine as a file that can be run: uci2wb takes no arguments for it."""
    path = folder / protocol
    path.write_text(f"#!/bin/sh\nexec {sys.executable} -m zermelo engine --protocol {protocol}\n")
    path.chmod(0o755)
    return path


def test_xboard_plays_a_game(display, tmp_path):
    """UCCI with the red pieces, UCI with the black ones, both behind uci2wb."""
    record, log = tmp_path / "game.pgn", tmp_path / "log.txt"
    uci2wb = shutil.which("uci2wb", path=PATHS)
    done = subprocess.run([
        shutil.which("xboard", path=PATHS), "-variant", "xiangqi", "-fcp",
        f"{uci2wb} -x {script(tmp_path, 'ucci')}", "-scp", f"{uci2wb} -c {script(tmp_path, 'uci')}",
        "-mode", "twoMachines", "-matchGames", "1", "-searchDepth", "1", "-tc", "20", "-xexit",
        "-saveGameFile", str(record), "-noGUI", "-soundProgram", "true", "-popupExitMessage",
        "false", "-popupMoveErrors", "false", "-adjudicateDrawMoves", "40", "-testClaims", "true",
        "-debugMode", "true", "-nameOfDebugFile", str(log)],
        env={**os.environ, "DISPLAY": display, "HOME": str(tmp_path), "PATH": PATHS},
        capture_output=True, text=True, timeout=400)
    said, played = log.read_text(errors="replace"), record.read_text()
    assert done.returncode == 0, done.stderr
    assert f'[White "Zermelo {zermelo.__version__}' in played
    assert re.search(r'\[Result "(1-0|0-1|1/2-1/2)"\]', played), played
    for trouble in ("llegal move", "tellusererror", "died", "info string error", "forfeit"):
        assert trouble not in said + played
    moves = re.findall(r"<(first|second)\s*: move ([a-i]\d[a-i]\d)", said)
    assert {side for side, _ in moves} == {"first", "second"}
    position = zermelo.game("xiangqi").start()
    for _, move in moves:
        position = position.play(move)  # all of them legal, with ranks 0 to 9
    assert len(moves) >= 10


def test_python_chess_shakes_hands():
    """It knows no Xiangqi, so that this is how far it goes."""
    command = [sys.executable, "-m", "zermelo", "engine", "--protocol", "uci"]
    with chess.engine.SimpleEngine.popen_uci(command, timeout=60) as engine:
        assert engine.id["name"] == f"Zermelo {zermelo.__version__}"
        assert engine.options["Hash"].type == "spin"
        assert engine.options["UCI_Variant"].var == ["xiangqi"]
        engine.configure({"Hash": 64, "Repetition": "draw"})
        engine.ping()
        with pytest.raises(chess.engine.EngineError, match="UCI_Variant"):
            engine.play(chess.Board(), chess.engine.Limit(nodes=10))
