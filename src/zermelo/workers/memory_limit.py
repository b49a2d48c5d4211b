"""The memory limit of a process: how much data it may have, set by the process for itself."""

from __future__ import annotations

import contextlib
import resource
from collections.abc import Iterator


def data_of_process() -> int:
    """Return how much data this process has, as RLIMIT_DATA counts."""
    with contextlib.suppress(OSError), open("/proc/self/status") as file:
        for line in file:
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    return 0


def limit_memory(more: int, before: int | None = None) -> None:
    """Limit the data of this process to ``more`` bytes beyond ``before``, by default what it has
    now. A later call may raise the limit again. It leaves no core file."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = (data_of_process() if before is None else before) + more
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@contextlib.contextmanager
def limited_memory(more: int) -> Iterator[None]:
    """Limit the data of this process during a block, if no lower limit holds already."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = data_of_process() + more
    if soft != resource.RLIM_INFINITY:
        wanted = min(wanted, soft)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
