"""Texts for parsers: valid ones of every notation, and what chance makes of them."""

import random
from collections.abc import Sequence
from functools import cache

import zermelo
from benchmarks.soak.games import CHOMP, game_of, walked

ODD = ["\0", "\t", "\n", "\r", "\x0b", "\x1b", "\x85", "\u2028", "\ufeff", "\ud800", "\u0130",
       "\u0131", "\u00df", "\ufb01", "\uff11", "\u00b2", "\u0663", "\u2163", "\u00e9", "e\u0301",
       "\u70ae", "\u5e73", "\U0001f44d", "\u202e", "'", '"', "\\", "%", "{}"]
PLAIN = "abcdefghijklmnopqrstuvwxyzABCXOZ0123456789 .,;:-+/*#=[]()xo_"
NUMBERS = ["0", "-1", "1", "00", "99", "1e9", "1e400", "nan", "inf", "0x10", "1_0", "9" * 25,
           str(2**63), str(2**64), "-0.0", ".5", "9" * 5000]
LONG = [1_000, 5_000, 20_000, 100_000]  # characters; what takes its square shows there

# Game, parameters, and texts beyond those that are made from random games.
GAMES: dict[str, tuple[str, dict[str, object], list[str]]] = {
    "connect-four": ("connect-four", {}, ["444444", "start", "4 4 4", "." * 42 + " X"]),
    "connect-four 4x4": ("connect-four", {"columns": 4, "rows": 4}, ["1234"]),
    "othello": ("othello", {}, ["f5d6c3", "f5 d6", "-" * 27 + "OX------XO" + "-" * 27 + " X"]),
    "hex": ("hex", {}, ["11x11: a1 b2", "#11,a3b4", "https://hexworld.org/board/#11c1,a3b4:pb",
                        "a1 swap-pieces b2", "(;FF[4]GM[11]SZ[11];B[a3];W[swap-pieces])",
                        "(;GM[11]SZ[11];B[ca];W[dd])", "a1 b2 resign", "3x3: ...",
                        "3x3:X../.O./..X"]),
    "hex, swap": ("hex", {"size": 5, "swap": "yes"}, ["a2 swap-pieces c3", "#5c1,a2:sc3",
                                                      ".O.../...../..X../...../..... O",
                                                      ";W[ab];B[swap];W[cc]", "a2 swap-sides c3"]),
    "tic-tac-toe": ("tic-tac-toe", {}, ["a1 b2 c3", "X../.O./..X X", "start"]),
    "two stones": ("k-in-a-row", {"columns": 6, "rows": 5, "line": 4, "stones": 2},
                   ["a1 b2c3 d4e5", "a1 b2"]),
    "connect6": ("connect6", {}, ["j10 i9m10 h12j12 k9j9", "(;GM[511]SZ[19];B[j10];W[i9m10])"]),
    "gomoku": ("gomoku", {}, ["h8 a1 i8", "(;GM[4]SZ[15];B[hh];W[aa])"]),
    "lines-of-action": ("lines-of-action", {}, [
        "d8-b6 h6xf8 c8-e6", "(;FF[4]GM[9]SZ[8];B[b1-b3];W[a2-c2])", "b1b3 a2:c2", "pass"]),
    "xiangqi": ("xiangqi", {}, ["h2e2 h9g7", "position startpos moves h2e2", "C2.5 H8+7",
                                "1. h2e2 h9g7 2. h0g2", "炮二平五 马8进7",
                                "fen 4k4/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1"]),
    "xiangqi, Chinese": ("xiangqi", {"dialect": "chinese"}, ["炮二平五", "兵七进一"]),
    "p-game": ("p-game", {}, ["start", "path=0.1.0", "seed=3;path=0"]),
    "chomp": (CHOMP, {}, ["4x3", "4,4,2 second", "8,8,8,8 first"]),
}


@cache
def graph() -> zermelo.Game:
    """A small graph."""
    return zermelo.graph({"root": ("or", ["a b", "1"]), "a b": ("and", ["root", "1"]), "1": "win"})


