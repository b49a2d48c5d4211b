"""Games of OpenSpiel, as games in plain Python.

Every game of the installed package can be loaded that has two players, is deterministic, has
perfect information, is played move by move, and whose results add up to nothing.

What is a position? By default a history is: two histories are the same position only where the
game's own serialized text says so, from which it can go on. Other histories that lead to the same
board stay apart, since a game may count moves or repetitions that its board does not show. With
``key=observation`` what the players observe is the position. That is faster by far, and true only
if nothing else matters: ``zermelo check-game`` compares moves, ends and successors.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any, ClassVar

from zermelo.core.object_game import ObjectGame, PlainGame, game_class_of
from zermelo.core.rules import Parameter
from zermelo.errors import BadOption, UnknownGame, did_you_mean, one_line, quoted

PREFIX = "open-spiel:"
KEPT_GAMES = 64
USUAL_BYTES, SAMPLE, TRIES = 4096, 16, 3
# Which property each part of a game's type must have, and what it means that it has not.
NEEDED = {
    "dynamics": ("SEQUENTIAL", "its players do not move one after the other"),
    "chance_mode": ("DETERMINISTIC", "it is not deterministic: there is chance in it"),
    "information": ("PERFECT_INFORMATION", "it has no perfect information"),
    "utility": ("ZERO_SUM", "it is not zero-sum"),
}


@lru_cache(KEPT_GAMES)
def loaded(text: str) -> Any:
    """OpenSpiel's game, if searches can be asked about it."""
    try:
        import pyspiel
    except ImportError:
        raise BadOption(f"{PREFIX}{text} needs the package open_spiel, which is not installed: "
                        "pip install 'zermelo[open-spiel]'.") from None
    name, known = text.partition("(")[0].strip(), pyspiel.registered_names()
    if name not in known:
        raise UnknownGame(f"OpenSpiel has no game {quoted(name)}{did_you_mean(name, known)}; "
                          "docs/how-to/plain-python.md lists those that can be solved.")
    try:
        with silent():
            game = pyspiel.load_game(text)
            reason = why_not(game)
            # Some sizes that can be loaded have no start; and with some parameters a game that is
            # said to be deterministic begins by chance.
            if not reason and game.new_initial_state().is_chance_node():
                reason = NEEDED["chance_mode"][1]
    except Exception as error:
        raise BadOption(f"OpenSpiel can't load {quoted(text)}: {one_line(error)}.") from None
    if reason:
        raise BadOption(f"{PREFIX}{text} can't be solved: {reason}.")
    return game


def why_not(game: Any) -> str:
    """The property that a game lacks, in words; empty if searches can be asked about it."""
    if game.num_players() != 2:
        return f"it has {game.num_players()} player{'s' * (game.num_players() != 1)}, not two"
    kind = game.get_type()
    for part, (wanted, words) in NEEDED.items():
        if getattr(kind, part).name != wanted:
            return words
    return ""


@contextmanager
def silent() -> Iterator[None]:
    """OpenSpiel prints what it raises, too: to where errors go, which is closed meanwhile."""
    try:
        errors = sys.__stderr__.fileno() if sys.__stderr__ is not None else 2
        before = os.dup(errors)
    except (OSError, ValueError):
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, errors)
    try:
        yield
    finally:
        os.dup2(before, errors)
        os.close(before)
        os.close(nowhere)


