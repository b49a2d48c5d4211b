"""What the tests of the lab share."""

import pytest
from lab_files import prepare


@pytest.fixture
def files(tmp_path, monkeypatch):
    """An empty directory with experiment files, and a store of its own."""
    return prepare(tmp_path, monkeypatch)
