"""AND/OR problems: answers, costs, routes and certificates against brute force; examples."""

import importlib.util
import json
import random
import signal
import threading
from pathlib import Path

import pytest
from andor import every_route, least_costs, random_graph, solvable

import zermelo

SEARCHES = ["pn", "deep-pn", "df-pn", "weak-df-pn", "deep-df-pn", zermelo.PN(shuffle=True),
            zermelo.DeepPN(R=0.0), zermelo.DFPN(epsilon=0),
            zermelo.WeakDFPN(backup="max+unsolved-1"), zermelo.WeakDFPN(backup="max"),
            zermelo.WeakDFPN(backup="sum"), zermelo.DeepDFPN(E=3, D=5)]
GRAPHS = 300


def graphs(count=GRAPHS, first=0, **options):
    return [random_graph(random.Random(seed), **options) for seed in range(first, first + count)]


def is_solved(graph):
    return "solved" if 0 in solvable(graph) else "dead"


@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_answers_are_those_of_brute_force_with_certificates(search):
    for seed, graph in enumerate(graphs(first=1_000 * SEARCHES.index(search))):
        expand = graph.__getitem__
        result = zermelo.problem(0, expand).solve(search, seed=seed)
        assert result.status == is_solved(graph), graph
        assert zermelo.verify_problem(0, expand, result.certificate()) == result.status
        assert result.iterations <= result.nodes <= len(graph)
        assert result.stopped == "solved"


@pytest.mark.parametrize("search", ["pn", "deep-pn"])
def test_batches_give_the_same_answers(search):
    for graph in graphs(first=20_000):
        sizes = []

        def expand_many(nodes, graph=graph, sizes=sizes):
            sizes.append(len(nodes))
            assert len(set(nodes)) == len(nodes)
            return [graph[node] for node in nodes]

        problem = zermelo.problem(0, expand_many=expand_many)
        result = problem.solve(search, batch=4)
        assert result.status == is_solved(graph)
        assert zermelo.verify_problem(0, graph.__getitem__, result.certificate()) == result.status
        assert max(sizes) <= 4
        assert sum(sizes) == result.iterations


def test_estimates_change_the_way_but_not_the_answer():
    for seed, graph in enumerate(graphs(first=30_000)):
        rng = random.Random(seed)
        guesses = {node: (rng.random() * 9, rng.randint(0, 9)) for node in graph}
        problem = zermelo.problem(0, graph.__getitem__, estimate=guesses.__getitem__)
        for search in ("pn", "deep-pn", "df-pn", "weak-df-pn"):
            assert problem.solve(search).status == is_solved(graph)


def test_the_cheapest_solution_is_proved_to_be_it():
    for graph in graphs(600, first=40_000):
        costs = least_costs(graph)
        for batch in (1, 3):
            result = zermelo.problem(0, graph.__getitem__).solve(goal="cheapest", batch=batch)
            assert result.status == is_solved(graph)
            if result.solved:
                assert result.route.cost == costs[0] == result.root["least"] == result.root["most"]
                assert zermelo.verify_problem(0, graph.__getitem__, result.certificate())


def test_estimates_that_are_never_too_high_save_expansions_and_keep_the_cost():
    with_them = without = 0
    for graph in graphs(first=50_000):
        costs = least_costs(graph)

        def estimate(node, costs=costs):
            return min(costs[node], 1_000), 1

        plain = zermelo.problem(0, graph.__getitem__).solve(goal="cheapest")
        helped = zermelo.problem(0, graph.__getitem__, estimate=estimate).solve(goal="cheapest")
        assert helped.status == plain.status
        if plain.solved:
            assert helped.route.cost == plain.route.cost == costs[0]
            with_them, without = with_them + helped.iterations, without + plain.iterations
    assert with_them < without


def measured(route):
    """The cost of a route, added up as a tree."""
    def cost_of(number):
        return route.part.steps[number].cost + sum(
            cost_of(below) + edge for below, edge in route.way(number))

    return cost_of(route.part.root)