def state_bytes(state: Any) -> int:
    """The memory of a state, about, by what the system's allocator counts for copies of it; where
    that can't be asked, a usual size. Other threads may allocate meanwhile, so the least counts."""
    try:
        count = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError, TypeError):
        return USUAL_BYTES
    count.restype = _Allocated
    found: list[int] = []
    for _ in range(TRIES):
        before = count()
        kept = [state.clone() for _ in range(SAMPLE)]
        after = count()
        found.append((after.in_use + after.mapped - before.in_use - before.mapped) // len(kept))
        del kept  # before the next ones are made
    return max(min(found), sys.getsizeof(state))


class _Allocated(ctypes.Structure):
    """The structure that ``mallinfo2`` returns."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "chunks", "small", "maps", "mapped", "most", "free_small", "in_use", "free",
        "top")]


HISTORY, OBSERVATION = "history", "observation"
STAGE = 16  # moves
SET_UP = ("FEN:", "SFEN:")  # how the texts begin of states that were set up
USUAL_MOVES, MOST_MOVES = 1024, 65_535


class Spot:
    """A state of OpenSpiel's, known by ``key``, which is made when it is asked for: random games
    need none."""

    __slots__ = ("_key", "how", "kind", "state")

    def __init__(self, kind: type[OpenSpielGame], state: Any, how: str) -> None:
        self.kind, self.state, self.how = kind, state, how
        self._key: Any = None

    @property
    def key(self) -> Any:
        """The history, or what the players observe."""
        if self._key is None:
            state = self.state
            if self.how == HISTORY:
                self._key = (HISTORY, state.serialize())
            else:
                seen = (state.observation_string(player) for player in (0, 1))
                self._key = (OBSERVATION, state.current_player(), *seen)
        return self._key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spot) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return " ".join(map(str, self.state.history())) or "start"

    def __sizeof__(self) -> int:
        """About the same for all states after about as many moves."""
        sizes, stage = self.kind.sizes, len(self.state.history()) // STAGE
        if stage not in sizes:
            sizes[stage] = state_bytes(self.state)
        return sizes[stage]

    def __reduce__(self) -> tuple[Any, ...]:
        return spot, (self.kind.text, tuple(self.state.history()), self.how)


def spot(text: str, history: tuple[int, ...], key: str) -> Spot:
    """The state after these actions, which a pickle has brought."""
    plain: OpenSpielGame = open_spiel_class(text).kind(key=key)
    found: Spot = plain.start()
    for action in history:
        found = plain.play(found, action)
    return found


class OpenSpielGame(PlainGame):
    """A game of OpenSpiel."""

    text: ClassVar[str]
    spiel: ClassVar[Any]
    sizes: ClassVar[dict[int, int]]  # of states, by how far the game has gone
    reference: ClassVar[str]
    parameters: ClassVar[dict[str, Parameter]] = {
        "key": Parameter(HISTORY, "what makes two histories one position",
                         choices=(HISTORY, OBSERVATION), kind="data")}

    def __init__(self, /, **parameters: Any) -> None:
        super().__init__(**parameters)
        self.cyclic = self["key"] == OBSERVATION  # type: ignore[misc]
        if self.cyclic and not self.spiel.get_type().provides_observation_string:
            raise BadOption(f"{self.text}: key=observation needs a game that says what its players "
                            "observe, which this one does not.")

    def __reduce__(self) -> tuple[Any, ...]:
        return plain_of, (self.text, self["key"])

    def spot(self, state: Any) -> Spot:
        """A state of OpenSpiel's with the key that it has here."""
        return Spot(type(self), state, self["key"])

    def start(self) -> Spot:
        """The initial state."""
        return self.spot(self.spiel.new_initial_state())

    def moves(self, spot: Spot) -> list[int]:
        """The legal actions."""
        found: list[int] = spot.state.legal_actions()
        return found

    def play(self, spot: Spot, move: int) -> Spot:
        """The state after an action."""
        return self.spot(spot.state.child(move))

    def mover(self, spot: Spot) -> int:
        """Return who moves; nobody does when it is over."""
        player: int = spot.state.current_player()
        if player < 0 and not spot.state.is_terminal():
            raise ValueError("neither player moves here, but chance or both at once")
        return max(0, player)

    def outcome(self, spot: Spot) -> str | None:
        """The outcome, by the sign of the returns."""
        if not spot.state.is_terminal():
            return None
        gained = spot.state.returns()[0]
        return "first" if gained > 0 else "second" if gained < 0 else "draw"

    def key(self, spot: Spot) -> Any:
        """The key, as texts and numbers."""
        return spot.key

    def parse(self, text: str) -> Spot:
        """OpenSpiel's serialized text, of a state or of a game and a state."""
        if "\n" not in text and not text.startswith(SET_UP):
            raise ValueError("it is not OpenSpiel's serialized text")
        import pyspiel

        with silent():
            if "[State]" in text:
                game, state = pyspiel.deserialize_game_and_state(text + "\n\n")
                if str(game) != str(self.spiel):
                    raise ValueError(f"it is about {game}, not about {self.spiel}")
            else:
                state = self.spiel.deserialize_state(text + "\n")
        return self.spot(state)

    def format(self, spot: Spot) -> str:
        """The moves from the start; of a state that was set up otherwise, the serialized text."""
        state, names = self.spiel.new_initial_state(), []
        for action in spot.state.history():
            names.append(_name(state, action))
            state.apply_action(action)
        if state.serialize() != spot.state.serialize():
            written: str = spot.state.serialize()
            return written
        return " ".join(names) or "start"

    def move_name(self, spot: Spot, move: int) -> str:
        """OpenSpiel's name of the move, without spaces."""
        return _name(spot.state, move)

    def diagram(self, spot: Spot) -> str:
        """The text that OpenSpiel prints."""
        return str(spot.state).rstrip("\n")


def _name(state: Any, action: int) -> str:
    return "".join(state.action_to_string(state.current_player(), action).split())


def final_score(self: OpenSpielGame, spot: Spot) -> Any:
    """Return what the first player has got."""
    gained = spot.state.returns()[0]
    return int(gained) if float(gained).is_integer() else gained


def open_spiel(text: str, *, key: str = HISTORY) -> ObjectGame:
    """A game of OpenSpiel, with parameters as OpenSpiel writes them: ``hex(board_size=4)``.

    ``key="observation"``: positions are the same where the players observe the same.
    """
    if not isinstance(text, str):
        raise BadOption(f"a game of OpenSpiel is a text such as 'hex(board_size=4)', not "
                        f"{quoted(text)}.")
    made: ObjectGame = open_spiel_class(text.removeprefix(PREFIX))(key=str(key))
    return made


def plain_of(text: str, key: str) -> OpenSpielGame:
    """The plain game, which a pickle has brought."""
    found: OpenSpielGame = open_spiel_class(text).kind(key=key)
    return found


def open_spiel_class(text: str) -> Any:
    """The class of the games that ``text`` describes; other texts may describe the same ones."""
    return _class(str(loaded(text)).removesuffix("()"))


@cache
def _class(text: str) -> Any:
    spiel = loaded(text)
    first = spiel.new_initial_state()
    facts = {"text": text, "spiel": spiel, "name": PREFIX + text, "reference": PREFIX + text,
             "__module__": __name__, "__qualname__": f"OpenSpielGame[{text}]",
             "__doc__": f"{spiel.get_type().long_name}, by OpenSpiel.",
             "sizes": {}, "max_length": max(1, spiel.max_game_length()),
             "max_moves": min(MOST_MOVES, max(USUAL_MOVES, len(first.legal_actions())))}
    most = spiel.max_utility()
    if most > 1 and most == int(most):
        facts |= {"score": final_score, "max_score": int(most)}
    return game_class_of(type("OpenSpielGame", (OpenSpielGame,), facts))
