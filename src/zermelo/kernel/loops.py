"""Loops over ranges in LLVM's code, by the shortest way.

Numba asks whether the step is 0, and writes each number with the word whether there is one into
memory and back. The loop is the same here: how many numbers are left is counted.
"""

from __future__ import annotations

from typing import Any


def constant_step(ir: Any, function_ir: Any, variable: Any) -> int:
    """The step of a range that is known to be positive; 0 if it is not known."""
    try:
        call = function_ir.get_definition(variable)
        callee = function_ir.get_definition(call.func)
        step: Any = 1
        if len(call.args) == 3:
            step = function_ir.get_definition(call.args[2]).value
    except (KeyError, AttributeError):
        return 0
    is_range = isinstance(callee, ir.Global) and callee.value is range
    plain = is_range and 0 < len(call.args) < 4 and not call.kws and not call.vararg
    return step if plain and type(step) is int and step > 0 else 0


def begin_range(context: Any, builder: Any, kind: Any, state: Any, step: int) -> Any:
    """The iterator of a range, of the type ``kind``."""
    from numba.core import cgutils

    start, stop = builder.extract_value(state, 0), builder.extract_value(state, 1)
    zero, by = start.type(0), start.type(step)
    length = builder.sub(stop, start)
    positive, count = builder.icmp_signed(">", length, zero), length
    if step > 1:
        uneven = builder.icmp_signed(">", builder.srem(length, by), zero)
        count = builder.add(builder.sdiv(length, by), builder.zext(uneven, start.type))
    return _made(context, builder, kind, {
        "iter": cgutils.alloca_once_value(builder, start), "stop": stop, "step": by,
        "count": cgutils.alloca_once_value(builder, builder.select(positive, count, zero))})


def next_in_range(context: Any, builder: Any, kind: Any, iterator: Any, pair: Any) -> Any:
    """The next number and whether there is one, of the type ``pair``."""
    place, step, left_at = _parts(context, builder, kind, iterator, "iter", "step", "count")
    left, value = builder.load(left_at), builder.load(place)
    going = builder.icmp_signed(">", left, left.type(0))
    with builder.if_then(going):
        builder.store(builder.sub(left, left.type(1), flags=["nsw"]), left_at)
        builder.store(builder.add(value, step), place)
    return _made(context, builder, pair, {"first": value, "second": going})


def _made(context: Any, builder: Any, kind: Any, fields: dict[str, Any]) -> Any:
    model = context.data_model_manager[kind]
    made = model.get_value_type()(None)
    for name, value in fields.items():
        made = builder.insert_value(made, value, model.get_field_position(name))
    return made


def _parts(context: Any, builder: Any, kind: Any, value: Any, *names: str) -> list[Any]:
    model = context.data_model_manager[kind]
    return [builder.extract_value(value, model.get_field_position(name)) for name in names]
