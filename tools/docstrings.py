"""An extension of Griffe: docstrings as the site shows them.

Options of searches are fields of the form ``option(default, meaning, ...)``: the signature shows
the default alone, and a list under the docstring has the meanings. Aligned columns of names and
meanings, which read well in the source, become lists too.
"""

from __future__ import annotations

import importlib
import inspect
import re
from dataclasses import fields
from typing import Any

import griffe

ROW = re.compile(r"(\w+) {2,}(\S.*)")


def as_list(text: str) -> str:
    """``text`` with its columns ``name  meaning`` as Markdown lists."""
    lines: list[str] = []
    inside = False
    for line in text.split("\n"):
        row = ROW.fullmatch(line)
        if row is not None:
            if not inside:
                lines.append("")
            lines.append(f"- `{row[1]}`: {row[2]}")
        elif inside and line.startswith("  "):
            lines.append(f"  {line.strip()}")
        else:
            lines.append(line)
        inside = row is not None or (inside and line.startswith("  "))
    return "\n".join(lines)


def is_option(parameter: griffe.Parameter) -> bool:
    """Whether a field is made by ``option``."""
    default = parameter.default
    return isinstance(default, griffe.ExprCall) and str(default.function) == "option"


def show_options(kind: griffe.Class, init: griffe.Function) -> None:
    """The signature as it is when the class is made, and the meanings under the docstring.

    Fields of a base class that go by name alone come last, and constants have their values.
    """
    loaded = getattr(importlib.import_module(kind.module.path), kind.name)
    types = {parameter.name: parameter.annotation for parameter in init.parameters}
    init.parameters = griffe.Parameters(griffe.Parameter("self"), *(
        griffe.Parameter(
            item.name, annotation=types[item.name], default=repr(item.default),
            kind=griffe.ParameterKind(item.kind.description))
        for item in inspect.signature(loaded).parameters.values()))
    meanings = {field.name: field.metadata["help"] for field in fields(loaded)}
    if kind.docstring is not None:
        kind.docstring.value += "\n\n" + "\n".join(
            f"- `{name}`: {meanings[name]}" for name in inspect.signature(loaded).parameters)


class Docstrings(griffe.Extension):
    """See the module."""

    def on_instance(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Columns of the docstring become lists."""
        if obj.docstring is not None:
            obj.docstring.value = as_list(obj.docstring.value)

    def on_package(self, *, pkg: griffe.Module, **kwargs: Any) -> None:
        """Options are shown by their defaults; what they mean goes under the docstring."""
        for kind in classes(pkg):
            init = kind.members.get("__init__")
            if isinstance(init, griffe.Function) and any(map(is_option, init.parameters)):
                show_options(kind, init)


def classes(place: griffe.Module) -> list[griffe.Class]:
    """All classes at the top level of a module or of those below it."""
    found = []
    for member in place.members.values():
        if isinstance(member, griffe.Module):
            found += classes(member)
        elif isinstance(member, griffe.Class):
            found.append(member)
    return found
