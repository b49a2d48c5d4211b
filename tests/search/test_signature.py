"""Node counts are exact: a difference is a declared change, or a bug."""

import json

import pytest
import signature

pytestmark = pytest.mark.slow

EXPECTED = json.loads(signature.FILE.read_text())


@pytest.mark.long_cases("most")
@pytest.mark.parametrize(
    ("wanted", "least"), [
        pytest.param(signature.of_some, 25, id="some"),
        pytest.param(signature.of_most, 50, id="most"),
        pytest.param(signature.of_all, 50, id="all", marks=pytest.mark.full)])
def test_every_count_is_as_it_was(wanted, least):
    expected = [row for row in EXPECTED if wanted(signature.place_of(row), row["search"])]
    assert len(expected) >= least
    found = [json.loads(json.dumps(row)) for row in signature.rows(wanted)]
    different = [(old, new) for old, new in zip(expected, found, strict=True) if old != new]
    assert not different
