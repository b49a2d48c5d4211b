"""Who may import whom, how long a file may be, and that nothing heavy is imported for nothing."""

import ast
import builtins
import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
import raising
from raising import NOTE, missed, statements, with_notes

import zermelo
import zermelo.lab
from tools.sizes import PAGE, differing, on_page, sizes
from zermelo.search import HOMES, home_of

PACKAGE = Path(__file__).parents[2] / "src" / "zermelo"
FILES = sorted(PACKAGE.rglob("*.py"))
LONGEST_FILE = 800
COMPILER = ("numba", "llvmlite")
# Where the compiler may be named.
COMPILING = ("compiler.callback", "compiler.entry", "compiler.pipeline", "kernel.bits",
             "kernel.rays")
# What runs without Numba, as every command does whose kernels are on disk.
WITHOUT_NUMBA = ("cache", "compile_stats", "entry")


def module_name(path):
    parts = ["zermelo", *path.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path):
    """The modules that a file imports, wherever the import stands; not those for type checking."""
    tree = ast.parse(path.read_text())
    for_types = {
        id(inner) for node in ast.walk(tree) if isinstance(node, ast.If)
        and ast.unparse(node.test) == "TYPE_CHECKING" for part in node.body
        for inner in ast.walk(part)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_imports_keep_to_the_layers():
    """The contracts are in pyproject.toml, the picture in docs/explanation/architecture.md."""
    done = subprocess.run([Path(sys.executable).with_name("lint-imports"), "--no-cache"],
                          cwd=PACKAGE.parents[1], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", zermelo.__all__)
def test_public_names_are_found_where_they_live(name):
    assert getattr(zermelo, name) is not None
    assert name in dir(zermelo)


@pytest.mark.parametrize("package", [zermelo, zermelo.lab])
def test_the_stub_is_the_one_list_of_public_names(package):
    """Each in a line ``from MODULE import NAME as NAME``, which type checkers take as public."""
    tree = ast.parse(Path(f"{package.__file__}i").read_text())
    names = [(node.module, *node.names) for node in tree.body if isinstance(node, ast.ImportFrom)]
    assert {alias.name: module for module, alias in names} == package._HOMES
    assert all(alias.name == alias.asname for _, alias in names)
    assert package.__all__ == sorted(package._HOMES)
    with pytest.raises(AttributeError, match=rf"'{package.__name__}' has no attribute 'solved'"):
        package.solved  # noqa: B018


def test_every_search_is_public():
    assert {(module, name) for name, module in zermelo._HOMES.items()} >= set(map(home_of, HOMES))


@pytest.mark.parametrize("name", zermelo.lab.__all__)
def test_public_names_of_the_lab_are_found_where_they_live(name):
    assert getattr(zermelo.lab, name) is not None
    assert name in dir(zermelo.lab)


def test_no_module_has_the_name_of_a_public_function():
    """Else `import zermelo.NAME.module as m` would find the function; the package `search` is what
    the name `zermelo.search` gives."""
    functions = {name for name in zermelo.__all__ if name.islower()} - {"search"}
    modules = {path.stem for path in PACKAGE.glob("*.py")}
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert not functions & (modules | rooms)
    assert zermelo.search("uct", C=1.0) == zermelo.UCT(C=1.0)
    assert import_module("zermelo.search") is zermelo.search


# The modules whose ``__all__`` is for others; the reference has all of it.
PUBLIC = ("zermelo", "zermelo.lab", "zermelo.lab.contest", "zermelo.lab.hindsight",
          "zermelo.lab.statistics", "zermelo.lab.tune", "zermelo.lab.watching")
OPTIONAL = {"matplotlib", "pandas", "pyarrow", "optuna", "pyspiel", "ray", "scipy", "uvicorn"}
# Where else a function may import: what would be loaded for nothing by most callers.
ON_USE = {
    "zermelo": {"importlib"},  # where names are only imported from its modules
    "zermelo.public_names": {"importlib"},
    "zermelo.errors": {"difflib"},  # for a name that is not known
    "zermelo.proof.rules": {"zermelo.proof.rules.open_spiel",
                            "zermelo.proof.rules.own"},  # the checker without a game of a user
    "zermelo.proof.run": {"zermelo.proof.compiled"},  # the checker without the compiler
}


def test_functions_import_only_what_most_do_without():
    """Commands load what they need, the kernels' room loads the compiler; elsewhere imports are at
    the top, where they show who needs whom."""
    found = {}
    for path in FILES:
        name = module_name(path)
        if not name.startswith(("zermelo.cli", "zermelo.compiler.", "zermelo.kernel.")):
            needed = {module for module in imported_by_functions(path.read_text())
                      if module.partition(".")[0] not in OPTIONAL}
            found |= {name: needed} if needed else {}
    assert found == ON_USE


def imported_by_functions(text):
    if not re.search(r"^(?!import |from ).*\bimport\b", text, re.MULTILINE):
        return set()  # that word only where lines begin: reading a file takes longer than looking
    inside = [node for function in ast.walk(ast.parse(text))
              if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
              for node in ast.walk(function)]
    found = {alias.name for node in inside if isinstance(node, ast.Import) for alias in node.names}
    return found | {str(node.module) for node in inside if isinstance(node, ast.ImportFrom)}


def test_imports_in_functions_are_seen():
    assert imported_by_functions("import a\nfrom b import c\n") == set()
    assert imported_by_functions("def f():\n    import a.b\n    from c import d\n") == {"a.b", "c"}
    assert imported_by_functions("async def f(): import a\n") == {"a"}


def test_the_experiments_of_the_papers_use_public_names_only():
    """Those of the reference, as an experiment of anybody else's does (reference/api/lab.md)."""
    public = {(name, one) for name in PUBLIC for one in import_module(name).__all__}
    for path in sorted((PACKAGE.parent / "zermelo_papers").rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text())))
        used = {(node.module, alias.name) for node in nodes if isinstance(node, ast.ImportFrom)
                for alias in node.names if str(node.module).partition(".")[0] == "zermelo"}
        assert used <= public, path
        assert not [alias.name for node in nodes if isinstance(node, ast.Import)
                    for alias in node.names if alias.name.partition(".")[0] == "zermelo"], path


