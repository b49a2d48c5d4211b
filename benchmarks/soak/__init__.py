"""The soak: random cases of everything against independent answers, for as long as one likes.

    python -m benchmarks.soak --hours 2

A case is a pure function of its kind, the seed and its number, so that it can be shown again.
"""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[2] / "tests"
if str(TESTS) not in sys.path:  # the slow twins, and a second reader of certificates
    sys.path.append(str(TESTS))
