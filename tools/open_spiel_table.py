"""Write the tables of plain-python.md: which games of OpenSpiel can be solved, and some values.

    python -m tools.open_spiel_table            the tables, on standard output
    python -m tools.open_spiel_table --write    into the page

Values are proved by the default search. A value by observation is one of a game whose observations
agreed on random games (see ``observations``).
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

import zermelo
from zermelo.checks.check_game import check_game
from zermelo.games.open_spiel import OBSERVATION, silent, why_not

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "plain-python.md"
SMALL_GAMES, USUAL_GAMES = 20, 5  # random games, on a small board and on the usual one
CHECKED = {"go": "go(board_size=5)"}  # on the usual board a game takes half a minute
# The smallest boards that say something, and the key by which they are solved.
BOARDS = {
    "breakthrough": ("breakthrough(rows=5,columns=3)", OBSERVATION),
    "clobber": ("clobber(rows=4,columns=4)", "history"),
    "connect_four": ("connect_four(rows=4,columns=4)", "history"),
    "dots_and_boxes": ("dots_and_boxes(num_rows=1,num_cols=3)", "history"),
    "gomoku": ("gomoku(size=3,connect=3)", "history"),
    "havannah": ("havannah(board_size=2)", "history"),
    "hex": ("hex(board_size=3)", "history"),
    "mnk": ("mnk(m=4,n=3,k=3)", "history"),
    "nim": ("nim(pile_sizes=1;3;5)", "history"),
    "tic_tac_toe": ("tic_tac_toe", "history"),
    "y": ("y(board_size=3)", "history"),
}


def rows() -> list[tuple[str, str]]:
    """Every game of the package, and why it can't be solved; nothing where it can."""
    import pyspiel

    found = []
    for kind in pyspiel.registered_games():
        if not kind.default_loadable:
            found.append((kind.short_name, "needs a game or a file as parameter"))
            continue
        with silent():
            found.append((kind.short_name, why_not(pyspiel.load_game(kind.short_name))))
    return found


def observations(text: str, games: int) -> str:
    """What random games say of ``key=observation``."""
    report = check_game(zermelo.open_spiel(text, key=OBSERVATION), games=games)
    if not report.ok:
        return "differ" if "one key" in report.problems[0] else report.problems[0][:60]
    return "agree" if any(line.startswith("keys: ") for line in report.checks) else "none met"


def solved(name: str) -> tuple[str, str]:
    """A board and its value for who begins."""
    if name not in BOARDS:
        return "", ""
    text, key = BOARDS[name]
    result = zermelo.solve(zermelo.open_spiel(text, key=key).start())
    assert result.proved, name
    return f"`{text}`" + (" by observation" if key == OBSERVATION else ""), str(result.value)


def tables() -> dict[str, str]:
    """The tables by their names in the page."""
    can = ["| game | states with one observation | board | value for who begins |",
           "|---|---|---|---|"]
    reasons: dict[str, list[str]] = {}
    for name, reason in rows():
        if reason:
            reasons.setdefault(reason, []).append(f"`{name}`")
            continue
        board, value = solved(name)
        observed = (observations(BOARDS[name][0], SMALL_GAMES) if name in BOARDS else
                    observations(CHECKED.get(name, name), USUAL_GAMES))
        print(name, observed, board, value, file=sys.stderr, flush=True)
        can.append(f"| `{name}` | {observed} | {board} | {value} |")
    can_not = ["| why | games |", "|---|---|"]
    can_not += [f"| {reason} | {', '.join(names)} |" for reason, names in reasons.items()]
    return {"solved": "\n".join(can), "refused": "\n".join(can_not)}


def put(page: str, name: str, table: str) -> str:
    """The page with a table in its place."""
    return re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)",
                  lambda found: found[1] + table + "\n" + found[2], page, flags=re.DOTALL)


def main(arguments: Any = None) -> None:
    """Print or write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    found = tables()
    if not parser.parse_args(arguments).write:
        print("\n\n".join(found.values()))
        return
    page = PAGE.read_text("utf-8")
    for name, table in found.items():
        page = put(page, name, table)
    PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