def test_few_modules_know_the_compiler():
    named = [path for path in FILES if module_name(path).removeprefix("zermelo.") not in COMPILING
             and re.search(r"numba|llvmlite|from\s+[.]", path.read_text())]
    wrong = {module_name(path): module for path in named for module in imports(path)
             if module.partition(".")[0] in COMPILER}
    assert not wrong


def test_the_compiler_is_named_where_it_may_be():
    for name in COMPILING:
        named = set(imports(PACKAGE / f"{name.replace('.', '/')}.py"))
        assert any(module.partition(".")[0] in COMPILER for module in named), name
    for name in WITHOUT_NUMBA:
        named = set(imports(PACKAGE / "compiler" / f"{name}.py"))
        assert not any(module.partition(".")[0] == "numba" for module in named), name


def renames(call):
    """Whether a call renames a file: ``Path.replace`` has one argument, ``str.replace`` two."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    whose = ast.unparse(call.func).rpartition(".")[0]
    if name == "replace":
        return whose == "os" or (len(call.args) == 1 and not call.keywords)
    return (whose, name) == ("shutil", "move") or (name in ("rename", "renames") and call.args)


def test_one_module_renames_files():
    users = {module_name(path) for path in FILES for node in ast.walk(ast.parse(path.read_text()))
             if isinstance(node, ast.Call) and renames(node)}
    assert users == {"zermelo.storage.whole_files"}


def test_files_are_short():
    lengths = {module_name(path): len(path.read_text().splitlines()) for path in FILES}
    assert len(lengths) > 200
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_the_page_has_the_sizes_of_today():
    """If not: python -m tools.sizes --write."""
    shown = on_page(PAGE.read_text())
    assert differing(sizes(), shown) == []
    assert differing({**shown, "src": (9, 9)}, shown) == ["src"]
    assert differing(shown, {**shown, "new": (9, 9)}) == ["new"]


def without_types(path):
    """Count the lines of functions without annotations, those that Numba types."""
    def lines(node):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef):
                named = [each for each in ast.walk(child.args)
                         if isinstance(each, ast.arg) and each.arg not in ("self", "cls")]
                typed = child.returns is not None or (child.name == "__init__" and named)
                if not typed or not all(each.annotation for each in named):
                    yield child.end_lineno - child.lineno + 1
                    continue
            yield from lines(child)

    return sum(lines(ast.parse(path.read_text())))


def test_compiled_functions_alone_are_without_types():
    """Strict types hold in all modules but those listed, and these need it."""
    settings = tomllib.loads((PACKAGE.parents[1] / "pyproject.toml").read_text())
    exempt = next(each["module"] for each in settings["tool"]["mypy"]["overrides"]
                  if each.get("disallow_untyped_defs") is False)
    lines = {name: without_types(Path(import_module(name).__file__)) for name in exempt}
    assert [name for name, count in lines.items() if count == 0] == []
    assert sum(lines.values()) <= 7_000


LOADED = """
import sys
{code}
heavy = [name for name in sys.modules if name.partition(".")[0] in {packages!r}]
print(heavy, file=sys.stderr)
sys.exit(1 if heavy else 0)
"""
COMMAND = """
from zermelo.cli import run
assert run({words!r}) == {status}
"""


@pytest.mark.parametrize(
    "code",
    ["import zermelo", "import zermelo.cli.app",
     "import zermelo; zermelo.game('othello'); zermelo.search('uct')",
     "from zermelo.explorer.query_worker import load_games; load_games()",
     COMMAND.format(words=["--help"], status=0), COMMAND.format(words=["--version"], status=0),
     COMMAND.format(words=["solve", "--help"], status=0), COMMAND.format(words=["games"], status=0),
     COMMAND.format(words=["searches"], status=0),
     COMMAND.format(words=["solve", "chess"], status=2)],
)
def test_the_compiler_is_not_loaded_for_nothing(code):
    assert_not_loaded(code, "numba", "llvmlite")


@pytest.mark.parametrize("words", [["--help"], ["solve", "chess"], ["solve", "--nodes"],
                                   ["compute"]])
def test_help_and_errors_load_little(words):
    code = COMMAND.format(words=words, status=0 if "--help" in words else 2)
    assert_not_loaded(code, "numba", "llvmlite", "numpy", "pydantic")


def assert_not_loaded(code, *packages):
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0"}
    code = LOADED.format(code=code, packages=packages)
    done = subprocess.run([sys.executable, "-c", code], env=environment,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


MODULES = """
import sys
from contextlib import suppress
with suppress(SystemExit):
    {code}
