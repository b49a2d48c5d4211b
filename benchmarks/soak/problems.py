"""Random AND/OR problems with joins and cycles: answers, costs, routes and certificates."""

import json
import random
from collections import Counter
from typing import Any

from andor import every_route, least_costs, random_graph, solvable

import zermelo
from benchmarks.soak import texts
from benchmarks.soak.case import Difference, Stuck, chance, patience, place

BLOCK, SECONDS = 100, 60.0
LONGEST = 60.0  # seconds of the processor for one problem
CHANGED = 6  # copies of a certificate
VALUES: list[Any] = [0, 1, -1, 2, 10**6, 2**63, 1.5, 1e300, float("inf"), float("nan"), None, True,
                     "", "1", "solved", "dead", "any", [], {}, [0], [[0]], {"a": 1}, "9" * 5_000]
FEW = 9  # nodes of a problem all of whose routes are listed
SEARCHES: list[Any] = [
    "pn", "deep-pn", "df-pn", "weak-df-pn", "deep-df-pn", zermelo.PN(shuffle=True),
    zermelo.DeepPN(R=0.0), zermelo.DFPN(epsilon=0), zermelo.WeakDFPN(backup="max+unsolved-1"),
    zermelo.WeakDFPN(backup="max"), zermelo.WeakDFPN(backup="sum"), zermelo.DeepDFPN(E=3, D=5)]
BATCHED = ("pn", "deep-pn")
Nodes = dict[int, Any]


def problem(nodes: Nodes, rng: random.Random) -> zermelo.Problem:
    """Asked node by node or in lists, with or without estimates, which may be wrong."""
    guesses = {node: (rng.random() * 9, rng.randint(0, 9)) for node in nodes}
    estimate = guesses.__getitem__ if rng.random() < 0.3 else None
    if rng.random() < 0.3:
        return zermelo.problem(0, expand_many=lambda asked: [nodes[node] for node in asked],
                               estimate=estimate)
    return zermelo.problem(0, nodes.__getitem__, estimate=estimate)


def answered(nodes: Nodes, search: Any, rng: random.Random) -> None:
    """One search, perhaps paused and resumed, and its certificate."""
    options: dict[str, Any] = {"seed": rng.getrandbits(rng.choice([1, 64]))}
    if search in BATCHED and rng.random() < 0.5:
        options["batch"] = rng.randint(2, 6)
    session = problem(nodes, rng).start(search, **options)
    if rng.random() < 0.3:
        for limit in range(1, len(nodes), rng.randint(1, 4)):
            session.run(zermelo.Limits(nodes=limit))
    result = session.run()
    right = "solved" if 0 in solvable(nodes) else "dead"
    if (result.status, result.stopped) != (right, "solved"):
        raise Difference(f"{search}, {options}: {result.status}, {result.stopped}; it is {right}")
    if not result.iterations <= result.nodes <= len(nodes):
        raise Difference(f"{search}, {options}: {result.iterations} expansions, {result.nodes} "
                         f"nodes of {len(nodes)}")
    checked = zermelo.verify_problem(0, nodes.__getitem__, result.certificate())
    if checked != right:
        raise Difference(f"{search}, {options}: the certificate says {checked}")


def cheapest(nodes: Nodes, rng: random.Random) -> None:
    """The least cost, which estimates that are never too high do not change."""
    costs, estimate = least_costs(nodes), None
    if rng.random() < 0.5:
        part = rng.random()
        estimate = {node: (min(cost, 1_000) * part, 1) for node, cost in costs.items()}.__getitem__
    result = zermelo.problem(0, nodes.__getitem__, estimate=estimate).solve(
        goal="cheapest", batch=rng.choice([1, 1, 3]))
    if result.solved != (0 in solvable(nodes)):
        raise Difference(f"cheapest: {result.status}")
    if result.solved and not result.route.cost == costs[0] == result.root["least"]:
        raise Difference(f"cheapest: the route costs {result.route.cost}, the least is {costs[0]}")


def routes(nodes: Nodes, rng: random.Random) -> None:
    """All of them, the cheapest first."""
    result = zermelo.problem(0, nodes.__getitem__).solve(goal="all", batch=rng.randint(1, 3))
    right = every_route(nodes) if 0 in solvable(nodes) else []
    found = [route.cost for route in result.routes(len(right) + 1)]
    if found != right:
        raise Difference(f"all routes: they cost {found}, not {right}")


def refused(nodes: Nodes, rng: random.Random) -> int:
    """Certificates that were changed, or of a problem that was: believed only if true."""
    certificate = zermelo.problem(0, nodes.__getitem__).solve(rng.choice(BATCHED)).certificate()
    other, at = dict(nodes), rng.choice(list(nodes))
    other[at] = random_graph(rng, len(nodes))[0]
    if all(child in nodes for child in _children(other[at])):
        believed(other, certificate)
    path = place() / "problem.json"
    for _ in range(CHANGED):
        path.write_bytes(changed(certificate, rng).encode("utf-8", "surrogatepass"))
        believed(nodes, path)
    return 1 + CHANGED


def changed(certificate: dict[str, Any], rng: random.Random) -> str:
    """Its text, with characters or a value changed."""
    text = json.dumps(certificate)
    if rng.random() < 0.3:
        return texts.mutated(rng, [text])
    inside: Any = json.loads(text)
    found = inside
    while True:
        name = rng.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
        if not isinstance(inside[name], dict | list) or not inside[name] or rng.random() < 0.1:
            break
        inside = inside[name]
    if isinstance(inside[name], int) and rng.random() < 0.7:
        inside[name] += rng.choice([-2, -1, 1, 2])
    else:
        inside[name] = rng.choice(VALUES)
    return json.dumps(found)


def believed(nodes: Nodes, certificate: Any) -> None:
    """What a certificate proves is true, or it is refused with a sentence."""
    try:
        said = zermelo.verify_problem(0, nodes.__getitem__, certificate)
    except zermelo.ZermeloError:
        return
    if said != ("solved" if 0 in solvable(nodes) else "dead"):
        content = certificate if isinstance(certificate, dict) else certificate.read_bytes()
        raise Difference(f"{said} is believed: {content}")


def _children(said: Any) -> list[int]:
    return list(said[1]) if isinstance(said, tuple) and said[0] in ("any", "all") else []


def run(seed: int, index: int) -> Counter[str]:
    """One problem, each search once."""
    rng = chance("problems", seed, index)
    nodes = random_graph(rng, rng.choice([FEW, 14, 14, 40]), rng.choice([0.3, 0.5, 0.7]))
    try:
        with patience(LONGEST):
            for search in SEARCHES:
                answered(nodes, search, rng)
            cheapest(nodes, rng)
            if len(nodes) <= FEW:
                routes(nodes, rng)
            attacks = refused(nodes, rng)
    except Stuck:
        raise Difference(f"no answer for {LONGEST:.0f} s: {nodes}") from None
    except Exception as error:
        raise Difference(f"{type(error).__name__}: {error}\n  {nodes}") from error
    return Counter({"problems": 1, "problem-search pairs": len(SEARCHES) + 1,
                    "changed certificates": attacks})
