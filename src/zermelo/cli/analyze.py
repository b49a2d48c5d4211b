"""``zermelo analyze``."""

from __future__ import annotations

import typer

from zermelo.cli import show
from zermelo.cli.options import (
    GameName,
    Json,
    Memory,
    Nodes,
    Options,
    Parameters,
    Plain,
    PositionText,
    Quiet,
    SearchName,
    Seed,
    Time,
    ToMove,
    Unique,
)
from zermelo.cli.read import read_game, read_limits, read_position, read_search, read_whole
from zermelo.cli.signals import terminable


def analyze(
    game: GameName, position: PositionText = "start", search: SearchName = None,
    p: Options = None, g: Parameters = None, unique: Unique = False, nodes: Nodes = None,
    time: Time = None, memory: Memory = None, seed: Seed = "0", plain: Plain = False,
    to_move: ToMove = None, json: Json = False, quiet: Quiet = False,
) -> None:
    """The value of every move; limits are totals, shared out among the moves."""
    rules = read_game(game, g)
    from zermelo.solving.analysis import analyze as analyze_position

    chosen = read_search(search, p, rules)
    limits = read_limits(nodes, time, memory)
    start = read_position(rules, position, to_move)
    live = show.Live(quiet or json)
    with terminable():
        analysis = analyze_position(
            start, chosen, unique=unique, nodes=limits.nodes, time=limits.time,
            memory=limits.memory, seed=read_whole("--seed", seed), plain=plain, progress=live,
        )
    live.close()
    print(show.as_json(analysis.to_dict()) if json else show.analyzed(analysis, unique))
    raise typer.Exit(analysis.exit_status)
