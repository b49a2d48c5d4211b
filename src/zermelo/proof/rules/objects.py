"""The rules of a game in plain Python, for the checker: the user's own methods, asked anew.

A record has a digest of its position, not the position. So the checker first goes through the
positions that the certificate leads to, from the root, and so learns which digest is which. It is
the positions themselves that are checked then; a record that nothing leads to is refused.

A state is the number of an object in a store of the checker's own.
"""

from __future__ import annotations

from typing import Any

from zermelo.core.object_game import DIGEST_FIELD, ObjectGame
from zermelo.core.objects import DIGEST_BYTES, Store
from zermelo.core.position import Position
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS
from zermelo.errors import ZermeloError, one_line, quoted
from zermelo.proof.budget import Budget
from zermelo.proof.claim import DRAWN, FIRST, SECOND, Claim
from zermelo.proof.header import MOVE_BYTES, Refused
from zermelo.proof.rules.base import Array, RulesOf, State
from zermelo.proof.settle import POSITION_BYTES

ENDS = {ONGOING: None, FIRST_WINS: FIRST, SECOND_WINS: SECOND, DRAW: DRAWN}


class ObjectRules(RulesOf):
    """Asks the methods of a ``zermelo.PlainGame``."""

    source = "the game's own"
    can_be_sent = False

    def __init__(self, game: ObjectGame) -> None:
        super().__init__(folded=False)
        self.game, self.store = game, Store(game.store.source)
        self.players, self.cyclic = game.players, game.rules.cyclic
        self.digests: dict[int, bytes] = {}
        self.met: dict[bytes, int] = {}

    @property
    def layout(self) -> dict[str, Any]:
        """A digest."""
        return {"kind": "fields", "fields": [[DIGEST_FIELD, "|u1", DIGEST_BYTES]]}

    def read(self, text: str) -> State:
        """As the game reads it."""
        try:
            position = self.game.parse(text)
        except ZermeloError as error:
            raise Refused(f"its position can't be read: {one_line(error)}") from None
        root = self.store.add(self.game.state(position))
        self.key(root)
        return root

    def meet(self, records: Array, root: State, claim: Claim, budget: Budget) -> None:
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
        """The position of the digest, if it was met, and the move."""
        state = self.met.get(data[:DIGEST_BYTES])
        if state is None:
            raise Refused("no line of the certificate leads to its position")
        return state, int.from_bytes(data[-MOVE_BYTES:], "little", signed=True)

    def key(self, state: State) -> bytes:
        """The digest."""
        digest = self.digests.get(state)
        if digest is None:
            digest = self.digests[state] = self.game.digest(self.store.objects[state])
            if self.met.setdefault(digest, state) != state:
                raise Refused(f"the game gives {quoted(self.text(state))} and another position one "
                              "digest")
        return digest

    def keys(self, records: Array) -> Array:
        """All but the move."""
        return records[:, :-MOVE_BYTES]

    def mover(self, state: State) -> int:
        """As the game says."""
        return self.store.mover(state)

    def end(self, state: State) -> int | None:
        """As the game says."""
        return ENDS[self.store.outcome(state)]

    def moves(self, state: State) -> list[int]:
        """Their places in the game's list."""
        return list(range(len(self.store.moves(state))))

    def play(self, state: State, move: int) -> State:
        """As the game says."""
        after = self.store.play(state, move)
        self.key(after)
        return after

    def text(self, state: State) -> str:
        """As the game writes it; where that can't be, as Python does."""
        try:
            return self._position(state).text
        except ZermeloError:
            return repr(self.store.objects[state])

    def move_name(self, state: State, move: int) -> str:
        """As the game calls it; what is no move there has a number only."""
        if not 0 <= move < len(self.store.moves(state)):
            return f"move number {move}"
        return self.game.move_name(self._position(state), move)

    def diagram(self, state: State) -> str:
        """As the game draws it."""
        return self._position(state).diagram

    def _position(self, state: State) -> Position:
        return self.game.with_state(self.store.objects[state])