@cache
def game(name: str) -> zermelo.Game:
    """One of GAMES, or the graph."""
    if name == "graph":
        return graph()
    id, parameters, _ = GAMES[name]
    return game_of(id, **parameters)


@cache
def played(name: str) -> list[zermelo.Position]:
    """Positions of random games."""
    rng = random.Random(name)
    lengths = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55)
    return [walked(game(name).start(), rng, moves) for moves in lengths]


def names_of(position: zermelo.Position) -> list[str]:
    """The moves that led to a position."""
    at, names = position.origin, []
    for code in position.played:
        names.append(at.game.move_name(at, code))
        at = at.play_code(code)
    return names


def open_position(name: str) -> zermelo.Position:
    """A position near the start with moves to choose from."""
    return max(played(name)[:4], key=lambda position: len(position.codes()))


@cache
def positions(name: str) -> list[str]:
    """Valid texts of positions."""
    made = []
    for position in played(name):
        names = names_of(position)
        made += [position.text, " ".join(names), "".join(names), ",".join(names),
                 f"{position.text} {position.to_move}"]
        sgf = position.game.sgf_moves(position)
        if sgf:
            made.append(f"(;FF[4]{sgf})")
    return [text for text in [*made, *(GAMES[name][2] if name in GAMES else [])] if text]


@cache
def moves(name: str) -> list[str]:
    """Names of moves."""
    return sorted({move for position in played(name) for move in position.moves()[:12]})


@cache
def files(name: str) -> list[str]:
    """Record files: a game a line, with and without a result, and SGF collections."""
    rows = [" ".join(names_of(position)) or "start" for position in played(name)]
    trees = [f"(;FF[4]GN[g{i}]RE[B+]{sgf})" for i, position in enumerate(played(name))
             if (sgf := position.game.sgf_moves(position))]
    lines = [f"id{i} {result} {row}" for i, (row, result) in enumerate(
        zip(rows, ["1-0", "0-1", "*", "1/2-1/2"] * 3, strict=False))]
    begun = [f"x * [{position.text}] {' '.join(position.moves()[:1])}" for position in played(name)]
    return ["\n".join(rows[:4]), "\n".join(lines), "# a comment\n" + lines[2], *begun,
            "\n".join(trees) or rows[1], *trees, *rows]


def piece(rng: random.Random, seeds: Sequence[str]) -> str:
    """A short text to put somewhere."""
    kind = rng.random()
    if kind < 0.5:
        return rng.choice(PLAIN)
    if kind < 0.7:
        return rng.choice(ODD)
    if kind < 0.8:
        return rng.choice(NUMBERS)
    if kind < 0.9:
        return chr(rng.randrange(0x3000))
    other = rng.choice(seeds)
    at = rng.randrange(len(other) + 1)
    return other[at : at + rng.randint(1, 12)]


def mutated(rng: random.Random, seeds: Sequence[str]) -> str:
    """One of ``seeds`` after a few chance changes; or a text of chance characters."""
    if rng.random() < 0.04:
        return "".join(piece(rng, seeds) for _ in range(rng.randint(0, 30)))
    text = rng.choice(seeds)
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 6])):
        at, end = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
        kind = rng.randrange(9)
        if kind <= 1:
            text = text[:at] + piece(rng, seeds) + text[at:]
        elif kind <= 3:
            text = text[:at] + piece(rng, seeds) + text[at + 1 :]
        elif kind == 4:
            text = text[:at] + text[at + 1 :]
        elif kind == 5:
            text = text[:at] + text[end:]
        elif kind == 6:
            text = text[:end] + text[at:]
        elif kind == 7:
            text = text[:at] + text[at:end].swapcase() + text[end:]
        else:
            text = text[at:end]
    if rng.random() < 0.003 and text:
        at = rng.randrange(len(text))
        part = text[at : at + rng.choice([1, 1, 2, 4, 10])]
        text = text[:at] + part * (rng.choice(LONG) // len(part)) + text[at:]
    return text
