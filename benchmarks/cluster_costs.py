"""``python -m benchmarks.cluster_costs``: what several workers cost their master.

A position is searched in small jobs, in this process, and the tree is made again from the journal:
bytes of the journal for each job, and of the master's memory for each node of its tree.
"""

from __future__ import annotations

import tempfile
import tracemalloc
from pathlib import Path

import zermelo
from zermelo.cluster.master import Budgets
from zermelo.cluster.session import Distributed
from zermelo.cluster.tree import TreeNode
from zermelo.solving.result import Limits

POSITIONS = (("connect-four", "4444", {}), ("hex", "start", {"size": 5}), ("othello", "start", {}))
VISITS, NODES = 64, 200_000  # of a job, and of all jobs


def count(node: TreeNode) -> int:
    """How many nodes a tree has from ``node`` on."""
    waiting, found = [node], 0
    while waiting:
        found += 1
        waiting += waiting.pop().children or []
    return found


def costs(name: str, text: str, parameters: dict[str, int]) -> tuple[int, int, float, float]:
    """Jobs, nodes, bytes of the journal for a job, and of memory for a node."""
    position = zermelo.game(name, **parameters).parse(text)
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal"

        def begin() -> Distributed:
            small = Budgets(2, least=VISITS, opening=VISITS, first=VISITS, most=VISITS)
            return Distributed(position, "df-pn", memory="64MB", plain=True, backend="inline",
                               journal=journal, budgets=small)

        with begin() as solver:
            solver.run(Limits(nodes=NODES))
        tracemalloc.start()
        with begin() as solver:
            nodes = sum(count(tree.root) for tree in solver.trees)
            memory, jobs = tracemalloc.get_traced_memory()[0], solver.journal.rows
        tracemalloc.stop()
        size = journal.stat().st_size
    return jobs, nodes, size / jobs, memory / nodes


def main() -> None:
    """Print a table."""
    print("| position | jobs | journal, bytes for a job | nodes of the tree | bytes for a node |")
    print("|---|--:|--:|--:|--:|")
    for name, text, parameters in POSITIONS:
        jobs, nodes, each, node = costs(name, text, parameters)
        print(f"| {name} {text} | {jobs:,} | {each:,.0f} | {nodes:,} | {node:,.0f} |")


if __name__ == "__main__":
    main()
