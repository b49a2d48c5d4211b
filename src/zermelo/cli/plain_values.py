"""Options and arguments that are taken as they are, and named without their Python types.

Ours are texts, lists of texts and flags, and what is wrong with one is said in the library's own
words. Typer hands every value to pydantic all the same, which takes a tenth of a second to load.
Attributes of our own commands' parameters are set, none of Typer's: where a Typer does not look for
one, it does as it usually does.
"""

from functools import partial
from typing import Any

PLAIN = (str, bool, list[str])


class AsItIs:
    """How Typer converts a value: not at all, but for a list."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value of a parameter."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        return list(value) if isinstance(value, tuple) else value


def take_plainly(command: Any) -> Any:
    """``command``, which passes on strings, lists of strings and flags without converting them, and
    has ``GAME [POSITION]`` in its usage line, where Typer has ``{GAME}``, and ``GAME`` in the list
    of arguments, where it has ``GAME <str>``."""
    for inner in getattr(command, "commands", {}).values():
        take_plainly(inner)
    usual = command.get_params
    command.get_params = lambda ctx: params(usual(ctx))
    return command


def params(parameters: Any) -> Any:
    """The parameters of a command, made plain where they are not."""
    for parameter in parameters:
        about = getattr(parameter, "type_descriptor", None)
        if about is not None and about.annotation in PLAIN and about.file_annotation is None:
            parameter.get_runtime_param = AsItIs
        if parameter.param_type_name == "argument" and "display_type_rich" not in vars(parameter):
            parameter.get_usage_pieces = partial(_usage, parameter.get_usage_pieces)
            parameter.display_type_rich = _no_type
    return parameters


def _usage(usual: Any, ctx: Any) -> list[str]:
    pieces = []
    for piece in usual(ctx):
        several = "] " in piece  # several in one, such as [GAME] FILE
        plain = piece.removesuffix("...") if several else piece
        pieces.append(plain.replace("{", "").replace("}", ""))
    return pieces


def _no_type(ctx: Any) -> None:
    return None