def test_routes_are_all_there_and_cheapest_first():
    several = 0
    for graph in graphs(500, first=60_000, most=9, any_share=0.7):
        result = zermelo.problem(0, graph.__getitem__).solve(goal="all", batch=2)
        assert result.complete
        expected = every_route(graph) if result.solved else []
        found = result.routes(1_000)
        assert [route.cost for route in found] == expected
        if found:
            assert result.route.cost == expected[0] == measured(result.route)
        assert [measured(route) for route in found] == expected
        assert len({json.dumps(sorted(route.choices.items())) for route in found}) == len(found)
        several += len(found) > 2
    assert several > 20


@pytest.mark.parametrize("search", ["pn", "deep-pn", "df-pn", zermelo.DeepDFPN(E=0, D=3)], ids=str)
def test_costs_may_be_as_large_and_as_small_as_floats_are(search):
    nodes = {0: ("all", [1, 2], [1e308, 10**308]), 1: ("any", [3, 4], [5e-324, 1e-300]),
             2: ("all", [1], [1e308]), 3: "dead", 4: ("solved", 0.25)}
    problem = zermelo.problem(0, nodes.__getitem__, estimate=lambda node: (1e308, 1e308))
    exact = 2 * int(1e308) + 10**308
    result = problem.solve(search)
    assert result.solved
    assert result.route.cost == exact
    assert "cost 3.00000e+308" in str(result)
    assert str(result.route).startswith("cost 3.00000e+308\n")
    result = zermelo.problem(0, nodes.__getitem__).solve(goal="cheapest")
    assert (result.complete, result.root["least"], result.root["most"]) == (True, exact, exact)


def test_the_cheapest_is_found_where_floats_would_round():
    nodes = {0: ("any", [1, 2]), 1: ("all", [3, 4], [1e16, 0]), 2: ("all", [3], [1e16]),
             3: ("solved", 1.0), 4: ("solved", 0.125)}
    result = zermelo.problem(0, nodes.__getitem__).solve(goal="cheapest")
    assert (result.route.cost, result.route.graph()[0]) == (10**16 + 1, [2])
    tenths = {0: ("all", list(range(1, 11)))} | dict.fromkeys(range(1, 11), ("solved", 0.1))
    assert zermelo.problem(0, tenths.__getitem__).solve().route.cost == 1
    assert zermelo.problem(0, lambda node: ("solved", 0.1)).solve().route.cost == 0.1


def test_a_sum_over_joins_may_be_too_large_for_a_float():
    def expand(n):
        return ("all", [n - 1] * 16, [0.5] * 16) if n else "solved"

    for search in ("df-pn", "deep-pn"):
        result = zermelo.problem(257, expand, estimate=lambda node: (0.3, 0.7)).solve(search)
        assert result.route.cost == sum(16**n for n in range(1, 258)) // 2
        assert result.to_dict()["cost"] == result.route.cost


def test_a_route_is_a_tree():
    def expand(node):
        return {"target": ("any", ["slow", "quick"], [1, 2]), "slow": ("all", ["a", "b"], [3, 0]),
                "quick": ("all", ["a", "a", "c"]), "a": ("solved", 4), "b": ("all", ["a", "d"]),
                "c": ("any", ["target", "d"]), "d": "solved"}[node]

    result = zermelo.problem("target", expand).solve(goal="all")
    cheap, dear = result.routes()
    assert str(cheap) == ("cost 10\ntarget\n└─ quick (2)\n   ├─ a (4)\n   ├─ a (4)\n   └─ c\n"
                          "      └─ d")
    assert str(dear) == ("cost 12\ntarget\n└─ slow (1)\n   ├─ a (7)\n   └─ b\n      ├─ a (4)\n"
                         "      └─ d")
    assert dear.ends == ["a", "d"]
    assert cheap.graph() == {"target": ["quick"], "quick": ["a", "a", "c"], "a": [], "c": ["d"],
                             "d": []}
    assert repr(cheap) == "<route of 5 nodes, cost 10>"
    assert "solved\nleast cost 10\npn: 7 nodes, 5 joins, 7 expansions" in str(result)
    assert result.to_dict()["cost"] == 10


def test_shared_parts_are_drawn_once_and_paid_each_time():
    """A chain in which everything is needed twice: 2 ** 60 leaves as a tree."""
    def expand(n):
        return ("all", [n - 1, n - 1]) if n else ("solved", 1)

    result = zermelo.problem(60, expand).solve("df-pn")
    assert result.nodes == 61
    assert result.route.cost == 2**60
    assert len(str(result.route).splitlines()) == 122
    assert "59 (as above)" in str(result.route)


