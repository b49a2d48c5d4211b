"""Loading Numba, as late and as little of it as can be, and what is known of it before."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from zermelo.kernel import start
from zermelo.kernel.short_cuts import take_short_cuts

# These do not change what is compiled; other settings of Numba's may.
HARMLESS = {"NUMBA_DISABLE_JIT", "NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "NUMBA_THREADING_LAYER"}
SWITCH = "NUMBA_DISABLE_JIT"
SETTINGS_FILE = ".numba_config.yaml"
VERSION = re.compile(r'"version": "([^"]+)"')


@contextmanager
def _hidden(*packages: str) -> Iterator[None]:
    """Keep Numba from importing what no kernel needs, where ``start`` says so."""
    hidden = [name for name in packages if start.numba_alone and name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


@contextmanager
def _compiling() -> Iterator[None]:
    """Let Numba load as a compiler whatever NUMBA_DISABLE_JIT says: whether to compile is decided
    before it is loaded, and what it reads at its first import holds for the whole process."""
    said = os.environ.pop(SWITCH, None)
    try:
        yield
    finally:
        if said is not None:
            os.environ[SWITCH] = said


@cache
def load_numba() -> Any:
    """Numba, with our short cuts."""
    with _hidden("scipy", "coverage"), _compiling():
        import numba
    take_short_cuts()
    return numba


def decorated(function: Any, options: dict[str, Any]) -> Any:
    """``function`` as Numba compiles it; also where others have loaded Numba with its JIT off."""
    numba = load_numba()
    off, numba.config.DISABLE_JIT = numba.config.DISABLE_JIT, 0
    try:
        return numba.njit(**options)(function)
    finally:
        numba.config.DISABLE_JIT = off


@cache
def load_whole_numba() -> None:
    """All of Numba, which is needed to compile; code that stands alone is linked without."""
    load_numba()
    with _hidden("scipy", "coverage"):
        import numba.np.arraymath  # noqa: F401


@cache
def numba_version() -> str:
    """The version of Numba, which is loaded only if its files do not say."""
    if "numba" not in sys.modules:
        spec = find_spec("numba")
        for folder in (spec and spec.submodule_search_locations) or ():
            try:
                stated = VERSION.search((Path(folder) / "_version.py").read_text("utf-8"))
            except (OSError, ValueError):
                stated = None
            if stated is not None:
                return stated[1]
    return str(load_numba().__version__)


def usual_settings() -> bool:
    """Whether nothing is set that makes Numba compile otherwise, such as checks of bounds."""
    if any(name.startswith("NUMBA_") and name not in HARMLESS for name in os.environ):
        return False
    return not checks_bounds() if "numba" in sys.modules else not os.path.exists(SETTINGS_FILE)


def checks_bounds() -> bool:
    """Whether compiled code looks at each index of an array, which has to be loaded to be known."""
    return bool(getattr(load_numba().config, "BOUNDSCHECK", False))
