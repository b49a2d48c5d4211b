"""How fast is one game, brought in each of the ways that there are?

    python -m benchmarks.four_ways

Connect Four with 5 columns and 4 rows from the empty board, asked whether the first player wins:
compiled, in plain Python (examples/plain_connect_four.py), by OpenSpiel, and as an AND/OR problem
whose nodes are the states of the plain game. Nodes a second of processor time, the best of three
runs, each with nothing kept from the one before.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import zermelo
from zermelo.core.game import Game
from zermelo.core.object_game import class_in_file, game_of
from zermelo.games.open_spiel import plain_of

EXAMPLE = Path(__file__).parents[1] / "examples" / "plain_connect_four.py"
SPIEL = "connect_four(rows=4,columns=5)"
SEARCHES = ("pn", "weak-df-pn")
NODES, ROUNDS = 60_000, 3


def by_game(make: Callable[[], Game], search: str) -> tuple[int, float]:
    """Nodes and seconds of a search of a game."""
    session = zermelo.start(make().start(), search, goal="win", plain=True)
    session.prepare()
    began = time.process_time()
    result = session.run(zermelo.Limits(nodes=NODES))
    return result.nodes, time.process_time() - began


def by_problem(search: str) -> tuple[int, float]:
    """The same of the problem: the first player needs one move, the second must be met in all."""
    plain = class_in_file(str(EXAMPLE)).kind()

    def expand(state: Any) -> Any:
        end = plain.outcome(state)
        if end is not None:
            return "solved" if end == "first" else "dead"
        after = [plain.play(state, move) for move in plain.moves(state)]
        return "any" if plain.mover(state) == 0 else "all", after

    session = zermelo.problem(plain.start(), expand).start(search)
    began = time.process_time()
    result = session.run(zermelo.Limits(nodes=NODES))
    return result.nodes, time.process_time() - began


def new_game(make: Callable[[], Any]) -> Game:
    """A game with an empty store: equal ones share theirs otherwise."""
    plain = make()
    return type(game_of(plain))(**plain.values)


def ways() -> dict[str, Callable[[str], tuple[int, float]]]:
    """Each way as a function of the search."""
    kind = class_in_file(str(EXAMPLE)).kind
    return {
        "compiled": lambda search: by_game(
            lambda: zermelo.game("connect-four", columns=5, rows=4), search),
        "plain Python": lambda search: by_game(lambda: new_game(kind), search),
        "OpenSpiel, histories": lambda search: by_game(
            lambda: new_game(lambda: plain_of(SPIEL, "history")), search),
        "OpenSpiel, key=observation": lambda search: by_game(
            lambda: new_game(lambda: plain_of(SPIEL, "observation")), search),
        "problem": by_problem,
    }


def main() -> None:
    """The table."""
    print(f"{'way':28}" + "".join(f"{search:>16}" for search in SEARCHES))
    for name, way in ways().items():
        rates = []
        for search in SEARCHES:
            nodes, seconds = min((way(search) for _ in range(ROUNDS)), key=lambda found: found[1])
            rates.append(f"{nodes / max(seconds, 1e-6):16,.0f}")
        print(f"{name:28}{''.join(rates)}", flush=True)


if __name__ == "__main__":
    main()
