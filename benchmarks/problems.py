"""What batches cost, and which search expands least, on random quantified Boolean formulas.

    python -m benchmarks.problems

Every formula has six blocks of four variables, universal ones first, and clauses of two existential
variables and a universal one. Expansions are added up over all formulas; seconds are those of the
processor.
"""

import importlib.util
import random
import time
from pathlib import Path
from typing import Any

FORMULAS, VARIABLES, CLAUSES, BLOCK = 25, 24, 26, 4
SEARCHES = [("pn", 1), ("pn", 8), ("pn", 32), ("deep-pn", 1), ("df-pn", 1), ("weak-df-pn", 1)]


def example(name: str) -> Any:
    path = Path(__file__).parents[1] / "examples" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def random_formula(seed: int) -> tuple[list[tuple[int, bool]], list[frozenset[int]]]:
    rng = random.Random(seed)
    prefix = [(i + 1, i // BLOCK % 2 == 0) for i in range(VARIABLES)]
    some = [variable for variable, universal in prefix if not universal]
    every = [variable for variable, universal in prefix if universal]
    clauses = [frozenset(rng.choice([1, -1]) * variable
                         for variable in rng.sample(some, 2) + rng.sample(every, 1))
               for _ in range(CLAUSES)]
    return prefix, clauses


def main() -> None:
    qbf = example("qbf")
    print(f"{'search':12} {'batch':>5} {'true':>5} {'expansions':>11} {'joins':>8} {'seconds':>8}")
    for search, batch in SEARCHES:
        began, expansions, joins, true = time.process_time(), 0, 0, 0
        for seed in range(FORMULAS):
            result = qbf.formula(*random_formula(seed)).solve(search, batch=batch)
            expansions, joins = expansions + result.iterations, joins + result.joins
            true += result.solved
        seconds = time.process_time() - began
        print(f"{search:12} {batch:5} {true:5} {expansions:11,} {joins:8,} {seconds:8.2f}")


if __name__ == "__main__":
    main()
