"""Items of arrays in LLVM's code: an address by the shortest way.

Numba writes an array into memory and reads its parts from there, 28 lines of code for an item of
which two or three are left in the end. The address computed here is the same.
"""

from __future__ import annotations

from typing import Any


def is_item(kind: Any, by: Any) -> bool:
    """Whether an index of type ``by`` leads to a single item of an array of this type."""
    from numba.core import types

    if type(kind) is not types.Array or kind.layout != "C":
        return False
    indices = tuple(by) if _is_tuple(by) else (by,)
    return len(indices) == kind.ndim > 0 and all(isinstance(i, types.Integer) for i in indices)


def address(context: Any, builder: Any, kind: Any, array: Any, by: Any, index: Any) -> Any:
    """Where the item is."""
    from numba.core import types

    model = context.data_model_manager[kind]
    shape_at = model.get_field_position("shape")
    several = _is_tuple(by)
    kinds = tuple(by) if several else (by,)
    place = None
    for axis, one in enumerate(kinds):
        given = builder.extract_value(index, axis) if several else index
        length = builder.extract_value(array, [shape_at, axis])
        at = context.cast(builder, given, one, types.intp if one.signed else types.uintp)
        if one.signed and not _is_positive(at):
            negative = builder.icmp_signed("<", at, at.type(0))
            at = builder.select(negative, builder.add(at, length), at)
        place = at if place is None else builder.add(builder.mul(place, length), at)
    return builder.gep(builder.extract_value(array, model.get_field_position("data")), [place])


def _is_tuple(by: Any) -> bool:
    from numba.core import types

    return isinstance(by, types.BaseTuple)


def _is_positive(value: Any) -> bool:
    number = getattr(value, "constant", None)
    return isinstance(number, int) and number >= 0


def load(context: Any, builder: Any, kind: Any, pointer: Any) -> Any:
    """The item at an address."""
    return context.unpack_value(builder, kind.dtype, pointer, align=None if kind.aligned else 1)


def store(context: Any, builder: Any, kind: Any, value: Any, pointer: Any) -> None:
    """Put an item to an address."""
    context.pack_value(builder, kind.dtype, value, pointer, align=None if kind.aligned else 1)
