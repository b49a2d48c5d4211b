"""What came before the position counts in a game that is played: moves that end it by repetition.

A search knows the position alone. When the move that it likes would end the game because of earlier
positions, as a draw or even as a loss (perpetual check), that is seen here, and another move is
looked for where that is better; a player who is losing takes such a draw.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from zermelo.core.position import Position
from zermelo.engine.clock import LEAST, Budget
from zermelo.engine.thinking import Answer, Thinking
from zermelo.playing.referee import REPETITION, Referee
from zermelo.solving.result import Value

Think = Callable[[Thinking], Answer]


def ends(position: Position) -> dict[str, int]:
    """The moves after which the game is over by repetition: 1 if the mover wins by it, 0, or -1."""
    found: dict[str, int] = {}
    if not position.game.rules.cyclic or not position.played:
        return found
    met = Referee(position).met
    for code in position.codes():
        after = position.play_code(code)
        if met[after]:
            verdict = Referee(after).verdict()
            if verdict is not None and verdict[1] == REPETITION:
                winner = ("first", "second", "draw").index(verdict[0])
                worth = 0 if winner == 2 else 1 if winner == position.mover else -1
                found[position.game.move_name(position, code)] = worth
    return found


def with_what_came_before(thinking: Thinking, answer: Answer, think: Think) -> Answer:
    """``answer``, or a better one for the game that was played so far."""
    known = ends(thinking.position)
    found = {move: worth for move, worth in known.items() if move in thinking.allowed}
    won, drawn = ([move for move, worth in found.items() if worth == wanted] for wanted in (1, 0))
    if won:
        return _ending(won[0], answer)
    worth = found.get(answer.move or "")
    if worth == -1 or (worth == 0 and not _content(answer)):
        others = [move for move in thinking.allowed if move not in found]
        answer = _among(others, thinking, think) if others else answer
    if drawn and (_loses(answer) or found.get(answer.move or "") == -1):
        return _ending(drawn[0], answer)
    return answer


def _ending(move: str, answer: Answer) -> Answer:
    """A move after which nothing comes; no search has proved anything about it."""
    return replace(answer, move=move, value=Value.UNKNOWN, length=None, points=0, line=[move])


def _content(answer: Answer) -> bool:
    """Whether a draw is as good as what a search expects."""
    if answer.proved:
        return answer.value != Value.WIN
    return answer.points is not None and answer.points <= 0


def _loses(answer: Answer) -> bool:
    """Whether a draw is better."""
    return answer.value == Value.LOSS or (not answer.proved and (answer.points or 0) < 0)


def _among(moves: list[str], thinking: Thinking, think: Think) -> Answer:
    """The best of some moves, within what is left of the budget."""
    if thinking.stopping:
        thinking.allowed, thinking.whole = moves, False
        return thinking.answer()
    given = thinking.budget
    seconds = None if given.seconds is None else max(LEAST, given.seconds - thinking.seconds)
    nodes = None if given.nodes is None else max(1, given.nodes - thinking.nodes)
    left = Budget(seconds, nodes, given.depth, given.forever)
    return think(Thinking(thinking.position, thinking.settings, left, only=moves))
