"""UCI and UCCI: Xiangqi with ranks 1 to 10, and 0 to 9."""

import pytest
from engines import Talk, transcript

import zermelo

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
