"""Node counts are exact: a difference is a declared change, or a bug."""

import json

import pytest
import signature

EXPECTED = json.loads(signature.FILE.read_text())


@pytest.mark.xdist_group("signature")
def test_every_count_is_as_it_was():
    found = [json.loads(json.dumps(row)) for row in signature.rows()]
    different = [(old, new) for old, new in zip(EXPECTED, found, strict=True) if old != new]
    assert not different
