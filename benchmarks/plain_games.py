"""How much slower are games in plain Python, and where does the time go?

    python -m benchmarks.plain_games [GAME ...]

Each game is searched by PN and by weak-df-pn, compiled and in plain Python, from its start; those
whose run is over within milliseconds also at a larger size. Times are of the processor. They are
taken apart by doing the parts again, alone:

own     the game's own methods: the calls that were made, made again
kept    what they take more if what they return is kept, as in a search: new states take new memory
store   what is around them in Python, where states are told apart and get numbers, and answers are
        checked: what the search asked, asked again, less the methods; ``least`` is the part of it
        that is left in the smallest store there can be (see ``smallest_store``)
search  the same search with a store that knows all answers: compiled code, and what begins and
        ends a session, which is most of a run of a few milliseconds
calls   what is left: from compiled code into Python and back

A method is asked once about a position and a move. ``asked`` is how many positions the store has;
where it is far below the number of nodes, a search meets the same positions again and again, and
the methods have little to do. ``us own`` and ``other``: microseconds for each of these positions in
the methods (with what is kept), and in store and calls, which is what plain Python costs besides.
``half``: whether the methods, without what is kept, have at least half of the time.

Parts are measured in turn, round after round, and the least of each counts.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import zermelo
from benchmarks.smallest_store import smallest_seconds
from zermelo.core.object_game import class_in_file
from zermelo.core.objects import AHEAD, COUNTED, ObjectStore

ROOT = Path(__file__).parents[1]
SEARCHES = ("pn", "weak-df-pn")
METHODS = ("moves", "play", "mover", "outcome", "key")
NODES = 20_000
ROUNDS, SECONDS, MOST_ROUNDS = 7, 10.0, 200
BARE_MOVES, BARE_POSITIONS, BARE_ROUNDS = list(range(8)), 300, 100
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


def methods_log(make: Make, search: str) -> Log:
    """What a search asks of the game's methods."""
    position, log = make(), Log()
    source = position.game.store.source
    for name in METHODS:
        if getattr(source, name) is not None:
            setattr(source, name, log.logged(getattr(source, name)))
    run(position, search)
    return log


def store_log(make: Make, search: str) -> list[tuple[Any, ...]]:
    """What a search asks of the store."""
    log, answer = Log(), ObjectStore.answer
    ObjectStore.answer = lambda self, *given: log.logged(answer.__get__(self))(*given)  # type: ignore
    try:
        run(make(), search)
    finally:
        ObjectStore.answer = answer  # type: ignore[method-assign]
    return [given for _, given in log.calls]


class Parts:
    """The seconds of a search and of its parts: each the least of several rounds, which take them
    in turn, so that all of them have had the machine at its quietest."""

    def __init__(self, make: Make, search: str) -> None:
        self.make, self.search = make, search
        self.methods, self.asked = methods_log(make, search), store_log(make, search)
        self.known = make()  # a position whose store knows all answers after the first run
        self.nodes = run(self.known, search).result.nodes
        self.least: dict[str, float] = {}
        began = time.process_time()
        for number in range(MOST_ROUNDS):
            if number >= ROUNDS and time.process_time() - began > SECONDS:
                break
            self._round()

    def _round(self) -> None:
        last = run(self.make(), self.search)
        warm = run(self.known, self.search)
        assert last.result.nodes == warm.result.nodes == self.nodes
        self.result = last.result
        for name, seconds in (("all", last.seconds), ("search", warm.seconds),
                              ("own", self.methods.seconds()),
                              ("with kept", self.methods.seconds(keep=True)),
                              ("asked", self._asked_again()),
                              ("smallest", self._asked_of_the_smallest())):
            self.least[name] = min(seconds, self.least.get(name, seconds))

    def _asked_again(self) -> float:
        """What the store takes with all that the search asks, its methods included."""
        log, fresh = Log(), self.make().game.store
        log.calls = [(fresh.answer, given) for given in self.asked]
        return log.seconds()

    def _asked_of_the_smallest(self) -> float:
        fresh = self.make()
        return smallest_seconds(fresh.game.store.source, fresh.game.state(fresh), self.asked)

    def shares(self) -> list[float]:
        """Own, kept, store, the least that a store can take, calls and search, in seconds."""
        total, own, with_kept, asked, smallest, search = (self.least[name] for name in (
            "all", "own", "with kept", "asked", "smallest", "search"))
        kept = max(0.0, with_kept - own)
        store = max(0.0, asked - own - kept)
        least = min(store, max(0.0, smallest - own - kept))
        return [own, kept, store, least, max(0.0, total - own - kept - store - search), search]


