"""Every input of ``tests/data/fuzz``: seeds of the fuzzing, and what it once found.

``make fuzz`` looks for others; benchmarks/fuzz says what a reader must do.
"""

import resource
from contextlib import suppress

import pytest

from benchmarks.fuzz.__main__ import NAMES, SECONDS, SEEDS
from benchmarks.fuzz.targets import TARGETS, read
from benchmarks.soak.case import Difference, patience, without_compilation
from zermelo.errors import ZermeloError

MOST_MEMORY = 1 << 19  # kilobytes more than before


def test_every_target_has_inputs():
    assert list(TARGETS) == list(NAMES)
    assert {path.name for path in SEEDS.iterdir()} == set(NAMES)
    assert sum(path.stat().st_size for path in SEEDS.glob("*/*")) < 300_000


@pytest.mark.parametrize("name", NAMES)
def test_inputs_are_answered(name):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for path in sorted((SEEDS / name).iterdir()):
        with patience(SECONDS):
            read(name, path.read_bytes())
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_MEMORY


def test_a_false_claim_that_is_believed_is_noticed(monkeypatch):
    verified = type("Report", (), {"verified": True, "stopped": ""})()
    monkeypatch.setattr("zermelo.verify", lambda *_, **__: verified)
    found = (SEEDS / "certificates" / "found-over-before").read_bytes()
    with pytest.raises(Difference, match="a false claim is verified"):
        read("certificates", found)


@pytest.mark.parametrize("name", ["checkpoints", "journals"])
def test_inputs_reach_the_search(name):
    """What is refused at once would test nothing."""
    found = 0
    for path in (SEEDS / name).iterdir():
        with without_compilation(), suppress(ZermeloError):
            TARGETS[name].read(path.read_bytes())
            found += 1
    assert found >= 5
