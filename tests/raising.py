"""Which ``raise`` statements of the package do the tests reach?

Modules of the package are loaded with a note before each ``raise``, so that a run of all tests
knows at its end which of them nobody has reached. No kernel raises: compiled code stays as it is.
"""

import ast
import builtins
import marshal
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from typing import Any, NamedTuple

PACKAGE = Path(__file__).parents[1] / "src" / "zermelo"
NOTE = "__note_raise__"
OWN_HASH = source_hash(Path(__file__).read_bytes())  # what makes the notes


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
        text = path.read_text()
        tree = ast.parse(text if "raise" in text else "")
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                found += [
                    Statement(str(path.relative_to(folder)), function.name, node.lineno,
                              node.end_lineno or node.lineno, ast.unparse(node)[:100])
                    for node in own_nodes(function) if isinstance(node, ast.Raise)
                ]
    return found


def missed(raised: Iterable[tuple[str, int]]) -> list[Statement]:
    """Those of the package that were not noted."""
    lines: dict[str, set[int]] = {}
    for path, line in raised:
        lines.setdefault(path, set()).add(line)
    return [
        statement for statement in statements()
        if not lines.get(statement.path, set()).intersection(
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


noted: set[tuple[str, int]] = set()


def note(path: str, line: int) -> None:
    """A ``raise`` is about to happen."""
    noted.add((path, line))


class Notes(ast.NodeTransformer):
    """Puts a note before each ``raise``."""

    def __init__(self, path: str) -> None:
        self.path = path

    def visit_Raise(self, node: ast.Raise) -> list[ast.stmt]:
        call = ast.Call(ast.Name(NOTE, ast.Load()),
                        [ast.Constant(self.path), ast.Constant(node.lineno)], [])
        return [ast.copy_location(ast.Expr(call), node), node]


def with_notes(source: Any, path: str) -> ast.Module:
    """The module with its notes."""
    tree = ast.parse(source)
    return ast.fix_missing_locations(Notes(path).visit(tree))


class Loader(SourceFileLoader):
    """Loads a module with its notes; byte code with notes has files of its own."""

    def get_code(self, fullname: str) -> Any:
        path = self.get_filename(fullname)
        source = self.get_data(path)
        kept = cache_from_source(path, optimization="notes")
        head = MAGIC_NUMBER + OWN_HASH + source_hash(source) + source_hash(path.encode())
        with suppress(OSError):
            data = self.get_data(kept)
            if data.startswith(head):
                return marshal.loads(data[len(head):])
        relative = str(Path(path).relative_to(PACKAGE))
        code = compile(with_notes(source, relative), path, "exec", dont_inherit=True)
        if not sys.dont_write_bytecode:
            self.set_data(kept, head + marshal.dumps(code))  # all of it or nothing
        return code


class Finder(MetaPathFinder):
    """Finds the modules of the package."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name.partition(".")[0] != "zermelo":
            return None
        spec = PathFinder.find_spec(name, path, target)
        inside = spec is not None and spec.origin and Path(spec.origin).is_relative_to(PACKAGE)
        if spec is not None and inside and isinstance(spec.loader, SourceFileLoader):
            spec.loader = Loader(spec.name, spec.origin)
        return spec


def install() -> None:
    """From now on, modules of the package are loaded with notes."""
    setattr(builtins, NOTE, note)
    sys.meta_path.insert(0, Finder())
