"""Making Numba find out types sooner. What it finds is what it would find anyway.

All of it builds on private names; where they are missing, compiling takes longer, and that is all.
"""

import warnings
from collections.abc import Callable
from functools import lru_cache
from types import BuiltinFunctionType
from typing import Any

from zermelo.kernel.lowering import is_known_numba

OPERATORS = ("_operator", "builtins")


def short_cuts() -> tuple[Callable[[], None], ...]:
    """What to put in place once Numba is loaded."""
    always = (_know_operators, _remember_fields, _refresh_once, _remember_signatures,
              _remember_sizes, _catch_warnings_at_once)
    other_code = (_remember_operators, _read_truth_values)
    return (*always, *other_code) if is_known_numba() else always


def _remember_operators() -> None:
    """Let Numba type ``a + b`` once for each pair of types; it tries all its templates each time.

    A function type that gets more templates is a new object: what is remembered stays true. ``min``
    and ``max`` of numbers, which Numba writes in Python and compiles for each set of types, are
    what they consist of.
    """
    from numba.core import types

    kind: Any = types.Function
    resolve: Callable[..., Any] = kind.get_call_type
    known: dict[tuple[int, int, Any], tuple[Any, Any, Any]] = {}
    extremes = _extremes()

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        home = getattr(self.typing_key, "__module__", None)
        if kws or home not in OPERATORS:
            return resolve(self, context, args, kws)
        key = (id(self), id(context), args)
        if key not in known:
            found = None
            if self.typing_key in (min, max):
                found = extremes(self, context, args)
            known[key] = (self, context, found or resolve(self, context, args, kws))
        return known[key][2]

    kind.get_call_type = get_call_type


def _extremes() -> Callable[..., Any]:
    """What types ``min`` and ``max`` of numbers; None for anything else."""
    import operator

    from numba.core import types
    from numba.core.imputils import lower_builtin
    from numba.core.typing.templates import signature
    from numba.cpython.builtins import do_minmax

    def lowered(function: Any, better: Any) -> Any:
        def extreme(*numbers: Any) -> Any:
            return function(*numbers)

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return do_minmax(context, builder, sig.args, args, better)

        lower_builtin(extreme, types.VarArg(types.Any))(lower)
        return extreme

    keys = {max: lowered(max, operator.gt), min: lowered(min, operator.lt)}

    def extremes(function: Any, context: Any, args: Any) -> Any:
        plain = tuple(types.unliteral(one) for one in args)
        if len(plain) < 2 or not all(type(one) in (types.Integer, types.Float) for one in plain):
            return None
        result = context.unify_types(*plain)
        if result is None:
            return None
        function._impl_keys[plain] = keys[function.typing_key]
        return signature(result, *plain)

    return extremes


def _know_operators() -> None:
    """Let Numba see that an operator is a function before it tries to read it as an array."""
    from numba.core.typing.context import BaseContext

    kind: Any = BaseContext
    resolve: Callable[..., Any] = kind.resolve_value_type

    def resolve_value_type(self: Any, val: Any) -> Any:
        if type(val) is BuiltinFunctionType and val.__module__ in OPERATORS:
            found = self._get_global_type(val)
            if found is not None:
                return found
        return resolve(self, val)

    kind.resolve_value_type = resolve_value_type


def _remember_fields() -> None:
    """Let Numba find the type of a field of a record or a named tuple once; it does not change."""
    from numba.core import types
    from numba.core.typing.context import BaseContext

    kind: Any = BaseContext
    with_fields: Any = (types.Record, types.BaseNamedTuple)
    resolve: Callable[..., Any] = kind.resolve_getattr
    known: dict[tuple[Any, str], Any] = {}

    def resolve_getattr(self: Any, typ: Any, attr: str) -> Any:
        if not isinstance(typ, with_fields) or attr not in typ.fields:
            return resolve(self, typ, attr)
        found = known.get((typ, attr))
        if found is None:
            found = known[typ, attr] = resolve(self, typ, attr)
        return found

    kind.resolve_getattr = resolve_getattr


