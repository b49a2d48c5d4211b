"""Random graphs with cycles and boards of Lines of Action: exact values by retrograde analysis."""

import random
from collections import defaultdict, deque
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import zermelo
from zermelo.core.explicit_graph import Graph
from zermelo.proof.header import DRAWN
from zermelo.proof.rules.lines_of_action import LinesOfActionRules

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


@cache
def exact(size, most, both):
    """(rules, the winner or None by state, the ongoing states) of a board."""
    game = zermelo.game("lines-of-action", size=size, simultaneous=both)
    rules = LinesOfActionRules(dict(game.values), False)
    squares = sorted(rules.order)
    winner, waiting, before, queue = {}, {}, defaultdict(list), deque()
    for x, o in product(range(1, most + 1), repeat=2):
        for state in all_states(squares, x, o):
            end = rules.end(state)
            if end is None:
                after = [rules.play(state, move) for move in rules.moves(state)]
                waiting[state] = len(after)
                for child in after:
                    before[child].append(state)
            elif end != DRAWN:
                winner[state] = end
                queue.append(state)
    while queue:
        state = queue.popleft()
        for parent in before[state]:
            waiting[parent] -= 1
            if parent not in winner and (
                    parent[2] == winner[state] or waiting[parent] == 0):
                winner[parent] = winner[state]
                queue.append(parent)
    return game, rules, winner, sorted(waiting)


def all_states(squares, x, o):
    """All ways to place so many pieces, and who moves."""
    for first in combinations(squares, x):
        own = sum(1 << i for i in first)
        for second in combinations([i for i in squares if i not in first], o):
            other = sum(1 << i for i in second)
            yield from ((own, other, 0), (other, own, 1))


def value(state, winner):
    """Win, draw or loss for the player to move."""
    return {state[2]: "win", 1 - state[2]: "loss"}.get(winner.get(state), "draw")


def check_moves(rules, state, winner, result):
    by_name = {rules.move_name(state, move): move for move in rules.moves(state)}
    opposite = {"win": "loss", "loss": "win", "draw": "draw"}
    for row in result.moves:
        after = rules.play(state, by_name[row.move])
        here = opposite[value(after, winner)]
        assert row.value in ("unknown", here) or (row.value == "not-win" and here != "win")


def check_line(rules, state, winner, result):
    """The winner keeps the win to the end of the game."""
    won = winner[state]
    for name in result.line:
        move = {rules.move_name(state, move): move for move in rules.moves(state)}[name]
        state = rules.play(state, move)
        assert winner[state] == won
    assert rules.end(state) == won


class RepeaterLoses(Graph):
    """Whoever moves to a node of the path has lost."""

    def define(self):
        rules = super().define()
        mover = rules.mover

        def repeat(g, path, i, n):
            return zermelo.SECOND_WINS - mover(g, path[n - 1])

        return replace(rules, repeat=repeat)
