"""Tests of a group run in one process, whichever versions of pytest and pytest-xdist are there."""

import os
import subprocess
import sys
from pathlib import Path

FILES = {
    "test_one.py": """
import pytest
@pytest.mark.parametrize("n", range(6))
def test_file(n): pass
""",
    "test_two.py": """
import pytest
@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ("a", "b", "a", "b", "a")])
def test_marked(name): pass
def test_unmarked(): pass
def test_unmarked_too(): pass
""",
    "test_three.py": "def test_first(): pass\ndef test_second(): pass\ndef test_third(): pass\n",
}


def test_what_belongs_together_stays_together(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-vv", "-n", "2", "--dist", "loadgroup",
         "-p", "groups", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", str(tmp_path)],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    workers = {}
    for line in done.stdout.splitlines():
        if "PASSED" in line:
            worker, test = line.split()[0], line.partition("PASSED")[2].split("@")[0].strip()
            workers.setdefault(group(test), []).append(worker)
    assert {name: len(found) for name, found in workers.items()} == {
        "one": 6, "two": 2, "three": 3, "a": 3, "b": 2}
    assert all(len(set(found)) == 1 for found in workers.values())
    assert {found[0] for found in workers.values()} == {"[gw0]", "[gw1]"}


def group(test):
    if "test_marked" in test:
        return test[test.index("[") + 1]
    return test.partition(".py")[0].partition("test_")[2]
