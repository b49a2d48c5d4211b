"""The kinds of cases, and the share of the time that each gets."""

import traceback
from collections import Counter
from collections.abc import Callable
from typing import Any

from benchmarks.soak import certificates, kills, parsers, problems, searches
from benchmarks.soak.case import Difference

KINDS: dict[str, Any] = {"searches": searches, "certificates": certificates, "parsers": parsers,
                         "problems": problems, "kills": kills}
SHARES = {"searches": 0.5, "certificates": 0.2, "parsers": 0.25, "problems": 0.02, "kills": 0.03}


def run_case(kind: str, seed: int, index: int) -> Counter[str]:
    """One case; whatever goes wrong in it is a Difference."""
    run: Callable[[int, int], Counter[str]] = KINDS[kind].run
    try:
        return run(seed, index)
    except Difference:
        raise
    except Exception:
        raise Difference(f"the case itself fails\n{traceback.format_exc()}") from None
