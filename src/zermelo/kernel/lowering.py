"""Lowering: from Numba's code of a function to LLVM's, with less of it.

Numba keeps a variable that several blocks use in memory, reads it before each assignment and clears
it at the end, in order to count references, and looks after each call whether something was
raised. Kernels count none, and hardly an inner function can raise. LLVM would find all of that out
and remove it, after it has been written as text, read, and copied to wherever a function is
inlined. Where references are counted, all is as in Numba.

What a Numba means by its code may change with any version. So this is for those that it was written
for and tried with; others lower kernels themselves, which takes longer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from zermelo.kernel import items, loops

WRITTEN_FOR = ("0.68.",)  # how the versions of Numba begin
RETURNED = (0, -2)  # a value, or None
PARTS = ("getattr", "getitem", "static_getitem", "cast", "phi")  # arrays that were there before

_quiet: set[str] = set()  # the functions that can't raise, by their names in LLVM


class Lean(NamedTuple):
    """What stands in for parts of Numba."""

    lower: Any  # from which kernels that stand alone derive theirs
    passes: dict[Any, Any]  # Numba's, each with the one to run in its place


def is_known_numba() -> bool:
    """Whether this is a Numba whose code is known well enough to be lowered here."""
    import numba

    return str(numba.__version__).startswith(WRITTEN_FOR)


def lean_or_usual() -> Lean:
    """The classes; Numba's own where it is another version, or has no such hooks."""
    from numba.core.lowering import Lower

    try:
        return lean() if is_known_numba() else Lean(Lower, {})
    except (ImportError, AttributeError):
        return Lean(Lower, {})


def lean() -> Lean:
    """The classes; an ImportError or AttributeError says that Numba has no such hooks."""
    from numba.core import ir, types
    from numba.core.compiler_machinery import register_pass
    from numba.core.errors import LoweringError
    from numba.core.lowering import Lower
    from numba.core.postproc import PostProcessor
    from numba.core.rewrites.registry import rewrite_registry
    from numba.core.typed_passes import IRLegalization, NativeLowering, NopythonRewrites
    from numba.core.unsafe import eh

    errors: Any = __import__("numba.core.errors", fromlist=["new_error_context"])
    new_error_context = errors.new_error_context
    usual: Any = Lower
    _call_quietly()

    class LeanLower(usual):  # type: ignore[misc]
        """Keeps a variable in memory only where it has several values."""

        def _find_singly_assigned_variable(self) -> None:
            self.lean = not (self.context.enable_nrt or self.flags.debuginfo
                             or self.func_ir.func_id.is_generator)
            self.direct = self.lean and not self.context.enable_boundscheck
            if not self.lean:
                super()._find_singly_assigned_variable()
                return
            self._singly_assigned_vars = constants_of(self.func_ir.blocks)
            self._blk_local_varmap: dict[str, Any] = {}
            self.tries = any(
                isinstance(one.value, ir.Global) and one.value.value is eh.exception_check
                for block in self.func_ir.blocks.values() for one in block.find_insts(ir.Assign))

        def pre_block(self, block: Any) -> None:
            if not self.lean or self.tries:
                super().pre_block(block)

        def lower_block(self, block: Any) -> None:
            self.pre_block(block)
            try:
                for step in block.body:
                    self.loc = step.loc
                    self.lower_inst(step)
            except Exception:
                with new_error_context('lowering "{inst}" at {loc}', inst=step, loc=self.loc,
                                       errcls_=partial(LoweringError, loc=self.loc)):
                    raise
            self.post_block(block)

        def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
            if not self.lean:
                super().storevar(value, name, argidx)
            elif name in self._singly_assigned_vars:
                self._blk_local_varmap[name] = value
            else:
                self.builder.store(value, self.getvar(name))

        def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any,
                          signature: Any) -> Any:
            if not self.direct or not items.is_item(*signature.args):
                return super().lower_getitem(resty, expr, value, index, signature)
            kind, place = self.place(value, index, signature)
            item = items.load(self.context, self.builder, kind, place)
            return self.context.cast(self.builder, item, signature.return_type, resty)

        def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any,
                          signature: Any) -> None:
            kind, by, given = signature.args
            if not self.direct or not items.is_item(kind, by) or isinstance(given, types.Array):
                super().lower_setitem(target_var, index_var, value_var, signature)
                return
            kind, place = self.place(target_var, index_var, signature)
            value = self._cast_var(value_var, given)
            value = self.context.cast(self.builder, value, given, kind.dtype)
            items.store(self.context, self.builder, kind, value, place)

        def lower_expr(self, resty: Any, expr: Any) -> Any:
            if self.lean and expr.op in ("pair_first", "pair_second"):
                pair = self.loadvar(expr.value.name)
                return self.builder.extract_value(pair, 0 if expr.op == "pair_first" else 1)
            if self.lean and expr.op in ("getiter", "iternext"):
                made = self.lower_loop(resty, expr)
                if made is not None:
                    return made
            return super().lower_expr(resty, expr)

        def lower_loop(self, resty: Any, expr: Any) -> Any:
            """An iterator or its next item; None if it is another kind of loop."""
            kind = self.typeof(expr.value.name)
            signature = self.fndesc.calltypes[expr]
            if (kind,) != signature.args or resty != signature.return_type:
                return None
            value, tools = self.loadvar(expr.value.name), (self.context, self.builder)
            if expr.op == "getiter" and isinstance(kind, types.RangeType):
                step = loops.constant_step(ir, self.func_ir, expr.value)
                return loops.begin_range(*tools, resty, value, step) if step else None
            if expr.op == "iternext" and isinstance(kind, types.RangeIteratorType):
                return loops.next_in_range(*tools, kind, value, resty)
            return None

        def place(self, array: Any, index: Any, signature: Any) -> tuple[Any, Any]:
            """The type of an array and where the item is."""
            kind, by = signature.args[:2]
            return kind, items.address(self.context, self.builder, kind,
                                       self._cast_var(array, kind), by, self._cast_var(index, by))

        def delvar(self, name: str) -> None:
            if not self.lean:
                super().delvar(name)

        def lower(self) -> None:
            super().lower()
            if self.lean and not self.tries and not may_raise(self.function):
                _quiet.add(self.fndesc.llvm_func_name)

    @register_pass(mutates_CFG=True, analysis_only=False)
    class LeanLowering(NativeLowering):
        """The pass that does so."""

        @property
        def lowering_class(self) -> Any:
            return LeanLower

    @register_pass(mutates_CFG=False, analysis_only=True)
    class LeanLegalization(IRLegalization):
        """The pass that would say where variables are deleted."""

        def run_pass(self, state: Any) -> bool:
            if state.flags.nrt or state.func_ir.is_generator:
                return bool(super().run_pass(state))
            PostProcessor(state.func_ir).run()
            return True

    @register_pass(mutates_CFG=True, analysis_only=False)
    class LeanRewrites(NopythonRewrites):
        """The pass that would look for calculations with whole arrays and for texts as indices."""

        def run_pass(self, state: Any) -> bool:
            ours = all(one.__module__.startswith("numba.")
                       for one in rewrite_registry.rewrites["after-inference"])
            if state.flags.nrt or not ours or deals_with_arrays(state.func_ir, state.typemap):
                return bool(super().run_pass(state))
            return True

    return Lean(LeanLower, {NativeLowering: LeanLowering, IRLegalization: LeanLegalization,
                            NopythonRewrites: LeanRewrites})


