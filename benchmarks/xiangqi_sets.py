r"""``python -m benchmarks.xiangqi_sets``: the sets of positions for the Xiangqi experiments.

The thesis has Red to move everywhere, so positions with Black to move are turned round: the board
by half a turn, the colours exchanged.

tactical   forced wins as ``benchmarks.tactical_suite`` found them, turned round where needed
drawn      as the thesis makes them: of each game the position at a ply that is drawn by a seed, and
           all rooks, horses, cannons and pawns taken off. Left out are positions in which the kings
           face each other, and those that came before.
level      of each game that was drawn the position at a ply that is drawn by a seed, but none of
           the first plies; that the game was drawn proves nothing about it

    zermelo match xiangqi --a pvs -n 300 --nodes 5000 --noise 10 --seed 3 --plies 6 --out xq.txt
    python -m benchmarks.tactical_suite xiangqi xq.txt --skip 6 --seed 3 --nearest 3 --furthest 15 \
        --prover pvs --nodes 1e6 --prover weak-df-pn --nodes 2e5 --wall 60 --memory 256MB \
        --out suite
    python -m benchmarks.xiangqi_sets suite/tactics.txt xq.txt --out sets --seed 3
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import zermelo
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import BadPosition
from zermelo.game_records.record import records

TAKEN_OFF = str.maketrans(dict.fromkeys("RNCPrncp", "1"))
OPENING = 20  # plies that level positions come after
DIGITS = {str(n): "1" * n for n in range(2, 10)}


def squares(rows: str) -> str:
    """The rows of a FEN with a sign for every square."""
    for digit, ones in DIGITS.items():
        rows = rows.replace(digit, ones)
    return rows


def for_red(text: str) -> str:
    """The same position with Red to move."""
    rows, side = text.split()[:2]
    return f"{squares(rows)[::-1].swapcase() if side == 'b' else rows} w"


def turned(game: Game, texts: list[str]) -> list[Position]:
    """All with Red to move, each once."""
    return list(dict.fromkeys(game.parse(for_red(text)) for text in texts))


def drawn(game: Game, file: str, seed: int, most: int) -> list[Position]:
    """Positions without anything that could give mate."""
    found: dict[Position, None] = {}
    for record in records(game, file):
        ply = random.Random(f"drawn {seed} {record.name}").randrange(len(record.positions))
        rows = squares(record.positions[ply].text.split()[0]).translate(TAKEN_OFF)
        try:
            position = game.parse(f"{rows} w")
        except BadPosition:  # the kings face each other
            continue
        if position.outcome is None:
            found.setdefault(position)
    return list(found)[:most]


def level(game: Game, file: str, seed: int, most: int) -> list[Position]:
    """Positions of games that were drawn."""
    texts = []
    for record in records(game, file):
        if record.result == "draw" and len(record.positions) > OPENING + 1:
            ply = random.Random(f"level {seed} {record.name}").randrange(
                OPENING, len(record.positions) - 1)
            texts.append(record.positions[ply].text)
    return turned(game, texts)[:most]


def main() -> None:
    """Write the sets."""
    parse = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parse.add_argument("tactics")
    parse.add_argument("games")
    parse.add_argument("--out", type=Path, required=True)
    parse.add_argument("--seed", type=int, default=0)
    parse.add_argument("--most", type=int, default=192, help="drawn and level positions")
    args = parse.parse_args()
    game = zermelo.game("xiangqi")
    args.out.mkdir(parents=True, exist_ok=True)
    lines = Path(args.tactics).read_text().splitlines()
    sets = {"tactical": turned(game, lines), "drawn": drawn(game, args.games, args.seed, args.most),
            "level": level(game, args.games, args.seed, args.most)}
    for name, positions in sets.items():
        (args.out / f"{name}.txt").write_text("".join(f"{p.text}\n" for p in positions))
        print(f"{name}: {len(positions)} positions")


if __name__ == "__main__":
    main()
