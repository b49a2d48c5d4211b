"""Certificates of zones made from whatever threats there are, for boards of any kind.

``everything`` gives the checker all that could persuade it: a plan after a pass, one after each
single stone, one after each turn, if a small search finds one. Whether the claim is true is not
asked here. ``zones_file`` writes any rows with a digest that fits.
"""

import json
import zlib
from dataclasses import dataclass, field
from itertools import combinations

from certificates import digested

from zermelo.proof.rules.k_in_a_row import InARowRules
from zermelo.proof.zones.threats import Attack, BoardLines, Body, Defence, ThreatWin, each, hitting

DEPTH = 3  # turns of a plan


def zones_file(header, rows, body=None):
    """A file with this header and these rows, or another body."""
    text = "".join(json.dumps(row) + "\n" for row in rows).encode() if body is None else body
    head = {**header, "bytes": len(text)} if "bytes" in header else header
    return digested(b"zermelo certificate 2\n" + json.dumps(head).encode() + b"\n\n"
                    + zlib.compress(text))


def header_of(parameters, position, winner, nodes=1, wins=0, game="k-in-a-row"):
    """The header of a certificate of zones."""
    return {"kind": "zones", "game": game, "built_in": True, "parameters": parameters,
            "players": ["X", "O"], "position": position, "wins": wins, "bytes": 0, "note": "",
            "claims": [{"player": ("first", "second")[winner], "name": "XO"[winner],
                        "claim": "wins", "nodes": nodes}]}


def taken_apart(content):
    """The header and the rows of a file."""
    text, packed = content.split(b"\n", 1)[1].split(b"\n\n", 1)
    lines = zlib.decompress(packed[:-32]).split(b"\n")
    return json.loads(text), [json.loads(line) for line in lines if line]


@dataclass
class Maker:
    """Plans of ``winner`` by a plain search of all turns."""

    rules: InARowRules
    winner: int
    wins: list = field(default_factory=list)

    def __post_init__(self):
        self.lines = BoardLines(self.rules)

    def set_up(self, state):
        for side, stones in enumerate(self.rules.stones(state)):
            self.lines.lift(self.lines.stones[side], side)
            self.lines.put(stones, side)

    def plan(self, left, depth=DEPTH):
        """The number of a plan where the winner moves; None if there is none."""
        lines, me = self.lines, self.winner
        for line in lines.open(me, min(left, lines.per_turn + 2)):
            return self.number(tuple(each(lines.lacking(line, me))), {})
        if depth == 1:
            return None
        for turn in combinations(each(lines.empty), left):
            squares = sum(1 << s for s in turn)
            lines.put(squares, me)
            stops = self.stops(depth)
            lines.lift(squares, me)
            if stops is not None:
                return self.number(turn, stops)
        return None

    def stops(self, depth):
        lines, me, per_turn = self.lines, self.winner, self.lines.per_turn
        threats = [lines.lacking(line, me) for line in lines.open(me, per_turn)]
        replies = hitting(threats, per_turn)
        if not threats or lines.open(1 - me, per_turn) or any(
                reply.bit_count() < per_turn for reply in replies):
            return None
        found = {}
        for reply in replies:
            lines.put(reply, 1 - me)
            found[reply] = self.plan(per_turn, depth - 1)
            lines.lift(reply, 1 - me)
            if found[reply] is None:
                return None
        return found

    def number(self, turn, stops):
        self.wins.append(ThreatWin(turn, stops))
        return len(self.wins) - 1

    def everything(self, state):
        """The body that says most; None if there is no plan to begin with."""
        self.set_up(state)
        left, lines = state[3], self.lines
        if state[2] == self.winner:
            win = self.plan(left)
            return None if win is None else Body([Attack((), None, win)], self.wins)
        null = self.plan(lines.per_turn)
        if null is None:
            return None
        other, seconds, wins = 1 - self.winner, {}, {}
        for size in (1, min(left, lines.empty.bit_count())):
            for turn in combinations(each(lines.empty), size):
                squares = sum(1 << s for s in turn)
                lines.put(squares, other)
                win = None if lines.open(other, 0) else self.plan(lines.per_turn)
                lines.lift(squares, other)
                if win is not None and size == 1:
                    seconds[turn[0]] = win
                if win is not None:
                    wins[squares] = win
        return Body([Defence(null, seconds, wins, {})], self.wins)


def random_parameters(rng):
    """A small board of any kind; sometimes with turns that zones are not for."""
    columns, rows = rng.choice([(n, 1) for n in range(6, 19)] + [(3, 3), (4, 3), (4, 4), (5, 3),
                                                                 (5, 5), (6, 2), (2, 7)])
    return {"columns": columns, "rows": rows, "line": rng.randint(2, min(4, max(columns, rows))),
            "stones": rng.choice((1, 1, 1, 2, 2, 2, 2, 3)), "first": rng.choice((1, 1, 2, 2, 3)),
            "overline": rng.choice(("wins", "no-win"))}


def random_text(parameters, rng, winner, most_empty=8):
    """A position, finished or not, with few empty squares and many stones of ``winner``."""
    columns, cells = parameters["columns"], parameters["columns"] * parameters["rows"]
    empty = rng.randint(1, min(most_empty, cells))
    share = rng.choice((0.35, 0.5, 0.65, 0.8))
    marks = ["XO"[(rng.random() < share) == winner] for _ in range(cells - empty)] + ["."] * empty
    rng.shuffle(marks)
    board = "/".join("".join(marks[i : i + columns]) for i in range(0, cells, columns))
    several = (parameters["stones"], parameters["first"]) != (1, 1)
    left = rng.randint(1, max(parameters["stones"], parameters["first"])) if several else ""
    return f"{board} {rng.choice('XO')}{left}"


def mutated(body, rng):
    """The same without some of what it says, or with other squares and numbers."""
    node, wins = body.nodes[0], list(body.wins)
    kind = rng.randrange(4)
    if isinstance(node, Defence) and kind < 2:
        drop = {key for key in node.wins if rng.random() < 0.3}
        seconds = {s: win for s, win in node.seconds.items() if rng.random() < 0.7}
        node = Defence(node.null, seconds if kind else node.seconds,
                       {key: win for key, win in node.wins.items() if key not in drop}, {})
    elif kind == 2:
        at = rng.randrange(len(wins))
        stops = {key: win for key, win in wins[at].stops.items() if rng.random() < 0.7}
        wins[at] = ThreatWin(wins[at].turn, stops)
    else:
        at = rng.randrange(len(wins))
        turn = tuple(dict.fromkeys(rng.randrange(18) for _ in wins[at].turn))
        wins[at] = ThreatWin(turn, wins[rng.randrange(len(wins))].stops if at else {})
    return Body([node], wins)
