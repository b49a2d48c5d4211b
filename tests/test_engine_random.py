"""Nonsense in every protocol: each line is answered in its own way, and the engine goes on."""

import random
import re

import pytest
from engines import transcript

from zermelo.engine.thinking import Budget

WORDS = {
    "ugi": ("ugi isready uginewgame position startpos fen moves a1 b2 c3 pass go nodes 50 depth 2 "
            "searchmoves infinite ponder movetime 1 p1time -5 query p1turn gameover result fen "
            "islegal setoption name Hash value Threads stop ponderhit 0 99999999999999999999"),
    "uci": ("uci isready ucinewgame position startpos fen moves h3e3 h10g8 go nodes 50 depth 1 "
            "wtime 10 btime mate 1 setoption name Ranks value 0-9 1-10 Repetition draw "
            "stop w - 0 4k4/9"),
    "ucci": ("ucci isready position startpos moves h2e2 h9g7 banmoves go nodes 50 time 10 draw "
             "increment movestogo setoption usemillisec false hashsize 9 probe newgame infinite"),
    "htp": ("3 4 boardsize 3 4 play b w black a1 b2 c3 genmove reg_genmove undo showboard # "
            "interrupt dfpn-solve-state dfpn-get-bounds dfpn-get-pv dfpn-solver-find-winning "
            "param_dfpn use_guifx timelimit 0.01 time_left time_settings 3 final_score"),
    "nboard": ("nboard 2 set depth 3 game (;GM[Othello] BO[4 ;) move a1 b1 A2/1/2 PA hint 1 go "
               "ping learn analyze ( ; ] [ contempt 0"),
}
OPTIONS = {"ugi": {"game": "othello", "size": 4}, "uci": {}, "ucci": {}, "htp": {"size": 3},
           "nboard": {"size": 4}}
SAYS = {
    "ugi": r"(id|option|info|response|bestmove) .*|ugiok|readyok|response",
    "uci": r"(id|option|info|bestmove) .*|uciok|readyok",
    "ucci": r"(id|option|info|bestmove) .*|ucciok|readyok|nobestmove|bye",
    "nboard": r"(set myname|status|nodestats|search|===|pong|analysis) .*|status|learned",
}


def nonsense(protocol, seed, count):
    rng, words = random.Random(f"{protocol} {seed}"), WORDS[protocol].split()
    firsts = {"ugi": ["position", "go", "query"], "uci": ["position", "go", "setoption"],
              "ucci": ["position", "go", "setoption", "banmoves"],
              "htp": ["play", "genmove", "undo"], "nboard": ["set", "move", "hint", "go"]}[protocol]
    for _ in range(count):
        first = [rng.choice(firsts)] if rng.random() < 0.6 else []
        line = " ".join([*first, *(rng.choice(words) for _ in range(rng.randrange(6)))])
        if rng.random() < 0.1:
            line = "".join(chr(rng.choice([0, 7, 9, 34, 92, 233, 0x4E2D, *range(32, 127)]))
                           for _ in range(20))
        if line.split()[:1] != ["quit"]:
            yield line


@pytest.mark.parametrize("protocol", list(WORDS))
def test_every_line_is_answered_in_its_own_way(protocol):
    lines = list(nonsense(protocol, 1, 150))
    said = transcript(protocol, "\n".join(lines) + "\n", usual=Budget(nodes=100),
                      **OPTIONS[protocol])
    assert not any("this failed" in line for line in said)
    if protocol == "htp":
        answers = [line for line in said if re.match(r"[=?][0-9]* ", line)]
        asked = [line for line in lines if re.sub(r"#.*", "", line).strip("\0\a\t ")]
        assert len(answers) <= len(asked)
        assert len(answers) > len(asked) / 2
    else:
        for line in said:
            assert re.fullmatch(SAYS[protocol], line), line
        searched = [line for line in lines if line.split()[:1] == ["go"]]
        if protocol != "nboard":
            answered = [line for line in said if re.match(r"(no)?bestmove", line)]
            assert len(answered) == len(searched)
