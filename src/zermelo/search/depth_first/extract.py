"""Extraction: the records of a certificate from a run that is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.compiler.jit import jit_enabled, kernel
from zermelo.core.board import states_array
from zermelo.errors import ProofFailure
from zermelo.search.depth_first.inspector import AGAIN
from zermelo.search.depth_first.proof_kernel import (
    BROKEN,
    CONTROL,
    CROWD,
    DONE,
    FLUSH,
    NEED,
    NONE,
    ROOM,
    Strategy,
    move_over,
)
from zermelo.search.reasons import LOST, WON

if TYPE_CHECKING:
    from zermelo.search.depth_first.run import Run

Array = np.ndarray[Any, Any]
BATCH, FIRST_SEEN = 1 << 16, 1 << 16
SEARCH_PLIES = 5
SHORT_PLACES, WORK = 1 << 16, 1 << 25


def records(run: Run, search: int, progress: Callable[[int], None] | None = None,
            ) -> Iterator[tuple[Array, Array, Array]]:
    """Batches (states, moves, ranks) that prove what ``run`` found out.

    ``search``: how many positions the checker may settle by itself at a record; 0 for none.
    """
    if run.position.outcome is not None:
        return
    strategy = _begin(run, search, BATCH)
    control = strategy.control[0]
    rules, stack, written = run.rules, run.spare, 0
    run.aim(stack, run.position.state[0])
    while True:
        reason = run.parts.extract(rules.data, stack, run.table.words, strategy)
        if reason in (FLUSH, DONE):
            n = int(control["written"])
            yield strategy.states[:n].copy(), strategy.moves[:n].copy(), strategy.ranks[:n].copy()
            written, control["written"] = written + n, 0
            if progress is not None:
                progress(written)
            if reason == DONE:
                return
        elif reason == ROOM:
            used = len(strategy.todo)
            todo, depths = states_array(rules, 2 * used), np.zeros(2 * used, np.int32)
            todo[:used], depths[:used] = strategy.todo, strategy.depths
            strategy = strategy._replace(todo=todo, depths=depths)
        elif reason == CROWD:
            seen = np.zeros(4 * len(strategy.seen), np.uint64)
            kernel(move_over)(strategy.seen, seen)
            strategy = strategy._replace(seen=seen)
        elif reason == NEED:
            top = int(control["todo"]) - 1
            control["hint"] = proved_move(run, strategy.todo[top], int(strategy.depths[top]))
            run.aim(stack, run.position.state[0])
        elif reason == BROKEN:
            raise ProofFailure(f"{run.position.game.name}: the proof of "
                               f"{run.position.text!r} runs into a finished game that it does "
                               "not allow. This is a bug.")


def load_extraction(run: Run) -> None:
    """Load or compile what ``records`` needs, and write none."""
    if run.position.outcome is not None:
        return
    strategy = _begin(run, 0, 1)
    strategy.control[0]["todo"] = 0
    run.aim(run.spare, run.position.state[0])
    run.parts.extract(run.rules.data, run.spare, run.table.words, strategy)
    kernel(move_over)(strategy.seen, strategy.seen.copy())


def proved_move(run: Run, state: Any, origin: int) -> int:
    """The prover's move in a state ``origin`` plies below the root, by the table or by another
    search."""
    wanted = run.status
    status, children = run.look_again(state.copy(), origin, AGAIN)
    good = [(length, index) for index, (_, child, length) in enumerate(children) if child == wanted]
    if status != wanted or not good:
        raise ProofFailure(f"{run.position.game.name}: a position of the proof of "
                           f"{run.position.text!r} was not proved when it was searched again. "
                           "This is a bug.")
    return children[min(good)[1]][0]


def _begin(run: Run, search: int, batch: int) -> Strategy:
    rules, won = run.rules, run.status == WON
    control = np.zeros(1, CONTROL)
    control = control if jit_enabled() else control.view(np.recarray)
    room = max(1 << 12, 4 * rules.max_moves)
    strategy = Strategy(
        todo=states_array(rules, room), depths=np.zeros(room, np.int32),
        seen=np.zeros(FIRST_SEEN, np.uint64), states=states_array(rules, batch),
        moves=np.zeros(batch, np.int32), ranks=np.zeros(batch, np.int64), control=control,
        short=np.zeros((SHORT_PLACES, 2), np.uint64),
    )
    strategy.todo[0] = run.position.state[0]
    control[0]["todo"], control[0]["hint"] = 1, NONE
    control[0]["credit"] = WORK // rules.max_moves
    control[0]["wanted"] = WON if won else LOST
    control[0]["prover"] = run.attacker if won else 1 - run.attacker
    control[0]["search"], control[0]["plies"] = search, SEARCH_PLIES if search > 0 else 0
    return strategy
