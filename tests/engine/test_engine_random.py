"""Nonsense in every protocol: each line is answered in its own way, and the engine goes on."""

import re

import pytest
from engines import OPTIONS, WORDS, nonsense, transcript

from zermelo.engine.thinking import Budget

SAYS = {
    "ugi": r"(id|option|info|response|bestmove) .*|ugiok|readyok|response",
    "uci": r"(id|option|info|bestmove) .*|uciok|readyok",
    "ucci": r"(id|option|info|bestmove) .*|ucciok|readyok|nobestmove|bye",
    "nboard": r"(set myname|status|nodestats|search|===|pong|analysis) .*|status|learned",
}


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
