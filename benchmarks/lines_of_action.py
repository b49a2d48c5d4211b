"""``python -m benchmarks.lines_of_action``: how fast Lines of Action is generated and evaluated.

A plain alpha-beta of fixed depth, without a table, from the start and from the middle of games: a
node is entered, looked at for its end and, at the last ply, evaluated. Best of three.
"""

from __future__ import annotations

import random
import time

import numpy as np

import zermelo
from zermelo.compiler.jit import kernel
from zermelo.core.board import states_array
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING
from zermelo.games.lines_of_action.rules import evaluate

DEPTH, TRIES, MIDDLES, WON = 5, 3, 12, 1_000_000


def make_alpha_beta(rules):
    """``alpha_beta(g, states, lists, frames, depth) -> value``; counts nodes and evaluations."""
    moves, play, outcome, turn_of = rules.moves, rules.play, rules.outcome, rules.mover

    def leaf(g, s, counts):
        end = outcome(g, s)
        counts[0] += 1
        if end == ONGOING:
            return ONGOING, 0
        if end == DRAW:
            return end, 0
        return end, WON if end == FIRST_WINS + turn_of(g, s) else -WON

    def alpha_beta(g, states, lists, alphas, betas, todo, counts, depth):
        d = 0
        alphas[0], betas[0] = -WON, WON
        todo[0, 0], todo[0, 1] = 0, moves(g, states[0], lists[0])
        while True:
            if todo[d, 0] == todo[d, 1] or alphas[d] >= betas[d]:
                if d == 0:
                    return alphas[0]
                d -= 1
                alphas[d] = max(alphas[d], -alphas[d + 1])
                continue
            play(g, states[d], lists[d, todo[d, 0]], states[d + 1])
            todo[d, 0] += 1
            end, value = leaf(g, states[d + 1], counts)
            if end != ONGOING or d + 1 == depth:
                if end == ONGOING:
                    counts[1] += 1
                    value = evaluate(g, states[d + 1])
                alphas[d] = max(alphas[d], -value)
                continue
            d += 1
            alphas[d], betas[d] = -betas[d - 1], -alphas[d - 1]
            todo[d, 0], todo[d, 1] = 0, moves(g, states[d], lists[d])

    return kernel(alpha_beta)


def middles(game):
    """Positions from random games."""
    chance, found = random.Random(8), []
    for ply in range(20, 20 + 6 * MIDDLES, 6):
        position = game.start()
        for _ in range(ply):
            position = position.play_code(chance.choice(position.codes()))
        found.append(position)
    return found


def main() -> None:
    """Print the rates."""
    game = zermelo.game("lines-of-action")
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
    begin = time.process_time()
    count = game.start().perft(5)
    print(f"perft 5: {count:,} in {time.process_time() - begin:.2f} s")


if __name__ == "__main__":
    main()
