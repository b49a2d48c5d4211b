"""``zermelo problem`` as it is called; what problems and their checker refuse."""

import copy
import json
import os
import random

import numpy as np
import pytest
from andor import random_graph
from command import call, loads
from fifos import pipe

import zermelo
from zermelo import BadCertificate, BadOption, BadProblem
from zermelo.proof import read
from zermelo.proof.show import walk_of

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


TOWN = {"party": ("all", ["cake", "guests"]), "guests": ("solved", 2),
        "cake": ("any", ["baked", "bought"], [1, 5]), "baked": "solved", "bought": "solved"}
EARLIER = '{"format": "zermelo problem", "version": 1, '


@pytest.mark.parametrize(("said", "words"), [
    ("perhaps", "expand('x') returned 'perhaps'; it is \"solved\", \"dead\""),
    (None, "expand('x') returned 'None'"),
    (("any",), "it is \"solved\""),
    (("some", ["a"]), "it is \"solved\""),
    (("any", "ab"), "returned 'ab' as children; they are a list of nodes."),
    (("any", 3), "returned '3' as children"),
    (("any", [["a"]]), "the node \"['a']\" is not hashable"),
    (("any", ["a"], [1, 2]), "as costs of 1 children"),
    (("any", ["a"], 3), "as costs of 1 children"),
    (("any", ["a"], [-1]), "the cost '-1'; it is a finite number that is not negative."),
    (("all", ["a"], [float("nan")]), "the cost 'nan'"),
    (("all", ["a"], [True]), "the cost 'True'"),
    (("all", ["a"], ["1"]), "the cost '1'"),
    (("all", ["a"], [None]), "the cost 'None'"),
    (("solved", float("inf")), "the cost 'inf'"),
    (np.array([1, 2]), "returned '[1 2]'; it is \"solved\""),
])
def test_what_expand_must_not_say(said, words):
    with pytest.raises(BadProblem) as caught:
        zermelo.problem("x", lambda node: said).solve()
    assert words in str(caught.value)


@pytest.mark.parametrize("said", [3, "solved", ["solved", "solved"]])
def test_expand_many_answers_for_each(said):
    with pytest.raises(BadProblem, match="for 1 node; it is one answer for each"):
        zermelo.problem("x", expand_many=lambda nodes: said).solve(batch=2)


@pytest.mark.parametrize("said", [1, (1,), (1, -1), (1, float("inf")), ("1", 1), "11"])
def test_an_estimate_is_two_numbers(said):
    with pytest.raises(BadProblem, match=r"estimate\('x'\) returned .*; it is \(pn, dn\)"):
        zermelo.problem("x", lambda node: "dead", estimate=lambda node: said).solve()


@pytest.mark.parametrize(("options", "words"), [
    ({"search": "ppn"}, "'ppn' does not solve problems; searches that do: pn, deep-pn, df-pn"),
    ({"search": 3}, "'3' does not solve problems"),
    ({"search": zermelo.PN(tie="deepest")}, "pn: tie='deepest' is about games"),
    ({"search": zermelo.WeakDFPN(quick=3)}, "weak-df-pn: quick='3' is about games"),
    ({"search": "df-pn", "batch": 2}, "df-pn expands one node at a time; batch=2 needs pn"),
    ({"batch": 0}, "batch='0' is not a whole number"),
    ({"seed": -1}, "seed='-1' is not a whole number"),
    ({"goal": "win"}, "goal='win' is not one of solve, cheapest, all."),
    ({"search": "df-pn", "goal": "cheapest"}, "goal=cheapest has an order of its own"),
    ({"nodes": 0}, "the limit nodes='0' is not valid"),
])
def test_options(options, words):
    with pytest.raises(BadOption) as caught:
        zermelo.problem("x", lambda node: "dead").solve(**options)
    assert words in str(caught.value)


def test_there_is_no_such_search():
    with pytest.raises(zermelo.UnknownSearch):
        zermelo.problem("x", lambda node: "dead").solve("nonsense")


def test_problems_need_functions_and_hashable_nodes():
    with pytest.raises(BadOption, match="a problem needs expand"):
        zermelo.problem("x")
    with pytest.raises(BadOption, match="estimate='3' is not a function"):
        zermelo.problem("x", lambda node: "dead", estimate=3)
    with pytest.raises(BadProblem, match="not hashable"):
        zermelo.problem([], lambda node: "dead")
    with pytest.raises(BadOption, match="run needs Limits"):
        zermelo.problem("x", lambda node: "dead").start().run(3)


