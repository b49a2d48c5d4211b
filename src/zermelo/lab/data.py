"""What the lab finds on this machine: experiments, position files, the store, the packages of its
extra."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from zermelo.errors import BadOption, file_name

AUTHORS = "github.com/90sradiosong/ProbabilityPNS (Primanita, Khalid and Iida 2020)"
PAPERS = "zermelo_papers"  # the package of the experiments, in the same wheel
PACKAGES = ("pandas", "scipy", "matplotlib", "pyarrow", "optuna")  # of the extra "lab"
# Where the authors of a file publish it.
SOURCES = {
    "connect-four/openings.txt": AUTHORS,
    "othello/random_openings22.txt": AUTHORS,
    "othello/random_openings26.txt": AUTHORS,
    "othello/random_openings26n.txt": AUTHORS,
    "othello/random_openings36.txt": AUTHORS,
    "othello/random_openings40.txt": AUTHORS,
    "othello/fforum-1-19.obf": "github.com/abulmo/edax-reversi",
}


def user_directory() -> Path:
    """The user's data directory of Zermelo."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "zermelo"


def papers() -> Path | None:
    """The folder of the package of experiments; None where it is not installed."""
    found = find_spec(PAPERS)
    return None if found is None or found.origin is None else Path(found.origin).parent


def data_file(name: str) -> Path:
    """The data file called ``name``; one sentence where to get it if it is missing.

    The sets of the package of experiments are found first, then those in the directory
    ``ZERMELO_DATA`` and in the user's own.
    """
    chosen, own = os.environ.get("ZERMELO_DATA"), papers()
    folders = [*([Path(chosen)] if chosen else []), user_directory() / "data"]
    for folder in [*([own / "sets"] if own else []), *folders]:
        if (folder / name).is_file():
            return folder / name
    where = SOURCES.get(name)
    published = f"its authors publish it at {where}; " if where else ""
    looked = " and ".join(file_name(folder) for folder in folders)
    raise BadOption(f"the data file {name} is missing (looked in {looked}): {published}put it "
                    "there, or name its directory in ZERMELO_DATA.")


def store_path(given: str | None = None) -> Path:
    """The file of results: as given, ZERMELO_LAB, or in the user's data directory."""
    return Path(given or os.environ.get("ZERMELO_LAB") or user_directory() / "lab.sqlite")


def check_packages() -> None:
    """Refuse where the packages of the extra ``lab`` are not installed."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise BadOption(f"the lab needs {', '.join(missing)}: pip install 'zermelo[lab]'.")
