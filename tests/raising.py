"""Which ``raise`` statements of the package do the tests reach?

As a plugin (``pytest -p raising``) this runs the tests that look for errors, watches them, and
writes the places of all exceptions in the package to the file named in RAISED_TO.
"""

import ast
import inspect
import json
import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "zermelo"
LOOKS_FOR_ERRORS = ("raises(", "refused(", "call(", "check_")
# The checks of other people's games have tests of their own, which need the JIT.
ELSEWHERE = ("checks/", "check_game.py")


class Statement(NamedTuple):
    """A ``raise`` and the lines it takes up."""

    path: str
    function: str
    first: int
    last: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.first} in {self.function}: {self.text}"


@cache
def statements(folder: Path = PACKAGE) -> list[Statement]:
    """Every ``raise`` below ``folder``."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text())
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                found += [
                    Statement(str(path.relative_to(folder)), function.name, node.lineno,
                              node.end_lineno or node.lineno, ast.unparse(node)[:100])
                    for node in own_nodes(function) if isinstance(node, ast.Raise)
                ]
    return found


def missed(raised: Iterable[tuple[str, int]]) -> list[Statement]:
    """Those of the package, but for ELSEWHERE, with no exception at their place."""
    lines: dict[str, set[int]] = {}
    for path, line in raised:
        lines.setdefault(path, set()).add(line)
    return [
        statement for statement in statements()
        if not statement.path.startswith(ELSEWHERE)
        and not lines.get(statement.path, set()).intersection(
            range(statement.first, statement.last + 1))
    ]


def own_nodes(function: ast.FunctionDef) -> Any:
    """The nodes of a function without those of the functions in it."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef):
            waiting += ast.iter_child_nodes(node)


class Watch:
    """Notes where in the package exceptions come up."""

    def __init__(self) -> None:
        self.places: set[tuple[str, int]] = set()
        self.tests = 0
        self.enough = False

    def __call__(self, frame: Any, event: str, argument: Any) -> Any:
        """A trace function: only frames of the package, and only where they are left."""
        if not frame.f_code.co_filename.startswith(str(PACKAGE)):
            return None
        frame.f_trace_lines = False
        return self.local

    def local(self, frame: Any, event: str, argument: Any) -> Any:
        """An exception, or the end of the frame: with a bare ``raise`` there is only the latter."""
        self.places.add((frame.f_code.co_filename, frame.f_lineno))
        return self.local

    def relative(self) -> list[tuple[str, int]]:
        """The places, with paths within the package."""
        return [(name[len(str(PACKAGE)) + 1:], line) for name, line in sorted(self.places)]


def pytest_configure(config: Any) -> None:
    """Begin with nothing."""
    config.watch = Watch()


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Only tests that look for errors, and none of the long ones."""
    items[:] = [
        item for item in items
        if item.get_closest_marker("full") is None
        and any(word in inspect.getsource(item.function) for word in LOOKS_FOR_ERRORS)
    ]
    items.sort(key=lambda item: "bad" not in item.nodeid and "refus" not in item.nodeid)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: Any) -> bool | None:
    """When every statement is reached, the tests that are left have nothing to show here."""
    watch = item.config.watch
    watch.tests += 1
    if not watch.enough and watch.tests % 20 == 0:  # looking takes as long as a short test
        watch.enough = not missed(watch.relative())
    return True if watch.enough else None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: Any) -> Any:
    """Watch the test itself."""
    before = sys.gettrace()
    sys.settrace(item.config.watch)
    yield
    sys.settrace(before)


def pytest_sessionfinish(session: Any) -> None:
    """Hand over what was seen."""
    places = session.config.watch.relative()
    Path(os.environ["RAISED_TO"]).write_text(json.dumps(places))
