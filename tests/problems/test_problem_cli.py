"""``zermelo problem``: problems of a file, as the command is called."""

import pytest
from command import call, loads

TEXT = '''
import zermelo

TOWN = {"party": ("all", ["cake", "guests"]), "guests": ("solved", 2),
        "cake": ("any", ["baked", "bought"], [1, 5]), "baked": "solved", "bought": "solved"}
party = zermelo.problem("party", TOWN.__getitem__)
many = zermelo.problem("party", expand_many=lambda nodes: [TOWN[node] for node in nodes])
hopeless = zermelo.problem("x", lambda node: ("any", ["x"]))
endless = zermelo.problem(0, lambda n: ("any", [n + 1, n + 2]))
odd = zermelo.problem("a", lambda node: "perhaps")


def expand(node):
    return ("any", ["b"]) if node == "a" else {}[node]


broken = zermelo.problem("a", expand)
broken_x = zermelo.problem("x", expand)
short = zermelo.problem("x", expand_many=lambda nodes: [])
'''


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("problems") / "town.py"
    path.write_text(TEXT)
    return str(path)


def problem(*words):
    return call("problem", *words)


def test_routes_cheapest_first(file):
    done = problem(f"{file}:party", "--goal", "all", "--routes", "3")
    assert (done.status, done.err) == (0, "")
    first, second, numbers, *routes = done.out.splitlines()
    assert (first, second) == ("solved", "least cost 3")
    assert numbers.startswith("pn: 5 nodes, ")
    assert [line for line in routes if line.startswith("cost")] == ["cost 3", "cost 7"]
    assert "│  └─ bought (5)" in routes
    assert problem(f"{file}:party", "--routes", "0").out.splitlines()[-1].startswith("pn: ")


@pytest.mark.parametrize(("name", "claim"), [("party", "solved"), ("many", "solved"),
                                             ("hopeless", "dead")])
def test_a_certificate_is_written_and_checked(file, tmp_path, name, claim):
    path = str(tmp_path / "proof.json")
    done = problem(f"{file}:{name}", "--proof", path)
    assert (done.status, done.out.splitlines()[-1]) == (0, f"certificate {path}; verified: {claim}")
    done = problem(f"{file}:{name}", "--check", path)
    assert (done.status, done.out) == (0, f"verified: {claim}\n")
    done = problem(f"{file}:odd", "--check", path, "--json")
    assert (done.status, loads(done.out)["verdict"]) == (1, "refused")


def test_an_error_while_a_certificate_is_checked_is_told_with_its_traceback(file, tmp_path):
    """It says nothing about the certificate, so it is not refused."""
    path = str(tmp_path / "proof.json")
    problem(f"{file}:hopeless", "--proof", path)
    done = problem(f"{file}:broken_x", "--check", path)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("zermelo: expand('x') raised KeyError:\nTraceback")
    assert "in expand\n" in done.err
    assert "zermelo/problems" not in done.err
    done = problem(f"{file}:short", "--check", path)
    assert done.status == 2
    assert "expand('x') raised ValueError" in done.err


def test_json_and_options(file, tmp_path):
    done = problem(f"{file}:many", "--batch", "2", "-s", "deep-pn", "-p", "R=0.5", "--json",
                   "--proof", str(tmp_path / "proof.json"))
    found = loads(done.out)
    assert (found["status"], found["cost"], found["options"]) == ("solved", 3, {"R": 0.5})
    assert found["routes"] == [{"cost": 3, "text": found["routes"][0]["text"]}]
    assert found["proof"].endswith("proof.json")


def test_limits(file, tmp_path):
    path = tmp_path / "proof.json"
    done = problem(f"{file}:endless", "--nodes", "50", "--proof", str(path))
    assert done.status == 10
    assert done.out.startswith("unknown, stopped by the node limit\n")
    assert done.out.endswith("no certificate: nothing is proved\n")
    assert not path.exists()


def test_progress_is_shown(file, monkeypatch):
    monkeypatch.setattr("zermelo.problems.problem.PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("zermelo.cli.terminal.IN_LOG", 0.0)
    done = problem(f"{file}:endless", "--nodes", "5")
    assert "0 s, 3 nodes, 1 expansion, 0 MB, pn 1, dn 2" in done.err


def test_an_error_of_the_problem_is_told_with_its_traceback(file):
    done = problem(f"{file}:broken")
    assert (done.status, done.out) == (2, "")
    first, *_, last = done.err.splitlines()
    assert first == "zermelo: expand('b') raised KeyError:"
    assert last == "KeyError: 'b'"
    assert "town.py" in done.err
    assert "zermelo/problems" not in done.err


@pytest.mark.parametrize(("words", "sentence"), [
    ((":odd",), "expand('a') returned 'perhaps'; it is \"solved\""),
    (("",), "does not hold just one problem; problems in it: party, many, hopeless, "),
    ((":nobody",), "has no problem 'nobody'; problems in it: party, "),
    ((":party", "--check", "no-file"), "can't read the file 'no-file': No such file"),
    ((":party", "--proof", "/no/file"), "can't write the file '/no/file': there is no such dir"),
    ((":party", "--search", "ppn"), "'ppn' does not solve problems"),
    ((":party", "--goal", "best"), "goal='best' is not one of solve, cheapest, all."),
    ((":party", "--routes", "-1"), "--routes='-1' is not a whole number"),
])
def test_what_is_refused(file, words, sentence):
    done = problem(file + words[0], *words[1:])
    assert done.status == 2
    assert sentence in done.err
    assert done.out == ""


def test_the_only_problem_of_a_file_needs_no_name(tmp_path):
    path = tmp_path / "one.py"
    path.write_text("import zermelo\nit = zermelo.problem(0, lambda node: 'solved')\n")
    assert problem(str(path)).out.startswith("solved\ncost 0\n")
