"""The rules of a user's game, for the checker: the game's own functions, not compiled.

This is the one part of the checker that relies on what it checks: a mistake in these rules is in
the search and in the checker alike. A state is the bytes of its fields.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.core.game import Game
from zermelo.core.object_game import ObjectGame
from zermelo.core.position import Position
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS
from zermelo.errors import BadCertificate, ZermeloError, one_line, quoted
from zermelo.proof.claim import DRAWN, FIRST, SECOND
from zermelo.proof.header import MOVE_BYTES, Header, Refused
from zermelo.proof.rules.base import Array, RulesOf, State
from zermelo.proof.rules.objects import ObjectRules

ENDS = {ONGOING: None, FIRST_WINS: FIRST, SECOND_WINS: SECOND, DRAW: DRAWN}


def own_rules(header: Header, game: Game | type[Game]) -> RulesOf:
    """The rules of ``game``, or of a game of that class with the parameters of the certificate."""
    if isinstance(game, type):
        try:
            game = game(**header.parameters)
        except (ZermeloError, TypeError) as error:
            raise Refused(f"its parameters are not those of the game: {one_line(error)}") from None
    if game.name != header.game:
        raise BadCertificate(f"the certificate is about the game {quoted(header.game)}, not about "
                             f"{quoted(game.name)}.")
    if game.values != header.parameters:
        raise Refused(f"it is about {header.game} with {quoted(header.parameters)}, not with "
                      f"{quoted(game.values)}")
    if game.rules.repeat is not None:
        raise Refused(f"{header.game} has its own rule for repetitions; a certificate takes every "
                      "repetition for a draw")
    if header.folded and game.rules.canonical is None:
        raise Refused(f"its states are folded, but {header.game} has no symmetries")
    return ObjectRules(game) if isinstance(game, ObjectGame) else OwnRules(game, header.folded)


class OwnRules(RulesOf):
    """Calls the functions of ``zermelo.Rules`` one state at a time."""

    source = "the game's own"
    can_be_sent = False

    def __init__(self, game: Game, folded: bool) -> None:
        super().__init__(folded)
        self.game, self.rules = game, game.rules
        self.players = game.players
        self.cyclic = game.rules.cyclic
        dtype = game.rules.dtype
        self.plain = np.dtype([(name, dtype[name].newbyteorder("<")) for name in dtype.names or ()])
        self.states = np.zeros(2, dtype).view(np.recarray)
        self.out = np.zeros(2 * game.rules.max_moves + 64, np.int32)
        self.now: State = None  # what the first of ``states`` holds

    @property
    def layout(self) -> dict[str, Any]:
        """The fields as they are."""
        fields = []
        for name in self.plain.names or ():
            kind = self.plain[name]
            fields.append([name, kind.base.str, int(np.prod(kind.shape, dtype=int))])
        return {"kind": "fields", "fields": fields}

    def _place(self, state: State) -> Any:
        """The state as the rules take it."""
        if state != self.now:
            plain = np.frombuffer(state, self.plain)
            for name in self.plain.names or ():
                self.states[name][0] = plain[name][0]
            self.now = state
        return self.states[0]

    def _bytes(self, place: int) -> State:
        plain = np.zeros(1, self.plain)
        for name in self.plain.names or ():
            plain[name][0] = self.states[name][place]
        return plain.tobytes()

    def _ask(self, name: str, *arguments: Any) -> Any:
        """Call a function of the rules; what it can't answer refuses the certificate."""
        try:
            with np.errstate(all="ignore"):
                return getattr(self.rules, name)(self.rules.data, *arguments)
        except Exception as error:  # whatever the rules of others may raise for a made-up state
            raise Refused(f"the rules of {self.game.name} fail there ({name}: "
                          f"{type(error).__name__}: {one_line(error)})") from None

    def read(self, text: str) -> State:
        """As the game reads it."""
        try:
            position = self.game.parse(text)
        except ZermeloError as error:
            raise Refused(f"its position can't be read: {one_line(error)}") from None
        if position.game.values != self.game.values:
            raise Refused(f"its position {quoted(text)} is one of another game")
        self.states[0], self.now = position.state[0], None
        self.position, self.root = position, self._bytes(0)
        return self.root

    def record(self, data: bytes, prover: int) -> tuple[State, int]:
        """The fields, then the move."""
        move = int.from_bytes(data[-MOVE_BYTES:], "little", signed=True)
        return data[:-MOVE_BYTES], move

    def key(self, state: State) -> bytes:
        """The fields of the representative that the game chooses."""
        if self.folded:
            self._ask("canonical", self._place(state), self.states[1])
            return bytes(self._bytes(1))
        return bytes(state)

    def keys(self, records: Array) -> Array:
        """All but the move."""
        return records[:, :-MOVE_BYTES]

    def mover(self, state: State) -> int:
        """As the game says."""
        return int(self._ask("mover", self._place(state)))

    def end(self, state: State) -> int | None:
        """As the game says."""
        outcome = int(self._ask("outcome", self._place(state)))
        if outcome not in ENDS:
            raise Refused(f"the rules of {self.game.name} fail there (outcome {outcome})")
        return ENDS[outcome]

    def moves(self, state: State) -> list[int]:
        """As the game says, in its order."""
        count = int(self._ask("moves", self._place(state), self.out))
        return [int(move) for move in self.out[:count]]

    def play(self, state: State, move: int) -> State:
        """As the game says."""
        self._ask("play", self._place(state), move, self.states[1])
        return self._bytes(1)

    # A state in a record may be made up, and compiled code, which a game's own notation may call,
    # does not survive that: only the root, which the game has read itself, is shown in its words.

    def text(self, state: State) -> str:
        """The root as the game writes it; any other state by its fields."""
        if state == self.root:
            return self.position.text
        values = np.zeros(1, self.rules.dtype)
        for name in self.plain.names or ():
            values[name] = np.frombuffer(state, self.plain)[name]
        return Game.format(self.game, Position(self.game, values))

    def move_name(self, state: State, move: int) -> str:
        """The code of the move."""
        return str(move)

    def diagram(self, state: State) -> str:
        """The root as the game draws it."""
        return self.position.diagram if state == self.root else self.text(state)
