"""Tuples of arrays that inner functions are handed by address.

Numba hands a tuple over word by word: the stack of a search is 150 words in each call, and as many
lines in the code of each function, to be written, read and optimised. One address is one word.
Functions are inlined, so that the optimiser sees through it: a search is as fast as before, and is
compiled in less time.
"""

from __future__ import annotations

from typing import Any

from zermelo.kernel.bits import native


def _held_type() -> Any:
    """The type of a tuple that is known by its address, and how its fields are read; made once."""
    from llvmlite import ir
    from numba.core import types
    from numba.core.datamodel import models
    from numba.core.extending import lower_getattr_generic, register_model
    from numba.core.typing.templates import AttributeTemplate
    from numba.extending import infer_getattr

    template: Any = AttributeTemplate
    lower: Any = lower_getattr_generic

    class Held(types.Type):
        def __init__(self, held: Any) -> None:
            self.held = held
            super().__init__(name=f"Held({held})")

    @register_model(Held)
    class HeldModel(models.PrimitiveModel):
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, ir.IntType(8).as_pointer())

    @infer_getattr
    class HeldFields(template):  # type: ignore[misc]
        key = Held

        def generic_resolve(self, kind: Any, name: str) -> Any:
            fields = kind.held.fields
            return kind.held.types[fields.index(name)] if name in fields else None

    def read(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
        index = kind.held.fields.index(name)
        fields = context.data_model_manager[kind.held].get_value_type()
        offset = fields.get_element_offset(context.target_data, index)
        place = builder.gep(value, [context.get_constant(types.intp, offset)])
        return builder.load(builder.bitcast(place, fields.elements[index].as_pointer()))

    lower(Held)(read)
    return Held


def _native_held() -> Any:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    kind = _held_type()

    @intrinsic
    def held(typingctx, value):
        if not isinstance(value, types.BaseNamedTuple):
            return None

        def generate(context, builder, signature, arguments):
            place = cgutils.alloca_once(builder, arguments[0].type)
            builder.store(arguments[0], place)
            return builder.bitcast(place, ir.IntType(8).as_pointer())

        return kind(value)(value), generate

    return held


@native(_native_held)
def held(value: Any) -> Any:
    """A named tuple, by its address, for as long as the kernel that calls this runs."""
    return value
