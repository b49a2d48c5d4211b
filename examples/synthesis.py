"""Synthesis planning on a made-up reaction network: from a target back to what can be bought.

A molecule is an ``any`` node: one reaction that makes it is enough, unless it is in stock. A
reaction is an ``all`` node: it needs all its precursors. Reactions cost money, and so does what is
bought. Some molecules can be turned into each other, so the network has cycles.

    python examples/synthesis.py            the cheapest routes to lumine
    python examples/synthesis.py korrin     to another molecule
    zermelo problem examples/synthesis.py   the same as a command, with limits and certificates
"""

import sys
from typing import NamedTuple

import zermelo

STOCK = {"amber salt": 2, "blue acid": 3, "chalk": 1, "drift oil": 4, "ember": 6, "fenol": 2}

# what is made, from what, by which reaction, at which cost
NETWORK = [
    ("lumine", ("korrin", "jade ester"), "coupling", 5),
    ("lumine", ("isolumine",), "rearrangement", 1),
    ("isolumine", ("lumine",), "rearrangement back", 1),
    ("isolumine", ("ember", "ember", "fenol"), "one-pot", 9),
    ("korrin", ("amber salt", "blue acid"), "condensation", 4),
    ("korrin", ("halite",), "reduction", 2),
    ("halite", ("korrin",), "oxidation", 2),
    ("halite", ("ghost salt", "chalk"), "exchange", 1),
    ("jade ester", ("fenol", "blue acid"), "esterification", 3),
    ("jade ester", ("jade acid", "fenol"), "esterification", 3),
    ("jade acid", ("drift oil",), "cracking", 8),
    ("nil", ("ghost salt", "chalk"), "exchange", 1),
]


class Reaction(NamedTuple):
    """One line of the network; the names of molecules are nodes themselves."""

    product: str
    precursors: tuple[str, ...]
    name: str
    cost: float

    def __str__(self):
        """How it is printed in a route."""
        return self.name


REACTIONS = [Reaction(*line) for line in NETWORK]


def expand(node):
    """A molecule or a reaction, as a problem wants it."""
    if isinstance(node, Reaction):
        return "all", node.precursors
    if node in STOCK:
        return "solved", STOCK[node]
    ways = [reaction for reaction in REACTIONS if reaction.product == node]
    return "any", ways, [reaction.cost for reaction in ways]


def estimate(node):
    """A chemist's guess: what is in stock costs its price, the rest about 3 for each precursor."""
    if isinstance(node, Reaction):
        return sum(STOCK.get(one, 3) for one in node.precursors), 1
    return STOCK.get(node, 3), 1


lumine = zermelo.problem("lumine", expand, estimate=estimate)  # for the command line


def main(target="lumine"):
    """Print all routes to ``target``, cheapest first."""
    problem = zermelo.problem(target, expand, estimate=estimate)
    first = problem.solve()
    print(f"{target}: {first.status} after {first.iterations} expansions")
    for route in problem.solve(goal="all").routes(5):
        print(route)


if __name__ == "__main__":
    main(*sys.argv[1:2])