def compiled_run(start: Any, search: str) -> Run:
    """The least of several runs of the compiled game."""
    return min((run(start, search) for _ in range(ROUNDS)), key=lambda one: one.seconds)


def show(name: str, search: str, compiled: Make, make: Make) -> None:
    """One line of the table."""
    fast, parts = compiled_run(compiled(), search), Parts(make, search)
    assert fast.result.value == parts.result.value, (name, search)
    # Depth-first searches may fold mirror images of the compiled game.
    assert fast.result.nodes == parts.nodes or search != "pn", name
    total, positions = parts.least["all"], len(parts.result.position.game.store)
    own, kept, store, least, calls, inner = parts.shares()
    rates = parts.nodes / total, fast.result.nodes / max(fast.seconds, 1e-6)
    written = "".join(f"{part / total:7.0%}" for part in (own, kept, store, least, calls, inner))
    each = [1e6 * part / positions for part in (own + kept, store + calls)]
    print(f"{name:30}{search:11}{parts.nodes:7,}{positions:7,}"
          f"{total * 1000:8.1f}{rates[0]:11,.0f}{rates[1] / rates[0]:6.0f}{written}"
          f"{each[0]:8.1f}{each[1]:7.1f}  {'yes' if own >= total / 2 else 'no'}", flush=True)


class Bare(zermelo.PlainGame):
    """A game whose methods do next to nothing: what is left is what the library takes."""

    cyclic = False

    def start(self) -> Any:
        """Nothing yet."""
        return 0

    def moves(self, state: Any) -> list[int]:
        """Always the same."""
        return BARE_MOVES

    def play(self, state: Any, move: int) -> Any:
        """A new state."""
        return (state, move)

    def mover(self, state: Any) -> int:
        """Always the first."""
        return 0

    def outcome(self, state: Any) -> None:
        """There is no end."""


def bare_microseconds(stop: int) -> float:
    """What a new position takes at least, calls from compiled code included, in a search that asks
    for all positions after one in one call."""
    found = []
    for _ in range(BARE_ROUNDS):
        store = ObjectStore(zermelo.game(Bare).store.source)
        store.add(0)
        ask, began = store.upcall.pointer, time.process_time()
        for number in range(BARE_POSITIONS):
            ask(AHEAD, number, stop)
        found.append((time.process_time() - began) / (BARE_POSITIONS * len(BARE_MOVES)))
    return 1e6 * min(found)


def main() -> None:
    """The table."""
    print(f"a position that costs its methods nothing: {bare_microseconds(0):.1f} us, with the "
          f"moves of all that are met {bare_microseconds(COUNTED):.1f} us", flush=True)
    print(f"{'game':30}{'search':11}{'nodes':>7}{'asked':>7}{'ms':>8}{'nodes/s':>11}{'times':>6}"
          f"{'own':>7}{'kept':>7}{'store':>7}{'least':>7}{'calls':>7}{'search':>7}"
          f"{'us own':>8}{'other':>7}  half")
    for name, (compiled, make) in games().items():
        for search in SEARCHES:
            if len(sys.argv) == 1 or name in sys.argv[1:]:
                show(name, search, compiled, make)


if __name__ == "__main__":
    main()
