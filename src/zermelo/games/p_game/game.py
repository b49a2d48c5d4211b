"""P-game trees: random game trees of one shape, after Kocsis & Szepesvari (2006).

Every node has ``branching`` moves and every game ends after ``depth`` of them. MAX moves first and
at every even depth. A move of MAX is worth something in 0..range, a move of MIN in -range..0, all
values equally likely. The sum along the path decides: positive MAX wins, negative MIN wins, 0 is a
draw (Song 2019, section 5.4).

No tree is ever stored. Nodes are numbered level by level: the root is 0, move i of node n leads to
node ``branching * n + 1 + i``. Generator 1 draws the value of the move into node n from the word

    h(n) = mix(w ^ mix(n)),    w = mix(seed ^ mix(1)),    value = ((h >> 32) * (range + 1)) >> 32

with ``mix`` the finaliser of SplitMix64, a bijection of 64-bit words; MIN's value is negated. The
1 in w is the generator's number. ``depth`` and ``range`` do not enter h: a deeper tree with the
same seed begins with the shallower one.
"""

from __future__ import annotations

import re
from math import hypot
from typing import ClassVar, NamedTuple

import numpy as np

from zermelo.core import svg
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Parameter, Rules
from zermelo.core.svg import Spot
from zermelo.errors import BadMove, BadOption, BadPosition, quoted
from zermelo.kernel.bits import ONE, mix, word
from zermelo.kernel.rng import next_counter

NARROW = 8  # trees with up to this many moves per node have one bound, and so one kernel
MOST_NODES = 1 << 63
FIELDS = {"b": "branching", "d": "depth"}
DRAWN = re.compile(r"depth [0-9]{1,4} of ([0-9]{1,4}), sum ([-+][0-9]{1,9}), at "
                   r"(the root|[0-9.]{1,400})(?=\s|$)", re.ASCII)


class RandomTree(NamedTuple):
    """A tree for the rules; ``span`` is range + 1."""

    word: np.uint64
    branching: int
    depth: int
    span: np.uint64


