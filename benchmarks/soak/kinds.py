"""The kinds of cases, and the share of the time that each gets."""

import traceback
from collections import Counter
from collections.abc import Callable
from typing import Any

from benchmarks.soak import (
    archives,
    certificates,
    checkpoints,
    compiled,
    journals,
    kills,
    parsers,
    problems,
    searches,
)
from benchmarks.soak.case import Difference

KINDS: dict[str, Any] = {
    "searches": searches, "certificates": certificates, "parsers": parsers, "problems": problems,
    "kills": kills, "checkpoints": checkpoints, "journals": journals, "archives": archives,
    "compiled": compiled}
SHARES = {"searches": 0.44, "certificates": 0.16, "parsers": 0.2, "problems": 0.02, "kills": 0.03,
          "checkpoints": 0.05, "journals": 0.04, "archives": 0.03, "compiled": 0.03}


def run_case(kind: str, seed: int, index: int) -> Counter[str]:
    """One case; whatever goes wrong in it is a Difference."""
    run: Callable[[int, int], Counter[str]] = KINDS[kind].run
    try:
        return run(seed, index)
    except Difference:
        raise
    except Exception:
        raise Difference(f"the case itself fails\n{traceback.format_exc()}") from None
