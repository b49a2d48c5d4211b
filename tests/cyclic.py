"""Random graphs with cycles, and their exact values by retrograde analysis."""

import random

import zermelo

SIDES = {"or": 0, "and": 1}
ENDS = {"win": 0, "loss": 1, "draw": None}


def random_graph(seed: int):
    """Nodes as for ``zermelo.graph``: half of the edges lead back, players need not alternate."""
    rng = random.Random(seed)
    inner, leaves = rng.randint(3, 14), rng.randint(1, 4)
    names = [f"n{i}" for i in range(inner)]
    ends = {f"l{i}": rng.choice(["win", "loss", "draw", "win", "loss"]) for i in range(leaves)}
    nodes = {}
    for name in names:
        kind = rng.choice(["or", "and"])
        width = rng.randint(1, 4)
        children = rng.sample([n for n in names if n != name or rng.random() < 0.2], k=min(
            width, len(names) - 1))
        if rng.random() < 0.35:
            children[rng.randrange(len(children))] = rng.choice(list(ends))
        nodes[name] = (kind, list(dict.fromkeys(children)))
    return {**nodes, **ends}


def winners(nodes, player: int):
    """The nodes from which ``player`` wins for sure: what can be forced, step by step."""
    won = {name for name, node in nodes.items() if isinstance(node, str) and ENDS[node] == player}
    while True:
        more = {
            name for name, node in nodes.items() if not isinstance(node, str) and name not in won
            and (any if SIDES[node[0]] == player else all)(child in won for child in node[1])
        }
        if not more:
            return won
        won |= more


def value_of(nodes, name: str) -> str:
    """Win, draw or loss for the side that moves at ``name``; a game without an end is a draw."""
    node = nodes[name]
    mover = SIDES[node[0]] if not isinstance(node, str) else 0
    if name in winners(nodes, mover):
        return "win"
    return "loss" if name in winners(nodes, 1 - mover) else "draw"


def value_with_rule(nodes, name: str, player: int, rule, path=()) -> bool:
    """Does ``player`` win, where ``rule(path, i)`` is the winner (or None) when ``path[-1]`` is
    ``path[i]`` again? By trying every game there is."""
    node = nodes[name]
    if isinstance(node, str):
        return ENDS[node] == player
    if name in path:
        return rule((*path, name), path.index(name)) == player
    results = (value_with_rule(nodes, child, player, rule, (*path, name)) for child in node[1])
    return (any if SIDES[node[0]] == player else all)(results)


def graph_of(nodes) -> zermelo.Game:
    """The graph with n0 as its root."""
    return zermelo.graph(nodes, root="n0")
