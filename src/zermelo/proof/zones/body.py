"""The body of a certificate of zones: its nodes and its wins by threats, every part looked at.

A line for each node, then a line for each win, in JSON. Squares are numbers. The first node is the
position of the certificate.

    {"turn": [a, b], "then": n}    the winner plays a and b, which leads to node n
    {"win": k}                     the winner wins by threats, as win k says
    {"null": k, "seconds": {"a": k, ...}, "wins": [[a, b, k], ...], "nodes": [[a, b, n], ...]}
        the other side moves: the win if it passes; if it plays a and passes; the replies that lose
        to threats; and those after which the winner moves at node n
    [[a, b], [c, d, k], ...]       a win: play a and b; after c and d go on with win k

A win is a plan, and may be followed from several positions. It goes on with wins before it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from zermelo.errors import quoted
from zermelo.proof.budget import Budget
from zermelo.proof.header import Refused

PARSED = 40  # bytes in memory for each byte of the text, about


@dataclass(frozen=True)
class Attack:
    """The winner moves: ``turn`` leads to the node ``then``; or it follows the win ``win``."""

    turn: tuple[int, ...]
    then: int | None
    win: int | None


@dataclass(frozen=True)
class Defence:
    """The other side moves. Turns are sets of squares."""

    null: int
    seconds: dict[int, int]
    wins: dict[int, int]
    nodes: dict[int, int]


@dataclass(frozen=True)
class Win:
    """A turn, and the win to go on with after each way to stop its threats."""

    turn: tuple[int, ...]
    stops: dict[int, int]


@dataclass(frozen=True)
class Body:
    """Everything that is said."""

    nodes: list[Attack | Defence]
    wins: list[Win]


def body_of(text: bytes, nodes: int, wins: int, squares: int, budget: Budget) -> Body:
    """The body in ``text``; Refused where it is none."""
    budget.hold(PARSED * len(text))
    lines = text.split(b"\n")
    if lines.pop() or len(lines) != nodes + wins:
        raise Refused(f"its body does not have {nodes + wins:,} lines")
    reader = _Reader(nodes, wins, squares)
    found = Body([], [])
    for number, line in enumerate(lines):
        reader.where = (f"node {number}" if number < nodes else f"win {number - nodes}")
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise Refused(f"{reader.where} is not JSON") from None
        if number < nodes:
            found.nodes.append(reader.node(row))
        else:
            found.wins.append(reader.win(row, number - nodes))
    return found


class _Reader:
    """Checks what the parts of a line are."""

    def __init__(self, nodes: int, wins: int, squares: int) -> None:
        self.count_nodes, self.count_wins, self.squares = nodes, wins, squares
        self.where = ""

    def bad(self, what: Any) -> Refused:
        return Refused(f"{self.where} has {quoted(what)}, which makes no sense there")

    def number(self, given: Any, below: int) -> int:
        if type(given) is not int or not 0 <= given < below:
            raise self.bad(given)
        return given

    def turn(self, given: Any) -> tuple[int, ...]:
        """Different squares, one or more."""
        if not isinstance(given, list) or not given:
            raise self.bad(given)
        turn = tuple(self.number(square, self.squares) for square in given)
        if len(set(turn)) < len(turn):
            raise self.bad(given)
        return turn

    def replies(self, given: Any, below: int) -> dict[int, int]:
        """Turns, each with a number after its squares."""
        if not isinstance(given, list):
            raise self.bad(given)
        found = dict[int, int]()
        for row in given:
            if not isinstance(row, list) or len(row) < 2:
                raise self.bad(row)
            turn = sum(1 << square for square in self.turn(row[:-1]))
            if turn in found:
                raise self.bad(row)
            found[turn] = self.number(row[-1], below)
        return found

    def node(self, row: Any) -> Attack | Defence:
        names = set(row) if isinstance(row, dict) else set()
        if names == {"turn", "then"}:
            return Attack(self.turn(row["turn"]), self.number(row["then"], self.count_nodes), None)
        if names == {"win"}:
            return Attack((), None, self.number(row["win"], self.count_wins))
        if names != {"null", "seconds", "wins", "nodes"} or not isinstance(row["seconds"], dict):
            raise self.bad(row)
        seconds = dict[int, int]()
        for square, win in row["seconds"].items():
            if not square.isascii() or not square.isdecimal() or len(square) > 4:
                raise self.bad(square)
            seconds[self.number(int(square), self.squares)] = self.number(win, self.count_wins)
        return Defence(self.number(row["null"], self.count_wins), seconds,
                       self.replies(row["wins"], self.count_wins),
                       self.replies(row["nodes"], self.count_nodes))

    def win(self, row: Any, number: int) -> Win:
        if not isinstance(row, list) or not row:
            raise self.bad(row)
        return Win(self.turn(row[0]), self.replies(row[1:], number))
