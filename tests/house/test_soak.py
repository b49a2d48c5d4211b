"""The soak notices what it is there for: wrong answers, false certificates, parsers that raise."""

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from brute import BruteForce, random_positions
from certificates import NaiveGraph
from cyclic import random_graph, value_of
from naive.k_in_a_row import NaiveKInARow

import zermelo
from benchmarks.soak import (
    archives,
    certificates,
    checkpoints,
    compiled,
    games,
    journals,
    kills,
    parsers,
    problems,
    searches,
    texts,
    zones,
)
from benchmarks.soak.__main__ import replay
from benchmarks.soak.case import Difference
from benchmarks.soak.retrograde import Retrograde
from zermelo import Result, Value
from zermelo.engine.uci import Ugi

pytestmark = pytest.mark.usefixtures("without_jit")

OTHER = {Value.WIN: Value.LOSS, Value.LOSS: Value.WIN, Value.DRAW: Value.WIN,
         Value.NOT_WIN: Value.WIN, Value.UNKNOWN: Value.UNKNOWN}


def cases(shape, count):
    """Numbers of cases of one shape."""
    first = searches.BLOCK * searches.SHAPES.index(shape)
    return range(first, first + count)


SOME = [*cases("graph with cycles", 4), *cases("hex 3x3", 2)]


def differences(run, numbers):
    """What is found in these cases."""
    found = []
    for number in numbers:
        try:
            run(1, number)
        except Difference as difference:
            found.append(str(difference))
    return found


def with_results(monkeypatch, change):
    """Every session's results are changed."""
    right = zermelo.Session.run
    monkeypatch.setattr(zermelo.Session, "run",
                        lambda session, limits=None: change(right(session, limits)))


@pytest.mark.long
def test_right_answers_are_no_differences():
    plain = [*cases("plain graph with cycles", 2), *cases("OpenSpiel", 2)]
    assert differences(searches.run, [*SOME, *plain, *cases("connect-four 4x4", 1)]) == []
    assert differences(problems.run, range(10)) == []


@pytest.mark.long_cases("<lambda>-not 77-numbers4")
@pytest.mark.parametrize(("change", "said", "numbers"), [
    (lambda result: replace(result, value=OTHER[result.value]), "the exact value", SOME),
    (lambda result: replace(result, moves=[replace(row, value=OTHER[row.value])
                                           for row in result.moves]), "for player", SOME),
    (lambda result: replace(result, line=["nowhere"]), "'nowhere' is not legal", SOME),
    (lambda result: replace(result, score=(-16, -16)), "the score is", cases("othello 4x4", 4)),
    (lambda result: replace(result, distance=77), "not 77", cases("graph with cycles", 8)),
])
def test_a_wrong_answer_is_noticed(monkeypatch, change, said, numbers):
    with_results(monkeypatch, lambda result: change(result) if result.proved else result)
    found = differences(searches.run, numbers)
    assert any(said in text for text in found)
    assert all(isinstance(text, str) and "start(position, " in text for text in found)


def test_a_false_certificate_that_is_believed_is_noticed(monkeypatch, tmp_path):
    numbers = range(2 * certificates.BLOCK, 3 * certificates.BLOCK)
    assert differences(certificates.run, numbers) == []
    monkeypatch.setattr(zermelo, "verify", lambda *_, **__: SimpleNamespace(verified=True))
    monkeypatch.chdir(tmp_path)  # what is found is kept
    with pytest.raises(Difference, match="a false claim is verified"):
        certificates.check(false_claim(), certificates.base(1, 2), tmp_path / "a.proof")
    assert any("a claim is verified, but the records do not prove it" in text or "false" in text
               for text in differences(certificates.run, numbers))


def false_claim():
    """A certificate whose claim is turned around."""
    made = certificates.base(1, 2)
    parts = certificates.taken_apart(made.content)
    for claim in parts.header["claims"]:
        claim["claim"] = {"wins": "does not win", "does not win": "wins"}[claim["claim"]]
    return parts.joined()


def test_a_false_certificate_of_zones_is_noticed(monkeypatch, tmp_path):
    lines = zones.base(1, 0)
    known = ("first", "second").index(lines[0]["claims"][0]["player"])
    other = {"player": ("first", "second")[1 - known], "name": "XO"[1 - known]}
    claim = {**lines[0], "claims": [{**lines[0]["claims"][0], **other}]}
    monkeypatch.setattr(zones, "status", lambda *_: zones.VERIFIED)
    with pytest.raises(Difference, match="a false claim is verified"):
        zones.check(zones.written([claim, *lines[1:]]), tmp_path / "a.zones")


def test_a_parser_that_raises_is_noticed(monkeypatch, capsys):
    number = parsers.TARGETS.index("positions of tic-tac-toe")
    assert parsers.run(1, number)["inputs"] == parsers.MANY

    def broken(text):
        if "b" in text:
            raise KeyError(text)
        raise zermelo.BadPosition("no")

    monkeypatch.setattr(texts.game("tic-tac-toe"), "parse", broken)
    assert replay(f"parsers:1:{number}") == 1
    assert "raises KeyError" in capsys.readouterr().out
    assert replay(f"parsers:{number}") == 2


def test_a_wrong_answer_to_a_problem_is_noticed(monkeypatch):
    right = zermelo.verify_problem
    other = {"solved": "dead", "dead": "solved"}
    monkeypatch.setattr(zermelo, "verify_problem", lambda *given: other[right(*given)])
    found = differences(problems.run, range(3))
    assert ["the certificate says" in text for text in found] == [True] * 3
    monkeypatch.undo()
    monkeypatch.setattr(problems, "solvable", lambda nodes: {})
    assert any("it is dead" in text for text in differences(problems.run, range(10)))


