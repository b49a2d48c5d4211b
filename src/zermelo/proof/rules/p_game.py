"""P-game trees for the checker. A state is (node, total, depth): nodes are numbered level by level
from the root 0, and the value of the move into a node is drawn from its number."""

from __future__ import annotations

import re
import struct
from typing import Any

import numpy as np

from zermelo.errors import quoted
from zermelo.proof.header import DRAWN, FIRST, SECOND, Refused
from zermelo.proof.rules.base import Array, RulesOf, State, mix, only, whole

RECORD = struct.Struct("<Qiii")
KEY = struct.Struct("<Qii")
NUMBER, MOVE = r"(\d{1,20})", r"(?:0|[1-9]\d{0,3})"
TEXT = re.compile(rf"b={NUMBER},d={NUMBER},range={NUMBER},seed={NUMBER},generator={NUMBER}"
                  rf"(?:,path=({MOVE}(?:\.{MOVE})*))?", re.ASCII)


class PGameRules(RulesOf):
    """MAX adds, MIN subtracts; the sign of the sum after the last move decides."""

    players = ("MAX", "MIN")
    layout = {"kind": "fields",  # noqa: RUF012
              "fields": [["node", "<u8", 1], ["total", "<i4", 1], ["depth", "<i4", 1]]}

    def __init__(self, parameters: dict[str, Any], folded: bool) -> None:
        super().__init__(folded)
        only(parameters, "branching", "depth", "range", "seed", "generator")
        self.branching = whole(parameters, "branching", 2, 1024)
        self.depth = whole(parameters, "depth", 1, 62)
        self.range = whole(parameters, "range", 1, 65535)
        self.seed = whole(parameters, "seed", 0, 2**64 - 1)
        self.generator = whole(parameters, "generator", 1, 1)
        # Nodes of depth d are those from starts[d] up to starts[d + 1].
        self.starts = [(self.branching**d - 1) // (self.branching - 1)
                       for d in range(self.depth + 2)]
        if self.starts[-1] > 1 << 63:
            raise Refused("the tree has more than 2^63 nodes")
        self.tree = mix(self.seed ^ mix(self.generator))
        if folded:
            raise Refused("a P-game has no symmetries, but its states are folded")

    def mover(self, state: State) -> int:
        """Return the player: MAX at even depths."""
        return int(state[2]) & 1

    def moves(self, state: State) -> list[int]:
        """Return the moves, the same for all nodes."""
        return list(range(self.branching))

    def play(self, state: State, move: int) -> State:
        """Return the child; the value of the move goes to the total."""
        node, total, depth = state
        node = node * self.branching + 1 + move
        value = (mix(self.tree ^ mix(node)) >> 32) * (self.range + 1) >> 32
        return (node, total - value if depth & 1 else total + value, depth + 1)

    def end(self, state: State) -> int | None:
        """Return the end by the sign of the total at the bottom of the tree."""
        _, total, depth = state
        if depth < self.depth:
            return None
        return DRAWN if total == 0 else FIRST if total > 0 else SECOND

    def record(self, data: bytes, prover: int) -> tuple[State, int]:
        """Return node, total and depth, and the move."""
        node, total, depth, move = RECORD.unpack(data)
        if not 0 <= depth <= self.depth or not self.starts[depth] <= node < self.starts[depth + 1]:
            raise Refused("it has a node that the tree does not have at that depth")
        return (node, total, depth), move

    def key(self, state: State) -> bytes:
        """Return the bytes of the state."""
        return KEY.pack(*state)

    def keys(self, records: Array) -> Array:
        """Return the first bytes of each record."""
        return records[:, : KEY.size]

    def levels(self, records: Array) -> Array | None:
        """Return the depths."""
        depths = np.ascontiguousarray(records[:, KEY.size - 4 : KEY.size])
        return depths.view("<i4").ravel().astype(np.int32)

    def read(self, text: str) -> State:
        """Read ``b=2,d=20,range=127,seed=42,generator=1,path=0.1.1``: tree and moves."""
        found = TEXT.fullmatch(text)
        tree = [self.branching, self.depth, self.range, self.seed, self.generator]
        if found is None or [int(number) for number in found.groups()[:5]] != tree:
            raise Refused(f"{quoted(text)} is not a position of the tree in the parameters")
        state: State = (0, 0, 0)
        for name in (found[6].split(".") if found[6] else []):
            if self.end(state) is not None or int(name) >= self.branching:
                raise Refused(f"{quoted(name)} is not a move in {quoted(text)}")
            state = self.play(state, int(name))
        return state

    def text(self, state: State) -> str:
        """Return the path from the root."""
        node, path = state[0], []
        while node > 0:
            node, move = divmod(node - 1, self.branching)
            path.append(str(move))
        return "path=" + ".".join(reversed(path))

    def move_name(self, state: State, move: int) -> str:
        """Return the number of the move."""
        return str(move)
