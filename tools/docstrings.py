"""An extension of Griffe: docstrings as the site shows them.

Options of searches are fields of the form ``option(default, meaning, ...)``: the signature shows
the default alone, and a list under the docstring has the meanings. Aligned columns of names and
meanings, which read well in the source, become lists too.
"""

from __future__ import annotations

import importlib
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


def options_of(kind: griffe.Class) -> dict[str, tuple[object, str]]:
    """The default and the meaning of each option of a search."""
    loaded = getattr(importlib.import_module(kind.module.path), kind.name)
    return {field.name: (field.default, field.metadata["help"]) for field in fields(loaded)}


def is_option(parameter: griffe.Parameter) -> bool:
    """Whether a field is made by ``option``."""
    default = parameter.default
    return isinstance(default, griffe.ExprCall) and str(default.function) == "option"


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
            made = list(init.parameters) if isinstance(init, griffe.Function) else []
            chosen = [parameter for parameter in made if is_option(parameter)]
            if not chosen or kind.docstring is None:
                continue
            options = options_of(kind)
            kind.docstring.value += "\n"
            for parameter in chosen:
                default, meaning = options[parameter.name]
                parameter.default = repr(default)
                kind.docstring.value += f"\n- `{parameter.name}`: {meaning}"


def classes(place: griffe.Module) -> list[griffe.Class]:
    """All classes at the top level of a module or of those below it."""
    found = []
    for member in place.members.values():
        if isinstance(member, griffe.Module):
            found += classes(member)
        elif isinstance(member, griffe.Class):
            found.append(member)
    return found
