"""What a tuning varies: an option of a search and its values, from words such as ``E=1..20``.

    E=1..20               whole numbers; every fifth of them: E=0..20:5
    epsilon=0..1:0.25     real numbers in steps; without a step, ten of them
    theta=0.0001..0.1:x10 each ten times the one before
    E=1,2,5,10            these values, in this order
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from decimal import Decimal, InvalidOperation
from typing import Any

from zermelo.errors import BadOption, listed, quoted
from zermelo.jobs.job import with_options
from zermelo.search.base import Search

PARTS = 10
MOST_VALUES = 10_000

Point = tuple[Any, ...]


@dataclass(frozen=True)
class Axis:
    """An option with its values in order. ``real``: any number from the first to the last will do,
    for a strategy that needs no steps."""

    name: str
    values: tuple[Any, ...]
    real: bool = False

    @property
    def is_numeric(self) -> bool:
        """Whether a step along the values is a larger or a smaller number."""
        return all(isinstance(value, int | float) and not isinstance(value, bool)
                   for value in self.values)

    def nearest(self, value: Any) -> int:
        """Where ``value`` is among the values, or the closest; 0 where nothing is close."""
        if value in self.values:
            return self.values.index(value)
        if value is None or not self.is_numeric:
            return 0
        return min(range(len(self.values)), key=lambda i: abs(self.values[i] - value))


def axes_of(search: Search, words: Sequence[str]) -> list[Axis]:
    """The axes that ``words`` name, each once."""
    if not words:
        raise BadOption(f"a tuning needs at least one option to vary, such as --vary NAME=1..20; "
                        f"{search.id} has: {listed(item.name for item in fields(search))}.")
    found: dict[str, Axis] = {}
    for word in words:
        axis = axis_of(search, word)
        if axis.name in found:
            raise BadOption(f"--vary {quoted(word)} gives {quoted(axis.name)} a second time.")
        found[axis.name] = axis
    return list(found.values())


def axis_of(search: Search, word: str) -> Axis:
    """One option of ``search`` with its values."""
    name, sign, text = (part.strip() for part in word.partition("="))
    if not sign or not name or not text:
        raise BadOption(f"--vary {quoted(word)} is not of the form NAME=LOW..HIGH, "
                        "NAME=LOW..HIGH:STEP, NAME=LOW..HIGH:xFACTOR or NAME=VALUE,VALUE,...")
    real = False
    if ".." in text:
        texts, stepped = _range(word, text, _is_whole(search, name))
        real = not stepped
    else:
        texts = [part.strip() for part in text.split(",")]
    values = tuple(_valid(search, name, one) for one in texts)
    if len(values) < 2 or len(set(values)) < len(values):
        raise BadOption(f"--vary {quoted(word)} needs two or more values, all different.")
    return Axis(name, values, real)


def _valid(search: Search, name: str, text: str) -> Any:
    """The value as the search takes it, by itself: it may not fit the other options as they are.

    The search says what is not valid.
    """
    for item in fields(search):
        if item.name == name:
            return search._checked(item, text)
    return with_options(search, {name: text})


def _is_whole(search: Search, name: str) -> bool:
    return any(item.name == name and type(item.default) is int for item in fields(search))


def _range(word: str, text: str, whole: bool) -> tuple[list[str], bool]:
    """The numbers of ``LOW..HIGH:STEP`` as texts, and whether there is a step."""
    ends, _, step = (part.strip() for part in text.partition(":"))
    low, _, high = ends.partition("..")
    factor = step[:1] in ("x", "X")
    first, last = _number(word, low), _number(word, high)
    by = _number(word, step[factor:]) if step else Decimal(1) if whole else (last - first) / PARTS
    if not first < last or by <= factor or (factor and first <= 0):
        raise BadOption(f"--vary {quoted(word)} is not a range: LOW is below HIGH, a step above 0; "
                        "where steps are factors, LOW is above 0 and the factor above 1.")
    numbers = [first]
    while len(numbers) <= MOST_VALUES:
        number = numbers[-1] * by if factor else numbers[-1] + by
        if number > last:
            return [str(one) for one in numbers], bool(step) or whole
        numbers.append(number)
    raise BadOption(f"--vary {quoted(word)} makes more than {MOST_VALUES:,} values; take larger "
                    "steps.")


def _number(word: str, text: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite():
        raise BadOption(f"--vary {quoted(word)}: {quoted(text)} is not a number.")
    return number


def named(axes: Sequence[Axis], point: Point) -> dict[str, Any]:
    """The values of ``point`` by option."""
    return {axis.name: value for axis, value in zip(axes, point, strict=True)}


def text_of(options: dict[str, Any]) -> str:
    """``E=3 D=2``."""
    return " ".join(f"{name}={_short(value)}" for name, value in options.items())


def _short(value: Any) -> str:
    """A value as it can be typed again: all digits of a float that has many."""
    if isinstance(value, float) and float(f"{value:g}") == value:
        return f"{value:g}"
    return "none" if value is None else str(value)
