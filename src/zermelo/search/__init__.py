"""The searches, one wing each: best first, depth first, minimax, threats, zones.

Calling the package finds a search by its id: ``zermelo.search("uct", C=1.4)``. So the public name
``zermelo.search`` and the modules below it, such as ``zermelo.search.registry``, both work.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _CallablePackage(ModuleType):
    def __call__(self, id: str, **options: Any) -> Any:
        return import_module("zermelo.search.registry").search(id, **options)


sys.modules[__name__].__class__ = _CallablePackage
