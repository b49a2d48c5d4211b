"""What a game that is over says about a task."""

from zermelo.core.rules import OUTCOMES
from zermelo.search.base import Task
from zermelo.search.common.status import LOST, UNKNOWN, WON


def finished(task: Task) -> int:
    """WON or LOST for the attacker where the game is over, else UNKNOWN."""
    end, game = task.position.outcome, task.position.game
    if end is None:
        return UNKNOWN
    if task.threshold == 1 or game.rules.score is None:
        return WON if end == OUTCOMES[1 + task.attacker] else LOST
    score = game.board.score(task.position.state)
    return WON if (score if task.attacker == 0 else -score) >= task.threshold else LOST
