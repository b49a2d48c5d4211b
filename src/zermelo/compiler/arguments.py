"""The arguments of a kernel, described and handed over without Numba.

``take`` says of what kinds they are, and writes them as 64-bit words: a number as it is, an array
as the address of its Python object, in which the kernel finds the data, the shape and the strides
(see ``entry_code``). Arguments of equal kinds have one type in Numba's eyes. What is not known here
is refused, and then Numba itself looks at the arguments.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

CONTIGUOUS, ALIGNED, WRITEABLE = 0x3, 0x100, 0x400
FLAGS = CONTIGUOUS | ALIGNED | WRITEABLE
NUMBERS = "biuf"
WIDEST = 8
ALL = (1 << 64) - 1
LARGEST = 1 << 63
MOST_DTYPES = 1000
MOST_HELD = 32
# Where an array's object holds the addresses of its data, its shape and its strides. Every package
# that is compiled against NumPy has these numbers in its code, so they do not change.
DATA, SHAPE, STRIDES = 16, 32, 40


class Unknown(TypeError):
    """An argument that is not described here."""


@cache
def arrays_are_known() -> bool:
    """Whether arrays of this Python and this NumPy are laid out in memory as they should be."""
    if struct.calcsize("P") != WIDEST or struct.pack("=H", 1) != struct.pack("<H", 1):
        return False
    sample = np.zeros((3, 5, 7), np.int16)[:, 1:4, ::2]

    def word(address: int) -> int:
        return ctypes.c_int64.from_address(address).value

    shape, strides = word(id(sample) + SHAPE), word(id(sample) + STRIDES)
    return (word(id(sample) + DATA) == sample.ctypes.data
            and tuple(word(shape + 8 * i) for i in range(3)) == sample.shape
            and tuple(word(strides + 8 * i) for i in range(3)) == sample.strides)


def take(values: Iterable[Any], kinds: list[Any], words: list[int]) -> None:
    """Append the kinds of these values and the words that hand them over."""
    for value in values:
        kind: Any = type(value)
        if kind is np.ndarray:
            dtype = value.dtype
            known = _known.get(id(dtype))
            kinds += (known[1] if known is not None else _learn(dtype), value.ndim,
                      value.flags.num & FLAGS)
            words.append(id(value))
        elif kind is int or kind is bool:
            if not -LARGEST < value < LARGEST:
                raise Unknown(value)
            kinds.append(kind)
            words.append(value & ALL)
        elif isinstance(value, tuple):
            if id(value) in _held:
                kinds += _held[id(value)][1]
                words += _held[id(value)][2]
                continue
            if kind is not tuple and not _is_named(kind):
                raise Unknown(value)
            kinds += (kind, len(value))
            take(value, kinds, words)
        elif kind is float:
            kinds.append(kind)
            words.append(_bits(value))
        elif isinstance(value, np.generic) and value.dtype.kind in NUMBERS:
            if value.dtype.itemsize > WIDEST:
                raise Unknown(value)
            kinds.append(value.dtype.str)
            words.append(_bits(float(value)) if value.dtype.kind == "f" else int(value) & ALL)
        else:
            raise Unknown(value)


def hold(value: tuple[Any, ...]) -> None:
    """Remember the kinds and words of a tuple of arrays that will be handed over often, and keep
    it: then nothing else can have its identity."""
    if id(value) not in _held:
        kinds: list[Any] = []
        words: list[int] = []
        take([value], kinds, words)
        if len(_held) >= MOST_HELD:
            _held.clear()
        _held[id(value)] = (value, kinds, words)


def described(kinds: Iterable[Any]) -> str:
    """The kinds as a text that is the same in every process."""
    return repr([_class_text(kind) if isinstance(kind, type) else kind for kind in kinds])


def _class_text(kind: type) -> tuple[str, ...]:
    return kind.__module__, kind.__qualname__, *getattr(kind, "_fields", ())


def _bits(value: float) -> int:
    return int.from_bytes(struct.pack("<d", value), "little")


@cache
def _is_named(kind: Any) -> bool:
    """Whether this is the class of a named tuple, with nothing of its own."""
    return (kind.__bases__ == (tuple,) and isinstance(getattr(kind, "_fields", None), tuple)
            and kind.__iter__ is tuple.__iter__ and kind.__len__ is tuple.__len__)


_held: dict[int, tuple[Any, list[Any], list[int]]] = {}  # by identity
_known: dict[int, tuple[np.dtype[Any], str]] = {}  # by identity: equal ones may differ in alignment


def _learn(dtype: np.dtype[Any]) -> str:
    text = repr(_parts(dtype))
    if len(_known) >= MOST_DTYPES:
        _known.clear()
    _known[id(dtype)] = (dtype, text)
    return text


def _parts(dtype: np.dtype[Any]) -> Any:
    """All that Numba looks at in a type of items."""
    if dtype.metadata or not dtype.isnative:
        raise Unknown(dtype)
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return "items", _parts(base), shape
    if dtype.fields is None:
        if dtype.kind not in NUMBERS or dtype.itemsize > WIDEST:
            raise Unknown(dtype)
        return dtype.str
    fields = []
    for name in dtype.names or ():
        kind, offset, *title = dtype.fields[name]
        if title:
            raise Unknown(dtype)
        fields.append((name, _parts(kind), offset))
    return "record", fields, dtype.itemsize, dtype.isalignedstruct
