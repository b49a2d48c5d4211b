"""``python -m benchmarks.limits``: what holds the best-first searches back, memory or playouts?

*Memory.* PN on the empty Connect Four board, by the rules alone, while its tree grows: nanoseconds
for an iteration, beside those of a read at a random place of as much memory, where the next place
is not known before the last was read (*chained*: latency), and where it is (*free*: as many at once
as the processor can ask for). Finding the place is part of both. The memory is that of tables, in
large pages where the system has them.

*Playouts.* PPN and MCPN with 60 and with 120 playouts a leaf, as many nodes: the difference is what
60 playouts a leaf take, and its share of the time with 60 says how near the search is to the speed
of its playouts.

Best of ROUNDS, in seconds of the processor. Run it on a machine that does nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import zermelo
from zermelo.compiler.jit import kernel
from zermelo.kernel.bits import mix, word
from zermelo.search.base import Task
from zermelo.search.best_first.search import BestFirst
from zermelo.search.common.table import aligned_words

SIZES = (250_000, 1_000_000, 4_000_000, 16_000_000, 48_000_000)  # nodes of a tree
NODE_BYTES = 24
READS, ROUNDS = 4_000_000, 3
LEAVES, MEMORY = 300_000, 3 << 30


def least(measure: Callable[[], float]) -> float:
    """The least of several measurements; the first one, which compiles, does not count."""
    measure()
    return min(measure() for _ in range(ROUNDS))


def chained(words, n):
    """Read ``n`` words, each at a place that the one before says."""
    at = word(0)
    for i in range(n):
        at = (words[np.int64(at)] + mix(at + word(i))) % word(len(words))
    return at


def free(words, n):
    """Read ``n`` words at places that depend on no word."""
    total = word(0)
    for i in range(n):
        total += words[np.int64(mix(word(i)) % word(len(words)))]
    return total


def read_nanoseconds(reader: Callable[..., object], size: int) -> float:
    """Of a read in so many bytes."""
    words = aligned_words(size // 8)
    words[:] = 1
    run = kernel(reader)

    def measure() -> float:
        began = time.process_time()
        run(words, READS)
        return time.process_time() - began

    return 1e9 * least(measure) / READS


def stages() -> list[float]:
    """Nanoseconds of an iteration of PN in each stage of its tree, up to each of SIZES."""
    task = Task(zermelo.game("connect-four").start(), 0, MEMORY, plain=True)
    found = []
    for _ in range(ROUNDS + 1):
        run, row = zermelo.PN().start(task), []
        for size in SIZES:
            before, began = run.iterations, time.process_time()
            run.advance(1 << 60, size)
            row.append(1e9 * (time.process_time() - began) / (run.iterations - before))
        found.append(row)
    return [min(column) for column in zip(*found[1:], strict=True)]


def leaf_seconds(search: BestFirst) -> float:
    """Of LEAVES nodes."""
    position = zermelo.game("connect-four").start()

    def measure() -> float:
        run = search.start(Task(position, 0, MEMORY, plain=True))
        began = time.process_time()
        run.advance(1 << 60, LEAVES)
        return (time.process_time() - began) / run.nodes

    return least(measure)


def main() -> None:
    """Print both tables."""
    print("| nodes up to | bytes | PN, ns an iteration | chained read, ns | free read, ns |")
    print("|--:|--:|--:|--:|--:|")
    for size, spent in zip(SIZES, stages(), strict=True):
        reads = [read_nanoseconds(reader, size * NODE_BYTES) for reader in (chained, free)]
        print(f"| {size:,} | {size * NODE_BYTES / 1e6:,.0f} MB | {spent:.0f} | {reads[0]:.1f} | "
              f"{reads[1]:.1f} |", flush=True)
    print("\n| search | 60 playouts, us a node | 120 playouts | share of the playouts |")
    print("|---|--:|--:|--:|")
    for kind in (zermelo.PPN, zermelo.MCPN):
        few, many = (1e6 * leaf_seconds(kind(playouts=n)) for n in (60, 120))
        print(f"| {kind.id} | {few:.2f} | {many:.2f} | {100 * (many - few) / few:.0f} % |",
              flush=True)


if __name__ == "__main__":
    main()
