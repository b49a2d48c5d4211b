"""The parameters that the built-in games have unless told otherwise, written down a second time."""

from __future__ import annotations

from typing import Any


def _in_a_row(size: int, line: int, stones: int = 1) -> dict[str, Any]:
    return {"columns": size, "rows": size, "line": line, "stones": stones, "first": 1,
            "overline": "wins"}


DEFAULTS: dict[str, dict[str, Any]] = {
    "connect-four": {"columns": 7, "rows": 6, "line": 4},
    "othello": {"size": 8, "no_move": "pass"},
    "hex": {"size": 11, "swap": "no"},
    "p-game": {"branching": 2, "depth": 20, "range": 127, "seed": 0, "generator": 1},
    "k-in-a-row": _in_a_row(3, 3), "tic-tac-toe": _in_a_row(3, 3),
    "gomoku": _in_a_row(15, 5), "connect6": _in_a_row(19, 6, stones=2),
    "lines-of-action": {"size": 8, "simultaneous": "draw", "no_move": "pass",
                        "repetition": "third"},
    "xiangqi": {"repetition": "draw", "protected": "none", "dialect": "ucci", "pieces": "letters"},
}


def changed(game: str, built_in: bool, parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters that are not as by default; of a user's game, all of them."""
    usual = DEFAULTS.get(game, {}) if built_in else {}
    return {name: value for name, value in parameters.items()
            if name not in usual or usual[name] != value}
