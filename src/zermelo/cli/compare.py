"""``zermelo compare``."""

from __future__ import annotations

import typer

from zermelo.cli.options import (
    File,
    GameName,
    Goal,
    Json,
    Knowledge,
    Memory,
    Nodes,
    OnePosition,
    Parameters,
    Quiet,
    Searches,
    Seed,
    Time,
    ToMove,
    Workers,
)
from zermelo.cli.read import (
    read_file,
    read_game,
    read_limits,
    read_position,
    read_search,
    read_whole,
)
from zermelo.errors import BadOption


def compare(
    game: GameName, position: OnePosition = None, search: Searches = None, file: File = None,
    g: Parameters = None, goal: Goal = "win", nodes: Nodes = None, time: Time = None,
    memory: Memory = None, seed: Seed = "0", knowledge: Knowledge = False, workers: Workers = "1",
    to_move: ToMove = None, json: Json = False, quiet: Quiet = False,
) -> None:
    """Run several searches on a position, or on a file of positions, and compare them."""
    from zermelo.cli.compare_table import run_compare
    from zermelo.search.registry import searches_for

    if position is not None and file is not None:
        raise BadOption("compare takes either a position or --file, not both.")
    rules = read_game(game, g)
    searches = [read_search(text) for text in search or searches_for(rules)]
    limits = read_limits(nodes, time, memory)
    options = {
        "goal": goal, "plain": not knowledge, "workers": read_whole("--workers", workers),
        "nodes": limits.nodes, "time": limits.time, "memory": limits.memory,
        "seed": read_whole("--seed", seed),
    }
    starts = (read_file(rules, file, to_move) if file is not None
              else [read_position(rules, "start" if position is None else position, to_move)])
    raise typer.Exit(run_compare(starts, searches, json, quiet, options))