class PGame(Game):
    """MAX adds, MIN subtracts; the sign of the sum after the last move decides."""

    name = "p-game"
    players = ("MAX", "MIN")
    steady = False
    parameters: ClassVar[dict[str, Parameter]] = {
        "branching": Parameter(2, "moves of every node", low=2, high=1024, kind="data"),
        "depth": Parameter(20, "moves of every game", low=1, high=62, kind="data"),
        "range": Parameter(127, "largest value of a move", low=1, high=65535, kind="data"),
        "seed": Parameter(0, "which of the random trees", low=0, high=2**64 - 1, kind="data"),
        "generator": Parameter(1, "version of the formula behind the values", low=1, high=1,
                               kind="data"),
    }

    def check_parameters(self) -> None:
        """A tree may have at most 2^63 nodes."""
        branching, depth = self["branching"], self["depth"]
        if (branching ** (depth + 1) - 1) // (branching - 1) > MOST_NODES:
            deepest = depth
            while (branching ** (deepest + 1) - 1) // (branching - 1) > MOST_NODES:
                deepest -= 1
            raise BadOption(
                f"p-game: branching={branching} with depth={depth} has more than 2^63 nodes; with "
                f"this branching depth may be at most {deepest}."
            )

    def define(self) -> Rules:
        """The rules; nothing of a tree is a constant of the code, so all trees share one kernel."""

        def hashed(g, node):
            return mix(g.word ^ mix(node))

        def value(g, node):
            return np.int64(((hashed(g, node) >> word(32)) * g.span) >> word(32))

        def moves(g, s, out):
            for i in range(g.branching):
                out[i] = i
            return g.branching

        def play(g, s, move, t):
            child = s.node * word(g.branching) + ONE + word(move)
            t.node = child
            gain = value(g, child)
            t.total = s.total - gain if s.depth & 1 else s.total + gain
            t.depth = s.depth + 1

        def mover(g, s):
            return s.depth & 1

        def result(total):
            if total == 0:
                return DRAW
            return FIRST_WINS if total > 0 else SECOND_WINS

        def outcome(g, s):
            return ONGOING if s.depth < g.depth else result(s.total)

        def remaining(g, s):
            return g.depth - s.depth

        def key(g, s):
            # Exact: the number of a node says all about it, and h is a bijection.
            return hashed(g, s.node)

        def playout(g, s, rng, scratch):
            node, total, x = s.node, np.int64(s.total), rng[0]
            n = word(g.branching)
            for depth in range(s.depth, g.depth):
                x = next_counter(x)
                node = node * n + ONE + (((mix(x) >> word(32)) * n) >> word(32))
                gain = value(g, node)
                total += -gain if depth & 1 else gain
            rng[0] = x
            return result(total)

        seed_word = mix(self["seed"] ^ int(mix(self["generator"])))
        return Rules(
            state=[("node", "u8"), ("total", "i4"), ("depth", "i4")],
            max_moves=max(self["branching"], NARROW), max_length=self["depth"], moves=moves,
            play=play, mover=mover, outcome=outcome, key=key, exact_key=True, playout=playout,
            remaining=remaining,
            data=RandomTree(seed_word, self["branching"], self["depth"], word(self["range"] + 1)),
        )

    def read(self, text: str) -> Position:
        """``b=2,d=20,range=127,seed=42,generator=1,path=0.1.1``; what is left out is this game's.

        A text that names another tree gives a position of that tree.
        """
        drawn = DRAWN.match(text)
        if drawn:
            return self._from_diagram(drawn)
        given: dict[str, str] = {}
        for part in "".join(text.split()).split(","):
            name, equals, value = part.partition("=")
            name = FIELDS.get(name, name)
            if not equals or name not in (*self.parameters, "path"):
                raise BadPosition(
                    f"p-game: {quoted(part)} in {quoted(text)} is not one of b=, d=, range=, "
                    "seed=, generator= and path= (moves joined by dots, such as path=0.1.1)."
                )
            if name in given:
                raise BadPosition(f"p-game: {quoted(text)} gives {name} twice.")
            given[name] = value
        path = given.pop("path", "")
        try:
            game = type(self)(**{**self.values, **given})
        except BadOption as error:
            reason = str(error).removeprefix("p-game: ")
            raise BadPosition(f"p-game: {quoted(text)} names no tree: {reason}") from None
        if game.values == self.values:
            game = self
        return game.play_all(game.start(), path.split(".") if path else []).read_as("path")

    def _from_diagram(self, drawn: re.Match[str]) -> Position:
        """Return what ``diagram`` draws says how far the game is, but not in which tree: in this
        one."""
        path = [] if drawn[3] == "the root" else drawn[3].split(".")
        position = self.play_all(self.start(), path).read_as("diagram")
        if int(drawn[1]) != self["depth"] or int(drawn[2]) != int(position.state[0]["total"]):
            raise BadPosition(
                f"p-game: {quoted(drawn[0])} is not of this tree, where the sum there is "
                f"{int(position.state[0]['total']):+d} and the depth is {self['depth']}."
            )
        return position

    def format(self, position: Position) -> str:
        """The name of the tree, and the path from its root."""
        values = self.values
        name = (f"b={values['branching']},d={values['depth']},range={values['range']},"
                f"seed={values['seed']},generator={values['generator']}")
        path = ".".join(str(move) for move in self.path(position))
        return f"{name},path={path}" if path else name

    def path(self, position: Position) -> list[int]:
        """The moves from the root to ``position``."""
        node, moves = int(position.state[0]["node"]), []
        while node:
            node, move = divmod(node - 1, self["branching"])
            moves.append(move)
        return moves[::-1]

    def parse_move(self, position: Position, text: str) -> int:
        """Moves are numbers from 0."""
        number = text.strip()
        if number.isascii() and number.isdigit() and len(number) <= 4:
            code = int(number)
            if str(code) == number and code < self["branching"]:
                return code
        raise BadMove(
            f"{quoted(text)} is not a legal move here; legal: 0 to {self['branching'] - 1}."
        )

    def move_values(self, position: Position) -> list[int]:
        """Return what each legal move adds to the sum."""
        total = int(position.state[0]["total"])
        step = self.board.step
        return [int(step(position.state, m)[0]["total"]) - total for m in position.codes()]

    def diagram(self, position: Position) -> str:
        """Return where the game stands, and the value of every move from here."""
        state = position.state[0]
        path = ".".join(str(move) for move in self.path(position)) or "the root"
        lines = [f"depth {state['depth']} of {self['depth']}, sum {state['total']:+d}, at {path}"]
        if position.outcome is not None:
            verdict = {"first": "MAX wins", "second": "MIN wins", "draw": "a draw"}
            return f"{lines[0]}\n{verdict[position.outcome]}"
        values = self.move_values(position)
        lines.append(f"{position.to_move} to move; move and value:")
        lines += [f"{move:>4} {value:+5d}" for move, value in enumerate(values[:SHOWN_MOVES])]
        if len(values) > SHOWN_MOVES:
            lines.append(f" ... {len(values) - SHOWN_MOVES} more")
        return "\n".join(lines)

    def svg(self, position: Position) -> str:
        """The last levels of the path and the moves from here: squares are MAX, discs MIN.

        A click on a branch from here is a move.
        """
        at, path = self._shown(position)
        x, y = WIDTH / 2, TOP
        lines: list[str] = []
        nodes = [_node(at, x, y, True)]
        places: dict[str, Spot] = {}
        for chosen in [*path, None]:
            spots = _row(len(at.codes()), chosen, x)
            values = self.move_values(at)
            for move, spot in spots.items():
                taken = move == chosen
                lines.append(_branch(x, y, spot, taken))
                nodes.append(_value(x, y, spot, values[move]))
                nodes.append(_node(at.play_code(move), spot, y + LEVEL, taken))
                if chosen is None:
                    places[str(move)] = (spot, y + LEVEL / 2 + 14)
            if chosen is not None:
                at, x, y = at.play_code(chosen), spots[chosen], y + LEVEL
        bottom = y + (24 if position.outcome is not None else LEVEL + 24)
        areas = svg.areas(places, _step(len(places)), LEVEL + 4)
        return svg.page(WIDTH, bottom, [*lines, *nodes, areas])

    def spots(self, position: Position, move: int) -> list[Spot]:
        """The node after the move, where it is drawn: of many moves, the first ones."""
        x, y = WIDTH / 2, TOP
        for chosen in self.path(position)[-SHOWN_LEVELS:]:
            x, y = _row(self["branching"], chosen, x)[chosen], y + LEVEL
        row = _row(len(position.codes()), None, x)
        return [(row[move], y + LEVEL)] if move in row else []

    def _shown(self, position: Position) -> tuple[Position, list[int]]:
        """The highest node that is drawn, and the path from there."""
        path = self.path(position)
        first = max(0, len(path) - SHOWN_LEVELS)
        return self.play_all(self.start(), map(str, path[:first])), path[first:]

    def notations(self, position: Position) -> list[tuple[str, str]]:
        """The tree and the path."""
        return [("path", self.format(position))]


