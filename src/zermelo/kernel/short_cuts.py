"""Parts of Numba that are exchanged for quicker ones which do the same, once it is loaded.

Much of the time of compiling goes into what has been done before, or is never looked at. What there
is about types stands in ``typing_speed``. All of it builds on private names; where they are
missing, compiling takes longer, and that is all.
"""

import dis
import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from types import CodeType
from typing import Any

from zermelo.kernel import typing_speed

LONG_NAME = 60
MISSING = (ImportError, AttributeError)


class Here:
    """Stands for this process: what is unpickled elsewhere is another object."""


@cache
def take_short_cuts() -> None:
    """What stays in place once Numba is loaded; each does what Numba's own code does, sooner."""
    for shorten in (_hash_options, _remember_hashes, _list_variables, _put_off_lifetimes,
                    _look_for_what_is_there,
                    _shorten_names, *typing_speed.short_cuts()):
        with suppress(*MISSING):
            shorten()


def _hash_options() -> None:
    """Let Numba hash and compare its compile options by what was set.

    Each look for a typed operation hashes them. Numba lists all options for that, in order to hash
    nothing but their names, which are those of the class.
    """
    from numba.core.targetconfig import TargetConfig

    kind: Any = TargetConfig
    compare = kind.__eq__
    if "values" not in vars(kind) or "__hash__" not in vars(kind):
        return

    def hashed(self: Any) -> int:
        return hash(type(self))

    def equal(self: Any, other: object) -> Any:
        mine, theirs = getattr(self, "_values", None), getattr(other, "_values", None)
        if self is other or (mine is not None and type(self) is type(other) and mine == theirs):
            return True
        return compare(self, other)

    kind.__hash__, kind.__eq__ = hashed, equal


def _list_variables() -> None:
    """Let Numba look for variables in what can hold some, not in line numbers and names."""
    from numba.core import ir

    instruction: Any = ir.Inst
    if "_rec_list_vars" not in vars(instruction):
        return
    variable, inner, several, rest = 1, 2, 3, 4
    known: dict[type, int] = {}

    def learn(kind: type) -> int:
        kinds = ((ir.Var, variable), (instruction, inner), ((dict, list, tuple), several))
        known[kind] = next((what for some, what in kinds if issubclass(kind, some)), rest)
        return known[kind]

    def collect(value: Any, found: list[Any]) -> None:
        for part in value.values() if isinstance(value, dict) else value:
            what = known.get(type(part)) or learn(type(part))
            if what == variable:
                found.append(part)
            elif what == inner:
                found.extend(part.list_vars())
            elif what == several:
                collect(part, found)

    def listed(self: Any, value: Any) -> list[Any]:
        found: list[Any] = []
        collect(value if isinstance(value, (dict, list, tuple)) else [value], found)
        return found

    instruction._rec_list_vars = listed


def _put_off_lifetimes() -> None:
    """Let Numba compute where variables live when that is asked for, not after each pass.

    It is asked for where references are counted, and in generators.
    """
    from numba.core import transforms
    from numba.core.postproc import PostProcessor, VariableLifetime

    kind: Any = PostProcessor
    usual = kind.run

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        function = self.func_ir
        if emit_dels or function.is_generator:
            usual(self, emit_dels, extend_lifetimes)
            return
        function.blocks = transforms.canonicalize_cfg(function.blocks)
        function.variable_lifetime = VariableLifetime(function.blocks)
        function.generator_info = None

    kind.run = run


def _look_for_what_is_there() -> None:
    """Let Numba look for the ends of ``with`` and for dictionaries where there may be some."""
    from numba.core import interpreter

    module: Any = interpreter
    for name, words in (("peep_hole_delete_with_exit", ("WITH",)),
                        ("peep_hole_fuse_dict_add_updates", ("DICT", "MAP"))):
        setattr(module, name, _only_with(words, getattr(module, name)))


def _only_with(words: tuple[str, ...], usual: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def rewrite(function_ir: Any) -> Any:
        steps = steps_of(function_ir.func_id.code)
        found = any(word in step for step in steps for word in words)
        return usual(function_ir) if found else function_ir

    return rewrite


def _remember_hashes() -> None:
    """Let a type of Numba's hash what it consists of once; it never changes.

    A type is pickled with its attributes, and in another process hashes are other numbers.
    """
    from numba.core import types

    kind: Any = types.Type
    usual, here = kind.__hash__, Here()

    def hashed(self: Any) -> int:
        known = self.__dict__.get("_hash")
        if known is None or known[0] is not here:
            known = self.__dict__["_hash"] = (here, usual(self))
        return int(known[1])

    kind.__hash__ = hashed


def _shorten_names() -> None:
    """Let Numba write the digest of a long type into the names of functions, not all of it.

    The name of a function has the types of its arguments in it, at each place where it is called:
    thousands of characters for the arrays of a search. The number that Numba gives a record is that
    of one process; a digest is the same everywhere.
    """
    from numba.core import types

    base: Any = types.Type
    record: Any = types.Record
    usual = base.mangling_args.fget

    def short(self: Any) -> Any:
        name = str(self.name)
        if len(name) <= LONG_NAME:
            return usual(self)
        return f"{type(self).__name__}_{hashlib.sha256(name.encode()).hexdigest()[:16]}", ()

    base.mangling_args = property(short)
    record.mangling_args = property(short)


@lru_cache(maxsize=1000)
def steps_of(code: CodeType) -> frozenset[str]:
    """The names of the instructions in a function."""
    return frozenset(step.opname for step in dis.get_instructions(code))
