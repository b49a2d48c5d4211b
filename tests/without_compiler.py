"""What a file of tests prints when it runs as a program of its own, as ordinary Python."""

import json
import os
import subprocess
import sys
from typing import Any


def printed_by(file: str) -> Any:
    """The JSON that ``python file`` prints under NUMBA_DISABLE_JIT=1."""
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False,
                          env={**os.environ, "NUMBA_DISABLE_JIT": "1",
                               "PYTHONPATH": os.path.dirname(__file__)})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
