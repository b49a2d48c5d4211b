"""Every ``raise`` of the package is reached by a test."""

import json
import os
import subprocess
import sys
from pathlib import Path

from raising import PACKAGE, missed, statements

TESTS = Path(__file__).parent
FILES = [
    "test_bad_input.py", "test_bad_input_cli.py", "test_bad_games.py", "test_candidates.py",
    "test_certify_refusals.py", "test_categories.py", "test_cli.py", "test_cns_refusals.py",
    "test_cli_compare.py", "test_connect_four.py", "test_depth_first_refusals.py",
    "test_first_look.py", "test_hex.py", "test_hex_swap.py", "test_k_in_a_row.py",
    "test_lab_compare.py", "test_lab_refusals.py", "test_lab_settings.py",
    "test_lab_tune_refusals.py", "test_notations.py",
    "test_lines_of_action.py", "test_match_refusals.py", "test_minimax_refusals.py",
    "test_othello.py", "test_p_game.py", "test_pickle.py", "test_proof_cli.py",
    "test_proof_files.py", "test_proof_refusals.py", "test_proof_rules.py", "test_record.py",
    "test_records.py", "test_scn_refusals.py", "test_show.py", "test_show_cli.py",
    "test_show_refusals.py", "test_vcdt_refusals.py", "test_xiangqi.py", "test_zones_refusals.py",
]


def test_every_raise_is_reached(tmp_path):
    files = [TESTS / name for name in FILES]
    environment = {
        **os.environ, "RAISED_TO": str(tmp_path / "raised.json"), "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": os.pathsep.join(map(str, (TESTS, PACKAGE.parent))), "PYTEST_ADDOPTS": "",
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "raising", "-p", "no:xdist", "-p",
         "no:cacheprovider", "-q", "-m", "not full", *map(str, files)],
        env=environment, capture_output=True, text=True, cwd=TESTS.parent)
    raised = json.loads((tmp_path / "raised.json").read_text())
    left = [str(statement) for statement in missed(raised)]
    assert not left, "\n".join([*left, done.stdout[-2_000:]])
    assert done.returncode == 0, done.stdout[-4_000:]


def test_raises_are_found_wherever_they_stand(tmp_path):
    (tmp_path / "one.py").write_text(
        "def outer():\n    def inner():\n        raise ValueError(\n            1)\n"
        "    raise KeyError\n")
    found = [(s.function, s.first, s.last) for s in statements(tmp_path)]
    assert sorted(found) == [("inner", 3, 4), ("outer", 5, 5)]
    assert len(statements()) > 100