def deals_with_arrays(function_ir: Any, types_of: dict[str, Any]) -> bool:
    """Whether there is a list, a text, or an operation whose result is an array."""
    from numba.core import ir, types

    if any(isinstance(kind, types.StringLiteral) for kind in types_of.values()):
        return True
    return any(
        isinstance(step.value, ir.Expr)
        and (step.value.op == "build_list"
             or (step.value.op not in PARTS and isinstance(types_of.get(step.target.name),
                                                           types.Array)))
        for block in function_ir.blocks.values() for step in block.find_insts(ir.Assign))


def constants_of(blocks: dict[int, Any]) -> set[str]:
    """The variables that are assigned once, before all else that reads them: those blocks are
    lowered later, and no way leads there but through the assignment."""
    from numba.core import analysis, ir

    if any(type(step) in analysis.ir_extension_usedefs
           for block in blocks.values() for step in block.body):
        return set()
    home: dict[str, int] = {}
    used: dict[str, set[int]] = {}
    several: set[str] = set()
    for at, block in blocks.items():
        for step in block.body:
            target, read = "", step
            if isinstance(step, ir.Assign):
                target, read = step.target.name, step.value
            for name in names_in(read):
                if home.get(name) != at:
                    used.setdefault(name, set()).add(at)
            if target:
                if target in home:
                    several.add(target)
                home[target] = at

    above = analysis.compute_cfg_from_blocks(blocks).dominators()
    return {name for name, at in home.items() if name not in several
            and all(at < other and at in above[other] for other in used.get(name, ()))}


def names_in(read: Any) -> list[str]:
    """The variables in an instruction or in what is assigned."""
    if hasattr(read, "list_vars"):
        return [variable.name for variable in read.list_vars()]
    return [read.name] if type(read).__name__ == "Var" else []


def may_raise(function: Any) -> bool:
    """Whether a function may come back with anything but a value."""
    ends = [block.terminator for block in function.blocks]
    return any(end is None or (end.opname == "ret" and getattr(end.operands[0], "constant", None)
                               not in RETURNED) for end in ends)


def _call_quietly() -> None:
    """Let calls of functions that can't raise be nothing but calls."""
    from llvmlite import ir
    from numba.core import base, cgutils, types
    from numba.core.callconv import excinfo_ptr_t

    context_module: Any = base
    usual: Callable[..., Any] = context_module.user_function
    if hasattr(usual, "usual"):
        return

    def user_function(fndesc: Any, libs: Any) -> Any:
        with_status = usual(fndesc, libs)
        result: Any = fndesc.restype
        if fndesc.llvm_func_name not in _quiet or isinstance(result, types.Optional):
            return with_status

        def call(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            function = context.declare_function(builder.module, fndesc)
            kind = context.call_conv.get_return_type(result).pointee
            with builder.goto_entry_block():
                place = builder.alloca(kind)
                if result == types.none:
                    builder.store(cgutils.get_null_value(kind), place)
            packer = context.call_conv._get_arg_packer(fndesc.argtypes)
            nothing_raised = ir.Constant(ir.PointerType(excinfo_ptr_t), None)
            builder.call(function, [place, nothing_raised, *packer.as_arguments(builder, args)])
            return context.get_returned_value(builder, result, builder.load(place))

        call.signature, call.libs = with_status.signature, with_status.libs  # type: ignore[attr-defined]
        return call

    user_function.usual = usual  # type: ignore[attr-defined]
    context_module.user_function = user_function
