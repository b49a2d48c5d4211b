"""The rules of a user's game, for the checker: the game's own functions, not compiled.

This is the one part of the checker that relies on what it checks: a mistake in these rules is in
the search and in the checker alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.core.game import Game
from zermelo.core.object_game import DIGEST_FIELD, ObjectGame
from zermelo.core.objects import DIGEST_BYTES, ObjectStore
from zermelo.core.position import Position
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS
from zermelo.errors import BadCertificate, ZermeloError, one_line, quoted
from zermelo.proof.budget import CheckBudget
from zermelo.proof.check import POSITION_BYTES
from zermelo.proof.header import (
    DRAWN,
    FIRST,
    MOVE_BYTES,
    SECOND,
    Claim,
    Header,
    Refused,
    fields_layout,
)
from zermelo.proof.rules.base import Array, RulesOf, State

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


class GameRules(RulesOf):
    """The rules of a game of the user's, asked of the game itself."""

    source = "the game's own"
    can_be_sent = False
    position: Position  # of the certificate

    def __init__(self, game: Game, folded: bool = False) -> None:
        super().__init__(folded)
        self.game, self.players, self.cyclic = game, game.players, game.rules.cyclic

    def parsed(self, text: str) -> Position:
        """Return the position that the game reads from ``text``."""
        try:
            self.position = self.game.parse(text)
        except ZermeloError as error:
            raise Refused(f"its position can't be read: {one_line(error)}") from None
        return self.position

    def keys(self, records: Array) -> Array:
        """Return the records without their moves."""
        return records[:, :-MOVE_BYTES]


class OwnRules(GameRules):
    """Calls the functions of ``zermelo.Rules`` one state at a time. A state is the bytes of its
    fields."""

    def __init__(self, game: Game, folded: bool) -> None:
        super().__init__(game, folded)
        self.rules, dtype = game.rules, game.rules.dtype
        self.plain = np.dtype([(name, dtype[name].newbyteorder("<")) for name in dtype.names or ()])
        self.states = np.zeros(2, dtype).view(np.recarray)
        self.out = np.zeros(2 * game.rules.max_moves + 64, np.int32)
        self.now: State = None  # what the first of ``states`` holds

    @property
    def layout(self) -> dict[str, Any]:
        """The fields of a state."""
        return fields_layout(self.plain)

    def array(self, state: State) -> Array:
        """Return an array with the state alone."""
        plain, values = np.frombuffer(state, self.plain), np.zeros(1, self.rules.dtype)
        for name in self.plain.names or ():
            values[name] = plain[name]
        return values

    def _place(self, state: State) -> Any:
        """Return the state as the rules take it."""
        if state != self.now:
            self.states[0], self.now = self.array(state)[0], state
        return self.states[0]

    def _bytes(self, place: int) -> State:
        plain = np.zeros(1, self.plain)
        for name in self.plain.names or ():
            plain[name][0] = self.states[name][place]
        return plain.tobytes()

    def _ask(self, name: str, *arguments: Any) -> Any:
        """Call a function of the rules; raise Refused where it fails."""
        try:
            with np.errstate(all="ignore"):
                return getattr(self.rules, name)(self.rules.data, *arguments)
        except Exception as error:  # whatever the rules of others may raise for a made-up state
            raise Refused(f"the rules of {self.game.name} fail there ({name}: "
                          f"{type(error).__name__}: {one_line(error)})") from None

    def read(self, text: str) -> State:
        """Return the state of the position that the game reads from ``text``."""
        position = self.parsed(text)
        if position.game.values != self.game.values:
            raise Refused(f"its position {quoted(text)} is one of another game")
        self.states[0], self.now = position.state[0], None
        self.root = self._bytes(0)
        return self.root

    def record(self, data: bytes, prover: int) -> tuple[State, int]:
        """Return the fields and the move."""
        move = int.from_bytes(data[-MOVE_BYTES:], "little", signed=True)
        return data[:-MOVE_BYTES], move

    def key(self, state: State) -> bytes:
        """Return the fields of the representative that the game chooses."""
        if self.folded:
            self._ask("canonical", self._place(state), self.states[1])
            return bytes(self._bytes(1))
        return bytes(state)

    def mover(self, state: State) -> int:
        """Return the game's answer."""
        return int(self._ask("mover", self._place(state)))

    def end(self, state: State) -> int | None:
        """Return the game's answer."""
        outcome = int(self._ask("outcome", self._place(state)))
        if outcome not in ENDS:
            raise Refused(f"the rules of {self.game.name} fail there (outcome {outcome})")
        return ENDS[outcome]

    def moves(self, state: State) -> list[int]:
        """Return the game's answer, in its order."""
        count = int(self._ask("moves", self._place(state), self.out))
        return [int(move) for move in self.out[:count]]

    def play(self, state: State, move: int) -> State:
        """Return the game's answer."""
        self._ask("play", self._place(state), move, self.states[1])
        return self._bytes(1)

    # A state in a record may be made up, and compiled code, which a game's own notation may call,
    # does not survive that: only the root, which the game has read itself, is shown in its words.

    def text(self, state: State) -> str:
        """Return the root as the game writes it; any other state by its fields."""
        if state == self.root:
            return self.position.text
        return Game.format(self.game, Position(self.game, self.array(state)))

    def move_name(self, state: State, move: int) -> str:
        """Return the code of the move."""
        return str(move)

    def diagram(self, state: State) -> str:
        """Return the root as the game draws it; any other state by its fields."""
        return self.position.diagram if state == self.root else self.text(state)


