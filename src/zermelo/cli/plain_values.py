"""Options and arguments that are taken as they are, and named without their Python types.

Ours are texts, lists of texts and flags, and what is wrong with one is said in the library's own
words. Typer hands every value to pydantic all the same, which takes a tenth of a second to load.
Where Typer has no such hook, it does.
"""

from contextlib import suppress
from typing import Any

PLAIN = (str, bool, list[str])


def take_values_as_they_are() -> None:
    """Let Typer pass on strings, lists of strings and flags without converting them."""
    with suppress(ImportError, AttributeError):
        from typer import _coercion, core

        home: Any = core
        usual = home.build_runtime_param
        kind: Any = _coercion.RuntimeParam

        class AsItIs(kind):  # type: ignore[misc]
            def _coerce_value(self, value: Any, param: Any, ctx: Any) -> Any:
                return list(value) if isinstance(value, tuple) else value

        def build(descriptor: Any) -> Any:
            if descriptor.annotation not in PLAIN or descriptor.file_annotation is not None:
                return usual(descriptor)
            return AsItIs(parameter_info=descriptor.parameter_info,
                          annotation=descriptor.annotation)

        home.build_runtime_param = build


def name_arguments_plainly() -> None:
    """``GAME [POSITION]`` in a usage line, where Typer has ``{GAME}``, and ``GAME`` in the list of
    arguments, where it has ``GAME <str>``."""
    with suppress(ImportError, AttributeError):
        from typer import core

        kind: Any = core.TyperArgument
        usual = kind._usage_display_name

        def usage(argument: Any) -> str:
            name: str = usual(argument)
            if "] " in name:  # several in one, such as [GAME] FILE
                name = name.removesuffix("...")
            return name.replace("{", "").replace("}", "")

        def no_type(argument: Any, ctx: Any) -> None:
            return None

        kind._usage_display_name, kind.display_type_rich = usage, no_type
