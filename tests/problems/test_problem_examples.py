"""examples/synthesis.py and examples/qbf.py: routes as printed, formulas by brute force."""

import importlib.util
import random
from pathlib import Path

import pytest

import zermelo

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
