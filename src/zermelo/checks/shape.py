"""What can be said of a game before a rule is called: its fields, functions and data."""

from __future__ import annotations

import inspect
import sys
import types
from typing import Any

import numpy as np

from zermelo.checks.findings import Findings
from zermelo.core.game import Game
from zermelo.kernel.fingerprint import Unhashable, fingerprint
from zermelo.kernel.references import references
from zermelo.search.best_first.pool import MOST_CHILDREN

ARGUMENTS = {
    "moves": ("g", "s", "out"), "play": ("g", "s", "move", "t"), "mover": ("g", "s"),
    "outcome": ("g", "s"), "key": ("g", "s"), "canonical": ("g", "s", "t"),
    "move_image": ("g", "k", "move"), "repeat": ("g", "path", "i", "n"),
    "playout": ("g", "s", "rng", "scratch"),
    "playouts": ("g", "s", "rng", "n", "won", "scratch"), "forced": ("g", "s", "out"),
    "candidates": ("g", "s", "side", "out"),
    "estimate": ("g", "s"), "cannot_win": ("g", "s", "side"),
    "foreseen": ("g", "s", "side"), "remaining": ("g", "s"),
    "endgame": ("g", "s", "side", "threshold", "space"), "finish": ("g", "s"),
    "score": ("g", "s"), "evaluate": ("g", "s"), "captures": ("g", "s", "out"),
    "in_check": ("g", "s"), "categories": ("g", "s", "moves", "n", "out"),
}
TAKEN = frozenset(dir(np.record))


def check_shape(game: Game, findings: Findings) -> int:
    """Look at the definition only; how many functions it has."""
    rules = game.rules
    _check_fields(game, findings)
    parts = [part for part in ARGUMENTS if getattr(rules, part) is not None]
    for part in parts:
        _check_function(part, getattr(rules, part), findings)
    _check_data(rules.data, findings)
    if rules.max_moves > MOST_CHILDREN:
        findings.add("max_moves", f"max_moves={rules.max_moves} is beyond the {MOST_CHILDREN} "
                     "moves that a search can hold.", fatal=True)
    if rules.repeat is not None and not rules.cyclic:
        findings.add("repeat", "there is a function repeat, but cyclic=True is missing.")
    if (not isinstance(game.players, tuple) or len(game.players) != 2
            or not all(isinstance(name, str) for name in game.players)
            or len(set(game.players)) != 2):
        findings.add("players", f"players={game.players!r} must be two different names.",
                     fatal=True)
    return len(parts)


def _check_fields(game: Game, findings: Findings) -> None:
    dtype = game.rules.dtype
    for name in dtype.names or ():
        if name in TAKEN:
            findings.add("field name", f"the field {name} has the name of something that every "
                         "NumPy record has; give it another one.", fatal=True)
        base = dtype[name].base
        if base.kind not in "iufb" or base.names:
            findings.add("field type", f"the field {name} has the type {base}; a field is of whole "
                         "numbers (i8, u8, i4, ...), floats (f8) or an array of them.", fatal=True)


def _check_function(part: str, function: Any, findings: Findings) -> None:
    if not isinstance(function, types.FunctionType):
        findings.add(f"{part} kind", f"{part} is a {type(function).__name__}; give the plain "
                     "function, the library compiles it.", fatal=True)
        return
    expected = ARGUMENTS[part]
    given = [p for p in inspect.signature(function).parameters.values()
             if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(given) != len(expected):
        findings.add(f"{part} arguments", f"{part} takes ({', '.join(p.name for p in given)}), but "
                     f"is called as {part}({', '.join(expected)}).", fatal=True)
    strange = _strange(function, set())
    if strange is not None:
        name, value = strange
        hint = ("take numbers out of it first, as in columns = self['columns']"
                if isinstance(value, Game) else "pass it in data, a NamedTuple that arrives as g")
        findings.add(f"{part} refers", f"{part} refers to {name}, a {type(value).__name__}, which "
                     f"can't be a constant of compiled code; {hint}.")


def _strange(function: types.FunctionType, met: set[int]) -> tuple[str, Any] | None:
    """Something that ``function`` or a function it calls refers to and that can't be cached."""
    met.add(id(function))
    for name, value in references(function).items():
        if hasattr(value, "native"):
            continue
        if isinstance(value, types.FunctionType):
            found = _strange(value, met) if id(value) not in met else None
            if found is not None:
                return found
            continue
        try:
            fingerprint(_holding(value))
        except Unhashable:
            return name, value
    return None


def _holding(value: Any) -> types.FunctionType:
    """A function that refers to ``value`` and to nothing else."""

    def holder() -> Any:
        return value

    assert isinstance(holder, types.FunctionType)
    return holder


def _check_data(data: Any, findings: Findings) -> None:
    if data == ():
        return
    kind = type(data)
    if not hasattr(kind, "_fields"):
        findings.add("data", "data is a bare tuple; make it a NamedTuple, so that rules read "
                     "g.name.", fatal=True)
        return
    home: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split("."):
        home = getattr(home, name, None)
    if home is not kind:
        findings.add("data", f"the class {kind.__name__} of data must stand at the top level of "
                     "its module, or compiled code can't be kept on disk.")
