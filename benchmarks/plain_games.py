"""How much slower are games in plain Python, and where does the time go?

    python -m benchmarks.plain_games

Each game is searched by PN and by weak-df-pn, compiled and in plain Python, from its start.
Times are of the processor. *own*: the part of the time that is spent in the game's own methods: the
same calls are made again, alone. A method is asked once about a position, so that this part is
small where a search meets few different positions, as in Chomp, or is over within milliseconds. The
last line is about all games together.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import zermelo
from zermelo.games.own_file import class_in_file

ROOT = Path(__file__).parents[1]
SEARCHES = ("pn", "weak-df-pn")
METHODS = ("moves", "play", "mover", "outcome", "key")
NODES, ROUNDS = 20_000, 3


def games() -> dict[str, tuple[Any, Any]]:
    """The twins of the tests, and the example, compiled and plain."""
    sys.path.insert(0, str(ROOT / "tests"))
    from plain_games import FIVE

    example = class_in_file(str(ROOT / "examples" / "plain_connect_four.py"))
    found = {name: (make(), lambda kind=kind: zermelo.game(kind))
             for name, (make, kind, _) in FIVE.items()}
    found["connect four 5x4, the example"] = (
        zermelo.game("connect-four", columns=5, rows=4), lambda: example())
    return found


class Log:
    """The calls of a plain game's methods, to be made again."""

    def __init__(self, game: Any) -> None:
        self.calls: list[tuple[Any, Any]] = []
        source = game.store.source
        for name in METHODS:
            method = getattr(source, name)
            if method is not None:
                setattr(source, name, self.logged(method))

    def logged(self, method: Any) -> Any:
        """``method``, with what it is called with written down."""
        def ask(*given: Any) -> Any:
            self.calls.append((method, given))
            return method(*given)

        return ask

    def seconds(self) -> float:
        """What the same calls take again, without the loop around them."""
        def nothing(*given: Any) -> None:
            pass

        taken = []
        for calls in (self.calls, [(nothing, given) for _, given in self.calls]):
            began = time.process_time()
            for method, given in calls:
                method(*given)
            taken.append(time.process_time() - began)
        return taken[0] - taken[1]


def measure(game: Any, search: str) -> tuple[Any, float]:
    """The result, and the processor's seconds after everything is compiled."""
    session = zermelo.start(game.start(), search, plain=True)
    session.prepare()
    began = time.process_time()
    result = session.run(zermelo.Limits(nodes=NODES))
    return result, time.process_time() - began


def fastest(make: Any, search: str) -> tuple[Any, float]:
    """The same with the least time of several, each with a new game."""
    return min((measure(make(), search) for _ in range(ROUNDS)), key=lambda found: found[1])


def main() -> None:
    """The table."""
    print(f"{'game':32} {'search':11} {'nodes':>7} {'compiled /s':>12} {'plain /s':>9} "
          f"{'times':>6} {'own':>5}")
    own = total = 0.0
    for name, (compiled, make) in games().items():
        for search in SEARCHES:
            fast, fast_seconds = fastest(partial(lambda game: game, compiled), search)
            slow, slow_seconds = fastest(make, search)
            assert fast.value == slow.value, (name, search)
            assert fast.nodes == slow.nodes or search != "pn", name  # others may fold mirror images
            game = make()
            log = Log(game)
            measure(game, search)
            rates = [fast.nodes / max(fast_seconds, 1e-6), slow.nodes / slow_seconds]
            methods = log.seconds()
            own, total = own + methods, total + slow_seconds
            print(f"{name:32} {search:11} {slow.nodes:7,} {rates[0]:12,.0f} {rates[1]:9,.0f} "
                  f"{rates[0] / rates[1]:6.0f} {methods / slow_seconds:5.0%}", flush=True)
    print(f"{'all':32} {own / total:55.0%}")


if __name__ == "__main__":
    main()