SHOWN_MOVES, SHOWN_LEVELS = 8, 5
WIDTH, TOP, LEVEL, WIDEST = 400.0, 24.0, 64.0, 110.0
PATH, BRANCH = "#c8443c", "#8d939c"
ENDS = {"first": svg.STONES["red"], "second": svg.STONES["blue"], "draw": "#9aa0a8"}


def _step(shown: int) -> float:
    return min(WIDEST, (WIDTH - 40) / max(1, shown))


def _row(moves: int, chosen: int | None, x: float) -> dict[int, float]:
    """Return which children are drawn, and where: the first few, and always the chosen one."""
    shown = list(range(min(moves, SHOWN_MOVES)))
    if chosen is not None and chosen >= SHOWN_MOVES:
        shown[-1] = chosen
    step = _step(len(shown))
    span = step * (len(shown) - 1)
    left = min(max(20.0, x - span / 2), WIDTH - 20 - span)
    return {move: left + step * i for i, move in enumerate(shown)}


def _branch(x: float, y: float, to: float, taken: bool) -> str:
    """A line from node to node, which ends at their rims."""
    length = hypot(to - x, LEVEL)
    dx, dy = 8 * (to - x) / length, 8 * LEVEL / length
    return svg.line(x + dx, y + dy, to - dx, y + LEVEL - dy, PATH if taken else BRANCH,
                    3 if taken else 1.25)


def _value(x: float, y: float, to: float, value: int) -> str:
    """Return what a branch is worth, beside it, where branches are apart."""
    aside = 15 if to >= x else -15
    return svg.label(x + 0.55 * (to - x) + aside, y + 0.55 * LEVEL, f"{value:+d}", 11)


def _node(position: Position, x: float, y: float, on_path: bool) -> str:
    """A node: the colour tells a finished game's winner, the path is filled."""
    fill = ENDS.get(position.outcome or "", "currentColor" if on_path else "none")
    if position.mover == 0:
        return svg.rectangle(x - 7, y - 7, 14, 14, fill, "currentColor")
    return svg.disc(x, y, 8, fill, "currentColor")