class ObjectRules(GameRules):
    """Asks the methods of a ``zermelo.PlainGame``.

    A record has a digest of its position, not the position. So the checker first goes through the
    positions that the certificate leads to, from the root, and so learns which digest is which. It
    is the positions themselves that are checked then; a record that nothing leads to is refused. A
    state is the number of an object in a store of the checker's own.
    """

    game: ObjectGame

    def __init__(self, game: ObjectGame) -> None:
        super().__init__(game)
        self.store = ObjectStore(game.store.source)
        self.digests: dict[int, bytes] = {}
        self.met: dict[bytes, int] = {}

    @property
    def layout(self) -> dict[str, Any]:
        """A digest."""
        return {"kind": "fields", "fields": [[DIGEST_FIELD, "|u1", DIGEST_BYTES]]}

    def read(self, text: str) -> State:
        """Return the number of the position that the game reads from ``text``."""
        root = self.store.add(self.game.state(self.parsed(text)))
        self.key(root)
        return root

    def meet(self, records: Array, root: State, claim: Claim, budget: CheckBudget) -> None:
        """Go through all positions that the records lead to."""
        moves = {row[:DIGEST_BYTES].tobytes(): row[DIGEST_BYTES:].tobytes() for row in records}
        seen, waiting = {root}, [root]
        while waiting:
            state = waiting.pop()
            if self.end(state) is not None:
                continue
            budget.hold(POSITION_BYTES)
            budget.step()
            replies = self.moves(state)
            if self.mover(state) == claim.prover:
                record = moves.get(self.key(state))
                move = -1 if record is None else int.from_bytes(record, "little", signed=True)
                replies = [move] if 0 <= move < len(replies) else []  # the check tells about it
            for reply in replies:
                after = self.play(state, reply)
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)

    def record(self, data: bytes, prover: int) -> tuple[State, int]:
        """Return the position of the digest, if it was met, and the move."""
        state = self.met.get(data[:DIGEST_BYTES])
        if state is None:
            raise Refused("no line of the certificate leads to its position")
        return state, int.from_bytes(data[-MOVE_BYTES:], "little", signed=True)

    def key(self, state: State) -> bytes:
        """Return the digest."""
        digest = self.digests.get(state)
        if digest is None:
            digest = self.digests[state] = self.game.digest(self.store.objects[state])
            if self.met.setdefault(digest, state) != state:
                raise Refused(f"the game gives {quoted(self.text(state))} and another position one "
                              "digest")
        return digest

    def mover(self, state: State) -> int:
        """Return the game's answer."""
        return self.store.mover(state)

    def end(self, state: State) -> int | None:
        """Return the game's answer."""
        return ENDS[self.store.outcome(state)]

    def moves(self, state: State) -> list[int]:
        """Return the places of the moves in the game's list."""
        return list(range(len(self.store.moves(state))))

    def play(self, state: State, move: int) -> State:
        """Return the game's answer."""
        after = self.store.play(state, move)
        self.key(after)
        return after

    def text(self, state: State) -> str:
        """Return the text that the game writes, or its ``repr`` where that fails."""
        try:
            return self._position(state).text
        except ZermeloError:
            return repr(self.store.objects[state])

    def move_name(self, state: State, move: int) -> str:
        """Return the game's name of a move, or its number if it is illegal."""
        if not 0 <= move < len(self.store.moves(state)):
            return f"move number {move}"
        return self.game.move_name(self._position(state), move)

    def diagram(self, state: State) -> str:
        """Return the game's diagram."""
        return self._position(state).diagram

    def _position(self, state: State) -> Position:
        return self.game.with_state(self.store.objects[state])
