"""The yardstick: proof-number search on Connect Four, written plainly with Numba in 60 lines.

Arrays of numbers, descent from the root every time, all ancestors updated: what one would write
first. It expands the same nodes as ``zermelo.PN``; the benchmark divides our speed by its speed.
"""

import numpy as np
from numba import njit

INF = 4_000_000_000
FULL = np.uint64(sum(63 << (7 * c) for c in range(7)))


@njit(nogil=True)
def four(stones):
    for step in (1, 6, 7, 8):
        pairs = stones & (stones >> np.uint64(step))
        if pairs & (pairs >> np.uint64(2 * step)):
            return True
    return False


@njit(nogil=True)
def search(own, mask, limit, parent, first, count, column, pn, dn):
    """Returns (1 proved, 0 disproved or -1 at the limit, nodes, iterations)."""
    size, iterations = 1, 0
    parent[0], first[0], count[0], pn[0], dn[0] = -1, 0, 0, 1, 1
    while pn[0] != 0 and dn[0] != 0:
        if size >= limit:
            return -1, size, iterations
        node, mine, all_stones, attacker = 0, own, mask, True
        while count[node] > 0:  # follow the most-proving child
            best, least = -1, INF + 1
            for c in range(first[node], first[node] + count[node]):
                number = pn[c] if attacker else dn[c]
                if number < least:
                    best, least = c, number
            node = best
            mine = mine ^ all_stones
            all_stones |= all_stones + (np.uint64(1) << np.uint64(7 * column[node]))
            attacker = not attacker
        first[node] = size
        for c in range(7):  # expand
            if all_stones & (np.uint64(1) << np.uint64(7 * c + 5)):
                continue
            after = all_stones | (all_stones + (np.uint64(1) << np.uint64(7 * c)))
            parent[size], column[size], count[size], pn[size], dn[size] = node, c, 0, 1, 1
            if four(mine | (after ^ all_stones)):
                pn[size], dn[size] = (0, INF) if attacker else (INF, 0)
            elif after == FULL:
                pn[size], dn[size] = INF, 0
            size += 1
            count[node] += 1
        iterations += 1
        while node >= 0:  # update all ancestors
            least, total = INF, 0
            for c in range(first[node], first[node] + count[node]):
                least = min(least, pn[c] if attacker else dn[c])
                total += dn[c] if attacker else pn[c]
            total = min(total, INF)
            pn[node], dn[node] = (least, total) if attacker else (total, least)
            node, attacker = parent[node], not attacker
    return int(pn[0] == 0), size, iterations


def run(own: int, mask: int, limit: int, room: int) -> tuple[int, int, int]:
    """Search from stones of the side to move and of both; arrays for ``room`` nodes."""
    arrays = [np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int8),
              np.empty(room, np.int8), np.empty(room, np.int64), np.empty(room, np.int64)]
    answer: tuple[int, int, int] = search(np.uint64(own), np.uint64(mask), limit, *arrays)
    return answer
