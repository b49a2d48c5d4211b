"""What problems and their checker refuse, and what they say."""

import copy
import json
import os
import random

import numpy as np
import pytest
from andor import random_graph
from command import call
from fifos import pipe

import zermelo
from zermelo import BadCertificate, BadOption, BadProblem
from zermelo.proof import read
from zermelo.proof.show import walk_of

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
