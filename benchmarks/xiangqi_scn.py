"""Do RSCN, SCN, PCN and the value tell won positions of Xiangqi from drawn ones? Song 2019, 4.3.

    ZERMELO_DATA=... python -m benchmarks.xiangqi_scn [depth] [positions] [T]

Won: the classical compositions of xiangqi/continuous_check_mates.txt, along their mating lines.
Drawn: random positions with kings, advisors and elephants only, played on by the search itself.
Prints, for Red, the range of each number and the area under the ROC curve: 1 if every won position
is on its side of every drawn one, 0.5 for a coin. Each pair of sides is counted once. A first look,
at a small depth, with the thresholds of the thesis; nothing was chosen by it.
"""

import os
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import zermelo
from zermelo import rscn
from zermelo.errors import ZermeloError

GUARDS = {"a": ("d9", "f9", "e8", "d7", "f7"), "b": ("c9", "g9", "a7", "e7", "i7", "c5", "g5")}
PALACE = [f"{file}{rank}" for file in "def" for rank in (9, 8, 7)]
PLIES = 8  # of a drawn game
# Which way is good for Red. The last: how many moves Red has more than Black, for comparison.
SIGNS = {"RSCN": -1, "SCN, first position": -1, "Vl": 1, "odds, relative": 1,
         "odds, first position": 1, "moves, relative": 1}


def compositions(game, count):
    """(start, moves of the mating line)."""
    lines = Path(os.environ["ZERMELO_DATA"], "xiangqi", "continuous_check_mates.txt").read_text()
    rows = [line.split("\t") for line in lines.splitlines() if not line.startswith("#")]
    return [(game.parse(row[1]), row[3].split()) for row in rows[:count]]


def drawn(game, count):
    """Random positions without rooks, horses, cannons and pawns, Red to move, not in check."""
    rng, found = random.Random(0), []
    while len(found) < count:
        board = {}
        for red in (True, False):
            wanted = {"k": rng.choice(PALACE)}
            for kind, squares in GUARDS.items():
                for square in rng.sample(squares, rng.randint(0, 2)):
                    wanted[kind + square] = square
            for kind, square in wanted.items():
                at = square[0] + str(9 - int(square[1])) if red else square
                board.setdefault(at, kind[0].upper() if red else kind[0])
        rows = ["".join(board.get(f"{file}{rank}", "1") for file in "abcdefghi")
                for rank in range(9, -1, -1)]
        try:
            position = game.parse("/".join(rows) + " w")
        except ZermeloError:
            continue
        if position.outcome is None and "".join(sorted(board.values())).count("k") == 1:
            found.append(position)
    return found


def curves_of_line(start, moves, T, depth):
    """The curves of the positions of a line, and of the one in which it ends."""
    positions = [start]
    for move in moves:
        positions.append(positions[-1].play(move))
    return [zermelo.scn(position, T, depth) for position in positions]


def numbers(curves):
    """Red's numbers of a game, averaged; SCN and the chance also of the first position alone."""
    movers = [curve.position.mover for curve in curves]
    of_game = rscn.of_game(curves)
    odds = rscn.relative([rscn.odds_reading(curve) for curve in curves], movers)
    moves = rscn.relative([float(len(curve.position.codes())) for curve in curves], movers)
    return {
        "RSCN": of_game["rscn"][0], "SCN, first position": rscn.scn_reading(curves[0]),
        "Vl": of_game["vl"][0], "odds, relative": rscn.of_side(odds, movers, 0),
        "odds, first position": rscn.odds_reading(curves[0]),
        "moves, relative": rscn.of_side(moves, movers, 0),
    }


def area(wins, draws, sign):
    """The chance that a won position has a larger number than a drawn one, times ``sign``."""
    pairs = [(sign * w > sign * d) + 0.5 * (w == d) for w in wins for d in draws]
    return sum(pairs) / len(pairs)


def main():
    given = sys.argv[1:]
    depth, count, T = (int(word) for word in given + ["5", "96", "600"][len(given):])
    game = zermelo.game("xiangqi")
    began = time.process_time()
    zermelo.scn(game.start(), T, 1)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        won = list(pool.map(lambda pair: numbers(curves_of_line(*pair, T, depth)),
                            compositions(game, count)))
        level = list(pool.map(lambda start: numbers(rscn.self_play(start, T, depth, PLIES)),
                              drawn(game, count)))
    print(f"{len(won)} won, {len(level)} drawn, T={T}, depth {depth}, "
          f"{time.process_time() - began:.0f} CPU s")
    for name, sign in SIGNS.items():
        sides = [[row[name] for row in rows if row[name] is not None] for rows in (won, level)]
        told = " | ".join(f"{label} {len(side)} in [{min(side):.1f}, {max(side):.1f}]"
                          for label, side in zip(("won", "drawn"), sides, strict=True) if side)
        print(f"{name:20} {told} | area {area(*sides, sign) if all(sides) else float('nan'):.3f}")


if __name__ == "__main__":
    main()