def test_a_long_route_is_found_at_once():
    def expand(n):
        return ("any", [n + 1, -n], [1, 2]) if 0 <= n < 3_000 else "solved" if n < 0 else "dead"

    result = zermelo.problem(1, expand).solve("df-pn")
    assert result.route.cost == 2
    result = zermelo.problem(1, lambda n: ("all", [("x", n), n + 1]) if n in range(3_000) else (
        "any", ["a", "b"]) if isinstance(n, tuple) else "solved").solve("df-pn")
    assert len(result.route.graph()) == 6_000
    assert "cost 0" in str(result)


def random_tree(rng, depth):
    """As a problem, and as a graph game whose ends show when they are expanded, as they do here."""
    nodes, game = {}, {}

    def grow(depth):
        name = f"n{len(nodes)}"
        nodes[name] = "dead"
        game[name] = None
        if depth == 0 or rng.random() < 0.2:
            won = rng.random() < 0.4
            nodes[name] = "solved" if won else "dead"
            game[name] = ("or", [f"{name} end"])
            game[f"{name} end"] = "win" if won else "loss"
            return name
        kind = rng.choice(["any", "all"])
        children = [grow(depth - 1) for _ in range(rng.randint(1, 4))]
        nodes[name] = (kind, children)
        game[name] = ("or" if kind == "any" else "and", children)
        return name

    grow(depth)
    return nodes, game


@pytest.mark.parametrize("search", [zermelo.PN(), zermelo.DeepPN()], ids=str)
def test_in_a_tree_they_expand_what_the_compiled_search_expands(search):
    for seed in range(40):
        nodes, game = random_tree(random.Random(seed), 5)
        mine = zermelo.problem("n0", nodes.__getitem__).solve(search)
        position = zermelo.graph(game).start()
        theirs = zermelo.solve(position, search, goal="win", plain=True)
        won = (theirs.value == "win") == (position.mover == 0)
        if position.mover == 1 and theirs.value == "not-win":
            continue  # the AND player is asked about there
        assert (mine.status == "solved") == won
        if position.mover == 0:
            assert mine.iterations == theirs.iterations
            assert mine.root == {name: theirs.root[name] for name in ("pn", "dn")}


def test_a_search_goes_on_as_if_it_had_not_stopped():
    for graph in graphs(60, first=70_000):
        for search in ("pn", "deep-pn", "df-pn"):
            order, whole = [], []

            def expand(node, graph=graph, order=order):
                order.append(node)
                return graph[node]

            session = zermelo.problem(0, expand).start(search)
            for nodes in range(1, len(graph) + 2):
                result = session.run(zermelo.Limits(nodes=nodes))
            assert result.stopped == "solved"
            zermelo.problem(0, lambda node, graph=graph, whole=whole: (
                whole.append(node) or graph[node])).solve(search)
            assert order == whole


def test_edges_that_close_no_cycle_lead_upward():
    back = 0
    for graph in graphs(first=600):
        session = zermelo.problem(0, graph.__getitem__).start()
        for nodes in range(1, len(graph) + 2):
            session.run(zermelo.Limits(nodes=nodes))
            known = [node for node in session.graph.nodes if node.status == 0]
            for node in known:
                back += len(node.back)
                assert all(child.level > node.level for child in node.distinct
                           if child.status == 0 and child.number not in node.back)
    assert back > 100


def test_numbers_are_what_they_are_said_to_be():
    """pn and dn of every unknown node follow from its children; pn is infinite for none of them."""
    for graph in graphs(first=90_000):
        session = zermelo.problem(0, graph.__getitem__).start(batch=2)
        for nodes in range(1, len(graph) + 2):
            session.run(zermelo.Limits(nodes=nodes))
            numbers = session.frontier.proof_numbers
            for node in session.graph.nodes:
                pn = numbers.pn(node)
                assert (pn == float("inf")) == (node.status == 2)
                edges = [0 if child.status == 1 else numbers.pn(child) + cost
                         for child, cost in zip(node.children, node.costs, strict=True)]
                if node.status == 0 and node.kind is not None:
                    assert pn == (sum(edges) if node.kind == "all" else min(edges))
                ahead = [numbers.dn[child.number] for child in node.distinct
                         if child.status == 0 and child.number not in node.back]
                if node.status == 0 and ahead:
                    assert numbers.dn[node.number] == (
                        min(ahead) if node.kind == "all" else sum(ahead))


