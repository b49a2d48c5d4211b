"""Sets of positions: from a data file, from a seeded generator, or written out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from zermelo.core.game import Game
from zermelo.core.plain import PlainGame
from zermelo.core.position import Position
from zermelo.core.reading import positions_in
from zermelo.errors import BadOption, quoted
from zermelo.games.registry import game as game_by_name
from zermelo.lab.data import SOURCES, data_file
from zermelo.lab.size import sized
from zermelo.matches.openings import random_walk
from zermelo.search.zones.options import Zones

MOST_TRIES = 100

Named = tuple[str, Position]
# A game by name or FILE.py:Class, by its class, or made.
AnyGame = str | type[Game] | type[PlainGame] | Game | PlainGame


@dataclass(frozen=True)
class Positions:
    """A set of positions, made when it is needed. ``make`` yields pairs of an id and a position.

    ``take``: how many, the first ones. ``unfinished``: leave out finished games. ``labels``: what
    tables and figures may order sets by. ``note``: where the positions are from, for the report.
    ``optional``: the set may be empty, for example because its file is not available.
    ``candidates``: the side to move is kept to the game's candidates, or to zones, by all arms.
    """

    name: str
    make: Callable[[], Iterable[Named]]
    take: Any = None
    labels: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    unfinished: Any = False
    optional: bool = False
    candidates: bool | Zones = False

    def positions(self, full: bool = False) -> list[Named]:
        """The positions at this size, with their ids."""
        open_only = sized(self.unfinished, full)
        made = (named for named in self.make()
                if not (open_only and named[1].outcome is not None))
        found = list(islice(made, sized(self.take, full)))
        if not found and not self.optional:
            raise BadOption(f"the set of positions {quoted(self.name)} is empty.")
        return found


def called(game: AnyGame) -> str:
    """What a game is called: the name that it was given by, or its own."""
    if isinstance(game, str):
        return game
    kind = game if isinstance(game, type) else type(game)
    return getattr(game, "name", "") or kind.__name__.lower()


def from_file(file: str, game: AnyGame, *, name: str = "", side: str = "", unfinished: Any = False,
              ids: Iterable[int] | None = None, take: Any = None,
              labels: Mapping[str, Any] | None = None, **parameters: Any) -> Positions:
    """One position per line of a data file; the id is the number of the line, from 0.

    ``side``: who moves, where the file leaves that out. ``unfinished``: leave out finished games.
    ``ids``: these lines only. A path that exists is read as it is.
    """
    wanted = None if ids is None else {id + 1 for id in ids}

    def make() -> Iterator[Named]:
        path = Path(file) if Path(file).is_file() else data_file(file)
        rules = game_by_name(game, **parameters)
        for number, position in positions_in(rules, path, side or None, wanted):
            yield str(number - 1), position

    note = f"{file}, published at {SOURCES[file]}" if file in SOURCES else file
    return Positions(name or Path(file).stem, make, take, labels or {}, note, unfinished)


def texts(game: AnyGame, positions: Sequence[str], *, name: str = "", take: Any = None,
          labels: Mapping[str, Any] | None = None, **parameters: Any) -> Positions:
    """Positions written out in the game's notation."""
    def make() -> Iterator[Named]:
        rules = game_by_name(game, **parameters)
        for number, text in enumerate(positions):
            yield str(number), rules.parse(text)

    return Positions(name or called(game), make, take, labels or {},
                     "written out in the experiment")


def each(game: AnyGame, vary: str, values: Iterable[Any], *, name: str = "", take: Any = None,
         labels: Mapping[str, Any] | None = None, **parameters: Any) -> Positions:
    """The initial position of the game under each value of one parameter, such as a seed."""
    kept = list(values)

    def make() -> Iterator[Named]:
        for value in kept:
            yield str(value), game_by_name(game, **parameters, **{vary: value}).start()

    told = called(game)
    note = f"{told}, {vary} from {kept[0]} to {kept[-1]}: ours" if kept else told
    return Positions(name or told, make, take, labels or {}, note)


def generated(game: AnyGame, plies: int | Sequence[int], count: int, *, seed: int = 0,
              name: str = "", take: Any = None, labels: Mapping[str, Any] | None = None,
              **parameters: Any) -> Positions:
    """``count`` positions after ``plies`` random moves, unfinished and all different; of several
    numbers of moves each in turn, so that there are easy and hard ones.

    Each position has a generator of its own, seeded by (seed, number): the first hundred of two
    hundred are the same as a hundred.
    """
    lengths = [plies] if isinstance(plies, int) else list(plies)
    told = ", ".join(map(str, lengths))

    def make() -> Iterator[Named]:
        rules = game_by_name(game, **parameters)
        seen: set[Position] = set()
        for number in range(count):
            chance, length = random.Random(f"{seed}/{number}"), lengths[number % len(lengths)]
            for _ in range(MOST_TRIES):
                position = random_walk(rules.start(), length, chance)
                if position is not None and position not in seen:
                    break
            else:
                raise BadOption(f"{called(game)}: found no new unfinished position after {length} "
                                f"random moves in {MOST_TRIES} tries; take fewer moves or "
                                "positions.")
            seen.add(position)
            yield str(number), position

    in_turn = " in turn" if len(lengths) > 1 else ""
    note = (f"our own: {told} random moves{in_turn}, seed {seed}; it stands in where no set is "
            "published")
    return Positions(name or f"{called(game)} after {told} moves", make, take, labels or {}, note)
