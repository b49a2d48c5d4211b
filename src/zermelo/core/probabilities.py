"""How likely moves of a category are played: data files, made from games that were played.

A file is one JSON object: the ``game``, its ``provenance``, and ``categories``, each with
its ``name``, in how many positions a move of it was ``played``, in how many one was ``available``,
and the ``probability`` that follows. Files for built-in games lie in ``games/data``; without one a
game gives no probabilities, which makes all its categories alike.
"""

from __future__ import annotations

import json
import stat
from functools import lru_cache
from pathlib import Path
from typing import Any

from zermelo.errors import BadOption, file_name, listed, one_line, quoted

LARGEST = 1 << 20  # bytes
DIRECTORY = Path(__file__).parents[1] / "games" / "data"


def built_in(game: str, names: tuple[str, ...]) -> tuple[float, ...]:
    """The probabilities that come with a game, in the order of its category names; or ()."""
    path = DIRECTORY / f"{game}-probabilities.json"
    return read(path, names) if path.is_file() else ()


def read(path: str | Path, names: tuple[str, ...]) -> tuple[float, ...]:
    """The probabilities in an ordinary file, in the order of ``names``: these and no others."""
    try:
        state = Path(path).stat()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not there"
        raise BadOption(f"{file_name(path)} can't be read: {reason}.") from None
    if not stat.S_ISREG(state.st_mode) or state.st_size > LARGEST:
        raise BadOption(f"{file_name(path)} can't be read: it is not an ordinary file of at most "
                        f"{LARGEST >> 20} MB.")
    return _read(str(path), (state.st_mtime_ns, state.st_size), names)


@lru_cache(16)  # each move of a match asks again
def _read(path: str, state: tuple[int, int], names: tuple[str, ...]) -> tuple[float, ...]:
    """The file in this ``state``."""
    where = file_name(path)
    try:
        content: Any = json.loads(Path(path).read_text(encoding="utf-8"))
        found = {row["name"]: row["probability"] for row in content["categories"]}
    except OSError as error:
        raise BadOption(f"{where} can't be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError) as error:
        raise BadOption(f"{where} holds no probabilities, that is one JSON object with categories, "
                        f"each with name and probability: {one_line(error)}.") from None
    for name, chance in found.items():
        if type(chance) not in (int, float) or not 0 <= chance <= 1:
            raise BadOption(f"{where}: the probability of {quoted(name)} is {quoted(chance)}; it "
                            "must be a number from 0 to 1.")
    if set(found) != set(names):
        odd = sorted(set(found) ^ set(names), key=str)
        raise BadOption(f"{where} does not have the game's {len(names)} categories: {listed(odd)} "
                        f"{'is' if len(odd) == 1 else 'are'} in one of the two only.")
    return tuple(float(found[name]) for name in names)
