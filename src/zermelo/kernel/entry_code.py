"""How compiled code is entered: words in, words out, without the help of Python or Numba.

Numba's way into a kernel asks Python for each argument, through functions of Numba's own. Ours
reads the words that ``arguments`` writes: the address of an array's object, or a number. So a
kernel can be linked and called by ``machine_code`` alone, and is compiled sooner.

A kernel stands alone if it calls nothing of Python's and Numba's, and takes and returns numbers,
arrays and tuples of them. Others are entered in Numba's way. An exception is told by the address of
what Numba has laid down for it.
"""

from __future__ import annotations

import uuid
from typing import Any

from zermelo.kernel.arguments import DATA, SHAPE, STRIDES
from zermelo.kernel.machine_code import MachineCode

OF_THE_SYSTEM = ("llvm.", "sqrt", "memset", "memcpy", "memmove")


class Refused(Exception):
    """An argument or a result is of another type."""


class EntryCode:
    """The function through which one kernel is entered."""

    def __init__(self, context: Any, library: Any, description: Any) -> None:
        from llvmlite import ir
        from numba.core import cgutils, types

        self.context, self.library, self.description = context, library, description
        self.types: Any = types
        self.cgutils: Any = cgutils
        self.ir: Any = ir
        self.word = ir.IntType(64)
        self.symbol = f"kernel_{uuid.uuid4().hex}"
        self.read = 0
        result = description.restype
        self.many = isinstance(result, types.BaseTuple)
        parts = list(result) if self.many else [] if result == types.none else [result]
        if self.many and (isinstance(result, types.BaseNamedTuple) or not parts):
            raise Refused(result)
        self.returns = "".join(self.letter_of(part) for part in parts)
        for kind in description.argtypes:
            self.check(kind)

    def letter_of(self, kind: Any) -> str:
        """How a number that is returned is written."""
        if isinstance(kind, self.types.Boolean):
            return "?"
        if isinstance(kind, self.types.Integer) and kind.bitwidth <= 64:
            return "q" if kind.signed else "Q"
        if kind in (self.types.float32, self.types.float64):
            return "d"
        raise Refused(kind)

    def check(self, kind: Any) -> None:
        """Whether ``arguments`` may have written such an argument."""
        if isinstance(kind, self.types.BaseTuple):
            for part in kind:
                self.check(part)
        elif not (type(kind) is self.types.Array and kind.ndim > 0):
            self.letter_of(kind)

    def build(self) -> None:
        """Add the function to the library."""
        context, ir, about = self.context, self.ir, self.description
        module = self.library.create_ir_module("entry")
        callee = ir.Function(
            module, context.call_conv.get_function_type(about.restype, about.argtypes),
            about.llvm_func_name)
        words = self.word.as_pointer()
        entry = ir.Function(module, ir.FunctionType(ir.IntType(32), [words, words]), self.symbol)
        builder = ir.IRBuilder(entry.append_basic_block("entry"))
        arguments = [self.argument(builder, entry.args[0], kind) for kind in about.argtypes]
        status, value = context.call_conv.call_function(
            builder, callee, about.restype, about.argtypes, arguments)
        with builder.if_then(status.is_error, likely=False):
            place = self.at(builder, entry.args[1], len(self.returns))
            builder.store(builder.ptrtoint(status.excinfoptr, self.word), place)
        for i, letter in enumerate(self.returns):
            part = builder.extract_value(value, i) if self.many else value
            kind = list(about.restype)[i] if self.many else about.restype
            place = self.at(builder, entry.args[1], i)
            builder.store(self.as_word(builder, part, kind, letter), place)
        builder.ret(status.code)
        self.library.add_ir_module(module)

    def at(self, builder: Any, words: Any, index: int) -> Any:
        """The address of a word."""
        return builder.gep(words, [self.word(index)])

    def as_word(self, builder: Any, value: Any, kind: Any, letter: str) -> Any:
        """A number that is returned, in 64 bits."""
        wide = {"d": self.types.float64, "Q": self.types.uint64}.get(letter, self.types.int64)
        return builder.bitcast(self.context.cast(builder, value, kind, wide), self.word)

    def argument(self, builder: Any, words: Any, kind: Any) -> Any:
        """An argument, from the next word or words."""
        if isinstance(kind, self.types.BaseTuple):
            parts = [self.argument(builder, words, part) for part in kind]
            return self.context.make_tuple(builder, kind, parts)
        word = builder.load(self.at(builder, words, self.read))
        self.read += 1
        if isinstance(kind, self.types.Array):
            return self.array(builder, word, kind)
        if isinstance(kind, self.types.Float):
            double = builder.bitcast(word, self.ir.DoubleType())
            return self.context.cast(builder, double, self.types.float64, kind)
        return self.context.cast(builder, word, self.types.int64, kind)

    def array(self, builder: Any, word: Any, kind: Any) -> Any:
        """An array, from the address of its object."""
        made = self.context.make_array(kind)(self.context, builder)
        pointer = self.word.as_pointer()

        def held(offset: int) -> Any:
            place = builder.inttoptr(builder.add(word, self.word(offset)), pointer)
            return builder.load(place)

        shape, strides = (
            [builder.load(self.at(builder, builder.inttoptr(held(offset), pointer), i))
             for i in range(kind.ndim)] for offset in (SHAPE, STRIDES))
        items = shape[0]
        for length in shape[1:]:
            items = builder.mul(items, length)
        size = self.context.get_abi_sizeof(self.context.get_data_type(kind.dtype))
        made.nitems, made.itemsize = items, self.word(size)
        made.data = builder.inttoptr(held(DATA), made.data.type)
        made.shape = self.cgutils.pack_array(builder, shape)
        made.strides = self.cgutils.pack_array(builder, strides)
        return made._getvalue()

    def close(self, module: Any) -> None:
        """Before optimising: nothing but this function is called from outside."""
        for function in module.functions:
            if not function.is_declaration and function.name != self.symbol:
                function.linkage = "internal"

    def finished(self, module: Any, machine: Any) -> MachineCode | None:
        """The code, after optimising, if it stands alone."""
        if (any(one.is_declaration and not one.name.startswith(OF_THE_SYSTEM)
                for one in module.functions)
                or any(one.is_declaration for one in module.global_variables)):
            return None
        return MachineCode(self.symbol, self.returns, self.many, str(self.description.restype),
                           machine.emit_object(module))
