"""The oldest versions that pyproject.toml allows find what the newest do."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OLDEST = ROOT / "constraints" / "oldest.txt"
EXTRAS = ("lab", "web")


def run(*words, directory):
    ours = ("PYTHONPATH", "ZERMELO", "NUMBA", "COVERAGE", "VIRTUAL_ENV")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(list(map(str, words)), cwd=directory, capture_output=True, text=True,
                          env={**environment, "ZERMELO_CACHE": str(directory)})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_floor_is_tried():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    floors = project["dependencies"] + [one for extra in EXTRAS
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
        "--constraint", OLDEST, f"{ROOT}[{','.join(EXTRAS)}]", directory=tmp_path)
    found = run(python, ROOT / "tests" / "smoke.py", directory=oldest)
    assert json.loads(found) == json.loads(expected)
    assert "tic-tac-toe" in run(place / "bin" / "zermelo", "games", directory=oldest)