mine = [name for name in sys.modules if name.partition(".")[0] == "zermelo"]
print(len(mine), *sorted(mine), file=sys.stderr)
sys.exit(len(mine) > {most})
"""
GAME = ["connect-four", "-g", "columns=4", "-g", "rows=3"]


@pytest.mark.parametrize(("code", "most"), [
    (f"import zermelo.cli; zermelo.cli.run({['solve', *GAME]!r})", 100),
    (f"import zermelo.cli; zermelo.cli.run({['solve', *GAME, '--proof', 'x.proof']!r})", 150),
    ("import zermelo; zermelo.solve(zermelo.game('connect-four', columns=4, rows=3).start())", 95),
])
def test_a_solve_loads_few_modules(code, most, tmp_path):
    """A reader who follows one call opens no more than these."""
    done = subprocess.run([sys.executable, "-c", MODULES.format(code=code, most=most)],
                          cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# Calls that remove, rename, lock or change a file that is there.
CHANGING = {
    "NamedTemporaryFile", "SpooledTemporaryFile", "TemporaryDirectory", "TemporaryFile", "chmod",
    "chown", "connect", "copy", "copy2", "copyfile", "copymode", "copystat", "copytree", "fchmod",
    "flock", "ftruncate", "hardlink_to", "link", "link_to", "lockf", "mkdtemp", "mkstemp", "mktemp",
    "move", "remove", "removedirs", "rename", "renames", "replace", "rmdir", "rmtree", "symlink",
    "symlink_to", "truncate", "unlink", "utime"}
# Names that lists, texts and arrays have, too: these are files' where the module is named.
OF_MODULES = {"copy", "link", "move", "remove", "truncate"}


def changes(path):
    """The calls in a file that change files."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        name, of = node.func.attr, ast.unparse(node.func.value)
        if name not in CHANGING or (name in OF_MODULES and of not in ("os", "shutil")):
            continue
        if name == "connect" and of != "sqlite3":
            continue
        if name == "replace" and of != "os" and (len(node.args) != 1 or node.keywords):
            continue  # of a text, or of a data class
        yield name


