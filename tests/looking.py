"""Sessions in short slices, walked through at random while they rest."""

import random

from zermelo.core.position import Position
from zermelo.solving.result import Limits
from zermelo.solving.session import Session, Slices
from zermelo.solving.trees import branch

LIMITS = Limits(nodes=20_000, memory="16MB")


class Fixed(Slices):
    """Slices of one length."""

    def advance(self, search, seconds=0.0):
        return search(self.budget)


class Cut(Session):
    """A session in slices of ``budget`` steps."""

    budget = 25

    def _new_slices(self):
        return Fixed(self.budget)


def same_search(looked, left_alone):
    """Both sessions did the same, to the last entry of their tables."""
    assert looked.result().to_dict() | {"seconds": 0, "compile_seconds": 0} == (
        left_alone.result().to_dict() | {"seconds": 0, "compile_seconds": 0})
    for mine, other in zip(looked.runs, left_alone.runs, strict=True):
        assert (mine.nodes, mine.iterations, mine.status) == (
            other.nodes, other.iterations, other.status)
        assert (mine.numbers(), mine.moves(), mine.path, mine.counters) == (
            other.numbers(), other.moves(), other.path, other.counters)
        assert (mine.bytes, mine.fill) == (other.bytes, other.fill)


def wander(session, rng: random.Random, check, deepest=12):
    """Open nodes on a random way down; ``check(branch, positions)`` each. How many there were."""
    path, seen = [], 0
    while True:
        number = rng.randint(1, len(session.runs))
        found = branch(session, path, question=number)
        check(session, found, walked(session.position, path))
        seen += 1
        if not found["children"] or len(path) >= deepest:
            return seen
        best = [child for child in found["children"] if child["best"]]
        chosen = best[0] if best and rng.random() < 0.5 else rng.choice(found["children"])
        path = chosen["path"]


def walked(position: Position, path):
    positions = [position]
    for move in path:
        positions.append(positions[-1].play(move))
    return positions


def follow_best(session, path=()):
    """From ``path`` on to the marked children, as far as there are any; all branches met."""
    found = [branch(session, list(path))]
    while best := [child for child in found[-1]["children"] if child["best"]]:
        assert len(best) == 1
        found.append(branch(session, best[0]["path"]))
    return found
