"""PGN: header lines in square brackets, then moves with numbers, comments and the result.

Only the frame is read here; what the moves mean is the game's business.
"""

from __future__ import annotations

import re

# A name and a text in quotes, alone in its line.
HEADER = re.compile(r'\[\s{0,9}(\w{1,40})\s{1,9}"([^"\\]*(?:\\.[^"\\]*)*)"\s{0,9}\]', re.ASCII)
COMMENT = re.compile(r"\{[^{}]*\}|;[^\n]*")
NUMBER = re.compile(r"[0-9]{1,4}\.+")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def headers_of(text: str) -> tuple[dict[str, str], str]:
    """The headers before a game, and the rest; none if the text does not begin with one."""
    found: dict[str, str] = {}
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if line.strip():
            header = HEADER.fullmatch(line.strip())
            if not header:
                return (found, "\n".join(lines[at:])) if found else (found, text)
            found[header[1]] = header[2]
    return found, "" if found else text


def moves_of(text: str) -> str:
    """The moves, without numbers, comments and the result at the end."""
    words = [NUMBER.sub("", word, count=1) if NUMBER.match(word) else word
             for word in COMMENT.sub(" ", text).split()]
    if words and words[-1] in RESULTS:
        words.pop()
    return " ".join(word for word in words if word)
