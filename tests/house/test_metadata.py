"""What pyproject.toml promises: one version, dependencies that are used, their oldest versions."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import zermelo
from zermelo.version import __version__

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
# The name to import, where it is not the name to install.
IMPORTED_AS = {"open_spiel": "pyspiel", "axe-playwright-python": "axe_playwright_python"}
# Run, not imported: the words with which they are.
RUN_AS = {"pytest-xdist": "-n $(WORKERS)", "ruff": "/ruff check", "mypy": "$(BIN)/mypy",
          "coverage": "-m coverage", "import-linter": "lint-imports", "build": '"-m", "build"',
          "mkdocs-material": "name: material", "mkdocstrings": "- mkdocstrings:"}


def names(requirements):
    return [re.match(r"[\w-]+", each)[0] for each in requirements]


@cache
def texts(folder):
    return [path.read_text() for path in (ROOT / folder).rglob("*.py")]


def imported(name, *folders):
    """Whether a file below ``folders`` imports the package, wherever the import stands."""
    return any(name in text and name in imports_of(text)
               for folder in folders for text in texts(folder))


def imports_of(text):
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module.partition(".")[0])
        elif isinstance(node, ast.Call) and node.args and _is_import(node.func):
            found.add(getattr(node.args[0], "value", None))
    return found


def _is_import(function):
    return getattr(function, "attr", getattr(function, "id", "")) in ("import_module",
                                                                      "importorskip")


def test_the_version_is_written_once():
    assert zermelo.__version__ == __version__
    assert "version" in PROJECT["project"]["dynamic"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "src/zermelo/version.py"
    assert __version__ in re.findall(r"^## (\S+) - \d{4}-\d\d-\d\d$",
                                     (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize("name", names(PROJECT["project"]["dependencies"]))
def test_the_package_imports_what_it_depends_on(name):
    assert imported(name, "src")


@pytest.mark.parametrize(
    ("extra", "name"), [(extra, name) for extra in EXTRAS if extra != "all"
                        for name in names(EXTRAS[extra])])
def test_extras_are_used(extra, name):
    if name in RUN_AS:
        files = [ROOT / "Makefile", ROOT / "mkdocs.yml", *(ROOT / "tests").rglob("*.py")]
        here = Path(__file__)
        assert any(RUN_AS[name] in file.read_text() for file in files if file != here)
        return
    for_users = extra in ("lab", "web")
    folders = ["src"] if for_users else ["tests", "benchmarks", "src"]
    assert imported(IMPORTED_AS.get(name, name), *folders)


def test_all_is_everything_for_users():
    assert EXTRAS["all"] == ["zermelo[lab,web]"]
    # but OpenSpiel, which can't be installed everywhere, and Ray, which is large
    aliases = {"plot", "parquet", "tune"}
    assert set(EXTRAS) == {"lab", "web", "open-spiel", "cluster", "all", "oracles", "dev", "docs",
                           "fuzz", *aliases}
    assert all(EXTRAS[alias] == ["zermelo[lab]"] for alias in aliases)


def test_extras_on_pages_exist():
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/**/*.py")]
    named = [(path, extra) for path in pages for some in
             re.findall(r"zermelo\[([\w,]+)\]", path.read_text()) for extra in some.split(",")]
    assert named, "no page names an extra"
    for path, extra in named:
        assert extra in EXTRAS, f"{path.relative_to(ROOT)} names the extra {extra}"


def test_pythons_that_are_named_are_allowed():
    classifiers = PROJECT["project"]["classifiers"]
    minors = [int(each.rpartition(".")[2]) for each in classifiers if ":: Python :: 3." in each]
    assert PROJECT["project"]["requires-python"] == f">=3.{min(minors)}"
    assert minors == [11, 12, 13]


def test_the_locked_environment_has_all_that_tests_need():
    """Each package has a version that pyproject.toml allows, and hashes, without which pip refuses
    the whole file."""
    text = (ROOT / "constraints" / "tests.txt").read_text().replace("\\\n", " ")
    locked = {}
    for line in filter(None, text.splitlines()):
        if line.lstrip().startswith("#"):
            continue
        pinned = Requirement(line.partition(" --hash=")[0])
        assert str(pinned.specifier).startswith("=="), line
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", line), line
        if pinned.marker is None or pinned.marker.evaluate():
            locked[canonicalize_name(pinned.name)] = str(pinned.specifier)[2:]
    wanted = [*PROJECT["build-system"]["requires"], *PROJECT["project"]["dependencies"],
              *EXTRAS["dev"], *EXTRAS["oracles"], *EXTRAS["lab"], *EXTRAS["web"]]
    for requirement in map(Requirement, wanted):
        name = canonicalize_name(requirement.name)
        if name != "zermelo":
            assert requirement.specifier.contains(locked[name]), requirement
    assert "--require-hashes -r $(LOCK)" in (ROOT / "Makefile").read_text()


OLDEST = ROOT / "constraints" / "oldest.txt"
OPTIONAL = ("lab", "web")


def run(*words, directory):
    ours = ("PYTHONPATH", "ZERMELO", "NUMBA", "COVERAGE", "VIRTUAL_ENV")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(list(map(str, words)), cwd=directory, capture_output=True, text=True,
                          env={**environment, "ZERMELO_CACHE": str(directory)})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_floor_is_tried():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    floors = project["dependencies"] + [one for extra in OPTIONAL
                                        for one in project["optional-dependencies"][extra]]
    pinned = dict(re.findall(r"(?m)^([\w-]+)==([\d.]+)$", OLDEST.read_text()))
    assert len(pinned) == len(floors)
    for floor in floors:
        name, version = floor.split(">=")
        assert f"{pinned[name]}.".startswith(f"{version}."), name


@pytest.mark.long
@pytest.mark.skipif(sys.version_info >= (3, 13), reason="NumPy 1.26 is for Python up to 3.12")
def test_the_smoke_set_finds_the_same(tmp_path):
    place, newest, oldest = (tmp_path / name for name in ("environment", "newest", "oldest"))
    for folder in (newest, oldest):
        folder.mkdir()
    expected = run(sys.executable, ROOT / "tests" / "smoke.py", directory=newest)
    run(sys.executable, "-m", "venv", place, directory=tmp_path)
    python = place / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
        "--constraint", OLDEST, f"{ROOT}[{','.join(OPTIONAL)}]", directory=tmp_path)
    found = run(python, ROOT / "tests" / "smoke.py", directory=oldest)
    assert json.loads(found) == json.loads(expected)
    assert "tic-tac-toe" in run(place / "bin" / "zermelo", "games", directory=oldest)
