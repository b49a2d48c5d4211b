"""What other programs may say: lines of every protocol, and requests in JSON."""

import json
import random
from collections.abc import Sequence
from contextlib import redirect_stderr
from io import StringIO
from typing import Any

from engines import OPTIONS, WORDS, nonsense, transcript

from benchmarks.soak import texts
from benchmarks.soak.case import Difference
from zermelo.engine.jsonl import QUESTIONS, SEARCHES, Request
from zermelo.engine.thinking import MoveBudget

NAMES = list(WORDS)
LINES = 25  # of one conversation
THINKS = ("go", "genmove", "solve", "hint", "analyze", "find", "time")  # with limits of chance
VALUES: Sequence[Any] = [None, True, 0, 1, -1, 1e300, "", "1", "tic-tac-toe", [], {}, ["a1"],
                         {"game": "hex", "position": "a1"}]


def some_lines(rng: random.Random, protocol: str) -> list[str]:
    """A conversation: words of the protocol in any order, and lines that were changed."""
    lines = list(nonsense(protocol, rng.getrandbits(64), LINES))
    for at, line in enumerate(lines):
        if rng.random() < 0.4:
            new = texts.mutated(rng, lines).replace("\n", " ")[:20_000]
            words = new.casefold()
            if not any(word in words for word in (*THINKS, "quit")):
                lines[at] = new
            else:
                lines[at] = line
    return lines


def read_lines(lines: list[str], protocol: str) -> None:
    """Each is answered; nothing fails within."""
    errors = StringIO()
    content = "\n".join(lines).encode("utf-8", "surrogatepass") + b"\n"
    with redirect_stderr(errors):
        said = transcript(protocol, content, usual=MoveBudget(nodes=100), **OPTIONS[protocol])
    failed = [line for line in said if "this failed" in line]
    if failed or "Traceback" in errors.getvalue():
        raise Difference(f"is answered with {failed[:1]} {errors.getvalue()[-1500:]}")


def some_request(rng: random.Random) -> str:
    """A request for an engine that speaks JSON."""
    ask = rng.choice([*QUESTIONS, *SEARCHES, "stop", ""])
    names = [*QUESTIONS.get(ask, (("place", "limits"), 0))[0], "id", "progress", "keep"]
    given: dict[str, Any] = {"ask": ask, "id": rng.choice([1, "a", None, 1.5, []])}
    for name in names:
        if rng.random() < 0.6:
            given[name] = rng.choice(VALUES)
    text = json.dumps(given)
    return texts.mutated(rng, [text]) if rng.random() < 0.6 else text


def read_request(text: str) -> None:
    """One request."""
    Request.read(text)
