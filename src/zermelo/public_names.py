"""Public names of a package, loaded when they are first used; its stub, ``__init__.pyi``, is the
one list of them. Type checkers read it, too.

No module is loaded here: ``import zermelo`` is to take less time than Ctrl-C may go unheard.
"""

from __future__ import annotations


def homes_in_stub(package_file: str) -> dict[str, str]:
    """Return the module of each public name. A line of the stub is ``from MODULE import NAME as
    NAME``: so checkers know that the name is public."""
    with open(f"{package_file}i", encoding="utf-8") as stub:
        lines = [line.split() for line in stub]
    return {words[3]: words[1] for words in lines if words[:1] == ["from"]}


def load_name(package: dict[str, object], homes: dict[str, str], name: str) -> object:
    """Return the object with a public name, and keep it in the package's dictionary."""
    from importlib import import_module

    if name not in homes:
        raise AttributeError(f"module {package['__name__']!r} has no attribute {name!r}")
    value: object = getattr(import_module(homes[name]), name)
    package[name] = value
    return value
