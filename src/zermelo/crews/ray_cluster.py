"""Ray, which connects machines: how to load it, how to join a cluster, and how much fits on it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from zermelo.crews.processes import starting_safely
from zermelo.errors import BadOption, one_line, quoted
from zermelo.whole_files import Folder

LOCAL = "local"
STORE_BYTES = 100 << 20
MISSING = ("workers on a cluster need Ray, which is not installed; install it with "
           "pip install 'zermelo[cluster]'.")


def load_ray() -> Any:
    """Ray, loaded when it is asked for and not before."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        with _signals_kept():
            import ray
    except ImportError:
        raise BadOption(MISSING) from None
    return ray


class RayCluster:
    """The Ray cluster at ``address``, or one that begins on this machine, with so many processors.
    """

    def __init__(self, address: str | None, processors: int) -> None:
        self.ray = load_ray()
        self.ours = not self.ray.is_initialized()
        if self.ours:
            _connect(self.ray, address, processors)

    def places(self, memory: int = 0) -> int:
        """How many workers with this much memory fit on the nodes that are there, one to a
        processor."""
        found = 0
        for node in self.ray.nodes():
            if node["Alive"]:
                has = node["Resources"]
                found += int(min(has.get("CPU", 0), has.get("memory", 0) // max(memory, 1)))
        return found

    def leave(self) -> None:
        """What was begun here ends; a cluster that was there before stays."""
        if self.ours:
            self.ray.shutdown()
            self.ours = False


def _connect(ray: Any, address: str | None, processors: int) -> None:
    """Join or begin a cluster whose workers have an empty working directory: without one, Ray puts
    that of this process first on their ``sys.path``."""
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    _keep_silent(ray)
    try:
        with _signals_kept(), starting_safely(), Folder("zermelo-ray") as empty:
            quiet["runtime_env"] = {"working_dir": str(empty)}
            if address in (None, LOCAL):
                ray.init(num_cpus=processors, include_dashboard=False,
                         object_store_memory=STORE_BYTES, **quiet)
            else:
                ray.init(address=address, **quiet)
    except Exception as error:  # Ray raises many kinds
        raise BadOption(f"the Ray cluster at {quoted(address)} can't be reached: "
                        f"{one_line(error)}.") from None


def told(error: Exception) -> str:
    """What went wrong, as Ray tells it. Of an actor that could not be made, it shows how it came to
    that, in many lines; the last one says why."""
    cause = getattr(error, "cause", None)
    text = str(error if cause is None else f"{type(cause).__name__}: {cause}").strip()
    return text.splitlines()[-1] if "creation task" in text else text


def _keep_silent(ray: Any) -> None:
    """Ray prints what becomes of nodes to standard output, which is for answers, and has no option
    against it. What it says comes as errors too."""
    inside: Any = getattr(getattr(ray, "_private", None), "worker", None)
    if hasattr(inside, "print_to_stdstream"):
        inside.print_to_stdstream = lambda *said, **options: None


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Ray sets what SIGTERM does, which is for the command to say."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if before is not None:  # None: somebody's who is not Python
            signal.signal(signal.SIGTERM, before)
