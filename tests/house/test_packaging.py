"""Wheel and source package: built, installed into empty environments, used somewhere else.

Each of python3.11, python3.12 and python3.13 that is on the path is tried besides the one that
runs the tests.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "zermelo"
VERSIONS = ("3.11", "3.12", "3.13")
THIS = f"{sys.version_info.major}.{sys.version_info.minor}"
SECONDS = 900
pytestmark = pytest.mark.full


def run(*words, directory, environment=None):
    done = subprocess.run([str(word) for word in words], cwd=directory, env=environment,
                          capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def clean_environment(home):
    """The environment without what could lead back to the repository or to its caches."""
    ours = ("PYTHON", "ZERMELO", "NUMBA", "COVERAGE", "VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_DATA_HOME": str(home / "data")}


def python_of(version):
    """One of this version; a test that wants another than is there is skipped."""
    if version == THIS:
        return sys.executable
    name = shutil.which(f"python{version}")
    # Where versions are chosen by name, a name alone does not mean that it runs.
    if name and subprocess.run([name, "--version"], capture_output=True).returncode == 0:
        return name
    pytest.skip(f"there is no python{version}")


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """(wheel, source package); the wheel is made from the source package."""
    out = tmp_path_factory.mktemp("packages")
    run(sys.executable, "-m", "build", "--outdir", out, ROOT, directory=out)
    (wheel,), (source,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, source


def installed(package, python, directory):
    """A new environment with ``package`` and what it depends on; its folder of programs."""
    place = directory / "environment"
    run(python, "-m", "venv", place, directory=directory)
    programs = place / "bin"
    run(programs / "python", "-m", "pip", "install", "--quiet", package, directory=directory)
    return programs


def try_out(programs, directory):
    """Solve, prove and verify, somewhere else than in the repository."""
    environment = clean_environment(directory)

    def zermelo(*words):
        return run(programs / "zermelo", *words, directory=directory, environment=environment)

    where = run(programs / "python", "-c", "import zermelo; print(zermelo.__file__)",
                directory=directory, environment=environment)
    assert Path(where.strip()).is_relative_to(programs.parent)
    version = run(programs / "python", "-c", "import importlib.metadata as m;"
                  "print('zermelo', m.version('zermelo'))", directory=directory)
    assert zermelo("--version") == version
    assert "draw: proved" in zermelo("solve", "tic-tac-toe", "--proof", "a.proof", "--quiet")
    assert ": verified, " in zermelo("verify", "a.proof", "--quiet")
    assert "Usage: zermelo solve" in zermelo("solve", "--help")


@pytest.mark.parametrize("version", sorted({*VERSIONS, THIS}))
def test_the_wheel(packages, version, tmp_path):
    try_out(installed(packages[0], python_of(version), tmp_path), tmp_path)


def test_an_installed_wheel_serves_the_same_pages(packages, tmp_path):
    programs = installed(f"{packages[0]}[web]", sys.executable, tmp_path)
    environment = clean_environment(tmp_path)
    server = subprocess.Popen(
        [programs / "zermelo", "explore", "--no-browser", "--port", "0"], cwd=tmp_path,
        env=environment, stdout=subprocess.PIPE, text=True)
    try:
        url, _, token = server.stdout.readline().split()[2].partition("/?token=")
        opener = urllib.request.build_opener()
        opener.addheaders = [("Authorization", f"Bearer {token}")]
        static = PACKAGE / "explorer" / "static"
        files = [path for path in static.rglob("*") if path.is_file()]
        assert len(files) > 10
        for path in files:
            name = path.relative_to(static).as_posix()
            with opener.open(f"{url}/static/{name}") as answer:
                assert answer.read() == path.read_bytes()
        with opener.open(f"{url}/board") as answer:
            assert answer.read() == (static / "index.html").read_bytes()
        with opener.open(f"{url}/api/v1/games") as answer:
            assert len(json.load(answer)) == 10
    finally:
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0


@pytest.mark.parametrize(("words", "extra"), [
    (["explore", "--no-browser"], "web"), (["lab", "list"], "lab")])
def test_without_its_extra_a_command_says_what_to_install(packages, words, extra, tmp_path):
    programs = installed(packages[0], sys.executable, tmp_path)
    done = subprocess.run([programs / "zermelo", *words], cwd=tmp_path,
                          env=clean_environment(tmp_path), capture_output=True, text=True)
    assert done.returncode == 2
    assert f"pip install 'zermelo[{extra}]'" in done.stderr


def test_the_source_package(packages, tmp_path):
    try_out(installed(packages[1], sys.executable, tmp_path), tmp_path)


def test_the_wheel_has_every_file_of_the_package(packages):
    names = zipfile.ZipFile(packages[0]).namelist()
    wanted = {str(path.relative_to(PACKAGE.parent)) for package in ("zermelo", "zermelo_papers")
              for path in (PACKAGE.parent / package).rglob("*")
              if path.is_file() and "__pycache__" not in path.parts}
    assert {name for name in names if ".dist-info/" not in name} == wanted
    assert "zermelo/py.typed" in names
    for folder, suffix in (("zermelo/games", ".json"), ("zermelo_papers", ".py"),
                           ("zermelo_papers/sets", ".txt"), ("zermelo_papers/sets", ".proof")):
        assert any(name.startswith(f"{folder}/") and name.endswith(suffix)
                   for name in names), folder


def test_the_source_package_has_what_it_takes_to_test_and_document(packages):
    with tarfile.open(packages[1]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "mkdocs.yml",
            "SECURITY.md", "constraints/tests.txt",
            "pyproject.toml", "tools/site.py", "docs/index.md", "results/README.md",
            "examples/chomp.py",
            "tests/house/test_packaging.py", "benchmarks/bench.py"} <= names
    assert not [name for name in names if name.startswith((".venv", ".cache", "site/"))]
