"""How much slower are games in plain Python, and where does the time go?

    python -m benchmarks.plain_games [GAME ...]

Each game is searched by PN and by weak-df-pn, compiled and in plain Python, from its start; those
whose run is over within milliseconds also at a larger size. Times are of the processor, the least
of several runs, each with a new game. They are taken apart by doing the parts again, alone:

own     the game's own methods: the calls that were made, made again
kept    what they take more if what they return is kept, as in a search: new states take new memory
store   what is around them in Python, where states are told apart and get numbers, and answers are
        checked: what the search asked, asked again, less the methods
search  the same search with a store that knows all answers: compiled code, and what begins and
        ends a session, which is most of a run of a few milliseconds
calls   what is left: from compiled code into Python and back

A method is asked once about a position and a move. ``asked`` is how many positions the store has;
where it is far below the number of nodes, a search meets the same positions again and again, and
the methods have little to do. ``half``: whether they, without what is kept, have at least half of
the time. Parts are measured one after the other, so on a busy machine they do not add up.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import zermelo
from zermelo.core.objects import Store
from zermelo.games.own_file import class_in_file

ROOT = Path(__file__).parents[1]
SEARCHES = ("pn", "weak-df-pn")
METHODS = ("moves", "play", "mover", "outcome", "key")
NODES = 20_000
ROUNDS, LEAST_SECONDS, MOST_ROUNDS = 3, 0.2, 40
Make = Callable[[], Any]


def games() -> dict[str, tuple[Make, Make]]:
    """Where a search begins, compiled and plain: the twins of the tests, larger ones, and the
    example."""
    sys.path.insert(0, str(ROOT / "tests"))
    from naive.hex import NaiveHex
    from plain_games import FIVE, PlainChomp, compiled_chomp, plain

    example = class_in_file(str(ROOT / "examples" / "plain_connect_four.py"))
    hex_4x4 = plain("PlainHex4", NaiveHex, size=4)
    found: dict[str, tuple[Make, Make]] = {
        name: (lambda make=make: make().start(), lambda kind=kind: zermelo.game(kind).start())
        for name, (make, kind, _) in FIVE.items()}
    found["chomp 6x5"] = (lambda: compiled_chomp().parse("6x5"),
                          lambda: zermelo.game(PlainChomp).with_state(((6,) * 5, 0)))
    found["hex 4x4"] = (lambda: zermelo.game("hex", size=4).start(),
                        lambda: zermelo.game(hex_4x4).start())
    found["connect four 5x4, the example"] = (
        lambda: zermelo.game("connect-four", columns=5, rows=4).start(),
        lambda: zermelo.game(example).start())
    return found


class Run(NamedTuple):
    """A search: its result, and the processor's seconds after everything is compiled."""

    result: Any
    seconds: float


def run(position: Any, search: str) -> Run:
    """Search from a position."""
    session = zermelo.start(position, search, plain=True)
    session.prepare()
    began = time.process_time()
    result = session.run(zermelo.Limits(nodes=NODES))
    return Run(result, time.process_time() - began)


def fastest(once: Callable[[], Run]) -> Run:
    """The least of several; more of them where they are short."""
    runs, spent = [], 0.0
    while len(runs) < ROUNDS or (spent < LEAST_SECONDS and len(runs) < MOST_ROUNDS):
        runs.append(once())
        spent += runs[-1].seconds
    return min(runs, key=lambda one: one.seconds)


class Log:
    """The calls of a function, to be made again."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, tuple[Any, ...]]] = []

    def logged(self, function: Any) -> Any:
        """``function``, with what it is called with written down."""
        def ask(*given: Any) -> Any:
            self.calls.append((function, given))
            return function(*given)

        return ask

    def seconds(self, keep: bool = False) -> float:
        """What the same calls take again, without the loop around them; what they return is kept
        until the end, or not."""
        def nothing(*given: Any) -> None:
            pass

        taken = []
        for calls in (self.calls, [(nothing, given) for _, given in self.calls]):
            kept: list[Any] = []
            began = time.process_time()
            for function, given in calls:
                found = function(*given)
                if keep:
                    kept.append(found)
            taken.append(time.process_time() - began)
        return max(0.0, taken[0] - taken[1])


def own_seconds(make: Make, search: str, keep: bool) -> float:
    """What the methods take that a search asks."""
    position, log = make(), Log()
    source = position.game.store.source
    for name in METHODS:
        if getattr(source, name) is not None:
            setattr(source, name, log.logged(getattr(source, name)))
    run(position, search)
    return log.seconds(keep)


def asked_seconds(make: Make, search: str) -> float:
    """What the store takes with all that a search asks, its methods included."""
    log, answer = Log(), Store.answer
    Store.answer = lambda self, *given: log.logged(answer.__get__(self))(*given)  # type: ignore
    try:
        run(make(), search)
    finally:
        Store.answer = answer  # type: ignore[method-assign]
    fresh = make().game.store
    log.calls = [(fresh.answer, given) for _, given in log.calls]
    return log.seconds()


def again(make: Make, search: str) -> Run:
    """The same search when the store knows all it asks."""
    position = make()
    run(position, search)
    return fastest(lambda: run(position, search))


def least(measure: Callable[[], float], rough: float) -> float:
    """The least of as many measurements as ``fastest`` makes of runs that take so long."""
    rounds = max(ROUNDS, min(MOST_ROUNDS, int(LEAST_SECONDS / max(rough, 1e-6))))
    return min(measure() for _ in range(rounds))


def show(name: str, search: str, compiled: Make, make: Make) -> None:
    """One line of the table."""
    start = compiled()
    fast, slow = fastest(lambda: run(start, search)), fastest(lambda: run(make(), search))
    assert fast.result.value == slow.result.value, (name, search)
    # Depth-first searches may fold mirror images of the compiled game.
    assert fast.result.nodes == slow.result.nodes or search != "pn", name
    warm = again(make, search)
    assert warm.result.nodes == slow.result.nodes, (name, search)
    total, nodes = slow.seconds, slow.result.nodes
    own = least(lambda: own_seconds(make, search, keep=False), total)
    kept = max(0.0, least(lambda: own_seconds(make, search, keep=True), total) - own)
    store = max(0.0, least(lambda: asked_seconds(make, search), total) - own - kept)
    calls = max(0.0, total - own - kept - store - warm.seconds)
    rates = nodes / total, fast.result.nodes / max(fast.seconds, 1e-6)
    parts = "".join(f"{part / total:7.0%}" for part in (own, kept, store, calls, warm.seconds))
    print(f"{name:30}{search:11}{nodes:7,}{len(slow.result.position.game.store):7,}"
          f"{total * 1000:8.1f}{rates[0]:11,.0f}{rates[1] / rates[0]:6.0f}{parts}"
          f"  {'yes' if own >= total / 2 else 'no'}", flush=True)


def main() -> None:
    """The table."""
    print(f"{'game':30}{'search':11}{'nodes':>7}{'asked':>7}{'ms':>8}{'nodes/s':>11}{'times':>6}"
          f"{'own':>7}{'kept':>7}{'store':>7}{'calls':>7}{'search':>7}  half")
    for name, (compiled, make) in games().items():
        for search in SEARCHES:
            if len(sys.argv) == 1 or name in sys.argv[1:]:
                show(name, search, compiled, make)


if __name__ == "__main__":
    main()
