"""Reading texts of every game takes time in proportion to their length."""

import time
from contextlib import suppress

import pytest
from test_notations import NAMES, small

from zermelo.errors import ZermeloError
from zermelo.game_records.record import records
from zermelo.storage.whole_files import LONGEST_TEXT

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("without_jit")]

# Each is repeated up to the longest text: (what comes before, what is repeated, what comes after).
HOSTILE = [
    ("", piece, "") for piece in
    ("1", "9", "x", "X", ".", "-", "*", "(", "[", "]", "a1", "A[", ";B[a1]", ",", "1,", "/", "=",
     "b=", "#", "#3,", ":", "\\", "x,", "a", "path=0.", "0", "ggf:", "pa", "a1b2", "\n.", "{", "\"")
] + [
    ("#11,", "A", ""), ("#3c1,", "a", "1"), ("#", "1", "x"), ("(;", "A", "["), ("(;B", "[", ""),
    ("(;B[", "\\", ""), ("(;C", "[x]", "("), ("(", "(", ")"), (";B[a1]", " ", "x"), ("1", " ", "x"),
    ("(", " ", ""), ("a1", " ,", "?"), ("X", " X", "?"), ("1.", ".", "x"), ("1", ". 1", "."),
    ("b=2", " ", ","), ("start", " ", "x"), ('[A "', "\\", '"]'), ('[A "x"]\n', "{", ""),
    ('[A "x"]\n', "1. ", "z"), ("https://x/?pos=", "1", "x"), ("https://x/?", "a&", "pos=x"),
    ("position fen ", "/", " w moves"), ("/", " x", " moves"), ("X", "\n", "to move"),
    ("(", "X ", "to move ("), ("- ", "X to move ", "("), ("ggf:", "8 ", ""), ("1x", " ", "1:"),
]


def seconds(read, text):
    began = time.process_time()
    with suppress(ZermeloError):
        read(text)
    return time.process_time() - began


def grown(case, length):
    before, piece, after = case
    return before + piece * ((length - len(before) - len(after)) // len(piece)) + after


def check_growth(read, case, length):
    """Four times the text takes about four times as long; a quadratic reader takes sixteen."""
    short = min(seconds(read, grown(case, length // 4)) for _ in range(2))
    if short < 0.02:  # too short to measure: the long one says enough
        assert seconds(read, grown(case, length)) < 0.3, case
    else:
        assert seconds(read, grown(case, length)) < 9 * short + 0.1, case


@pytest.mark.parametrize("name", NAMES)
def test_reading_takes_time_in_proportion_to_the_text(name):
    game = small(name)
    game.parse("start").moves()
    for case in HOSTILE:
        check_growth(game.parse, case, LONGEST_TEXT - 1_000)


@pytest.mark.parametrize("name", ["hex"])
def test_reading_a_file_takes_time_in_proportion_to_it(name, tmp_path):
    game, path = small(name), tmp_path / "games"

    def read(text):
        path.write_text(text)
        list(records(game, path, []))

    cases = [("(", "[", ""), ("(;", "[", ""), ("(", "(", ""), ("(;B[", "\\", ""), ("(;", "A[]", ""),
             ("(;C", "[x]", ")"), ("", "()", ""), ("", "(;)", "x"), ('[A "x"]\n', "x\n", ""),
             ("1-0 [", "\\", ""), ("1-0 ", "[", ""), ('[A "', "[", ""), ("", '[A "x"]\n', "")]
    for case in cases:
        check_growth(read, case, 16_000)
