"""Random AND/OR graphs with joins and cycles, and what is true of them by brute force."""

import math
from itertools import product


def random_graph(rng, most=14, any_share=0.5):
    """Nodes 0 to n - 1 as ``expand`` returns them; 0 is the root."""
    size, found = rng.randint(1, most), {}
    for node in range(size):
        chance = rng.random()
        if chance < 0.18:
            found[node] = rng.choice(["solved", ("solved", rng.randint(0, 3))])
        elif chance < 0.33:
            found[node] = "dead"
        else:
            least = 0 if rng.random() < 0.1 else 1
            children = [rng.randrange(size) for _ in range(rng.randint(least, 4))]
            costs = [rng.randint(0, 4) for _ in children]
            inner = ("any" if rng.random() < any_share else "all", children, costs)
            found[node] = inner if rng.random() < 0.6 else inner[:2]
    return found


def parts(said):
    """(kind, children, costs, cost of an end)."""
    if isinstance(said, str):
        return said, [], [], 0
    if said[0] == "solved":
        return "solved", [], [], said[1]
    return said[0], said[1], said[2] if len(said) > 2 else [0] * len(said[1]), 0


def solvable(graph):
    """The nodes that can be solved: the least fixpoint."""
    found = set()
    while True:
        new = set()
        for node, said in graph.items():
            kind, children, _, _ = parts(said)
            below = [child in found for child in children]
            if kind == "solved" or (kind == "any" and any(below)) or (kind == "all" and all(below)):
                new.add(node)
        if new <= found:
            return found
        found |= new


def least_costs(graph):
    """What solving each node costs at least, by going round until nothing changes."""
    costs = dict.fromkeys(graph, math.inf)
    for _ in range(len(graph) + 1):
        for node, said in graph.items():
            kind, children, edges, cost = parts(said)
            ways = [costs[child] + edge for child, edge in zip(children, edges, strict=True)]
            costs[node] = {"solved": cost, "dead": math.inf, "any": min(ways, default=math.inf),
                           "all": sum(ways)}[kind]
    return costs


def every_route(graph, root=0):
    """The costs of all routes: every choice at the any nodes that does not lead in a circle."""
    able = solvable(graph)
    choosing = [node for node, said in graph.items() if node in able and parts(said)[0] == "any"]
    ways = [[i for i, child in enumerate(parts(graph[node])[1]) if child in able]
            for node in choosing]
    found = {}
    for chosen in product(*ways):
        choice, used = dict(zip(choosing, chosen, strict=True)), {}

        def cost_of(node, above, choice=choice, used=used):
            kind, children, edges, cost = parts(graph[node])
            if node in above:
                return math.inf
            places = range(len(children))
            if kind == "any":
                places = [choice[node]]
                used[node] = choice[node]
            return cost + sum(cost_of(children[i], above | {node}) + edges[i] for i in places)

        total = cost_of(root, frozenset())
        if total < math.inf:
            found[tuple(sorted(used.items()))] = total
    return sorted(found.values())
