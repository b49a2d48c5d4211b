"""The published certificates in ``examples/certificates``: true ones, and one for each rule."""

import json

import pytest
import raising

import zermelo
from tools import certificates as vectors

INDEX = json.loads((vectors.FOLDER / vectors.INDEX).read_text())
# What refuses certificates, but for user's games, which no published file can be about.
CHECKER = ("check.py", "header.py", "read.py", "run.py", "rules/", "zones/")
ELSEWHERE = ("rules/own.py", "rules/open_spiel.py", "zones/write.py")
# What it takes a user's game, a large file or a limit to reach.
OF_OTHER_TESTS = (
    "_cannot_read", "MOST_BETWEEN", "do not fit into memory", "became shorter", "MOST_TURNS",
    "BadCertificate", "BadOption", "round for ever", "ordinary file",
    "Fails(None, root", "the other side wins")


def test_each_is_answered_as_the_index_says():
    for row in INDEX:
        report = zermelo.verify(vectors.FOLDER / row["file"])
        assert vectors.answer(report) == {name: value for name, value in row.items()
                                          if name not in ("file", "rule")}, row["file"]
    files = {f"{path.parent.name}/{path.name}" for path in vectors.FOLDER.glob("*/*.proof")}
    assert {row["file"] for row in INDEX} == files


def test_the_false_ones_are_made_from_the_true_ones():
    true = {name: (vectors.FOLDER / "true" / f"{name}.proof").read_bytes()
            for name in vectors.TRUE}
    made = list(vectors.false_ones(true))
    assert [f"false/{name}.proof" for name, *_ in made] == [
        row["file"] for row in INDEX if row["verdict"] == "refused"]
    for name, _, content in made:
        kept = (vectors.FOLDER / "false" / f"{name}.proof").read_bytes()
        assert kept.split(b"\n\n")[0] == content.split(b"\n\n")[0], name


@pytest.mark.parametrize("name", [name for name in vectors.TRUE if not name.startswith("zones")])
def test_true_ones_are_made_again(name):
    kept = vectors.taken_apart((vectors.FOLDER / "true" / f"{name}.proof").read_bytes())
    assert vectors.TRUE[name][1]() == kept


def test_there_is_one_for_each_rule(monkeypatch):
    """Every ``raise`` of the checker is reached by one of them."""
    monkeypatch.setattr(raising, "noted", set())
    for row in INDEX:
        zermelo.verify(vectors.FOLDER / row["file"])
    left = [each for each in raising.statements(raising.PACKAGE / "proof")
            if each.path.startswith(CHECKER) and not each.path.startswith(ELSEWHERE)
            and not any(word in each.text for word in OF_OTHER_TESTS) and each.text != "raise"
            and not any((f"proof/{each.path}", line) in raising.noted
                        for line in range(each.first, each.last + 1))]
    assert not left, "\n".join(map(str, left))