@pytest.mark.long
def test_a_line_or_a_paste_on_which_something_fails_is_noticed(monkeypatch):
    first = [parsers.TARGETS.index(name) for name in ("lines of ugi", "recognise", "requests")]
    assert differences(parsers.run, first) == []
    monkeypatch.setattr(zermelo.Game, "parse", lambda game, text: {}[text])
    monkeypatch.setattr(Ugi, "handle", lambda engine, line: {}[line])
    assert "is answered with" in differences(parsers.run, first[:1])[0]
    assert "raises KeyError" in differences(parsers.run, first[1:2])[0]


def test_a_parser_that_is_slow_or_loses_something_is_noticed():
    with pytest.raises(Difference, match="takes 0"):
        parsers.tried(lambda text: sum(range(10**6)), "x", 1e-4)
    game = zermelo.game("tic-tac-toe")
    other = SimpleNamespace(parse=lambda text: game.parse("a1"))
    reader = SimpleNamespace(parse=lambda text: SimpleNamespace(game=other, text="..."))
    with pytest.raises(Difference, match=r"is read as '\.\.\.', and that as"):
        parsers.read_position(reader, "x")


def test_half_a_certificate_is_noticed(tmp_path):
    path, process = tmp_path / "a.proof", SimpleNamespace(returncode=-9)
    path.write_bytes(certificates.base(1, 2).content)
    assert kills.check(path, process, kills.signal.SIGKILL, False, b"")["whole"] == 1
    (tmp_path / ".a.proof.x.part").mkdir()
    assert kills.check(path, process, kills.signal.SIGKILL, False, b"")["left .part"] == 1
    with pytest.raises(Difference, match="is left behind"):
        kills.check(path, process, kills.signal.SIGINT, False, b"")
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(Difference, match="a certificate that is refused"):
        kills.check(path, process, kills.signal.SIGKILL, False, b"")
    path.unlink()
    with pytest.raises(Difference, match="before is gone"):
        kills.check(path, process, kills.signal.SIGKILL, True, b"")


FILES = [(checkpoints, "go_on", range(40, 42)), (journals, "go_on", range(2)),
         (archives, "read_archive", range(2)), (compiled, "said", range(2))]


@pytest.mark.parametrize(("part", "reader", "numbers"), FILES, ids=lambda each: getattr(
    each, "__name__", ""))
def test_a_changed_file_on_which_a_reader_fails_is_noticed(monkeypatch, tmp_path, part, reader,
                                                           numbers):
    assert differences(part.run, numbers) == []
    monkeypatch.chdir(tmp_path)  # what is found is kept

    def broken(*_):
        raise KeyError("no sentence")

    monkeypatch.setattr(part, reader, broken)
    found = differences(part.run, numbers)
    assert len(found) == len(numbers)
    assert all("KeyError" in text and "the file is kept as soak-" in text for text in found)
    assert len(list(tmp_path.iterdir())) == len(numbers)


def test_a_digest_that_does_not_fit_is_noticed(monkeypatch, tmp_path):
    made = checkpoints.base(1, 1)
    monkeypatch.setattr(checkpoints, "go_on", lambda *_: (None, None))
    with pytest.raises(Difference, match="the digest does not fit, but the file is taken"):
        checkpoints.check(made.content[:-1], made, tmp_path / "file", False)
    monkeypatch.setattr(archives, "read_archive", lambda *_: SimpleNamespace(close=lambda: None))
    with pytest.raises(Difference, match="the digest does not fit, but the archive is read"):
        archives.check(tmp_path / "file", False, False)


def test_checkers_that_differ_are_noticed(monkeypatch, tmp_path):
    monkeypatch.setattr(compiled, "said", lambda path, rules: ("verified", rules))
    with pytest.raises(Difference, match=r"the plain rules say .* machine code says"):
        compiled.check(b"", tmp_path / "file")


def test_the_retrograde_analysis_is_right():
    brute = BruteForce(NaiveKInARow())
    exact = Retrograde(NaiveKInARow(), 10_000)
    for position in random_positions(zermelo.game("tic-tac-toe"), 40, 2, 9, 5):
        state = brute.naive.from_position(position)
        assert exact.value(state, brute.naive.mover(state)) == brute.value(state)
    worth = {1: "win", 0: "draw", -1: "loss"}
    for seed in range(200):
        nodes = random_graph(seed)
        twin = NaiveGraph(nodes)
        assert worth[Retrograde(twin, 100).value("n0", twin.mover("n0"))] == value_of(nodes, "n0")


def test_a_case_is_a_function_of_its_number():
    assert searches.run(1, 3) == searches.run(1, 3)
    assert texts.mutated(random.Random(3), ["abc"]) == texts.mutated(random.Random(3), ["abc"])
    first, again = (games.draw("tic-tac-toe", random.Random(4)) for _ in range(2))
    assert (first.position, first.state) == (again.position, again.state)
    assert isinstance(zermelo.solve(first.position, "pn"), Result)


@pytest.mark.long
def test_the_whole_of_it_runs():
    words = ["--hours", "0.0005", "--workers", "1", "--only", "searches"]
    done = subprocess.run([sys.executable, "-m", "benchmarks.soak", *words], capture_output=True,
                          text=True, cwd=Path(__file__).parents[2])
    assert (done.returncode, "0 differences" in done.stdout) == (0, True), done.stderr
    assert "searches  pairs" in done.stdout
