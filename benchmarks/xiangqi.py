"""``python -m benchmarks.xiangqi``: how fast Xiangqi is generated and evaluated.

A plain alpha-beta of fixed depth, without a table and without an order of moves, from the start and
from the middle of games: a node is entered and, at the last ply, evaluated; elsewhere its moves are
generated. Then the package's own searches, with table, order of moves and claims. Processor time,
best of three.
"""

from __future__ import annotations

import random
import time

import numpy as np

import zermelo
from zermelo.compiler.jit import kernel
from zermelo.core.board import states_array
from zermelo.games.xiangqi.rules import evaluate
from zermelo.kernel.bits import bare

DEPTH, TRIES, MIDDLES, WON = 4, 3, 12, 10_000
NODES, MEMORY = 3_000_000, "256MB"  # of the package's searches, the nodes over all positions


def make_alpha_beta(rules):
    """``run(g, states, lists, alphas, betas, todo, counts, depth) -> value``."""
    moves, play = rules.moves, rules.play

    def enter(g, states, lists, alphas, todo, d):
        todo[d, 0], todo[d, 1] = 0, moves(g, states[d], lists[d])
        if todo[d, 1] == 0:
            alphas[d] = -WON

    def alpha_beta(g, states, lists, alphas, betas, todo, counts, depth):
        d = 0
        alphas[0], betas[0] = -WON, WON
        enter(g, states, lists, alphas, todo, 0)
        while True:
            if todo[d, 0] == todo[d, 1] or alphas[d] >= betas[d]:
                if d == 0:
                    return alphas[0]
                d -= 1
                alphas[d] = max(alphas[d], -alphas[d + 1])
                continue
            play(g, states[d], lists[d, todo[d, 0]], states[d + 1])
            todo[d, 0] += 1
            counts[0] += 1
            if d + 1 == depth:
                counts[1] += 1
                alphas[d] = max(alphas[d], -evaluate(g, states[d + 1]))
                continue
            d += 1
            alphas[d], betas[d] = -betas[d - 1], -alphas[d - 1]
            enter(g, states, lists, alphas, todo, d)

    def run(g, states, lists, alphas, betas, todo, counts, depth):
        return alpha_beta(bare(g), bare(states), bare(lists), bare(alphas), bare(betas), bare(todo),
                          bare(counts), depth)

    return kernel(run)


def middles(game):
    """Positions from random games."""
    chance, found = random.Random(8), []
    for ply in range(20, 20 + 4 * MIDDLES, 4):
        position = game.start()
        for _ in range(ply):
            position = position.play_code(chance.choice(position.codes()))
        found.append(position)
    return found


def search_rate(search, positions):
    """Nodes a second of processor time, and the share of nodes that were evaluated."""
    nodes = evaluated = 0
    begin = time.process_time()
    for position in positions:
        result = zermelo.solve(position, search, goal="win", nodes=NODES // len(positions),
                               memory=MEMORY)
        nodes += result.nodes
        evaluated += result.counters["evaluated"]
    return nodes / (time.process_time() - begin), evaluated / nodes


def main() -> None:
    """Print the rates."""
    game = zermelo.game("xiangqi")
    rules = game.rules
    run = make_alpha_beta(rules)
    states, lists = states_array(rules, DEPTH + 1), np.zeros((DEPTH, 256), np.int32)
    alphas, betas = np.zeros(DEPTH + 1, np.int64), np.zeros(DEPTH + 1, np.int64)
    todo = np.zeros((DEPTH + 1, 2), np.int64)
    for name, positions in (("start", [game.start()]), ("middle", middles(game))):
        rates = []
        for _ in range(TRIES + 1):  # the first compiles
            counts, begin = np.zeros(2, np.int64), time.process_time()
            for position in positions:
                states[0] = position.state[0]
                run(rules.data, states, lists, alphas, betas, todo, counts, DEPTH)
            spent = time.process_time() - begin
            rates.append((counts[0] / spent, counts[1] / spent))
        nodes, evaluated = max(rates[1:])
        print(f"{name:8} depth {DEPTH}: {counts[0]:,} nodes, {counts[1]:,} evaluated; "
              f"{nodes / 1e6:.2f} M nodes/s, {evaluated / 1e6:.2f} M evaluated/s")
    for search in (zermelo.AlphaBeta(), zermelo.PVS()):
        for name, positions in (("start", [game.start()]), ("middle", middles(game))):
            rates = [search_rate(search, positions) for _ in range(TRIES + 1)][1:]
            print(f"{search.id:10} {name:8} {max(rates)[0] / 1e6:.2f} M nodes/s "
                  f"({min(rates)[0] / 1e6:.2f} at least), {100 * rates[0][1]:.0f} % evaluated")
    game.start().perft(2)
    begin = time.process_time()
    count = game.start().perft(5)
    print(f"perft 5: {count:,} in {time.process_time() - begin:.2f} s")


if __name__ == "__main__":
    main()
