"""The order of moves: the table's, killers, then by history, by how likely they are, by the game.

A move's order is a number; the largest comes first and the leftmost among equals.
"""

from zermelo.search.minimax.score import UNIT

FROM_TABLE, KILLER, SECOND_KILLER = 1 << 60, 1 << 59, 1 << 58
HISTORY, LIKELY = 1 << 14, 1 << 16  # moves told apart; steps between one history and the next
MOST_HISTORY = 1 << 40
TRIED = -1


def put_in_order(o, stack, ply, mover, n, first):
    """Write ``orders`` of the ``n`` moves of the node at ``ply``; ``first``: the table's, or -1."""
    moves, kinds, orders = stack.lists, stack.kinds, stack.orders
    for i in range(n):
        move = moves[ply, i]
        if i == first:
            orders[ply, i] = FROM_TABLE
        elif move == stack.killers[ply, 0]:
            orders[ply, i] = KILLER
        elif move == stack.killers[ply, 1]:
            orders[ply, i] = SECOND_KILLER
        else:
            past = stack.history[mover, move & (HISTORY - 1)]
            orders[ply, i] = past * LIKELY + o.common.likely[kinds[ply, i]]


def next_in_order(stack, ply, n):
    """The place of the move to try next, which is marked as tried."""
    orders, at, most = stack.orders, 0, TRIED
    for i in range(n):
        if orders[ply, i] > most:
            at, most = i, orders[ply, i]
    orders[ply, at] = TRIED
    return at


def learn(stack, ply, mover, move, depth):
    """A move refuted the line that led to the node at ``ply``."""
    if move != stack.killers[ply, 0]:
        stack.killers[ply, 1] = stack.killers[ply, 0]
        stack.killers[ply, 0] = move
    plies = depth // UNIT + 1
    slot = move & (HISTORY - 1)
    stack.history[mover, slot] = min(stack.history[mover, slot] + plies * plies, MOST_HISTORY)
