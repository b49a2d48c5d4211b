"""The output of ``zermelo compare``: a table, or JSON lines; and a summary over many positions."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

from zermelo.cli import show
from zermelo.core.position import Position
from zermelo.errors import counted
from zermelo.search.base import Search
from zermelo.solving.comparison import compare
from zermelo.solving.result import Result

HEADER = ["position", "search", "value", "proved", "move", "nodes", "iterations", "seconds",
          "compile", "stopped"]


def name_of(search: Search) -> str:
    """The search with the options that differ from their defaults."""
    options = ",".join(f"{name}={value}" for name, value in search.options.items())
    return f"{search.id}:{options}" if options else search.id


def row_of(index: int, result: Result) -> list[str]:
    """A line of the table."""
    proved = "yes" if result.proved else "concluded" if result.concluded else "no"
    return [str(index), name_of(result.search), str(result.value), proved, result.move or "-",
            f"{result.nodes:,}", f"{result.iterations:,}", f"{result.seconds:.3f}",
            f"{result.compile_seconds:.2f}", result.stopped]


def run_compare(starts: list[Position], searches: list[Search], as_json: bool, quiet: bool,
                options: dict[str, Any]) -> int:
    """Run and print; 0 if every run proved its value, 11 if some only concluded, else 10."""
    results: list[Result] = []
    total = len(starts) * len(searches)
    live = not quiet and not as_json and sys.stderr.isatty()
    with suppress(KeyboardInterrupt):  # what is finished is shown
        for result in compare(starts, searches, **options):
            results.append(result)
            if as_json:
                index = (len(results) - 1) // len(searches)
                print(show.as_json({"index": index, **result.to_dict()}), flush=True)
            if live:
                print(f"\r{len(results)} of {counted(total, 'run')} ", end="", file=sys.stderr,
                      flush=True)
    if live:
        print("\r" + " " * 30 + "\r", end="", file=sys.stderr)
    if not as_json:
        rows = [row_of(i // len(searches), result) for i, result in enumerate(results)]
        print(show.table(HEADER, rows))
        if len(starts) > 1:
            print()
            print(summary(searches, results))
    statuses = [result.exit_status for result in results]
    if len(results) < total:
        print(f"zermelo: interrupted after {len(results)} of {counted(total, 'run')}.",
              file=sys.stderr)
        statuses.append(10)
    return max(statuses, key=[0, 11, 10].index)


def summary(searches: list[Search], results: list[Result]) -> str:
    """Per search: how many of the positions were proved or concluded, and at what cost."""
    rows = []
    for offset, search in enumerate(searches):
        mine = results[offset :: len(searches)]
        rows.append([
            name_of(search), str(len(mine)), str(sum(r.proved for r in mine)),
            str(sum(r.concluded for r in mine)), str(sum(r.value == "win" for r in mine)),
            f"{sum(r.nodes for r in mine):,}", f"{sum(r.seconds for r in mine):.1f}",
        ])
    return show.table(
        ["search", "positions", "proved", "concluded", "wins", "nodes", "seconds"], rows)