def _remember_signatures() -> None:
    """Let Numba ask once whether what lowers a function wants to know the line."""
    from numba.core import base

    module: Any = base
    module._has_loc = lru_cache(maxsize=10_000)(module._has_loc)


def _remember_sizes() -> None:
    """Let LLVM be asked once how large a type is: each question is a module to be read."""
    from llvmlite.ir import types

    kind: Any = types.Type
    for name in ("get_abi_size", "get_abi_alignment", "get_element_offset"):
        setattr(kind, name, _remembered(getattr(kind, name), types.IdentifiedStructType))


def _remembered(usual: Callable[..., Any], changing: type) -> Callable[..., Any]:
    known: dict[tuple[Any, ...], tuple[Any, Any]] = {}

    def size(self: Any, target_data: Any, *more: Any, **options: Any) -> Any:
        if options or isinstance(self, changing) or not all(type(one) is int for one in more):
            return usual(self, target_data, *more, **options)
        key = (id(target_data), self, *more)
        if key not in known:
            known[key] = (target_data, usual(self, target_data, *more))
        return known[key][1]

    return size


def _catch_warnings_at_once() -> None:
    """Let Numba listen to warnings once for a function, not anew for each of its expressions."""
    from numba.core import errors, typeinfer, utils

    kind: Any = typeinfer.ConstraintNetwork
    helpers: Any = utils
    chain = helpers.chain_exception
    if "propagate" not in vars(kind):
        return

    def propagate(self: Any, typeinfer: Any) -> list[Any]:
        found: list[Any] = []
        fixer = typeinfer.warnings
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", fixer._category)
            for constraint in self.constraints:
                try:
                    constraint(typeinfer)
                except errors.ForceLiteralArg as error:
                    found.append(error)
                except errors.TypingError as error:
                    told = errors.TypingError(str(error), loc=constraint.loc, highlighting=False)
                    found.append(chain(told, error))
                if caught:
                    _pass_on(fixer, caught, constraint.loc)
        return found

    kind.propagate = propagate


def _pass_on(fixer: Any, caught: list[Any], place: Any) -> None:
    """Keep Numba's warnings, with the place they are about, and give others again."""
    for one in caught:
        text = str(one.message)
        if issubclass(one.category, fixer._category):
            fixer._warnings[place.filename or one.filename, place.line or one.lineno,
                            one.category].add(text)
        else:
            warnings.warn_explicit(text, one.category, one.filename, one.lineno)
    caught.clear()


def _refresh_once() -> None:
    """Let Numba look for new functions in its registries only if there are any.

    It does so whenever it fails to find one, twice for each array that is read.
    """
    from numba.core import base
    from numba.core.typing import context as typing_context

    for kind in (base.BaseContext, typing_context.BaseContext):
        _refresh_with_news(kind)


def _refresh_with_news(kind: Any) -> None:
    refresh: Callable[..., Any] = kind.refresh
    seen: dict[int, tuple[Any, list[Any], list[int]]] = {}  # the lists, and how long they were

    def lists_of(context: Any) -> list[Any]:
        found = []
        for one in (context, getattr(context, "typing_context", None)):
            registries = getattr(one, "_registries", {})
            found += [registries, *(value for registry in registries
                                    for value in vars(registry).values()
                                    if isinstance(value, list))]
        return found

    def refresh_with_news(self: Any) -> None:
        known = seen.get(id(self))
        if known is None or known[2] != [len(one) for one in known[1]]:
            refresh(self)
            lists = lists_of(self)
            seen[id(self)] = (self, lists, [len(one) for one in lists])

    kind.refresh = refresh_with_news


def _read_truth_values() -> None:
    """Let Numba read a truth value by a comparison, not by a branch and a place in memory."""
    from numba.core.datamodel.models import BooleanModel

    kind: Any = BooleanModel
    if "from_data" not in vars(kind):
        return

    def from_data(self: Any, builder: Any, value: Any) -> Any:
        return builder.icmp_unsigned("!=", value, value.type(0))

    kind.from_data = from_data
