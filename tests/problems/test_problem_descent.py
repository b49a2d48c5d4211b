"""The way down to a leaf of a problem: the leaves of a walk from the root, and few steps."""

import random

import pytest
from andor import random_graph

import zermelo
from zermelo.problems.numbers import ExactNumbers, Least
from zermelo.problems.searches import Descent


def first_leaf(root, order):
    """The first leaf that is not waiting, depth first in the order of the numbers, every node
    entered once; None if there is none."""
    seen = {root.number}

    def below(node):
        if node.kind is None:
            return None if node.waiting else node
        for child in order(node):
            if child.number not in seen:
                seen.add(child.number)
                found = below(child)
                if found is not None:
                    return found
        return None

    return below(root)


def long_graph(rng, size=60):
    """Edges lead a few numbers further, and some of them back."""
    found = {size: "solved"}
    for node in range(size):
        count = rng.choice((1, 1, 1, 1, 2, 3))
        children = [min(node + rng.randint(1, 3), size) for _ in range(count)]
        if rng.random() < 0.1:
            children.append(rng.randrange(node + 1))
        found[node] = rng.choice(["solved", "dead"]) if rng.random() < 0.05 else (
            rng.choice(["any", "all"]), children)
    return found


@pytest.mark.long_cases("pn-1", "PN(shuffle=True, tie='left')-3", "deep-pn-3")
@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("search", ["pn", zermelo.PN(shuffle=True), "deep-pn"], ids=str)
def test_leaves_are_those_of_a_walk_from_the_root(search, batch, monkeypatch):
    leaf, kept = Descent.leaf, []

    def both(descent):
        expected = first_leaf(descent.path[0], descent.order)
        kept.append(len(descent.path))
        assert leaf(descent) is expected
        assert descent.places == {node.number: at for at, node in enumerate(descent.path)}
        return expected

    monkeypatch.setattr(Descent, "leaf", both)
    for seed in range(300):
        rng = random.Random(f"{search} {batch} {seed}")
        graph = long_graph(rng) if seed % 2 else random_graph(rng, most=40)
        guesses = random.Random(seed).choices(range(1, 9), k=2 * len(graph))

        def expand_many(nodes, graph=graph):
            return [graph[node] for node in nodes]

        def estimate(node, guesses=guesses):
            return guesses[2 * node], guesses[2 * node + 1]

        problem = zermelo.problem(0, expand_many=expand_many,
                                  estimate=estimate if seed % 4 < 2 else None)
        problem.solve(search, batch=batch, seed=seed)
    # Virtual numbers, and most expansions, change those of the root.
    assert sum(length > 1 for length in kept) > (50 if batch == 1 else 10)


def test_what_a_function_raises_leaves_the_way_as_it_is():
    failing = [True]

    def expand(node):
        if node == 30 and failing.pop():
            raise OSError("no answer")
        return ("any", [node + 1]) if node < 50 else "solved"

    session = zermelo.problem(0, expand).start()
    with pytest.raises(OSError, match="no answer"):
        session.run()
    failing.append(False)
    assert session.run().solved


def chain(length):
    """Nodes with one child each."""
    return lambda n: ("any" if n % 2 else "all", [n + 1]) if n < length else "solved"


def fence(length):
    """The same, and all of them lead to one dead end and to one that is solved, too."""
    def expand(n):
        if n in ("dead", "solved"):
            return n
        if n == length:
            return "solved"
        return ("any", ["dead", n + 1]) if n % 2 else ("all", ["solved", n + 1])

    return expand


def steps(expand, monkeypatch, **options):
    """How often children are put in order, and how often numbers are worked out, in a solution."""
    counts = dict.fromkeys(("order", "follow", "refresh"), 0)
    for kind, name, what in ((ExactNumbers, "order", "order"), (Least, "follow", "follow"),
                             (ExactNumbers, "_refresh", "refresh")):
        whole = getattr(kind, name)

        def counted(self, node, whole=whole, what=what):
            counts[what] += 1
            return whole(self, node)

        monkeypatch.setattr(kind, name, counted)
    result = zermelo.problem(0, expand).solve(**options)
    monkeypatch.undo()
    assert result.solved
    return counts, result.iterations


@pytest.mark.parametrize("made", [chain, fence])
def test_a_chain_takes_steps_in_proportion_to_its_length(made, monkeypatch):
    for length in (100, 1_000):
        counts, expansions = steps(made(length), monkeypatch)
        assert length < expansions <= length + 3
        assert counts["order"] <= 3 * length
        assert counts["follow"] <= 20 * length
        assert counts["refresh"] <= 20 * length
