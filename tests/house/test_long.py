"""What ``make test`` leaves out is named with something that it has."""

from pathlib import Path

import pytest
from long import LONG, is_long

HERE = Path(__file__).parents[1]


@pytest.mark.parametrize("stand_in", sorted(set(LONG.values())))
def test_what_stands_in_is_there_and_not_long_itself(stand_in):
    files = [file for file in HERE.rglob(stand_in.partition("::")[0]) if not is_long(file.name)]
    assert files
    assert not (stand_in.endswith("]") and is_long(stand_in))
    test = stand_in.partition("::")[2].partition("[")[0].rpartition("::")[2]
    assert any(f"def {test}" in file.read_text() for file in files)
