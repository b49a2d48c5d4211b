"""A digest of a game's rules: of their functions and all that these use, and of their data."""

from __future__ import annotations

import dataclasses
import hashlib
import types
from typing import Any

import numpy as np

from zermelo.compiler.fingerprint import Unhashable, fingerprint
from zermelo.core.rules import Rules
from zermelo.core.winning_lines import Lines
from zermelo.errors import BadOption

DIGITS = 32
# What saves time and changes nothing else, and what no search asks that can be saved.
BESIDE = ("ahead", "captures", "in_check")


def rules_digest(name: str, rules: Rules) -> str:
    """The digest of the rules of the game ``name``; BadOption where they have none."""
    digest = hashlib.sha256()
    try:
        _add(digest, rules)
    except Unhashable:
        raise BadOption(f"{name}: its rules use something that can't be told apart from one run to "
                        "the next, so a checkpoint could not say whether they are the same.") \
            from None
    return digest.hexdigest()[:DIGITS]


def _add(digest: Any, value: Any) -> None:
    if isinstance(value, types.FunctionType):
        digest.update(fingerprint(value).encode())
    elif isinstance(value, np.ndarray):
        digest.update(f"array {value.dtype} {value.shape}".encode())
        digest.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, tuple | list):
        digest.update(f"{len(value)} items".encode())
        for item in value:
            _add(digest, item)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            if isinstance(value, Lines) and field.name == "read":  # it is never compiled
                continue
            if field.name in BESIDE:
                continue
            digest.update(f" {field.name} ".encode())
            _add(digest, getattr(value, field.name))
    elif value is None or isinstance(value, bool | int | float | str | np.generic):
        digest.update(f"{type(value).__name__} {value!r}".encode())
    else:
        raise Unhashable(type(value).__name__)
