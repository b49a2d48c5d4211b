"""How ``raise`` statements that no test reaches are noticed; ``conftest`` lists them."""

import builtins
import sys

import pytest
import raising
from raising import NOTE, missed, statements, with_notes

import zermelo


def test_raises_are_found_wherever_they_stand(tmp_path):
    (tmp_path / "one.py").write_text(
        "def outer():\n    def inner():\n        raise ValueError(\n            1)\n"
        "    raise KeyError\n")
    found = [(s.function, s.first, s.last) for s in statements(tmp_path)]
    assert sorted(found) == [("inner", 3, 4), ("outer", 5, 5)]
    assert len(statements()) > 100


def test_a_raise_that_happens_is_noted(monkeypatch):
    seen = []
    monkeypatch.setattr(builtins, NOTE, lambda path, line: seen.append((path, line)))
    scope = {}
    source = "def f(n):\n    if n:\n        raise ValueError(n)\n    return n\n"
    exec(compile(with_notes(source, "one.py"), "one.py", "exec"), scope)
    assert scope["f"](0) == 0
    assert seen == []
    with pytest.raises(ValueError):
        scope["f"](1)
    assert seen == [("one.py", 3)]


def test_the_package_is_loaded_with_notes(monkeypatch):
    # A set of its own: the notes of the tests before this one stay.
    monkeypatch.setattr(raising, "noted", set())
    with pytest.raises(zermelo.UnknownGame):
        zermelo.game("chess")
    assert [path for path, _ in raising.noted] == ["games/registry.py"]
    assert any(isinstance(finder, raising.Finder) for finder in sys.meta_path)


def test_what_was_not_noted_is_missed():
    every = [(s.path, s.first) for s in statements()]
    assert missed(every) == []
    assert [s.first for s in missed(every[1:])] == [every[0][1]]