def test_the_page_has_all_places_that_change_files():
    page = (PACKAGE.parents[1] / "docs" / "explanation" / "architecture.md").read_text()
    table = page.partition("## Files that are removed")[2].partition("\n## ")[0]
    told = {}
    for row in table.splitlines():
        if row.startswith("| `"):
            files, calls = (re.findall("`([^`]+)`", cell) for cell in row.split("|")[1:3])
            told |= {file: set(calls) for file in files}
    found = {path.relative_to(PACKAGE).as_posix(): names for path in FILES
             if (names := set(changes(path)))}
    assert found == told


def test_modules_that_a_package_or_the_page_lists_are_there():
    missing = []
    for path in PACKAGE.rglob("__init__.py"):
        text = ast.get_docstring(ast.parse(path.read_text())) or ""
        there = {other.stem for other in path.parent.glob("*.py")}
        listed = set(re.findall(r"^(\w+) {2,}\S", text, re.MULTILINE))
        missing += [f"{module_name(path)}.{name}" for name in listed - there]
    page = (PACKAGE.parents[1] / "docs" / "explanation" / "architecture.md").read_text()
    for row in page.partition("## The packages")[2].partition("\n## ")[0].splitlines():
        if row.startswith("| `"):
            folders = [PACKAGE, *(PACKAGE / name for name in
                                  re.findall(r"`(\w+)/`", row.split("|")[1]))]
            missing += [name for name in re.findall(r"`([\w/]+\.py)`", row)
                        if not any((folder / name).exists() for folder in folders)]
    assert missing == []


OF_FAMILIES = {"Run", "BestFirst", "DepthFirst", "Minimax", "Threats", "ByZones", "VCDT", "Search",
               "Planned"}


def test_nobody_asks_a_run_or_a_search_for_its_class():
    """A run says what it has proved, and a search what it can do (see ``search.base``). Where a
    search is named by a text or an object, that may be asked."""
    found = {}
    for path in FILES:
        name = module_name(path)
        if name.startswith(("zermelo.solving", "zermelo.proof", "zermelo.cli")):
            asked = {ast.unparse(node) for node in ast.walk(ast.parse(path.read_text()))
                     if isinstance(node, ast.Call)
                     and ast.unparse(node.func) in ("isinstance", "issubclass", "type")
                     and OF_FAMILIES & {part.id for part in ast.walk(node)
                                        if isinstance(part, ast.Name)}}
            found |= {name: asked} if asked else {}
    assert found == {"zermelo.solving.solve": {"isinstance(searches, str | Search)"}}


PROCESSES = re.compile(
    r"os\.(fork|wait|killpg|spawn|posix_spawn|system|popen)|\bsubprocess\b|Popen|ProcessPool|"
    r"\bmultiprocessing\b|signal\.(signal|sigaction|set_wakeup_fd)|^from (os|signal) import",
    re.MULTILINE)


def test_processes_and_signals_have_one_package():
    found = {module_name(path) for path in FILES if PROCESSES.search(path.read_text())}
    outside = {name for name in found if not name.startswith("zermelo.workers.")}
    assert outside == {"zermelo.cli.terminal"}
    assert {"zermelo.workers.processes", "zermelo.workers.signals"} < found


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
