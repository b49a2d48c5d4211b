"""P-game trees the slow way: a state is the path; every value comes straight from the formula."""

from zermelo.core.position import Position

WORD = 2**64


def mix(x: int) -> int:
    """The finaliser of SplitMix64 (Steele, Lea & Flood 2014, variant 13 of Stafford's mixers)."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB % WORD
    return x ^ x >> 31


class NaivePGame:
    """A state is the tuple of the moves played."""

    def __init__(self, branching=2, depth=20, range=127, seed=0, generator=1) -> None:
        self.branching, self.depth, self.range, self.seed = branching, depth, range, seed
        self.generator = generator

    def start(self):
        return ()

    def from_position(self, position: Position):
        _, _, path = position.text.partition("path=")
        return tuple(int(move) for move in path.split(".")) if path else ()

    def mover(self, state) -> int:
        return len(state) % 2

    def moves(self, state) -> list[str]:
        return [str(move) for move in range(self.branching)]

    def play(self, state, move: str):
        return (*state, int(move))

    def outcome(self, state) -> str | None:
        if len(state) < self.depth:
            return None
        total = sum(self.values(state))
        return "first" if total > 0 else "second" if total < 0 else "draw"

    def values(self, path) -> list[int]:
        """The values of the moves along a path."""
        tree, node, found = mix(self.seed ^ mix(self.generator)), 0, []
        for depth, move in enumerate(path):
            node = node * self.branching + move + 1
            drawn = (mix(tree ^ mix(node)) // 2**32) * (self.range + 1) // 2**32
            found.append(-drawn if depth % 2 else drawn)
        return found

    def value(self, path=()) -> str:
        """Who wins under best play, by looking at every leaf."""
        end = self.outcome(path)
        if end is not None:
            return end
        order = ("first", "draw", "second") if len(path) % 2 == 0 else ("second", "draw", "first")
        return min((self.value((*path, i)) for i in range(self.branching)), key=order.index)