def test_what_is_unknown_has_no_certificate_and_routes_are_counted():
    result = zermelo.problem(0, lambda n: ("any", [n + 1])).solve(nodes=3)
    with pytest.raises(BadOption, match="nothing to certify"):
        result.certificate()
    with pytest.raises(BadOption, match="most='0'"):
        result.routes(0)


def certified(seed):
    graph = random_graph(random.Random(seed))
    result = zermelo.problem(0, graph.__getitem__).solve()
    return graph, result.certificate()


def test_a_file_is_checked_as_well(tmp_path):
    graph = random_graph(random.Random(8))
    path = tmp_path / "proof.json"
    result = zermelo.problem(0, graph.__getitem__).solve()
    result.write_certificate(path)
    assert zermelo.verify_problem(0, graph.__getitem__, path) == result.status
    for text in ("{", "[" * 100_000, "\0"):
        path.write_text(text)
        with pytest.raises(BadCertificate, match="is not a certificate: it does not begin with"):
            zermelo.verify_problem(0, graph.__getitem__, path)
    for text in (EARLIER, EARLIER + "[" * 100_000, EARLIER + '"nodes": [1]}'):
        path.write_text(text)
        with pytest.raises(BadCertificate, match="this is not a certificate of a problem"):
            zermelo.verify_problem(0, graph.__getitem__, path)
    with pytest.raises(BadCertificate, match=r"can't read the file .*: No such file or directory"):
        zermelo.verify_problem(0, graph.__getitem__, tmp_path / "nothing.json")


@pytest.mark.parametrize("broken", [{}, {"nodes": 3}, {"nodes": [{}]}, {"nodes": [], "claim": 1},
                                    {"nodes": [{"children": [float("inf")], "uses": [0]}]}])
def test_what_is_no_certificate(broken):
    with pytest.raises(BadCertificate, match="this is not a certificate of a problem"):
        zermelo.verify_problem(0, lambda node: "dead", broken)


@pytest.mark.parametrize("said", [None, 3, [], ("any",), "any", ("any", "b"), ("all", 3),
                                  ("dead", 1), np.array([1, 2])], ids=str)
def test_the_checker_knows_what_is_no_answer(said):
    certificate = zermelo.problem("a", lambda node: ("any", ["a"])).solve().certificate()
    with pytest.raises(BadCertificate, match=r"expand says .* of 'a', which is not an answer"):
        zermelo.verify_problem("a", lambda node: said, certificate)


def test_forged_certificates_are_refused():
    """Whatever is changed: what passes still proves what is true."""
    refused, words = 0, set()
    for seed in range(400):
        graph, good = certified(seed)
        rng = random.Random(seed)
        for _ in range(8):
            bad = forge(copy.deepcopy(good), rng)
            try:
                assert zermelo.verify_problem(0, graph.__getitem__, bad) == good["claim"]
            except BadCertificate as error:
                refused += 1
                words |= {word for word in ("is not shown to be", "does not stand before it",
                                            "in another", "is not in the list", "can be read")
                          if word in str(error)}
    assert refused > 1_000
    assert len(words) == 5


def forge(bad, rng):
    """Change one thing."""
    node = rng.choice(bad["nodes"])
    part = rng.choice(["children", "uses", "claim", "root", "version", "nodes"])
    if part in ("children", "uses") and node[part]:
        node[part][rng.randrange(len(node[part]))] = rng.randrange(len(bad["nodes"]) + 1)
    elif part == "claim":
        bad["claim"] = rng.choice(["solved", "dead"])
    elif part == "root":
        bad["root"] = rng.randrange(len(bad["nodes"]) + 1)
    elif part == "version":
        bad["version"] = rng.choice([1, 2])
    else:
        node["children"], node["uses"] = node["children"][:-1], node["uses"][:-1]
    return bad


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_no_certificate_of_a_problem(tmp_path):
    with pipe(tmp_path / "pipe") as path:
        with pytest.raises(BadCertificate, match="it is not an ordinary file"):
            zermelo.verify_problem("x", lambda node: "solved", path)
        file = tmp_path / "one.py"
        file.write_text('import zermelo\none = zermelo.problem("x", lambda node: "solved")\n')
        done = call("problem", f"{file}:one", "--check", str(path))
        assert (done.status, done.err) == (
            2, f"zermelo: can't read the file {str(path)!r}: it is not an ordinary file.\n")