def test_no_node_is_solved_by_itself():
    def expand(node):
        return {"a": ("any", ["b"]), "b": ("all", ["a", "c"]), "c": "solved"}[node]

    result = zermelo.problem("a", expand).solve()
    assert result.dead
    # c need not be expanded: whatever it is, a and b rest on each other
    assert result.iterations == 2
    assert zermelo.verify_problem("a", expand, result.certificate()) == "dead"


def test_what_dies_in_a_cycle_on_one_path_can_be_solved_on_another():
    """p rests on c. Below c that is a circle; from the root it is the only way."""
    nodes = {"root": ("any", ["d", "p"]), "d": ("all", ["c", "z"]), "z": "dead",
             "c": ("any", ["p", "e"]), "p": ("any", ["c"]), "e": ("all", ["f", "g"]),
             "f": "solved", "g": "solved"}
    for search in SEARCHES:
        result = zermelo.problem("root", nodes.__getitem__).solve(search)
        assert result.solved
        assert result.route.graph()["p"] == ["c"]


def test_an_endless_problem_meets_its_limits():
    def expand(n):
        return "any" if n % 2 else "all", [2 * n, 2 * n + 1]

    problem = zermelo.problem(1, expand)
    for search in ("pn", "df-pn", "deep-pn"):
        assert problem.solve(search, nodes=100).stopped == "nodes"
        assert problem.solve(search, time=1e-9).stopped == "time"
        few = problem.solve(search, memory="20KB")
        assert few.stopped == "memory"
        assert 20_000 <= few.peak_bytes < 30_000
        assert few.status == "unknown"
        assert "unknown, stopped by the memory limit" in str(few)
        assert few.routes() == []
    seen = []
    problem.solve(nodes=10, progress=seen.append)
    assert seen == []  # too short


def test_progress_is_told(monkeypatch):
    monkeypatch.setattr("zermelo.problems.problem.PROGRESS_SECONDS", 0.0)
    seen = []
    zermelo.problem(1, lambda n: ("any", [n + 1])).solve(nodes=5, progress=seen.append)
    assert [one.nodes for one in seen] == [2, 3, 4, 5]
    assert seen[-1].root == {"pn": 1, "dn": 1}


def test_ctrl_c_keeps_what_there_is():
    def expand(n):
        if n == 30 and not interrupted:
            interrupted.append(n)
            raise KeyboardInterrupt
        return ("any", [n + 1, n + 2]) if n < 40 else "solved"

    for search, batch in (("pn", 1), ("pn", 4), ("df-pn", 1)):
        interrupted = []
        session = zermelo.problem(0, expand).start(search, batch=batch)
        result = session.run()
        assert (result.status, result.stopped) == ("unknown", "interrupted")
        assert session.run().solved
        whole = zermelo.problem(0, expand).solve(search, batch=batch)
        assert session.graph.expansions == whole.iterations


class Signals:
    """A node that gets a signal while the search looks it up, outside the user's functions."""

    def __hash__(self):
        if not self.sent:
            self.sent.append(signal.raise_signal(signal.SIGINT))
        return 7

    def __init__(self, sent):
        self.sent = sent


