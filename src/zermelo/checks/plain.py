"""check_game() for games in plain Python: random games, in which every method is asked twice."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

from zermelo.checks.walk import lost_without_a_move, sample_text
from zermelo.core.object_game import ObjectGame
from zermelo.core.objects import ObjectStore, Unstable, repr_of, stable_digest
from zermelo.core.position import Position
from zermelo.core.rules import ONGOING
from zermelo.errors import ZermeloError, counted, one_line, quoted

MOST_POSITIONS = 40  # for each game to be played
EXCHANGES = 20  # of moves, for each game


class PlainChecks:
    """The mistakes that random games show. ``problems`` has a sentence for each kind of mistake."""

    def __init__(self, game: ObjectGame, games: int, seed: int) -> None:
        self.game, self.plain, self.games = game, game.plain, games
        self.store, self.chance = ObjectStore(game.store.source), Random(seed)
        self.found: dict[str, str] = {}
        self.checks: list[str] = []
        self.sample = ""
        self.positions = self.finished = self.stuck = self.repeated = 0
        self.looked: set[int] = set()
        self.twins: dict[Any, list[Any]] = {}  # different states with one key

    def run(self, start: Position) -> None:
        """All games, as far as they can be played."""
        try:
            for _ in range(self.games):
                if self.found:
                    break
                self._game(self.game.state(start))
            for states in self.twins.values():
                self._same(*states)
            self._tell()
        except ZermeloError as error:
            self.found.setdefault("raised", str(error))

    def _tell(self) -> None:
        self.checks.append(f"random games: {self.finished}, {counted(self.positions, 'position')}")
        if self.stuck:
            self.checks.append(f"{lost_without_a_move(self.stuck)}")
        if self.twins:
            self.checks.append(f"keys: {len(self.twins)} that several different states have")
        if self.plain.cyclic and not self.repeated and not self.found:
            self.checks.append("no position came up twice in a game; if none can, cyclic = False "
                               "is faster")
        if hasattr(self.plain, "parse"):
            self.checks.append("text: positions and their moves written and read back")

    def _game(self, state: Any) -> None:
        path: dict[int, None] = {}  # in the order of the game
        played: list[int] = []
        self._play(self.store.add(state), path, played)
        if not self.found:
            self._exchange([*path], played)

    def _play(self, number: int, path: dict[int, None], played: list[int]) -> None:
        """A random game, with a look at everything on its way."""
        names: list[str] = []
        for _ in range(self.plain.max_length + 1):
            if number in path:
                self.repeated += 1
                if not self.plain.cyclic:
                    self._wrong("cyclic", "a position comes up again in a game, at {at}, but "
                                "cyclic = False.", self.store.objects[number])
                return
            path[number] = None
            self.positions += 1
            if self.positions > MOST_POSITIONS * self.games:
                return
            if number not in self.looked:
                self.looked.add(number)
                self._look(number)
            if self.found:
                return
            count = len(self.store.moves(number)) if self.store.outcome(number) == ONGOING else 0
            if count == 0:
                self.finished += 1
                self._end(number, names)
                return
            move = self.chance.randrange(count)
            played.append(move)
            names.append(self._name(number, move))
            number = self.store.play(number, move)
        if not self.plain.cyclic:
            self._wrong("length", f"a game is not over after max_length = {self.plain.max_length} "
                        "moves, at {at}.", self.store.objects[number])

    def _exchange(self, path: list[int], played: list[int]) -> None:
        """Play two turns of a player, and the other's between them, in the other order: where that
        can be done, it often leads to the same position by another way."""
        movers = [self.store.mover(number) for number in path]
        last = len(path) - 1  # where the game is over nobody may be to move
        begins = [i for i in range(len(path)) if i in (0, last) or movers[i] != movers[i - 1]]
        turns = range(len(begins) - 3)
        for turn in self.chance.sample(turns, min(len(turns), EXCHANGES)):
            first, second, third, *ends = begins[turn : turn + 5]
            line = [*range(third, ends[0]), *range(second, third), *range(first, second)]
            for end in ends:  # also after one turn more: the last one may be seen on the board
                line += range(ends[0], end)
                known = self.store.objects[path[end]]
                state = self._after([(path[i], played[i]) for i in line], path[first])
                if state is None or snapshot(state) == snapshot(known):
                    break
                key = self.store.key_of(state)
                if key == self.store.key_of(known):
                    self.twins.setdefault(key, [known, state])
                    break

    def _after(self, line: list[tuple[int, int]], start: int) -> Any:
        """Return what moves lead to that were played elsewhere; None if one of them is not
        legal."""
        other = ObjectStore(self.store.source)
        at = other.add(self.store.objects[start])
        for number, place in line:
            move = self.store.moves(number)[place]
            moves = other.moves(at) if other.outcome(at) == ONGOING else []
            if move not in moves:
                return None
            at = other.play(at, moves.index(move))
        return other.objects[at]

    def _end(self, number: int, names: list[str]) -> None:
        self.stuck += self.store.outcome(number) == ONGOING
        if self.sample:
            return
        self.sample = sample_text(names, self.game.with_state(self.store.objects[number]))

    def _look(self, number: int) -> None:
        """Ask everything about a position again, and see that it stays as it is."""
        state = self.store.objects[number]
        before = snapshot(state)
        other = ObjectStore(self.store.source)
        again = other.add(state)
        for part in ("mover", "outcome"):
            if getattr(other, part)(again) != getattr(self.store, part)(number):
                self._wrong(part, f"{part} says something else when it is asked again, at {{at}}.",
                            state)
        if self.store.outcome(number) == ONGOING:
            self._look_at_moves(number, other, again)
            if hasattr(self.plain, "evaluate"):
                other.points("evaluate", again, 1_000_000)
        elif hasattr(self.plain, "score"):
            self._look_at_score(number)
        if snapshot(state) != before:
            self._wrong("changed", "a method has changed the state {at}, which must stay as it "
                        f"is; it was {quoted(before)}.", state)
        if hasattr(self.plain, "parse") and not self.found:
            self._look_at_text(state)

    def _look_at_moves(self, number: int, other: ObjectStore, again: int) -> None:
        state = self.store.objects[number]
        names = [self._name(number, move) for move in range(len(self.store.moves(number)))]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            self._wrong("names", f"two moves are called {quoted(twice[0])}, at {{at}}.", state)
        count = len(other.moves(again))
        second = [self._name(number, move, other.moves(again)[move]) for move in range(count)]
        if second != names:
            self._wrong("moves", "moves gives other moves, or another order, when it is asked "
                        "again, at {at}.", state)
            return
        for move in self.chance.sample(range(count), min(count, 5)):
            after = self.store.objects[self.store.play(number, move)]
            repeated = other.objects[other.play(again, move)]
            key = self.store.key_of(after)
            if key != other.key_of(repeated):
                self._wrong("play", f"play leads elsewhere when {quoted(names[move])} is played "
                            "again, at {at}.", state)
            elif snapshot(after) != snapshot(repeated):
                self.twins.setdefault(key, [after, repeated])
            made = self.plain.play(state, self.store.moves(number)[move])  # perhaps by a new way
            if snapshot(made) != snapshot(after):
                self.twins.setdefault(key, [after, made])

    def _look_at_score(self, number: int) -> None:
        state, most = self.store.objects[number], self.plain.max_score
        score = self.store.points("score", number, most)
        sign = {1: 1, 2: -1, 3: 0}[self.store.outcome(number)]
        if (score > 0) - (score < 0) != sign:
            self._wrong("score", f"score returns {score}, which is not what outcome says, at "
                        "{at}.", state)
        if (most - score) % self.plain.score_step:
            self._wrong("score step", f"score returns {score}, but max_score = {most} and "
                        f"score_step = {self.plain.score_step}, at {{at}}.", state)

    def _look_at_text(self, state: Any) -> None:
        if not hasattr(self.plain, "format"):
            return
        text = self.game.with_state(state).text
        try:
            back = self.game.state(self.game.parse(text))
        except ZermeloError as error:
            self._wrong("text", f"{quoted(text)}, which format writes, can't be read: "
                        f"{one_line(error)}.", state)
            return
        if self.store.key_of(back) != self.store.key_of(state):
            self._wrong("text", f"{quoted(text)}, which format writes, is read as another "
                        "position than {at}.", state)

    def _same(self, one: Any, other: Any) -> None:
        """Two states with one key must be alike in everything."""
        stores = [ObjectStore(self.store.source) for _ in range(2)]
        numbers = [store.add(state) for store, state in zip(stores, (one, other), strict=True)]
        pairs = list(zip(stores, numbers, strict=True))
        alike = len({(store.mover(n), store.outcome(n)) for store, n in pairs}) == 1
        if alike and stores[0].outcome(numbers[0]) == ONGOING:
            alike = len({tuple(self._steps(store, n)) for store, n in pairs}) == 1
        if not alike:
            self._wrong("key", "the states {at} and " + quoted(repr_of(other)) + " have one key, "
                        "but not the same mover, outcome, moves and successors.", one)

    def _steps(self, store: ObjectStore, number: int) -> Iterator[tuple[Any, ...]]:
        for move, what in enumerate(store.moves(number)):
            name = str(self.plain.move_name(store.objects[number], what))
            after = store.play(number, move)
            yield name, store.key(after), store.mover(after), store.outcome(after)

    def _name(self, number: int, move: int, what: Any = None) -> str:
        position = self.game.with_state(self.store.objects[number])
        return self.game.name_of(position, self.store.moves(number)[move] if what is None else what)

    def _wrong(self, kind: str, sentence: str, state: Any) -> None:
        self.found.setdefault(kind, sentence.replace("{at}", quoted(repr_of(state))))


def snapshot(state: Any) -> Any:
    """Return what a state looks like, to see later whether it was changed."""
    try:
        return stable_digest(state).hex()
    except (Unstable, RecursionError):
        pass
    try:
        return pickle.dumps(state)
    except Exception:
        return repr_of(state)
