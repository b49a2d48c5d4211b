"""Sizes: numbers that differ between a run of minutes and the published experiment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Size:
    """A number with two values: ``default`` for a run of minutes, ``full`` as published."""

    default: Any
    full: Any


def sized(value: Any, full: bool) -> Any:
    """``value`` at this size."""
    if isinstance(value, Size):
        return value.full if full else value.default
    return value