def test_a_file_that_is_too_large_is_not_read(tmp_path, monkeypatch):
    path = tmp_path / "large.proof"
    result = zermelo.problem("x", lambda node: "solved").solve()
    path.write_text(json.dumps(result.certificate()))
    monkeypatch.setattr(read, "MOST_PROBLEM_BYTES", path.stat().st_size)
    assert zermelo.verify_problem("x", lambda node: "solved", path) == "solved"
    monkeypatch.setattr(read, "MOST_PROBLEM_BYTES", 20)
    with pytest.raises(BadCertificate, match=r"has \d+ bytes; a certificate of a problem in this "
                       r"format has at most 20\."):
        zermelo.verify_problem("x", lambda node: "solved", path)
    monkeypatch.undo()
    path.write_bytes(EARLIER.encode() + b"\xff{}")
    with pytest.raises(BadCertificate, match="this is not a certificate of a problem"):
        zermelo.verify_problem("x", lambda node: "solved", path)
    result.write_certificate(path)
    report = zermelo.verify(path, game=result.problem, memory=100)
    assert (report.verdict, report.stopped) == ("undecided", "memory")


def test_verify_must_be_told_which_problem_it_is(tmp_path):
    path = tmp_path / "x.proof"
    result = zermelo.problem("x", lambda node: "solved").solve()
    for write in (result.write_certificate,
                  lambda path: path.write_text(json.dumps(result.certificate(), indent=1))):
        write(path)
        done = call("verify", str(path))
        assert (done.status, done.err) == (
            2, "zermelo: the certificate is about a problem; say which problem that is "
            "(FILE.py:NAME before it, or game= in Python).\n")


@pytest.mark.parametrize("earlier", [False, True])
def test_problems_have_the_same_container_verify_and_show(tmp_path, earlier):
    file, path = tmp_path / "town.py", tmp_path / "party.proof"
    file.write_text("import zermelo\nTOWN = " + repr(TOWN) + "\n"
                    "party = zermelo.problem('party', TOWN.__getitem__)\n"
                    "other = zermelo.problem('x', lambda node: ('any', ['y']))\n"
                    "broken = zermelo.problem('party', lambda node: {}[node])\n")
    result = zermelo.problem("party", TOWN.__getitem__).solve()
    if earlier:  # as version 0.2 wrote it
        path.write_text(json.dumps(result.certificate(), indent=1) + "\n")
    else:
        result.write_certificate(path)
    report = zermelo.verify(path, game=result.problem)
    assert (report.verdict, report.position, report.positions) == ("verified", "party", 4)
    assert [(claim.claim, claim.records) for claim in report.claims] == [("solved", 4)]
    done = call("verify", f"{file}:party", str(path))
    assert done.status == 0
    assert done.out.startswith("problem: party\nsolved: verified, 4 nodes\n4 positions, ")
    assert call("verify", f"{file}:party", str(path), "--sample", "3").status == 2
    done = call("verify", f"{file}:other", str(path))
    assert (done.status, "expand says 'any'" in done.out or "is not shown" in done.out) == (1, True)
    assert call("verify", f"{file}:broken", str(path)).err.startswith(
        "zermelo: expand('party') raised KeyError:")
    done = call("show", str(path), "--moves", "cake")
    assert done.status == 0
    assert done.out.startswith("problem: party\nparty is solved; any has a move for everything\n")
    assert "any plays baked" in done.out
    shown = json.loads(call("show", str(path), "--json").out)
    assert [row["move"] for row in shown["replies"]] == ["cake", "guests"]
    if not earlier:
        data = bytearray(path.read_bytes())
        data[-40] ^= 1
        path.write_bytes(data)
        assert "digest" in zermelo.verify(path, game=result.problem).reason
        with pytest.raises(BadCertificate, match="the digest at its end"):
            zermelo.verify_problem("party", TOWN.__getitem__, path)


def test_a_walk_through_a_problem_without_a_solution(tmp_path):
    path = tmp_path / "dead.proof"
    graph = {"a": ("any", ["b", "c"]), "b": ("all", ["a", "c"]), "c": "dead"}
    zermelo.problem("a", graph.__getitem__).solve().write_certificate(path)
    walk = walk_of(path)
    assert (walk.words_of_claim, walk.prover) == ("a is dead", "all")
    assert walk.root.after(walk.reply(walk.root, "c")[0]).result == "dead"
    below = walk.root.after(walk.reply(walk.root, "b")[0])
    assert below.after(below.answer.move).text in ("a", "c")
