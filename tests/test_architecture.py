"""Who may import whom, how long a file may be, and that nothing heavy is imported for nothing."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "zermelo"
FILES = sorted(PACKAGE.rglob("*.py"))
LONGEST_FILE = 400
COMPILER = ("numba", "llvmlite")
CHECKER = [
    "zermelo.proof.check", "zermelo.proof.claim", "zermelo.proof.crew", "zermelo.proof.header",
    "zermelo.proof.read", "zermelo.proof.report", "zermelo.proof.run", "zermelo.proof.settle",
    "zermelo.proof.tables",
    *(f"zermelo.proof.rules.{name}" for name in (
        "base", "connect_four", "hex", "k_in_a_row", "lines_of_action", "mixing", "open_spiel",
        "othello", "p_game", "xiangqi")),
]
# What the modules below a name must not import. A game knows no search, a search no game, and the
# kernels know neither.
FORBIDDEN = {
    "zermelo.games": ["zermelo.search", "zermelo.solve", "zermelo.analyze", "zermelo.compare",
                      "zermelo.line", "zermelo.warmup", "zermelo.cli"],
    "zermelo.search": ["zermelo.games", "zermelo.solve", "zermelo.analyze", "zermelo.compare",
                       "zermelo.graph", "zermelo.line", "zermelo.warmup", "zermelo.cli"],
    "zermelo.kernel": ["zermelo.games", "zermelo.search", "zermelo.solve", "zermelo.analyze",
                       "zermelo.compare", "zermelo.graph", "zermelo.line", "zermelo.position",
                       "zermelo.result", "zermelo.warmup", "zermelo.cli"],
    "zermelo.game": ["zermelo.games", "zermelo.search", "zermelo.solve", "zermelo.cli"],
    "zermelo.position": ["zermelo.games", "zermelo.search", "zermelo.solve", "zermelo.cli"],
    "zermelo.graph": ["zermelo.games", "zermelo.search", "zermelo.solve", "zermelo.cli"],
    "zermelo.result": ["zermelo.games", "zermelo.kernel", "zermelo.cli"],
    "zermelo.solve": ["zermelo.games", "zermelo.cli"],
    "zermelo.lab": ["zermelo.cli"],
    "zermelo.errors": ["zermelo"],
    # The checker shares nothing with what it checks; only `rules.own` calls a user's game.
    **{name: ["zermelo.kernel", "zermelo.search", "zermelo.games", "zermelo.game",
              "zermelo.position", "zermelo.graph", "zermelo.solve", "zermelo.proof.write",
              "zermelo.proof.pack", "zermelo.proof.sort"] for name in CHECKER},
    "zermelo.proof": ["zermelo.search", "zermelo.games", "zermelo.solve", "zermelo.cli"],
}


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


def below(name, top):
    return name == top or name.startswith(f"{top}.")


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_imports_keep_to_the_design(path):
    name = module_name(path)
    # `from zermelo import svg` names the package: it is the module below it that counts.
    found = {module for module in imports(path) if module != "zermelo"}
    for top, forbidden in FORBIDDEN.items():
        if below(name, top):
            wrong = [module for module in found for other in forbidden if below(module, other)]
            assert not wrong, f"{name} imports {wrong}"


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_only_the_kernel_knows_the_compiler(path):
    if module_name(path) in ("zermelo.kernel.jit", "zermelo.kernel.inner", "zermelo.kernel.bits",
                             "zermelo.kernel.upcall"):
        return
    wrong = [module for module in imports(path) if module.partition(".")[0] in COMPILER]
    assert not wrong, f"{module_name(path)} imports {wrong}"


def test_the_rules_are_about_modules_that_exist():
    names = {module_name(path) for path in FILES}
    for top, forbidden in FORBIDDEN.items():
        assert {top, *forbidden} <= names | {"zermelo"}, top
    assert any(module == "numba" for module in imports(PACKAGE / "kernel" / "jit.py"))


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_files_are_short(path):
    assert len(path.read_text().splitlines()) <= LONGEST_FILE


LOADED = """
import sys
{code}
heavy = [name for name in sys.modules if name.partition(".")[0] in ("numba", "llvmlite")]
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
     COMMAND.format(words=["--help"], status=0), COMMAND.format(words=["--version"], status=0),
     COMMAND.format(words=["solve", "--help"], status=0), COMMAND.format(words=["games"], status=0),
     COMMAND.format(words=["searches"], status=0),
     COMMAND.format(words=["solve", "chess"], status=2)],
)
def test_the_compiler_is_not_loaded_for_nothing(code):
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run([sys.executable, "-c", LOADED.format(code=code)], env=environment,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
