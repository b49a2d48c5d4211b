"""Looking into the tree or table of a session while it rests: node by node, as plain records.

A node is opened by the moves that lead to it. What a search keeps of its nodes differs (see
``Search.keeps``): a best-first search has its whole tree; a depth-first or minimax search a table,
which may have lost any of them; a threat search the proof it found. Looking changes nothing: a
session that is looked into between two slices goes on as it would have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.core.position import Position
from zermelo.errors import BadMove, BadOption, check_whole, quoted
from zermelo.search.base import Opened, Run, Seen
from zermelo.search.reasons import LOST, UNKNOWN, WON
from zermelo.solving.session import Session

MOST_CHILDREN = 200
LONGEST_PATH = 10_000
STATUSES = {UNKNOWN: "unknown", WON: "won", LOST: "lost"}


def branch(session: Session, path: Sequence[str] = (), offset: int = 0, count: int = MOST_CHILDREN,
           question: int | None = None) -> dict[str, Any]:
    """Return the node that ``path`` leads to, and up to 200 of its children from ``offset`` on.

    ``question``: which of the session's subgoals, from 1; the last by default. With ``candidates``
    a node is ``lost`` where they do not win it, which means nothing for other moves.
    """
    check_whole("offset", offset, 0)
    check_whole("count", count, 0, MOST_CHILDREN)
    if not session.runs:
        raise BadOption("the search has not begun: there is no tree yet.")
    number = len(session.runs) if question is None else question
    check_whole("question", number, 1, len(session.runs))
    run = session.runs[number - 1]
    positions, codes = walked(session.position, path)
    names = _names(positions, codes)
    opened = run.open(codes, offset, count)
    if repeats(positions):
        opened = Opened(opened.node, [], 0, opened.also)
    return {
        "path": names, "node": _node(run, positions, names, opened.node, opened),
        "children": [_child(run, positions, names, child) for child in opened.children],
        "more": max(0, opened.total - offset - count), "keeps": session.search.keeps,
        "question": number, "asked": session.in_words(session.subgoals[number - 1]),
        "attacker": session.position.game.players[run.attacker],
        "candidates": session.candidates,
    }


def walked(position: Position, path: Sequence[str]) -> tuple[list[Position], list[int]]:
    """Return the positions along ``path``, from ``position`` on, and the codes of its moves."""
    if isinstance(path, str) or not all(isinstance(move, str) for move in path):
        raise BadMove(f"a path is a list of moves, such as {position.moves()[:2]}, not "
                      f"{quoted(path)}.")
    if len(path) > LONGEST_PATH:
        raise BadMove(f"a path of {len(path):,} moves is too long; at most {LONGEST_PATH:,} are "
                      "valid.")
    positions, codes = [position], list[int]()
    for number, move in enumerate(path, 1):
        try:
            after = positions[-1].play(move)
        except BadMove as error:
            raise BadMove(f"move {number} of the path: {error}") from None
        positions.append(after)
        codes.append(after.played[-1])
    return positions, codes


def repeats(positions: Sequence[Position]) -> bool:
    """Return True if the last of ``positions`` has come up before, in a cyclic game."""
    last = positions[-1]
    return last.game.rules.cyclic and any(
        last.state.tobytes() == earlier.state.tobytes() for earlier in positions[:-1])


def kind_of(position: Position, attacker: int) -> str:
    """Return ``or`` where the attacker moves, ``and`` where the other does, ``end`` at the end."""
    if position.outcome is not None:
        return "end"
    return "or" if position.mover == attacker else "and"


def _names(positions: Sequence[Position], codes: Sequence[int]) -> list[str]:
    return [position.game.move_name(position, code)
            for position, code in zip(positions, codes, strict=False)]


def _node(run: Run, positions: Sequence[Position], names: Sequence[str], seen: Seen,
          opened: Opened | None = None) -> dict[str, Any]:
    position = positions[-1]
    found: dict[str, Any] = {
        "move": names[-1] if names else None, "path": list(names),
        "kind": kind_of(position, run.attacker), "to_move": position.to_move,
        "status": STATUSES[seen.status], "outcome": position.outcome, "numbers": seen.numbers,
        "children": seen.children if opened is None else opened.total,
        "held": seen.held, "best": seen.best,
    }
    if position.outcome is not None:
        found["children"] = 0
    if repeats(positions):
        found["repeats"], found["children"] = True, 0
    if seen.thresholds is not None:
        found["thresholds"] = seen.thresholds
    if opened is not None and opened.also:
        found["also"] = [_names(after_codes(positions[0], way), way) for way in opened.also]
    return found


def _child(run: Run, positions: Sequence[Position], names: Sequence[str],
           seen: Seen) -> dict[str, Any]:
    assert seen.move is not None
    here = positions[-1]
    name = here.game.move_name(here, seen.move)
    return _node(run, [*positions, here.play_code(seen.move)], [*names, name], seen)


def after_codes(position: Position, codes: Sequence[int]) -> list[Position]:
    """Return the positions along the moves with these codes, from ``position`` on."""
    found = [position]
    for code in codes:
        found.append(found[-1].play_code(code))
    return found
