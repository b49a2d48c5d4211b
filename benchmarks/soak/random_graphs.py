"""Random graphs, each with many positions to ask about."""

import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from certificates import NaiveGraph

import zermelo
from benchmarks.soak.drawn import Drawn, drawn
from benchmarks.soak.retrograde import Retrograde

MOST = 500  # nodes; none has so many
LARGEST = (5, 16, 16, 60)


def random_nodes(rng: random.Random, cyclic: bool) -> dict[str, Any]:
    """A graph as ``zermelo.graph`` takes it; players need not alternate."""
    inner = [f"n{i}" for i in range(rng.randint(2, rng.choice(LARGEST)))]
    ends = {f"end{i}": rng.choice(["win", "loss", "draw"]) for i in range(rng.randint(1, 5))}
    nodes: dict[str, Any] = {}
    for i, name in enumerate(inner):
        below = [*(inner if cyclic else inner[i + 1 :]), *ends]
        children = rng.sample(below, rng.randint(1, min(4, len(below))))
        if rng.random() < 0.5:  # else nearly all of them would be draws
            children = list(dict.fromkeys([*children[1:], rng.choice(list(ends))]))
        nodes[name] = (rng.choice(["or", "and"]), children)
    return {**nodes, **ends}


def nodes_of(lot: object, cyclic: bool) -> dict[str, Any]:
    """The graph of a lot."""
    return random_nodes(random.Random(f"graph:{cyclic}:{lot}"), cyclic)


def some_node(nodes: dict[str, Any], rng: random.Random) -> str:
    """Any of them; few where the game is over."""
    inner = [name for name, node in nodes.items() if not isinstance(node, str)]
    return rng.choice(list(nodes) if rng.random() < 0.05 else inner)


@lru_cache(maxsize=4)
def _made(lot: object, cyclic: bool) -> tuple[zermelo.Game, dict[str, Any], Retrograde]:
    nodes = nodes_of(lot, cyclic)
    return zermelo.graph(nodes), nodes, Retrograde(NaiveGraph(nodes), MOST)


def graph(cyclic: bool) -> Callable[[random.Random, object], Drawn]:
    """Positions of explicit random graphs."""

    def draw(rng: random.Random, lot: object) -> Drawn:
        game, nodes, exact = _made(lot, cyclic)
        return drawn(game.parse(some_node(nodes, rng)), exact)

    return draw
