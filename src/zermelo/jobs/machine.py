"""What a result was made on and with: machine, system, versions."""

from __future__ import annotations

import os
import platform
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from zermelo.version import __version__

PACKAGES = ("numpy", "numba", "llvmlite")


def cores() -> int:
    """How many cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def environment() -> dict[str, Any]:
    """Everything a reader needs to judge times; no name of a machine, user or path."""
    return {
        "cpu": _cpu(), "cores": cores(), "memory_bytes": _memory(),
        "system": f"{platform.system()} {platform.release()}", "machine": platform.machine(),
        "python": platform.python_version(), "zermelo": __version__,
        **{package: _version(package) for package in PACKAGES},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _cpu() -> str:
    with suppress(OSError), open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _memory() -> int:
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return 0