@pytest.fixture
def ctrl_c_is_heard():
    """As in a terminal; a process that was started in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_a_real_signal_is_noted_between_the_calls_and_raised_within():
    def expand(node):
        if node == 0:
            return "any", [Signals(sent), 1]
        if node == 1 and not raised:
            raised.append(node)
            signal.raise_signal(signal.SIGINT)
            raised.append("never reached")
        return "dead"

    sent, raised = [], []
    before = signal.getsignal(signal.SIGINT)
    session = zermelo.problem(0, expand).start()
    assert session.run().stopped == "interrupted"
    assert (len(sent), session.graph.expansions) == (1, 1)  # it was taken in
    assert session.run().stopped == "interrupted"
    assert session.run().dead
    assert raised == [1]
    assert signal.getsignal(signal.SIGINT) is before


def test_another_thread_can_stop_it():
    session = zermelo.problem(0, lambda n: ("any", [n + 1])).start()
    session.cancel()
    found = []
    other = threading.Thread(target=lambda: found.append(session.run()))
    other.start()
    other.join()
    assert found[0].stopped == "interrupted"
    assert session.run(zermelo.Limits(nodes=3)).stopped == "nodes"


def test_errors_of_the_user_come_out_with_a_note():
    def expand(node):
        return ("any", ["b", "c"]) if node == "a" else [][1]

    session = zermelo.problem("a", expand).start()
    with pytest.raises(IndexError) as caught:
        session.run()
    assert caught.value.__notes__ == ["zermelo: this happened in expand('b')."]
    assert session.graph.expansions == 1


EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


synthesis, qbf = example("synthesis"), example("qbf")


def test_routes_are_printed_as_trees_cheapest_first(capsys):
    synthesis.main()
    printed = capsys.readouterr().out
    costs = [line for line in printed.splitlines() if line.startswith("cost")]
    assert printed.startswith("lumine: solved after ")
    assert costs == ["cost 22", "cost 24", "cost 31"]
    assert "└─ esterification (3)\n         ├─ fenol (2)\n         └─ blue acid (3)" in printed


def test_a_network_without_a_route(capsys):
    synthesis.main("nil")
    assert capsys.readouterr().out.startswith("nil: dead")
    result = zermelo.problem("nil", synthesis.expand).solve("df-pn")
    assert zermelo.verify_problem("nil", synthesis.expand, result.certificate()) == "dead"


def random_formula(rng):
    """As QDIMACS; some variables may be free, some unused."""
    variables = rng.randint(1, 7)
    names = list(range(1, variables + 1))
    rng.shuffle(names)
    lines = []
    for name in names[:rng.randint(0, variables)]:
        lines.append(f"{rng.choice('ae')} {name} 0")
    clauses = rng.randint(0, 14)
    for _ in range(clauses):
        literals = [rng.choice(names) * rng.choice([1, -1]) for _ in range(rng.randint(1, 4))]
        lines.append(f"{' '.join(map(str, literals))} 0")
    return "\n".join(["c made at random", f"p cnf {variables} {clauses}", *lines, ""])


def is_true(prefix, clauses, values):
    """By setting all variables both ways."""
    if len(values) == len(prefix):
        return all(any(values[abs(one)] == (one > 0) for one in clause) for clause in clauses)
    variable, universal = prefix[len(values)]
    both = [is_true(prefix, clauses, {**values, variable: value}) for value in (False, True)]
    return all(both) if universal else any(both)


def test_500_formulas_are_true_or_false_as_by_brute_force():
    true = 0
    for seed in range(500):
        text = random_formula(random.Random(seed))
        prefix, clauses = qbf.read_qdimacs(text)
        expected = is_true(prefix, clauses, {})
        problem = qbf.formula(prefix, clauses)
        search = ("pn", "df-pn", "deep-pn", "weak-df-pn")[seed % 4]
        result = problem.solve(search)
        assert result.status == ("solved" if expected else "dead"), text
        assert zermelo.verify_problem(problem.root, problem.expand, result.certificate())
        true += expected
    assert 150 < true < 350


def test_a_file_is_read(tmp_path, capsys):
    path = tmp_path / "formula.qdimacs"
    path.write_text("c x equals y\np cnf 2 2\na 1 0\ne 2 0\n1 -2 0\n-1 2 0\n")
    qbf.main(path)
    assert capsys.readouterr().out == "true 5 nodes\n"
    path.write_text("p cnf 2 2\ne 2 0\na 1 0\n1 -2 0\n-1 2 0\n")
    qbf.main(path)
    assert capsys.readouterr().out.startswith("false ")


@pytest.mark.parametrize("text", ["p cnf 1\n", "1 0\n", "p cnf 1 1\n1\n", "p cnf 1 1\n2 0\n",
                                  "p cnf 1 2\n1 0\n", ""])
def test_what_is_no_qdimacs(text):
    with pytest.raises(ValueError):
        qbf.read_qdimacs(text)
